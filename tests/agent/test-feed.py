# SPDX-License-Identifier: MIT
"""COMMCACHE_FEED=perf: what the kernel tells of the process, which goes by the
interposed calls; against what it says at each event, read by the filter."""

import collections
import os
import re
import shutil
import subprocess
import tempfile

import bt2

from tap import Tap, skip_all
from session import AGENT, BUILD, FORK, Session, Sleeper, environment, \
    let_it_read, plain, program, run, read_trace

PLUGIN = f"{BUILD}/src/plugin/.libs/babeltrace-plugin-commcache.so"
FD = "liblttng-ust-fd.so.1"

tap = Tap()


def feed_of(error):
    """What the agent said of its feed."""
    return [line.decode().partition(": feed: ")[2]
            for line in error.splitlines() if b": feed: " in line]


probe = run("/bin/true", preload=(AGENT,), COMMCACHE_FEED="perf",
            COMMCACHE_DEBUG="1")
if not any(line.startswith("perf;") for line in feed_of(probe.stderr)):
    skip_all(f"the kernel does not allow it: {feed_of(probe.stderr)}")


def names(path):
    """How many events tell a name, and those that the filter calls
    otherwise."""
    resolve = bt2.find_plugins_in_path(PLUGIN)[0] \
        .filter_component_classes["resolve"]
    told, wrong = 0, []
    for message in bt2.TraceCollectionMessageIterator(
            path, [bt2.ComponentSpec(resolve, {"ids": ["thread"],
                                               "lookahead": "yes"})]):
        if type(message) is not bt2._EventMessageConst or \
                message.event.name != "subject:called":
            continue
        told += 1
        fields = message.event.payload_field
        name = plain(fields["name"])
        if plain(fields["thread_comm"]) != name:
            wrong.append(f"{plain(fields['thread_comm'])!r} is {name!r}, "
                         f"{message.default_clock_snapshot.value}")
    return told, wrong


Outcome = collections.namedtuple("Outcome", "result events")


def by_name(events, name):
    """Events commcache:NAME."""
    return [event for event in events if event.name == f"commcache:{name}"]


def watch(way, expected, *arguments, what=None, preload=(AGENT, FORK),
          command=(), **more):
    """Run one way, and check all names."""
    what = what or way
    more.setdefault("COMMCACHE_FEED", "perf")
    with Session(contexts=("vpid", "vtid"),
                 channel=("--subbuf-size=4M", "--num-subbuf=4")) as session:
        result = run(*command, program("watched"), way, *arguments,
                     preload=preload, check=False, COMMCACHE_DEBUG="1",
                     **more)
        session.destroy()
        told, wrong = names(session.path)
        events, discarded = read_trace(session.path)
    tap.equal((result.returncode, result.stdout), (0, b""),
              f"{what}: exit status and output")
    tap.equal((told, discarded), (expected, 0),
              f"{what}: as many names as were told, nothing discarded")
    tap.ok(not wrong, f"{what}: each of {told} names is right",
           f"{len(wrong)} wrong", *wrong[:5], result.stderr.decode())
    return Outcome(result, events)


# What goes by the interposed calls.
seen = watch("raw", 2003)
tap.equal(len(by_name(seen.events, "thread_rename")), 2001,
          "raw: each rename is written once")
tap.ok(all(event.ts for event in by_name(seen.events, "thread_rename")),
       "raw: with the time of the rename")
watch("proc", 500)
watch("parent", 40, program("static-child"))
watch("clone", 1)
watch("mixed", 4000)
seen = watch("hooked", 0)
tap.equal(len(by_name(seen.events, "thread_rename")), 2000,
          "hooked: each rename is written once, by whichever feed")

# Without it, they are not seen: this test can fail.
with Session(contexts=("vpid", "vtid")) as session:
    run(program("watched"), "raw")
    session.destroy()
    told, wrong = names(session.path)
tap.ok(told == 2003 and len(wrong) > 1000,
       "hooks alone do not see raw renames", told, len(wrong))

# Go.
if shutil.which("go"):
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/main.go", "w", encoding="ascii") as file:
            file.write("""
package main

// #cgo LDFLAGS: -lpthread
// void subject_called(void);
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"
	"unsafe"
)

func main() {
	var group sync.WaitGroup
	for i := 0; i < 4; i++ {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			runtime.LockOSThread()
			for j := 0; j < 100; j++ {
				name := append([]byte(fmt.Sprintf("go %d.%d", i, j)), 0)
				syscall.RawSyscall(syscall.SYS_PRCTL, 15,
					uintptr(unsafe.Pointer(&name[0])), 0)
				C.subject_called()
			}
		}(i)
	}
	group.Wait()
	// Nothing can see a Go program's exit: the manual tells what is lost.
	fmt.Println("told")
	os.Stdin.Read(make([]byte, 1))
}
""")
        with open(f"{folder}/go.mod", "w", encoding="ascii") as file:
            file.write("module gonames\n")
        built = subprocess.run(
            ("go", "build", "-o", f"{folder}/gonames", "."), cwd=folder,
            env=dict(os.environ, GOFLAGS="-mod=mod", GOPROXY="off",
                     CGO_ENABLED="1", GOCACHE=f"{folder}/cache",
                     CGO_LDFLAGS=f"{BUILD}/tests/agent/.libs/called.so "
                     f"-Wl,-rpath,{BUILD}/tests/agent/.libs"),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            check=False)
        if built.returncode:
            tap.ok(False, "Go: builds", built.stdout)
        else:
            with Session(contexts=("vpid", "vtid")) as session:
                go = subprocess.Popen(
                    (f"{folder}/gonames",), stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    env=environment((AGENT, FORK), COMMCACHE_FEED="perf"))
                go.stdout.readline()
                let_it_read(go.pid)
                _, error = go.communicate(b"\n")
                session.destroy()
                told, wrong = names(session.path)
            tap.equal((go.returncode, error, told), (0, b"", 400),
                      "Go with cgo: runs, and tells its names")
            tap.ok(not wrong, "Go with cgo: each name is right",
                   len(wrong), *wrong[:5])
else:
    tap.skip("Go with cgo", "go is not installed")

# What a guest must outlive.
watch("fork", 4003)
seen = watch("exec", 2)
tap.equal(len(by_name(seen.events, "process")), 2,
          "exec: two images, without a descriptor of ours")
watch("closes", 2002, preload=(FD, AGENT, FORK))
watch("quits", 1)
if os.getuid() == 0:
    watch("setuid", 2002)
else:
    tap.skip("setuid", "only root can become another user")

# A ring that is too small by far.
seen = watch("fast", 4, what="lost", COMMCACHE_FEED_KIB="4")
losses = by_name(seen.events, "lost")
tap.ok(losses and all(event.count and event.ts for event in losses),
       "lost: it is written how many records are missing", losses[:3])
renames = by_name(seen.events, "thread_rename")
tap.ok(any(event.by_tid == 0 for event in renames),
       "lost: names that were found changed are written")

# Switches: of each thread in turns in and out, by its name.
seen = watch("switches", 0)
switches = by_name(seen.events, "sched_switch")
threads = collections.defaultdict(list)
for event in switches:
    threads[event.tid].append(event)
last = {tid: of[-1].comm for tid, of in threads.items()}
pair = [of for tid, of in threads.items() if last[tid] in ("ping", "pong")]
tap.ok(len(pair) == 2 and all(len(of) > 900 for of in pair),
       "switches: there are as many as must be",
       {last[tid]: len(of) for tid, of in threads.items()})
tap.ok(all([event.fields["in"] for event in of] ==
           [(number + 1) % 2 for number in range(len(of))] for of in pair),
       "switches: in and out by turns")
tap.ok(all(not (event.fields["in"] and event.preempted)
           for event in switches), "switches: who gets a CPU is not preempted")
tap.ok(all(one.ts <= two.ts for of in threads.values()
           for one, two in zip(of, of[1:])), "switches: in order of time")
births = {event.tid: event.time
          for event in by_name(seen.events, "thread_start")}
tap.ok(any(tid in births for tid in threads) and
       all(births[tid] < of[0].ts for tid, of in threads.items()
           if tid in births), "switches: none comes before the thread's birth",
       births)
busy = collections.defaultdict(list)
for event in sorted(switches, key=lambda event: event.ts):
    busy[event.cpu].append(event)
tap.ok(all(one.tid == two.tid for of in busy.values()
           for one, two in zip(of, of[1:])
           if one.fields["in"] and not two.fields["in"]),
       "switches: a CPU is left by who got it")
tap.ok(not any(re.match("commcache-", comm) for comm in last.values()),
       "switches: none of our own threads'", last)

# Not allowed.
for feed in "perf", "auto":
    with Session() as session:
        result = run(program("denied"), " ".join((AGENT, FORK)),
                     program("names"), "self", preload=(), check=False,
                     COMMCACHE_FEED=feed, COMMCACHE_DEBUG="1")
        events = session.events()
    tap.equal((result.returncode, result.stdout, feed_of(result.stderr)),
              (0, b"", ["hooks; the kernel's records can not be had: "
                        "perf_event_open: Permission denied"]),
              f"{feed}, denied: one line, and the program runs")
    tap.equal(len(by_name(events, "thread_rename")), 12,
              f"{feed}, denied: the interposed calls are seen")
for feed, line in (("hooks", []), ("", []),
                   ("bogus", ["hooks; COMMCACHE_FEED is hooks, perf or "
                              "auto"])):
    result = run("/bin/true", preload=(AGENT,), COMMCACHE_FEED=feed,
                 COMMCACHE_DEBUG="1")
    tap.equal(feed_of(result.stderr), line, f"COMMCACHE_FEED={feed}")
result = run("/bin/true", preload=(AGENT,), COMMCACHE_FEED="auto",
             COMMCACHE_FEED_KIB="100", COMMCACHE_DEBUG="1")
tap.ok(feed_of(result.stderr)[0].startswith("perf; 64 KiB for each of "),
       "COMMCACHE_FEED_KIB: the next power of two below", result.stderr)
for kib, least in (("-1", 0), ("much", 0), ("99999999999999999999", 65536)):
    result = run("/bin/true", preload=(AGENT,), COMMCACHE_FEED="auto",
                 COMMCACHE_FEED_KIB=kib, COMMCACHE_DEBUG="1")
    told = re.match(r"perf; (\d+) KiB ", feed_of(result.stderr)[0])
    # Less, where the user may not lock so much.
    tap.ok(told and (int(told[1]) <= 256 if not least else
                     int(told[1]) <= least),
           f"COMMCACHE_FEED_KIB={kib}", result.stderr)

# A session that starts later, and one that stops: nobody reads then.
with Sleeper(2, COMMCACHE_FEED="perf") as sleeper:
    for number in range(2):
        with Session() as session:
            # Whoever reads is told of the session, and has to wake up.
            let_it_read(sleeper.pid)
            sleeper.do("rot")
            let_it_read(sleeper.pid)
            events = session.events()
        tap.ok(by_name(events, "sched_switch"),
               f"session {number}: there are switches")
    tap.equal(sleeper.end(), (0, b""), "sessions: a good end")

tap.end()
