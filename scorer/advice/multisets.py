"""Multisets of dice as arrays with one row for each."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from scorer.advice.dice import Multisets

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
N = TypeVar("N", bound=np.generic)


def interpolate(values: Floats, place: float) -> Any:
    """`values[place]` for a place between two whole ones, linearly; the first or last value beyond the ends."""
    place = min(max(place, 0.0), len(values) - 1.0)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])


class Level(NamedTuple):
    """The multisets of one count of dice: their rows, and the rows of those with one die more or one less.

    `more`: [face, row], none for complete dice. `fewer`: [die, row].
    """

    rows: slice
    more: npt.NDArray[np.intp]
    fewer: npt.NDArray[np.intp]


class MultisetArrays(Multisets):
    """The multisets of 0 to `count` dice. Arrays are [multiset, ...]."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.levels = [self._level(some) for some in range(count + 1)]

    def _level(self, count: int) -> Level:
        sizes = [len(dice) for dice in self.rows]
        rows = slice(sizes.index(count), sizes.index(count) + sizes.count(count))
        more, fewer = (np.array(each[rows], dtype=np.intp).T for each in (self.more, self.fewer))
        return Level(rows, more, fewer)

    def sums(self, complete: npt.NDArray[N]) -> npt.NDArray[N]:
        """For each multiset of kept dice, the sum over all ways in which the other dice can fall."""
        found = np.empty((len(self.rows), *complete.shape[1:]), dtype=complete.dtype)
        found[self.first :] = complete
        for level in self.levels[-2::-1]:
            # One die at a time: the sum over five dice is the sum over one of the sums over four.
            here = found[level.rows]
            np.take(found, level.more[0], axis=0, out=here, mode="clip")
            for following in level.more[1:]:
                here += found[following]
        return found

    def best(self, kept: npt.NDArray[N], may_keep_all: bool = True) -> npt.NDArray[N]:
        """The best value of any multiset that may be kept of complete dice."""
        found = kept.copy()
        for level in self.levels[1:]:
            here = found[level.rows]
            if level is self.levels[-1] and not may_keep_all:
                here[:] = found[level.fewer[0]]
            for following in level.fewer:
                np.maximum(here, found[following], out=here)
        return found[self.first :]
