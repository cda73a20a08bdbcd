# SPDX-License-Identifier: MIT
"""Reading twice is like reading once, and so is reading after a seek.

Traces of our own with clocks of few bits, with none, with what packets tell or
do not tell; the real ones; and all of them cut off at many places. Each is read
plainly, by the filter in one pass and in two, and by one who goes back in the
midst: the same messages, times and exit status.

Cut off is a stream at every 64th byte: of the real traces a sample of some
hundred such places. With the argument `all` it is all places of traces that are
short enough to be read so often, and a larger sample of the others.
"""

import hashlib
import os
import shutil
import signal
import sys
import tempfile

import bt2

import ctf
import graphs
from graphs import diag, ok

MIRROR = graphs.component_class("mirror")
CTF = graphs.standard("ctf", "source", "fs")
MUXER = graphs.standard("utils", "filter", "muxer")
DETAILS = graphs.standard("text", "sink", "details")

# A cut at every so many bytes; of the real traces, so many of them.
STEP = 64
SAMPLE = 250
# What is longer is read too slowly for more than so many cuts, if for any.
LARGE = 300000
SAMPLE_OF_LARGE = 500

# babeltrace2 by itself does not come to an end on some cuts.
PATIENCE = 20


class BackAgainIterator(bt2._UserMessageIterator):
    """Goes back once it has had some messages; at an error, too."""

    def __init__(self, config, port):
        self._upstream = self._create_message_iterator(self._component._input_ports["in"])
        self._first = 7

    def _go_back(self):
        self._first = 0
        self._upstream.seek_beginning()

    def __next__(self):
        try:
            while self._first:
                next(self._upstream)
                self._first -= 1
                if self._first == 0:
                    self._go_back()
        except (StopIteration, bt2._Error):
            self._go_back()
        return next(self._upstream)


class BackAgain(bt2._UserFilterComponent, message_iterator_class=BackAgainIterator):
    def __init__(self, config, params, obj):
        self._add_input_port("in")
        self._add_output_port("out")


WAYS = {
    "one pass": [(MIRROR, {"lookahead": "no"})],
    "two passes": [(MIRROR, {"lookahead": "yes"})],
    "one pass, and back": [(MIRROR, {"lookahead": "no"}), (BackAgain, None)],
    "two passes, and back": [(MIRROR, {"lookahead": "auto"}), (BackAgain, None)],
    "two filters": [(MIRROR, {"lookahead": "yes"}), (MIRROR, {"lookahead": "yes"})],
}


# Those that tell most, for what is read often.
TWICE = {way: WAYS[way] for way in ("two passes", "two passes, and back")}


def run_graph(folder, filters):
    graph = bt2.Graph()
    source = graph.add_component(CTF, "source", {"inputs": [folder]})
    muxer = graph.add_component(MUXER, "muxer")
    for number, port in enumerate(source.output_ports.values()):
        graph.connect_ports(port, muxer.input_ports["in%d" % number])
    upstream = muxer.output_ports["out"]
    for number, (cls, params) in enumerate(filters):
        comp = graph.add_component(cls, "filter%d" % number, params)
        graph.connect_ports(upstream, list(comp.input_ports.values())[0])
        upstream = list(comp.output_ports.values())[0]
    sink = graph.add_component(DETAILS, "sink", {"color": "never", "with-metadata": False})
    graph.connect_ports(upstream, sink.input_ports["in"])
    graph.run()


def child(folder, filters, out):
    """In a process of its own: what is broken may end it."""
    signal.alarm(PATIENCE)
    os.dup2(out.fileno(), 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    status = 0
    try:
        run_graph(folder, filters)
    except bt2._Error:
        status = 1
    graphs._libc.fflush(None)
    os._exit(status)


def read(folder, filters=()):
    """How it ended, and all that was told, but for strings that are empty: see
    mirror-traces.py."""
    with tempfile.TemporaryFile() as out:
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            child(folder, filters, out)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        out.seek(0)
        return status, out.read().split(b"\n")


def is_same(wanted, got):
    return (
        wanted[0] == got[0]
        and len(wanted[1]) == len(got[1])
        and all(
            a == b or (b.endswith(b": ") and a.startswith(b)) for a, b in zip(wanted[1], got[1])
        )
    )


class Judge:
    """Reads a trace in each way; tells what was not as it is without us."""

    def __init__(self):
        self.readings = 0
        self.alone = 0

    def wrong(self, folder, ways):
        plain = read(folder)
        if plain[0] < 0:
            # babeltrace2 by itself dies or finds no end.
            self.alone += 1
            return []
        bad = []
        for way, filters in ways.items():
            self.readings += 1
            got = read(folder, filters)
            if not is_same(plain, got):
                bad.append((way, plain[0], got[0], len(plain[1]), len(got[1])))
        return bad


def check(name, judge, folder):
    bad = judge.wrong(folder, WAYS)
    if not ok(bad == [], name):
        diag("(way, status without us and with, lines without us and with): %s" % bad)


def streams(folder):
    """The files that can be cut: not the metadata, with which 2.0.4 finds no end."""
    return [
        entry.name
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name)
        if entry.is_file() and entry.name != "metadata"
    ]


def size_of(folder):
    return sum(os.path.getsize(os.path.join(folder, name)) for name in streams(folder))


def cuts_of(folder):
    """(folder, stream, size) for each place at which a stream can be cut off."""
    return [
        (folder, stream, size)
        for stream in streams(folder)
        for size in range(0, os.path.getsize(os.path.join(folder, stream)), STEP)
    ]


def sample(cuts, count):
    """By a fixed stride: the same ones each time."""
    return cuts[:: max(1, len(cuts) // count)]


def check_cuts(name, judge, cuts, scratch):
    bad = []
    copy = os.path.join(scratch, "cut")
    for folder, stream, size in cuts:
        shutil.copytree(folder, copy)
        path = os.path.join(copy, stream)
        os.chmod(path, 0o600)
        os.truncate(path, size)
        bad += [(folder, stream, size) + what for what in judge.wrong(copy, TWICE)]
        shutil.rmtree(copy)
    if not ok(bad == [], "%s: cut off at %d places" % (name, len(cuts))):
        diag("(folder, stream, size, way, status, lines): %s" % bad[:20])


def make_narrow(folder, bits, told):
    """Two CPUs, two packets each; the clock wraps between and within them."""
    writer = ctf.Writer(folder, bits, told)
    step = max((1 << min(bits, 32)) // 3, 1)
    writer.packet(0, [(0 * step, ("idle", 0, "alpha", 11)), (1 * step, 1), (2 * step, "a text")])
    writer.packet(1, [(7 * step // 2, ("idle", 0, "gamma", 13))])
    writer.packet(0, [(4 * step, 3), (5 * step, ("alpha", 11, "idle", 0)), (6 * step, "x" * 70)])
    writer.packet(1, [(9 * step // 2, 4), (11 * step // 2, "y" * 150)])


def check_own(judge, scratch):
    told = {
        "sizes": (ctf.SIZES,),
        "nothing": (),
        "ends": (ctf.SIZES, ctf.END),
        "begins": (ctf.SIZES, ctf.BEGIN),
        "begins and ends": (ctf.SIZES, ctf.BEGIN, ctf.END),
    }
    for bits in (0, 8, 16, 27, 32, 64):
        for name, parts in told.items():
            if not bits and len(parts) > 1:
                continue
            folder = os.path.join(scratch, "%d-%s" % (bits, name.replace(" ", "-")))
            if parts:
                make_narrow(folder, bits, parts)
            else:
                # One packet a stream, to the end of the file.
                writer = ctf.Writer(folder, bits, parts)
                writer.packet(0, [(n * 100, n if n % 2 else "text %d" % n) for n in range(9)])
            name = "a clock of %d bits, packets tell %s" % (bits, name)
            check(name, judge, folder)
            check_cuts(name, judge, cuts_of(folder), scratch)


def check_real(judge, shared, scratch, is_long):
    cuts = []
    for folder, folders, files in sorted(os.walk(shared)):
        if "metadata" not in files or os.path.relpath(folder, shared).startswith("cases"):
            continue
        name = os.path.relpath(folder, shared)
        is_large = size_of(folder) > LARGE
        if is_long or not is_large:
            check(name, judge, folder)
        if is_long:
            count = SAMPLE_OF_LARGE if is_large else sys.maxsize
            check_cuts(name, judge, sample(cuts_of(folder), count), scratch)
        elif not is_large:
            cuts += cuts_of(folder)
    if cuts:
        check_cuts("real traces", judge, sample(cuts, SAMPLE), scratch)


def main():
    shared = graphs.shared_dir()
    judge = Judge()
    with tempfile.TemporaryDirectory(prefix="commcache-") as scratch:
        check_own(judge, scratch)
        if shared:
            check_real(judge, shared, scratch, sys.argv[1:] == ["all"])
    diag("%d readings; babeltrace2 by itself fails hard on %d inputs" % (judge.readings, judge.alone))
    graphs.done()


main()
