"""What a turn of a race holds beside its points, and what a throw may bring from there, by the game's own rules."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

from scorer.advice.dice import all_throws
from scorer.races import shows
from scorer.ten_thousand import TenThousand, TenThousandState
from scorer.tuples import LinkedList


class TurnColumn(NamedTuple):
    """`left`: dice to throw. `must_throw`: before banking. `times`: how often points count. `unconfirmed`: points that
    must follow before banking.
    """

    left: int
    must_throw: bool = False
    times: int = 1
    unconfirmed: int = 0


Offers = tuple[tuple[int, TurnColumn], ...]  # of one throw: points that are added, and what is left then


class ColumnThrows(NamedTuple):
    """How the dice of a column can fall, in 6^left ways. `offers`: in how many of them there are these choices. `lost`,
    `wiped`, `won`: in how many the turn, points of the total, or the game are decided. `least`: points that a turn has
    in this column.
    """

    least: int
    offers: dict[Offers, int]
    lost: int
    wiped: int
    won: int


def column_of(state: TenThousandState) -> TurnColumn:
    """The column of a turn that waits for a throw or a bank."""
    return TurnColumn(state.left, state.must_confirm, state.times, max(0, state.needed - state.points))


def turn_in(game: TenThousand, column: TurnColumn, points: int, banked: bool = True) -> TenThousandState:
    """The turn of a lone player without a total, in this column after a set-aside."""
    state = game.start(1)._replace(points=points, left=column.left, banked=(banked,), aside=LinkedList(None, (1,)))
    return state._replace(
        must_confirm=column.must_throw, times=column.times, needed=points + column.unconfirmed if points else 0
    )


def columns_of(game: TenThousand) -> dict[TurnColumn, ColumnThrows]:
    """Every column that a turn can come to, the one with the fewest points first.

    From the points on that are enough for all, it no longer matters how often points count.
    """
    rules = game.rules
    enough = max(rules.target, rules.minimum, rules.opening)
    found: dict[TurnColumn, ColumnThrows] = {}
    waiting = [(0, TurnColumn(game.dice))]
    while waiting:
        least, column = heappop(waiting)
        if column in found:
            continue
        found[column] = falls = _throws_of(game, column, least, enough)
        for offers in falls.offers:
            for gain, after in offers:
                # Dice that are worth an exact target fill up whatever is lacking.
                added = 0 if rules.end == "exact" and gain >= rules.target else gain
                heappush(waiting, (least + added, after))
    return found


def _throws_of(game: TenThousand, column: TurnColumn, least: int, enough: int) -> ColumnThrows:
    """`enough`: points from which it no longer matters how often they count."""
    offers: dict[Offers, int] = {}
    lost = wiped = won = 0
    state = turn_in(game, column, 0)._replace(needed=column.unconfirmed)
    for dice, ways in all_throws(column.left):
        thrown, _ = game.apply(state, {"do": "throw", "dice": dice})
        if thrown.winner >= 0:
            won += ways
        elif thrown.turns and shows(dice, game.rules.wiped_by):
            wiped += ways
        elif thrown.turns:
            lost += ways
        else:
            after = [game.apply(thrown, entry)[0] for entry in game.legal(thrown)] if thrown.waiting else [thrown]
            each = tuple(
                sorted({(end.points, _less_often(column_of(end), column, end.points, enough - least)) for end in after})
            )
            offers[each] = offers.get(each, 0) + ways
    return ColumnThrows(least, offers, lost, wiped, won)


def _less_often(after: TurnColumn, before: TurnColumn, added: int, enough: int) -> TurnColumn:
    return after._replace(times=before.times) if added >= enough else after
