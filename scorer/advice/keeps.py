"""Five dice, some kept and the others thrown: means over what is thrown, and the best that may be kept.

Arrays are [multiset, n]: one row for each multiset of dice, one column for each of n situations worked out at once.
`KEPT` lists the 462 multisets of 0..5 dice, the fewest first; the last 252 rows, `COMPLETE`, have all five.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from scorer.actions import FACES

Values = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
N = TypeVar("N", np.float64, np.int64)
Places = npt.NDArray[np.intp]
Dice = tuple[int, ...]

DICE = 5


def keeps_of(dice: Dice) -> list[Dice]:
    """Every different multiset that may be kept of these dice, all but all of them; the most dice first."""
    found = {keep for count in range(len(dice)) for keep in combinations(dice, count)}
    return sorted(found, key=lambda keep: (-len(keep), keep))


def permutations(dice: Dice) -> int:
    """In how many ways dice can fall so."""
    return factorial(len(dice)) // prod(factorial(dice.count(face)) for face in set(dice))


KEPT: list[Dice] = [dice for count in range(DICE + 1) for dice in combinations_with_replacement(FACES, count)]
PLACE: dict[Dice, int] = {dice: place for place, dice in enumerate(KEPT)}
FIRST = PLACE[(1,) * DICE]  # the first row of complete dice
COMPLETE = KEPT[FIRST:]

CHANCES: Values = np.array([permutations(dice) for dice in COMPLETE]) / len(FACES) ** DICE  # of a throw of all five


class Level(NamedTuple):
    """The multisets of one count of dice: their rows, and the rows of those with one die more or one less.

    `more`: [face, row]. `fewer`: [some die, row]; a die that stands there more than once is named so often.
    """

    rows: slice
    more: Places
    fewer: Places


def _level(count: int) -> Level:
    here = list(combinations_with_replacement(FACES, count))
    rows = slice(PLACE[here[0]], PLACE[here[0]] + len(here))
    more = [[PLACE.get(tuple(sorted((*dice, face))), -1) for dice in here] for face in FACES]
    fewer = [[PLACE[dice[:die] + dice[die + 1 :]] for dice in here] for die in range(count)]
    return Level(rows, np.array(more, dtype=np.intp), np.array(fewer, dtype=np.intp))


SAME_FALLS: Counts = np.array([[len(FACES) ** len(dice)] for dice in KEPT], dtype=np.int64)
SHARES: Values = SAME_FALLS / len(FACES) ** DICE
LEVELS = [_level(count) for count in range(DICE + 1)]


def means(worth: Values) -> Values:
    """[462, n]: the mean of `worth`, [252, n] of complete dice, with each multiset kept and the others thrown."""
    found: Values = _sums(worth)
    found *= SHARES
    return found


def ways(wanted: Counts) -> Counts:
    """[462, n]: in how many of 6^5 throws of five dice, those kept counted as thrown, `wanted`, [252, n], comes out.

    Exact; used twice or three times it counts among 6^10 and 6^15, which 64 bits hold.
    """
    found: Counts = _sums(wanted)
    found *= SAME_FALLS
    return found


def _sums(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """[462, n]: the sum over all ways in which the dice that are not kept can fall."""
    found = np.empty((len(KEPT), values.shape[1]), dtype=values.dtype)
    found[FIRST:] = values
    for level in LEVELS[-2::-1]:
        # One die after the other: over five, the sum over the next one of the sums over the other four.
        here = found[level.rows]
        np.take(found, level.more[0], axis=0, out=here, mode="clip")
        for following in level.more[1:]:
            here += found[following]
    return found


def best(kept: npt.NDArray[N]) -> npt.NDArray[N]:
    """[252, n]: the most that complete dice leave when some of them are kept, or all; `kept` is [462, n]."""
    found = kept.copy()
    for level in LEVELS[1:]:
        here = found[level.rows]
        for following in level.fewer:
            np.maximum(here, found[following], out=here)
    return found[FIRST:]


def after_throw(ends: Values, throws_left: int) -> Values:
    """[252, n]: what complete dice are worth with so many throws left, from what they are worth at the turn's end."""
    for _ in range(throws_left):
        ends = best(means(ends))
    return ends
