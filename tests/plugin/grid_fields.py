# SPDX-License-Identifier: MIT
"""The grid: field classes, and selectors across scopes."""

import bt2

from grid import Link, case, payload_events, set_common_context, set_value, variant


@case
def fc_bool(it, comp):
    def make(tc, s):
        s.append_member("yes", tc.create_bool_field_class())
        s.append_member("no", tc.create_bool_field_class())

    return payload_events(
        it, comp, make, [set_value(yes=True, no=False), set_value(yes=False, no=True)]
    )


@case
def fc_bit_array(it, comp):
    lengths = (1, 7, 8, 31, 32, 33, 63, 64)

    def make(tc, s):
        for n in lengths:
            s.append_member("b%d" % n, tc.create_bit_array_field_class(n))

    def fill(payload):
        for n in lengths:
            payload["b%d" % n].value_as_integer = (1 << n) - 1

    def fill_other(payload):
        for n in lengths:
            payload["b%d" % n].value_as_integer = 0x5555555555555555 & ((1 << n) - 1)

    return payload_events(it, comp, make, [fill, fill_other])


BASES = (2, 8, 10, 16)


def ranges(n, signed):
    return (-(1 << (n - 1)), (1 << (n - 1)) - 1) if signed else (0, (1 << n) - 1)


def integers(it, comp, signed):
    sizes = (1, 5, 8, 16, 31, 32, 63, 64)

    def make(tc, s):
        create = (
            tc.create_signed_integer_field_class
            if signed
            else tc.create_unsigned_integer_field_class
        )
        for n in sizes:
            for base in BASES:
                s.append_member("i%d_%d" % (n, base), create(n, base))

    def fill(which):
        def do(payload):
            for n in sizes:
                for base in BASES:
                    payload["i%d_%d" % (n, base)] = ranges(n, signed)[which]

        return do

    return payload_events(it, comp, make, [fill(0), fill(1)])


@case
def fc_unsigned(it, comp):
    return integers(it, comp, False)


@case
def fc_signed(it, comp):
    return integers(it, comp, True)


@case
def fc_unsigned_enumeration(it, comp):
    def make(tc, s):
        fc = tc.create_unsigned_enumeration_field_class(16, 16)
        fc.add_mapping("zero", bt2.UnsignedIntegerRangeSet([(0, 0)]))
        fc.add_mapping("small", bt2.UnsignedIntegerRangeSet([(0, 9), (20, 29)]))
        fc.add_mapping("an odd\tlabel \\ \"", bt2.UnsignedIntegerRangeSet([(7, 25)]))
        fc.add_mapping("top", bt2.UnsignedIntegerRangeSet([(65535, 65535)]))
        s.append_member("e", fc)
        s.append_member("empty", tc.create_unsigned_enumeration_field_class())

    return payload_events(
        it, comp, make, [set_value(e=v, empty=v) for v in (0, 8, 15, 22, 65535)]
    )


@case
def fc_signed_enumeration(it, comp):
    def make(tc, s):
        fc = tc.create_signed_enumeration_field_class(8, 2)
        fc.add_mapping("negative", bt2.SignedIntegerRangeSet([(-128, -1)]))
        fc.add_mapping("around", bt2.SignedIntegerRangeSet([(-2, 2), (100, 127)]))
        s.append_member("e", fc)

    return payload_events(it, comp, make, [set_value(e=v) for v in (-128, -1, 2, 127)])


@case
def fc_real(it, comp):
    def make(tc, s):
        s.append_member("single", tc.create_single_precision_real_field_class())
        s.append_member("double", tc.create_double_precision_real_field_class())

    values = (0.0, -0.0, 1.5, -2.25e10, 1e-40, float("inf"), float("-inf"), float("nan"))
    return payload_events(it, comp, make, [set_value(single=v, double=v) for v in values])


@case
def fc_string(it, comp):
    def make(tc, s):
        s.append_member("text", tc.create_string_field_class())
        s.append_member("more", tc.create_string_field_class())

    texts = ("", "a", "x" * 5000, "", "Ünïcode \u6f22\u5b57", "tab\tnewline\nescape\x1b[31m", "", "")
    return payload_events(it, comp, make, [set_value(text=t, more=t[:3]) for t in texts])


@case
def fc_structure(it, comp):
    def make(tc, s):
        inner = tc.create_structure_field_class()
        inner.append_member("number", tc.create_unsigned_integer_field_class(8))
        innermost = tc.create_structure_field_class()
        innermost.append_member("text", tc.create_string_field_class())
        inner.append_member("innermost", innermost)
        s.append_member("first", tc.create_bool_field_class())
        s.append_member("inner", inner)
        s.append_member("nothing", tc.create_structure_field_class())
        s.append_member("number", tc.create_signed_integer_field_class(8))

    def fill(payload):
        payload["first"] = True
        payload["inner"]["number"] = 3
        payload["inner"]["innermost"]["text"] = "deep"
        payload["number"] = -3

    return payload_events(it, comp, make, [fill, fill])


@case
def fc_structure_deep(it, comp):
    """Deeper than an added member can be put."""
    levels = 12

    def make(tc, s):
        structure = tc.create_structure_field_class()
        structure.append_member("leaf", tc.create_unsigned_integer_field_class(8))
        for level in range(levels):
            outer = tc.create_structure_field_class()
            outer.append_member("level%d" % level, structure)
            structure = outer
        s.append_member("top", structure)

    def fill(payload):
        field = payload["top"]
        for level in reversed(range(levels)):
            field = field["level%d" % level]
        field["leaf"] = 200

    return payload_events(it, comp, make, [fill])


@case
def fc_static_array(it, comp):
    def make(tc, s):
        s.append_member(
            "chars", tc.create_static_array_field_class(tc.create_signed_integer_field_class(8), 16)
        )
        s.append_member("none", tc.create_static_array_field_class(tc.create_bool_field_class(), 0))
        structure = tc.create_structure_field_class()
        structure.append_member("text", tc.create_string_field_class())
        s.append_member("structs", tc.create_static_array_field_class(structure, 2))
        inner = tc.create_static_array_field_class(tc.create_double_precision_real_field_class(), 3)
        s.append_member("matrix", tc.create_static_array_field_class(inner, 2))

    def fill(payload):
        payload["chars"] = [ord(c) for c in "worker-1"] + [0] * 8
        payload["structs"] = [{"text": "one"}, {"text": ""}]
        payload["matrix"] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]]

    return payload_events(it, comp, make, [fill, fill])


@case
def fc_dynamic_array(it, comp):
    def make(tc, s):
        s.append_member(
            "free", tc.create_dynamic_array_field_class(tc.create_unsigned_integer_field_class(32))
        )
        length = tc.create_unsigned_integer_field_class(16)
        s.append_member("length", length)
        s.append_member(
            "counted", Link(tc, length, "length").array(tc.create_string_field_class())
        )

    def fill(n):
        def do(payload):
            payload["free"] = list(range(2 * n))
            payload["length"] = n
            payload["counted"] = ["text %d" % i for i in range(n)]

        return do

    # Longer, empty, longer again: the fields are used again.
    return payload_events(it, comp, make, [fill(n) for n in (3, 0, 1, 40, 2)])


@case
def fc_dynamic_array_length_inside(it, comp):
    """The length stands in a structure before, and in an array's element."""

    def make(tc, s):
        header = tc.create_structure_field_class()
        length = tc.create_unsigned_enumeration_field_class(8)
        header.append_member("other", tc.create_string_field_class())
        header.append_member("length", length)
        s.append_member("header", header)
        s.append_member(
            "data", Link(tc, length, "header", "length").array(tc.create_bool_field_class())
        )
        element = tc.create_structure_field_class()
        own = tc.create_unsigned_integer_field_class(8)
        element.append_member("own", own)
        element.append_member(
            "list", Link(tc, own, "rows", "own").array(tc.create_string_field_class())
        )
        s.append_member("rows", tc.create_static_array_field_class(element, 2))

    def fill(n):
        def do(payload):
            payload["header"]["other"] = "x"
            payload["header"]["length"] = n
            payload["data"] = [i % 2 == 0 for i in range(n)]
            payload["rows"] = [
                {"own": n, "list": ["a"] * n},
                {"own": 1, "list": ["b"]},
            ]

        return do

    return payload_events(it, comp, make, [fill(n) for n in (2, 0, 5)])


@case
def fc_option(it, comp):
    def make(tc, s):
        s.append_member(
            "free", tc.create_option_without_selector_field_class(tc.create_string_field_class())
        )
        flag = tc.create_bool_field_class()
        s.append_member("flag", flag)
        s.append_member(
            "flagged",
            Link(tc, flag, "flag").option(tc.create_string_field_class()),
        )
        s.append_member(
            "reversed",
            Link(tc, flag, "flag").option(
                tc.create_string_field_class(), selector_is_reversed=True
            ),
        )
        number = tc.create_unsigned_integer_field_class(8)
        s.append_member("number", number)
        s.append_member(
            "numbered",
            Link(tc, number, "number").option(
                tc.create_unsigned_integer_field_class(16),
                bt2.UnsignedIntegerRangeSet([(1, 2), (9, 9)]),
            ),
        )
        signed = tc.create_signed_enumeration_field_class(8)
        s.append_member("signed", signed)
        structure = tc.create_structure_field_class()
        structure.append_member("text", tc.create_string_field_class())
        s.append_member(
            "signed_numbered",
            Link(tc, signed, "signed").option(
                structure, bt2.SignedIntegerRangeSet([(-5, -1)])
            ),
        )

    def fill(on):
        def do(payload):
            if on:
                payload["free"].value = "here"
                payload["flagged"].value = "flag on"
                payload["numbered"].value = 77
                payload["signed_numbered"].has_field = True
                payload["signed_numbered"].field["text"] = "deep"
                payload["reversed"].has_field = False
            else:
                payload["free"].has_field = False
                payload["flagged"].has_field = False
                payload["numbered"].has_field = False
                payload["signed_numbered"].has_field = False
                payload["reversed"].value = "flag off"
            payload["flag"] = on
            payload["number"] = 9 if on else 3
            payload["signed"] = -2 if on else 2

        return do

    return payload_events(it, comp, make, [fill(on) for on in (True, False, True, True, False)])


@case
def fc_variant(it, comp):
    def options(tc, append):
        structure = tc.create_structure_field_class()
        structure.append_member("text", tc.create_string_field_class())
        append("integer", tc.create_signed_integer_field_class(32), 0)
        append("string", tc.create_string_field_class(), 1)
        append("structure", structure, 2)

    def make(tc, s):
        free = variant(tc)
        options(tc, lambda name, fc, i: free.append_option(name, fc))
        s.append_member("free", free)
        unsigned = tc.create_unsigned_integer_field_class(8)
        s.append_member("unsigned", unsigned)
        by_unsigned = Link(tc, unsigned, "unsigned").variant()
        options(
            tc,
            lambda name, fc, i: by_unsigned.append_option(
                name, fc, bt2.UnsignedIntegerRangeSet([(10 * i, 10 * i + 5)])
            ),
        )
        s.append_member("by_unsigned", by_unsigned)
        signed = tc.create_signed_enumeration_field_class(8)
        s.append_member("signed", signed)
        by_signed = Link(tc, signed, "signed").variant(signed=True)
        options(
            tc,
            lambda name, fc, i: by_signed.append_option(
                name, fc, bt2.SignedIntegerRangeSet([(-i, -i), (10 + i, 10 + i)])
            ),
        )
        s.append_member("by_signed", by_signed)

    def select(field, index):
        field.selected_option_index = index
        if index == 2:
            field.selected_option["text"] = "in a structure"
        else:
            field.value = -5 if index == 0 else "a string"

    def fill(index):
        def do(payload):
            select(payload["free"], index)
            payload["unsigned"] = 10 * index
            select(payload["by_unsigned"], index)
            payload["signed"] = -index
            select(payload["by_signed"], index)

        return do

    return payload_events(it, comp, make, [fill(i) for i in (0, 1, 2, 1, 0, 2, 2)])


@case
def fc_nested_compounds(it, comp):
    """Options of variants of arrays of options, selectors at every level."""

    def make(tc, s):
        tag = tc.create_unsigned_integer_field_class(8)
        s.append_member("tag", tag)
        element = tc.create_structure_field_class()
        has = tc.create_bool_field_class()
        element.append_member("has", has)
        length = tc.create_unsigned_integer_field_class(8)
        element.append_member("length", length)
        array = Link(tc, length, "variant", "length").array(
            tc.create_unsigned_integer_field_class(8)
        )
        element.append_member(
            "maybe", Link(tc, has, "variant", "has").option(array)
        )
        choice = Link(tc, tag, "tag").variant()
        choice.append_option(
            "list",
            tc.create_dynamic_array_field_class(element),
            bt2.UnsignedIntegerRangeSet([(0, 0)]),
        )
        choice.append_option(
            "text", tc.create_string_field_class(), bt2.UnsignedIntegerRangeSet([(1, 255)])
        )
        s.append_member("variant", choice)

    def fill(payload):
        payload["tag"] = 0
        payload["variant"].selected_option_index = 0
        rows = payload["variant"].selected_option
        rows.length = 2
        rows[0]["has"] = True
        rows[0]["length"] = 3
        rows[0]["maybe"].has_field = True
        rows[0]["maybe"].field.length = 3
        for i in range(3):
            rows[0]["maybe"].field[i] = i + 1
        rows[1]["has"] = False
        rows[1]["length"] = 0
        rows[1]["maybe"].has_field = False

    def fill_other(payload):
        payload["tag"] = 1
        payload["variant"].selected_option_index = 1
        payload["variant"].value = "text"

    return payload_events(it, comp, make, [fill, fill_other, fill])


@case
def scopes_with_selectors_across(it, comp):
    """Lengths and selectors in the packet context and the other contexts."""
    tc = comp._create_trace_class()
    packet_fc = tc.create_structure_field_class()
    packet_length = tc.create_unsigned_integer_field_class(8)

    def packet_link(name):
        return Link(tc, packet_length, name, scope="PACKET_CONTEXT")

    packet_fc.append_member("cpu_id", tc.create_unsigned_integer_field_class(32))
    packet_fc.append_member("packet_length", packet_length)
    packet_fc.append_member(
        "packet_list",
        packet_link("packet_length").array(tc.create_string_field_class()),
    )
    common_fc = tc.create_structure_field_class()
    common_flag = tc.create_bool_field_class()

    def common_link(name):
        return Link(tc, common_flag, name, scope="EVENT_COMMON_CONTEXT")

    common_fc.append_member("common_flag", common_flag)
    common_fc.append_member(
        "from_packet",
        packet_link("packet_length").array(tc.create_bool_field_class()),
    )
    sc = tc.create_stream_class(supports_packets=True, packet_context_field_class=packet_fc)
    # After the packet context, which it needs.
    set_common_context(sc, common_fc)
    specific_fc = tc.create_structure_field_class()
    specific_tag = tc.create_unsigned_integer_field_class(8)
    specific_fc.append_member("specific_tag", specific_tag)
    specific_fc.append_member(
        "from_common",
        common_link("common_flag").option(tc.create_string_field_class()),
    )
    payload_fc = tc.create_structure_field_class()
    choice = Link(
        tc, specific_tag, "specific_tag", scope="EVENT_SPECIFIC_CONTEXT"
    ).variant()
    choice.append_option(
        "low", tc.create_string_field_class(), bt2.UnsignedIntegerRangeSet([(0, 3)])
    )
    choice.append_option(
        "high",
        tc.create_unsigned_integer_field_class(8),
        bt2.UnsignedIntegerRangeSet([(4, 255)]),
    )
    payload_fc.append_member("number", tc.create_unsigned_integer_field_class(8))
    payload_fc.append_member("from_specific", choice)
    payload_fc.append_member(
        "from_packet_too",
        packet_link("packet_length").array(tc.create_string_field_class()),
    )
    payload_fc.append_member(
        "from_common_too",
        common_link("common_flag").option(
            tc.create_bool_field_class(), selector_is_reversed=True
        ),
    )
    ec = sc.create_event_class(
        name="all scopes",
        specific_context_field_class=specific_fc,
        payload_field_class=payload_fc,
    )
    stream = tc().create_stream(sc)
    yield it._create_stream_beginning_message(stream)
    for n in (2, 0, 3):
        packet = stream.create_packet()
        packet.context_field["cpu_id"] = n
        packet.context_field["packet_length"] = n
        packet.context_field["packet_list"] = ["p%d" % i for i in range(n)]
        yield it._create_packet_beginning_message(packet)
        for flag in (True, False):
            message = it._create_event_message(ec, packet)
            event = message.event
            event.common_context_field["common_flag"] = flag
            event.common_context_field["from_packet"] = [flag] * n
            tag = 1 if flag else 9
            event.specific_context_field["specific_tag"] = tag
            event.payload_field["number"] = n
            if flag:
                event.specific_context_field["from_common"].value = "common says so"
                event.payload_field["from_common_too"].has_field = False
            else:
                event.specific_context_field["from_common"].has_field = False
                event.payload_field["from_common_too"].value = True
            event.payload_field["from_specific"].selected_option_index = 0 if flag else 1
            event.payload_field["from_specific"].value = "low" if flag else 200
            event.payload_field["from_packet_too"] = ["q%d" % i for i in range(n)]
            yield message
        yield it._create_packet_end_message(packet)
    yield it._create_stream_end_message(stream)
