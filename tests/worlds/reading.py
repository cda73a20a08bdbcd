# SPDX-License-Identifier: MIT
"""Reads recordings through the filter."""

import os
import shutil
import sys
import tempfile

import ctf

try:
    import bt2
except ImportError:
    if sys.executable != '/usr/bin/python3' and os.path.exists(
            '/usr/bin/python3'):
        os.execv('/usr/bin/python3', ['/usr/bin/python3'] + sys.argv)
    print('1..0 # SKIP the Python module bt2 is missing')
    sys.exit(0)


def need_plugins():
    if bt2.find_plugin('commcache') is None or \
            bt2.find_plugin('commcacheworlds') is None:
        print('Bail out! no plugin in BABELTRACE_PLUGIN_PATH')
        sys.exit(1)


class Said:
    """What the filter said of one event."""

    __slots__ = ('stream', 'time', 'tid', 'source', 'comm')

    def __init__(self, line):
        self.stream, self.time, self.tid, self.source, self.comm = \
            line[:-1].split('\t')
        self.tid = int(self.tid)


def _class(plugin, kind, name):
    return getattr(bt2.find_plugin(plugin), kind + '_component_classes')[name]


class Classes:
    def __init__(self):
        self.source = _class('ctf', 'source', 'fs')
        self.muxer = _class('utils', 'filter', 'muxer')
        self.resolve = _class('commcache', 'filter', 'resolve')
        self.dump = _class('commcacheworlds', 'sink', 'dump')
        self.write = _class('ctf', 'sink', 'fs')


class Traces:
    """The folders of some recordings, for the time of a `with`."""

    def __init__(self, recordings, classes):
        self._recordings = recordings
        self._classes = classes
        self._top = None

    def __enter__(self):
        self._top = tempfile.mkdtemp(prefix='commcache-worlds-')
        self._folders = []
        for recording in self._recordings:
            folder = os.path.join(self._top, recording.session.name)
            ctf.write(recording, folder)
            self._folders.append(folder)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self._top)

    def _graph(self, folders):
        graph = bt2.Graph()
        muxer = graph.add_component(self._classes.muxer, 'muxer')
        count = 0
        for folder in folders:
            source = graph.add_component(
                self._classes.source, 'in%d' % count, {'inputs': [folder]})
            for port in source.output_ports.values():
                graph.connect_ports(port, muxer.input_ports['in%d' % count])
                count += 1
        return graph, muxer.output_ports['out']

    def _resolve(self, graph, port, params):
        resolve = graph.add_component(
            self._classes.resolve, 'resolve', dict(params, provenance=True))
        graph.connect_ports(port, resolve.input_ports['in'])
        return resolve.output_ports['out']

    def _dump(self, graph, port, again):
        path = os.path.join(self._top, 'dump')
        dump = graph.add_component(self._classes.dump, 'dump',
                                   {'path': path, 'again': again})
        graph.connect_ports(port, dump.input_ports['in'])
        graph.run()
        del graph
        return path

    def read(self, again=0, **params):
        """{stream: [Said]}"""
        graph, port = self._graph(self._folders)
        port = self._resolve(graph, port, params)
        path = self._dump(graph, port, again)
        del graph, port
        return self._parse(path)

    def read_copy(self, **params):
        """Through CTF that babeltrace2 wrote, and back."""
        copy = os.path.join(self._top, 'copy')
        graph, port = self._graph(self._folders)
        port = self._resolve(graph, port, params)
        written = {'path': copy, 'quiet': True}
        if bt2.get_maximal_mip_version() > 0:
            # The graph is of version 0, which CTF 2 is not for.
            written['ctf-version'] = '1'
        sink = graph.add_component(self._classes.write, 'write', written)
        graph.connect_ports(port, sink.input_ports['in'])
        graph.run()
        del graph, port, sink
        folders = [path for path, _, files in os.walk(copy)
                   if 'metadata' in files]
        graph, port = self._graph(sorted(folders))
        path = self._dump(graph, port, 0)
        del graph, port
        return self._parse(path)

    @staticmethod
    def _parse(path):
        said = {}
        with open(path, encoding='utf-8', newline='\n') as file:
            for line in file:
                one = Said(line)
                said.setdefault(one.stream, []).append(one)
        return said
