# SPDX-License-Identifier: MIT
"""Every way a thread gets a name: what the agent writes, against what
/proc/self/task/TID/comm says at that moment."""

import os
import re
import shutil
import subprocess
import tempfile

from tap import Tap
from replay import Replay
from session import AGENT, Session, program, run

tap = Tap()


def replay(way, truths):
    """Run one way in a session of its own, and check what must always hold."""
    with Session() as session:
        result = run(program("names"), way, check=False)
        told = Replay(session.events())
    tap.equal((result.returncode, result.stdout, result.stderr),
              (0, b"", b""), f"{way}: exit status and output")
    tap.ok(not told.wrong, f"{way}: each name is right", *told.wrong)
    tap.equal(told.truths, truths, f"{way}: as many names as were asked for")
    tap.equal(session.discarded, 0, f"{way}: nothing discarded")
    return told


def comms(events):
    """The names in events."""
    return [event.comm for event in events]


NAMES = ["x", "fifteen bytes..", "gr\u00fc\u00df", "\x1b[31mred",
         "two\nlines", "ends\n", '"quoted"', "it's", "a b ",
         "\udcff\udcfe", ""]

told = replay("self", 13)
tap.equal(comms(told.renames), [""] + NAMES, "self: the renames, in order")
tap.ok(all(event.by_tid == event.tid for event in told.renames),
       "self: by themselves")
tap.equal(comms(told.exits), [""], "self: the end")

told = replay("prctl", 13)
tap.equal(comms(told.renames), [""] + NAMES + ["much longer tha"],
          "prctl: the renames, in order")

told = replay("other", 24)
tap.equal(comms(told.renames), [""] + NAMES, "other: the renames, in order")
tap.ok(all(event.by_tid == event.pid != event.tid
           for event in told.renames), "other: by the main thread")

told = replay("main", 3)
tap.equal([(event.tid == event.pid, event.prev_comm, event.comm)
           for event in told.renames],
          [(True, "names", "the main one"), (True, "the main one", "another")],
          "main: the renames")

told = replay("inherit", 3)
tap.equal(comms(told.starts), ["parent", "renamed parent"],
          "inherit: names at birth")
tap.ok(all(event.parent_tid == event.pid for event in told.starts),
       "inherit: the parent")

told = replay("c11", 2)
tap.equal(comms(told.starts), ["names"], "c11: the start")
tap.equal(comms(told.exits), ["c11"], "c11: the end")

told = replay("inside", 2)
tap.equal([(event.prev_comm, event.comm) for event in told.renames],
          [("names", "from inside")], "inside: found when it renames itself")
tap.equal(comms(told.exits), ["from inside"], "inside: its end is seen then")

told = replay("inside-same", 2)
tap.equal([(event.prev_comm, event.comm) for event in told.renames],
          [("names", "inherited"), ("inherited", "inherited")],
          "inside-same: found although its name does not change")

CXX = shutil.which("c++") or shutil.which("clang++")
if CXX:
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "cxx.cpp")
        with open(source, "w", encoding="ascii") as file:
            file.write("""
                #include <pthread.h>
                #include <stdexcept>
                #include <thread>
                int main()
                {
                    std::thread([] {
                        pthread_setname_np(pthread_self(), "std::thread");
                        try {
                            throw std::runtime_error("caught");
                        } catch (const std::exception &) {
                            pthread_setname_np(pthread_self(), "caught");
                        }
                    }).join();
                }""")
        subprocess.run((CXX, "-pthread", "-o", source[:-4], source),
                       check=True)
        with Session() as session:
            run(source[:-4])
            told = Replay(session.events())
    tap.ok(not told.wrong, "std::thread: each name is right", *told.wrong)
    tap.equal((comms(told.starts), comms(told.renames), comms(told.exits)),
              (["cxx"], ["std::thread", "caught"], ["caught"]),
              "std::thread: start, renames, end")
else:
    tap.skip("std::thread", "no C++ compiler: install g++")

told = replay("ends", 4)
# A destructor that renames the thread gives it another life, and end.
tap.equal(comms(told.exits),
          ["returns", "exits", "is cancelled", "destructs", "late"],
          "ends: by return, pthread_exit, cancellation, in a destructor")

told = replay("exit-running", 4)
tap.equal((len(told.starts), len(told.exits)), (4, 0),
          "exit-running: nobody ended")

told = replay("main-exits-first", 2)
tap.equal(comms(told.exits), ["main leaves"],
          "main-exits-first: the main thread's end")

told = replay("fork", 6)
tap.equal([(event.comm, event.ppid == told.processes[0].pid)
           for event in told.processes[1:]], [("forks", True)],
          "fork: the child is a process, named as its parent")
tap.ok("child" in comms(told.renames), "fork: the child's rename")
# LTTng-UST's second thread may not be there yet when its first dumps.
tap.ok(len(told.dumps[1]["threads"]) in (2, 3),
       "fork: the child has one thread, and LTTng-UST's one or two")

# Without LTTng-UST's fork handling nothing can be written in the child: its
# locks may be held there for ever.
with Session() as session:
    result = run(program("names"), "fork", preload=(AGENT,))
    told = Replay(event for event in session.events()
                  if event.name.startswith("commcache:"))
tap.equal((result.stdout, result.stderr), (b"", b""),
          "fork without liblttng-ust-fork: no output")
tap.ok(not told.wrong, "fork without liblttng-ust-fork: the parent's names",
       *told.wrong)
tap.equal(comms(told.renames), ["worker", "forks", "after fork"],
          "fork without liblttng-ust-fork: the parent's renames")
tap.equal(len(told.processes), 1,
          "fork without liblttng-ust-fork: the child is silent")

told = replay("vfork", 5)
tap.equal([event.comm for event in told.processes], ["names", "names"],
          "vfork: the child's image is a process")

told = replay("spawn", 4)
tap.equal([event.comm for event in told.processes], ["names", "names"],
          "spawn: the child's image is a process")

told = replay("exec-same", 4)
tap.equal([event.comm for event in told.processes], ["names", "names"],
          "exec-same: two images of one process")
tap.equal(len({event.pid for event in told.processes}), 1,
          "exec-same: with one pid")

told = replay("exec-other", 1)
tap.equal([(event.comm, os.path.basename(event.exe))
           for event in told.processes],
          [("names", "names"),
           ("sleep", os.path.basename(os.path.realpath("/bin/sleep")))],
          "exec-other: two images of one process")

told = replay("daemon", 3)
tap.equal(comms(told.processes)[-1], "to be daemon",
          "daemon: the last process goes on with its parent's name")

told = replay("fails", 4)
tap.equal(comms(told.renames), [], "fails: nothing is written")

told = replay("denied", 3)
tap.equal(comms(told.renames), ["allowed", "still allowed"],
          "denied: nothing is written")

if os.getuid() == 0:
    replay("setuid", 2)
else:
    tap.skip("setuid", "only root can leave its identity")

told = replay("same", 1)
tap.equal(comms(told.renames), ["same"], "same: written once")

result = run(program("names"), "same", COMMCACHE_DEBUG="1")
counted = re.search(rb" (\d+) renames of the own thread\n", result.stderr)
# LTTng-UST's own threads name themselves too.
tap.ok(counted and int(counted[1]) >= 11, "same: yet all are counted",
       result.stderr)
tap.end()
