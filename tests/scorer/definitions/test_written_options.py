"""House rules of every form and family: written into a file and read again they mean the same."""

import sys
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, Literal, get_args, get_origin

import pytest

from scorer.definitions.building import game_from_text, variants
from scorer.definitions.changed_game import try_game
from scorer.definitions.definition import DefinitionError, join_tables
from scorer.definitions.game_file import FAMILIES
from scorer.definitions.shapes import WrongShape, read_value, types_of
from scorer.definitions.toml_writer import toml_text
from scorer.games import text_of

pytestmark = pytest.mark.whole

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

# A game of each family whose rules differ from what holds in a file that says nothing.
GAMES = {"ten-thousand": "farkle-tables", "sheet": "kosci-triple", "counter": "pig", "hand": "threes"}
PAD = {"rounds": 5, "dice": 2}
TRIED = (True, False, 0, 1, 2, 5, 6, 50, 1000, [], [1], [2, 5], [1, 2, 3], "chance", "general")
TRIED += (["ones", "twos", "chance"], [{"order": "down"}, {"order": "announced"}], [{}, {"factor": 2}])


def tables_of(family: str) -> dict[str, Any]:
    if family == "pad":
        return {"family": "pad", "title": "Ours", "summary": "Ours.", "rules": {**PAD}, "option": [], "example": []}
    return {**join_tables(tomllib.loads(text_of(GAMES[family]))), "option": [], "example": []}


def values(family: str, name: str) -> Iterator[Any]:
    """A few values that the rule of this name takes, its default among them, as a file has them."""
    kind = FAMILIES[family]
    declared = types_of(kind)[name]
    default = next(field.default for field in fields(kind) if field.name == name)
    wanted = get_args(declared) if get_origin(declared) is Literal else TRIED
    if name in ("combination", "cell", "worth"):
        yield tables_of(family)["rules"].get(name, [{"points": "max"}])[::-1]
        return
    seen: list[Any] = []
    for value in (list(default) if isinstance(default, tuple) else default, *wanted):
        try:
            read_value(declared, value, ())
        except (WrongShape, TypeError):
            continue
        if value not in seen or (type(value) is bool) != any(type(each) is bool for each in seen if each == value):
            seen.append(value)
            yield value


def forms(name: str, rules: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """An option with these rules as a yes-or-no, as the second value of a choice, and as its first."""
    value = {"name": "one", "title": {"en": "One", "cs": "Jedna"}, "rules": rules}
    other = {"name": "two", "title": "Two"}
    yield {"name": "ours", "title": {"en": "Ours", "pl": "Nasze"}, "rules": rules}
    yield {"name": name, "title": "Ours", "value": [other, value]}
    yield {"name": name, "title": "Ours", "value": [value, {**other, "rules": {}}]}


RULES = [(family, field.name) for family, kind in FAMILIES.items() for field in fields(kind)]


@pytest.mark.parametrize(("family", "name"), RULES)
def test_each_form_of_an_option_means_the_same_once_it_was_written(family: str, name: str) -> None:
    played = idle = 0
    for value in values(family, name):
        for option in forms(name, {name: value}):
            tables = {**tables_of(family), "option": [option]}
            assert join_tables(tomllib.loads(toml_text(tables))) == tables
            try:
                game_from_text(toml_text(tables), "ours")
            except DefinitionError as refusal:  # such as of two rules that go together
                idle += refusal.reason in ("definition-idle-option", "definition-equal-choices")
                continue
            tried = try_game(tables)
            assert tried.left_out == ()
            (written,) = tomllib.loads(tried.text)["option"]
            assert written == option
            played += same_games(tables, tried.text)
    assert played or idle, "no value of this rule is tried"


@pytest.mark.parametrize(("family", "name"), RULES)
def test_an_option_that_is_named_alone_means_the_same_once_it_was_written(family: str, name: str) -> None:
    declared = str(types_of(FAMILIES[family])[name])
    if "tuple" in declared or "Literal" in declared or name in ("dice", "columns"):
        return
    bounds = [{}] if "bool" in declared else [{}, {"low": 1}, {"high": 5}, {"low": 1, "high": 5}]
    for more in bounds:
        tables = tables_of(family)
        if "bool" not in declared:
            tables["rules"][name] = 3
        tables["option"] = [{"name": name, **more}]
        try:
            game_from_text(toml_text(tables), "ours")
        except DefinitionError:
            continue
        tried = try_game(tables)
        assert tomllib.loads(tried.text)["option"] == tables["option"]
        assert same_games(tables, tried.text) > 1


def same_games(tables: dict[str, Any], text: str) -> int:
    """How many variants the game has; each has the same rules by the file."""
    kind = game_from_text(text, "ours")
    tried = list(variants(kind.options))
    for settings in tried:
        meant = tables["rules"].copy()
        for option in tables["option"]:
            chosen = kind(**settings).settings[option["name"]]
            if "value" in option:
                meant |= next(each.get("rules", {}) for each in option["value"] if each["name"] == chosen)
            elif "rules" in option:
                meant |= option["rules"] if chosen else {}
            else:
                meant[option["name"]] = chosen
        plain = {**tables, "rules": meant, "option": []}
        assert game_from_text(toml_text(plain), "ours")().rules == kind(**settings).rules
    return len(tried)
