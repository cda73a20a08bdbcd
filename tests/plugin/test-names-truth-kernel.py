#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names of LTTng kernel events against the known truth: the tid and name that
the kernel had at each event, recorded by another session of the same run, or
by contexts of the same trace that are hidden from the filter."""

import collections
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import names_oracle as oracle

# Traces whose truth stands beside them.
VARIANTS = ['K1-tid', 'K1-tid-noswitch', 'K2', 'K2-few', 'K3-noctx',
            'K4-virtual', 'K5-lean', 'K5-pid', 'K7-discard']

# Traces that hold their truth: the contexts to hide, with and without tid.
NAME = {'procname': 'truename'}
IDS = {'tid': 'trt', 'procname': 'truename'}
VIRTUAL = {'vtid': 'tvid', 'pid_ns': 'tpidns'}
MAIN = [('K1', NAME), ('K1', IDS), ('K3', NAME), ('K3', IDS),
        ('K4', {**NAME, **VIRTUAL}), ('K4', {**IDS, **VIRTUAL}),
        ('K4', IDS), ('K5', NAME), ('K5', IDS), ('K7-ref', NAME),
        ('K7-ref', IDS), ('K8', NAME), ('K8', IDS)]

# `unknown` is proved: between two renames that are announced, no record shows
# the name; `told` is what is unknown though it could be known; `between` is the
# older of two names, marked as that, and not the one that it was; `marked`, so
# marked, and right.
COLUMNS = ['right', 'marked', 'between', 'unknown', 'told', 'no tid',
           'unannounced', 'wrong name', 'wrong tid', 'no truth']


def truth_in_trace(trace):
    """(tid, name) of each event from the trace's own exact contexts."""
    truth = []
    for _, event in oracle.events([trace]):
        context = event.common_context_field
        name = oracle.text(context['procname'])
        truth.append((int(context['tid']), oracle.escape(
            name.encode('utf-8', 'surrogateescape'))))
    return truth


def truth_beside(folder):
    lines = oracle.read_truth(os.path.join(folder, 'TRUTH.tsv'))
    return [(tid, name) for _, _, _, tid, name in lines]


def judge(place, event, truth, sightings):
    tid, name = truth
    if tid is None:
        return 'no truth'
    context = event.common_context_field
    said = oracle.text(context['comm'])
    if int(context['tid']) != tid:
        return 'no tid' if int(context['tid']) == -1 else 'wrong tid'
    is_between = context['comm_source'] == 'between'
    if said == name:
        return 'marked' if is_between else 'right'
    if is_between:
        return 'between'
    if said == oracle.UNKNOWN:
        return 'told' if sightings.is_told(tid, place, name) else 'unknown'
    if sightings.is_unannounced(tid, place, said):
        return 'unannounced'
    return 'wrong name'


def compare(trace, truth, sightings, lookahead, tap):
    counts = collections.Counter()
    place = 0
    for place, (message, event) in enumerate(oracle.events(
            [trace], {'lookahead': lookahead, 'provenance': True})):
        verdict = judge(place, event, truth[place], sightings)
        counts[verdict] += 1
        if verdict.startswith('wrong') and counts[verdict] <= 3:
            tap.note('%s: %s: %d %s: said %s %s, is %s' % (
                verdict, trace, message.default_clock_snapshot.value,
                event.name, event.common_context_field['tid'],
                event.common_context_field['comm'], truth[place]))
    assert place + 1 == len(truth), 'an event is missing'
    return counts


def row(label, passes, counts):
    return '%-22s %-10s' % (label, passes) + ''.join(
        '%12d' % counts[column] for column in COLUMNS)


def run(label, trace, truth, tap, table):
    sightings = oracle.Sightings([trace], [tid for tid, _ in truth])
    for lookahead in (False, True):
        passes = 'look-ahead' if lookahead else 'one pass'
        counts = compare(trace, truth, sightings, lookahead, tap)
        table.append(row(label, passes, counts))
        tap.ok(counts['wrong name'] == 0 and counts['right'] > 0,
               '%s, %s: no wrong name' % (label, passes))
        if lookahead:
            tap.ok(counts['unannounced'] == 0,
                   '%s, %s: no wrong name that is not marked' % (
                       label, passes))
            tap.ok(counts['told'] == 0,
                   '%s, %s: no unknown name that a record tells' % (
                       label, passes))
            tap.ok(counts['wrong tid'] == 0,
                   '%s, %s: no wrong tid' % (label, passes))


def main():
    top = oracle.shared('ktraces')
    tap = oracle.Tap()
    table = ['%-22s %-10s' % ('trace', 'passes') + ''.join(
        '%12s' % column for column in COLUMNS)]
    for name in VARIANTS:
        folder = os.path.join(top, name)
        run(name, os.path.join(folder, 'kernel'), truth_beside(folder), tap,
            table)
    for name, names in MAIN:
        trace = os.path.join(top, name, 'kernel')
        label = name + ' without ' + ' '.join(sorted(names))
        with oracle.Hidden(trace, names) as hidden:
            run(label, hidden, truth_in_trace(trace), tap, table)
    tap.note('\n'.join(table))
    tap.done()


main()
