"""Multisets of dice: how dice can fall, which may be kept, and in how many ways they then fall."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

from scorer.actions import FACES

Dice = tuple[int, ...]  # ascending
Ways = tuple[int, ...]  # of several aims: in how many ways dice fall so that each is reached


def permutations(dice: Dice) -> int:
    """In how many ways dice can show these values."""
    return factorial(len(dice)) // prod(factorial(dice.count(face)) for face in set(dice))


def all_throws(count: int) -> Iterator[tuple[Dice, int]]:
    """Every throw with the number of ways in which it can fall."""
    for dice in combinations_with_replacement(FACES, count):
        yield dice, permutations(dice)


def keeps_of(dice: Dice) -> list[Dice]:
    """Every multiset that may be kept of these dice, which is not all of them; the most dice first."""
    found = {keep for count in range(len(dice)) for keep in combinations(dice, count)}
    return sorted(found, key=lambda keep: (-len(keep), keep))


class Multisets:
    """The multisets of 0 to `count` dice, the fewest dice first.

    `place`: the row of each multiset. The rows from `first` on, `complete`, have all dice. `more`: for each row before
    those, the rows with one die more, by its face. `fewer`: for each row, those with one die less, by the die's place;
    equal dice have equal entries.
    """

    def __init__(self, count: int) -> None:
        self.rows: list[Dice] = [
            dice for some in range(count + 1) for dice in combinations_with_replacement(FACES, some)
        ]
        self.place = {dice: place for place, dice in enumerate(self.rows)}
        self.first = self.place[(1,) * count]
        self.complete = self.rows[self.first :]
        self.more = [[self.place[tuple(sorted((*dice, face)))] for face in FACES] for dice in self.rows[: self.first]]
        self.fewer = [[self.place[dice[:die] + dice[die + 1 :]] for die in range(len(dice))] for dice in self.rows]

    def ways(self, complete: Sequence[Ways]) -> list[Ways]:
        """For each multiset of kept dice, the sum of `complete` over all falls of the others, as if the kept dice were
        thrown too: times 6 for each of them."""
        found: list[Ways] = [()] * self.first + list(complete)
        for row in reversed(range(self.first)):
            # One die at a time: the sum over five dice is the sum over one of the sums over four.
            found[row] = tuple(map(sum, zip(*(found[each] for each in self.more[row]), strict=True)))
        falls = [len(FACES) ** len(dice) for dice in self.rows]
        return [tuple(each * fall for each in ways) for ways, fall in zip(found, falls, strict=True)]

    def most(self, kept: Sequence[Ways], may_keep_all: bool = True) -> list[Ways]:
        """For complete dice, the most of `kept`, aim by aim, of any multiset that may be kept of them."""
        found = list(kept)
        for row, fewer in enumerate(self.fewer):
            own = [found[row]] if may_keep_all or row < self.first else []
            if fewer:
                found[row] = tuple(map(max, *own, *(found[each] for each in fewer)))
        return found[self.first :]
