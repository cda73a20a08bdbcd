#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Worlds drawn by chance, and what the filter says of what was recorded of
them, held against what was and against what the records tell.

	test-worlds.py [FIRST COUNT STEPS [FEATURE,...]]

Seeds from FIRST on. A world that fails is made small and printed."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import reading
import scenario
import trial

# What finds faults that are not mended yet is not among them:
# FEATURES names all there are.
FEATURES = ('discarded', 'namespaces', 'ust')
# Kinds of faults that are known: see judge.py.
KNOWN = ('inside',)
GROUP = 30


def main():
    arguments = sys.argv[1:]
    first, count, steps = (int(argument) for argument in
                           (arguments[:3] or (1, 300, 3000)))
    features = arguments[3].split(',') if arguments[3:] else FEATURES
    known = () if 'known' in features else KNOWN
    trials = trial.Trial(known, 'loose' not in features)
    events, good = 0, True
    failed = None
    for place in range(count):
        world = scenario.draw(first + place, steps, features)
        outcome = trials.run(world, place % 4 == 0, place % 5 == 0)
        events += outcome.events
        if outcome.faults and failed is None:
            failed = (world, outcome.faults[0])
            print('# seed %d: %d faults' % (first + place,
                                            len(outcome.faults)))
        if place % GROUP == GROUP - 1 or place == count - 1:
            print('%s %d - worlds up to seed %d' % (
                'not ok' if failed else 'ok', place // GROUP + 1,
                first + place))
            if failed and good:
                print('# ' + trials.explain(*failed).replace('\n', '\n# '))
            good, failed = good and not failed, None
            sys.stdout.flush()
    print('# %d events' % events)
    print('1..%d' % ((count + GROUP - 1) // GROUP))
    return 0 if good else 1


if __name__ == '__main__':
    reading.need_plugins()
    sys.exit(main())
