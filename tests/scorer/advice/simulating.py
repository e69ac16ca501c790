"""Many lone games of one column at once, played as a solution says; each cell is written by the rules themselves."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import numpy.typing as npt

from scorer.advice.keeps import COMPLETE, FIRST, KEPT, PLACE, Values, best, keeps_of, means
from scorer.advice.sheet import SheetSolution
from scorer.advice.solution import Solution
from scorer.keeping import Hand
from scorer.sheet import State

AT_ONCE = 2000  # games

# For each of the 252 complete dice, the rows of what may be kept of them, all of them too; padded with the last.
KEEPS = np.array(
    [[PLACE[each] for each in [dice, *keeps_of(dice)]] + [0] * (31 - len(keeps_of(dice))) for dice in COMPLETE]
)


def simulated(solution: Solution, games: int, seed: int) -> npt.NDArray[Any]:
    """The totals of so many games under the policy of a solution."""
    assert isinstance(solution, SheetSolution)
    rng = np.random.default_rng(seed)
    totals: list[int] = []
    while len(totals) < games:
        states = [solution.game.start(1)] * min(AT_ONCE, games - len(totals))
        while not states[0].over:
            states = _turn(solution, states, rng)
        totals += [solution.game.scores(state)[0] for state in states]
    return np.array(totals)


def _turn(solution: SheetSolution, states: list[State], rng: np.random.Generator) -> list[State]:
    ends = _ends(solution, states)
    kept = [means(ends)]
    kept.append(means(best(kept[0])))
    games = np.arange(len(states))
    dice = _thrown(np.zeros(len(states), dtype=int), rng)
    for worth in (kept[1], kept[0]):
        dice = _thrown(KEEPS[dice, np.argmax(worth[KEEPS[dice], games[:, None]], axis=1)], rng)
    return [_written(solution, *each) for each in zip(states, dice, strict=True)]


def _ends(solution: SheetSolution, states: list[State]) -> Values:
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


def _thrown(kept: npt.NDArray[Any], rng: np.random.Generator) -> npt.NDArray[Any]:
    """The places among complete dice when kept ones (rows of KEPT) are made complete by a throw."""
    fallen = rng.integers(1, 7, size=(len(kept), 5)).tolist()
    dice = [KEPT[row] + tuple(more[: 5 - len(KEPT[row])]) for row, more in zip(kept, fallen, strict=True)]
    return np.array([PLACE[tuple(sorted(each))] - FIRST for each in dice])


def _written(solution: SheetSolution, state: State, row: int) -> State:
    """The best cell, by the rules: what each leads to."""
    thrown = state._replace(hand=Hand(0, COMPLETE[row]))
    after = [solution.game.apply(thrown, entry)[0] for entry in solution.game.legal(thrown)]
    return max(after, key=lambda each: solution.worth(each, 0))
