#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many events did threads of each name cause? Of traces, through the filter.

usage: events-by-name.py TRACE...

Needs babeltrace2's Python module bt2 (Debian: python3-bt2, of /usr/bin/python3).
"""

import collections
import sys

import bt2

# As on the command line: --component=filter.commcache.resolve --params=...
RESOLVE = bt2.ComponentSpec.from_named_plugin_and_component_class(
    "commcache", "resolve", {"lookahead": "auto"})


def text(field):
    """By the length: babeltrace2 2.0.4 shows an earlier text for an empty one."""
    return str(field) if len(field) > 0 else ""


def main(traces):
    counts = collections.Counter()
    for message in bt2.TraceCollectionMessageIterator(traces, RESOLVE):
        # Other messages: streams and packets begin and end, events are lost.
        if type(message) is not bt2._EventMessageConst:
            continue
        counts[text(message.event.common_context_field["comm"])] += 1
    for name, count in counts.most_common():
        print("%8d  %s" % (count, name))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
