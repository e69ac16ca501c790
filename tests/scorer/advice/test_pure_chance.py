"""Games in which the dice decide everything, played out many times: they are won as often as it is told."""

from random import Random

import pytest

import scorer
from scorer.advice import solve


def won_by_who_begins(key: str, games: int, seed: int) -> float:
    """The share of so many games of two that the player wins who begins; a shared win is half a one."""
    game, dice = scorer.game(key), Random(seed)
    won = 0.0
    for _ in range(games):
        state = game.start(2)
        while not state.over:
            (throw,) = game.legal(state)
            state, _ = game.apply(state, {"do": "throw", "dice": dice.choices(range(1, 7), k=throw["count"])})
        winners = game.winners(state, game.places(state, game.scores(state)))
        won += (0 in winners) / len(winners)
    return won / games


@pytest.mark.parametrize(
    ("key", "games"),
    [
        ("sequence", 500),
        ("forbidden-numbers", 1_000),
        pytest.param("sequence", 100_000, marks=pytest.mark.slow),
        pytest.param("forbidden-numbers", 100_000, marks=pytest.mark.slow),
    ],
)
def test_games_are_won_as_often_as_told(key: str, games: int) -> None:
    value = solve(scorer.game(key), players=2).value
    spread = (value * (1 - value) / games) ** 0.5
    assert abs(won_by_who_begins(key, games, seed=12) - value) < 3 * spread
