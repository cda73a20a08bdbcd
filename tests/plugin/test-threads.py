#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sink.commcache.threads against counts made here: from the exact contexts of
the traces, from their known truth, and from what the filter says event by
event."""

import collections
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import names_oracle as oracle

BUILD = os.environ.get('top_builddir')
if BUILD:
    PLUGINS = os.path.join(BUILD, 'src', 'plugin', '.libs')
    os.environ['BABELTRACE_PLUGIN_PATH'] = PLUGINS
SINK = ['babeltrace2', '--component=commcache:sink.commcache.threads']
os.environ['TZ'] = 'UTC'
ROOT_NS = 4026531836


def run(traces, params='', more=()):
    command = SINK + (['--params=' + params] if params else [])
    return subprocess.run(command + list(more) + list(traces),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def table(traces, params=''):
    result = run(traces, 'format="json"' + (',' + params if params else ''))
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout.decode('utf-8'))['threads']


def text(traces, params='', more=()):
    result = run(traces, params, more)
    assert result.returncode == 0, result.stderr
    return result.stdout.decode('utf-8')


def names(threads):
    """(thread, name) of each name."""
    for thread in threads:
        for name in thread['names']:
            yield thread, name


def shown(name):
    return oracle.UNKNOWN if name['name'] is None else name['name']


def counted(threads):
    """Events by (tid, name)."""
    counts = collections.Counter()
    for thread, name in names(threads):
        counts[thread['tid'], shown(name)] += name['events']
    return +counts


def spans(pairs):
    """{key: (first, last)} of (key, time)."""
    found = {}
    for key, time in pairs:
        first, last = found.get(key, (time, time))
        found[key] = (min(first, time), max(last, time))
    return found


def time_of(message):
    return message.default_clock_snapshot.ns_from_origin


def ran(event):
    context = event.common_context_field
    return int(context['tid']), oracle.escape(oracle.text(
        context['procname']).encode('utf-8', 'surrogateescape'))


def test_contexts(top, tap, trace):
    """Each event's own contexts tell exactly who ran it."""
    path = os.path.join(top, trace, 'kernel')
    events = [(ran(event), time_of(message))
              for message, event in oracle.events([path])]
    threads = table([path])
    tap.ok(counted(threads) == collections.Counter(key for key, _ in events),
           '%s: events of each name are as the contexts tell' % trace)
    got = spans(((thread['tid'], shown(name)), time)
                for thread, name in names(threads) if name['events']
                for time in (name['first_ns'], name['last_ns']))
    tap.ok(got == spans(events), trace + ': so are the first and the last')
    tap.ok(all(thread['events'] == sum(name['events']
                                       for name in thread['names'])
               for thread in threads), trace + ': threads have their sums')


def test_processes(top, tap, trace):
    path = os.path.join(top, trace, 'kernel')
    processes = collections.defaultdict(set)
    for _, event in oracle.events([path]):
        context = event.common_context_field
        processes[int(context['tid'])].add(int(context['pid']))
    got = {thread['tid']: {thread['pid']} for thread in table([path])
           if thread['events']}
    tap.ok(got == processes, '%s: the processes of %d threads' %
           (trace, len(processes)))


def test_truth(top, tap, trace):
    """Of each event the true tid is known, but for a few."""
    lines = oracle.read_truth(os.path.join(top, trace, 'TRUTH.tsv'))
    truth = collections.Counter(line[3] for line in lines)
    unproven = truth.pop(None, 0)
    got = collections.Counter()
    for thread in table([os.path.join(top, trace, 'kernel')]):
        got[thread['tid']] += thread['events']
    tap.ok(sum(got.values()) == len(lines), trace + ': no event is lost')
    # Between two losses of events nothing tells whose they are.
    unknown = got.pop(None, 0)
    tap.ok((unknown > 0) == (trace == 'K7-discard') and
           sum((got - truth).values()) <= unproven,
           '%s: %d events with their true threads, %d with none, %d unknown '
           'to the truth' % (trace, sum(got.values()), unknown, unproven))


def test_filter(tap, label, top):
    """The same names as the filter gives, event by event."""
    traces = oracle.find_traces(top)
    counts = collections.Counter(
        oracle.text(event.common_context_field['comm'])
        for _, event in oracle.events(traces, {}))
    got = collections.Counter()
    for _, name in names(table(traces)):
        got[shown(name)] += name['events']
    good = tap.ok(+got == counts, '%s: %d events, %d names, as the filter says'
                  % (label, sum(counts.values()), len(counts)))
    if not good:
        tap.note('only in the table: %s\nonly in the filter: %s' %
                 (+got - counts, counts - got))


class Cpus:
    """CPU time by tid, from the switches of one trace without gaps."""

    def __init__(self, path):
        self.time = collections.Counter()
        self.switches = collections.Counter()
        self.preemptions = collections.Counter()
        self.unknown = 0
        self.state = {}
        self.ends = {}
        for message, event in oracle.events([path]):
            self.take(oracle.cpu_of(event), time_of(message), event)
        for cpu, (tid, since) in self.state.items():
            self.time[tid] += self.ends[cpu][1] - since
        self.total = sum(last - first for first, last in self.ends.values())

    def take(self, cpu, now, event):
        first, _ = self.ends.get(cpu, (now, now))
        self.ends[cpu] = first, now
        if event.name == 'sched_process_exec':
            tid = int(event['tid'])
            if cpu in self.state and event['old_tid'] != tid:
                old, since = self.state[cpu]
                self.time[old] += now - since
                self.state[cpu] = tid, now
        if event.name != 'sched_switch':
            return
        tid, since = self.state.get(cpu, (int(event['prev_tid']), first))
        # An exec gave it another number, and is recorded later.
        if tid != int(event['prev_tid']):
            self.unknown += now - since
        else:
            self.time[tid] += now - since
        self.switches[int(event['prev_tid'])] += 1
        # It could run on: no state of sleep. The idle thread is not made to.
        if event['prev_tid'] > 0 and event['prev_state'] & 255 == 0:
            self.preemptions[int(event['prev_tid'])] += 1
        self.state[cpu] = int(event['next_tid']), now


def test_cpu(top, tap, trace):
    path = os.path.join(top, trace, 'kernel')
    expected = Cpus(path)
    time = collections.Counter()
    switches = collections.Counter()
    preemptions = collections.Counter()
    by_name = 0
    for thread in table([path]):
        time[thread['tid']] += thread['cpu_time_ns'] or 0
        switches[thread['tid']] += thread['switches']
        preemptions[thread['tid']] += thread['preemptions']
        by_name += sum(name['cpu_time_ns'] or 0 for name in thread['names'])
    tap.ok(+time == +expected.time,
           '%s: CPU time of %d threads' % (trace, len(+time)))
    tap.ok(+switches == expected.switches, trace + ': switches')
    tap.ok(+preemptions == expected.preemptions and len(+preemptions) > 2,
           '%s: preemptions of %d threads' % (trace, len(+preemptions)))
    tap.ok(sum(time.values()) == by_name ==
           expected.total - expected.unknown and
           expected.unknown < expected.total // 100,
           '%s: all time is somebody\'s, but for %d ns' %
           (trace, expected.unknown))


def test_sessions(top, tap):
    """Two sessions that ran at once tell the same switches."""
    def sums(traces):
        paths = [os.path.join(top, trace, 'kernel') for trace in traces]
        return {thread['tid']: (thread['cpu_time_ns'], thread['switches'])
                for thread in table(paths) if thread['idle_cpu'] is None}

    alone = sums(['K1'])
    tap.ok(sums(['K1', 'K1-tid']) == alone and len(alone) > 50,
           'a second session adds no CPU time and no switch')


def test_lossy(top, tap):
    """Across lost events nobody has the CPU."""
    path = os.path.join(top, 'K7-discard', 'kernel')
    ends = {}
    switches = 0
    for message, event in oracle.events([path]):
        first, _ = ends.get(oracle.cpu_of(event), (time_of(message), 0))
        ends[oracle.cpu_of(event)] = first, time_of(message)
        switches += event.name == 'sched_switch'
    threads = table([path])
    time = sum(thread['cpu_time_ns'] or 0 for thread in threads)
    total = sum(last - first for first, last in ends.values())
    tap.ok(0 < time < total, 'K7-discard: %d %% of the time is known' %
           (100 * time // total))
    tap.ok(sum(thread['switches'] for thread in threads) == switches,
           'K7-discard: each switch counts')


UST_METADATA = """/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 32; align = 8; signed = true; } := int32_t;
trace {
	major = 1; minor = 8; byte_order = le;
	packet.header := struct { uint32_t magic; uint32_t stream_id; };
};
env { hostname = "turns"; domain = "ust"; tracer_name = "lttng-ust"; };
clock {
	name = "monotonic"; uuid = "%s";
	freq = 1000000000; offset = 1796026950000000000;
};
typealias integer {
	size = 64; align = 8; signed = false; map = clock.monotonic.value;
} := clock_t;
stream {
	id = 0;
	packet.context := struct {
		clock_t timestamp_begin; clock_t timestamp_end;
		uint64_t content_size; uint64_t packet_size; uint32_t cpu_id;
		uint64_t events_discarded;
	};
	event.header := struct { uint16_t id; clock_t timestamp; };
	event.context := struct { int32_t vpid; int32_t vtid; };
};
event { id = 0; name = "commcache:sched_switch"; stream_id = 0;
	fields := struct { int32_t pid; int32_t tid; string comm; int32_t cpu;
		uint8_t in; uint8_t preempted; uint64_t ts; }; };
event { id = 1; name = "commcache:thread_rename"; stream_id = 0;
	fields := struct { int32_t pid; int32_t tid; int32_t by_tid;
		string prev_comm; string comm; }; };
event { id = 2; name = "commcache:lost"; stream_id = 0;
	fields := struct { int32_t pid; int32_t cpu; uint64_t count;
		uint64_t ts; }; };
"""

LEADER, READER = 500, 509
# In the middle of a turn.
RENAMED = 131500


class Turns:
    """Threads of a process that told its own turns: three threads on two CPUs,
    read from two buffers, one after the other, so that their records are not in
    order. One of the threads is renamed, some of the records are lost."""

    def __init__(self, folder, uuid, is_lossy=False, lost_cpu=None,
                 lies=False):
        self.path = os.path.join(folder, '%s-%s-%s-%s' % (
            uuid[:8], is_lossy, lost_cpu, lies))
        self.lost_cpu = lost_cpu
        self.time = collections.Counter()
        self.switches = collections.Counter()
        self.preemptions = collections.Counter()
        records = []
        for cpu in (0, 1):
            for i in range(60):
                # From one CPU to the other, with no time between.
                tid = 501 + (i + cpu) % 2 if i % 5 else 503 + cpu
                begin = 100000 + i * 1000
                self.add(records, cpu, tid, begin, begin + 1000, i % 4 == 0)
        # Not over at the end; over, but begun before.
        records.append(self.pack(0, 502, 1, 0, 160000))
        records.append(self.pack(1, 504, 0, 0, 99000))
        self.switches[504] += 1
        if lies:
            # Later than they are written, and at no time: they are when they
            # are written, a nanosecond after the other.
            for begin, end in ((2 ** 63 - 1, 2 ** 63), (0, 2 ** 64 - 1)):
                self.add(records, 0, 507, begin, end, False)
            self.time[507] = 2
        self.write(records, uuid, is_lossy)

    def add(self, records, cpu, tid, begin, end, preempted):
        records.append(self.pack(cpu, tid, 1, 0, begin))
        records.append(self.pack(cpu, tid, 0, preempted, end))
        self.time[tid] += end - begin
        self.switches[tid] += 1
        self.preemptions[tid] += preempted

    @staticmethod
    def pack(cpu, tid, is_in, preempted, time):
        name = b'job-1\0' if tid == 501 and time >= RENAMED else b'worker\0'
        return struct.pack('<ii', LEADER, tid) + name + struct.pack(
            '<iBBQ', cpu, is_in, preempted, time)

    @staticmethod
    def event(number, time, payload):
        return struct.pack('<HQii', number, time, LEADER, READER) + payload

    def write(self, records, uuid, is_lossy):
        rename = struct.pack('<iii', LEADER, 501, 501) + b'worker\0job-1\0'
        events = [self.event(1, RENAMED, rename)]
        # The reader comes later.
        events += [self.event(0, 200000 + i, record)
                   for i, record in enumerate(records)]
        if self.lost_cpu is not None:
            # In the middle of a turn of CPU 0; CPU 1 has none then.
            events.insert(40, self.event(2, 200039, struct.pack(
                '<iiQQ', LEADER, self.lost_cpu, 3, 120000)))
        os.mkdir(self.path)
        with open(os.path.join(self.path, 'metadata'), 'w') as file:
            file.write(UST_METADATA % uuid)
        with open(os.path.join(self.path, 'channel_0'), 'wb') as file:
            # A packet that was full: in the middle of a turn.
            for begin, end, lost in ((0, 20, 0), (20, 62, is_lossy),
                                     (62, None, is_lossy)):
                self.write_packet(file, events[begin:end], lost)

    @staticmethod
    def write_packet(file, events, lost):
        body = b''.join(events)
        size = (56 - 4 + len(body)) * 8
        times = [struct.unpack_from('<Q', event, 2)[0] for event in events]
        file.write(struct.pack('<IIQQQQIQ', 0xC1FC1FC1, 0, times[0], times[-1],
                               size, size, 0, lost))
        file.write(body)


def sums_of(threads, field):
    return +collections.Counter({thread['vtid']: thread[field] or 0
                                 for thread in threads})


def test_turns(top, tap):
    """One side of a switch, told by who knows but its own threads."""
    with tempfile.TemporaryDirectory() as folder:
        turns = Turns(folder, '00112233-4455-6677-8899-aabbccddeeff')
        threads = table([turns.path])
        for field, expected in (('cpu_time_ns', turns.time),
                                ('switches', turns.switches),
                                ('preemptions', turns.preemptions)):
            tap.ok(sums_of(threads, field) == +expected and expected,
                   'turns of a process\'s own: %s %s' %
                   (field, dict(expected)))
        tap.ok({thread['vpid'] for thread in threads} == {LEADER},
               'and of that process')
        lies = Turns(folder, '00112233-4455-6677-8899-aabbccddeeff',
                     lies=True)
        lied = table([lies.path])
        tap.ok(sums_of(lied, 'cpu_time_ns') == +lies.time and
               sums_of(lied, 'switches') == +lies.switches,
               'times that can not be are not taken: %d ns' % lies.time[507])
        renamed = {name['name']: name['cpu_time_ns']
                   for thread, name in names(threads) if thread['vtid'] == 501}
        tap.ok(len(renamed) == 2 and sum(renamed.values()) ==
               turns.time[501] and 0 < renamed['job-1'] < turns.time[501],
               'shared out among two names: %s' % renamed)
        head = text([turns.path]).split('\n')[0].split()
        tap.ok(head[-4:] == ['CPU-TIME', 'SWITCHES', 'PREEMPTED', 'NAME'],
               'the table has columns for it')
        lossy = Turns(folder, '00112233-4455-6677-8899-aabbccddeeff', True)
        lost = table([lossy.path])
        # Where they were lost, two turns were open at most.
        tap.ok(sums_of(lost, 'switches') == +lossy.switches and
               0 < sum(sums_of(lost, 'cpu_time_ns').values()) <
               sum(lossy.time.values()),
               'where records were lost, what was going on is nobody\'s')
        times = {cpu: sum(sums_of(table([Turns(
            folder, '00112233-4455-6677-8899-aabbccddeeff',
            lost_cpu=cpu).path]), 'cpu_time_ns').values()) for cpu in (0, 1)}
        tap.ok(times == {0: sum(turns.time.values()) - 1000,
                         1: sum(turns.time.values())},
               'the same where the agent lost some, of that CPU: %s' % times)
        kernel = os.path.join(top, 'K5', 'kernel')
        with open(os.path.join(kernel, 'metadata'), 'rb') as file:
            uuid = re.search(rb'uuid = "?([0-9a-f-]{36})"?;\s+description = '
                             rb'"Monotonic', file.read()).group(1).decode()
        same_boot = Turns(folder, uuid)
        os.rename(same_boot.path, same_boot.path + '-ktest')
        same_boot.path += '-ktest'
        with open(os.path.join(same_boot.path, 'metadata'), 'r+') as file:
            changed = file.read().replace('"turns"', '"ktest"')
            file.seek(0)
            file.write(changed)
            file.truncate()
        alone, both = table([kernel]), table([kernel, same_boot.path])
        tap.ok(sum(thread['cpu_time_ns'] or 0 for thread in alone) ==
               sum(thread['cpu_time_ns'] or 0 for thread in both),
               'beside a kernel trace, whose switches tell it all, none counts')


def namespaces(path):
    """{tid: (namespace, number there)}, the innermost, of tids that are never
    used again."""
    found = {}
    level = {}
    for _, event in oracle.events([path]):
        if event.name == 'lttng_statedump_process_pid_ns':
            tid = int(event['tid'])
            if event['ns_level'] > level.get(tid, -1):
                level[tid] = int(event['ns_level'])
                found[tid] = int(event['ns_inum']), int(event['vtid'])
        elif event.name == 'sched_process_fork':
            tid = int(event['child_tid'])
            assert tid not in found
            level[tid] = 99
            found[tid] = (int(event['child_ns_inum']),
                          int(event['vtids'][len(event['vtids']) - 1]))
    return found


def test_namespaces(top, tap):
    path = os.path.join(top, 'K4', 'kernel')
    expected = namespaces(path)
    got = {thread['tid']: (thread['pid_ns'], thread['vtid'])
           for thread in table([path]) if thread['tid'] != 0}
    inner = sum(inode != ROOT_NS for inode, _ in expected.values())
    tap.ok(got == expected and inner > 20,
           'K4: %d threads in namespaces of their own' % inner)
    lines = text([path]).split('\n')
    tap.ok(lines[0].split()[:5] == ['HOST', 'PID', 'TID', 'PID-NS', 'VTID'],
           'K4: the table has columns for it')
    tap.ok('PID-NS' not in text([os.path.join(top, 'K1', 'kernel')]),
           'K1: where there are none, it has not')


def test_kernel_and_ust(top, tap):
    """UST's events count with the kernel's, by the tid outside."""
    path = os.path.join(top, 'K5-lean')
    truth = collections.Counter()
    with open(os.path.join(path, 'UST_TRUTH.tsv'), encoding='latin1') as file:
        for line in file:
            truth[int(line.split('\t')[3])] += 1
    both = collections.Counter()
    for thread in table([path]):
        both[thread['tid']] += thread['events']
    for thread in table([os.path.join(path, 'kernel')]):
        both[thread['tid']] -= thread['events']
    tap.ok(+both == truth and sum(both.values()) == sum(truth.values()),
           'K5-lean: %d UST events with their threads' % sum(truth.values()))


def test_odd_names(top, tap):
    path = os.path.join(top, 'K8', 'kernel')
    expected = {oracle.escape(oracle.text(
        event['prev_comm']).encode('utf-8', 'surrogateescape'))
        for _, event in oracle.events([path]) if event.name == 'sched_switch'}
    got = {name['name'] for _, name in names(table([path]))}
    tap.ok(expected <= got and '' in expected and
           '\\x1b[31mred\\x1b[0m' in expected,
           'K8: %d names, the odd ones too' % len(expected))
    output = text([path])
    tap.ok(not any(ord(char) < 32 or 127 <= ord(char) < 160
                   for char in output.replace('\n', '')),
           'K8: nothing in the table can harm a terminal')
    lines = output.rstrip('\n').split('\n')
    column = lines[0].index('NAME')
    shown_names = {line[column:] for line in lines[1:]}
    tap.ok(shown_names == got, 'K8: names stand below their heading')
    pattern = 'name=["a/b*", "*\\x1b*"]'.replace('\\', '\\\\\\\\')
    got = {name['name'] for _, name in names(table([path], pattern))}
    tap.ok(got == {'a/b\\c"d\'e', '\\x1b[31mred\\x1b[0m'},
           'K8: patterns choose names as they are shown')


def test_hosts(ktraces, traces, tap):
    one = os.path.join(ktraces, 'K8', 'kernel')
    other = os.path.join(traces, 'tracecompass-test-traces', 'bug446190')
    both = table([one, other])
    apart = table([one]) + table([other])
    tap.ok(both == sorted(apart, key=lambda thread: thread['host'] or ''),
           'two hosts in one graph are as each alone')
    hosts = [thread['host'] for thread in both]
    tap.ok(hosts == sorted(hosts) and len(set(hosts)) == 2,
           'and stand host by host')
    ust = oracle.find_traces(os.path.join(traces, 'tracevizlab', 'php-ust'))
    lines = text([one] + ust).split('\n')
    tap.ok(lines[0].split()[:4] == ['HOST', 'PID', 'TID', 'VTID'] and
           any(line.split()[:4] == ['arnaud-desktop', '-', '-', '29078']
               for line in lines[1:] if line) and
           any(line.split()[:4] == ['ktest', '740', '741', '741']
               for line in lines[1:] if line),
           'ids of both kinds have columns of their own')


def test_perf(traces, tap):
    path = os.path.join(traces, 'tracecompass-test-traces', 'perf-taskset2')
    counts = collections.Counter(int(event['perf_tid'])
                                 for _, event in oracle.events([path]))
    got = collections.Counter()
    for thread in table([path]):
        got[thread['tid']] += thread['events']
    tap.ok(+got == counts, 'perf: %d events of %d threads' % (
        sum(counts.values()), len(counts)))
    switches = collections.Counter(
        int(event['prev_pid']) for _, event in oracle.events([path])
        if event.name == 'sched:sched_switch')
    got = collections.Counter()
    for thread in table([path]):
        got[thread['tid']] += thread['switches']
    tap.ok(+got == switches, 'perf: switches')


def test_ust(traces, tap):
    path = os.path.join(traces, 'tracecompass-test-traces', 'ros2')
    threads = table([path])
    counts = collections.Counter(
        (int(event.common_context_field['vpid']),
         int(event.common_context_field['vtid']))
        for _, event in oracle.events([path]))
    tap.ok({(thread['vpid'], thread['vtid']): thread['events']
            for thread in threads if thread['events']} == counts,
           'UST alone: vpid and vtid')
    tap.ok(all(thread['tid'] is None and thread['pid'] is None
               for thread in threads), 'and no tid is made of them')
    tap.ok(all(name['may_be_stale'] for _, name in names(threads)),
           'names of procname contexts are told to be so')
    tap.ok(text([path]).split()[:3] == ['HOST', 'VPID', 'VTID'],
           'the table calls them so, too')


def keys(threads):
    return [(thread['host'], thread['pid'], thread['tid'],
             thread['idle_cpu'] or 0) for thread in threads]


def test_options(top, tap):
    path = os.path.join(top, 'K1', 'kernel')
    threads = table([path])
    tap.ok(keys(threads) == sorted(keys(threads)), 'by host, pid, tid')
    tap.ok([thread['idle_cpu'] for thread in threads[:3]] == [0, 1, None],
           'idle threads by CPU')
    for key, field, sign in (('events', 'events', -1),
                             ('cpu', 'cpu_time_ns', -1),
                             ('switches', 'switches', -1),
                             ('preemptions', 'preemptions', -1),
                             ('first', 'first_ns', 1),
                             ('last', 'last_ns', 1)):
        values = [sign * thread[field] for thread in table(
            [path], 'sort="%s"' % key) if thread[field] is not None]
        tap.ok(values == sorted(values) and len(set(values)) > 5,
               'threads by ' + key)
    # The name is what the last column holds.
    lines = text([path], 'sort="name"').rstrip('\n').split('\n')
    column = lines[0].index('NAME')
    shown_names = [line[column:] for line in lines[1:]]
    tap.ok(shown_names == sorted(shown_names), 'names by name')
    one = threads[-1]
    tap.ok(keys(table([path], 'tid=%d' % one['tid'])) == keys([one]),
           'one thread by tid')
    several = table([path], 'pid=[%d, 0]' % one['pid'])
    tap.ok(several == [thread for thread in threads
                       if thread['pid'] in (0, one['pid'])],
           'the threads of two processes')
    lines = text([path], 'totals=yes').rstrip('\n').split('\n')
    tap.ok(len(lines) == len(threads) + 1, 'totals: a line for each thread')
    events = lines[0].split().index('EVENTS')
    tap.ok([int(line.split()[events]) for line in lines[1:]] ==
           [thread['events'] for thread in threads], 'with its events')
    trimmed = run([path], 'format="json"', ['--begin=08:22:29',
                                            '--end=08:22:29.5'])
    begin, end = 1796026949 * 10 ** 9, 1796026949 * 10 ** 9 + 5 * 10 ** 8
    expected = sum(begin <= time_of(message) <= end
                   for message, _ in oracle.events([path]))
    got = sum(thread['events']
              for thread in json.loads(trimmed.stdout)['threads'])
    tap.ok(0 < got == expected, 'a part of the trace: %d events' % got)


def test_times(top, tap):
    """As babeltrace2 prints them."""
    path = os.path.join(top, 'K2-few', 'kernel')
    printed = subprocess.run(['babeltrace2', '--no-delta', path],
                             stdout=subprocess.PIPE, check=True)
    times = [line.split()[0].strip('[]')
             for line in printed.stdout.decode().split('\n') if line]
    lines = text([path]).rstrip('\n').split('\n')
    first, last = (lines[0].split().index(key) for key in ('FIRST', 'LAST'))
    rows = [line.split() for line in lines[1:]]
    tap.ok(min(row[first] for row in rows if row[first] != '-') == times[0] and
           max(row[last] for row in rows) == times[-1],
           'times are as babeltrace2 prints them')


def test_refused(top, tap):
    path = os.path.join(top, 'K8', 'kernel')
    for what, params, expected in (
            ('an unknown one', 'colour="red"', 'Unknown parameter `colour`'),
            ('a word that is none', 'sort="size"', '`sort`: "size" is no good'),
            ('a number for a word', 'format=1', '`format` has to be'),
            ('a string for a number', 'tid="1"', '`tid` has to be'),
            ('a pid that none is', 'pid=-1', '`pid`: "-1" is no good'),
            ('a string for a boolean', 'totals="yes"', '`totals` has to be'),
            ('no pattern', 'name=""', '`name`: "" is no good'),
            ('a list with a number', 'name=["a", 1]', '`name` has to be'),
            ('a file that is not there', 'names-from="/none"', '/none')):
        result = run([path], params)
        message = ' '.join(result.stderr.decode().split())
        tap.ok(result.returncode != 0 and expected in message and
               not result.stdout, 'refused: ' + what)


def test_broken(traces, tap):
    base = os.path.join(traces, 'babeltrace')
    result = run([os.path.join(base, 'fail',
                               'valid-events-then-invalid-events')],
                 'format="json"')
    tap.ok(result.returncode != 0, 'a broken trace is an error')
    threads = json.loads(result.stdout)['threads']
    tap.ok(sum(thread['events'] for thread in threads) == 2,
           'and the events before are counted')
    path = os.path.join(base, 'succeed', 'succeed1')
    threads = table([path])
    tap.ok(sum(thread['events'] for thread in threads) ==
           sum(1 for _ in oracle.events([path])) and
           all(thread['first_ns'] is None for thread in threads),
           'no clock: counted all the same')


def test_names_from(top, tap):
    path = os.path.join(top, 'K2-few', 'kernel')
    with tempfile.NamedTemporaryFile('w', suffix='.txt') as file:
        file.write('4194000 from a file\n')
        file.flush()
        threads = table([path], 'names-from="%s"' % file.name)
    found = [(name['name'], name['learned'])
             for thread, name in names(threads) if thread['tid'] == 4194000]
    tap.ok(found == [('from a file', 'file')], 'names from a file')


def test_memory(top, tap):
    valgrind = os.environ.get('VALGRIND')
    if not valgrind:
        tap.skip('no error under valgrind', 'valgrind is missing')
        return
    for trace in ('K4-virtual', 'K5-lean'):
        result = subprocess.run(
            [valgrind, '-q', '--error-exitcode=9', '--leak-check=full',
             '--errors-for-leak-kinds=definite'] + SINK +
            [os.path.join(top, trace)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, 'G_SLICE': 'always-malloc'})
        good = tap.ok(result.returncode == 0,
                      trace + ': no error and no leak under valgrind')
        if not good:
            tap.note(result.stderr.decode(errors='replace')[:4000])


def main():
    ktraces = oracle.shared('ktraces')
    traces = oracle.shared('traces')
    tap = oracle.Tap()
    for trace in ('K1', 'K3', 'K5', 'K8'):
        test_contexts(ktraces, tap, trace)
    for trace in ('K1', 'K8'):
        test_processes(ktraces, tap, trace)
    for trace in ('K1-tid', 'K2', 'K3-noctx', 'K7-discard'):
        test_truth(ktraces, tap, trace)
    for trace in ('K1-tid-noswitch', 'K3-noctx', 'K4-virtual', 'K5-lean',
                  'K5-pid'):
        test_filter(tap, trace, os.path.join(ktraces, trace))
    for trace in ('perfview', 'tracevizlab/php-ust',
                  'tracecompass-test-traces/bug446190',
                  'babeltrace/succeed/multi-domains'):
        test_filter(tap, trace, os.path.join(traces, trace))
    for trace in ('K1', 'K3', 'K8'):
        test_cpu(ktraces, tap, trace)
    test_sessions(ktraces, tap)
    test_lossy(ktraces, tap)
    test_turns(ktraces, tap)
    test_namespaces(ktraces, tap)
    test_kernel_and_ust(ktraces, tap)
    test_odd_names(ktraces, tap)
    test_hosts(ktraces, traces, tap)
    test_perf(traces, tap)
    test_ust(traces, tap)
    test_options(ktraces, tap)
    test_times(ktraces, tap)
    test_refused(ktraces, tap)
    test_broken(traces, tap)
    test_names_from(ktraces, tap)
    test_memory(ktraces, tap)
    tap.done()


main()
