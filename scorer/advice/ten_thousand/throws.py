"""The offers of a ten-thousand game's throws, by the game's own rules.

Points are counted in steps of `Throws.step` points. With six dice, a turn's column is 0..5 for 1..6 dice left to throw,
and 6, `Throws.confirm`, for six dice that must be thrown before banking. Games of other dice have as many columns more
or fewer.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from math import gcd
from typing import Any, NamedTuple

import numpy as np

from scorer.advice.dice import Floats, Whole, all_throws
from scorer.ten_thousand import TenThousand, TenThousandState
from scorer.tuples import LinkedList

Offer = tuple[int, int]  # added steps, column after it
Offers = tuple[Offer, ...]  # of one throw; () for a bust


class Throws(NamedTuple):
    """The throws of one to all dice. Throws with the same offers are one pattern.

    `ways`: by count of dice (place 0: one die), how many of the 6^count throws have each pattern. `chance` has the same
    as chances, shape (dice, patterns), without busts; `bust` has those, shape (dice,). `gain` (steps) and `column` list
    the offers of all patterns, those with most offers first; `begins` has each pattern's first place. `different`,
    shape (2, offers), has the few different gains and columns. `ranks` has the places there of each pattern's first
    offer, then of the second for all patterns that have one, and so on.
    """

    step: int
    ways: tuple[dict[Offers, int], ...]
    chance: Floats
    bust: Floats
    begins: Whole
    gain: Whole
    column: Whole
    different: Whole
    ranks: tuple[Whole, ...]

    @property
    def columns(self) -> int:
        return len(self.ways) + 1

    @property
    def start(self) -> int:
        """The column of all dice."""
        return len(self.ways) - 1

    @property
    def confirm(self) -> int:
        """The column of all dice that must be thrown before banking."""
        return len(self.ways)

    def mean_after_throw(self, worth: Floats, row: int) -> Floats:
        """For each count of dice, a turn's mean worth after the best offer from `row` steps, without busts: (6, ...).

        `worth[row, column, ...]`: the worth of a turn after an offer, contiguous in its first two axes.
        """
        if worth[0, 0].size == 1:
            return self._thrown_once(worth, row)
        gain, column = self.different
        # Much quicker than np.maximum.reduceat, which handles one offer after the other.
        rows = worth.reshape(-1, *worth.shape[2:])
        offered = np.take(rows, (row + gain) * self.columns + column, axis=0)
        best = np.take(offered, self.ranks[0], axis=0)
        for places in self.ranks[1:]:
            some = best[: len(places)]
            np.maximum(some, np.take(offered, places, axis=0), out=some)
        mean: Floats = self.chance @ best
        return mean

    def _thrown_once(self, worth: Floats, row: int) -> Floats:
        """The same for a single turn, for which few large steps are quicker than many small ones."""
        offered = np.take(worth, (row + self.gain) * self.columns + self.column)
        best = np.maximum.reduceat(offered, self.begins)
        mean: Floats = self.chance @ best.reshape(-1, *worth.shape[2:])
        return mean


def column(game: TenThousand, state: TenThousandState) -> int:
    """The column of a turn that waits for a throw or a bank."""
    return game.dice if state.must_confirm else state.left - 1


def dice_of(place: int, dice: int) -> int:
    """How many dice are thrown from a column, with so many dice in the game."""
    return min(place + 1, dice)


def throws_of(game: TenThousand) -> Throws:
    """The throws of a game, cached for games with equal tables."""
    key = (game.key, game.dice, game.rules.table, game.rules.forced, game.rules.hot_dice, game.rules.nothing_scores)
    return _throws(CacheKey(game, key))


def resting_state(game: TenThousand, place: int, points: int, banked: bool = True) -> TenThousandState:
    """A lone player's turn in this column after a set-aside."""
    left, must_confirm = dice_of(place, game.dice), place == game.dice
    state = game.start(1)._replace(points=points, left=left, must_confirm=must_confirm, banked=(banked,))
    return state._replace(aside=LinkedList(None, (1,)))


def may_bank(game: TenThousand, place: int, points: int, banked: bool = True) -> bool:
    return game.bank_refusal(resting_state(game, place, points, banked)) is None


class CacheKey:
    """An argument of a cached function, equal to another one with the same `key`."""

    def __init__(self, value: Any, key: Hashable) -> None:
        self.value = value
        self.key = key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CacheKey) and other.key == self.key

    def __hash__(self) -> int:
        return hash(self.key)


@lru_cache(64)
def _throws(game_key: CacheKey) -> Throws:
    found = [_offers(game_key.value, count) for count in range(1, game_key.value.dice + 1)]
    step = gcd(*(gain for of_count in found for offers in of_count for gain, _ in offers))
    ways = tuple(
        {tuple((gain // step, place) for gain, place in offers): number for offers, number in of_count.items()}
        for of_count in found
    )
    patterns = sorted(
        {offers for of_count in ways for offers in of_count if offers}, key=lambda each: (-len(each), each)
    )
    chance = [
        [of_count.get(offers, 0) / 6**count for offers in patterns] for count, of_count in enumerate(ways, start=1)
    ]
    lengths = [len(offers) for offers in patterns]
    flat = np.array([offer for offers in patterns for offer in offers], dtype=np.int64)
    bust = np.array([of_count.get((), 0) / 6**count for count, of_count in enumerate(ways, start=1)])
    begins = np.cumsum([0, *lengths[:-1]])
    different = sorted({offer for offers in patterns for offer in offers})
    places = {offer: place for place, offer in enumerate(different)}
    ranks = tuple(
        np.array([places[offers[rank]] for offers in patterns if len(offers) > rank]) for rank in range(lengths[0])
    )
    columns = (flat[:, 0], flat[:, 1], np.array(different).T)
    return Throws(step, ways, np.array(chance), bust, begins, *columns, ranks)


def _offers(game: TenThousand, count: int) -> dict[Offers, int]:
    """The patterns of the throws of `count` dice, with the ways in which they fall. Gains are in points."""
    found: dict[Offers, int] = {}
    for dice, ways in all_throws(count):
        offers = _offers_of(game, dice)
        found[offers] = found.get(offers, 0) + ways
    return found


def _offers_of(game: TenThousand, dice: tuple[int, ...]) -> Offers:
    """The offers of one throw. They include those with fewer points for the same dice left, since a player may not want
    to reach the target first and give the others another turn.
    """
    thrown, _ = game.apply(resting_state(game, len(dice) - 1, 0), {"do": "throw", "dice": dice})
    if thrown.turns:
        return ()
    after = [thrown]
    if thrown.waiting:
        after = [game.apply(thrown, entry)[0] for entry in game.legal(thrown)]
    return tuple(sorted({(state.points, column(game, state)) for state in after}))
