"""Many lone games at once, played as a solution says; each cell is written by the rules themselves."""

from typing import Any

import numpy as np
import numpy.typing as npt

from scorer.advice.dice import keeps_of
from scorer.advice.multisets import Floats
from scorer.advice.sheet.columns import Columns, Sheets
from scorer.advice.sheet.keep_values import COMPLETE, FIRST, KEPT, PLACE, best, means
from scorer.keeping import Hand
from scorer.sheet import SheetState

# For each of the 252 complete dice, the rows of what may be kept of them, all of them too; padded with that of none.
KEEPS = np.array(
    [[PLACE[each] for each in [dice, *keeps_of(dice)]] + [0] * (31 - len(keeps_of(dice))) for dice in COMPLETE]
)


def _dice_of_turn(ends: Floats, rng: np.random.Generator) -> npt.NDArray[Any]:
    """The places of the dice that each game has after its three throws."""
    last = means(ends)
    games = np.arange(ends.shape[1])
    dice = _throw(np.zeros(len(games), dtype=int), rng)
    for worth in (means(best(last)), last):
        keeps = KEEPS[dice]
        dice = _throw(keeps[games, np.argmax(worth[keeps, games[:, None]], axis=1)], rng)
    return dice


def _throw(kept: npt.NDArray[Any], rng: np.random.Generator) -> npt.NDArray[Any]:
    """The places among complete dice when kept ones (rows of KEPT) are made complete by a throw."""
    fallen = rng.integers(1, 7, size=(len(kept), 5)).tolist()
    dice = [KEPT[row] + tuple(more[: 5 - len(KEPT[row])]) for row, more in zip(kept, fallen, strict=True)]
    return np.array([PLACE[tuple(sorted(each))] - FIRST for each in dice])


def simulate_columns(columns: Columns, games: int, seed: int) -> npt.NDArray[Any]:
    """The totals of so many games of several columns under the policy that `columns` lead to."""
    rng = np.random.default_rng(seed)
    states = [columns.game.start(1)] * games
    while not states[0].over:
        parts = zip(*(columns.sheet_of(state, 0) for state in states), strict=True)
        ends, where = columns.ends(Sheets(*(np.concatenate(part) for part in parts)))
        dice = _dice_of_turn(ends, rng)
        cells = where[dice, np.arange(games)].tolist()
        states = [_put(columns, *each) for each in zip(states, dice, cells, strict=True)]
    return np.array([columns.game.scores(state)[0] for state in states])


def _put(columns: Columns, state: SheetState, row: int, where: int) -> SheetState:
    place, cell = divmod(where, columns.cells.count)
    action = {"do": "score", "category": columns.cells.keys[cell], "column": place + 1}
    return columns.game.apply(state._replace(hand=Hand(0, COMPLETE[row])), action)[0]


class Greedy(Columns):
    """As if nothing were to come after this turn."""

    def to_come(self, sheets: Sheets) -> Floats:
        return np.zeros(len(sheets.filled))
