"""The chance to win Forbidden Numbers, exact.

Each die of a turn is thrown until it shows a forbidden number, independently of the others. A player's final total is
his points plus what all his dice still to throw will add. p(x) is the distribution of that total, F(x) the chance of x
or less. A player's chance is the sum over x of p(x) times the integral from 0 to 1 over u of the product of
(F(x - 1) + u p(x)) of the others, since equal players share the win.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np

from scorer.actions import FACES
from scorer.advice.multisets import Floats
from scorer.advice.pure_chance import PureChance
from scorer.counter import CounterState
from scorer.games.forbidden_numbers import FORBIDDEN, ForbiddenNumbers

LEFT_OVER = 1e-17  # neglected chance of more points from one die
NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)  # exact up to degree 15; twelve players need 11


class ForbiddenNumbersChance(PureChance[ForbiddenNumbers]):
    def __init__(self, game: ForbiddenNumbers) -> None:
        super().__init__(game)
        self.value = self.chances(game.start(2))[0]

    def chances(self, state: CounterState) -> list[float]:
        if not state.forbidden:
            chosen = combinations(FACES, FORBIDDEN)
            mean: list[float] = np.mean([self._chances(state, faces) for faces in chosen], axis=0).tolist()
            return mean
        return self._chances(state, state.forbidden)

    def _chances(self, state: CounterState, forbidden: tuple[int, ...]) -> list[float]:
        scores = self.game.scores(state)
        count = len(scores)
        coming = [points_added(forbidden, self._dice(state, player)) for player in range(count)]
        least = min(scores)
        size = max(score - least + len(each) for score, each in zip(scores, coming, strict=True))
        totals = np.zeros((count, size + 1))  # a place before the lowest total, for F(x - 1)
        for player, each in enumerate(coming):
            first = scores[player] - least + 1
            totals[player, first : first + len(each)] = each
        below = np.cumsum(totals, axis=1)[:, :-1]
        equal = totals[:, 1:]
        return [_wins(equal, below, player) for player in range(count)]

    def _dice(self, state: CounterState, player: int) -> int:
        """How many dice a player still has to throw until they leave, including the running turn."""
        taken = state.taken[player]
        if player == state.player:
            return state.left + (self.game.rules.rounds - taken - 1) * self.game.dice
        return (self.game.rules.rounds - taken) * self.game.dice


def _wins(equal: Floats, below: Floats, player: int) -> float:
    others = [each for each in range(len(equal)) if each != player]
    shares = np.zeros(equal.shape[1])
    for node, weight in zip((NODES + 1) / 2, WEIGHTS / 2, strict=True):
        shares += weight * np.prod(below[others] + node * equal[others], axis=0)
    return float(equal[player] @ shares)


@lru_cache(maxsize=512)
def points_added(forbidden: tuple[int, ...], dice: int) -> Floats:
    """The chances that so many dice add 0, 1, 2... points before all have left."""
    if dice == 0:
        return np.ones(1)
    one = one_die(forbidden)
    if dice == 1:
        return one
    half = points_added(forbidden, dice // 2)
    found = _convolve(half, half)
    return _convolve(found, one) if dice % 2 else found


def _convolve(one: Floats, other: Floats) -> Floats:
    both = np.convolve(one, other) if min(len(one), len(other)) < 3000 else _by_fourier(one, other)
    return both[: np.flatnonzero(both > LEFT_OVER)[-1] + 1]


def _by_fourier(one: Floats, other: Floats) -> Floats:
    size = len(one) + len(other) - 1
    found: Floats = np.fft.irfft(np.fft.rfft(one, size) * np.fft.rfft(other, size), size)
    return np.maximum(found, 0.0)


def one_die(forbidden: tuple[int, ...]) -> Floats:
    """The chances that one die adds 0, 1, 2... points before it leaves."""
    stay = [face for face in FACES if face not in forbidden]
    leave = 1 - len(stay) / len(FACES)
    chance = [leave]  # that it shows these points in all and then leaves
    while sum(chance[-max(FACES) :]) > LEFT_OVER:
        points = len(chance)
        chance.append(sum(chance[points - face] for face in stay if face <= points) / len(FACES))
    return np.array(chance)


SOLUTION = ForbiddenNumbersChance
