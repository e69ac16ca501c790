"""Five dice, some kept and the others thrown: means over what is thrown, and the best that may be kept.

Arrays are [multiset, n]: one row for each multiset of dice, one column for each of n situations worked out at once.
`KEPT` lists the 462 multisets of 0..5 dice, the fewest first; the last 252 rows, `COMPLETE`, have all five.
"""

from __future__ import annotations

import numpy as np

from scorer.actions import FACES
from scorer.advice.dice import Floats, Multisets, permutations

DICE = 5

FIVE = Multisets(DICE)
KEPT, PLACE, FIRST, COMPLETE = FIVE.rows, FIVE.place, FIVE.first, FIVE.complete
best = FIVE.best
ways = FIVE.ways  # used twice or three times it counts among 6^10 and 6^15, which 64 bits hold

CHANCES: Floats = np.array([permutations(dice) for dice in COMPLETE]) / len(FACES) ** DICE  # of a throw of all five
SHARES: Floats = np.array([[len(FACES) ** len(dice)] for dice in KEPT], dtype=np.int64) / len(FACES) ** DICE


def means(worth: Floats) -> Floats:
    """[462, n]: the mean of `worth`, [252, n] of complete dice, with each multiset kept and the others thrown."""
    found = FIVE.sums(worth)
    found *= SHARES
    return found


def after_throw(ends: Floats, throws_left: int) -> Floats:
    """[252, n]: what complete dice are worth with so many throws left, from what they are worth at the turn's end."""
    for _ in range(throws_left):
        ends = best(means(ends))
    return ends


def solve_turn(ends: Floats, throws: int) -> tuple[list[Floats], list[Floats]]:
    """Of one turn: what complete dice are worth, [252], by the throws left; and what kept dice are worth, [462], by the
    throws left after the next one. `ends`, [252, 1]: what complete dice are worth at its end.
    """
    complete, kept = [ends], [means(ends)]
    for _ in range(throws - 1):
        complete.append(best(kept[-1]))
        kept.append(means(complete[-1]))
    return [each[:, 0] for each in complete], [each[:, 0] for each in kept]
