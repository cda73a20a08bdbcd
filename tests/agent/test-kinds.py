# SPDX-License-Identifier: MIT
"""All kinds of sessions: flight recorder, rotation, per-PID buffers, tracked
processes, very many threads."""

import glob
import os

from tap import Tap
from replay import Replay
from session import Session, Sleeper, lttng

THREADS = int(os.environ.get("COMMCACHE_TEST_THREADS", "2000"))

tap = Tap()


def whole(told, what):
    """All names are right, and statedumps are not cut off."""
    tap.ok(not told.wrong and told.truths, f"{what}: each name is right",
           *told.wrong[:10])


def dumped(told):
    """The threads of the last statedump."""
    return told.dumps[-1]["threads"] if told.dumps else None


# A flight recorder whose buffers wrap many times.
with Sleeper(3) as sleeper:
    with Session(create=("--snapshot",),
                 channel=("--subbuf-size=4k", "--num-subbuf=4")) as session:
        for _ in range(200):
            sleeper.do("rt")
        names = sleeper.names()
        lttng("regenerate", "statedump", "--session", session.name)
        sleeper.do("t")
        lttng("snapshot", "record", "--session", session.name)
        events = session.events()
        tap.ok(len([event for event in events
                    if event.name == "commcache:thread_rename"]) < 600,
               "snapshot: the buffers have wrapped")
        # The buffers of two processors go back to different times: what is
        # older than the statedump has gaps.
        last = max(number for number, event in enumerate(events)
                   if event.name == "commcache:process")
        told = Replay(events[last:])
        whole(told, "snapshot")
        tap.equal(dumped(told), names, "snapshot: all names are in it")

# Rotation: each chunk is a trace; names go on over it.
with Sleeper(2) as sleeper, Session() as session:
    for _ in range(3):
        sleeper.do("rot")
        lttng("rotate", session.name)
    sleeper.do("rot")
    told = Replay(session.events())
    whole(told, "rotate")
    chunks = glob.glob(f"{session.path}/archives/*")
    tap.ok(len(chunks) >= 3, "rotate: there are chunks", chunks)
    tap.equal(len(told.renames), 16, "rotate: nothing is lost")

# Buffers for each process, and for each user.
for buffers in "--buffers-pid", "--buffers-uid":
    with Session(channel=(buffers,)) as session:
        with Sleeper(2) as one, Sleeper(1) as other:
            one.do("rot")
            other.do("rot")
            one.end()
            other.end()
        told = Replay(session.events())
    whole(told, buffers)
    tap.equal([len(dump["threads"]) for dump in told.dumps], [3, 3],
              f"{buffers}: two processes, two statedumps")
    tap.equal(len(told.starts), 3, f"{buffers}: their threads")

# One process is tracked, another is not.
with Sleeper(2) as one, Sleeper(2) as other:
    with Session(start=False) as session:
        lttng("track", "--userspace", "--session", session.name,
              f"--vpid={one.pid}")
        session.start()
        names = one.names()
        one.do("rot")
        other.do("rot")
        told = Replay(session.events())
    whole(told, "track")
    tap.equal({event.pid for event in told.processes}, {one.pid},
              "track: only that process")
    tap.equal(dumped(told), names, "track: all names are in it")

# Very many threads.
with Sleeper(THREADS) as sleeper:
    with Session() as session:
        names = sleeper.names()
        told = Replay(session.events())
        missing = len(names) - len(dumped(told))
        print(f"# {len(names)} threads, {missing} missing, "
              f"{session.discarded} events discarded")
        tap.ok(not told.wrong or session.discarded,
               f"{THREADS} threads: the statedump counts itself right",
               *told.wrong[:10])
        tap.ok(missing == 0 or session.discarded >= missing,
               f"{THREADS} threads: none is lost silently",
               missing, session.discarded)
    with Session(channel=("--subbuf-size=4M",)) as session:
        told = Replay(session.events())
        tap.equal(session.discarded, 0,
                  f"{THREADS} threads: nothing discarded in large buffers")
        tap.equal(dumped(told), names, f"{THREADS} threads: all are there")

    # LTTng discards events: it says so, and a later statedump has the rest.
    with Session(channel=("--subbuf-size=4k", "--num-subbuf=2")) as session:
        for _ in range(20):
            lttng("regenerate", "statedump", "--session", session.name)
        told = Replay(session.events())
        seen = {}
        for dump in told.dumps:
            seen.update(dump["threads"])
        print(f"# first {len(told.dumps[0]['threads'])}, in all {len(seen)}, "
              f"{session.discarded} events discarded")
        tap.ok(session.discarded, f"{THREADS} threads: small buffers overflow")
        tap.equal(seen, names,
                  f"{THREADS} threads: later statedumps have what was lost")

tap.end()
