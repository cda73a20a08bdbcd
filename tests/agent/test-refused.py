# SPDX-License-Identifier: MIT
"""System calls that a filter refuses, each alone: the program runs as without
us, and what is told is right, or nothing."""

import os
import re
import subprocess

from tap import Tap, skip_all
from session import AGENT, Session, program, run

UST = "liblttng-ust.so.1"
CALLS = ("get-name", "openat", "getpid", "gettid", "perf_event_open", "futex",
         "madvise", "membarrier", "getdents64", "readlink", "pread64", "close",
         "clock_nanosleep", "epoll_wait", "munmap", "tgkill")
# What the threads are called, one after the other.
NAMES = {"refused", "by-itself", "by-itself-again", "by-creator",
         "main-thread", "refused-ust", "commcache-feed", "commcache-wait"}


def numbers():
    """Of system calls, by name."""
    result = subprocess.run(("cc", "-E", "-dM", "-include", "sys/syscall.h",
                             "-"), input=b"", stdout=subprocess.PIPE,
                            check=False)
    return {name.decode(): number.decode() for name, number in
            re.findall(rb"#define __NR_(\w+) (\d+)", result.stdout)}


tap = Tap()
NUMBERS = numbers()
if not NUMBERS:
    skip_all("needs a C compiler, for the numbers of system calls")


def end(how, call, *preload, **more):
    """How the program ends."""
    try:
        result = run(program("refused"), how, call, preload=preload,
                     check=False, timeout=30, **more)
    except subprocess.TimeoutExpired:
        return "it hangs"
    return result.returncode, result.stdout, result.stderr


with Session("commcache:*", contexts=()) as session:
    for how in "errno", "kill":
        for name in CALLS:
            call = NUMBERS.get(name, name)
            plain = end(how, call), end(how, call, UST)
            if plain[0] != plain[1] or plain[0][0]:
                tap.skip(f"{how}, {name}",
                         "it or LTTng-UST alone does not bear it")
                continue
            tap.equal(end(how, call, AGENT), plain[0],
                      f"{how}, {name}: it ends as without us")
            if how == "errno":
                tap.equal(end(how, call, AGENT, COMMCACHE_FEED="perf"),
                          plain[0], f"{how}, {name}: with the second feed")
    # Those that a signal ended leave events open, perhaps.
    session.stop()
    events = session.events()

wrong = [event for event in events
         if {event.fields.get("comm"), event.fields.get("prev_comm")} -
         NAMES - {None}]
tap.ok(not wrong, "no name is told that none is", len(wrong), *wrong[:10])
told = {event.comm for event in events
        if event.name == "commcache:thread_rename"}
tap.equal(told, NAMES - {"refused", "refused-ust", "commcache-feed",
                         "commcache-wait"}, "those that are, are told")

tap.end()
