#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names of LTTng-UST events, read together with a kernel trace of the same
boot, against the known truth: each event's tid in the root PID namespace and
its thread's name."""

import collections
import contextlib
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import names_oracle as oracle

# What is hidden in the kernel trace and in the UST traces: the truth, and in
# some cases what else tells which thread it was.
KERNEL = {'tid': 'trt', 'procname': 'truename'}
CASES = [
    ('K5-lean', {}, {}),
    ('K5-lean', {}, {'vtid': 'tvid', 'vpid': 'tvpd'}),
    ('K5-pid', {}, {}),
    ('K5-pid', {}, {'vtid': 'tvid'}),
    ('K5', KERNEL, {}),
    ('K5', KERNEL, {'procname': 'truename'}),
    ('K5', KERNEL, {'procname': 'truename', 'pid_ns': 'tpidns'}),
    ('K5', KERNEL, {'procname': 'truename', 'pid_ns': 'tpidns',
                    'vtid': 'tvid', 'vpid': 'tvpd'}),
]
COLUMNS = ['right', 'marked', 'between', 'unknown', 'unannounced', 'wrong name',
           'wrong tid']


def read_ust(traces, lookahead):
    """(ns, cpu, event, tid, name, raw clock value, whether it is between) of
    each UST event, by time."""
    lines = []
    for message, event in oracle.events(
            traces, {'lookahead': lookahead, 'provenance': True}):
        if event.stream.trace.environment.get('domain') != 'ust':
            continue
        context = event.common_context_field
        lines.append((message.default_clock_snapshot.ns_from_origin,
                      oracle.cpu_of(event), event.name,
                      int(context['tid']) if 'tid' in context else None,
                      oracle.text(context['comm']),
                      message.default_clock_snapshot.value,
                      context['comm_source'] == 'between'))
    return sorted(lines, key=lambda line: line[:2])


def judge(line, true, sightings):
    _, _, _, tid, name, time, is_between = line
    if tid not in (None, -1, true[3]):
        return 'wrong tid'
    if name == true[4]:
        return 'marked' if is_between else 'right'
    if is_between:
        return 'between'
    if name == oracle.UNKNOWN:
        return 'unknown'
    if sightings.is_unannounced(true[3], sightings.place_at(time), name):
        return 'unannounced'
    return 'wrong name'


def kernel_sightings(folder):
    """What the kernel's records show, with each event's true tid."""
    trace = os.path.join(folder, 'kernel')
    path = os.path.join(folder, 'TRUTH.tsv')
    if os.path.exists(path):
        runners = [line[3] for line in oracle.read_truth(path)]
    else:
        runners = [int(event.common_context_field['tid'])
                   for _, event in oracle.events([trace])]
    return oracle.Sightings([trace], runners)


def run(label, traces, truth, sightings, tap, table):
    for lookahead in (False, True):
        passes = 'look-ahead' if lookahead else 'one pass'
        lines = read_ust(traces, lookahead)
        counts = collections.Counter()
        for line, true in zip(lines, truth):
            verdict = judge(line, true, sightings)
            counts[verdict] += 1
            if verdict.startswith('wrong') and counts[verdict] <= 3:
                tap.note('%s: %s, %s: said %s, is %s' % (
                    verdict, label, passes, line, true))
        table.append('%-42s %-10s' % (label, passes) + ''.join(
            '%12d' % counts[column] for column in COLUMNS))
        tap.ok([line[:3] for line in lines] == [true[:3] for true in truth],
               '%s, %s: the events are those of the truth' % (label, passes))
        if lookahead:
            tap.ok(counts['right'] + counts['marked'] + counts['between'] ==
                   len(truth), '%s, %s: all right, but for what is marked' % (
                       label, passes))


def main():
    top = oracle.shared('ktraces')
    tap = oracle.Tap()
    table = ['%-42s %-10s' % ('traces', 'passes') + ''.join(
        '%12s' % column for column in COLUMNS)]
    sightings = {}
    for name, kernel, ust in CASES:
        folder = os.path.join(top, name)
        if name not in sightings:
            sightings[name] = kernel_sightings(folder)
        truth = sorted(oracle.read_truth(os.path.join(folder,
                                                      'UST_TRUTH.tsv')),
                       key=lambda line: line[:2])
        with contextlib.ExitStack() as stack:
            traces = []
            for trace in oracle.find_traces(folder):
                names = kernel if trace.endswith('/kernel') else ust
                traces.append(stack.enter_context(
                    oracle.Hidden(trace, names)) if names else trace)
            label = name
            if ust:
                label += ' without ' + ' '.join(sorted(ust))
            run(label, traces, truth, sightings[name], tap, table)
    tap.note('\n'.join(table))
    tap.done()


main()
