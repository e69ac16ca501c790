"""How probable each of several things is to be a die, when it is known how many dice there should be.

Alone, things are dice independently of each other; that their number is known, or nearly, makes them depend on each
other. The sums over all subsets of a size are the Poisson binomial distribution, elementary symmetric polynomials of
the odds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.arrays import Doubles

# How probable another number than the told ones is: a die fell off the table or is hidden; others lie there.
_FEWER, _MORE = 0.003, 0.01
_ASIDE_ALL, _ASIDE_NONE = 0.4, 0.4  # how probable it is that all dice that lie aside are in the photo, or none of them
_NO_DICE = 0.2  # how many times as probable as any other number it is, where none is told, that there are none
_AWAY = 0.5  # each further die too few or too many is so many times less probable


@dataclass(frozen=True)
class CountPosterior:
    """`chance` (n,): how probable each thing is to be a die; `number` (n + 1,): how probable it is that 0..n are."""

    chance: Doubles
    number: Doubles


def prior(things: int, dice: int, aside: int) -> Doubles:
    """How probable 0, 1, ... `things` dice are in a photo of a throw of `dice`, beside which `aside` others lie that
    may be in the photo or not: (things + 1,), not normalised to these."""
    numbers = np.arange(things + 1)
    told = np.zeros(things + 1)
    for beside, share in enumerate(_shares(aside)):
        if dice + beside <= things:
            told[dice + beside] = share
    off = np.maximum(dice - numbers, numbers - dice - aside).clip(1)
    otherwise = np.where(numbers < dice, _FEWER, _MORE) * _AWAY ** off.astype(np.float64)
    return (1 - _FEWER - _MORE) * told + otherwise


def prior_without_count(things: int) -> Doubles:
    """The same where nothing is known of their number: (things + 1,), not normalised. Few photos are taken of a table
    without dice."""
    numbers = np.ones(things + 1)
    numbers[0] = _NO_DICE
    return numbers


def _shares(aside: int) -> list[float]:
    if not aside:
        return [1.0]
    between = (1 - _ASIDE_ALL - _ASIDE_NONE) / max(aside - 1, 1)
    return [_ASIDE_NONE, *[between] * (aside - 1), _ASIDE_ALL]


def count_posterior(alone: Doubles, numbers: Doubles) -> CountPosterior:
    """What chances (n,) of being a die, each `alone`, come to together when a number of dice is as probable as
    `numbers` (n + 1,) say before anything is seen."""
    weight = numbers * sizes(alone)
    number = weight / weight.sum()
    of_others = _sizes_without_each(alone)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(weight[1:] > 0, number[1:] / sizes(alone)[1:], 0.0)
    return CountPosterior((alone[:, None] * of_others * share).sum(1).clip(0, 1), number)


def probability(alone: Doubles, numbers: Doubles, chosen: npt.NDArray[np.bool_]) -> float:
    """How probable it is that exactly the `chosen` things (n,) are the dice."""
    these = numbers[int(chosen.sum())] * float(np.prod(np.where(chosen, alone, 1 - alone)))
    return float(these / (numbers * sizes(alone)).sum())


def sizes(alone: Doubles) -> Doubles:
    """How probable 0..n of the things (n,) are dice: the sum over all subsets of a size."""
    sums = np.zeros(len(alone) + 1)
    sums[0] = 1.0
    for chance in alone:
        sums[1:] = (1 - chance) * sums[1:] + chance * sums[:-1]
        sums[0] *= 1 - chance
    return sums


def _sizes_without_each(alone: Doubles) -> Doubles:
    """`sizes` 0..n - 1 of all but one of the things, for each one left out: (n, n)."""
    count = len(alone)
    sums = np.zeros((count, count + 1))
    sums[:, 0] = 1.0
    for place, chance in enumerate(alone):
        own = np.full(count, chance)
        own[place] = 0.0
        sums[:, 1:] = (1 - own)[:, None] * sums[:, 1:] + own[:, None] * sums[:, :-1]
        sums[:, 0] *= 1 - own
    return sums[:, :count]
