#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wherever an event has a comm beside an id, the history answers the same for
that id at that time, on every real trace.

Each trace is read together with a copy of itself in whose metadata the comms
have another name, so that they are evidence of nothing, and the filter puts
its own answer beside their ids: the original teaches, the copy asks."""

import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import names_oracle as oracle

MEMBER = re.compile(rb'(\w+) = ("(?:[^"\\]|\\.)*"|-?\d+)')
EVENT = re.compile(rb'([\w:]+): \{')


class Copy:
    """A copy of a trace whose comms are called cmmm, and which does not tell
    of execs: without switches and ends it would misjudge when they were."""

    def __init__(self, trace):
        self.path = tempfile.mkdtemp(prefix='commcache-copy-')
        for name in os.listdir(trace):
            if name != 'metadata':
                os.symlink(os.path.join(trace, name),
                           os.path.join(self.path, name))
        with open(os.path.join(trace, 'metadata'), 'rb') as file:
            metadata = file.read()
        with open(os.path.join(self.path, 'metadata'), 'wb') as file:
            # The same length: the metadata can be in packets.
            file.write(re.sub(rb'\b(_?(?:prev_|next_|parent_|child_)?)comm\b',
                              rb'\1cmmm', metadata).replace(
                                  b'sched_process_exec"',
                                  b'sched_process_exek"'))

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path)


def read_text(traces):
    """The events as babeltrace2 prints them, through the filter."""
    command = ['babeltrace2', '--component=filter.commcache.resolve']
    for number, trace in enumerate(traces):
        # One source each: two of one UUID would be taken as one trace.
        command += ['--component=s%d:source.ctf.fs' % number,
                    '--params=inputs=["%s"]' % trace]
    process = subprocess.Popen(command, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    yield from process.stdout
    # A broken trace ends with an error, after what is good.
    process.wait()


ESCAPES = dict(zip(b'abtnvfre', b'\a\b\t\n\v\f\r\x1b'))


def unprint(text):
    """The bytes that babeltrace2 printed in quotes."""
    return re.sub(rb'\\(?:x([0-9a-fA-F]{2})|(.))',
                  lambda found: bytes([int(found[1], 16)]) if found[1] else
                  bytes([ESCAPES.get(found[2][0], found[2][0])]), text[1:-1])


def payload_of(line):
    """The payload's members: the last structure, which holds none."""
    return dict(MEMBER.findall(line[line.rindex(b'{ '):]))


def compare(line, counts, wrong):
    members = payload_of(line)
    for name, comm in members.items():
        if not name.endswith(b'cmmm'):
            continue
        for suffix in (b'tid', b'pid'):
            tid = name[:-len(b'cmmm')] + suffix
            # 0 is no thread, or the idle one: see idle().
            if int(members.get(tid, 0)) > 0:
                break
        else:
            continue
        counts['pairs'] += 1
        answer = unprint(members.get(tid + b'_comm', b'""')).decode()
        if answer != oracle.escape(unprint(comm)):
            wrong.append(line)


def idle(line, counts, wrong):
    """The thread that gives way ran the switch, the idle one too."""
    answer = dict(MEMBER.findall(line))[b'comm']
    counts['switches'] += 1
    if unprint(answer).decode() != oracle.escape(
            unprint(payload_of(line)[b'prev_comm'])):
        wrong.append(line)


def run(trace, label, tap):
    counts = collections.Counter()
    wrong = []
    with Copy(trace) as copy:
        for line in read_text([trace, copy]):
            if b'cmmm = "' not in line and b'sched_switch: {' not in line:
                continue
            found = EVENT.search(line)
            event = found.group(1) if found else b''
            if event.endswith(b'sched_process_wait'):
                # The comm is the waiting thread's, the tid the awaited one's.
                continue
            if b'cmmm = "' in line:
                compare(line, counts, wrong)
            elif event.endswith(b'sched_switch'):
                idle(line, counts, wrong)
    for line in wrong[:5]:
        tap.note(line.decode('utf-8', 'backslashreplace').strip())
    what = '%s: %d pairs, %d switches' % (label, counts['pairs'],
                                          counts['switches'])
    if sum(counts.values()) == 0:
        tap.note(what)
    else:
        tap.ok(not wrong, '%s, %d differ' % (what, len(wrong)))


def main():
    if not shutil.which('babeltrace2'):
        oracle.skip_all('the program babeltrace2 is missing')
    tap = oracle.Tap()
    for folder in sys.argv[1:] or ('traces', 'ktraces'):
        top = oracle.shared(folder)
        for trace in oracle.find_traces(top):
            run(trace, os.path.join(folder, os.path.relpath(trace, top)), tap)
    tap.done()


main()
