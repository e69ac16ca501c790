"""The chance to finish first, given the chances that each player needs 1, 2... more turns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scorer.advice.multisets import Floats


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
