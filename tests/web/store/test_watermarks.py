"""A store that was found whole before: a start looks at what changed, the rest is looked through while it serves."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.web.statistics.results import results_of
from tests.web.stored import log, table_started, whole_log
from tests.web.waiting import wait_until
from web.problems import Problem
from web.session.replay import PlayerResult
from web.session.stored_table import Entry, TableRow
from web.store import visits
from web.store.maintenance import startup_check, watermarks
from web.store.maintenance.log_heads import LogHeads
from web.store.maintenance.watermarks import Watermark
from web.store.sqlite import FILE_NAME, SqliteStore

LINES = 6


@pytest.fixture(autouse=True)
def small_stores_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small stores are else looked at as a whole, since that takes a moment."""
    monkeypatch.setattr(startup_check, "AT_ONCE", 0)


def line(number: int, word: str = "dice") -> Entry:
    return Entry(number, f"request-{number}", {"do": {"do": "throw", word: [number]}}, "phone", "2026-01-01T00:00:00Z")


def fill(store: SqliteStore, tables: int = 3) -> list[TableRow]:
    rows = []
    for _ in range(tables):
        row = store.create(table_started("farkle", {}, ["Ada", "Bob"]))
        for number in range(1, LINES + 1):
            log(store, row, line(number))
        rows.append(row)
    return rows


def folder_with_tables(folder: Path) -> list[TableRow]:
    """A folder with some tables, as a server left it that was ended and has found all of it whole."""
    store = SqliteStore(folder)
    rows = fill(store)
    wait_until(lambda: state(store) == "whole")
    store.close()
    return rows


def state(store: SqliteStore) -> str:
    told = store.check_progress()
    assert told is not None
    return str(told["state"])


def is_known(folder: Path) -> bool:
    path = folder / FILE_NAME
    return startup_check.changes(path, LogHeads(folder), Watermark(path)) is not None


def flip(folder: Path, written: bytes, place: int = 0, bit: int = 0, last: bool = True) -> None:
    """Flips a bit as a disk does: neither the file's size nor its times change."""
    path = folder / FILE_NAME
    before = path.stat()
    data = path.read_bytes()
    at = (data.rindex if last else data.index)(written) + place
    with path.open("r+b") as file:
        file.seek(at)
        file.write(bytes([data[at] ^ 1 << bit]))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_a_store_that_a_server_left_whole_is_known(tmp_path: Path) -> None:
    rows = folder_with_tables(tmp_path)
    assert is_known(tmp_path)
    store = SqliteStore(tmp_path)
    try:
        assert [len(store.load(row).entries) for row in rows] == [LINES] * 3
        log(store, rows[0], line(LINES + 1))
        wait_until(lambda: state(store) == "whole")
    finally:
        store.close()
    assert is_known(tmp_path)


def _die_at_start(folder: Path) -> None:
    startup_check.AT_ONCE = 0
    store = SqliteStore(folder)
    log(store, fill(store, 1)[0], line(LINES + 1))
    os._exit(0)


# Killed in the midst of writing its mark, a server leaves a store that is rightly checked as a whole.
@pytest.mark.flaky(reruns=2)
def test_a_store_whose_server_was_killed_is_known(tmp_path: Path) -> None:
    rows = folder_with_tables(tmp_path)
    killed = multiprocessing.get_context("spawn").Process(target=_die_at_start, args=(tmp_path,))
    killed.start()
    killed.join(60)
    assert (tmp_path / f"{FILE_NAME}-wal").stat().st_size
    assert is_known(tmp_path)
    store = SqliteStore(tmp_path)
    try:
        assert [len(store.load(row).entries) for row in rows] == [LINES] * 3
        assert len(store.load(replace(rows[-1], id=rows[-1].id + 1)).entries) == LINES + 1
    finally:
        store.close()


@pytest.mark.parametrize("change", ["copied", "touched", "unmarked", "unreadable mark"])
def test_another_file_is_looked_at_as_a_whole(tmp_path: Path, change: str) -> None:
    folder_with_tables(tmp_path)
    path = tmp_path / FILE_NAME
    if change == "copied":
        path.write_bytes(path.read_bytes())
    elif change == "touched":
        os.utime(path)
    elif change == "unmarked":
        (tmp_path / watermarks.FILE_NAME).unlink()
    else:
        (tmp_path / watermarks.FILE_NAME).write_bytes(b'{"name": 1')
    assert not is_known(tmp_path)
    SqliteStore(tmp_path).close()
    assert is_known(tmp_path)


def test_a_mark_that_cannot_be_written_costs_only_time(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    store.close()
    mark = tmp_path / watermarks.FILE_NAME
    mark.unlink()
    mark.mkdir()
    store = SqliteStore(tmp_path)
    rows = fill(store)
    store.close()
    assert not is_known(tmp_path)
    store = SqliteStore(tmp_path)
    assert len(store.load(rows[0]).entries) == LINES
    store.close()


@pytest.mark.parametrize("looks_first", [False, True], ids=["in the background", "as it is read"])
def test_a_log_that_the_disk_changed_is_noticed_and_mended_while_serving(tmp_path: Path, looks_first: bool) -> None:
    store = SqliteStore(tmp_path)
    rows = fill(store)
    log(store, rows[1], line(LINES + 1, "odd-word"))
    wait_until(lambda: state(store) == "whole")
    store.close()
    SqliteStore(tmp_path).close()  # it follows the newest lines
    flip(tmp_path, b'odd-word": [')
    assert is_known(tmp_path), "by its size and times it is the same"
    store = SqliteStore(tmp_path)
    try:
        if looks_first:
            entries, lost = whole_log(store, rows[1])
            assert (len(entries), lost) == (LINES, 1)
        wait_until(lambda: store.repairs == 1)
        assert [notice.reason for notice in store.notices] == ["store-mended"]
        entries, lost = whole_log(store, rows[1])
        assert (len(entries), lost) == (LINES, 1)
        for row in (rows[0], rows[2]):
            assert whole_log(store, row) == ([line(number) for number in range(1, LINES + 1)], None)
        log(store, rows[0], line(LINES + 1))
    finally:
        store.close()
    store = SqliteStore(tmp_path)
    assert store.notices == []
    assert len(store.load(rows[0]).entries) == LINES + 1
    assert store.repairs == 0
    store.close()


@pytest.mark.parametrize("looks_first", [False, True], ids=["in the background", "as it is read"])
def test_a_text_that_is_none_any_more_is_damage_too(tmp_path: Path, looks_first: bool) -> None:
    store = SqliteStore(tmp_path)
    fill(store, 1)
    row = store.create(table_started("farkle", {}, ["Ada-with-an-odd-name"]))
    log(store, row, line(1))
    wait_until(lambda: state(store) == "whole")
    store.close()
    SqliteStore(tmp_path).close()  # it follows the newest lines
    flip(tmp_path, b"Ada-with-an-odd-name", bit=7, last=False)  # of the table's own row
    assert is_known(tmp_path)
    store = SqliteStore(tmp_path)
    try:
        if not looks_first:
            wait_until(lambda: store.repairs == 1)
        found = store.find(row.key)
        assert found is not None
        assert found.players == row.players
        assert store.repairs == 1
        assert whole_log(store, row) == ([line(1)], None)
        wait_until(lambda: state(store) == "whole")
    finally:
        store.close()


def test_damage_that_is_found_while_a_store_is_opened_is_mended_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore(tmp_path)
    store.create(table_started("farkle", {}, ["Ada-with-an-odd-name"]))
    wait_until(lambda: state(store) == "whole")
    store.close()
    SqliteStore(tmp_path).close()  # it follows the newest lines
    flip(tmp_path, b"Ada-with-an-odd-name", bit=7, last=False)
    start = threading.Thread.start

    def start_and_let_it_go_first(thread: threading.Thread) -> None:
        start(thread)
        if thread.name == "check":
            thread.join(1)

    monkeypatch.setattr(threading.Thread, "start", start_and_let_it_go_first)
    store = SqliteStore(tmp_path)
    try:
        wait_until(lambda: store.repairs == 1, within_s=20)
    finally:
        store.close()


def test_what_is_told_as_done_while_the_store_is_mended_is_there(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    rows = fill(store, 6)
    log(store, rows[0], line(LINES + 1, "odd-word"))
    wait_until(lambda: state(store) == "whole")
    store.close()
    SqliteStore(tmp_path).close()  # it follows the newest lines
    flip(tmp_path, b'odd-word": [')
    store = SqliteStore(tmp_path)
    ends = threading.Event()
    done = dict.fromkeys((row.id for row in rows[1:]), LINES)
    failed: list[BaseException] = []

    def act(row: TableRow) -> None:
        while not ends.is_set():
            try:
                log(store, row, line(done[row.id] + 1))
            except Problem as problem:
                if problem.status != 503:
                    failed.append(problem)
                    return
                continue
            done[row.id] += 1

    threads = [threading.Thread(target=act, args=(row,)) for row in rows[1:]]
    for thread in threads:
        thread.start()
    try:
        wait_until(lambda: store.repairs == 1)
        after = dict(done)
        wait_until(lambda: all(done[row.id] > after[row.id] for row in rows[1:]) or bool(failed))
    finally:
        ends.set()
        for thread in threads:
            thread.join(60)
        store.close()
    assert failed == []
    store = SqliteStore(tmp_path)
    for row in rows[1:]:
        assert whole_log(store, row) == ([line(number) for number in range(1, done[row.id] + 1)], None)
    assert whole_log(store, rows[0])[1] == 1
    store.close()


def test_a_result_that_the_disk_changed_is_never_shown(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    row = store.create(table_started("farkle", {}, ["Ada-with-an-odd-name"]))
    log(store, row, line(1), [PlayerResult(0, "Ada-with-an-odd-name", 700, 1)], "digest")
    visits.visit(store, "phone", row)
    wait_until(lambda: state(store) == "whole")
    store.close()
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'results'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    data = (tmp_path / FILE_NAME).read_bytes()
    at = data.index(b"Ada-with-an-odd-name", (page - 1) * size, page * size)
    connection.close()
    SqliteStore(tmp_path).close()  # who looked by hand has touched it, maybe
    before = (tmp_path / FILE_NAME).stat()
    with (tmp_path / FILE_NAME).open("r+b") as file:
        file.seek(at)
        file.write(b"B")
    os.utime(tmp_path / FILE_NAME, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert is_known(tmp_path)
    store = SqliteStore(tmp_path)
    try:
        for result in results_of(store, "phone"):
            assert result.name == "Ada-with-an-odd-name"
        wait_until(lambda: store.repairs == 1)
        assert all(result.name == "Ada-with-an-odd-name" for result in results_of(store, "phone"))
    finally:
        store.close()


def test_a_store_is_closed_in_the_middle_of_being_looked_through(tmp_path: Path) -> None:
    folder_with_tables(tmp_path)
    for _ in range(5):
        begun = time.monotonic()
        SqliteStore(tmp_path).close()
        assert time.monotonic() - begun < 10
    assert is_known(tmp_path)
