"""How probable each candidate is to be a die, with or without the dice count.

Alone, candidates are dice independently of each other. A known count makes them depend on each other. The sums over all
subsets of one size are the Poisson binomial distribution (elementary symmetric polynomials of the odds).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import accumulate

from vision.judging.chances import Row

_WRONG = 0.005  # the probability of one die more than the count; of one less, and of each further one, half as much
_NO_DICE = 0.2  # times as probable as any other number: no dice at all, without the dice count


def prior(things: int, dice: int | None, aside: int = 0) -> Row:
    """How probable 0, 1, ... `things` dice are in a photo of a throw of `dice`: things + 1 numbers, not normalised.
    `aside`: how many other dice lie beside the throw; each may be in the photo or not. None: the dice count is not
    known; few photos show a table without dice."""
    if dice is None:
        return (_NO_DICE, *[1.0] * things)
    off = [max(2 * (dice - number), number - dice - aside) for number in range(things + 1)]
    return tuple(_WRONG * 0.5 ** (far - 1) if far > 0 else 1 / (aside + 1) for far in off)


def chances_with(numbers: Sequence[float], alone: Sequence[float]) -> Row:
    """How probable each candidate (n) is to be a die, from its chance `alone` and the prior `numbers` (n + 1) of how
    many dice there are: the forward-backward algorithm over the candidates."""
    before = list(accumulate(alone, _with_one_more, initial=[1.0]))  # by the candidates before each
    after, chances = list(numbers), []  # the prior's mean over the candidates from each on, by the dice before it
    for own, earlier in zip(reversed(alone), before[-2::-1], strict=True):
        chances.append(own * sum(weight * after[dice + 1] for dice, weight in enumerate(earlier)))
        after = [(1 - own) * after[dice] + own * after[dice + 1] for dice in range(len(earlier))]
    return tuple(min(weight / after[0], 1.0) for weight in reversed(chances))


def probability(numbers: Sequence[float], alone: Sequence[float], chosen: Collection[int]) -> float:
    """How probable it is that exactly the `chosen` candidates are the dice."""
    these = math.prod(own if thing in chosen else 1 - own for thing, own in enumerate(alone))
    *_, sizes = accumulate(alone, _with_one_more, initial=[1.0])
    return numbers[len(chosen)] * these / sum(weight * size for weight, size in zip(numbers, sizes, strict=True))


def _with_one_more(sizes: Sequence[float], own: float) -> list[float]:
    """How probable 0, 1, ... of some candidates are dice, with a further one."""
    return [(1 - own) * less + own * more for less, more in zip([*sizes, 0.0], [0.0, *sizes], strict=True)]
