# SPDX-License-Identifier: MIT
"""Threads that rename themselves as fast as they can while sessions start:
no name is ever wrong, not even for one event. Statedumps are slowed down, so
that each thread renames itself while its name is being read.

test-races.py [SESSIONS]"""

import os
import subprocess
import sys

from tap import Tap
from replay import Replay
from session import AGENT, FORK, Session, environment, library, lttng, program

SESSIONS = int(sys.argv[1]) if len(sys.argv) > 1 else \
    int(os.environ.get("COMMCACHE_TEST_SESSIONS", "6"))
CHANNEL = ("--subbuf-size=8M", "--num-subbuf=4")
SLOW = library("slow-statedump")

tap = Tap()

sessions = []
with subprocess.Popen((program("racer"), "8"),
                      env=environment((AGENT, FORK, SLOW)),
                      stdin=subprocess.PIPE, stdout=subprocess.PIPE) as racer:
    def race():
        """Have some names given, and told."""
        racer.stdin.write(b"\n")
        racer.stdin.flush()
        return racer.stdout.readline()

    for number in range(SESSIONS):
        race()
        session = Session(channel=CHANNEL)
        race()
        if number % 2:
            for _ in range(5):
                lttng("regenerate", "statedump", "--session", session.name)
        race()
        session.destroy()
        sessions.append(session)
    tap.equal(race(), b"done\n", "the program runs")
    racer.stdin.close()
    tap.equal(racer.wait(), 0, "the program ends well")

for session in sessions:
    with session:
        told = Replay(session.events())
        if session.discarded:
            tap.skip(session.name, f"{session.discarded} events discarded")
            continue
        tap.ok(not told.wrong and told.truths and told.dumps,
               f"{session.name}: all of {told.truths} names are right "
               f"({len(told.renames)} renames, {len(told.dumps)} statedumps)",
               len(told.wrong), *told.wrong[:10])
tap.end()
