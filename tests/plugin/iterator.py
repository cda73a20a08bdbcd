# SPDX-License-Identifier: MIT
"""The filter's message iterator: passes, seeking, AGAIN, errors, interrupts.

The source is scripted, the sink is driven by the test, message by message.
"""

import sys

import bt2

import graphs
from graphs import diag, ok, same

MIRROR = graphs.component_class("mirror")
MUXER = graphs.standard("utils", "filter", "muxer")
EVENTS = 40


class Script:
    """What the source does, and what was done to it."""

    def __init__(self, **what):
        self.events = EVENTS
        self.can_seek = True
        self.can_seek_forward = True
        # The same trace, streams, classes for each pass; or new ones.
        self.same_objects = True
        # AGAIN before each message, and before each seek that works.
        self.again = False
        # Fails before event N, in the first so many passes.
        self.fail_at = None
        self.fail_passes = 1000
        self.seek_fails = False
        # More than so many cannot be made.
        self.iterators_max = 1000
        # Called before event N.
        self.before_event = lambda n: None
        vars(self).update(what)

        self.iterators = 0
        self.passes = 0
        self.objects = None


class Objects:
    def __init__(self, comp):
        tc = comp._create_trace_class()
        clock = comp._create_clock_class(frequency=1000)
        sc = tc.create_stream_class(
            default_clock_class=clock,
            supports_packets=True,
            packets_have_beginning_default_clock_snapshot=True,
            supports_discarded_events=True,
            name="the stream class",
        )
        fc = tc.create_structure_field_class()
        fc.append_member("number", tc.create_unsigned_integer_field_class(32))
        fc.append_member("procname", tc.create_string_field_class())
        chars = tc.create_static_array_field_class(tc.create_signed_integer_field_class(8), 16)
        fc.append_member("chars", chars, user_attributes={"kept": True})
        self.classes = [
            sc.create_event_class(name=name, payload_field_class=payload)
            for name, payload in (("even", fc), ("odd", None))
        ]
        self.trace = tc(name="the trace")
        self.streams = [self.trace.create_stream(sc, name="the stream") for _ in range(2)]


class SourceIterator(bt2._UserMessageIterator):
    def __init__(self, config, port):
        self._script = self._component.script
        config.can_seek_forward = self._script.can_seek_forward
        if self._script.iterators == self._script.iterators_max:
            raise RuntimeError("told to make no more iterators")
        self._script.iterators += 1
        self._seek_again = self._script.again
        self._restart()

    def _restart(self):
        self._script.passes += 1
        self._pass = self._script.passes
        self._again = self._script.again
        self._messages = self._make()

    def _user_can_seek_beginning(self):
        return self._script.can_seek

    def _user_seek_beginning(self):
        if self._script.seek_fails:
            raise RuntimeError("told not to seek")
        if self._seek_again:
            self._seek_again = False
            raise bt2.TryAgain
        self._seek_again = self._script.again
        self._restart()

    def __next__(self):
        if self._script.again:
            self._again = not self._again
            if not self._again:
                raise bt2.TryAgain
        return next(self._messages)

    def _objects(self):
        if self._script.same_objects and self._script.objects:
            return self._script.objects
        objects = Objects(self._component)
        if self._script.same_objects:
            self._script.objects = objects
        return objects

    def _make(self):
        script = self._script
        objects = self._objects()
        for stream in objects.streams:
            yield self._create_stream_beginning_message(stream)
        packets = [stream.create_packet() for stream in objects.streams]
        for packet in packets:
            yield self._create_packet_beginning_message(packet, 0)
        for n in range(script.events):
            script.before_event(n)
            if n == script.fail_at and self._pass <= script.fail_passes:
                raise RuntimeError("told to fail")
            message = self._create_event_message(
                objects.classes[n % 2], packets[n % 3 % 2], n
            )
            if n % 2 == 0:
                message.event.payload_field["number"] = n
                message.event.payload_field["procname"] = "p%d" % n if n % 4 else ""
                message.event.payload_field["chars"] = [ord("a") + n % 26] * 15 + [0]
            yield message
            # If it is referred to from here it cannot be used again.
            del message
        yield self._create_discarded_events_message(objects.streams[0], 7)
        for packet in packets:
            yield self._create_packet_end_message(packet)
        for stream in objects.streams:
            yield self._create_stream_end_message(stream)


class Source(bt2._UserSourceComponent, message_iterator_class=SourceIterator):
    def __init__(self, config, params, obj):
        self.script = obj
        self._add_output_port("out")


class Sink(bt2._UserSinkComponent):
    """Hands its iterator to the function that is its object, once."""

    def __init__(self, config, params, obj):
        self._function = obj
        self._add_input_port("in")

    def _user_graph_is_configured(self):
        self._iterator = self._create_message_iterator(self._input_ports["in"])

    def _user_consume(self):
        self._function(self._iterator)
        raise bt2.Stop


def plain(value):
    """A field as what Python compares; an empty string as empty."""
    if isinstance(value, bt2._StructureFieldConst):
        return {name: plain(value[name]) for name in value}
    if isinstance(value, bt2._ArrayFieldConst):
        return [plain(value[i]) for i in range(len(value))]
    return str(value)


def describe(message):
    kind = type(message).__name__
    if isinstance(message, bt2._EventMessageConst):
        event = message.event
        return (
            kind,
            event.stream.id,
            event.name,
            message.default_clock_snapshot.value,
            plain(event.payload_field) if event.payload_field is not None else None,
        )
    if isinstance(message, bt2._DiscardedEventsMessageConst):
        return (kind, message.stream.id, message.count)
    if isinstance(message, (bt2._PacketBeginningMessageConst, bt2._PacketEndMessageConst)):
        return (kind, message.packet.stream.id)
    return (kind, message.stream.id, message.stream.name, message.stream.trace.name)


def take(iterator, count=None):
    """The next COUNT messages, or all that are left; through any AGAIN."""
    got = []
    while count is None or len(got) < count:
        try:
            got.append(describe(next(iterator)))
        except bt2.TryAgain:
            continue
        except StopIteration:
            break
    return got


def seek(iterator):
    while True:
        try:
            iterator.seek_beginning()
            return
        except bt2.TryAgain:
            pass


def run(script, params, function, muxer=False, middle=()):
    """Runs FUNCTION with the filter's iterator; the error, if there is one."""
    graph = bt2.Graph()
    source = graph.add_component(Source, "source", obj=script)
    upstream = source.output_ports["out"]
    filters = [(MUXER, None)] if muxer else []
    if params is not None:
        filters.append((MIRROR, params))
    filters.extend(middle)
    for number, (cls, cls_params) in enumerate(filters):
        comp = graph.add_component(cls, "filter%d" % number, cls_params)
        graph.connect_ports(upstream, list(comp.input_ports.values())[0])
        upstream = list(comp.output_ports.values())[0]
    sink = graph.add_component(Sink, "sink", obj=function)
    graph.connect_ports(upstream, sink.input_ports["in"])
    try:
        graph.run()
    except bt2._Error as error:
        return error
    return None


def collect(script, params, muxer=False):
    got = []
    error = run(script, params, lambda iterator: got.extend(take(iterator)), muxer)
    assert error is None, graphs.causes(error)
    return got


def reference(**what):
    return collect(Script(**what), None)


def test_passes():
    wanted = reference()
    for lookahead, passes in (("no", 1), (False, 1), ("yes", 2), (True, 2), ("auto", 2)):
        for same_objects in (True, False):
            script = Script(same_objects=same_objects)
            got = collect(script, {"lookahead": lookahead})
            name = "lookahead=%s, %s objects" % (lookahead, "the same" if same_objects else "new")
            ok(got == wanted, name + ": all messages, in order")
            same(script.passes, passes, name + ": the input is read that often")
            same(script.iterators, passes, name + ": by an iterator for each pass")


def test_values():
    for lookahead in ("no", "yes"):
        got = collect(Script(), {"lookahead": lookahead, "ids": ["payload"]})
        seen = [m[4]["zz_string"] for m in got if m[0] == "_EventMessageConst"]
        wanted = [
            "seen %d" % (EVENTS if lookahead == "yes" else n + 1) for n in range(EVENTS)
        ]
        same(seen, wanted, "lookahead=%s: what was seen when each event came" % lookahead)


def test_no_seeking():
    wanted = reference()
    for lookahead in ("yes", "auto"):
        script = Script(can_seek=False)
        ok(
            collect(script, {"lookahead": lookahead}) == wanted,
            "lookahead=%s, no seeking, but a second iterator" % lookahead,
        )
        same((script.iterators, script.passes), (2, 2), "there were two iterators, one each pass")

    script = Script(can_seek=False, can_seek_forward=False)
    ok(collect(script, {"lookahead": "auto"}) == wanted, "lookahead=auto of what can be read once")
    same((script.iterators, script.passes), (1, 1), "it was read once, by one iterator")

    script = Script(can_seek=False, can_seek_forward=False)
    error = run(script, {"lookahead": "yes"}, take)
    ok("lookahead=yes" in graphs.causes(error), "lookahead=yes of what can be read once fails")
    same(script.iterators, 1, "no second iterator was tried")

    script = Script(can_seek=True, can_seek_forward=False)
    ok(collect(script, {"lookahead": "yes"}) == wanted, "what can but seek may have no clock")
    same((script.iterators, script.passes), (2, 2), "it is made anew all the same")

    script = Script(can_seek=True, can_seek_forward=False, iterators_max=1)
    ok(collect(script, {"lookahead": "yes"}) == wanted, "seeking is enough, where no second is made")
    same((script.iterators, script.passes), (1, 2), "one iterator was read twice")


def test_can_seek():
    for can_seek in (False, True):
        for forward in (False, True):
            for lookahead in ("no", "auto"):
                answers = []

                def ask(iterator):
                    answers.append((iterator.can_seek_beginning(), iterator.can_seek_forward))

                script = Script(can_seek=can_seek, can_seek_forward=forward)
                run(script, {"lookahead": lookahead}, ask)
                same(
                    answers,
                    [(can_seek or forward, forward)],
                    "can_seek_beginning, can_seek_forward: input seeks %s, forward %s, "
                    "lookahead=%s" % (can_seek, forward, lookahead),
                )


def test_seek_everywhere():
    wanted = reference()
    ways = [
        ("seeking", {}),
        ("seeking, new objects", {"same_objects": False}),
        ("second iterators", {"can_seek": False}),
        ("with AGAIN", {"again": True}),
    ]
    for name, what in ways:
        for lookahead in ("no", "yes"):
            wrong = []
            for count in range(len(wanted) + 2):

                def try_it(iterator):
                    before = take(iterator, count)
                    seek(iterator)
                    again = take(iterator)
                    if before != wanted[:count] or again != wanted:
                        wrong.append(count)
                    # After the end, and twice at once.
                    seek(iterator)
                    seek(iterator)
                    if take(iterator, 5) != wanted[:5]:
                        wrong.append((count, "after the end"))

                error = run(Script(**what), {"lookahead": lookahead}, try_it, muxer=count % 2)
                if error:
                    wrong.append(graphs.causes(error))
            same(wrong, [], "seek after each number of messages: %s, lookahead=%s" % (name, lookahead))


def test_seek_values():
    """What was learned stays; what is learned on the way begins anew."""
    for lookahead in ("no", "yes"):
        values = []

        def try_it(iterator):
            take(iterator, 20)
            seek(iterator)
            values.extend(m[4]["zz_string"] for m in take(iterator) if m[0] == "_EventMessageConst")

        script = Script()
        run(script, {"lookahead": lookahead, "ids": ["payload"]}, try_it)
        wanted = ["seen %d" % (EVENTS if lookahead == "yes" else n + 1) for n in range(EVENTS)]
        same(values, wanted, "lookahead=%s: values after a seek" % lookahead)
        same(script.passes, 3 if lookahead == "yes" else 2, "what was learned is not read again")


def test_seek_in_first_pass():
    """AGAIN lets the test seek while the first pass goes on."""
    wanted = reference()
    got = []

    def try_it(iterator):
        for _ in range(7):
            try:
                next(iterator)
                got.append("a message in the first pass")
            except bt2.TryAgain:
                pass
        seek(iterator)
        got.extend(take(iterator))

    error = run(Script(again=True), {"lookahead": "yes"}, try_it)
    ok(error is None and got == wanted, "a seek in the first pass begins it anew")


def test_seek_by_time():
    """libbabeltrace2 does it with seek-beginning and can-seek-forward."""

    def from_time(got):
        def try_it(iterator):
            take(iterator, 9)
            got.append(iterator.can_seek_ns_from_origin(25000000))
            iterator.seek_ns_from_origin(25000000)
            # It begins the streams again in the order of their addresses.
            got.extend(sorted(take(iterator, 4)))
            got.extend(take(iterator))

        return try_it

    wanted = []
    run(Script(), None, from_time(wanted))
    ok(wanted[0] is True and 10 < len(wanted) < EVENTS, "the source seeks to a time by itself")
    for lookahead in ("no", "yes"):
        got = []
        error = run(Script(), {"lookahead": lookahead}, from_time(got))
        ok(error is None and got == wanted, "seek to a time, lookahead=%s" % lookahead)


def test_again():
    wanted = reference()
    for lookahead in ("no", "yes"):
        for muxer in (False, True):
            got = collect(Script(again=True), {"lookahead": lookahead}, muxer)
            ok(got == wanted, "AGAIN before each message, lookahead=%s, muxer %s" % (lookahead, muxer))


def take_until_error(got):
    def try_it(iterator):
        while True:
            got.append(describe(next(iterator)))

    return try_it


def test_input_fails():
    wanted = reference()
    before = []
    run(Script(fail_at=23), None, take_until_error(before))
    ok(len(before) == 4 + 23, "the source by itself fails after 23 events")
    for lookahead in ("no", "yes"):
        for what in ({}, {"can_seek": False}, {"can_seek_forward": False}):
            got = []
            script = Script(fail_at=23, **what)
            error = run(script, {"lookahead": lookahead}, take_until_error(got))
            name = "the input fails, lookahead=%s, %s" % (lookahead, what)
            ok(got == before, name + ": all messages before it come")
            ok("told to fail" in graphs.causes(error), name + ": and its error then")

    got = collect(Script(fail_at=23, fail_passes=1), {"lookahead": "yes"})
    ok(got == wanted, "what fails in the first pass only is no failure")

    script = Script(fail_at=23, can_seek_forward=False, iterators_max=1)
    error = run(script, {"lookahead": "yes"}, take_until_error([]))
    ok("told to fail" in graphs.causes(error), "the input fails and cannot go back: its first error")

    script = Script(can_seek_forward=False, iterators_max=1, seek_fails=True)
    error = run(script, {"lookahead": "yes"}, take_until_error([]))
    ok("told not to seek" in graphs.causes(error), "the input cannot go back after all: its error")
    ok("cannot be read again" in graphs.causes(error), "and ours says what for")


FUNCTIONS = (
    "trace_seen",
    "stream_class_seen",
    "event_class_seen",
    "stream_seen",
    "packet_begins",
    "stream_class_members",
    "event_class_members",
    "message",
    "resolve",
    "fill",
    "begin_pass",
    "observe",
)


def test_owner_fails():
    for function in FUNCTIONS:
        for muxer in (False, True):
            got = []
            lookahead = "yes" if function == "observe" else "no"
            params = {"lookahead": lookahead, "ids": ["fail:" + function]}
            error = run(Script(), params, take_until_error(got), muxer)
            text = graphs.causes(error)
            name = "%s fails, %s a batch" % (function, "many" if muxer else "one")
            ok("Told to fail in " + function in text, name)
            if function in ("resolve", "fill"):
                same(len(got), 4, name + ": what came before is given out")
            if function in ("resolve", "fill", "observe"):
                ok(
                    all(word in text for word in ("`even`", "`the stream`", "`the trace`")),
                    name + ": the error says where",
                )
            if function.startswith("event_class"):
                ok("`even`" in text and "the trace" in text, name + ": the error says where")
            if function.startswith("stream"):
                ok("`the stream" in text, name + ": the error says where")

        params = {"lookahead": lookahead, "ids": ["memory:" + function]}
        error = run(Script(), params, take_until_error([]))
        ok(isinstance(error, bt2._MemoryError), "no memory in %s stays that" % function)


def test_keep():
    wanted = reference()
    for keep in (["odd"], ["ev*", "nothing"], ["nothing"], "o?d"):
        patterns = [keep] if isinstance(keep, str) else keep
        name = {"ev*": "even", "o?d": "odd"}.get(patterns[0], patterns[0])
        rest = [m for m in wanted if m[0] != "_EventMessageConst" or m[2] == name]
        for lookahead in ("no", "yes"):
            for muxer in (False, True):
                got = collect(Script(), {"keep": keep, "lookahead": lookahead}, muxer)
                ok(got == rest, "keep=%s drops events only, lookahead=%s" % (keep, lookahead))


def test_replace():
    def payloads(ids):
        got = collect(Script(), {"lookahead": "yes", "ids": ids})
        return [m[4] for m in got if m[0] == "_EventMessageConst" and m[2] == "even"]

    text = "seen %d" % EVENTS
    chars = [str(ord(c)) for c in text] + ["0"] * (16 - len(text))
    originals = payloads([])
    wanted = [dict(p, procname=text, chars=chars) for p in originals]
    got = payloads(["replace:procname", "replace:chars"])
    same(got, wanted, "members replaced, with their classes")
    same(list(got[0]), ["number", "procname", "chars"], "and their places")
    same(
        payloads(["string:chars"]),
        [dict(p, chars=text) for p in originals],
        "an array replaced by a string",
    )
    got = payloads(["rename:procname"])
    same(list(got[0]), ["number", "zz_renamed", "chars"], "a member replaced by one of another name")

    attributes = []

    def look(iterator):
        for message in iterator:
            if isinstance(message, bt2._EventMessageConst) and message.event.name == "even":
                member = message.event.cls.payload_field_class.member_at_index(2)
                attributes.append((bool(member.user_attributes["kept"]), member.field_class.length))

    run(Script(), {"ids": ["replace:chars"]}, look)
    same(set(attributes), {(True, 16)}, "user attributes and length of a replaced member")


def test_refused():
    got = collect(Script(), {"ids": ["refused"]})
    members = {tuple(m[4]) for m in got if m[0] == "_EventMessageConst" and m[4]}
    ok(("number", "procname", "chars", "zz_refused") in members, "what is refused is not added")


def test_interrupt():
    wanted = reference()
    for lookahead in ("no", "yes"):
        for at_pass in (1, 2):
            interrupter = bt2.Interrupter()
            script = Script()
            done = []

            def before_event(n):
                if n == 11 and script.passes == at_pass and not done:
                    done.append(n)
                    interrupter.set()

            script.before_event = before_event
            got = []
            agains = []

            def try_it(iterator):
                while True:
                    try:
                        got.append(describe(next(iterator)))
                    except bt2.TryAgain:
                        agains.append(len(got))
                        interrupter.reset()
                    except StopIteration:
                        return

            graph = bt2.Graph()
            graph.add_interrupter(interrupter)
            source = graph.add_component(Source, "source", obj=script)
            mirror = graph.add_component(MIRROR, "mirror", {"lookahead": lookahead})
            sink = graph.add_component(Sink, "sink", obj=try_it)
            graph.connect_ports(source.output_ports["out"], mirror.input_ports["in"])
            graph.connect_ports(mirror.output_ports["out"], sink.input_ports["in"])
            graph.run()
            name = "interrupted in pass %d, lookahead=%s" % (at_pass, lookahead)
            ok(got == wanted, name + ": it goes on where it was")
            happened = at_pass == 1 or lookahead == "yes"
            same(len(agains), 1 if happened else 0, name + ": AGAIN as often as interrupted")


def test_not_connected():
    graph = bt2.Graph()
    mirror = graph.add_component(MIRROR, "mirror")
    sink = graph.add_component(Sink, "sink", obj=take)
    graph.connect_ports(mirror.output_ports["out"], sink.input_ports["in"])
    try:
        graph.run()
        error = None
    except bt2._Error as exc:
        error = exc
    ok("not connected" in graphs.causes(error), "an input port without connection is an error")


def test_twice_in_a_row():
    wanted = reference()
    got = []
    script = Script()
    run(
        script,
        {"lookahead": "yes"},
        lambda iterator: got.extend(take(iterator)),
        middle=[(MIRROR, {"lookahead": "yes"}), (MIRROR, {"lookahead": "no"})],
    )
    ok(got == wanted, "three filters in a row")
    # The second reads the first twice, each time a new iterator of it.
    same(script.passes, 4, "the input is read twice for each reading of the first")


def main():
    for name, function in sorted(globals().items()):
        if name.startswith("test_") and name[5:] in (sys.argv[1:] or [name[5:]]):
            diag(name)
            function()
    graphs.done()


main()
