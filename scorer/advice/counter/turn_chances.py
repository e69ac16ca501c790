"""What a turn of a counter brings if nothing can be chosen in it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from scorer.advice.chances.counter_throws import ALL, all_falls, falls_of, rounds_that_differ
from scorer.advice.chances.throws import CacheKey
from scorer.advice.multisets import Floats
from scorer.counter import CounterGame

LEFT_OVER = 1e-15  # neglected chance of a longer turn


class TurnChances(NamedTuple):
    """`brings`: the chances of 0, 1, 2... points more in a turn that ends by itself. `lost`: of its loss; `wiped`: of
    that of all points.
    """

    brings: Floats
    lost: float
    wiped: float

    def mean(self) -> float:
        """The mean of the points that it brings, if none are lost."""
        return float(self.brings @ np.arange(len(self.brings)))


def turn_chances(game: CounterGame, taken: int, left: int) -> TurnChances:
    """The rest of a turn of a player who has ended `taken` turns, before a throw of so many dice."""
    return _turn_chances(CacheKey(game, (game.rules, left, taken % rounds_that_differ(game))), taken, left)


@lru_cache(512)
def _turn_chances(game_key: CacheKey, taken: int, left: int) -> TurnChances:
    game: CounterGame = game_key.value
    if game.rules.progress:
        return TurnChances(_progress(game, taken), 0.0, 0.0)
    brings, lost, wiped = np.zeros(1), 0.0, 0.0
    running: dict[int, Floats] = {left: np.ones(1)}  # by dice left: the chances of the points so far
    while sum(each.sum() for each in running.values()) > LEFT_OVER:
        following: dict[int, Floats] = {}
        for dice, chances in running.items():
            for fall in falls_of(game, dice, taken):
                share = chances * (fall.ways / all_falls(dice))
                if fall.lost:
                    lost, wiped = lost + share.sum() * (fall.lost != ALL), wiped + share.sum() * (fall.lost == ALL)
                    continue
                moved = np.append(np.zeros(fall.added), share)
                if fall.left:
                    following[fall.left] = _sum(following.get(fall.left, np.zeros(0)), moved)
                else:
                    brings = _sum(brings, moved)
        running = following
    return TurnChances(brings, float(lost), float(wiped))


def _progress(game: CounterGame, made: int) -> Floats:
    """The chances of 0, 1, 2... numbers more, of a player who has made so many and throws."""
    brings = np.zeros(game.rules.target - made + 1)
    for fall in falls_of(game, game.dice, made):
        later = turn_chances(game, made + fall.added, game.dice).brings if fall.left and fall.added else np.ones(1)
        brings[fall.added :][: len(later)] += later * (fall.ways / all_falls(game.dice))
    return brings


def _sum(one: Floats, other: Floats) -> Floats:
    found = np.zeros(max(len(one), len(other)))
    found[: len(one)] = one
    found[: len(other)] += other
    return found
