# SPDX-License-Identifier: MIT
"""The grid: what only version 1 of the message interchange protocol can say."""

import ctypes

import bt2
from bt2 import native_bt

from grid import Link, append_option, case_of_mip_1, payload_events, set_value, variant


@case_of_mip_1
def fc_blob(it, comp):
    def make(tc, s):
        # Of length 0, a static BLOB aborts in babeltrace2 2.1 itself.
        s.append_member("fixed", tc.create_static_blob_field_class(4, media_type="image/png"))
        s.append_member("free", tc.create_dynamic_blob_field_class(media_type="text/x; a=\"b\""))
        length = tc.create_unsigned_integer_field_class(8)
        s.append_member("length", length)
        link = Link(tc, length, "length")
        s.append_member(
            "counted", tc.create_dynamic_blob_field_class(length_field_location=link.location)
        )
        element = tc.create_dynamic_blob_field_class()
        s.append_member("list", tc.create_static_array_field_class(element, 2))

    def fill(n):
        def do(payload):
            payload["fixed"].data = bytes([n, 0, 255, 1])
            payload["length"] = n
            for name in ("free", "counted"):
                payload[name].length = n
                if n:
                    payload[name].data = bytes(7 * i % 256 for i in range(n))
            payload["list"][0].length = 1
            payload["list"][0].data = b"\0"
            payload["list"][1].length = n + 1
            payload["list"][1].data = b"x" * (n + 1)

        return do

    # Longer, empty, longer again: the fields are used again.
    return payload_events(it, comp, make, [fill(n) for n in (3, 0, 1, 200, 2)])


@case_of_mip_1
def fc_bit_array_flags(it, comp):
    def make(tc, s):
        ranges = bt2.UnsignedIntegerRangeSet
        flags = [
            ("low", ranges([(0, 0)])),
            ("an odd\tlabel \\ \"", ranges([(1, 3), (7, 7)])),
            ("all", ranges([(0, 7)])),
        ]
        s.append_member("flags", tc.create_bit_array_field_class(8, flags=flags))
        s.append_member("none", tc.create_bit_array_field_class(64))

    def fill(value):
        def do(payload):
            payload["flags"].value_as_integer = value
            payload["none"].value_as_integer = value

        return do

    return payload_events(it, comp, make, [fill(value) for value in (0, 1, 0x82, 0xFF)])


def expect_small(field_class):
    """The bindings have no name for it."""
    library = ctypes.CDLL("libbabeltrace2.so.0")
    set_hints = library.bt_field_class_integer_set_field_value_hints
    set_hints.argtypes = [ctypes.c_void_p, ctypes.c_uint64]
    set_hints(int(field_class._ptr), 1)
    return field_class


@case_of_mip_1
def fc_integer_hints(it, comp):
    def make(tc, s):
        s.append_member("u", expect_small(tc.create_unsigned_integer_field_class(32)))
        s.append_member("i", expect_small(tc.create_signed_integer_field_class(32)))
        e = expect_small(tc.create_unsigned_enumeration_field_class(32))
        e.add_mapping("one", bt2.UnsignedIntegerRangeSet([(1, 1)]))
        s.append_member("e", e)
        s.append_member("other", tc.create_unsigned_integer_field_class(32))

    return payload_events(it, comp, make, [set_value(u=1, i=-1, e=1, other=7)])


@case_of_mip_1
def fc_variant_options_without_name(it, comp):
    def make(tc, s):
        free = variant(tc)
        free.append_option(None, tc.create_bool_field_class())
        free.append_option("named", tc.create_string_field_class())
        free.append_option(None, tc.create_string_field_class())
        s.append_member("free", free)
        tag = tc.create_signed_integer_field_class(8)
        s.append_member("tag", tag)
        choice = Link(tc, tag, "tag").variant(signed=True)
        for n in (-1, 0):
            append_option(
                choice,
                None,
                tc.create_signed_integer_field_class(8),
                {"number": n},
                bt2.SignedIntegerRangeSet([(n, n)]),
            )
        s.append_member("choice", choice)

    def fill(index):
        def do(payload):
            payload["free"].selected_option_index = index
            payload["free"].value = index == 2 if index == 0 else "text %d" % index
            payload["tag"] = -1 if index == 0 else 0
            payload["choice"].selected_option_index = 0 if index == 0 else 1
            payload["choice"].value = index

        return do

    return payload_events(it, comp, make, [fill(i) for i in (0, 1, 2, 0)])


@case_of_mip_1
def fc_length_in_a_variant(it, comp):
    """A name on the way to a length leads to a member of any of the options."""

    def make(tc, s):
        tag = tc.create_unsigned_integer_field_class(8)
        s.append_member("tag", tag)
        choice = Link(tc, tag, "tag").variant()
        for n, bits in enumerate((8, 16)):
            option = tc.create_structure_field_class()
            option.append_member("length", tc.create_unsigned_integer_field_class(bits))
            choice.append_option(
                "option %d" % n, option, bt2.UnsignedIntegerRangeSet([(n, n)])
            )
        s.append_member("choice", choice)
        s.append_member(
            "list",
            Link(tc, None, "choice", "length").array(tc.create_unsigned_integer_field_class(8)),
        )

    def fill(index):
        def do(payload):
            payload["tag"] = index
            payload["choice"].selected_option_index = index
            payload["choice"].selected_option["length"] = 2 + index
            payload["list"] = list(range(2 + index))

        return do

    return payload_events(it, comp, make, [fill(i) for i in (0, 1, 0)])


@case_of_mip_1
def identities(it, comp):
    """Namespaces, names and UIDs of all that has them, and some without."""
    tc = comp._create_trace_class()
    cc = comp._create_clock_class(namespace="clocks", name="a clock", uid="clock uid")
    trace = tc(namespace="traces", name="a trace", uid="trace uid", environment={"n": 1})
    for n, known in enumerate(((), ("namespace",), ("uid",), ("namespace", "name", "uid"))):
        named = {what: "%s %d" % (what, n) for what in known}
        sc = tc.create_stream_class(default_clock_class=cc, **named)
        ec = sc.create_event_class(name=named.get("name"))
        # The bindings of 2.1 fail to.
        if "namespace" in named:
            native_bt.event_class_set_namespace(ec._ptr, named["namespace"])
        if "uid" in named:
            native_bt.event_class_set_uid(ec._ptr, named["uid"])
        stream = trace.create_stream(sc)
        yield it._create_stream_beginning_message(stream)
        yield it._create_event_message(ec, stream, n)
        yield it._create_stream_end_message(stream)


@case_of_mip_1
def identity_of_a_trace_without_uid(it, comp):
    tc = comp._create_trace_class()
    sc = tc.create_stream_class()
    for known in ({}, {"namespace": "n"}, {"name": ""}, {"uid": ""}):
        stream = tc(**known).create_stream(sc)
        yield it._create_stream_beginning_message(stream)
        yield it._create_stream_end_message(stream)


@case_of_mip_1
def clock_class_properties(it, comp):
    tc = comp._create_trace_class()
    properties = (
        {},
        {"precision": 0},
        {"precision": 5, "accuracy": 0},
        {"accuracy": 77, "uid": "u", "name": "n"},
    )
    trace = tc()
    for n, known in enumerate(properties):
        cc = comp._create_clock_class(frequency=1000 + n, **known)
        sc = tc.create_stream_class(default_clock_class=cc)
        ec = sc.create_event_class()
        stream = trace.create_stream(sc)
        yield it._create_stream_beginning_message(stream)
        yield it._create_event_message(ec, stream, n)
        yield it._create_stream_end_message(stream)


def clock_of_origin(it, comp, origin, **known):
    tc = comp._create_trace_class()
    # The same again when it is read again, or a muxer upstream refuses it.
    if not hasattr(comp, "clock"):
        comp.clock = comp._create_clock_class(origin=origin, **known)
    cc = comp.clock
    sc = tc.create_stream_class(default_clock_class=cc)
    ec = sc.create_event_class()
    stream = tc().create_stream(sc)
    yield it._create_message_iterator_inactivity_message(cc, 2)
    yield it._create_stream_beginning_message(stream)
    yield it._create_event_message(ec, stream, 3)
    yield it._create_stream_end_message(stream)
    yield it._create_message_iterator_inactivity_message(cc, 4)


@case_of_mip_1
def clock_of_a_custom_origin(it, comp):
    return clock_of_origin(it, comp, bt2.ClockOrigin(None, "power on", "board 7"))


@case_of_mip_1
def clock_of_a_custom_origin_with_namespace(it, comp):
    origin = bt2.ClockOrigin("org", "power on", "board 7")
    return clock_of_origin(it, comp, origin)


@case_of_mip_1
def clock_of_an_unknown_origin(it, comp):
    return clock_of_origin(it, comp, bt2.unknown_clock_origin)


@case_of_mip_1
def clock_of_an_unknown_origin_with_identity(it, comp):
    known = {"namespace": "org", "name": "c", "uid": "7"}
    return clock_of_origin(it, comp, bt2.unknown_clock_origin, **known)
