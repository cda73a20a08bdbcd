# SPDX-License-Identifier: MIT
"""LTTng sessions, the programs that run in them, and what they wrote."""

import glob
import os
import shutil
import subprocess
import tempfile
import time

import bt2

BUILD = os.environ["top_builddir"]
SOURCE = os.environ["top_srcdir"]
AGENT = f"{BUILD}/src/agent/.libs/libcommcache-ust.so"
FORK = "liblttng-ust-fork.so"
CONTEXTS = ("vpid", "vtid", "procname")


def lttng(*arguments, timeout=None):
    """Run lttng; an error ends the test. TimeoutError: it takes longer."""
    try:
        result = subprocess.run(("lttng", "--no-sessiond") + arguments,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT,
                                text=True, check=False, timeout=timeout)
    except subprocess.TimeoutExpired as error:
        raise TimeoutError(f"lttng {' '.join(arguments)}") from error
    if result.returncode:
        raise RuntimeError(f"lttng {' '.join(arguments)}: {result.stdout}")
    return result.stdout


def environment(preload=(AGENT,), **more):
    """That of a traced program."""
    env = dict(os.environ, **more)
    if preload:
        env["LD_PRELOAD"] = " ".join(preload)
    return env


def program(name):
    """A program that was built for these tests."""
    return f"{BUILD}/tests/agent/{name}"


def library(name):
    """A library to preload that was built for these tests."""
    return f"{BUILD}/tests/agent/.libs/{name}.so"


def run(*command, preload=(AGENT, FORK), check=True, timeout=600, **more):
    """Run a program with the agent."""
    return subprocess.run(command, env=environment(preload, **more),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=check, timeout=timeout)


def reader_sleeps(pid):
    """How often the thread that reads the second feed went to sleep."""
    for task in glob.glob(f"/proc/{pid}/task/*"):
        with open(f"{task}/status", encoding="ascii",
                  errors="replace") as file:
            status = dict(line.rstrip("\n").split(":\t", 1) for line in file
                          if ":\t" in line)
        if status["Name"] == "commcache-feed":
            return int(status["voluntary_ctxt_switches"])
    raise RuntimeError("no feed is read")


def let_it_read(pid):
    """Wait until a process's second feed has been read up to now: its reader
    sleeps after each turn, so between two sleeps there is a whole one."""
    # What is of the last 100 microseconds is left for the next turn, and all
    # of a process that is younger than 100 milliseconds.
    time.sleep(0.15)
    before = reader_sleeps(pid)
    while reader_sleeps(pid) < before + 2:
        time.sleep(0.005)


class Event:
    """One event of a trace, taken out of babeltrace2's hands."""

    def __init__(self, message):
        event = message.event
        self.name = event.name
        self.time = message.default_clock_snapshot.value
        context = event.common_context_field
        if context is None:
            context = event.stream_event_common_context_field \
                if hasattr(event, "stream_event_common_context_field") else {}
        self.context = {key: plain(context[key]) for key in context}
        payload = event.payload_field
        self.fields = {key: plain(payload[key]) for key in payload}
        # What the kernel told is written later.
        self.time = self.fields.get("ts") or self.time

    def __getattr__(self, field):
        try:
            return self.fields[field]
        except KeyError:
            raise AttributeError(field) from None

    def __repr__(self):
        return f"{self.name} {self.fields} {self.context}"


def plain(field):
    """A field's value as one of Python's own."""
    if isinstance(field, bt2._StringFieldConst):
        # The text of an empty one is that of an earlier event.
        return str(field) if len(field) else ""
    if isinstance(field, bt2._IntegerFieldConst):
        return int(field)
    return repr(field)


def read_trace(path):
    """The events of a trace, and how many were discarded."""
    events = []
    discarded = 0
    for message in bt2.TraceCollectionMessageIterator(path):
        kind = type(message)
        if kind is bt2._EventMessageConst:
            events.append(Event(message))
        elif kind is bt2._DiscardedEventsMessageConst:
            discarded += message.count or 1
    return sorted(events, key=lambda event: event.time), discarded


class Session:
    """A session of its own; destroyed at the end, its trace removed."""

    number = 0

    def __init__(self, *events, contexts=CONTEXTS, channel=(), create=(),
                 start=True):
        Session.number += 1
        self.name = f"commcache-test-{Session.number}"
        self.path = tempfile.mkdtemp(prefix="commcache-trace.")
        self.alive = True
        self.discarded = 0
        lttng("create", self.name, f"--output={self.path}", *create)
        lttng("enable-channel", "--userspace", "--session", self.name,
              *channel, "c")
        for event in events or ("commcache:*", "subject:*"):
            lttng("enable-event", "--userspace", "--session", self.name,
                  "--channel=c", event)
        for context in contexts:
            lttng("add-context", "--userspace", "--session", self.name,
                  "--channel=c", "--type", context)
        if start:
            self.start()

    def start(self):
        """Start tracing."""
        lttng("start", self.name)

    def stop(self):
        """Stop tracing."""
        lttng("stop", self.name)

    def destroy(self, timeout=None):
        """End the session; its trace is whole then."""
        if self.alive:
            self.alive = False
            lttng("destroy", self.name, timeout=timeout)

    def events(self):
        """All that was written, in order of time."""
        self.destroy()
        events, self.discarded = read_trace(self.path)
        return events

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.destroy()
        shutil.rmtree(self.path)


class Sleeper:
    """The program that does what it is told, when it is told."""

    def __init__(self, workers=0, preload=(AGENT, FORK), **more):
        self.process = subprocess.Popen(
            (program("sleeper"), str(workers)), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment(preload, **more))
        self.pid = self.process.pid
        # It is up when it answers.
        self.do("n")

    def do(self, orders):
        """Give orders; they are done when this returns."""
        for order in orders:
            self.process.stdin.write(f"{order}\n".encode())
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
            if answer != b"done\n":
                raise RuntimeError(f"sleeper: {answer!r}, "
                                   f"{self.process.stderr.read()!r}")

    def names(self):
        """What its threads are called, says the kernel."""
        names = {}
        for tid in os.listdir(f"/proc/{self.pid}/task"):
            with open(f"/proc/{self.pid}/task/{tid}/comm", "rb") as file:
                names[int(tid)] = file.read()[:-1].decode(
                    errors="surrogateescape")
        return names

    def end(self):
        """Quit; exit status and what it said on standard error."""
        _, error = self.process.communicate(b"q\n", timeout=60)
        return self.process.returncode, error

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
