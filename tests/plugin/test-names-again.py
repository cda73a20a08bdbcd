# SPDX-License-Identifier: MIT
"""What was learned goes, and the filter goes on: another pass, another trace.

The filter runs under valgrind, too: what it would use after it is gone can be
there by chance.
"""

import os
import subprocess
import sys

import bt2

import graphs

EVENTS = 30
RESOLVE = graphs.component_class("resolve", graphs.PLUGIN)


class Iterator(bt2._UserMessageIterator):
    def __init__(self, config, port):
        config.can_seek_forward = True
        self._user_seek_beginning()

    def _user_can_seek_beginning(self):
        return True

    def _user_seek_beginning(self):
        self._messages = self._make()

    def __next__(self):
        return next(self._messages)

    def _make(self):
        """A stream without packets of each trace, one after the other."""
        comp = self._component
        for number in range(comp.traces):
            # A trace that nobody keeps is gone after its last message.
            stream = comp.kept or comp.create_stream()
            if comp.traces == 1:
                comp.kept = stream
            yield self._create_stream_beginning_message(stream)
            for n in range(EVENTS):
                message = self._create_event_message(
                    comp.event_class, stream, 1000 * number + n)
                context = message.event.common_context_field
                context["vpid"] = 10
                context["vtid"] = 10 + n % 3
                context["procname"] = "p%d" % (n % 3)
                yield message
                del message
            yield self._create_stream_end_message(stream)
            del stream


class Source(bt2._UserSourceComponent, message_iterator_class=Iterator):
    def __init__(self, config, params, traces):
        self.traces = traces
        self.kept = None
        self._add_output_port("out")
        self._trace_class = self._create_trace_class()
        context = self._trace_class.create_structure_field_class()
        for name in ("vpid", "vtid"):
            context.append_member(
                name, self._trace_class.create_signed_integer_field_class(32))
        context.append_member(
            "procname", self._trace_class.create_string_field_class())
        self._stream_class = self._trace_class.create_stream_class(
            default_clock_class=self._create_clock_class(frequency=1000),
            event_common_context_field_class=context)
        self.event_class = self._stream_class.create_event_class(name="app:it")

    def create_stream(self):
        trace = self._trace_class(
            environment={"tracer_name": "lttng-ust", "domain": "ust"})
        return trace.create_stream(self._stream_class)


class Sink(bt2._UserSinkComponent):
    def __init__(self, config, params, obj):
        self._seek_at, self._names = obj
        self._add_input_port("in")

    def _user_graph_is_configured(self):
        self._input = self._create_message_iterator(self._input_ports["in"])

    def _user_consume(self):
        message = next(self._input)
        if type(message) is bt2._EventMessageConst:
            self._names.append(str(message.event["comm"]))
        del message
        if len(self._names) == self._seek_at:
            self._seek_at = None
            self._input.seek_beginning()


def names(traces, seek_at):
    """The names of the events, one pass, back to the beginning at SEEK_AT."""
    got = []
    graph = bt2.Graph()
    source = graph.add_component(Source, "source", obj=traces)
    resolve = graph.add_component(RESOLVE, "resolve", {"lookahead": False})
    sink = graph.add_component(Sink, "sink", obj=(seek_at, got))
    graph.connect_ports(source.output_ports["out"], resolve.input_ports["in"])
    graph.connect_ports(resolve.output_ports["out"], sink.input_ports["in"])
    graph.run()
    return got


def under_valgrind():
    valgrind = os.environ.get("VALGRIND")
    name = "nothing is used that is gone"
    if not valgrind or valgrind == ":":
        print("# no valgrind: not looked for what is used after it is gone")
        return
    done = subprocess.run(
        [valgrind, "--quiet", "--error-exitcode=9", "--undef-value-errors=no",
         sys.executable, __file__, "--plain"],
        env=dict(os.environ, PYTHONMALLOC="malloc"), stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, universal_newlines=True)
    if not graphs.ok(done.returncode == 0, name):
        graphs.diag(done.stderr)


once = ["p%d" % (n % 3) for n in range(EVENTS)]
graphs.same(names(1, 17), once[:17] + once,
            "names after going back to the beginning, in one pass")
graphs.same(names(3, None), 3 * once,
            "names of one class's traces, one after the other")
if "--plain" not in sys.argv:
    under_valgrind()
graphs.done()
