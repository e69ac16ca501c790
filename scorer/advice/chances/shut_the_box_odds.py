"""Turns of Shut the box, solved for any worth of their end; and the chances of the next throw.

A set of open numbers is a number of bits: 1 is open if bit 0 is set. Shutting only takes bits away, so the sets are
solved in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from scorer.actions import FACES, Action
from scorer.games.shut_the_box import SMALL, BoxRules, BoxState, ShutTheBox, Tiles, sets_of

SUMS: Mapping[int, Mapping[int, int]] = {  # in how many ways so many dice make each sum
    1: dict.fromkeys(FACES, 1),
    2: {total: 6 - abs(7 - total) for total in range(2, 13)},
}
MOST = 12  # what two dice make


class BoxTurn(NamedTuple):
    """The worth of a turn by its open numbers: before a throw of one die, of two, and of the better that may come."""

    one: list[float]
    two: list[float]
    best: list[float]

    def of_throw(self, bits: int, count: int) -> float:
        return (self.one if count == 1 else self.two)[bits]


def bits_of(tiles: Iterable[int]) -> int:
    return sum(1 << tile - 1 for tile in tiles)


@lru_cache(maxsize=32)
def ways_to_shut(tiles: int, most: int) -> tuple[tuple[int, ...], ...]:
    """The sets that make each sum, from 0, as bits."""
    whole = tuple(range(1, tiles + 1))
    return ((), *(tuple(map(bits_of, sets_of(whole, total, most))) for total in range(1, MOST + 1)))


def ways_in(rules: BoxRules) -> tuple[tuple[int, ...], ...]:
    return ways_to_shut(rules.tiles, 2 if rules.two_at_most else rules.tiles)


def solve_turn(rules: BoxRules, ends: Callable[[int], float]) -> BoxTurn:
    """The best worth of each set of open numbers. `ends`: what a turn is worth that ends with these open."""
    one, two, best = [ends(0)], [ends(0)], [ends(0)]
    ways = ways_in(rules)
    for bits in range(1, 1 << rules.tiles):
        end, found = ends(bits), {}
        for count, sums in SUMS.items():
            total = 0.0
            for made, often in sums.items():
                total += often * max((best[bits & ~each] for each in ways[made] if each & bits == each), default=end)
            found[count] = total / 6**count
        one.append(found[1])
        two.append(found[2])
        best.append(max(found[count] for count in _counts(rules, bits)))
    return BoxTurn(one, two, best)


def _counts(rules: BoxRules, bits: int) -> tuple[int, ...]:
    """How many dice may be thrown with these numbers open."""
    if rules.one_die == "choice":
        return (1, 2) if bits < 1 << SMALL else (2,)
    return (1,) if sum(tile + 1 for tile in range(rules.tiles) if bits >> tile & 1) <= SMALL else (2,)


@lru_cache(maxsize=16)
def _chances_to_shut(tiles: int, one_die: str, two_at_most: bool) -> BoxTurn:
    rules = BoxRules(tiles=tiles, one_die="low" if one_die == "low" else "choice", two_at_most=two_at_most)
    return solve_turn(rules, lambda bits: float(not bits))


def odds(game: ShutTheBox, state: BoxState, player: int, action: Action) -> dict[str, Fraction | float]:
    """The chance that no open numbers make the next throw, `stuck`; and the chance that the turn shuts the box if it is
    played for that alone, `shut`. {} if the action shuts the box.
    """
    rules, open_ = game.rules, state.open
    if action["do"] == "shut":
        open_ = tuple(tile for tile in open_ if tile not in action["tiles"])
    if not open_:
        return {}
    count = action.get("count") or _next_count(game, state, open_)
    turn = _chances_to_shut(rules.tiles, rules.one_die, rules.two_at_most)
    bits, ways = bits_of(open_), ways_in(rules)
    stuck = sum(often for made, often in SUMS[count].items() if not any(each & bits == each for each in ways[made]))
    chance = turn.best[bits] if action["do"] == "shut" else turn.of_throw(bits, count)
    return {"stuck": Fraction(stuck, 6**count), "shut": chance}


def _next_count(game: ShutTheBox, state: BoxState, open_: Tiles) -> int:
    return game.dice_due(state._replace(open=open_, throw=()))
