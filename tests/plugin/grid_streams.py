# SPDX-License-Identifier: MIT
"""The grid: metadata, clocks, messages."""

import uuid

import bt2

from grid import append_option, case, identity, variant


# Metadata


@case
def user_attributes(it, comp):
    def attributes(what):
        return {"what": what, "list": [1, -2, 2.5, None, True], "map": {"x": what}}

    tc = comp._create_trace_class(user_attributes=attributes("trace class"))
    cc = comp._create_clock_class(user_attributes=attributes("clock class"))
    element = tc.create_unsigned_integer_field_class(8, user_attributes=attributes("element"))
    packet_fc = tc.create_structure_field_class(user_attributes=attributes("packet context"))
    common_fc = tc.create_structure_field_class(user_attributes=attributes("common"))
    common_fc.append_member(
        "text",
        tc.create_string_field_class(user_attributes=attributes("string class")),
        user_attributes=attributes("member"),
    )
    sc = tc.create_stream_class(
        user_attributes=attributes("stream class"),
        default_clock_class=cc,
        supports_packets=True,
        packet_context_field_class=packet_fc,
        event_common_context_field_class=common_fc,
    )
    payload_fc = tc.create_structure_field_class(user_attributes=attributes("payload"))
    payload_fc.append_member(
        "array",
        tc.create_static_array_field_class(element, 1, user_attributes=attributes("array")),
        user_attributes=attributes("array member"),
    )
    choice = variant(tc, user_attributes=attributes("variant"))
    append_option(
        choice,
        "one",
        tc.create_bool_field_class(user_attributes=attributes("bool")),
        attributes("variant option"),
    )
    payload_fc.append_member("variant", choice)
    payload_fc.append_member(
        "option",
        tc.create_option_without_selector_field_class(
            tc.create_double_precision_real_field_class(user_attributes=attributes("real")),
            user_attributes=attributes("option"),
        ),
    )
    ec = sc.create_event_class(
        user_attributes=attributes("event class"), payload_field_class=payload_fc
    )
    trace = tc(user_attributes=attributes("trace"))
    stream = trace.create_stream(sc, user_attributes=attributes("stream"))
    packet = stream.create_packet()
    yield it._create_stream_beginning_message(stream)
    yield it._create_packet_beginning_message(packet)
    message = it._create_event_message(ec, packet, 5)
    message.event.common_context_field["text"] = "t"
    message.event.payload_field["array"] = [4]
    message.event.payload_field["variant"].selected_option_index = 0
    message.event.payload_field["variant"].value = True
    message.event.payload_field["option"].value = 1.5
    yield message
    yield it._create_packet_end_message(packet)
    yield it._create_stream_end_message(stream)


@case
def event_class_properties(it, comp):
    tc = comp._create_trace_class()
    sc = tc.create_stream_class(assigns_automatic_event_class_id=False)
    names = [name for name in dir(bt2.EventClassLogLevel) if name.isupper()]
    levels = [getattr(bt2.EventClassLogLevel, name) for name in names]
    assert len(levels) == 15, names
    classes = [
        sc.create_event_class(id=(1 << 40) + 7 * i, name="event:%d" % i, log_level=level)
        for i, level in enumerate(levels)
    ]
    classes.append(sc.create_event_class(id=3, emf_uri="http://example.com/a?b=c"))
    classes.append(sc.create_event_class(id=2, name="odd \x1b[1m name"))
    classes.append(sc.create_event_class(id=(1 << 64) - 2))
    sc.create_event_class(id=77, name="never happens")
    stream = tc().create_stream(sc)
    yield it._create_stream_beginning_message(stream)
    for ec in classes:
        yield it._create_event_message(ec, stream)
    yield it._create_stream_end_message(stream)


@case
def trace_properties(it, comp):
    tc = comp._create_trace_class()
    sc = tc.create_stream_class(name="a stream class")
    trace = tc(
        name="a trace",
        **identity(comp, uuid.UUID("c7a1a1a0-0102-0304-0506-0708090a0b0c")),
        environment={
            "hostname": "here",
            "empty": "",
            "number": -(1 << 63),
            "big": (1 << 63) - 1,
            "zeta": "last",
            "alpha": 0,
        },
    )
    stream = trace.create_stream(sc, name="a stream")
    yield it._create_stream_beginning_message(stream)
    yield it._create_stream_end_message(stream)


@case
def ids_and_order(it, comp):
    """Ids neither automatic nor in order; classes and streams without use."""
    tc = comp._create_trace_class(assigns_automatic_stream_class_id=False)
    stream_classes = [
        tc.create_stream_class(
            id=n,
            name="class %d" % n,
            assigns_automatic_stream_id=False,
            assigns_automatic_event_class_id=False,
        )
        for n in (42, 7, 1 << 50, 0)
    ]
    event_classes = {
        sc.id: [sc.create_event_class(id=n, name="e%d" % n) for n in (9, 1, 5)]
        for sc in stream_classes
    }
    trace = tc()
    streams = [
        trace.create_stream(sc, id=n) for sc in stream_classes[:3] for n in (1000, 3)
    ]
    for stream in streams:
        yield it._create_stream_beginning_message(stream)
    for stream in reversed(streams):
        for ec in event_classes[stream.cls.id]:
            yield it._create_event_message(ec, stream)
    for stream in streams:
        yield it._create_stream_end_message(stream)


@case
def classes_that_come_late(it, comp):
    """Event classes and a stream class made while the streams run (live)."""
    tc = comp._create_trace_class()
    sc = tc.create_stream_class()
    first = sc.create_event_class(name="first")
    trace = tc()
    stream = trace.create_stream(sc)
    yield it._create_stream_beginning_message(stream)
    yield it._create_event_message(first, stream)
    late_fc = tc.create_structure_field_class()
    late_fc.append_member("text", tc.create_string_field_class())
    late = sc.create_event_class(name="late", payload_field_class=late_fc)
    unused = sc.create_event_class(name="late and unused")
    message = it._create_event_message(late, stream)
    message.event.payload_field["text"] = "late"
    yield message
    yield it._create_event_message(first, stream)
    late_sc = tc.create_stream_class(name="late stream class")
    late_ec = late_sc.create_event_class(name="of the late class")
    late_stream = trace.create_stream(late_sc)
    yield it._create_stream_beginning_message(late_stream)
    yield it._create_event_message(late_ec, late_stream)
    yield it._create_event_message(unused, stream)
    yield it._create_stream_end_message(late_stream)
    yield it._create_stream_end_message(stream)


@case
def two_traces_of_one_class(it, comp):
    tc = comp._create_trace_class()
    sc = tc.create_stream_class()
    ec = sc.create_event_class(name="event")
    traces = [tc(name="first"), tc(name="second", environment={"n": 2})]
    streams = [trace.create_stream(sc, name="s" + trace.name) for trace in traces]
    for stream in streams:
        yield it._create_stream_beginning_message(stream)
    for stream in streams * 3:
        yield it._create_event_message(ec, stream)
    for stream in streams:
        yield it._create_stream_end_message(stream)


@case
def traces_that_come_and_go(it, comp):
    """Each trace is gone before the next one comes: addresses come again."""
    for n in range(20):
        tc = comp._create_trace_class()
        sc = tc.create_stream_class(name="class %d" % n)
        fc = tc.create_structure_field_class()
        fc.append_member("n%d" % n, tc.create_unsigned_integer_field_class(8))
        ec = sc.create_event_class(name="event %d" % n, payload_field_class=fc)
        stream = tc(name="trace %d" % n).create_stream(sc)
        yield it._create_stream_beginning_message(stream)
        message = it._create_event_message(ec, stream)
        message.event.payload_field["n%d" % n] = n
        yield message
        del message
        yield it._create_stream_end_message(stream)
        del tc, sc, fc, ec, stream


# Clocks


@case
def clock_classes(it, comp):
    tc = comp._create_trace_class()
    clocks = [
        comp._create_clock_class(),
        comp._create_clock_class(
            frequency=1000,
            name="slow",
            description="a slow one\nin two lines",
            precision=3,
            offset=bt2.ClockClassOffset(-5, 999),
            **identity(comp, uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")),
        ),
        comp._create_clock_class(frequency=1 << 40, offset=bt2.ClockClassOffset(1 << 33, 7)),
    ]
    trace = tc()
    streams = []
    for number, clock in enumerate(clocks):
        sc = tc.create_stream_class(name="c%d" % number, default_clock_class=clock)
        streams.append((trace.create_stream(sc), sc.create_event_class(name="e")))
    # Another stream class on the first clock.
    sc = tc.create_stream_class(name="again", default_clock_class=clocks[0])
    streams.append((trace.create_stream(sc), sc.create_event_class(name="e")))
    # In the order of their times.
    for number in (1, 0, 3, 2):
        stream, ec = streams[number]
        yield it._create_stream_beginning_message(stream, 0)
        yield it._create_event_message(ec, stream, number)
    for stream, ec in streams:
        yield it._create_stream_end_message(stream)


@case
def clock_not_from_unix_epoch(it, comp):
    tc = comp._create_trace_class()
    clock = comp._create_clock_class(
        # A UID alone is no identity, for which the muxer asks.
        name="a clock",
        origin_is_unix_epoch=False,
        **identity(comp, uuid.UUID("01112233-4455-6677-8899-aabbccddeeff"))
    )
    sc = tc.create_stream_class(default_clock_class=clock)
    ec = sc.create_event_class(name="e")
    stream = tc().create_stream(sc)
    yield it._create_stream_beginning_message(stream)
    yield it._create_event_message(ec, stream, 12)
    yield it._create_stream_end_message(stream, 99)


@case
def stream_times_known_and_not(it, comp):
    tc = comp._create_trace_class()
    clock = comp._create_clock_class()
    sc = tc.create_stream_class(default_clock_class=clock)
    trace = tc()
    streams = [trace.create_stream(sc) for _ in range(4)]
    begin = (None, 5, None, 6)
    end = (None, None, 20, 21)
    for stream, time in zip(streams, begin):
        yield it._create_stream_beginning_message(stream, time)
    for stream, time in zip(streams, end):
        yield it._create_stream_end_message(stream, time)


# Messages


def packets(it, comp, begin_time, end_time, clock, context):
    tc = comp._create_trace_class()
    cc = comp._create_clock_class() if clock else None
    fc = None
    if context:
        fc = tc.create_structure_field_class()
        fc.append_member("cpu_id", tc.create_unsigned_integer_field_class(32))
        fc.append_member("text", tc.create_string_field_class())
    sc = tc.create_stream_class(
        default_clock_class=cc,
        supports_packets=True,
        packets_have_beginning_default_clock_snapshot=begin_time,
        packets_have_end_default_clock_snapshot=end_time,
        packet_context_field_class=fc,
    )
    ec = sc.create_event_class(name="e")
    trace = tc()
    streams = [trace.create_stream(sc) for _ in range(2)]
    time = 0
    for stream in streams:
        yield it._create_stream_beginning_message(stream)
    for number in range(3):
        # The packets of two streams overlap.
        open_packets = []
        for stream in streams:
            packet = stream.create_packet()
            if context:
                packet.context_field["cpu_id"] = number
                packet.context_field["text"] = "packet %d" % number
            open_packets.append(packet)
            time += 1
            yield it._create_packet_beginning_message(packet, time if begin_time else None)
        for packet in open_packets * number:
            time += 1
            yield it._create_event_message(ec, packet, time if clock else None)
        for packet in open_packets:
            time += 1
            yield it._create_packet_end_message(packet, time if end_time else None)
    for stream in streams:
        yield it._create_stream_end_message(stream)


@case
def packets_plain(it, comp):
    return packets(it, comp, False, False, False, False)


@case
def packets_with_context(it, comp):
    return packets(it, comp, False, False, False, True)


@case
def packets_with_clock(it, comp):
    return packets(it, comp, False, False, True, True)


@case
def packets_with_beginning_time(it, comp):
    return packets(it, comp, True, False, True, True)


@case
def packets_with_end_time(it, comp):
    return packets(it, comp, False, True, True, False)


@case
def packets_with_both_times(it, comp):
    return packets(it, comp, True, True, True, True)


def discarded(it, comp, with_times, with_packets):
    tc = comp._create_trace_class()
    cc = comp._create_clock_class() if with_times else None
    sc = tc.create_stream_class(
        default_clock_class=cc,
        supports_packets=with_packets,
        supports_discarded_events=True,
        discarded_events_have_default_clock_snapshots=with_times,
        supports_discarded_packets=with_packets,
        discarded_packets_have_default_clock_snapshots=with_times and with_packets,
    )
    stream = tc().create_stream(sc)
    times = (lambda a, b: (a, b)) if with_times else (lambda a, b: (None, None))
    yield it._create_stream_beginning_message(stream)
    for time, count in enumerate((None, 1, (1 << 64) - 1)):
        yield it._create_discarded_events_message(stream, count, *times(10 * time, 10 * time + 8))
        if with_packets:
            yield it._create_discarded_packets_message(
                stream, count, *times(10 * time + 9, 10 * time + 9)
            )
    yield it._create_stream_end_message(stream)


@case
def discarded_events(it, comp):
    return discarded(it, comp, False, False)


@case
def discarded_events_with_times(it, comp):
    return discarded(it, comp, True, False)


@case
def discarded_events_and_packets(it, comp):
    return discarded(it, comp, False, True)


@case
def discarded_events_and_packets_with_times(it, comp):
    return discarded(it, comp, True, True)


@case
def inactivity(it, comp):
    clock = comp._create_clock_class(name="of no stream", frequency=100)
    yield it._create_message_iterator_inactivity_message(clock, 5)
    tc = comp._create_trace_class()
    sc = tc.create_stream_class(default_clock_class=clock)
    ec = sc.create_event_class(name="e")
    stream = tc().create_stream(sc)
    yield it._create_stream_beginning_message(stream)
    yield it._create_message_iterator_inactivity_message(clock, 6)
    yield it._create_event_message(ec, stream, 7)
    yield it._create_message_iterator_inactivity_message(clock, 8)
    yield it._create_stream_end_message(stream)
    yield it._create_message_iterator_inactivity_message(clock, 9)


@case
def inactivity_without_identity(it, comp):
    """A clock that equals only itself, before its first stream and between."""
    # The same again when it is read again, or a muxer upstream refuses it.
    if not hasattr(comp, "clock"):
        comp.clock = comp._create_clock_class(origin_is_unix_epoch=False)
    clock = comp.clock
    yield it._create_message_iterator_inactivity_message(clock, 1)
    yield it._create_message_iterator_inactivity_message(clock, 2)
    for n in (10, 20):
        tc = comp._create_trace_class()
        sc = tc.create_stream_class(default_clock_class=clock)
        ec = sc.create_event_class(name="e")
        stream = tc().create_stream(sc)
        yield it._create_stream_beginning_message(stream, n)
        yield it._create_event_message(ec, stream, n + 1)
        yield it._create_stream_end_message(stream, n + 2)
        del tc, sc, ec, stream
        yield it._create_message_iterator_inactivity_message(clock, n + 3)
        yield it._create_message_iterator_inactivity_message(clock, n + 4)


@case
def nothing_at_all(it, comp):
    return iter(())


@case
def many_streams(it, comp):
    """More streams and classes than the caches hold."""
    tc = comp._create_trace_class()
    clock = comp._create_clock_class()
    sc = tc.create_stream_class(default_clock_class=clock)
    fc = tc.create_structure_field_class
    classes = []
    for n in range(300):
        payload = fc()
        payload.append_member("m%d" % (n % 5), tc.create_unsigned_integer_field_class(16))
        classes.append(sc.create_event_class(name="e%d" % n, payload_field_class=payload))
    # Few in a trace: the sink lists all of a trace's streams for each.
    traces = [tc() for _ in range(28)]
    streams = [trace.create_stream(sc) for trace in traces for _ in range(10)]
    for stream in streams:
        yield it._create_stream_beginning_message(stream)
    for n in range(2000):
        ec = classes[n * 7 % len(classes)]
        message = it._create_event_message(ec, streams[n * 11 % len(streams)], n)
        message.event.payload_field["m%d" % (n * 7 % len(classes) % 5)] = n % 65536
        yield message
    for stream in streams:
        yield it._create_stream_end_message(stream)
