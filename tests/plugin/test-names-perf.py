#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names of perf's events against perf's own answer: `perf script` prints, for
each sample, what the thread was called then."""

import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import names_oracle as oracle

EVENTS = 'sched:*,task:*,raw_syscalls:sys_enter'
ENOUGH = 50000
LINE = re.compile(rb'^(.*?)\s+(-?\d+) \[(\d+)\]\s+(\d+)\.(\d{9}):'
                  rb'\s+(\S+?):\s*$')

# `current`: the tid that the kernel had, where told.
Sample = collections.namedtuple('Sample', 'time cpu event tid name current')


def perf(*arguments):
    return subprocess.run(('perf',) + arguments, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)


def record(folder):
    """Makes perf.data and its CTF form; the number of samples."""
    data = os.path.join(folder, 'perf.data')
    trace = os.path.join(folder, 'ctf')
    for rounds in (1, 4, 16):
        made = perf('record', '-a', '-o', data, '-e', EVENTS, '-m', '2048',
                    '--', os.path.join(HERE, 'names-load'), str(rounds))
        if made.returncode != 0:
            oracle.skip_all('perf cannot record here: '
                            + made.stderr.decode().strip().split('\n')[0])
        shutil.rmtree(trace, ignore_errors=True)
        made = perf('data', 'convert', '--to-ctf=' + trace, '--all', '-i',
                    data)
        if made.returncode != 0 or not os.path.isdir(trace):
            oracle.skip_all('perf cannot convert to CTF here: '
                            + made.stderr.decode().strip().split('\n')[0])
        samples = read_script(data)
        if len(samples) >= ENOUGH:
            break
    return trace, samples


def read_script(data):
    out = perf('script', '-i', data, '--ns', '-F',
               'comm,tid,cpu,time,event').stdout
    samples = []
    for line in out.split(b'\n'):
        if not line:
            continue
        found = LINE.match(line)
        assert found, 'perf script: %r' % line
        # perf pads names on the left.
        samples.append(Sample(int(found[4]) * 10**9 + int(found[5]),
                              int(found[3]), found[6].decode(),
                              int(found[2]),
                              oracle.escape(found[1].lstrip(b' ')), None))
    return samples


class Records:
    """What the trace itself holds: names that scheduler records show, and
    those that perf took from /proc before it recorded."""

    def __init__(self):
        self.shown = collections.defaultdict(list)
        self.from_proc = {}
        # By tid: (time, old, new) as the kernel tells it right before, and
        # (time, new) as perf tells it some time after the change.
        self.before = collections.defaultdict(list)
        self.after = collections.defaultdict(list)

    def take(self, time, event):
        payload = event.payload_field
        if event.name == 'perf_comm':
            tid, name = int(payload['tid']), oracle.text(payload['comm'])
            if time == 0:
                self.from_proc[tid] = name
            self.after[tid].append((time, name))
        elif event.name == 'task:task_rename':
            self.before[int(payload['pid'])].append(
                (time, oracle.text(payload['oldcomm']),
                 oracle.text(payload['newcomm'])))
        if not event.name.startswith('sched:') or \
                event.name == 'sched:sched_process_wait':
            return
        for prefix in ('', 'prev_', 'next_'):
            if prefix + 'comm' in payload and prefix + 'pid' in payload:
                self.shown[int(payload[prefix + 'pid'])].append(
                    (time, oracle.text(payload[prefix + 'comm'])))

    def near(self, tid, time):
        """The name that a scheduler record nearest to that time shows."""
        return min(self.shown.get(tid, [(0, None)]),
                   key=lambda seen: abs(seen[0] - time))[1]

    def prove(self, sample, ours):
        """Why perf's answer is the wrong one; None: it is not."""
        if sample.tid == 0 and sample.name == 'swapper' and \
                ours.name == 'swapper/%d' % sample.cpu:
            return 'perf names all idle threads alike'
        if sample.tid == -1 and sample.name == ':-1' and \
                self.near(ours.current, sample.time) == ours.name:
            return 'perf has no tid of a thread that is all but gone'
        if self.near(sample.tid, sample.time) == ours.name and \
                self.from_proc.get(sample.tid) == sample.name:
            return "/proc shows a kworker's work beside its name"
        if self.is_around(sample, ours.name):
            return 'the records right before and after it show the name'
        if (sample.time, ours.name) in self.shown[sample.tid]:
            return 'the record itself shows the name'
        if self.is_between(sample, ours.name):
            return "perf's own record of a rename comes after it"
        return None

    def is_around(self, sample, said):
        """Is it what scheduler records show before it and after it, with no
        word of a rename in between?"""
        shown = self.shown[sample.tid]
        begin = max((seen for seen in shown if seen[0] <= sample.time),
                    default=(0, None))
        end = min((seen for seen in shown if seen[0] >= sample.time),
                  default=(0, None))
        return begin[1] == end[1] == said and not any(
            begin[0] < rename[0] < end[0]
            for rename in self.before[sample.tid])

    def window(self, sample):
        """The kernel's word of a rename, which comes right before the change,
        and perf's own of the same, which comes after it, where the sample is
        between the two: (time, old, new), (time, new)."""
        begin = max((rename for rename in self.before[sample.tid]
                     if rename[0] <= sample.time), default=None)
        end = min((rename for rename in self.after[sample.tid]
                   if rename[0] > sample.time), default=None)
        if begin and end and begin[2] == end[1]:
            return begin, end
        return None

    def is_between(self, sample, said):
        """Is it in the window of the rename to what is said, with no record
        of the old name in it?"""
        window = self.window(sample)
        return window and window[0][1:] == (sample.name, said) and not any(
            window[0][0] < time < window[1][0] and name == sample.name
            for time, name in self.shown[sample.tid])

    def is_told_later(self, sample, said):
        """Is it in that window, and a later record is needed to know that the
        rename had not taken effect?"""
        window = self.window(sample)
        return window and window[0][1:] == (sample.name, said)


def read_ours(trace, lookahead, records):
    samples = []
    for message, event in oracle.events([trace], {'lookahead': lookahead}):
        time = message.default_clock_snapshot.value
        if records:
            records.take(time, event)
        # perf's own records are not samples.
        if event.name.startswith('perf_'):
            continue
        payload = event.payload_field
        samples.append(Sample(time, oracle.cpu_of(event), event.name,
                              int(payload['perf_tid']),
                              oracle.text(event.common_context_field['comm']),
                              int(payload['common_pid'])))
    return samples


def pair(ours, theirs):
    """(ours, theirs) of each sample. perf moves the few samples that it got
    out of order to a later time when it converts: these are paired in order,
    by the rest of what they tell."""
    pairs, moved = [], []
    by_key = collections.defaultdict(collections.deque)
    for sample in theirs:
        by_key[sample[:4]].append(sample)
    for sample in ours:
        queue = by_key[sample[:4]]
        if queue:
            pairs.append((sample, queue.popleft()))
        else:
            moved.append(sample)
    left = collections.defaultdict(collections.deque)
    for queue in by_key.values():
        for sample in queue:
            left[sample[1:4]].append(sample)
    for sample in moved:
        if left[sample[1:4]]:
            pairs.append((sample, left[sample[1:4]].popleft()))
    return pairs, len(moved)


def run(trace, theirs, records, lookahead, tap):
    passes = 'look-ahead' if lookahead else 'one pass'
    pairs, moved = pair(read_ours(trace, lookahead,
                                  None if records.shown else records), theirs)
    proofs = collections.Counter()
    wrong = []
    for ours, sample in pairs:
        if ours.name == sample.name:
            continue
        proof = records.prove(sample, ours)
        if not proof and not lookahead and records.is_told_later(
                sample, ours.name):
            proof = 'only later records tell when the rename took effect'
        if proof:
            proofs[proof, ours.name, sample.name] += 1
        else:
            wrong.append((ours, sample))
    tap.note('%s: %d samples (%d moved by perf), %d equal, %d differ with '
             'proof, %d without' % (passes, len(pairs), moved,
                                    len(pairs) - sum(proofs.values())
                                    - len(wrong), sum(proofs.values()),
                                    len(wrong)))
    for (proof, said, perfs), count in sorted(proofs.items()):
        tap.note('  %6d %-16s perf: %-16s %s' % (count, said, perfs, proof))
    for ours, sample in wrong[:10]:
        tap.note('  said %s, perf says %s' % (ours, sample))
    tap.ok(len(pairs) == len(theirs), '%s: all samples are there' % passes)
    tap.ok(not wrong, '%s: names as perf script has them' % passes)


def main():
    for program in ('perf', 'cc'):
        if not shutil.which(program):
            oracle.skip_all('%s is missing' % program)
    if os.getuid() != 0:
        oracle.skip_all('tracing the whole system needs root')
    tap = oracle.Tap()
    folder = tempfile.mkdtemp(prefix='commcache-perf-')
    try:
        trace, theirs = record(folder)
        records = Records()
        tap.ok(len(theirs) >= ENOUGH, 'recorded at least %d samples' % ENOUGH)
        for lookahead in (False, True):
            run(trace, theirs, records, lookahead, tap)
    finally:
        shutil.rmtree(folder)
    tap.done()


main()
