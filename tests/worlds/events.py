# SPDX-License-Identifier: MIT
"""The events of the tracers, and their bytes."""

import struct

from world import INODE, PID, PROCNAME, TID, VPID, VTID


def _integer(size, signed, code):
    return ('integer { size = %d; align = 8; signed = %d; encoding = none; '
            'base = 10; } _%%s;' % (size, signed), struct.Struct(code).pack)


def _array(size):
    pack = struct.Struct('%ds' % size).pack
    return ('integer { size = 8; align = 8; signed = 1; encoding = UTF8; '
            'base = 10; } _%%s[%d];' % size,
            lambda text: pack(text.encode()))


def _pack_string(text):
    return text.encode() + b'\0'


def _pack_sequence(values):
    return struct.pack('<B%di' % len(values), len(values), *values)


I32 = _integer(32, 1, '<i')
TYPES = {
    'i32': I32,
    'i64': _integer(64, 1, '<q'),
    'u8': _integer(8, 0, '<B'),
    'u32': _integer(32, 0, '<I'),
    'u64': _integer(64, 0, '<Q'),
    'comm': _array(16),
    'procname': _array(17),
    'string': ('string _%s;', _pack_string),
    'vtids': ('integer { size = 8; align = 8; signed = 0; encoding = none; '
              'base = 10; } __%s_length; ' +
              I32[0].replace('%s;', '%s[ __%s_length ];'), _pack_sequence),
}


class EventClass:
    def __init__(self, name, fields):
        self.name = name
        self.fields = [tuple(field.split(':')) for field in fields.split()]
        self._packers = [TYPES[kind][1] for _, kind in self.fields]

    def pack(self, payload):
        return b''.join([pack(value) for pack, value in
                         zip(self._packers, payload)])

    def declare(self):
        return declare(self.fields)


def declare(fields):
    return ' '.join(TYPES[kind][0].replace('%s', name)
                    for name, kind in fields)


def _classes(table):
    return {name: EventClass(name, fields) for name, fields in table.items()}


KERNEL = _classes({
    'sched_switch': 'prev_comm:comm prev_tid:i32 prev_state:i64 '
                    'next_comm:comm next_tid:i32',
    'sched_waking': 'comm:comm tid:i32',
    'sched_wakeup_new': 'comm:comm tid:i32',
    'sched_process_fork': 'parent_comm:comm parent_tid:i32 parent_pid:i32 '
                          'child_comm:comm child_tid:i32 vtids:vtids '
                          'child_pid:i32 child_ns_inum:u32',
    'sched_process_exec': 'filename:string tid:i32 old_tid:i32',
    'sched_process_exit': 'comm:comm tid:i32',
    'sched_process_free': 'comm:comm tid:i32',
    'sched_process_wait': 'comm:comm tid:i32',
    'irq_handler_entry': 'irq:i32 name:string',
    'syscall_entry_getppid': '',
    'syscall_exit_getppid': 'ret:i64',
    'syscall_entry_prctl': 'option:i32',
    'syscall_exit_prctl': 'ret:i64',
    'syscall_entry_openat': 'filename:string flags:i32',
    'syscall_exit_openat': 'ret:i64',
    'syscall_entry_write': 'fd:u32 count:u64',
    'syscall_exit_write': 'ret:i64',
    'syscall_entry_close': 'fd:u32',
    'syscall_exit_close': 'ret:i64',
    'syscall_entry_clone': '',
    'syscall_exit_clone': 'ret:i64',
    'syscall_entry_execve': 'filename:string',
    'syscall_exit_execve': 'ret:i64',
    'lttng_statedump_process_state': 'tid:i32 pid:i32 name:comm',
    'lttng_statedump_process_pid_ns': 'tid:i32 vtid:i32 ns_level:i32 '
                                      'ns_inum:u32',
})

UST = _classes({
    'app:tick': 'value:i32',
    'lttng_ust_statedump:procname': 'procname:procname',
    'commcache:process': 'pid:i32 pid_ns:u64 ppid:i32 comm:string exe:string',
    'commcache:statedump_start': 'pid:i32',
    'commcache:statedump_thread': 'pid:i32 tid:i32 comm:string ts:u64',
    'commcache:statedump_end': 'pid:i32 threads:u32',
    'commcache:thread_start': 'pid:i32 tid:i32 parent_tid:i32 comm:string '
                              'ts:u64',
    'commcache:thread_rename': 'pid:i32 tid:i32 by_tid:i32 prev_comm:string '
                               'comm:string ts:u64',
    'commcache:thread_exit': 'pid:i32 tid:i32 comm:string',
})

# name: (place in the view, type)
KERNEL_CONTEXTS = {
    'tid': (TID, 'i32'), 'vtid': (VTID, 'i32'), 'pid': (PID, 'i32'),
    'vpid': (VPID, 'i32'), 'procname': (PROCNAME, 'comm'),
    'pid_ns': (INODE, 'u32'),
}
UST_CONTEXTS = {
    'vtid': (VTID, 'i32'), 'vpid': (VPID, 'i32'),
    'procname': (PROCNAME, 'procname'), 'pid_ns': (INODE, 'u64'),
}

DOMAINS = {'kernel': (KERNEL, KERNEL_CONTEXTS), 'ust': (UST, UST_CONTEXTS)}


class ContextClass:
    def __init__(self, domain, names):
        contexts = DOMAINS[domain][1]
        self.fields = [(name, contexts[name][1]) for name in names]
        self._packers = [(contexts[name][0], TYPES[contexts[name][1]][1])
                         for name in names]

    def pack(self, view):
        return b''.join([pack(view[place]) for place, pack in self._packers])

    def declare(self):
        return declare(self.fields)
