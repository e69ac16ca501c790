"""Tables of a game as the text of a file: fields in their declared order, dice in one line, paragraphs in many.

Our own, since the rules need nothing but Python, and the libraries at hand write each die on a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from scorer.actions import MOST_POINTS
from scorer.definitions.contest_rules import ContestRules
from scorer.definitions.game_file import (
    CounterRules,
    Example,
    GameFile,
    HouseOption,
    OptionValue,
    PadRules,
    SheetRules,
    TenThousandRules,
)
from scorer.definitions.hand_rules import HandRules
from scorer.definitions.rule_tables import Cell, ScoredDice, SheetColumn
from scorer.definitions.shapes import Path, types_of, value_in_words, wrong_value
from scorer.definitions.value_table import Worth
from scorer.texts import T

BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
DEEPEST = 12  # an option has values, these have rules, these cells, these patterns of sets of dice
WIDEST_LIST = 100  # of a list in one line
NUMBER_BITS = 63  # of a whole number in TOML
ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}

_KINDS = (
    GameFile,
    TenThousandRules,
    SheetRules,
    CounterRules,
    PadRules,
    HandRules,
    Worth,
    ScoredDice,
    Cell,
    SheetColumn,
    HouseOption,
    OptionValue,
    Example,
)
_DECLARED = (field.name for kind in _KINDS for field in fields(kind))
# What is declared first is written first, after the names. Fields that several types share have one place in all.
ORDER = {name: place for place, name in enumerate(dict.fromkeys(("family", "kind", "key", "name", *_DECLARED)))}


def toml_text(tables: Mapping[str, Any]) -> str:
    """The text of the file that has these tables, as `tomllib` returns them. Raises WrongShape for other values."""
    rules = tables.get("rules")
    if tables.get("family") == "hand" and isinstance(rules, Mapping):
        apart = types_of(ContestRules)
        turn = {"kind": "hand", **{name: each for name, each in rules.items() if name not in apart}}
        contest = {name: each for name, each in rules.items() if name in apart}
        others = {name: each for name, each in tables.items() if name not in ("family", "rules")}
        tables = {**others, "turn": turn, "contest": contest}
    return "\n".join(_lines(tables, (), ())).strip("\n") + "\n"


def _lines(table: Mapping[str, Any], name: tuple[str, ...], path: Path) -> Iterator[str]:
    """The lines of a table without its header: its values, then its tables."""
    names = sorted(table, key=lambda each: (ORDER.get(each, len(ORDER)), each))
    nested = [each for each in names if _has_header(table[each], (*name, each))]
    for each in names:
        if each not in nested:
            yield f"{_key(each)} = {_value(table[each], (*path, each))}"
    for each in nested:
        inner, title = table[each], ".".join(map(_key, (*name, each)))
        if isinstance(inner, Mapping):
            lines = list(_lines(inner, (*name, each), (*path, each)))
            yield from lines if lines and not lines[0] else ("", f"[{title}]", *lines)
        else:
            for place, item in enumerate(inner):
                yield from ("", f"[[{title}]]", *_lines(item, (*name, each), (*path, each, place)))


def _has_header(value: Any, name: tuple[str, ...]) -> bool:
    """Whether a value is written as a table of its own, or as several: rules are, and lists of tables."""
    if len(name) > DEEPEST:
        return False
    if isinstance(value, Mapping):
        return name in (("rules",), ("turn",), ("contest",)) or any(
            _has_header(each, (*name, key)) for key, each in value.items()
        )
    return isinstance(value, list) and bool(value) and all(isinstance(each, Mapping) for each in value)


def _value(value: Any, path: Path) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and value.bit_length() <= NUMBER_BITS:
        return str(value)
    if isinstance(value, str):
        return _in_quotes(value)
    if len(path) <= DEEPEST and isinstance(value, list):
        items = [_value(each, (*path, place)) for place, each in enumerate(value)]
        if sum(map(len, items)) <= WIDEST_LIST or len(path) != 1:
            return f"[{', '.join(items)}]"
        return "".join(("[\n", *(f"    {item},\n" for item in items), "]"))
    if len(path) <= DEEPEST and isinstance(value, Mapping):
        pairs = (f"{_key(key)} = {_value(each, (*path, key))}" for key, each in value.items())
        return f"{{ {', '.join(pairs)} }}" if value else "{}"
    choices = [T("a text of {low} to {high} characters", low=0, high=1000), T("true or false")]
    allowed = T(
        "one of {choices}", choices=[T("a whole number from {low} to {high}", low=0, high=MOST_POINTS), *choices]
    )
    raise wrong_value(path, allowed, value_in_words(value))


def _key(name: str) -> str:
    return name if BARE_KEY.fullmatch(name) else _in_quotes(name)


def _in_quotes(text: str) -> str:
    return f'"{"".join(map(_escape, text))}"'


def _escape(sign: str) -> str:
    if sign in ESCAPES:
        return ESCAPES[sign]
    if "\ud800" <= sign <= "\udfff":
        return "\\uFFFD"  # half of a character, which no file can hold
    return sign if sign >= " " and sign != "\x7f" else f"\\u{ord(sign):04X}"
