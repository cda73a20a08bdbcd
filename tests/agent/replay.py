# SPDX-License-Identifier: MIT
"""What a reader of the agent's events would call each thread, against what
the kernel said it was called."""


class Replay:
    """Follows the names through a trace and notes all that is wrong."""

    def __init__(self, events, disputed=False):
        # Names may be given by several at once, and be written again.
        self.disputed = disputed
        self.names = {}
        # Truths told before anything was known of the thread.
        self.early = {}
        self.starts = []
        self.exits = []
        self.renames = []
        self.switches = []
        self.losses = []
        self.processes = []
        self.dumps = []
        self.truths = 0
        self.wrong = []
        for event in events:
            if event.name == "subject:truth":
                self.truth(event)
            elif event.name.startswith("commcache:"):
                getattr(self, event.name.partition(":")[2])(event)
        for truths in self.early.values():
            self.note(truths[0], "nothing is known of the thread")

    def note(self, event, why):
        """Something is wrong."""
        self.wrong.append(f"{why}: {event}")

    def name(self, event, tid=None):
        """The name that the events so far give a thread."""
        return self.names.get((event.pid, tid or event.tid))

    def first(self, event, tid, comm):
        """The first that is known of a thread holds for what was before."""
        for truth in self.early.pop((event.pid, tid), ()):
            if truth.comm != comm:
                self.note(truth, f"the trace says later that it was {comm!r}")

    def process(self, event):
        """A process: its main thread's name. Its threads follow."""
        self.processes.append(event)
        # Another image of the same process, or another process: start anew.
        self.names = {key: name for key, name in self.names.items()
                      if key[0] != event.pid}
        self.first(event, event.pid, event.comm)
        self.names[event.pid, event.pid] = event.comm

    def statedump_start(self, event):
        """A statedump of one process begins."""
        self.dumps.append({"pid": event.pid, "threads": {}, "written": 0,
                           "end": None})

    def dump_of(self, event):
        """The statedump that an event belongs to."""
        for dump in reversed(self.dumps):
            if dump["pid"] == event.pid and dump["end"] is None:
                return dump
        self.note(event, "outside of a statedump")
        return {"threads": {}, "written": 0}

    def statedump_thread(self, event):
        """A living thread."""
        dump = self.dump_of(event)
        dump["threads"][event.tid] = event.comm
        dump["written"] += 1
        self.first(event, event.tid, event.comm)
        self.names[event.pid, event.tid] = event.comm

    def statedump_end(self, event):
        """A statedump ends, and says how much it had."""
        dump = self.dump_of(event)
        dump["end"] = event.threads
        # Twice for one that was renamed meanwhile, perhaps.
        if event.threads != dump["written"]:
            self.note(event, "not as many threads as it says")

    def thread_start(self, event):
        """A thread is born."""
        self.starts.append(event)
        if event.context.get("vtid", event.tid) != event.tid:
            self.note(event, "written by another thread")
        self.names[event.pid, event.tid] = event.comm

    def thread_rename(self, event):
        """A name changes."""
        self.renames.append(event)
        known = self.name(event)
        self.first(event, event.tid, event.prev_comm)
        if event.prev_comm == event.comm and known is not None and \
                not self.disputed:
            self.note(event, "changes nothing")
        # A statedump may have read the new name before this was written. By
        # nobody: found changed, whatever came between.
        if known not in (None, event.prev_comm, event.comm) and \
                event.by_tid and not self.disputed:
            self.note(event, f"was known as {known!r}")
        self.names[event.pid, event.tid] = event.comm

    def sched_switch(self, event):
        """A thread got a CPU, or left it."""
        self.switches.append(event)

    def lost(self, event):
        """Some of the kernel's records are missing."""
        self.losses.append(event)

    def thread_exit(self, event):
        """A thread ends."""
        self.exits.append(event)
        if self.name(event) != event.comm and not self.disputed:
            self.note(event, f"was known as {self.name(event)!r}")

    def truth(self, event):
        """The kernel's word."""
        self.truths += 1
        if self.name(event) is None:
            self.early.setdefault((event.pid, event.tid), []).append(event)
        elif self.name(event) != event.comm:
            self.note(event, f"the trace says {self.name(event)!r}")
