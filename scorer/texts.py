"""Translatable English texts: templates with parameters, and a game's rules made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from reprlib import Repr
from typing import Any, NamedTuple
from unicodedata import category


def N_(text: str) -> str:  # noqa: N802 - gettext's own name for "translate this later"
    """Marks a literal for translation (`pybabel extract -k N_`) and gives it back."""
    return text


Counter = Callable[..., str]


class Text:
    """An English template with its parameters, which may be Texts or lists.

    `many`: the plural of a text that its parameter `count` counts.
    """

    __slots__ = ("many", "params", "template")

    def __init__(self, template: str, params: Mapping[str, Any] | None = None, many: str | None = None) -> None:
        self.template = template
        self.params = dict(params or {})
        self.many = many

    def render(self, translate: Callable[[str], str] = str, translate_count: Counter | None = None) -> str:
        """The sentence; `translate` translates its template and all Texts among its parameters.

        `translate_count(one, many, count, **params)` chooses the form of a counted text, by default in English.
        """
        params = {name: _say(value, translate, translate_count) for name, value in self.params.items()}
        if self.many is not None:
            del params["count"]
            return (translate_count or _plural_form)(self.template, self.many, self.params["count"], **params)
        template = translate(self.template)
        return template.format(**params) if params else template

    def to_json(self) -> dict[str, Any]:
        """The untranslated text, for scripts."""
        return {"text": self.template, "params": self.params}

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        return f"Text({self.template!r}, {self.params!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and (self.template, self.params) == (other.template, other.params)

    def __hash__(self) -> int:
        return hash(self.template)


def _plural_form(one: str, many: str, count: int, /, **params: Any) -> str:
    return (one if count == 1 else many).format(count=count, **params)


class CountedReason(NamedTuple):
    """A refusal's sentence in two forms. The parameter named `by` chooses: `one` for 1, `many` for other numbers."""

    one: str
    many: str
    by: str


def counted_reason(one: str, many: str, /, by: str) -> CountedReason:
    """Marks a counted sentence for translation (`pybabel extract -k counted_reason:1,2`)."""
    return CountedReason(one, many, by)


def T(template: str, **params: Any) -> Text:  # noqa: N802 - short, since it marks every sentence (`pybabel extract -k T`)
    return Text(template, params)


def counted_text(one: str, many: str, /, count: int, **params: Any) -> Text:
    return Text(one, {"count": count, **params}, many)


_SHORT = Repr()  # escapes unprintable characters, which might reach a terminal
MOST_LISTED = 12


def printable(value: Any) -> str | Text:
    """A short printable text of any value from outside, for a sentence: of values that hold others, what they are."""
    if isinstance(value, str):
        return f"“{printable_name(value)}”"
    if isinstance(value, (list, tuple)) and 0 < len(value) <= MOST_LISTED and all(type(each) is int for each in value):
        return ", ".join(map(_SHORT.repr, value))
    if isinstance(value, (list, tuple)) and not value:
        return T("an empty list")
    if isinstance(value, (bool, Mapping, list, tuple)) or value is None:
        return T("nothing") if value is None else json_type(value)
    return _SHORT.repr(value)


def printable_name(name: Any) -> str:
    """The name of an option or a field from outside, or a text, without quotes."""
    return _SHORT.repr(str(name))[1:-1]


def json_type(value: Any) -> Text:
    """JSON's word for the type of a value from outside; of the three values that have no type of theirs, the value."""
    if isinstance(value, bool) or value is None:
        return {True: T("true"), False: T("false"), None: Text("null")}[value]
    return next((kind for types, kind in _KINDS if isinstance(value, types)), T("a number"))


def plain(value: Any) -> Any:
    """A parameter of a sentence for JSON: Texts in English, also those in a list."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return str(value) if isinstance(value, Text) else value


def _say(value: Any, translate: Callable[[str], str], translate_count: Counter | None) -> str:
    if isinstance(value, Text):
        return value.render(translate, translate_count)
    if isinstance(value, (list, tuple)):
        return ", ".join(_say(item, translate, translate_count) for item in value)
    return str(value)


_KINDS: tuple[tuple[type | tuple[type, ...], Text], ...] = (
    (str, T("a text")),
    (Mapping, T("an object")),
    ((list, tuple), T("a list")),
)


# Letters and signs that show nothing, though Unicode does not count them among spaces.
BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"


def is_blank(text: str) -> bool:
    """Whether there is nothing to see in a text: spaces, marks without a letter, signs that do something else."""
    return all(category(each)[0] in "MCZ" or each in BLANK for each in text)


class Section(NamedTuple):
    """One part of a game's short rules. `rows`: a table of combinations and their points."""

    title: Text
    paragraphs: tuple[Text, ...]
    rows: tuple[tuple[Text, Text], ...] = ()


class ShortRules:
    """The short rules of a game for its players."""

    def __init__(self, title: str, sections: tuple[Section, ...]) -> None:
        self.title = title
        self.sections = sections

    @classmethod
    def in_sections(
        cls,
        title: str,
        goal: Iterable[Text],
        turn: Iterable[Text],
        points: Iterable[Text] = (),
        rows: Iterable[tuple[Text, Text]] = (),
    ) -> ShortRules:
        """Rules with the sections that nearly every game has: goal, turn and, if given, points."""
        sections = (Section(T("Goal"), tuple(goal)), Section(T("Turn"), tuple(turn)))
        more = (Section(T("Points"), tuple(points), tuple(rows)),) if points or rows else ()
        return cls(title, sections + more)

    def __iter__(self) -> Iterator[Section]:
        return iter(self.sections)

    def text(self, translate: Callable[[str], str] = str) -> str:
        """Plain text, with the points of each table in one column."""
        lines = [translate(self.title)]
        for section in self.sections:
            lines += ["", section.title.render(translate)]
            lines += ["  " + paragraph.render(translate) for paragraph in section.paragraphs]
            rows = [(what.render(translate), points.render(translate)) for what, points in section.rows]
            width = max((len(what) for what, _ in rows), default=0)
            lines += [f"    {what:{width}}  {points}" for what, points in rows]
        return "\n".join(lines)

    def to_json(self) -> list[dict[str, Any]]:
        """All sections in English; translated pages render the sections themselves."""
        return [
            {
                "title": str(section.title),
                "paragraphs": [str(paragraph) for paragraph in section.paragraphs],
                "rows": [[str(what), str(points)] for what, points in section.rows],
            }
            for section in self.sections
        ]
