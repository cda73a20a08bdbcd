# SPDX-License-Identifier: MIT
"""Texts of strangers: nothing that orders, hides or controls is printed.

All such characters there are stand in names of threads, hosts, event classes and
paths; what prints them is the filter, the table, its JSON, both pictures, and
the messages of errors.
"""

import os
import re
import subprocess
import sys
import tempfile
import unicodedata

import ctf
import graphs
import names_oracle as oracle
from graphs import diag, ok, same

# As a terminal and a browser know them; U+0000 ends a text.
HARMFUL = [chr(code) for code in range(1, sys.maxunicode + 1) if oracle.is_harmful(chr(code))]
# What each tool that shows text right to left, or nothing, is tricked with.
BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e\u2028\u2029"
HOST = "ho" + BIDI + "st" + ZERO_WIDTH
EVENT = "ev" + BIDI + ZERO_WIDTH
FILE = "fi" + BIDI + ZERO_WIDTH + "le"


def names():
    """As many as fit into the 15 bytes of a name, two letters around."""
    name = ""
    for char in HARMFUL + ["e", "\u00e9", "\u4e2d"]:
        if len(("<%s%s>" % (name, char)).encode()) > 15:
            yield "<%s>" % name
            name = ""
        name += char
    yield "<%s>" % name


def write(folder):
    trace = ctf.Writer(
        folder,
        64,
        # babeltrace2 2.1.1 aborts on a trace of LTTng's without packet times.
        told=(ctf.SIZES, ctf.BEGIN, ctf.END),
        env={"domain": "kernel", "tracer_name": "lttng-modules", "hostname": HOST},
        work=EVENT,
    )
    events = []
    previous = ("swapper/0", 0)
    for number, name in enumerate(names()):
        this = (name, 100 + number)
        events.append((1000 * number, previous + this))
        events.append((1000 * number + 500, number))
        previous = this
    events.append((10000000, previous + ("swapper/0", 0)))
    trace.packet(0, events)


def run(*args):
    done = subprocess.run(("babeltrace2",) + args, capture_output=True, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def harmful_in(text):
    """A page and a table have lines and tabs of their own."""
    return sorted({"U+%04X" % ord(c) for c in text if c not in "\n\t" and oracle.is_harmful(c)})


def check(name, text, wanted=()):
    same(harmful_in(text), [], name + ": no such character")
    missing = [word for word in wanted if word not in text]
    if not ok(not missing, "%s: all %d texts are there, escaped" % (name, len(wanted))):
        diag("missing: %s" % missing[:5])


def unfolded(text):
    """babeltrace2 breaks the lines of its messages."""
    return "".join(text.split("\n")).replace(" ", "")


def json_of(shown):
    return shown.replace("\\", "\\\\").replace("<", "\\u003c")


def main():
    shown = [oracle.escape(name.encode()) for name in names()]
    host = oracle.escape(HOST.encode())
    with tempfile.TemporaryDirectory(prefix="commcache-") as scratch:
        trace = os.path.join(scratch, "trace")
        write(trace)
        status, text, _ = run(
            trace, "--component=f:filter.commcache.resolve",
            "--component=sink.text.pretty", "--params=color=never"
        )
        comms = [re.search(r'[{,] comm = "(.*?)"[ ,]', line).group(1)
                 for line in text.split("\n") if EVENT in line]
        same([status, comms], [0, [comm.replace("\\", "\\\\") for comm in shown]], "the filter")

        sink = "--component=s:sink.commcache."
        status, text, _ = run(trace, sink + "threads")
        check("table", text, shown + [host])
        status, text, _ = run(trace, sink + "threads", '--params=format="json"')
        check("JSON", text, [json_of(word) for word in shown + [host]])
        status, text, _ = run(trace, sink + "timeline", '--params=title="%s"' % HOST)
        check("page", text, [json_of(word) for word in shown + [host]])
        status, text, _ = run(trace, sink + "timeline", '--params=format="perfetto"')
        check("perfetto", text, [json_of(word) for word in shown])

        for way, param in (
            ("threads", 'names-from="%s"'),
            ("timeline", 'path="%s/x"'),
            ("timeline", 'names-from="%s"'),
        ):
            path = os.path.join(scratch, FILE)
            status, text, errors = run(trace, sink + way, "--params=" + param % path)
            ok(status != 0 and errors, "%s of %s: it is an error" % (param, way))
            check("its message", unfolded(errors), [oracle.escape(FILE.encode())])
        path = os.path.join(scratch, FILE)
        with open(path, "w") as file:
            file.write("not a number\n")
        status, text, errors = run(trace, sink + "threads", '--params=names-from="%s"' % path)
        ok("beginwithathreadid" in unfolded(errors), "a bad line is an error")
        check("its message", unfolded(errors), [oracle.escape(FILE.encode())])
    graphs.done()


main()
