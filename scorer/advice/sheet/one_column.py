"""Exact best play for sheets of one column, by backward induction: docs/advice.md has the equations.

The points still to come depend on the filled cells, the upper sum up to its threshold, and what jokers depend on. The
game's own rules say what dice bring in a cell.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from scorer.actions import FACES
from scorer.advice.multisets import Floats
from scorer.advice.sheet import table_packing
from scorer.advice.sheet.keep_values import hands, solve_turn
from scorer.advice.sheet.sheet_solution import SheetGameSolution
from scorer.advice.solution import Progress, WrongTable
from scorer.advice.solution_files import read_table, write_table
from scorer.categories import points_by
from scorer.definitions.rule_tables import DOWN, UP
from scorer.jokers import GENERAL, NO_JOKERS, Jokers
from scorer.keeping import Hand
from scorer.sheet import AS_GENERAL, ELSEWHERE, UNWRITTEN, SheetGame, SheetState
from scorer.sheet_columns import Column

HANDS_A_SECOND = 70_000_000  # that are solved, as measured
AT_ONCE = 256  # upper sums, of one or several sheets, solved at once: they fit into the processor's cache
CACHED = 64  # solved turns, since players ask about one throw repeatedly


def one_column_of(game: SheetGame, jokers: Jokers = NO_JOKERS, zero_only_if_nothing_fits: bool = False) -> SheetGame:
    """One of the columns of a game, as a game with these jokers."""
    rules = replace(
        game.rules,
        column=(),
        joker="free" if game.rules.joker == "free-later" else game.rules.joker,
        hundreds_need_first=False,
        zero_only_if_nothing_fits=zero_only_if_nothing_fits,
    )
    return SheetGame(game.kind, rules, {}, jokers)


class JokerMemory(NamedTuple):
    """What jokers depend on besides the filled cells: whether the general's cell holds points that count for further
    generals, and whether the player has written five alike into any cell.
    """

    holds: bool
    written: bool


class Offer(NamedTuple):
    """A cell where dice may be written: its place, the points and the bonus."""

    cell: int
    points: int
    bonus: int


class Cells:
    """The points of complete dice in the cells of a game of one column, by its rules. `sign`: -1 if the lowest total
    wins. `lefts`: the throws left at a turn's end that differ in points.
    """

    def __init__(self, game: SheetGame) -> None:
        self.game = game
        self.keys = [category.key for category in game.categories]
        self.faces = [category.face for category in game.categories]
        self.count = len(self.keys)
        self.hands = hands(game.dice)
        self.sign = -1 if game.rules.low_wins else 1
        self.order = game.rules.columns[0].order
        tiers = game.rules.upper_bonus or ((0, 0),)
        self.upper_bonus = tiers[0][1]
        self.first_tier, self.threshold = tiers[0][0], tiers[-1][0]
        # By the upper sum, up to the threshold of the highest bonus.
        self.bonus = np.array([points_by(tiers, upper) for upper in range(self.threshold + 1)])
        self.memories = _memories(game)
        self.general = self.keys.index(GENERAL) if len(self.memories) > 1 else None
        served = any(category.served for category in game.categories)
        self.lefts = range(game.rules.throws if served else 1)
        # By the throws left: [dice, cell], without jokers.
        self.points_left = [self._points(game.rules.throws - left if served else 0) for left in self.lefts]
        self.points = self.points_left[0]
        # For each cell, the different points there, and which of them each multiset of dice brings.
        self.levels_left = [
            [np.unique(points[:, cell], return_inverse=True) for cell in range(self.count)]
            for points in self.points_left
        ]
        self.levels = self.levels_left[0]
        self.alike = [self.hands.place[(face,) * game.dice] - self.hands.first for face in FACES]

    def _points(self, throw: int) -> Floats:
        return np.array(
            [[each.worth(dice, throw) for each in self.game.categories] for dice in self.hands.complete], dtype=float
        )

    def open_cells(self, filled: int) -> list[int]:
        """Those that may be written now."""
        found = [cell for cell in range(self.count) if not filled >> cell & 1]
        return {DOWN: found[:1], UP: found[-1:]}.get(self.order, found)

    def memories_of(self, filled: int) -> list[int]:
        """The memories that are possible with these cells filled."""
        open_general = self.general is not None and not filled >> self.general & 1
        return [place for place, memory in enumerate(self.memories) if not (open_general and memory.holds)]

    def memory_after(self, memory: int, cell: int, points: int) -> int:
        """The memory after five alike are written into a cell."""
        before = self.memories[memory]
        counts = cell == self.general and points > 0 and not (self.game.rules.hundreds_need_first and before.written)
        wanted = JokerMemory(before.holds or counts, written=True)
        return _place_of(self.memories, wanted)

    def offers(self, filled: int, memory: int, dice: tuple[int, ...], left: int = 0) -> list[Offer]:
        """The cells where dice may be written with so many throws left, with points and bonus, by the rules."""
        known = self.memories[memory]
        cells = tuple(
            (int(known.holds and cell == self.general) if filled >> cell & 1 else None) for cell in range(self.count)
        )
        state = self.game.start(1)._replace(sheets=((Column(cells),),), generals=(_first_general(known),))
        entries = [each for each in self.game.legal(state._replace(hand=Hand(left, dice))) if each["do"] == "score"]
        return [Offer(self.keys.index(each["category"]), each["points"], each["bonus"]) for each in entries]


def _memories(game: SheetGame) -> list[JokerMemory]:
    """The memories that the jokers of a game distinguish."""
    if game.jokers is NO_JOKERS:
        return [JokerMemory(False, False)]
    if game.rules.first_general_is_joker and not game.rules.hundreds_need_first:
        return [JokerMemory(False, True), JokerMemory(True, True)]
    return [JokerMemory(False, False), JokerMemory(False, True), JokerMemory(True, True)]


def _first_general(memory: JokerMemory) -> int:
    """Where the first five alike are, in a sheet of this memory."""
    if memory.holds:
        return AS_GENERAL
    return ELSEWHERE if memory.written else UNWRITTEN


def _place_of(memories: list[JokerMemory], wanted: JokerMemory) -> int:
    """The place of a memory, or of the one that the game treats alike."""
    found = [each for each in (wanted, wanted._replace(written=True)) if each in memories]
    return memories.index(found[0]) if found else 0


class WaitingSheets(NamedTuple):
    """Sheets that are solved together with others: of upper sums from `first` on. `ends`: by the throws left."""

    memory: int
    filled: int
    first: int
    ends: list[Floats]


class Induction:
    """The points still to come in a column: `to_come` is [memory, filled cells as bits, upper sum up to the threshold].
    They include the upper bonus until the sum reaches the threshold.
    """

    def __init__(self, cells: Cells, to_come: Floats) -> None:
        self.cells = cells
        self.to_come = to_come

    @classmethod
    def blank(cls, cells: Cells) -> Induction:
        return cls(cells, np.zeros((len(cells.memories), 1 << cells.count, cells.threshold + 1)))

    def run(self, progress: Progress | None = None) -> None:
        """Computes all of `to_come`, the fullest sheets first."""
        order = sorted(range((1 << self.cells.count) - 1), key=lambda filled: -filled.bit_count())
        waiting: list[WaitingSheets] = []
        for done, filled in enumerate(order):
            first = self._first_sum(filled)
            sums = np.arange(first, self.cells.threshold + 1)
            memories = self.cells.memories_of(filled)
            waiting += [
                WaitingSheets(
                    memory, filled, first, [self.ends(filled, memory, sums, left) for left in self.cells.lefts]
                )
                for memory in memories
            ]
            last_of_layer = filled == order[-1] or order[done + 1].bit_count() < filled.bit_count()
            if last_of_layer or sum(each.ends[0].shape[1] for each in waiting) >= AT_ONCE:
                self._finish(waiting)
                waiting = []
                if progress is not None:
                    progress((done + 1) / len(order))

    def _first_sum(self, filled: int) -> int:
        """The greatest upper sum from which the threshold is out of reach, or 0. Smaller sums are worth the same."""
        still_open = (cell for cell in range(self.cells.count) if not filled >> cell & 1 and self.cells.faces[cell])
        most = sum(self.cells.points[:, cell].max() for cell in still_open)
        return max(0, self.cells.first_tier - 1 - int(most))

    def _finish(self, waiting: list[WaitingSheets]) -> None:
        """Writes the worth of sheets before a turn into `to_come`, from their worth at its end."""
        ends = [np.concatenate([each.ends[left] for each in waiting], axis=1) for left in self.cells.lefts]
        worth = self.cells.hands.chances @ self.cells.hands.after_throws(self.by_throws_left(ends))[-1]
        begin = 0
        for memory, filled, first, (last, *_) in waiting:
            row = self.to_come[memory, filled]
            row[first:] = worth[begin : begin + last.shape[1]]
            row[:first] = row[first]
            begin += last.shape[1]

    def by_throws_left(self, ends: list[Floats]) -> list[Floats]:
        """The ends of a turn for each number of throws left, from those that differ."""
        return ends if len(ends) > 1 else ends * self.cells.game.rules.throws

    def ends(self, filled: int, memory: int, sums: npt.NDArray[Any], left: int = 0) -> Floats:
        """[complete dice, n]: their best worth at the end of a turn with so many throws left, for each of n upper
        sums."""
        cells, given = self.cells, self.cells.points_left[left]
        found = np.full((len(given), len(sums)), -np.inf)
        open_cells = cells.open_cells(filled)
        fits = (given[:, open_cells] > 0).any(axis=1)
        for cell in open_cells:
            points, which = cells.levels_left[left][cell]
            worth = self._value_of_writing(filled, memory, cell, points[:, None], sums)[which]
            if cells.game.rules.zero_only_if_nothing_fits:
                worth[fits & (given[:, cell] == 0)] = -np.inf
            np.maximum(found, worth, out=found)
        if len(cells.memories) > 1:
            for row in cells.alike:
                found[row] = self._end_of_alike(filled, memory, row, sums, left)
        return found

    def _end_of_alike(self, filled: int, memory: int, row: int, sums: npt.NDArray[Any], left: int) -> Floats:
        """[n]: the best worth of all dice alike, which may be jokers."""
        found = np.full(len(sums), -np.inf)
        for cell, points, bonus in self.cells.offers(filled, memory, self.cells.hands.complete[row], left):
            after = self.cells.memory_after(memory, cell, points)
            worth = self._value_of_writing(filled, after, cell, points, sums)
            np.maximum(found, self.cells.sign * bonus + worth, out=found)
        return found

    def _value_of_writing(self, filled: int, memory: int, cell: int, points: Any, sums: npt.NDArray[Any]) -> Floats:
        """The worth of writing `points` into a cell, including the points to come then with `memory`."""
        to_come, sign = self.to_come[memory, filled | 1 << cell], self.cells.sign
        if not self.cells.faces[cell]:
            return cast(Floats, sign * points + to_come[sums])
        after = np.minimum(sums + points, self.cells.threshold).astype(np.intp)
        bonus = self.cells.bonus[after] - self.cells.bonus[sums]
        return cast(Floats, sign * (points + bonus) + to_come[after])


class OneColumnSolution(SheetGameSolution):
    """Exact best play of a game with one column. Other players' actions do not change it."""

    def __init__(self, induction: Induction, value: float | None = None) -> None:
        self.cells = induction.cells
        self.game = induction.cells.game
        self._induction = induction
        self.sign = self.cells.sign
        # What wins at once counts its points, as if the game went on.
        self.exact = not any(each.may_win for each in self.game.categories)
        self._turn = lru_cache(CACHED)(self._solve_turn)
        # As solved, before compression.
        self.value = float(self.sign * induction.to_come[0, 0, 0]) if value is None else value
        self.states = reachable(induction.cells)

    def to_come(self, state: SheetState, player: int) -> float:
        return float(self._induction.to_come[self._sheet(state, player)])

    def turn(self, state: SheetState, player: int) -> tuple[list[Floats], list[Floats]]:
        return self._turn(*self._sheet(state, player))

    def _sheet(self, state: SheetState, player: int) -> tuple[int, int, int]:
        """The index of a player's sheet in `to_come`: memory, filled cells, upper sum."""
        column, cells = state.sheets[player][0], self.cells
        filled = sum(1 << cell for cell, points in enumerate(column.cells) if points is not None)
        first = state.generals[player]
        counts = first == AS_GENERAL or not self.game.rules.hundreds_need_first
        holds = cells.general is not None and bool(column.cells[cells.general]) and counts
        memory = _place_of(cells.memories, JokerMemory(holds, first != UNWRITTEN))
        return memory, filled, min(column.upper, cells.threshold)

    def _solve_turn(self, memory: int, filled: int, upper: int) -> tuple[list[Floats], list[Floats]]:
        ends = [self._induction.ends(filled, memory, np.array([upper]), left) for left in self.cells.lefts]
        return solve_turn(self.cells.hands, self._induction.by_throws_left(ends))

    @classmethod
    def seconds(cls, game: SheetGame) -> float:
        cells = Cells(game)
        return reachable(cells) * len(cells.hands.rows) * game.rules.throws / HANDS_A_SECOND

    @classmethod
    def solve(cls, game: SheetGame, progress: Progress | None = None) -> OneColumnSolution:
        induction = Induction.blank(Cells(game))
        induction.run(progress)
        return cls(induction)

    def save(self, path: Path) -> None:
        write_table(path, self.game, {"value": self.value}, table_packing.pack(self._induction.to_come))

    @classmethod
    def load(cls, path: Path, game: SheetGame) -> OneColumnSolution:
        header, arrays = read_table(path, game)
        cells = Cells(game)
        induction = Induction.blank(cells)
        try:
            to_come, value = table_packing.unpack(arrays), float(header["value"])
        except (KeyError, TypeError, ValueError) as error:
            raise WrongTable(f"{path} is no solved table: {error}") from error
        if to_come.shape != induction.to_come.shape:
            raise WrongTable(f"{path} is a table of {to_come.shape} sheets, not of {induction.to_come.shape}")
        return cls(Induction(cells, to_come), value)


def reachable(cells: Cells) -> int:
    """How many sheets play can reach, counting filled cells, upper sum and memory."""
    sums = {0: {0}}  # by the upper cells that are filled
    upper = [cell for cell in range(cells.count) if cells.faces[cell]]
    for filled in range(1, 1 << len(upper)):
        cell = upper[filled.bit_length() - 1]
        before = sums[filled ^ 1 << filled.bit_length() - 1]
        points = cells.levels[cell][0]
        sums[filled] = {min(each + int(more), cells.threshold) for each in before for more in points}
    lower = cells.count - len(upper)
    of_upper = sum(map(len, sums.values()))
    if cells.general is None:
        return of_upper << lower
    with_general = len(cells.memories_of((1 << cells.count) - 1))
    return (of_upper << lower - 1) * (with_general + len(cells.memories_of(0)))


SOLUTION = OneColumnSolution
