# SPDX-License-Identifier: MIT
"""A machine: CPUs, threads, processes and PID namespaces. Actions change it,
and each step of it that a tracer could record becomes a record.

An action that makes no sense in the state it finds is left out. So any part
of a list of actions is a list of actions, which is how a world is shrunk."""

import collections

from calls import Call

ROOT_INODE = 4026531836
INIT, SESSIOND = 1, 2

# view: what `current` was at that moment, a tuple by the places below.
# only: the sessions that the record is written for; None: any.
Record = collections.namedtuple(
    'Record', 'time cpu event uid view payload only')
TID, PID, COMM, VTID, VPID, INODE, PROCNAME = range(7)

RUNNABLE, RUNNING, ASLEEP, DEAD = range(4)


class Namespace:
    def __init__(self, parent, inode):
        self.parent = parent
        self.level = parent.level + 1 if parent else 0
        self.inode = inode
        self.used = set()
        self.last = 0

    def chain(self):
        """From the root's down to this one."""
        return (self.parent.chain() if self.parent else []) + [self]

    def take(self, limit):
        """The next number, as the kernel goes round."""
        for _ in range(limit):
            self.last = self.last % limit + 1
            if self.last not in self.used:
                self.used.add(self.last)
                return self.last
        return None


class Process:
    def __init__(self, namespace, program, parent):
        self.namespace = namespace
        self.program = program
        self.parent = parent
        self.threads = []
        self.leader = None
        self.files = set()
        # Of LTTng-UST: sessions that the process knows; its listener thread.
        self.sessions = set()
        self.listener = None

    def open_file(self):
        """The lowest number that is free; some are open from the start."""
        number = 3
        while number in self.files:
            number += 1
        self.files.add(number)
        return number

    @property
    def has_ust(self):
        return self.program.startswith(('ust', 'agent'))

    @property
    def has_agent(self):
        return self.program.startswith('agent')


class Thread:
    def __init__(self, uid, process, numbers, comm):
        self.uid = uid
        self.process = process
        # Of each namespace from the root down; None: given back.
        self.numbers = numbers
        self.tid = numbers[0]
        self.comm = comm
        self.state = RUNNABLE
        self.cpu = None
        self.call = None
        self.is_killed = False
        self.exited = False
        self.released = False
        self.freed = False
        self.procname = None
        # What the agent is about to write before the program goes on.
        self.pending = None
        self.view = None

    @property
    def is_leader(self):
        return self.process.leader is self

    def look(self):
        """Brings the view up to date."""
        leader = self.process.leader
        if self.released:
            virtual = (0, 0, 0)
        else:
            virtual = (self.numbers[-1], leader.numbers[-1],
                       self.process.namespace.inode)
        self.view = (self.tid, leader.tid, self.comm, *virtual, self.comm)


class World:
    def __init__(self, cpu_count, pid_max, late_free=False):
        """late_free: a number can come again before the record that tells of
        its end."""
        self.now = 1000000
        self.pid_max = pid_max
        self.late_free = late_free
        self.records = []
        self.threads = {}
        # uid: all names it ever had.
        self.names = {}
        # tid: those of all that ever bore it.
        self.names_of_number = {}
        self.marks = []
        # (when, who execs, its leader until then, the leader's tid, the other)
        self.exchanges = []
        # (when, whom, the record of the file's opening): renames through /proc.
        self.writes = []
        # Sessions of user space that record now.
        self.ust_sessions = []
        self._inodes = []
        self._next_inode = ROOT_INODE + 400
        self.root = Namespace(None, ROOT_INODE)
        self.idle = []
        for cpu in range(cpu_count):
            process = Process(self.root, 'swapper', None)
            thread = Thread(-cpu, process, [0], 'swapper/%d' % cpu)
            process.threads.append(thread)
            process.leader = thread
            thread.cpu = cpu
            thread.state = RUNNING
            thread.look()
            self.idle.append(thread)
        self.current = list(self.idle)
        for uid, comm in ((INIT, 'init'), (SESSIOND, 'Client manageme')):
            self.begin_process(uid, None, comm, False)

    # What calls.py builds on.

    def record(self, cpu, event, *payload, only=None):
        thread = self.current[cpu]
        self.now += 1
        self.records.append(Record(self.now, cpu, event, thread.uid,
                                   thread.view, payload, only))

    def begin_process(self, uid, parent, comm, unshare):
        namespace = parent.process.namespace if parent else self.root
        if unshare:
            if namespace.level >= 2:
                return None
            inode = self._inodes.pop(0) if self._inodes else self._next_inode
            if inode == self._next_inode:
                self._next_inode += 1
            namespace = Namespace(namespace, inode)
        program = parent.process.program if parent else comm
        process = Process(namespace, program,
                          parent.process if parent else None)
        return self._begin(uid, process, comm)

    def begin_thread(self, uid, parent):
        return self._begin(uid, parent.process, parent.comm)

    def _begin(self, uid, process, comm):
        numbers = []
        for namespace in process.namespace.chain():
            number = namespace.take(self.pid_max)
            if number is None:
                self._give_back(process.namespace.chain(), numbers)
                return None
            numbers.append(number)
        thread = Thread(uid, process, numbers, comm)
        process.threads.append(thread)
        process.leader = process.leader or thread
        thread.look()
        self.threads[uid] = thread
        self._note(thread)
        return thread

    def _give_back(self, namespaces, numbers):
        for namespace, number in zip(namespaces, numbers):
            namespace.used.discard(number)
            if not namespace.used and namespace.parent:
                self._inodes.append(namespace.inode)

    def rename(self, thread, comm):
        thread.comm = comm
        thread.look()
        self._note(thread)

    def _note(self, thread):
        self.names.setdefault(thread.uid, set()).add(thread.comm)
        self.names_of_number.setdefault(thread.tid, set()).add(thread.comm)

    def wake(self, cpu, thread):
        if thread.state == ASLEEP:
            self.record(cpu, 'sched_waking', thread.comm, thread.tid)
            thread.state = RUNNABLE

    def release(self, thread):
        """The kernel's release_task(): its numbers are free again."""
        thread.released = True
        process = thread.process
        if self.late_free:
            self._give_back(process.namespace.chain(), thread.numbers)
        process.threads.remove(thread)
        thread.look()

    def is_init(self, thread):
        return thread.uid <= SESSIOND or (
            thread.is_leader and thread.numbers[-1] == 1)

    # Actions: (name, time since the one before, ...).

    def run(self, actions):
        for action in actions:
            self.act(action)

    def act(self, action):
        """Whether it made sense."""
        before = self.now
        self.now += action[1]
        done = getattr(self, '_' + action[0])(*action[2:])
        if not done:
            self.now = before
        return done

    def _start(self, session, domain):
        self.marks.append((self.now, 'start', session))
        if domain == 'ust' and session not in self.ust_sessions:
            self.ust_sessions.append(session)
        return True

    def _stop(self, session):
        self.marks.append((self.now, 'stop', session))
        if session in self.ust_sessions:
            self.ust_sessions.remove(session)
        for thread in self.threads.values():
            thread.process.sessions.discard(session)
        return True

    def _switch(self, cpu, uid, sleeps):
        previous = self.current[cpu]
        following = self.threads.get(uid) if uid else self.idle[cpu]
        if following is None or following is previous or \
                uid and following.state != RUNNABLE:
            return False
        waits = previous.call is not None and previous.call.waits
        dead = previous.call is not None and previous.call.is_over
        if previous is not self.idle[cpu]:
            if dead:
                previous.state = DEAD
            elif waits or sleeps and not previous.is_killed:
                previous.state = ASLEEP
            else:
                previous.state = RUNNABLE
            previous.cpu = None
        state = {DEAD: 64, ASLEEP: 1}.get(previous.state, 0)
        self.record(cpu, 'sched_switch', previous.comm, previous.tid, state,
                    following.comm, following.tid)
        self.current[cpu] = following
        if uid:
            following.state = RUNNING
            following.cpu = cpu
        return True

    def _wake(self, cpu, uid):
        thread = self.threads.get(uid)
        if thread is None or thread.state != ASLEEP:
            return False
        self.wake(cpu, thread)
        return True

    def _interrupt(self, cpu):
        self.record(cpu, 'irq_handler_entry', 4, 'timer')
        return True

    def _call(self, cpu, kind, *arguments):
        thread = self.current[cpu]
        if thread is self.idle[cpu] or thread.call is not None or \
                thread.pending:
            return False
        if thread.is_killed and kind != 'exit':
            return False
        call = Call.make(kind, self, thread, arguments)
        if call is None:
            return False
        thread.call = call
        call.step(cpu)
        return True

    def _step(self, cpu):
        thread = self.current[cpu]
        if thread.call is None or thread.call.is_over or thread.call.waits:
            return False
        thread.call.step(cpu)
        if thread.call.is_done:
            thread.call = None
        return True

    def _reap(self, cpu, uid):
        """A parent takes a dead process away."""
        thread = self.threads.get(uid)
        if thread is None or not thread.exited or thread.released or \
                len(thread.process.threads) > 1:
            return False
        current = self.current[cpu]
        if current is self.idle[cpu] or current.call is not None or \
                thread.state != DEAD:
            return False
        self.record(cpu, 'sched_process_wait', current.comm, 0)
        self.release(thread)
        return True

    def _free(self, cpu, uid):
        thread = self.threads.get(uid)
        if thread is None or not thread.released or thread.freed or \
                thread.state != DEAD:
            return False
        self.record(cpu, 'sched_process_free', thread.comm, thread.tid)
        thread.freed = True
        if not self.late_free:
            self._give_back(thread.process.namespace.chain(), thread.numbers)
        del self.threads[uid]
        return True

    def _dump(self, cpu, session, uids):
        """Some threads of a session's statedump."""
        if self.current[cpu].uid != SESSIOND:
            return False
        for uid in uids:
            thread = self.threads.get(uid)
            if thread is None or thread.released:
                continue
            self.record(cpu, 'lttng_statedump_process_state', thread.tid,
                        thread.process.leader.tid, thread.comm,
                        only=(session,))
            places = zip(thread.process.namespace.chain(), thread.numbers)
            for namespace, number in reversed(list(places)):
                self.record(cpu, 'lttng_statedump_process_pid_ns', thread.tid,
                            number, namespace.level, namespace.inode,
                            only=(session,))
        return True

    # User space.

    def _tick(self, cpu, value):
        thread = self.current[cpu]
        if not self._is_in_program(thread) or thread.pending:
            return False
        self._write(cpu, 'app:tick', value)
        return True

    def _agent(self, cpu):
        """What the agent had yet to write."""
        thread = self.current[cpu]
        if not thread.pending or not self._is_in_program(thread):
            return False
        event, *payload = thread.pending
        thread.pending = None
        if event == 'commcache:thread_rename' and payload[1] == payload[2]:
            # It mends LTTng-UST's procname.
            thread.procname = None
        self._write(cpu, event, *payload)
        return True

    def _ends(self, cpu):
        thread = self.current[cpu]
        if not self._is_in_program(thread) or thread.pending or \
                not thread.process.has_agent or thread.is_leader:
            return False
        self._write(cpu, 'commcache:thread_exit', thread.process.leader
                    .numbers[-1], thread.numbers[-1], thread.comm)
        return True

    def _listen(self, cpu, session):
        """The listener lets the session know its process: from then on it
        records it."""
        thread = self.current[cpu]
        process = thread.process
        if not self._is_in_program(thread) or process.listener is not thread \
                or session not in self.ust_sessions or \
                session in process.sessions or process.leader.released:
            return False
        process.sessions.add(session)
        leader = process.leader
        only = (session,)
        self._write(cpu, 'lttng_ust_statedump:procname', process.program[:15],
                    only=only)
        if not process.has_agent:
            return True
        pid = leader.numbers[-1]
        self._write(cpu, 'commcache:process', pid, process.namespace.inode, 1,
                    leader.comm, '/usr/bin/' + process.program, only=only)
        self._write(cpu, 'commcache:statedump_start', pid, only=only)
        for other in process.threads:
            self._write(cpu, 'commcache:statedump_thread', pid,
                        other.numbers[-1], other.comm, 0, only=only)
        self._write(cpu, 'commcache:statedump_end', pid,
                    len(process.threads), only=only)
        return True

    def _is_in_program(self, thread):
        return thread.uid > SESSIOND and thread.call is None and \
            thread.process.has_ust and not thread.is_killed

    def _write(self, cpu, event, *payload, only=None):
        thread = self.current[cpu]
        sessions = only or tuple(sorted(thread.process.sessions))
        if not sessions:
            return
        if thread.procname is None:
            thread.procname = thread.comm
        self.now += 1
        view = thread.view[:PROCNAME] + (thread.procname,)
        self.records.append(Record(self.now, cpu, event, thread.uid, view,
                                   payload, sessions))
