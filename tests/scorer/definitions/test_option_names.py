"""An option may have any name: that of a rule, or of anything that games and their kinds have, changes nothing."""

import random
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import pytest

import scorer
from scorer.definitions.building import game_from_text
from scorer.definitions.game_file import FAMILIES, GameFile
from scorer.definitions.shapes import WORD
from scorer.definitions.toml_writer import toml_text
from scorer.options import WholeNumber
from tests.scorer.test_every_game import any_action

pytestmark = pytest.mark.whole

RULES: dict[str, dict[str, Any]] = {
    "ten-thousand": {
        "target": 1500,
        "combination": [{"dice": [1], "points": 100}, {"dice": [5], "points": 50}, {"alike": 3, "points": 400}],
    },
    "sheet": {"upper_bonus": [[63, 35]], "cell": [{"key": "chance"}, {"key": "pair", "alike": 2, "points": 10}]},
    "counter": {"dice": 2, "turn": "bank", "limit": 30, "target": 60, "rounds": 9},
    "pad": {"target": 60, "rounds": 9, "teams": 2},
    "hand": {"target": 60, "rounds": 9, "keep_at_least": 1, "worth": [{"points": "sum"}]},
}
# What the choices and the yes-or-no change.
CHANGED: dict[str, dict[str, Any]] = {
    "ten-thousand": {"target": 800, "hot_dice": "must", "end": "exact", "nothing_scores": 100, "dice": 5},
    "sheet": {
        "column": [{"order": "up"}, {"factor": 2}, {"order": "announced"}],
        "throws": 2,
        "upper_bonus": [[10, 35]],
        "saved_throws": 2,
        "dice": 4,
    },
    "counter": {"turn": "one-throw", "rounds": 4, "target": 0, "limit": 0, "low_wins": True, "dice": 3},
    "pad": {"target": 0, "rounds": 4, "low_wins": True, "dice": 3, "counts": "rounds"},
    "hand": {
        "target": 0,
        "rounds": 4,
        "low_wins": True,
        "counts": "rounds",
        "throws": 2,
        "begins": "winner",
        "dice": 3,
    },
}


NOT_ALONE = {"lives", "ranked"}  # of a hand: each needs another rule beside it


def tables_of(family: str, rules: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"family": family, "title": "Ours", "summary": "Ours.", "rules": dict(rules), **more}


def values_of(family: str) -> list[dict[str, Any]]:
    """Of a choice."""
    return [{"name": "other", "title": "o", "rules": CHANGED[family]}, {"name": "as-it-is", "title": "as it is"}]


def kind_of(tables: Mapping[str, Any]) -> Any:
    return game_from_text(toml_text(tables), "ours")


def names_of(family: str) -> list[str]:
    """Every name that a game of this family, its kind, its rules or its file has, and some that Python gives."""
    kind = kind_of(tables_of(family, RULES[family]))
    found = {*dir(kind()), *dir(kind), *dir(kind().rules), *dir(kind().info)}
    found |= {field.name for each in (*FAMILIES.values(), GameFile) for field in fields(each)}
    found |= {"self", "cls", "key", "text", "text_", "kwargs", "options", "player", "state", "do", "what", "0", "class"}
    return sorted(name for name in found if WORD.fullmatch(name) and name != "file" and len(name) <= 40)


def played(game: scorer.Game[Any], seed: str) -> list[Any]:
    """All that is shown of a random game, without the names of options; its record replays to the same."""
    rng, table, shown = random.Random(seed), scorer.Table(game, ["Ada", "Bob"]), []
    for _ in range(25):
        if table.over:
            break
        table.do(any_action(table, rng))
        shown.append(str(game.step(table.actions[-1])))
    standing = table.standing()
    again = scorer.Table.from_record(table.record())
    assert again.standing() == standing
    assert again.record() == table.record()
    rules = [str(line) for section in game.short_rules() for line in (*section.paragraphs, *section.rows)]
    return [shown, {**standing, "options": {}}, rules, game.sentences(), game.points_by_hand("total")]


@pytest.fixture(scope="module", params=list(RULES))
def family(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_choice_of_any_name_does_what_its_title_says(family: str) -> None:
    plain = played(kind_of(tables_of(family, RULES[family]))(), family)
    other = played(kind_of(tables_of(family, {**RULES[family], **CHANGED[family]}))(), family)
    assert plain != other
    wrong = []
    for name in names_of(family):
        kind = kind_of(
            tables_of(family, RULES[family], option=[{"name": name, "title": "which", "value": values_of(family)}])
        )
        for options in ({}, {name: "as-it-is"}, {name: "other"}):
            assert kind(**options).settings == {name: "other", **options}
        assert kind().rules == kind(**{name: "other"}).rules
        for options, expected in (({}, other), ({name: "as-it-is"}, plain)):
            if played(kind(**options), family) != expected:
                wrong.append((name, options))
    assert wrong == []
    assert len(names_of(family)) > 60


def test_a_yes_or_no_of_any_name_does_what_its_title_says(family: str) -> None:
    rules = kind_of(tables_of(family, RULES[family]))().rules
    other = played(kind_of(tables_of(family, {**RULES[family], **CHANGED[family]}))(), family)
    wrong = []
    for name in names_of(family):
        option = {"name": name, "title": "whether", "rules": CHANGED[family]}
        kind = kind_of(tables_of(family, RULES[family], option=[option]))
        assert kind().rules == rules
        if played(kind(**{name: True}), family) != other:
            wrong.append(name)
    assert wrong == []


def test_a_name_alone_is_a_number_or_a_yes_or_no_of_the_rules(family: str) -> None:
    rules = kind_of(tables_of(family, RULES[family]))().rules
    of_rules = {each.name for each in fields(rules) if isinstance(getattr(rules, each.name), int)} - {"dice", "columns"}
    for name in names_of(family):
        tables = tables_of(family, RULES[family], option=[{"name": name}])
        if name not in of_rules and (family, name) != ("ten-thousand", "bank_with_at_most"):
            with pytest.raises(scorer.Refusal, match="is no number and no yes-or-no of these rules"):
                kind_of(tables)
            continue
        if family == "hand" and name in NOT_ALONE:
            with pytest.raises(scorer.Refusal, match="together"):
                kind_of(tables)
            continue
        kind = kind_of(tables)
        (option,) = kind.options
        for value in [option.low, option.high - 1] if isinstance(option, WholeNumber) else [not option.default]:
            game = kind(**{name: value})
            assert getattr(game.rules, name) == value
            played(game, family)
