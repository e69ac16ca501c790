"""Owners and bounds over several servers: what one server decided or counted holds at the others."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.web.apps import create_app
from tests.web.pages.test_owners import close, guest, owner_of, reason
from tests.web.phones import JSON, Phone, start
from tests.web.photos.test_photo_reader import PICTURES, THROW, upload
from tests.web.waiting import wait_until
from web.photos import review
from web.services import services
from web.table.commands import Act, Asker

pytest.importorskip("psycopg", reason="the extra `cluster` is not installed")

from web.hosts.cluster.jobs import SharedQueue
from web.hosts.cluster.shared_store import SharedStore
from web.limits import guesses

STRANGER = {"REMOTE_ADDR": "203.0.113.7"}


@pytest.fixture
def servers(tmp_path: Path, shared: str) -> Iterator[tuple[Flask, Flask]]:
    made = create_app(tmp_path / "one", database=shared), create_app(tmp_path / "two", database=shared)
    yield made
    for each in made:
        services(each).close()


def test_an_action_that_did_not_see_the_table_close_is_not_done(
    servers: tuple[Flask, Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was checked before the other server closed the table, and is written after that."""
    one, two = servers
    owner = owner_of(one.test_client())
    key = owner.key
    bob = guest(two, owner.base)
    runner = services(two).runner
    append = runner.store.append
    asked: list[Any] = []

    def late(*arguments: Any) -> int:
        if not asked:
            asked.append(close(owner).status_code)
        return append(*arguments)

    monkeypatch.setattr(runner.store, "append", late)
    assert reason(bob.throw(1, 1, 6, 6, 3, 4)) == (409, "table-closed")
    assert asked == [200]
    assert services(one).runner.look(key).version == 0
    close(owner, closed=False)
    throw = {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]}
    runner.do(key, Act(version=0, request="the-server-itself", action=throw), Asker(name="phone"))
    assert services(one).runner.look(key).version == 1


def test_wrong_codes_are_counted_over_all_servers(servers: tuple[Flask, Flask]) -> None:
    clients = [server.test_client() for server in servers]
    for client in clients:
        client.set_cookie("device", "the-phone-that-guesses-codes")
    for number in range(guesses.GUESSES_A_MINUTE):
        answer = clients[number % 2].get("/j/WRONGX", headers=JSON, environ_overrides=STRANGER)
        assert answer.status_code == 404
    for client in clients:
        assert client.get("/j/WRONGX", headers=JSON, environ_overrides=STRANGER).status_code == 429
    other = servers[0].test_client()
    other.set_cookie("device", "another-phone-of-the-same-house")
    assert other.get("/j/WRONGX", headers=JSON, environ_overrides=STRANGER).status_code == 404


def test_photos_of_an_address_are_bounded_over_all_servers(
    servers: tuple[Flask, Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest of the address whose photos take too much is forgotten, whichever server took it."""
    photo = (PICTURES / THROW["picture"]).read_bytes()
    monkeypatch.setattr(review, "MOST_HELD_OF_ADDRESS", int(2.5 * len(photo)))
    reader = SharedQueue(store_of(servers[0]))
    reader.send_heartbeat()
    for server in servers:
        wait_until(lambda server=server: services(server).runner.abilities["reader"])  # type: ignore[misc]
    tables = [Phone(servers[number % 2].test_client(), start(servers[number % 2].test_client())) for number in range(3)]
    other = Phone(servers[0].test_client(), start(servers[0].test_client()))
    sent = {"version": "0", "photo": (io.BytesIO(photo), "photo.jpg")}
    assert other.client.post(f"/api/v1{other.base}/photos", data=sent, environ_overrides=STRANGER).status_code == 202
    readings = []
    for phone in tables:
        reader.send_heartbeat()
        readings.append(upload(phone, photo).get_json()["pending"]["id"])
    assert [phone.look()["pending"] is None for phone in (*tables, other)] == [True, False, False, False]
    assert [services(servers[1]).photos.files.original(reading) is None for reading in readings] == [True, False, False]


def store_of(server: Flask) -> SharedStore:
    store = services(server).store
    assert isinstance(store, SharedStore)
    return store
