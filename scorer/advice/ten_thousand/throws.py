"""What the throws of a ten-thousand game offer, asked of the game itself: no rule stands here a second time.

Points are counted in steps (`Throws.step` points each), and where a turn stands by a column: 0..5 for 1..6 dice left to
throw, CONFIRM for six dice that must be thrown before banking.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from functools import cache
from math import gcd
from typing import Any, NamedTuple

import numpy as np

from scorer.advice.dice import Floats, Whole, all_throws
from scorer.ten_thousand import TenThousand, TenThousandState
from scorer.tuples import LinkedList

COLUMNS = 7
START = 5  # six dice; not yet a turn that could be banked
CONFIRM = 6

Offer = tuple[int, int]  # steps that it adds, column after it
Offers = tuple[Offer, ...]  # of one throw; () for a bust


class Throws(NamedTuple):
    """The throws of one to six dice. Throws that offer the same are one `pattern`.

    `ways`: per count of dice (0 for one die), the ways in which each pattern falls, of 6^(count). The arrays are the
    same for computing: `chance`, shape (6, patterns), without `bust`, shape (6,); the offers of the patterns, those
    with most offers first, one after the other in `gain` (steps) and `column`, each pattern's from its place in
    `begins`. There are few different offers, `different`, shape (2, offers): gains and columns; `ranks` has the places
    in it of the first offer of every pattern, then of the second of all that have one, and so on.
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

    def mean_after_throw(self, worth: Floats, row: int) -> Floats:
        """For each count of dice the mean of the best that its throws offer a turn of `row` steps, busts left out.

        `worth[row, column, ...]`: what a turn is worth after an offer, its first two axes one after the other in
        memory. Shape (6, ...).
        """
        if worth[0, 0].size == 1:
            return self._thrown_once(worth, row)
        gain, column = self.different
        # Far quicker than np.maximum.reduceat, which looks at one offer after the other.
        rows = worth.reshape(-1, *worth.shape[2:])
        offered = np.take(rows, (row + gain) * COLUMNS + column, axis=0)
        best = np.take(offered, self.ranks[0], axis=0)
        for places in self.ranks[1:]:
            some = best[: len(places)]
            np.maximum(some, np.take(offered, places, axis=0), out=some)
        mean: Floats = self.chance @ best
        return mean

    def _thrown_once(self, worth: Floats, row: int) -> Floats:
        """The same for a single turn, where few big steps are quicker than many small ones."""
        offered = np.take(worth, (row + self.gain) * COLUMNS + self.column)
        best = np.maximum.reduceat(offered, self.begins)
        mean: Floats = self.chance @ best.reshape(-1, *worth.shape[2:])
        return mean


def column(state: TenThousandState) -> int:
    """The column of a turn that waits for a throw, or to be banked."""
    return CONFIRM if state.must_confirm else state.left - 1


def dice_of(place: int) -> int:
    """How many dice are thrown from a column."""
    return 6 if place == CONFIRM else place + 1


def throws_of(game: TenThousand) -> Throws:
    """Remembered for equal tables, as the rules themselves do."""
    key = (game.key, game.table, game.forced, game.confirm, game.six_for_nothing)
    return _throws(CacheKey(game, key))


def resting_state(game: TenThousand, place: int, points: int, banked: bool = True) -> TenThousandState:
    """A lone player's turn in this column, with something set aside."""
    state = game.start(1)._replace(points=points, left=dice_of(place), must_confirm=place == CONFIRM, banked=(banked,))
    return state._replace(aside=LinkedList(None, (1,)))


def may_bank(game: TenThousand, place: int, points: int, banked: bool = True) -> bool:
    return game.bank_refusal(resting_state(game, place, points, banked)) is None


def chance_of(ways: int, count: int) -> Fraction:
    return Fraction(ways, 6**count)


class CacheKey:
    """An argument of a cached function, equal to another one with the same `key`."""

    def __init__(self, value: Any, key: Hashable) -> None:
        self.value = value
        self.key = key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CacheKey) and other.key == self.key

    def __hash__(self) -> int:
        return hash(self.key)


@cache
def _throws(game_key: CacheKey) -> Throws:
    found = [_offers(game_key.value, count) for count in range(1, 7)]
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
    """The patterns of the throws of `count` dice, with the ways in which they fall; gains in points."""
    found: dict[Offers, int] = {}
    for dice, ways in all_throws(count):
        offers = _offers_of(game, dice)
        found[offers] = found.get(offers, 0) + ways
    return found


def _offers_of(game: TenThousand, dice: tuple[int, ...]) -> Offers:
    """What one throw offers, those too that bring less for the same dice left: whoever does not want to be the first
    at the target, since others then have another turn, may want less.
    """
    thrown, _ = game.apply(resting_state(game, len(dice) - 1, 0), {"do": "throw", "dice": dice})
    if thrown.turns:
        return ()
    after = [thrown]
    if thrown.waiting:
        after = [game.apply(thrown, entry)[0] for entry in game.legal(thrown)]
    return tuple(sorted({(state.points, column(state)) for state in after}))
