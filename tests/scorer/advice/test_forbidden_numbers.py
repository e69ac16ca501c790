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


@cache
def solve(rounds: int) -> Solution[Any]:
    return solved(scorer.game("forbidden-numbers", rounds=rounds), players=2)


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
