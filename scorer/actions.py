"""Actions as they stand in records, and the reading of their fields: plain JSON in, checked values out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.refusals import IllegalAction
from scorer.texts import json_type, printable, printable_name

Action = Mapping[str, Any]
Event = dict[str, Any]
Events = tuple[Event, ...]
Entry = dict[str, Any]

FACES = (1, 2, 3, 4, 5, 6)

MOST_NAMED = 12  # dice in a sentence

ADJUST = "adjust"
MOST_POINTS = 1_000_000  # that a person may say, either way

# What `legal` adds to an action to say what it would bring: let pass, so that an entry of `legal` may be done as it is.
ANNOTATIONS = frozenset({"points", "dice_left", "bonus", "count", "from"})


def read_verb(action: Any) -> str:
    """What an action wants done; refuses what is no action at all."""
    # Asking for dict first is quicker, and nearly all are.
    if not isinstance(action, dict) and not isinstance(action, Mapping):
        raise IllegalAction("not-an-action", got=json_type(action))
    verb = action.get("do")
    if not isinstance(verb, str):
        raise IllegalAction("no-verb")
    return verb


def check_fields(action: Action, verb: str, fields: frozenset[str]) -> None:
    """Refuses an action that lacks one of its fields or has one that it cannot have. `fields` includes "do"."""
    if action.keys() == fields:
        return
    for name in sorted(fields):
        if name not in action:
            raise IllegalAction("missing-field", action=verb, field=name)
    for name in action:
        if name not in fields and name not in ANNOTATIONS:
            raise IllegalAction("unknown-field", action=verb, field=printable_name(name))


def clean(action: Action, fields: frozenset[str]) -> dict[str, Any]:
    """The action alone, as it goes into the record: a copy of the fields that belong to it, "do" first."""
    cleaned: dict[str, Any] = {"do": action["do"]}
    for name, value in action.items():
        if name in fields:
            cleaned[name] = copy_json(value)
    return cleaned


def read_dice(value: Any) -> tuple[int, ...]:
    """Any number of dice, in the order given."""
    if not isinstance(value, (list, tuple)):
        raise IllegalAction("dice-not-a-list", got=printable(value))
    for place, die in enumerate(value, start=1):
        if type(die) is not int or not 1 <= die <= 6:
            raise IllegalAction("not-a-die", got=printable(die), place=place, count=len(value))
    return tuple(value)


def read_throw(value: Any, count: int) -> tuple[int, ...]:
    """The dice of a throw that must have `count` of them."""
    dice = read_dice(value)
    if len(dice) != count:
        raise IllegalAction("wrong-count", expected=count, got=len(dice))
    return dice


def read_number(value: Any, name: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise IllegalAction("not-in-range", field=name, low=low, high=high, got=printable(value))
    return value


def read_flag(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise IllegalAction("not-true-or-false", field=name, got=printable(value))
    return value


def take_from(dice: tuple[int, ...], table: tuple[int, ...]) -> tuple[int, ...]:
    """What is left of the dice on the table when `dice` are taken; refuses dice that do not lie there."""
    left = list(table)
    for die in dice:
        if die not in left:
            raise IllegalAction("dice-not-there", dice=_few(dice), table=list(table))
        left.remove(die)
    return tuple(left)


def _few(dice: tuple[int, ...]) -> list[Any]:
    """Dice as a sentence may name them: not thousands."""
    return list(dice) if len(dice) <= MOST_NAMED else [*dice[:MOST_NAMED], "..."]


def copy_json(value: Any) -> Any:
    """A copy of JSON values that the caller may change; tuples become lists."""
    if isinstance(value, Mapping):
        return {name: copy_json(item) for name, item in value.items()}
    if not isinstance(value, (list, tuple)):
        return value
    return [copy_json(item) if isinstance(item, (list, tuple, Mapping)) else item for item in value]
