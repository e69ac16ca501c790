"""House options: what a group may set at the start, checked; messages name option, value and what is allowed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from scorer.refusals import OptionError
from scorer.texts import T, Text, printable, printable_name


class Option(ABC):
    """One option of a game: `name` as in records, `title` for people, `default`.

    `before`: the value that tables were played with before there was the option; the default, unless it is given.
    """

    on_sheet: ClassVar[bool] = False  # whether the sheet shows its value, so that a list of house rules need not

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

    def describe(self, value: Any) -> Text:
        """What a value is called in a list of house rules."""
        return Text(value_text(value))

    @property
    def default_text(self) -> str:
        return value_text(self.default)

    @property
    def parts(self) -> Sequence[Option]:
        """What a form asks for: options of one flag, choice or number each."""
        return (self,)

    def join_parts(self, values: Mapping[str, Any]) -> Any:
        """The value that the given ones of its parts make, by their names."""
        return values[self.name]

    def check(self, value: Any) -> Any:
        accepted = self.accept(value)
        if accepted is None:
            raise OptionError("option-value", option=self.name, value=printable(value), allowed=self.allowed)
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


class Numbers(Option):
    """Whole numbers by name, in a record an object: those left out are as in the default. Also all of them in order.

    `titles`: what people call each, in the order in which a form asks for them, two in a row.
    """

    default: dict[str, int]

    def __init__(
        self, name: str, default: Mapping[str, int], title: Text, titles: Mapping[str, Text], low: int, high: int
    ) -> None:
        super().__init__(name, dict(default), title)
        self.titles = titles
        self.low = low
        self.high = high

    def accept(self, value: Any) -> dict[str, int] | None:
        if isinstance(value, (list, tuple)) and len(value) == len(self.default):
            value = dict(zip(self.default, value, strict=True))
        if not isinstance(value, Mapping) or not value.keys() <= self.default.keys():
            return None
        if not all(type(number) is int and self.low <= number <= self.high for number in value.values()):
            return None
        return {**self.default, **value}

    def parse(self, text: str) -> Any:
        """Of `r1=9,d2=10`, or of all numbers in order."""
        parts = [part.strip() for part in text.split(",")]
        if all("=" in part for part in parts):
            named = (part.split("=", 1) for part in parts)
            return {name.strip(): whole_number(number) for name, number in named}
        return [whole_number(part) for part in parts]

    @property
    def parts(self) -> Sequence[Option]:
        return [
            WholeNumber(f"{self.name}.{name}", self.default[name], title, self.low, self.high)
            for name, title in self.titles.items()
        ]

    def join_parts(self, values: Mapping[str, Any]) -> Any:
        return {name.removeprefix(f"{self.name}."): value for name, value in values.items()}


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

    def describe(self, value: bool) -> Text:
        return T("yes") if value else T("no")


class OptionChoice(Option):
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

    def describe(self, value: str) -> Text:
        return self.choices[value]


def check_options(options: Sequence[Option], values: Mapping[str, Any]) -> dict[str, Any]:
    """Every option with its value, those of `values` checked."""
    known = {option.name: option for option in options}
    for name in values:
        if name not in known:
            if not known:
                raise OptionError("no-options", option=printable_name(name))
            raise OptionError("unknown-option", option=printable_name(name), known=list(known))
    return {name: option.check(values.get(name, option.default)) for name, option in known.items()}


def read_form(options: Sequence[Option], texts: Mapping[str, str]) -> dict[str, Any]:
    """The options that a form gives, each text by the name of its part; a part that is left empty is as usual.

    Raises OptionError, which calls a part by its title.
    """
    given = {name: text for name, text in texts.items() if text.strip()}
    values: dict[str, Any] = {}
    for option in options:
        found = {
            part.name: _read_part(option, part, given.pop(part.name)) for part in option.parts if part.name in given
        }
        if found:
            values[option.name] = option.join_parts(found)
    return {**given, **values}


def _read_part(option: Option, part: Option, text: str) -> Any:
    value = part.parse(text)
    accepted = part.accept(value)
    if accepted is None:
        rule = part.title if part is option else Text("{title}: {part}", {"title": option.title, "part": part.title})
        raise OptionError("house-rule", rule=rule, value=printable(value), allowed=part.allowed)
    return accepted


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
