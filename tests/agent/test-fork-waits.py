# SPDX-License-Identifier: MIT
"""Forks where somebody may wait for somebody: nobody does so for ever, and each
child ends well; while sessions start and stop."""

import os
import subprocess
import time

from tap import Tap
from session import AGENT, FORK, Session, environment, library, lttng, program

FORKS = int(os.environ.get("COMMCACHE_TEST_FORKS", "300"))

tap = Tap()


def fork(way, times, preload, restart=True):
    """Run the program; have sessions start and stop all the while."""
    what = f"{way}, {len(preload)} preloaded: {times} forks"
    with Session("commcache:*", contexts=("vtid",), start=restart) as session:
        with subprocess.Popen((program("forks"), way, str(times)),
                              env=environment(preload),
                              stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            if not restart:
                # While there are threads that never wrote an event.
                session.start()
            end = time.monotonic() + 60 + times / 4
            while process.poll() is None and time.monotonic() < end:
                time.sleep(0.01)
                if restart:
                    session.stop()
                    session.start()
            hangs = process.poll() is None
            if hangs:
                process.kill()
                tap.ok(False, what, "it hangs")
                session.alive = False
                return
            tap.equal((process.returncode, process.stdout.read()),
                      (0, b"0 bad\n"), what)
        # A child that _exit() stops in an event is the helper's.
        lttng("destroy", "--no-wait", session.name)
        session.alive = False


fork("handler", FORKS, (AGENT,))
fork("handler", FORKS // 4, (AGENT, FORK))
fork("held", max(FORKS // 30, 10), (AGENT, library("held")))
fork("together", FORKS, (AGENT,))
fork("together", FORKS // 4, (AGENT, FORK))

tap.end()
