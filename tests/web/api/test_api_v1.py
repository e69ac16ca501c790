"""What programs may ask and see, and who they are."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

import rollcall
import scorer
from tests.web.apps import create_app
from tests.web.pages.test_own_games import OURS
from tests.web.phones import Phone, any_legal, start
from tests.web.postgres import both_engines
from tests.web.proving import confirm, proving
from tests.web.waiting import wait_until
from web.limits.guesses import GUESSES_A_MINUTE
from web.own_games.kept_games import OwnGame
from web.pages.openapi import listed_operations
from web.pages.operations import ACTS, ANYBODY, OPEN, OPERATIONS, PREFIX, READS, SERVER, TOKEN, Operation
from web.services import services
from web.store.server_tokens import FILE, create_token, read_tokens, revoke_token
from web.table.access_list import MOST_PROGRAMS, table_id
from web.table.events import blob_hash

PHOTO = Path(__file__).parents[2] / "pictures" / "throw-234.jpg"


@pytest.fixture
def program(app: Flask) -> FlaskClient:
    """A program without cookies."""
    return app.test_client(use_cookies=False)


class OwnersTokens:
    """The tokens of a server's owner: in its data folder, or in its database."""

    def __init__(self, app: Flask, database: str | None) -> None:
        self._data, self._shared = app.config["DATA"], None
        if database is not None:
            from web.hosts.cluster.shared_store import SharedTokens

            self._shared = SharedTokens(services(app).store)

    def create(self, name: str) -> str:
        return create_token(self._data, name) if self._shared is None else self._shared.create(name)

    def revoke_first(self) -> None:
        if self._shared is None:
            revoke_token(self._data, read_tokens(self._data)[0].hash[:10])
        else:
            self._shared.revoke(self._shared.read()[0].hash[:10])


@pytest.fixture
def owner(app: Flask, database: str | None) -> dict[str, str]:
    return bearer(OwnersTokens(app, database).create("owner"))


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def connect(phone: Phone, may: str, name: str = "lamp") -> str:
    answer = phone.client.post(f"/api/v1{phone.base}/programs", json={"name": name, "may": may})
    assert answer.status_code == 201, answer.get_data(as_text=True)
    return str(answer.get_json()["token"])


def test_every_error_has_the_shape_of_rfc_9457(app: Flask, program: FlaskClient, owner: dict[str, str]) -> None:
    key = Phone(app.test_client(), start(app.test_client())).key
    table = f"{PREFIX}/tables/{key}"
    asked: list[tuple[int, str, str, dict[str, Any]]] = [
        (404, "GET", "/api/v1/nothing", {}),
        (404, "GET", "/api/nothing", {}),
        (404, "GET", f"{PREFIX}/tables/unknown", {}),
        (405, "DELETE", table, {}),
        (400, "POST", f"{table}/actions", {"data": b"{", "content_type": "application/json"}),
        (413, "POST", f"{table}/actions", {"data": b" " * (1 << 17), "content_type": "application/json"}),
        (415, "POST", f"{table}/actions", {"data": b"{}", "content_type": "text/plain"}),
        (415, "POST", f"{PREFIX}/readings", {"data": b"x", "content_type": "text/plain", "headers": owner}),
        (400, "GET", f"{PREFIX}/games?limit=0", {}),
        (401, "GET", f"{PREFIX}/statistics", {}),
        (403, "POST", f"{table}/undo", {"json": {}, "headers": {"Origin": "http://evil.example"}}),
        (409, "POST", f"{table}/undo", {"json": {"version": 7, "request": "a-request"}}),
        (421, "GET", f"{PREFIX}/games", {"headers": {"Host": "evil.example"}}),
        (422, "POST", f"{PREFIX}/tables", {"json": {"game": "none", "players": ["Ada"]}, "headers": owner}),
    ]
    for status, method, path, more in asked:
        answer = program.open(path, method=method, **more)
        assert (answer.status_code, answer.mimetype) == (status, "application/problem+json"), path
        told = answer.get_json()
        assert set(told) == {"type", "title", "status", "detail", "reason", "params"}
        assert told["status"] == status
        assert told["detail"]
        assert ("WWW-Authenticate" in answer.headers) == (status == 401)


def test_a_game_is_played_through_the_interface(program: FlaskClient, owner: dict[str, str]) -> None:
    settings = {"advice": "odds", "dice_set": "red", "keeps_pictures": True}
    wanted = {"game": "zilch", "players": ["Ada", "Bob"], **settings}
    refused = program.post(f"{PREFIX}/tables", json={**wanted, "dice_set": "r" * 41}, headers=owner)
    assert (refused.status_code, refused.get_json()["reason"]) == (422, "dice-set-long")
    started = program.post(f"{PREFIX}/tables", json={**wanted, "dice_set": " red\t"}, headers=owner)
    assert started.status_code == 201
    table, dice = started.headers["Location"], random.Random(1)
    state, number = program.get(table).get_json(), 0
    assert state["settings"] == settings
    while not state["standing"]["over"]:
        number += 1
        body = {"version": state["version"], "request": f"request-{number}"}
        if number < 230:  # more than a page of steps
            answer = program.post(f"{table}/actions", json={**body, "action": any_legal(state["standing"], dice)})
        else:
            over = {"do": "adjust", "what": "game", "over": True}
            answer = program.post(f"{table}/actions", json={**body, "action": over})
        assert answer.status_code == 200, answer.get_data(as_text=True)
        state = answer.get_json()
    record = program.get(f"{table}/record").get_json()
    assert scorer.Table.from_record(record).over
    pages = [program.get(f"{table}/history")]
    while link := pages[-1].headers.get("Link", ""):
        pages.append(program.get(link[1 : link.index(">")]))
    assert sum(len(page.get_json()["moves"]) for page in pages) == state["steps"]
    finished = program.get(f"{PREFIX}/statistics", headers=owner).get_json()["items"]
    assert [game["table"] for game in finished] == [state["id"]]
    assert program.get(f"{table}/statistics").get_json()["items"] == finished
    told = program.get(table, headers=owner).get_data(as_text=True)
    assert started.get_json()["key"] not in told
    assert started.get_json()["code"] not in told


def test_lists_have_pages(program: FlaskClient) -> None:
    found, address = [], f"{PREFIX}/games?limit=7"
    while address:
        answer = program.get(address)
        found += [game["key"] for game in answer.get_json()["items"]]
        link = answer.headers.get("Link", "")
        address = link.partition(">")[0].removeprefix("<")
        assert bool(link) == (answer.get_json()["next"] is not None)
    assert found == [info.key for info in scorer.all_games()]


def test_a_table_lets_programs_in_by_tokens_and_no_others(app: Flask, program: FlaskClient) -> None:
    client = app.test_client()
    client.get(base := start(client))
    phone, other = Phone(client, base), Phone(app.test_client(), start(app.test_client()))
    key, throw = phone.key, {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]}
    reads, acts, shows = (connect(phone, may) for may in ("read", "act", "show"))
    table = f"{PREFIX}/tables/{table_id(key)}"
    assert program.get(table).status_code == 401  # the id alone is no right
    assert program.get(table, headers=bearer("rollcall_wrong")).status_code == 401
    assert program.get(table, headers={"Authorization": "Basic eDp5"}).status_code == 401
    assert program.get(table, headers=bearer(shows)).status_code == 401
    assert program.get(f"{PREFIX}/tables/{other.key}", headers=bearer(acts)).status_code == 403
    assert program.get(f"{PREFIX}/statistics", headers=bearer(acts)).status_code == 403
    assert program.get(table, headers=bearer(reads)).get_json()["version"] == 0
    body = {"version": 0, "request": "request-1", "action": throw}
    refused = program.post(f"{table}/actions", json=body, headers=bearer(reads))
    assert (refused.status_code, refused.get_json()["reason"]) == (403, "token-reads-only")
    assert program.post(f"{table}/actions", json=body, headers=bearer(acts)).status_code == 200
    assert program.get(f"{table}/history", headers=bearer(reads)).get_json()["log"][0]["device"] == "lamp"
    listed = client.get(f"/api/v1{base}/programs").get_json()
    assert [each["may"] for each in listed] == ["read", "act", "show"]
    removed = client.post(f"/api/v1{base}/programs/removed", json={"program": listed[1]["program"]})
    assert removed.status_code == 200
    assert program.get(table, headers=bearer(acts)).status_code == 401
    assert program.get(f"{PREFIX}/tables/{key}", headers=bearer(acts)).status_code == 401  # nor with the key
    assert program.get(table, headers=bearer(reads)).status_code == 200


def test_a_table_lets_in_so_many_programs(app: Flask) -> None:
    client = app.test_client()
    client.get(base := start(client))
    phone = Phone(client, base)
    for _ in range(MOST_PROGRAMS):
        connect(phone, "read")
    with pytest.raises(AssertionError, match="programs-full"):
        connect(phone, "read")


def test_a_right_token_is_let_in_whatever_others_guess(app: Flask, program: FlaskClient) -> None:
    client = app.test_client()
    client.get(base := start(client))
    phone = Phone(client, base)
    table, right = f"{PREFIX}/tables/{phone.key}", bearer(connect(phone, "read"))
    guessed = [program.get(table, headers=bearer(f"rollcall_{n}")).status_code for n in range(GUESSES_A_MINUTE + 1)]
    assert guessed == [401] * GUESSES_A_MINUTE + [429]
    assert program.get(table, headers=right).status_code == 200


def test_a_token_holds_over_a_restart_and_is_kept_as_a_hash(tmp_path: Path) -> None:
    app = create_app(tmp_path)
    client = app.test_client()
    client.get(base := start(client))
    token = connect(Phone(client, base), "read")
    services(app).close()
    assert all(token.encode() not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    app = create_app(tmp_path)
    table = f"{PREFIX}/tables/{table_id(base.rpartition('/')[2])}"
    assert app.test_client().get(table, headers=bearer(token)).status_code == 200
    services(app).close()


@both_engines
def test_a_token_of_the_machine_is_taken_back_while_the_server_runs(
    app: Flask, database: str | None, program: FlaskClient, owner: dict[str, str]
) -> None:
    assert program.get(f"{PREFIX}/statistics", headers=owner).status_code == 200
    OwnersTokens(app, database).revoke_first()
    assert program.get(f"{PREFIX}/statistics", headers=owner).status_code == 401


def test_games_of_the_servers_folder_and_those_kept_by_phones_start_by_their_keys(
    app: Flask, program: FlaskClient, owner: dict[str, str]
) -> None:
    house, kept = OwnGame("our-farkle", OURS), OwnGame("theirs", OURS.replace("Our Farkle", "Their Farkle"))
    services(app).settings = replace(services(app).settings, games=[house])
    assert app.test_client().post("/own-games", json={"name": kept.name, "toml": kept.file}).status_code == 200
    listed = program.get(f"{PREFIX}/games?limit=200").get_json()["items"]
    assert listed[-1]["key"] == house.key
    assert kept.key not in {each["key"] for each in listed}  # a phone's own
    assert program.get(f"{PREFIX}/games/{house.key}").get_json()["title"] == listed[-1]["title"]
    assert program.get(f"{PREFIX}/games/{kept.key}").status_code == 404
    for game in (house, kept):
        wanted = {"game": game.key, "players": ["Ada", "Bob"]}
        answer = program.post(f"{PREFIX}/tables", json=wanted, headers=owner)
        assert answer.status_code == 201, answer.get_json()
        table = f"{PREFIX}/tables/{answer.get_json()['key']}"
        assert program.get(f"{table}/record").get_json()["file"] == game.file
    unknown = {"game": "ours.000000000000", "players": ["Ada"]}
    told = program.post(f"{PREFIX}/tables", json=unknown, headers=owner)
    assert (told.status_code, told.get_json()["reason"]) == (404, "own-game-unknown")


def test_no_operation_answers_a_program_without_a_right(app: Flask) -> None:
    """Not even with the cookie of the owner's phone: the id of a table is no right to it."""
    client = app.test_client()
    client.get(base := start(client))
    key = base.rpartition("/")[2]
    elsewhere = app.test_client()
    elsewhere.get(other := start(elsewhere))
    token = connect(Phone(elsewhere, other), "act")
    before, numbers = services(app).runner.snapshot(key).view, itertools.count(1)
    filled = {"table": table_id(key), "reading": "x", "photo": "x", "line": "1"}
    for asked in (each for each in OPERATIONS if each.who != ANYBODY):
        path = PREFIX + asked.path.format(**filled)
        for headers, status in (({}, 401), (bearer("rollcall_wrong"), 401), (bearer(token), 403)):
            client.environ_base["REMOTE_ADDR"] = f"192.168.77.{next(numbers)}"  # no guesses add up
            answer = client.open(path, method=asked.method, headers=headers)
            assert answer.status_code == status, (asked.name, headers)
            assert "Ada" not in answer.get_data(as_text=True)
        assert asked.who in (SERVER, ACTS, TOKEN, READS, OPEN)
    assert services(app).runner.snapshot(key).view == before


@pytest.mark.parametrize(
    "asked", [each for each in listed_operations() if "{table}" in each.path], ids=lambda each: each.name
)
def test_a_token_of_the_machine_names_a_table_by_its_id(
    app: Flask, program: FlaskClient, owner: dict[str, str], asked: Operation
) -> None:
    """Every operation answers as it does by the key."""
    phone = proving(app.test_client())
    assert confirm(app, phone, "a-photo").status_code == 200
    key, sent = phone.key, {"version": 1, "request": "request-1"}
    bodies: dict[str, dict[str, Any]] = {
        "act": {"json": {**sent, "action": {"do": "set-aside", "dice": [1, 1]}}},
        "undo": {"json": sent},
        "correct": {"json": {**sent, "step": 1, "action": {"do": "throw", "dice": [1, 1, 1, 1, 1, 1]}}},
        "preview_correction": {"json": {"step": 1, "action": {"do": "throw", "dice": [1, 1, 1, 1, 1, 1]}}},
        "connect_webhook": {"json": {"name": "lamp", "address": "http://192.168.1.30/rollcall"}},
        "disconnect_webhook": {"json": {"webhook": "0" * 16}},
        "send_photo": {"data": PHOTO.read_bytes(), "content_type": "image/jpeg", "query_string": {"version": 1}},
    }
    status = {"send_photo": {202, 409}, "connect_webhook": {201, 422}, "disconnect_webhook": {200, 404}}
    told = []
    for name in (table_id(key), key):  # by the id first: nothing may be known of it
        path = PREFIX + asked.path.replace("{table}", name).replace("{line}", "1")
        answer = program.open(path, method=asked.method, headers=owner, **bodies.get(asked.name, {}))
        assert answer.status_code in status.get(asked.name, {200}), answer.get_data(as_text=True)
        assert answer.get_json(silent=True) is None or answer.get_json().get("reason") != "table-unknown"
        told.append(answer)
    if asked.method == "GET":
        assert told[0].data == told[1].data
    unknown = PREFIX + asked.path.replace("{table}", "0" * 16).replace("{line}", "1")
    refused = program.open(unknown, method=asked.method, headers=owner, **bodies.get(asked.name, {}))
    assert (refused.status_code, refused.get_json()["reason"]) == (404, "table-unknown")


@pytest.mark.parametrize("text", ["[{", "{}", "[1]", '[{"name": "x"}]', "\xff", ""])
def test_tokens_of_the_machine_that_are_half_written_keep_nobody_else_out(
    app: Flask, program: FlaskClient, owner: dict[str, str], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Programs of tables and phones notice nothing; the owner is told in one sentence."""
    phone = Phone(client := app.test_client(), start(client))
    token = connect(phone, "act")
    (app.config["DATA"] / FILE).write_text(text, encoding="latin-1")
    table = f"{PREFIX}/tables/{table_id(phone.key)}"
    assert program.get(table, headers=bearer(token)).status_code == 200
    assert phone.throw(1, 1, 1, 2, 3, 4).status_code == 200
    answer = program.get(f"{PREFIX}/statistics", headers=owner)
    assert (answer.status_code, answer.get_json()["reason"]) == (503, "tokens-damaged")
    assert program.get(table, headers=bearer("rollcall_wrong")).status_code == 503
    assert rollcall.main(["token", "list", "--data", str(app.config["DATA"])]) == 2
    assert "move it away, and make new tokens" in capsys.readouterr().err


def test_an_event_of_a_throw_names_its_picture(app: Flask, program: FlaskClient) -> None:
    phone = proving(app.test_client())
    table = f"{PREFIX}/tables/{phone.key}"
    assert confirm(app, phone, "a-photo").status_code == 200
    assert phone.act(do="set-aside", dice=[1, 1]).status_code == 200
    assert phone.throw(2, 3, 4, 6).status_code == 200  # typed in: it has none
    told = [each for each in program.get(f"{table}/events").get_json()["items"] if each["event"] == "throw-confirmed"]
    picture = program.get(f"{table}/pictures/{told[0]['version']}").data
    assert [each.get("picture") for each in told] == [blob_hash(picture), None]
    assert "picture" not in told[1]


def wait_for_reading(program: FlaskClient, headers: dict[str, str], address: str) -> dict[str, Any]:
    found: dict[str, Any] = {}

    def is_read() -> bool:
        found.update(program.get(address, headers=headers).get_json())
        return str(found["status"]) != "waiting"

    wait_until(is_read)
    return found


@both_engines
def test_a_photo_is_read_without_a_table_and_at_one(app: Flask, database: str | None) -> None:
    """With a database too, where readers take it from the same queue as the tables' photos."""
    program = app.test_client(use_cookies=False)
    owner = bearer(OwnersTokens(app, database).create("me"))
    photo = {"content_type": "image/jpeg", "headers": owner}
    sent = program.post(f"{PREFIX}/readings?dice=3", data=PHOTO.read_bytes(), **photo)
    assert (sent.status_code, sent.get_json()["status"]) == (202, "waiting"), sent.get_json()
    found = wait_for_reading(program, owner, sent.headers["Location"])
    assert (found["status"], sorted(die["value"] for die in found["dice"])) == ("read", [2, 3, 4])
    assert found["width"] > found["height"] > 0
    bad = program.post(f"{PREFIX}/readings", data=b"no photo", **photo)
    found = wait_for_reading(program, owner, bad.headers["Location"])
    assert (found["status"], found["problem"]["reason"]) == ("failed", "photo-format")
    assert program.get(f"{PREFIX}/readings/unknown", headers=owner).get_json()["reason"] == "no-reading"

    table = f"{PREFIX}/tables/{Phone(client := app.test_client(), start(client, 'zilch')).key}"
    version = program.get(table).get_json()["version"]
    at_table = program.post(f"{table}/photos?version={version}", data=PHOTO.read_bytes(), content_type="image/jpeg")
    assert at_table.status_code == 202, at_table.get_json()
    wait_until(lambda: program.get(table).get_json()["pending"]["status"] == "read")
    assert {2, 3, 4} <= {die["value"] for die in program.get(table).get_json()["pending"]["dice"]}
