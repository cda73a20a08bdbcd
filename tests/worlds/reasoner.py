# SPDX-License-Identifier: MIT
"""What the records of kernel sessions of one boot tell of names, number by
number: a simple and exhaustive reasoner, that a reader is held against.

It knows no CPU's thread but through what records say of themselves, and takes
nothing for told that it is not sure of."""

import bisect

from world import PROCNAME, TID

# IS: the name is shown. BORN: and a life begins. DIES: it ends. RENAMED: from
# here on it has another name, for sure. MAYBE: it can have.
IS, BORN, DIES, RENAMED, MAYBE = 'is', 'born', 'dies', 'renamed', 'maybe'
# IS, until all is known.
EXEC = 'exec'

PAIRS = {
    'sched_switch': ((0, 1), (3, 4)),
    'sched_waking': ((0, 1),),
    'sched_wakeup_new': ((0, 1),),
    'sched_process_fork': ((0, 1),),
    'sched_process_exit': ((0, 1),),
    'lttng_statedump_process_state': ((2, 0),),
}


class Item:
    __slots__ = ('time', 'kind', 'name')

    def __init__(self, time, kind, name=None):
        self.time = time
        self.kind = kind
        self.name = name

    def __repr__(self):
        return '%d %s %s' % (self.time, self.kind, self.name)


class Reasoner:
    def __init__(self, recordings):
        self._items = {}
        # (session, uid): the call that the thread is in, as recorded.
        self._calls = {}
        for recording in recordings:
            if recording.session.domain == 'kernel':
                self._take(recording)
        self._times = {}
        for tid, items in self._items.items():
            items.sort(key=lambda item: item.time)
            self._doubt_execs(items)
            self._times[tid] = [item.time for item in items]

    def _add(self, tid, time, kind, name=None):
        self._items.setdefault(tid, []).append(Item(time, kind, name))

    def _take(self, recording):
        contexts = recording.session.contexts
        has_tid = 'tid' in contexts
        shows = has_tid and 'procname' in contexts
        for record in recording.records():
            view, payload, time = record.view, record.payload, record.time
            tid = view[TID]
            if shows:
                self._add(tid, time, IS, view[PROCNAME])
            for comm, number in PAIRS.get(record.event, ()):
                self._add(payload[number], time, IS, payload[comm])
            if record.event == 'sched_process_fork':
                self._add(payload[4], time, BORN, payload[3])
            elif record.event == 'sched_process_free':
                self._add(payload[1], time, IS, payload[0])
                self._add(payload[1], time, DIES)
            elif record.event == 'sched_process_wait':
                self._add(tid, time, IS if has_tid else MAYBE, payload[0])
            elif record.event == 'sched_process_exec':
                self._take_exec(time, payload)
            elif record.event.startswith('syscall_'):
                self._take_call(record, recording, has_tid)

    @staticmethod
    def _doubt_execs(items):
        """An exec's name can be shown before its record: that tells nothing
        of the time before."""
        place = len(items) - 1
        while place >= 0:
            item = items[place]
            if item.kind != EXEC:
                place -= 1
                continue
            item.kind = IS
            first = place
            while place > 0 and items[place - 1].kind in (IS, MAYBE) and \
                    items[place - 1].name in (None, item.name):
                place -= 1
                if items[place].kind == IS:
                    first = place
            items.insert(first, Item(items[first].time, MAYBE))
            place -= 1

    def _take_exec(self, time, payload):
        name = payload[0].split('/')[-1][:15]
        if payload[1] != payload[2]:
            self._add(payload[2], time, MAYBE)
        self._add(payload[1], time, MAYBE)
        self._add(payload[1], time, EXEC, name)

    def _take_call(self, record, recording, has_tid):
        """A call that may rename; known to the reader as one, or not."""
        event, payload = record.event, record.payload
        key = (recording.session.name, record.uid)
        tid = record.view[TID]
        # The entry itself is before whatever the call does.
        time = record.time + (0.5 if '_entry_' in event else 0)
        if event == 'syscall_entry_prctl':
            self._calls[key] = record
            self._add(tid, time, MAYBE)
        elif event == 'syscall_exit_prctl':
            entry = self._calls.pop(key, None)
            sure = entry is not None and has_tid and payload[0] == 0
            self._add(tid, time, RENAMED if sure else MAYBE)
        elif event.endswith(('execve', 'clone')):
            self._add(tid, time, MAYBE)
        elif event.endswith(('openat', 'write')):
            # Whoever is renamed by it.
            self._add(None, time, MAYBE)

    def before(self, tid, time):
        """The newest item that tells something at or before that time, and
        whether something may have come between: (Item or None, bool)."""
        return self._nearest(tid, time, -1)

    def shown_before(self, tid, time):
        """The newest name that a record shows, renamed since or not."""
        for item in reversed(self._items.get(tid, ())):
            if item.time <= time and item.name is not None:
                return item.name
        return None

    def after(self, tid, time):
        return self._nearest(tid, time, 1)

    def _nearest(self, tid, time, step):
        items = self._items.get(tid, ())
        times = self._times.get(tid, ())
        place = bisect.bisect_right(times, time)
        if step < 0:
            place -= 1
        maybe = False
        while 0 <= place < len(items) and items[place].kind == MAYBE:
            maybe = True
            place += step
        found = items[place] if 0 <= place < len(items) else None
        if found is not None and not maybe and None in self._times:
            others = self._times[None]
            low, high = sorted((found.time, time))
            maybe = bisect.bisect_left(others, low) != \
                bisect.bisect_right(others, high)
        return found, maybe
