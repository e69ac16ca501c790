"""Three columns: each step against the rules themselves, and what the policy brings."""

from __future__ import annotations

import random
from time import thread_time
from typing import Any

import numpy as np
import pytest

from scorer.advice.analysis import analyse, to_json
from scorer.advice.dice import keeps_of
from scorer.advice.sheet.columns import Columns, ColumnsSolution, Sheets
from scorer.advice.sheet.keep_values import CHANCES, COMPLETE, after_throw
from scorer.advice.sheet.one_column import OneColumnSolution
from scorer.advice.sheet.slack_turns import column_alone, slack_values
from scorer.games import load
from scorer.keeping import Hand
from scorer.sheet import SheetGame, SheetState
from tests.scorer.advice.sheet.simulating import Greedy, simulate_columns
from tests.scorer.advice.solved import shipped_solution, small
from tests.scorer.advice.test_analysis import random_table
from tests.scorer.playing import keep, score

pytestmark = pytest.mark.whole

KosciTriple: Any = load("kosci-triple")
GAMES = {
    "as it is": KosciTriple(),
    "no needless zeros": KosciTriple(zero_only_if_nothing_fits=True),
    "first not needed": KosciTriple(hundreds_need_first=False),
}
every_game = pytest.mark.parametrize("name", GAMES)


def random_solution(game: SheetGame) -> ColumnsSolution:
    """A solution whose numbers mean nothing."""
    rng = np.random.default_rng(1)
    alone, slack = rng.uniform(0, 50, (2, 1 << 13, 64)), rng.uniform(0, 20, (2, 1 << 13, 27))
    alone[:, -1] = slack[:, -1] = 0  # nothing is to come of a full column
    return ColumnsSolution(game, Columns(game, alone, slack))


def random_sheet(game: SheetGame, rng: random.Random, open_cells: int) -> SheetState:
    state = game.start(1)
    while state.open_cells > open_cells:
        dice = rng.choices(range(1, 7), k=5) if rng.random() < 0.7 else [rng.randint(1, 6)] * 5
        state, _ = game.apply(state, {"do": "throw", "dice": dice})
        state, _ = game.apply(state, rng.choice([each for each in game.legal(state) if each["do"] == "score"]))
    return state


@every_game
def test_the_end_of_a_turn_is_the_best_of_what_the_rules_list(name: str) -> None:
    game, rng = GAMES[name], random.Random(name)
    solution = random_solution(game)
    columns = solution.columns
    states = [random_sheet(game, rng, rng.randint(1, 39)) for _ in range(10)]
    sheets = Sheets(
        *(np.concatenate(part) for part in zip(*(columns.sheet_of(state, 0) for state in states), strict=True))
    )
    ends, where = columns.ends(sheets)
    for place, state in enumerate(states):
        for row in {*rng.sample(range(252), 10), *columns.cells.alike}:
            thrown = state._replace(hand=Hand(0, COMPLETE[row]))
            worth = {}
            for entry in game.legal(thrown):
                after, _ = game.apply(thrown, entry)
                to_come = 0 if after.over else columns.to_come(columns.sheet_of(after, 0))[0]
                cell = (entry["column"] - 1) * 13 + columns.cells.keys.index(entry["category"])
                worth[cell] = game.scores(after)[0] + to_come
            assert game.scores(state)[0] + ends[row, place] == pytest.approx(max(worth.values())), COMPLETE[row]
            assert worth[where[row, place]] == pytest.approx(max(worth.values()))


@every_game
def test_every_legal_action_is_a_choice_once(name: str) -> None:
    game, rng = GAMES[name], random.Random(name)
    solution = random_solution(game)
    for _ in range(3):
        dice = tuple(sorted(rng.choices(range(1, 7), k=5)))
        state = random_sheet(game, rng, rng.randint(1, 39))._replace(hand=Hand(1, dice))
        choices = solution.choices(state, 0)
        wanted = [score(each["category"], each["column"]) for each in game.legal(state) if each["do"] == "score"]
        wanted += [keep(*kept) for kept in keeps_of(dice)]
        assert sorted(map(str, wanted)) == sorted(str(each.action) for each in choices)
        for each in choices:
            after, _ = game.apply(state, each.action)
            assert solution.worth(after, 0) == pytest.approx(each.value)
        assert solution.worth(state, 0) == pytest.approx(choices[0].value)


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


def test_luck_and_mistakes_add_up_to_the_result() -> None:
    table, solution = random_table("kosci-triple", 1), shipped_solution("kosci-triple")
    document = to_json(table, solution, analyse(table, solution))
    assert not document["exact"]
    for player in document["players"]:
        sums = player["luck"] - player["mistakes"] + player["others"] + player["settled"]
        assert player["mean"] + sums == pytest.approx(player["result"], abs=1e-6)


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
