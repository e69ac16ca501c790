"""Brings the games of a copied store into a store that has games of its own. What is there stays as it is."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Connection, select

from web.journal.codec import PICTURE, NewEvent
from web.problems import Problem
from web.store import journalling, kept_games, loading, schema
from web.store.maintenance import checking
from web.store.maintenance.backup import clean_copy
from web.store.maintenance.copies import copy_store
from web.store.maintenance.ends import JournalEnds
from web.store.schema import SchemaError
from web.store.sqlite import FILE_NAME, SqliteStore
from web.store.writing import BroughtTable, bring

AT_ONCE = 20  # tables of one transaction, so that games that run wait little
HEADER = b"SQLite format 3\0"
# How the kinds of events begin that do not come along: a photo's file, programs' tokens and their addresses belong to
# the other server.
OF_THE_OTHER = ("photo-", "program-", "webhook-")


@dataclass(frozen=True)
class Merged:
    """How many tables came, were here already, and stayed away because they were deleted here; and how many games that
    people made came.
    """

    came: int = 0
    here: int = 0
    deleted: int = 0
    games: int = 0


def copy_games(data: Path, target: Path) -> None:
    """Writes all games of a data folder to the one file `target`, as they are at one moment, also while they are
    played. Raises `Problem` and OSError."""
    copy_store(data / FILE_NAME, target)
    with closing(sqlite3.connect(target)) as copy:
        clean_copy(copy)


def bring_games(store: SqliteStore, copy: Path) -> Merged:
    """Brings what the file `copy` has and `store` does not: tables, and the games that phones keep.

    Raises `Problem`: then nothing is changed. The file is checked first. It is changed if an older Rollcall wrote it.
    """
    with TemporaryDirectory(prefix="rollcall-") as folder:
        path = Path(folder) / FILE_NAME
        shutil.move(copy, path)
        _check(path)
        with closing(SqliteStore(path.parent)) as copied, copied.read() as source:
            keys = list(source.scalars(select(schema.tables.c.key).order_by(schema.tables.c.active_no)))
            found = Merged()
            has_pictures = (
                source.execute(select(schema.blobs.c.seq).where(schema.blobs.c.kind == PICTURE).limit(1)).first()
                is not None
            )
            at_once = 1 if has_pictures else AT_ONCE
            for first in range(0, len(keys), at_once):
                with store.read() as connection:
                    states = {key: _state(connection, key) for key in keys[first : first + at_once]}
                wanted = [key for key, state in states.items() if state == "new"]
                came = [table for key in wanted if (table := _table(source, key)) is not None]
                with store.write() as connection:
                    for table in came:
                        bring(connection, table, store.next_no)
                counts = list(states.values())
                found = Merged(
                    found.came + len(came), found.here + counts.count("here"), found.deleted + counts.count("deleted")
                )
            games = kept_games.bring(store, source)
    return replace(found, games=games)


def _check(path: Path) -> None:
    """Raises `Problem` unless the file is a whole store."""
    with path.open("rb") as file:
        if file.read(len(HEADER)) != HEADER:
            raise Problem("copy-not-ours")
    try:
        with closing(sqlite3.connect(path)) as copy:
            kinds = dict(copy.execute("SELECT name, type FROM sqlite_master WHERE sql NOT LIKE 'CREATE VIRTUAL%'"))
    except (sqlite3.Error, ValueError):
        raise Problem("copy-damaged") from None
    if any(kinds.get(table.name) != "table" for table in (schema.schema_version, schema.tables)):
        raise Problem("copy-not-ours")
    if "view" in kinds.values():
        raise Problem("copy-not-ours")
    try:
        found = checking.check(path, JournalEnds(path.parent))
    except SchemaError as error:
        raise Problem("copy-newer") from error
    except (sqlite3.Error, OSError) as error:
        raise Problem("copy-damaged") from error
    if found.word != checking.WHOLE:
        raise Problem("copy-damaged")


def _state(connection: Connection, key: str) -> str:
    """Whether the table with this key is "here", was "deleted" here, or is "new"."""
    if connection.execute(select(schema.tables.c.id).where(schema.tables.c.key == key)).first() is not None:
        return "here"
    return "deleted" if loading.is_erased(connection, key) else "new"


def _table(source: Connection, key: str) -> BroughtTable | None:
    """What a store has of a table; None if it was being deleted."""
    row = source.execute(select(schema.tables).where(schema.tables.c.key == key)).one()
    if row.deleted_at is not None:
        return None
    happened = journalling.events_of(source, row.id)[0]
    if happened.lost or not happened.whole:
        raise Problem("copy-damaged")
    kept = [NewEvent(*event[1:-1]) for event in happened.whole if not event.kind.startswith(OF_THE_OTHER)]
    visits = source.execute(select(schema.visits).where(schema.visits.c.table_id == row.id)).mappings()
    return BroughtTable(
        kept, [dict(visit) for visit in visits], journalling.journal_of(source).samples_and_pictures(row.id)
    )
