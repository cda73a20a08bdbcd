# SPDX-License-Identifier: MIT
"""LTTng-UST's own procname context, and filters by it, follow renames."""

from tap import Tap
from session import Session, Sleeper, lttng, program, run

tap = Tap()


def own_truths(events):
    """What threads said of themselves: the context and the truth."""
    return [(event.context["procname"], event.comm) for event in events
            if event.name == "subject:truth"
            and event.tid == event.context["vtid"]]


for way in "self", "prctl", "main", "c11", "fork", "inherit", "ends":
    with Session() as session:
        run(program("names"), way)
        truths = own_truths(session.events())
    tap.ok(truths, f"{way}: there are events")
    tap.equal([context for context, _ in truths],
              [truth for _, truth in truths], f"{way}: procname is right")

# A thread named by its creator, before its own first event.
with Session() as session, Sleeper(2) as sleeper:
    sleeper.do("o")
    sleeper.end()
    truths = own_truths(session.events())
tap.equal(truths, [("o0.1", "o0.1"), ("o1.1", "o1.1")],
          "named by another before its first event: procname is right")

# Named by another later on: LTTng-UST remembers the name that it read. This is
# what the manual page says; if it fails, there is good news to write there.
with Session() as session, Sleeper(1) as sleeper:
    sleeper.do("oor")
    sleeper.end()
    truths = own_truths(session.events())
tap.equal(truths, [("o0.1", "o0.1"), ("o0.1", "o0.2"), ("w0.3", "w0.3")],
          "named by another later: stale till it renames itself")

# Left as it is.
with Session() as session, Sleeper(1, COMMCACHE_PROCNAME="keep") as sleeper:
    sleeper.do("rr")
    sleeper.end()
    truths = own_truths(session.events())
tap.equal([truth for _, truth in truths], ["w0.1", "w0.2"],
          "COMMCACHE_PROCNAME=keep: there are events")
tap.equal(len({context for context, _ in truths}), 1,
          "COMMCACHE_PROCNAME=keep: procname does not follow")

# At record time.
with Session("commcache:*", start=False) as session:
    lttng("enable-event", "--userspace", "--session", session.name,
          "--channel=c", "subject:*", "--filter",
          '$ctx.procname == "w*.2" || $ctx.procname == "w1.*"')
    session.start()
    with Sleeper(3) as sleeper:
        sleeper.do("rrr")
        sleeper.end()
    events = session.events()
tap.equal([event.comm for event in events if event.name == "subject:truth"],
          ["w1.1", "w0.2", "w1.2", "w2.2", "w1.3"],
          "a filter by procname follows renames")

tap.end()
