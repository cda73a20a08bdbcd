# SPDX-License-Identifier: MIT
"""Everything passes the mirror unchanged: a grid of what trace IR can say.

Each case goes to sink.text.details without the filter, and through it: in one
pass and two, with input batches of one message and of many, with and without
added members. The texts have to be the same, but for what was added.
"""

import re
import sys

import graphs
from graphs import diag, ok

import grid
import grid_fields  # noqa: F401: each adds its cases
import grid_streams  # noqa: F401

MIRROR = graphs.component_class("mirror")
MUXER = graphs.standard("utils", "filter", "muxer")

# Where the members go.
ORDERS = (
    [],
    ["common", "specific", "payload"],
    ["after", "nested"],
)

SCOPE = re.compile(
    r" *(Common context|Specific context|Payload|"
    r"(Event common context|Specific context|Payload) field class): ?(Structure \(N members\).?|\{ 0 members \})?$"
)


def indent(line):
    return len(line) - len(line.lstrip(" "))


def without_added(text):
    """The text as if nothing had been added.

    Without the members, without the numbers of members, and without the
    scopes that have no member.
    """
    lines = []
    for line in text.splitlines():
        if not re.match(r" *zz_\w+: ", line):
            line = re.sub(r"^( *\w+:) Empty$", r"\1", line)
            lines.append(re.sub(r"Structure \(\d+ members?\):?", "Structure (N members)", line))
    return "\n".join(
        line
        for line, after in zip(lines, lines[1:] + [""])
        if not SCOPE.match(line) or indent(after) > indent(line)
    )


def run(name, lookahead, orders, muxer):
    filters = []
    if muxer:
        filters.append((MUXER, None))
    if lookahead is not None:
        filters.append((MIRROR, {"lookahead": lookahead, "ids": orders}))
    text, error = graphs.run_details(grid.GridSource, filters, {"case": name})
    return text if error is None else "error: " + graphs.causes(error)


def check(name, lookahead, orders, muxer, plain):
    got = run(name, lookahead, orders, muxer)
    wanted = plain
    if orders:
        got = without_added(got)
        wanted = without_added(plain)
    if "after" in orders:
        # Each member of the payload now stands at twice its index.
        wanted = re.sub(
            r"(?<=\[Event payload: )\d+", lambda match: str(2 * int(match.group())), wanted
        )
    good = ok(
        got == wanted,
        "%s, lookahead=%s, %s, adding %s"
        % (name, lookahead, "many a batch" if muxer else "one a batch", "/".join(orders) or "nothing"),
    )
    if not good:
        import difflib

        diff = difflib.unified_diff(wanted.splitlines(), got.splitlines(), "plain", "mirrored", n=2)
        diag("\n".join(list(diff)[:40]))


def main():
    names = sys.argv[1:] or list(grid.CASES)
    for name in names:
        for muxer in (False, True):
            plain = run(name, None, [], muxer)
            good = not plain.startswith("error: ") and bool(plain) == (name != "nothing_at_all")
            if not ok(good, name + " without filter"):
                diag(plain)
            for lookahead in ("no", "yes"):
                for orders in ORDERS:
                    check(name, lookahead, orders, muxer, plain)
    graphs.done()


main()
