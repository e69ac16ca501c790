"""Makes a new store of what is whole in a damaged one, and in its newest copy. The damaged files get another name.

All rows that can be read come along. Of each table those events count that follow one another by their hashes; all that
lists are read from is written anew from them.
"""

import contextlib
import itertools
import logging
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, and_, delete, tuple_
from sqlalchemy.exc import SQLAlchemyError

from web.journal.journal import SAMPLE, TRACE, Events, Journal
from web.journal.loading import UnreadableError, understood
from web.problems.problem import Problem
from web.store import codes, event_rows, projections, schema
from web.store.disk import replace_file
from web.store.maintenance import checking
from web.store.maintenance.ends import JournalEnds
from web.store.maintenance.store_files import open_alone, reading
from web.store.store_errors import OF_DAMAGE
from web.table.events import blob_hash

logger = logging.getLogger(__name__)

blobs = schema.blobs

ASIDE = "rollcall-damaged-{}"  # with .db and .db-wal: the damaged files, and when they were replaced
LISTED = ("erased", "visits", "phone_games")
ORDER = "SELECT id, active_no FROM tables NOT INDEXED"
NUMBERS = ("SELECT id FROM tables ORDER BY active_no", "SELECT DISTINCT table_id FROM events")  # also from an index


def replace_damaged(path: Path, ends: JournalEnds, copies: Sequence[Path], begins_anew: bool = True) -> Problem:
    """Replaces the damaged or missing store in file `path`. `ends`: how far its tables went; `copies`: of it, from the
    newest on; `begins_anew`: whether a store of which no table can be read gives way to an empty one.

    Returns what is told of it: how many tables are whole, lost their newest events, and are gone. Raises `Problem`, for
    a file without games too, and OSError; then nothing was changed.
    """
    whole = (copy for copy in copies if checking.check(copy).word == checking.WHOLE)
    with contextlib.ExitStack() as until:
        sources = [_Source(each, until) for each in (path, *itertools.islice(whole, 1))]
        with replace_file(path) as part:
            with open_alone(part) as connection:
                lost = _make(connection, sources, ends)
            if lost and not begins_anew and set(lost.values()) == {None}:
                raise Problem("store-damaged", 503)
            aside = _put_aside(path)
            until.close()
            for suffix in ("-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
    counts = [*lost.values()]
    gone, unharmed = counts.count(None), counts.count(0)
    tallies = {"whole": unharmed, "damaged": len(counts) - unharmed - gone, "gone": gone}
    return Problem("store-mended", **tallies, file=f"{aside}.*")


class _Source:
    """A store of which anything may be damaged."""

    def __init__(self, path: Path, until: contextlib.ExitStack) -> None:
        self._store, self._faults = sqlite3.connect(":memory:"), 0
        if path.is_file() and path.stat().st_size:  # SQLite deletes the write-ahead log of an empty file
            with contextlib.suppress(sqlite3.Error, ValueError):
                self._store = until.enter_context(reading(path))
                self._store.execute("PRAGMA writable_schema=ON")  # a damaged index keeps nothing from being read
                self._store.create_function("hash_of", 1, _hash_of)
                self._store.text_factory = lambda text: text.decode(errors="replace")

    def rows(self, query: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """The rows up to the first that cannot be read."""
        try:
            yield from self._store.execute(query, values)
        except (sqlite3.Error, MemoryError, *OF_DAMAGE):
            self._faults += 1

    def copy(self, target: sqlite3.Connection, name: str, where: str = "NOT INDEXED", *values: Any) -> bool:
        """Copies the rows of a database table, but for those that do not fit the ones that are there. Returns whether
        all could be read."""
        before = self._faults
        found = self.rows("SELECT name FROM pragma_table_info(?)", name)
        names = [column for (column,) in found if column in schema.metadata.tables[name].columns]  # some may be gone
        columns, marks = ", ".join(names), ", ".join("?" * len(names))
        if names:
            rows = self.rows(f"SELECT {columns} FROM {name} {where}", *values)
            if values:  # by a damaged index, rows of other tables come too
                rows = (row for row in rows if row[names.index("table_id")] == values[0])
            target.executemany(f"INSERT OR IGNORE INTO {name} ({columns}) VALUES ({marks})", rows)
        return bool(names) and self._faults == before


def _make(connection: Connection, sources: Sequence[_Source], ends: JournalEnds) -> dict[int, int | None]:
    """Writes a new store. Returns by the table how many events are lost, None if nothing of it can be read."""
    target = connection.connection.driver_connection
    assert isinstance(target, sqlite3.Connection)
    for name in LISTED:  # of the copy only where something cannot be read: what was deleted since stays so
        any(source.copy(target, name) for source in sources)
    target.execute("DELETE FROM erased WHERE typeof(mark) || length(mark) != ?", (f"text{codes.MARK_LENGTH}",))
    erased = {row[0] for row in target.execute("SELECT table_id FROM erased")}
    order = {number: place for source in reversed(sources) for number, place in source.rows(ORDER)}
    numbers = {row[0] for source in sources for query in NUMBERS for row in source.rows(query)}
    numbers |= order.keys() | ends.known.keys()
    if not numbers and not erased:
        raise Problem("store-damaged", 503)
    lost: dict[int, int | None] = {}
    for number in sorted(each for each in numbers - erased if isinstance(each, int) and 0 < each < 1 << 31):
        known = ends.known.get(number, 0)
        found = _copy_events(target, number, sources)
        longest = len(found.whole)
        if found.lost or longest < known:  # what the copy has, and on from it
            found = _copy_events(target, number, sources[::-1])
            found = found if len(found.whole) >= longest else _copy_events(target, number, sources)
        for source in sources:
            source.copy(target, "blobs", "WHERE table_id = ? AND hash_of(body) = hash", number)
        place = order[number] if isinstance(order.get(number), int) else event_rows.NEXT_OF_FILE
        try:
            happened, _ = understood(number, found, lambda kind, seq: None)
            event_rows.insert_row(connection, projections.project(happened).row, place, number)
            projections.rebuild(connection, number, happened)
            lost[number] = event_rows.mend(connection, number, known) if found.lost or len(found.whole) < known else 0
            if len(sources) > 1:  # what was forgotten since the copy was made stays so
                _drop_forgotten(connection, number)
        except (UnreadableError, SQLAlchemyError, *OF_DAMAGE) as error:
            logger.info("table %d cannot be written anew: %s", number, type(error).__name__)
            lost[number] = None
            target.execute("DELETE FROM tables WHERE id = ?", (number,))
    for name in ("events", "blobs", "visits"):
        target.execute(f"DELETE FROM {name} WHERE table_id NOT IN (SELECT id FROM tables)")
    if name := ends.name or next((str(row[0]) for row in sources[0].rows("SELECT name FROM schema_version")), ""):
        target.execute("UPDATE schema_version SET name = ?", (name,))
    return lost


def _copy_events(target: sqlite3.Connection, number: int, sources: Sequence[_Source]) -> Events:
    """Copies the events of a table, of each number the first one that there is."""
    journal = Journal(target)
    journal.cut(number, 0)
    for source in sources:
        source.copy(target, "events", "WHERE table_id = ?", number)
    return journal.events(number)


def _drop_forgotten(connection: Connection, number: int) -> None:
    now = event_rows.load(connection, number).loaded.begun
    held = [(SAMPLE, seq) for seq in now.samples] + ([] if now.photo is None else [(TRACE, 0)])
    of_table = and_(blobs.c.table_id == number, blobs.c.kind.in_([SAMPLE, TRACE]))
    connection.execute(delete(blobs).where(of_table, tuple_(blobs.c.kind, blobs.c.seq).not_in(held)))


def _hash_of(body: object) -> str:
    return blob_hash(body) if isinstance(body, bytes) else ""


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
            except (OSError, AttributeError):  # a memory stick without second names, or a browser
                shutil.copy2(file, name)
        elif not suffix:
            name.touch(0o600)  # it tells that there was a store
    return aside
