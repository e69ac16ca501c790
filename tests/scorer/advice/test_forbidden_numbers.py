from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import scorer
from scorer.advice import odds
from scorer.advice import solve as solved
from scorer.advice.solution import Solution
from scorer.counter import CounterState
from tests.scorer.playing import table_of


def state_after(turns: int, scores: tuple[int, ...], forbidden: tuple[int, ...], left: int) -> CounterState:
    """After so many turns of the first round."""
    taken = tuple(int(player < turns) for player in range(len(scores)))
    return CounterState(scores, taken, left, player=turns, turns=turns, forbidden=forbidden)


@cache
def solve(rounds: int) -> Solution[Any]:
    return solved(scorer.game("forbidden-numbers", rounds=rounds), players=2)


def test_the_last_die_is_counted_by_hand() -> None:
    """A lead of 2 with one die to throw, 3 and 4 forbidden: it must show 5 or 6, or 1 and 1..., or 2 and more."""
    state = state_after(1, (10, 8), (3, 4), 1)
    tie = Fraction(1, 6) * Fraction(1, 3) + Fraction(1, 36) * Fraction(1, 3)  # 2, or 1 and 1, and then it leaves
    less = Fraction(1, 3) + Fraction(1, 6) * Fraction(1, 3)  # nothing, or 1
    assert solve(1).worth(state, 1) == pytest.approx(float(1 - less - tie / 2), abs=1e-12)


def test_before_anything_is_forbidden_and_with_more_rounds() -> None:
    for rounds in (1, 3, 40):
        solution = solve(rounds)
        start = solution.game.start(4)
        assert [solution.worth(start, player) for player in range(4)] == pytest.approx([0.25] * 4)
        assert solution.value == pytest.approx(0.5)
    state = CounterState((100, 60), (1, 1), 6, turns=2, forbidden=(2, 5))
    assert solve(3).worth(state, 0) < solve(2).worth(state, 0)


def test_odds_of_a_throw() -> None:
    table = table_of("forbidden-numbers")
    assert odds(table.game, table.state, 0, {"do": "throw"}) == {}
    state = CounterState((0,), (0,), 3, forbidden=(1, 2))
    told = odds(table.game, state, 0, {"do": "throw"})
    assert told == {"bust": Fraction(1, 27), "score": Fraction(26, 27)}
