# SPDX-License-Identifier: MIT
"""The filter's parameters: each wrong one is an error that names it."""

import os
import tempfile

import bt2

import graphs
from graphs import ok

MIRROR = graphs.component_class("mirror")


def add(params):
    try:
        bt2.Graph().add_component(MIRROR, "filter", params)
    except bt2._Error as error:
        return graphs.causes(error)
    return None


with tempfile.NamedTemporaryFile() as names:
    GOOD = [
        None,
        {},
        {"field-name": "procname"},
        {"field-name": "_a1"},
        {"lookahead": "auto"},
        {"lookahead": "yes"},
        {"lookahead": "no"},
        {"lookahead": True},
        {"lookahead": False},
        {"ids": ["worker_id", "job"]},
        {"ids": []},
        {"ids": "worker_id"},
        {"keep": ["io-*", "main"]},
        {"keep": "io-*"},
        {"keep": []},
        {"names-from": names.name},
        {"infer-current": False},
        {"provenance": True},
        {"unknown": "?"},
        {"unknown": ""},
        {"unknown": "?", "keep": ["x"], "lookahead": "no", "names-from": names.name},
    ]
    for params in GOOD:
        error = add(params)
        if not ok(error is None, "good: %s" % params):
            graphs.diag(error)

# The parameter, its value, words of the error.
BAD = [
    ("field-name", 3, ["string", "integer"]),
    ("field-name", "", ["letters"]),
    ("field-name", "1st", ["letters", "1st"]),
    ("field-name", "a b", ["letters", "a b"]),
    ("field-name", "a\x1b[31m", ["letters", "\\033"]),
    ("field-name", ["comm"], ["string", "array"]),
    ("lookahead", "maybe", ["auto", "yes", "no", "maybe"]),
    ("lookahead", 1, ["auto", "integer"]),
    ("lookahead", None, ["auto", "null"]),
    ("ids", 7, ["array of strings", "integer"]),
    ("ids", ["a", 7], ["array of strings", "element 1", "integer"]),
    ("ids", ["a", ""], ["empty"]),
    ("ids", {"a": 1}, ["array of strings", "map"]),
    ("keep", True, ["array of strings", "boolean"]),
    ("keep", [None], ["array of strings", "null"]),
    ("keep", [["x"]], ["array of strings", "array"]),
    ("names-from", 1, ["path", "integer"]),
    ("names-from", "/nonexistent/names", ["/nonexistent/names"]),
    ("names-from", "/", ["cannot"]),
    ("infer-current", "yes", ["boolean", "string"]),
    ("infer-current", 0, ["boolean", "integer"]),
    ("provenance", "no", ["boolean", "string"]),
    ("provenance", 1.5, ["boolean", "real"]),
    ("unknown", False, ["string", "boolean"]),
    ("unkown", "x", ["Unknown parameter", "`unknown`", "`field-name`"]),
    ("Keep", ["x"], ["Unknown parameter"]),
    ("", "x", ["Unknown parameter"]),
    ("\x1b]0;x", "x", ["Unknown parameter", "\\033"]),
]

for name, value, words in BAD:
    # Among good ones, too.
    for others in ({}, {"unknown": "?", "lookahead": "no", "keep": ["a"]}):
        error = add(dict(others, **{name: value}))
        named = name.replace("\x1b", "\\033")
        good = error is not None and "`%s`" % named in error
        good = good and all(word.lower() in error.lower() for word in words) and "\x1b" not in error
        if not ok(good, "bad: %r=%r%s" % (name, value, ", among others" if others else "")):
            graphs.diag(error)

graphs.done()
