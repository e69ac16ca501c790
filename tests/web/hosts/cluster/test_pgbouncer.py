"""Servers behind a PgBouncer in transaction mode: nothing of a session is used but by calls, which go directly."""

import re
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy.engine import make_url

from tests.web.apps import create_app
from tests.web.hosts.cluster.pgbouncer import pgbouncer, program
from tests.web.hosts.cluster.test_two_servers import HubListener, document_of
from tests.web.phones import Phone, start
from tests.web.postgres import Postgres
from tests.web.waiting import wait_until
from web.services import services
from web.store.schema import DatabaseError
from web.store.store import fault
from web.table.commands import Act, Asker

pytest.importorskip("psycopg", reason="the extra `cluster` is not installed")

from web.hosts.cluster.shared_store import parse_address
from web.hosts.cluster.signals import directly

STEPS = 25
# What stays with a connection after its transaction.
OF_A_SESSION = re.compile(
    r": (SET (?!LOCAL|TRANSACTION).*|PREPARE.*|DEALLOCATE.*|CREATE TEMP.*|DECLARE.*|.*pg_advisory_lock.*)"
)


@pytest.fixture
def servers(tmp_path: Path, server: Postgres, prepared: str) -> Iterator[tuple[Flask, Flask]]:
    if program() is None:
        pytest.skip("PgBouncer is not installed")
    address = server.new(prepared)
    name = address.rpartition("/")[2]
    server.do(f"ALTER DATABASE {name} SET log_statement = 'all'")
    with pgbouncer(server) as port:
        pooled = f"postgresql+psycopg://rollcall@127.0.0.1:{port}/{name}?direct=127.0.0.1:{server.port}"
        made = create_app(tmp_path / "one", database=pooled), create_app(tmp_path / "two", database=pooled)
        yield made
        for each in made:
            services(each).close()
    server.drop(address)


def test_games_go_on_and_nothing_of_a_session_is_used(servers: tuple[Flask, Flask], server: Postgres) -> None:
    log = server.folder / "log"
    before = log.stat().st_size
    bases = [start(servers[number % 2].test_client(), "sequence", "Ada") for number in range(6)]

    def play(base: str) -> None:
        key = base.rpartition("/")[2]
        for version in range(STEPS):
            action = {"do": "adjust", "what": "player-renamed", "player": 0, "name": f"Ada {version}"}
            act = Act(version=version, request=f"request-{version}", action=action)
            services(servers[version % 2]).runner.do(key, act, Asker(name="phone"))

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(play, bases))
    for base in bases:
        one, two = (Phone(each.test_client(), base) for each in servers)
        assert one.state["version"] == STEPS
        assert document_of(one) == document_of(two)
    assert all(fault(services(each).store) is None for each in servers)
    with log.open("rb") as written:
        written.seek(before)
        statements = written.read().decode(errors="replace")
    assert statements.count("INSERT INTO events") >= 6 * STEPS
    assert "SET LOCAL lock_timeout" in statements
    assert re.findall(r"execute (?!<unnamed>).*", statements) == [], "no prepared statement has a name"
    assert OF_A_SESSION.findall(statements) == []


def test_calls_go_past_it(servers: tuple[Flask, Flask], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.hosts.cluster.shared_server.POLL_S", 1000.0)
    base = start(servers[0].test_client())
    phone = Phone(servers[0].test_client(), base)
    Phone(servers[1].test_client(), base)
    listener = HubListener(servers[1], phone.key, monkeypatch)
    time.sleep(2.5)  # the look that was due is over
    assert phone.throw(1, 1, 6, 6, 3, 4).status_code == 200
    wait_until(lambda: bool(listener.states))


def test_who_waits_for_a_locked_table_is_told_so_in_time(
    servers: tuple[Flask, Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bound on locks is of each transaction, whichever connection of PgBouncer's it gets."""
    monkeypatch.setattr("web.hosts.cluster.shared_store.BOUNDS", "SET LOCAL lock_timeout = 200")
    base = start(servers[0].test_client())
    phone = Phone(servers[1].test_client(), base)
    locked, free = threading.Event(), threading.Event()

    def hold() -> None:
        with services(servers[0]).store.write() as connection:
            connection.exec_driver_sql("SELECT 1 FROM tables FOR UPDATE")
            locked.set()
            free.wait(60)

    holder = threading.Thread(target=hold)
    holder.start()
    assert locked.wait(60)
    try:
        answer = phone.throw(1, 1, 6, 6, 3, 4)
    finally:
        free.set()
        holder.join()
    assert (answer.status_code, answer.get_json()["reason"]) == (503, "store-busy")
    assert phone.throw(1, 1, 6, 6, 3, 4).status_code == 200


def test_the_direct_address_is_part_of_the_address() -> None:
    url = make_url("postgresql+psycopg://ada:secret@pool:6432/games?direct=db:5432&sslmode=require")
    assert directly(url).render_as_string(False) == "postgresql+psycopg://ada:secret@db:5432/games?sslmode=require"
    assert directly(url.difference_update_query(["direct"])).host == "pool"
    for wrong in ("db", ":5432", "db:", "db:x"):
        with pytest.raises(DatabaseError, match="HOST:PORT"):
            parse_address(f"postgresql+psycopg://pool/games?direct={wrong}")
