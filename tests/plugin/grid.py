# SPDX-License-Identifier: MIT
"""Each feature of babeltrace2's trace IR, as a source that makes it.

A case is a generator of messages: it is given the message iterator and the
component that own what it makes. It is run under each version of the message
interchange protocol (MIP) that babeltrace2 has, unless it is of one only.
"""

import bt2
from bt2 import native_bt

CASES = {}
# Of version 1 only.
CASES_OF_MIP_1 = {}


def case(function):
    CASES[function.__name__] = function
    return function


def case_of_mip_1(function):
    CASES_OF_MIP_1[function.__name__] = function
    return function


def find(name):
    return CASES.get(name) or CASES_OF_MIP_1[name]


def names_of(mip):
    return list(CASES) + (list(CASES_OF_MIP_1) if mip >= 1 else [])


def mip_of(thing):
    """That of a trace class or component; 2.0 has version 0 only."""
    for name in ("graph_mip_version", "_graph_mip_version"):
        version = getattr(thing, name, None)
        if version is not None:
            return version
    return 0


class GridIterator(bt2._UserMessageIterator):
    def __init__(self, config, port):
        config.can_seek_forward = True
        self._restart()

    def _restart(self):
        self._messages = find(self._component.case)(self, self._component)

    def _user_can_seek_beginning(self):
        return self._component.can_seek

    def _user_seek_beginning(self):
        self._restart()

    def __next__(self):
        return next(self._messages)


class GridSource(bt2._UserSourceComponent, message_iterator_class=GridIterator):
    def __init__(self, config, params, obj):
        self.case = str(params["case"])
        self.can_seek = bool(params["seek"]) if "seek" in params else True
        self._add_output_port("out")

    @classmethod
    def _user_get_supported_mip_versions(cls, params, obj, log_level):
        return bt2.UnsignedIntegerRangeSet([(0, min(1, bt2.get_maximal_mip_version()))])


# What the versions say differently


def identity(thing, uid):
    """The identity of a clock class or a trace, by a UUID."""
    return {"uid": str(uid)} if mip_of(thing) >= 1 else {"uuid": uid}


class Link:
    """To the field from which another one has its length or its selection.

    Version 0 names it by its class, version 1 by the scope and the names on the
    way to it.
    """

    def __init__(self, tc, field_class, *path, scope="EVENT_PAYLOAD"):
        self._tc = tc
        self._field_class = field_class
        self._path = list(path)
        self._scope = scope

    @property
    def location(self):
        scope = getattr(bt2.FieldLocationScope, self._scope)
        return self._tc.create_field_location(scope, self._path)

    def _choose(self, name):
        if mip_of(self._tc) == 0:
            return {name + "_fc": self._field_class}
        return {name + "_field_location": self.location}

    def array(self, element):
        return self._tc.create_dynamic_array_field_class(element, **self._choose("length"))

    def option(self, content, ranges=None, **properties):
        tc = self._tc
        if ranges is None:
            return tc.create_option_with_bool_selector_field_class(
                content, **self._choose("selector"), **properties
            )
        if mip_of(tc) == 0:
            return tc.create_option_with_integer_selector_field_class(
                content, self._field_class, ranges
            )
        signed = isinstance(ranges, bt2.SignedIntegerRangeSet)
        create = (
            tc.create_option_field_class_with_signed_integer_selector_field
            if signed
            else tc.create_option_field_class_with_unsigned_integer_selector_field
        )
        return create(content, self.location, ranges)

    def variant(self, signed=False):
        tc = self._tc
        if mip_of(tc) == 0:
            return tc.create_variant_field_class(self._field_class)
        create = (
            tc.create_variant_field_class_with_signed_integer_selector_field
            if signed
            else tc.create_variant_field_class_with_unsigned_integer_selector_field
        )
        return create(self.location)


def variant(tc, **properties):
    """One without a selector."""
    if mip_of(tc) == 0:
        return tc.create_variant_field_class(**properties)
    return tc.create_variant_field_class_without_selector_field(**properties)


def append_option(variant, name, field_class, user_attributes, ranges=None):
    """With user attributes, for which the bindings of 2.1 look by a wrong key."""
    if mip_of(field_class) == 0:
        assert ranges is None
        variant.append_option(name, field_class, user_attributes=user_attributes)
        return
    index = len(variant)
    variant.append_option(name, field_class, *([] if ranges is None else [ranges]))
    value = bt2.create_value(user_attributes)
    option = native_bt.field_class_variant_borrow_option_by_index(variant._ptr, index)
    native_bt.field_class_variant_option_set_user_attributes(option, value._ptr)


def set_common_context(sc, field_class):
    """After the packet context: create_stream_class() sets it before that."""
    # Both are the bindings' own; 2.1 renamed it.
    setter = getattr(sc, "_set_event_common_context_field_class", None)
    if setter:
        setter(field_class)
    else:
        sc._event_common_context_field_class = field_class


# Shapes


def payload_events(it, comp, make_class, fillers, context=None):
    """One stream, no packets, no clock: an event for each filler.

    MAKE_CLASS(trace_class, structure) appends the members; each filler is
    called with the payload.
    """
    tc = comp._create_trace_class()
    sc = tc.create_stream_class()
    structure = tc.create_structure_field_class()
    make_class(tc, structure)
    ec = sc.create_event_class(name="event", payload_field_class=structure)
    stream = tc(name="a trace").create_stream(sc)
    yield it._create_stream_beginning_message(stream)
    for fill in fillers:
        message = it._create_event_message(ec, stream)
        fill(message.event.payload_field)
        yield message
    yield it._create_stream_end_message(stream)


def set_value(**values):
    def fill(payload):
        for name, value in values.items():
            payload[name] = value

    return fill
