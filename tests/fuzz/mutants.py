# SPDX-License-Identifier: MIT
"""Traces changed at random, read with the plugin built with sanitizers.

Each mutant of a small trace is read by babeltrace2 alone, by the filter in one
pass and in two, and by the sinks threads and timeline: the same exit status and
count of events, in time, and no report of a sanitizer. Where babeltrace2 alone
dies or finds no end, ours may do so too.

	mutants.py [SECONDS [FIRST-SEED]]	so long, from that seed on
	mutants.py show TRACE SEED FOLDER	make that mutant, to be looked at
"""

import collections
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import mutate

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "plugin"))
import ctf

BUILD = os.environ.get("top_builddir", "../..")
SANITIZED = os.environ.get("COMMCACHE_SANITIZED", os.path.join(BUILD, "tests/fuzz/sanitized"))
TOP = os.environ.get("top_srcdir", "../..")
SHARED = os.environ.get("COMMCACHE_SHARED", os.path.join(TOP, "..", "shared"))
FILTER = "--component=filter.commcache.resolve"
COUNTER = ["--component=sink.utils.counter", "--params=step=+0"]

# How long make check looks, and at how many at most: those have been tried.
SECONDS = 60
MUTANTS = 300

# What is longer is read too slowly for so many mutants.
LARGE = 130000

# How long babeltrace2 alone may take, and ours, which does more and with
# sanitizers.
PATIENCE = 5
OURS = 12 * PATIENCE

WAYS = {
    "one pass": [FILTER, "--params=lookahead=no"] + COUNTER,
    "two passes": [FILTER, "--params=lookahead=yes,provenance=yes"] + COUNTER,
    "threads": ["--component=sink.commcache.threads"],
    "timeline": ["--component=sink.commcache.timeline", "--params=path=\"/dev/null\""],
}

Run = collections.namedtuple("Run", "status events errors")


def babeltrace2(trace, args, patience, preload=None):
    """STATUS is None where it found no end."""
    env = dict(os.environ, LC_ALL="C")
    if preload:
        env.update(BABELTRACE_PLUGIN_PATH=SANITIZED, LD_PRELOAD=preload,
                   ASAN_OPTIONS="detect_leaks=0:exitcode=99",
                   UBSAN_OPTIONS="print_stacktrace=1:exitcode=99")
    try:
        run = subprocess.run(["babeltrace2", trace] + args, env=env, timeout=patience,
                             capture_output=True, check=False)
    except subprocess.TimeoutExpired:
        return Run(None, None, "")
    found = re.search(rb"(\d+) Event message", run.stdout)
    return Run(run.returncode, int(found.group(1)) if found else None,
               run.stderr.decode("utf-8", "replace"))


def is_reported(run):
    return "Sanitizer" in run.errors or "runtime error:" in run.errors


def is_good(way, plain, run):
    is_hard = plain.status is None or plain.status < 0
    # Where babeltrace2 dies alone, AddressSanitizer tells of that death, too.
    if is_reported(run) and not (is_hard and "DEADLYSIGNAL" in run.errors):
        return False
    if is_hard:
        return True
    if run.status != plain.status:
        return False
    return "pass" not in way or plain.events is None or run.events == plain.events


class Hunt:
    def __init__(self, preload, scratch):
        self.preload = preload
        self.scratch = scratch
        self.mutants = 0
        self.alone = []
        self.wrong = []

    def try_mutant(self, name, folder, seed):
        mutant, how = mutate.mutate(folder, seed)
        path = os.path.join(self.scratch, "mutant")
        mutate.save(mutant, path)
        self.mutants += 1
        plain = babeltrace2(path, COUNTER, PATIENCE)
        if plain.status is None or plain.status < 0:
            self.alone.append((name, seed, plain.status))
        for way, args in WAYS.items():
            patience = OURS if plain.status is not None else PATIENCE
            run = babeltrace2(path, args, patience, self.preload)
            if not is_good(way, plain, run):
                self.wrong.append((name, seed, way))
                print("# %s, seed %d (%s), %s: status %s, %s events; alone %s, %s" % (
                    name, seed, how, way, run.status, run.events, plain.status, plain.events))
                for line in run.errors.splitlines()[-40:]:
                    print("#   " + line)
                sys.stdout.flush()
        shutil.rmtree(path)

    def try_kept(self, bases):
        """What was found once: lines of trace, seed, and what it was."""
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "kept-mutants")) as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    name, seed = line.split()[:2]
                    if name in bases:
                        self.try_mutant(name, bases[name], int(seed))

    def run(self, bases, seconds, seeds):
        """Each trace in turn, for so long: the same mutants each time, but fewer of
        them on a slower machine."""
        end = time.monotonic() + seconds
        for seed, name in zip(seeds, itertools.cycle(sorted(bases))):
            if time.monotonic() >= end:
                break
            self.try_mutant(name, bases[name], seed)


def own_traces(scratch):
    """With threads' names, a clock that wraps, text, and two packets a stream."""
    bases = {}
    for bits, told in ((64, (ctf.SIZES, ctf.BEGIN, ctf.END)), (27, (ctf.SIZES, ctf.BEGIN)), (0, ())):
        name = "own-%d" % bits
        folder = os.path.join(scratch, name)
        writer = ctf.Writer(folder, bits, told, {"domain": "kernel", "hostname": "here",
                                                 "tracer_name": "lttng-modules"})
        step = 40000000
        for packet in range(2 if told else 1):
            start = 4 * packet * step
            writer.packet(0, [(start, ("idle", 0, "alpha", 11)), (start + step, packet),
                              (start + 2 * step, "a text")])
            writer.packet(1, [(start + 2, ("beta", 12, "gamma", 13)), (start + 3 * step, 4)])
        bases[name] = mutate.load(folder)
    return bases


def reads_ctf_2():
    text = subprocess.run(["babeltrace2", "--version"], capture_output=True, check=False).stdout
    found = re.search(rb"(\d+)\.(\d+)", text)
    return bool(found) and (int(found.group(1)), int(found.group(2))) >= (2, 1)


def real_traces():
    bases = {}
    for folder, _, files in os.walk(SHARED):
        name = os.path.relpath(folder, SHARED)
        if "metadata" not in files or name.startswith("cases"):
            continue
        if name.startswith("ctf2") and not reads_ctf_2():
            continue
        if sum(os.path.getsize(os.path.join(folder, file)) for file in files) <= LARGE:
            bases[name] = mutate.load(folder)
    return bases


def sanitizers():
    """What has to be preloaded, or None: then a reason has been said."""
    preload = []
    for library in ("libasan.so", "libubsan.so"):
        compiler = os.environ.get("CC", "cc").split()
        run = subprocess.run(compiler + ["-print-file-name=" + library], text=True,
                             capture_output=True, check=False)
        if not os.path.isabs(run.stdout.strip()):
            print("1..0 # SKIP %s has no shared %s" % (" ".join(compiler), library))
            return None
        preload.append(run.stdout.strip())
    if not os.path.exists(os.path.join(SANITIZED, "babeltrace-plugin-commcache.so")):
        print("1..0 # SKIP no plugin with sanitizers in %s: make check builds it" % SANITIZED)
        return None
    return " ".join(preload)


def works(preload, bases, scratch):
    """What is not broken is read without a report: the sanitizers do work."""
    path = os.path.join(scratch, "whole")
    mutate.save(bases["own-64"], path)
    plain = babeltrace2(path, COUNTER, 10 * PATIENCE)
    good = plain.status == 0 and plain.events == 10
    for way, args in WAYS.items():
        run = babeltrace2(path, args, OURS, preload)
        if run.status != 0 or not is_good(way, plain, run):
            good = False
            print("# whole, %s: status %s\n# %s" % (way, run.status, run.errors[-2000:]))
    return good


def check(seconds, seeds):
    preload = sanitizers()
    if preload is None:
        return 0
    print("1..3")
    with tempfile.TemporaryDirectory(prefix="commcache-") as scratch:
        bases = own_traces(scratch)
        good = works(preload, bases, scratch)
        print("%sok 1 - a whole trace, with sanitizers" % ("" if good else "not "))
        bases.update(real_traces())
        hunt = Hunt(preload, scratch)
        hunt.try_kept(bases)
        print("%sok 2 - mutants that are kept: %d" % ("not " if hunt.wrong else "", hunt.mutants))
        good = good and not hunt.wrong
        hunt.wrong = []
        hunt.run(bases, seconds, seeds)
        print("%sok 3 - %d mutants" % ("not " if hunt.wrong else "", hunt.mutants))
        for name, its_seed, status in hunt.alone:
            print("# alone babeltrace2 ends with %s: %s %d" % (status, name, its_seed))
    return 0 if good and not hunt.wrong else 1


def show(name, seed, folder):
    with tempfile.TemporaryDirectory(prefix="commcache-") as scratch:
        bases = own_traces(scratch)
        bases.update(real_traces())
        mutant, how = mutate.mutate(bases[name], seed)
    mutate.save(mutant, folder)
    print(how)
    return 0


def main(args):
    if args[:1] == ["show"]:
        return show(args[1], int(args[2]), args[3])
    if args:
        return check(float(args[0]), itertools.count(int(args[1]) if args[1:] else 1))
    return check(SECONDS, range(1, MUTANTS + 1))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
