"""One device with many tables, or with many slow receivers, keeps nobody else's program from being told."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask

from tests.web.api.test_api_v1 import bearer, connect, key_of
from tests.web.phones import Phone, end, start
from tests.web.postgres import both_engines
from tests.web.programs.webhooks.test_webhooks import Receiver, hook, listed, opened, receiver
from tests.web.waiting import wait_until
from web.pages.operations import PREFIX
from web.programs.webhooks import outgoing, webhook_sender
from web.programs.webhooks import webhook_store as webhooks
from web.programs.webhooks.outgoing import AllowedNetworks
from web.programs.webhooks.webhook_operations import SENDER
from web.services import services
from web.store import webhook_rows

pytestmark = pytest.mark.whole

__all__ = ["opened", "receiver"]  # fixtures

SLOW = [f"127.0.1.{number}" for number in range(1, 41)]
ALLOWED = AllowedNetworks(also=["127.0.0.1", *SLOW, "192.168.77.0/24"])
STRANGER, HONEST, OTHER = "192.168.77.66", "192.168.77.7", "192.168.77.8"
AT_ONCE_S = 2.0  # within which an honest program is told
SLOW_S = 3.0  # how long a slow one holds its request


def host_at(app: Flask, address: str) -> Phone:
    """A phone at this address, with a table of its own and no cookie from before."""
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    return Phone(client, start(client, "zilch"))


def asked(phone: Phone, address: str) -> Any:
    return phone.client.post(f"/api/v1{phone.base}/webhooks", json={"name": "lamp", "address": address})


def take_places(app: Flask, source: str, most: int, receivers: Callable[[int], str] = lambda n: "http://x/") -> int:
    """Has a device connect programs at one table after the other, until it is refused. Returns how many it got."""
    got = 0
    while got < most:
        phone = host_at(app, source)
        for _ in range(webhook_rows.MOST_OF_TABLE):
            if got >= most or asked(phone, receivers(got)).status_code != 201:
                return got
            got += 1
    return got


@contextlib.contextmanager
def slow_receivers(answers: bytes = b"") -> Iterator[int]:
    """Listens at all addresses of SLOW, and says nothing but `answers`, after SLOW_S. Gives the port."""
    with socket.create_server(("0.0.0.0", 0), backlog=500) as listening:
        lines: list[socket.socket] = []

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    lines.append(listening.accept()[0])
                    if answers:
                        threading.Timer(SLOW_S, answer, [lines[-1]]).start()

        def answer(line: socket.socket) -> None:
            with contextlib.suppress(OSError), line:
                line.sendall(answers)

        accepting = threading.Thread(target=accept, daemon=True)
        accepting.start()
        yield int(listening.getsockname()[1])
        listening.shutdown(socket.SHUT_RDWR)
        accepting.join()
        for line in lines:
            line.close()


def test_a_device_that_takes_all_places_keeps_nobody_out(
    opened: Callable[..., Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_rows, "MOST", 40)
    app = opened(ALLOWED)
    take_places(app, STRANGER, 60)
    assert asked(host_at(app, HONEST), "http://192.168.77.9/").status_code == 201


@pytest.mark.parametrize("answers", [b"", b"HTTP/1.1 204 No Content\r\n\r\n"])
def test_slow_programs_of_one_device_keep_no_other_waiting(
    opened: Callable[..., Flask], receiver: Receiver, monkeypatch: pytest.MonkeyPatch, answers: bytes
) -> None:
    monkeypatch.setattr(outgoing, "WITHIN_S", SLOW_S if not answers else 2 * SLOW_S)
    app = opened(ALLOWED)
    honest = host_at(app, HONEST)
    hook(honest, receiver.address)
    with slow_receivers(answers) as port:
        strangers = [host_at(app, STRANGER) for _ in range(8)]
        for number, name in enumerate(SLOW):
            hook(strangers[number // 5], f"http://{name}:{port}/")
        for phone in strangers:
            phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
        time.sleep(0.5)
        began = time.monotonic()
        honest.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
        wait_until(lambda: receiver.told)
        assert time.monotonic() - began < AT_ONCE_S


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shares of a size that a few tables fill."""
    for name, value in {"MOST_OF_PHONE": 7, "MOST_OF_ORIGIN": 10, "MOST_OF_RECEIVER": 14, "MOST": 20}.items():
        monkeypatch.setattr(webhook_rows, name, value)


def refusal(answer: Any) -> tuple[str, int]:
    assert answer.status_code == 409, answer.get_data(as_text=True)
    error = answer.get_json()
    return error["reason"], error["params"]["most"]


def held(app: Flask) -> int:
    with services(app).store.read() as connection:
        return len(connection.execute(webhooks.hooks.select()).all())


@pytest.mark.usefixtures("small")
def test_each_share_says_its_own_number(opened: Callable[..., Flask], monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(ALLOWED)
    phone = host_at(app, HONEST)
    for _ in range(webhook_rows.MOST_OF_TABLE):
        hook(phone, "http://x/")
    assert refusal(asked(phone, "http://y/")) == ("webhooks-full", 5)
    second = Phone(phone.client, start(phone.client, "zilch"))
    for _ in range(2):
        hook(second, "http://x/")
    assert refusal(asked(second, "http://y/")) == ("phone-webhooks-full", 7)
    third = host_at(app, HONEST)
    for number in range(3):
        hook(third, f"http://z{number}/")
    assert refusal(asked(third, "http://y/")) == ("origin-webhooks-full", 10)
    assert asked(host_at(app, OTHER), "http://y/").status_code == 201
    monkeypatch.setattr(webhook_rows, "MOST_OF_RECEIVER", 1)
    assert refusal(asked(host_at(app, STRANGER), "http://Y.:81/other")) == ("receiver-webhooks-full", 1)
    monkeypatch.setattr(webhook_rows, "MOST", 11)
    monkeypatch.setattr(webhooks, "EQUALS", 10)
    assert refusal(asked(host_at(app, "192.168.77.9"), "http://v/")) == ("all-webhooks-full", 11)
    assert len(listed(phone)) == 5


@pytest.mark.usefixtures("small")
def test_who_has_most_gives_way_and_a_share_keeps_its_own(opened: Callable[..., Flask]) -> None:
    app = opened(ALLOWED)
    honest = host_at(app, HONEST)
    hook(honest, "http://192.168.77.9/")
    assert take_places(app, STRANGER, 30, lambda n: f"http://x{n}/") == 10
    assert take_places(app, OTHER, 30, lambda n: f"http://y{n}/") == 9
    assert held(app) == 20
    for address in ("192.168.77.9", "192.168.77.10", "192.168.77.11"):
        assert asked(host_at(app, address), "http://192.168.77.9/").status_code == 201
    assert held(app) == 20
    assert len(listed(honest)) == 1


@pytest.mark.usefixtures("small")
def test_who_takes_all_places_of_a_receiver_keeps_nobody_from_it(
    opened: Callable[..., Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = opened(ALLOWED)
    monkeypatch.setattr(webhook_rows, "MOST_OF_RECEIVER", 10)
    assert take_places(app, STRANGER, 30, lambda n: f"http://192.168.77.9:{n + 1}/{n}") == 10
    assert asked(host_at(app, HONEST), "http://[::ffff:192.168.77.9]/").status_code == 201
    assert held(app) == 10


@pytest.mark.usefixtures("small")
def test_addresses_that_a_device_may_choose_are_one(opened: Callable[..., Flask]) -> None:
    app = opened(ALLOWED)
    got = 0
    for number in range(12):
        for network in ("fe80::", "fd12::"):
            got += asked(host_at(app, f"{network}{number}:1"), f"http://x{number}/").status_code == 201
    assert got == 10 + 10


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("how", ["over", "given up", "unused", "deleted", "token"])
def test_what_is_not_used_any_more_frees_its_place(
    opened: Callable[..., Flask], receiver: Receiver, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    app = opened(ALLOWED)
    first = host_at(app, HONEST)
    if how == "token":
        right = bearer(connect(first, "act", "lamp"))
        table = f"{PREFIX}/tables/{key_of(first)}/webhooks"
        remote = {"REMOTE_ADDR": HONEST}
        for _ in range(5):
            body = {"name": "x", "address": receiver.address}
            made = app.test_client(use_cookies=False).post(table, json=body, headers=right, environ_base=remote)
            assert made.status_code == 201
    else:
        for _ in range(5):
            hook(first, receiver.address)
    second = host_at(app, HONEST)
    for number in range(5):
        hook(second, f"http://x{number}/")
    third = host_at(app, HONEST)
    assert refusal(asked(third, "http://y/")) == ("origin-webhooks-full", 10)
    if how == "over":
        end(first.client, first.base)
        wait_until(lambda: len(receiver.told) >= 5 and not app.extensions[SENDER]._busy)
    elif how == "given up":
        receiver.answers = [410] * 5
        first.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
        wait_until(lambda: all(each["given_up"] for each in listed(first)))
    elif how == "unused":
        monkeypatch.setattr(webhooks, "UNUSED_S", -10.0)
    elif how == "deleted":
        first.client.post(f"/api/v1{first.base}/deleted", json={"deleted": True})
        deletion = services(app).sessions.look(key_of(first)).access.deletion
        assert deletion is not None
        services(app).sessions.erase(key_of(first), deletion)
    else:
        program = first.client.get(f"/api/v1{first.base}/programs").get_json()[0]["program"]
        assert first.client.post(f"/api/v1{first.base}/programs/removed", json={"program": program}).status_code == 200
    for number in range(5):
        assert asked(third, f"http://y{number}/").status_code == 201
    if how == "unused":  # then the second table's are, too
        return
    assert refusal(asked(host_at(app, HONEST), "http://y/")) == ("origin-webhooks-full", 10)
    assert len(listed(second)) == 5


def test_a_given_up_program_gives_way_at_its_own_table_and_a_finished_game_keeps_its_own(
    opened: Callable[..., Flask], receiver: Receiver
) -> None:
    app = opened(ALLOWED)
    phone = host_at(app, HONEST)
    for _ in range(5):
        hook(phone, receiver.address)
    end(phone.client, phone.base)
    wait_until(lambda: len(receiver.told) >= 5 and not app.extensions[SENDER]._busy)
    assert refusal(asked(phone, "http://y/")) == ("webhooks-full", 5)  # an undo goes on
    receiver.answers = [410]
    phone.look()
    assert phone.post("undo").status_code == 200
    wait_until(lambda: any(each["given_up"] for each in listed(phone)))
    assert asked(phone, "http://y/").status_code == 201
    assert not any(each["given_up"] for each in listed(phone))


def test_trying_again_by_hand_keeps_the_pause(
    opened: Callable[..., Flask], receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_sender, "PAUSES_S", (1.5, 60.0))
    monkeypatch.setattr(webhook_rows, "PAUSE_S", 1.5)
    app = opened(ALLOWED)
    phone = host_at(app, HONEST)
    made = hook(phone, receiver.address)
    receiver.answers = [410, 500, 500]
    phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: listed(phone)[0]["given_up"])
    failed, times = time.monotonic(), []
    while time.monotonic() < failed + 4:
        asked_before = receiver.asked
        phone.client.post(f"/api/v1{phone.base}/webhooks/again", json={"webhook": made["webhook"]})
        time.sleep(0.02)
        if receiver.asked > asked_before:
            times.append(time.monotonic() - failed)
    assert receiver.asked == 3  # the first pause after 410, and again after 500; then the long one
    assert times[0] > 1.2
    assert 0 < listed(phone)[0]["next_try_s"] <= 60


@both_engines
def test_of_one_receiver_what_is_due_longest_goes_first(
    opened: Callable[..., Flask], receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_sender, "SHARE", 1)
    app = opened(ALLOWED)
    phones = [host_at(app, HONEST) for _ in range(6)]
    hooks = [hook(phone, receiver.address)["webhook"] for phone in phones]
    receiver.holds = threading.Event()
    order = [3, 0, 5, 1, 4, 2]
    for number in order:
        phones[number].act(do="throw", dice=[1, 1, 1, 2, 3, 4])
        time.sleep(0.05)
    receiver.holds.set()
    wait_until(lambda: len(receiver.bodies) == 6)
    assert [hooks.index(json.loads(body)["webhook"]) for body in receiver.bodies] == order


def test_a_receiver_that_was_quick_has_a_place_beside_slow_ones_of_many_devices(
    opened: Callable[..., Flask], receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "WITHIN_S", SLOW_S)
    app = opened(ALLOWED)
    honest = host_at(app, HONEST)
    hook(honest, receiver.address)
    honest.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
    wait_until(lambda: receiver.told)
    with slow_receivers() as port:
        strangers = [host_at(app, f"192.168.77.{100 + number}") for number in range(10)]
        for number, name in enumerate(SLOW):
            hook(strangers[number // 4], f"http://{name}:{port}/")
        for phone in strangers:
            phone.act(do="throw", dice=[1, 1, 1, 2, 3, 4])
        wait_until(lambda: len(app.extensions[SENDER]._busy) >= webhook_sender.MOST_AT_ONCE * 3 // 4)
        began, before = time.monotonic(), len(receiver.told)
        honest.act(do="set-aside", dice=[1, 1, 1])
        wait_until(lambda: len(receiver.told) > before)
        assert time.monotonic() - began < AT_ONCE_S
