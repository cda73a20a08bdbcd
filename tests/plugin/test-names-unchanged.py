#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No crash and no changed event on any real trace: what babeltrace2 prints
through the filter, without the members that were added, is what it prints
without it."""

import itertools
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import names_oracle as oracle

# A name that no member has by itself.
NAME = b'zz_name'
TEXT = rb'"(?:[^"\\]|\\.)*"'
# `ID_comm` right after ID.
BESIDE = re.compile(rb'((\w+) = -?\d+), \2_comm = ' + TEXT)
# The name at the end of the common context, or alone in one that was not
# there; with the tid before it where the context had none.
WITH_TID = rb'(?:tid = -?\d+, )?'
KEPT = re.compile(rb', ' + NAME + rb' = ' + TEXT)
ADDED = re.compile(rb', ' + WITH_TID + NAME + rb' = ' + TEXT)
ALONE = re.compile(rb'\{ ' + WITH_TID + NAME + rb' = ' + TEXT
                   + rb' \}(?:, |(?=$))')
STRINGS = re.compile(rb'= ' + TEXT)


def run(traces, with_filter):
    command = ['babeltrace2'] + traces
    if with_filter:
        command += ['--component=filter.commcache.resolve',
                    '--params=field-name="%s"' % NAME.decode()]
    process = subprocess.Popen(command, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    return process


def has_tid(plain):
    """Does a context, as printed without the filter, tell a tid?"""
    return any(structure.startswith((b'tid = ', b'{ tid = '))
               or b', tid = ' in structure
               for structure in plain.split(b'}, { ')[:-1])


def take_back(line, plain):
    line = BESIDE.sub(rb'\1', line)
    if has_tid(plain):
        return KEPT.sub(b'', line, count=1)
    line, count = ALONE.subn(b'', line, count=1)
    return line if count else ADDED.sub(b'', line, count=1)


def is_stale(line, plain):
    """An empty text array: babeltrace2 2.0.4 prints an earlier event's text
    for it, the filter goes by the length."""
    if STRINGS.sub(b'', line) != STRINGS.sub(b'', plain):
        return False
    return all(ours == theirs or ours == b'= ""' for ours, theirs in zip(
        STRINGS.findall(line), STRINGS.findall(plain)))


def compare(label, traces, tap):
    plain, filtered = run(traces, False), run(traces, True)
    events = changed = stale = 0
    for theirs, ours in itertools.zip_longest(plain.stdout, filtered.stdout,
                                              fillvalue=b''):
        events += 1
        back = take_back(ours, theirs)
        if back == theirs:
            continue
        if is_stale(back, theirs):
            stale += 1
            continue
        changed += 1
        if changed <= 3:
            for line in (theirs, ours, back):
                tap.note(line.decode('utf-8', 'backslashreplace').strip())
    status = plain.wait(), filtered.wait()
    tap.ok(changed == 0 and status[0] == status[1],
           '%s: %d events, %d changed, %d with an empty text that prints as '
           'an earlier one; exit status %d and %d' % (
               (label, events, changed, stale) + status))


def main():
    if not shutil.which('babeltrace2'):
        oracle.skip_all('the program babeltrace2 is missing')
    tap = oracle.Tap()
    for folder in ('traces', 'ktraces'):
        top = oracle.shared(folder)
        for trace in oracle.find_traces(top):
            compare(os.path.join(folder, os.path.relpath(trace, top)),
                    [trace], tap)
        for together in (['tracevizlab/cat-kern-ust'],
                         ['K5'], ['K5-lean', 'K5-pid']):
            paths = [os.path.join(top, name) for name in together]
            if all(os.path.isdir(path) for path in paths):
                compare(' '.join(together), paths, tap)
    tap.done()


main()
