"""Fairness of dice: how evenly they fell, and how probable it is that fair dice fall as unevenly."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

FACES = range(1, 7)
# The chi-square distribution needs about five expected dice of each value.
LEAST_DICE = 5 * len(FACES)


@dataclass(frozen=True)
class Fairness:
    """How often each value 1..6 fell. `chance`: the probability, 0..1, that fair dice fall at least as unevenly; None
    for fewer than `LEAST_DICE` dice."""

    counts: tuple[int, ...]
    chance: float | None

    @property
    def dice(self) -> int:
        return sum(self.counts)

    @property
    def expected(self) -> float:
        """How often fair dice show each value, on average."""
        return self.dice / len(FACES)


def fairness(*games: Sequence[int]) -> Fairness:
    """The fairness of the dice in one or several games. `games`: how often each value 1..6 fell in each."""
    counts = tuple(map(sum, zip((0,) * len(FACES), *games, strict=True)))
    if sum(counts) < LEAST_DICE:
        return Fairness(counts, None)
    expected = sum(counts) / len(counts)
    statistic = sum((count - expected) ** 2 for count in counts) / expected
    return Fairness(counts, chi_square_survival(statistic))


def chi_square_survival(statistic: float) -> float:
    """The probability that a chi-square variable with 5 degrees of freedom, one less than faces, is at least
    `statistic` >= 0 (Abramowitz and Stegun, 26.4.4 and 26.4.8)."""
    half, root = statistic / 2, math.sqrt(statistic / 2)
    return math.erfc(root) + math.exp(-half) * (root / math.gamma(1.5) + half * root / math.gamma(2.5))
