"""A policy for sheets of several columns, from exact solutions of single columns: docs/advice.md has its results.

A column is worth its factor times its worth alone (`one_column.py`) plus that of its slack turns (`slack_turns.py`).
Only a share of those counts, since the other columns want good throws too. Turns are solved exactly with these worths.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from scorer.advice.multisets import Floats
from scorer.advice.sheet import table_packing
from scorer.advice.sheet.keep_values import COMPLETE, FIVE, solve_turn
from scorer.advice.sheet.one_column import Cells, Induction, one_column_of
from scorer.advice.sheet.sheet_solution import SheetGameSolution
from scorer.advice.sheet.slack_turns import slack_values
from scorer.advice.solution import Progress, WrongTable
from scorer.advice.solution_files import read_table, write_table
from scorer.jokers import GENERAL
from scorer.keeping import Hand
from scorer.sheet import AS_GENERAL, ELSEWHERE, THROWS, SheetGame, SheetState
from scorer.sheet_columns import Column

FREE = 0.17  # share of slack turns that counts; a new game is then worth what games bring
# The share of further generals' points that counts in a column whose general is written, by the number of other columns
# with an open general; and the share if one of those is struck out, so that the hundreds are lost.
HUNDREDS = np.array([1.0, 0.5, 0.25])
STRUCK = 0.05

CACHED = 64  # solved turns
OFFERS_CACHED = 20_000

Counts = npt.NDArray[np.intp]


class Sheets(NamedTuple):
    """n sheets of several columns; all arrays are [n, columns]. `filled`: cells as bits. `generals`: the points in the
    general's cells, -1 if open, -2 if open and points there would count for no further general. `upper`: upper sums
    without the column's factor, up to the threshold.
    """

    filled: Counts
    generals: Counts
    upper: Counts

    def take(self, places: Any) -> Sheets:
        return Sheets(self.filled[places], self.generals[places], self.upper[places])


class Columns:
    """The points still to come on sheets. `alone`: in one column, [memory, filled, upper sum]. `slack`: what slack
    turns add to it, [memory, filled, turns].
    """

    def __init__(self, game: SheetGame, alone: Floats, slack: Floats) -> None:
        self.game = game
        self.cells = Cells(_single(game))
        self.general = self.cells.keys.index(GENERAL)
        self.alone = alone
        self.slack = slack
        self.factors = np.array(game.rules.factors)
        self.open_count = np.array([self.cells.count - filled.bit_count() for filled in range(1 << self.cells.count)])
        self.offers = lru_cache(OFFERS_CACHED)(self._offers)

    def sheet_of(self, state: SheetState, player: int) -> Sheets:
        """A player's sheet, n = 1."""
        columns = state.sheets[player]
        filled = [sum(1 << cell for cell, each in enumerate(column.cells) if each is not None) for column in columns]
        first, needed = state.generals[player], self.game.rules.hundreds_need_first
        is_open, counts = -2 if needed and first == ELSEWHERE else -1, first == AS_GENERAL or not needed
        held = [is_open if (points := column.cells[self.general]) is None else points * counts for column in columns]
        upper = [
            min(column.upper // factor, self.cells.threshold)
            for column, factor in zip(columns, self.game.rules.factors, strict=True)
        ]
        return Sheets(*(np.array([each], dtype=np.intp) for each in (filled, held, upper)))

    def to_come(self, sheets: Sheets) -> Floats:
        """[n]: the points still to come on sheets, before a turn."""
        still_open = self.open_count[sheets.filled]
        turns = still_open.sum(axis=1)
        holds = sheets.generals > 0
        found = np.zeros(len(turns))
        for place, factor in enumerate(self.factors):
            filled, upper = sheets.filled[:, place], sheets.upper[:, place]
            slack = FREE * (turns - still_open[:, place])
            whole = slack.astype(np.intp)
            worth = [
                self.alone[memory, filled, upper] + self._slack_worth(memory, filled, whole, slack - whole)
                for memory in (0, 1)
            ]
            counted = holds[:, place] * self._hundreds(sheets.generals, place)
            found += factor * (worth[0] + counted * (worth[1] - worth[0]))
        return found

    def _slack_worth(self, memory: int, filled: Counts, whole: Counts, part: Floats) -> Floats:
        more = np.minimum(whole + 1, self.slack.shape[2] - 1)
        return cast(Floats, (1 - part) * self.slack[memory, filled, whole] + part * self.slack[memory, filled, more])

    def _hundreds(self, generals: Counts, place: int) -> Floats:
        """[n]: the share of further generals' points that counts in a column."""
        others = np.delete(generals, place, axis=1)
        counted = HUNDREDS[(others < 0).sum(axis=1)]
        return np.where((others == 0).any(axis=1), STRUCK, counted)

    def ends(self, sheets: Sheets) -> tuple[Floats, Counts]:
        """[252, n]: the best worth of complete dice at the end of a turn, and where they are written for it: the
        column's place times the number of cells, plus the cell.
        """
        n = len(sheets.filled)
        found = np.full((len(COMPLETE), n), -np.inf)
        where = np.zeros((len(COMPLETE), n), dtype=np.intp)
        fits = self._fits(sheets)
        worth_of = self._values_of_writing(sheets)
        for place in range(len(self.factors)):
            for cell in range(self.cells.count):
                worth = next(worth_of)
                worth[:, sheets.filled[:, place] >> cell & 1 == 1] = -np.inf
                if self.game.rules.zero_only_if_nothing_fits:
                    worth[fits & (self.cells.points[:, cell] == 0)[:, None]] = -np.inf
                better = worth > found
                found[better] = worth[better]
                where[better] = place * self.cells.count + cell
        self._with_jokers(sheets, found, where)
        return found, where

    def _values_of_writing(self, sheets: Sheets) -> Iterator[Floats]:
        """For each cell of each column, [252, n]: the worth of writing dice there, as if it were open."""
        n = len(sheets.filled)
        # All different points of the cells, for each of the n sheets.
        given = [
            (place, cell, int(points))
            for place in range(len(self.factors))
            for cell, (levels, _) in enumerate(self.cells.levels)
            for points in levels
        ]
        repeated = Sheets(*(np.tile(each, (len(given), 1)) for each in sheets))
        worth = self._value_of_writing(repeated, *np.repeat(np.array(given, dtype=np.intp).T, n, axis=1)).reshape(-1, n)
        begin = 0
        for _ in self.factors:
            for levels, which in self.cells.levels:
                yield worth[begin : begin + len(levels)][which]
                begin += len(levels)

    def _fits(self, sheets: Sheets) -> npt.NDArray[np.bool_]:
        """[252, n]: whether dice bring points in an open cell."""
        some_open = np.bitwise_or.reduce(~sheets.filled, axis=1)
        open_cells = (some_open[:, None] >> np.arange(self.cells.count)) & 1
        found: npt.NDArray[np.bool_] = (self.cells.points > 0).astype(np.intp) @ open_cells.T > 0
        return found

    def _value_of_writing(self, sheets: Sheets, place: Any, cell: Any, points: Any, bonus: Any = 0) -> Floats:
        """[n]: the worth of writing these points (without factor) into a cell, including the points to come then.

        `place`, `cell`, `points` and `bonus` are numbers or arrays, [n].
        """
        rows = np.arange(len(sheets.filled))
        filled, generals, upper = (each.copy() for each in sheets)
        filled[rows, place] |= np.left_shift(1, cell)
        is_general = np.broadcast_to(np.equal(cell, self.general), rows.shape)
        held = generals[rows, place]
        generals[rows, place] = np.where(is_general, points * (held > -2), held)
        faces = np.array(self.cells.faces)[cell]
        before = upper[rows, place]
        after = np.where(faces > 0, np.minimum(before + points, self.cells.threshold), before)
        upper[rows, place] = after
        reached = (after == self.cells.threshold) & (before < self.cells.threshold)
        brought = (points + self.cells.upper_bonus * reached + bonus) * self.factors[place]
        return cast(Floats, brought + self.to_come(Sheets(filled, generals, upper)))

    # --- five alike ---

    def _with_jokers(self, sheets: Sheets, found: Floats, where: Counts) -> None:
        """Corrects the worth of five alike on sheets where a general holds points, by the rules."""
        for row in self.cells.alike:
            games, places, cells, points, bonuses = self._list_offers(sheets, row)
            if not len(games):
                continue
            worth = self._value_of_writing(sheets.take(games), places, cells, points, bonuses)
            found[row, games] = -np.inf
            np.maximum.at(found[row], games, worth)
            best_ones = worth == found[row, games]
            where[row, games[best_ones]] = places[best_ones] * self.cells.count + cells[best_ones]

    def _list_offers(self, sheets: Sheets, row: int) -> Counts:
        """[5, offers]: sheet, column's place, cell, points and bonus (without factor) of each offer."""
        offers = [
            (game, place, *offer)
            for game, generals in enumerate(sheets.generals.tolist())
            if max(generals) > 0
            for place, filled in enumerate(sheets.filled[game].tolist())
            for offer in self.offers(place, filled, tuple(generals), row)
        ]
        listed = np.array(offers, dtype=np.intp).reshape(-1, 5).T
        return listed[:, self._may_be_zero(listed, len(sheets.filled))]

    def _may_be_zero(self, listed: Counts, n: int) -> npt.NDArray[np.bool_]:
        """[offers]: whether the rule against needless zeros allows them."""
        brings = listed[3] + listed[4] > 0
        if not self.game.rules.zero_only_if_nothing_fits:
            return np.ones_like(brings)
        fits = np.zeros(n, dtype=bool)
        fits[listed[0][brings]] = True
        allowed: npt.NDArray[np.bool_] = brings | ~fits[listed[0]]
        return allowed

    def _offers(self, place: int, filled: int, generals: tuple[int, ...], row: int) -> list[tuple[int, int, int]]:
        """The cells of a column where five alike may be written, with points and bonus (without factor), by the rules.

        The rules know only the generals of the other columns.
        """
        columns = [
            Column(
                tuple(
                    (None if held < 0 else held)
                    if cell == self.general
                    else None
                    if mine and not filled >> cell & 1
                    else 0
                    for cell in range(self.cells.count)
                )
            )
            for mine, held in ((each == place, held) for each, held in enumerate(generals))
        ]
        game, factor = self.game, int(self.factors[place])
        state = game.start(1)._replace(sheets=(tuple(columns),), generals=(AS_GENERAL,), hand=Hand(0, COMPLETE[row]))
        entries = [each for each in game.legal(state) if each["column"] == place + 1]
        keys = self.cells.keys
        return [(keys.index(each["category"]), each["points"] // factor, each["bonus"] // factor) for each in entries]


def _single(game: SheetGame) -> SheetGame:
    """A column alone in which all generals count: `sheet_of` says which do."""
    return one_column_of(game, game.jokers, game.rules.zero_only_if_nothing_fits)


class ColumnsSolution(SheetGameSolution):
    """A policy for a game of several columns, with its estimated worth."""

    exact = False

    def __init__(self, game: SheetGame, columns: Columns) -> None:
        self.game = game
        self.columns = columns
        self._turn = lru_cache(CACHED)(self._solve_turn)
        start = columns.sheet_of(game.start(1), 0)
        self.value = float(columns.to_come(start)[0])
        self.states = columns.alone.size + columns.slack.size

    def to_come(self, state: SheetState, player: int) -> float:
        return float(self.columns.to_come(self.columns.sheet_of(state, player))[0])

    def turn(self, state: SheetState, player: int) -> tuple[list[Floats], list[Floats]]:
        return self._turn(state.sheets[player], state.generals[player])

    def worth_of(self, states: list[SheetState], player: int) -> list[float]:
        if not states:
            return []
        parts = zip(*(self.columns.sheet_of(each, player) for each in states), strict=True)
        to_come = self.columns.to_come(Sheets(*(np.concatenate(part) for part in parts))).tolist()
        return [
            self.game.scores(each)[player] + (0.0 if each.over else more)
            for each, more in zip(states, to_come, strict=True)
        ]

    def _solve_turn(self, sheet: tuple[Column, ...], general: int) -> tuple[list[Floats], list[Floats]]:
        state = self.game.start(1)._replace(sheets=(sheet,), generals=(general,))
        ends = self.columns.ends(self.columns.sheet_of(state, 0))[0]
        return solve_turn(FIVE, [ends] * THROWS)

    @classmethod
    def solve(cls, game: SheetGame, progress: Progress | None = None) -> ColumnsSolution:
        """Solves one column and its slack turns in about a minute."""
        induction = Induction.blank(Cells(_single(game)))
        induction.run(None if progress is None else lambda share: progress(share / 2))
        slack = slack_values(game, None if progress is None else lambda share: progress((1 + share) / 2))
        return cls(game, Columns(game, induction.to_come, slack - slack[..., :1]))

    def save(self, path: Path) -> None:
        packed = {
            f"{name}-{part}": array
            for name, values in (("alone", self.columns.alone), ("spare", self.columns.slack))
            for part, array in table_packing.pack(values).items()
        }
        write_table(path, self.game, {}, packed)

    @classmethod
    def load(cls, path: Path, game: SheetGame) -> ColumnsSolution:
        _, arrays = read_table(path, game)
        try:
            alone, slack = (
                table_packing.unpack({part: arrays[f"{name}-{part}"] for part in table_packing.PARTS})
                for name in ("alone", "spare")
            )
        except (KeyError, ValueError) as error:
            raise WrongTable(f"{path} is no solved table: {error}") from error
        return cls(game, Columns(game, alone, slack))


SOLUTION = ColumnsSolution
