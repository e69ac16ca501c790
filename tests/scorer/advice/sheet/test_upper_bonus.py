"""The chance of the upper bonus: each step against the rules, a small game against brute force, games played for it."""

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import scorer
from scorer.advice import odds
from scorer.advice.sheet.keep_values import COMPLETE, FIRST, PLACE
from scorer.advice.sheet.upper_bonus import UpperSheet, upper_bonus
from scorer.games import load
from scorer.keeping import Hand
from scorer.sheet import SheetGame, SheetState
from tests.scorer.advice.sheet.test_one_column import brute_force, random_sheet, same_for_worth
from tests.scorer.advice.solved import small
from tests.scorer.playing import keep, play, score, table_of, throw

pytestmark = pytest.mark.whole

Yahtzee = load("yahtzee")

KEYS = ["kosci-single", "kosci", "yahtzee", "yatzy"]
START = {"kosci-single": 0.952220, "kosci": 0.952220, "yahtzee": 0.952220, "yatzy": 0.979718}

TWO_UPPER = small("yatzy", "fives", "sixes", upper_bonus=((27, 50),))
ONE_OTHER = small("yatzy", "sixes", "yatzy", upper_bonus=((18, 50),))


def settle(table: scorer.Table, category: str, points: int) -> None:
    play(table, {"do": "adjust", "what": "cell", "player": 0, "category": category, "points": points})


@pytest.mark.parametrize("key", KEYS)
def test_a_whole_game(key: str) -> None:
    told = odds(table_of(key).game, scorer.game(key).start(2), 0, {"do": "throw", "count": 5})
    assert told["upper-bonus"] == pytest.approx(START[key], abs=1e-6)
    assert isinstance(told["upper-bonus"], float)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("joker", [False, True])
def test_the_end_of_a_turn_is_the_best_of_what_the_rules_list(key: str, joker: bool) -> None:
    """Whatever jokers forbid: another cell that they leave is as good."""
    named = {option.name for option in scorer.game(key).options}
    game: Any = scorer.game(key, **({"first_general_is_joker": joker} if "first_general_is_joker" in named else {}))
    rng, bonus = random.Random(f"{key} {joker}"), upper_bonus(game)
    for _ in range(60):
        state = random_sheet(game, rng, rng.randint(1, len(game.categories)))
        others, filled, upper = bonus.sheet(state.sheets[0][0])
        ends = bonus._ends(others, filled, np.array([upper]))[:, 0]
        for row in {*rng.sample(range(252), 12), *(PLACE[(face,) * 5] - FIRST for face in range(1, 7))}:
            thrown = state._replace(hand=Hand(0, COMPLETE[row]))
            after = [game.apply(thrown, entry)[0] for entry in game.legal(thrown)]
            best = max(bonus.chance(bonus.sheet(each.sheets[0][0])) for each in after)
            assert ends[row] == pytest.approx(best, abs=1e-12), (state, COMPLETE[row])


def has_bonus(game: SheetGame, state: SheetState) -> float:
    return float(state.sheets[0][0].upper >= game.rules.upper_threshold)


@pytest.mark.parametrize("game", [TWO_UPPER, ONE_OTHER], ids=["two upper cells", "one other"])
def test_a_small_game_agrees_with_brute_force_over_all_plays(game: SheetGame) -> None:
    bonus, start = upper_bonus(game), game.start(1)
    played = brute_force(game, start, has_bonus)
    assert bonus.chance(bonus.sheet(start.sheets[0][0])) == pytest.approx(played, abs=1e-12)
    thrown, _ = game.apply(start, throw(5, 5, 6, 6, 6))
    written = [score(category.key) for category in game.categories]
    for action in (keep(6, 6, 6), keep(5, 5), keep(), *written):
        after = same_for_worth(game.apply(thrown, action)[0])
        told = odds(game, thrown, 0, action)["upper-bonus"]
        assert float(told) == pytest.approx(brute_force(game, after, has_bonus), abs=1e-12)


def test_it_is_told_as_long_as_it_is_neither_there_nor_out_of_reach() -> None:
    table = play(table_of("yatzy"), throw(1, 2, 3, 4, 6))
    for category, points in (("sixes", 18), ("fives", 15), ("fours", 12), ("threes", 9), ("twos", 3)):
        settle(table, category, points)
    assert "upper-bonus" not in odds(table.game, table.state, 0, keep(1))  # it would take six ones
    settle(table, "twos", 4)
    assert odds(table.game, table.state, 0, score("ones"))["upper-bonus"] == 0
    assert 0 < odds(table.game, table.state, 0, score("chance"))["upper-bonus"] < 1
    settle(table, "twos", 8)
    assert odds(table.game, table.state, 0, score("ones"))["upper-bonus"] == 1
    settle(table, "twos", 10)
    assert "upper-bonus" not in odds(table.game, table.state, 0, keep(1))  # it is there


def test_in_the_last_turn_it_is_a_fraction() -> None:
    table = table_of("yatzy")
    cells = [category.key for category in table.game.categories if category.key != "ones"]
    for category in cells:
        points = 60 if category == "sixes" else 0
        settle(table, category, points)
    play(table, throw(1, 2, 3, 4, 6), keep(1), throw(1, 3, 4, 6))
    assert odds(table.game, table.state, 0, keep(1, 1))["upper-bonus"] == 1 - Fraction(5, 6) ** 3
    play(table, keep(1, 1), throw(1, 4, 6))
    assert odds(table.game, table.state, 0, score("ones")) == {"upper-bonus": Fraction(1)}


def test_where_rules_forbid_zeros_only_the_turn_is_told() -> None:
    game: Any = scorer.game("kosci-single", zero_only_if_nothing_fits=True)
    table = scorer.Table(game, ["Ada"])
    play(table, throw(1, 1, 1, 4, 6))
    assert not {"upper-bonus", "upper-bonus-now"} & odds(game, table.state, 0, keep(1, 1, 1)).keys()
    for category, points in (("sixes", 24), ("fives", 20), ("fours", 12)):
        settle(table, category, points)
    assert odds(game, table.state, 0, keep(1, 1, 1))["upper-bonus-now"] < Fraction(1)
    assert odds(game, table.state, 0, score("ones")) == {}


def test_sheets_settled_by_hand_are_taken_as_they_are() -> None:
    bonus = upper_bonus(scorer.game("yatzy"))  # type: ignore[arg-type]
    assert bonus.chance(UpperSheet(9, 0, 63)) == 1
    assert bonus.chance(UpperSheet(0, 63, 62)) == 0
    assert bonus.chance(UpperSheet(9, 0, 60)) == pytest.approx(1)
