"""A policy for sheets that are too large to be solved: docs/advice.md has its results.

A sheet is worth what its cells alone are worth, played for one by one. A cell has a share of the turns left to choose
from, as the others want good throws too:

    W(0) = the mean of a turn that is played for the cell,   W(s) = the mean of max(points, W(s - 1)) with s turns more

The upper bonus counts by the chance to get there, as if the rest of the sum were normal; so do points by the sum of all
cells. A cell that brings points by tiers is worth what it would bring alone (`tiered_cells.py`). A saved throw counts
what one throw more in a turn would bring on average. Turns are solved exactly with these worths.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from scorer.advice.multisets import Floats
from scorer.advice.on_demand import OnDemandSolution
from scorer.advice.sheet.keep_values import hands, solve_turn
from scorer.advice.sheet.sheet_solution import SheetGameSolution
from scorer.advice.sheet.tiered_cells import TieredCell
from scorer.advice.solution import Progress
from scorer.categories import Tiers
from scorer.definitions.game_file import SheetRules
from scorer.sheet import SheetGame, SheetState
from scorer.sheet_columns import Column

FREE = 0.2  # share of the turns left that a cell may choose from
FREE_OF_TIERS = 0.25  # the same of a cell with tiers, for all its places together
VARIANCE = 4.0  # what the product of a mean and its distance to the most is divided by
SAVED = 1  # throws more that a turn has on average, where unused ones are saved
MOST_THROWS = 12  # that a turn looks ahead
STEEP = 1.702  # of the logistic curve that is nearest to the normal one
CACHED = 16  # solved turns


class Filled(NamedTuple):
    """What counts of a column, by category: the points in it, how often it holds points, and how many of its cells are
    open. The first two may be those of several sheets, [category, sheet].
    """

    points: Floats
    hits: Floats
    open: Floats


class EstimatedSolution(SheetGameSolution, OnDemandSolution[SheetGame]):
    exact = False

    def __init__(self, game: SheetGame) -> None:
        super().__init__(game)
        rules = game.rules
        most = len(game.start(1).sheets[0][0].cells)
        throws = rules.throws + (SAVED if rules.saved_throws else 0)
        self._alone = cells_alone(game, throws, most)  # [turns more, category]
        self._more = cells_alone(game, throws + 1, 1)[0] - self._alone[0] if rules.saved_throws else None
        self._greatest = points_of(game, 0).max(axis=0)
        self._count = _count_of_a_point(rules)
        self._tiered = self._tiered_cells(throws)
        self._upper = np.array([category.face > 0 for category in game.categories])
        self._turn = lru_cache(CACHED)(self._solve_turn)
        self.value = self.worth(game.start(1), 0)

    def to_come(self, state: SheetState, player: int) -> float:
        saved = state.saved[player] if state.saved else 0
        filled = self._fill(state.sheets[player][0])
        return float(self._estimate(filled, saved)) + self._by_hand(state, player) - self.score(state, player)

    def turn(self, state: SheetState, player: int) -> tuple[list[Floats], list[Floats]]:
        saved = state.saved[player] if state.saved else 0
        settled = self._by_hand(state, player) - self.score(state, player)
        complete, kept = self._turn(state.sheets[player][0], saved)
        # Further throws than are looked ahead count as many as that.
        longer = max(0, state.hand.throws_left + 1 - len(complete))
        return (
            [each + settled for each in complete + complete[-1:] * longer],
            [each + settled for each in kept + kept[-1:] * longer],
        )

    def _by_hand(self, state: SheetState, player: int) -> int:
        return self.game.adjusted_by(state, player)

    def _solve_turn(self, column: Column, saved: int) -> tuple[list[Floats], list[Floats]]:
        throws = self.game.rules.throws + saved
        ends = [self._ends(self._fill(column), throws - left, left) for left in range(min(throws, MOST_THROWS))]
        return solve_turn(hands(self.game.dice), ends)

    def _ends(self, filled: Filled, throw: int, left: int) -> Floats:
        """[complete dice, 1]: the best estimate at the end of a turn, after so many throws of it."""
        points = points_of(self.game, throw)
        best = np.full(len(points), -np.inf)
        for place in np.flatnonzero(filled.open):
            levels, which = np.unique(points[:, place], return_inverse=True)
            held, still = np.repeat(filled.points[:, None], len(levels), axis=1), filled.open.copy()
            hits = np.repeat(filled.hits[:, None], len(levels), axis=1)
            held[place] += levels
            hits[place] += levels > 0
            still[place] -= 1
            saved = min(left, self.game.rules.saved_throws)
            np.maximum(best, self._estimate(Filled(held, hits, still), saved)[which], out=best)
        return best[:, None]

    def _estimate(self, filled: Filled, saved: int) -> Any:
        """The estimated final points."""
        rules = self.game.rules
        turns = filled.open.sum()
        place = FREE * max(turns - 1, 0)
        low = int(place)
        high = min(low + 1, len(self._alone) - 1)
        mean = self._alone[low] + (place - low) * (self._alone[high] - self._alone[low])
        total = filled.points.sum(axis=0) + filled.open @ mean
        found = total
        if rules.tiers:
            greatest = np.maximum(self._greatest - mean, 0)
            found = means_of_tiers(rules.tiers, total, filled.open @ (mean * greatest) / VARIANCE)
        for category, cell in self._tiered.items():
            still = int(filled.open[category])
            reached = (filled.hits if cell.hits else filled.points)[category]
            alone = cell.worth(FREE_OF_TIERS * max(turns - still, 0), still, reached)
            found = found + alone - self._count * still * mean[category]
        if rules.upper_bonus:
            upper, still = filled.points[self._upper].sum(axis=0), (filled.open * mean)[self._upper].sum()
            # Of a sum between 0 and its most; an upper cell of a usual sheet has about this variance.
            variance = filled.open * mean * np.maximum(self._greatest - mean, 0) / VARIANCE
            found = found + means_of_tiers(rules.upper_bonus, upper + still, variance[self._upper].sum())
        if self._more is not None and saved and turns:
            found = found + saved * float(filled.open @ self._more) / turns / (1 + saved / (2 * turns))
        return found

    def _fill(self, column: Column) -> Filled:
        cells = iter(column.cells)
        boxes = [[next(cells) for _ in range(category.stands)] for category in self.game.categories]
        held = [sum(points or 0 for points in each) for each in boxes]
        hits = [sum(map(bool, each)) for each in boxes]
        still = [each.count(None) for each in boxes]
        return Filled(np.array(held, dtype=float), np.array(hits, dtype=float), np.array(still, dtype=float))

    def _tiered_cells(self, throws: int) -> dict[int, TieredCell]:
        """Those of each category that has tiers, by its place."""
        ends = [points_of(self.game, throws - left) for left in range(throws)]
        most = int(FREE_OF_TIERS * len(self.game.start(1).sheets[0][0].cells)) + 1
        return {
            place: TieredCell(hands(self.game.dice), category, [each[:, place] for each in ends], self._count, most)
            for place, category in enumerate(self.game.categories)
            if category.tiers
        }

    @classmethod
    def seconds(cls, game: SheetGame) -> float:
        return 1.0

    @classmethod
    def solve(cls, game: SheetGame, progress: Progress | None = None) -> EstimatedSolution:
        return cls(game)


def _count_of_a_point(rules: SheetRules) -> float:
    """What one point in a cell counts in the end."""
    if not rules.tiers:
        return 1.0
    (least, first), (most, last) = rules.tiers[0][:2], rules.tiers[-1][:2]
    return (last - first) / max(most - least, 1)


def means_of_tiers(tiers: Tiers, mean: Any, variance: float) -> Any:
    """The mean points of tiers that are reached from a normal sum."""
    spread = max(float(variance), 0.0) ** 0.5 + 0.05
    before, found = 0, np.zeros_like(mean)
    for least, points in tiers:
        distance = np.clip(STEEP * (mean - least + 0.5) / spread, -50, 50)
        found += (points - before) / (1 + np.exp(-distance))
        before = points
    return found


def points_of(game: SheetGame, throw: int) -> Floats:
    """[complete dice, category], after so many throws of a turn."""
    return _points(game, throw if any(category.served for category in game.categories) else 0)


@lru_cache(64)
def _points(game: SheetGame, throw: int) -> Floats:
    return np.array(
        [[each.worth(dice, throw) for each in game.categories] for dice in hands(game.dice).complete], float
    )


def cells_alone(game: SheetGame, throws: int, most: int) -> Floats:
    """W of each category, [turns more, category]."""
    ends, hand = [points_of(game, throws - left) for left in range(throws)], hands(game.dice)
    found = [hand.chances @ hand.after_throws(ends)[-1]]
    while len(found) < most:
        found.append(hand.chances @ hand.after_throws([np.maximum(each, found[-1]) for each in ends])[-1])
    return np.array(found)


SOLUTION = EstimatedSolution
