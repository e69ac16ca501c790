"""What a form shows of a game's file: its fields, drawn from their declared types, each with a title for people."""

from __future__ import annotations

import re
import types
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from scorer.categories import CELL_TITLES
from scorer.combinations import Dice
from scorer.definitions.building import RULE_TITLES
from scorer.definitions.game_file import (
    FAMILIES,
    CounterRules,
    GameFile,
    HouseOption,
    OptionValue,
    PadRules,
    SheetRules,
    TenThousandRules,
)
from scorer.definitions.hand_rules import HandRules
from scorer.definitions.patterns import Pattern
from scorer.definitions.rule_tables import Cell, ScoredDice, SheetColumn
from scorer.definitions.shapes import Bounds, LocalText, Path, Word, bounds_of, is_list_of_lists, read_value, types_of
from scorer.definitions.value_table import Worth
from scorer.texts import T, Text, counted_text

# The lists of tables in rules.
LISTS: dict[str, type] = {"combination": ScoredDice, "cell": Cell, "column": SheetColumn, "worth": Worth}
FAMILY_LISTS = {"ten-thousand": "combination", "sheet": "cell", "counter": "worth", "hand": "worth"}

_DICE = T("how many dice")
_ALL_ENDS = {
    "at-once": T("the game ends at once"),
    "finish-round": T("the round is played to its end"),
    "one-more-turn": T("everybody else has one more turn"),
    "round-then-one-more-turn": T("the round is played to its end, then everybody else has one more turn"),
    "exact": T("only just the target wins, and a turn that passes it is lost"),
}
_END = T("when somebody reaches the target")
_ROUNDS = {
    "counts": T("what decides the game"),
    "rounds": T("rounds; 0: none ends the game"),
    "target": T("points, or rounds won, that end the game; 0: none"),
    "end": _END,
}
_WORTH = T("what dice are worth")
_POINTS = T("points, or how they are counted, such as sum - sum(3), n(1) * 100, pattern, rest, max or min")
_SAYS = T("how they are counted, in words")
_WIPED_BY = T("dice that take away all points when a throw shows them, such as 1 1 1")

TITLES: dict[type, dict[str, Text]] = {
    GameFile: {
        "title": T("name of the game"),
        "summary": T("the game in one sentence"),
        "source": T("where the rules are from"),
        "players": T("players, at most"),
    },
    TenThousandRules: {
        "combination": T("scoring table"),
        "dice": _DICE,
        "end": _END,
        **RULE_TITLES,
        "hot_dice": T("when all dice have scored"),
        "wiped_by": _WIPED_BY,
    },
    SheetRules: {
        "cell": T("cells"),
        "upper": T("faces in the upper part"),
        "dice": _DICE,
        "column": T("columns of the sheet"),
        "upper_bonus": T("bonuses: from what upper sum on, and how many points, such as 63 35, each in a line"),
        "joker": T("where five alike go once their cell is filled"),
        **RULE_TITLES,
        "tiers": T("points by the sum of all cells: from what sum on, and how many, each in a line"),
        "difference": T("cells that count by their difference alone: the first less the second, times the third"),
    },
    CounterRules: {
        "worth": _WORTH,
        "dice": _DICE,
        "turn": T("how a turn goes on"),
        "wanted": T("the faces or sums that count, one after the other"),
        "leave": T("faces that leave the turn and count nothing; the other dice are thrown again"),
        **_ROUNDS,
        **RULE_TITLES,
        "wiped_by": _WIPED_BY,
        **_ROUNDS,
    },
    PadRules: {
        **_ROUNDS,
        **RULE_TITLES,
        "dice": T("dice whose sum may be photographed; 0: none"),
        **_ROUNDS,
    },
    HandRules: {
        "worth": _WORTH,
        "dice": _DICE,
        "keep": T("between throws"),
        "keep_order": T("dice that are set aside by themselves, in this order, such as 6 5 4"),
        **_ROUNDS,
        **RULE_TITLES,
        **_ROUNDS,
        "throws": T("throws of a turn, at most; 0: one, again while the dice fit no line"),
        "low_wins": T("low hands win"),
        "lives": T("lives, of which the worst turn of a round loses one; 0: none"),
        "ties": T("equal hands of a round"),
        "begins": T("who begins the next round"),
    },
    Pattern: {
        "alike": T("how many dice alike"),
        "exactly": T("no more than so many"),
        "groups": T("how many of each, such as 3 2"),
        "may_repeat": T("they may show the same face"),
        "run": T("how many in a row; or the lowest and the highest, such as 2 6"),
        "dice": T("which dice, such as 1 1 5; each possibility in a line"),
        "sum": T("all dice together make just"),
    },
    ScoredDice: {
        "points": T("points"),
        "confirm": T("points that must follow before banking; 0: none"),
        "wins": T("a throw with these dice wins the game at once"),
    },
    Worth: {
        "title": T("name"),
        "points": _POINTS,
        "says": _SAYS,
    },
    SheetColumn: {
        "order": T("how its cells are written"),
        "factor": T("how many times its points count"),
    },
    Cell: {
        "title": T("name"),
        "points": _POINTS,
        "says": _SAYS,
        "served": T("points more with the first throw, or with the first, the second and so on, such as 20 10"),
        "wins": T("dice that fit with the first throw win the game at once"),
        "stands": T("how many times the cell stands on the sheet"),
        "tiers": T("points by what the cell holds: from how much on, and how many, such as 52 2, each in a line"),
        "hits": T("points by how often the cell holds points, such as 4 3, each in a line"),
    },
}

# What a form leaves as it is.
UNSHOWN: dict[type, dict[str, str]] = {
    GameFile: {"family": "another one is another game", "order": "own games come first"},
    Cell: {"key": "of records"},
    HouseOption: {"name": "of records"},
    OptionValue: {"name": "of records"},
}

# The kinds of patterns that a form can make another; "" is any dice.
PATTERN_KINDS: dict[str, Text] = {
    "alike": T("dice alike"),
    "groups": T("several groups of dice alike"),
    "run": T("a run"),
    "dice": T("certain dice"),
    "": T("any dice"),
}
# Typed one after the other.
AS_NUMBERS: dict[type, set[str]] = {
    Pattern: {"run"},
    Cell: {"served"},
    TenThousandRules: {"wiped_by"},
    CounterRules: {"wiped_by"},
    HandRules: {"keep_order"},
}

CHOICES: dict[str, dict[str, Text]] = {
    "order": {
        "free": T("in any order"),
        "down": T("from top to bottom"),
        "up": T("from bottom to top"),
        "announced": T("as announced after the first throw"),
    },
    "end": _ALL_ENDS,
    "hot_dice": {
        "may": T("all may be thrown again"),
        "must": T("all must be thrown again"),
        "must-after-one-throw": T("all must be thrown again if one throw scored with all"),
        "multiply": T("all may be thrown again, and points then count twice, three times and so on"),
    },
    "joker": {
        "none": T("they are like any other dice"),
        "forced": T("into the upper cell of their face first"),
        "of-choice": T("into any cell, as a pattern once the upper cell of their face is filled"),
        "original": T("into any lower cell as a pattern, into an upper one for 0"),
        "free": T("into any cell as a pattern"),
        "free-later": T("into any cell as a pattern, but not the first five alike of a player"),
        "further-generals": T("anywhere, and they bring points as in kości"),
    },
    "counts": {
        "totals": T("the total"),
        "rounds": T("the rounds won"),
    },
    "keep": {
        "stays": T("the player sets dice aside, which stay there"),
        "growing": T("a die set aside must be as high as the highest before"),
        "none": T("all dice are thrown again"),
    },
    "ties": {
        "throw-again": T("they throw again"),
        "nobody": T("they change nothing"),
    },
    "begins": {
        "first": T("the first player"),
        "next": T("the next player"),
        "winner": T("whoever won the last one"),
        "loser": T("whoever lost the last one"),
    },
    "turn": {
        "one-throw": T("one throw"),
        "one-die-less": T("throws with a die less each time"),
        "while-it-counts": T("while something counts"),
        "bank": T("until the player banks"),
    },
}


class FormField(NamedTuple):
    """One field of a form. `low` and `high`: of a number, of each of several numbers, or of a text's length; `default`:
    what holds if nothing is written, None for nothing; `choices`: the values with their titles.
    """

    name: str
    title: Text
    kind: Literal["number", "flag", "choice", "faces", "numbers", "sets", "text", "cells"]
    low: int = 0
    high: int = 0
    default: Any = None
    choices: tuple[tuple[str, Text], ...] = ()


@dataclass(frozen=True)
class CommonItem:
    """A combination, a cell or a line of a value table. `tables`: as in a file; `dice`: what it looks like; `words`:
    what it wants; `cell_title`: the title that its key has, "" if none.
    """

    tables: dict[str, Any]
    dice: Dice
    words: Text | None
    cell_title: str = ""


def fields_of(kind: type) -> tuple[FormField, ...]:
    """The fields of a declared type that a form shows, as TITLES has them; lists of tables are shown otherwise."""
    declared, defaults = types_of(kind), {each.name: each.default for each in fields(kind)}
    found = (
        _field(name, title, declared[name], None if defaults[name] is MISSING else defaults[name])
        for name, title in TITLES[kind].items()
        if name in declared and name not in LISTS
    )
    typed = AS_NUMBERS.get(kind, set())
    return tuple(field._replace(kind="numbers") if field.name in typed else field for field in found)


def _field(name: str, title: Text, kind: Any, default: Any) -> FormField:
    wanted = kind
    if get_origin(kind) in (Union, types.UnionType):
        wanted = next(each for each in get_args(kind) if each is not type(None))
    inner, bounds = get_args(wanted)[:2] if get_origin(wanted) is Annotated else (wanted, Bounds(0, 0))
    if get_origin(inner) is Literal:
        choices = tuple((value, CHOICES.get(name, {}).get(value, Text(value))) for value in get_args(inner))
        return FormField(name, title, "choice", default=default, choices=choices)
    if inner is bool:
        return FormField(name, title, "flag", default=default)
    if get_origin(inner) is tuple:
        each = get_args(inner)[0]
        if each is Word:
            return FormField(name, title, "cells")
        if is_list_of_lists(inner):
            return FormField(name, title, "sets", *bounds_of(get_args(get_args(each)[0])[0]), list(default))
        low, high = bounds_of(each)
        return FormField(name, title, "faces" if (low, high) == (1, 6) else "numbers", low, high, list(default or ()))
    if inner is LocalText or inner is str:
        return FormField(name, title, "text", bounds.low, bounds.high, default)
    return FormField(name, title, "number", bounds.low, bounds.high, default)


_ITEMS: dict[str, Callable[[int], Text]] = {
    "combination": lambda number: T("combination {number}", number=number),
    "cell": lambda number: T("cell {number}", number=number),
    "column": lambda number: T("column {number}", number=number),
    "worth": lambda number: T("line {number}", number=number),
}


def field_title(path: Path, family: str) -> Text:
    """A place in a game's tables, in words for people."""
    if path[:1] == ("option",) and len(path) > 1:
        return _title_in_option(path, family)
    if path[:1] == ("text",) and len(path) > 1:
        return T("paragraph {number}", number=int(path[1]) + 1)
    if path[:1] != ("rules",):
        return TITLES[GameFile].get(str(path[0]), Text(str(path[0]))) if path else T("the game")
    kind, name = FAMILIES.get(family, GameFile), str(path[1]) if len(path) > 1 else ""
    if name not in LISTS or len(path) < 3:
        return TITLES[kind].get(name, Text(name)) if name else T("the rules")
    number = int(path[2]) + 1
    item = _ITEMS[name](number)
    last = str(path[3]) if len(path) > 3 else ""
    inner = TITLES[LISTS[name]].get(last) or TITLES[Pattern].get(last)
    return Text("{item}, {field}", {"item": item, "field": inner}) if inner else item


def _title_in_option(path: Path, family: str) -> Text:
    item, inside, title = T("house rule {number}", number=int(path[1]) + 1), path[2:], T("what a table chooses")
    if inside[:1] == ("value",) and len(inside) > 1:
        choice, inside, title = T("choice {number}", number=int(inside[1]) + 1), inside[2:], T("name")
        item = Text("{item}, {field}", {"item": item, "field": choice})
    if inside[:1] == ("rules",) and len(inside) > 1:
        field: Text | None = field_title(inside, family)
    else:
        field = {"title": title, "low": T("least"), "high": T("most")}.get(str(inside[0])) if inside else None
    return Text("{item}, {field}", {"item": item, "field": field}) if field else item


def in_words(value: Any, family: str) -> Any:
    """A parameter of a refusal: a field, a field with its value, or kinds of dice, in words instead of a file's."""
    if isinstance(value, list) and value and all(each in PATTERN_KINDS for each in value):
        return [PATTERN_KINDS[each] for each in value]
    found = re.fullmatch(r'(\w+)(?: = "([\w-]+)")?', value) if isinstance(value, str) else None
    if found is None or found[1] not in TITLES.get(FAMILIES.get(family, GameFile), {}):
        return value
    title = TITLES[FAMILIES[family]][found[1]]
    chosen = CHOICES.get(found[1], {}).get(found[2] or "")
    return Text("{field}: {value}", {"field": title, "value": chosen}) if chosen else title


# --- what may be added -----------------------------------------------------------------------------------------------

_COMBINATIONS: tuple[dict[str, Any], ...] = (
    {"dice": [1], "points": 100},
    {"dice": [5], "points": 50},
    {"alike": 3, "points": [1000, 200, 300, 400, 500, 600]},
    {"alike": 4, "points": 1000},
    {"alike": 5, "points": 2000},
    {"alike": 6, "points": 3000},
    {"groups": [3, 2], "points": 1500},
    {"groups": [2, 2], "points": 500},
    {"groups": [2, 2, 2], "points": 1500},
    {"groups": [3, 3], "points": 2500},
    {"groups": [4, 2], "points": 1500},
    {"run": 4, "points": 500},
    {"run": 5, "points": 1000},
    {"run": 6, "points": 1500},
)
_CELLS: tuple[dict[str, Any], ...] = (
    {"key": "pair", "alike": 2, "points": "pattern"},
    {"key": "two-pairs", "groups": [2, 2], "points": "pattern"},
    {"key": "three-pairs", "groups": [2, 2, 2]},
    {"key": "three", "alike": 3},
    {"key": "four", "alike": 4},
    {"key": "five-alike", "alike": 5, "points": 50},
    {"key": "six-alike", "alike": 6, "points": 100},
    {"key": "full", "groups": [3, 2], "points": 25},
    {"key": "two-threes", "groups": [3, 3]},
    {"key": "small-straight", "run": 4, "points": 30},
    {"key": "large-straight", "run": 5, "points": 40},
    {"key": "whole-straight", "run": 6, "points": 50},
    {"key": "chance"},
)
_WORTHS: tuple[dict[str, Any], ...] = (
    {"alike": 2, "points": "pattern"},
    {"groups": [2, 2], "points": "pattern"},
    {"alike": 3, "points": "pattern"},
    {"alike": 4, "points": "pattern"},
    {"alike": 5, "points": "50"},
    {"groups": [3, 2], "points": "sum"},
    {"run": 3, "points": "max"},
    {"run": 5, "points": "max"},
    {"dice": [6, 5, 4], "points": "sum"},
    {"points": "sum"},
)


_OF_COUNTERS = ({"dice": [1], "points": "bust"}, *_WORTHS)


def common_items(family: str, dice: int) -> list[CommonItem]:
    """What may be added to the scoring table, the sheet or the value table of a game with so many dice."""
    found = {"ten-thousand": _COMBINATIONS, "sheet": _CELLS, "counter": _OF_COUNTERS, "hand": _WORTHS}.get(family, ())
    return [item for item in (common_item(family, tables, dice) for tables in found) if len(item.dice) <= dice]


def common_item(family: str, tables: dict[str, Any], dice: int) -> CommonItem:
    """A combination, a cell or a line of a value table, with what it looks like. Raises WrongShape."""
    read = read_value(LISTS[FAMILY_LISTS[family]], tables, ())
    pattern: Pattern = read
    words = _words_of(pattern, dice) if isinstance(read, ScoredDice) else pattern.describe(dice)
    if isinstance(read, Worth):
        words = read.gives(dice) if read.busts else words or T("any dice")
    return CommonItem(tables, picture(pattern), words, CELL_TITLES.get(tables.get("key", ""), ""))


def _words_of(pattern: Pattern, dice: int) -> Text | None:
    """What a line of a scoring table wants, if its picture does not tell."""
    if pattern.alike is not None:
        return counted_text("{count} alike", "{count} alike", pattern.alike) if pattern.alike > 1 else None
    return None if pattern.dice else pattern.describe(dice)


def picture(pattern: Pattern) -> Dice:
    """Dice that show a pattern of faces; none for a pattern of any dice."""
    sets = pattern.sets()
    return sets[len(sets) // 2] if sets else ()
