from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

import scorer
from scorer.advice import odds
from scorer.advice.ten_thousand import points, turns
from scorer.advice.ten_thousand.throw_arrays import throw_arrays_of
from scorer.advice.ten_thousand.turns import solve_turns
from scorer.ten_thousand import TenThousand, TenThousandState
from tests.scorer.playing import aside, play, table_of, throw, ways_to_throw

pytestmark = pytest.mark.whole

GAMES = ["ones-and-fives", "six-dice", "farkle", "zilch"]
OF_FIVE_DICE = ["greed", "zonk"]


def three_different_pairs() -> TenThousand:
    """Zilch if four alike and a pair were no three pairs."""
    game: Any = scorer.game("zilch")
    *others, pairs = game.rules.combination
    return TenThousand(game.kind, replace(game.rules, combination=(*others, replace(pairs, may_repeat=False))), {})


@pytest.mark.parametrize(("game", "mean"), [(scorer.game("zilch"), 620.855), (three_different_pairs(), 611.794)])
def test_zilch_brings_in_the_long_run_what_rules_md_says(game: TenThousand, mean: float) -> None:
    solution = points.SOLUTION.solve(game)
    assert solution.exact
    assert solution.value == pytest.approx(mean, abs=0.0005)


@pytest.mark.parametrize("key", GAMES)
def test_throws_that_score_nothing(key: str) -> None:
    ways = [of_count.get((), 0) for of_count in throw_arrays_of(scorer.game(key)).ways]
    assert ways == [4, 16, 60, 204, 600, 0 if key == "zilch" else 1080]


def states_after(game: TenThousand, thrown: TenThousandState) -> Iterable[TenThousandState]:
    return [game.apply(thrown, entry)[0] for entry in game.legal(thrown)] if thrown.waiting else [thrown]


@pytest.mark.parametrize("key", [*GAMES, *OF_FIVE_DICE])
def test_looking_further_into_a_turn_changes_nothing(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the solution takes it as proven that no other choice is better, 3000 points more must say the same."""
    game: Any = scorer.game(key)
    expected = solve_turns(game)
    tail = turns._tail

    def further(*given: Any) -> Any:
        slope, level, points = tail(*given)
        return slope, level, points + 3000

    monkeypatch.setattr(turns, "_tail", further)
    found = solve_turns(game)
    assert len(found.worth) - len(expected.worth) == pytest.approx(3000 / found.throws.step, abs=1)
    assert found.worth[: len(expected.worth)] == pytest.approx(expected.worth, abs=1e-6)


# --- odds ------------------------------------------------------------------------------------------------------------


def test_odds_of_the_next_throw_are_counted_exactly() -> None:
    table = play(table_of("ones-and-fives"), throw(1, 1, 6, 6, 3, 4))
    game, state = table.game, table.state
    told = odds(game, state, 0, aside(1, 1))
    assert told["bust"] == Fraction(204, 6**4)
    assert told["score"] == 1 - told["bust"]
    assert 0 < told["bank"] < 1
    assert "target" not in told
    play(table, aside(1, 1))
    assert odds(game, table.state, 0, {"do": "throw", "count": 4}) == told


def test_setting_aside_what_may_be_banked_is_sure_and_throwing_on_is_not() -> None:
    table = play(table_of("zilch"), throw(1, 1, 1, 2, 3, 4))
    told = odds(table.game, table.state, 0, aside(1, 1, 1))
    assert told["bank"] == 1
    play(table, aside(1, 1, 1))
    told = odds(table.game, table.state, 0, {"do": "throw", "count": 3})
    assert told["bank"] == told["score"] == 1 - Fraction(60, 216)


def test_banking_has_no_odds() -> None:
    table = play(table_of("farkle"), throw(1, 1, 1, 1, 1, 1), aside(1, 1, 1, 1, 1, 1))
    assert odds(table.game, table.state, 0, {"do": "bank"}) == {}


def reached_by_trying(game: TenThousand, state: TenThousandState, needed: int) -> Fraction:
    """The best chance to bank `needed` points in this turn, from every throw and every legal action."""

    @cache
    def chance(points: int, left: int, confirm: bool) -> Fraction:
        now = state._replace(points=points, left=left, must_confirm=confirm)
        if points >= needed and game.bank_refusal(now) is None:
            return Fraction(1)
        total = Fraction(0)
        for dice, ways in ways_to_throw(left).items():
            thrown, _ = game.apply(now, {"do": "throw", "dice": dice})
            if not thrown.turns:
                total += ways * max(
                    chance(each.points, each.left, each.must_confirm) for each in states_after(game, thrown)
                )
        return total / 6**left

    return chance(state.points, state.left, state.must_confirm)


@pytest.mark.parametrize(("key", "options"), [("farkle", {}), ("zilch", {}), ("six-dice", {"confirm": "never"})])
def test_the_best_chance_to_bank_and_to_win_with_it_agrees_with_trying_everything(
    key: str, options: dict[str, Any]
) -> None:
    game: Any = scorer.game(key, target=600, **options)
    table = play(scorer.Table(game, ["Ada"]), throw(1, 5, 6, 6, 3, 4))
    if key != "six-dice":
        play(table, aside(1, 5))
    told = odds(game, table.state, 0, {"do": "throw", "count": 4})
    assert told["bank"] == reached_by_trying(game, table.state, max(game.rules.minimum, game.rules.opening))
    assert told["target"] == reached_by_trying(game, table.state, 600)
    assert told["target"] <= told["bank"]


@pytest.mark.parametrize("options", [{}, {"bank_with_at_most": 0}, {"bank_with_at_most": 6, "minimum": 0}])
def test_the_chance_to_bank_agrees_with_the_computed_one(options: dict[str, Any]) -> None:
    """Where a turn may come to the same number of dice again, trying everything has no end: the means must agree."""
    game: Any = scorer.game("ones-and-fives", **options)
    state = play(scorer.Table(game, ["Ada"]), throw(1, 1, 1, 1, 1, 1), aside(1, 1, 1)).state
    told = odds(game, state, 0, {"do": "throw", "count": 3})
    assert float(told["bank"]) == pytest.approx(solve_turns(game).slope[2] if game.rules.minimum else 1 - 60 / 216)
    before = game.start(1)._replace(points=350, left=2, aside=(None, (5,)), banked=(True,))
    told = odds(game, before, 0, {"do": "throw", "count": 2})
    assert told["bank"] <= 1 - told["bust"]


def test_confirming_comes_before_banking() -> None:
    game: Any = scorer.game("six-dice")
    state = play(scorer.Table(game, ["Ada"]), throw(1, 2, 3, 4, 5, 6)).state
    told = odds(game, state, 0, {"do": "throw", "count": 6})
    assert told["bust"] == Fraction(1080, 6**6)
    # Every throw of six dice that scores with fewer, or with all and is confirmed in turn.
    assert told["bank"] == (1 - told["bust"] - all_six(game)) / (1 - all_six(game))


def all_six(game: TenThousand) -> Fraction:
    start = game.start(1)
    scored = (
        game.apply(start, {"do": "throw", "dice": dice})[0].must_confirm for dice in product(range(1, 7), repeat=6)
    )
    return Fraction(sum(scored), 6**6)
