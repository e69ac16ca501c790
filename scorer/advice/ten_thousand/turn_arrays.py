"""The turns of a race as arrays: their worth by points, by what they hold beside them, and by what players lack."""

from __future__ import annotations

from functools import lru_cache
from math import gcd

import numpy as np

from scorer.advice.chances.throws import CacheKey
from scorer.advice.multisets import Floats, Whole
from scorer.advice.ten_thousand.turn_columns import ColumnThrows, TurnColumn, columns_of, turn_in
from scorer.advice.ten_thousand.turns import Bankable
from scorer.ten_thousand import TenThousand

CLOSE = 1e-12  # turns: chances beyond the last row are the same
MOST_THROWN = 1000  # times beyond the last row

Lost = tuple[Floats, Floats, Floats]  # by player: the worth of a bust, of points taken away, of passing the target


class Thrown:
    """The throws of some columns. `gain` (steps) and `after` (columns) list their different offers.

    `ranks` has the places there of each throw's first offer, then of the second for all throws that have one, and so
    on. `lost` and `wiped`: chances by column.
    """

    def __init__(self, columns: dict[TurnColumn, ColumnThrows], places: dict[TurnColumn, int], step: int) -> None:
        offered = sorted({offer for falls in columns.values() for offers in falls.offers for offer in offers})
        self.gain = np.array([gain // step for gain, _ in offered], dtype=np.int64)
        self.after = np.array([places[column] for _, column in offered], dtype=np.int64)
        thrown = [
            (offers, places[column], ways / 6**column.left)
            for column, falls in columns.items()
            for offers, ways in falls.offers.items()
        ]
        thrown.sort(key=lambda each: -len(each[0]))  # those with an offer of each rank come first
        found = {offer: place for place, offer in enumerate(offered)}
        self._ranks = [
            np.array([found[offers[rank]] for offers, _, _ in thrown if len(offers) > rank], dtype=np.int64)
            for rank in range(len(thrown[0][0]))
        ]
        self._by_column = np.argsort([place for _, place, _ in thrown], kind="stable")
        self._chance = np.array([chance for _, _, chance in thrown])[self._by_column, None]
        # The columns in which some throw offers something, and where their throws begin.
        throwing = np.array([place for _, place, _ in thrown])[self._by_column]
        self._offering, self._begins = np.unique(throwing, return_index=True)
        self.lost, self.wiped = (
            np.array([[getattr(falls, name) / 6**column.left] for column, falls in columns.items()])
            for name in ("lost", "wiped")
        )

    def best(self, offered: Floats) -> Floats:
        """The best offer of each throw, [throw, player]. `offered`: the worth of the offers."""
        found = np.take(offered, self._ranks[0], axis=0)
        for places in self._ranks[1:]:
            some = found[: len(places)]
            np.maximum(some, np.take(offered, places, axis=0), out=some)
        return found

    def mean(self, best: Floats, bust: Floats, wiped: Floats) -> Floats:
        """The mean of each column."""
        found: Floats = self.lost * bust + self.wiped * wiped
        found[self._offering] += np.add.reduceat(np.take(best, self._by_column, axis=0) * self._chance, self._begins)
        return found


class TurnArrays:
    """Turns in steps of `step` points, [row, column, player]. `columns`: what a turn may hold, as it begins first.

    `goal`: steps to the target. `rows`: points from the last row on no longer matter.
    """

    def __init__(self, game: TenThousand) -> None:
        rules, found = game.rules, columns_of(game)
        self.rules, self.columns, self.exact = rules, tuple(found), rules.end == "exact"
        self._places = {column: place for place, column in enumerate(self.columns)}
        gains = {gain for falls in found.values() for offers in falls.offers for gain, _ in offers}
        self.step = gcd(*gains, rules.overshoot_to or 0, *([rules.target] if self.exact else []))
        self.goal = -(-rules.target // self.step)
        self._opening = -(-max(rules.opening, rules.minimum) // self.step)
        self.rows = self.goal + 1 if self.exact else max(self.goal, self._opening) + 1
        self._thrown = self._by_row(found)
        self._may_bank = {
            banked: np.array(
                [
                    [game.bank_refusal(turn_in(game, each, row * self.step, banked)) is None for each in self.columns]
                    for row in range(1, self._opening + 2)
                ]
            )
            for banked in (False, True)
        }

    def _by_row(self, columns: dict[TurnColumn, ColumnThrows]) -> list[Thrown]:
        """For each row the throws of the columns that a turn with so few points can be in."""
        least = np.array([falls.least // self.step for falls in columns.values()])
        counts = np.searchsorted(least, np.arange(self.rows), side="right").tolist()
        counts[-1] = len(columns)
        some = {count: Thrown(dict(list(columns.items())[:count]), self._places, self.step) for count in {*counts}}
        return [some[count] for count in counts]

    def place(self, column: TurnColumn) -> int:
        """Where values have a column."""
        while column not in self._places:  # with so many points it no longer matters how often they count
            column = column._replace(times=column.times - 1)
        return self._places[column]

    @property
    def sets_back(self) -> bool:
        """Whether something takes points of the total away."""
        return bool(self.rules.wiped_by) or self.rules.overshoot_to is not None

    def lacking_after_loss(self, lacks: Whole) -> tuple[Whole, Whole, Whole]:
        """What players lack after a bust, after points were taken away, and after they would have passed the target."""
        to, wiped = self.rules.overshoot_to, np.full_like(lacks, self.goal)
        return lacks, wiped, lacks if to is None else np.maximum(lacks, self.goal - to // self.step)

    def turn(self, lacks: Whole, lost: Lost, worth: Floats, banked: bool, last: bool = False) -> Floats:
        """V of players who lack so many steps, the fewest first, as minus the turns still needed after this one.

        `worth`: that of what is lacking when a turn begins. `banked`: whether they have banked a turn. `last`: whether
        this is their last turn, in which less than they lack is not worth banking.
        """
        most = self.goal if self.exact else max(int(lacks[-1]), self._opening)
        values = np.full((most + 1, len(self.columns), len(lacks)), -np.inf)
        for row in range(len(values) - 1, -1, -1):
            may = self._may_bank[banked][min(row, self._opening + 1) - 1] if row else np.zeros(len(self.columns), bool)
            still = lacks - row
            if last:  # equal totals are half a win
                ends = np.where(still > 1, lost[0], np.where(still == 1, lost[0] / 2, 0.0))
            else:
                ends = worth[np.maximum(still, 0)]
            if row == len(values) - 1 and not self.exact:
                values[row] = np.where(may[:, None], ends, lost[0])
                self._beyond(values, lacks, lost, banked, may)
                continue
            # Of players who have all that they lack, points no longer matter.
            done = 0 if row < self._opening and not self.exact else int(np.searchsorted(lacks, row, side="right"))
            if self.exact:  # just the target may be banked, however few points and dice that takes
                values[row][:, lacks == row] = 0.0
            else:
                values[row, :, :done] = values[-1, :, :done]
            if done == len(lacks):
                continue
            others = (lost[0][done:], lost[1][done:], lost[2][done:])
            thrown = self.worth_of_throwing(values[:, :, done:], row, lacks[done:], others)
            may = may[: len(thrown)]
            thrown[may] = np.maximum(thrown[may], ends[done:])
            values[row, : len(thrown), done:] = thrown
        return values

    def _beyond(self, values: Floats, lacks: Whole, lost: Lost, banked: bool, may: Bankable) -> None:
        """Fills in the last row, from which points no longer matter and throws lead to itself."""
        for _ in range(0 if may.all() else MOST_THROWN):
            thrown = self.worth_of_throwing(values, len(values) - 1, lacks, lost)[~may]
            change = np.abs(thrown - values[-1, ~may]).max()
            values[-1, ~may] = thrown
            if change < CLOSE:
                break

    def worth_of_throwing(self, values: Floats, row: int, lacks: Whole, lost: Lost) -> Floats:
        """The worth of a throw, [column, player], with so many steps in the turn, in the columns that are possible."""
        bust, wiped, passed = lost
        last = len(values) - 1
        thrown = self._thrown[-1 if row == last and not self.exact else min(row, self.rows - 1)]
        to, after = np.minimum(row + thrown.gain, last), thrown.after
        offered = values[to, after]
        if not self.exact:
            return thrown.mean(thrown.best(offered), bust, wiped)
        offered[row + thrown.gain > last] = -np.inf
        # Dice that are worth the whole target fill up what is lacking.
        offered[thrown.gain >= self.goal] = np.where(lacks > row, 0.0, -np.inf)
        best = thrown.best(offered)
        return thrown.mean(np.where(np.isneginf(best), passed, best), bust, wiped)


def turn_arrays(game: TenThousand) -> TurnArrays:
    """The turns of a game, cached for games with equal rules."""
    return _arrays(CacheKey(game, (game.key, game.rules)))


@lru_cache(8)
def _arrays(game_key: CacheKey) -> TurnArrays:
    return TurnArrays(game_key.value)
