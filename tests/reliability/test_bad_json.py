"""Every field of every JSON route with everything that is wrong for it; and documents that no `json.dumps` writes."""

import copy
import io
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer.strict_json import DEEPEST, parse
from tests.reliability.fuzzing import NASTY, RAW_JSON
from tests.reliability.test_fuzz import assert_error
from tests.web.apps import create_app
from tests.web.phones import JSON, Phone, any_legal, start
from tests.web.postgres import both_engines
from web.services import services
from web.texts.script_texts import all_reasons

ROUTES = ("actions", "undo", "corrections", "corrections/preview", "would", "look")
GAMES = ("ones-and-fives", "knaster", "kosci-triple", "drapky")
ACTIONS = (
    {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]},
    {"do": "set-aside", "dice": [1, 1]},
    {"do": "score", "category": "full", "column": 2},
    {"do": "keep", "dice": [1, 2]},
    {"do": "circle-line", "player": 0, "line": "r1", "cells": [[1, 2]]},
)


def wrong(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """`document` with each of its parts, however deep, left out and replaced by all that does not belong there."""

    def places(part: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        if path:
            yield path
        inner = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
        for name, value in inner:
            if not (isinstance(part, list) and name > 1):  # the third die is like the second
                yield from places(value, (*path, name))

    for path in places(document, ()):
        for value in (*NASTY, ...):
            changed = copy.deepcopy(document)
            holder: Any = changed
            for name in path[:-1]:
                holder = holder[name]
            if value is ...:
                del holder[path[-1]]
            else:
                holder[path[-1]] = value
            yield changed


@both_engines
@pytest.mark.parametrize(
    ("game", "every"), [("ones-and-fives", 11), *(pytest.param(game, 1, marks=pytest.mark.slow) for game in GAMES)]
)
def test_every_field_with_everything_that_is_wrong_for_it(
    app: Flask, tmp_path: Path, database: str | None, game: str, every: int
) -> None:
    client = app.test_client()
    phone = Phone(client, start(client, game, "Ada", "Bob"))
    dice = random.Random(1)
    tried = 0
    for action in ACTIONS:
        phone.act(**any_legal(phone.standing, dice))
        body = {
            "version": 0,
            "request": "a-request-that-is-new",
            "action": action,
            "plays_for": 0,
            "evidence": {"reading": "x", "dice": [{"value": 1, "box": [1.0, 2.0, 3.0, 4.0]}], "aside": []},
            "step": 1,
            "drop_tail": True,
        }
        for number, document in enumerate(list(wrong(body))[::every]):
            if "version" in document and document["version"] == 0:
                document["version"] = phone.state["version"]
            if document.get("request") == "a-request-that-is-new":
                document["request"] = f"request-{action['do']}-{number:05}"
            route = ROUTES[number % len(ROUTES)]
            answer = client.post(
                f"/api/v1{phone.base}/{route}", data=json.dumps(document), headers=JSON, content_type=JSON["Accept"]
            )
            assert answer.status_code < 500, (route, document)
            if answer.status_code >= 400:
                assert_error(answer.get_json())
            elif route not in ("corrections/preview", "would"):
                phone.look()
            tried += 1
    assert tried > 3000 / every
    before = phone.look()
    services(app).close()
    again = create_app(tmp_path / "data", database=database)
    after = Phone(again.test_client(), phone.base).state
    assert after["standing"] == before["standing"], "whatever was accepted can be read again"
    assert after["version"] == before["version"]
    services(again).close()


@pytest.mark.parametrize("route", ROUTES)
def test_documents_that_are_none(app: Flask, route: str) -> None:
    client = app.test_client()
    phone = Phone(client, start(client))
    for data in RAW_JSON:
        answer = client.post(f"/api/v1{phone.base}/{route}", data=data, headers=JSON, content_type=JSON["Accept"])
        assert answer.status_code in (400, 413, 422), data[:60]
        assert_error(answer.get_json())
        record = client.post("/import", data={"record": (io.BytesIO(data), "record.json")}, headers=JSON)
        assert record.status_code == 422, data[:60]
        assert_error(record.get_json())
    assert phone.look()["version"] == 0


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_json_under_another_name_is_refused(app: Flask, kind: str) -> None:
    """A page of another site may send these kinds without asking first."""
    client = app.test_client()
    phone = Phone(client, start(client))
    body = json.dumps({"version": 0, "request": "a-request", "action": ACTIONS[0]})
    answer = client.post(f"/api/v1{phone.base}/actions", data=body, headers={**JSON, "Content-Type": kind})
    assert (answer.status_code, answer.get_json()["reason"]) == (415, "no-such-type")
    assert phone.look()["version"] == 0


def test_of_two_values_nobody_knows_which_was_meant_and_nothing_is_done(app: Flask) -> None:
    client = app.test_client()
    phone = Phone(client, start(client))
    body = b'{"version":7,"version":0,"request":"request-one","action":{"do":"bank"},"action":%s}'
    data = body % json.dumps(ACTIONS[0]).encode()
    answer = client.post(f"/api/v1{phone.base}/actions", data=data, headers=JSON, content_type=JSON["Accept"])
    assert (answer.status_code, answer.get_json()["reason"]) == (400, "bad-request")
    assert phone.look()["version"] == 0


@pytest.mark.parametrize("language", ["en", "cs", "pl"])
def test_an_unknown_table_is_told_in_ones_language_and_shape(app: Flask, language: str) -> None:
    client: FlaskClient = app.test_client()
    reason = "table-unknown"
    sentences = set()
    for path, method in (("", "GET"), ("/actions", "POST"), ("/photos", "POST"), ("/print", "GET")):
        interface = "" if path == "/print" else "/api/v1"
        address = f"{interface}/tables/wrong{path}"
        program = client.open(address, method=method, headers={**JSON, "Accept-Language": language})
        assert program.status_code == 404
        assert_error(program.get_json())
        assert program.get_json()["reason"] == reason
        sentences.add(program.get_json()["detail"])
        if path in ("", "/print"):
            page = client.get(f"/tables/wrong{path}", headers={"Accept": "text/html", "Accept-Language": language})
            assert page.status_code == 404
            assert f'<html lang="{language}">' in page.get_data(as_text=True)
            assert program.get_json()["detail"] in page.get_data(as_text=True)
    assert len(sentences) == 1
    assert (all_reasons()[reason] in sentences) is (language == "en")


def test_the_parser_takes_what_is_as_deep_as_a_record_and_no_deeper() -> None:
    assert parse("[" * DEEPEST + "]" * DEEPEST)
    for depth in (DEEPEST + 2, 500, 100_000):
        with pytest.raises(ValueError, match="deeply"):
            parse("[" * depth + "]" * depth)
