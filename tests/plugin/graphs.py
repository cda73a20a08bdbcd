# SPDX-License-Identifier: MIT
"""What the tests of the filter in Python share: TAP, graphs, their output."""

import ctypes
import os
import sys
import tempfile

try:
    import bt2
except ImportError as exc:
    print("1..0 # SKIP no babeltrace2 bindings for %s: %s" % (sys.executable, exc))
    sys.exit(0)

BUILD = os.environ.get("top_builddir", "../..")
TEST_PLUGIN = os.path.join(BUILD, "tests/plugin/.libs/babeltrace-plugin-commcachetest.so")
PLUGIN = os.path.join(BUILD, "src/plugin/.libs/babeltrace-plugin-commcache.so")

_libc = ctypes.CDLL(None)
_tests = 0
_failed = 0


def diag(text):
    for line in str(text).splitlines():
        print("# " + line)


def ok(good, name):
    """One TAP test point."""
    global _tests, _failed
    _tests += 1
    if not good:
        _failed += 1
    print("%s %d - %s" % ("ok" if good else "not ok", _tests, name), flush=True)
    return good


def same(got, wanted, name):
    if not ok(got == wanted, name):
        diag("got:    %r" % (got,))
        diag("wanted: %r" % (wanted,))


def done():
    print("1..%d" % _tests)
    sys.exit(1 if _failed else 0)


def shared_dir():
    """The folder of real traces, or None."""
    top = os.environ.get("top_srcdir", "../..")
    place = os.environ.get("COMMCACHE_SHARED", os.path.join(top, "..", "shared"))
    return place if os.path.isdir(place) else None


_plugins = {}


def component_class(name, plugin=TEST_PLUGIN):
    """A filter of ours. Plugins are kept: a class does not keep its own."""
    if plugin not in _plugins:
        _plugins[plugin] = bt2.find_plugins_in_path(plugin)
        assert len(_plugins[plugin]) == 1, plugin
    return _plugins[plugin][0].filter_component_classes[name]


def standard(plugin, kind, name):
    """A component class that comes with babeltrace2."""
    key = "std " + plugin
    if key not in _plugins:
        _plugins[key] = bt2.find_plugin(plugin)
    return getattr(_plugins[key], kind + "_component_classes")[name]


def mip_versions():
    """Those of the message interchange protocol that babeltrace2 has."""
    return range(bt2.get_maximal_mip_version() + 1)


def run_details(source, filters=(), source_params=None, details=None, mip=0):
    """Runs SOURCE, FILTERS (class, params), sink.text.details; its text.

    Each output port of the source has to be one, or go into a muxer.
    """
    params = {"color": "never", "with-trace-name": True, "with-stream-name": True}
    params.update(details or {})

    graph = bt2.Graph(mip)
    src = graph.add_component(source, "source", source_params)
    upstream = list(src.output_ports.values())[0]
    for number, (cls, filter_params) in enumerate(filters):
        comp = graph.add_component(cls, "filter%d" % number, filter_params)
        graph.connect_ports(upstream, list(comp.input_ports.values())[0])
        upstream = list(comp.output_ports.values())[0]
    sink = graph.add_component(standard("text", "sink", "details"), "sink", params)
    graph.connect_ports(upstream, sink.input_ports["in"])
    return capture(graph.run)


def capture(function):
    """What FUNCTION writes to stdout, C's included; None and the error."""
    sys.stdout.flush()
    _libc.fflush(None)
    saved = os.dup(1)
    with tempfile.TemporaryFile() as out:
        os.dup2(out.fileno(), 1)
        error = None
        try:
            function()
        except bt2._Error as exc:
            error = exc
        finally:
            _libc.fflush(None)
            os.dup2(saved, 1)
            os.close(saved)
        out.seek(0)
        return out.read().decode("utf-8", "surrogateescape"), error


def causes(error):
    return "\n".join(cause.message for cause in error) if error else ""
