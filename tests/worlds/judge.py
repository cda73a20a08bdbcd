# SPDX-License-Identifier: MIT
"""Holds what the filter said against what was, and what could be known."""

import collections

import reasoner
from world import COMM, TID

UNKNOWN = 'unknown'
MARKS = ('between', 'later', 'unknown')

Fault = collections.namedtuple('Fault', 'kind session record said truth why')

# What a record's own members say of who ran it.
TELLS = ('sched_switch', 'sched_process_fork', 'sched_process_exec',
         'sched_process_exit')


class Truth:
    """What is known of a world whatever was recorded."""

    def __init__(self, world):
        self.names = world.names
        self.names_of_number = world.names_of_number
        self.writes = world.writes
        # What LTTng-UST tells of processes: how the program was called once.
        self.programs = {record.payload[0] for record in world.records
                         if record.event == 'lttng_ust_statedump:procname'}
        self._entries = {}
        self._switches = {}
        self._execs = {}
        for record in world.records:
            if record.event == 'syscall_entry_execve':
                self._entries.setdefault(record.uid, []).append(record.time)
            elif record.event == 'sched_process_exec':
                self._execs.setdefault(record.uid, []).append(record)
            elif record.event == 'sched_switch':
                self._switches.setdefault(record.cpu, []).append(record)
        # uid: [(begin, end, numbers, the record of the exec)]
        self._exchanges = {}
        for time, uid, leader, *numbers in world.exchanges:
            told = self._next(self._execs.get(uid, ()), time)
            begin = max(entry for entry in self._entries[uid]
                        if entry <= time)
            end = told.time if told else world.now
            out = self._next([
                record for records in self._switches.values()
                for record in records if record.uid == uid], end)
            self._exchanges.setdefault(uid, []).append(
                (begin, end, out.time if out else world.now, numbers, told))
            self._exchanges.setdefault(leader, []).append(
                (self._came(world, leader, time), world.now, world.now,
                 numbers, told))
            self._exchanges[leader].append(
                (time, world.now, world.now, numbers, None))

    @staticmethod
    def _next(records, time):
        return next((record for record in records if record.time > time), None)

    @staticmethod
    def _came(world, uid, time):
        """When the thread got the CPU that it had at that time."""
        runs = [record.time for record in world.records
                if record.uid == uid and record.time <= time]
        for record in reversed(world.records):
            if record.time < (runs[-1] if runs else 0) and \
                    record.event == 'sched_switch' and \
                    record.payload[4] == uid:
                return record.time
        return 0

    def exec_numbers(self, record, recorded):
        """Numbers that the thread can be told by around an exec that gives it
        another; `recorded`: the execs of the session."""
        for begin, end, out, numbers, told in self._exchanges.get(
                record.uid, ()):
            known = told is not None and told.time in recorded
            if begin <= record.time <= (end if known else out):
                return numbers
        return ()


class Judge:
    def __init__(self, world, recordings, strict):
        self.truth = Truth(world)
        self.recordings = recordings
        self.reasoner = reasoner.Reasoner(recordings)
        self.strict = strict
        self.faults = []
        self.events = sum(
            len(packet.records) for recording in recordings
            for packets in recording.streams.values() for packet in packets)
        self.counts = collections.Counter()
        self._switches = {}
        # Times of recorded execs, of opened files; of deaths, which where events
        # are lost can be told of the number's former thread.
        self._execs = set()
        self._opened = set()
        self._frees = set()
        # Sessions that lost events: one pass cannot know which.
        self._lossy = set()
        for recording in recordings:
            self._find_switches(recording)

    def _find_switches(self, recording):
        """(session, cpu): times of switches, where none can be missing."""
        for record in recording.records():
            if record.event == 'sched_process_exec':
                self._execs.add(record.time)
            elif record.event == 'syscall_entry_openat':
                self._opened.add(record.time)
            elif record.event == 'sched_process_free':
                self._frees.add(record.time)
        if any(packet.discarded for packets in recording.streams.values()
               for packet in packets):
            self._lossy.add(recording.session.name)
            return
        if recording.session.domain != 'kernel' or \
                len(recording.spans) != 1 or recording.session.overwrite or \
                recording.session.track is not None:
            return
        for record in recording.records():
            if record.event == 'sched_switch':
                self._switches.setdefault(
                    (recording.session.name, record.cpu), []).append(
                        record.time)

    def judge(self, said, lookahead):
        """Adds to faults. `said`: {stream: [Said]}."""
        for recording in self.recordings:
            for stream, packets in recording.streams.items():
                records = [record for packet in packets
                           for record in packet.records]
                lines = said.get(stream, [])
                if len(lines) != len(records):
                    self._fault('events', recording, records[-1], None,
                                '%d of %d came' % (len(lines), len(records)))
                    continue
                for record, line in zip(records, lines):
                    self._judge(recording, record, line, lookahead)

    def differs(self, kind):
        """Another way of reading gave something else."""
        self.faults.append(Fault(kind, '', None, None, None, ''))

    def _fault(self, kind, recording, record, said, why):
        self.faults.append(Fault(
            kind, recording.session.name, record,
            said and (said.tid, said.comm, said.source),
            (record.view[TID], record.view[COMM]), why))

    def _judge(self, recording, record, said, lookahead):
        kernel = recording.session.domain == 'kernel'
        numbers = self.truth.exec_numbers(record, self._execs)
        if said.tid not in (-1, record.view[TID]) and \
                said.tid not in numbers:
            if not lookahead and recording.session.name in self._lossy:
                self.counts['lost switch'] += 1
            else:
                self._fault('tid', recording, record, said, '')
            return
        knows = kernel and self._knows_tid(recording, record, lookahead)
        if kernel and said.tid == -1 and knows and not numbers and \
                record.event not in TELLS:
            self._fault('no tid', recording, record, said, '')
            return
        if numbers:
            self.counts['exec'] += 1
        elif said.source == UNKNOWN:
            self.counts['unknown'] += 1
            if knows:
                self._judge_unknown(recording, record, said, lookahead)
        elif said.comm == record.view[COMM]:
            self.counts['right'] += 1
            if said.source == 'between':
                self.counts['marked'] += 1
                self._judge_marked(recording, record, said)
        elif kernel:
            self._judge_wrong(recording, record, said, lookahead)
        else:
            self._judge_wrong_ust(recording, record, said, lookahead)

    def _knows_tid(self, recording, record, lookahead):
        if 'tid' in recording.session.contexts or record.event in TELLS:
            return True
        times = self._switches.get((recording.session.name, record.cpu))
        if not times:
            return False
        return lookahead or times[0] < record.time

    def _judge_unknown(self, recording, record, said, lookahead):
        tid = record.view[TID]
        before, maybe = self.reasoner.before(tid, record.time)
        if before is not None and not maybe and \
                before.kind in (reasoner.IS, reasoner.BORN) and \
                (lookahead or len(self.recordings) == 1):
            self._fault('unknown', recording, record, said,
                        'told before: %r' % before)
            return
        if not lookahead:
            return
        after, maybe = self.reasoner.after(tid, record.time)
        if after is not None and not maybe and after.kind == reasoner.IS:
            self._fault('unknown', recording, record, said,
                        'told after: %r' % after)

    def _judge_marked(self, recording, record, said):
        """Shown on both sides: nothing tells of another name."""
        before, maybe = self.reasoner.before(record.view[TID], record.time)
        after, more = self.reasoner.after(record.view[TID], record.time)
        if not maybe and not more and all(
                item is not None and item.kind == reasoner.IS and
                item.name == said.comm for item in (before, after)):
            self._fault('marked', recording, record, said,
                        'before: %r, after: %r' % (before, after))

    def _is_unmarked(self, record, said, after, lookahead):
        """Wrong, not marked as what can be, and a record tells otherwise."""
        return self.strict and lookahead and said.source not in MARKS and \
            after is not None and after.kind == reasoner.IS and \
            after.name != said.comm and \
            not self._is_written_unseen(record) and \
            not (self._lossy and after.time in self._frees)

    def _is_written_unseen(self, record):
        """Its name is from a write to a file that was opened when that was not
        recorded."""
        writes = [opened for time, uid, opened in self.truth.writes
                  if uid == record.uid and time <= record.time]
        return writes and writes[-1] not in self._opened

    def _judge_wrong(self, recording, record, said, lookahead):
        tid = record.view[TID]
        before, maybe = self.reasoner.before(tid, record.time)
        after, _ = self.reasoner.after(tid, record.time)
        told = before is not None and before.kind in (
            reasoner.IS, reasoner.BORN)
        why = 'before: %r, after: %r' % (before, after)
        if said.source == 'between':
            self.counts['between'] += 1
        elif self._is_unmarked(record, said, after, lookahead):
            self._fault('unmarked', recording, record, said, why)
        elif told and before.name == said.comm:
            self.counts['stale'] += 1
        elif after is not None and after.name == said.comm and lookahead \
                and said.source == 'later':
            self.counts['later'] += 1
        elif said.comm in self.truth.names.get(record.uid, ()) and (
                maybe or before is None or before.kind != reasoner.RENAMED):
            self.counts['own'] += 1
        else:
            self._fault(self._kind_of_wrong(record, said), recording, record,
                        said, why)

    def _kind_of_wrong(self, record, said):
        """inside: what a record showed within a call that renames is taken
        for the name after it."""
        shown = self.reasoner.shown_before(record.view[TID], record.time)
        return 'inside' if shown == said.comm else 'wrong'

    def _judge_wrong_ust(self, recording, record, said, lookahead):
        if said.source in MARKS:
            self.counts[said.source] += 1
        elif said.comm in self.truth.names.get(record.uid, ()):
            self.counts['own'] += 1
        elif not lookahead and self.recordings[1:]:
            self.counts['merged'] += 1
        elif said.comm in self.truth.names_of_number.get(
                record.view[TID], ()):
            # A number that came again, which no record needs to tell.
            self.counts['number'] += 1
        elif said.comm in self.truth.programs:
            self.counts['weak'] += 1
        else:
            self._fault('wrong', recording, record, said, 'ust')

    def compare(self, one_pass, lookahead):
        """Look-ahead knows no less than one pass; but that events are lost it
        knows first."""
        for recording in self.recordings:
            if recording.session.name in self._lossy:
                continue
            for stream, packets in recording.streams.items():
                records = (record for packet in packets
                           for record in packet.records)
                for record, one, two in zip(records, one_pass.get(stream, ()),
                                            lookahead.get(stream, ())):
                    if one.source != UNKNOWN and two.source == UNKNOWN and \
                            one.comm == record.view[COMM] and \
                            not self.truth.exec_numbers(record, self._execs):
                        self._fault('less', recording, record, two,
                                    'one pass: %r' % one.comm)
