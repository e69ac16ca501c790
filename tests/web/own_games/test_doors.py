"""Every way by which a game comes from outside leads through the one check, and showing games costs little."""

from __future__ import annotations

import ast
import io
import random
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, request, request_finished
from flask.testing import FlaskClient

import scorer
from scorer.games import text_of
from tests.scorer.definitions.test_hostile import MAKERS
from tests.web.phones import JSON, send_record
from web.own_games import kept_games, process
from web.own_games.process import Answer
from web.problems.problem import SPENT_S, Problem
from web.services import services
from web.store.server_tokens import create_token

WEB = Path(__file__).resolve().parents[3] / "web"
OURS = text_of("farkle").replace('title = "Farkle"', 'title = "Our Farkle"')
TABLES = {"family": "ten-thousand", "title": "Ours", "summary": "Ours.", "rules": {}}
CHECKS = {"playable_game", "game_from_text", "checked_kind", "try_game"}
# Where `web` calls them: in the process, and for the files of a server's own folder, which are trusted.
MAY_CHECK = {"own_games/process.py", "own_games/kept_games.py"}


def by_program(app: Flask, client: FlaskClient, text: str) -> Any:
    token = create_token(app.config["DATA"], "owner")
    body = {"game": "ours", "players": ["Ada"], "options": {"file": text}}
    return client.post("/api/v1/tables", json=body, headers={"Authorization": f"Bearer {token}"})


def bring_by_each_door(client: FlaskClient, app: Flask, text: str) -> dict[str, Any]:
    """What is answered where a file of a game comes in."""
    record = {"format": 1, "game": "ours", "options": {}, "players": ["Ada", "Bob"], "actions": [], "file": text}
    file = io.BytesIO(text.encode("utf-8", "surrogatepass"))
    return {
        "form": client.post("/own-games", json={"name": "Ours", "toml": text}),
        "file": client.post("/own-games/file", data={"file": (file, "ours.toml")}, headers=JSON),
        "record": send_record(client, record, **JSON),
        "program": by_program(app, client, text),
    }


def ask_each_door(client: FlaskClient, app: Flask) -> dict[str, Any]:
    game = kept_games.OwnGame("shared", OURS)
    kept_games.keep(services(app).store, "another-phone-0123456789", game)
    return {
        **bring_by_each_door(client, app, OURS),
        "shared": client.post(f"/g/{game.digest}/keep", headers=JSON),
        "editor": client.post("/games/try", json={"definition": TABLES}),
        "edit": client.get("/games/farkle/edit", headers=JSON),
        "edit own": client.get(f"/g/{game.digest}/edit", headers=JSON),
    }


def test_each_hostile_file_is_refused_in_one_line_or_is_a_game(app: Flask, client: FlaskClient) -> None:
    for number in range(60):
        answers = bring_by_each_door(client, app, MAKERS[number % len(MAKERS)](random.Random(number)))
        answers["editor"] = client.post("/games/try", json={"definition": {"family": "hostile", "number": number}})
        for door, answer in answers.items():
            assert answer.status_code in (200, 201, 303, 400, 413, 422), (number, door, answer.get_data(as_text=True))
            if answer.status_code >= 400:
                said = answer.get_json()["detail"]
                assert 5 < len(said) < 1000, (number, door)
                assert said.replace("\u00a0", " ").isprintable(), (number, door, said)


TOO_COSTLY = Answer(0.5, refused=(Problem, vars(Problem(process.TOO_COSTLY))), lasts=False)


def test_a_costly_game_is_refused_at_each_door_in_one_sentence(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = services(app).checker._answers
    monkeypatch.setattr(answers, "answer", lambda *_: TOO_COSTLY)
    spent: list[float] = []

    def note(*_: object, **__: object) -> None:
        spent.append(request.environ.get(SPENT_S, 0.0))

    with request_finished.connected_to(note, app):
        answers = ask_each_door(client, app)
    assert spent == [0.5] * len(answers)
    for door, answer in answers.items():
        assert answer.status_code == 422, (door, answer.get_data(as_text=True)[:300])
        assert "This game takes too long to check." in answer.get_data(as_text=True), door


def test_a_refused_game_is_counted_before_the_work(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[str] = []
    monkeypatch.setattr(services(app).limits, "count", lambda limit, *_: counted.append(limit.what))
    bad = client.post("/own-games", json={"name": "Ours", "toml": OURS.replace("worth = ", "worth = 1")})
    assert bad.status_code == 422
    assert counted == ["try"]


def test_nothing_but_the_process_checks_games_from_outside() -> None:
    found = set()
    for path in WEB.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
            if name in CHECKS:
                found.add(path.relative_to(WEB).as_posix())
    assert found == MAY_CHECK


def test_what_strangers_send_is_parsed_where_it_is_small_or_has_bounds() -> None:
    found = {
        path.relative_to(WEB).as_posix()
        for path in WEB.rglob("*.py")
        if "scorer.strict_json" in path.read_text(encoding="utf-8")
    }
    small = {"pages/operations.py", "pages/table_api.py"}  # of at most 80 kB
    by_hand = {"hosts/game_files/collection.py", "proof/verification.py"}  # of commands
    assert found == {"own_games/process.py", *small, *by_hand}


def test_the_start_page_makes_each_kept_game_once(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        file = OURS.replace("Our Farkle", f"Our Farkle {number}")
        assert client.post("/own-games", json={"name": f"Ours {number}", "toml": file}).status_code == 200
    assert "Our Farkle 2" in client.get("/").get_data(as_text=True)

    def refuse(*_: object) -> None:
        raise AssertionError("a game was made again")

    monkeypatch.setattr(kept_games.scorer, "game_of_file", refuse)
    monkeypatch.setattr(scorer, "in_language", refuse)
    assert "Our Farkle 2" in client.get("/").get_data(as_text=True)
