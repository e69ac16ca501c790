"""Odds of a sheet against counting all the ways in which dice can fall."""

import random
from collections import Counter
from fractions import Fraction

import pytest

import scorer
from scorer.advice import odds
from scorer.advice.chances.sheet_odds import _ask_rules, fulfilment
from scorer.advice.dice import keeps_of
from scorer.advice.reports import odds_to_json
from scorer.advice.sheet.keep_values import COMPLETE
from tests.scorer.playing import all_throws, keep, play, score, table_of, throw
from tests.scorer.sheets import fill


def test_one_throw_left_against_every_fall() -> None:
    table = play(table_of("yatzy"), throw(1, 2, 6, 6, 6), keep(), throw(2, 2, 4, 5, 5))
    for kept in ((2, 2), (2, 4, 5), (2, 2, 5, 5)):
        found: Counter[str] = Counter()
        for dice in all_throws(5 - len(kept)):
            complete = tuple(sorted((*kept, *dice)))
            for category in table.game.categories:
                least = 3 * category.face if category.face else 1
                found[category.key] += category.points(complete) >= least
        told = odds(table.game, table.state, 0, keep(*kept))
        assert "chance" not in told  # any dice bring something there
        assert 0 < told.pop("upper-bonus") < 1  # see test_upper_bonus.py
        assert told == {key: Fraction(found[key], 6 ** (5 - len(kept))) for key in told}
        assert len(told) == 14


def test_two_throws_left_against_brute_force() -> None:
    table = play(table_of("yahtzee"), throw(3, 3, 5, 5, 6))
    full = Counter(tuple(sorted(dice)) for dice in all_throws(5) if sorted(map(dice.count, set(dice))) == [2, 3])

    def chance(kept: tuple[int, ...]) -> Fraction:
        falls = Counter(tuple(sorted((*kept, *dice))) for dice in all_throws(5 - len(kept)))
        return Fraction(sum(ways for dice, ways in falls.items() if dice in full), 6 ** (5 - len(kept)))

    def best(dice: tuple[int, ...]) -> Fraction:
        return max(Fraction(dice in full), *(chance(kept) for kept in keeps_of(dice)))

    thrown = [tuple(sorted((3, 3, 5, 5, die))) for die in range(1, 7)]
    expected = sum(map(best, thrown)) / 6
    assert odds(table.game, table.state, 0, keep(3, 3, 5, 5))["full"] == expected == Fraction(5, 9)


def test_five_alike_in_a_whole_turn() -> None:
    table = play(table_of("yahtzee"), throw(1, 2, 3, 5, 6))
    assert float(odds(table.game, table.state, 0, keep())["general"]) == pytest.approx(0.012631, abs=1e-6)


def test_a_turn_that_begins_with_the_throw() -> None:
    """The published chance of a Yahtzee in three throws; and a throw that waits is that of the dice kept for it."""
    table = table_of("yahtzee")
    first = {"do": "throw", "count": 5}
    assert odds(table.game, table.state, 0, first)["general"] == Fraction(347897, 7558272)
    play(table, throw(1, 2, 6, 6, 6))
    kept = odds(table.game, table.state, 0, keep(6, 6, 6))
    play(table, keep(6, 6, 6))
    assert odds(table.game, table.state, 0, {"do": "throw", "count": 2}) == kept


def test_where_columns_share_the_turns_the_upper_bonus_in_this_one() -> None:
    table = table_of("kosci-triple")
    for category, points in (("sixes", 24), ("fives", 15)):
        play(table, {"do": "adjust", "what": "cell", "player": 0, "category": category, "column": 1, "points": points})
    play(table, throw(3, 3, 4, 4, 4), keep(3, 3), throw(4, 4, 4))
    assert "upper-bonus-now" not in odds(table.game, table.state, 0, keep(3, 3))
    play(table, score("fours", 1), throw(3, 3, 1, 2, 6), keep(3, 3), throw(1, 2, 6))  # 24 + 15 + 12: 12 are missing
    told = odds(table.game, table.state, 0, keep(3, 3))
    assert told["upper-bonus-now"] == Fraction(16, 216)  # two more threes at least
    assert "upper-bonus" not in told


def test_jokers_count_where_they_may_be_written() -> None:
    table = fill(table_of("yahtzee"), general=(2,) * 5, sixes=(6, 6, 6, 1, 2))
    play(table, throw(6, 6, 6, 6, 2), keep(6, 6, 6), throw(6, 1))
    told = odds(table.game, table.state, 0, keep(6, 6, 6, 6))
    assert told["small-straight"] == told["full"] == Fraction(1, 6)
    assert "general" not in told


def test_columns_are_told_together_and_writing_has_no_chances() -> None:
    table = play(table_of("kosci-triple"), throw(6, 6, 6, 1, 2))
    assert odds(table.game, table.state, 0, keep(6, 6, 6))["three"] == 1
    assert odds(table.game, table.state, 0, score("three", 2)) == {}


@pytest.mark.parametrize("key", ["kosci", "kosci-single", "kosci-triple", "yahtzee", "yatzy"])
@pytest.mark.parametrize("joker", [False, True])
def test_what_dice_fulfil_is_what_the_rules_list(key: str, joker: bool) -> None:
    """Of all dice in states of a random game, five alike thrown more often than by chance."""
    wanted = {option.name for option in scorer.game(key).options}
    game = scorer.game(key, **({"first_general_is_joker": joker} if "first_general_is_joker" in wanted else {}))
    state, rng = game.start(1), random.Random(f"{key} {joker}")
    while not state.over:
        assert fulfilment(game, state) == [_ask_rules(game, state, dice) for dice in COMPLETE]
        for _ in range(rng.randint(1, 3)):
            if not state.over:
                dice = rng.choices(range(1, 7), k=5) if rng.random() < 0.7 else [rng.randint(1, 6)] * 5
                state, _ = game.apply(state, throw(*dice))
                state, _ = game.apply(state, rng.choice([each for each in game.legal(state) if each["do"] == "score"]))


def test_as_a_document() -> None:
    told = odds_to_json({"bust": Fraction(1, 6)})
    assert told == {"bust": {"fraction": "1/6", "chance": pytest.approx(1 / 6)}}
    assert odds_to_json({"upper-bonus": 0.25}) == {"upper-bonus": {"chance": 0.25}}


def test_house_rules_change_nothing_that_they_do_not_say() -> None:
    game = scorer.game("kosci-single", zero_only_if_nothing_fits=True)
    state, _ = game.apply(game.start(1), throw(6, 6, 6, 1, 2))
    other = scorer.game("kosci-single")
    told = odds(other, state, 0, keep(6, 6, 6))
    assert {**odds(game, state, 0, keep(6, 6, 6)), "upper-bonus": told["upper-bonus"]} == told
