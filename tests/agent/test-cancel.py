# SPDX-License-Identifier: MIT
"""Threads that are cancelled: each ends as it would without us, no event is
left open, and names are right."""

import os

from tap import Tap
from replay import Replay
from session import AGENT, FORK, Session, library, lttng, program, run

TIMES = int(os.environ.get("COMMCACHE_TEST_CANCELS", "2000"))

tap = Tap()


def is_closed(session):
    """Whether the session ends: LTTng waits for open events without end."""
    try:
        lttng("stop", session.name, timeout=60)
        session.destroy(timeout=60)
        return True
    except TimeoutError:
        session.alive = False
        return False


for way, times, small in (("pending", 4000, True), ("start", TIMES, True),
                          ("return", TIMES // 4, True),
                          ("storm", 2 * TIMES, False)):
    # Where buffers are small, LTTng calls write() often.
    size = ("--subbuf-size=4K", "--num-subbuf=4") if small else \
        ("--subbuf-size=4M", "--num-subbuf=8")
    with Session("commcache:*", channel=size, contexts=("vtid",)) as session:
        result = run(program("canceled"), way, str(times), check=False,
                     timeout=600)
        tap.equal((result.returncode, result.stdout, result.stderr),
                  (0, b"0\n", b""), f"{way}: {times} end as without us")
        if not tap.ok(is_closed(session), f"{way}: no event is left open"):
            break
        told = Replay(session.events())
        if session.discarded:
            tap.skip(f"{way}: names", f"{session.discarded} are discarded")
            continue
        tap.ok(not told.wrong and told.exits, f"{way}: all in order",
               len(told.wrong), *told.wrong[:10])

# A handler that jumps out of the call: that name is not told, and the next
# one is; the session ends.
with Session(contexts=("vtid",)) as session:
    result = run(program("jumper"), "400", check=False,
                 preload=(AGENT, FORK, library("jumping")))
    tap.equal((result.returncode, result.stdout, result.stderr),
              (0, b"", b""), "jumps out of a rename: the program ends well")
    tap.ok(is_closed(session), "jumps out of a rename: no event is left open")
    told = Replay(session.events())
    tap.ok(not told.wrong and told.truths == 200,
           "jumps out of a rename: the names after the others are right",
           told.truths, *told.wrong[:10])

tap.end()
