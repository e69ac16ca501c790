"""Actions as in records, and functions that check and read their fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.refusals import IllegalAction
from scorer.texts import T, json_type, printable, printable_name

Action = Mapping[str, Any]
Event = dict[str, Any]
Events = tuple[Event, ...]
Entry = dict[str, Any]

FACES = (1, 2, 3, 4, 5, 6)

HOLDING = (list, tuple, Mapping)  # values of JSON that hold others

MOST_NAMED = 12  # dice that one sentence lists

ADJUST = "adjust"
MOST_POINTS = 1_000_000  # an adjustment gives at most this many, or as many below 0
MOST_BY_HAND = 100_000  # a person writes at most this many, or the target of the game

# What `legal` and `add_banking` add to an action. `do` ignores these fields, so it accepts entries as they were shown.
ANNOTATIONS = frozenset(
    {
        "points",
        "dice_left",
        "bonus",
        "wins",
        "count",
        "from",
        "low",
        "high",
        "may_bank",
        "bank_refusal",
        "beside",
        "open",
    }
)


def read_verb(action: Any) -> str:
    """The `do` of an action; refuses a value that is no action."""
    # Asking for dict first is quicker, and nearly all are.
    if not isinstance(action, dict) and not isinstance(action, Mapping):
        raise IllegalAction("not-an-action", got=json_type(action))
    verb = action.get("do")
    if not isinstance(verb, str):
        raise IllegalAction("no-verb")
    return verb


def check_fields(action: Action, verb: str, fields: frozenset[str]) -> None:
    """Refuses an action with a missing or an unknown field. `fields` includes "do"."""
    if action.keys() == fields:
        return
    for name in sorted(fields):
        if name not in action:
            raise IllegalAction("missing-field", action=verb, field=name)
    for name in action:
        if name not in fields and name not in ANNOTATIONS:
            raise IllegalAction("unknown-field", action=verb, field=printable_name(name))


def clean(action: Action, fields: frozenset[str]) -> dict[str, Any]:
    """A copy of the action for the record: its own fields only, "do" first."""
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
    """The dice of a throw; refuses any other number than `count`."""
    dice = read_dice(value)
    if len(dice) != count:
        raise IllegalAction("wrong-count", expected=count, got=len(dice))
    return dice


def read_number(value: Any, name: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise IllegalAction(
            "not-in-range", field=T("points") if name == "points" else name, low=low, high=high, got=printable(value)
        )
    return value


def read_flag(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise IllegalAction("not-true-or-false", field=name, got=printable(value))
    return value


def take_from(dice: tuple[int, ...], table: tuple[int, ...]) -> tuple[int, ...]:
    """The dice of `table` without `dice`; refuses dice that do not lie there."""
    left = list(table)
    for die in dice:
        if die not in left:
            raise IllegalAction("dice-not-there", dice=_few(dice), table=list(table))
        left.remove(die)
    return tuple(left)


def _few(dice: tuple[int, ...]) -> list[Any]:
    """The dice, cut short for a sentence."""
    return list(dice) if len(dice) <= MOST_NAMED else [*dice[:MOST_NAMED], "..."]


def copy_json(value: Any) -> Any:
    """A copy of JSON values that the caller may change; tuples become lists."""
    if isinstance(value, Mapping):
        return {name: copy_json(item) if isinstance(item, HOLDING) else item for name, item in value.items()}
    if not isinstance(value, (list, tuple)):
        return value
    return [copy_json(item) if isinstance(item, HOLDING) else item for item in value]
