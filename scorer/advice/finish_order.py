"""Who finishes first, given the chances that each player needs 1, 2... more turns; or who has most at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from scorer.advice.multisets import Floats


class RoundEnds(NamedTuple):
    """A player's chances at the end of each round, if nobody had the target before it: to be `below`, [rounds], and to
    have `reached` it with each total, [rounds, totals]."""

    below: Floats
    reached: Floats


def first_of(needed: Sequence[Floats], following: int) -> list[float]:
    """Each player's chance to be first, given the chances to need 1, 2... turns. `following` plays next."""
    count = len(needed)
    order = [(following + place) % count for place in range(count)]
    later = [np.maximum(1 - np.cumsum(each), 0.0) for each in needed]
    still = [np.append(1.0, each[:-1]) for each in later]
    first = np.zeros(count)
    for place, player in enumerate(order):
        others = [later[each] for each in order[:place]] + [still[each] for each in order[place + 1 :]]
        first[player] = (needed[player] * np.prod(others, axis=0)).sum() if others else 1.0
    found: list[float] = (first / first.sum()).tolist()
    return found


def shares_of_highest(ends: Sequence[RoundEnds]) -> Floats:
    """Each player's chance that the game ends and his total is the highest; equal ones share."""
    less = [each.below[:, None] + each.reached.cumsum(axis=1) - each.reached for each in ends]
    shares = np.zeros(len(ends))
    for place, own in enumerate(ends):
        # [rounds, totals, n]: the chances that n others have as much and all the rest have less.
        ties = np.zeros((*own.reached.shape, len(ends)))
        ties[:, :, 0] = 1.0
        for other, each in enumerate(ends):
            if other != place:
                more = ties[:, :, :-1] * each.reached[:, :, None]
                ties *= less[other][:, :, None]
                ties[:, :, 1:] += more
        shares[place] = (own.reached * (ties / np.arange(1, len(ends) + 1)).sum(axis=2)).sum()
    return shares
