"""The OpenAPI document of `/api/v1`, made of its operations and their types, and a page of it for people."""

import functools
import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from flask import Blueprint, Response, render_template

from web.pages import server_api, table_api  # noqa: F401 - they declare the operations
from web.pages.action_schemas import CHOSEN, EXAMPLES, action_schemas
from web.pages.api_documents import ErrorDocument
from web.pages.operations import ACTS, ANYBODY, OPERATIONS, PAGES, PHOTO_TYPES, PREFIX, READS, SERVER, TOKEN, Operation
from web.programs.webhooks.webhook_sender import WebhookBody
from web.table.happenings import TableEvent

VERSION = "1.0.0"  # of the interface; docs/api.md says what it promises
REFERENCE = "#/components/schemas/{name}"
PROBLEM = "application/problem+json"
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

blueprint = Blueprint("api_document", __name__)


def listed_operations() -> list[Operation]:
    """The operations for programs; the others are the page's own (docs/interfaces.md)."""
    return [each for each in OPERATIONS if each.listed]


@blueprint.get("/api/v1/openapi.json")
def show_document() -> Response:
    return Response(document_text(), mimetype="application/json")


@blueprint.get("/api")
def show_page() -> str:
    return render_template(
        "api.html", document=document(), operations=list(_with_rights()), refusals=REFUSALS, shape=_shape
    )


@functools.cache  # bounded: no argument
def document_text() -> str:
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


@functools.cache  # bounded: no argument
def document() -> dict[str, Any]:
    kinds = [kind for each in listed_operations() for kind in (each.takes, each.gives) if kind not in (None, bytes)]
    _, parts = msgspec.json.schema_components([*kinds, ErrorDocument, TableEvent, WebhookBody], ref_template=REFERENCE)
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
        "webhooks": {"events": {"post": _webhook_entry()}},
        "components": {
            "schemas": {**schemas, **action_schemas()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "responses": {
                status: {"description": said, "content": {PROBLEM: _media(ErrorDocument)}}
                for status, said in REFUSALS.items()
            },
        },
    }


def _webhook_entry() -> dict[str, Any]:
    """What an address that was connected is sent."""
    signed = [
        {"name": name, "in": "header", "required": True, "schema": {"type": "string"}}
        for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    ]
    content = {"application/json": {"schema": _reference(WebhookBody)}}
    return {
        "operationId": "take_events",
        "summary": "What happened at a table, signed as standardwebhooks.com has it.",
        "parameters": signed,
        "requestBody": {"required": True, "content": content},
        "responses": {"200": {"description": "Taken. Any answer but 2xx is tried again later, and 410 is not."}},
    }


def _operation_entry(each: Operation) -> dict[str, Any]:
    refusals = {status: {"$ref": f"#/components/responses/{status}"} for status in REFUSALS}
    asked: dict[str, Any] = {}
    if each.takes is bytes:
        pictures = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in PHOTO_TYPES}
        asked = {"requestBody": {"required": True, "content": pictures}}
    elif each.takes is not None:
        asked = {"requestBody": {"required": True, "content": {"application/json": _media(each.takes)}}}
    content = {"application/json": _media(each.gives)}
    if each.gives is bytes:
        content = {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}}
    told: dict[str, Any] = {"description": "Done.", "content": content}
    if each.streams:
        told["content"]["text/event-stream"] = {"schema": {"type": "string"}}
    if each.query is PAGES:
        told["headers"] = {"Link": {"description": "The next page, as rel=next.", "schema": {"type": "string"}}}
    return {
        "operationId": each.name,
        "summary": each.summary,
        "description": WHO[each.who],
        "parameters": list(_parameters(each)),
        **asked,
        "responses": {str(each.status): told, **refusals},
        "security": [] if each.who == ANYBODY else [{"token": []}] + ([] if each.who in (SERVER, TOKEN) else [{}]),
    }


def _parameters(each: Operation) -> Iterator[dict[str, Any]]:
    for name in re.findall(r"\{(\w+)\}", each.path):
        yield {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
    for name, schema in each.query.items():
        yield {"name": name, "in": "query", "required": name in each.required, "schema": schema}


def _media(kind: Any) -> dict[str, Any]:
    """The content of a body, with an example if there is one."""
    return {"schema": _reference(kind), **({"example": EXAMPLES[kind]} if kind in EXAMPLES else {})}


def _reference(kind: Any) -> dict[str, str]:
    return {"$ref": REFERENCE.format(name=kind.__name__)}


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


def _shape(schema: Mapping[str, Any]) -> str:
    """What a value is, in words for the page."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(map(_shape, schema["anyOf"]))
    if "enum" in schema:
        return ", ".join(map(json.dumps, schema["enum"]))
    if schema.get("type") == "array":
        return f"list of {_shape(schema['items'])}" if isinstance(schema.get("items"), Mapping) else "list"
    return str(schema.get("title") or schema.get("type") or "any value")


def _with_rights() -> Iterator[tuple[Operation, str]]:
    for each in listed_operations():
        yield each, WHO[each.who]
