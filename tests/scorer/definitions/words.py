"""Counts the words that files of games may say: `python -m tests.scorer.definitions.words`.

A word that at most one game uses is too much language for what it says: tests hold these counts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Literal, get_args, get_origin

from scorer.definitions.contest_rules import (
    ContestRounds,
    ContestRules,
    EndRules,
    RoundRules,
    TargetRace,
    TargetRules,
    TeamRules,
    TotalRules,
)
from scorer.definitions.definition import join_tables
from scorer.definitions.game_file import (
    CounterRules,
    Example,
    GameFile,
    HouseOption,
    NamedRules,
    OptionValue,
    PadRules,
    SheetRules,
    TenThousandRules,
)
from scorer.definitions.hand_rules import HandTurn
from scorer.definitions.patterns import Pattern
from scorer.definitions.rule_tables import Cell, ScoredDice, SheetColumn
from scorer.definitions.shapes import types_of
from scorer.definitions.turn_rules import DiceRules, ThrowRules, WorthRules
from scorer.definitions.value_table import Worth
from scorer.games import from_file, keys, text_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

OF_RULES = (
    TenThousandRules,
    SheetRules,
    CounterRules,
    PadRules,
    HandTurn,
    DiceRules,
    ThrowRules,
    WorthRules,
    TotalRules,
    TargetRules,
    EndRules,
    TargetRace,
    RoundRules,
    TeamRules,
    ContestRounds,
    ContestRules,
)
OF_LINES = (Worth, ScoredDice, Cell, SheetColumn, Pattern)
OF_FILES = (GameFile, NamedRules, HouseOption, OptionValue, Example)


def own_fields(kind: type) -> list[str]:
    """The fields of a table, without those of a table that it is built on."""
    inherited = {name for base in kind.__mro__[1:] for name in getattr(base, "__dataclass_fields__", ())}
    return [each.name for each in fields(kind) if each.name not in inherited]


def choice_values(kind: Any) -> list[str]:
    """The values of a choice, anywhere in a type."""
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    return [value for each in get_args(kind) if not isinstance(each, str | int) for value in choice_values(each)]


def counts() -> dict[str, int]:
    """Fields and values of choices of the whole language; `few`: words of rules that at most one game says."""
    kinds = (*OF_RULES, *OF_LINES, *OF_FILES)
    return {
        "fields": sum(len(own_fields(kind)) for kind in kinds),
        "values": sum(len(choice_values(types_of(kind)[name])) for kind in kinds for name in own_fields(kind)),
        "few": sum(len(games) < 2 for games in games_by_word().values()),
    }


def games_by_word() -> dict[str, list[str]]:
    """Which games say each word of rules."""
    said = {key: set(_words_of(key)) for key in keys() if from_file(key)}
    words = sorted({name for kind in (*OF_RULES, *OF_LINES) for name in own_fields(kind)})
    return {word: [key for key, each in said.items() if word in each] for word in words}


def _words_of(key: str) -> Iterator[str]:
    """The words of a game's rules, and of those that its tables may choose."""
    tables = join_tables(tomllib.loads(text_of(key)))
    yield from _words_in(tables["rules"])
    for option in tables.get("option", ()):
        yield option["name"]
        for each in (option, *option.get("value", ())):
            yield from _words_in(each.get("rules", {}))


def _words_in(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from value
    for each in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from _words_in(each)


if __name__ == "__main__":
    for name, count in counts().items():
        print(f"{name:8} {count:4}")
    for word, games in games_by_word().items():
        if len(games) < 2:
            print(f"  {word}: {', '.join(games) or 'no game'}")
