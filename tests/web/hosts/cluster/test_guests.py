"""Owners and bounds over several servers: what one server decided or counted holds at the others."""

import io
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event

from tests.web.apps import create_app
from tests.web.pages.test_owners import close, guest, owner_of, reason
from tests.web.phones import JSON, Phone, start
from tests.web.photos.test_photo_reader import PICTURES, THROW, upload
from tests.web.waiting import wait_until
from web.common.problems import Problem
from web.limits.quotas import FixedWindow
from web.photos import review
from web.services import services
from web.table.commands import Act, Asker

pytest.importorskip("psycopg", reason="the extra `cluster` is not installed")

from web.hosts.cluster.jobs import SharedQueue
from web.hosts.cluster.shared_limits import REPORT_FROM, SharedLimits
from web.hosts.cluster.shared_store import SharedStore
from web.limits import guesses, visitor_limits

STRANGER = {"REMOTE_ADDR": "203.0.113.7"}


@pytest.fixture
def servers(tmp_path: Path, shared: str) -> Iterator[tuple[Flask, Flask]]:
    made = create_app(tmp_path / "one", database=shared), create_app(tmp_path / "two", database=shared)
    yield made
    for each in made:
        services(each).close()


def statements(server: Flask) -> list[str]:
    """What this thread asks the database for by way of this server from now on, each by its first two words."""
    store, mine, asked = services(server).store, threading.get_ident(), list[str]()
    assert isinstance(store, SharedStore)

    def note(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        if threading.get_ident() == mine:
            asked.append(" ".join(statement.split()[:2]))

    event.listen(store._engine, "before_cursor_execute", note)
    return asked


def test_an_action_that_did_not_see_the_table_close_is_not_done(
    servers: tuple[Flask, Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was checked before the other server closed the table, and is written after that."""
    one, two = servers
    owner = owner_of(one.test_client())
    key = owner.base.rpartition("/")[2]
    bob = guest(two, owner.base)
    sessions = services(two).sessions
    append = sessions.store.append
    asked: list[Any] = []

    def late(*arguments: Any) -> int:
        if not asked:
            asked.append(close(owner).status_code)
        return append(*arguments)

    monkeypatch.setattr(sessions.store, "append", late)
    assert reason(bob.throw(1, 1, 6, 6, 3, 4)) == (409, "table-closed")
    assert asked == [200]
    assert services(one).sessions.look(key).version == 0
    close(owner, closed=False)
    throw = {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]}
    sessions.do(key, Act(version=0, request="the-server-itself", action=throw), Asker(name="phone"))
    assert services(one).sessions.look(key).version == 1


def test_tables_and_photos_of_one_address_are_counted_over_all_servers(
    servers: tuple[Flask, Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = [services(server).limits for server in servers]
    few = visitor_limits.Limit("table", 3, 5, 3600, "too-many-tables")
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
    for number in range(guesses.GUESSES_A_MINUTE):
        answer = clients[number % 2].get("/j/WRONGX", headers=JSON, environ_overrides=STRANGER)
        assert answer.status_code == 404
    for client in clients:
        assert client.get("/j/WRONGX", headers=JSON, environ_overrides=STRANGER).status_code == 429
    other = servers[0].test_client()
    other.set_cookie("device", "another-phone-of-the-same-house")
    assert other.get("/j/WRONGX", headers=JSON, environ_overrides=STRANGER).status_code == 404


def full(counts: SharedLimits, phone: str, limit: visitor_limits.Limit = visitor_limits.STEPS) -> bool:
    """Whether one more step is one too many; else it is counted."""
    try:
        counts.count(limit, STRANGER["REMOTE_ADDR"], phone)
    except Problem as problem:
        return problem.reason == "too-many-steps"
    return False


def batches(servers: tuple[Flask, Flask], limit: visitor_limits.Limit = visitor_limits.STEPS) -> list[SharedLimits]:
    """Who counts at each server, and tells the other one when a test says so."""
    return [SharedLimits(store_of(server), limit) for server in servers]


def test_steps_are_counted_over_all_servers_and_no_step_asks_the_database(
    servers: tuple[Flask, Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FixedWindow, "counts", lambda self, now: self._counts)  # all in one minute
    one, two = batches(servers)
    most, asked = visitor_limits.STEPS.of_phone, statements(servers[0])
    assert not any(full(one, "ada") for _ in range(most - 100))
    assert asked == []
    for _ in range(REPORT_FROM):
        assert not full(two, "ada")
        assert not full(two, "bob")
    for each in (one, two, one):
        each.tell()
    assert asked.count("INSERT INTO") == 1, "what is known is not told again"
    assert [full(two, "ada") for _ in range(200)].count(False) == 100 - REPORT_FROM
    assert not full(one, "ada"), "it does not know yet"
    for each in (two, one):
        each.tell()
    assert full(one, "ada")
    assert not full(one, "bob")


def test_an_address_has_its_share_over_all_servers(
    servers: tuple[Flask, Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FixedWindow, "counts", lambda self, now: self._counts)
    few = replace(visitor_limits.STEPS, of_address=30)
    one, two = batches(servers, few)
    assert not any(full(one, f"phone-{number}", few) for number in range(20))
    assert not any(full(two, f"phone-{number}", few) for number in range(10))
    one.tell()
    two.tell()
    assert full(two, "another", few)


def test_who_does_little_costs_the_database_nothing(servers: tuple[Flask, Flask]) -> None:
    counts, _ = batches(servers)
    assert not any(full(counts, "ada") for _ in range(REPORT_FROM - 1))
    asked = statements(servers[0])
    counts.tell()
    assert asked == []


def test_servers_tell_each_other_by_themselves(servers: tuple[Flask, Flask]) -> None:
    counts = [services(server).limits for server in servers]

    def is_refused(number: int) -> bool:
        try:
            counts[number].count(visitor_limits.STEPS, STRANGER["REMOTE_ADDR"], "ada")
        except Problem:
            return True
        return False

    def at_once() -> bool:
        """Whether the second one refuses long before it counted as many itself."""
        while not is_refused(0):
            pass
        return any(is_refused(1) for _ in range(2 * REPORT_FROM))

    wait_until(at_once)


def test_photos_of_an_address_are_bounded_over_all_servers(
    servers: tuple[Flask, Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest of the address whose photos take too much is forgotten, whichever server took it."""
    photo = (PICTURES / THROW["picture"]).read_bytes()
    monkeypatch.setattr(review, "MOST_HELD_OF_ADDRESS", int(2.5 * len(photo)))
    reader = SharedQueue(store_of(servers[0]))
    reader.send_heartbeat(None)
    for server in servers:
        wait_until(lambda server=server: services(server).sessions.abilities["reader"])  # type: ignore[misc]
    tables = [Phone(servers[number % 2].test_client(), start(servers[number % 2].test_client())) for number in range(3)]
    other = Phone(servers[0].test_client(), start(servers[0].test_client()))
    sent = {"version": "0", "photo": (io.BytesIO(photo), "photo.jpg")}
    assert other.client.post(f"/api/v1{other.base}/photos", data=sent, environ_overrides=STRANGER).status_code == 202
    readings = []
    for phone in tables:
        reader.send_heartbeat(None)
        readings.append(upload(phone, photo).get_json()["pending"]["id"])
    assert [phone.look()["pending"] is None for phone in (*tables, other)] == [True, False, False, False]
    assert [services(servers[1]).photo_files.original(reading) is None for reading in readings] == [True, False, False]


def store_of(server: Flask) -> SharedStore:
    store = services(server).store
    assert isinstance(store, SharedStore)
    return store
