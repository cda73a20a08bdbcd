# SPDX-License-Identifier: MIT
"""A world's recordings and what was said of them, for people."""

from events import DOMAINS
from world import COMM, TID


def _members(record, session):
    classes, contexts = DOMAINS[session.domain]
    context = ' '.join('%s=%s' % (name, record.view[contexts[name][0]])
                       for name in session.contexts)
    payload = ' '.join('%s=%s' % (field[0], value) for field, value in zip(
        classes[record.event].fields, record.payload))
    return '{ %s } { %s }' % (context, payload)


def _rows(recording, said, faulty):
    session = recording.session
    for stream, packets in recording.streams.items():
        lines = iter(said.get(stream, ()))
        for packet in packets:
            yield (packet.begin, 0, '%s: packet %d begins' % (
                stream, packet.sequence))
            for record in packet.records:
                line = next(lines, None)
                yield (record.time, 1, '%s: cpu %d: %s: %s: said %s; '
                       'true: %d %r%s' % (
                           stream, record.cpu, record.event,
                           _members(record, session),
                           line and '%d %r (%s)' % (line.tid, line.comm,
                                                    line.source),
                           record.view[TID], record.view[COMM],
                           '  <===' if id(record) in faulty else ''))
            yield (packet.end, 2, '%s: packet ends, %d discarded until then' %
                   (stream, packet.discarded))


def show(scenario, recordings, said, faults):
    """A text."""
    faulty = {id(fault.record) for fault in faults}
    rows = []
    for recording in recordings:
        rows += _rows(recording, said, faulty)
    lines = ['%d CPUs, numbers to %d, sessions:' % (
        scenario.cpus, scenario.pid_max)]
    lines += [repr(session.setup) for session in scenario.sessions]
    lines += ['%d %s' % (row[0], row[2]) for row in sorted(rows)]
    lines += ['%s: said %s, true %s: %s' % (
        fault.kind, fault.said, fault.truth, fault.why) for fault in faults]
    lines += ['actions:', repr(scenario.actions)]
    return '\n'.join(lines)
