"""Checks a store: the file by SQLite's own check, and every table's journal by its chain of hashes."""

import contextlib
import functools
import itertools
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent import futures
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any

import sqlalchemy

from web.journal.journal import OF_EVENT, whole_part
from web.session.events import Logged, from_body
from web.store import projections, schema
from web.store.maintenance import read_only
from web.store.maintenance.ends import JournalEnds
from web.store.migrations import upgrade
from web.store.sqlite_errors import is_locked

WAITS_S = 5.0  # for another program that has the store locked
COMPLAINTS = 20  # of SQLite about a file, at most
TABLES = 20  # that are checked in one step

LOGGED = Logged.__struct_config__.tag

EMPTY, WHOLE, DAMAGED = "empty", "whole", "damaged"

Progress = Callable[[int, int], None]


@dataclass
class Checked:
    """The result of a check. `word`: EMPTY for no store yet, WHOLE or DAMAGED; `complaints`: what is wrong, in English.

    `version`: of the schema, None if that cannot be read; `name`: of the store; `ends`: the number of the last event of
    each table. The last two only of a whole store of the present version.
    """

    word: str
    complaints: list[str] = field(default_factory=list)
    version: int | None = None
    name: str = ""
    ends: dict[int, int] = field(default_factory=dict)


def no_progress(done: int, tables: int) -> None:
    pass


def check(path: Path, ends: JournalEnds, told: Progress = no_progress) -> Checked:
    """Checks the store in file `path`, also while others write to it. `ends`: how far its tables must go.

    Calls `told` after each few tables, with the numbers of checked and of all. Raises `schema.SchemaError` for a store
    of a newer Rollcall, and sqlite3.Error or OSError if it cannot be checked now.
    """
    if not path.is_file() or not path.stat().st_size:
        log = path.with_name(path.name + "-wal")  # which SQLite would delete beside an empty file
        if ends.known or (log.exists() and log.stat().st_size):
            return Checked(DAMAGED, ["it is empty" if path.exists() else "it is gone"])
        return Checked(EMPTY)
    found = Checked(WHOLE)
    try:
        with reading(path) as store:
            found.version = _version(store)
            if found.version is None:
                return Checked(DAMAGED, ["there is nothing in it"]) if ends.known else Checked(EMPTY)
            # SQLite's own check runs beside ours: it needs no Python.
            with futures.ThreadPoolExecutor(1) as beside:
                integrity = beside.submit(_integrity, path)
                if found.version == schema.VERSION:
                    found.complaints += _complaints(store, ends, found, told)
                found.complaints[:0] = integrity.result()
    except sqlite3.Error as error:
        if is_locked(error) or read_only.cannot_open(error) or "is full" in str(error):
            raise
        found.complaints.insert(0, str(error) or "it cannot be read")
    if found.complaints:
        found.word = DAMAGED
    return found


@contextlib.contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that changes neither the file nor its write-ahead log. Raises sqlite3.Error if it cannot be read."""
    with read_only.open_read_only(path, WAITS_S) as store:
        store.isolation_level = None
        try:
            yield store
        except (ValueError, LookupError, TypeError, OverflowError, MemoryError) as error:
            # Python's errors about names, values and messages with flipped bits.
            raise sqlite3.DatabaseError(f"malformed: {error}") from error


def _integrity(path: Path) -> list[str]:
    with reading(path) as store:
        said = [str(row[0]) for row in store.execute(f"PRAGMA integrity_check({COMPLAINTS})")]
    return [] if said == ["ok"] else said


def _complaints(store: sqlite3.Connection, ends: JournalEnds, found: Checked, told: Progress) -> list[str]:
    if not _is_laid_out(store):
        return ["how its rows are laid out is damaged"]
    (found.name,) = [row[0] for row in store.execute("SELECT name FROM schema_version")]
    known = ends.known if ends.name in ("", found.name) else {}  # those of another store say nothing
    complaints: list[str] = []
    (count,) = store.execute("SELECT count(*) FROM tables").fetchone()
    last: int | None = 0
    while last is not None:
        with _one_moment(store):
            last = _check_tables(store, last, known, found.ends, complaints)
        told(len(found.ends), max(count, len(found.ends)))
    for number in [each for each in list(known) if each not in found.ends]:  # others may note more meanwhile
        if not _is_erased(store, number) and number in known:
            complaints.append(f"table {number}: it is gone")
    return complaints


def _check_tables(
    store: sqlite3.Connection, after: int, known: Mapping[int, int], ends: dict[int, int], complaints: list[str]
) -> int | None:
    """Checks the next tables after this id, and adds to `ends` and `complaints`. Returns the last one's id."""
    some = "SELECT id FROM tables WHERE id > ? ORDER BY id LIMIT ?"
    numbers = [row[0] for row in store.execute(some, (after, TABLES))]
    last = numbers[-1] if len(numbers) == TABLES else None
    upto = "" if last is None else f" AND table_id <= {last}"
    listed = _Listed(store, after, upto)
    query = f"SELECT table_id, {OF_EVENT} FROM events WHERE table_id > ?{upto} ORDER BY table_id, number"
    for number, rows in itertools.groupby(store.execute(query, (after,)), key=itemgetter(0)):
        happened = [row[1:] for row in rows]
        count = whole_part(happened)
        ends[number] = count
        if count < len(happened):
            complaints.append(f"table {number}: its journal is damaged after event {count}")
        elif number in numbers and (wrong := listed.difference(number, happened)):
            complaints.append(f"table {number}: what {wrong} says of it is damaged")
        if number not in numbers:
            complaints.append(f"table {number}: its own row is gone")
    for number in numbers:
        wanted = known.get(number, 0)
        if number not in ends:
            complaints.append(f"table {number}: its journal is gone")
            ends[number] = 0
        elif ends[number] < wanted and _is_short(store, number, ends[number]):
            complaints.append(f"table {number}: the last {wanted - ends[number]} of its events are gone")
    return last


class _Listed:
    """What a store shows lists of its tables with ids after `after`."""

    def __init__(self, store: sqlite3.Connection, after: int, upto: str) -> None:
        names = [column.name for column in schema.tables.columns]
        rows = store.execute(
            f"SELECT {', '.join(names)} FROM tables WHERE id > ?{upto.replace('table_id', 'id')}", (after,)
        )
        self._own = {row[0]: dict(zip(names, row, strict=True)) for row in rows}
        self._more: dict[str, dict[int, list[Any]]] = {}
        for name, columns in projections.COLUMNS.items():
            found = self._more[name] = defaultdict(list)
            for number, *row in store.execute(
                f"SELECT table_id, {columns} FROM {name} WHERE table_id > ?{upto}", (after,)
            ):
                found[number].append(row)

    def difference(self, number: int, happened: Sequence[Any]) -> str:
        """What differs from these events, as `projections.differences` says."""
        lines = [place for place, event in enumerate(happened) if event[1] == LOGGED]
        skipped = set(lines[:-1])  # the last lines tell as much
        try:
            needed = [from_body(event[2].encode()) for place, event in enumerate(happened) if place not in skipped]
        except ValueError:  # another Rollcall's event, which is told when somebody looks at the table
            return ""
        return projections.differences(
            needed, {name: rows[number] for name, rows in self._more.items()}, self._own[number]
        )


def _is_short(store: sqlite3.Connection, number: int, count: int) -> bool:
    """Whether a table has still no more events than it had: others may append meanwhile."""
    store.execute("COMMIT")
    store.execute("BEGIN")
    (last,) = store.execute("SELECT max(number) FROM events WHERE table_id = ?", (number,)).fetchone()
    return bool(last == count)


def _is_erased(store: sqlite3.Connection, number: int) -> bool:
    return store.execute("SELECT 1 FROM erased WHERE table_id = ?", (number,)).fetchone() is not None


@contextlib.contextmanager
def _one_moment(store: sqlite3.Connection) -> Iterator[None]:
    store.execute("BEGIN")
    try:
        yield
    finally:
        store.execute("ROLLBACK")


def _is_laid_out(store: sqlite3.Connection) -> bool:
    """Whether a store of our revision has all columns and indexes of a new one; others may have added some."""
    if store.execute("SELECT revision FROM schema_version").fetchone() != (upgrade.REVISION,):
        return True
    there = _layout(store)
    return all(
        each in more
        for name, made in _new_layout().items()
        for fewer, more in zip(made, there.get(name, ([], [])), strict=True)
        for each in fewer
    )


def _layout(store: sqlite3.Connection) -> dict[str, tuple[list[Any], list[Any]]]:
    """The columns and the indexes of each table."""
    tables = [row[0] for row in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    indexes = "SELECT name, [unique], origin, partial FROM pragma_index_list(?)"
    return {
        name: (
            [row[1:] for row in store.execute("SELECT * FROM pragma_table_info(?)", (name,))],
            [
                (more, [str(row[2]) for row in store.execute("SELECT * FROM pragma_index_info(?)", (index,))])
                for index, *more in store.execute(indexes, (name,)).fetchall()
            ],
        )
        for name in tables
        if not name.startswith("sqlite_")
    }


@functools.cache  # bounded: no argument
def _new_layout() -> dict[str, tuple[list[Any], list[Any]]]:
    engine = sqlalchemy.create_engine("sqlite://")
    try:
        with engine.begin() as connection:
            upgrade.prepare(connection)
            store = connection.connection.driver_connection
            assert isinstance(store, sqlite3.Connection)
            return _layout(store)
    finally:
        engine.dispose()


def _version(store: sqlite3.Connection) -> int | None:
    """The version of the schema, of which the file's header has a second copy; None for an empty file."""
    (signed,) = store.execute("PRAGMA user_version").fetchone()
    if not store.execute("SELECT 1 FROM sqlite_master").fetchone() and not signed:
        return None
    row = store.execute("SELECT version FROM schema_version").fetchone()
    version = row[0] if row is not None else None
    if not isinstance(version, int):
        raise sqlite3.DatabaseError("malformed: it has no version")
    if 0 < version <= schema.VERSION and signed == (version if version >= schema.SEALED else 0):
        return version
    if version > schema.VERSION and not (signed == schema.VERSION and (version ^ signed).bit_count() == 1):
        raise schema.newer(version)
    raise sqlite3.DatabaseError("malformed: its two versions differ")
