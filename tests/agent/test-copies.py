# SPDX-License-Identifier: MIT
"""Copies of the agent in one process: one works, the others are off."""

import os
import shutil
import subprocess
import tempfile

from tap import Tap
from replay import Replay
from session import AGENT, FORK, Session, program, run

tap = Tap()


def works(what, *arguments, preload, name="opener", told_from=0):
    """Each name once, as it is, and an end as without us."""
    with Session(contexts=("vtid",)) as session:
        try:
            result = run(program(name), *arguments, preload=preload,
                         check=False, timeout=60)
        except subprocess.TimeoutExpired:
            tap.ok(False, f"{what}: it ends", "it hangs")
            session.alive = False
            return
        told = Replay(session.events())
    tap.equal((result.returncode, result.stdout, result.stderr),
              (0, b"", b""), f"{what}: exit status, output")
    names = ["before", "opened", "closed"][told_from:]
    # LTTng-UST's own thread names itself whenever it comes to run.
    tap.equal([event.comm for event in told.renames
               if event.comm != f"{name}-ust"], names,
              f"{what}: each rename is written once")
    tap.ok(all(why.startswith("nothing is known") for why in told.wrong)
           if told_from else not told.wrong, f"{what}: names are right",
           *told.wrong)
    dumps = [(dump["pid"], sorted(dump["threads"])) for dump in told.dumps]
    tap.equal(len(dumps), len({pid for pid, _ in dumps}),
              f"{what}: one statedump a process")


with tempfile.TemporaryDirectory() as folder:
    other = os.path.join(folder, "other.so")
    third = os.path.join(folder, "third.so")
    shutil.copy(AGENT, other)
    shutil.copy(AGENT, third)
    works("preloaded twice", preload=(AGENT, AGENT))
    works("a copy comes second", preload=(AGENT, other))
    works("a copy comes first", preload=(other, AGENT))
    works("two copies, liblttng-ust-fork", preload=(other, FORK, AGENT, third))
    works("a copy is opened later", other, preload=(AGENT,))
    works("it is opened itself", AGENT, preload=(AGENT,))
    works("two copies are opened, liblttng-ust-fork", other, third,
          preload=(AGENT, FORK))
    works("two copies, none preloaded", other, third, preload=(), told_from=3)
    works("linked", name="linked", preload=())
    works("linked and preloaded", name="linked", preload=(AGENT,))
    works("linked, and a copy preloaded", name="linked", preload=(other,))

tap.end()
