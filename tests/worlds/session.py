# SPDX-License-Identifier: MIT
"""What a tracing session records of a world, in LTTng's ring buffers."""

import struct

import events

MAGIC = 0xc1fc1fc1
HEADER = struct.Struct('<I16sIQ')
CONTEXT = struct.Struct('<QQQQQQI')



class Session:
    """How a session was set up. `channels`: the names of events of each.
    `drain`: how long the consumer takes to read full sub-buffers; 0: none is
    ever lost."""

    def __init__(self, **setup):
        self.name = setup['name']
        self.domain = setup['domain']
        self.host = setup.get('host', 'here')
        self.boot = setup.get('boot', 0)
        self.channels = setup['channels']
        self.contexts = setup['contexts']
        self.compact = setup.get('compact', False)
        self.size = setup.get('size', 4096)
        self.count = setup.get('count', 4)
        self.overwrite = setup.get('overwrite', False)
        self.drain = setup.get('drain', 0)
        self.offset = setup.get('offset', 0)
        self.track = setup.get('track')
        self.setup = setup

    @property
    def dumps(self):
        return any('lttng_statedump_process_state' in channel
                   for channel in self.channels)


class Packet:
    def __init__(self, begin, sequence):
        self.begin = begin
        self.end = None
        self.sequence = sequence
        self.discarded = 0
        self.bytes = []
        self.used = 0
        self.records = []


class Ring:
    """The sub-buffers of one CPU of a channel."""

    def __init__(self, session, begin):
        self._session = session
        self._compact = session.compact
        self._room = session.size - HEADER.size - CONTEXT.size
        self._sequence = 0
        self._discarded = 0
        self._last = begin
        self._read_at = begin
        # Full ones that nobody has read.
        self._full = []
        self.read = []
        self._open = self._packet(begin)

    def _packet(self, begin):
        packet = Packet(begin, self._sequence)
        self._sequence += 1
        self._last = begin
        return packet

    def _event_header(self, number, time):
        if self._compact:
            if time - self._last < 1 << 27:
                return struct.pack('<I', number | (time & 0x7ffffff) << 5)
            # The variant's structure is aligned to a byte.
            return struct.pack('<BIQ', 31, number, time)
        if time - self._last < 1 << 32:
            return struct.pack('<HI', number, time & 0xffffffff)
        return struct.pack('<HIQ', 65535, number, time)

    def _drain(self, time):
        session = self._session
        if session.overwrite:
            del self._full[:max(0, len(self._full) - session.count + 1)]
        elif not session.drain or time - self._read_at >= session.drain:
            self.read += self._full
            self._full = []
            self._read_at = time

    def put(self, number, record, body):
        time = record.time
        self._drain(time)
        if self._open is None:
            self._open = self._packet(time)
        size = len(self._event_header(number, time)) + len(body)
        if self._open.used + size > self._room:
            if size > self._room or not self._session.overwrite and \
                    len(self._full) >= self._session.count - 1:
                # A smaller one can still find place.
                self._discarded += 1
                return False
            self._close(time)
            self._drain(time)
            self._open = self._packet(time)
        header = self._event_header(number, time)
        self._last = time
        self._open.bytes += (header, body)
        self._open.used += len(header) + len(body)
        self._open.records.append(record)
        return True

    def _close(self, time):
        packet, self._open = self._open, None
        packet.end = time
        packet.discarded = self._discarded
        self._full.append(packet)

    def flush(self, time):
        """A stop; what comes next begins a packet of its own."""
        if self._open is not None:
            self._close(time)
        if not self._session.overwrite:
            self.read += self._full
            self._full = []

    def finish(self, time):
        self.flush(time)
        self._drain(time)
        self.read += self._full
        return [packet for packet in self.read
                if packet.records or packet is self.read[-1]]


class Recording:
    """What a session recorded: `streams`: name: packets; `spans`: when it was
    on, [(begin, end)]."""

    def __init__(self, session, world):
        self.session = session
        self.world = world
        self.streams = {}
        self.spans = []
        self._context = events.ContextClass(session.domain, session.contexts)
        self._classes = events.DOMAINS[session.domain][0]
        # event: (channel, number)
        self._places = {}
        for channel, names in enumerate(session.channels):
            for number, name in enumerate(names):
                self._places[name] = (channel, number)
        self._rings = {}
        self._run()

    def _run(self):
        marks = [mark for mark in self.world.marks
                 if mark[2] == self.session.name]
        marks.append((self.world.now + 1, 'stop', None))
        begin = None
        place = 0
        records = self.world.records
        for time, what, _ in marks:
            while place < len(records) and records[place].time <= time:
                if begin is not None:
                    self._see(records[place])
                place += 1
            if what == 'start' and begin is None:
                begin = time
                self._open(time)
            elif what == 'stop' and begin is not None:
                self.spans.append((begin, time))
                begin = None
                for ring in self._rings.values():
                    ring.flush(time)
        for (channel, cpu), ring in self._rings.items():
            name = '%s-%d_%d' % (self.session.name, channel, cpu)
            self.streams[name] = ring.finish(self.world.now + 1)

    def _open(self, time):
        if self._rings:
            return
        for channel in range(len(self.session.channels)):
            for cpu in range(len(self.world.current)):
                self._rings[channel, cpu] = Ring(self.session, time)

    def _see(self, record):
        session = self.session
        place = self._places.get(record.event)
        if place is None or record.only is not None and \
                session.name not in record.only:
            return
        if session.track is not None and \
                record.view[1] != session.track:
            return
        channel, number = place
        body = self._context.pack(record.view) + \
            self._classes[record.event].pack(record.payload)
        self._rings[channel, record.cpu].put(number, record, body)

    @property
    def is_empty(self):
        return not any(self.streams.values())

    def records(self):
        """All that were written, by time."""
        return sorted((record for packets in self.streams.values()
                       for packet in packets for record in packet.records),
                      key=lambda record: record.time)
