# SPDX-License-Identifier: MIT
"""Live input without end: what is kept does not grow with the events.

Two threads take turns on a CPU, under the same names for ever, beside a trace
of user space that asks which thread the CPU ran.
"""

import uuid

import bt2

import graphs

EVENTS = 300000
# A switch that is kept takes 8 bytes, at least.
ROOM_KB = EVENTS * 8 // 1024 // 4
RESOLVE = graphs.component_class("resolve", graphs.PLUGIN)

resident = []


def note_resident():
    with open("/proc/self/status") as status:
        resident.extend(int(line.split()[1]) for line in status
                        if line.startswith("VmRSS:"))


class Iterator(bt2._UserMessageIterator):
    """It cannot seek: there is one pass."""

    def __init__(self, config, port):
        self._messages = self._make()

    def __next__(self):
        return next(self._messages)

    def _make(self):
        packets = []
        for trace, stream_class, _ in self._component.traces:
            stream = trace.create_stream(stream_class)
            yield self._create_stream_beginning_message(stream)
            packets.append(stream.create_packet())
            packets[-1].context_field["cpu_id"] = 0
            yield self._create_packet_beginning_message(packets[-1], 0)
        (_, _, asks), (_, _, switch) = self._component.traces
        message = self._create_event_message(asks, packets[0], 1)
        message.event.payload_field["number"] = 1
        yield message
        for n in range(EVENTS):
            message = self._create_event_message(switch, packets[1], n * 100000)
            for side, thread in (("prev", n % 2), ("next", 1 - n % 2)):
                message.event.payload_field[side + "_comm"] = "t%d" % thread
                message.event.payload_field[side + "_tid"] = 10 + thread
            yield message
            # If it is referred to from here it cannot be used again.
            del message
            if n in (EVENTS // 3, EVENTS - 1):
                note_resident()


class Source(bt2._UserSourceComponent, message_iterator_class=Iterator):
    def __init__(self, config, params, obj):
        self._add_output_port("out")
        self._clock_class = self._create_clock_class(uuid=uuid.UUID(int=1))
        self.traces = [
            self._create("lttng-ust", "app:it", number=int),
            self._create("lttng-modules", "sched_switch", prev_comm=str,
                         prev_tid=int, next_comm=str, next_tid=int),
        ]

    def _create(self, tracer, event, **members):
        trace_class = self._create_trace_class()
        context = trace_class.create_structure_field_class()
        context.append_member(
            "cpu_id", trace_class.create_unsigned_integer_field_class(32))
        stream_class = trace_class.create_stream_class(
            default_clock_class=self._clock_class, supports_packets=True,
            packet_context_field_class=context,
            packets_have_beginning_default_clock_snapshot=True)
        payload = trace_class.create_structure_field_class()
        for name, kind in members.items():
            payload.append_member(
                name, trace_class.create_signed_integer_field_class(32)
                if kind is int else trace_class.create_string_field_class())
        trace = trace_class(environment={
            "tracer_name": tracer, "hostname": "host",
            "domain": "ust" if "ust" in tracer else "kernel"})
        return trace, stream_class, stream_class.create_event_class(
            name=event, payload_field_class=payload)


graph = bt2.Graph()
source = graph.add_component(Source, "source")
resolve = graph.add_component(RESOLVE, "resolve")
sink = graph.add_component(graphs.standard("utils", "sink", "dummy"), "sink")
graph.connect_ports(source.output_ports["out"], resolve.input_ports["in"])
graph.connect_ports(resolve.output_ports["out"], sink.input_ports["in"])
graph.run()
grown = resident[1] - resident[0]
if not graphs.ok(grown < ROOM_KB, "memory does not grow with the switches"):
    graphs.diag("grown by %d kB" % grown)
graphs.done()
