# SPDX-License-Identifier: MIT
"""Sessions that do not want our events: nothing is read for them, and what came
before does not matter any more."""

import re

from tap import Tap
from replay import Replay
from session import Session, Sleeper

tap = Tap()


def count(error, what):
    """What COMMCACHE_DEBUG=1 counted."""
    found = re.search(rb" (\d+) " + what.encode(), error)
    return int(found[1]) if found else None


# Others' sessions, alone.
with Sleeper(20, COMMCACHE_DEBUG="1") as sleeper:
    for events in ("nobody:*",), ("subject:*",):
        with Session(*events):
            sleeper.do("o")
    status, error = sleeper.end()
tap.equal(status, 0, "others' sessions: a good end")
tap.equal((count(error, "statedumps"), count(error, "threads in statedumps")),
          (0, 0), "others' sessions: no thread is read")
tap.equal(count(error, "renames written"), 0, "nothing is written")
tap.equal(count(error, "threads in the cache"), 0, "nothing is kept")

# Beside one of ours.
with Sleeper(20, COMMCACHE_DEBUG="1") as sleeper:
    with Session(contexts=("vtid",)) as ours:
        with Session("nobody:*"):
            sleeper.do("o")
        told = Replay(ours.events())
    status, error = sleeper.end()
tap.ok(not told.wrong and len(told.dumps) == 1, "beside ours: names",
       *told.wrong)
written = sum(dump["written"] for dump in told.dumps)
read = count(error, "threads in statedumps")
tap.ok(written <= read <= written + 1, "beside ours: one thread is read, to see",
       read, written)

# A session is over: renames are not followed, and the next session is not
# misled by the names of then, neither of this process nor of its child.
with Sleeper(3) as sleeper:
    for round_ in range(3):
        with Session(contexts=("vtid",)) as session:
            sleeper.do("ot")
            told = Replay(session.events())
        tap.ok(not told.wrong and told.truths, f"session {round_ + 1}: names",
               *told.wrong)
        sleeper.do("oo")
    status, error = sleeper.end()
tap.equal((status, error), (0, b""), "a good end")

tap.end()
