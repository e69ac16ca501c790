"""Five dice, some kept and the others thrown: means over what is thrown, and the best that may be kept.

Arrays are [multiset, n]: one row for each multiset of dice, one column for each of n situations worked out at once.
`KEPT` lists the 462 multisets of 0..5 dice, the fewest first; the last 252 rows, `COMPLETE`, have all five.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scorer.actions import FACES

Values = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]
Dice = tuple[int, ...]

DICE = 5

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


LEVELS = [_level(count) for count in range(DICE + 1)]


def means(worth: Values) -> Values:
    """[462, n]: the mean of `worth`, [252, n] of complete dice, with each multiset kept and the others thrown."""
    found = np.empty((len(KEPT), worth.shape[1]))
    found[FIRST:] = worth
    for level in LEVELS[-2::-1]:
        # One die after the other: the mean over five is that over the next one of the means over the other four.
        here = found[level.rows]
        np.take(found, level.more[0], axis=0, out=here, mode="clip")
        for following in level.more[1:]:
            here += found[following]
        here /= len(FACES)
    return found


def best(kept: Values) -> Values:
    """[252, n]: the most that complete dice leave when some of them are kept, or all; `kept` is [462, n]."""
    found = kept.copy()
    for level in LEVELS[1:]:
        here = found[level.rows]
        for following in level.fewer:
            np.maximum(here, found[following], out=here)
    return found[FIRST:]
