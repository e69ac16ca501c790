"""A game that was changed in a form is a file, or is refused with the field; throws show what has changed."""

import random
import sys
from copy import deepcopy
from typing import Any

import pytest

from scorer.definitions.building import RULE_TITLES, game_from_text
from scorer.definitions.changed_game import throw_worth, try_game
from scorer.definitions.definition import Definition, DefinitionError, join_tables, read_definition
from scorer.definitions.form_fields import CHOICES, FAMILY_LISTS, LISTS, TITLES, UNSHOWN, common_items, fields_of
from scorer.definitions.game_file import FAMILIES, GameFile, HouseOption, OptionValue
from scorer.definitions.patterns import Pattern
from scorer.definitions.rule_tables import Cell, ScoredDice
from scorer.definitions.shapes import types_of
from scorer.definitions.value_table import Worth
from scorer.games import from_file, keys, text_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FROM_FILES = [key for key in keys() if from_file(key)]


def of(key: str) -> tuple[dict[str, Any], Definition]:
    return tomllib.loads(text_of(key)), read_definition(text_of(key), key)


def our_farkle() -> tuple[dict[str, Any], Definition]:
    tables, before = of("farkle")
    tables["title"] = "Our Farkle"
    tables["rules"].update(target=5000, opening=500, penalty=[3, 1000])
    tables["rules"]["combination"].append({"groups": [3, 2], "points": 1500})
    return tables, before


@pytest.mark.parametrize("key", ["yahtzee", "yacht", "maxi-yatzy", "generala"])
def test_a_throw_is_worth_in_each_cell_what_the_rules_offer_there(key: str) -> None:
    game: Any = game_from_text(text_of(key), key)()
    chance = random.Random(3)
    for _ in range(50):
        dice = [chance.choice((1, 4, 5)) for _ in range(game.dice)]
        state = game.apply(game.start(players=1), {"do": "throw", "dice": dice})[0]
        offered = sorted(entry["points"] for entry in game.legal(state) if entry["do"] == "score" and entry["points"])
        worth = throw_worth(game, tuple(dice))
        assert worth is not None
        assert sorted(part.points for part in worth.parts) == offered


def test_cells_in_a_forced_order_have_throws_too() -> None:
    tables, before = of("yahtzee")
    tables["rules"].update(column=[{"order": "down"}], joker="none")
    tried = try_game({**tables, "title": "Ours"}, before, shown=2)
    assert (tried.throws[0].worth, tried.throws[0].before) == (25, 25)


def test_our_farkle_is_a_file_whose_examples_show_the_full_house() -> None:
    tables, before = our_farkle()
    tried = try_game(tables, before, shown=9)
    first = tried.throws[0]
    assert (first.dice, first.worth, first.before) == ((1, 1, 4, 4, 4), 1500, 600)
    written = tomllib.loads(tried.text)
    assert {"dice": [1, 1, 4, 4, 4], "worth": 1500} in written["example"]
    rules = game_from_text(tried.text, "ours")().rules
    assert (rules.target, rules.opening, rules.penalty) == (5000, 500, (3, 1000))
    assert [text.template for text in tried.left_out] == ["three busts in a row"], "its values would undo the penalty"


def test_examples_that_no_longer_hold_are_gone_and_the_others_stay() -> None:
    tables, before = of("farkle")
    tables["rules"]["combination"][2]["points"][0] = 1000
    written = tomllib.loads(try_game(tables, before).text)
    assert {"dice": [1, 1, 1, 5, 2, 3], "worth": 350} not in written["example"]
    assert {"dice": [4, 4, 4, 4, 2, 2], "worth": 1500} in written["example"]
    assert {"dice": [1, 1, 1], "worth": 1000} in written["example"]


def test_house_rules_that_take_a_change_back_are_left_out() -> None:
    tables, before = of("farkle-tables")
    assert try_game(tables, before).left_out == ()
    tables["rules"]["combination"][0]["points"] = 150
    tried = try_game(tables, before)
    assert [text.template for text in tried.left_out] == ["scoring table"]
    assert [option["name"] for option in tomllib.loads(tried.text)["option"]][:3] == ["target", "minimum", "opening"]
    tables, before = of("farkle")
    tables["option"] = [{"name": "target", "low": 8000, "high": 9000}, {"name": "opening"}]
    tables["rules"]["target"] = 5000
    assert [option["name"] for option in tomllib.loads(try_game(tables, before).text)["option"]] == ["opening"]


@pytest.mark.parametrize(
    ("rules", "at", "said"),
    [
        ({"target": "abc"}, ["rules", "target"], "points that win the game must be a whole number"),
        ({"dice": 13}, ["rules", "dice"], "how many dice must be a whole number from 1 to 12, not 13"),
        ({"dice": 4}, ["rules", "combination", 4, "alike"], "combination 5, how many dice alike needs more dice (5)"),
        ({"target": None}, ["rules", "target"], "not nothing"),
        ({"combination": []}, ["rules", "combination"], "scoring table must be"),
        ({"combination": [{"dice": [1], "points": 0}]}, ["rules", "combination", 0, "points"], "combination 1, points"),
    ],
)
def test_a_refusal_names_the_field(rules: dict[str, Any], at: list[Any], said: str) -> None:
    tables, before = our_farkle()
    tables["rules"].update(rules)
    with pytest.raises(DefinitionError, match="Not yet a game: ") as refused:
        try_game(tables, before)
    assert said in str(refused.value)
    assert refused.value.params["at"] == at


@pytest.mark.parametrize("title", ["", "x" * 41, "a\x00b", "{name}", 7, None])
def test_a_wrong_name_is_refused(title: Any) -> None:
    tables, before = our_farkle()
    with pytest.raises(DefinitionError, match="name of the game") as refused:
        try_game({**tables, "title": title}, before)
    assert refused.value.params["at"][0] == "title"


def test_a_game_that_is_too_long_for_a_file_is_refused_without_the_name_of_a_file() -> None:
    tables, before = our_farkle()
    paragraphs = [dict.fromkeys(("en", "cs", "pl", "de"), "é" * 1000)] * 12
    with pytest.raises(DefinitionError, match="Not yet a game: a game file has at most") as refused:
        try_game({**tables, "text": paragraphs}, before)
    assert refused.value.reason == "definition-too-big"


def test_two_cells_with_one_title_are_refused() -> None:
    tables, before = of("yahtzee")
    tables["rules"]["cell"].append({"key": "more", "title": "full HOUSE"})
    with pytest.raises(DefinitionError, match="stands twice") as refused:
        try_game(tables, before)
    assert refused.value.params["at"] == ["rules", "cell", 7, "title"]


def test_fields_of_counters_that_belong_together_are_named_in_words() -> None:
    tables, before = of("pig")
    tables["rules"]["leave"] = [2]
    with pytest.raises(DefinitionError, match=r"faces that leave the turn .* and how a turn goes on: one throw"):
        try_game(tables, before)


@pytest.mark.parametrize("key", FROM_FILES)
def test_an_unchanged_game_stays_as_it_is_and_its_examples_hold(key: str) -> None:
    tables, before = of(key)
    tried = try_game(tables, before)
    assert len(tried.throws) >= 1 or not tried.kind().dice
    assert all(throw.before == throw.worth for throw in tried.throws)
    written = read_definition(tried.text, key)
    assert written.rules_with({}) == before.rules_with({})
    assert written.file.option == before.file.option
    assert written.file.example[: len(before.file.example)] == before.file.example


# What the form has parts of its own for: lists, texts, and what a table may choose.
PARTS: dict[type, set[str]] = {
    GameFile: {"rules", "text", "option", "example"},
    HouseOption: {"title", "low", "high", "rules", "value"},
    OptionValue: {"title", "rules"},
}
IN_FILES = (GameFile, *FAMILIES.values(), *LISTS.values(), Pattern, HouseOption, OptionValue)


@pytest.mark.parametrize("kind", IN_FILES)
def test_the_form_has_a_field_for_all_that_a_file_may_say(kind: type) -> None:
    """Or says why it has none."""
    shown = {field.name for field in fields_of(kind)} if kind in TITLES else set()
    pattern = types_of(Pattern).keys() if kind in (ScoredDice, Cell, Worth) else set()
    left = types_of(kind).keys() - shown - LISTS.keys() - PARTS.get(kind, set()) - pattern
    assert left == UNSHOWN.get(kind, {}).keys()
    for field in fields_of(kind) if kind in TITLES else ():
        assert all(title == CHOICES[field.name][value] for value, title in field.choices), field.name


@pytest.mark.parametrize("family", FAMILIES)
def test_every_rule_that_a_table_may_be_given_the_choice_of_has_a_title(family: str) -> None:
    fields = [each for each in fields_of(FAMILIES[family]) if each.kind in ("number", "flag")]
    assert [each.name for each in fields if each.name not in RULE_TITLES and each.name not in ("dice", "columns")] == []


@pytest.mark.parametrize("key", [key for key in FROM_FILES if of(key)[1].file.family in FAMILY_LISTS])
def test_whatever_may_be_added_makes_a_game(key: str) -> None:
    found, before = of(key)
    tables = dict(join_tables(found))
    name, dice = FAMILY_LISTS[tables["family"]], before.rules_with({}).dice
    keys_there = {item.get("key") for item in tables["rules"].get(name, [])}
    for item in common_items(tables["family"], dice):
        if "key" in item.tables and item.tables["key"] in keys_there:
            continue
        if key == "sequence" and item.tables.get("points") == "bust":  # all that counts there has a one
            continue
        changed = deepcopy(tables)
        title = {"title": f"New {item.tables['key']}"} if "key" in item.tables else {}
        items = changed["rules"].setdefault(name, [{"points": "sum"}])
        place = 0 if name == "worth" else len(items)  # of lines that fit the first one holds
        items.insert(place, {**item.tables, **title})
        tried = try_game(changed, before, shown=place)
        # Most throws show dice that leave; progress needs no table; a bust brings nothing.
        leaving = {"leave", "progress"} & tables["rules"].keys()
        assert leaving or (tried.throws[0].worth > 0) == (item.tables.get("points") != "bust"), item


def test_a_line_of_a_value_table_is_shown_by_a_throw_for_which_it_holds() -> None:
    tables, before = of("cee-lo")
    tables = dict(join_tables(tables))
    tables["rules"]["worth"][2] |= {"points": "rest * 10", "says": "ten times the other die"}
    tried = try_game(tables, before, shown=2)
    (first, *_) = tried.throws
    assert (sorted(set(map(first.dice.count, first.dice))), first.worth) == ([1, 2], 10 * first.before)
    tables["rules"]["worth"][2]["points"] = "rest *"
    with pytest.raises(DefinitionError) as refused:
        try_game(tables, before, shown=2)
    assert refused.value.params["at"] == ["rules", "worth", 2, "points"]
    assert str(refused.value.params["field"]).startswith("line 3, points")


# --- whole turns ---


def told_turns(tables: dict[str, Any], before: Definition | None) -> dict[str, tuple[str, str]]:
    return {str(turn.title): (str(turn.worth), str(turn.before)) for turn in try_game(tables, before).turns}


def test_an_opening_and_busts_in_a_row_are_shown_in_whole_turns() -> None:
    tables, before = our_farkle()
    tables["rules"]["opening"] = 200
    told = told_turns(tables, before)
    assert told["3 busts in a row"] == ("-1000", "0")
    assert told["first turn"] == ("300", "the first banked turn needs 500 points, this turn has 300")
    del tables["rules"]["opening"], tables["rules"]["penalty"]
    assert told_turns(tables, None) == {}


def test_zilch_shows_a_turn_that_ends_in_a_bust_and_busts_in_a_row() -> None:
    """Its first throw is no bust: where nothing scores it brings 500. So a bust is a later throw."""
    tables, before = of("zilch")
    tables["rules"].update(nothing_scores=300, penalty=[3, 700])
    turns = {str(turn.title): turn for turn in try_game(tables, before).turns}
    bust = turns["a turn that ends in a bust"]
    assert (len(bust.throws), bust.worth, bust.before) == (2, 0, 0)
    game = game_from_text(text_of("zilch"), "zilch")()
    state, _ = game.apply(game.start(1), {"do": "throw", "dice": list(bust.throws[0])})
    aside = next(each for each in game.legal(state) if 6 - len(each["dice"]) == len(bust.throws[1]))
    state, _ = game.apply(state, {"do": "set-aside", "dice": aside["dice"]})
    state, events = game.apply(state, {"do": "throw", "dice": list(bust.throws[1])})
    assert events[0]["event"] == "bust"
    assert (turns["3 busts in a row"].worth, turns["3 busts in a row"].before) == (-700, -500)
    nothing = turns["a first throw in which nothing scores"]
    assert (len(nothing.throws[0]), nothing.worth, nothing.before) == (6, 300, 500)


@pytest.mark.parametrize("dice", range(1, 13))
def test_a_bust_is_shown_wherever_there_can_be_one(dice: int) -> None:
    tables, before = of("zilch")
    tables["example"] = []
    fitting = [each for each in tables["rules"]["combination"] if "dice" in each or each.get("alike", 13) <= dice]
    fitting += [{"alike": count, "points": 10_000} for count in range(7, dice + 1)]
    tables["rules"].update(dice=dice, combination=fitting)
    titles = [str(turn.title) for turn in try_game(tables, before).turns]
    assert ("a turn that ends in a bust" in titles) == ("3 busts in a row" in titles) == (1 < dice < 12)


def test_turns_are_shown_whatever_rules_are_put_together() -> None:
    """Such as eight dice with a run of six, which leaves no other face to fill a throw with."""
    shown = 0
    for number in range(200):
        rng = random.Random(number)
        tables, before = of("zilch")
        dice = rng.randint(1, 8)
        fitting = [
            each
            for each in tables["rules"]["combination"]
            if max(sum(each.get("groups", ())), each.get("run", 1), each.get("alike", 1)) <= dice
        ]
        tables["example"], tables["option"] = [], []
        tables["rules"].update(
            combination=rng.sample(fitting, rng.randint(1, len(fitting))),
            dice=dice,
            target=rng.choice([50, 100, 500, 10_000]),
            opening=rng.choice([0, 500]),
            end=rng.choice(["exact", "at-once", "finish-round"]),
            forced=rng.random() < 0.4,
            hot_dice=rng.choice(["may", "must", "multiply", "must-after-one-throw"]),
            nothing_scores=rng.choice([0, 50, 500]),
            penalty=[rng.randint(1, 4), 500],
        )
        try:
            turns = try_game(tables, before).turns
        except DefinitionError:
            continue
        lost = [turn.worth for turn in turns if "bust" in str(turn.title)]
        assert {*lost} <= {0, -500}
        shown += bool(lost)
    assert shown > 50


def test_saved_throws_are_shown_in_a_second_turn() -> None:
    tables, before = of("yatzy")
    tables["rules"]["saved_throws"] = 1
    assert list(told_turns(tables, before).values()) == [("4", "3")]


def test_a_house_rule_that_a_person_wrote_anew_stays_though_it_changes_what_was_changed() -> None:
    tables, before = of("farkle")
    tables["rules"]["hot_dice"] = "must"
    assert [str(each) for each in try_game(tables, before).left_out] == ["when all six dice have scored"]
    tables["option"][3]["title"] = "When all have scored"
    tables["option"][3]["value"][0]["rules"] = {"hot_dice": "may"}
    assert try_game(tables, before).left_out == ()


@pytest.mark.parametrize(
    ("key", "path", "value", "sentence"),
    [
        (
            "farkle",
            ("rules", "combination", 0, "dice"),
            [],
            "combination 1 must have exactly one of dice alike, several groups",
        ),
        (
            "farkle",
            ("rules", "combination", 0, "points"),
            "x",
            "combination 1, points must be a whole number from 0 to 1000000 or a list of 6 values, not “x”",
        ),
        (
            "farkle",
            ("rules", "combination", 2, "points"),
            [1, 2, 3, 4, 5, None],
            "combination 3, points must be a whole number from 0 to 1000000, not nothing",
        ),
        ("farkle", ("option", 3, "title"), " ", "house rule 4, what a table chooses is empty"),
        ("farkle", ("option", 0, "low"), -1, "house rule 1, least must be a whole number from 0 to 1000000, not -1"),
        ("farkle", ("option", 3, "value", 1, "title"), "", "house rule 4, choice 2, name is empty"),
        ("farkle", ("text",), ["x", " "], "paragraph 2 is empty"),
        (
            "yahtzee",
            ("rules", "cell"),
            [{"key": "chance"}],
            "a joker needs five dice, six upper cells and the cell general",
        ),
        ("yahtzee", ("rules", "cell", 0, "title"), " ", "cell 1, name is empty"),
        ("yahtzee", ("rules", "upper"), [1, 1], "faces in the upper part 1 stands twice"),
        ("pig", ("title",), "\u3164", "name of the game is empty"),
    ],
)
def test_a_form_is_told_what_is_wrong_in_its_own_words(
    key: str, path: tuple[Any, ...], value: Any, sentence: str
) -> None:
    tables, before = of(key)
    inside = tables
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = value
    with pytest.raises(DefinitionError) as refused:
        try_game(tables, before)
    assert str(refused.value).startswith(f"Not yet a game: {sentence}")
