"""A sheet that is too large to be solved: its policy plays by the rules, and well."""

import random

import pytest

import scorer
from scorer.advice import is_estimated, is_solvable, solve
from scorer.advice.reports import choices_of
from scorer.advice.sheet.estimated import EstimatedSolution
from tests.scorer.advice.solved import shipped_solution


@pytest.mark.parametrize("key", ["maxi-yatzy", "balut"])
def test_every_choice_is_worth_what_follows(key: str) -> None:
    game, rng = scorer.game(key), random.Random(3)
    assert is_solvable(game)
    solution = solve(game)
    assert not solution.exact
    state = game.start(2)
    for _ in range(60):
        choices = solution.choices(state, state.player)
        legal = [dict(action) for action, _ in choices_of(game, state)]
        if not choices:
            assert legal == []
            count = game.legal(state)[-1]["count"]
            state, _ = game.apply(state, {"do": "throw", "dice": rng.choices(range(1, 7), k=count)})
            continue
        assert sorted(str(each.action) for each in choices) == sorted(map(str, legal))
        assert solution.worth(state, state.player) == pytest.approx(choices[0].value)
        for choice in rng.sample(choices, 5):
            after, _ = game.apply(state, choice.action)
            assert choice.value == pytest.approx(solution.worth(after, state.player))
        state, _ = game.apply(state, rng.choice(choices[:3]).action)


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
