"""How probable each candidate is to be a die, with or without the dice count.

Alone, candidates are dice independently of each other. A known count makes them depend on each other. The sums over all
subsets of one size are the Poisson binomial distribution (elementary symmetric polynomials of the odds).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from vision.judging.chances import Row

# How probable fewer or more dice than the count are: one fell off the table or is hidden; others lie there.
_FEWER, _MORE = 0.003, 0.01
_ASIDE_ALL = 0.4  # how probable it is that all dice aside are in the photo; so probable is none of them
_NO_DICE = 0.2  # times as probable as any other number: no dice at all, without the dice count
_AWAY = 0.5  # each further die too few or too many is so many times as probable


@dataclass(frozen=True)
class CountPosterior:
    """`chance` (n): how probable each candidate is to be a die. `number` (n + 1): how probable 0..n dice are."""

    chance: Row
    number: Row


def prior(things: int, dice: int, aside: int) -> Row:
    """How probable 0, 1, ... `things` dice are in a photo of a throw of `dice`: things + 1 numbers, not normalised.
    `aside`: how many other dice lie beside the throw; each may be in the photo or not."""
    shares = _shares(aside)

    def weight_of(number: int) -> float:
        beside = number - dice
        expected = shares[beside] if 0 <= beside < len(shares) else 0.0
        off = max(dice - number, beside - aside, 1)
        return (1 - _FEWER - _MORE) * expected + (_FEWER if number < dice else _MORE) * _AWAY**off

    return tuple(map(weight_of, range(things + 1)))


def prior_without_count(things: int) -> Row:
    """The prior without the dice count: things + 1 numbers, not normalised. Few photos show a table without dice."""
    return (_NO_DICE, *[1.0] * things)


def _shares(aside: int) -> list[float]:
    if not aside:
        return [1.0]
    between = (1 - 2 * _ASIDE_ALL) / max(aside - 1, 1)
    return [_ASIDE_ALL, *[between] * (aside - 1), _ASIDE_ALL]


def count_posterior(alone: Sequence[float], numbers: Sequence[float]) -> CountPosterior:
    """Combines the chances (n) of being a die, each `alone`, with the prior `numbers` (n + 1) of how many dice there
    are: the forward-backward algorithm over the candidates."""
    before = [[1.0]]  # how probable 0, 1, ... of the candidates before each are dice
    for own in alone:
        before.append(_with_one_more(before[-1], own))
    after, chances = list(numbers), []  # the prior's mean over the candidates from each on, by the dice before it
    for own, earlier in zip(reversed(alone), before[-2::-1], strict=True):
        chances.append(own * sum(weight * after[dice + 1] for dice, weight in enumerate(earlier)))
        after = [(1 - own) * after[dice] + own * after[dice + 1] for dice in range(len(earlier))]
    (whole,) = after
    of_number = tuple(weight * size / whole for weight, size in zip(numbers, before[-1], strict=True))
    return CountPosterior(tuple(min(weight / whole, 1.0) for weight in reversed(chances)), of_number)


def probability(alone: Sequence[float], numbers: Sequence[float], chosen: Collection[int]) -> float:
    """How probable it is that exactly the `chosen` candidates are the dice."""
    these = math.prod(own if thing in chosen else 1 - own for thing, own in enumerate(alone))
    whole = sum(weight * size for weight, size in zip(numbers, sizes(alone), strict=True))
    return numbers[len(chosen)] * these / whole


def sizes(alone: Sequence[float]) -> Row:
    """How probable it is that 0..n of the candidates are dice: sums over all subsets of one size."""
    sums = [1.0]
    for own in alone:
        sums = _with_one_more(sums, own)
    return tuple(sums)


def _with_one_more(sums: Sequence[float], own: float) -> list[float]:
    """`sizes` with a further candidate."""
    return [(1 - own) * less + own * more for less, more in zip([*sums, 0.0], [0.0, *sums], strict=True)]
