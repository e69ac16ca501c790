"""Values of dice of which some are kept: means over the thrown dice, and the best keep.

Arrays are [multiset, n]: one row for each multiset of dice, one column for each of n situations solved at once. With
five dice, 462 multisets of 0..5 dice may be kept, the fewest dice first; the last 252 have all five.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from scorer.actions import FACES
from scorer.advice.dice import permutations
from scorer.advice.multisets import Floats, MultisetArrays


class Hands(MultisetArrays):
    """Hands of so many dice. `chances`: of a throw of all, by the rows of `complete`."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        falls = len(FACES) ** count
        self.chances: Floats = np.array([permutations(dice) for dice in self.complete]) / falls
        self._shares: Floats = np.array([[len(FACES) ** len(dice)] for dice in self.rows], dtype=np.int64) / falls

    def means(self, worth: Floats) -> Floats:
        """[kept, n]: the mean of `worth`, of complete dice, if each multiset is kept and the others are thrown."""
        found = self.sums(worth)
        found *= self._shares
        return found

    def after_throws(self, ends: Sequence[Floats]) -> list[Floats]:
        """The worth of complete dice by the throws left: 0, 1... `ends`: that at the turn's end, by the throws left
        then."""
        found = [ends[0]]
        for ended in ends[1:]:
            kept = self.best(self.means(found[-1]), may_keep_all=False)
            found.append(np.maximum(kept, ended, out=kept))
        return found


@lru_cache
def hands(count: int) -> Hands:
    return Hands(count)


def solve_turn(hands: Hands, ends: Sequence[Floats]) -> tuple[list[Floats], list[Floats]]:
    """Solves one turn: the worth of complete dice, by the throws left; and of kept dice, by the throws left after the
    next one. `ends`: [complete, 1], as in `Hands.after_throws`.
    """
    complete = hands.after_throws(ends)
    return [each[:, 0] for each in complete], [hands.means(each)[:, 0] for each in complete]


# Five dice with three throws, of most sheets.
DICE = 5
FIVE = hands(DICE)
KEPT, PLACE, FIRST, COMPLETE, CHANCES = FIVE.rows, FIVE.place, FIVE.first, FIVE.complete, FIVE.chances
best, means = FIVE.best, FIVE.means


def after_throw(ends: Floats, throws_left: int) -> Floats:
    """[252, n]: the worth of complete dice with so many throws left, from their worth at the turn's end."""
    return FIVE.after_throws([ends] * (throws_left + 1))[-1]
