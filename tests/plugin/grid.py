# SPDX-License-Identifier: MIT
"""Each feature of babeltrace2's trace IR, as a source that makes it.

A case is a generator of messages: it is given the message iterator and the
component that own what it makes.
"""

import bt2

CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


class GridIterator(bt2._UserMessageIterator):
    def __init__(self, config, port):
        config.can_seek_forward = True
        self._restart()

    def _restart(self):
        self._messages = CASES[self._component.case](self, self._component)

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
