"""A file of a game as its definition, checked; or a refusal that names the line and what would be right."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from scorer.definitions.contest_rules import ContestRules
from scorer.definitions.game_file import FAMILIES, FamilyRules, GameFile, HouseOption, OptionValue
from scorer.definitions.hand_rules import HandTurn
from scorer.definitions.shapes import (
    LONGEST_WORD,
    WORD,
    LocalText,
    Path,
    WrongShape,
    name_of,
    named_twice,
    read_value,
    types_of,
    value_in_words,
    wrong_value,
)
from scorer.definitions.toml_faults import fault_in
from scorer.definitions.toml_lines import line_of
from scorer.refusals import Refusal
from scorer.texts import T, Text, printable_name

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

MOST_BYTES = 64 * 1024
LONGEST_LINE = 2000
TURN = re.compile(r"^\s*\[\s*turn\s*\]", re.MULTILINE)
BYTE_ORDER_MARK = "\ufeff"


class DefinitionError(Refusal):
    """A file that is no game: `where` says its name and the line."""


@dataclass(frozen=True)
class Definition:
    """A game from a file. `raw`: its rules as they stand there, for options that change some of them. `text`: the whole
    file.
    """

    key: str
    file: GameFile
    raw: Mapping[str, Any]
    text: str

    @cached_property
    def _unchanged_rules(self) -> FamilyRules:
        rules: FamilyRules = read_value(FAMILIES[self.file.family], self.raw, ("rules",))
        return rules

    @cached_property
    def _values(self) -> dict[tuple[str, int], tuple[Any, Any]]:
        """Lists of options as they stand in the file, with what was read: a file has many variants."""
        return {}

    def _value(self, name: str, kind: Any, value: Any) -> Any:
        if not isinstance(value, list):
            return read_value(kind, value, ("rules", name))
        known = self._values.get((name, id(value)))
        if known is None:
            known = self._values[name, id(value)] = value, read_value(kind, value, ("rules", name))
        return known[1]

    def rules_with(self, patches: Mapping[str, Any]) -> FamilyRules:
        """The rules, with others instead of some. Raises WrongShape."""
        if not patches:
            return self._unchanged_rules
        kind = FAMILIES[self.file.family]
        known = types_of(kind)
        if patches.keys() <= known.keys():  # only what is new is read
            read = {name: self._value(name, known[name], value) for name, value in patches.items()}
            return replace(self._unchanged_rules, **read)
        rules: FamilyRules = read_value(kind, {**self.raw, **patches}, ("rules",))
        return rules

    @cached_property
    def wordings(self) -> Mapping[str, Mapping[str, str]]:
        """The file's texts: by their English form, then by language."""
        return {english: texts for english, texts, _ in self.translations()}

    def translations(self) -> Iterator[tuple[str, Mapping[str, str], bool]]:
        """Each English text of the file, its texts by language, and whether a standing names it: titles of cells do."""
        rules = self.rules_with({})
        named = list(_texts_in(rules, without="says"))
        for text in dict.fromkeys((*named, *_texts_in(rules), *_texts_in(self.file))):
            yield text.english, dict(text.texts), text in named


def read_definition(text: str, key: str) -> Definition:
    """The definition in a file of this name, without its ending. Raises DefinitionError."""
    name = f"{printable_name(key)[:LONGEST_WORD]}.toml"
    if len(key) > LONGEST_WORD or not WORD.fullmatch(key):
        raise DefinitionError("definition-name", where=name)
    tables = read_tables(text, name)
    try:
        return definition_of(tables, key, text)
    except WrongShape as wrong:
        raise refusal_of(wrong, text, name) from None


def definition_of(tables: Mapping[str, Any], key: str, text: str = "") -> Definition:
    """The definition in the tables of a file. Raises WrongShape."""
    joined = join_tables(tables)
    family = str(joined.get("family"))
    known = types_of(FAMILIES.get(family, GameFile)).keys() - types_of(GameFile).keys()
    for name in joined.keys() & known:
        table = "rules" if family != "hand" else "contest" if name in types_of(ContestRules) else "turn"
        raise WrongShape((name,), "definition-misplaced", field=name, place=f"{table}.{name}")
    file: GameFile = read_value(GameFile, joined, ())
    definition = Definition(key, file, file.rules, text)
    definition.rules_with({})
    return definition


def join_tables(tables: Mapping[str, Any]) -> Mapping[str, Any]:
    """The tables of a file with `[turn]` and `[contest]` joined to the rules of a family. Raises WrongShape."""
    if not tables.keys() & {"turn", "contest"}:
        return tables
    found = {name: value for name, value in tables.items() if name not in ("turn", "contest")}
    if found.get("family") == "hand":  # as `kind` says too
        del found["family"]
    for name in found.keys() & {"family", "rules"}:
        raise WrongShape((name,), "definition-apart", field=name, other="turn")
    turn, contest = dict(_table_at(tables, "turn")), _table_at(tables, "contest")
    kind = turn.pop("kind", None)
    if kind != "hand":
        raise wrong_value(("turn", "kind"), T("one of {choices}", choices=["hand"]), value_in_words(kind))
    for where, declared, each in (("turn", HandTurn, turn), ("contest", ContestRules, contest)):
        known = types_of(declared)
        for field in each.keys() - known.keys():
            raise WrongShape((where, field), "definition-unknown-field", field=printable_name(field), known=list(known))
    return {**found, "family": kind, "rules": {**turn, **contest}}


def _table_at(tables: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = tables.get(name, {})
    if not isinstance(found, Mapping):
        raise wrong_value((name,), T("a table"), value_in_words(found))
    return found


def _as_written(path: Path, text: str) -> Path:
    """The path of a rule where the file has it: `[turn]` and `[contest]` are joined when they are read."""
    if path[:1] != ("rules",) or TURN.search(text) is None:
        return path
    return ("contest" if len(path) > 1 and path[1] in types_of(ContestRules) else "turn", *path[1:])


def in_one_language(value: Any, language: str) -> Any:
    """Tables of a checked file with one text in place of each text by language: that of the language, or English."""
    if isinstance(value, Mapping):
        if isinstance(value.get("en"), str):  # nothing but texts has this key
            return value.get(language, value["en"])
        return {name: in_one_language(each, language) for name, each in value.items()}
    return [in_one_language(each, language) for each in value] if isinstance(value, list) else value


def refusal_of(wrong: WrongShape, text: str, name: str) -> DefinitionError:
    """The refusal of a file, with the line of what is wrong."""
    path, params = _as_written(wrong.path, text), dict(wrong.params)
    if path != wrong.path and params.get("field") == name_of(wrong.path):
        params["field"] = name_of(path)
    return DefinitionError(wrong.reason, where=place_in(name, line_of(text, path)), **params)


@contextmanager
def faults_refused(where: str | Text) -> Iterator[None]:
    """Raises an error that nobody foresaw as a DefinitionError: a file from anywhere must not stop a program."""
    try:
        yield
    except (Refusal, WrongShape):
        raise
    except Exception as fault:
        raise DefinitionError("definition-fault", where=where) from fault


def place_in(name: str, line: int) -> Text:
    return T("{file}, line {line}", file=name, line=line)


def text_of_file(data: bytes, name: str) -> str:
    """The text in a file of this name, of which one byte too many may be given. Raises DefinitionError."""
    if len(data) > MOST_BYTES:
        raise DefinitionError("definition-too-big", where=name, most=MOST_BYTES)
    try:
        return data.decode().removeprefix(BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DefinitionError("definition-no-text", where=place_in(name, line)) from None


def read_tables(text: str, name: str) -> Mapping[str, Any]:
    """The tables in the text of a file of this name. Raises DefinitionError."""
    text = text.removeprefix(BYTE_ORDER_MARK)
    if len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise DefinitionError("definition-too-big", where=name, most=MOST_BYTES)
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > LONGEST_LINE:
            raise DefinitionError("definition-long-line", where=place_in(name, number), most=LONGEST_LINE)
    try:
        text.encode()  # which no half of a pair of surrogates can be
        return tomllib.loads(text)
    except RecursionError:
        raise DefinitionError("definition-too-deep", where=name) from None
    except ValueError as error:  # TOMLDecodeError is one, and so is a number of too many digits
        fault = fault_in(text, str(error))
        raise DefinitionError(fault.reason, where=place_in(name, fault.line), **fault.params) from None


def check_options(file: GameFile) -> None:
    """Raises WrongShape for options that cannot be told apart, or that say too little."""
    for place, option in enumerate(file.option):
        _check_option(file, option, place)


def _check_option(file: GameFile, option: HouseOption, place: int) -> None:
    path = ("option", place)
    if option.name == "file":  # stored tables have the file of their game beside its options
        allowed = T("another name")
        raise WrongShape(
            (*path, "name"), "definition-wrong-value", field="name", allowed=allowed, got=value_in_words(option.name)
        )
    _refuse_repeated([each.name for each in file.option], "option", "name")
    values: tuple[OptionValue, ...] = option.value
    for number, value in enumerate(values):
        if [each.name for each in values].count(value.name) > 1:
            twice = (*path, "value", number, "name")
            raise named_twice(twice, value.name)
    if (values or option.rules is not None) and option.title is None:
        raise WrongShape(
            path, "definition-lacks", field="title", allowed=T("a text, or a table of texts by language with en")
        )


def _refuse_repeated(names: list[str], table: str, field: str) -> None:
    for place, name in enumerate(names):
        if name in names[:place]:
            path = (table, place, field)
            raise named_twice(path, name)


def _texts_in(value: Any, without: str = "") -> Iterator[LocalText]:
    """The texts of a value and of all that it holds, but for fields of one name."""
    if isinstance(value, LocalText):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _texts_in(each, without)
    elif hasattr(value, "__dataclass_fields__"):
        for field in fields(value):
            if field.name != without:
                yield from _texts_in(getattr(value, field.name), without)
