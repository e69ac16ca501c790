"""Calls between servers: they never hold up who acts, survive a lost connection, and take one connection a server."""

import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import make_url

from benchmarks.costs import listening
from tests.web.served import UNPREPARED, Served, new_table
from tests.web.waiting import wait_until

pytest.importorskip("psycopg", reason="the extra `cluster` is not installed")

import psycopg

from web.hosts.cluster import signals
from web.hosts.cluster.signals import Signals

STREAMS = 60
LISTENING = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'"


class Recorder:
    """What one process hears of the others."""

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.any = 0  # how often it may be any table

    def __call__(self, keys: Collection[str] | None) -> None:
        self.any += keys is None
        self.keys.update(keys or ())


@pytest.fixture
def database(shared: str) -> Iterator[Any]:
    with psycopg.connect(shared.replace("+psycopg", ""), autocommit=True) as connection:
        yield connection


@pytest.fixture
def pair(shared: str) -> Iterator[list[tuple[Signals, Recorder]]]:
    """Two processes' ends."""
    made = [(Signals(make_url(shared)), Recorder()) for _ in range(2)]
    for one, heard in made:
        one.start(heard)
    wait_until(lambda: all(heard.any for _, heard in made))
    yield made
    for one, _ in made:
        one.close()


def test_what_one_calls_the_other_hears_and_not_itself(pair: list[tuple[Signals, Recorder]]) -> None:
    (one, own), (_, other) = pair
    for number in range(2 * signals.OF_ONE_CALL):
        one.tell(str(number))
    wait_until(lambda: other.keys == set(map(str, range(2 * signals.OF_ONE_CALL))))
    assert own.keys == set()


def test_a_lost_connection_is_made_anew_and_all_may_have_changed_meanwhile(
    pair: list[tuple[Signals, Recorder]], database: Any
) -> None:
    (one, own), (_, other) = pair
    before = own.any, other.any
    cut_off(database)
    wait_until(lambda: own.any > before[0] and other.any > before[1])
    one.tell("7")
    wait_until(lambda: "7" in other.keys)


def test_who_acts_does_not_wait_though_nobody_takes_the_calls(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the queue has no room for others find by themselves (`test_a_call_that_was_lost_is_made_up_for`)."""
    monkeypatch.setattr(signals, "MOST_WAITING", 100)
    stuck = Signals(make_url(shared))  # its thread does not run
    began = time.monotonic()
    for number in range(100_000):
        stuck.tell(str(number))
    assert time.monotonic() - began < 20, "no wait for anybody"
    assert len(stuck._outbox) == 100
    stuck.close()


def test_who_acts_does_not_fail_though_postgresql_refuses_the_calls(
    pair: list[tuple[Signals, Recorder]], shared: str, database: Any
) -> None:
    """As it does when its own queue is full. What it did not take is found by who looks round."""
    (one, own), (_, other) = pair
    name = shared.rpartition("/")[2]
    database.execute("CREATE FUNCTION public.pg_notify(text, text) RETURNS void LANGUAGE sql AS 'SELECT 1/0'")
    database.execute(f"ALTER DATABASE {name} SET search_path = public, pg_catalog")
    before = own.any
    cut_off(database)
    wait_until(lambda: own.any > before)
    for number in range(3):
        refused = own.any
        one.tell(str(number))
        wait_until(lambda refused=refused: own.any > refused)  # type: ignore[misc]
    assert other.keys == set()
    database.execute("DROP FUNCTION public.pg_notify(text, text)")
    one.tell("4")
    wait_until(lambda: "4" in other.keys)


def cut_off(database: Any) -> None:
    """Ends all other connections to this database."""
    of_others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    database.execute(f"SELECT pg_terminate_backend(pid) {of_others}")


def test_one_connection_hears_for_all_phones_of_a_server(tmp_path: Path, shared: str, database: Any) -> None:
    with Served(tmp_path, arguments=["--database", shared], program=UNPREPARED) as served:
        base = new_table(served)
        opened = [listening(served, base) for _ in range(STREAMS)]
        assert database.execute(LISTENING).fetchone() == (1,)
        held = database.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()").fetchone()
        assert held[0] < STREAMS / 2, "streams hold none"
        for connection in opened:
            connection.close()
