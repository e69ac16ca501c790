"""The chance to reach the upper bonus at any time in the game, for a player who plays for nothing else.

It depends on the filled upper cells, their sum, and the number of other open cells. Each of those takes one turn that
suits no upper cell, whatever the dice show. docs/advice.md says why jokers change nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scorer.advice.multisets import Floats, Whole
from scorer.advice.sheet.keep_values import CHANCES, COMPLETE, FIVE, after_throw, solve_turn
from scorer.sheet import THROWS, SheetGame
from scorer.sheet_columns import Column

AT_ONCE = 256  # upper sums solved at once: they fit into the processor's cache
CACHED = 32  # solved turns

Sums = npt.NDArray[np.intp]


class UpperSheet(NamedTuple):
    """The relevant part of a column. `others`: the number of open lower cells. `filled`: upper cells, as bits. `upper`:
    the upper sum up to the threshold.
    """

    others: int
    filled: int
    upper: int


class UpperBonus:
    """The best chance from every sheet with up to `others` open lower cells.

    `points`: [252, upper cells], the points of complete dice.
    """

    def __init__(self, points: Whole, threshold: int, others: int) -> None:
        self.threshold = threshold
        self.count = points.shape[1]
        # For each cell, the different points there, and which of them each multiset of dice brings.
        self._levels = [np.unique(points[:, cell], return_inverse=True) for cell in range(self.count)]
        self._chances = np.zeros((others + 1, 1 << self.count, threshold + 1))  # [others, filled, upper sum]
        self._chances[:, :, threshold:] = 1.0
        self._solve()
        self.turn = lru_cache(CACHED)(self._solve_turn)

    def sheet(self, column: Column) -> UpperSheet:
        filled = sum(1 << cell for cell, points in enumerate(column.cells[: self.count]) if points is not None)
        return UpperSheet(column.cells[self.count :].count(None), filled, min(column.upper, self.threshold))

    def is_open(self, sheet: UpperSheet) -> bool:
        """Whether the bonus is neither reached nor out of reach."""
        return self._least(sheet.filled) <= sheet.upper < self.threshold

    def chance(self, sheet: UpperSheet) -> float:
        """The chance before a turn, or on a full sheet."""
        return float(self._chances[sheet])

    def _solve_turn(self, sheet: UpperSheet) -> list[Floats]:
        """The chance in a turn with dice kept, [462], by the throws left after the next one."""
        ends = self._ends(sheet.others, sheet.filled, np.array([sheet.upper]))
        return [each.clip(0.0, 1.0) for each in solve_turn(FIVE, [ends] * THROWS)[1]]

    def _open_cells(self, filled: int) -> list[int]:
        return [cell for cell in range(self.count) if not filled >> cell & 1]

    def _least(self, filled: int) -> int:
        """The smallest upper sum from which the threshold is within reach."""
        return self.threshold - int(sum(self._levels[cell][0].max() for cell in self._open_cells(filled)))

    def _solve(self) -> None:
        """Computes all chances, the sheets with the fewest open cells first."""
        for cells in range(1, self.count + len(self._chances)):
            waiting: list[tuple[int, int, Sums, Floats]] = []
            for filled in range((1 << self.count) - 1):
                others = cells - len(self._open_cells(filled))
                if not 0 <= others < len(self._chances):
                    continue
                sums = np.arange(max(0, self._least(filled)), self.threshold)
                waiting.append((others, filled, sums, self._ends(others, filled, sums)))
                if sum(len(each[2]) for each in waiting) >= AT_ONCE:
                    self._finish(waiting)
                    waiting = []
            if waiting:
                self._finish(waiting)

    def _finish(self, waiting: list[tuple[int, int, Sums, Floats]]) -> None:
        """Stores the chances before a turn, from those at its end."""
        found = CHANCES @ after_throw(np.concatenate([ends for *_, ends in waiting], axis=1), THROWS - 1)
        begin = 0
        for others, filled, sums, _ in waiting:
            self._chances[others, filled, sums] = found[begin : begin + len(sums)].clip(0.0, 1.0)
            begin += len(sums)

    def _ends(self, others: int, filled: int, sums: Sums) -> Floats:
        """[252, n]: the best chance after complete dice at the end of a turn, for each of n upper sums."""
        found = np.zeros((len(COMPLETE), len(sums)))
        if others:
            found[:] = self._chances[others - 1, filled, sums]
        for cell in self._open_cells(filled):
            points, which = self._levels[cell]
            after = np.minimum(sums + points[:, None], self.threshold)
            np.maximum(found, self._chances[others, filled | 1 << cell, after][which], out=found)
        return found


@lru_cache
def upper_bonus(game: SheetGame) -> UpperBonus:
    """The chances of a game; the first one of a kind takes about half a second."""
    upper = [category for category in game.categories if category.face]
    points = np.array([[category.points(dice) for category in upper] for dice in COMPLETE], dtype=np.int64)
    return _shared_bonus(points.tobytes(), len(upper), game.rules.upper_threshold, len(game.categories) - len(upper))


@lru_cache
def _shared_bonus(points: bytes, upper: int, threshold: int, others: int) -> UpperBonus:
    """One object for all games with the same upper cells."""
    return UpperBonus(np.frombuffer(points, dtype=np.int64).reshape(-1, upper), threshold, others)
