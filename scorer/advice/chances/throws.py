"""The offers of a ten-thousand game's throws, by the game's own rules.

Points are counted in steps of `Throws.step` points. With six dice, a turn's column is 0..5 for 1..6 dice left to throw,
and 6, `Throws.confirm`, for six dice that must be thrown before banking. Games of other dice have as many columns more
or fewer.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from math import gcd
from typing import Any

from scorer.advice.dice import all_throws
from scorer.ten_thousand import TenThousand, TenThousandState
from scorer.tuples import LinkedList

Offer = tuple[int, int]  # added steps, column after it
Offers = tuple[Offer, ...]  # of one throw; () for a bust


class Throws:
    """The throws of one to all dice of a game. Throws with the same offers are one pattern.

    `ways`: by count of dice (place 0: one die), how many of the 6^count throws have each pattern.
    """

    def __init__(self, step: int, ways: tuple[dict[Offers, int], ...]) -> None:
        self.step = step
        self.ways = ways
        self.start = len(ways) - 1  # the column of all dice
        self.confirm = len(ways)  # that of all dice that must be thrown before banking
        self.columns = len(ways) + 1


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


def counts_as_banked(game: TenThousand, banked: bool) -> bool:
    """Whether a player who has `banked` a turn, or not, needs no more points than the minimum."""
    return banked or game.rules.opening <= game.rules.minimum


def bankable_rows(game: TenThousand, step: int, banked: bool) -> tuple[tuple[bool, ...], ...]:
    """Whether a turn of 0, 1, 2... steps may be banked, by column.

    The last row covers all further ones. The first is False, since a turn without points has no set-aside.
    """
    rows = max(game.rules.minimum, game.rules.opening) // step + 2
    columns = range(game.dice + 1)
    refusals = [
        [game.bank_refusal(resting_state(game, place, row * step, banked)) for place in columns]
        for row in range(1, rows)
    ]
    return (False,) * len(columns), *(tuple(refusal is None for refusal in each) for each in refusals)


def best_chance(throws: Throws, may: Sequence[bool]) -> tuple[float, ...]:
    """The best chance to bank a turn, from each column. `may`: the columns where it may be banked."""
    chance: tuple[float, ...] = tuple(map(float, may))
    while True:
        thrown = [
            sum(number * max(chance[place] for _, place in offers) for offers, number in ways.items() if offers)
            / 6**count
            for count, ways in enumerate(throws.ways, start=1)
        ]
        following = tuple(
            1.0 if may[place] else thrown[dice_of(place, len(thrown)) - 1] for place in range(throws.columns)
        )
        if max(abs(new - old) for new, old in zip(following, chance, strict=True)) < 1e-16:
            return following
        chance = following


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
    return throws_in_steps(step, found)


def throws_in_steps(step: int, found: Sequence[Mapping[Offers, int]]) -> Throws:
    """`found`: by count of dice, the ways of each pattern, with gains in points."""
    return Throws(
        step,
        tuple(
            {tuple((gain // step, place) for gain, place in offers): number for offers, number in of_count.items()}
            for of_count in found
        ),
    )


def _offers(game: TenThousand, count: int) -> dict[Offers, int]:
    """The patterns of the throws of `count` dice, with the ways in which they fall. Gains are in points."""
    found: dict[Offers, int] = {}
    for dice, ways in all_throws(count):
        offers = offers_of_throw(game, dice)
        found[offers] = found.get(offers, 0) + ways
    return found


def offers_of_throw(game: TenThousand, dice: tuple[int, ...]) -> Offers:
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
