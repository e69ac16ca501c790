"""The throws of a ten-thousand game as arrays."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from scorer.advice.chances.throws import Throws, throws_of
from scorer.advice.multisets import Floats
from scorer.ten_thousand import TenThousand


class ThrowArrays(Throws):
    """Throws of a game.

    `chance`: of each pattern by count of dice, shape (dice, patterns), without busts; `bust` has those, shape (dice,).
    `gain` (steps) and `column` list the offers of all patterns, those with most offers first; `begins` has each
    pattern's first place. `different`, shape (2, offers), has the few different gains and columns. `ranks` has the
    places there of each pattern's first offer, then of the second for all patterns that have one, and so on.
    """

    def __init__(self, throws: Throws) -> None:
        super().__init__(throws.step, throws.ways)
        patterns = sorted(
            {offers for of_count in self.ways for offers in of_count if offers}, key=lambda each: (-len(each), each)
        )
        counted = list(enumerate(self.ways, start=1))
        self.chance = np.array(
            [[of_count.get(offers, 0) / 6**count for offers in patterns] for count, of_count in counted]
        )
        self.bust = np.array([of_count.get((), 0) / 6**count for count, of_count in counted])
        lengths = [len(offers) for offers in patterns]
        self.begins = np.cumsum([0, *lengths[:-1]])
        self.gain, self.column = np.array([offer for offers in patterns for offer in offers], dtype=np.int64).T
        different = sorted({offer for offers in patterns for offer in offers})
        self.different = np.array(different).T
        places = {offer: place for place, offer in enumerate(different)}
        self.ranks = tuple(
            np.array([places[offers[rank]] for offers in patterns if len(offers) > rank]) for rank in range(lengths[0])
        )

    def mean_after_throw(self, worth: Floats, row: int) -> Floats:
        """For each count of dice, a turn's mean worth after the best offer from `row` steps, without busts: (6, ...).

        `worth[row, column, ...]`: the worth of a turn after an offer, contiguous in its first two axes.
        """
        if worth[0, 0].size == 1:
            return self._thrown_once(worth, row)
        gain, column = self.different
        # Much quicker than np.maximum.reduceat, which handles one offer after the other.
        rows = worth.reshape(-1, *worth.shape[2:])
        offered = np.take(rows, (row + gain) * self.columns + column, axis=0)
        best = np.take(offered, self.ranks[0], axis=0)
        for places in self.ranks[1:]:
            some = best[: len(places)]
            np.maximum(some, np.take(offered, places, axis=0), out=some)
        mean: Floats = self.chance @ best
        return mean

    def _thrown_once(self, worth: Floats, row: int) -> Floats:
        """The same for a single turn, for which few large steps are quicker than many small ones."""
        offered = np.take(worth, (row + self.gain) * self.columns + self.column)
        best = np.maximum.reduceat(offered, self.begins)
        mean: Floats = self.chance @ best.reshape(-1, *worth.shape[2:])
        return mean


def throw_arrays_of(game: TenThousand) -> ThrowArrays:
    return _arrays(throws_of(game))


@lru_cache(64)
def _arrays(throws: Throws) -> ThrowArrays:
    return ThrowArrays(throws)
