# SPDX-License-Identifier: MIT
"""bench-filter.py ROUNDS KERNEL-TRACE SMALL-TRACE UST-TRACE...: see bench-filter.sh.

`filter WHAT VARIANT seconds VALUE` is the median of user and system time of
ROUNDS runs, taken in turns; `ratio` is that to the plain reading's of the same
run; `instructions_ratio` is the same of instructions, as valgrind counts them,
which are the same in each run. Behind a row stand its target and what the last
release had; all rows go as JSON to the file $BENCH_JSON. With one argument, the trace, it is the filter in Python itself.
"""

import json
import os
import re
import resource
import statistics
import subprocess
import sys

RESOLVE = "--component=filter.commcache.resolve"
VARIANTS = {
    "plain": [],
    "one-pass": [RESOLVE, "--params=lookahead=no"],
    "lookahead": [RESOLVE, "--params=lookahead=yes"],
    "threads": ["--component=sink.commcache.threads"],
    "timeline": ["--component=sink.commcache.timeline"],
    "debug-info": ["--component=filter.lttng-utils.debug-info"],
    "python": None,
}
SINKS = ("threads", "timeline")
# It takes long and does not vary much.
PYTHON_ROUNDS = 1


def command(trace, options):
    if options is None:
        return [sys.executable, os.path.abspath(__file__), trace]
    if options and "=sink." in options[0]:
        return ["babeltrace2", trace] + options
    return ["babeltrace2", trace] + options + ["--component=sink.utils.dummy"]


# Of each row that has one: what is wanted, and what the last release had.
FIGURES = {
    "ust one-pass ratio": (1.25, 1.50),
    "ust one-pass instructions_ratio": (1.24, 1.35),
    "ust lookahead ratio": (2.2, 2.6),
    "ust lookahead instructions_ratio": (None, 2.37),
    "ust threads ratio": (2.3, 2.4),
    "ust timeline ratio": (2.3, 3.7),
    "kernel one-pass ratio": (1.2, 1.45),
    "kernel lookahead ratio": (1.6, 2.2),
}
rows = []


def row(what, variant, unit, value, shown):
    """Prints a row, and keeps it for the JSON."""
    name = "%s %s %s" % (what, variant, unit)
    target, last = FIGURES.get(name, (None, None))
    more = "".join(
        " %s %s" % pair for pair in (("target", target), ("last", last)) if pair[1] is not None
    )
    print("filter %s %s%s" % (name, shown % value, more), flush=True)
    rows.append({"name": "filter " + name, "value": value, "target": target, "last": last})


def cpu_time(args):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(args, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def works(args):
    run = subprocess.run(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return run.returncode == 0


def bench_time(what, trace, rounds):
    times = {}
    for variant, options in VARIANTS.items():
        # debug-info of babeltrace2 2.0.4 aborts on some kernel traces.
        if works(command(trace, options)):
            times[variant] = []
        else:
            print("# filter %s %s: fails by itself" % (what, variant))
    for number in range(rounds):
        for variant in times:
            if variant != "python" or number < PYTHON_ROUNDS:
                times[variant].append(cpu_time(command(trace, VARIANTS[variant])))
    plain = statistics.median(times["plain"])
    for variant, seconds in times.items():
        middle = statistics.median(seconds)
        row(what, variant, "seconds", middle, "%.3f")
        row(what, variant, "ratio", middle / plain, "%.2f")


def count_instructions(args):
    tool = [os.environ["VALGRIND"], "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    run = subprocess.run(tool + args, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    found = re.search(r"refs: *([0-9,]+)", run.stderr.decode("utf-8", "replace"))
    return int(found.group(1).replace(",", ""))


def bench_instructions(what, trace):
    plain = None
    for variant in ("plain", "one-pass", "lookahead", "debug-info") + SINKS:
        args = command(trace, VARIANTS[variant])
        if works(args):
            number = count_instructions(args)
            plain = plain or number
            row(what, variant, "instructions_ratio", number / plain, "%.3f")


def peak_memory(args):
    """In kB, of that command alone: of a child of our own."""
    code = (
        "import resource, subprocess, sys;"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    return int(subprocess.run([sys.executable, "-c", code] + args, check=True, capture_output=True).stdout)


def bench_memory(traces):
    for trace in traces:
        for variant in ("plain", "one-pass", "lookahead") + SINKS:
            memory = peak_memory(command(trace, VARIANTS[variant]))
            events = os.path.basename(trace)
            row("memory-" + events, variant, "kB", memory, "%d")


def python_filter(trace):
    """The least that a filter in Python has to do to find the names of events:
    it looks at each one's tid. It adds nothing."""
    import bt2

    names = {}

    class Iterator(bt2._UserMessageIterator):
        def __init__(self, config, port):
            self._upstream = self._create_message_iterator(self._component._input_ports["in"])

        def __next__(self):
            message = next(self._upstream)
            if type(message) is bt2._EventMessageConst:
                event = message.event
                if event.name == "sched_switch":
                    payload = event.payload_field
                    names[int(payload["next_tid"])] = str(payload["next_comm"])
                context = event.common_context_field
                if context is not None and "vtid" in context:
                    names.get(int(context["vtid"]))
            return message

    class Filter(bt2._UserFilterComponent, message_iterator_class=Iterator):
        def __init__(self, config, params, obj):
            self._add_input_port("in")
            self._add_output_port("out")

    graph = bt2.Graph()
    ctf = bt2.find_plugin("ctf").source_component_classes["fs"]
    utils = bt2.find_plugin("utils")
    folders = [path for path, _, files in os.walk(trace) if "metadata" in files]
    muxer = graph.add_component(utils.filter_component_classes["muxer"], "muxer")
    source = graph.add_component(ctf, "source", {"inputs": folders})
    for port in source.output_ports.values():
        free = [p for p in muxer.input_ports.values() if not p.is_connected][0]
        graph.connect_ports(port, free)
    ours = graph.add_component(Filter, "filter")
    sink = graph.add_component(utils.sink_component_classes["dummy"], "sink")
    graph.connect_ports(muxer.output_ports["out"], ours.input_ports["in"])
    graph.connect_ports(ours.output_ports["out"], sink.input_ports["in"])
    graph.run()


def main():
    if len(sys.argv) == 2:
        python_filter(sys.argv[1])
        return
    rounds, kernel, small, ust = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
    bench_time("ust", ust[0], rounds)
    if kernel:
        bench_time("kernel", kernel, rounds)
    else:
        print("# no kernel trace: set COMMCACHE_SHARED to the folder of traces")
    if os.environ.get("VALGRIND"):
        bench_instructions("ust", small)
        if kernel:
            bench_instructions("kernel", kernel)
    else:
        print("# valgrind is missing: no instructions counted")
    bench_memory(ust)
    if os.environ.get("BENCH_JSON"):
        with open(os.environ["BENCH_JSON"], "w") as file:
            json.dump(rows, file, indent=1)


main()
