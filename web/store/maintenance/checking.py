"""Checks a store: the file by SQLite's own check, each important row by its checksum."""

import contextlib
import functools
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from concurrent import futures
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy

from web.store import checksums, schema
from web.store.maintenance import read_only
from web.store.maintenance.log_heads import LogHeads
from web.store.maintenance.watermarks import Mark
from web.store.migrations import upgrade
from web.store.sqlite_errors import is_locked

COMPLAINTS = 20  # of SQLite about a file, at most
WAITS_S = 5.0  # for another program that has the store locked

MOST_OTHERS = 1000  # tables whose heads differ; if there are more, the whole store is checked
ROWS = 100  # tables in one step
LINE = ", ".join((*checksums.LINE, "sum"))  # the columns for `checksums.follow`
OTHER_PLAYERS = "body LIKE '%\"player-added\"%' OR body LIKE '%\"player-removed\"%'"

Row = Mapping[str, Any]
Progress = Callable[[int, int], None]
Layout = tuple[list[Any], list[Any]]  # the columns and the indexes of a table


@dataclass
class CheckResult:
    """The result of a check. `version`: of the schema, None for an empty store.

    `complaints`: what is wrong, in English. Lines that are already marked as lost are no complaint.
    """

    version: int | None
    name: str = ""
    complaints: list[str] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        return not self.complaints


@dataclass
class Changes:
    """The changes of a store, all whole. `line`: the id of the last line of any log.

    `other_heads`: tables whose logs go further than their heads. `tables`: how many there are.
    """

    line: int
    other_heads: set[int] = field(default_factory=set)
    tables: int = 0


def no_progress(done: int, tables: int) -> None:
    pass


def look(path: Path, heads: LogHeads, told: Progress = no_progress) -> CheckResult:
    """Checks the whole store in file `path`. Calls `told` with the numbers of checked and of all tables. Raises
    `schema.SchemaError` for one of a newer Rollcall, and sqlite3.Error if it cannot be read."""
    # SQLite's own check runs beside ours: it needs no Python, and takes half of the time.
    with reading(path) as store, futures.ThreadPoolExecutor(1) as beside:
        found = CheckResult(_version(store))
        if found.version is None:
            found.complaints += ["there is nothing in it"] if heads.known else []
            return found
        integrity = beside.submit(_integrity, path)
        if found.version >= schema.SEALED:
            found.complaints += [] if _is_laid_out(store) else ["how its rows are laid out is damaged"]
            found.complaints += list(_complaints(store, found, heads, told))
        found.complaints[:0] = integrity.result()
    return found


def _integrity(path: Path) -> list[str]:
    with reading(path) as store:
        return integrity(store)


def integrity(store: sqlite3.Connection, table: str = "") -> list[str]:
    """What SQLite finds wrong with the file, or with one table and its indexes."""
    what = table or str(COMPLAINTS)
    said = [str(row[0]) for row in store.execute(f"PRAGMA integrity_check({what})")]
    return [] if said == ["ok"] else said


def look_at_changes(path: Path, heads: LogHeads, mark: Mark) -> Changes | None:
    """Checks what came after `mark`, and that each table is there and goes as far as its head. None: the whole store
    must be checked."""
    try:
        with reading(path) as store:
            if _version(store) != schema.VERSION or not _is_laid_out(store):
                return None
            names = [row[0] for row in store.execute("SELECT name FROM identity")]
            if names != [mark.name] or heads.name != mark.name:
                return None
            found = Changes(max(mark.line, last_line(store)))
            there = 0
            plain = store.cursor()
            plain.row_factory = None
            for number, lines, head in plain.execute("SELECT id, lines, head FROM tables NOT INDEXED"):
                known = heads.known.get(number)
                there += 1
                if known is None or known.lines != lines or known.head != head:
                    found.other_heads.add(number)
            new = {row[0] for row in store.execute("SELECT DISTINCT table_id FROM log WHERE id > ?", (mark.line,))}
            if len(found.other_heads) > MOST_OTHERS or sum(not head.gone for head in heads.known.values()) > there:
                return None
            found.tables = there
            for number in new | found.other_heads:
                known = heads.known.get(number)
                after = mark.line if number in new and number not in found.other_heads else 0
                if complaint_of(store, number, 0 if known is None else known.lines, after) is not None:
                    return None
            return found
    except sqlite3.Error as error:
        if is_locked(error):
            raise
        return None


def last_line(store: sqlite3.Connection) -> int:
    return int(store.execute("SELECT coalesce(max(id), 0) FROM log").fetchone()[0])


def complaint_of(store: sqlite3.Connection, number: int, lines: int, after: int = 0) -> str | None:
    """What is wrong with one table, read in one transaction; None: nothing. `lines`: how many it must have at least.
    `after`: lines with ids up to this one were checked before."""
    store.execute("BEGIN")
    try:
        row, wrong = _row_complaint(store, number)
        if row is None or wrong is not None:
            return wrong
        chain = _chain_of(store, number, checksums.setup_sum(number, row), after)
        if not chain.is_of(row):
            return f"table {number}: its log is damaged after line {chain.lines}"
        return f"table {number}: {lines - chain.lines} of its last lines are gone" if chain.lines < lines else None
    finally:
        store.execute("ROLLBACK")


def _row_complaint(store: sqlite3.Connection, number: int) -> tuple[Row | None, str | None]:
    """A table's own row, and what is wrong with it, with its setup or with its results."""
    row = store.execute("SELECT * FROM tables WHERE id = ?", (number,)).fetchone()
    if row is None:
        return None, None if number in erased_tables(store) else f"table {number}: its own row is gone"
    born = checksums.setup_sum(number, row)
    setup = store.execute("SELECT * FROM setups WHERE table_id = ?", (number,)).fetchone()
    held = checksums.setup_sum(number, setup) if setup is not None and setup["sum"] == born else None
    if row["sum"] != checksums.table_sum(row, born) or held != born:
        return row, f"table {number}: how it was set up is damaged"
    results = store.execute("SELECT * FROM results WHERE table_id = ?", (number,)).fetchall()
    whole = all(checksums.holds("results", each) for each in results) and _plausible(store, row, len(results))
    return row, None if whole else f"table {number}: its result is damaged"


def _chain_of(store: sqlite3.Connection, number: int, born: str, after: int) -> checksums.LogChain:
    query = f"SELECT {LINE} FROM log WHERE table_id = ? AND seq >= ? ORDER BY seq"
    count, head = 0, born
    if after:
        first = "SELECT min(seq) FROM log WHERE table_id = ? AND id > ?"
        (seq,) = store.execute(first, (number, after)).fetchone()
        before = "SELECT seq, sum FROM log WHERE table_id = ? AND seq = ?"
        last = store.execute(before, (number, (seq or 1) - 1)).fetchone()
        count, head = (0, born) if last is None else last
    lines = store.cursor()
    lines.row_factory = None
    return checksums.follow(head, lines.execute(query, (number, count + 1)), count)


def rows_complaint(store: sqlite3.Connection, after: int) -> tuple[int | None, str | None]:
    """Checks the rows and the results of the next tables after id `after`. Returns the last id, None if there are no
    more, and what is wrong."""
    last = None
    for (last,) in store.execute("SELECT id FROM tables WHERE id > ? ORDER BY id LIMIT ?", (after, ROWS)).fetchall():
        if (wrong := _row_complaint(store, last)[1]) is not None:
            return last, wrong
    return last, None


def erased_tables(store: sqlite3.Connection) -> set[int]:
    """The numbers of the tables that people deleted."""
    if not store.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (schema.deletions.name,)).fetchone():
        return set()  # of an older revision
    rows = store.execute("SELECT * FROM deletions WHERE at = ''").fetchall()
    return {row["table_id"] for row in rows if checksums.holds("deletions", row)}


def tables_without_rows(store: sqlite3.Connection) -> list[str]:
    """Complaints about tables that have lines, setups or results but no row of their own."""
    queries = [
        f"SELECT table_id FROM {name} WHERE table_id NOT IN (SELECT id FROM tables)"
        for name in ("log", "setups", "results")
    ]
    found = {row[0] for query in queries for row in store.execute(query)}
    return [f"table {number}: its own row is gone" for number in sorted(found)]


def _is_laid_out(store: sqlite3.Connection) -> bool:
    """Whether the tables are those of a new store. With another revision, a store may have fewer or more tables and
    columns; those that both have must be the same."""
    there, made = _describe_layout(store), _as_made()
    if _revision(store) == upgrade.REVISION:
        return there == made
    return all(_agree(there[name], made[name]) for name in there.keys() & made.keys())


def _revision(store: sqlite3.Connection) -> str | None:
    try:
        row = store.execute(f"SELECT version_num FROM {upgrade.revisions.name}").fetchone()
    except sqlite3.OperationalError:  # from before Alembic
        return None
    return row[0] if row is not None else None


def _agree(one: Layout, other: Layout) -> bool:
    """Whether one of the two contains the other."""
    pairs = list(zip(one, other, strict=True))
    return all(each in more for fewer, more in pairs for each in fewer) or all(
        each in more for more, fewer in pairs for each in fewer
    )


def _describe_layout(store: sqlite3.Connection) -> dict[str, Layout]:
    """The columns and the indexes of each table, sorted, since older stores have them in another order."""
    names = [row[0] for row in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {
        name: (
            sorted(tuple(row)[1:] for row in store.execute("SELECT * FROM pragma_table_info(?)", (name,))),
            sorted(
                (row["unique"], row["origin"], row["partial"], _columns(store, row["name"]))
                for row in store.execute("SELECT * FROM pragma_index_list(?)", (name,))
            ),
        )
        for name in names
        if not name.startswith("sqlite_")
    }


def _columns(store: sqlite3.Connection, index: str) -> list[str]:
    return [str(row["name"]) for row in store.execute("SELECT * FROM pragma_index_info(?)", (index,))]


@functools.cache  # bounded: no argument
def _as_made() -> dict[str, Layout]:
    """The same of a new store."""
    engine = sqlalchemy.create_engine("sqlite://")
    try:
        with engine.begin() as connection:
            upgrade.prepare(connection)
            store = connection.connection.driver_connection
            assert isinstance(store, sqlite3.Connection)
            store.row_factory = sqlite3.Row
            return _describe_layout(store)
    finally:
        engine.dispose()


@contextlib.contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that changes neither the file nor its write-ahead log. Raises sqlite3.Error if it cannot be read."""
    with read_only.open_read_only(path, WAITS_S) as store, readable():
        store.row_factory = sqlite3.Row
        yield store


@contextlib.contextmanager
def readable() -> Iterator[None]:
    """Raises Python's errors about names, values and messages with flipped bits as sqlite3.Error."""
    try:
        yield
    except (ValueError, LookupError, TypeError, OverflowError, MemoryError) as error:
        raise sqlite3.DatabaseError(f"malformed: {error}") from error


def _version(store: sqlite3.Connection) -> int | None:
    names = {row[0] for row in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    (signed,) = store.execute("PRAGMA user_version").fetchone()
    if "schema_version" not in names:
        if names or signed:
            raise sqlite3.DatabaseError("malformed: it has no version")
        return None
    row = store.execute("SELECT version FROM schema_version").fetchone()
    version = row[0] if row is not None else None
    if not isinstance(version, int):
        raise sqlite3.DatabaseError("malformed: it has no version")
    if signed == (version if version >= schema.SEALED else 0) and 0 < version <= schema.VERSION:
        return version
    if version > schema.VERSION and not (signed == schema.VERSION and (version ^ signed).bit_count() == 1):
        raise schema.newer(version)
    raise sqlite3.DatabaseError("malformed: its two versions differ")


def _complaints(store: sqlite3.Connection, found: CheckResult, heads: LogHeads, told: Progress) -> Iterator[str]:
    names = [row[0] for row in store.execute("SELECT name FROM identity")]
    if len(names) != 1:
        yield "it has no name"
    found.name = names[0] if len(names) == 1 else ""
    numbers = [row[0] for row in store.execute("SELECT id FROM tables NOT INDEXED")]
    known = (
        {} if heads.name and found.name not in ("", heads.name) else heads.known
    )  # heads of another store say nothing
    for done, number in enumerate(numbers, 1):
        if (wrong := complaint_of(store, number, known[number].lines if number in known else 0)) is not None:
            yield wrong
        told(done, len(numbers))
    yield from tables_without_rows(store)
    missing = known.keys() - set(numbers) - erased_tables(store)
    yield from (f"table {number}: it is gone" for number in missing if not known[number].gone)
    if _describe_layout(store).keys() >= {
        schema.player_games.name,
        schema.stale_games.name,
    }:  # not of an older revision
        yield from (f"table {row[0]}: its statistics are damaged" for row in store.execute(WRONG_STATISTICS))


def _plausible(store: sqlite3.Connection, row: Row, results: int) -> bool:
    """Whether a table has the right number of results: one for each player once its game is over. An older Rollcall
    left some out. If players joined or left, only the rules know the number, and any passes."""
    if row["finished_at"] is None or not results:
        return not results
    others = f"SELECT count(*) FROM log WHERE table_id = ? AND ({OTHER_PLAYERS})"
    return results == len(json.loads(row["players"])) or bool(store.execute(others, (row["id"],)).fetchone()[0])


# Finished games whose rows in `player_games` differ from their results, and such rows without a finished game. Rows
# that will be derived again before they are read are no damage.
WRONG_STATISTICS = """
SELECT tables.id FROM tables JOIN results ON results.table_id = tables.id
  LEFT JOIN player_games AS kept ON kept.table_id = results.table_id AND kept.player = results.player
  WHERE tables.finished_at IS NOT NULL AND tables.id NOT IN (SELECT table_id FROM stale_games)
  AND ((kept.ended_no, kept.name, kept.score, kept.place, kept.game)
    IS NOT (tables.active_no, results.name, results.score, results.place, tables.game))
UNION
SELECT kept.table_id FROM player_games AS kept
  LEFT JOIN results ON results.table_id = kept.table_id AND results.player = kept.player
  WHERE results.table_id IS NULL AND kept.table_id NOT IN (SELECT table_id FROM stale_games)
"""
