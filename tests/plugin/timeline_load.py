# SPDX-License-Identifier: MIT
"""Makes a kernel trace as large as is asked for, so that it is known to the
event what is in it. As LTTng's: one stream for each CPU, sched_switch, a
statedump, and system calls that do not tell their thread."""

import os
import struct
import sys

METADATA = """/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 32; align = 8; signed = true; } := int32_t;
typealias integer { size = 64; align = 8; signed = true; } := int64_t;
typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := char_t;
trace {
	major = 1; minor = 8; byte_order = le;
	packet.header := struct { uint32_t magic; uint32_t stream_id; };
};
env { hostname = "load"; domain = "kernel"; tracer_name = "lttng-modules"; };
clock {
	name = "monotonic"; uuid = "00112233-4455-6677-8899-aabbccddeeff";
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
	};
	event.header := struct { uint16_t id; clock_t timestamp; };
};
event { id = 0; name = "sched_switch"; stream_id = 0; fields := struct {
	char_t prev_comm[16]; int32_t prev_tid; int64_t prev_state;
	char_t next_comm[16]; int32_t next_tid; }; };
event { id = 1; name = "syscall_entry_write"; stream_id = 0; fields := struct {
	uint64_t count; }; };
event { id = 2; name = "lttng_statedump_process_state"; stream_id = 0;
	fields := struct { int32_t tid; int32_t pid; char_t name[16]; }; };
"""

HEAD = struct.Struct('<IIQQQQI')
SWITCH = struct.Struct('<HQ16siq16si')
CALL = struct.Struct('<HQQ')
STATE = struct.Struct('<HQii16s')

SLEEPS, RUNS_ON = 1, 0
STEP = 1000
WORKERS = 10


class Load:
    """What is in it: counts by tid."""

    def __init__(self, cpus, threads):
        self.tids = range(1000, 1000 + threads)
        self.calls = dict.fromkeys(self.tids, 0)
        self.switches = dict.fromkeys(self.tids, 0)
        self.preemptions = dict.fromkeys(self.tids, 0)
        self.time = dict.fromkeys(self.tids, 0)
        self.names = {tid: set() for tid in self.tids}
        self.events = 0


def name_of(tid, turn):
    """Each worker has a new name now and then."""
    return ('job-%d' % (turn // 40 * 7 + tid % 7)).encode()


def write_stream(path, cpu, events, begin, end):
    body = b''.join(events)
    size = (HEAD.size + len(body)) * 8
    with open(path, 'wb') as file:
        file.write(HEAD.pack(0xC1FC1FC1, 0, begin, end, size, size, cpu))
        file.write(body)


def cpu_events(load, cpu, cpus, count, name_of):
    tids = [tid for tid in load.tids if tid % cpus == cpu]
    now = STEP + cpu
    events = []
    for tid in tids:
        pid = tid - (tid - load.tids[0]) % WORKERS
        events.append(STATE.pack(2, now, tid, pid, name_of(tid, 0)))
        load.names[tid].add(name_of(tid, 0))
    # In the statedump nothing tells who runs: the first switch does.
    load.events += len(tids)
    prev, prev_name, turn = 0, b'swapper/%d' % cpu, 0
    while len(events) < count:
        tid = tids[turn % len(tids)]
        name = name_of(tid, turn // len(tids))
        now += STEP
        state = RUNS_ON if turn % 3 == 0 else SLEEPS
        events.append(SWITCH.pack(0, now, prev_name, prev, state, name, tid))
        if prev:
            load.switches[prev] += 1
            load.preemptions[prev] += state == RUNS_ON
            load.time[prev] += now - since
        since = now
        load.names[tid].add(name)
        for _ in range(min(2, count - len(events))):
            now += STEP
            events.append(CALL.pack(1, now, 8))
            load.calls[tid] += 1
        prev, prev_name, turn = tid, name, turn + 1
    load.time[prev] += now - since
    load.events += len(events) - len(tids)
    return events, now


def write_load(path, cpus=4, threads=500, events=1000000, name_of=name_of):
    """A trace of so many events; returns what is in it."""
    load = Load(cpus, threads)
    os.mkdir(path)
    with open(os.path.join(path, 'metadata'), 'w') as file:
        file.write(METADATA)
    for cpu in range(cpus):
        made, end = cpu_events(load, cpu, cpus, events // cpus,
                               name_of)
        write_stream(os.path.join(path, 'channel0_%d' % cpu), cpu, made,
                     STEP + cpu, end)
    return load


if __name__ == '__main__':
    write_load(sys.argv[1], *map(int, sys.argv[2:]))
