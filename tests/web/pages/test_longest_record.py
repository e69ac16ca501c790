"""Whatever can be exported can be imported, and does not hold the server."""

import json
import time
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

import scorer
from scorer.seats import LONGEST_NAME, MOST_SEATS
from tests.web.phones import Phone
from web.pages.large_bodies import LARGER
from web.pages.operations import RECORD_LIMIT, WIDEST_ACTION
from web.table.stored_table import Json

GENEROUS_S = 60.0  # of processor time for 20,000 steps, of which it takes some 5; it took 340 where it was quadratic
WIDE = "\U0001f3b2" * (LONGEST_NAME - 1)
ACTIONS: dict[str, tuple[str, Callable[[int], Json]]] = {
    "names": (
        "sequence",
        lambda i: {"do": "adjust", "what": "player-renamed", "player": 0, "name": WIDE + chr(0x1F300 + i % 2)},
    ),
    "totals": ("farkle", lambda i: {"do": "adjust", "what": "total", "player": i % 2, "points": i}),
    "busts": ("farkle", lambda i: {"do": "throw", "dice": [2, 2, 3, 3, 4, 6]}),
}


def import_record(client: FlaskClient, record: bytes) -> str:
    edge = "a-record"
    head = f'--{edge}\r\nContent-Disposition: form-data; name="record"; filename="game.json"\r\n\r\n'
    body = head.encode() + record + f"\r\n--{edge}--\r\n".encode()
    answer = client.post("/import", data=body, content_type=f"multipart/form-data; boundary={edge}")
    assert answer.status_code == 303, answer.get_data(as_text=True)[:500]
    return str(answer.headers["Location"])


@pytest.mark.whole
@pytest.mark.parametrize(("database", "kind"), [("postgresql", "names"), ("sqlite", "busts")], indirect=["database"])
def test_the_longest_game_goes_out_and_in_again(client: FlaskClient, kind: str) -> None:
    game, action = ACTIONS[kind]
    record = scorer.Table(scorer.game(game), ["Ada", "Bob"]).record()
    record["actions"] = [action(number) for number in range(scorer.MOST_ACTIONS)]
    began = time.thread_time()
    base = import_record(client, json.dumps(record).encode())
    exported = client.get(f"{base}/record.json").data
    assert len(exported) <= RECORD_LIMIT
    copy = import_record(client, exported)
    assert Phone(client, copy).standing == Phone(client, base).standing
    assert client.get(f"{copy}/record.json").data == exported
    assert time.thread_time() - began < 2 * GENEROUS_S


def test_no_action_is_wider_than_is_reckoned_with() -> None:
    actions: list[Json] = [action(0) for _, action in ACTIONS.values()]
    actions += [
        {"do": "adjust", "what": "order", "players": list(range(MOST_SEATS))},
        {"do": "adjust", "what": "player-added", "name": "\U0001f3b2" * LONGEST_NAME},
        {"do": "circle-line", "player": 11, "line": "r1", "cells": [[row, 5] for row in range(1, 6)]},
    ]
    for action in actions:
        # One beside another, in a list within an object, as `record.json` writes them.
        for escaped in (False, True):
            one, two = (
                len(json.dumps({"actions": [action] * count}, ensure_ascii=escaped, indent=1).encode())
                for count in (1, 2)
            )
            assert two - one <= WIDEST_ACTION, action


def test_a_server_takes_the_form_of_the_longest_record(app: Flask) -> None:
    assert RECORD_LIMIT < LARGER["pages.import_record"] <= app.config["MAX_CONTENT_LENGTH"]
