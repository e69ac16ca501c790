"""Sentences about actions. A game declares them once; pages and commands render them in Python, the phones' scripts
from the same declaration (shared/sentences.js).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from scorer.actions import Action
from scorer.texts import Text

NAMES = re.compile(r"\{(\w+)\}")


class Phrase(NamedTuple):
    """A sentence for actions with the values `when`; None there means that the field is missing.

    `many`: the plural, if the text has `{count}`. Braces name a field or a key of `_VALUES`. Dice that no braces
    name follow the text.
    """

    text: str
    many: str | None
    when: Mapping[str, Any]


Phrases = tuple[Phrase, ...]  # the first that fits an action is used


def phrase(text: str, /, **when: Any) -> Phrases:
    return (Phrase(text, None, when),)


def counted_phrase(one: str, many: str, /, **when: Any) -> Phrases:
    return (Phrase(one, many, when),)


class Verb(NamedTuple):
    """An action of a game: its `fields` in a record, and its sentences.

    `done`: the action as a step that was done. `choice`: as something to choose. `offer`: a shorter `choice` beside
    dice. `stays`: what an adjustment keeps when an earlier step is corrected.
    """

    fields: tuple[str, ...]
    done: Phrases
    choice: Phrases = ()
    offer: Phrases = ()
    stays: Phrases = ()

    def to_json(self) -> dict[str, Any]:
        """Without empty values, since every table's page carries it. Scripts use `choice` if there is no `offer`."""
        said = {"done": self.done, "choice": self.choice, "offer": self.offer, "stays": self.stays}
        return {
            form: [{name: value for name, value in each._asdict().items() if value} for each in phrases]
            for form, phrases in said.items()
            if phrases
        }


_THROW = counted_phrase("throw {count} die", "throw {count} dice")
THROW = Verb(("dice",), phrase("threw"), _THROW)
CHOOSE = Verb(("count",), counted_phrase("chose {count} die", "chose {count} dice"), _THROW)
KEEP = Verb(
    ("dice",),
    done=phrase("kept nothing", dice=[]) + phrase("kept"),
    choice=phrase("keep nothing", dice=[]) + phrase("keep {dice}"),
    offer=phrase("throw all again", dice=[]) + phrase("keep"),
)
SET_ASIDE = Verb(("dice",), phrase("set aside"), phrase("set aside"))
BANK = Verb((), phrase("banked", points=None) + phrase("banked {points}"), phrase("bank"))
SCORE = Verb(("category",), phrase("wrote {category}"), phrase("write {category}"))
SCORE_IN_COLUMN = Verb(
    ("category", "column"),
    done=phrase("wrote {category} in column {column}"),
    choice=phrase("write {category} in column {column}"),
)
SCORE_BY_FACTOR = SCORE_IN_COLUMN._replace(offer=phrase("write {category} ×{column}"))
ANNOUNCE = Verb(("category",), phrase("announced {category}"), phrase("announce {category}"))
WRITTEN: Phrases = (  # into a cell by hand
    phrase("turn settled by hand: nothing written", category=None)
    + phrase("{category} opened again by hand", points=None)
    + phrase("{category} settled by hand: {points}")
)
LEFT_OUT: Phrases = phrase("{name} writes nothing in that turn.", category=None)

# Titles of fields' values: `{"category": {"pair": Text("One pair")}}`.
Titles = Mapping[str, Mapping[str, Text]]


def sentence(phrases: Phrases, action: Action, titles: Titles) -> Text:
    """The words for an action, as part of a sentence: `write One pair`."""
    said = next(each for each in phrases if all(action.get(name) == value for name, value in each.when.items()))
    params = {name: _value(name, action, titles) for name in NAMES.findall(said.text)}
    if said.many is not None:
        return Text(said.text, params, said.many)
    text = Text(said.text, params)
    if action.get("dice") and "dice" not in params:
        return Text("{text} {dice}", {"text": text, "dice": _value("dice", action, titles)})
    return text


def _value(name: str, action: Action, titles: Titles) -> Any:
    if name in titles:
        return titles[name][action[name]]
    return _VALUES[name](action) if name in _VALUES else action[name]


_VALUES: dict[str, Callable[[Action], Any]] = {
    "dice": lambda action: "\u00a0".join(map(str, action["dice"])),  # in one line that never breaks
    "count": lambda action: action["count"] if "count" in action else len(action.get("cells", action.get("dice"))),
    "row": lambda action: action["cell"][0],
    "column": lambda action: action["cell"][1] if "cell" in action else action["column"],
    "cells": lambda action: ", ".join(f"{row}/{column}" for row, column in action["cells"]),
    "tiles": lambda action: ", ".join(map(str, action["tiles"])),
    "name": lambda action: action["name"].strip(),
    "to": lambda action: f"player {action['to'] + 1}",
}


# --- for a terminal ---------------------------------------------------------------------------------------------------


def in_terminal(text: Text) -> str:
    """A sentence in English, with the spaces of a keyboard."""
    return str(text).replace("\u00a0", " ")


def with_worth(words: str, entry: Mapping[str, Any]) -> str:
    """A choice or an event with what it brings: `set aside 1 1: 200 points, then 4 dice to throw`."""
    brings = []
    if "points" in entry:
        brings.append(_number_of(entry["points"], "point"))
    if entry.get("bonus"):
        brings.append(f"a bonus of {entry['bonus']}")
    if "dice_left" in entry:
        brings.append(f"then {_number_of(entry['dice_left'], 'die', 'dice')} to throw")
    return f"{words}: {', '.join(brings)}" if brings else words


def event_in_words(event: Mapping[str, Any]) -> str:
    """What followed by itself from a throw: `bust 2 3 4 6`, `scored 1 2 3 3 5 6: 10 points`."""
    dice = event.get("dice", event.get("numbers", ()))
    return with_worth(" ".join([event["event"].replace("-", " "), *map(str, dice)]), event)


def _number_of(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"
