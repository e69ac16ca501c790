"""Makes a new store of what is whole in a damaged one, and in its newest copy.

The journals are the truth: of each table counts the longer of the two, as far as its chain of hashes goes. All that is
derived is written anew. The damaged files are not changed: they get another name.
"""

import contextlib
import logging
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, create_engine, insert, update
from sqlalchemy.exc import SQLAlchemyError

from web.journal.codec import NewEvent
from web.journal.folding import UnreadableError, after_loss, understood
from web.journal.journal import NO_EVENT, OF_EVENT, Events, StoredEvent, whole_part
from web.problems import Problem
from web.session import events
from web.session.happenings import last_number
from web.store import journalling, schema, writing
from web.store.disk import replace_file
from web.store.maintenance import checking
from web.store.maintenance.ends import JournalEnds
from web.store.migrations import upgrade
from web.store.writing import NEXT_OF_FILE

logger = logging.getLogger(__name__)

ASIDE = "rollcall-damaged-{}"  # with .db and .db-wal: the damaged files, and when they were replaced
BESIDE = ("-wal", "-shm")
# What is no journal's: it is taken as far as it can be read.
BESIDE_JOURNALS = (schema.visits, schema.phone_games, schema.erased)

Row = dict[str, Any]


class NothingLeftError(sqlite3.DatabaseError):
    """The file has no games of Rollcall, or none that can be read, and no copy has."""

    def __init__(self) -> None:
        super().__init__("malformed: no games of Rollcall are in it")


@dataclass(frozen=True)
class Recovered:
    """How many tables are whole, lost their newest events, and are gone. `aside`: how the damaged files are named now,
    without the end."""

    whole: int
    damaged: int
    gone: int
    aside: str


def replace_damaged(path: Path, ends: JournalEnds, copies: Sequence[Path]) -> Recovered:
    """Replaces the damaged or missing store in file `path`. `ends`: how far its tables went; `copies`: of it, from the
    newest on.

    Raises `NothingLeftError`, sqlite3.Error and OSError; then nothing was changed.
    """
    with contextlib.ExitStack() as opened:
        sources = [_Source(path, opened)]
        for copy in copies:
            if checking.check(copy, ends_of_nothing(copy)).word == checking.WHOLE:
                sources.append(_Source(copy, opened))
                break
        with replace_file(path) as part:
            counts = _make(part, sources, ends)
            aside = _put_aside(path)
            opened.close()
            for suffix in BESIDE:
                path.with_name(path.name + suffix).unlink(missing_ok=True)
    return Recovered(*counts, aside)


def ends_of_nothing(path: Path) -> JournalEnds:
    """No ends: a copy is checked by itself."""
    return JournalEnds(path / "none")


class _Source:
    """A store of which anything may be damaged: what cannot be read is left out."""

    def __init__(self, path: Path, opened: contextlib.ExitStack) -> None:
        self._store: sqlite3.Connection | None = None
        if path.is_file() and path.stat().st_size:  # SQLite deletes the write-ahead log of an empty file
            with contextlib.suppress(sqlite3.Error, ValueError):
                self._store = opened.enter_context(checking.reading(path))
                self._store.execute("PRAGMA writable_schema=ON")  # a damaged index keeps nothing from being read
                self._store.text_factory = lambda text: text.decode(errors="replace")
        self.erased = {row[0] for row in self.rows("SELECT table_id FROM erased")}
        self.order = dict(self.rows("SELECT id, active_no FROM tables NOT INDEXED"))
        self.numbers = {
            *self.order,
            *(row[0] for row in self.rows("SELECT id FROM tables ORDER BY active_no")),
            *(row[0] for row in self.rows("SELECT DISTINCT table_id FROM events")),
        }

    def rows(self, query: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """The rows up to the first that cannot be read."""
        if self._store is None:
            return
        with contextlib.suppress(sqlite3.Error, ValueError, OverflowError, MemoryError):
            yield from self._store.execute(query, values)

    def journal(self, number: int) -> Events:
        """The whole part of a table's journal, and how many events after it were found."""
        query = f"SELECT {OF_EVENT} FROM events WHERE table_id = ? ORDER BY number"
        rows = list(self.rows(query, number))
        count = whole_part(rows)
        return Events([StoredEvent(*row) for row in rows[:count]], len(rows) - count)

    def blobs(self, number: int) -> dict[tuple[str, int], tuple[str, bytes]]:
        query = "SELECT kind, seq, hash, body FROM blobs WHERE table_id = ?"
        return {
            (kind, seq): (name, body)
            for kind, seq, name, body in self.rows(query, number)
            if isinstance(body, bytes) and events.blob_hash(body) == name
        }

    def rows_of(self, table: Table) -> Iterator[Row]:
        """The rows by the names of their columns, of which some may be gone."""
        named = self.rows("SELECT name FROM pragma_table_info(?)", table.name)
        names = [name for (name,) in named if name in table.columns]
        for row in self.rows(f"SELECT {', '.join(names)} FROM {table.name} NOT INDEXED"):
            yield dict(zip(names, row, strict=True))


def _make(part: Path, sources: list[_Source], ends: JournalEnds) -> tuple[int, int, int]:
    """Writes a new store to an empty file. Returns how many tables are whole, damaged and gone."""
    erased = {number for source in sources for number in source.erased}
    numbers = {number for source in sources for number in source.numbers} | ends.known.keys()
    numbers = {number for number in numbers - erased if isinstance(number, int) and 0 < number < 1 << 31}
    order = {number: place for source in reversed(sources) for number, place in source.order.items()}
    counts = [0, 0, 0]
    engine = create_engine(f"sqlite:///{part}")
    try:
        with engine.begin() as connection:
            upgrade.prepare(connection)
            for number in sorted(numbers, key=lambda each: (str(order.get(each, "~")).rjust(12), each)):
                counts[_write_table(connection, number, sources, ends)] += 1
            if not counts[0] + counts[1] and not numbers and not erased:
                raise NothingLeftError
            _write_rest(connection, sources, ends)
    finally:
        engine.dispose()
    return counts[0], counts[1], counts[2]


def _write_table(connection: Connection, number: int, sources: list[_Source], ends: JournalEnds) -> int:
    """Writes a table. Returns 0 if it is whole, 1 if it lost events, 2 if nothing of it can be read."""
    found = [source.journal(number) for source in sources]
    longest = max(range(len(sources)), key=lambda each: (len(found[each].whole), -each))
    kept = found[longest].whole
    blobs = {key: blob for source in reversed(sources) for key, blob in source.blobs(number).items()}
    held = {key: body for key, (_, body) in blobs.items()}
    happened, _ = understood(number, Events(kept), lambda kind, seq: held.get((kind, seq)))
    last = max(ends.known.get(number, 0), *(len(each.whole) + each.lost for each in found))
    lost = last - len(happened)
    try:
        noted = after_loss(happened, lost) if lost else []
        with connection.begin_nested():
            writing.restore(connection, number, [*happened, *noted], NEXT_OF_FILE)
    except (UnreadableError, Problem, SQLAlchemyError, LookupError, TypeError, ValueError) as error:
        logger.warning("table %d cannot be written anew: %s", number, error)
        return 2
    # As they were, so that their chain is the same.
    journal = journalling.journal_of(connection)
    journal.append(number, NO_EVENT, [NewEvent(*event[1:-1]) for event in kept[: len(happened)]])
    journalling.append_now(connection, number, *noted)
    rows = [
        {"table_id": number, "kind": kind, "seq": seq, "hash": name, "body": body}
        for (kind, seq), (name, body) in blobs.items()
    ]
    if rows:
        connection.execute(insert(schema.blobs), rows)
    return 1 if lost else 0


def _write_rest(connection: Connection, sources: list[_Source], ends: JournalEnds) -> None:
    """Writes what belongs to no journal. Rows that do not fit the others are left out."""
    journal = journalling.journal_of(connection)
    for table in BESIDE_JOURNALS:
        for source in sources:
            for row in source.rows_of(table):
                names = ", ".join(row)
                marks = ", ".join("?" * len(row))
                with contextlib.suppress(sqlite3.IntegrityError):
                    journal.do(f"INSERT OR IGNORE INTO {table.name} ({names}) VALUES ({marks})", *row.values())
    lines = dict(journal.do("SELECT id, lines FROM tables").fetchall())
    delivered = "UPDATE webhooks SET number = max(number, ?) WHERE table_id = ? AND id = ?"
    for source in sources[:1]:
        for row in source.rows_of(schema.webhooks):
            table_id, number = row.get("table_id"), row.get("number")
            if isinstance(number, int) and 0 <= number <= last_number(lines.get(table_id, 0)):
                journal.do(delivered, number, table_id, row.get("id"))
    # A number of a table that is gone is given again, and this is not of the new one.
    journal.do("DELETE FROM visits WHERE table_id NOT IN (SELECT id FROM tables)")
    there = [row.get("name") for source in sources[:1] for row in source.rows_of(schema.schema_version)]
    if name := ends.name or (there[0] if there else ""):
        connection.execute(update(schema.schema_version).values(name=name))


def _put_aside(path: Path) -> str:
    """Gives the damaged files second names, which needs no room on the disk."""
    base = aside = ASIDE.format(time.strftime("%Y-%m-%d-%H%M%S"))
    number = 1
    while path.with_name(f"{aside}.db").exists():
        number += 1
        aside = f"{base}-{number}"
    for suffix in ("", "-wal"):
        file, name = path.with_name(path.name + suffix), path.with_name(f"{aside}.db{suffix}")
        if file.exists():
            try:
                os.link(file, name)
            except OSError:  # a memory stick without second names
                shutil.copy2(file, name)
        elif not suffix:
            name.touch(0o600)  # it tells that there was a store
    return aside
