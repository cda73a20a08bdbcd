#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rules of names, one by one, on traces that are written down here."""

import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import names_oracle as oracle
from names_script import (BOOT, KERNEL, OTHER_BOOT, PERF, UST, Hex, Trace, U32,
                          U64, names, read)

NO = oracle.UNKNOWN
ROOT_NS = 4026531836
tap = oracle.Tap()


def same(got, wanted, what):
    if not tap.ok(got == wanted, what):
        tap.note('got    %r\nwanted %r' % (got, wanted))


def both(lines, one_pass, lookahead, what, **more):
    """The comm of each event, in one pass and with look-ahead."""
    environment = more.pop('environment', KERNEL)
    trace = Trace(lines, environment)
    same(names([trace], lookahead=False, **more), one_pass,
         what + ', one pass')
    same(names([trace], lookahead=True, **more), lookahead,
         what + ', look-ahead')


def switch(time, cpu, prev, prev_comm, next_, next_comm, context=None):
    return (time, cpu, 'sched_switch', context, {
        'prev_comm': prev_comm, 'prev_tid': prev, 'next_comm': next_comm,
        'next_tid': next_})


def fork(time, cpu, parent, parent_comm, child, child_comm, context=None):
    return (time, cpu, 'sched_process_fork', context, {
        'parent_comm': parent_comm, 'parent_tid': parent,
        'child_comm': child_comm, 'child_tid': child})


def execs(time, cpu, tid, old, path, context=None):
    return (time, cpu, 'sched_process_exec', context, {
        'filename': path, 'tid': tid, 'old_tid': old})


def ends(time, cpu, what, tid, comm, context=None):
    return (time, cpu, 'sched_process_' + what, context, {
        'comm': comm, 'tid': tid})


def any_event(time, cpu, context=None):
    return (time, cpu, 'any', context, {'value': 0})


def prctl(time, cpu, option, ret, context=None):
    return [(time, cpu, 'syscall_entry_prctl', context, {'option': option}),
            (time + 1, cpu, 'syscall_exit_prctl', context, {'ret': ret})]


def test_provider():
    def at(time, tid, event='app:event', payload=None):
        return (time, 0, event, {'vtid': tid, 'vpid': 10},
                payload or {'value': 0})
    lines = [
        at(1, 10, 'commcache:process', {
            'pid': 10, 'pid_ns': U64(ROOT_NS), 'ppid': 1, 'comm': 'server',
            'exe': '/bin/server'}),
        at(2, 10),
        at(3, 10, 'commcache:thread_start', {
            'pid': 10, 'tid': 11, 'parent_tid': 10, 'comm': 'server'}),
        at(4, 11),
        at(5, 11, 'commcache:thread_rename', {
            'pid': 10, 'tid': 11, 'by_tid': 11, 'prev_comm': 'server',
            'comm': 'io-3'}),
        at(6, 11),
        at(7, 10, 'commcache:thread_rename', {
            'pid': 10, 'tid': 11, 'by_tid': 10, 'prev_comm': 'io-3',
            'comm': 'job-417'}),
        at(8, 11),
        at(9, 11, 'commcache:thread_exit', {
            'pid': 10, 'tid': 11, 'comm': 'job-417'}),
        at(10, 11),
        at(11, 12, 'commcache:statedump_thread', {
            'pid': 10, 'tid': 12, 'comm': 'late'}),
        at(12, 12)]
    wanted = ['server', 'server', 'server', 'server', 'io-3', 'io-3',
              'server', 'job-417', 'job-417', 'job-417', 'late', 'late']
    both(lines, wanted, wanted, 'commcache:*', environment=UST)
    same(set(names([Trace(lines, UST)], 'vpid_comm')), {'server'},
         'vpid stands for its process')
    renamed = read([Trace(lines, UST)])[6].payload
    same((renamed['by_tid_comm'], renamed['pid_comm'], 'tid_comm' in renamed),
         ('server', 'server', False),
         'ids of the payload have names but for the one that has its own')


def test_ust_procname():
    def at(time, tid, procname, event='app:event', payload=None):
        return (time, 0, event, {'vtid': tid, 'vpid': 10,
                                 'procname': procname},
                payload or {'value': 0})
    lines = [at(1, 12, 'app-ust', 'lttng_ust_statedump:procname',
                {'procname': 'app'}),
             at(2, 10, 'old'), at(3, 11, 'other'),
             at(4, 11, 'other', 'commcache:thread_rename', {
                 'pid': 10, 'tid': 11, 'by_tid': 11, 'prev_comm': 'other',
                 'comm': 'renamed'}),
             at(5, 11, 'other')]
    same(names([Trace(lines, UST)]),
         ['app-ust', 'old', 'other', 'renamed', 'renamed'],
         'a stale procname counts where nothing better is known')
    same(names([Trace(lines[:1], UST)], 'vpid_comm'), ['app'],
         'lttng_ust_statedump:procname names the process')
    trace = Trace([(1, 0, 'app:event', {'vpid': 10, 'procname': 'x'},
                    {'value': 0})], UST)
    same((names([trace]), names([trace], 'vpid_comm')), (['x'], [NO]),
         'procname beside vpid alone is the event\'s, not the process\'s')


def test_later():
    context = {'tid': 5}
    lines = [any_event(1, 0, context),
             switch(2, 0, 5, 'name', 6, 'other', context),
             any_event(3, 0, context)]
    both(lines, [NO, 'name', 'name'], ['name'] * 3, 'a name told later')


def test_rename_order():
    context = {'tid': 5}
    lines = [any_event(1, 0, context),
             (2, 0, 'task_rename', context, {
                 'pid': 5, 'oldcomm': 'before', 'newcomm': 'after'}),
             any_event(3, 0, context)]
    both(lines, [NO, 'before', 'after'], ['before', 'before', 'after'],
         'task_rename fires before the change')
    rename = {'pid': 5, 'oldcomm': 'before', 'newcomm': 'after'}
    lines = [any_event(1, 0, context), (2, 0, 'task_rename', context, rename),
             any_event(3, 0, context),
             (4, 0, 'sched_wakeup', context, {'comm': 'before', 'tid': 5}),
             any_event(5, 0, context)]
    both(lines, [NO, 'before', 'after', 'before', 'after'],
         ['before', 'before', 'before', 'before', 'after'],
         'what shows the old name after task_rename comes before the change')
    lines = [(1, 0, 'task_rename', context, rename),
             (2, 1, 'task_rename', context, dict(rename, newcomm='other')),
             any_event(3, 0, context)]
    both(lines, ['before', 'before', 'other'], ['before', 'before', 'other'],
         'two CPUs rename one thread')
    lines = [(1, 0, 'sched:sched_stat_runtime', None,
              {'perf_tid': 5, 'perf_pid': 5, 'common_pid': 5, 'comm': 'x',
               'pid': 9}),
             (2, 0, 'perf_comm', None,
              {'pid': U32(5), 'tid': U32(5), 'comm': 'after'}),
             (3, 0, 'sched:sched_stat_runtime', None,
              {'perf_tid': 5, 'perf_pid': 5, 'common_pid': 5, 'comm': 'x',
               'pid': 9})]
    both(lines, [NO, 'after', 'after'], [NO, 'after', 'after'],
         'perf_comm tells nothing of the time before', environment=PERF)


def test_prctl():
    context = {'tid': 5}

    def lines(option, ret):
        return [switch(1, 0, 5, 'one', 5, 'one', context),
                *prctl(2, 0, option, ret, context),
                any_event(4, 0, context),
                switch(5, 0, 5, 'two', 6, 'x', context)]
    both(lines(15, 0), ['one', 'one', NO, NO, 'two'],
         ['one', 'one', 'two', 'two', 'two'], 'prctl(PR_SET_NAME)')
    both(lines(15, -14), ['one'] * 4 + ['two'], ['one'] * 4 + ['two'],
         'prctl(PR_SET_NAME) that failed')
    both(lines(22, 0), ['one'] * 4 + ['two'], ['one'] * 4 + ['two'],
         'another prctl')
    old = [(time, cpu, {'syscall_entry_prctl': 'sys_prctl',
                        'syscall_exit_prctl': 'exit_syscall'}.get(name, name),
            context, payload)
           for time, cpu, name, context, payload in lines(15, 0)]
    both(old, ['one', 'one', NO, NO, 'two'],
         ['one', 'one', 'two', 'two', 'two'],
         'prctl as LTTng up to 2.5 spells it')


def test_proc_write():
    def call(time, name, enter, ret):
        return [(time, 0, 'syscall_entry_' + name, {'tid': 7}, enter),
                (time + 1, 0, 'syscall_exit_' + name, {'tid': 7},
                 {'ret': ret})]

    def lines(path, flags, fds):
        return [(1, 0, 'lttng_statedump_process_state', {'tid': 7},
                 {'tid': 5, 'pid': 5, 'name': 'one'}),
                (2, 0, 'lttng_statedump_process_state', {'tid': 7},
                 {'tid': 7, 'pid': 5, 'name': 'writer'}),
                *call(3, 'openat', {'dfd': -100, 'filename': path,
                                    'flags': flags, 'mode': 0}, 3),
                *call(5, 'dup2', {'oldfd': U32(fds[0]),
                                  'newfd': U32(fds[1])}, fds[1]),
                *call(7, 'write', {'fd': U32(fds[1]), 'buf': Hex(4096),
                                   'count': U64(3)}, 3),
                any_event(9, 0, {'tid': 5}),
                ends(10, 0, 'exit', 5, 'two', {'tid': 5})]
    same(names([Trace(lines('/proc/self/task/5/comm', 1, (3, 1)), KERNEL)],
               lookahead=True)[8:], ['two', 'two'],
         'a write to /proc renames, through dup2')
    same(names([Trace(lines('/proc/5/comm', 2, (3, 9)), KERNEL)],
               lookahead=True)[8:], ['two', 'two'],
         'a write to the process\'s comm renames its leader')
    same(names([Trace(lines('/proc/self/task/5/comm', 0, (3, 1)), KERNEL)],
               lookahead=True)[8:], ['one', 'two'],
         'a file that is open for reading does not')
    same(names([Trace(lines('/proc/self/task/6/comm', 1, (3, 1)), KERNEL)],
               lookahead=True)[8:], ['one', 'two'],
         'nor does another thread\'s')


def test_exec():
    context = {'tid': 5}
    lines = [switch(1, 0, 5, 'sh', 5, 'sh', context),
             execs(2, 0, 5, 5, '/usr/bin/a-very-long-program', context),
             any_event(3, 0, context)]
    both(lines, ['sh'] + ['a-very-long-pro'] * 2,
         ['sh'] + ['a-very-long-pro'] * 2, 'exec gives the program\'s name')
    lines = [switch(1, 0, 0, 'swapper/0', 6, 'worker'),
             execs(3, 0, 5, 6, '/bin/next'), any_event(4, 0)]
    trace = Trace(lines, KERNEL)
    same((names([trace], 'tid'), names([trace])),
         ([0, 5, 5], ['swapper/0', 'next', 'next']),
         'exec by a thread that is no leader takes the leader\'s tid')


def test_lives():
    context = {'tid': 1}
    lines = [fork(1, 0, 1, 'init', 5, 'init', context),
             (2, 0, 'any', {'tid': 5}, {'value': 0}),
             ends(3, 0, 'exit', 5, 'first', {'tid': 5}),
             fork(4, 0, 1, 'init', 5, 'second', context),
             ends(5, 0, 'free', 5, 'first', context),
             any_event(6, 0, {'tid': 5}),
             ends(7, 0, 'exit', 5, 'second', {'tid': 5}),
             ends(8, 0, 'free', 5, 'second', context),
             any_event(9, 0, {'tid': 5})]
    wanted = ['init', 'init', 'first', 'init', 'init', 'second', 'second',
              'init', 'second']
    both(lines, wanted, wanted, 'a tid that is used again, its free late')


def test_snares():
    lines = [switch(1, 0, 9, 'waiter', 9, 'waiter', {'tid': 9}),
             (2, 0, 'sched_process_wait', {'tid': 9},
              {'comm': 'waiter', 'tid': 5, 'prio': 20}),
             any_event(3, 0, {'tid': 5})]
    same(names([Trace(lines, KERNEL)], lookahead=True)[2], NO,
         'sched_process_wait\'s comm is the waiting thread\'s')
    lines = [(1, 0, 'any', {'pid': 5, 'procname': '.NET TP Worker'},
              {'value': 0})]
    same(read([Trace(lines, KERNEL)])[0].context,
         {'pid': 5, 'pid_comm': NO, 'procname': '.NET TP Worker',
          'comm': '.NET TP Worker'},
         'the kernel\'s procname is the thread\'s, not the pid\'s')
    lines = [(1, 0, 'syscall_entry_clone', {'tid': 5},
              {'parent_tid': Hex(5), 'child_tid': U64(5), 'pid': -1}),
             switch(2, 0, 5, 'name', 6, 'x', {'tid': 5})]
    same(read([Trace(lines, KERNEL)], lookahead=True)[0].payload,
         {'parent_tid': 5, 'child_tid': 5, 'pid': -1, 'pid_comm': NO},
         'pointers are no ids, a sentinel is none')
    lines = [(1, 0, 'signal_generate', {'tid': 9},
              {'comm': b'\x80\xe2\x82\xac', 'pid': 5}),
             any_event(2, 0, {'tid': 5})]
    same(names([Trace(lines, KERNEL)])[1], '\\x80\u20ac',
         'a comm that is an array of integers')
    lines = [(1, 0, 'sched_wakeup', {'tid': 5},
              {'comm': bytearray(b'sequence\0x'), 'tid': 5})]
    same(names([Trace(lines, KERNEL)]), ['sequence'],
         'a comm that is a sequence of integers')
    lines = [(1, 0, 'block_plug', {'tid': 5}, {'comm': 'plugger'})]
    same(names([Trace(lines, KERNEL)]), ['plugger'],
         'block_* without a tid names its own thread')
    lines = [(1, 0, 'thing:happened', {'vtid': 5, 'vpid': 5},
              {'worker_comm': 'w', 'worker_tid': 6, 'worker_pid': 5}),
             any_event(2, 0, {'vtid': 6, 'vpid': 5})]
    result = read([Trace(lines, UST)])
    same((result[1].context['comm'], result[0].payload['worker_pid_comm']),
         ('w', NO), 'the pair rule, in any event')


def test_namespaces():
    outer, inner = 4026532001, 4026532002

    def born(time, tid, vtid, inode, comm):
        line = fork(time, 0, 1, 'init', tid, comm)
        line[4].update({'vtids': [tid, vtid], 'child_pid': tid,
                        'child_ns_inum': U32(inode)})
        return line

    def ust(time, inode, vtid=2, cpu=1):
        return (time, cpu, 'app:event', {
            'vtid': vtid, 'vpid': vtid, 'pid_ns': U64(inode)}, {'value': 0})
    kernel = Trace([born(1, 100, 2, outer, 'left'),
                    born(2, 200, 2, inner, 'right'),
                    ends(7, 0, 'exit', 100, 'left'),
                    ends(8, 0, 'free', 100, 'left'),
                    born(9, 300, 2, outer, 'again')], KERNEL)
    traces = [kernel, Trace([ust(3, outer), ust(4, inner), ust(10, outer)],
                            UST)]
    same([name for line, name in zip(read(traces), names(traces))
          if line.event == 'app:event'], ['left', 'right', 'again'],
         'equal vtids in two namespaces, and a namespace used again')

    def process(time, cpu, inode, comm):
        context = {'vtid': 2, 'vpid': 2, 'pid_ns': U64(inode)}
        return (time, cpu, 'commcache:process', context, {
            'pid': 2, 'pid_ns': U64(inode), 'ppid': 1, 'comm': comm,
            'exe': '/x'})
    same(names([Trace([process(1, 0, outer, 'left'),
                       process(2, 1, inner, 'right'),
                       ust(3, outer, cpu=0), ust(4, inner)], UST)]),
         ['left', 'right', 'left', 'right'],
         'two namespaces without a kernel trace')
    def told(time, cpu, event, payload):
        return (time, cpu, event, {'vtid': 2, 'vpid': 2}, payload)

    def lives(time, cpu, inode, comm):
        return told(time, cpu, 'commcache:process', {
            'pid': 2, 'pid_ns': U64(inode), 'ppid': 1, 'comm': comm,
            'exe': '/x'})

    def plain(time, cpu):
        return told(time, cpu, 'app:event', {'value': 0})
    both([lives(1, 0, outer, 'left'), plain(2, 0),
          told(3, 0, 'commcache:thread_exit',
               {'pid': 2, 'tid': 2, 'comm': 'left'}),
          lives(4, 0, inner, 'right'), plain(5, 0)],
         ['left'] * 3 + ['right'] * 2, ['left'] * 3 + ['right'] * 2,
         'a pid used again, in another namespace', environment=UST)
    same([name for name in names(
        [Trace([lives(1, 0, outer, 'left'), lives(2, 1, inner, 'right'),
                plain(3, 0), plain(4, 1)], UST)])], [NO] * 4,
         'two namespaces at once, and nothing tells which: none is mixed')
    context = {'vtid': 2, 'vpid': 2}
    alone = Trace([(3, 1, 'app:event', context, {'value': 0})], UST)
    beside = Trace([born(1, 100, 2, outer, 'left'),
                    (1, 0, 'lttng_statedump_process_state', None,
                     {'tid': 2, 'pid': 2, 'name': 'kthreadd'}),
                    switch(2, 1, 0, 'swapper/1', 100, 'left'),
                    switch(4, 1, 100, 'left', 0, 'swapper/1')], KERNEL)
    same([line.context['comm'] for line in read([alone, beside])
          if line.event == 'app:event'], ['left'],
         'a vtid of no known namespace: the CPU tells which thread')


    same([line.context['comm'] for line in read([alone, Trace(
        beside.lines[2:], KERNEL)]) if line.event == 'app:event'], ['left'],
         'the same where nothing tells of the thread\'s numbers')
    same([line.context['comm'] for line in read([alone, Trace(
        [fork(1, 0, 1, 'init', 2, 'two'), *beside.lines[2:],
         (5, 0, 'lttng_statedump_process_pid_ns', None,
          {'tid': 100, 'vtid': 100, 'vpid': 100, 'ns_level': 0,
           'ns_inum': U32(ROOT_NS)})], KERNEL)])
        if line.event == 'app:event'], ['two'],
         'not where the CPU\'s thread has no such number')


def test_boots():
    kernel = [switch(1, 0, 0, 'swapper/0', 5, 'name'),
              switch(9, 0, 5, 'name', 0, 'swapper/0')]
    ust = [(4, 0, 'app:event', {'vtid': 5, 'vpid': 5}, {'value': 0})]
    bare = [(4, 0, 'app:event', None, {'value': 0})]

    def ask(lines, environment, boot):
        traces = [Trace(kernel, KERNEL), Trace(lines, environment, boot)]
        return [line.context['comm'] for line in read(traces)
                if line.event == 'app:event']
    away = dict(UST, hostname='away')
    same(ask(ust, UST, BOOT), ['name'], 'one boot')
    same(ask(bare, UST, BOOT), ['name'], 'one boot, by the CPU')
    same(ask(ust, away, BOOT), ['name'], 'one machine, named otherwise')
    same(ask(bare, away, BOOT), ['name'],
         'one machine, named otherwise, by the CPU')
    same(ask(bare, away, OTHER_BOOT), [NO], 'another host')
    same(ask(ust, UST, OTHER_BOOT), [NO], 'another boot')
    same(ask(bare, UST, OTHER_BOOT), [NO], 'another boot, by the CPU')


def test_offset():
    kernel = [switch(1000, 0, 0, 'swapper/0', 5, 'name'),
              switch(1010, 0, 5, 'name', 0, 'swapper/0'),
              any_event(1020, 0)]
    bare = [(1005, 0, 'app:event', None, {'value': 0}),
            (1015, 0, 'app:event', None, {'value': 0})]
    traces = [Trace(kernel, KERNEL, offset=500),
              Trace(bare, UST, offset=0)]
    same([(line.context['tid'], line.context['comm'])
          for line in read(traces) if line.event == 'app:event'],
         [(5, 'name'), (0, 'swapper/0')],
         'times are compared by raw clock values')


def test_cpus():
    lines = [any_event(1, 0), switch(2, 0, 5, 'one', 6, 'two'),
             any_event(3, 0), switch(4, 0, 6, 'two', 5, 'one')]
    trace = Trace(lines, KERNEL)
    same(names([trace], 'tid', lookahead=False), [-1, 5, 6, 6],
         'the CPU\'s current thread, one pass')
    same(names([trace], 'tid'), [5, 5, 6, 6],
         'the CPU\'s current thread, look-ahead')
    same(names([trace], infer_current=False), [NO, 'one', NO, 'two'],
         'infer-current=no: only what events tell themselves')
    same(names([trace], 'tid', infer_current=False), [None] * 4,
         'infer-current=no: no tid')
    lines = [switch(1, 0, 5, 'one', 6, 'two'), any_event(2, 0),
             any_event(3, 0), any_event(4, 0),
             switch(5, 0, 7, 'three', 8, 'four')]
    same(names([Trace(lines, KERNEL, lossy=[3])], 'tid'), [5, -1, -1, 7, 7],
         'switches that were discarded')


def test_no_clock():
    lines = [(0, None, 'any', {'tid': 5}, {'value': 0}),
             (0, None, 'sched_wakeup', {'tid': 9}, {'comm': 'name',
                                                     'tid': 5}),
             (0, None, 'any', {'tid': 5}, {'value': 0})]
    trace = Trace(lines, KERNEL, boot=None)
    same(names([trace], lookahead=False)[2], 'name',
         'without a clock: the order of events counts')
    same(names([trace])[0], 'name', 'without a clock, with look-ahead')


def test_parameters():
    context = {'vtid': 5, 'vpid': 5, 'procname': 'stale'}
    lines = [(1, 0, 'commcache:statedump_thread', context,
              {'pid': 5, 'tid': 5, 'comm': 'right'}),
             (2, 0, 'commcache:statedump_thread', context,
              {'pid': 5, 'tid': 6, 'comm': 'io-1'}),
             (3, 0, 'app:event', context, {'owner': 6, 'job': U64(6)}),
             (4, 0, 'app:event', {'vtid': 6, 'vpid': 5, 'procname': 'stale'},
              {'owner': 6, 'job': U64(7)})]
    trace = Trace(lines, UST)
    same(read([trace], field_name='procname')[2].context,
         {'vtid': 5, 'vpid': 5, 'vpid_comm': 'right', 'procname': 'right'},
         'field-name: the stale procname is mended')
    same(names([trace], 'thread_name', field_name='thread_name'),
         ['right', 'right', 'right', 'io-1'], 'field-name: a new member')
    same([line.payload for line in read([trace], ids=['owner', 'job'])][2:],
         [{'owner': 6, 'owner_comm': 'io-1', 'job': 6, 'job_comm': 'io-1'},
          {'owner': 6, 'owner_comm': 'io-1', 'job': 7, 'job_comm': NO}],
         'ids: members that hold ids')
    same(names([trace], keep=['io-*', 'x']), ['io-1'], 'keep')
    same(names([trace], keep=['[x-z]*']), [], 'keep: none')
    same(names([trace], 'comm_source', provenance=True),
         ['seen', 'seen', 'seen', 'seen'], 'provenance')
    same(read([trace], ids=['job'], unknown='nobody')[3].payload['job_comm'],
         'nobody', 'unknown')


def test_provenance():
    def at(time, tid, event='app:event', payload=None):
        return (time, 0, event, {'vtid': tid, 'vpid': 10},
                payload or {'value': 0})
    lines = [at(1, 10), at(2, 10, 'commcache:statedump_thread', {
        'pid': 10, 'tid': 10, 'comm': 'main'}), at(3, 10),
             at(4, 10, 'commcache:thread_rename', {
                 'pid': 10, 'tid': 10, 'by_tid': 10, 'prev_comm': 'main',
                 'comm': 'new'}), at(5, 10), at(6, 77)]
    same(names([Trace(lines, UST)], 'comm_source', provenance=True),
         ['later', 'seen', 'seen', 'set', 'set', 'unknown'],
         'provenance: later, seen, set, unknown')
    lines = [(1, 0, 'perf_comm', None, {'pid': U32(5), 'tid': U32(5),
                                        'comm': 'parent'}),
             (2, 0, 'perf_fork', None, {
                 'pid': U32(6), 'ppid': U32(5), 'tid': U32(6),
                 'ptid': U32(5)}),
             (3, 0, 'perf_exit', None, {
                 'pid': U32(6), 'ppid': U32(5), 'tid': U32(6),
                 'ptid': U32(5)})]
    same(read([Trace(lines, PERF)], provenance=True)[2].context,
         {'comm': 'parent', 'comm_source': 'inherited'},
         'provenance: inherited')


def test_names_from():
    lines = [any_event(1, 0, {'tid': 5}), any_event(2, 0, {'tid': 6}),
             fork(3, 0, 1, 'init', 5, 'born', {'tid': 1}),
             any_event(4, 0, {'tid': 5})]
    with tempfile.NamedTemporaryFile('w', suffix='.txt') as file:
        file.write('    5 from file\n\n6 x \n')
        file.flush()
        for lookahead in (False, True):
            same(names([Trace(lines, KERNEL)], names_from=file.name,
                       lookahead=lookahead),
                 ['from file', 'x ', 'init', 'born'],
                 'names-from serves until records tell better, lookahead=%s'
                 % lookahead)
        same(names([Trace(lines, KERNEL)], 'comm_source', provenance=True,
                   names_from=file.name),
             ['file', 'file', 'seen', 'set'], 'names-from: provenance')
    for text, wanted in (('5\n', 'line 1'), ('5 a\nfive b\n', 'line 2'),
                         ('5000000 a\n', 'line 1'), ('-1 a\n', 'line 1'),
                         ('5 a\n6 b\0c\n', 'line 2')):
        with tempfile.NamedTemporaryFile('w') as file:
            file.write(text)
            file.flush()
            error = fails(names_from=file.name)
            tap.ok(wanted in error and file.name in error,
                   'names-from: %r is refused, with file and line' % text)
    tap.ok('/no/such/file' in fails(names_from='/no/such/file'),
           'names-from: a missing file is refused')


def fails(**params):
    try:
        read([Trace([any_event(1, 0, {'tid': 5})], KERNEL)], **params)
    except oracle.bt2._Error as error:
        return str(error)
    return ''


def test_text():
    for name, shown in (('a\x1b[31mb', 'a\\x1b[31mb'), ('\n', '\\x0a'),
                        ('\x7f', '\\x7f'), ('\u009b1m', '\\xc2\\x9b1m'),
                        ('\u00e9t\u00e9 ', '\u00e9t\u00e9 '), ('', ''),
                        ('a"b\'c', 'a"b\'c'), ('()#/:', '()#/:'),
                        ('\\x1b[31m', '\\x5cx1b[31m'), ('C:\\x', 'C:\\x'),
                        ('\\\x1b', '\\\\x1b'), ('\\x1\x1b', '\\x1\\x1b')):
        lines = [(1, 0, 'sched_wakeup', {'tid': 5},
                  {'comm': name, 'tid': 5})]
        same(names([Trace(lines, KERNEL)]), [shown], 'shown as %r' % shown)
    lines = [(1, 0, 'sched_wakeup', {'tid': 5},
              {'comm': b'abcdefghijklm\xe3\x82', 'tid': 5})]
    same(names([Trace(lines, KERNEL)]), ['abcdefghijklm\\xe3\\x82'],
         'a name cut inside of a character')


def test_again():
    """What an earlier run of the filter added is none of a tracer's."""
    context = {'tid': 5, 'pid': 5, 'pid_comm': NO, 'comm': NO}
    lines = [any_event(1, 0, context),
             (2, 0, 'sched_wakeup', context, {'comm': 'name', 'tid': 5})]
    result = read([Trace(lines, KERNEL)])
    same([line.context['comm'] for line in result], ['name', 'name'],
         'an earlier run\'s unknown is no name')
    same(list(result[0].context), ['tid', 'pid', 'pid_comm', 'comm'],
         'nothing is added twice')
    error = names([Trace([any_event(1, 0, {'tid': 5})], KERNEL)],
                  'tid', field_name='other')
    same(error, [5], 'a context stays what it was')


def test_endless():
    """One pass forgets what no later event can ask for, and nothing else."""
    lines, wanted = [], []
    for place in range(18000):
        time, tid = place * 10**7, 100 + place % 9000
        for name, event in (
                ('init', fork(time, 0, 1, 'init', tid, 'new', {'tid': 1})),
                ('x%d' % place, (time + 1, 0, 'sched_wakeup', {'tid': tid}, {
                    'comm': 'x%d' % place, 'tid': tid})),
                ('x%d' % place, ends(time + 2, 0, 'exit', tid,
                                     'x%d' % place, {'tid': tid})),
                ('old', any_event(time + 3, 0, {'tid': 2}))):
            lines.append(event)
            wanted.append(name)
    lines.insert(0, (0, 0, 'sched_wakeup', {'tid': 2},
                     {'comm': 'old', 'tid': 2}))
    wanted.insert(0, 'old')
    tap.ok(names([Trace(lines, KERNEL)], lookahead=False) == wanted,
           'an endless stream: names are right while others are forgotten')


def reported(trace, level):
    """What the filter writes to the standard error."""
    saved = os.dup(2)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        try:
            read([trace], logging_level=level)
        finally:
            os.dup2(saved, 2)
            os.close(saved)
        file.seek(0)
        return file.read().decode()


def test_report():
    context = {'vtid': 5, 'vpid': 5}
    named = Trace([any_event(1, 0, context),
                   (2, 0, 'commcache:statedump_thread', context,
                    {'pid': 5, 'tid': 5, 'comm': 'name'}),
                   any_event(3, 0, {'vtid': 6, 'vpid': 5})], UST)
    text = reported(named, oracle.bt2.LoggingLevel.INFO)
    tap.ok('3 events: 2 named (1 seen, 1 later), 1 unknown '
           '(1 thread never told of)' in text, 'statistics at info level')
    same(reported(named, oracle.bt2.LoggingLevel.WARNING), '',
         'nothing is said otherwise')
    two = {'vtid': 2, 'vpid': 2}
    lives = [(n, 0, 'commcache:process', two,
              {'pid': 2, 'pid_ns': U64(4026532000 + n), 'ppid': 1,
               'comm': 'name', 'exe': '/x'}) for n in (1, 2)]
    tap.ok('2 unknown (2 in one of two PID namespaces)' in reported(
        Trace(lives, UST), oracle.bt2.LoggingLevel.INFO),
        'statistics: ids of two namespaces')
    for lines, environment, advice in (
            (lives, UST, 'lttng add-context --userspace --type=pid_ns'),
            ([any_event(1, 0)], UST, 'lttng add-context --userspace '
                                     '--type=vtid'),
            ([any_event(1, 0, context)], UST, 'commcache record'),
            ([any_event(1, 0)], KERNEL, 'lttng enable-event --kernel '
                                        'sched_switch'),
            ([any_event(1, 0, {'tid': 5})], KERNEL,
             'sched_process_fork,sched_process_exec')):
        tap.ok(advice in reported(Trace(lines, environment),
                                  oracle.bt2.LoggingLevel.WARNING),
               'where nothing could be named, the advice: %s' % advice)


def test_wrong_member():
    lines = [any_event(1, 0, {'tid': 5, 'comm': 7})]
    try:
        read([Trace(lines, KERNEL)])
        error = ''
    except oracle.bt2._Error as exception:
        error = str(exception)
    tap.ok('field-name' in error, 'a member `comm` that is no text is an error')
    lines = [any_event(1, 0, {'vtid': 5, 'vpid': 5})]
    error = ''
    try:
        read([Trace(lines, UST)], field_name='vpid_comm')
    except oracle.bt2._Error as exc:
        error = str(exc)
    tap.ok('field-name' in error and 'already adds' in error,
           'a name that the filter gives to another member is an error')


for test in [value for name, value in sorted(globals().items())
             if name.startswith('test_')]:
    tap.note(test.__name__)
    test()
tap.done()
