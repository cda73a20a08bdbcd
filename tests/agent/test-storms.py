# SPDX-License-Identifier: MIT
"""Very many threads that hardly live: nothing is lost but what LTTng says it
discarded, all is in order, and nothing is left of them."""

import os
import re

from tap import Tap
from session import Session, program, run

STORM = int(os.environ.get("COMMCACHE_TEST_STORM", "10000"))
AT_A_TIME = 64

tap = Tap()

with Session("commcache:*", contexts=("vtid",),
             channel=("--subbuf-size=8M", "--num-subbuf=4")) as session:
    result = run(program("storm"), str(STORM), str(AT_A_TIME), timeout=600,
                 COMMCACHE_DEBUG="1")
    events = session.events()

tap.equal(result.stdout, b"", "no output")

# What each thread is to go through, by its tid.
NEXT = {"commcache:thread_start": {None, "commcache:thread_exit"},
        "commcache:thread_rename": {"commcache:thread_start",
                                    "commcache:thread_rename"},
        "commcache:thread_exit": {"commcache:thread_rename"}}
last = {}
renames = {}
counts = dict.fromkeys(NEXT, 0)
wrong = []
for event in events:
    if event.name not in NEXT:
        continue
    if event.name != "commcache:thread_start" and event.tid not in last:
        # LTTng-UST's own.
        continue
    counts[event.name] += 1
    if last.get(event.tid) not in NEXT[event.name]:
        wrong.append(f"after {last.get(event.tid)}: {event}")
    last[event.tid] = event.name
    if event.name == "commcache:thread_start":
        renames[event.tid] = []
    elif event.name == "commcache:thread_rename":
        renames[event.tid].append(event.comm)
    else:
        first, second = (renames[event.tid] + [None, None])[:2]
        if not (first and second and first[0] == "a" and second[0] == "b" and
                first[1:] == second[1:] and event.comm == second):
            wrong.append(f"{renames[event.tid]}: {event}")

if session.discarded:
    lost = 4 * STORM - sum(counts.values())
    tap.ok(lost <= session.discarded, f"{STORM} threads: {lost} events are "
           f"missing, of {session.discarded} discarded")
else:
    tap.equal(counts, {"commcache:thread_start": STORM,
                       "commcache:thread_rename": 2 * STORM,
                       "commcache:thread_exit": STORM},
              f"{STORM} threads: each start, rename and end")
    tap.ok(not wrong, f"{STORM} threads: all in order", len(wrong),
           *wrong[:10])

left = re.search(rb" (\d+) threads in the cache at exit", result.stderr)
# The main thread's and LTTng-UST's.
tap.ok(left and int(left[1]) <= 3, "nothing is left of them", result.stderr)
# 64 changes wait for a thread that is stopped in the midst of one; it may be, by a
# machine that is too busy to let it go on.
refused = re.search(rb" (\d+) changes that the cache refused", result.stderr)
if refused and int(refused[1]):
    tap.skip("each name was saved", f"{int(refused[1])} changes refused")
else:
    tap.ok(refused, "each name was saved", result.stderr)

tap.end()
