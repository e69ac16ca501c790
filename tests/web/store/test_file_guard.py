"""The files of an open store: the log is checkpointed in quiet moments, and deleted files are written again."""

import shutil
import sqlite3
import stat
import time
from pathlib import Path

import pytest

from tests.web.statistics.results import results_of
from tests.web.stored import log, table_started, whole_log
from web.problems import Problem
from web.session.replay import PlayerResult
from web.session.stored_table import Entry
from web.store import visits
from web.store.maintenance import file_guard
from web.store.sqlite import FILE_NAME, SqliteStore


def entry(seq: int) -> Entry:
    return Entry(seq, f"request-{seq}", {"do": {"do": "throw", "dice": [1] * 6}}, "phone", "2026-01-01T00:00:00Z")


def lines(path: Path) -> int:
    """How many lines the file alone holds, without a log."""
    alone = path.parent / "alone.db"
    shutil.copy(path, alone)
    with sqlite3.connect(alone) as connection:
        found: int = connection.execute("SELECT count(*) FROM log").fetchone()[0]
    return found


@pytest.fixture
def store(tmp_path: Path):
    made = SqliteStore(tmp_path / "data")
    yield made
    made.close()


def test_a_copied_store_is_the_evening_once_the_tables_are_quiet(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = store.create(table_started("farkle", {}, ["Ada"]))
    log(store, row, entry(1))
    until = time.monotonic() + 20
    while lines(store.path) < 1:
        assert time.monotonic() < until, "the log was not checkpointed"
        time.sleep(0.2)


@pytest.mark.parametrize("gone", ["-wal", "", "both"])
def test_files_that_are_deleted_under_a_running_server_are_written_again(store: SqliteStore, gone: str) -> None:
    row = store.create(table_started("farkle", {}, ["Ada"]))
    log(store, row, entry(1))
    for suffix in ("-wal", "") if gone == "both" else (gone,):
        store.path.with_name(FILE_NAME + suffix).unlink()
    assert [line.seq for line in store.load(row).entries] == [1]
    log(store, row, entry(2))
    assert [notice.reason for notice in store.notices] == ["store-rescued"]
    assert lines(store.path) >= 1
    store.close()
    assert lines(store.path) == 2
    again = SqliteStore(store.path.parent)
    assert again.notices == []
    assert [line.seq for line in again.load(row).entries] == [1, 2]
    again.close()


def test_another_store_in_the_place_of_the_open_one_is_put_aside(store: SqliteStore, tmp_path: Path) -> None:
    row = store.create(table_started("farkle", {}, ["Ada"]))
    other = tmp_path / "other.db"
    other.write_bytes(b"a shopping list" * 1000)
    other.replace(store.path)
    log(store, row, entry(1))
    assert [line.seq for line in store.load(row).entries] == [1]
    assert [path.read_bytes()[:10] for path in store.path.parent.glob("rollcall-found-*.db")] == [b"a shopping"]


def test_a_lost_log_is_noticed_and_the_table_says_so(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "data")
    row = store.create(table_started("farkle", {}, ["Ada"]))
    log(store, row, entry(1))
    store._guard._checkpoint()  # type: ignore[union-attr]
    log(store, row, entry(2))
    killed = tmp_path / "killed"
    killed.mkdir()
    for name in (FILE_NAME, "rollcall.heads"):
        shutil.copy(tmp_path / "data" / name, killed)
    store.close()
    again = SqliteStore(killed)
    assert [notice.reason for notice in again.notices] == ["store-mended"]
    found = again.find(row.key)
    assert found is not None
    assert found.lost == 1
    assert [line.seq for line in again.load(row).entries] == [1]
    again.close()
    third = SqliteStore(killed)
    assert third.notices == [], "it is told once; the table goes on saying it"
    assert whole_log(third, row)[1] == 1
    third.close()


@pytest.mark.parametrize("what", ["empty", "gone"])
def test_a_store_that_is_empty_or_gone_where_games_were_is_not_started_over_silently(tmp_path: Path, what: str) -> None:
    store = SqliteStore(tmp_path)
    row = store.create(table_started("farkle", {}, ["Ada"]))
    store.close()
    if what == "empty":
        (tmp_path / FILE_NAME).write_bytes(b"")
    else:
        (tmp_path / FILE_NAME).unlink()
    again = SqliteStore(tmp_path)
    assert [notice.reason for notice in again.notices] == ["store-mended"]
    with pytest.raises(Problem) as told:
        again.find(row.key)
    assert told.value.reason == "table-lost"
    assert list(tmp_path.glob("rollcall-damaged-*.heads"))
    again.close()


def test_the_data_folder_is_its_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    (folder / "photos").mkdir(mode=0o755)
    (folder / "photos" / "old.photo").write_bytes(b"x")
    (folder / FILE_NAME).touch(mode=0o644)
    other = folder / "shopping.txt"
    other.touch(mode=0o644)
    other.chmod(0o644)
    store = SqliteStore(folder)
    row = store.create(table_started("farkle", {}, ["Ada"]))
    log(store, row, entry(1))
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [folder, *folder.rglob("*")]}
    store.close()
    assert modes.pop(other.name) == 0o644, "what is not ours is not touched"
    assert set(modes.values()) <= {0o700, 0o600}, modes


def test_a_request_of_a_phone_is_not_taken_for_an_import(store: SqliteStore) -> None:
    row = store.create(table_started("farkle", {}, ["Ada"]))
    over = Entry(1, "import-1", {"do": {"do": "throw", "dice": [1] * 6}}, "Ada's phone", "2026-01-01T00:00:00Z")
    log(store, row, over, [PlayerResult(0, "Ada", 100, 1)], "digest")
    visits.visit(store, "a-phone", row)
    assert [result.imported for result in results_of(store, "a-phone")] == [False]


def test_a_table_whose_row_was_changed_is_not_written_over(store: SqliteStore) -> None:
    row = store.create(table_started("farkle", {}, ["Ada"]))
    with store.write() as connection:
        connection.exec_driver_sql("UPDATE tables SET head = 'x'")
    with pytest.raises(Problem, match="damaged"):
        log(store, row, entry(1))


def test_the_log_begins_anew_though_changes_never_stop(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a checkpoint of most of it, and it does not grow without end."""
    monkeypatch.setattr(file_guard, "CHECKPOINT_AFTER", 10)
    monkeypatch.setattr(file_guard, "MOST_PAGES", 200)
    row = store.create(table_started("farkle", {}, ["Ada"]))
    wal = store.path.with_name(FILE_NAME + "-wal")
    until, began_anew, seq, most = time.monotonic() + 60, 0, 0, 0
    while began_anew < 3:
        seq += 1
        log(store, row, entry(seq))
        header = wal.read_bytes()[12:16]  # how often SQLite has begun the log anew since it was made
        began_anew, most = max(began_anew, int.from_bytes(header, "big")), max(most, wal.stat().st_size)
        assert time.monotonic() < until, (began_anew, most)
    assert [line.seq for line in store.load(row).entries] == list(range(1, seq + 1))
