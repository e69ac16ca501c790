"""Two servers on one database: what is done by way of one is true at the other, and counts once."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event, select

from tests.web.apps import create_app
from tests.web.phones import JSON, Phone, end, start
from tests.web.waiting import wait_until
from web.clubs import night_commands, night_events
from web.clubs.night_events import Plan, RoundPlan
from web.hosts.laptop.connections import Connection
from web.problems.problem import Problem
from web.services import services
from web.store import schema
from web.table.commands import Act, Asker, StartNext

pytest.importorskip("psycopg", reason="the extra `cluster` is not installed")

import psycopg

from web.hosts.cluster.shared_store import SharedStore

SEEN_WITHIN_S = 15  # on a machine that does much else; what is usual is measured in docs/benchmarks.md
OFTEN = 25  # in a thousand, the slow test has real servers


@pytest.fixture
def servers(tmp_path: Path, shared: str) -> Iterator[tuple[Flask, Flask]]:
    made = create_app(tmp_path / "one", database=shared), create_app(tmp_path / "two", database=shared)
    yield made
    for each in made:
        services(each).close()


@pytest.fixture
def phones(servers: tuple[Flask, Flask]) -> tuple[Phone, Phone]:
    """Two phones of one table, each at another server."""
    one, two = servers
    base = start(one.test_client())
    return Phone(one.test_client(), base), Phone(two.test_client(), base)


def document_of(phone: Phone) -> dict[str, Any]:
    """All that a server says of a table."""
    return {**phone.look(), "history": phone.get("history")}


def test_what_one_server_does_the_other_knows(phones: tuple[Phone, Phone]) -> None:
    one, two = phones
    assert one.throw(1, 1, 6, 6, 3, 4).status_code == 200
    two.look()
    assert two.act(do="set-aside", dice=[1, 1]).status_code == 200
    assert one.look()["version"] == 2
    assert one.throw(2, 3, 4, 5).status_code == 200
    assert two.look()["standing"]["turn"]["throw"] == [2, 3, 4, 5]
    assert document_of(one) == document_of(two)


@pytest.mark.parametrize("same", [True, False], ids=["one request", "two requests"])
def test_two_phones_at_two_servers_confirm_one_throw_at_once(
    servers: tuple[Flask, Flask], phones: tuple[Phone, Phone], same: bool
) -> None:
    """It counts once each time. Of two requests the later is told so; of one both are told that it counts."""
    key = phones[0].key
    together = threading.Barrier(2)
    outcomes: list[list[str]] = []

    def confirm(server: Flask, version: int, request: str) -> str:
        together.wait()
        action = {"do": "adjust", "what": "player-renamed", "player": 0, "name": f"Ada {version}"}
        try:
            services(server).runner.do(key, Act(version=version, request=request, action=action), Asker(name="phone"))
        except Exception as error:
            return str(getattr(error, "reason", error))
        return "counted"

    with ThreadPoolExecutor(2) as pool:
        for version in range(OFTEN):
            requests = [f"request-{version}"] * 2 if same else [f"one-{version}", f"two-{version}"]
            asked = [pool.submit(confirm, *each, r) for *each, r in zip(servers, [version] * 2, requests, strict=True)]
            outcomes.append(sorted(each.result() for each in asked))
    assert outcomes == [["counted", "counted" if same else "stale"]] * OFTEN
    assert phones[0].look()["version"] == OFTEN
    assert document_of(phones[0]) == document_of(phones[1])


def test_players_who_write_at_once_at_two_servers_all_count(servers: tuple[Flask, Flask]) -> None:
    """In knaster another's writing makes mine not stale, whichever server he asked."""
    base = start(servers[0].test_client(), "knaster", "Ada", "Bob", "Cyd", "Dan")
    all_phones = [Phone(servers[number % 2].test_client(), base) for number in range(4)]
    assert all_phones[0].throw(3, 4).status_code == 200
    for phone in all_phones:
        phone.look()
    with ThreadPoolExecutor(4) as pool:
        answers = list(
            pool.map(lambda each: each[1].act(do="write", player=each[0], cell=[1, 2]), enumerate(all_phones))
        )
    assert [answer.status_code for answer in answers] == [200] * 4
    assert [phone.look()["version"] for phone in all_phones] == [5] * 4


def test_play_again_is_one_table_whichever_server_is_asked(servers: tuple[Flask, Flask]) -> None:
    client = servers[0].test_client()
    base = start(client, "sequence", "Ada")
    end(client, base)
    key = base.rpartition("/")[2]
    with ThreadPoolExecutor(2) as pool:
        fresh = list(pool.map(lambda server: services(server).runner.go_on(key, StartNext()).key, servers))
    assert fresh[0] == fresh[1]
    assert all(
        services(server).runner.row(key).next_key == fresh[0] for server in servers for _ in [view_at(server, key)]
    )


def view_at(server: Flask, key: str) -> bytes:
    return services(server).runner.snapshot(key).view


class HubListener:
    """A hub with one phone at a table."""

    def __init__(self, app: Flask, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.states: list[bytes] = []
        parts = services(app)
        monkeypatch.setattr(parts.hub, "listened_tables", lambda: [key])
        monkeypatch.setattr(parts.hub, "announce", lambda key, state: self.states.append(state))


def test_phones_at_another_server_are_told_at_once(
    servers: tuple[Flask, Flask], phones: tuple[Phone, Phone], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.hosts.cluster.shared_server.POLL_S", 1000.0)
    listener = HubListener(servers[1], phones[0].key, monkeypatch)
    time.sleep(2.5)  # the look that was due is over
    assert phones[0].throw(1, 1, 6, 6, 3, 4).status_code == 200
    wait_until(lambda: bool(listener.states))
    assert b'"version":1,' in listener.states[-1]


def test_a_call_that_was_lost_is_made_up_for(
    servers: tuple[Flask, Flask], phones: tuple[Phone, Phone], monkeypatch: pytest.MonkeyPatch
) -> None:
    listener = HubListener(servers[1], phones[0].key, monkeypatch)
    monkeypatch.setattr(services(servers[0]).store, "changed", lambda table_id: None)
    assert phones[0].throw(1, 1, 6, 6, 3, 4).status_code == 200
    wait_until(lambda: bool(listener.states))
    assert b'"version":1,' in listener.states[-1]


def test_all_servers_give_a_state_the_same_stamp(phones: tuple[Phone, Phone]) -> None:
    one, two = phones
    one.throw(1, 1, 6, 6, 3, 4)
    stamp = two.look()["stamp"]
    for phone in phones:
        assert phone.client.get(f"/api/v1{phone.base}?stamp={stamp}", headers=JSON).status_code == 204


def test_what_another_server_did_is_caught_up_with_by_two_questions(
    servers: tuple[Flask, Flask], phones: tuple[Phone, Phone]
) -> None:
    """Whether there was anything, and all of it at one moment: each further connection is a further wait."""
    one, two = phones
    runner, store = services(servers[1]).runner, services(servers[1]).store
    two.look()
    assert isinstance(store, SharedStore)
    taken: list[str] = []
    event.listen(store._engine, "checkout", lambda *_: taken.append(threading.current_thread().name))
    assert one.throw(1, 1, 6, 6, 3, 4).status_code == 200
    assert json.loads(runner.snapshot(two.key).view)["version"] == 1
    assert taken.count(threading.current_thread().name) == 2


def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What this thread asks PostgreSQL for from now on, each statement by its first words."""
    mine, asked, execute = threading.get_ident(), list[str](), psycopg.Cursor.execute

    def note(cursor: Any, statement: Any, *values: Any, **how: Any) -> Any:
        if threading.get_ident() == mine:
            asked.append(" ".join(str(statement).split()[:2]))
        return execute(cursor, statement, *values, **how)

    monkeypatch.setattr(psycopg.Cursor, "execute", note)
    return asked


def test_an_action_asks_the_database_for_no_more_than_it_needs(
    phones: tuple[Phone, Phone], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each statement is a way to PostgreSQL and back, of which a busy machine makes milliseconds."""
    one, two = phones
    two.look()
    asked = statements(monkeypatch)
    assert one.throw(1, 1, 6, 6, 3, 4).status_code == 200
    look = ["SELECT number,"]
    assert asked == [*look, "SET LOCAL", "UPDATE tables", "INSERT INTO"]
    asked.clear()
    two.look()
    assert asked == [*look, "SELECT number,", *look]


def test_who_is_called_does_not_wait_for_who_looks_round(
    servers: tuple[Flask, Flask], phones: tuple[Phone, Phone], monkeypatch: pytest.MonkeyPatch
) -> None:
    busy, may = threading.Event(), threading.Event()

    def slow() -> list[str]:
        busy.set()
        may.wait(30)
        return []

    monkeypatch.setattr(services(servers[1]).photos.files, "unqueued_tables", slow)
    assert busy.wait(SEEN_WITHIN_S)
    listener = HubListener(servers[1], phones[0].key, monkeypatch)
    assert phones[0].throw(1, 1, 6, 6, 3, 4).status_code == 200
    wait_until(lambda: bool(listener.states))
    may.set()


def test_a_server_that_missed_a_deletion_ends_the_streams_of_its_phones(servers: tuple[Flask, Flask]) -> None:
    one, two = servers
    base = start(one.test_client())
    key = base.rpartition("/")[2]
    row = services(two).runner.look(key).row

    async def parting() -> Problem | None:
        hub = services(two).hub
        with hub.listening(key, Connection("a phone")) as listener:
            await asyncio.to_thread(services(one).store.erase, row)
            await asyncio.wait_for(listener.fresh.wait(), SEEN_WITHIN_S)
            return listener.parting

    told = asyncio.run(parting())
    assert told.reason == "table-deleted"


def test_a_name_that_one_server_takes_out_the_other_forgets(servers: tuple[Flask, Flask]) -> None:
    """It had the night and its table in memory. What it adds afterwards follows the new journals."""
    one, two = map(services, servers)
    desk, name = Asker("the-phone-of-the-desk"), "Zdeňka Nováková"
    key = one.nights.start(Plan(name="Night", rounds=[RoundPlan("score-pad")]), desk).key
    one.nights.do(key, night_events.PeopleCame([name, "Bob"]), desk)
    one.nights.do(key, night_commands.DrawRound(), desk)
    table = one.nights.ring(key, desk, lambda: None).rounds[0].tables[0].key
    assert two.nights.look(key).people[1].name == name
    assert name in two.runner.look(table).table.players
    one.nights.erase_name(key, 1, desk)
    assert two.nights.look(key) == one.nights.look(key)
    assert two.nights.look(key).people[1].name.startswith("#")
    assert name not in str((two.runner.look(table).table.players, two.runner.look(key).changes))
    two.nights.do(key, night_events.PeopleCame(["Cyd"]), desk)
    assert one.nights.look(key).people[3].name == "Cyd"
    with one.store.read() as connection:
        assert not [each for each in connection.scalars(select(schema.events.c.body)) if name in each]
