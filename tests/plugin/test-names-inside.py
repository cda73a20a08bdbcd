#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names that are shown between the entry and the exit of a renaming call."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import names_oracle as oracle
from names_script import KERNEL, Trace, names

NO = oracle.UNKNOWN
OF_5 = {'tid': 5}
tap = oracle.Tap()


def same(lines, one_pass, lookahead, what):
    """The comm of each event, in one pass and with look-ahead."""
    for mode, wanted in ((False, one_pass), (True, lookahead)):
        got = names([Trace(lines, KERNEL)], lookahead=mode)
        if not tap.ok(got == wanted, '%s, %s' % (
                what, 'look-ahead' if mode else 'one pass')):
            tap.note('got    %r\nwanted %r' % (got, wanted))


def any_event(time):
    return (time, 0, 'any', OF_5, {'value': 0})


def shown(time, comm):
    return (time, 0, 'sched_wakeup', OF_5, {'comm': comm, 'tid': 5})


def entry(time, call='prctl', **payload):
    return (time, 0, 'syscall_entry_' + call, OF_5, payload)


def leave(time, call='prctl', ret=0):
    return (time, 0, 'syscall_exit_' + call, OF_5, {'ret': ret})


def test_not_before_the_call():
    same([shown(1, 'one'), entry(10, option=15), leave(20), any_event(30),
          entry(40, option=15), shown(50, 'three'), leave(60), any_event(70)],
         ['one', 'one', NO, NO, NO, 'three', NO, NO],
         ['one', 'one', NO, NO, NO, 'three', NO, NO],
         'shown inside a second rename: not of the time before')
    same([any_event(1), entry(10, option=15), shown(20, 'name'), leave(30),
          any_event(40)],
         [NO, NO, 'name', NO, NO], [NO, NO, 'name', NO, NO],
         'shown inside the first rename: not of the time before')
    same([shown(1, 'one'), entry(10, option=15), shown(20, 'two'), leave(30),
          any_event(40)],
         ['one', 'one', 'two', 'two', 'two'],
         ['one', 'one', 'two', 'two', 'two'],
         'another name than the one before is the new one')
    file = {'filename': '/usr/bin/prog', 'tid': 5, 'old_tid': 5}
    for comm, told in (('name', 'name'), ('prog', NO)):
        same([entry(10, option=15), leave(20), any_event(30),
              entry(40, 'execve', filename='/usr/bin/prog'), shown(50, comm),
              (60, 0, 'sched_process_exec', OF_5, file), any_event(70)],
             [NO, NO, NO, NO, comm, 'prog', 'prog'],
             [NO, told, told, told, comm, 'prog', 'prog'],
             'shown inside exec, whose name is told: %s' % comm)


def test_another_calls_exit():
    program = {'filename': '/usr/bin/none'}
    same([shown(1, 'one'), entry(10, 'execve', **program),
          leave(20, 'openat', 9), any_event(30)],
         ['one', 'one', NO, NO], ['one', 'one', NO, NO],
         'another call is left: it does not tell that exec worked')
    same([shown(1, 'one'), entry(10, 'execve', **program),
          leave(20, 'execve'), any_event(30)],
         ['one', 'one', 'none', 'none'], ['one', 'one', 'none', 'none'],
         'the exit of exec tells that it worked')
    same([shown(1, 'one'), entry(10, 'execve', **program),
          leave(20, 'execve', -2), any_event(30)],
         ['one'] * 4, ['one'] * 4, 'the exit of exec tells that it failed')


for test in [value for name, value in sorted(globals().items())
             if name.startswith('test_')]:
    tap.note(test.__name__)
    test()
tap.done()
