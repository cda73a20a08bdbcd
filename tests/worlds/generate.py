# SPDX-License-Identifier: MIT
"""What happens in a world, drawn by chance from what can happen next."""

import world as worlds

NAMES = ('job-1', 'job-2', 'job-3', 'worker', 'io', 'sweeper', 'idle',
         'fifteen-letters', 'a b', 'swapper/0', '-')
PROGRAMS = ('bash', 'ls', 'server', 'cat', 'ust-app', 'ust-tool',
            'agent-app', 'a-program-of-a-long-name')


class Generator:
    def __init__(self, random, world, features=()):
        self.random = random
        self.world = world
        self.actions = []
        self._uid = worlds.SESSIOND
        # Each world is of another temper.
        self._births = random.between(1, 6)
        self._renames = random.between(0, 12)
        self._execs = random.between(0, 4)
        self._namespaces = 'namespaces' in features and random.chance(1, 3)
        self._exchanges = 'exchange' in features
        self._most = random.between(4, 14)
        self._dumps = []

    def act(self, name, *arguments):
        action = (name, self.random.between(1, 2000)) + arguments
        if self.world.act(action):
            self.actions.append(action)
            return True
        return False

    def next_uid(self):
        self._uid += 1
        return self._uid

    def start(self, session):
        self.act('start', session.name, session.domain)
        if session.dumps:
            self._dumps.append((session.name, list(self.world.threads)))

    def stop(self, session):
        self.act('stop', session.name)
        self._dumps = [dump for dump in self._dumps
                       if dump[0] != session.name]

    def step(self):
        random, world = self.random, self.world
        cpu = random.below(len(world.current))
        thread = world.current[cpu]
        if random.chance(1, 12):
            self._from_anywhere(cpu)
        elif thread is world.idle[cpu]:
            self._leave(cpu)
        elif thread.call is not None:
            self._go_on(cpu, thread)
        elif thread.uid == worlds.SESSIOND:
            self._dump(cpu)
        elif thread.is_killed:
            self.act('call', cpu, 'exit')
        elif thread.pending:
            self.act('agent', cpu)
        elif thread.process.has_ust and self._listens(cpu, thread):
            pass
        else:
            self._run(cpu, thread)

    def _listens(self, cpu, thread):
        """What LTTng-UST's listener has to do, or who has to make one."""
        process = thread.process
        if process.listener is None:
            if thread.is_leader and self.world.ust_sessions and \
                    self.random.chance(1, 2):
                return self.act('call', cpu, 'clone', self.next_uid(),
                                'listener')
        elif process.listener is thread:
            for session in self.world.ust_sessions:
                if session not in process.sessions:
                    return self.act('listen', cpu, session)
            self._leave(cpu)
            return True
        return False

    def _from_anywhere(self, cpu):
        """Interrupts, and what they wake and free."""
        threads = self.world.threads.values()
        what = self.random.below(4)
        if what == 0:
            self.act('interrupt', cpu)
        elif what == 1:
            self._wake(cpu)
        else:
            ended = [thread.uid for thread in threads
                     if thread.released and thread.state == worlds.DEAD]
            if ended:
                self.act('free', cpu, self.random.pick(ended))

    def _wake(self, cpu):
        asleep = [thread.uid for thread in self.world.threads.values()
                  if thread.state == worlds.ASLEEP]
        if asleep:
            self.act('wake', cpu, self.random.pick(asleep))

    def _leave(self, cpu):
        ready = [thread.uid for thread in self.world.threads.values()
                 if thread.state == worlds.RUNNABLE]
        if not ready or self.random.chance(1, 10):
            ready = [0]
            self._wake(cpu)
        self.act('switch', cpu, self.random.pick(ready),
                 self.random.chance(2, 3))

    def _go_on(self, cpu, thread):
        if thread.call.is_over or thread.call.waits or \
                self.random.chance(1, 6):
            self._leave(cpu)
        else:
            self.act('step', cpu)

    def _dump(self, cpu):
        if not self._dumps:
            self._leave(cpu)
            return
        session, uids = self._dumps[0]
        self.act('dump', cpu, session, tuple(uids[:4]))
        del uids[:4]
        if not uids:
            self._dumps.pop(0)

    def _run(self, cpu, thread):
        what = self.random.weighted((
            (20, self._leave), (8, self._wake), (8, self._plain),
            (self._renames, self._prctl), (self._renames, self._write),
            (self._births, self._clone), (self._execs, self._exec),
            (self._births, self._exit), (3, self._reap),
            (30 if thread.process.has_ust else 0, self._tick)))
        what(cpu)

    def _plain(self, cpu):
        self.act('call', cpu, 'getppid')

    def _tick(self, cpu):
        self.act('tick', cpu, self.random.below(100))

    def _name(self):
        return self.random.pick(NAMES)

    def _prctl(self, cpu):
        self.act('call', cpu, 'prctl',
                 None if self.random.chance(1, 8) else self._name())

    def _write(self, cpu):
        process = self.world.current[cpu].process
        if self.random.chance(1, 8):
            others = list(self.world.threads.values())
        else:
            others = process.threads
        self.act('call', cpu, 'write', self.random.pick(others).uid,
                 self._name())

    def _clone(self, cpu):
        if len(self.world.threads) >= self._most:
            return
        kind = self.random.pick(('thread', 'process'))
        if self._namespaces and self.random.chance(1, 6):
            kind = 'namespace'
        if self.world.current[cpu].uid == worlds.INIT:
            kind = 'process'
        self.act('call', cpu, 'clone', self.next_uid(), kind)

    def _exec(self, cpu):
        if not self.world.current[cpu].is_leader and not self._exchanges:
            return
        self.act('call', cpu, 'exec', None if self.random.chance(1, 6)
                 else self.random.pick(PROGRAMS))

    def _exit(self, cpu):
        self.act('ends', cpu)
        self.act('call', cpu, 'exit')

    def _reap(self, cpu):
        dead = [thread.uid for thread in self.world.threads.values()
                if thread.exited and not thread.released]
        if dead:
            self.act('reap', cpu, self.random.pick(dead))
