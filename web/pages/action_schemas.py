"""The actions of all games as JSON schemas, from what their rules name, and examples of requests and answers."""

from collections.abc import Mapping, Sequence
from typing import Any

import scorer
from web.pages.api_documents import ErrorDocument, EventPage, StartedTable, StartTable
from web.table import commands, requests
from web.table.view import NewWebhook

ADJUST = "adjust"
CELL = {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 5}, "minItems": 2, "maxItems": 2}
PLAYER = {"type": "integer", "minimum": 0}
# By the name of the field, as the rules name the fields of each action.
FIELDS: Mapping[str, Mapping[str, Any]] = {
    "dice": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 6}, "maxItems": 6},
    "category": {"type": "string"},
    "column": {"type": "integer", "minimum": 1, "maximum": 3},
    "player": PLAYER,
    "cell": CELL,
    "line": {"type": "string"},
    "cells": {"type": "array", "items": CELL},
}
SETTLED_CELL = {"cell": CELL, "number": {"type": ["integer", "null"]}, "circled": {"type": "boolean"}}
ADJUSTED: Mapping[str, Mapping[str, Any]] = {
    "player": PLAYER,
    "players": {"type": "array", "items": PLAYER},
    "name": {"type": "string"},
    "points": {"type": ["integer", "null"]},
    "bonus": {"type": "integer"},
    "saved": {"type": "integer"},
    "over": {"type": "boolean"},
    "category": {"type": ["string", "null"]},
    "column": {"type": "integer", "minimum": 1, "maximum": 3},
    "numbers": {"type": "array", "items": {"type": "integer"}},
    "cells": {"type": "array", "items": {"type": "object", "properties": SETTLED_CELL}},
}

THROW = {"do": "throw", "dice": [5, 1, 4, 5, 1, 2]}
SEEN = {"number": 100, "version": 1, "player": 0, "name": "Ada", "device": "lamp", "at": "2026-11-27T18:40:08Z"}
EXAMPLES: Mapping[type, Any] = {
    StartTable: {"game": "farkle", "players": ["Ada", "Bob"]},
    StartedTable: {
        "key": "oQJPYe1BZesqZL4Eo0dwctbd",
        "id": "ca4572d9bc45c7ec",
        "code": "XHBSYM",
        "address": "http://192.168.1.20:8000/tables/oQJPYe1BZesqZL4Eo0dwctbd",
    },
    commands.Act: {"version": 0, "request": "throw-0001", "action": THROW},
    commands.Undo: {"version": 1, "request": "undo-0001"},
    commands.Correct: {
        "version": 1,
        "request": "mend-0001",
        "step": 1,
        "action": {**THROW, "dice": [5, 1, 4, 5, 1, 3]},
    },
    requests.PreviewCorrection: {"step": 1, "action": {**THROW, "dice": [5, 1, 4, 5, 1, 3]}},
    requests.ConnectWebhook: {"name": "lamp", "address": "http://192.168.1.30:8123/rollcall"},
    NewWebhook: {"webhook": "5f0c0e6f2b1d4a77", "secret": "whsec_bGV0IHRoZSBkaWNlIGZhbGwgd2hlcmUgdGhleSBtYXk="},
    commands.DisconnectWebhook: {"webhook": "5f0c0e6f2b1d4a77"},
    EventPage: {"items": [{**SEEN, "event": "throw-confirmed", "dice": THROW["dice"], "action": THROW}], "next": None},
    ErrorDocument: {
        "type": "/api#stale",
        "title": "Conflict",
        "status": 409,
        "detail": "Somebody else was quicker. Here is how the table stands now.",
        "reason": "stale",
        "params": {},
    },
}


# Where an action stands that somebody chooses; elsewhere it is one that was done, or may be, with further keys.
CHOSEN = (commands.Act, commands.Correct, requests.PreviewCorrection)


def action_schemas() -> dict[str, dict[str, Any]]:
    """The schema of each action, by the name of its component: `GameAction` for any of them, `Action` where it may have
    further keys. A field that not all games with it have is optional."""
    variants: dict[str, dict[str, Sequence[str]]] = {}  # the fields of an action, by games
    adjusted: dict[str, set[str]] = {}
    for info in scorer.all_games():
        game = scorer.game(info.key)
        for verb, action in game.actions.items():
            variants.setdefault(verb, {})[info.key] = action.fields
        for what, adjustment in game.adjustments.items():
            adjusted.setdefault(what, set()).update(adjustment.fields)
    found = {_name(verb): _schema(verb, by_game) for verb, by_game in variants.items()}
    kinds = {"type": "string", "enum": list(adjusted)}
    found[_name(ADJUST)] = {
        "type": "object",
        "description": "What a person settled by hand, in all games: docs/interfaces.md has the fields of each `what`.",
        "properties": {"do": _only(ADJUST), "what": kinds, **ADJUSTED},
        "required": ["do", "what"],
    }
    shown = {"title": "Action", "type": "object", "properties": {"do": {"type": "string"}}}
    ways = [{"$ref": f"#/components/schemas/{name}"} for name in found]
    return {"Action": shown, "GameAction": {**shown, "anyOf": ways}, **found}


def _schema(verb: str, by_game: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    every = list(dict.fromkeys(name for fields in by_game.values() for name in fields))
    common = [name for name in every if all(name in fields for fields in by_game.values())]
    return {
        "type": "object",
        "description": f"In {', '.join(by_game)}.",
        "properties": {"do": _only(verb), **{name: FIELDS[name] for name in every}},
        "required": ["do", *common],
    }


def _name(verb: str) -> str:
    return "".join(word.capitalize() for word in verb.split("-")) + "Action"


def _only(value: str) -> dict[str, Any]:
    return {"type": "string", "enum": [value]}
