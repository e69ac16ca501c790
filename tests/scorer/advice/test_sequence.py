from fractions import Fraction
from functools import cache
from itertools import product

import pytest

import scorer
from scorer.advice import odds, solve
from tests.scorer.playing import table_of

ALL = list(product(range(1, 7), repeat=6))


def by_iteration(target: int) -> dict[tuple[int, int], float]:
    """The chance of the player about to throw, by value iteration over both scores, with points counted by hand."""
    runs = [(5 * (length - 1) if length > 1 else 0, number) for length, number in run_lengths().items()]
    scores = range(0, target, 5)
    chance = {(own, other): 0.5 for own in scores for other in scores}
    for _ in range(400):
        for own, other in chance:
            total = 0.0
            for points, number in runs:
                after = own + points
                total += number * (1.0 if after >= target else 1 - chance[other, after])
            chance[own, other] = total / len(ALL)
    return chance


@cache
def run_lengths() -> dict[int, int]:
    """How many of all throws have a longest run from 1 of so many (at least one)."""
    found: dict[int, int] = {}
    for dice in ALL:
        length = next((face - 1 for face in range(1, 7) if face not in dice), 6)
        length = max(length, 1)
        found[length] = found.get(length, 0) + 1
    return found


@pytest.mark.parametrize("target", [5, 20, 35])
def test_two_players_agree_with_value_iteration(target: int) -> None:
    game = scorer.game("sequence", target=target)
    solution = solve(game, players=2)
    for (own, other), chance in by_iteration(target).items():
        state = game.start(2)._replace(scores=(own, other))
        assert solution.worth(state, 0) == pytest.approx(chance, abs=1e-9)
        assert solution.worth(state, 1) == pytest.approx(1 - chance, abs=1e-9)


def test_a_round_played_out_is_worth_what_games_bring() -> None:
    """One player has reached the target, and the other has a turn left: he needs 10 points more, or 5 to be equal."""
    game = scorer.game("sequence", target=60, finish_round=True)
    state = game.start(2)._replace(scores=(60, 55), player=1, taken=(1, 0), last=0)
    chance = solve(game, players=2).worth(state, 1)
    runs = {max(length, 1): number / 6**6 for length, number in run_lengths().items()}
    assert chance == pytest.approx(sum(runs[length] for length in (3, 4, 5, 6)) + runs[2] / 2)
    start, solution = game.start(2), solve(game, players=2)
    apart = solution.worth(start, 0)
    assert apart + solution.worth(start, 1) == pytest.approx(1)
    assert apart == pytest.approx(0.5, abs=1e-9), "both have as many turns"


def test_odds_of_a_throw() -> None:
    table = table_of("sequence", three_ones_wipe=True)
    told = odds(table.game, table.state, 0, {"do": "throw"})
    both = sum(1 in dice and 2 in dice and dice.count(1) < 3 for dice in ALL)
    assert told["score"] == Fraction(both, 6**6)
    assert told["all-lost"] == Fraction(sum(dice.count(1) >= 3 for dice in ALL), 6**6)
    assert told["target"] == 0
    near = table.state._replace(scores=(75,))
    assert odds(table.game, near, 0, {"do": "throw"})["target"] == Fraction(720, 6**6)
