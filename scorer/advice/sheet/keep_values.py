"""Values of five dice of which some are kept: means over the thrown dice, and the best keep.

Arrays are [multiset, n]: one row for each multiset of dice, one column for each of n situations solved at once.
`KEPT` lists the 462 multisets of 0..5 dice, the fewest dice first. The last 252 rows, `COMPLETE`, have all five.
"""

from __future__ import annotations

import numpy as np

from scorer.actions import FACES
from scorer.advice.dice import permutations
from scorer.advice.multisets import Floats, MultisetArrays

DICE = 5

FIVE = MultisetArrays(DICE)
KEPT, PLACE, FIRST, COMPLETE = FIVE.rows, FIVE.place, FIVE.first, FIVE.complete
best = FIVE.best

CHANCES: Floats = np.array([permutations(dice) for dice in COMPLETE]) / len(FACES) ** DICE  # of a throw of all five
SHARES: Floats = np.array([[len(FACES) ** len(dice)] for dice in KEPT], dtype=np.int64) / len(FACES) ** DICE


def means(worth: Floats) -> Floats:
    """[462, n]: the mean of `worth`, [252, n] of complete dice, if each multiset is kept and the others are thrown."""
    found = FIVE.sums(worth)
    found *= SHARES
    return found


def after_throw(ends: Floats, throws_left: int) -> Floats:
    """[252, n]: the worth of complete dice with so many throws left, from their worth at the turn's end."""
    for _ in range(throws_left):
        ends = best(means(ends))
    return ends


def solve_turn(ends: Floats, throws: int) -> tuple[list[Floats], list[Floats]]:
    """Solves one turn: the worth of complete dice, [252], by the throws left; and of kept dice, [462], by the throws
    left after the next one. `ends`, [252, 1]: the worth of complete dice at the turn's end.
    """
    complete, kept = [ends], [means(ends)]
    for _ in range(throws - 1):
        complete.append(best(kept[-1]))
        kept.append(means(complete[-1]))
    return [each[:, 0] for each in complete], [each[:, 0] for each in kept]
