# SPDX-License-Identifier: MIT
"""CTF 2 says what CTF 1.8 says, and goes through the filter as it does.

Each real trace, written as CTF 2 by babeltrace2, gets the same names, sources
and tids; written by way of the filter and read again, nothing is lost; and a
kernel trace of one format names the user's events of the other. Then recordings
of LTTng in CTF 2, whose events tell their true name.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile

import graphs
from graphs import diag, ok

FILTER = ["--component=names:filter.commcache.resolve", "--params=provenance=true"]
PRETTY = [
    "--component=sink.text.pretty",
    "--params=color=never,no-delta=true,clock-cycles=true",
]
# A trace that is broken: sink.ctf.fs crashes on it by itself.
BROKEN = ("valid-events-then-invalid-events/trace",)


def babeltrace2(*args):
    run = subprocess.run(
        ["babeltrace2", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    return run.returncode, run.stdout.decode("utf-8", "surrogateescape")


def write(inputs, filters, folder):
    sink = ["--component=sink.ctf.fs", '--params=path="%s",ctf-version="2"' % folder]
    return babeltrace2(*inputs, *filters, *sink)[0] == 0


def same(got, wanted, name):
    if ok(got == wanted, "%s (%d lines)" % (name, wanted[1].count("\n"))):
        return
    lines = wanted[1].splitlines(), got[1].splitlines()
    diag("exit status %d, wanted %d" % (got[0], wanted[0]))
    for old, new in zip(*lines):
        if old != new:
            diag("wanted: " + old)
            diag("got:    " + new)
            return
    diag("%d lines, wanted %d" % (len(lines[1]), len(lines[0])))


def check_formats(name, trace, scratch):
    as_2, named = (os.path.join(scratch, name, what) for what in ("2", "named"))
    if not ok(write([trace], [], as_2), name + ": is written as CTF 2"):
        return None
    wanted = babeltrace2(trace, *FILTER, *PRETTY)
    same(babeltrace2(as_2, *FILTER, *PRETTY), wanted, name + ": names in CTF 2")
    written = write([trace], FILTER, named)
    same(
        babeltrace2(named, *PRETTY) if written else (1, ""),
        wanted,
        name + ": with names to CTF 2 and back",
    )
    return as_2


def check_boot(name, folder, as_2):
    """Kernel and user's events of one boot, one of them in the other format."""
    kernel, ust = (os.path.join(folder, what) for what in ("kernel", "ust"))
    wanted = babeltrace2(kernel, ust, *FILTER, *PRETTY)
    for pair in ((as_2[kernel], ust), (kernel, as_2[ust])):
        which = "the kernel's" if pair[0] != kernel else "the user's"
        same(
            babeltrace2(*pair, *FILTER, *PRETTY),
            wanted,
            "%s: both, %s in CTF 2" % (name, which),
        )


def check_traces(shared, scratch):
    metadata = glob.glob(os.path.join(shared, "*traces", "**", "metadata"), recursive=True)
    as_2 = {}
    for trace in sorted(os.path.dirname(path) for path in metadata):
        if not trace.endswith(BROKEN):
            as_2[trace] = check_formats(os.path.relpath(trace, shared), trace, scratch)
    ok(len(as_2) >= 30, "there are traces: %d" % len(as_2))
    # ust/ has the traces of each buffering scheme below it.
    boots = 0
    for folder in sorted(glob.glob(os.path.join(shared, "ktraces", "*"))):
        kernel, ust = (os.path.join(folder, what) for what in ("kernel", "ust"))
        if as_2.get(kernel) and os.path.isdir(ust):
            boots += 1
            as_2[ust] = os.path.join(scratch, os.path.relpath(ust, shared), "all")
            ok(write([ust], [], as_2[ust]), os.path.relpath(ust, shared) + ": as CTF 2")
            check_boot(os.path.relpath(folder, shared), folder, as_2)
    ok(boots > 0, "there are boots with both: %d" % boots)


def check_recordings(shared):
    status, text = babeltrace2(os.path.join(shared, "ctf2", "t-truth"), *FILTER, *PRETTY)
    events = [line for line in text.splitlines() if " truth:is: " in line]
    right = sum(
        bool(re.search(r' comm = "([^"]*)",.* truth = "\1" ', line)) for line in events
    )
    good = status == 0 and right == len(events) == 20000
    ok(good, "LTTng's CTF 2: %d of %d names are true" % (right, len(events)))
    for name in ("t-pool", "t-sched"):
        status, text = babeltrace2(os.path.join(shared, "ctf2", name), *FILTER, *PRETTY)
        count = text.count(" pool:")
        unknown = len(re.findall(r' pool:.* comm = "<', text))
        ok(
            status == 0 and count > 0 and unknown == 0,
            "LTTng's CTF 2, %s: %d of %d events have no name" % (name, unknown, count),
        )


def main():
    shared = graphs.shared_dir()
    if max(graphs.mip_versions()) < 1:
        print("1..0 # SKIP babeltrace2 %s does not read CTF 2" % graphs.bt2.__version__)
        return
    if not shared:
        print("1..0 # SKIP no real traces: set COMMCACHE_SHARED to their folder")
        return
    with tempfile.TemporaryDirectory(prefix="commcache-") as scratch:
        check_traces(shared, scratch)
    if os.path.isdir(os.path.join(shared, "ctf2")):
        check_recordings(shared)
    graphs.done()


main()
