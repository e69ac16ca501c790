"""Writes what phones send and are told, as `web/table` declares it, and what a game's file holds: JSON schema in
`docs/schema`, and the scripts' types.

    .venv/bin/python docs/json_schema.py

A test holds that what is there is what this writes.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

import msgspec
from msgspec import NODEFAULT
from msgspec import inspect as shapes

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scorer.definitions.file_schema import game_schema  # noqa: E402
from web.advising.advisor import TableAdvice  # noqa: E402
from web.clubs.hall_throws import HallSheet  # noqa: E402
from web.clubs.night_document import NightDocument  # noqa: E402
from web.clubs.seasons import SeasonDocument  # noqa: E402
from web.pages import openapi  # noqa: E402
from web.pages.views import PageSetup  # noqa: E402
from web.programs.installed import PROGRAMS  # noqa: E402
from web.table import commands, requests, view  # noqa: E402
from web.table.json_document import Document  # noqa: E402

SCHEMA = ROOT / "docs" / "schema"
ADD_A_GAME = ROOT / "docs" / "add-a-game.md"
WORDS = re.compile(r"(<!-- words -->\n).*?(<!-- -->\n)", re.DOTALL)
# The tables of a file with their types, as `game.json` names them.
TABLES = {
    "the file": "GameFile",
    "`[rules]` of `ten-thousand`": "TenThousandRules",
    "`[[rules.combination]]`": "ScoredDice",
    "`[rules]` of a `sheet`": "SheetRules",
    "`[[rules.cell]]`": "Cell",
    "`[[rules.column]]`": "SheetColumn",
    "`[rules]` of a `counter`": "CounterRules",
    "`[[rules.worth]]`, `[[turn.worth]]`": "Worth",
    "`[rules]` of a `pad`": "PadRules",
    "`[turn]` of a hand": "HandTurn",
    "`[contest]` of a hand": "ContestRules",
    "`[[option]]`": "HouseOption",
    "`[[option.value]]`": "OptionValue",
    "`[[example]]`": "Example",
}
LINES = ("ScoredDice", "Cell", "Worth")  # whose common words are the pattern of dice
SCRIPT_TYPES = ROOT / "web" / "static" / "wire.d.ts"
WIDTH = 120  # of a line of the scripts

# What phones ask: by a command, or of the server.
COMMANDS: list[type] = [kind for _, kind in commands.POSTED.values()]
COMMANDS += [kind for kind in vars(requests).values() if inspect.isclass(kind) and kind.__module__ == requests.__name__]
COMMANDS += [kind for program in PROGRAMS for kind in program.requests]
# By the file in `docs/schema`.
DOCUMENTS: dict[str, list[type]] = {
    "view": [view.View],
    "history": [view.GameHistory],
    "ending": [view.Ending],
    "previews": [view.UndoPreview, view.CorrectionPreview, view.ThrowPreview],
    "phones": [view.ListedPhone],
    "programs": [view.ListedProgram, view.NewToken, *(kind for each in PROGRAMS for kind in each.documents)],
    "stand": [view.StandAnswer],
    "trial": [view.TrialAnswer],
    "advice": [TableAdvice],
    "night": [NightDocument],
    "season": [SeasonDocument],
    "hall": [HallSheet],
    "commands": COMMANDS,
}
HEAD = "// Made by docs/json_schema.py of the types in web/table: what the server tells, and what it is asked.\n"


def files() -> dict[Path, str]:
    """Every file with its text."""
    made = {SCHEMA / f"{name}.json": json_schema(kinds) for name, kinds in DOCUMENTS.items()}
    every = [kind for kinds in DOCUMENTS.values() for kind in kinds]
    made[SCHEMA / "openapi.json"] = openapi.document_text()
    made |= {SCHEMA / "game.json": game_schema(), SCRIPT_TYPES: script_types([*every, PageSetup])}
    return {**made, ADD_A_GAME: WORDS.sub(lambda found: found[1] + words() + found[2], ADD_A_GAME.read_text("utf-8"))}


def words() -> str:
    """The words of each table of a file: what they take, what holds without them, what they say."""
    parts = json.loads(game_schema())["$defs"]
    words_of = {name: parts[name]["properties"] for name in TABLES.values()}
    pattern = [name for name in words_of["Worth"] if all(name in words_of[each] for each in LINES[:2])]
    pattern = [name for name in pattern if words_of["Worth"][name] == words_of["ScoredDice"][name]]
    rows = {"a pattern of dice, in each line and cell": _words_in(words_of["Worth"], pattern)}
    for table, name in TABLES.items():
        own = [each for each in words_of[name] if name not in LINES or each not in pattern]
        rows[table] = _words_in(words_of[name], own)
    return "| table | words |\n|---|---|\n" + "".join(f"| {table} | {row} |\n" for table, row in rows.items())


def _words_in(shapes_of: dict[str, Any], names: list[str]) -> str:
    return "<br>".join(
        f"`{name}` ({_takes(shape)}): {shape['description']}"
        for name in names
        if "description" in (shape := shapes_of[name])
    )


def _takes(shape: dict[str, Any]) -> str:
    """What a word takes, in short, and what holds without it."""
    usual = f", else {json.dumps(shape['default'])}" if shape.get("default", "") != "" else ""
    kinds = [each for each in shape.get("anyOf", ()) if each.get("type") != "object"]
    if kinds:
        return " or ".join(dict.fromkeys(map(_takes, kinds))) + usual
    if shape.get("type") == "array":
        each = _takes(shape["items"])
        return "tables" if each == "table" else "lists" if each.startswith("list") else f"list of {each}"
    if "maximum" in shape:
        return f"{shape['minimum']}..{shape['maximum']}{usual}"
    if "enum" in shape:
        return ", ".join(json.dumps(value) for value in shape["enum"]) + usual
    return {"boolean": f"true{usual}", "string": f"text{usual}"}.get(shape.get("type", ""), "table")


def json_schema(kinds: list[type]) -> str:
    wanted, parts = msgspec.json.schema_components(kinds)
    if kinds is not COMMANDS:
        for part in parts.values():
            told, needed = part["properties"], part["required"]  # with the defaults
            part["required"] = [name for name, each in told.items() if name in needed or "default" in each]
    top = wanted[0] if len(wanted) == 1 else {}  # of several each is for itself
    document = {"$schema": "https://json-schema.org/draft/2020-12/schema", **top, "$defs": parts}
    text = msgspec.json.format(msgspec.json.encode(document)).decode()
    return re.sub(r'(?<="description": )".*"', lambda found: json.dumps(_said(json.loads(found[0]))), text) + "\n"


def script_types(kinds: list[type]) -> str:
    """The types of these documents, and of all their parts, in TypeScript."""
    named: dict[str, str] = {}
    for shape in shapes.multi_type_info(kinds):
        _written(shape, named)
    asked = "".join(f"\n  | {kind.__name__}" for kind in COMMANDS)
    return "\n".join([HEAD, *(named[name] for name in sorted(named)), f"type Command ={asked};\n"])


def _written(shape: shapes.Type, named: dict[str, str]) -> str:
    """A type as TypeScript has it; those with a name of their own go to `named`."""
    if isinstance(shape, shapes.Metadata):
        extra = shape.extra_json_schema or {}
        if "title" not in extra:
            return _written(shape.type, named)
        keys = [f"  {name}: {rule['type']};" for name, rule in extra["properties"].items()]
        named[extra["title"]] = _type(extra["title"], "", [*keys, ANY_KEY])
        return str(extra["title"])
    if isinstance(shape, (shapes.StructType, shapes.TypedDictType)):
        name = shape.cls.__name__
        if name not in named:
            named[name] = ""  # it may hold itself
            told = issubclass(shape.cls, Document)  # with the defaults
            keys = [_key(field, named, field.required or (told and _has_default(field))) for field in shape.fields]
            is_open = isinstance(shape, shapes.TypedDictType)
            named[name] = _type(name, shape.cls.__doc__ or "", keys + [ANY_KEY] * is_open)
        return name
    if isinstance(shape, shapes.UnionType):
        return " | ".join(_written(each, named) for each in shape.types)
    if isinstance(shape, shapes.LiteralType):
        return " | ".join(json.dumps(value) for value in shape.values)
    if isinstance(shape, shapes.TupleType):
        return f"[{', '.join(_written(each, named) for each in shape.item_types)}]"
    if isinstance(shape, (shapes.CollectionType, shapes.DictType)):
        inner = _written(shape.value_type if isinstance(shape, shapes.DictType) else shape.item_type, named)
        if isinstance(shape, shapes.DictType):
            return f"Record<string, {inner}>"
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    return PLAIN[type(shape)]


ANY_KEY = "  [key: string]: any;"  # of an interface, which web/static/types.d.ts may tell more of
PLAIN: dict[type, str] = {
    shapes.AnyType: "any",
    shapes.BoolType: "boolean",
    shapes.FloatType: "number",
    shapes.IntType: "number",
    shapes.NoneType: "null",
    shapes.StrType: "string",
}


def _has_default(field: shapes.Field) -> bool:
    return any(each is not NODEFAULT for each in (field.default, field.default_factory))


def _key(field: shapes.Field, named: dict[str, str], is_there: bool) -> str:
    line = f"  {field.encode_name}{'' if is_there else '?'}: {_written(field.type, named)};"
    if len(line) <= WIDTH:
        return line
    name, _, ways = line.removesuffix(";").partition(": ")
    return "\n    | ".join([f"{name}:", *ways.split(" | ")]) + ";"


def _type(name: str, about: str, keys: list[str]) -> str:
    said = textwrap.wrap(_said(about), WIDTH - 6)
    comment = [f"/** {said[0]} */"] if len(said) == 1 else ["/**", *(f" * {line}" for line in said), " */"]
    begin, end = (f"interface {name} {{", "}") if ANY_KEY in keys else (f"type {name} = {{", "};")
    return "\n".join([*(comment if said else []), begin, *keys, end, ""])


def _said(docstring: str) -> str:
    """A docstring in one line, in the words of JSON."""
    return " ".join(docstring.split()).replace("None", "null")


def main() -> None:
    SCHEMA.mkdir(exist_ok=True)
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
