# SPDX-License-Identifier: MIT
"""The names of all living threads in each session, whenever it starts."""

import os

from tap import Tap
from replay import Replay
from session import Session, Sleeper, lttng

tap = Tap()


def dumped(told):
    """The threads of the last statedump."""
    return told.dumps[-1]["threads"] if told.dumps else None


def whole(told, what):
    """Statedumps were begun and ended, and all names are right."""
    tap.ok(not told.wrong and told.truths, f"{what}: each name is right",
           *told.wrong)
    tap.ok(all(dump["end"] for dump in told.dumps),
           f"{what}: statedumps end", told.dumps)


# Started before the program.
with Session() as session, Sleeper(2) as sleeper:
    sleeper.do("rt")
    names = sleeper.names()
    sleeper.end()
    told = Replay(session.events())
whole(told, "before the program")
tap.equal(len(told.dumps), 1, "before the program: one statedump")
tap.equal(told.processes[0].comm, "sleeper",
          "before the program: the process is told")
with open("/proc/self/ns/pid", "rb") as file:
    namespace = int(os.fstat(file.fileno()).st_ino)
tap.equal(told.processes[0].pid_ns, namespace,
          "before the program: its PID namespace")

# Started while it runs: threads from before, renamed and not.
with Sleeper(3) as sleeper:
    sleeper.do("r+")
    with Session() as session:
        names = sleeper.names()
        sleeper.do("t")
        tap.equal(len(names), 7, "while it runs: 5 threads and LTTng-UST's 2")
        sleeper.do("+ro-t")
        told = Replay(session.events())
    whole(told, "while it runs")
    tap.equal(dumped(told), names, "while it runs: all are in the statedump")
    tap.equal(len(told.exits), 1, "while it runs: an end")

    # Destroyed and made again. In between, names change unseen.
    sleeper.do("r+r")
    with Session() as session:
        names = sleeper.names()
        sleeper.do("trot")
        told = Replay(session.events())
    whole(told, "made again")
    tap.equal(dumped(told), names, "made again: all are in the statedump")

    # Two at once, the second later.
    with Session() as first:
        sleeper.do("tro")
        with Session() as second:
            names = sleeper.names()
            sleeper.do("t-rot+rt")
            told = Replay(second.events())
            whole(told, "the second of two")
            tap.equal(dumped(told), names,
                      "the second of two: all are in the statedump")
        sleeper.do("rot")
        told = Replay(first.events())
    whole(told, "the first of two")
    tap.equal(len(told.dumps), 1,
              "the first of two: no statedump for the second")

    # A statedump again.
    with Session() as session:
        sleeper.do("tr")
        lttng("regenerate", "statedump", "--session", session.name)
        names = sleeper.names()
        sleeper.do("rt")
        told = Replay(session.events())
    whole(told, "regenerate")
    tap.equal(len(told.dumps), 2, "regenerate: two statedumps")
    tap.equal(dumped(told), names, "regenerate: all are in the second")

    tap.equal(sleeper.end(), (0, b""), "the program ends well")

tap.end()
