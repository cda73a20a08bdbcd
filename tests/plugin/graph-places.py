# SPDX-License-Identifier: MIT
"""Where the filter can stand: before and after a trimmer, beside a muxer of
several traces, in Python's TraceCollectionMessageIterator."""

import os
import re
import subprocess

import graphs
from graphs import diag, ok, same

FOLDER = os.path.dirname(graphs.TEST_PLUGIN)
os.environ["BABELTRACE_PLUGIN_PATH"] = FOLDER

import bt2

MIRROR = "m:filter.commcachetest.mirror"
DETAILS = ["--component=d:sink.text.details", "--params=color=never"]


def babeltrace2(*args):
    run = subprocess.run(["babeltrace2"] + list(args), capture_output=True)
    return run.returncode, run.stdout, run.stderr.decode("utf-8", "replace")


def messages(text):
    """The messages of a text, in order: but the trimmer begins and ends
    streams in the order of their addresses."""
    blocks = []
    run = []
    for block in text.strip(b"\n").split(b"\n\n"):
        if b"\nEvent `" in block:
            blocks += sorted(run) + [block]
            run = []
        else:
            run.append(block)
    return blocks + sorted(run)


def equal(wanted, got):
    """The same, but for strings that are empty: see mirror-traces.py."""
    wanted, got = (b"\n\n".join(messages(text)).split(b"\n") for text in (wanted, got))
    return len(wanted) == len(got) and all(
        a == b or (b.endswith(b": ") and a.startswith(b)) for a, b in zip(wanted, got)
    )


def passes(errors):
    found = re.search(r"commcachetest: (\d+) passes, (\d+) learned", errors)
    return (int(found.group(1)), int(found.group(2))) if found else None


def check_convert(name, options):
    """babeltrace2 convert puts the trimmer before the filter."""
    status, wanted, _ = babeltrace2(*options, *DETAILS)
    events = wanted.count(b"\nEvent `")
    ok(status == 0 and events > 50, "%s: %d events without filter" % (name, events))
    for lookahead, number in (("no", 1), ("yes", 2), ("auto", 2)):
        params = "--params=lookahead=%s,provenance=yes" % lookahead
        status, got, errors = babeltrace2(*options, "--component=" + MIRROR, params, *DETAILS)
        if not ok(status == 0 and equal(wanted, got), "%s: lookahead=%s" % (name, lookahead)):
            diag(errors[-2000:])
        same(passes(errors), (number, events), "%s: lookahead=%s reads that often" % (name, lookahead))


def run_graph(trace, middle):
    """babeltrace2 run: src, muxer, MIDDLE (component, params), details."""
    args = ["run", "--component=src:source.ctf.fs", '--params=inputs=["%s"]' % trace]
    args += ["--component=mux:filter.utils.muxer"]
    names = ["mux"]
    for component, params in middle:
        args += ["--component=" + component, "--params=" + params]
        names.append(component.split(":")[0])
    args += DETAILS + ["--connect=src:mux"]
    args += ["--connect=%s:%s" % pair for pair in zip(names, names[1:] + ["d"])]
    return babeltrace2(*args)


def check_trimmer_after(trace, begin, end):
    trimmer = ("t:filter.utils.trimmer", 'begin="%s",end="%s"' % (begin, end))
    status, wanted, errors = run_graph(trace, [trimmer])
    ok(status == 0 and wanted.count(b"\nEvent `") > 50, "trimmed without filter")
    for lookahead in ("no", "yes"):
        mirror = (MIRROR, "lookahead=" + lookahead)
        status, got, errors = run_graph(trace, [mirror, trimmer])
        if not ok(status == 0 and equal(wanted, got), "a trimmer after, lookahead=" + lookahead):
            diag(errors[-2000:])
        status, got, errors = run_graph(trace, [trimmer, mirror])
        if not ok(status == 0 and equal(wanted, got), "a trimmer before, lookahead=" + lookahead):
            diag(errors[-2000:])
        other = ("n:filter.commcachetest.mirror", "lookahead=" + lookahead)
        status, got, errors = run_graph(trace, [mirror, trimmer, other])
        if not ok(status == 0 and equal(wanted, got), "a trimmer between, lookahead=" + lookahead):
            diag(errors[-2000:])


def check_python(traces):
    plain = sum(
        isinstance(message, bt2._EventMessageConst)
        for message in bt2.TraceCollectionMessageIterator(traces)
    )
    for lookahead in ("no", "yes"):
        spec = bt2.ComponentSpec.from_named_plugin_and_component_class(
            "commcachetest", "mirror", {"lookahead": lookahead, "ids": ["common"]}
        )
        seen = [
            str(message.event.common_context_field["zz_string"])
            for message in bt2.TraceCollectionMessageIterator(traces, spec)
            if isinstance(message, bt2._EventMessageConst)
        ]
        same(len(seen), plain, "TraceCollectionMessageIterator, lookahead=%s" % lookahead)
        first = plain if lookahead == "yes" else 1
        same(seen[0], "seen %d" % first, "its first event knows what it is to know")


def main():
    shared = graphs.shared_dir()
    if not shared:
        print("1..0 # SKIP no real traces: set COMMCACHE_SHARED to their folder")
        return
    trace = os.path.join(shared, "ktraces/K1-tid/kernel")
    both = [
        os.path.join(shared, "ktraces/K5-lean", part) for part in ("kernel", "ust/uid/0/64-bit")
    ]
    # K1-tid is 0.84 s long: its times in seconds.
    _, text, _ = babeltrace2(trace, "--clock-seconds")
    times = re.findall(rb"^\[(\d+\.\d+)\]", text, re.MULTILINE)
    begin, end = (times[len(times) // 3].decode(), times[len(times) // 2].decode())
    check_convert("one trace", [trace])
    check_convert("--begin", [trace, "--begin=" + begin])
    check_convert("--end", [trace, "--end=" + end])
    check_convert("--begin and --end", [trace, "--begin=" + begin, "--end=" + end])
    check_convert("two traces through a muxer", both)
    check_trimmer_after(trace, begin, end)
    check_python(both)
    graphs.done()


main()
