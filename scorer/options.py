"""House options: settings that a group chooses before a game, checked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from scorer.refusals import OptionError
from scorer.texts import T, Text, printable, printable_name


class Option(ABC):
    """One option of a game: `name` as in records, `title` for people, `default`."""

    on_sheet: ClassVar[bool] = False  # whether the sheet shows its value; a list of house rules then leaves it out

    def __init__(self, name: str, default: Any, title: Text) -> None:
        self.name = name
        self.default = default
        self.title = title

    @property
    @abstractmethod
    def allowed(self) -> Text:
        """The allowed values, in words that follow "must be"."""

    @abstractmethod
    def accept(self, value: Any) -> Any:
        """The value in its normal form; None if it is not allowed."""

    @abstractmethod
    def parse(self, text: str) -> Any:
        """The value, not yet checked, of a text from the command line or a form."""

    def kind(self) -> dict[str, Any]:
        """What a form needs to show this option."""
        return {}

    def describe(self, value: Any) -> Text:
        """The words for a value in a list of house rules."""
        return Text(value_text(value))

    @property
    def default_text(self) -> str:
        return value_text(self.default)

    @property
    def parts(self) -> Sequence[Option]:
        """The options that a form asks for, each one flag, choice or number."""
        return (self,)

    def join_parts(self, values: Mapping[str, Any]) -> Any:
        """Joins the given values of its parts, by their names, to the option's value."""
        return values[self.name]

    def check(self, value: Any) -> Any:
        accepted = self.accept(value)
        if accepted is None:
            raise self.refusal(value)
        return accepted

    def refusal(self, value: Any) -> OptionError:
        """That this value is not allowed, in words for people."""
        return OptionError("house-rule", rule=self.title, value=printable(value), allowed=self.allowed)

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "default": self.default,
            "title": str(self.title),
            "allowed": str(self.allowed),
            **self.kind(),
        }


class WholeNumber(Option):
    """`step`: it must be a multiple of this."""

    def __init__(self, name: str, default: int, title: Text, low: int, high: int, step: int = 1) -> None:
        super().__init__(name, default, title)
        self.low = low
        self.high = high
        self.step = step

    @property
    def allowed(self) -> Text:
        if self.step > 1:
            return T("a multiple of {step}, {low}..{high}", step=self.step, low=self.low, high=self.high)
        return T("a whole number from {low} to {high}", low=self.low, high=self.high)

    def accept(self, value: Any) -> int | None:
        return value if type(value) is int and self.low <= value <= self.high and not value % self.step else None

    def parse(self, text: str) -> Any:
        return whole_number(text)

    def kind(self) -> dict[str, Any]:
        return {"kind": "whole-number", "low": self.low, "high": self.high}


class Numbers(Option):
    """Whole numbers by name, an object in a record. Missing ones have their default. A list of all in order also works.

    `titles`: the words for each number, in the order of the form, which shows two in a row.
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
        """Reads `r1=9,d2=10`, or all numbers in order."""
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

    def refusal(self, value: Any) -> OptionError:
        """Names the first number that is wrong."""
        wrong = value if isinstance(value, Mapping) else {}
        for part in self.parts:
            number = wrong.get(part.name.removeprefix(f"{self.name}."), self.low)
            if part.accept(number) is None:
                return self.refusal_of_part(part, number)
        rule = T("a whole number from {low} to {high} for each line", low=self.low, high=self.high)
        return OptionError("house-rule", rule=self.title, value=printable(value), allowed=rule)

    def refusal_of_part(self, part: Option, value: Any) -> OptionError:
        rule = Text("{title}: {part}", {"title": self.title, "part": part.title})
        return OptionError("house-rule", rule=rule, value=printable(value), allowed=part.allowed)

    def describe(self, value: Mapping[str, int]) -> Text:
        """The numbers that are not the usual ones, by their titles."""
        numbers = [
            Text("{title} {number}", {"title": self.titles[name], "number": number})
            for name, number in value.items()
            if number != self.default[name]
        ]
        return Text("{numbers}", {"numbers": numbers}) if numbers else T("as usual")

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
    """One of a few words; `choices` has a sentence for each."""

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
    """All options with their values; checks those in `values`."""
    known = {option.name: option for option in options}
    for name in values:
        if name not in known:
            if not known:
                raise OptionError("no-options", option=printable_name(name))
            raise OptionError("unknown-option", option=printable_name(name), known=list(known))
    return {name: option.check(values.get(name, option.default)) for name, option in known.items()}


def read_form(options: Sequence[Option], texts: Mapping[str, str]) -> dict[str, Any]:
    """Reads the options of a form; `texts` has each part by name, and an empty part keeps its default.

    Raises OptionError, which names the part by its title.
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
        raise option.refusal_of_part(part, value) if isinstance(option, Numbers) else part.refusal(value)
    return accepted


def whole_number(text: str) -> Any:
    """The whole number in a text; else the text itself."""
    digits = text.strip()
    if len(digits) <= 12 and digits.removeprefix("-").isascii() and digits.removeprefix("-").isdigit():
        return int(digits)
    return text


def value_text(value: Any) -> str:
    """A value as on the command line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return ",".join(f"{name}={item}" for name, item in value.items())
    return str(value)
