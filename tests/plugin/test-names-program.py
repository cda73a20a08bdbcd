#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs without the agent, run by a process of which the agent told."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import names_oracle as oracle
from names_script import UST, Trace, U64, read

tap = oracle.Tap()
NS = U64(4026531836)


def same(got, wanted, what):
    if not tap.ok(got == wanted, what):
        tap.note('got    %r\nwanted %r' % (got, wanted))


class Process:
    """What is recorded of process 10. With `has_procname`, contexts have it."""

    def __init__(self, has_procname=False):
        self.has_procname = has_procname
        self.lines = []
        self.wanted = []

    def write(self, event, vtid, shown, **payload):
        context = {'vpid': 10, 'vtid': vtid}
        if self.has_procname:
            context['procname'] = shown
        self.lines.append((len(self.lines) + 1, 0, event, context, payload))

    def dump(self, listener, procname, agent=None):
        """A session starts; with the agent, which writes what first?"""
        of_thread = procname + '-ust'
        self.write('lttng_ust_statedump:start', listener, of_thread, value=0)
        if agent:
            self.tell(listener, of_thread, agent)
        self.write('lttng_ust_statedump:procname', listener, of_thread,
                   procname=procname)

    def tell(self, by, procname, comm):
        self.write('commcache:process', by, procname, pid=10, pid_ns=NS,
                   comm=comm)

    def rename(self, vtid, old, comm, procname, by=None):
        self.write('commcache:thread_rename', by or vtid, procname, pid=10,
                   tid=vtid, prev_comm=old, comm=comm)

    def event(self, wanted, procname=None, vtid=10, is_weak=False):
        self.write('app:event', vtid, procname or wanted, value=0)
        self.wanted.append(wanted)

    def judge(self, what, traces=None):
        for lookahead in (False, True):
            got = [line.context['comm'] for line in read(
                traces or [Trace(self.lines, UST)], lookahead=lookahead)
                if line.event == 'app:event']
            same(got, self.wanted, '%s, procname %s, look-ahead %s' % (
                what, self.has_procname, lookahead))


def test_without_agent(has_procname):
    process = Process(has_procname)
    process.dump(11, 'env', 'env')
    process.event('env')
    process.dump(12, 't')
    process.event('t')
    process.event('t')
    process.dump(13, 'u')
    process.event('u')
    process.dump(14, 'env', 'env')
    process.event('env')
    process.dump(15, 't')
    process.event('t')
    process.judge('programs without the agent, and with it')


def test_same_name(has_procname):
    process = Process(has_procname)
    process.dump(11, 'pool', 'pool')
    process.rename(10, 'pool', 'worker', 'worker')
    process.event('worker')
    process.dump(12, 'pool')
    process.event('pool')
    process.judge('a program of the name that the one before was loaded with')


def test_no_program(has_procname):
    process = Process(has_procname)
    process.dump(11, 'pool', 'pool')
    process.event('pool')
    process.rename(10, 'pool', 'main', 'main')
    process.event('main')
    process.rename(10, 'main', 'other', 'x', by=20)
    # LTTng-UST has read it when the thread named itself.
    process.event('other', 'main')
    process.rename(10, 'other', 'own', 'own')
    process.rename(10, 'own', 'last', 'x', by=20)
    process.event('last', 'own')
    process.dump(11, 'pool', 'last')
    process.event('last', 'own')
    process.judge('sessions start, threads are renamed: no other program')


def test_agent_tells_late(has_procname):
    process = Process(has_procname)
    process.dump(11, 'env', 'env')
    process.event('env')
    process.dump(12, 'pool')
    process.tell(10, 'pool', 'pool')
    process.event('pool')
    process.rename(10, 'pool', 'main', 'main')
    process.event('main')
    # A session that starts late, of which the agent is told first.
    process.tell(12, 'pool-ust', 'main')
    process.dump(12, 'pool')
    process.event('main')
    process.judge('a program with the agent after one with it')


def test_agent_told_first(has_procname):
    process = Process(has_procname)
    process.dump(11, 'env', 'env')
    process.event('env')
    process.tell(12, 'pool-ust', 'main')
    process.dump(12, 'pool')
    process.event('main')
    process.judge('the agent tells before LTTng-UST does')


def test_procname_only():
    process = Process(True)
    process.tell(11, 'env-ust', 'env')
    process.event('env')
    process.event('t')
    process.event('t')
    process.event('u')
    process.judge('no statedump')


def test_processes_apart(has_procname):
    """Per-PID buffers: each program has a trace of its own."""
    first, second = Process(has_procname), Process(has_procname)
    first.dump(11, 'env', 'env')
    first.event('env')
    second.dump(12, 't')
    second.event('t')
    later = [(line[0] + 100,) + line[1:] for line in second.lines]
    first.wanted += second.wanted
    first.judge('a trace for each program', [
        Trace(first.lines, UST), Trace(later, UST)])


def test_source():
    process = Process()
    process.dump(11, 'env', 'env')
    process.dump(12, 't')
    process.event('t')
    line = read([Trace(process.lines, UST)], lookahead=True,
                provenance=True)[-1]
    same((line.context['comm'], line.context['comm_source']), ('t', 'seen'),
         'its source')


for has in (False, True):
    test_without_agent(has)
    test_same_name(has)
    test_no_program(has)
    test_agent_tells_late(has)
    test_agent_told_first(has)
    test_processes_apart(has)
test_procname_only()
test_source()
tap.done()
