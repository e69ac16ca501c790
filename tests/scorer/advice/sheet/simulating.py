"""Many lone games at once, played as a solution says; each cell is written by the rules themselves.

`python -m tests.scorer.advice.sheet.simulating GAME GAMES` tells their mean and its standard error.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from typing import Any

import numpy as np
import numpy.typing as npt

from scorer.advice.dice import Floats, keeps_of
from scorer.advice.sheet.columns import Columns, Sheets
from scorer.advice.sheet.keep_values import COMPLETE, FIRST, KEPT, PLACE, best, means
from scorer.advice.sheet.one_column import OneColumnSolution
from scorer.advice.solution import Solution
from scorer.keeping import Hand
from scorer.sheet import SheetState
from tests.scorer.advice.solved import shipped_solution

AT_ONCE = 50_000  # games: the more, the more of them come to the same sheets
SOME = 2000  # whose dice are thrown at once, for the memory's sake

# For each of the 252 complete dice, the rows of what may be kept of them, all of them too; padded with that of none.
KEEPS = np.array(
    [[PLACE[each] for each in [dice, *keeps_of(dice)]] + [0] * (31 - len(keeps_of(dice))) for dice in COMPLETE]
)

Chosen = dict[tuple[int, ...], str]  # the category, by memory, filled cells, upper sum and the dice's row


def simulate(solution: Solution, games: int, seed: int) -> npt.NDArray[Any]:
    """The totals of so many games under the policy of a solution."""
    assert isinstance(solution, OneColumnSolution)
    rng = np.random.default_rng(seed)
    totals: list[int] = []
    chosen: Chosen = {}
    while len(totals) < games:
        states = [solution.game.start(1)] * min(AT_ONCE, games - len(totals))
        while not states[0].over:
            states = _turn(solution, states, rng, chosen)
        totals += [solution.game.scores(state)[0] for state in states]
    return np.array(totals)


def _turn(
    solution: OneColumnSolution, states: list[SheetState], rng: np.random.Generator, chosen: Chosen
) -> list[SheetState]:
    ends = _ends(solution, states)
    parts = [_dice_of_turn(ends[:, begin : begin + SOME], rng) for begin in range(0, len(states), SOME)]
    dice = np.concatenate(parts).tolist()
    return [_write(solution, *each, chosen) for each in zip(states, dice, strict=True)]


def _dice_of_turn(ends: Floats, rng: np.random.Generator) -> npt.NDArray[Any]:
    """The places of the dice that each game has after its three throws."""
    last = means(ends)
    games = np.arange(ends.shape[1])
    dice = _throw(np.zeros(len(games), dtype=int), rng)
    for worth in (means(best(last)), last):
        keeps = KEEPS[dice]
        dice = _throw(keeps[games, np.argmax(worth[keeps, games[:, None]], axis=1)], rng)
    return dice


def _ends(solution: OneColumnSolution, states: list[SheetState]) -> Floats:
    """[252, n]: what the dice are worth at the end of each game's turn."""
    groups = defaultdict(list)
    for place, state in enumerate(states):
        memory, filled, upper = solution._sheet(state, 0)
        groups[memory, filled].append((place, upper))
    found = np.empty((len(COMPLETE), len(states)))
    for (memory, filled), members in groups.items():
        places, sums = zip(*members, strict=True)
        found[:, places] = solution._induction.ends(filled, memory, np.array(sums))
    return found


def _throw(kept: npt.NDArray[Any], rng: np.random.Generator) -> npt.NDArray[Any]:
    """The places among complete dice when kept ones (rows of KEPT) are made complete by a throw."""
    fallen = rng.integers(1, 7, size=(len(kept), 5)).tolist()
    dice = [KEPT[row] + tuple(more[: 5 - len(KEPT[row])]) for row, more in zip(kept, fallen, strict=True)]
    return np.array([PLACE[tuple(sorted(each))] - FIRST for each in dice])


def _write(solution: OneColumnSolution, state: SheetState, row: int, chosen: Chosen) -> SheetState:
    """The best cell, by the rules: what each leads to. `chosen` has those of sheets that were seen before."""
    thrown = state._replace(hand=Hand(0, COMPLETE[row]))
    seen = (*solution._sheet(state, 0), row)
    if seen not in chosen:
        entries = [each for each in solution.game.legal(thrown) if each["do"] == "score"]
        after = [solution.worth(solution.game.apply(thrown, entry)[0], 0) for entry in entries]
        chosen[seen] = entries[int(np.argmax(after))]["category"]
    return solution.game.apply(thrown, {"do": "score", "category": chosen[seen]})[0]


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


def main() -> None:
    solution = shipped_solution(sys.argv[1])
    totals = simulate(solution, int(sys.argv[2]), seed=4)
    error = totals.std() / len(totals) ** 0.5
    print(f"{len(totals)} games: {totals.mean():.3f} ± {error:.3f}, worth {solution.value:.4f}")


if __name__ == "__main__":
    main()
