# SPDX-License-Identifier: MIT
"""Writes a recording as LTTng does: a folder of CTF 1.8."""

import os
import uuid

import events
from session import CONTEXT, HEADER, MAGIC

METADATA = '''/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 5; align = 1; signed = false; } := uint5_t;
typealias integer { size = 27; align = 1; signed = false; } := uint27_t;
trace {
	major = 1;
	minor = 8;
	uuid = "%(trace)s";
	byte_order = le;
	packet.header := struct {
		uint32_t magic;
		uint8_t uuid[16];
		uint32_t stream_id;
		uint64_t stream_instance_id;
	};
};
env {
	hostname = "%(host)s";
	domain = "%(domain)s";
	tracer_name = "%(tracer)s";
	tracer_major = 2;
	tracer_minor = 13;
};
clock {
	name = "monotonic";
	uuid = "%(boot)s";
	freq = 1000000000;
	offset = %(offset)d;
};
typealias integer {
	size = 27; align = 1; signed = false; map = clock.monotonic.value;
} := uint27_clock_monotonic_t;
typealias integer {
	size = 32; align = 8; signed = false; map = clock.monotonic.value;
} := uint32_clock_monotonic_t;
typealias integer {
	size = 64; align = 8; signed = false; map = clock.monotonic.value;
} := uint64_clock_monotonic_t;
struct packet_context {
	uint64_clock_monotonic_t timestamp_begin;
	uint64_clock_monotonic_t timestamp_end;
	uint64_t content_size;
	uint64_t packet_size;
	uint64_t packet_seq_num;
	uint64_t events_discarded;
	uint32_t cpu_id;
};
struct event_header_compact {
	enum : uint5_t { compact = 0 ... 30, extended = 31 } id;
	variant <id> {
		struct {
			uint27_clock_monotonic_t timestamp;
		} compact;
		struct {
			uint32_t id;
			uint64_clock_monotonic_t timestamp;
		} extended;
	} v;
} align(8);
struct event_header_large {
	enum : uint16_t { compact = 0 ... 65534, extended = 65535 } id;
	variant <id> {
		struct {
			uint32_clock_monotonic_t timestamp;
		} compact;
		struct {
			uint32_t id;
			uint64_clock_monotonic_t timestamp;
		} extended;
	} v;
} align(8);
'''
TRACERS = {'kernel': 'lttng-modules', 'ust': 'lttng-ust'}
ORIGIN = 1796026931610220976


def _metadata(session, trace):
    parts = [METADATA % {
        'trace': trace, 'host': session.host, 'domain': session.domain,
        'tracer': TRACERS[session.domain],
        'boot': uuid.UUID(int=0xb007 << 112 | 0x4111 << 64 | session.boot),
        'offset': ORIGIN + session.offset}]
    context = events.ContextClass(session.domain, session.contexts)
    classes = events.DOMAINS[session.domain][0]
    for channel, names in enumerate(session.channels):
        parts.append('stream { id = %d; event.header := struct '
                     'event_header_%s; packet.context := struct '
                     'packet_context;' % (
                         channel, 'compact' if session.compact else 'large'))
        if context.fields:
            parts.append(' event.context := struct { %s };' %
                         context.declare())
        parts.append(' };\n')
        for number, name in enumerate(names):
            parts.append('event { name = "%s"; id = %d; stream_id = %d; '
                         'fields := struct { %s }; };\n' % (
                             name, number, channel, classes[name].declare()))
    return ''.join(parts)


def _packet(packet, trace, channel, instance, cpu):
    content = HEADER.size + CONTEXT.size + packet.used
    size = (content + 7) & ~7
    return b''.join([
        HEADER.pack(MAGIC, trace.bytes, channel, instance),
        CONTEXT.pack(packet.begin, packet.end, content * 8, size * 8,
                     packet.sequence, packet.discarded, cpu),
        *packet.bytes, bytes(size - content)])


def write(recording, folder):
    session = recording.session
    os.mkdir(folder)
    trace = uuid.uuid5(uuid.NAMESPACE_OID, session.name)
    with open(os.path.join(folder, 'metadata'), 'w') as file:
        file.write(_metadata(session, trace))
    for name, packets in recording.streams.items():
        channel, cpu = (int(part) for part in
                        name.rsplit('-', 1)[1].split('_'))
        with open(os.path.join(folder, name), 'wb') as file:
            for packet in packets:
                file.write(_packet(packet, trace, channel, cpu, cpu))
