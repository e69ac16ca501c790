"""The OpenAPI document of `/api/v1`, made of its operations and their types, and a page of it for people."""

import functools
import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from flask import Blueprint, Response, render_template

import scorer
from web.pages import server_api, table_api  # noqa: F401 - they declare operations
from web.pages.operations import ACTS, ANYBODY, OPERATIONS, PAGES, PHOTO_TYPES, PREFIX, READS, SERVER, TOKEN, Operation
from web.problems.problem import DETAILS, Problem, as_details
from web.table import commands, requests
from web.table.happenings import TableEvent
from web.table.json_document import Document

VERSION = "1.0.0"  # of the interface; docs/api.md says what it promises
REFERENCE = "#/components/schemas/{name}"
WHO = {
    ANYBODY: "Needs no token.",
    SERVER: "Needs a token of the machine's owner (`rollcall token`).",
    READS: "Needs the table's key, or a token of the table.",
    ACTS: "Needs the table's key, or a token of the table that may act.",
    TOKEN: "Needs a token of the table that may act, or one of the machine's owner.",
}
REFUSALS = {
    "400": "The request is not as described.",
    "401": "A token is missing or wrong.",
    "403": "The token, or this program, may not do this.",
    "404": "It is not there.",
    "409": "The table has moved on, or is closed.",
    "410": "The table was deleted.",
    "413": "The body is too large.",
    "415": "The body has another type.",
    "421": "The server does not answer to this host name.",
    "422": "The rules, or the bounds, do not allow it.",
    "429": "Too often: ask again later.",
    "503": "Not now: `Retry-After` may say when.",
}
ADJUST = "adjust"
CELL = {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 5}, "minItems": 2, "maxItems": 2}
PLAYER, COLUMN = {"type": "integer", "minimum": 0}, {"type": "integer", "minimum": 1, "maximum": 3}
# By the name of the field, as the rules name the fields of each action.
FIELDS: Mapping[str, Mapping[str, Any]] = {
    "dice": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 6}, "maxItems": 12},
    "category": {"type": "string"},
    "column": COLUMN,
    "player": PLAYER,
    "cell": CELL,
    "line": {"type": "string"},
    "cells": {"type": "array", "items": CELL},
    "points": {"type": "integer"},
    "tiles": {"type": "array", "items": {"type": "integer", "minimum": 1}},
    "count": {"type": "integer", "minimum": 1, "maximum": 12},
}
SETTLED_CELL = {"cell": CELL, "number": {"type": ["integer", "null"]}, "circled": {"type": "boolean"}}
ADJUSTED: Mapping[str, Mapping[str, Any]] = {
    "player": PLAYER,
    "players": {"type": "array", "items": PLAYER},
    "name": {"type": "string"},
    "points": {"type": ["integer", "null"]},
    "bonus": {"type": "integer"},
    "saved": {"type": "integer"},
    "wins": {"type": "boolean"},
    "number": {"type": "integer"},
    "over": {"type": "boolean"},
    "category": {"type": ["string", "null"]},
    "column": COLUMN,
    "round": {"type": "integer", "minimum": 1},
    "text": {"type": "string"},
    "numbers": {"type": "array", "items": {"type": "integer"}},
    "cells": {"type": "array", "items": {"type": "object", "properties": SETTLED_CELL}},
}
# Where an action stands that somebody chooses; elsewhere it is one that was done, or may be, with further keys.
CHOSEN = (commands.Act, commands.Correct, requests.PreviewCorrection)
STALE = Problem("stale", 409)
REFUSED = as_details(STALE, str(STALE), STALE.status)

blueprint = Blueprint("api_document", __name__)


class ErrorDocument(Document, frozen=True, kw_only=True):
    """Any refusal (RFC 9457, `application/problem+json`). `type`: where it is explained; `title`: the status in words;
    `detail`: a sentence in the language of Accept-Language. `reason`: the key of the refusal, with its `params`."""

    type: str
    title: str
    status: int
    detail: str
    reason: str
    params: Mapping[str, Any]


def listed_operations() -> list[Operation]:
    """The operations for programs; the others are the page's own (docs/interfaces.md)."""
    return [each for each in OPERATIONS if each.listed]


@blueprint.get("/api/v1/openapi.json")
def show_document() -> Response:
    return Response(document_text(), mimetype="application/json")


@blueprint.get("/api")
def show_page() -> str:
    context = {"document": document(), "operations": listed_operations(), "who": WHO, "refusals": REFUSALS}
    return render_template("api.html", **context)


@functools.cache  # bounded: no argument
def document_text() -> str:
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


@functools.cache  # bounded: no argument
def document() -> dict[str, Any]:
    kinds = [kind for each in listed_operations() for kind in (each.takes, each.gives) if kind not in (None, bytes)]
    _, parts = msgspec.json.schema_components([*kinds, ErrorDocument, TableEvent], ref_template=REFERENCE)
    schemas = {name: _without_bounds(part) for name, part in parts.items()}
    for kind in CHOSEN:
        schemas[kind.__name__]["properties"]["action"] = {"$ref": REFERENCE.format(name="GameAction")}
    paths: dict[str, Any] = {}
    for each in listed_operations():
        paths.setdefault(each.path, {})[each.method.lower()] = _operation_entry(each)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Rollcall",
            "version": VERSION,
            "description": "Scores of dice games at a table. docs/api.md says what this interface promises.",
            "license": {"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"},
        },
        "servers": [{"url": PREFIX}],
        "paths": paths,
        "components": {
            "schemas": {**schemas, **action_schemas()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "responses": {
                status: {"description": said, "content": {DETAILS: _media(ErrorDocument, REFUSED)}}
                for status, said in REFUSALS.items()
            },
        },
    }


def _operation_entry(each: Operation) -> dict[str, Any]:
    refusals = {status: {"$ref": f"#/components/responses/{status}"} for status in REFUSALS}
    asked: dict[str, Any] = {}
    if each.takes is bytes:
        pictures = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in PHOTO_TYPES}
        asked = {"requestBody": {"required": True, "content": pictures}}
    elif each.takes is not None:
        asked = {"requestBody": {"required": True, "content": {"application/json": _media(each.takes, each.example)}}}
    content = {"application/json": _media(each.gives, each.answers)}
    if each.gives is bytes:
        content = {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}}
    response: dict[str, Any] = {"description": "Done.", "content": content}
    if each.streams:
        response["content"]["text/event-stream"] = {"schema": {"type": "string"}}
    if each.query is PAGES:
        response["headers"] = {"Link": {"description": "The next page, as rel=next.", "schema": {"type": "string"}}}
    return {
        "operationId": each.name,
        "summary": each.summary,
        "description": WHO[each.who],
        "parameters": list(_parameters(each)),
        **asked,
        "responses": {str(each.status): response, **refusals},
        "security": [] if each.who == ANYBODY else [{"token": []}] + ([] if each.who in (SERVER, TOKEN) else [{}]),
    }


def _parameters(each: Operation) -> Iterator[dict[str, Any]]:
    for name in re.findall(r"\{(\w+)\}", each.path):
        yield {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
    for name, schema in each.query.items():
        yield {"name": name, "in": "query", "required": name in each.required, "schema": schema}


def _media(kind: Any, example: Any) -> dict[str, Any]:
    schema = {"$ref": REFERENCE.format(name=kind.__name__)}
    return {"schema": schema, **({} if example is None else {"example": example})}


def _without_bounds(part: Any) -> Any:
    """A schema to which later versions may add fields, with what its docstring says in one line."""
    if isinstance(part, Mapping):
        kept = {
            key: _without_bounds(value)
            for key, value in part.items()
            if (key, value) != ("additionalProperties", False)
        }
        if kept.get("title") == "Action":
            return {"$ref": REFERENCE.format(name="Action")}
        if "prefixItems" in kept:  # a list of a fixed length: more programs understand it than a tuple
            kept["items"], *others = kept.pop("prefixItems")
            assert all(each == kept["items"] for each in others), f"a tuple of several kinds: {part}"
        said = kept.get("description")
        if isinstance(said, str):
            kept["description"] = " ".join(inspect.cleandoc(said).split()).replace("None", "null")
        return kept
    return (
        [_without_bounds(each) for each in part] if isinstance(part, Sequence) and not isinstance(part, str) else part
    )


def action_schemas() -> dict[str, dict[str, Any]]:
    """The schema of each action, by the name of its component: `GameAction` for any of them, `Action` where it may have
    further keys. A field that not all games with it have is optional."""
    variants: dict[str, dict[str, Sequence[str]]] = {}  # the fields of an action, by games
    adjusted: dict[str, None] = {}
    for info in scorer.all_games():
        game = scorer.game(info.key)
        for verb, action in game.actions.items():
            variants.setdefault(verb, {})[info.key] = action.fields
        adjusted.update(dict.fromkeys(game.adjustments))
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
