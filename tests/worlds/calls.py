# SPDX-License-Identifier: MIT
"""System calls, step by step. A thread can be preempted between two steps."""


class Call:
    """`waits`: the thread is to sleep now, until it is woken. `is_over`: it
    is to leave its CPU for good. `is_done`: it is in user mode again."""

    def __init__(self, world, thread, arguments):
        self.world = world
        self.thread = thread
        self.waits = False
        self.is_over = False
        self.is_done = False
        self._steps = self.steps(*arguments)
        self._cpu = None

    @staticmethod
    def make(kind, world, thread, arguments):
        of_kind = KINDS[kind]
        if not of_kind.fits(world, thread, *arguments):
            return None
        return of_kind(world, thread, arguments)

    @staticmethod
    def fits(world, thread, *arguments):
        return True

    def step(self, cpu):
        self._cpu = cpu
        try:
            next(self._steps)
        except StopIteration:
            self.is_done = not self.is_over

    def tell_rename(self, target, before):
        """The agent stands before the call of the library."""
        thread = self.thread
        if thread.process.has_agent and thread.process.listener:
            thread.pending = (
                'commcache:thread_rename', thread.process.leader.numbers[-1],
                target.numbers[-1], thread.numbers[-1], before, target.comm, 0)

    def record(self, event, *payload):
        self.world.record(self._cpu, event, *payload)


class GetPpid(Call):
    def steps(self):
        self.record('syscall_entry_getppid')
        yield
        self.record('syscall_exit_getppid', 1)


class Prctl(Call):
    """By itself. comm None: it fails."""

    def steps(self, comm):
        before = self.thread.comm
        self.record('syscall_entry_prctl', 15)
        yield
        if comm is not None:
            self.world.rename(self.thread, comm)
            yield
            self.tell_rename(self.thread, before)
        self.record('syscall_exit_prctl', 0 if comm is not None else -14)


class WriteComm(Call):
    """By itself or another thread, through /proc. Only a thread of the same
    process is let."""

    @staticmethod
    def fits(world, thread, uid, comm):
        target = world.threads.get(uid)
        return target is not None and not target.released and \
            target.process.namespace is thread.process.namespace

    def steps(self, uid, comm):
        target = self.world.threads[uid]
        leader = target.process.leader
        self.record('syscall_entry_openat', '/proc/%d/task/%d/comm' % (
            leader.numbers[-1], target.numbers[-1]), 1)
        opened = self.world.now
        yield
        process = self.thread.process
        number = process.open_file()
        self.record('syscall_exit_openat', number)
        yield
        self.record('syscall_entry_write', number, len(comm))
        yield
        result = -22
        before = target.comm
        if target.released:
            result = -3
        elif target.process is self.thread.process:
            self.world.rename(target, comm)
            self.world.writes.append((self.world.now, uid, opened))
            result = len(comm)
            yield
        self.record('syscall_exit_write', result)
        yield
        self.record('syscall_entry_close', number)
        process.files.discard(number)
        yield
        self.record('syscall_exit_close', 0)
        if result > 0 and not target.released:
            self.tell_rename(target, before)


class Clone(Call):
    """kind: thread, listener (of LTTng-UST), process or namespace: a process that
    is the first one of a new PID namespace."""

    @staticmethod
    def fits(world, thread, uid, kind):
        return uid not in world.threads

    def steps(self, uid, kind):
        parent = self.thread
        self.record('syscall_entry_clone')
        yield
        child = None
        if not parent.is_killed and kind in ('thread', 'listener'):
            child = self.world.begin_thread(uid, parent)
        elif not parent.is_killed:
            child = self.world.begin_process(uid, parent, parent.comm,
                                             kind == 'namespace')
        if child is None:
            self.record('syscall_exit_clone', -11)
            return
        self.record('sched_process_fork', parent.comm, parent.tid,
                    parent.process.leader.tid, child.comm, child.tid,
                    list(child.numbers), child.process.leader.tid,
                    child.process.namespace.inode)
        child.call = Born(self.world, child, (kind, parent))
        self.record('sched_wakeup_new', child.comm, child.tid)
        yield
        self.record('syscall_exit_clone', child.numbers[
            parent.process.namespace.level])


class Born(Call):
    """A child comes out of its parent's call."""

    def steps(self, kind, parent):
        self.record('syscall_exit_clone', 0)
        process = self.thread.process
        if kind == 'listener':
            process.listener = self.thread
        elif kind == 'thread' and process.has_agent and process.listener:
            self.thread.pending = (
                'commcache:thread_start', process.leader.numbers[-1],
                self.thread.numbers[-1], parent.numbers[-1],
                self.thread.comm, 0)
        return
        yield


class Exec(Call):
    """program None: it fails."""

    @staticmethod
    def fits(world, thread, program):
        return program is None or not world.is_init(thread) and not any(
            isinstance(other.call, Exec) for other in thread.process.threads)

    def steps(self, program):
        self.record('syscall_entry_execve', '/usr/bin/' + (program or 'none'))
        yield
        if program is None:
            self.record('syscall_exit_execve', -2)
            return
        thread, process = self.thread, self.thread.process
        for other in process.threads:
            if other is not thread and not other.exited:
                other.is_killed = True
                self.world.wake(self._cpu, other)
        while any(other is not thread and not other.exited
                  for other in process.threads):
            self.waits = True
            yield
        leader = process.leader
        if leader is not thread:
            # What is left of the leader gets the other's numbers.
            thread.numbers, leader.numbers = leader.numbers, thread.numbers
            old_tid, thread.tid = thread.tid, leader.tid
            leader.tid = old_tid
            self.world.exchanges.append((self.world.now, thread.uid,
                                         leader.uid, thread.tid, old_tid))
            process.leader = thread
            thread.look()
            self.world.release(leader)
        else:
            old_tid = thread.tid
        yield
        process.program = program
        process.sessions = set()
        process.listener = None
        thread.procname = None
        self.world.rename(thread, program[:15])
        yield
        self.record('sched_process_exec', '/usr/bin/' + program, thread.tid,
                    old_tid)
        yield
        self.record('syscall_exit_execve', 0)


class Exit(Call):
    @staticmethod
    def fits(world, thread):
        if not world.is_init(thread):
            return True
        return thread.numbers[0] != thread.numbers[-1] and \
            thread.process.namespace.used == {1}

    def steps(self):
        thread, process = self.thread, self.thread.process
        self.record('sched_process_exit', thread.comm, thread.tid)
        yield
        thread.exited = True
        if not thread.is_leader:
            self.world.release(thread)
        for other in list(process.threads):
            # Who waits for the others to be gone, before its exec.
            if other.call is not None and other.call.waits and \
                    not any(one is not other and not one.exited
                            for one in process.threads):
                other.call.waits = False
                self.world.wake(self._cpu, other)
        self.is_over = True


KINDS = {
    'getppid': GetPpid,
    'prctl': Prctl,
    'write': WriteComm,
    'clone': Clone,
    'exec': Exec,
    'exit': Exit,
}
