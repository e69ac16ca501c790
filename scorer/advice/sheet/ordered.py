"""A policy for sheets of columns with orders, announced cells or a difference: docs/advice.md has its results.

Each open cell is worth what it brings alone, with a share of the turns left to choose from, as in `estimated.py`. A
cell of a column with an order chooses from its share of the turns that the column does not need; one that is announced
chooses after the first throws. Turns, and what is announced in them, are solved exactly with these worths.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from scorer.advice.multisets import Floats
from scorer.advice.on_demand import OnDemandSolution
from scorer.advice.sheet.estimated import VARIANCE, means_of_tiers, points_of
from scorer.advice.sheet.keep_values import Hands, solve_turn
from scorer.advice.sheet.sheet_solution import SheetGameSolution
from scorer.advice.solution import Choice, best_first
from scorer.definitions.rule_tables import ANNOUNCED, DOWN, FREE, UP
from scorer.sheet import SheetGame, SheetState
from scorer.sheet_columns import Column, ColumnRules

# Shares of the turns that a cell may choose from: of all that are left, and of those that its column does not need.
SHARES = {FREE: 0.2, ANNOUNCED: 0.2, DOWN: 0.6, UP: 0.6}
MOST = 16  # turns to choose from
CACHED = 16  # solved turns

Turn = tuple[list[Floats], list[Floats]]  # as from `solve_turn`
Sheet = tuple[Column, ...]


class OrderedSolution(SheetGameSolution, OnDemandSolution[SheetGame]):
    exact = False

    def __init__(self, game: SheetGame) -> None:
        super().__init__(game)
        throws, keys = game.rules.throws, [category.key for category in game.categories]
        self._points = [points_of(game, throws - left) for left in range(throws)]  # by the throws left
        self._levels = [[np.unique(each, return_inverse=True) for each in points.T] for points in self._points]
        self._upper = np.array([category.face > 0 for category in game.categories])
        self._added = np.array([game.columns[0].counts(place) for place in range(len(keys))])
        self._difference = [keys.index(key) for key in game.rules.difference or ()]
        signs = np.ones(len(keys))  # -1: the fewer points the better
        signs[self._difference[1:2]] = -1
        ends = [points * signs for points in self._points]
        self._alone = {late: signs * cells_alone(self.hands, ends, late) for late in (True, False)}
        self._greatest = self._points[0].max(axis=0)
        self._written = lru_cache(CACHED)(self._worth_of_writing)
        self._announcing = lru_cache(CACHED)(self._solve_announced)
        self._turn = lru_cache(CACHED)(self._solve_turn)
        self.value = self.worth(game.start(1), 0)

    def to_come(self, state: SheetState, player: int) -> float:
        columns = self._columns(state.sheets[player], _turns(state.sheets[player]))
        return sum(columns) + self._offset(state, player)

    def turn(self, state: SheetState, player: int) -> Turn:
        sheet, settled = state.sheets[player], self._offset(state, player)
        if state.announced is None or player != state.player:
            found = self._turn(sheet)
        else:
            found = self._announcing(sheet)[state.announced]
        return [each + settled for each in found[0]], [each + settled for each in found[1]]

    def choices(self, state: SheetState, player: int) -> list[Choice]:
        entries = self.game.legal(state)
        found = super().choices(state, player)
        if not any(entry["do"] == "keep" for entry in entries):
            found = [each for each in found if each.action["do"] != "keep"]
        announced = [{"do": "announce", "category": each["category"]} for each in entries if each["do"] == "announce"]
        worth = [self.worth(self.game.apply(state, action)[0], player) for action in announced]
        return best_first([*found, *map(Choice, announced, worth)])

    def _offset(self, state: SheetState, player: int) -> float:
        return self.game.adjusted_by(state, player) - self.score(state, player)

    # --- what sheets are worth ---

    def _columns(self, sheet: Sheet, turns: int) -> list[float]:
        """What each column is worth in the end, with so many turns left."""
        parts = zip(self.game.columns, sheet, strict=True)
        return [float(self._column(rules, *_arrays_of(rules, column), turns)[0]) for rules, column in parts]

    def _column(self, rules: ColumnRules, points: Floats, still: Floats, turns: int) -> Floats:
        """[n]: what a column is worth in the end. `points`: [category, n], without the factor; `still`: [category], 1
        where a cell is open.
        """
        mean = self._mean(rules.order, int(still.sum()), turns)
        expected = points + (still * mean)[:, None]
        found: Floats = expected[self._added].sum(axis=0)
        if self.game.rules.upper_bonus:
            variance = still * mean * np.maximum(self._greatest - mean, 0) / VARIANCE
            upper = expected[self._upper].sum(axis=0)
            found = found + means_of_tiers(self.game.rules.upper_bonus, upper, variance[self._upper].sum())
        if self._difference:
            first, second, times = expected[self._difference]
            found = found + (first - second) * times
        return found * rules.factor

    def _mean(self, order: str, still: int, turns: int) -> Floats:
        """[category]: what an open cell will hold on average."""
        others = (turns - still) / max(still, 1) if order in (DOWN, UP) else turns - 1
        place = min(SHARES[order] * max(others, 0), MOST - 1)
        low, alone = int(place), self._alone[order == ANNOUNCED]
        found: Floats = alone[low] + (place - low) * (alone[min(low + 1, MOST - 1)] - alone[low])
        return found

    # --- turns ---

    def _worth_of_writing(self, sheet: Sheet) -> dict[tuple[int, int], list[Floats]]:
        """Of each cell that may be written next, by column and category: [complete] by the throws left."""
        after = _turns(sheet) - 1
        columns, found = self._columns(sheet, after), {}
        for place, (rules, column) in enumerate(zip(self.game.columns, sheet, strict=True)):
            others = sum(columns) - columns[place]
            held, still = _arrays_of(rules, column)
            for category in np.flatnonzero(rules.next_categories(column)).tolist():
                closed = still.copy()
                closed[category] = 0
                worth: list[Floats] = []
                for levels, which in (each[category] for each in self._levels):
                    points = np.repeat(held, len(levels), axis=1)
                    points[category] = levels
                    worth.append(others + self._column(rules, points, closed, after)[which])
                found[place, category] = worth
        return found

    def _solve_turn(self, sheet: Sheet) -> Turn:
        """Before the first throw and after it, with nothing announced."""
        written = self._written(sheet)
        others = [worth for (place, _), worth in written.items() if place != self.game.announced_place]
        last = self.game.rules.throws - 1  # throws left after the first one
        ends = [_best([worth[left] for worth in others or written.values()]) for left in range(last)]
        ends.append(_best([worth[last] for worth in written.values()]))
        complete, kept = solve_turn(self.hands, ends)
        if last and len(others) < len(written):
            waiting = complete[last] if others else ends[last][:, 0]
            complete[last] = np.max([waiting, *(each[0][last] for each in self._announcing(sheet).values())], axis=0)
            kept[last] = self.hands.means(complete[last][:, None])[:, 0]
        return complete, kept

    def _solve_announced(self, sheet: Sheet) -> dict[int, Turn]:
        """With each cell announced that may be."""
        cells = {cell[1]: worth for cell, worth in self._written(sheet).items() if cell[0] == self.game.announced_place}
        return {
            category: solve_turn(self.hands, [each[:, None] for each in worth]) for category, worth in cells.items()
        }

    @classmethod
    def seconds(cls, game: SheetGame) -> float:
        return 1.0


def _best(worth: Sequence[Floats]) -> Floats:
    found: Floats = np.max(worth, axis=0)[:, None]
    return found


def _turns(sheet: Sheet) -> int:
    return sum(column.cells.count(None) for column in sheet)


def _arrays_of(rules: ColumnRules, column: Column) -> tuple[Floats, Floats]:
    """The points of each category as a column, without the factor, and 1 where it is open."""
    points = np.array([[points or 0] for points in column.cells], dtype=float)
    return points / rules.factor, np.array([points is None for points in column.cells], dtype=float)


def cells_alone(hand: Hands, ends: Sequence[Floats], announced: bool) -> Floats:
    """What each category brings if turns are played for it alone, [turns more to choose from, category].

    `announced`: whether it is chosen after the first throw.
    """
    first = hand.after_throws(ends)[-1]
    found = [hand.chances @ first]
    while len(found) < MOST:
        ended = [np.maximum(each, found[-1]) for each in ends]
        found.append(hand.chances @ (np.maximum(first, found[-1]) if announced else hand.after_throws(ended)[-1]))
    return np.array(found)


SOLUTION = OrderedSolution
