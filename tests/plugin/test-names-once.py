#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`lookahead=auto` reads once where a second pass can gain nothing, and says
so; what it prints is what two passes print."""

import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import names_oracle as oracle
from names_script import KERNEL, OTHER_BOOT, UST, Trace, read

tap = oracle.Tap()

ONCE = 'reads once: no event tells what another is named by'
TWICE = 'reads twice: a name can be told after it is asked for'
CHOICES = {ONCE: 'once', TWICE: 'twice', '': 'not told'}


def choice(errors):
    """Which of them a run's messages tell."""
    return CHOICES.get(next((text for text in (ONCE, TWICE) if text in errors),
                            ''))


def told(traces, **params):
    """The events, and what the filter writes to the standard error."""
    saved = os.dup(2)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        try:
            events = read(traces, logging_level=oracle.bt2.LoggingLevel.INFO,
                          provenance=True, **params)
        finally:
            os.dup2(saved, 2)
            os.close(saved)
        file.seek(0)
        return [(event.event, event.context, event.payload)
                for event in events], file.read().decode()


def reads(wanted, what, *traces, **params):
    traces = list(traces)
    by_choice, errors = told(traces, **params)
    if not tap.ok(choice(errors) == wanted, '%s: %s' % (what, wanted)):
        tap.note(errors)
    forced, errors = told(traces, lookahead=True, **params)
    tap.ok(by_choice == forced and choice(errors) == 'not told',
           what + ': as with two passes')


UST_CONTEXT = {'vtid': 5, 'vpid': 5}
EXACT = {'tid': 5, 'procname': 'name'}
APP = (1, 0, 'app:event', UST_CONTEXT, {'value': 0})
NAMED = (2, 0, 'commcache:statedump_thread', UST_CONTEXT,
         {'pid': 5, 'tid': 5, 'comm': 'name'})


def any_event(context, payload=None):
    return (1, 0, 'any', context, payload or {'value': 0})


def test_choices():
    reads('once', 'nothing tells a name', Trace([APP], UST))
    reads('twice', 'a statedump tells names', Trace([APP, NAMED], UST))
    reads('twice', 'a procname that may be stale',
          Trace([any_event(dict(UST_CONTEXT, procname='name'))], UST))
    reads('once', 'each event tells its own thread and name',
          Trace([any_event(EXACT), any_event(EXACT)], KERNEL))
    reads('twice', 'it tells another id, too',
          Trace([any_event(EXACT, {'pid': 5})], KERNEL))
    reads('twice', 'its contexts tell another id, too',
          Trace([any_event(dict(EXACT, ppid=5))], KERNEL))
    reads('twice', 'it does not tell its thread\'s id',
          Trace([any_event({'procname': 'name'})], KERNEL))
    reads('twice', 'a trace that begins later tells names',
          Trace([APP], UST), Trace([(9,) + NAMED[1:]], UST))
    reads('once', 'two that tell none', Trace([APP], UST),
          Trace([APP], UST, OTHER_BOOT))


def test_file():
    with tempfile.NamedTemporaryFile('w') as file:
        file.write('5 from-file\n')
        file.flush()
        reads('once', 'names from a file', Trace([any_event({'tid': 5})],
                                                 KERNEL),
              names_from=file.name)


def run(trace, lookahead):
    return subprocess.run(
        ['babeltrace2', trace, '--component=filter.commcache.resolve',
         '--log-level=INFO',
         '--params=provenance=yes,lookahead=%s' % lookahead],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_real():
    top = os.environ.get('COMMCACHE_SHARED') or os.path.join(
        os.environ['top_srcdir'], '..', 'shared')
    folders = [os.path.join(top, name) for name in ('traces', 'ktraces')]
    traces = [trace for folder in folders
              for trace in oracle.find_traces(folder)]
    if not traces:
        tap.skip('real traces', 'none at %s: set COMMCACHE_SHARED' % top)
        return
    chosen = 0
    for trace in traces:
        by_choice = run(trace, 'auto')
        if ONCE.encode() not in by_choice.stderr:
            continue
        chosen += 1
        forced = run(trace, 'yes')
        tap.ok((by_choice.returncode, by_choice.stdout) ==
               (forced.returncode, forced.stdout),
               os.path.relpath(trace, top))
    tap.ok(chosen > 0, 'some of them are read once')


for test in (test_choices, test_file, test_real):
    test()
tap.done()
