# SPDX-License-Identifier: MIT
"""What the tests of names share: reading traces through the filter, traces
with a context hidden, what a trace itself shows of names, TAP."""

import bisect
import collections
import os
import re
import shutil
import sys
import tempfile
import unicodedata


def skip_all(reason):
    print('1..0 # SKIP ' + reason)
    sys.exit(0)


try:
    import bt2
except ImportError:
    # Debian's module is of its own Python only.
    if sys.executable != '/usr/bin/python3' and os.path.exists(
            '/usr/bin/python3'):
        os.execv('/usr/bin/python3', ['/usr/bin/python3'] + sys.argv)
    skip_all('the Python module bt2 is missing (Debian: python3-bt2, '
             'Fedora: python3-babeltrace2)')

UNKNOWN = '<...>'


def shared(name):
    """The folder of public or recorded traces; skips the test without it."""
    top = os.environ.get('COMMCACHE_SHARED') or os.path.join(
        os.environ.get('top_srcdir') or os.path.join(
            os.path.dirname(os.path.abspath(__file__)), '..', '..'),
        '..', 'shared')
    path = os.path.join(top, name)
    if not os.path.isdir(path):
        skip_all('no traces at %s: set COMMCACHE_SHARED' % path)
    return os.path.normpath(path)


class Tap:
    def __init__(self):
        self.count = 0

    def ok(self, good, what):
        self.count += 1
        print('%s %d - %s' % ('ok' if good else 'not ok', self.count, what))
        sys.stdout.flush()
        return good

    def skip(self, what, reason):
        self.count += 1
        print('ok %d - %s # SKIP %s' % (self.count, what, reason))

    def note(self, text):
        for line in text.split('\n'):
            print('# ' + line)
        sys.stdout.flush()

    def done(self):
        print('1..%d' % self.count)


def find_traces(top):
    """The folders below that hold a trace, in a fixed order."""
    return sorted(path for path, _, files in os.walk(top)
                  if 'metadata' in files)


def messages(traces, params=None):
    """All messages, through the filter unless params is None."""
    spec = bt2.ComponentSpec.from_named_plugin_and_component_class
    sources = [spec('ctf', 'fs', {'inputs': [trace]}) for trace in traces]
    filters = []
    if params is not None:
        filters = [spec('commcache', 'resolve', params)]
    return bt2.TraceCollectionMessageIterator(sources,
                                              filter_component_specs=filters)


def events(traces, params=None):
    """(message, event) of each event."""
    for message in messages(traces, params):
        if type(message) is bt2._EventMessageConst:
            yield message, message.event


def cpu_of(event):
    if event.packet is None or event.packet.context_field is None:
        return None
    context = event.packet.context_field
    return int(context['cpu_id']) if 'cpu_id' in context else None


def text(field):
    """A string field's text, by its length: babeltrace2 2.0.4 gives an
    earlier event's for one that is empty."""
    return '' if len(field) == 0 else str(field)


def is_harmful(char):
    """What is not to come to a terminal: controls, bidi, zero width, lines."""
    return unicodedata.category(char) in ('Cc', 'Cf', 'Zl', 'Zp')


def escape(raw):
    """A name's bytes as the filter is to show them."""
    shown = ''
    while raw:
        for size in range(1, 5):
            try:
                char = raw[:size].decode('utf-8')
                break
            except UnicodeDecodeError:
                char = None
        if char is None:
            size = 1
        if (char is None or is_harmful(char) or
                re.match(rb'\\x[0-9A-Fa-f]{2}', raw)):
            shown += ''.join('\\x%02x' % byte for byte in raw[:size])
        else:
            shown += char
        raw = raw[size:]
    return shown


def unquote(quoted):
    """Undoes the %XX of the truth files."""
    return re.sub(rb'%([0-9A-Fa-f]{2})',
                  lambda found: bytes([int(found.group(1), 16)]),
                  quoted.encode('latin1'))


def read_truth(path):
    """Lines of (ns, cpu, event, tid, name); tid None: not known there."""
    lines = []
    with open(path, encoding='latin1', newline='\n') as file:
        for line in file:
            ns, cpu, event, tid, name = line.rstrip('\n').split('\t')
            lines.append((int(ns), int(cpu), event,
                          None if tid == '?' else int(tid),
                          escape(unquote(name))))
    return lines


class Hidden:
    """A copy of a trace in which contexts have other names, so that nothing
    takes them for what they are. Its events' bytes are the same files."""

    def __init__(self, trace, names):
        self.top = tempfile.mkdtemp(prefix='commcache-names-')
        self.path = os.path.join(self.top, 'trace')
        os.mkdir(self.path)
        for name in os.listdir(trace):
            if name != 'metadata':
                os.symlink(os.path.join(trace, name),
                           os.path.join(self.path, name))
        with open(os.path.join(trace, 'metadata'), 'rb') as file:
            metadata = file.read()
        for old, new in names.items():
            metadata = self._rename(metadata, old, new)
        with open(os.path.join(self.path, 'metadata'), 'wb') as file:
            file.write(metadata)

    @staticmethod
    def _rename(metadata, old, new):
        # The same length: the metadata is in packets that tell their size.
        assert len(old) == len(new)
        begin = metadata.index(b'event.context := struct {')
        end = metadata.index(b'};', begin)
        context, count = re.subn(rb'\b_%s\b' % old.encode(),
                                 b'_' + new.encode(), metadata[begin:end])
        assert count == 1, 'no context %s' % old
        return metadata[:begin] + context + metadata[end:]

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.top)


class Sightings:
    """What the records of a kernel trace show of the names of tids, and what
    they announce, read apart from the filter: {tid: [(place, name)]} and
    {tid: [place]}, by place in the trace."""

    COMM = re.compile(r'^(.*_)?comm$')

    def __init__(self, traces, runners):
        """runners: the true tid of each event, by place."""
        self.names = collections.defaultdict(list)
        self.announced = collections.defaultdict(list)
        self._option = {}
        self._files = {}
        self._execs = {}
        # Raw clock values, by place.
        self._times = []
        for place, (message, event) in enumerate(events(traces)):
            self._times.append(message.default_clock_snapshot.value)
            self._take(place, event, runners[place])

    def place_at(self, time):
        """The place of the last event at or before that raw clock value."""
        return bisect.bisect_right(self._times, time) - 1

    def _see(self, place, tid, field):
        # By the length; and no name of a thread is longer.
        name = escape(text(field).encode('utf-8', 'surrogateescape'))
        self.names[int(tid)].append((place, name))

    def _take(self, place, event, runner):
        payload = event.payload_field
        if payload is None:
            return
        name = event.name
        if name == 'sched_process_wait':
            if runner is not None:
                self._see(place, runner, payload['comm'])
            return
        for member in payload:
            found = self.COMM.match(member)
            if not found:
                continue
            for suffix in ('tid', 'pid'):
                beside = (found.group(1) or '') + suffix
                if beside in payload:
                    self._see(place, payload[beside], payload[member])
                    break
        if name == 'lttng_statedump_process_state':
            self._see(place, payload['tid'], payload['name'])
        elif name == 'sched_process_exec':
            path = text(payload['filename'])
            tid = int(payload['tid'])
            self.announced[tid].append(place)
            self.names[tid].append((place, path.split('/')[-1][:15]))
            self._execs[tid, place] = path.split('/')[-1][:15]
        elif runner is not None:
            self._take_call(place, name, payload, runner)

    def _take_call(self, place, name, payload, runner):
        """Renames by system calls of thread `runner`."""
        if name == 'syscall_entry_prctl':
            self._option[runner] = int(payload['option'])
        elif name == 'syscall_exit_prctl':
            if self._option.pop(runner, 0) == 15 and payload['ret'] == 0:
                self.announced[runner].append(place)
        elif name == 'syscall_entry_openat':
            found = re.match(r'/proc/\w+/task/(\d+)/comm$',
                             text(payload['filename']))
            self._option[runner] = int(found.group(1)) if found else 0
        elif name == 'syscall_exit_openat':
            target = self._option.pop(runner, 0)
            if target and payload['ret'] >= 0:
                self._files[runner, int(payload['ret'])] = target
        elif name == 'syscall_entry_write':
            target = self._files.get((runner, int(payload['fd'])))
            if target:
                self._option[runner] = -target
        elif name == 'syscall_exit_write':
            target = -self._option.pop(runner, 0)
            if target > 0 and payload['ret'] > 0:
                self.announced[target].append(place)

    def last(self, tid, place):
        """The newest name shown at or before that place; (None, None)."""
        best = (None, None)
        for seen in self.names.get(tid, ()):
            if seen[0] > place:
                break
            best = seen
        return best

    def is_unannounced(self, tid, place, said):
        """Is `said` what the newest record shows, with no word of a rename
        since? Then nothing told that it had another name here."""
        since, name = self.last(tid, place)
        return name == said and not any(
            since < told <= place for told in self.announced.get(tid, ()))

    def is_told(self, tid, place, name):
        """Does a record show the name that holds at that place, with no
        announcement of another between the two? (An exec takes effect before
        it is announced: its name, shown after that place and before its
        announcement, tells nothing of that place.)"""
        announced = self.announced.get(tid, ())
        begin = max((told for told in announced if told <= place), default=-1)
        end = min((told for told in announced if told > place),
                  default=float('inf'))
        exec_name = self._execs.get((tid, end))
        return any(begin <= seen < end and shown == name
                   and not (seen > place and shown == exec_name)
                   for seen, shown in self.names.get(tid, ()))
