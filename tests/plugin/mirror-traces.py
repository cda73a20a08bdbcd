# SPDX-License-Identifier: MIT
"""Real traces pass the mirror unchanged: as text, and written as CTF again.

One thing differs by design: a text array that is empty. babeltrace2 2.0.4
shows an earlier event's text for it, where the output has an empty string.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import graphs
from graphs import diag, ok

# From a dump that goes by the length: how many empty strings there are. From 2.1 on
# babeltrace2 shows them.
EMPTY_STRINGS = {"ktraces/K1/kernel": 277, "ktraces/K8/kernel": 52}
if max(graphs.mip_versions()) > 0:
    EMPTY_STRINGS = dict.fromkeys(EMPTY_STRINGS, 0)

DETAILS = ["--component=sink.text.details", "--params=color=never"]


def mirror(lookahead):
    return [
        "--component=mirror:filter.commcachetest.mirror",
        "--params=lookahead=%s" % lookahead,
    ]


def babeltrace2(args):
    env = dict(os.environ, BABELTRACE_PLUGIN_PATH=os.path.dirname(graphs.TEST_PLUGIN))
    out = tempfile.TemporaryFile()
    run = subprocess.run(["babeltrace2"] + args, stdout=out, stderr=subprocess.PIPE, env=env)
    out.seek(0)
    return run.returncode, out, run.stderr.decode("utf-8", "replace")


def compare(plain, mirrored):
    """The number of strings that became empty; None: something else differs."""
    emptied = 0
    while True:
        wanted, got = plain.readline(), mirrored.readline()
        if wanted == got:
            if not wanted:
                return emptied
            continue
        empty = re.match(rb" +[\w\[\]]+: \n$", got)
        if not (empty and wanted.startswith(empty.group().rstrip(b"\n"))):
            diag("wanted: %r" % wanted)
            diag("got:    %r" % got)
            return None
        emptied += 1


def check_text(name, trace):
    status, plain, plain_errors = babeltrace2([trace] + DETAILS)
    for lookahead in ("no", "yes"):
        got_status, mirrored, errors = babeltrace2([trace] + mirror(lookahead) + DETAILS)
        plain.seek(0)
        emptied = compare(plain, mirrored)
        good = emptied is not None and got_status == status
        good = good and emptied == EMPTY_STRINGS.get(name, emptied)
        if not ok(good, "%s: text, lookahead=%s (%s empty strings)" % (name, lookahead, emptied)):
            diag("exit status %d, without filter %d" % (got_status, status))
            diag(errors[-2000:])


def ctf(trace, filters, folder):
    sink = ["--component=sink.ctf.fs", '--params=path="%s"' % folder]
    return babeltrace2([trace] + filters + sink)


def check_ctf(name, trace, scratch):
    """What sink.ctf.fs makes of it is the same, and is read again."""
    folders = [os.path.join(scratch, which) for which in ("plain", "mirrored")]
    status, _, _ = ctf(trace, [], folders[0])
    got_status, _, errors = ctf(trace, mirror("no"), folders[1])
    emptied = None
    if status == got_status == 0:
        # The sink makes a new UUID each time; names hold the folder.
        details = DETAILS[:1] + [
            "--params=color=never,with-uuid=no,with-trace-name=no,with-stream-name=no"
        ]
        _, plain, _ = babeltrace2([folders[0]] + details)
        _, mirrored, _ = babeltrace2([folders[1]] + details)
        emptied = compare(plain, mirrored)
    elif status == got_status:
        # A trace that is broken; sink.ctf.fs 2.0.4 crashes on it by itself.
        emptied = 0
    if not ok(emptied is not None, "%s: through sink.ctf.fs, status %d" % (name, status)):
        diag("exit status %d, without filter %d" % (got_status, status))
        diag(errors[-2000:])
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    shared = graphs.shared_dir()
    if not shared:
        print("1..0 # SKIP no real traces: set COMMCACHE_SHARED to their folder")
        return
    metadata = glob.glob(os.path.join(shared, "*traces", "**", "metadata"), recursive=True)
    traces = sorted(os.path.dirname(path) for path in metadata)
    ok(len(traces) >= 30, "there are traces: %d" % len(traces))
    with tempfile.TemporaryDirectory(prefix="commcache-") as scratch:
        for trace in traces:
            name = os.path.relpath(trace, shared)
            if len(sys.argv) > 1 and not any(word in name for word in sys.argv[1:]):
                continue
            check_text(name, trace)
            check_ctf(name, trace, scratch)
    graphs.done()


main()
