from fractions import Fraction
from random import Random
from typing import Any

import pytest

import scorer
from scorer.advice import knaster, odds
from scorer.games.knaster import Grid, KnasterState
from tests.scorer.playing import circle, throw, write

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def solution() -> knaster.KnasterSolution:
    return knaster.SOLUTION.solve(scorer.game("knaster"))


def points_of_a_game(game: Any, pick: Any, random: Random) -> int:
    state = game.start(1)
    while not state.over:
        action = pick(state) if state.dice else throw(random.randint(1, 6), random.randint(1, 6))
        state, _ = game.apply(state, action)
    return game.scores(state)[0]


def test_the_policy_beats_one_that_takes_circles_as_they_come(solution: knaster.KnasterSolution) -> None:
    game, random = solution.game, Random(6)

    def greedy(state: KnasterState) -> Any:
        def gain(entry: Any) -> float:
            after = game.apply(state, entry)[0]
            return game.scores(after)[0] + sum(circles for _, circles in after.grids[0].pending) + random.random()

        return max(game.legal(state), key=gain)

    best = [points_of_a_game(game, lambda state: solution.choices(state, 0)[0].action, random) for _ in range(25)]
    other = [points_of_a_game(game, greedy, random) for _ in range(25)]
    assert sum(best) / 25 > sum(other) / 25 + 5


def test_the_last_circle_of_a_line_is_taken_with_the_extra_throw(solution: knaster.KnasterSolution) -> None:
    grid = Grid((2,) * 25, (1 << 25) - 1, 0b01111)
    state = KnasterState((grid,), 0, (1, 1), extra=True)
    best = solution.choices(state, 0)[0]
    assert best.action == circle(0, 1, 5)
    assert best.value == 5 + 9


def test_odds_of_the_next_throw(solution: knaster.KnasterSolution) -> None:
    game = solution.game
    state, _ = game.apply(game.start(1), throw(3, 4))
    told = odds(game, state, 0, write(0, 3, 3))
    assert told == {"circle": Fraction(6, 36), "line": 0}
    numbers = (2, 2, 3, 4, 0) + (0,) * 20
    near = KnasterState((Grid(numbers, 0b01111, 0b01111),))
    # With 2: three alike; 3 or 4: two pairs; nothing else.
    assert odds(game, near, 0, {"do": "throw"}) == {"circle": 0, "line": Fraction(1 + 2 + 3, 36)}


def test_promises_of_complete_lines_are_their_circles() -> None:
    assert knaster.promise((2, 3, 4, 5, 6)) == 3
    assert knaster.promise((2, 2, 4, 5, 6)) == 0
    assert 1 < knaster.promise((7, 7, 7, 7)) <= 3
