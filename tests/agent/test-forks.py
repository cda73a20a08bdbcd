# SPDX-License-Identifier: MIT
"""Children of processes whose threads never rest: each ends, and ends well.

Half of them are made while LTTng-UST's locks are held by a thread that the
child does not have; with LTTng-UST alone some crash or hang at their end."""

import os
import subprocess

from tap import Tap
from replay import Replay
from session import AGENT, FORK, Session, program, run

CHILDREN = int(os.environ.get("COMMCACHE_TEST_CHILDREN", "60"))

tap = Tap()


def fork(what, preload, children, rest):
    """Have children; the program itself counts what becomes of them."""
    try:
        result = run(program("forker"), str(children), "4",
                     str(rest), preload=preload,
                     check=False, timeout=300 + children)
        tap.equal((result.returncode, result.stdout, result.stderr),
                  (0, b"", b""), f"{what}: {children} children end well")
    except subprocess.TimeoutExpired:
        tap.ok(False, f"{what}: {children} children end well", "it hangs")


ORDERS = (("the agent alone", (AGENT,), 4),
          ("with liblttng-ust-fork", (AGENT, FORK), 1),
          ("with liblttng-ust-fork first", (FORK, AGENT), 1))

for order, preload, factor in ORDERS:
    fork(f"no session, {order}", preload, factor * CHILDREN, 0)

for order, preload, factor in ORDERS:
    with Session("commcache:*") as session:
        # What they write is to be read to the end.
        fork(f"a session, {order}", preload, factor * CHILDREN, 10000)
        told = Replay(session.events(), disputed=True)
        # Grandchildren too: of each eighth.
        children = factor * CHILDREN * 9 // 8 if FORK in preload else 0
        if session.discarded:
            tap.skip(f"a session, {order}: names",
                     f"{session.discarded} events discarded")
            continue
        tap.ok(len(told.processes) - 1 >= children,
               f"a session, {order}: {children} children are told",
               len(told.processes))
        tap.ok(not told.wrong, f"a session, {order}: each name is right",
               *told.wrong[:10])

tap.end()
