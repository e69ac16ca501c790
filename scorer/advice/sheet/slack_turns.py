"""The worth of slack turns to a column, which has more turns than cells and leaves the others to other columns.

This relaxes a game with several columns: every column sees every turn and keeps dice as it likes. Upper points count
(threshold + bonus) / threshold each, at least as much as the upper bonus. Five alike are a joker whenever the rules
might allow it. So a column never brings more in the real game, except the hundreds for further generals. Those are
left out, since they are rare: they need a general in every column.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scorer.advice.multisets import Floats
from scorer.advice.sheet.keep_values import CHANCES, COMPLETE, after_throw
from scorer.advice.sheet.one_column import Cells, one_column_of
from scorer.advice.solution import Progress
from scorer.categories import Category
from scorer.jokers import GENERAL, NO_JOKERS, Jokers, Writing
from scorer.sheet import THROWS, SheetGame

SHEETS_AT_ONCE = 32


def _joker_at_most(sheet: Any, column: int, category: Category, own: Category, lower_open: bool) -> Writing:
    """The best that rules.md section 7 may allow for further generals, without the hundreds."""
    filled = sheet[column]
    return Writing(as_joker=GENERAL in filled and own.key in filled)


def column_alone(game: SheetGame) -> Cells:
    """The cells of one column of a game, with the best possible jokers."""
    jokers = NO_JOKERS if game.jokers is NO_JOKERS else Jokers(_joker_at_most, ())
    return Cells(one_column_of(game, jokers))


def slack_values(game: SheetGame, progress: Progress | None = None) -> Floats:
    """[memory, filled cells as bits, slack turns]: the most points that a column alone can still bring."""
    cells = column_alone(game)
    most = cells.count * (len(game.rules.factors) - 1)
    found = np.zeros((len(cells.memories), 1 << cells.count, most + 1))
    weights = [1 + cells.upper_bonus / cells.threshold if face else 1.0 for face in cells.faces]
    sheets = [
        (memory, filled)
        for filled in sorted(range((1 << cells.count) - 1), key=lambda filled: -filled.bit_count())
        for memory in cells.memories_of(filled)
    ]
    done = 0
    while done < len(sheets):
        # Sheets of one layer only, since each depends on those with one more cell filled.
        layer = sheets[done][1].bit_count()
        now = [each for each in sheets[done : done + SHEETS_AT_ONCE] if each[1].bit_count() == layer]
        ends = np.stack([_ends(cells, weights, found, *each) for each in now], axis=1)
        places = tuple(np.array(now).T)
        for slack in range(most + 1):
            worth = ends[:, :, slack]
            if slack:
                worth = np.maximum(worth, found[(*places, slack - 1)])
            found[(*places, slack)] = CHANCES @ after_throw(worth, THROWS - 1)
        done += len(now)
        if progress is not None:
            progress(done / len(sheets))
    return found


def _ends(cells: Cells, weights: list[float], to_come: Floats, memory: int, filled: int) -> Floats:
    """[252, slack turns]: the best worth of dice at the end of a turn, written into the column."""
    found = np.full((len(COMPLETE), to_come.shape[2]), -np.inf)
    for cell in cells.open_cells(filled):
        points, which = cells.levels[cell]
        worth = points[:, None] * weights[cell] + to_come[memory, filled | 1 << cell]
        np.maximum(found, worth[which], out=found)
    for row in cells.alike:
        found[row] = -np.inf
        for cell, more, bonus in cells.offers(filled, memory, COMPLETE[row]):
            after = to_come[cells.memory_after(memory, cell, more), filled | 1 << cell]
            np.maximum(found[row], more * weights[cell] + bonus + after, out=found[row])
    return found
