#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Threads that come and go without end, in one pass: memory is flat.

Each has a tid of its own, another one in its container, runs once, calls prctl
and writes an event of user space: whatever is remembered of a thread has to go
when it is gone. Two CTF traces are written here, of one boot, and read by
babeltrace2 alone: what its peak memory has more with the filter is the filter's.
"""

import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import names_oracle as oracle

tap = oracle.Tap()
FEW = 60000
MANY = 240000
EVENTS_PER_PACKET = 1000
# Magic, stream_id; the packet's context.
HEADER = struct.Struct('<IIQQQQI')

METADATA = """/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 32; align = 8; signed = true; } := int32_t;
typealias integer { size = 64; align = 8; signed = true; } := int64_t;
trace {
	major = 1; minor = 8; byte_order = le;
	packet.header := struct { uint32_t magic; uint32_t stream_id; };
};
env { hostname = "here"; domain = "%(domain)s"; tracer_name = "%(tracer)s"; };
clock { name = c; uuid = "b0070000-1111-4222-8333-444444444444"; freq = 1000000000; };
typealias integer { size = 64; align = 8; map = clock.c.value; } := time_t;
stream {
	id = 0;
	packet.context := struct { uint64_t content_size; uint64_t packet_size;
		time_t timestamp_begin; time_t timestamp_end; uint32_t cpu_id; };
	event.header := struct { uint16_t id; time_t timestamp; };
%(context)s};
"""

KERNEL_EVENTS = """
event { name = "sched_process_fork"; id = 0; stream_id = 0; fields := struct {
	int32_t parent_tid; int32_t child_tid; int32_t child_pid; string child_comm;
	uint32_t child_ns_inum; uint8_t _vtids_length; int32_t vtids[_vtids_length]; }; };
event { name = "sched_switch"; id = 1; stream_id = 0; fields := struct {
	string prev_comm; int32_t prev_tid; string next_comm; int32_t next_tid; }; };
event { name = "syscall_entry_prctl"; id = 2; stream_id = 0; fields := struct {
	int32_t option; }; };
event { name = "sched_process_exit"; id = 3; stream_id = 0; fields := struct {
	string comm; int32_t tid; }; };
event { name = "sched_process_free"; id = 4; stream_id = 0; fields := struct {
	string comm; int32_t tid; }; };
"""

UST_EVENTS = """
event { name = "app:it"; id = 0; stream_id = 0; fields := struct { uint32_t seq; }; };
"""


class Trace:
    """In packets: babeltrace2 maps one as a whole, which counts as its memory."""

    def __init__(self, folder, metadata):
        os.makedirs(folder)
        with open(folder + '/metadata', 'w') as file:
            file.write(metadata)
        self._file = open(folder + '/stream', 'wb')
        self._begin = self._end = self._count = 0
        self._events = b''

    def add(self, time, event, context, payload):
        self._events += struct.pack('<HQ', event, time) + context + payload
        self._end = time
        self._count += 1
        if self._count % EVENTS_PER_PACKET == 0:
            self._end_packet()

    def _end_packet(self):
        bits = 8 * (HEADER.size + len(self._events))
        self._file.write(HEADER.pack(0xc1fc1fc1, 0, bits, bits, self._begin,
                                     self._end, 0) + self._events)
        # Nothing is missing between two.
        self._begin = self._end
        self._events = b''

    def close(self):
        self._end_packet()
        self._file.close()


def write(folder, count):
    kernel = Trace(folder + '/kernel', METADATA % {
        'domain': 'kernel', 'tracer': 'lttng-modules', 'context': ''} +
        KERNEL_EVENTS)
    ust = Trace(folder + '/ust', METADATA % {
        'domain': 'ust', 'tracer': 'lttng-ust', 'context':
        '\tevent.context := struct { int32_t vpid; int32_t vtid; };\n'} +
        UST_EVENTS)
    for n in range(count):
        time = n * 600000
        # As high as they get, each once; as containers have them, from 2 on.
        tid, vtid = 1000 + n, 2 + n
        comm = b'job-%d\0' % (n % 100)
        kernel.add(time, 0, b'', struct.pack('<iii', 1, tid, tid) + comm +
                   struct.pack('<IBii', 0xf0000001 + n % 4, 2, tid, vtid))
        kernel.add(time + 100000, 1, b'', b'init\0' + struct.pack('<i', 1) +
                   comm + struct.pack('<i', tid))
        kernel.add(time + 200000, 2, b'', struct.pack('<i', 15))
        ust.add(time + 250000, 0, struct.pack('<ii', vtid, vtid),
                struct.pack('<I', n))
        kernel.add(time + 300000, 3, b'', comm + struct.pack('<i', tid))
        kernel.add(time + 400000, 1, b'', comm + struct.pack('<i', tid) +
                   b'init\0' + struct.pack('<i', 1))
        kernel.add(time + 500000, 4, b'', comm + struct.pack('<i', tid))
    kernel.close()
    ust.close()


def peak(folder, *filters):
    """In kB, of that command alone: of a child of its own."""
    code = ("import resource, subprocess, sys;"
            "subprocess.run(sys.argv[1:], check=True);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    return int(subprocess.run(
        [sys.executable, '-c', code, 'babeltrace2', folder, *filters,
         '--component=sink.utils.dummy'],
        check=True, capture_output=True).stdout)


def check_names(folder):
    named = wrong = 0
    for _, event in oracle.events([folder + '/kernel', folder + '/ust'],
                                  {'lookahead': 'no'}):
        if event.name == 'app:it':
            comm = oracle.text(event.common_context_field['comm'])
            named += 1
            wrong += comm != 'job-%d' % (int(event.payload_field['seq']) % 100)
    tap.ok(named == FEW and not wrong,
           '%d events of threads in containers, %d wrongly named' %
           (named, wrong))


def main():
    added = []
    with tempfile.TemporaryDirectory(prefix='commcache-') as scratch:
        for count in (FEW, MANY):
            folder = '%s/%d' % (scratch, count)
            write(folder, count)
            plain = peak(folder)
            named = peak(folder, '--component=f:filter.commcache.resolve',
                         '--params=lookahead=no')
            tap.note('%d threads: %d kB, %d without the filter' %
                     (count, named, plain))
            added.append(named - plain)
        check_names('%s/%d' % (scratch, FEW))
    tap.ok(added[1] <= added[0] * 1.1 + 512,
           'four times the threads take no more than a tenth more memory')
    tap.done()


main()
