"""How probable each candidate is to be a die, with or without the dice count.

Alone, candidates are dice independently of each other. A known count makes them depend on each other. The sums over all
subsets of one size are the Poisson binomial distribution (elementary symmetric polynomials of the odds).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.arrays import Doubles

# How probable fewer or more dice than the count are: one fell off the table or is hidden; others lie there.
_FEWER, _MORE = 0.003, 0.01
_ASIDE_ALL, _ASIDE_NONE = 0.4, 0.4  # how probable it is that all dice aside are in the photo, or none
_NO_DICE = 0.2  # times as probable as any other number: no dice at all, without the dice count
_AWAY = 0.5  # each further die too few or too many is so many times as probable


@dataclass(frozen=True)
class CountPosterior:
    """`chance` (n,): how probable each candidate is to be a die. `number` (n + 1,): how probable 0..n dice are."""

    chance: Doubles
    number: Doubles


def prior(things: int, dice: int, aside: int) -> Doubles:
    """How probable 0, 1, ... `things` dice are in a photo of a throw of `dice`: (things + 1,), not normalised.
    `aside`: how many other dice lie beside the throw; each may be in the photo or not."""
    numbers = np.arange(things + 1)
    expected = np.zeros(things + 1)
    for beside, share in enumerate(_shares(aside)):
        if dice + beside <= things:
            expected[dice + beside] = share
    off = np.maximum(dice - numbers, numbers - dice - aside).clip(1)
    otherwise = np.where(numbers < dice, _FEWER, _MORE) * _AWAY ** off.astype(np.float64)
    return (1 - _FEWER - _MORE) * expected + otherwise


def prior_without_count(things: int) -> Doubles:
    """The prior without the dice count: (things + 1,), not normalised. Few photos show a table without dice."""
    numbers = np.ones(things + 1)
    numbers[0] = _NO_DICE
    return numbers


def _shares(aside: int) -> list[float]:
    if not aside:
        return [1.0]
    between = (1 - _ASIDE_ALL - _ASIDE_NONE) / max(aside - 1, 1)
    return [_ASIDE_NONE, *[between] * (aside - 1), _ASIDE_ALL]


def count_posterior(alone: Doubles, numbers: Doubles) -> CountPosterior:
    """Combines the chances (n,) of being a die, each `alone`, with the prior `numbers` (n + 1,) of how many dice
    there are."""
    weight = numbers * sizes(alone)
    number = weight / weight.sum()
    of_others = _sizes_without_each(alone)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(weight[1:] > 0, number[1:] / sizes(alone)[1:], 0.0)
    return CountPosterior((alone[:, None] * of_others * share).sum(1).clip(0, 1), number)


def probability(alone: Doubles, numbers: Doubles, chosen: npt.NDArray[np.bool_]) -> float:
    """How probable it is that exactly the `chosen` candidates (n,) are the dice."""
    these = numbers[int(chosen.sum())] * float(np.prod(np.where(chosen, alone, 1 - alone)))
    return float(these / (numbers * sizes(alone)).sum())


def sizes(alone: Doubles) -> Doubles:
    """How probable it is that 0..n of the candidates (n,) are dice: sums over all subsets of one size."""
    sums = np.zeros(len(alone) + 1)
    sums[0] = 1.0
    for chance in alone:
        sums[1:] = (1 - chance) * sums[1:] + chance * sums[:-1]
        sums[0] *= 1 - chance
    return sums


def _sizes_without_each(alone: Doubles) -> Doubles:
    """`sizes` 0..n - 1 without one candidate, for each candidate left out: (n, n)."""
    count = len(alone)
    sums = np.zeros((count, count + 1))
    sums[:, 0] = 1.0
    for place, chance in enumerate(alone):
        own = np.full(count, chance)
        own[place] = 0.0
        sums[:, 1:] = (1 - own)[:, None] * sums[:, 1:] + own[:, None] * sums[:, :-1]
        sums[:, 0] *= 1 - own
    return sums[:, :count]
