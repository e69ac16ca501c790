"""Programs that are told at their own addresses: in order, signed, tried again, and never at the cost of an action."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.web.api.test_api_v1 import bearer, connect
from tests.web.apps import create_app
from tests.web.phones import Phone, device_of, start
from tests.web.postgres import both_engines
from tests.web.waiting import wait_until
from web.pages.operations import PREFIX
from web.programs.webhooks import webhook_sender
from web.programs.webhooks.outgoing import AllowedNetworks
from web.services import services
from web.store.server_tokens import create_token, revoke_token, token_hash
from web.table.access_list import table_id

pytestmark = pytest.mark.whole

WITHIN_S = 60
HERE = AllowedNetworks(also=["127.0.0.1", "192.168.77.0/24"])


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

    def open_app(allowed: AllowedNetworks = HERE, folder: str = "data") -> Flask:
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
    return answer.get_json()


def listed(phone: Phone) -> list[dict[str, Any]]:
    return phone.get("webhooks")["items"]


def numbers(receiver: Receiver) -> list[int]:
    return [each["number"] for each in receiver.told]


def play(phone: Phone) -> None:
    phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    phone.act(do="set-aside", dice=[1, 1, 1])
    phone.act(do="throw", dice=[2, 3, 4])


def events_of(phone: Phone) -> list[dict[str, Any]]:
    return phone.client.get(f"{PREFIX}/tables/{phone.key}/events").get_json()["items"]


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
        assert (sent["table"], sent["webhook"]) == (table_id(phone.key), made["webhook"])
        assert phone.key not in body.decode()
        message, at = headers["webhook-id"], headers["webhook-timestamp"]
        assert abs(int(at) - time.time()) < WITHIN_S
        key = base64.b64decode(made["secret"].removeprefix("whsec_"))
        expected = hmac.digest(key, f"{message}.{at}.".encode() + body, hashlib.sha256)
        assert headers["webhook-signature"] == "v1," + base64.b64encode(expected).decode()
    wait_until(lambda: not listed(phone)[0]["failure"])
    assert made["secret"] not in json.dumps(listed(phone))


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails is tried again within a moment."""
    monkeypatch.setattr(webhook_sender, "PAUSES_S", (0.05, 0.1))


@pytest.mark.usefixtures("soon")
def test_what_fails_is_tried_three_times_and_then_missed(opened: Callable[..., Flask], receiver: Receiver) -> None:
    phone = host(opened())
    hook(phone, receiver.address)
    receiver.answers = [500, 302]
    receiver.location = receiver.address  # a redirect is not followed
    phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: receiver.told)
    assert receiver.asked == 3
    receiver.answers = [503] * 3
    phone.act(do="set-aside", dice=[1, 1, 1])
    wait_until(lambda: listed(phone)[0]["missed"])
    assert (listed(phone)[0]["failure"], listed(phone)[0]["missed"], receiver.asked) == ("503", 1, 6)
    phone.act(do="throw", dice=[2, 3, 4])
    wait_until(lambda: receiver.told[-1]["event"] == "turn-begins")
    known = events_of(phone)
    assert receiver.told == [known[0], *known[2:]]
    wait_until(lambda: listed(phone)[0]["failure"] == "")
    assert listed(phone)[0]["missed"] == 1


@pytest.mark.usefixtures("soon")
def test_what_happens_between_two_tries_is_told_after_it_in_order(
    opened: Callable[..., Flask], receiver: Receiver
) -> None:
    phone = host(opened())
    hook(phone, receiver.address)
    receiver.holds, receiver.answers = threading.Event(), [500, 500]
    phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: receiver.asked == 1)
    phone.act(do="set-aside", dice=[1, 1, 1])
    phone.act(do="throw", dice=[2, 3, 4])
    receiver.holds.set()
    wait_until(lambda: receiver.told and receiver.told[-1]["event"] == "turn-begins")
    assert receiver.told == events_of(phone)
    assert receiver.asked == 4  # what waited went together


def test_410_disconnects_an_address(opened: Callable[..., Flask], receiver: Receiver) -> None:
    phone = host(opened())
    hook(phone, receiver.address)
    receiver.answers = [410]
    phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: listed(phone) == [])
    phone.act(do="set-aside", dice=[1, 1, 1])
    assert receiver.asked == 1


@pytest.mark.usefixtures("soon")
def test_a_disconnected_address_is_not_tried_again(opened: Callable[..., Flask], receiver: Receiver) -> None:
    phone = host(opened())
    receiver.holds, receiver.answers = threading.Event(), [500, 500]
    other = hook(phone, receiver.address)
    hook(phone, receiver.address)
    phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: receiver.asked == 2)
    phone.client.post(f"/api/v1{phone.base}/webhooks/removed", json={"webhook": other["webhook"]})
    phone.act(do="set-aside", dice=[1, 1, 1])
    receiver.holds.set()
    wait_until(lambda: len(receiver.told) == 2)
    assert receiver.asked == 4


@both_engines
def test_after_a_restart_an_address_is_told_what_happens_from_then_on(
    opened: Callable[..., Flask], receiver: Receiver
) -> None:
    app = opened()
    phone = host(app)
    hook(phone, receiver.address)
    phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: receiver.told)
    services(app).close()
    there = Phone(opened().test_client(), phone.base)
    there.client.set_cookie("device", device_of(phone.client))
    there.look()
    there.act(do="set-aside", dice=[1, 1, 1])
    wait_until(lambda: len(receiver.told) == 2)
    assert receiver.told == events_of(there)
    assert [(each["failure"], each["missed"]) for each in listed(there)] == [("", 0)]


def test_what_waits_for_an_address_is_bounded(
    opened: Callable[..., Flask], receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_sender, "MOST_WAITING", 6)
    monkeypatch.setattr(webhook_sender, "MOST_BYTES", 700)
    phone = host(opened())
    hook(phone, receiver.address)
    receiver.holds = threading.Event()
    phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: receiver.asked == 1)
    for _ in range(10):
        phone.post("undo")
        phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    receiver.holds.set()
    wait_until(lambda: len(receiver.told) + listed(phone)[0]["missed"] == len(events_of(phone)))
    assert len(receiver.bodies) > 2
    assert max(map(len, receiver.bodies)) < 1500
    assert 0 < listed(phone)[0]["missed"] < len(events_of(phone))
    assert numbers(receiver) == sorted(set(numbers(receiver)))


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
    receiver.holds, receiver.answers = threading.Event(), [500]
    hook(phone, receiver.address)
    phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: receiver.asked == 1)
    services(app).close()
    receiver.holds.set()


def test_programs_with_a_right_connect_addresses_that_go_with_it(
    opened: Callable[..., Flask], receiver: Receiver
) -> None:
    app = opened()
    owner = host(app)
    body = {"name": "lamp", "address": receiver.address}
    program = app.test_client(use_cookies=False)
    table = f"{PREFIX}/tables/{owner.key}/webhooks"
    acts, machine = bearer(connect(owner, "act", "actor")), bearer(create_token(app.config["DATA"], "owner"))
    for headers in (acts, machine):
        assert program.post(table, json=body, headers=headers).status_code == 201
    assert len(program.get(table, headers=acts).get_json()["items"]) == 2
    assert len(listed(owner)) == 2
    (actor,) = owner.get("programs")
    owner.post("programs/removed", program=actor["program"])
    assert len(listed(owner)) == 1
    owner.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: receiver.told)
    left = listed(owner)[0]["webhook"]
    assert program.post(f"{table}/removed", json={"webhook": left}, headers=machine).status_code == 200
    assert listed(owner) == []
    owner.act(do="set-aside", dice=[1, 1, 1])
    assert numbers(receiver) == sorted(set(numbers(receiver)))


def test_what_a_token_of_the_machines_owner_connected_goes_with_it(
    opened: Callable[..., Flask], receiver: Receiver
) -> None:
    app = opened()
    phone = host(app)
    program, data = app.test_client(use_cookies=False), app.config["DATA"]
    table = f"{PREFIX}/tables/{phone.key}/webhooks"
    revoked, kept = create_token(data, "revoked"), create_token(data, "kept")
    for token, name in ((revoked, "old lamp"), (kept, "lamp")):
        body = {"name": name, "address": receiver.address}
        assert program.post(table, json=body, headers=bearer(token)).status_code == 201
    revoke_token(data, token_hash(revoked))
    phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: receiver.told)
    wait_until(lambda: [each["name"] for each in listed(phone)] == ["lamp"])
    phone.act(do="set-aside", dice=[1, 1, 1])
    wait_until(lambda: receiver.told[-1]["event"] == "set-aside")
    assert numbers(receiver) == sorted(set(numbers(receiver)))  # told once


def test_no_address_outside_the_network_is_taken(opened: Callable[..., Flask]) -> None:
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


def test_a_table_has_so_many_addresses(opened: Callable[..., Flask]) -> None:
    phone = host(opened())
    for _ in range(5):
        hook(phone, "http://192.168.77.7/")
    answer = phone.client.post(f"/api/v1{phone.base}/webhooks", json={"name": "x", "address": "http://192.168.77.7/"})
    assert (answer.status_code, answer.get_json()["reason"]) == (409, "webhooks-full")


@both_engines
def test_of_two_servers_each_tells_what_it_did(
    opened: Callable[..., Flask], receiver: Receiver, database: str | None
) -> None:
    if database is None:
        pytest.skip("a folder has one server")
    one, two = opened(), opened(HERE, "other")
    phones = [host(one)]
    phones.append(Phone(two.test_client(), phones[0].base))
    hook(phones[0], receiver.address)
    steps = [{"do": "throw", "dice": [1, 1, 1, 2, 3, 4]}, {"do": "set-aside", "dice": [1, 1, 1]}, {"do": "bank"}] * 4
    for number, action in enumerate(steps):
        phone = phones[number % 2]
        phone.look()
        assert phone.act(**action).status_code == 200
    known = events_of(phones[0])
    wait_until(lambda: len(receiver.told) >= len(known))
    assert sorted(numbers(receiver)) == [each["number"] for each in known]
