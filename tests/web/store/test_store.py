"""The store: what it promises about its log, its schema and its failures."""

from concurrent.futures import ThreadPoolExecutor, TimeoutError
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.web.stored import line, log, table_started
from web.store import sqlite_file as store_module
from web.store.sqlite import SqliteStore


@pytest.fixture
def store(tmp_path: Path):
    made = SqliteStore(tmp_path)
    yield made
    made.close()


def test_every_commit_waits_for_the_disk(store: SqliteStore, tmp_path: Path) -> None:
    with store._engine.connect() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 2, "FULL"


def test_a_slow_disk_is_waited_for(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only another program is told to have the store locked."""
    monkeypatch.setattr(store_module, "BUSY_TIMEOUT_MS", 50)
    row = store.create(table_started("farkle", {}, ["Ada"]))
    with ThreadPoolExecutor(1) as pool:
        with store.write():  # that does not come to its end
            waiting = pool.submit(log, store, row, line(1))
            with pytest.raises(TimeoutError):
                waiting.result(0.5)
        waiting.result(60)
    assert [line.seq for line in store.load(row).entries] == [1]
