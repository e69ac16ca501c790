"""House options: what a group may set at the start, checked; messages name option, value and what is allowed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from scorer.refusals import OptionError
from scorer.texts import T, Text, named, shown


class Option(ABC):
    """One option of a game: `name` as in records, `title` for people, `default`.

    `before`: the value that tables were played with before there was the option; the default, unless it is given.
    """

    def __init__(self, name: str, default: Any, title: Text, before: Any = None) -> None:
        self.name = name
        self.default = default
        self.title = title
        self.before = default if before is None else before

    @property
    @abstractmethod
    def allowed(self) -> Text:
        """What values are allowed, to be put after "must be"."""

    @abstractmethod
    def accept(self, value: Any) -> Any:
        """The value in its one form, or None when it is not allowed."""

    @abstractmethod
    def parse(self, text: str) -> Any:
        """The value that a text from the command line or a form means (not yet checked)."""

    def kind(self) -> dict[str, Any]:
        """What a form needs to offer this option."""
        return {}

    @property
    def default_text(self) -> str:
        return value_text(self.default)

    def check(self, value: Any) -> Any:
        accepted = self.accept(value)
        if accepted is None:
            raise OptionError("option-value", option=self.name, value=shown(value), allowed=self.allowed)
        return accepted

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "default": self.default,
            "title": str(self.title),
            "allowed": str(self.allowed),
            **self.kind(),
        }


class WholeNumber(Option):
    def __init__(self, name: str, default: int, title: Text, low: int, high: int) -> None:
        super().__init__(name, default, title)
        self.low = low
        self.high = high

    @property
    def allowed(self) -> Text:
        return T("a whole number {low}..{high}", low=self.low, high=self.high)

    def accept(self, value: Any) -> int | None:
        return value if type(value) is int and self.low <= value <= self.high else None

    def parse(self, text: str) -> Any:
        return whole_number(text)

    def kind(self) -> dict[str, Any]:
        return {"kind": "whole-number", "low": self.low, "high": self.high}


class Flag(Option):
    @property
    def allowed(self) -> Text:
        return T("true or false")

    def accept(self, value: Any) -> bool | None:
        return value if isinstance(value, bool) else None

    def parse(self, text: str) -> Any:
        return {"true": True, "false": False}.get(text.strip().lower(), text)

    def kind(self) -> dict[str, Any]:
        return {"kind": "flag"}


class Choice(Option):
    """One of a few words, each with a sentence that says what it means."""

    def __init__(self, name: str, default: str, title: Text, choices: Mapping[str, Text]) -> None:
        super().__init__(name, default, title)
        self.choices = choices

    @property
    def allowed(self) -> Text:
        return T("one of {choices}", choices=list(self.choices))

    def accept(self, value: Any) -> str | None:
        return value if isinstance(value, str) and value in self.choices else None

    def parse(self, text: str) -> Any:
        return text.strip()

    def kind(self) -> dict[str, Any]:
        return {"kind": "choice", "choices": {name: str(title) for name, title in self.choices.items()}}


def check_options(options: Sequence[Option], values: Mapping[str, Any]) -> dict[str, Any]:
    """Every option with its value, those of `values` checked."""
    known = {option.name: option for option in options}
    for name in values:
        if name not in known:
            if not known:
                raise OptionError("no-options", option=named(name))
            raise OptionError("unknown-option", option=named(name), known=list(known))
    return {name: option.check(values.get(name, option.default)) for name, option in known.items()}


def complete_options(options: Sequence[Option], values: Mapping[str, Any]) -> dict[str, Any]:
    """`values` of a table that was set up, perhaps before there were some of the options: those have what it was
    played with then.
    """
    return {**{option.name: option.before for option in options}, **values}


def whole_number(text: str) -> Any:
    """The number that a text holds, or the text when it holds none."""
    digits = text.strip()
    if len(digits) <= 12 and digits.removeprefix("-").isascii() and digits.removeprefix("-").isdigit():
        return int(digits)
    return text


def value_text(value: Any) -> str:
    """A value as it is written on the command line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return ",".join(f"{name}={item}" for name, item in value.items())
    return str(value)
