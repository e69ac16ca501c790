from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

import pytest

import scorer
from scorer.advice import odds, sequence
from scorer.advice.dice import all_throws
from scorer.games.sequence import Sequence, SequenceState
from tests.scorer.playing import table_of, throw

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
    solution = sequence.SOLUTION.solve(scorer.game("sequence", target=target))
    for (own, other), chance in by_iteration(target).items():
        state = SequenceState((own, other), player=0)
        assert solution.worth(state, 0) == pytest.approx(chance, abs=1e-9)
        assert solution.worth(state, 1) == pytest.approx(1 - chance, abs=1e-9)


@pytest.mark.parametrize("wipe", [False, True])
@pytest.mark.parametrize("players", [1, 2, 3])
@pytest.mark.parametrize("finish", [False, True])
def test_a_state_is_worth_the_mean_of_its_throws(wipe: bool, players: int, finish: bool) -> None:
    game = scorer.game("sequence", target=60, three_ones_wipe=wipe, finish_round=finish)
    solution = sequence.SOLUTION.solve(game)
    random = Random(players)
    for _ in range(3):
        state = SequenceState(
            tuple(random.randrange(0, 60, 5) for _ in range(players)), player=random.randrange(players)
        )
        found = [0.0] * players
        for dice, ways in all_throws(6):
            after, _ = solution.game.apply(state, throw(*dice))
            for player in range(players):
                found[player] += ways * solution.worth(after, player) / 6**6
        assert found == pytest.approx([solution.worth(state, player) for player in range(players)], abs=1e-9)
        assert sum(found) == pytest.approx(1)


def by_simulation(game: Sequence, state: SequenceState, rng: Random) -> int:
    while not state.over:
        state, _ = game.apply(state, throw(*(rng.randint(1, 6) for _ in range(6))))
    return state.scores[0] > state.scores[1]


def test_a_round_played_out_is_worth_what_games_bring() -> None:
    """One player has reached the target, and the other has a turn left: he needs 10 points more, or 5 to be equal."""
    game = scorer.game("sequence", target=60, finish_round=True)
    chance = sequence.SOLUTION.solve(game).worth(SequenceState((60, 55), player=1), 1)
    runs = {max(length, 1): number / 6**6 for length, number in run_lengths().items()}
    assert chance == pytest.approx(sum(runs[length] for length in (3, 4, 5, 6)) + runs[2] / 2)
    start, rng = game.start(2), Random(1)
    solution = sequence.SOLUTION.solve(game)
    apart = solution.worth(start, 0)
    assert apart + solution.worth(start, 1) == pytest.approx(1)
    assert apart == pytest.approx(0.5, abs=1e-9), "both have as many turns"
    assert [by_simulation(game, SequenceState((40, 60), player=0), rng) for _ in range(20)] == [False] * 20


def test_odds_of_a_throw() -> None:
    table = table_of("sequence", three_ones_wipe=True)
    told = odds(table.game, table.state, 0, {"do": "throw"})
    both = sum(1 in dice and 2 in dice and dice.count(1) < 3 for dice in ALL)
    assert told["score"] == Fraction(both, 6**6)
    assert told["bust"] == Fraction(sum(dice.count(1) >= 3 for dice in ALL), 6**6)
    assert told["target"] == 0
    near = table.state._replace(scores=(75,))
    assert odds(table.game, near, 0, {"do": "throw"})["target"] == Fraction(720, 6**6)


def test_a_far_target_is_told_about() -> None:
    solution = sequence.SOLUTION.solve(scorer.game("sequence", target=100_000))
    assert not solution.exact
    assert solution.worth(SequenceState((50_000, 40_000)), 0) > 0.99
