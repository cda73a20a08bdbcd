# SPDX-License-Identifier: MIT
"""Plays a scenario, reads what was recorded, and judges."""

import listing
import reading
from judge import Judge
from session import Recording
from shrink import shrink

PASSES = ((False, 'one pass'), (True, 'look-ahead'))


class Outcome:
    def __init__(self, recordings, said, faults, events, counts):
        self.recordings = recordings
        # By pass: {stream: [Said]}.
        self.said = said
        # (pass, Fault)
        self.faults = faults
        self.events = events
        self.counts = counts


def _flat(said):
    return sorted((line.time, line.tid, line.source, line.comm)
                  for lines in said.values() for line in lines)


class Trial:
    """`known`: kinds of faults that are not mended yet. `strict`: names that
    can be wrong have to be marked."""

    def __init__(self, known=(), strict=False):
        self._classes = reading.Classes()
        self._known = known
        self._strict = strict

    def run(self, scenario, again=False, copy=False):
        world = scenario.play()
        recordings = [Recording(session, world)
                      for session in scenario.sessions]
        recordings = [one for one in recordings if not one.is_empty]
        said, faults = {}, []
        judge = Judge(world, recordings, self._strict)
        if recordings:
            with reading.Traces(recordings, self._classes) as traces:
                for lookahead, name in PASSES:
                    said[name] = traces.read(lookahead=lookahead)
                    judge.judge(said[name], lookahead)
                    faults += self._take(judge, name)
                judge.compare(said['one pass'], said['look-ahead'])
                faults += self._take(judge, 'look-ahead')
                if again:
                    self._compare(judge, said, traces.read(
                        again=1 + judge.events // 2, lookahead=True), 'again')
                if copy:
                    self._compare(judge, said, traces.read_copy(
                        lookahead=True), 'copy')
                faults += self._take(judge, 'look-ahead')
        return Outcome(recordings, said, faults, judge.events, judge.counts)

    def _take(self, judge, name):
        faults, judge.faults = judge.faults, []
        return [(name, fault) for fault in faults
                if fault.kind not in self._known]

    @staticmethod
    def _compare(judge, said, other, kind):
        if _flat(said['look-ahead']) != _flat(other):
            judge.differs(kind)

    def fails(self, scenario, like):
        """Does it fail in the same way as that (pass, Fault)?"""
        name, fault = like
        outcome = self.run(scenario, fault.kind == 'again',
                           fault.kind == 'copy')
        return any(one == name and other.kind == fault.kind
                   for one, other in outcome.faults)

    def explain(self, scenario, like):
        """The smallest scenario that fails alike, as a text."""
        small = shrink(scenario, lambda other: self.fails(other, like))
        name, fault = like
        outcome = self.run(small, fault.kind == 'again', fault.kind == 'copy')
        return '%s:\n%s' % (name, listing.show(
            small, outcome.recordings, outcome.said.get(name, {}),
            [other for one, other in outcome.faults if one == name]))
