#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The filter where users put it: behind several traces of several hosts, before
and after a trimmer, before a CTF sink, in a script. (graph-places.py: the same
of the messages themselves.)"""

import collections
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import names_oracle as oracle

bt2 = oracle.bt2

tap = oracle.Tap()
SHARED = oracle.shared('.')
HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.environ.get('top_srcdir') or os.path.join(HERE, '..', '..')
RESOLVE = '--component=f:filter.commcache.resolve'

# A kernel trace and the UST events of the same boot; another host; another boot
# of the first host, with the same tids. No event of theirs tells its thread but
# by a vtid.
WORLDS = [
    ['ktraces/K5-lean/kernel', 'ktraces/K5-lean/ust/uid/0/64-bit'],
    ['traces/tracevizlab/cat-kern-ust'],
    ['ktraces/K7-discard/kernel'],
]


def folders(world):
    return [folder for name in world
            for folder in oracle.find_traces(os.path.join(SHARED, name))]


def boot_of(clock_class):
    """LTTng's id of the boot: the clock's UUID, or its UID under MIP 1."""
    try:
        return str(clock_class.uuid)
    except ValueError:
        return clock_class.uid


def names_of(traces, lookahead):
    """{(domain, host, boot): [(name, tid)]} of the traces' events,
    by time."""
    found = collections.defaultdict(list)
    for message, event in oracle.events(traces, {'lookahead': lookahead}):
        environment = event.stream.trace.environment
        clock = message.default_clock_snapshot
        context = event.common_context_field
        key = (str(environment['domain']), str(environment['hostname']),
               boot_of(clock.clock_class))
        found[key].append((clock.ns_from_origin, oracle.cpu_of(event),
                           event.name, oracle.text(context['comm']),
                           int(context['tid']) if 'tid' in context else None))
    return {key: sorted(lines, key=repr) for key, lines in found.items()}


def check_worlds():
    """Together, each world's events have the names that they have alone."""
    together = names_of([f for world in WORLDS for f in folders(world)], 'yes')
    hosts = {key[1] for key in together}
    boots = {key[2] for key in together}
    tap.ok(len(hosts) == 2 and len(boots) == 3 and
           {key[0] for key in together} == {'kernel', 'ust'},
           'UST and kernel, %d hosts, %d boots in one graph' %
           (len(hosts), len(boots)))
    tids = collections.defaultdict(lambda: collections.defaultdict(set))
    for key, lines in together.items():
        for line in lines:
            if line[4] is not None and line[4] > 0:
                tids[line[4]][key[2]].add(line[3])
    clashing = sum(len(worlds) > 1 and
                   len(set.union(*worlds.values())) > 1
                   for worlds in tids.values())
    tap.ok(clashing > 5, '%d tids that have other names elsewhere' % clashing)
    count = unknown = 0
    for world in WORLDS:
        for key, alone in names_of(folders(world), 'yes').items():
            wrong = [(a, b) for a, b in zip(alone, together[key]) if a != b]
            count += len(alone)
            unknown += sum(line[3] == oracle.UNKNOWN for line in alone)
            if not tap.ok(len(alone) == len(together[key]) and not wrong,
                          '%s of %s: %d events have the names that they have '
                          'alone' % (key[0], key[1], len(alone))):
                tap.note(repr(wrong[:3]))
    # The rest: what was renamed, not told to what; beside discarded events.
    tap.note('%d of %d events of no known name' % (unknown, count))
    tap.ok(count > 100000 and unknown * 100 < count, 'nearly all are named')


def convert(*args):
    """The events of babeltrace2's text: (seconds, the rest)."""
    run = subprocess.run(['babeltrace2', 'convert', '--clock-seconds'] +
                         list(args), capture_output=True, check=True)
    text = run.stdout.decode('utf-8', 'surrogateescape')
    return re.findall(r'^\[(\d+\.\d+)\] \(\S+\) (.*)$', text, re.MULTILINE)


def comm(line):
    return re.search(r'comm = "([^"]*)"', line).group(1)


def check_trimmer():
    trace = os.path.join(SHARED, 'ktraces/K1-tid/kernel')
    for lookahead in ('no', 'yes'):
        params = '--params=lookahead=' + lookahead
        whole = convert(trace, RESOLVE, params)
        begin, end = (whole[len(whole) // 4][0], whole[len(whole) // 2][0])
        wanted = [line for line in whole if begin <= line[0] <= end]
        # babeltrace2 convert puts its trimmer before the filter.
        got = convert(trace, '--begin=' + begin, '--end=' + end, RESOLVE,
                      params)
        tap.ok(len(got) == len(wanted) > 500, 'lookahead=%s: --begin and --end '
               'pass %d events' % (lookahead, len(got)))
        pairs = [(comm(a[1]), comm(b[1])) for a, b in zip(wanted, got)]
        named = [(a, b) for a, b in pairs if b != oracle.UNKNOWN]
        wrong = [(a, b) for a, b in named if a != b]
        # Of look-ahead without the trimmer, what is told before the window.
        known = sum(a != oracle.UNKNOWN for a, _ in pairs)
        tap.note('%d named of %d, %d without a trimmer' %
                 (len(named), len(pairs), known))
        if not tap.ok(not wrong, 'no name is another than in the whole trace'):
            tap.note(repr(wrong[:5]))
        least = 0.9 if lookahead == 'yes' else 0.5
        tap.ok(len(named) > least * known, 'most are known in the window')

        trimmer = '--component=t:filter.utils.trimmer'
        got = convert(trace, RESOLVE, params, trimmer,
                      '--params=begin="%s",end="%s"' % (begin, end))
        tap.ok(got == wanted, 'lookahead=%s: a trimmer after the filter takes '
               'no name away' % lookahead)
        both = convert(trace, '--begin=' + begin, RESOLVE, params, trimmer,
                       '--params=end="%s"' % end)
        tap.ok([line[0] for line in both] == [line[0] for line in wanted],
               'lookahead=%s: one before, one after' % lookahead)


def check_ctf(name, odd):
    """Out as CTF, and back without the filter: the same names and tids."""
    trace = os.path.join(SHARED, name)
    wanted = [(event.name, oracle.text(event.common_context_field['comm']),
               int(event.common_context_field['tid']))
              for _, event in oracle.events([trace], {})]
    with tempfile.TemporaryDirectory(prefix='commcache-') as scratch:
        subprocess.run(['babeltrace2', trace, RESOLVE,
                        '--component=sink.ctf.fs',
                        '--params=quiet=yes,path="%s/named"' % scratch],
                       check=True)
        got = [(event.name, oracle.text(event.common_context_field['comm']),
                int(event.common_context_field['tid']))
               for _, event in oracle.events(
                   oracle.find_traces(scratch + '/named'))]
    if not tap.ok(got == wanted, '%s: %d events from CTF as they went out' %
                  (name, len(got))):
        tap.note(repr([(a, b) for a, b in zip(wanted, got) if a != b][:3]))
    names = {line[1] for line in got}
    tap.ok(odd <= names, '%s: with names such as %s' % (name, sorted(odd)))


def check_example():
    """The script of the manual prints what the filter says."""
    trace = os.path.join(SHARED, 'ktraces/K2/kernel')
    run = subprocess.run([sys.executable, os.path.join(
        TOP, 'doc/examples/events-by-name.py'), trace], capture_output=True)
    counts = collections.Counter(
        oracle.text(event.common_context_field['comm'])
        for _, event in oracle.events([trace], {}))
    printed = {line[10:]: int(line[:8])
               for line in run.stdout.decode().splitlines()}
    if not tap.ok(run.returncode == 0 and len(counts) > 10 and
                  printed == counts,
                  'the example counts %d events of %d names' %
                  (sum(printed.values()), len(printed))):
        tap.note(run.stderr.decode())


check_worlds()
check_trimmer()
check_ctf('ktraces/K8/kernel', {''})
check_ctf('ktraces/K2/kernel', {'swapper/0'})
check_example()
tap.done()
