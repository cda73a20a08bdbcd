# SPDX-License-Identifier: MIT
"""Who is named by its own number, or not at all: children and threads that
clone(2) makes, with whatever flags."""

from tap import Tap
from replay import Replay
from session import AGENT, FORK, Session, program, run

tap = Tap()

for way in "process", "memory", "vfork", "thread", "raw", "clone3":
    for preload in (AGENT, FORK), (AGENT,):
        what = f"{way}, {len(preload)} preloaded"
        with Session(contexts=("vtid",)) as session:
            result = run(program("clones"), way, check=False, preload=preload)
            told = Replay(session.events(), disputed=way == "thread")
        tap.equal((result.returncode, result.stdout, result.stderr),
                  (0, b"", b""), f"{what}: exit status, output")
        main = told.processes[0].pid
        names = [event.comm for event in told.renames
                 if event.tid == main or event.by_tid == main]
        tap.equal(names, ["parent", "parent at end"],
                  f"{what}: the parent's thread has its own names")
        # A child that is not followed tells nothing; it traces all the same.
        wrong = [why for why in told.wrong
                 if f"'pid': {main}," in why or FORK in preload]
        tap.ok(not wrong and told.truths >= 3, f"{what}: all names",
               told.truths, *wrong)
        others = [event for event in told.renames if event.tid != main]
        expected = []
        if way == "thread":
            expected = ["stranger", "stranger"]
        elif way == "process" and FORK in preload:
            expected = ["cloned", "cloned again"]
        tap.equal([event.comm for event in others], expected,
                  f"{what}: the others have theirs")
        tap.ok(all(event.tid == event.by_tid for event in others),
               f"{what}: and their numbers", *others)

tap.end()
