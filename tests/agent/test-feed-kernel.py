# SPDX-License-Identifier: MIT
"""COMMCACHE_FEED=perf against perf, which records the kernel's own
sched_switch beside it: each switch of ours is one of those, and none of those
is missing.

Nothing is measured, so that it does not matter how fast or busy the machine is.
The kernel tells us of a switch after it tells perf, and before the next switch
of that CPU: the last that perf tells of a CPU before a moment of ours must be
that very switch. Or the next one, for the clock that both are told by can go back
a little (ktime_get_mono_fast_ns() of kernel/time/timekeeping.c). No two of ours
are the same."""

import bisect
import collections
import os
import re
import shutil
import subprocess
import tempfile

from tap import Tap, skip_all
from session import AGENT, FORK, Session, environment, program

# perf may lose records, and then says so.
RUNS = 5

# Larger than all that is recorded, so that nothing depends on who reads in time.
FEED_KIB = "4096"
PERF_BUFFER = "16M"

# The program's threads, and few of others: a busy machine has very many.
OURS = " || ".join(f'{side}_comm ~ "{comm}"' for side in ("prev", "next")
                   for comm in ("watched*", "p[io]ng"))

LINE = re.compile(r"\[(\d+)\]\s+(\d+)\.(\d+):\s+sched:sched_switch: .*?"
                  r"prev_pid=(\d+) prev_prio=\S+ prev_state=\S+ ==> .*"
                  r"next_pid=(\d+) next_prio")

# That of the first PID namespace; the kernel has it as a constant.
FIRST_PID_NS = 0xEFFFFFFC

Switch = collections.namedtuple("Switch", "time left got")

tap = Tap()
if os.getuid() != 0:
    skip_all("only root may record the kernel's sched_switch")
if not shutil.which("perf"):
    skip_all("perf is not installed")
if os.stat("/proc/self/ns/pid").st_ino != FIRST_PID_NS:
    skip_all("in a PID namespace perf tells other ids than we see")


def told_by_perf(path):
    """By CPU, in order of time, the switches; None where some were lost."""
    text = subprocess.run(("perf", "script", "--ns", "--show-lost-events",
                           "-i", path), stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True,
                          errors="replace", check=True).stdout
    if "PERF_RECORD_LOST" in text:
        return None
    switches = collections.defaultdict(list)
    for found in filter(None, map(LINE.search, text.splitlines())):
        moment = int(found[2]) * 1000000000 + int(found[3].ljust(9, "0"))
        switches[int(found[1])].append(
            Switch(moment, int(found[4]), int(found[5])))
    for of_cpu in switches.values():
        of_cpu.sort(key=lambda switch: switch.time)
    return switches


def record():
    """One run: how it ended, what perf told, the events, how many discarded."""
    with tempfile.TemporaryDirectory() as folder, \
            Session("commcache:*", contexts=("vtid",),
                    channel=("--subbuf-size=4M", "--num-subbuf=4")) as session:
        # perf records when it starts the program, and till that has ended.
        ended = subprocess.run(
            ("perf", "record", "-q", "-a", "-k", "CLOCK_MONOTONIC",
             "-m", PERF_BUFFER, "-e", "sched:sched_switch", "--filter", OURS,
             "-o", f"{folder}/data", "--",
             "env", f"LD_PRELOAD={AGENT} {FORK}", "COMMCACHE_FEED=perf",
             f"COMMCACHE_FEED_KIB={FEED_KIB}", program("watched"), "busy"),
            env=environment(()), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, check=False)
        events = session.events()
        if not os.path.exists(f"{folder}/data") or not events:
            skip_all(f"perf can not: {ended.stdout.strip()}")
        return ended, told_by_perf(f"{folder}/data"), events, session.discarded


def named(events, name):
    """Events commcache:NAME."""
    return [event for event in events if event.name == f"commcache:{name}"]


class Comparison:
    """Each of our switches, with the one that perf tells."""

    def __init__(self, told, events):
        self.told = told
        self.times = {cpu: [switch.time for switch in of_cpu]
                      for cpu, of_cpu in told.items()}
        self.wrong = []
        # (CPU, place, whether it is who got it): found.
        self.found = set()
        # Switches that perf does not tell, as what follows shows.
        self.untold = 0
        self.ends = {event.tid: event.time
                     for event in named(events, "thread_exit")}
        self.first = {}
        self.tids = set()
        for event in sorted(named(events, "sched_switch"),
                            key=lambda event: event.ts):
            self.first.setdefault(event.cpu, event.ts)
            self.tids.add(event.tid)
            self.compare(event)

    def compare(self, event):
        """One of ours."""
        got = bool(event.fields["in"])
        place = bisect.bisect_right(self.times.get(event.cpu, ()), event.ts)
        if self.found_at(event, place - 1) or self.found_at(event, place):
            return
        of_cpu = self.told.get(event.cpu, ())
        before, after = (of_cpu[at] if 0 <= at < len(of_cpu) else None
                         for at in (place - 1, place))
        if after and after.left == event.tid and \
                (got or event.ts >= self.ends.get(event.tid, event.ts + 1)):
            # It is on this CPU now. Either it ends, which is no switch yet,
            # or perf does not tell how it came here: of some idle threads
            # the kernel tells no switch (seen with Linux 6.18).
            self.untold += got
        else:
            self.wrong.append(f"{event}: after {before}, before {after}")

    def found_at(self, event, place):
        """Whether it is that one of its CPU, which no other of ours is."""
        of_cpu = self.told.get(event.cpu, ())
        if not 0 <= place < len(of_cpu):
            return False
        got = bool(event.fields["in"])
        switch = of_cpu[place]
        key = event.cpu, place, got
        if key in self.found or \
                (switch.got if got else switch.left) != event.tid:
            return False
        self.found.add(key)
        return True

    def missing(self):
        """What perf tells of our threads, from where we begin to their end,
        that we do not."""
        # The main thread writes no end: it leaves when the last has ended.
        last = max(self.ends.values())
        return [f"CPU {cpu}: {switch}"
                for cpu, of_cpu in self.told.items()
                for place, switch in enumerate(of_cpu)
                for tid, got in ((switch.left, False), (switch.got, True))
                if tid in self.tids and (cpu, place, got) not in self.found and
                self.first.get(cpu, last) <= switch.time <
                self.ends.get(tid, last)]


for run in range(1, RUNS + 1):
    ended, told, events, discarded = record()
    if told is not None:
        break
    print(f"# run {run}: perf lost records")
else:
    skip_all(f"perf lost records in each of {RUNS} runs")

tap.equal((ended.returncode, ended.stdout), (0, ""), "the program ends well")
tap.equal((len(named(events, "lost")), discarded), (0, 0), "nothing is lost")
tap.equal(len(named(events, "thread_exit")), 5, "each thread's end is told")
ours = Comparison(told, events)
tap.ok(not ours.wrong, f"each of our switches is one of the kernel's: "
       f"{len(ours.found)}, and {ours.untold} that perf leaves out",
       len(ours.wrong), *ours.wrong[:10])
missing = ours.missing()
tap.ok(not missing, "none of the kernel's is missing", len(missing),
       *missing[:10])
# Of two threads at least, which woke each other when the feed was long awake.
tap.ok(len(ours.tids) >= 2 and ours.found,
       "there are switches", len(ours.tids), len(ours.found))
tap.end()
