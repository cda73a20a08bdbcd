#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What must not be compared: moments that were not recorded, numbers of other
namespaces, hosts and clocks."""

import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import names_oracle as oracle
from names_oracle import bt2
from names_script import KERNEL, OTHER_BOOT, UST, Trace, U64, names, read

NO = oracle.UNKNOWN
tap = oracle.Tap()


def same(got, wanted, what):
    if not tap.ok(got == wanted, what):
        tap.note('got    %r\nwanted %r' % (got, wanted))


def switch(time, prev, prev_comm, next_, next_comm, context=None):
    return (time, 0, 'sched_switch', context, {
        'prev_comm': prev_comm, 'prev_tid': prev, 'next_comm': next_comm,
        'next_tid': next_})


def any_event(time, context=None, name='any'):
    return (time, 0, name, context, {'value': 0})


def test_outside():
    first = Trace([switch(1000, 10, 'alpha', 20, 'beta'), any_event(1100)],
                  KERNEL)
    second = Trace([switch(5000, 30, 'delta', 40, 'eps'), any_event(6000)],
                   KERNEL)
    ust = Trace([any_event(time, None, 'app:event')
                 for time in (5, 1050, 3000, 5500, 9000)], UST)
    for lookahead in (False, True):
        got = [line.context['comm'] for line in read(
            [first, second, ust], lookahead=lookahead)
            if line.event == 'app:event']
        same(got, [NO, 'beta', NO, 'eps', NO],
             'of two sessions, the one that recorded the moment answers')


def test_filtered():
    lines = [switch(100, 5, 'five', 7, 'seven'), any_event(150),
             switch(900, 5, 'five', 9, 'nine'), any_event(950)]
    same(names([Trace(lines, KERNEL)], lookahead=True),
         ['five', NO, 'five', 'nine'],
         'both sides of switches differ with no gap: no one knows')


def test_vtid_before_switch():
    def at(vtid):
        return {'vtid': vtid, 'vpid': vtid}
    lines = [any_event(10, at(5)),
             switch(400, 1000, 'contained', 10, 'alpha', at(5)),
             any_event(450, at(10))]
    lines.insert(0, (5, 0, 'lttng_statedump_process_state', at(0), {
        'tid': 5, 'pid': 5, 'vtid': 5, 'name': 'kworker', 'ns_level': 0,
        'ns_inum': U64(4026531836)}))
    same(names([Trace(lines, KERNEL)], lookahead=False)[1], NO,
         'a vtid of no known namespace is no number of the host')
    for lookahead in (False, True):
        got = names([Trace(lines, KERNEL)], 'vpid_comm', lookahead=lookahead)
        same((got[1], got[2], got[3]), (NO, NO, 'alpha'),
             'nor is its vpid, whoever the CPU ran')


def test_namespace_of_a_life():
    def at(vpid, tid):
        return {'vpid': vpid, 'tid': tid}

    def fork(time, child, comm, inode, vtids):
        return (time, 0, 'sched_process_fork', at(1, 1), {
            'parent_comm': 'init', 'parent_tid': 1, 'child_comm': comm,
            'child_tid': child, 'child_pid': child,
            'child_ns_inum': U64(inode), 'vtids': vtids})
    lines = [fork(100, 5, 'kworker', 4026531836, [5]),
             fork(200, 1000, 'contained', 4026532000, [1000, 5]),
             any_event(300, at(5, 1000)),
             (400, 0, 'sched_process_free', at(1, 1), {
                 'comm': 'contained', 'tid': 1000}),
             fork(500, 1000, 'hosted', 4026531836, [1000]),
             any_event(600, at(1000, 1000))]
    for lookahead in (False, True):
        got = names([Trace(lines, KERNEL)], 'vpid_comm', lookahead=lookahead)
        same((got[2], got[5]), ('contained', 'hosted'),
             'a namespace is that of the life at the moment')


def error_of(traces, path):
    try:
        names(traces, names_from=path)
        return ''
    except bt2._Error as error:
        return ' '.join(str(error).split())


def test_hosts():
    def named(tracer, comm, boot):
        return Trace([(1, 0, 'n', {'tid': 7}, {'tid': 7, 'comm': comm})],
                     tracer, boot)
    board = {'tracer_name': 'barectf'}
    asks = Trace([any_event(2, {'tid': 7})], board)
    same(names([named(board, 'board-1', asks.boot), asks])[1], NO,
         'a configured UUID without a hostname is no machine')
    with tempfile.NamedTemporaryFile('w', suffix='.names') as file:
        file.write('7 of-here\n')
        file.flush()
        there = dict(KERNEL, hostname='there')
        one = Trace([any_event(1, {'tid': 7})], KERNEL)
        other = Trace([any_event(2, {'tid': 7})], there, OTHER_BOOT)
        same(names([one], names_from=file.name), ['of-here'],
             'names from a file, of one host')
        told = error_of([one, other], file.name)
        tap.ok('its names are those of one host' in told,
               'names from a file do not serve two hosts')
        file.write('[here]\n7 x\n')
        file.flush()
        told = error_of([one], file.name)
        tap.ok('line 2' in told, 'either all names are of a host, or none')
    with tempfile.NamedTemporaryFile('w', suffix='.names') as file:
        file.write('[here]\n7 of-here\n\n[there]\n  7 of-there\n')
        file.flush()
        for lookahead in (False, True):
            same(names([one, other], names_from=file.name,
                       lookahead=lookahead), ['of-here', 'of-there'],
                 'a file says which names are of which host')
        again = Trace(other.lines, KERNEL, OTHER_BOOT)
        tap.ok('its names are those of one host' in
               error_of([one, again], file.name),
               'one host, two boots: whose are they?')
        none = Trace(other.lines, dict(KERNEL, hostname='else'), OTHER_BOOT)
        same(names([one, none], names_from=file.name), ['of-here', NO],
             'a host of which the file has no names')


def test_placeholder():
    context = {'tid': 5}
    lines = [switch(1, 5, 'name', 6, 'other', context),
             switch(2, 6, 'other', 5, '<...>', {'tid': 6}),
             any_event(3, context)]
    lines_source = read([Trace(lines, KERNEL)], lookahead=False,
                        provenance=True)[2].context
    same((lines_source['comm'], lines_source['comm_source']),
         ('<...>', 'seen'), 'a thread really called <...>')


test_outside()
test_filtered()
test_vtid_before_switch()
test_namespace_of_a_life()
test_hosts()
test_placeholder()
tap.done()
