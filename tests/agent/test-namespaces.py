# SPDX-License-Identifier: MIT
"""A /proc that is another PID namespace's, or none: what is told is right and
has our own numbers, and what cannot be read is not told."""

import os
import subprocess

from tap import Tap, skip_all
from replay import Replay
from session import AGENT, FORK, Session, program, run

if os.getuid() or subprocess.run(("unshare", "--pid", "--mount", "--fork",
                                  "true"), check=False,
                                 stderr=subprocess.DEVNULL).returncode:
    skip_all("needs root, and PID and mount namespaces")

tap = Tap()

TRACED = ("env", f"LD_PRELOAD={AGENT} {FORK}", program("namespaces"))
OUTER = ("unshare", "--pid", "--fork")
HIDDEN = "mount -t proc -o hidepid=2 proc /proc && exec "
NONE = "umount -l /proc && exec "


def at(commands, *words):
    """A shell that does something to /proc first."""
    return ("unshare", "--mount", "sh", "-c",
            commands + '"$@"', "sh") + words


WAYS = {
    "its own /proc": ("unshare", "--pid", "--fork", "--mount-proc") + TRACED,
    "the outer /proc": OUTER + TRACED,
    "the outer /proc's outer one": OUTER + OUTER + TRACED,
    "no /proc": at(NONE, *TRACED),
    "no /proc in a namespace": OUTER + at(NONE, *TRACED),
    "a /proc that hides processes": at(HIDDEN, *TRACED),
    "children in a namespace": TRACED + ("inner",),
    "children in one, no /proc": at(NONE, *TRACED, "inner"),
}

for what, command in WAYS.items():
    for feed in "hooks", "perf":
        with Session(contexts=("vtid", "vpid")) as session:
            result = run(*command, preload=(), check=False,
                         COMMCACHE_FEED=feed)
            events = session.events()
        tap.equal((result.returncode, result.stdout, result.stderr),
                  (0, b"", b""), f"{what}, {feed}: exit status, output")
        # Processes of two namespaces may have one number: the kernel's word
        # is for that of the last one that said who it is.
        told = Replay(events, disputed=True)
        tap.ok(not told.wrong and told.truths >= 15,
               f"{what}, {feed}: each name is right", told.truths,
               *told.wrong)
        names = [event for event in events
                 if event.name.startswith("commcache:")
                 and "" in (event.fields.get("comm", "x"),
                            event.fields.get("prev_comm", "x"))]
        tap.ok(not names, f"{what}, {feed}: no name is empty", *names)
        wrong = [event for event in events
                 if event.name.startswith("commcache:")
                 and event.pid != event.context["vpid"]]
        tap.ok(not wrong, f"{what}, {feed}: the own pid", *wrong)
        if "namespace" in what or "proc" in what and "outer" in what:
            highest = max((event.tid for event in events
                           if event.name == "commcache:statedump_thread" and
                           event.pid < 300), default=0)
            tap.ok(highest < 300, f"{what}, {feed}: the own numbers", highest)

tap.end()
