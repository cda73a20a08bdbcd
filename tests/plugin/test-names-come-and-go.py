# SPDX-License-Identifier: MIT
"""Live input without end: traces that come and go leave nothing behind.

As with per-PID buffers: each process has a trace of its own, and is gone with
it. Beside a kernel trace or not; with clocks that tell the boot, or nothing.
"""

import os
import subprocess
import sys
import uuid

import bt2

import graphs

FEW, MANY = 1500, 6000
EVENTS = 12
# What a trace left before it was forgotten: 2000 bytes, without a clock's UUID
# 4000. What is kept for a while is forgotten every some thousand threads.
ROOM_KB = (MANY - FEW) * 500 // 1024
BOOT = uuid.UUID(int=0xB007)
WAYS = ("ust", "kernel", "no-uuid")


class Iterator(bt2._UserMessageIterator):
    """It cannot seek: there is one pass."""

    def __init__(self, config, port):
        self._way = self._component.way
        self._time = 1000
        self._messages = self._make()

    def __next__(self):
        return next(self._messages)

    def _classes(self, domain, tracer, context, event, members):
        tc = self._component._create_trace_class()
        clock = self._component._create_clock_class(
            frequency=10**9, uuid=None if self._way == "no-uuid" else BOOT
        )
        packet = tc.create_structure_field_class()
        packet.append_member("cpu_id", tc.create_unsigned_integer_field_class(32))
        common = tc.create_structure_field_class()
        for name in context:
            common.append_member(name, tc.create_signed_integer_field_class(32))
        sc = tc.create_stream_class(
            default_clock_class=clock,
            supports_packets=True,
            packet_context_field_class=packet,
            packets_have_beginning_default_clock_snapshot=True,
            event_common_context_field_class=common,
        )
        payload = tc.create_structure_field_class()
        for name, kind in members.items():
            payload.append_member(
                name,
                tc.create_string_field_class()
                if kind is str
                else tc.create_signed_integer_field_class(32),
            )
        ec = sc.create_event_class(name=event, payload_field_class=payload)
        env = {"domain": domain, "tracer_name": tracer, "hostname": "here"}
        return tc(environment=env), sc, ec

    def _begin(self, trace, sc):
        stream = trace.create_stream(sc)
        packet = stream.create_packet()
        packet.context_field["cpu_id"] = 0
        return stream, packet

    def _kernel(self):
        return self._classes(
            "kernel", "lttng-modules", (), "sched_switch",
            {"prev_comm": str, "prev_tid": int, "next_comm": str, "next_tid": int},
        )

    def _switch(self, ec, packet):
        self._time += 100
        message = self._create_event_message(ec, packet, self._time)
        values = {"prev_comm": "a", "prev_tid": 7, "next_comm": "b", "next_tid": 8}
        for name, value in values.items():
            message.event.payload_field[name] = value
        return message

    def _process(self, number):
        trace, sc, ec = self._classes(
            "ust", "lttng-ust", ("vtid",), "app:it", {"number": int}
        )
        stream, packet = self._begin(trace, sc)
        yield self._create_stream_beginning_message(stream)
        yield self._create_packet_beginning_message(packet, self._time)
        for n in range(EVENTS):
            self._time += 100
            message = self._create_event_message(ec, packet, self._time)
            message.event.common_context_field["vtid"] = number % 30000 + 1
            message.event.payload_field["number"] = n
            yield message
            # If it is referred to from here it cannot be used again.
            del message
        yield self._create_packet_end_message(packet)
        yield self._create_stream_end_message(stream)

    def _make(self):
        if self._way == "kernel":
            trace, sc, switch = self._kernel()
            stream, cpu = self._begin(trace, sc)
            yield self._create_stream_beginning_message(stream)
            yield self._create_packet_beginning_message(cpu, self._time)
        for number in range(MANY):
            if self._way == "kernel":
                yield self._switch(switch, cpu)
            yield from self._process(number)
            if number + 1 in (FEW, MANY):
                note_resident()


class Source(bt2._UserSourceComponent, message_iterator_class=Iterator):
    def __init__(self, config, params, obj):
        self.way = obj
        self._add_output_port("out")


def note_resident():
    with open("/proc/self/status") as status:
        print(*[line.split()[1] for line in status if line.startswith("VmRSS:")])


def read(way):
    graph = bt2.Graph()
    source = graph.add_component(Source, "source", obj=way)
    resolve = graph.add_component(
        graphs.component_class("resolve", graphs.PLUGIN), "f", {"lookahead": "no"}
    )
    sink = graph.add_component(graphs.standard("utils", "sink", "dummy"), "sink")
    graph.connect_ports(source.output_ports["out"], resolve.input_ports["in"])
    graph.connect_ports(resolve.output_ports["out"], sink.input_ports["in"])
    graph.run()


def main():
    if len(sys.argv) > 1:
        read(sys.argv[1])
        return
    for way in WAYS:
        # Each in a process of its own, whose memory is its own.
        run = subprocess.run(
            [sys.executable, os.path.abspath(__file__), way],
            stdout=subprocess.PIPE, check=True,
        )
        few, many = map(int, run.stdout.split())
        graphs.ok(
            many - few < ROOM_KB,
            "%s: %d traces more take %d kB, less than %d" % (way, MANY - FEW, many - few, ROOM_KB),
        )
    graphs.done()


main()
