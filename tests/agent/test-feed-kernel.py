# SPDX-License-Identifier: MIT
"""COMMCACHE_FEED=perf against perf, which records the kernel's own
sched_switch beside it: times in and out per thread, CPU time per thread."""

import collections
import os
import re
import shutil
import subprocess
import tempfile
import time

from tap import Tap, skip_all
from session import AGENT, FORK, Session, environment, program

NEAR_NS = 20000
LONG_NS = 100000

tap = Tap()
if os.getuid() != 0:
    skip_all("only root may record the kernel's sched_switch")
if not shutil.which("perf"):
    skip_all("perf is not installed")

LINE = re.compile(r"\[(\d+)\]\s+(\d+)\.(\d+):\s+sched:sched_switch: .*?"
                  r"prev_pid=(\d+) prev_prio=\S+ prev_state=\S+ ==> .*"
                  r"next_pid=(\d+) next_prio")


def kernel_switches(path):
    """(tid, in): times in ns, as perf tells them."""
    text = subprocess.run(("perf", "script", "--ns", "-i", path),
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, errors="replace", check=True).stdout
    switches = collections.defaultdict(list)
    for line in text.splitlines():
        found = LINE.search(line)
        if not found:
            continue
        moment = int(found[2]) * 1000000000 + int(found[3].ljust(9, "0"))
        switches[int(found[4]), 0].append(moment)
        switches[int(found[5]), 1].append(moment)
    return switches


def cpu_time(ins, outs):
    """Of one thread, between its first switch in and its last out."""
    total, since = 0, None
    for moment, kind in sorted([(moment, 1) for moment in ins] +
                               [(moment, 0) for moment in outs]):
        if kind:
            since = moment
        elif since is not None:
            total += moment - since
            since = None
    return total


def nearest(moments, moment, place):
    """The distance to the nearest of ascending moments, and where it is."""
    while place + 1 < len(moments) and \
            abs(moments[place + 1] - moment) <= abs(moments[place] - moment):
        place += 1
    return abs(moments[place] - moment), place


with tempfile.TemporaryDirectory() as folder, \
        Session("commcache:*", contexts=("vtid",),
                channel=("--subbuf-size=4M", "--num-subbuf=4")) as session:
    perf = subprocess.Popen(
        ("perf", "record", "-q", "-a", "-k", "CLOCK_MONOTONIC", "-m", "2M",
         "-e", "sched:sched_switch", "-o", f"{folder}/data"),
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(1)
    if perf.poll() is not None:
        skip_all(f"perf can not: {perf.stderr.read().decode().strip()}")
    ended = subprocess.run((program("watched"), "busy"), check=False,
                           env=environment((AGENT, FORK),
                                           COMMCACHE_FEED="perf"))
    perf.terminate()
    perf.wait()
    told = kernel_switches(f"{folder}/data")
    events = session.events()

tap.equal(ended.returncode, 0, "the program ends well")
tap.ok(told, "perf recorded switches")
ours = collections.defaultdict(list)
threads = collections.defaultdict(str)
ours_preempted = 0
deaths = {}
for event in sorted((event for event in events
                     if event.name == "commcache:sched_switch"),
                    key=lambda event: event.ts):
    ours[event.tid, event.fields["in"]].append(event.ts)
    threads[event.tid] = event.comm
tap.equal(len([event for event in events if event.name == "commcache:lost"]),
          0, "nothing is lost")
tap.ok(len(threads) >= 5, "there are threads", dict(threads))

# The kernel tells of what was before a session wanted it, and after the end.
for tid in threads:
    both = sorted(ours[tid, 0] + ours[tid, 1])
    for kind in 0, 1:
        told[tid, kind] = sorted(
            moment for moment in told[tid, kind]
            if both[0] - NEAR_NS <= moment <= both[-1] + NEAR_NS)

near = total = 0
for (tid, kind), moments in sorted(ours.items()):
    # A thread's last one is its end, which is not a switch.
    if kind == 0 and tid != min(threads):
        moments = moments[:-1]
    theirs = told[tid, kind]
    if not theirs:
        tap.ok(not moments, f"{tid}: perf knows nothing of it", len(moments))
        continue
    place = 0
    for moment in moments:
        distance, place = nearest(theirs, moment, place)
        near += distance <= NEAR_NS
        total += 1
share = near / total if total else 0
tap.ok(share >= 0.99, f"of {total} switches {share:.4%} are within "
       f"{NEAR_NS // 1000} us of the kernel's")
counts = {(tid, kind): (len(moments), len(told[tid, kind]))
          for (tid, kind), moments in ours.items()}
# perf may lose some.
tap.ok(all(mine >= theirs - 1 for mine, theirs in counts.values()),
       "none that the kernel tells is missing, but for the ends", counts)

# The kernel tells us of a switch a microsecond after it tells perf: of threads
# that run for some microseconds at a time that is much, and none of ours to mend.
times = {}
for tid in threads:
    mine = cpu_time(ours[tid, 1], ours[tid, 0])
    theirs = cpu_time(told[tid, 1], told[tid, 0])
    if theirs >= LONG_NS * len(told[tid, 1]):
        times[tid] = mine, theirs
worst = max(abs(mine - theirs) / theirs for mine, theirs in times.values())
tap.ok(len(times) >= 4 and worst <= 0.02,
       f"CPU times of {len(times)} threads differ by {worst:.3%} at most", times)
tap.end()
