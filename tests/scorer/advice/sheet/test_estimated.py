"""A sheet that is too large to be solved: its policy plays by the rules, and well."""

import random

import pytest

import scorer
from scorer.advice import is_estimated, odds, solve
from scorer.advice.sheet.estimated import EstimatedSolution
from tests.scorer.advice.solved import shipped_solution, small


def played(solution: EstimatedSolution, games: int) -> tuple[float, float]:
    """The mean of so many games by this policy, and its error."""
    game, rng, totals = solution.game, random.Random(7), []
    for _ in range(games):
        state = game.start(1)
        while not state.over:
            choices = solution.choices(state, 0)
            count = game.legal(state)[-1].get("count")
            action = choices[0].action if choices else {"do": "throw", "dice": rng.choices(range(1, 7), k=count)}
            state, _ = game.apply(state, action)
        totals.append(game.scores(state)[0])
    mean = sum(totals) / games
    return mean, (sum((each - mean) ** 2 for each in totals) / games**2) ** 0.5


@pytest.mark.whole
def test_it_comes_near_to_best_play_where_that_is_known() -> None:
    game = scorer.game("yatzy")
    assert not is_estimated(game)
    mean, error = played(EstimatedSolution(game), 40)
    assert mean + 3 * error > 0.95 * shipped_solution("yatzy").value


@pytest.mark.slow
@pytest.mark.parametrize(("key", "least", "most_error"), [("maxi-yatzy", 410, 6), ("balut", 8, 0.3)])
def test_what_games_bring(key: str, least: float, most_error: float) -> None:
    mean, error = played(solve(scorer.game(key)), 300)
    assert error < most_error
    assert mean > least


@pytest.mark.slow
def test_what_yamb_brings() -> None:
    solution = solve(scorer.game("yamb"))
    mean, error = played(solution, 100)
    assert error < 15
    assert abs(mean - solution.value) < 60


def test_the_last_cell_of_yamb_is_worth_a_turn_that_is_played_for_it() -> None:
    """Wherever it stands, announced or not; that of a sheet which has no other cell is solved exactly."""
    game = scorer.game("yamb")
    alone = solve(small("yamb", "yamb", column=(), difference=None, upper_bonus=()))
    assert (alone.exact, alone.value > 347897 / 7558272 * 67.5) == (True, True), "of five alike with equal chances"
    solution = solve(game)
    for place in range(4):
        columns = [
            column._replace(cells=(0,) * 11 + ((None if at == place else 0),))
            for at, column in enumerate(game.start(1).sheets[0])
        ]
        state = game.start(1)._replace(sheets=(tuple(columns),), open_cells=1)
        assert solution.worth(state, 0) == pytest.approx(alone.value)


def test_the_odds_of_yamb_know_what_is_announced() -> None:
    game = scorer.game("yamb")
    start = game.start(1)
    assert odds(game, start, 0, {"do": "throw", "count": 5})["full"] > 0
    state = game.apply(start, {"do": "throw", "dice": [4, 4, 4, 2, 3]})[0]
    keep = {"do": "keep", "dice": [4, 4, 4]}
    announced = game.apply(state, {"do": "announce", "category": "poker"})[0]
    assert odds(game, announced, 0, keep) == {"poker": odds(game, state, 0, keep)["poker"]}
    filled = [column._replace(cells=(0,) * 12) for column in start.sheets[0]]
    only_up = state._replace(sheets=((*filled[:2], start.sheets[0][2], start.sheets[0][3]),))
    assert odds(game, only_up, 0, keep).keys() == {"yamb"}
    assert "poker" in odds(game, only_up._replace(hand=start.hand), 0, {"do": "throw", "count": 5})
