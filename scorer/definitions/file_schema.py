"""What a game's file may hold, as a JSON schema: editors of TOML take it."""

from __future__ import annotations

import json
import re
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from scorer.definitions.contest_rules import ContestRules
from scorer.definitions.game_file import FAMILIES, GameFile
from scorer.definitions.hand_rules import HandTurn
from scorer.definitions.shapes import WORD, LocalText, Word, is_list_of_lists, types_of


def game_schema() -> str:
    """The schema, as `docs/schema/game.json` has it."""
    parts: dict[str, Any] = {}
    top = _value_schema(GameFile, parts)
    families = {family: rules for family, rules in FAMILIES.items() if family != "hand"}
    for rules in families.values():
        _value_schema(rules, parts)
    chosen = [
        {
            "if": {"properties": {"family": {"const": family}}},
            "then": {"properties": {"rules": {"$ref": f"#/$defs/{rules.__name__}"}}},
        }
        for family, rules in families.items()
    ]
    game = parts["GameFile"]
    game["required"] = [name for name in game["required"] if name not in ("family", "rules")]
    game["properties"]["family"]["enum"].remove("hand")
    for name, part in (("turn", HandTurn), ("contest", ContestRules)):
        game["properties"][name] = _value_schema(part, parts)
    hand = parts["HandTurn"]
    hand["properties"], hand["required"] = (
        {"kind": {"enum": ["hand"], "description": "what the turn is."}, **hand["properties"]},
        ["kind", *hand["required"]],
    )
    game["oneOf"] = [{"required": ["family", "rules"]}, {"required": ["turn", "contest"]}]
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **top, "allOf": chosen, "$defs": parts}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _value_schema(kind: Any, parts: dict[str, Any]) -> dict[str, Any]:
    low = high = None
    if get_origin(kind) is Annotated:
        kind, (low, high) = get_args(kind)[:2]
    if get_origin(kind) in (Union, types.UnionType):
        wanted = [_value_schema(each, parts) for each in get_args(kind) if each is not type(None)]
        return wanted[0] if len(wanted) == 1 else {"anyOf": wanted}
    if kind is LocalText:
        text = {"type": "string", "minLength": low, "maxLength": high}
        by_language = {"type": "object", "required": ["en"], "additionalProperties": text}
        return {"anyOf": [text, by_language]}
    if isinstance(kind, type) and is_dataclass(kind):
        if kind.__name__ not in parts:
            parts[kind.__name__] = {}  # in its place before its parts
            parts[kind.__name__].update(_table_schema(kind, parts))
        return {"$ref": f"#/$defs/{kind.__name__}"}
    if get_origin(kind) is tuple:
        items = _value_schema(get_args(kind)[0], parts)
        lists = {"type": "array", "items": items, "minItems": low, "maxItems": high}
        return {"anyOf": [items, lists]} if is_list_of_lists(kind) else lists
    if get_origin(kind) is Literal:
        return {"enum": list(get_args(kind))}
    if get_origin(kind) is Mapping:
        return {"type": "object"}
    if kind is Word:
        return {"type": "string", "pattern": f"^{WORD.pattern}$"}
    if kind is bool:
        return {"type": "boolean"}
    if kind is int:
        return {"type": "integer", "minimum": low, "maximum": high}
    return {"type": "string", "minLength": low, "maxLength": high}


def _table_schema(kind: type, parts: dict[str, Any]) -> dict[str, Any]:
    about = {}
    for base in reversed(kind.__mro__[:-1]):
        lines = re.findall(r"^    (\w+): (.*(?:\n        .*)*)", base.__doc__ or "", re.MULTILINE)
        about.update({name: " ".join(text.split()) for name, text in lines})
    known, usual = types_of(kind), {field.name: field.default for field in fields(kind)}
    return {
        "type": "object",
        "description": " ".join((kind.__doc__ or "").split("\n\n")[0].split()),
        "properties": {
            name: {
                **_value_schema(each, parts),
                **({"description": about[name]} if name in about else {}),
                **({"default": usual[name]} if isinstance(usual[name], int | str) else {}),
            }
            for name, each in known.items()
        },
        "required": [field.name for field in fields(kind) if field.default is MISSING],
        "additionalProperties": False,
    }
