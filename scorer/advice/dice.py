"""Dice as numbers: how they can fall, which of them may be kept, and arrays with a row for each multiset of dice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from scorer.actions import FACES

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
N = TypeVar("N", bound=np.generic)
Dice = tuple[int, ...]  # ascending


def permutations(dice: Dice) -> int:
    """In how many ways dice can fall so."""
    return factorial(len(dice)) // prod(factorial(dice.count(face)) for face in set(dice))


def all_throws(count: int) -> Iterator[tuple[Dice, int]]:
    """Every throw with the ways in which it falls."""
    for dice in combinations_with_replacement(FACES, count):
        yield dice, permutations(dice)


def keeps_of(dice: Dice) -> list[Dice]:
    """Every different multiset that may be kept of these dice, all but all of them; the most dice first."""
    found = {keep for count in range(len(dice)) for keep in combinations(dice, count)}
    return sorted(found, key=lambda keep: (-len(keep), keep))


def interpolate(values: Floats, place: float) -> Any:
    """`values[place]` for a place between two whole ones, linearly; the first or last value beyond the ends."""
    place = min(max(place, 0.0), len(values) - 1.0)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])


class Level(NamedTuple):
    """The multisets of one count of dice: their rows, and the rows of those with one die more or one less.

    `more`: [face, row]. `fewer`: [some die, row]; a die that stands there more than once is named so often.
    """

    rows: slice
    more: npt.NDArray[np.intp]
    fewer: npt.NDArray[np.intp]


class Multisets:
    """The multisets of 0 to `count` dice, the fewest dice first: what may be kept while the others are thrown.

    `place`: the row of each. The rows from `first` on, `complete`, have all dice. Arrays are [multiset, ...].
    """

    def __init__(self, count: int) -> None:
        self.rows: list[Dice] = [
            dice for some in range(count + 1) for dice in combinations_with_replacement(FACES, some)
        ]
        self.place = {dice: place for place, dice in enumerate(self.rows)}
        self.first = self.place[(1,) * count]
        self.complete = self.rows[self.first :]
        self.levels = [self._level(some) for some in range(count + 1)]

    def _level(self, count: int) -> Level:
        here = list(combinations_with_replacement(FACES, count))
        begin = self.place[here[0]]
        more = [[self.place.get(tuple(sorted((*dice, face))), -1) for dice in here] for face in FACES]
        fewer = [[self.place[dice[:die] + dice[die + 1 :]] for dice in here] for die in range(count)]
        return Level(slice(begin, begin + len(here)), np.array(more, dtype=np.intp), np.array(fewer, dtype=np.intp))

    def sums(self, complete: npt.NDArray[N]) -> npt.NDArray[N]:
        """For each multiset that is kept, the sum over all ways in which the other dice can fall."""
        found = np.empty((len(self.rows), *complete.shape[1:]), dtype=complete.dtype)
        found[self.first :] = complete
        for level in self.levels[-2::-1]:
            # One die after the other: over five, the sum over the next one of the sums over the other four.
            here = found[level.rows]
            np.take(found, level.more[0], axis=0, out=here, mode="clip")
            for following in level.more[1:]:
                here += found[following]
        return found

    def ways(self, wanted: npt.NDArray[N]) -> npt.NDArray[N]:
        """In how many throws of all dice, those kept counted as thrown, `wanted` of complete dice comes out. Exact."""
        found: npt.NDArray[Any] = self.sums(wanted)
        for dice, level in enumerate(self.levels):
            found[level.rows] *= len(FACES) ** dice
        return found

    def best(self, kept: npt.NDArray[N], may_keep_all: bool = True) -> npt.NDArray[N]:
        """The most that complete dice leave when some of them are kept."""
        found = kept.copy()
        for level in self.levels[1:]:
            here = found[level.rows]
            if level is self.levels[-1] and not may_keep_all:
                here[:] = found[level.fewer[0]]
            for following in level.fewer:
                np.maximum(here, found[following], out=here)
        return found[self.first :]
