"""Values of a file as values of declared types: dataclasses whose fields say what they take."""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints
from unicodedata import category

from scorer.seats import UNPRINTABLE
from scorer.texts import MOST_LISTED, T, Text, counted_text, is_blank, printable, printable_name

Path = tuple[str | int, ...]  # keys of tables and places in lists, from 0, from the top of a file

LONGEST_WORD = 40
LANGUAGE = re.compile(r"[a-z]{2}")
WORD = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")


class Bounds(NamedTuple):
    """What a number may be, how many values a list may hold, or how many characters a text may have."""

    low: int
    high: int


class Word(str):
    """A key: small letters and digits, joined by - or _."""


@dataclass(frozen=True)
class LocalText:
    """A text with its translations, by language. In a file it is a table with `en`, or an English text alone."""

    texts: tuple[tuple[str, str], ...]

    @property
    def english(self) -> str:
        return dict(self.texts)["en"]


class WrongShape(Exception):  # noqa: N818 - what is wrong is the file
    """A value that its type or the rules do not take. `path`: where it stands; `reason`: a key of REASONS."""

    def __init__(self, path: Path, reason: str, **params: Any) -> None:
        super().__init__(path, reason, params)
        self.path = path
        self.reason = reason
        self.params = params


def wrong_value(path: Path, allowed: Text, got: str | Text) -> WrongShape:
    """That a value is not what it must be."""
    return WrongShape(path, "definition-wrong-value", field=name_of(path), allowed=allowed, got=got)


def named_twice(path: Path, name: str) -> WrongShape:
    """That two things of one kind have the same name."""
    return WrongShape(path, "definition-twice", field=name_of(path), name=name)


def read_value(kind: Any, value: Any, path: Path) -> Any:
    """The value as its declared type has it. Raises WrongShape."""
    bounds = Bounds(0, 0)
    if get_origin(kind) is Annotated:
        kind, bounds = get_args(kind)[:2]
    if get_origin(kind) in (Union, types.UnionType):
        return _read_one_of(get_args(kind), value, path)
    if isinstance(kind, type) and is_dataclass(kind) and kind is not LocalText:
        return _read_table(kind, value, path)
    if get_origin(kind) is tuple:
        if is_list_of_lists(kind) and isinstance(value, list) and value and not isinstance(value[0], list):
            return (read_value(get_args(kind)[0], value, path),)
        _refuse_unless(isinstance(value, list) and bounds.low <= len(value) <= bounds.high, kind, bounds, value, path)
        return tuple(read_value(get_args(kind)[0], item, (*path, place)) for place, item in enumerate(value))
    if kind is LocalText:
        return _read_texts(value, path, bounds)
    if get_origin(kind) is Mapping:
        _refuse_unless(isinstance(value, Mapping), kind, bounds, value, path)
        return value
    if get_origin(kind) is Literal:
        fits = value in get_args(kind) and isinstance(value, str)
    elif kind is bool:
        fits = isinstance(value, bool)
    elif kind is int:
        fits = type(value) is int and bounds.low <= value <= bounds.high
    elif kind is Word:
        fits = isinstance(value, str) and len(value) <= LONGEST_WORD and WORD.fullmatch(value) is not None
    else:
        fits = isinstance(value, str) and bounds.low <= len(value) <= bounds.high and _is_plain(value)
    _refuse_unless(fits, kind, bounds, value, path)
    return value


@cache  # bounded: types of this program
def is_list_of_lists(kind: Any) -> bool:
    """Whether a type is for lists of lists, of which one may stand alone: [1, 5] for [[1, 5]]."""
    inner = get_args(kind)[0] if get_origin(kind) is tuple else None
    return get_origin(inner) is Annotated and get_origin(get_args(inner)[0]) is tuple


def _read_one_of(kinds: tuple[Any, ...], value: Any, path: Path) -> Any:
    """The value as the first of these types that is for values of its kind has it."""
    wanted = [kind for kind in kinds if kind is not type(None)]
    for kind in wanted:
        if len(wanted) == 1 or type(value) in _kinds_of(kind):
            return read_value(kind, value, path)
    allowed = _one_or_other(list(map(describe, wanted)))
    raise wrong_value(path, allowed, value_in_words(value))


def _kinds_of(kind: Any) -> tuple[type, ...]:
    """The kinds of values in TOML that a type is for."""
    inner = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    if inner is LocalText:
        return (str, dict)
    if is_dataclass(inner) or get_origin(inner) is Mapping:
        return (dict,)
    return ({tuple: list, Literal: str, None: inner}[get_origin(inner)],)


def _read_table(kind: type, value: Any, path: Path) -> Any:
    if not isinstance(value, Mapping):
        raise wrong_value(path, T("a table"), value_in_words(value))
    known = types_of(kind)
    for name in value:
        if name not in known:
            raise WrongShape((*path, name), "definition-unknown-field", field=printable_name(name), known=list(known))
    found = {name: read_value(known[name], each, (*path, name)) for name, each in value.items()}
    for field in fields(kind):
        if field.name not in found and field.default is MISSING:
            raise WrongShape(path, "definition-lacks", field=field.name, allowed=describe(known[field.name]))
    return kind(**found)


def _read_texts(value: Any, path: Path, bounds: Bounds) -> LocalText:
    texts = {"en": value} if isinstance(value, str) else value
    _refuse_unless(isinstance(texts, Mapping), LocalText, bounds, value, path)
    if "en" not in texts:
        raise WrongShape(path, "definition-lacks", field=name_of((*path, "en")), allowed=describe(str, bounds))
    for language, text in texts.items():
        where = path if isinstance(value, str) else (*path, language)
        if LANGUAGE.fullmatch(language) is None:
            raise WrongShape(where, "definition-language", field=name_of(where))
        _refuse_unless(isinstance(text, str) and len(text.strip()) <= bounds.high, str, bounds, text, where)
        if not _is_plain(text):
            raise WrongShape(where, "definition-not-plain", field=name_of(where))
        if is_blank(text):
            raise WrongShape(where, "definition-blank", field=name_of(where))
    return LocalText(tuple(sorted((language, text.strip()) for language, text in texts.items())))


def value_in_words(value: Any) -> str | Text:
    """A short printable text of a value of a file."""
    if isinstance(value, Mapping):
        return T("a table")
    if isinstance(value, list) and (len(value) == 1 or len(value) > MOST_LISTED):
        return counted_text("a list of {count} value", "a list of {count} values", len(value))
    return T("a date or a time") if hasattr(value, "isoformat") else printable(value)


def _is_plain(text: str) -> bool:
    """Whether a text can be shown anywhere: no control characters but ends of lines, and no braces of templates."""
    return not any(each in "{}" or (each != "\n" and category(each) in UNPRINTABLE) for each in text)


def _refuse_unless(fits: bool, kind: Any, bounds: Bounds, value: Any, path: Path) -> None:
    if not fits:
        raise wrong_value(path, describe(kind, bounds), value_in_words(value))


@cache  # bounded: classes of this program
def types_of(kind: type) -> dict[str, Any]:
    """The declared type of each field of a dataclass, by name."""
    return get_type_hints(kind, include_extras=True)


def bounds_of(kind: Any) -> Bounds:
    """The bounds of a declared type of numbers, which may also be missing."""
    if get_origin(kind) is Annotated:
        found: Bounds = get_args(kind)[1]
        return found
    return next(bounds_of(each) for each in get_args(kind) if get_origin(each) is Annotated)


def name_of(path: Path) -> str:
    """A place in a file for people: `rules.combination 2.points`."""
    name = ""
    for part in path:
        name += (
            f" {part + 1}" if isinstance(part, int) else f".{printable_name(part)}" if name else printable_name(part)
        )
    return name or "the file"


def _one_or_other(choices: list[Text]) -> Text:
    *others, last = choices
    return T("{one} or {other}", one=others, other=last) if others else last


def describe(kind: Any, bounds: Bounds = Bounds(0, 0)) -> Text:  # noqa: B008 - a tuple cannot change
    """What a type takes, in words that follow "must be"."""
    if get_origin(kind) is Annotated:
        kind, bounds = get_args(kind)[:2]
    low, high = bounds
    if get_origin(kind) in (Union, types.UnionType):
        return _one_or_other([describe(each) for each in get_args(kind) if each is not type(None)])
    if (is_dataclass(kind) and kind is not LocalText) or get_origin(kind) is Mapping:
        return T("a table")
    if get_origin(kind) is tuple:
        if low == high:
            return counted_text("a list of {count} value", "a list of {count} values", low)
        return T("a list of {low} to {high} values", low=low, high=high)
    if get_origin(kind) is Literal:
        return T("one of {choices}", choices=list(get_args(kind)))
    if kind is LocalText:
        return T("a text, or a table of texts by language with en")
    if kind is Word:
        return T("a word of small letters, digits and - or _")
    if kind is bool:
        return T("true or false")
    if kind is int:
        return T("a whole number from {low} to {high}", low=low, high=high)
    return T("a text of {low} to {high} characters", low=low, high=high)
