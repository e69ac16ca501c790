"""Programs that are told at their own addresses: all of it, once, signed, and never at the cost of an action."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.web.api.test_api_v1 import bearer, connect, key_of
from tests.web.apps import create_app
from tests.web.phones import Phone, start
from tests.web.postgres import both_engines
from tests.web.waiting import wait_until
from web.pages.operations import PREFIX
from web.programs.webhooks import webhook_sender
from web.programs.webhooks import webhook_store as webhooks
from web.programs.webhooks.outgoing import AllowedNetworks
from web.programs.webhooks.webhook_operations import SENDER
from web.services import services
from web.store import webhook_rows
from web.store.server_tokens import create_token, revoke_token, token_hash
from web.store.sqlite import FILE_NAME
from web.table.access_list import table_id

pytestmark = pytest.mark.whole

WITHIN_S = 60
HERE = AllowedNetworks(also=["127.0.0.1", "192.168.77.0/24"])
SOON_S = (0.05, 0.1, 0.2)


class Receiver:
    """A program that is told, at an address of its own."""

    def __init__(self, port: int = 0) -> None:
        self.told: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.bodies: list[bytes] = []
        self.answers: list[int] = []  # the next ones; then 204
        self.location = ""
        self.holds: threading.Event | None = None  # it answers when this is set
        self.asked = 0
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                receiver.asked += 1
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if receiver.holds is not None:
                    receiver.holds.wait(WITHIN_S)
                status = receiver.answers.pop(0) if receiver.answers else 204
                if status == 204:
                    receiver.headers.append({name.lower(): value for name, value in self.headers.items()})
                    receiver.bodies.append(body)
                    receiver.told += json.loads(body)["events"]
                self.send_response(status)
                if receiver.location:
                    self.send_header("Location", receiver.location)
                self.end_headers()

            def log_message(self, *_: Any) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/told?by=rollcall"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    def close(self) -> None:
        if self.holds is not None:
            self.holds.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()


@pytest.fixture
def opened(tmp_path: Path, database: str | None) -> Iterator[Callable[..., Flask]]:
    """Opens applications on one store; closes them at the end."""
    apps: list[Flask] = []

    def open_app(allowed: AllowedNetworks | None = HERE, folder: str = "data") -> Flask:
        apps.append(create_app(tmp_path / folder, database=database, webhooks_to=allowed))
        return apps[-1]

    yield open_app
    for app in apps:
        services(app).close()


def host(app: Flask) -> Phone:
    """The phone that started a table."""
    client = app.test_client()
    return Phone(client, start(client, "zilch"))


def hook(phone: Phone, address: str, name: str = "lamp") -> dict[str, Any]:
    answer = phone.client.post(f"/api/v1{phone.base}/webhooks", json={"name": name, "address": address})
    assert answer.status_code == 201, answer.get_data(as_text=True)
    made: dict[str, Any] = answer.get_json()
    return made


def listed(phone: Phone) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = phone.client.get(f"/api/v1{phone.base}/webhooks").get_json()["items"]
    return found


def numbers(receiver: Receiver) -> list[int]:
    return [each["number"] for each in receiver.told]


def play(phone: Phone) -> None:
    phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    phone.act(do="set-aside", dice=[1, 1, 1])
    phone.act(do="throw", dice=[2, 3, 4])


def events_of(phone: Phone) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = phone.client.get(f"{PREFIX}/tables/{key_of(phone)}/events").get_json()["items"]
    return found


def test_a_program_is_told_what_happens_and_can_prove_who_told_it(
    opened: Callable[..., Flask], receiver: Receiver
) -> None:
    app = opened()
    phone = host(app)
    phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    before = events_of(phone)
    made = hook(phone, receiver.address)
    phone.act(do="set-aside", dice=[1, 1, 1])
    phone.act(do="throw", dice=[2, 3, 4])
    wait_until(lambda: receiver.told and receiver.told[-1]["event"] == "turn-begins")
    assert [*before, *receiver.told] == events_of(phone)
    for headers, body in zip(receiver.headers, receiver.bodies, strict=True):
        sent = json.loads(body)
        assert (sent["table"], sent["webhook"]) == (table_id(key_of(phone)), made["webhook"])
        assert key_of(phone) not in body.decode()
        message, at = headers["webhook-id"], headers["webhook-timestamp"]
        assert abs(int(at) - time.time()) < WITHIN_S
        key = base64.b64decode(made["secret"].removeprefix("whsec_"))
        expected = hmac.digest(key, f"{message}.{at}.".encode() + body, hashlib.sha256)
        assert headers["webhook-signature"] == "v1," + base64.b64encode(expected).decode()
    wait_until(lambda: not listed(phone)[0]["failure"])
    assert made["secret"] not in json.dumps(listed(phone))


def test_what_fails_is_tried_again_with_growing_pauses_and_given_up(
    opened: Callable[..., Flask], receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_sender, "PAUSES_S", SOON_S)
    monkeypatch.setattr(webhook_rows, "PAUSE_S", 0.05)
    app = opened()
    phone = host(app)
    hook(phone, receiver.address)
    receiver.answers = [500, 302, 404]
    receiver.location = receiver.address  # a redirect is not followed
    phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: receiver.told)
    assert receiver.asked == 4
    receiver.answers = [503] * 10
    phone.act(do="set-aside", dice=[1, 1, 1])
    wait_until(lambda: listed(phone)[0]["given_up"])
    assert receiver.asked == 4 + 1 + len(SOON_S)
    assert listed(phone)[0]["failure"] == "503"
    phone.act(do="throw", dice=[2, 3, 4])
    assert [each["event"] for each in receiver.told] == ["throw-confirmed"]


@both_engines
def test_what_failed_is_told_later_in_order_and_says_so_meanwhile(
    opened: Callable[..., Flask], receiver: Receiver
) -> None:
    app = opened()
    phone = host(app)
    hook(phone, receiver.address)
    receiver.answers = [500]
    play(phone)
    wait_until(lambda: listed(phone)[0]["failure"] == "500")
    assert 0 < listed(phone)[0]["next_try_s"] <= webhook_sender.PAUSES_S[0]
    wait_until(lambda: receiver.told and receiver.told[-1]["event"] == "turn-begins")
    assert receiver.told == events_of(phone)
    wait_until(lambda: listed(phone)[0]["failure"] == "")


def test_who_wants_no_more_is_told_no_more(opened: Callable[..., Flask], receiver: Receiver) -> None:
    app = opened()
    phone = host(app)
    hook(phone, receiver.address)
    receiver.answers = [410]
    phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: listed(phone)[0]["given_up"])


def test_what_was_given_up_is_tried_again_if_somebody_asks(
    opened: Callable[..., Flask], receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_sender, "PAUSES_S", SOON_S)
    monkeypatch.setattr(webhook_rows, "PAUSE_S", 0.05)
    app = opened()
    phone = host(app)
    made = hook(phone, receiver.address)

    def ask_again(webhook: str) -> int:
        return int(phone.client.post(f"/api/v1{phone.base}/webhooks/again", json={"webhook": webhook}).status_code)

    receiver.answers = [503] * (1 + len(SOON_S))
    phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: listed(phone)[0]["given_up"])
    phone.act(do="set-aside", dice=[1, 1, 1])
    assert receiver.told == []
    receiver.answers = [410]
    assert ask_again(made["webhook"]) == 200
    wait_until(lambda: receiver.asked == 2 + len(SOON_S) and listed(phone)[0]["given_up"])
    assert ask_again("unknown") == 200
    assert listed(phone)[0]["given_up"]
    assert ask_again(made["webhook"]) == 200
    wait_until(lambda: receiver.told and receiver.told[-1]["event"] == "set-aside")
    assert receiver.told == events_of(phone)  # also what happened while it was given up
    wait_until(lambda: listed(phone)[0]["failure"] == "")


@both_engines
def test_what_is_not_told_yet_is_told_after_a_restart(opened: Callable[..., Flask], receiver: Receiver) -> None:
    app = opened()
    phone = host(app)
    hook(phone, receiver.address)
    receiver.close()
    play(phone)
    wait_until(lambda: listed(phone)[0]["failure"] == "no-answer")
    services(app).close()
    again = Receiver(receiver.server.server_port)
    try:
        there = Phone(opened().test_client(), phone.base)
        wait_until(lambda: again.told and again.told[-1]["event"] == "turn-begins")
        assert again.told == events_of(there)
    finally:
        again.close()


def test_an_action_waits_for_no_program(opened: Callable[..., Flask], receiver: Receiver) -> None:
    app = opened()
    phone = host(app)
    receiver.holds = threading.Event()
    for _ in range(3):
        hook(phone, receiver.address)
    play(phone)  # each is answered, while no program has answered anything
    wait_until(lambda: receiver.asked == 3)
    assert receiver.told == []
    receiver.holds.set()
    wait_until(lambda: len(receiver.told) == 3 * len(events_of(phone)))


def test_servers_that_end_wait_for_no_program(opened: Callable[..., Flask], receiver: Receiver) -> None:
    app = opened()
    phone = host(app)
    receiver.holds = threading.Event()
    hook(phone, receiver.address)
    phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: receiver.asked == 1)
    app.extensions[SENDER].close()
    assert app.extensions[SENDER]._busy == {}


def test_only_who_may_connect_programs_connects_them(opened: Callable[..., Flask], receiver: Receiver) -> None:
    app = opened()
    owner = host(app)
    client = owner.client
    body = {"name": "lamp", "address": receiver.address}
    stranger, program = app.test_client(), app.test_client(use_cookies=False)
    stranger.get(owner.base)
    assert stranger.post(f"/api/v1{owner.base}/webhooks", json=body).status_code == 403
    assert stranger.get(f"/api/v1{owner.base}/webhooks").status_code == 403
    table = f"{PREFIX}/tables/{key_of(owner)}/webhooks"
    reads, acts = bearer(connect(owner, "read", "reader")), bearer(connect(owner, "act", "actor"))
    machine = bearer(create_token(app.config["DATA"], "owner"))
    for headers, status in ({}, 401), (reads, 403), (bearer("rollcall_wrong"), 401):
        assert program.post(table, json=body, headers=headers).status_code == status
        assert program.get(table, headers=headers).status_code == status
    for headers in (acts, machine):
        assert program.post(table, json=body, headers=headers).status_code == 201
    assert len(program.get(table, headers=acts).get_json()["items"]) == 2
    assert len(listed(owner)) == 2
    # With the token goes what was connected with it.
    actor = next(each for each in client.get(f"/api/v1{owner.base}/programs").get_json() if each["name"] == "actor")
    client.post(f"/api/v1{owner.base}/programs/removed", json={"program": actor["program"]})
    assert len(listed(owner)) == 1
    owner.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: receiver.told)
    left = listed(owner)[0]["webhook"]
    wait_until(lambda: len(webhooks.of_table(services(app).store, services(app).sessions.row(key_of(owner)).id)) == 1)
    answer = program.post(f"{table}/removed", json={"webhook": left}, headers=machine)
    assert answer.get_json()["items"] == []
    owner.act(do="set-aside", dice=[1, 1, 1])
    assert numbers(receiver) == sorted(set(numbers(receiver)))


def test_what_a_token_of_the_machines_owner_connected_goes_with_it(
    opened: Callable[..., Flask], receiver: Receiver
) -> None:
    app = opened()
    phone = host(app)
    program, data = app.test_client(use_cookies=False), app.config["DATA"]
    table = f"{PREFIX}/tables/{key_of(phone)}/webhooks"
    revoked, kept = create_token(data, "revoked"), create_token(data, "kept")
    for token, name in ((revoked, "old lamp"), (kept, "lamp")):
        body = {"name": name, "address": receiver.address}
        assert program.post(table, json=body, headers=bearer(token)).status_code == 201
    revoke_token(data, token_hash(revoked))
    phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: receiver.told)
    assert [each["name"] for each in listed(phone)] == ["lamp"]
    wait_until(lambda: len(webhooks.of_table(services(app).store, services(app).sessions.row(key_of(phone)).id)) == 1)
    phone.act(do="set-aside", dice=[1, 1, 1])
    wait_until(lambda: receiver.told[-1]["event"] == "set-aside")
    assert numbers(receiver) == sorted(set(numbers(receiver)))  # told once


def test_no_address_outside_the_network_is_taken(opened: Callable[..., Flask], database: str | None) -> None:
    app = opened(AllowedNetworks(also=["192.168.77.0/24", "fd12:3456::/64"]))
    phone = host(app)

    def reason(address: str) -> str:
        answer = phone.client.post(f"/api/v1{phone.base}/webhooks", json={"name": "lamp", "address": address})
        return "" if answer.status_code == 201 else str(answer.get_json()["reason"])

    for address in ("ftp://192.168.1.7/", "192.168.1.7", "http://", "http://a b/", "http://u:p@192.168.1.7/"):
        assert reason(address) == "webhook-address"
    for address in ("http://127.0.0.1/", "https://8.8.8.8/", "http://100.64.0.1/", "http://224.0.0.1/"):
        assert reason(address) == "webhook-foreign", address
    assert reason("http://192.168.77.7:8123/api/webhook/x?y=1") == ""
    assert reason("https://[fd12:3456::1]/") == ""
    hosted = opened(None, "other") if database else None
    if hosted is not None:  # a server of a database may be anywhere
        strangers = host(hosted)
        answer = strangers.client.post(
            f"/api/v1{strangers.base}/webhooks", json={"name": "x", "address": "http://10.0.0.7/"}
        )
        assert answer.get_json()["reason"] == "webhook-foreign"


def test_a_large_backlog_comes_in_bodies_of_a_bound(
    opened: Callable[..., Flask], receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_sender, "MOST_BYTES", 300)
    monkeypatch.setattr(webhook_sender, "PAUSES_S", (0.5,) * 20)
    monkeypatch.setattr(webhook_rows, "PAUSE_S", 0.05)
    app = opened()
    phone = host(app)
    receiver.answers = [500]
    hook(phone, receiver.address)
    play(phone)
    wait_until(lambda: receiver.told and receiver.told[-1]["event"] == "turn-begins")
    assert receiver.told == events_of(phone)
    assert all(len(body) < 1000 for body in receiver.bodies)
    assert len(receiver.bodies) > 3


def test_what_is_old_goes(opened: Callable[..., Flask], monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened()
    phone = host(app)
    hook(phone, "http://192.168.77.7/")
    app.extensions[SENDER]._remove(webhooks.too_old(services(app).store))
    assert len(listed(phone)) == 1
    monkeypatch.setattr(webhooks, "KEPT_S", -10.0)
    app.extensions[SENDER]._remove(webhooks.too_old(services(app).store))
    assert listed(phone) == []


@both_engines
def test_of_two_servers_one_tells(
    opened: Callable[..., Flask], receiver: Receiver, database: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if database is None:
        pytest.skip("a folder has one server")
    monkeypatch.setattr("web.app.POLLED_S", 0.05)  # so that both look all the time
    one, two = opened(), opened(HERE, "other")
    phones = [host(one)]
    phones.append(Phone(two.test_client(), phones[0].base))
    hook(phones[0], receiver.address)
    steps = [{"do": "throw", "dice": [1, 1, 1, 2, 3, 4]}, {"do": "set-aside", "dice": [1, 1, 1]}, {"do": "bank"}] * 4
    for number, action in enumerate(steps):
        phone = phones[number % 2]
        phone.look()
        assert phone.act(**action).status_code == 200
    wait_until(lambda: len(receiver.told) >= len(events_of(phones[0])))
    time.sleep(0.5)  # a second one would come now
    assert receiver.told == events_of(phones[0])
    # What a server was about to tell when it ended, the other one tells.
    one.extensions[SENDER].close()
    phones[0].look()
    phones[0].act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: receiver.told[-1]["version"] == events_of(phones[0])[-1]["version"])
    assert receiver.told == events_of(phones[0])


@pytest.mark.parametrize(
    "damage",
    [
        "DROP TABLE visits",
        "DROP TABLE visits; UPDATE webhooks SET given_up = 2",
        "DROP TABLE visits; UPDATE webhooks SET number = 'x'",
        "DROP TABLE visits; UPDATE webhooks SET number = 999999999",
        "DROP TABLE visits; UPDATE webhooks SET due = 'x', failure = 7, tries = -1, held_until = 'x'",
    ],
)
def test_a_mended_store_still_tells_whom_it_told(tmp_path: Path, receiver: Receiver, damage: str) -> None:
    """Of whom it is not known how far they were told, they are told all: an event that is told twice has one number."""
    app = create_app(tmp_path, webhooks_to=HERE)
    phone = host(app)
    token = connect(phone, "read")
    receiver.answers = [503]
    hook(phone, receiver.address)
    phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: listed(phone)[0]["failure"] == "503")
    services(app).close()
    with contextlib.closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
        connection.executescript(f"PRAGMA ignore_check_constraints = ON; {damage}")
    app = create_app(tmp_path, webhooks_to=HERE)
    there = Phone(app.test_client(), phone.base)
    try:
        assert list(tmp_path.glob("rollcall-damaged-*.db"))
        wait_until(lambda: receiver.told)
        there.act(do="set-aside", dice=[1, 1, 1])
        wait_until(lambda: len(receiver.told) == 2)
        assert receiver.told == events_of(there)
        table = f"{PREFIX}/tables/{table_id(key_of(phone))}"
        assert app.test_client(use_cookies=False).get(table, headers=bearer(token)).status_code == 200
        assert app.extensions[SENDER].list_of(key_of(there))[0].failure == ""
    finally:
        services(app).close()


def test_an_address_that_the_store_changed_is_told_nothing(tmp_path: Path, receiver: Receiver) -> None:
    app = create_app(tmp_path, webhooks_to=HERE)
    phone = host(app)
    hook(phone, receiver.address, "changed")
    hook(phone, receiver.address, "whole")
    with services(app).store.write() as connection:
        row = webhooks.hooks.c
        connection.execute(webhooks.hooks.update().where(row.name == "changed").values(secret="00" * 32))
    phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: receiver.told)
    assert [each["name"] for each in listed(phone)] == ["whole"]
    services(app).close()
    assert len(receiver.told) == 1
