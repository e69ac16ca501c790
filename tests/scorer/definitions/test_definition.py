"""scorer/definitions: a file becomes a game, or is refused with its line and what would be right."""

import json
from typing import Any

import pytest

import scorer
from scorer.advice import has_odds, is_solvable
from scorer.advice.solution_cache import name_of
from scorer.definitions.building import game_from_text
from scorer.definitions.definition import DefinitionError
from scorer.definitions.toml_lines import line_of
from scorer.games import text_of

RACE = """\
family = "ten-thousand"
title = "Our Farkle"
summary = "As we play it."

[rules]
opening = 500
penalty = [3, 1000]
minimum = 0
target = 5000

[[rules.combination]]
dice = [1]
points = 100

[[rules.combination]]
alike = 3
points = [1000, 200, 300, 400, 500, 600]

[[rules.combination]]
groups = [3, 2]
points = 1500

[[option]]
name = "target"
low = 1000
high = 9000

[[example]]
dice = [2, 2, 2, 3, 3, 1]
worth = 1600

[[example]]
turn = [[1, 1, 1, 2, 3, 4], [1, 1, 1], [2, 2, 3]]
worth = 0
"""

SHEET = """\
family = "sheet"
title = "Ours"
summary = "A sheet."

[rules]
dice = 6
throws = 2

[[rules.cell]]
key = "full"
groups = [3, 2]
points = "pattern + 10"
served = 5

[[rules.cell]]
key = "rest"
title = { en = "The rest", cs = "Zbytek" }

[[example]]
dice = [6, 6, 6, 6, 2, 2]
cell = "full"
worth = 37
"""


def refused(text: str, key: str = "ours") -> str:
    with pytest.raises(DefinitionError) as found:
        game_from_text(text, key)
    sentence = str(found.value)
    assert "\n" not in sentence
    return sentence


def test_a_race_from_a_file_is_a_game() -> None:
    game = game_from_text(RACE, "our-farkle")(target=4000)
    assert (game.key, game.title, game.dice, game.settings) == ("our-farkle", "Our Farkle", 6, {"target": 4000})
    table = scorer.Table(game, ["Ada", "Bob"])
    table.do({"do": "throw", "dice": [2, 2, 2, 3, 3, 1]})
    table.do({"do": "set-aside", "dice": [2, 2, 2, 3, 3]})
    table.do({"do": "bank"})
    assert table.scores == [1500, 0]
    for _ in range(3):
        table.do({"do": "throw", "dice": [2, 2, 3, 3, 4, 4]})
        table.do({"do": "throw", "dice": [2, 2, 3, 3, 4, 4]})
    assert table.scores == [500, -1000]


def test_a_sheet_of_six_dice_and_two_throws() -> None:
    table = scorer.Table(game_from_text(SHEET, "ours")(), ["Ada"])
    table.do({"do": "throw", "dice": [6, 6, 6, 2, 2, 1]})
    assert {entry["category"]: entry["points"] for entry in table.legal if entry["do"] == "score"}["full"] == 37
    table.do({"do": "keep", "dice": [6, 6, 6, 2, 2]})
    table.do({"do": "throw", "dice": [5]})
    entries = list(table.legal)
    assert [entry["do"] for entry in entries] == ["score"] * 8  # no third throw
    assert {entry["category"]: entry["points"] for entry in entries}["full"] == 32  # not served any more


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            ("opening = 500", "openning = 500"),
            "6: there is no openning here; there are: dice, end, target, overshoot_to,",
        ),
        (("opening = 500", "dice = 13"), "6: rules.dice must be a whole number from 1 to 12, not 13"),
        (("opening = 500", "dice = 2"), "16: rules.combination 2.alike needs more dice (3) than are thrown (2)"),
        (("dice = [1]", "dice = [7]"), "12: rules.combination 1.dice 1 must be a whole number from 1 to 6, not 7"),
        (("dice = [1]", "run = 3\ndice = [1]"), "11: rules.combination 1 must have exactly one of alike, groups,"),
        (("dice = [1]", "run = [5, 2]"), "12: no dice can show rules.combination 1.run"),
        (("points = 100", "points = [1, 2, 3, 4, 5, 6]"), "13: rules.combination 1.points by face are for"),
        (("points = 1500", ""), "19: points is missing; it must be a whole number from 1 to 1000000"),
        (('name = "target"', 'name = "speed"'), "23: speed is no number and no yes-or-no of these rules;"),
        (("high = 9000", "high = 2000000"), "26: option 1.high must be a whole number from 0 to 1000000, not 2000000"),
        (("low = 1000", "low = 6000"), "9: rules.target must be a whole number from 6000 to 9000, not 5000"),
        (("worth = 1600", "worth = 1700"), "30: the example says 1700, the rules make it 1600"),
        (("[2, 2, 3]]", "[2, 2, 1]]"), "32: the rules do not allow the example: set aside what scores"),
        (('family = "ten-thousand"', 'family = "chess"'), "1: family must be one of ten-thousand, sheet, counter,"),
        (('title = "Our Farkle"', ""), "1: title is missing; it must be a text, or a table of texts by"),
        (
            ('title = "Our Farkle"', 'title = { cs = "Naše" }'),
            "2: title.en is missing; it must be a text of 1 to 40 characters",
        ),
        (
            ('title = "Our Farkle"', 'title = ["Ours"]'),
            "2: title must be a text, or a table of texts by language with en, not a list",
        ),
        (
            ('title = "Our Farkle"', 'title = { en = "Ours", czech = "Naše" }'),
            "2: title.czech is no language; a language has two small letters, such as cs",
        ),
        (('title = "Our Farkle"', 'title = { en = "Ours", cs = " " }'), "2: title.cs is empty"),
        (('summary = "As we play it."', 'summary = " "'), "3: summary is empty"),
        (('summary = "As we play it."', 'summary = "x"\ntext = ["x", " "]'), "4: text 2 is empty"),
        (("low = 1000", 'rules = { opening = 0 }\ntitle = " "'), "26: option 1.title is empty"),
        (
            (
                "[[example]]\ndice",
                '[[option]]\nname = "a"\ntitle = "x"\n[[option.value]]\nname = "a"\n[[example]]\ndice',
            ),
            "31: title is missing; it must be a text, or a table",
        ),
        (("dice = [1]", "dice = []"), "11: rules.combination 1 must have exactly one of alike, groups,"),
        (("dice = [1]", "dice = 1"), "12: rules.combination 1.dice must be a list of 0 to 20 values, not 1"),
        (("dice = [1]", "run = []"), "12: rules.combination 1.run must be a list of 2 values, not an empty list"),
        (("points = 100", "points = [1, 2]"), "13: rules.combination 1.points must be a list of 6 values, not 1, 2"),
        (("low = 1000", "low = 9500"), "26: option 1.high must be a whole number from 9500 to 1000000, not 9000"),
        (("worth = 1600", "worth = 1600\n[[example]]\nworth = 0"), "31: example 2 must have exactly one of dice, turn"),
        (('title = "Our Farkle"', 'title = "{0.x}"'), "2: title has a brace or a character that cannot be"),
        (("[rules]", "[rules"), "5: a part begins with its name between brackets: [rules]"),
        (("low = 1000", 'rules = { end = "exactly" }\ntitle = "exactly"'), "25: rules.end must be one of at-once,"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_line(change: tuple[str, str], sentence: str) -> None:
    assert change[0] in RACE
    assert refused(RACE.replace(*change)).startswith(f"ours.toml, line {sentence}")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (('key = "rest"', 'key = "full"'), "16: rules.cell 2.key full stands twice"),
        (('title = { en = "The rest", cs = "Zbytek" }', ""), "15: title is missing;"),
        (("groups = [3, 2]", "groups = [3, 4]"), "11: rules.cell 1.groups needs more dice (7)"),
        (("groups = [3, 2]", "sum = 40"), "11: rules.cell 1.sum must be a whole number from 6 to 36, not 40"),
        (("throws = 2", 'joker = "forced"'), "7: a joker needs five dice, six upper cells and the cell general"),
        (("worth = 37", "worth = 36"), "22: the example says 36, the rules make it 37"),
        (
            ('cell = "full"', 'cell = "fool"'),
            "19: the rules do not allow the example: “fool” is no cell of the sheet; there are: ones",
        ),
        (('cell = "full"', ""), "19: cell is missing; it must be one of ones, twos, threes"),
        (('title = { en = "The rest", cs = "Zbytek" }', 'title = " "'), "17: rules.cell 2.title is empty"),
    ],
)
def test_what_is_wrong_with_a_sheet_is_said_with_its_line(change: tuple[str, str], sentence: str) -> None:
    assert change[0] in SHEET
    assert refused(SHEET.replace(*change)).startswith(f"ours.toml, line {sentence}")


COUNTER = """\
family = "counter"
title = "Ours"
summary = "A counter."

[rules]
dice = 2
rounds = 3
"""


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("rounds = 3", ""), "5: with these rules nothing ends the game; give one of rounds, target"),
        (("[rules]", "worth = []\n[rules]"), "5: worth stands in the rules, as rules.worth"),
        (("rounds = 3", 'rounds = 3\nturn = "while-it-counts"'), "5: with its usual rules, no turn can be banked"),
        (
            ("rounds = 3", 'rounds = 3\nworth = [{ points = "n(wanted)", says = "how many" }]'),
            "5: wanted is missing; it must be a list of 1 to 30 values",
        ),
        (("rounds = 3", 'rounds = 3\nturn = "bank"\nleave = [2]'), '9: leave and turn = "one-throw" belong together'),
    ],
)
def test_what_is_wrong_with_a_counter_is_said_with_its_line(change: tuple[str, str], sentence: str) -> None:
    game_from_text(COUNTER, "ours")
    assert refused(COUNTER.replace(*change)).startswith(f"ours.toml, line {sentence}")


@pytest.mark.parametrize(
    ("value", "told"),
    [("-5", "-5"), ('"many"', "“many”"), ("5.5", "5.5"), ("{}", "a table"), ("2026-01-01", "a date or a time")],
)
def test_what_is_no_number_of_a_rule_is_said_with_its_line(value: str, told: str) -> None:
    said = refused(RACE.replace("opening = 500", f"opening = {value}"))
    assert said == f"ours.toml, line 6: rules.opening must be a whole number from 0 to 1000000, not {told}"


@pytest.mark.parametrize("blank", ['""', '"   "', '"\\n"', '"\\u3164"', '"\u200b"', '"\u0301"'])
def test_a_blank_title_is_said_with_its_line(blank: str) -> None:
    assert refused(RACE.replace('"Our Farkle"', blank)) == "ours.toml, line 2: title is empty"


def test_a_file_is_named_like_a_key() -> None:
    assert refused(RACE, "Our Farkle") == (
        "Our Farkle.toml: a game file is named in small letters, digits and -, and ends in .toml"
    )


@pytest.mark.parametrize(
    ("path", "line"),
    [(("a",), 1), (("t", "b"), 3), (("t", "long"), 4), (("t", "after"), 9), (("list", 1, "c"), 13), (("list", 7), 10)],
)
def test_lines_of_values(path: tuple[Any, ...], line: int) -> None:
    text = 'a = 1\n[t]\nb = 2 # [x]\nlong = """\n[list]\nb = 3\n"""\n\nafter = [\n1, 2]\n'
    text = text.replace("after = [\n1, 2]", "after = [ [1], 2]") + "[[list]]\nc = 1\n[[list]]\nc = { d = 5 }\n"
    assert line_of(text, path) == line


def test_a_record_carries_the_file_of_a_game_that_does_not_come_along() -> None:
    table = scorer.Table(game_from_text(RACE, "our-farkle")(), ["Ada"])
    table.do({"do": "throw", "dice": [2, 2, 2, 3, 3, 1]})
    record = json.loads(json.dumps(table.record()))
    assert record["file"] == RACE
    assert scorer.Table.from_record(record).standing() == table.standing()
    assert "file" not in scorer.Table(scorer.game("kniffel"), ["Ada"]).record()
    with pytest.raises(DefinitionError, match="line 6"):
        scorer.Table.from_record({**record, "file": RACE.replace("500", "-500", 1)})
    with pytest.raises(scorer.RecordError):
        scorer.Table.from_record({**record, "file": 7})


def test_a_file_named_like_a_game_of_ours_is_advised_by_its_own_rules() -> None:
    assert name_of(game_from_text(RACE, "farkle")(), 1) != name_of(scorer.game("farkle"), 1)


def test_an_option_chooses_among_what_its_rule_may_be() -> None:
    sheet = game_from_text(SHEET + '[[option]]\nname = "throws"\n', "ours")
    assert sheet(throws=10).rules.throws == 10
    for throws in (0, 11):
        with pytest.raises(scorer.OptionError):
            sheet(throws=throws)
    with pytest.raises(scorer.OptionError):
        scorer.game("wicked-three", rounds=0)  # it would never end
    with pytest.raises(scorer.OptionError):
        scorer.game("pig", target=0)


def test_a_sheet_of_several_columns_has_best_play_without_jokers_or_with_those_of_kosci() -> None:
    text = text_of("kosci-triple")
    assert is_solvable(game_from_text(text, "ours")())
    for joker, is_known in (("", True), ('joker = "free"', False)):
        other = game_from_text(text.replace('joker = "further-generals"', joker), "ours")()
        assert (is_solvable(other), has_odds(other)) == (is_known, True)


def test_a_text_that_shows_nothing_is_refused() -> None:
    with pytest.raises(DefinitionError, match="title is empty"):
        game_from_text(RACE.replace('title = "Our Farkle"', 'title = "   "'), "ours")


@pytest.mark.parametrize(
    ("key", "place", "word"),
    [
        ("six-dice", "[rules]", 'confirm = "any"'),
        ("score-pad", "[rules]", 'wins = "rounds"'),
        ("kosci", "[[option]]", "before = true"),
    ],
)
def test_a_word_of_development_files_is_refused_in_one_sentence(key: str, place: str, word: str) -> None:
    text = text_of(key)
    assert place in text
    with pytest.raises(DefinitionError) as refused:
        game_from_text(text.replace(place, f"{place}\n{word}", 1), "ours")
    name = word.partition(" ")[0]
    assert f"there is no {name} here; there are: " in str(refused.value)
