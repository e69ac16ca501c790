"""Hostile files of games, by each way that leads in: the form, a chosen file, the interface for programs, a record."""

from __future__ import annotations

import io
import json
import random
import sys
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.scorer.definitions.test_hostile import MAKERS
from tests.web.phones import JSON
from web.store.server_tokens import create_token

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILES = 100
LONGEST = 1000  # characters of a refusal
MAY_SAY = (200, 201, 303, 400, 413, 422, 429)


def by_form(app: Flask, client: FlaskClient, text: str) -> Any:
    return client.post("/own-games", json={"name": "hostile", "toml": text})


def by_file(app: Flask, client: FlaskClient, text: str) -> Any:
    data = {"file": (io.BytesIO(text.encode("utf-8", "surrogatepass")), "hostile.toml")}
    return client.post("/own-games/file", data=data, headers=JSON)


def by_trial(app: Flask, client: FlaskClient, text: str) -> Any:
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError):
        tables = {"family": text}
    return client.post("/games/try", json={"definition": tables, "before": "farkle"})


def by_program(app: Flask, client: FlaskClient, text: str) -> Any:
    token = create_token(app.config["DATA"], "owner")
    body = {"game": "hostile", "players": ["Ada"], "options": {"file": text}}
    return client.post("/api/v1/tables", json=body, headers={"Authorization": f"Bearer {token}"})


def by_record(app: Flask, client: FlaskClient, text: str) -> Any:
    record = {"format": 1, "game": "hostile", "options": {}, "players": ["Ada"], "actions": [], "file": text}
    data = {"record": (io.BytesIO(json.dumps(record).encode()), "game.json")}
    return client.post("/import", data=data, headers=JSON)


@pytest.mark.parametrize("way", [by_form, by_file, by_trial, by_program, by_record])
def test_each_is_refused_in_one_line_or_is_a_game(
    app: Flask, client: FlaskClient, way: Callable[[Flask, FlaskClient, str], Any]
) -> None:
    read = 0
    for number in range(FILES):
        answer = way(app, client, MAKERS[number % len(MAKERS)](random.Random(number)))
        assert answer.status_code in MAY_SAY, (number, answer.get_data(as_text=True))
        read += answer.status_code != 429
        if answer.status_code < 400:
            continue
        told = answer.get_json()
        said = told["detail"]
        assert 5 < len(said) < LONGEST, number
        assert said.replace("\u00a0", " ").isprintable(), (number, said)
    assert read > FILES // 2, "a limit of visitors hides what the files do"
