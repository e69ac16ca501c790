"""The longest usual game can be exported and imported, and a record is refused by its size before it is read."""

import json
import time
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

import scorer
from tests.web.phones import JSON, Phone
from web.own_games import process
from web.own_games.process import Answer, Request
from web.pages.large_bodies import LARGER
from web.pages.operations import RECORD_LIMIT
from web.problems.problem import Problem
from web.services import services
from web.table.stored_table import Json

GENEROUS_S = 60.0  # of processor time for 20,000 steps, of which it takes some 3; it took 340 where it was quadratic
ACTIONS: dict[str, tuple[str, Callable[[int], Json]]] = {
    "totals": ("farkle", lambda i: {"do": "adjust", "what": "total", "player": i % 2, "points": i}),
    "busts": ("farkle", lambda i: {"do": "throw", "dice": [2, 2, 3, 3, 4, 6]}),
}


def post_record(client: FlaskClient, record: bytes) -> str:
    edge = "a-record"
    head = f'--{edge}\r\nContent-Disposition: form-data; name="record"; filename="game.json"\r\n\r\n'
    body = head.encode() + record + f"\r\n--{edge}--\r\n".encode()
    answer = client.post("/import", data=body, content_type=f"multipart/form-data; boundary={edge}", headers=JSON)
    assert answer.status_code in (303, 422), answer.get_data(as_text=True)[:500]
    return str(answer.headers["Location"] if answer.status_code == 303 else answer.get_json()["reason"])


@pytest.mark.whole
@pytest.mark.parametrize(("database", "kind"), [("postgresql", "totals"), ("sqlite", "busts")], indirect=["database"])
def test_the_longest_game_goes_out_and_in_again(client: FlaskClient, kind: str) -> None:
    game, action = ACTIONS[kind]
    record = scorer.Table(scorer.game(game), ["Ada", "Bob"]).record()
    record["actions"] = [action(number) for number in range(scorer.MOST_ACTIONS)]
    began = time.thread_time()
    base = post_record(client, json.dumps(record).encode())
    exported = client.get(f"{base}/record.json").data
    assert len(exported) <= RECORD_LIMIT
    copy = post_record(client, exported)
    assert Phone(client, copy).standing == Phone(client, base).standing
    assert client.get(f"{copy}/record.json").data == exported
    assert time.thread_time() - began < 2 * GENEROUS_S


def test_a_record_is_refused_by_its_size_before_it_is_read(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    def answer(request: Request, gone: object) -> Answer:
        read.append(len(request[1][0]))
        return Answer(0.0, refused=(Problem, vars(Problem(process.TOO_COSTLY))))

    monkeypatch.setattr(services(app).checker._answers, "answer", answer)
    assert post_record(client, b"[" * (RECORD_LIMIT + 1)) == post_record(client, b"") == "record-size"
    assert read == []
    assert post_record(client, b"[" * RECORD_LIMIT) == process.TOO_COSTLY
    assert read == [RECORD_LIMIT]


def test_a_server_takes_the_form_of_the_longest_record(app: Flask) -> None:
    assert RECORD_LIMIT < LARGER["pages.import_record"] <= app.config["MAX_CONTENT_LENGTH"]
