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
from web.store.maintenance.store_files import reading, version_of
from web.store.store_errors import is_locked
from web.table.events import Logged, from_body

COMPLAINTS = 20  # that are kept; the others are counted
LONGEST = 200  # characters of one
OWN = ", ".join(column.name for column in schema.tables.columns)
NUMBERS = "SELECT id FROM tables UNION SELECT DISTINCT table_id FROM events ORDER BY 1"

LOGGED = Logged.__struct_config__.tag

EMPTY, WHOLE, DAMAGED = "empty", "whole", "damaged"

Progress = Callable[[int, int], None]
Moment = Callable[[], AbstractContextManager[None]]


@dataclass
class Checked:
    """The result of a check. `complaints`: the first that are wrong, in English, and `more`: how many others there are;
    `version`: of the schema, None if that cannot be read. Of a store of the present version also `ends`, the number of
    the last event of each table, `lost`: how many of them lost steps and say so, and `outdated`: those of which only
    what lists and statistics are read from is damaged."""

    complaints: list[str] = field(default_factory=list)
    more: int = 0
    version: int | None = None
    tables: int = 0
    ends: dict[int, int] = field(default_factory=dict)
    lost: int = 0
    outdated: list[int] = field(default_factory=list)

    @property
    def word(self) -> str:
        """EMPTY for no store yet, WHOLE or DAMAGED."""
        return DAMAGED if self.complaints else EMPTY if self.version is None else WHOLE

    def complain(self, *complaints: str) -> None:
        """Adds what is wrong. A damaged file may have any text in its names."""
        first = complaints[: COMPLAINTS - len(self.complaints)]
        self.more += len(complaints) - len(first)
        self.complaints += ["".join(each if each.isprintable() else " " for each in text[:LONGEST]) for text in first]

    def lines(self) -> list[str]:
        return [*self.complaints, *([f"and {self.more} more"] if self.more else [])]


def no_progress(done: int, tables: int) -> None:
    pass


def check(path: Path, ends: JournalEnds | None = None, progress: Progress = no_progress) -> Checked:
    """Checks the store in file `path`, also while others write to it. `ends`: how far its tables must go.

    Calls `progress` after each few tables, with the numbers of checked and of all. Raises `schema.SchemaError` for a
    store that this Rollcall cannot use, and sqlite3.Error or OSError if it cannot be checked now.
    """
    found = Checked()
    for done in check_in_steps(path, found, ends):
        progress(done, found.tables)
    return found


def check_in_steps(path: Path, found: Checked, ends: JournalEnds | None = None) -> Iterator[int]:
    """The same in short steps, between which the store may change. Adds what is wrong to `found`. Yields how many
    tables are checked."""
    known = {} if ends is None else dict(ends.known)  # first of all: others may append meanwhile
    if not path.is_file() or not path.stat().st_size:
        log = path.with_name(path.name + "-wal")  # which SQLite would delete beside an empty file
        if known or (log.exists() and log.stat().st_size):
            found.complain("it is empty" if path.exists() else "it is gone")
        return
    try:
        with reading(path) as store:
            found.version = version_of(store)
            if found.version is None:
                found.complain(*(["there is nothing in it"] if known else []))
                return
            (found.tables,) = store.execute("SELECT count(*) FROM tables").fetchone()
            said = [str(row[0]) for row in store.execute(f"PRAGMA integrity_check({COMPLAINTS // 2})")]
            found.complain(*(line for each in said if each != "ok" for line in each.splitlines()))
            if found.version >= schema.VERSION:
                ((name,),) = store.execute("SELECT name FROM schema_version").fetchall()
                if ends is not None and ends.name not in ("", name):
                    known = {}  # those of another store say nothing
                for table in schema.metadata.sorted_tables:
                    there = store.execute(f"SELECT * FROM {table.name} LIMIT 0").description
                    if missing := {*table.columns.keys()}.difference(column[0] for column in there):
                        raise LookupError(f"{table.name} has no {missing}")
                yield from check_tables(Journal(store), known, found, functools.partial(_one_moment, store))
    except sqlite3.Error as error:
        if is_locked(error) or any(words in str(error) for words in ("is full", "unable to open")):
            raise
        found.complain(str(error) or "it cannot be read")


@contextlib.contextmanager
def _one_moment(store: sqlite3.Connection) -> Iterator[None]:
    store.execute("BEGIN")
    yield
    store.execute("COMMIT")


def check_tables(journal: Journal, known: Mapping[int, int], found: Checked, moment: Moment) -> Iterator[int]:
    """Checks all tables, and adds to what was found. Yields how many are checked. `moment`: makes a context in which
    the store stays as it is."""
    # All at once, and each once: asked for one after another, a damaged index may give the same for ever.
    numbers = dict.fromkeys(row[0] for row in journal.do(NUMBERS).fetchall())
    found.tables = len(numbers)
    for done, number in enumerate(numbers, 1):
        with moment():
            complaint = _complaint(journal, number, known.get(number, 0), found)
        if complaint:
            found.complain(f"table {number}: {complaint}")
        yield done
    erased = {row[0] for row in journal.do("SELECT table_id FROM erased")}
    gone = known.keys() - found.ends.keys() - erased
    found.complain(*(f"table {number}: it is gone" for number in sorted(gone)))


def _complaint(journal: Journal, number: int, known: int, found: Checked) -> str:
    """What is wrong with a table, "" if nothing is."""
    happened, lost = journal.events(number)
    row = journal.do(f"SELECT {OWN} FROM tables WHERE id = ?", number).fetchone()
    if row is None and not happened and not lost:
        return ""  # it was erased meanwhile
    found.ends[number] = count = len(happened)
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
    found.outdated += [number] if wrong else []
    return f"what {wrong} says of it is damaged" if wrong else ""
