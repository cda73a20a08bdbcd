#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sink.commcache.timeline: what is in the page and in the trace for Perfetto,
against babeltrace2's own events, the table of threads, and a trace of which it is
known to the event what is in it. How the page looks and acts:
test-timeline-page.py."""

import base64
import collections
import decimal
import html.parser
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import names_oracle as oracle
import timeline_load

BUILD = os.environ.get('top_builddir')
if BUILD:
    os.environ['BABELTRACE_PLUGIN_PATH'] = os.path.join(BUILD, 'src', 'plugin',
                                                        '.libs')
os.environ['TZ'] = 'UTC'
PAGE_MAX = 5000000


def run(sink, traces, params='', preexec_fn=None):
    return subprocess.run(
        ['babeltrace2', '--component=commcache:sink.commcache.' + sink] +
        (['--params=' + params] if params else []) + list(traces),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=preexec_fn)


def draw(traces, params=''):
    result = run('timeline', traces, params)
    assert result.returncode == 0, result.stderr
    return result.stdout.decode('utf-8')


def table(traces, params=''):
    result = run('threads', traces, 'format="json"' + params)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)['threads']


class Scripts(html.parser.HTMLParser):
    """The scripts of a page, as a browser finds them."""

    def __init__(self, page):
        super().__init__()
        self.found = {}
        self.elements = collections.Counter()
        self.current = None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements[tag] += 1
        if tag == 'script':
            self.current = dict(attrs).get('id', '')
            self.found[self.current] = ''

    def handle_endtag(self, tag):
        if tag == 'script':
            self.current = None

    def handle_data(self, data):
        if self.current is not None:
            self.found[self.current] += data


def numbers(text):
    """Undoes packed.c."""
    number = shift = 0
    for byte in base64.b64decode(text):
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number = shift = 0


def names_of(data, thread):
    """[(text, begin or None, learned, may be stale, left out)]"""
    names = []
    begin = 0
    packed = numbers(thread['names'])
    for delta in packed:
        begin += delta
        text, told = data['texts'][next(packed)], next(packed)
        names.append((text, begin if told & 32 else None,
                      data['sources'][told & 15], bool(told & 16), told >> 6))
    return names


def turns_of(thread):
    """[(begin, end, busy, count, preempted)]"""
    turns = []
    begin = 0
    packed = numbers(thread.get('turns', ''))
    for delta in packed:
        begin += delta
        length, told = next(packed), next(packed)
        turns.append((begin, begin + length, length - (told >> 2),
                      next(packed) if told & 2 else 1, bool(told & 1)))
    return turns


def seen_of(thread):
    """[(begin, end, count)]"""
    seen = []
    begin = 0
    packed = numbers(thread.get('seen', ''))
    for delta in packed:
        begin += delta
        told = next(packed)
        seen.append((begin, begin + (told >> 1),
                     next(packed) if told & 1 else 1))
    return seen


def page_of(traces, params=''):
    page = draw(traces, params)
    return page, json.loads(Scripts(page).found['data'])


def key(thread):
    """What the page and the table both tell of a thread."""
    return (thread.get('pid'), thread.get('tid'), thread['events'])


def table_key(thread):
    virtual = thread['tid'] is None and thread['vtid'] is not None
    return (thread['vpid' if virtual else 'pid'],
            thread['vtid' if virtual else 'tid'], thread['events'])


def test_threads(tap, label, traces):
    """The page has the table's threads, names and sums."""
    _, data = page_of(traces)
    threads = table(traces)
    base = int(data['base_ns'])
    tap.ok([key(thread) for thread in data['threads']] ==
           [table_key(thread) for thread in threads],
           '%s: the %d threads of the table' % (label, len(threads)))
    drawn = [[(text, learned, stale) for text, _, learned, stale, _ in
              names_of(data, thread)] for thread in data['threads']]
    expected = [[(oracle.UNKNOWN if name['name'] is None else name['name'],
                  name['learned'], name['may_be_stale'])
                 for name in thread['names']] for thread in threads]
    tap.ok(drawn == expected and data['name_cell_bits'] == 0,
           '%s: their %d names' % (label, sum(map(len, drawn))))
    clamp = lambda time: max(0, min(time - base, data['span_ns']))
    begins = [[begin for _, begin, _, _, _ in names_of(data, thread)]
              for thread in data['threads']]
    expected = [[None if name['since_ns'] is None else clamp(name['since_ns'])
                 for name in thread['names']] for thread in threads]
    tap.ok(begins == expected, label + ': and when they began')
    busy = [sum(turn[2] for turn in turns_of(thread))
            for thread in data['threads']]
    expected = [thread['cpu_time_ns'] or 0 for thread in threads]
    tap.ok(busy == expected and
           [thread.get('cpu_ns') for thread in data['threads']] ==
           [thread['cpu_time_ns'] for thread in threads],
           '%s: turns are the CPU time, %d ns' % (label, sum(busy)))


def runs(items):
    """In order, none in another."""
    return all(one[1] <= other[0] for one, other in zip(items, items[1:]))


def test_events(tap, label, traces):
    """Each event is there, at its time."""
    _, data = page_of(traces)
    times = sorted(message.default_clock_snapshot.ns_from_origin
                   for message, _ in oracle.events(traces))
    base = int(data['base_ns'])
    drawn = sorted(base + begin for thread in data['threads']
                   for begin, end, count in seen_of(thread)
                   for _ in range(count) if begin == end)
    tap.ok(drawn == times and data['cell_bits'] == 0,
           '%s: %d events, each at its time' % (label, len(times)))
    tap.ok(all(sum(count for _, _, count in seen_of(thread)) ==
               thread['events'] for thread in data['threads']),
           label + ': each in the lane of its thread')
    tap.ok(all(runs(turns_of(thread)) for thread in data['threads']),
           label + ': a thread is on one CPU at a time')


def test_switches(tap, top):
    """Turns begin and end where sched_switch says."""
    path = os.path.join(top, 'K1', 'kernel')
    _, data = page_of([path])
    base = int(data['base_ns'])
    starts, ends = set(), {}
    for message, event in oracle.events([path]):
        if event.name == 'sched_switch':
            time = message.default_clock_snapshot.ns_from_origin - base
            starts.add((int(event['next_tid']), time))
            ends[int(event['prev_tid']), time] = \
                event['prev_tid'] > 0 and event['prev_state'] & 255 == 0
    turns = [(thread['tid'], *turn) for thread in data['threads']
             for turn in turns_of(thread)]
    # At the ends of the trace no switch tells; an exec gives another tid.
    known = [turn for turn in turns if turn[:2] in starts and
             (turn[0], turn[2]) in ends]
    tap.ok(len(known) > .99 * len(turns) and len(turns) > 1900,
           'K1: %d of %d turns are from a switch to a switch' %
           (len(known), len(turns)))
    tap.ok(all(count == 1 and busy == end - begin and
               preempted == ends[tid, end]
               for tid, begin, end, busy, count, preempted in known) and
           any(turn[5] for turn in known),
           'K1: %d of them ended by preemption' %
           sum(turn[5] for turn in known))


def test_load(tap, folder):
    """500 threads, 1,000,000 events: below 5 MB, and no count is lost."""
    path = os.path.join(folder, 'load')
    load = timeline_load.write_load(path)
    printed = subprocess.run(['babeltrace2', path], stdout=subprocess.PIPE,
                             check=True).stdout.count(b'\n')
    page, data = page_of([path])
    tap.ok(len(page.encode()) < PAGE_MAX and data['cell_bits'] > 0,
           'load: the page has %d bytes' % len(page.encode()))
    tap.ok(printed == load.events == 1000000 and sum(
        count for thread in data['threads']
        for _, _, count in seen_of(thread)) == printed,
           'load: its %d events are those that babeltrace2 prints' % printed)
    threads = {thread['tid']: thread for thread in data['threads']
               if 'cpu' not in thread and 'tid' in thread}
    tap.ok(set(threads) == set(load.tids) and len(threads) == 500,
           'load: %d threads' % len(threads))
    for what, field, expected in (
            ('CPU time', 'cpu_ns', load.time),
            ('switches', 'switches', load.switches),
            ('preemptions', 'preemptions', load.preemptions)):
        tap.ok({tid: thread[field] for tid, thread in threads.items()} ==
               expected, 'load: %s of each thread, %d in all' %
               (what, sum(expected.values())))
    tap.ok({tid: sum(turn[2] for turn in turns_of(thread))
            for tid, thread in threads.items()} == load.time,
           'load: and of what is drawn')
    tap.ok(all(set(text.encode() for text, *_ in names_of(data, thread)) ==
               load.names[tid] for tid, thread in threads.items()),
           'load: %d names' % sum(map(len, load.names.values())))


def test_renames(tap, folder):
    """A name for each turn: they do not all fit."""
    path = os.path.join(folder, 'renames')
    load = timeline_load.write_load(
        path, name_of=lambda tid, turn: b'n%d-%d' % (tid, turn))
    page, data = page_of([path])
    tap.ok(len(page.encode()) < PAGE_MAX and data['name_cell_bits'] > 0,
           'renames: the page has %d bytes' % len(page.encode()))
    shown = {thread['tid']: names_of(data, thread)
             for thread in data['threads'] if thread.get('tid') in load.names}
    tap.ok({tid: sum(name[4] + (name[2] != 'between' or name[0] != before)
                     for name, before in zip(
                         names, [None] + [name[0] for name in names]))
            for tid, names in shown.items()} ==
           {tid: len(names) for tid, names in load.names.items()},
           'renames: %d names of %d, and it is known how many are not shown' %
           (sum(map(len, shown.values())),
            sum(map(len, load.names.values()))))
    last = {tid: max(names, key=lambda name: int(name.split(b'-')[1])).decode()
            for tid, names in load.names.items()}
    tap.ok({tid: names[-1][0] for tid, names in shown.items()} == last,
           'renames: the last one is shown')


STRANGE = (b'</script><b>', b'<!--<script>', b'"};alert(1)//', b'\x1b[31mred',
           b'\xff\xfebroken', b'back\\slash"', b"a'&lt;b", b'\xe2\x80\xa8line',
           b'\xc2\x9b1m')


def test_strangers(tap, folder):
    """Names from strangers stay names."""
    path = os.path.join(folder, 'strange')
    os.mkdir(path)
    with open(os.path.join(path, 'metadata'), 'w') as file:
        file.write(timeline_load.METADATA.replace(
            'hostname = "load"', 'hostname = "</script><i>host"'))
    now, prev, events = 1000, (b'swapper/0', 0), []
    for tid, name in enumerate(STRANGE, 100):
        now += 1000
        events.append(timeline_load.SWITCH.pack(0, now, prev[0], prev[1], 1,
                                                name, tid))
        prev = name, tid
    timeline_load.write_stream(os.path.join(path, 'channel_0'), 0, events,
                               2000, now)
    page, data = page_of([path], 'title="</script><u>title\x1b"')
    scripts = Scripts(page)
    shown = {thread['tid']: names_of(data, thread)[-1][0]
             for thread in data['threads']}
    tap.ok([shown[tid] for tid in range(100, 100 + len(STRANGE))] ==
           [oracle.escape(name) for name in STRANGE],
           'strange names are shown as they are, escaped')
    tap.ok(data['hosts'] == ['</script><i>host'] and
           data['title'] == '</script><u>title\\x1b',
           'a strange host, a strange title')
    tap.ok(scripts.elements['script'] == 2 and not scripts.elements['b'] and
           not scripts.elements['u'], 'none of them becomes a part of the page')
    tap.ok(not re.search('[\x00-\x08\x0b-\x1f\x7f-\x9f]', page),
           'and there is no control byte in it')
    events = json.loads(draw([path], 'format="perfetto"'))['traceEvents']
    tap.ok({event['args']['name'] for event in events
            if event['name'] == 'thread_name'} >=
           {oracle.escape(name) for name in STRANGE},
           'the same in the trace for Perfetto')


def test_self_contained(tap, top):
    page, _ = page_of([os.path.join(top, 'K8')])
    tap.ok(not re.search(r'\b(src|href)\s*=\s*(?!["\']?data:)', page) and
           not re.search(r'https?://|url\(|@import|fetch\(|XMLHttp', page),
           'the page asks for nothing from anywhere')
    tap.ok("default-src 'none'" in page, 'and says so to the browser')


class Tracks:
    """A trace for Perfetto, read strictly: times are exact decimals."""

    def __init__(self, text):
        self.data = json.loads(text, parse_float=decimal.Decimal)
        self.events = self.data['traceEvents']
        self.base = int(self.data['otherData']['base_ns'])
        self.metadata = {}
        self.tracks = collections.defaultdict(list)
        for event in self.events:
            if event['ph'] == 'M':
                self.metadata[event['name'], event['pid'], event['tid']] = \
                    event['args']
            else:
                self.tracks[event['pid'], event['tid']].append(event)

    @staticmethod
    def ns(event, field='ts'):
        time = event[field] * 1000
        assert time == int(time)
        return int(time)

    def of(self, category):
        return [event for track in self.tracks.values() for event in track
                if event['cat'] == category]

    def nests(self):
        """Slices of a track lie in each other or apart."""
        for track in self.tracks.values():
            slices = sorted((self.ns(event),
                             -self.ns(event) - self.ns(event, 'dur'))
                            for event in track if event['ph'] == 'X')
            stack = []
            for begin, end in slices:
                end = -end
                while stack and stack[-1] <= begin:
                    stack.pop()
                if stack and stack[-1] < end:
                    return False
                stack.append(end)
        return True


def test_perfetto(tap, label, traces):
    tracks = Tracks(draw(traces, 'format="perfetto"'))
    _, data = page_of(traces)
    lanes = [names_of(data, thread) for thread in data['threads']]
    tap.ok(set(event['ph'] for event in tracks.events) <= set('MXi') and
           all(isinstance(event[field], int) for event in tracks.events
               for field in ('pid', 'tid')) and
           all(event['s'] == 't' for event in tracks.events
               if event['ph'] == 'i') and
           all(event['dur'] >= 0 and event['ts'] >= 0
               for event in tracks.events if event['ph'] == 'X'),
           '%s: %d events of Chrome\'s trace format' %
           (label, len(tracks.events)))
    tap.ok(len([name for name, _, _ in tracks.metadata
                if name == 'thread_name']) == len(lanes),
           '%s: each of %d threads has a track of its own' %
           (label, len(lanes)))
    tap.ok({what: set(args) for (what, _, _), args in tracks.metadata.items()}
           == {'process_name': {'name'}, 'process_labels': {'labels'},
               'thread_name': {'name'}, 'process_sort_index': {'sort_index'},
               'thread_sort_index': {'sort_index'}},
           label + ': metadata as the format has them')
    tap.ok(sorted(event['name'] for event in tracks.of('name')) ==
           sorted(name[0] for lane in lanes for name in lane),
           label + ': a slice for each name')
    renames = [(one[0], other[0], other[1] or 0) for lane in lanes
               for one, other in zip(lane, lane[1:])
               if other[0] != one[0] or other[2] != 'between']
    tap.ok(sorted((event['args']['from'], event['args']['to'],
                   tracks.ns(event)) for event in tracks.of('rename')) ==
           sorted(renames), '%s: %d renames, each an event of its own' %
           (label, len(renames)))
    tap.ok(sum(event['args']['events'] for event in tracks.of('events')) ==
           sum(thread['events'] for thread in data['threads']) and
           sorted(tracks.base + tracks.ns(event)
                  for event in tracks.of('events')) == sorted(
               int(data['base_ns']) + begin for thread in data['threads']
               for begin, _, _ in seen_of(thread)), label + ': its events')
    tap.ok(tracks.nests(), label + ': slices nest')
    tap.ok(sum(tracks.ns(event, 'dur') for event in tracks.of('sched')) ==
           sum(thread.get('cpu_ns', 0) for thread in data['threads']),
           label + ': its CPU time')


def test_choice(tap, top):
    path = os.path.join(top, 'K1', 'kernel')
    _, data = page_of([path], 'name="k1-spin*"')
    named = [[name[0] for name in names_of(data, thread)]
             for thread in data['threads']]
    tap.ok(len(named) > 0 and all(
        any(name.startswith('k1-spin') for name in names) for names in named)
        and any(not name.startswith('k1-spin') for names in named
                for name in names),
           'by name: %d threads, with all of their names' % len(named))
    _, data = page_of([path], 'pid=254,tid=[255, 256]')
    tap.ok([thread['tid'] for thread in data['threads']] == [255, 256],
           'by pid and tid')


def test_no_clock(tap, traces):
    path = os.path.join(traces, 'babeltrace', 'succeed', 'succeed1')
    _, data = page_of([path])
    tap.ok('base_ns' not in data and data['span_ns'] == 0 and
           sum(thread['events'] for thread in data['threads']) ==
           sum(1 for _ in oracle.events([path])),
           'no clock: the events are counted, and none has a place')
    events = json.loads(draw([path], 'format="perfetto"'))
    tap.ok('base_ns' not in events['otherData'],
           'nor in the trace for Perfetto')


def test_far_clocks(tap, folder):
    """Clocks of two machines, so far apart that no number tells how far."""
    paths = []
    for host, boot, offset in ('past', '01', -6000000000), \
            ('future', '02', 7000000000):
        paths.append(os.path.join(folder, host))
        timeline_load.write_load(paths[-1], cpus=1, threads=4, events=100)
        with open(os.path.join(paths[-1], 'metadata'), 'r+') as file:
            changed = file.read().replace('"load"', '"%s"' % host).replace(
                'uuid = "00112233', 'uuid = "%s112233' % boot).replace(
                'offset = 1796026950000000000', 'offset_s = %d; offset = 0' %
                offset)
            file.seek(0)
            file.write(changed)
            file.truncate()
    _, data = page_of(paths)
    tap.ok(data['span_ns'] == 2 ** 63 - 1,
           'clocks far apart: as far as numbers go')
    events = json.loads(draw(paths, 'format="perfetto"'))['traceEvents']
    tap.ok(all(event.get('dur', 0) >= 0 and event['ts'] >= 0
               for event in events), 'and no time is negative')


def no_large_files():
    """For a child: a write fails after 20,000 bytes."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))


def test_file(tap, top, folder):
    """The file is there whole, or as it was."""
    path = os.path.join(top, 'K8', 'kernel')
    target = os.path.join(folder, 'out', 'page.html')
    os.mkdir(os.path.dirname(target))
    result = run('timeline', [path], 'path="%s"' % target)
    with open(target) as file:
        written = file.read()
    tap.ok(result.returncode == 0 and not result.stdout and
           written == draw([path]), 'written to a file')
    umask = os.umask(0)
    os.umask(umask)
    tap.ok(os.stat(target).st_mode & 0o777 == 0o666 & ~umask,
           'that others can read, as far as the umask goes')
    with open(target, 'w') as file:
        file.write('old')
    broken = os.path.join(oracle.shared('traces'), 'babeltrace', 'fail',
                          'valid-events-then-invalid-events')
    result = run('timeline', [broken], 'path="%s"' % target)
    _, data = page_of_file(target)
    tap.ok(result.returncode != 0 and
           sum(thread['events'] for thread in data['threads']) == 2,
           'of a broken trace: what comes before, and an error')
    tap.ok(os.listdir(os.path.dirname(target)) == ['page.html'],
           'nothing else is left behind')
    with open(target, 'w') as file:
        file.write('old')
    result = run('timeline', [path], 'path="%s"' % target, no_large_files)
    with open(target) as file:
        tap.ok(result.returncode != 0 and file.read() == 'old' and
               os.listdir(os.path.dirname(target)) == ['page.html'] and
               'page.html: File too large' in unwrap(result.stderr),
               'what fails half-way leaves what was there, and nothing else')
    result = run('timeline', [path], 'path="%s"' %
                 os.path.join(folder, 'none', 'page.html'))
    tap.ok(result.returncode != 0 and
           'none/page.html: No such file' in unwrap(result.stderr),
           'a folder that is not there is an error')
    result = run('timeline', [path], 'path="/dev/full"')
    tap.ok(result.returncode != 0 and
           'Cannot write to /dev/full: No space left' in unwrap(result.stderr)
           and os.path.exists('/dev/full'), 'so is a disk that is full')


def test_killed(tap, folder):
    """Nothing is left behind by who is killed while the file is written."""
    where = os.path.join(folder, 'killed')
    os.mkdir(where)
    child = subprocess.Popen(
        ['babeltrace2', '--component=commcache:sink.commcache.timeline',
         '--params=path="%s/page.html"' % where, os.path.join(folder, 'load')])
    files = '/proc/%d/fd' % child.pid
    writes = False
    while not writes and child.poll() is None:
        for descriptor in os.listdir(files):
            try:
                writes |= os.readlink(os.path.join(
                    files, descriptor)).startswith(where)
            except FileNotFoundError:
                pass
    child.kill()
    child.wait()
    tap.ok(writes and not os.listdir(where),
           'killed while it is written: nothing is left')


def page_of_file(path):
    with open(path) as file:
        page = file.read()
    return page, json.loads(Scripts(page).found['data'])


def unwrap(message):
    return ' '.join(message.decode().split())


def test_refused(tap, top):
    path = os.path.join(top, 'K8', 'kernel')
    for what, params, expected in (
            ('an unknown parameter', 'color=1', 'Unknown parameter `color`'),
            ('a format that is none', 'format="svg"', '"svg" is no good'),
            ('a number for a path', 'path=1', '`path` has to be a string'),
            ('a path that is none', 'path=""', '`path`: "" is no good'),
            ('a number for a title', 'title=1', '`title` has to be')):
        result = run('timeline', [path], params)
        tap.ok(result.returncode != 0 and not result.stdout and
               expected in unwrap(result.stderr), 'refused: ' + what)


def test_memory(tap, top):
    valgrind = os.environ.get('VALGRIND')
    if not valgrind:
        tap.skip('no error under valgrind', 'valgrind is missing')
        return
    for form in ('html', 'perfetto'):
        result = subprocess.run(
            [valgrind, '-q', '--error-exitcode=9', '--leak-check=full',
             '--errors-for-leak-kinds=definite', 'babeltrace2',
             '--component=commcache:sink.commcache.timeline',
             '--params=format="%s"' % form, os.path.join(top, 'K5-lean')],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, 'G_SLICE': 'always-malloc'})
        if not tap.ok(result.returncode == 0,
                      form + ': no error and no leak under valgrind'):
            tap.note(result.stderr.decode(errors='replace')[:4000])


def main():
    ktraces = oracle.shared('ktraces')
    traces = oracle.shared('traces')
    tap = oracle.Tap()
    several = [(name, oracle.find_traces(os.path.join(top, name)))
               for top, name in ((ktraces, 'K1'), (ktraces, 'K4-virtual'),
                                 (ktraces, 'K5-lean'), (ktraces, 'K8'),
                                 (traces, 'perfview'),
                                 (traces, 'tracecompass-test-traces/ros2'),
                                 (traces,
                                  'tracecompass-test-traces/perf-taskset2'))]
    for label, paths in several:
        test_threads(tap, label, paths)
        # On clocks that differ, a lane's events go by one of them.
        if label not in ('K5-lean', 'perfview'):
            test_events(tap, label, paths)
    for label, paths in several:
        if label in ('K1', 'K4-virtual', 'K8', 'perfview'):
            test_perfetto(tap, label, paths)
    test_switches(tap, ktraces)
    test_choice(tap, ktraces)
    test_no_clock(tap, traces)
    test_self_contained(tap, ktraces)
    test_refused(tap, ktraces)
    with tempfile.TemporaryDirectory() as folder:
        test_strangers(tap, folder)
        test_far_clocks(tap, folder)
        test_file(tap, ktraces, folder)
        test_load(tap, folder)
        test_killed(tap, folder)
        test_renames(tap, folder)
    test_memory(tap, ktraces)
    tap.done()


main()
