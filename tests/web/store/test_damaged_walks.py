"""Whatever reads through a damaged store comes to an end, keeps little of what is wrong, and tells it in one line."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

import rollcall
from tests.reliability.damaging import zero_rows_of_tables
from tests.web.postgres import both_engines
from tests.web.stored import line, log, table_started
from web.problems.problem import Problem
from web.statistics import player_games
from web.store import visits
from web.store.maintenance import checking, health
from web.store.sqlite import FILE_NAME, SqliteStore
from web.store.sqlite_file import SqliteFile
from web.store.store import Store
from web.store.store_errors import require_beyond
from web.table.stored_table import PlayerResult

TABLES = 8
PHONE = "a-phone-that-was-at-all-tables"


def fill(folder: Path, tables: int = TABLES) -> SqliteStore:
    """A store with finished games at which a phone was."""
    store = SqliteStore(folder)
    for number in range(tables):
        row = store.create(table_started("farkle", {}, ["Ada"]))
        log(store, row, line(1), [PlayerResult(0, "Ada", number, 1)], f"digest-{number}")
        visits.visit(store, PHONE, row)
    return store


def change(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / FILE_NAME)) as store, store:
        for statement in statements:
            store.execute(statement)


@pytest.mark.parametrize("seed", range(8))
def test_a_number_that_an_index_gives_again_is_checked_once(tmp_path: Path, seed: int) -> None:
    fill(tmp_path).close()
    zero_rows_of_tables(tmp_path, random.Random(seed), tmp_path)
    calls: list[int] = []

    def progress(done: int, tables: int) -> None:
        calls.append(done)
        assert len(calls) <= TABLES + 1, "the check does not come to its end"

    assert checking.check(tmp_path / FILE_NAME, progress=progress).word == checking.DAMAGED
    with closing(SqliteStore(tmp_path)) as store:
        assert [notice.reason for notice in store.notices] == ["store-mended"]
    assert checking.check(tmp_path / FILE_NAME).word == checking.WHOLE


def test_of_many_complaints_the_first_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(tmp_path, 30).close()
    change(tmp_path, "UPDATE events SET at = '2026'", "CREATE INDEX [ix\x1b[31m] ON tables (game)")
    found = checking.check(tmp_path / FILE_NAME)
    assert (len(found.complaints), found.lines()[-1]) == (20, "and 10 more")
    assert rollcall.main(["check", "--data", str(tmp_path)]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 22
    found.complain("row 1 missing from index ix\x1b[31m", "x" * 999)
    assert found.lines()[-1] == "and 12 more"
    found = checking.Checked()
    found.complain("row 1 missing from index ix\x1b[31m", "x" * 999)
    assert found.lines() == ["row 1 missing from index ix [31m", "x" * 200]


def test_no_page_begins_where_the_last_one_began(tmp_path: Path) -> None:
    """By an index out of order: pages that follow one another would come again for ever."""
    fill(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as store:
        root = dict(store.execute("SELECT name, rootpage FROM sqlite_master"))
        store.execute("PRAGMA writable_schema=ON")
        for name, other in (("ix_tables_active", "ix_tables_code"), ("ix_tables_code", "ix_tables_active")):
            store.execute("UPDATE sqlite_master SET rootpage = ? WHERE name = ?", (root[other], name))
    opened = SqliteFile(tmp_path / FILE_NAME)
    with closing(opened), opened.read() as connection, pytest.raises(Problem) as told:
        player_games.games_ended_after(connection, None, 3, 2)
    assert told.value.reason == "store-damaged"


def test_keys_of_a_page_lie_beyond_the_last_one() -> None:
    require_beyond(3, [4, 5])
    require_beyond("Ada", ["Bob"])
    for last, keys in ((3, [4, 3]), (3, ["4"]), ("Ada", ["Ada"]), (-3, [-2, None])):
        with pytest.raises(Problem) as told:
            require_beyond(last, keys)
        assert told.value.reason == "store-damaged"


@both_engines
def test_a_key_that_leads_to_another_table_shows_nothing(open_store: Callable[[], Store]) -> None:
    store = open_store()
    rows = [store.create(table_started("farkle", {}, [name])) for name in ("Ada", "Bob")]
    with store.write() as connection:
        for key, number in (("between", rows[0].id), (rows[0].key, rows[1].id), (rows[1].key, rows[0].id)):
            connection.execute(text(f"UPDATE tables SET key = '{key}' WHERE id = {number}"))
    found = store.find(rows[0].key)
    assert found is not None
    with pytest.raises(Problem) as told:
        store.open(found)
    assert told.value.reason == "store-damaged"


@pytest.mark.parametrize(
    "values", ["players = 'x'", "players = '[3]'", "options = '[]'", "active_at = 'soon'", "created_at = ''"]
)
def test_a_damaged_row_is_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], values: str) -> None:
    fill(tmp_path).close()
    change(tmp_path, f"UPDATE tables SET {values} WHERE id = 3")
    assert rollcall.main(["tables", "--data", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == (
        "",
        "the games cannot be used: the game file is damaged or not Rollcall's; put a backup in its place\n",
    )
    with closing(SqliteFile(tmp_path / FILE_NAME)) as opened, pytest.raises(Problem) as told:
        visits.tables_of(opened, PHONE)
    assert told.value.reason == "store-damaged"


def test_what_a_damaged_file_said_of_its_ends_does_not_count_once_it_is_mended(tmp_path: Path) -> None:
    """A page of another store may have had more events of a table than there ever were."""
    with closing(fill(tmp_path)) as store:
        known = dict(store._ends.known)
    change(tmp_path, "UPDATE tables SET players = '[]' WHERE id = 2", "DELETE FROM tables WHERE id = 3")
    more = "INSERT INTO events SELECT table_id, 9, kind, body, at, by, request, chain FROM events WHERE number = 1"
    change(tmp_path, more)
    with closing(SqliteStore(tmp_path)) as store:
        assert store.notices
        with store.read() as connection:
            numbers = connection.execute(text("SELECT table_id, max(number) FROM events GROUP BY table_id"))
            assert store._ends.known == dict(map(tuple, numbers))
    assert known.keys() == store._ends.known.keys()


def test_a_row_that_says_of_no_table_that_it_was_erased_erases_none(tmp_path: Path) -> None:
    fill(tmp_path).close()
    change(tmp_path, "INSERT INTO erased (table_id, mark) VALUES (1, 0), (2, '')", "UPDATE tables SET code = 'x'")
    with closing(SqliteStore(tmp_path)) as store:
        assert [notice.params["whole"] for notice in store.notices] == [TABLES]


@both_engines
def test_a_table_whose_journal_is_gone_does_not_keep_others_from_being_written_anew(
    open_store: Callable[[], Store],
) -> None:
    store = open_store()
    rows = [store.create(table_started("farkle", {}, [name])) for name in ("Ada", "Bob")]
    with store.write() as connection:
        connection.execute(text(f"DELETE FROM events WHERE table_id = {rows[0].id}"))
    found = health.check_store(store, health.REBUILD)
    assert (found.word, found.repaired) == ("damaged", "written anew from the journals: 2 tables")
