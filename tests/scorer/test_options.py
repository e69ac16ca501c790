"""scorer/options.py and scorer/registry.py: games by key, house options, and what is said when they are wrong."""

from typing import Any

import pytest

import scorer
from scorer.games.knaster import LINE_POINTS
from scorer.options import read_form

# docs/rules.md: every option that is named there, with its default.
OPTIONS = {
    "ones-and-fives": {
        "target": 10_000,
        "minimum": 400,
        "bank_with_at_most": 2,
        "finish_round": False,
        "two_two_two_is_300": False,
    },
    "six-dice": {
        "target": 10_000,
        "minimum": 350,
        "pairs_may_repeat": False,
        "confirm": "single-throw",
        "finish_round": False,
    },
    "drapky": {"exact_two_plus_three": False, "exact_poker": False},
    "sequence": {"target": 100, "three_ones_wipe": False, "finish_round": False},
    "forbidden-numbers": {"rounds": 1},
    "kosci-single": {"zero_only_if_nothing_fits": False, "hundreds_need_first": True},
    "kosci-triple": {"zero_only_if_nothing_fits": False, "hundreds_need_first": True},
    "kosci": {"first_general_is_joker": False, "hundreds_need_first": True},
    "knaster": {"line_points": LINE_POINTS},
    "yahtzee": {"joker": "forced"},
    "yatzy": {"forced": False},
    "farkle": {"target": 10_000, "minimum": 0, "opening": 500, "hot_dice": "may", "busts": "free"},
    "zilch": {"target": 10_000, "minimum": 300},
    "shut-the-box": {"ends": "last-left", "tiles": "nine", "one_die": "low", "two_at_most": False},
    "skunk": {"rounds": 5, "first_throw_counts": True},
}


def test_games_in_the_order_of_the_rules_with_their_options() -> None:
    assert [info.key for info in scorer.games()] == list(OPTIONS)
    for info in scorer.games():
        assert {option.name: option.default for option in info.options} == OPTIONS[info.key]


def test_dice_and_players_as_in_the_table_of_the_rules() -> None:
    table = {info.key: (info.dice, info.players) for info in scorer.games()}
    for key in ("ones-and-fives", "six-dice", "drapky", "sequence", "forbidden-numbers", "farkle", "zilch"):
        assert table[key] == (6, (1, 12))
    for key in ("kosci-single", "kosci-triple", "kosci"):
        assert table[key] == (5, (1, 4))
    assert table["yahtzee"] == table["yatzy"] == (5, (1, 12))
    assert table["knaster"] == table["shut-the-box"] == (2, (1, 12))
    assert table["knaster"] == table["skunk"] == (2, (1, 12))


CONFIRM = "when all six dice must be thrown again before banking"


@pytest.mark.parametrize(
    ("key", "name", "value", "title", "allowed", "told"),
    [
        ("sequence", "target", 0, "points that win the game", "a whole number from 1 to 1000000", "0"),
        ("sequence", "target", "5000", "points that win the game", "a whole number from 1 to 1000000", "“5000”"),
        ("sequence", "target", 5000.0, "points that win the game", "a whole number from 1 to 1000000", "5000.0"),
        ("sequence", "target", True, "points that win the game", "a whole number from 1 to 1000000", "true"),
        (
            "sequence",
            "target",
            "9" * 200,
            "points that win the game",
            "a whole number from 1 to 1000000",
            f"“{'9' * 12}...{'9' * 13}”",
        ),
        ("zilch", "minimum", -50, "points that a turn needs to be banked", "a whole number from 0 to 1000000", "-50"),
        (
            "ones-and-fives",
            "bank_with_at_most",
            7,
            "most dice left to throw when banking",
            "a whole number from 0 to 6",
            "7",
        ),
        ("sequence", "finish_round", 1, "play the round out when someone reaches the target", "true or false", "1"),
        ("six-dice", "confirm", "maybe", CONFIRM, "one of single-throw, any, never", "“maybe”"),
        ("forbidden-numbers", "rounds", 0, "turns of each player", "a whole number from 1 to 1000", "0"),
    ],
)
def test_what_is_said_of_a_wrong_value(key: str, name: str, value: Any, title: str, allowed: str, told: str) -> None:
    with pytest.raises(scorer.OptionError) as refusal:
        scorer.game(key, **{name: value})
    assert str(refusal.value) == f"“{title}” must be {allowed}, not {told}"


def test_what_is_said_of_an_option_that_is_none() -> None:
    with pytest.raises(
        scorer.OptionError,
        match=r"^there is no option colour in this game; there are: target, three_ones_wipe, finish_round$",
    ):
        scorer.game("sequence", colour=1)
    with pytest.raises(scorer.OptionError, match=r"^there is no option target: this game has no options$"):
        scorer.game("balut", target=1)


@pytest.mark.parametrize(
    "points", [{"r6": 1}, {"r1": -1}, {"r1": "9"}, {"r1": True}, [1, 2, 3], [1] * 13, 9, None, "9", ["x"] * 12]
)
def test_line_points_that_are_not_allowed(points: Any) -> None:
    with pytest.raises(scorer.OptionError, match=r"points printed at the lines.*must be a whole number from 0 to 1000"):
        scorer.game("knaster", line_points=points)


@pytest.mark.parametrize("key", ["chess", "", "__init__", "ones_and_fives", "kosci "])
def test_games_that_do_not_exist(key: str) -> None:
    with pytest.raises(scorer.OptionError, match="there is no game"):
        scorer.game(key)


@pytest.mark.parametrize(
    ("key", "texts", "values"),
    [
        ("ones-and-fives", {"target": " 5000 ", "finish_round": "True"}, {"target": 5000, "finish_round": True}),
        (
            "six-dice",
            {"confirm": "never", "pairs_may_repeat": "false"},
            {"confirm": "never", "pairs_may_repeat": False},
        ),
        ("knaster", {"line_points": "r1=1, d2=3"}, {"line_points": {**LINE_POINTS, "r1": 1, "d2": 3}}),
        (
            "knaster",
            {"line_points": "1,2,3,4,5,6,7,8,9,10,11,12"},
            {"line_points": dict(zip(LINE_POINTS, range(1, 13), strict=True))},
        ),
    ],
)
def test_options_given_as_text(key: str, texts: dict[str, str], values: dict[str, Any]) -> None:
    game = scorer.game(key, **scorer.parse_options(key, texts))
    assert {name: game.settings[name] for name in values} == values


@pytest.mark.parametrize(
    ("key", "texts"),
    [
        ("ones-and-fives", {"target": "many"}),
        ("ones-and-fives", {"target": "٣"}),
        ("ones-and-fives", {"finish_round": "perhaps"}),
        ("ones-and-fives", {"colour": "red"}),
        ("knaster", {"line_points": "r1=,r2=2"}),
        ("knaster", {"line_points": ""}),
    ],
)
def test_texts_that_mean_no_option(key: str, texts: dict[str, str]) -> None:
    with pytest.raises(scorer.OptionError):
        scorer.game(key, **scorer.parse_options(key, texts))


def test_options_as_json() -> None:
    target = scorer.game("ones-and-fives").info.to_json()["options"][0]
    assert target == {
        "name": "target",
        "default": 10_000,
        "title": "points that win the game",
        "allowed": "a whole number from 1 to 1000000",
        "kind": "whole-number",
        "low": 1,
        "high": 1_000_000,
    }


def test_a_form_asks_for_the_points_of_each_line() -> None:
    (option,) = scorer.game("knaster").options
    asked = {part.name: (str(part.title), part.default_text) for part in option.parts}
    assert len(asked) == 12
    assert asked["line_points.r1"] == ("row 1", "9")
    assert asked["line_points.c5"] == ("column 5", "5")
    assert asked["line_points.d2"] == ("diagonal ↙", "10")


def test_what_a_form_leaves_empty_is_as_usual() -> None:
    texts = {"line_points.r1": " 7 ", "line_points.c1": "", "line_points.d2": "0"}
    options = read_form(scorer.game("knaster").options, texts)
    assert scorer.game("knaster", **options).settings == {"line_points": {**LINE_POINTS, "r1": 7, "d2": 0}}
    assert read_form(scorer.game("knaster").options, {"line_points.r1": " "}) == {}
    assert read_form(scorer.game("sequence").options, {"target": "50", "colour": "red"}) == {
        "target": 50,
        "colour": "red",
    }


@pytest.mark.parametrize(
    ("key", "texts", "sentence"),
    [
        (
            "knaster",
            {"line_points.r1": "5000"},
            "“points printed at the lines: row 1” must be a whole number from 0 to 1000, not 5000",
        ),
        (
            "knaster",
            {"line_points.d1": "nine"},
            "“points printed at the lines: diagonal ↘” must be a whole number from 0 to 1000, not “nine”",
        ),
        ("sequence", {"target": "0"}, "“points that win the game” must be a whole number from 1 to 1000000, not 0"),
    ],
)
def test_a_form_is_told_what_is_wrong_in_words(key: str, texts: dict[str, str], sentence: str) -> None:
    with pytest.raises(scorer.OptionError) as refusal:
        read_form(scorer.game(key).options, texts)
    assert str(refusal.value) == sentence


def test_every_value_of_an_option_is_told_in_words() -> None:
    told = {
        f"{info.key} {option.name}": str(option.describe(option.default))
        for info in scorer.games()
        for option in info.options
    }
    assert told["sequence target"] == "100"
    assert told["sequence three_ones_wipe"] == "no"
    assert "" not in told.values()
