"""The store: what it promises about its log, its schema and its failures."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, TimeoutError
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.web.postgres import both_engines
from tests.web.stored import log, table_started
from web.hosts.laptop.live_hub import Hub
from web.runner import Sessions
from web.store import sqlite_file as store_module
from web.store.sqlite import SqliteStore
from web.store.store import Store
from web.table.commands import SERVER, Act, Start, StartNext
from web.table.stored_table import Entry


@pytest.fixture
def store(tmp_path: Path):
    made = SqliteStore(tmp_path)
    yield made
    made.close()


def entry(seq: int, request: str) -> Entry:
    return Entry(seq, request, {"do": {"do": "bank"}}, "phone", "2026-01-01T00:00:00Z")


def test_every_commit_waits_for_the_disk(store: SqliteStore, tmp_path: Path) -> None:
    with store._engine.connect() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 2, "FULL"


@both_engines
def test_a_table_of_before_an_option_goes_on_as_it_began(open_store: Callable[[], Store]) -> None:
    """Whatever the option's default is now; the table that follows it has the same rules, a new one the default."""
    store = open_store()
    throw = {"do": {"do": "throw", "dice": [4, 4, 4, 4, 2, 2]}}
    old = store.create(
        table_started("drapky", {}, ["Ada"], False, [throw])
    )  # as it was stored when drapky had no options
    found = store.find(old.key)
    assert found is not None
    rules_of_before = {"exact_two_plus_three": True, "exact_poker": False}
    assert found.options == rules_of_before
    sessions = Sessions(store, Hub())
    legal = sessions.look(old.key).table.legal
    categories = [entry["category"] for entry in legal if entry["do"] == "score"]
    assert categories == ["fours", "poker"]
    over = {"do": "adjust", "what": "game", "over": True}
    sessions.do(old.key, Act(version=1, request="the-end-of-it", action=over))
    assert sessions.go_on(old.key, StartNext()).options == rules_of_before
    assert sessions.start(Start("drapky", {}, ["Ada"]), SERVER).options == {
        **rules_of_before,
        "exact_two_plus_three": False,
    }


def test_a_slow_disk_is_waited_for(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only another program is told to have the store locked."""
    monkeypatch.setattr(store_module, "BUSY_TIMEOUT_MS", 50)
    row = store.create(table_started("farkle", {}, ["Ada"]))
    with ThreadPoolExecutor(1) as pool:
        with store.write():  # that does not come to its end
            waiting = pool.submit(log, store, row, entry(1, "behind-it"))
            with pytest.raises(TimeoutError):
                waiting.result(0.5)
        waiting.result(60)
    assert [line.seq for line in store.load(row).entries] == [1]
