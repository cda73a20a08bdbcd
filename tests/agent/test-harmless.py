# SPDX-License-Identifier: MIT
"""The agent is a good guest: nothing of it shows, and it gets on with all
others."""

import glob
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

from tap import Tap
from replay import Replay
from session import (AGENT, FORK, Session, Sleeper, library, lttng, program,
                     run)

UST = "liblttng-ust.so.1"
LTTNG = ["liblttng-ust-libc-wrapper.so", "liblttng-ust-pthread-wrapper.so",
         "liblttng-ust-dl.so", "liblttng-ust-fork.so",
         "liblttng-ust-cyg-profile.so"]

tap = Tap()


def outcome(result):
    """What a program did, as far as others can see."""
    return result.returncode, result.stdout, result.stderr


# What LTTng-UST brings along is there without us too.
for where in "no session", "a session":
    def look(*preload):
        """All that can be seen from inside."""
        return outcome(run(program("guest"), preload=preload, check=False))
    if where == "a session":
        with Session(contexts=()) as session:
            plain, plain_fork = look(UST), look(UST, FORK)
            guest, guest_fork = look(AGENT), look(AGENT, FORK)
    else:
        plain, plain_fork = look(UST), look(UST, FORK)
        guest, guest_fork = look(AGENT), look(AGENT, FORK)
    tap.equal(plain[0], 0, f"{where}: the program works without the agent")
    tap.equal(guest, plain, f"{where}: nothing of the agent shows")
    tap.equal(guest_fork, plain_fork,
              f"{where}: nothing shows, with liblttng-ust-fork")


def works(what, *preload, way="self", **more):
    """Names are right in this company, and output is as without."""
    with Session() as session:
        result = run(program("names"), way, preload=preload, check=False,
                     **more)
        told = Replay(session.events())
    tap.equal(outcome(result), (0, b"", b""), f"{what}: exit status, output")
    tap.ok(not told.wrong and told.truths, f"{what}: each name is right",
           *told.wrong)


# LTTng-UST's own helpers, in any order.
for other in LTTNG:
    works(f"{other} first", other, AGENT)
for number, order in enumerate((LTTNG, LTTNG[::-1])):
    for place in (0, 3, 5)[number:]:
        works(f"all of LTTng-UST's helpers, order {number}, "
              f"the agent {place + 1}.",
              *order[:place], AGENT, *order[place:],
              way="fork" if place == 3 else "self")

# Other allocators.
for name in "jemalloc", "tcmalloc_minimal":
    found = glob.glob(f"/usr/lib/*/lib{name}.so.?") + \
        glob.glob(f"/usr/lib*/lib{name}.so.?")
    if not found:
        tap.skip(f"under {name}", f"lib{name} is not installed")
        continue
    works(f"under {name}", found[0], AGENT, FORK)
    works(f"under {name}, which comes second", AGENT, FORK, found[0],
          way="fork")
    result = run(program("forker"), "50", "4", "0",
                 preload=(AGENT, found[0]), check=False)
    tap.equal(outcome(result), (0, b"", b""), f"under {name}: forks")

# AddressSanitizer.
SOURCE = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void *run(void *data)
{
    pthread_setname_np(pthread_self(), "sanitized");
    free(malloc(10));
    return data;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    puts("well");
    return 0;
}
"""
with tempfile.TemporaryDirectory() as folder:
    with open(f"{folder}/asan.c", "w", encoding="ascii") as file:
        file.write(SOURCE)
    for compiler in "gcc", "clang":
        what = f"AddressSanitizer of {compiler}"
        binary = f"{folder}/{compiler}"
        if not shutil.which(compiler) or subprocess.run(
                (compiler, "-D_GNU_SOURCE", "-fsanitize=address", "-pthread",
                 "-o", binary, f"{folder}/asan.c"), check=False,
                stderr=subprocess.DEVNULL).returncode:
            tap.skip(what, f"{compiler} or its sanitizer is not installed")
            continue
        preload = [AGENT]
        needed = subprocess.run(("ldd", binary), stdout=subprocess.PIPE,
                                text=True, check=True).stdout
        shared = re.search(r"=> (\S*libasan\S*)", needed)
        if shared:
            # It insists on coming first.
            preload.insert(0, shared[1])
        with Session() as session:
            # LTTng-UST leaks, as the sanitizer sees it.
            result = run(binary, preload=preload, check=False,
                         ASAN_OPTIONS="detect_leaks=0")
            told = Replay(session.events())
        tap.equal(outcome(result), (0, b"well\n", b""),
                  f"{what}: exit status, output")
        tap.ok([event.comm for event in told.exits] == ["sanitized"],
               f"{what}: the name", told.exits)

# A library with tracepoints comes and goes later on.
with Session() as session:
    result = run(program("late"), library("late-subject"), check=False)
    told = Replay(session.events())
tap.equal(outcome(result), (0, b"", b""), "late library: exit status, output")
tap.ok(not told.wrong and told.truths == 2, "late library: names are right",
       told.truths, *told.wrong)
tap.equal([event.comm for event in told.renames],
          ["before", "after", "closed"], "late library: renames")

# Under Valgrind: no more errors than LTTng-UST makes by itself.
if shutil.which("valgrind"):
    def errors(*preload):
        """Valgrind's count."""
        with Session() as session:
            result = run("valgrind", "--error-exitcode=0",
                         program("names"), "ends", preload=preload,
                         check=False, LTTNG_UST_REGISTER_TIMEOUT="60000")
            told = Replay(session.events())
        found = re.search(rb"ERROR SUMMARY: (\d+) errors", result.stderr)
        return result.returncode, found and int(found[1]), told
    status, count, told = errors(AGENT)
    tap.equal((status, count), errors(UST)[:2],
              "under Valgrind: no errors of ours")
    tap.ok(not told.wrong and told.truths == 4,
           "under Valgrind: each name is right", told.truths, *told.wrong)
else:
    tap.skip("under Valgrind", "valgrind is not installed")

# The loader leaves preloaded libraries out of setuid programs.
if os.getuid() == 0:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        copy = f"{folder}/true"
        shutil.copy("/bin/true", copy)
        os.chown(copy, 65534, 65534)
        os.chmod(copy, 0o4755)
        result = run(copy, preload=(AGENT,), check=False,
                     COMMCACHE_DEBUG="1")
        tap.equal(outcome(result), (0, b"", b""), "a setuid program")
else:
    tap.skip("a setuid program", "only root can make one of another user")

# The session daemon dies and comes back.
with Sleeper(2) as sleeper:
    sleeper.do("rot")
    with open("/run/lttng/lttng-sessiond.pid" if os.getuid() == 0 else
              os.path.expandvars("$LTTNG_HOME/.lttng/lttng-sessiond.pid"),
              encoding="ascii") as file:
        daemon = int(file.read())
    os.kill(daemon, signal.SIGKILL)
    sleeper.do("rot+-")
    # The dead one's children hold its lock for a moment. The limits are for a
    # machine on which it never comes.
    for _ in range(1500):
        if not subprocess.run(("lttng-sessiond", "--daemonize", "--no-kernel"),
                              check=False, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode:
            break
        time.sleep(0.2)
    # LTTng-UST tries again after some seconds.
    for _ in range(1500):
        if f"PID: {sleeper.pid} " in lttng("list", "--userspace"):
            break
        time.sleep(0.2)
    with Session() as session:
        names = sleeper.names()
        sleeper.do("rot")
        told = Replay(session.events())
    tap.ok(told.dumps and told.dumps[0]["threads"] == names,
           "another session daemon: all names are in its session",
           told.dumps, names)
    tap.ok(not told.wrong and told.truths, "another session daemon: names",
           *told.wrong)
    tap.equal(sleeper.end(), (0, b""), "another session daemon: a good end")

tap.end()
