"""House rules of every form and family: written into a file and read again they mean the same."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, Literal, get_args, get_origin

import pytest

from scorer.definitions.building import game_from_text
from scorer.definitions.changed_game import try_game
from scorer.definitions.definition import DefinitionError
from scorer.definitions.game_file import FAMILIES
from scorer.definitions.shapes import WrongShape, read_value, types_of
from scorer.definitions.toml_writer import toml_text
from scorer.definitions.trial import _variants
from scorer.games import text_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

# A game of each family whose rules differ from what holds in a file that says nothing.
GAMES = {"ten-thousand": "farkle-tables", "sheet": "kosci-triple", "counter": "pig", "pad": "ship-captain-crew"}
TRIED = (True, False, 0, 1, 2, 6, 50, 1000, [], [1], [2, 5], [1, 2, 3], "chance", "general")


def tables_of(family: str) -> dict[str, Any]:
    return {**tomllib.loads(text_of(GAMES[family])), "option": [], "example": []}


def values(family: str, name: str) -> Iterator[Any]:
    """A few values that the rule of this name takes, its default among them, as a file has them."""
    kind = FAMILIES[family]
    declared = types_of(kind)[name]
    default = next(field.default for field in fields(kind) if field.name == name)
    wanted = get_args(declared) if get_origin(declared) is Literal else TRIED
    if name in ("combination", "cell"):
        yield tables_of(family)["rules"][name][::-1]
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
    played = 0
    for value in values(family, name):
        for option in forms(name, {name: value}):
            tables = {**tables_of(family), "option": [option]}
            assert tomllib.loads(toml_text(tables)) == tables
            try:
                game_from_text(toml_text(tables), "ours")
            except DefinitionError:
                continue  # such as of two rules that go together
            tried = try_game(tables)
            assert tried.left_out == ()
            (written,) = tomllib.loads(tried.text)["option"]
            assert written == option
            played += same_games(tables, tried.text)
    assert played or name == "confirm", "no value of this rule is tried"


@pytest.mark.parametrize(("family", "name"), RULES)
def test_an_option_that_is_named_alone_means_the_same_once_it_was_written(family: str, name: str) -> None:
    declared = str(types_of(FAMILIES[family])[name])
    if "tuple" in declared or "Literal" in declared or name in ("dice", "columns", "joker_cell"):
        return
    bounds = [{}] if "bool" in declared else [{}, {"low": 1}, {"high": 5}, {"low": 1, "high": 5}]
    for more in bounds:
        tables = tables_of(family)
        if "bool" not in declared:
            tables["rules"][name] = 3
        tables["option"] = [{"name": name, **more, "before": "bool" in declared or 3}]
        try:
            game_from_text(toml_text(tables), "ours")
        except DefinitionError:
            continue
        tried = try_game(tables)
        assert tomllib.loads(tried.text)["option"] == tables["option"]
        assert same_games(tables, tried.text) > 1
        (option,) = game_from_text(tried.text, "ours").options
        assert option.before is (True if "bool" in declared else 3)


def same_games(tables: dict[str, Any], text: str) -> int:
    """How many variants the game has; each has the same rules by the file."""
    kind = game_from_text(text, "ours")
    variants = list(_variants(kind))
    for settings in variants:
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
    return len(variants)
