"""Owners and bounds over several servers: what one server decided or counted holds at the others."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.web.pages.test_owners import close, guest, owner_of, reason, turn
from tests.web.phones import JSON, Phone
from web import create_app
from web.rooms import rooms
from web.tables.playing import Asked

pytest.importorskip("psycopg", reason="the extra `cluster` is not installed")

from web.transport import limits, security

STRANGER = {"REMOTE_ADDR": "203.0.113.7"}


@pytest.fixture
def servers(tmp_path: Path, shared: str) -> Iterator[tuple[Flask, Flask]]:
    made = create_app(tmp_path / "one", database=shared), create_app(tmp_path / "two", database=shared)
    yield made
    for each in made:
        rooms(each).close()


def at(server: Flask, phone: Phone) -> Phone:
    """The same phone, that asks another server."""
    client = server.test_client()
    cookie = phone.client.get_cookie("device")
    assert cookie is not None
    client.set_cookie("device", cookie.value)
    return Phone(client, phone.base)


def test_what_an_owner_decides_at_one_server_holds_at_the_other_at_once(servers: tuple[Flask, Flask]) -> None:
    one, two = servers
    owner = owner_of(one.test_client())
    bob = guest(two, owner.base)
    assert bob.throw(1, 1, 6, 6, 3, 4).status_code == 200
    turn(owner, "Bob")
    assert reason(bob.act(do="set-aside", dice=[1, 1])) == (403, "phone-removed")
    assert bob.client.get(f"{bob.base}/state", headers=JSON).status_code == 403
    there = at(two, owner)
    assert close(there).get_json()["closed"] is True
    assert reason(owner.act(do="set-aside", dice=[1, 1])) == (409, "table-closed")
    close(owner, closed=False)
    assert turn(there, "Bob", out=False).status_code == 200
    assert at(one, bob).look()["version"] == 1


def test_an_action_that_did_not_see_the_table_close_is_not_done(
    servers: tuple[Flask, Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was checked before the other server closed the table, and is written after that."""
    one, two = servers
    owner = owner_of(one.test_client())
    key = owner.base.rpartition("/")[2]
    bob = guest(two, owner.base)
    playing = rooms(two).playing
    append = playing.store.append
    asked: list[Any] = []

    def late(*arguments: Any) -> int:
        if not asked:
            asked.append(close(owner).status_code)
        return append(*arguments)

    monkeypatch.setattr(playing.store, "append", late)
    assert reason(bob.throw(1, 1, 6, 6, 3, 4)) == (409, "table-closed")
    assert asked == [200]
    assert rooms(one).playing.version(key) == 0
    close(owner, closed=False)
    playing.act(key, Asked(0, "the-server-itself", "phone"), {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]})
    assert rooms(one).playing.version(key) == 1


def test_tables_and_photos_of_one_address_are_counted_over_all_servers(
    servers: tuple[Flask, Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = [rooms(server).limits for server in servers]
    few = limits.Limit("table", 3, 5, 3600, "too-many-tables")
    for turn_, phone in enumerate(["ada", "ada", "ada", "bob", ""]):
        counts[turn_ % 2].count(few, "203.0.113.7", phone)
    for refused in ("ada", "cyd", ""):
        for each in counts:
            with pytest.raises(Exception, match="A lot of tables"):
                each.count(few, "203.0.113.7", refused)
    counts[0].count(few, "203.0.113.8", "cyd")
    for _ in range(10):
        counts[0].count(few, "127.0.0.1", "cyd")  # this machine


def test_wrong_codes_are_counted_over_all_servers(servers: tuple[Flask, Flask]) -> None:
    clients = [server.test_client() for server in servers]
    for client in clients:
        client.set_cookie("device", "the-phone-that-guesses-codes")
    for number in range(security.GUESSES_A_MINUTE):
        answer = clients[number % 2].get("/j/WRONGX", headers=JSON, environ_overrides=STRANGER)
        assert answer.status_code == 404
    for client in clients:
        assert client.get("/j/WRONGX", headers=JSON, environ_overrides=STRANGER).status_code == 429
    other = servers[0].test_client()
    other.set_cookie("device", "another-phone-of-the-same-house")
    assert other.get("/j/WRONGX", headers=JSON, environ_overrides=STRANGER).status_code == 404
