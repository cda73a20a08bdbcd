# SPDX-License-Identifier: MIT
"""Names that several give at once: when all hold still, the trace says of each
thread what the kernel says."""

import os

from tap import Tap
from replay import Replay
from session import Session, program, run

ROUNDS = os.environ.get("COMMCACHE_TEST_ROUNDS", "40")

tap = Tap()

for who in "threads", "signals":
    with Session(channel=("--subbuf-size=4M", "--num-subbuf=8")) as session:
        result = run(program("disputes"), who, ROUNDS)
        told = Replay(session.events(), disputed=True)
    tap.equal(result.stderr, b"", f"{who}: no output")
    tap.equal(session.discarded, 0, f"{who}: nothing discarded")
    tap.equal(told.truths, int(ROUNDS) * (4 if who == "threads" else 1),
              f"{who}: as many names as were asked for")
    tap.ok(not told.wrong, f"{who}: each name is right, after "
           f"{len(told.renames)} renames", len(told.wrong), *told.wrong[:10])

tap.end()
