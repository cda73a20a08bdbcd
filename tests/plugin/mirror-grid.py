# SPDX-License-Identifier: MIT
"""Everything passes the mirror unchanged: a grid of what trace IR can say.

Each case goes to sink.text.details without the filter, and through it: in one
pass and two, with input batches of one message and of many, with and without
added members. The texts have to be the same, but for what was added. All of it
under each version of the message interchange protocol (MIP).
"""

import re
import sys

import graphs
from graphs import diag, ok

import grid
import grid_fields  # noqa: F401: each adds its cases
import grid_mip_1  # noqa: F401
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


def run(mip, name, lookahead, orders, muxer):
    filters = []
    if muxer:
        filters.append((MUXER, None))
    if lookahead is not None:
        filters.append((MIRROR, {"lookahead": lookahead, "ids": orders}))
    if muxer:
        # It refuses what it cannot compare, in ours too.
        filters.append((MUXER, None))
    text, error = graphs.run_details(grid.GridSource, filters, {"case": name}, mip=mip)
    return text if error is None else "error: " + graphs.causes(error)


def check(mip, name, lookahead, orders, muxer, plain):
    got = run(mip, name, lookahead, orders, muxer)
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
        "MIP %d: %s, lookahead=%s, %s, adding %s"
        % (mip, name, lookahead, "many a batch" if muxer else "one a batch", "/".join(orders) or "nothing"),
    )
    if not good:
        import difflib

        diff = difflib.unified_diff(wanted.splitlines(), got.splitlines(), "plain", "mirrored", n=2)
        diag("\n".join(list(diff)[:40]))


def check_case(mip, name):
    for muxer in (False, True):
        plain = run(mip, name, None, [], muxer)
        good = not plain.startswith("error: ") and bool(plain) == (name != "nothing_at_all")
        if not ok(good, "MIP %d: %s without filter" % (mip, name)):
            diag(plain)
        for lookahead in ("no", "yes"):
            for orders in ORDERS:
                check(mip, name, lookahead, orders, muxer, plain)


def main():
    for mip in graphs.mip_versions():
        for name in sys.argv[1:] or grid.names_of(mip):
            check_case(mip, name)
    graphs.done()


main()
