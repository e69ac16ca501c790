"""What the process that checks games is asked. Requests are JSON, answers are values of `scorer`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorer.definitions.building import game_from_text
from scorer.definitions.changed_game import ThrowWorth, throw_worth, try_game
from scorer.definitions.definition import read_tables
from scorer.definitions.form_fields import FAMILY_LISTS, CommonItem, common_item
from scorer.definitions.shapes import LocalText
from scorer.definitions.trial import playable_game
from scorer.definitions.trial_turns import TurnWorth
from scorer.texts import Text


@dataclass(frozen=True)
class LookedAt:
    """A game that a person changes, and what throws are worth in it. `looks`: its combinations or cells as pictures."""

    text: str
    titles: Sequence[tuple[str, str]]  # by language
    throws: Sequence[ThrowWorth]
    left_out: Sequence[Text]
    turns: Sequence[TurnWorth]
    looks: Sequence[CommonItem]
    wordings: Mapping[str, Mapping[str, str]]
    own: ThrowWorth | None


def check(text: str, key: str) -> None:
    """Raises DefinitionError unless short games of all variants can be played."""
    playable_game(text, key)


def look_at(
    tables: Mapping[str, Any] | None, before: str | None, key: str, shown: int = -1, throw: Sequence[int] = ()
) -> LookedAt:
    """A changed game. Raises DefinitionError.

    `tables`: None for the game `before` as it is. `before`: the file that it was made from. `throw`: dice whose worth
    is wanted too.
    """
    old = None if before is None else game_from_text(before, key).definition
    if tables is None:
        assert before is not None
        tables = read_tables(before, key)
    tried = try_game(tables, old, shown)
    definition = tried.kind.definition
    name = FAMILY_LISTS.get(definition.file.family, "")
    dice = getattr(definition.rules_with({}), "dice", 0)
    items = read_tables(tried.text, key)["rules"].get(name, []) if name else []
    looks = [common_item(definition.file.family, each, dice) for each in items]
    title: LocalText = definition.file.title
    own = throw_worth(tried.kind(), tuple(throw)) if throw else None
    return LookedAt(
        tried.text, tuple(title.texts), tried.throws, tried.left_out, tried.turns, looks, tried.wordings, own
    )


QUESTIONS: dict[str, Callable[..., Any]] = {"check": check, "look_at": look_at}
