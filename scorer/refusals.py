"""Refusals: exceptions with a reason key, parameters and one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorer.reasons import REASONS
from scorer.texts import Text, plain


class Refusal(ValueError):  # noqa: N818 - what the rules refuse is no error of theirs
    """`reason` is a key of `scorer.reasons.REASONS`; `text` can be translated; `str()` is the English sentence.

    `wordings`: of the game's own texts, if people made it: by their English form, then by language.
    """

    wordings: Mapping[str, Mapping[str, str]] = {}

    def __init__(self, reason: str, **params: Any) -> None:
        super().__init__(reason, params)
        self.reason = reason
        self.params = params

    @property
    def text(self) -> Text:
        said = REASONS[self.reason]
        if isinstance(said, str):
            return Text(said, self.params)
        return Text(said.one, {**self.params, "count": self.params[said.by]}, said.many)

    def __str__(self) -> str:
        return self.text.render()

    def to_json(self) -> dict[str, Any]:
        params = {name: plain(value) for name, value in self.params.items()}
        return {"reason": self.reason, "params": params, "text": self.text.render()}


class OptionError(Refusal):
    """An unknown game or option, or a value that the option does not allow."""


class PlayerError(Refusal):
    """Too many or too few players, or a name that is not allowed."""


class RecordError(Refusal):
    """A document that is not a game record."""


class NothingToUndo(Refusal):
    """There is no action to take back or to correct."""


class IllegalAction(Refusal):
    """An action that the rules do not allow now. `index`: its number in a replayed record, from 1."""

    index: int | None = None
