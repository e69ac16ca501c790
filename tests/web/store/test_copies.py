"""Copies of the store, what a damaged one becomes by them, and how far each table went."""

import contextlib
import datetime
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.web.stored import add_sample, append, table_started, throw_and_undo
from tests.web.waiting import wait_until
from web.hosts.threads import ThreadTask
from web.problems.problem import Problem
from web.store import sqlite
from web.store.maintenance import caretaker, checking, copies
from web.store.maintenance.copies import Copies
from web.store.maintenance.ends import JournalEnds
from web.store.sqlite import FILE_NAME, SqliteStore
from web.table.events import DiceForgotten

WITHIN_S = 30


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with two tables of three lines; the copy of the day has two of them."""
    store = SqliteStore(tmp_path / "data")
    rows = [store.create(table_started("farkle", {}, [player])) for player in ("Ada", "Bob")]
    for row in rows:
        throw_and_undo(store, row, 1, 2)
    store._copies.make(store._ends.name)
    for row in rows:
        throw_and_undo(store, row, 3)
    store.close()
    return tmp_path / "data"


@contextlib.contextmanager
def opened(data: Path, elsewhere: Path | None = None):  # type: ignore[no-untyped-def]
    with contextlib.closing(SqliteStore(data, elsewhere, ThreadTask)) as store:
        yield store


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("rollcall-*"))


def keys(data: Path) -> list[str]:
    with contextlib.closing(sqlite3.connect(data / FILE_NAME)) as store:
        return [row[0] for row in store.execute("SELECT key FROM tables ORDER BY id")]


def change(path: Path, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as store, store:
        store.execute(statement)


def state_of(store: SqliteStore, key: str) -> tuple[int, int | None]:
    """How many lines of a table's log are there, and how many events are lost."""
    row = store.find(key)
    assert row is not None
    state, _ = store.open(row)
    return state.version, state.lost


def test_a_day_has_one_copy_here_and_elsewhere_and_a_week_has_seven(data: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "disk" / "games"
    made = Copies(data / FILE_NAME, elsewhere)
    name = JournalEnds(data).name
    (today,) = names(data / "copies")
    assert today == f"rollcall-{name[:8]}-{datetime.date.today()}.db"
    before = (data / "copies" / today).read_bytes()
    for folder in (data / "copies", elsewhere):
        folder.mkdir(parents=True, exist_ok=True)
        for days in range(1, 10):
            day = datetime.date.today() - datetime.timedelta(days=days)
            (folder / f"rollcall-{name[:8]}-{day}.db").write_bytes(b"a copy")
        (folder / "rollcall-mine.db").write_bytes(b"somebody's own")
    (data / "rollcall-damaged-2020-01-01-101112.db").touch()
    made.make(name)
    made.drop_old()
    for folder in (data / "copies", elsewhere):
        assert (folder / today).read_bytes() == before, "once a day"
        assert len(names(folder)) == 7 + 1
        assert (folder / "rollcall-mine.db").exists()
        assert (folder / today).stat().st_mode & 0o77 == 0
    assert not names(data)
    assert made.find(name)[0].name == today


def test_of_an_erased_table_no_copy_is_left_after_a_week(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caretaker, "FIRST_AFTER_S", 0.0)
    monkeypatch.setattr(caretaker, "LOOKS_EVERY_S", 0.01)
    (copy,) = (data / "copies").iterdir()
    with opened(data) as store:
        for key in keys(data):
            row = store.find(key)
            assert row is not None
            store.erase(row)
    with contextlib.closing(sqlite3.connect(data / FILE_NAME)) as erased:
        for table in ("tables", "events", "blobs"):
            assert erased.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
    week = datetime.date.today() - datetime.timedelta(days=7)
    old = copy.rename(copy.with_name(copy.name.replace(str(datetime.date.today()), str(week))))
    with opened(data):
        wait_until(lambda: not old.exists())


def test_a_copy_takes_the_place_of_the_store_by_hand(data: Path) -> None:
    (copy,) = (data / "copies").iterdir()
    (data / FILE_NAME).unlink()
    copy.rename(data / FILE_NAME)
    with opened(data) as store:
        assert store.notices == []
        assert [state_of(store, key) for key in keys(data)] == [(2, None)] * 2


def test_a_disk_that_is_away_or_full_keeps_nobody_from_playing(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    Copies(data / FILE_NAME, tmp_path / "file" / "games").make(JournalEnds(data).name)
    monkeypatch.setattr(copies, "ROOM", 1 << 60)
    for path in (data / "copies").iterdir():
        path.unlink()
    with pytest.raises(Problem) as told:
        Copies(data / FILE_NAME).make(JournalEnds(data).name)
    assert told.value.reason == "store-full"
    assert not names(data / "copies")


def test_the_caretaker_copies_a_whole_store_and_no_damaged_one(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caretaker, "FIRST_AFTER_S", 0.0)
    monkeypatch.setattr(caretaker, "LOOKS_EVERY_S", 0.01)
    (copy,) = (data / "copies").iterdir()
    copy.unlink()
    with opened(data) as store:
        wait_until(copy.exists)
        assert store.check_progress()["state"] == "whole"
    monkeypatch.setattr(sqlite.SqliteStore, "checked_at_once", 0)
    monkeypatch.setattr(caretaker, "AGAIN_S", 0.01)
    copy.unlink()
    change(data / FILE_NAME, "UPDATE events SET at = 'once' WHERE table_id = 1 AND number = 3")
    with opened(data) as store:
        wait_until(lambda: bool(store.check_progress()["state"] == "damaged"))
        assert [notice.reason for notice in store.notices] == ["store-suspect"]
        assert state_of(store, keys(data)[1]) == (3, None), "all others go on"
        assert not copy.exists()
    with opened(data) as store:
        assert [notice.reason for notice in store.notices] == ["store-mended"]
        assert [state_of(store, key) for key in keys(data)] == [(1, 2), (3, None)]


def test_lists_that_were_damaged_are_written_anew_while_the_store_is_served(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite.SqliteStore, "checked_at_once", 0)
    monkeypatch.setattr(caretaker, "LOOKS_EVERY_S", 0.01)
    change(data / FILE_NAME, "UPDATE tables SET code = 'ABCDEF', players = '[\"Eva\"]' WHERE id = 1")
    with opened(data) as store:
        wait_until(lambda: bool(store.check_progress()["state"] == "whole"))
        row = store.find(keys(data)[0])
        assert (row.players, row.code == "ABCDEF", store.notices) == (("Ada",), False, [])


def test_a_large_store_is_checked_while_it_is_served(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite.SqliteStore, "checked_at_once", 0)
    monkeypatch.setattr(caretaker, "LOOKS_EVERY_S", 0.01)
    with opened(data) as store:
        wait_until(lambda: bool(store.check_progress()["state"] == "whole"))
        told = store.check_progress()
        assert (told["tables"], told["of"]) == (2, 2)
        assert told["whole_at"]
        row = store.find(keys(data)[0])
        before = JournalEnds(data).known[row.id]
        throw_and_undo(store, row, 4)
        assert JournalEnds(data).known[row.id] == before + 1


def test_a_broken_table_goes_on_from_the_longer_one_and_says_what_it_lost(data: Path) -> None:
    first, second = keys(data)
    # The start and the end of one table in the store, and of neither in the copy.
    change(data / FILE_NAME, "UPDATE events SET at = 'once' WHERE table_id = 1 AND number IN (2, 4)")
    with opened(data) as store:
        (told,) = store.notices
        assert (told.reason, told.params["whole"], told.params["damaged"]) == ("store-mended", 1, 1)
        assert state_of(store, first) == (2, 1), "the copy has two lines"
        assert state_of(store, second) == (3, None)
    with opened(data) as store:
        assert store.notices == []
        assert state_of(store, first) == (2, 1)


def test_what_the_store_has_goes_on_from_what_its_copy_has(data: Path) -> None:
    change(data / FILE_NAME, "UPDATE events SET at = 'once' WHERE table_id = 1 AND number = 2")
    with opened(data) as store:
        (told,) = store.notices
        assert (told.reason, told.params["whole"], told.params["damaged"]) == ("store-mended", 2, 0)
        assert [state_of(store, key) for key in keys(data)] == [(3, None)] * 2


def test_a_game_that_a_phone_no_longer_keeps_does_not_come_back_from_a_copy(data: Path) -> None:
    kept = "INSERT INTO phone_games VALUES ('phone', '{0}', 'Ours', 'a file', '2026-01-01T00:00:00Z')"
    for path in (data / FILE_NAME, *(data / "copies").iterdir()):
        change(path, kept.format("first"))
        change(path, kept.format("second"))
    change(data / FILE_NAME, "DELETE FROM phone_games WHERE digest = 'first'")
    change(data / FILE_NAME, "UPDATE tables SET code = 'ABCDEF' WHERE id = 1")
    read = "SELECT digest FROM phone_games"
    with opened(data) as store, store.read() as connection:
        assert [notice.reason for notice in store.notices] == ["store-mended"]
        assert connection.scalars(text(read)).all() == ["second"]
    change(data / FILE_NAME, "DROP TABLE phone_games")
    with opened(data) as store, store.read() as connection:
        assert sorted(connection.scalars(text(read))) == ["first", "second"], "the copy alone has some"


def test_dice_that_were_forgotten_do_not_come_back_from_a_copy(data: Path) -> None:
    with opened(data) as store:
        first, second = map(store.find, keys(data))
        assert first is not None
        assert second is not None
        for row in (first, second):
            add_sample(store, row, 3, b"how the dice look")
        (copy,) = (data / "copies").iterdir()
        copy.unlink()
        store._copies.make(store._ends.name)
        append(store, first, DiceForgotten("phone"))
    change(data / FILE_NAME, "UPDATE tables SET code = 'ABCDEF' WHERE id = 1")
    with opened(data) as store:
        assert [notice.reason for notice in store.notices] == ["store-mended"]
        assert [len(store.samples(row.id, [3])) for row in (first, second)] == [0, 1]


def test_a_store_that_is_gone_comes_back_from_its_copy_on_another_disk(data: Path, tmp_path: Path) -> None:
    elsewhere, there = tmp_path / "disk", keys(data)
    (data / "copies").rename(elsewhere)
    (data / FILE_NAME).unlink()
    with opened(data, elsewhere) as store:
        assert store.notices[0].params["damaged"] == 2
        assert [state_of(store, key) for key in there] == [(2, 1)] * 2
        with pytest.raises(Problem) as told:
            store.find("a-link-of-before")
    assert told.value.reason == "table-lost"


def test_lines_that_a_lost_write_ahead_log_had_are_told(data: Path, tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    killed.mkdir()
    with opened(data) as store:
        row = store.find(keys(data)[0])
        throw_and_undo(store, row, 4, 5)
        for name in (FILE_NAME, "rollcall.ends"):
            (killed / name).write_bytes((data / name).read_bytes())
    with opened(killed) as store:
        assert [state_of(store, key) for key in keys(killed)] == [(3, 2), (3, None)]


def test_ends_are_read_as_they_were_written_without_damaged_lines(tmp_path: Path) -> None:
    ends = JournalEnds(tmp_path)
    ends.note(7, 1)  # before it is known what the store has
    ends.reset("name", {1: 10, 2: 20})
    for table_id, number in ((1, 11), (3, 1), (2, 0), (3, 2)):
        ends.note(table_id, number)
    ends.close()
    found = JournalEnds(tmp_path)
    assert (found.name, found.known) == ("name", {1: 11, 3: 2})
    written = found.path.read_bytes()
    for at in range(len(written)):
        damaged = bytearray(written)
        damaged[at] ^= 1
        found.path.write_bytes(damaged)
        known = JournalEnds(tmp_path).known
        assert all(number <= {1: 11, 2: 20, 3: 2}[table_id] for table_id, number in known.items())


def test_the_file_of_ends_does_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.store.maintenance.ends.LONGEST", 1000)
    ends = JournalEnds(tmp_path)
    ends.reset("name", {})
    for number in range(1, 500):
        ends.note(1, number)
    ends.close()
    assert ends.path.stat().st_size < 1100
    assert JournalEnds(tmp_path).known == {1: 499}


def test_ends_of_another_store_say_nothing(data: Path) -> None:
    ends = JournalEnds(data)
    ends.reset("another", {1: 1000, 9: 5})
    ends.close()
    assert checking.check(data / FILE_NAME, JournalEnds(data)).word == checking.WHOLE
