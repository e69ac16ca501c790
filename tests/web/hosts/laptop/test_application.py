"""Whether a server says truly that it lives and is ready."""

import asyncio
import json
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import update

from scorer.games import text_of
from tests.web.asgi import scope_of
from tests.web.postgres import both_engines
from web.hosts.laptop import application
from web.hosts.laptop.application import HEALTH, READY, Probes
from web.hosts.laptop.serving import asgi_application
from web.services import services
from web.store import schema
from web.texts.release import VERSION, commit


async def ask_probe(probe: Callable[..., Any], *arguments: Any) -> tuple[int, dict[str, Any]]:
    """What an ASGI application answers."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    await probe(*arguments, send)
    return sent[0]["status"], json.loads(sent[1]["body"])


def ask(app: Flask, path: str, method: str = "GET") -> tuple[int, dict[str, Any]]:
    async def receive() -> Any:
        raise AssertionError("there is no body")

    scope = {**scope_of(method, path), "headers": [(b"host", b"server-one")]}
    return asyncio.run(ask_probe(asgi_application(app, services(app).hub), scope, receive))


def test_a_server_lives_and_is_ready_by_whatever_name_it_is_asked(app: Flask, database: str | None) -> None:
    status, told = ask(app, HEALTH)
    assert (status, told["health"], told["version"]) == (200, "ok", VERSION)
    assert told.get("commit") == ((known := commit()) and known.name)
    if database is None:  # PostgreSQL keeps its own files whole
        assert told["check"].keys() == {"state", "tables", "of", "whole_at"}
    assert ask(app, READY) == (200, {"ready": True, "reason": None})


@pytest.mark.parametrize("path", [HEALTH, READY])
def test_head_is_answered_as_get(app: Flask, path: str) -> None:
    """The connection leaves the body out: `test_server.py`."""
    assert ask(app, path, "HEAD") == ask(app, path)


@both_engines
def test_a_store_of_a_newer_version_is_not_served(app: Flask) -> None:
    with services(app).store.write() as connection:
        connection.execute(
            update(schema.schema_version).values(version=schema.VERSION + 1, readable_by=schema.VERSION + 1)
        )
    status, told = ask(app, READY)
    assert (status, told["ready"]) == (503, False)
    assert "newer Rollcall" in told["reason"]
    assert ask(app, HEALTH)[0] == 200


def test_a_server_that_ends_is_not_ready() -> None:
    found = Probes(lambda: None, lambda: None, lambda: None)
    assert asyncio.run(ask_probe(found.answer, READY))[0] == 200
    found.ending = True
    assert asyncio.run(ask_probe(found.answer, READY)) == (503, {"ready": False, "reason": application.ENDING})


def test_a_store_that_does_not_answer_is_asked_once_however_many_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "ANSWERS_WITHIN_S", 0.2)
    questions: list[float] = []
    free = threading.Event()

    def fault() -> None:
        questions.append(time.monotonic())
        free.wait(30)

    async def crowd() -> list[Any]:
        found = Probes(fault, lambda: None, lambda: None)
        answers = await asyncio.gather(*(ask_probe(found.answer, READY) for _ in range(50)))
        free.set()
        return answers

    assert asyncio.run(crowd()) == [(503, {"ready": False, "reason": application.SLOW})] * 50
    assert len(questions) == 1


def test_the_end_of_a_server_answers_who_waits_for_a_check(app: Flask, client: FlaskClient) -> None:
    asgi_application(app, services(app).hub).close()
    game = {"name": "Ours", "toml": text_of("farkle").replace('title = "Farkle"', 'title = "Our Farkle"')}
    answer = client.post("/own-games", json=game)
    assert (answer.status_code, answer.get_json()["reason"]) == (503, "busy")
