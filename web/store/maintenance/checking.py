"""Checks a store: the file by SQLite's own check, and every table's journal by its chain of hashes."""

import contextlib
import functools
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from web.journal.journal import Journal
from web.store import projections, schema
from web.store.maintenance.ends import JournalEnds
from web.store.maintenance.store_files import reading
from web.store.store_errors import is_locked
from web.table.events import Logged, from_body

COMPLAINTS = 20  # of SQLite about a file, at most
OWN = ", ".join(column.name for column in schema.tables.columns)
NEXT = """SELECT min(id) FROM
(SELECT min(id) AS id FROM tables WHERE id > ? UNION ALL SELECT min(table_id) FROM events WHERE table_id > ?) AS more"""

LOGGED = Logged.__struct_config__.tag

EMPTY, WHOLE, DAMAGED = "empty", "whole", "damaged"

Progress = Callable[[int, int], None]
Moment = Callable[[], AbstractContextManager[None]]


@dataclass
class Checked:
    """The result of a check. `complaints`: what is wrong, in English; `version`: of the schema, None if that cannot be
    read. Of a store of the present version also `ends`, the number of the last event of each table, and `lost`: how
    many of them lost steps and say so."""

    complaints: list[str] = field(default_factory=list)
    version: int | None = None
    tables: int = 0
    ends: dict[int, int] = field(default_factory=dict)
    lost: int = 0

    @property
    def word(self) -> str:
        """EMPTY for no store yet, WHOLE or DAMAGED."""
        return DAMAGED if self.complaints else EMPTY if self.version is None else WHOLE


def no_progress(done: int, tables: int) -> None:
    pass


def check(path: Path, ends: JournalEnds | None = None, progress: Progress = no_progress) -> Checked:
    """Checks the store in file `path`, also while others write to it. `ends`: how far its tables must go.

    Calls `told` after each few tables, with the numbers of checked and of all. Raises `schema.SchemaError` for a store
    of a newer Rollcall, and sqlite3.Error or OSError if it cannot be checked now.
    """
    known = {} if ends is None else dict(ends.known)  # first of all: others may append meanwhile
    if not path.is_file() or not path.stat().st_size:
        log = path.with_name(path.name + "-wal")  # which SQLite would delete beside an empty file
        if known or (log.exists() and log.stat().st_size):
            return Checked(["it is empty" if path.exists() else "it is gone"])
        return Checked()
    found = Checked()
    try:
        with reading(path) as store:
            found.version = _version(store)
            if found.version is None:
                return Checked(["there is nothing in it"] if known else [])
            (found.tables,) = store.execute("SELECT count(*) FROM tables").fetchone()
            said = [str(row[0]) for row in store.execute(f"PRAGMA integrity_check({COMPLAINTS})")]
            found.complaints += [] if said == ["ok"] else said
            if found.version == schema.VERSION:
                ((name, revision),) = store.execute("SELECT name, revision FROM schema_version").fetchall()
                if ends is not None and ends.name not in ("", name):
                    known = {}  # those of another store say nothing
                for table in schema.metadata.sorted_tables if revision == schema.REVISION else ():
                    there = store.execute(f"SELECT * FROM {table.name} LIMIT 0").description
                    if missing := {*table.columns.keys()}.difference(column[0] for column in there):
                        raise LookupError(f"{table.name} has no {missing}")
                check_tables(Journal(store), known, found, progress, functools.partial(_one_moment, store))
    except sqlite3.Error as error:
        if is_locked(error) or any(words in str(error) for words in ("is full", "unable to open")):
            raise
        found.complaints.insert(0, str(error) or "it cannot be read")
    return found


@contextlib.contextmanager
def _one_moment(store: sqlite3.Connection) -> Iterator[None]:
    store.execute("BEGIN")
    yield
    store.execute("COMMIT")


def check_tables(
    journal: Journal, known: Mapping[int, int], found: Checked, progress: Progress, moment: Moment
) -> None:
    """Checks all tables, and adds to what was found. `moment`: makes a context in which the store stays as it is."""
    after: int | None = 0
    while after is not None:
        with moment():
            (after,) = journal.do(NEXT, after, after).fetchone()
            complaint = "" if after is None else _complaint(journal, after, known.get(after, 0), found)
        if complaint:
            found.complaints.append(f"table {after}: {complaint}")
        found.tables = max(found.tables, len(found.ends))
        progress(len(found.ends), found.tables)
    erased = {row[0] for row in journal.do("SELECT table_id FROM erased")}
    gone = known.keys() - found.ends.keys() - erased
    found.complaints += [f"table {number}: it is gone" for number in sorted(gone)]


def _complaint(journal: Journal, number: int, known: int, found: Checked) -> str:
    """What is wrong with a table, "" if nothing is."""
    happened, lost = journal.events(number)
    found.ends[number] = count = len(happened)
    row = journal.do(f"SELECT {OWN} FROM tables WHERE id = ?", number).fetchone()
    if row is None:
        return "its own row is gone"
    own = dict(zip(OWN.split(", "), row, strict=True))
    found.lost += own["lost"] is not None
    if lost:
        return f"its journal is damaged after event {count}"
    if not happened:
        return "its journal is gone"
    if known > count:
        return f"the last {known - count} of its events are gone"
    listed = {
        name: journal.do(f"SELECT {columns} FROM {name} WHERE table_id = ?", number).fetchall()
        for name, columns in projections.COLUMNS.items()
    }
    lines = [event for event in happened if event.kind == LOGGED]
    try:  # the last lines tell as much as all
        needed = [from_body(each.body.encode()) for each in happened if each.kind != LOGGED or each is lines[-1]]
    except ValueError:  # another Rollcall's event, which is told when somebody looks at the table
        return ""
    wrong = projections.differences(needed, listed, own)
    return f"what {wrong} says of it is damaged" if wrong else ""


def _version(store: sqlite3.Connection) -> int | None:
    """The version of the schema, of which the file's header has a second copy; None for an empty file."""
    (signed,) = store.execute("PRAGMA user_version").fetchone()
    if not store.execute("SELECT 1 FROM sqlite_master").fetchone() and not signed:
        return None
    (version,) = store.execute("SELECT version FROM schema_version").fetchone()
    if 0 < version <= schema.VERSION and signed == (version if version >= schema.SEALED else 0):
        return int(version)
    if version > schema.VERSION and not (signed == schema.VERSION and (version ^ signed).bit_count() == 1):
        raise schema.newer(version)
    raise ValueError("its two versions differ")
