# SPDX-License-Identifier: MIT
"""Traces written down in a test: what was recorded, line by line, in the form
of this or that tracer, read through the filter."""

import os
import tempfile
import uuid

import names_oracle as oracle
from names_oracle import bt2

BOOT = uuid.UUID('b0070000-1111-4222-8333-444444444444')
OTHER_BOOT = uuid.UUID('b0070001-1111-4222-8333-444444444444')

KERNEL = {'domain': 'kernel', 'tracer_name': 'lttng-modules',
          'hostname': 'here'}
UST = {'domain': 'ust', 'tracer_name': 'lttng-ust', 'hostname': 'here'}
PERF = {'domain': 'kernel', 'tracer_name': 'perf', 'host': 'here'}


class U64(int):
    """A value of an unsigned 64-bit member."""


class Hex(int):
    """A value of an unsigned 64-bit member that is printed in base 16."""


class U32(int):
    """A value of an unsigned 32-bit member."""


class Trace:
    """`lines`: (time, cpu, event, context, payload), in the order of time.
    Members are made of the values: int is signed, 32 bits, str a string,
    bytes an array of 16 characters, bytearray a sequence of them, a list an
    array of integers. cpu None: no packets. `lossy`: indexes of lines before which the first packet of their
    CPU ends, some of whose events were discarded."""

    def __init__(self, lines, environment=None, boot=BOOT, offset=0,
                 lossy=()):
        self.lines = lines
        self.environment = environment or {}
        self.boot = boot
        self.offset = offset
        self.lossy = set(lossy)


def _field_class(trace_class, value):
    create = trace_class
    if isinstance(value, Hex):
        return create.create_unsigned_integer_field_class(
            64, preferred_display_base=16)
    if isinstance(value, U64):
        return create.create_unsigned_integer_field_class(64)
    if isinstance(value, U32):
        return create.create_unsigned_integer_field_class(32)
    if isinstance(value, int):
        return create.create_signed_integer_field_class(32)
    if isinstance(value, str):
        return create.create_string_field_class()
    if isinstance(value, bytes):
        return create.create_static_array_field_class(
            create.create_signed_integer_field_class(8), 16)
    bits = 8 if isinstance(value, bytearray) else 32
    return create.create_dynamic_array_field_class(
        create.create_signed_integer_field_class(bits))


def _structure(trace_class, values):
    structure = trace_class.create_structure_field_class()
    for name, value in values.items():
        structure.append_member(name, _field_class(trace_class, value))
    return structure


def _set(field, values):
    for name, value in values.items():
        if isinstance(value, bytes):
            for place, byte in enumerate(value.ljust(16, b'\0')):
                field[name][place] = byte - 256 if byte > 127 else byte
        elif isinstance(value, (list, bytearray)):
            field[name].length = len(value)
            field[name].value = list(value)
        else:
            field[name].value = value


class _Iterator(bt2._UserMessageIterator):
    def __init__(self, config, port):
        script, trace = port.user_data
        self._script = script
        self._trace = trace
        self._messages = list(self._make())
        self._place = 0

    def __next__(self):
        if self._place == len(self._messages):
            raise StopIteration
        self._place += 1
        return self._messages[self._place - 1]

    def _user_can_seek_beginning(self):
        return True

    def _user_seek_beginning(self):
        self._place = 0

    def _make(self):
        streams = {}
        for place, (time, cpu, name, context, payload) in enumerate(
                self._script.lines):
            if cpu not in streams:
                yield from self._begin(streams, cpu, context, time)
            stream_class, stream, packet = streams[cpu]
            if place in self._script.lossy:
                yield self._create_packet_end_message(packet, time)
                packet = self._packet(stream, cpu)
                streams[cpu] = (stream_class, stream, packet)
                yield self._create_packet_beginning_message(packet, time)
            event_class = self._event_class(stream_class, name, payload)
            message = self._create_event_message(
                event_class, packet if cpu is not None else stream,
                time if self._script.boot else None)
            if context:
                _set(message.event.common_context_field, context)
            _set(message.event.payload_field, payload)
            yield message
        for stream_class, stream, packet in streams.values():
            if packet is not None:
                yield self._create_packet_end_message(packet, time)
            yield self._create_stream_end_message(stream)

    def _begin(self, streams, cpu, context, time):
        trace_class = self._trace.cls
        stream_class = None
        for known in trace_class.values():
            if known.user_attributes.get('cpus') == (cpu is not None):
                stream_class = known
        stream = self._trace.create_stream(stream_class)
        packet = None
        yield self._create_stream_beginning_message(stream)
        if cpu is not None:
            packet = self._packet(stream, cpu)
            if self._script.lossy:
                # Of the first packet.
                yield self._create_discarded_events_message(
                    stream, 1, beg_clock_snapshot=time,
                    end_clock_snapshot=time)
            yield self._create_packet_beginning_message(packet, time)
        streams[cpu] = (stream_class, stream, packet)

    @staticmethod
    def _packet(stream, cpu):
        packet = stream.create_packet()
        packet.context_field['cpu_id'].value = cpu
        return packet

    def _event_class(self, stream_class, name, payload):
        for event_class in stream_class.values():
            if event_class.name == name:
                return event_class
        raise AssertionError(name)


class _Source(bt2._UserSourceComponent, message_iterator_class=_Iterator):
    def __init__(self, config, params, script):
        trace_class = self._create_trace_class()
        clock_class = None
        if script.boot:
            clock_class = self._create_clock_class(
                uuid=script.boot, frequency=1000000000,
                offset=bt2.ClockClassOffset(0, script.offset))
        has_cpus = script.lines[0][1] is not None
        packet_context = None
        if has_cpus:
            packet_context = trace_class.create_structure_field_class()
            packet_context.append_member(
                'cpu_id', trace_class.create_unsigned_integer_field_class(32))
        context = script.lines[0][3]
        stream_class = trace_class.create_stream_class(
            default_clock_class=clock_class,
            supports_packets=has_cpus,
            packet_context_field_class=packet_context,
            packets_have_beginning_default_clock_snapshot=has_cpus,
            packets_have_end_default_clock_snapshot=has_cpus,
            supports_discarded_events=bool(script.lossy),
            discarded_events_have_default_clock_snapshots=bool(script.lossy),
            event_common_context_field_class=_structure(
                trace_class, context) if context else None,
            user_attributes={'cpus': has_cpus})
        made = set()
        for _, _, name, _, payload in script.lines:
            if name not in made:
                made.add(name)
                stream_class.create_event_class(
                    name=name,
                    payload_field_class=_structure(trace_class, payload))
        trace = trace_class(environment=script.environment)
        self._add_output_port('out', (script, trace))


class Line:
    """An event as it came out."""

    def __init__(self, message):
        event = message.event
        self.event = event.name
        self.context = _members(event.common_context_field)
        self.payload = _members(event.payload_field)


def _members(structure):
    return {name: _plain(field) for name, field in (structure or {}).items()}


def _plain(field):
    if isinstance(field, bt2._StringFieldConst):
        return oracle.text(field)
    if isinstance(field, bt2._ArrayFieldConst):
        return [int(element) for element in field]
    return int(field)


def _sources(traces):
    return [bt2.ComponentSpec(_Source, obj=trace) for trace in traces]


def _read(traces, logging_level, params):
    filters = [bt2.ComponentSpec.from_named_plugin_and_component_class(
        'commcache', 'resolve', params, logging_level=logging_level)]
    return [Line(message) for message in bt2.TraceCollectionMessageIterator(
        _sources(traces), filter_component_specs=filters)
        if type(message) is bt2._EventMessageConst]


def learn(traces, path):
    """What they tell of names, into the file."""
    graph = bt2.Graph()
    muxer = graph.add_component(
        bt2.find_plugin('utils').filter_component_classes['muxer'], 'muxer')
    for place, trace in enumerate(traces):
        source = graph.add_component(_Source, 's%d' % place, obj=trace)
        for port in source.output_ports.values():
            graph.connect_ports(port, list(muxer.input_ports.values())[-1])
    sink = graph.add_component(
        bt2.find_plugin('commcache').sink_component_classes['learn'], 'learn',
        {'path': path})
    graph.connect_ports(list(muxer.output_ports.values())[0],
                        list(sink.input_ports.values())[0])
    graph.run()


def _check_learned(traces, wanted, params):
    """In one pass, with what was learned before, as in two."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'learned')
        learn(traces, path)
        got = _read(traces, bt2.LoggingLevel.ERROR, dict(params, learned=path))
    assert [vars(line) for line in got] == [vars(line) for line in wanted], \
        'with what was learned: %r, without: %r' % (
            [line.context for line in got], [line.context for line in wanted])


def read(traces, logging_level=bt2.LoggingLevel.ERROR, **params):
    """The events of the traces, through the filter; with look-ahead, by what was
    learned before, too."""
    params = {name.replace('_', '-'): value for name, value in params.items()}
    lines = _read(traces, logging_level, params)
    if params.get('lookahead') is True and params.get('infer-current', True):
        _check_learned(traces, lines, params)
    return lines


def names(traces, member='comm', **params):
    """The member of the common context, of each event."""
    return [line.context.get(member) for line in read(traces, **params)]
