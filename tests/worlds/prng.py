# SPDX-License-Identifier: MIT
"""Numbers that are the same everywhere: SplitMix64."""

MASK = (1 << 64) - 1


class Random:
    def __init__(self, seed):
        self._state = seed & MASK

    def next(self):
        self._state = (self._state + 0x9e3779b97f4a7c15) & MASK
        mixed = self._state
        mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9 & MASK
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb & MASK
        return mixed ^ mixed >> 31

    def below(self, count):
        return (self.next() >> 11) % count

    def between(self, low, high):
        """Both included."""
        return low + self.below(high - low + 1)

    def chance(self, hits, of):
        return self.below(of) < hits

    def pick(self, choices):
        return choices[self.below(len(choices))]

    def weighted(self, choices):
        """Of [(weight, what)]."""
        left = self.below(sum(weight for weight, _ in choices))
        for weight, what in choices:
            left -= weight
            if left < 0:
                return what
        raise AssertionError

    def subset(self, choices, hits, of):
        return [choice for choice in choices if self.chance(hits, of)]
