# SPDX-License-Identifier: MIT
"""A world and its sessions, drawn from a seed, and played."""

from events import KERNEL, KERNEL_CONTEXTS, UST, UST_CONTEXTS
from generate import Generator
from prng import Random
from session import Recording, Session
from world import World

SCHED = [name for name in KERNEL if name.startswith('sched_')]
CALLS = [name for name in KERNEL if name.startswith('syscall_')]
DUMPS = [name for name in KERNEL if name.startswith('lttng_statedump_')]


class Scenario:
    def __init__(self, cpus, pid_max, sessions, actions, late_free=False):
        self.cpus = cpus
        self.pid_max = pid_max
        self.sessions = sessions
        self.actions = actions
        self.late_free = late_free

    def play(self):
        world = World(self.cpus, self.pid_max, self.late_free)
        world.run(self.actions)
        return world

    def recordings(self):
        world = self.play()
        made = [Recording(session, world) for session in self.sessions]
        return [recording for recording in made if not recording.is_empty]

    def but(self, **changes):
        fields = dict(self.__dict__)
        fields.update(changes)
        return Scenario(**fields)


def _draw_events(random):
    """Each set that people record: all, the few, some."""
    if random.chance(1, 4):
        return list(KERNEL)
    names = SCHED[:1] if random.chance(4, 5) else []
    names += random.subset(SCHED[1:], random.between(0, 4), 4)
    calls = random.below(4)
    if calls == 0:
        names += CALLS
    elif calls == 1:
        chosen = random.subset(('getppid', 'prctl', 'openat', 'write',
                                'close', 'clone', 'execve'), 1, 2)
        names += [name for name in CALLS if name.split('_')[2] in chosen]
    if random.chance(1, 2):
        names.append('irq_handler_entry')
    if random.chance(1, 2):
        names += DUMPS
    return names or ['irq_handler_entry']


def _draw_channels(random, names):
    if len(names) < 2 or random.chance(3, 4):
        return [names]
    first = random.subset(names, 1, 2)
    rest = [name for name in names if name not in first]
    return [channel for channel in (first, rest) if channel]


def _draw_kernel(random, name, features):
    names = _draw_events(random)
    channels = _draw_channels(random, names)
    setup = {
        'name': name, 'domain': 'kernel', 'channels': channels,
        'contexts': random.subset(list(KERNEL_CONTEXTS), 1, 3),
        'compact': max(len(channel) for channel in channels) < 31
                   and random.chance(1, 2),
        'size': 1 << random.between(9, 12), 'count': random.between(2, 4)}
    if 'namespaces' in features and 'vtid' not in features and \
            'tid' not in setup['contexts']:
        setup['contexts'] = [name for name in setup['contexts']
                             if name != 'vtid']
    if 'discarded' in features and random.chance(1, 3) and (
            len(channels) == 1 or 'channels' in features):
        setup['drain'] = random.between(5000, 400000)
    if 'overwrite' in features and random.chance(1, 6):
        setup['overwrite'] = True
    return Session(**setup)


def _draw_ust(random, name, features):
    sure = ['vtid']
    if 'namespaces' in features and 'vtid' not in features:
        sure.append('pid_ns')
    return Session(
        name=name, domain='ust', channels=[list(UST)],
        contexts=sure + random.subset(
            [context for context in UST_CONTEXTS if context not in sure],
            1, 2),
        size=1 << random.between(9, 12))


def _draw_marks(random, sessions, steps, features):
    """[(step, start or stop, session)]."""
    marks = []
    together = random.between(0, steps // 2)
    for session in sessions:
        at = random.between(0, steps // 2) if 'late' in features else together
        marks.append((at, True, session))
        while 'stops' in features and random.chance(1, 3):
            at = random.between(at, steps)
            marks.append((at, False, session))
            at = random.between(at, min(steps, at + steps // 5))
            marks.append((at, True, session))
    return sorted(marks, key=lambda mark: mark[0])


# discarded: events; channels: in sessions of several, too. overwrite: flight
# recorders. stops: and starts. ust: user space, too. namespaces: of PIDs; vtid:
# sessions whose contexts tell it and neither tid nor namespace. sessions: more
# than one; late: that do not begin together. late-free: a number can come again
# before the record of its end. exchange: execs of threads that are no leaders.
FEATURES = ('discarded', 'channels', 'overwrite', 'stops', 'ust', 'namespaces',
            'vtid', 'sessions', 'late', 'late-free', 'exchange')


def draw(seed, steps, features):
    random = Random(seed)
    late_free = 'late-free' in features and random.chance(1, 4)
    world = World(random.between(1, 4), random.between(20, 60), late_free)
    sessions = [_draw_kernel(random, 'k0', features)]
    if 'ust' in features and random.chance(1, 2):
        sessions.append(_draw_ust(random, 'u0', features))
    while 'sessions' in features and len(sessions) < 4 and \
            random.chance(1, 4):
        kind = random.pick((_draw_kernel, _draw_ust)
                           if 'ust' in features else (_draw_kernel,))
        sessions.append(kind(random, 's%d' % len(sessions), features))
    for session in sessions:
        if 'sessions' in features and random.chance(1, 4):
            session.offset = random.between(0, 60000)
    generator = Generator(random, world, features)
    marks = _draw_marks(random, sessions, steps, features)
    for step in range(steps):
        while marks and marks[0][0] <= step:
            _, starts, session = marks.pop(0)
            (generator.start if starts else generator.stop)(session)
        generator.step()
    return Scenario(len(world.current), world.pid_max, sessions,
                    generator.actions, late_free)
