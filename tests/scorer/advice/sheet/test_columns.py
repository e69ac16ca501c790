"""Three columns: each step against the rules themselves, and what the policy brings."""

import random
from time import thread_time
from typing import Any

import numpy as np
import pytest

from scorer.advice.sheet.columns import Columns, ColumnsSolution
from scorer.advice.sheet.keep_values import CHANCES, after_throw
from scorer.advice.sheet.one_column import OneColumnSolution
from scorer.advice.sheet.slack_turns import column_alone, slack_values
from scorer.games import load
from scorer.keeping import Hand
from scorer.sheet import SheetGame
from tests.scorer.advice.sheet.simulating import Greedy, simulate_columns
from tests.scorer.advice.sheet.test_one_column import random_sheet
from tests.scorer.advice.solved import shipped_solution, small

pytestmark = pytest.mark.whole

KosciTriple: Any = load("kosci-triple")
GAMES = {
    "as it is": KosciTriple(),
    "no needless zeros": KosciTriple(zero_only_if_nothing_fits=True),
    "first not needed": KosciTriple(hundreds_need_first=False),
}


def random_solution(game: SheetGame) -> ColumnsSolution:
    """A solution whose numbers mean nothing."""
    rng = np.random.default_rng(1)
    alone, slack = rng.uniform(0, 50, (2, 1 << 13, 64)), rng.uniform(0, 20, (2, 1 << 13, 27))
    alone[:, -1] = slack[:, -1] = 0  # nothing is to come of a full column
    return ColumnsSolution(game, Columns(game, alone, slack))


def test_slack_turns_of_a_small_column() -> None:
    """Against a plain recursion, one state at a time."""
    game = small("kosci-triple", "sixes", "full", "chance", joker="none")
    found, cells = slack_values(game), column_alone(game)
    assert found.shape == (len(cells.memories), 8, 7)
    for filled in range(7):
        for slack in range(7):
            ends = np.full((252, 1), found[0, filled, slack - 1] if slack else -np.inf)
            for cell in cells.open_cells(filled):
                weight = 1 + 35 / 63 if cells.faces[cell] else 1
                worth = cells.points[:, cell] * weight + found[0, filled | 1 << cell, slack]
                ends = np.maximum(ends, worth[:, None])
            assert found[0, filled, slack] == pytest.approx((CHANCES @ after_throw(ends, 2))[0])


def test_the_stored_column_is_that_of_the_game_of_one() -> None:
    solution, single = shipped_solution("kosci-triple"), shipped_solution("kosci-single")
    assert isinstance(solution, ColumnsSolution)
    assert isinstance(single, OneColumnSolution)
    alone, to_come = solution.columns.alone, single._induction.to_come
    written = [filled for filled in range(alone.shape[1]) if filled >> solution.columns.general & 1]
    # Once the general's cell is written, it no longer matters where the first five alike went.
    for column, one in enumerate((0, 2)):
        assert np.abs(alone[column, written] - to_come[one, written]).max() < 2e-4
    assert (np.diff(solution.columns.slack, axis=-1) > -1e-3).all()  # one more slack turn is never worse
    assert (solution.columns.slack[..., 0] == 0).all()


def test_advice_for_a_choice_is_quick() -> None:
    solution = shipped_solution("kosci-triple")
    assert isinstance(solution, ColumnsSolution)
    state = random_sheet(solution.game, random.Random(3), 30)._replace(hand=Hand(2, (1, 1, 3, 4, 6)))
    solution.choices(state._replace(sheets=solution.game.start(1).sheets), 0)
    begin = thread_time()
    solution.choices(state, 0)
    assert thread_time() - begin < 0.3  # 30 ms on a laptop that does nothing else


def test_the_policy_brings_more_than_a_greedy_player() -> None:
    solution = shipped_solution("kosci-triple")
    assert isinstance(solution, ColumnsSolution)
    totals = simulate_columns(solution.columns, 60, seed=5)
    assert totals.mean() > 1550  # a greedy player: 1440


@pytest.mark.slow
def test_2000_games_bring_what_the_start_is_worth() -> None:
    solution = shipped_solution("kosci-triple")
    assert isinstance(solution, ColumnsSolution)
    columns = solution.columns
    totals = simulate_columns(columns, 2000, seed=7)
    assert abs(totals.mean() - solution.value) < 15
    greedy = simulate_columns(Greedy(columns.game, columns.alone, columns.slack), 2000, seed=7)
    assert totals.mean() > greedy.mean() + 200
