"""Brings the games of a copied store into a store that has games of its own. What is there stays as it is."""

import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, insert, select

from web.journal.journal import NO_EVENT, NewEvent
from web.own_games import kept_games
from web.problems.problem import Problem
from web.store import codes, event_rows, projections, schema
from web.store.maintenance import checking
from web.store.maintenance.store_files import open_alone
from web.store.schema import OlderStoreError, SchemaError
from web.store.sqlite import SqliteStore
from web.table import events

AT_ONCE = 10  # tables of one transaction, so that games that run wait little
HEADER = b"SQLite format 3\0"
# How the kinds of events begin that do not come along: a photo's file, programs' tokens and their addresses belong to
# the other server.
OF_THE_OTHER = ("photo-", "program-", "webhook-")


@dataclass(frozen=True)
class Merged:
    """How many tables came, were here already, and stayed away because they were deleted here; and how many games that
    people made came."""

    came: int = 0
    here: int = 0
    deleted: int = 0
    games: int = 0


def bring_games(store: SqliteStore, copy: Path) -> Merged:
    """Brings what the file `copy` has and `store` does not: tables, and the games that phones keep.

    Raises `Problem`: then nothing is changed. The file is checked first. It is upgraded if an older Rollcall wrote it.
    """
    _check(copy)
    found = Counter[str]()
    with open_alone(copy) as source:
        tables = source.execute(select(schema.tables).order_by(schema.tables.c.active_no)).all()
        for first in range(0, len(tables), AT_ONCE):
            with store.write() as connection:
                found.update(_bring_table(connection, source, table) for table in tables[first : first + AT_ONCE])
        games = kept_games.bring(store, source)
    return Merged(found["came"], found["here"], found["deleted"], games)


def _check(path: Path) -> None:
    """Raises `Problem` unless the file is a whole store."""
    with path.open("rb") as file:
        if file.read(len(HEADER)) != HEADER:
            raise Problem("copy-not-ours")
    try:
        with closing(sqlite3.connect(path)) as copy:
            kinds = dict(copy.execute("SELECT name, type FROM sqlite_master WHERE sql NOT LIKE 'CREATE VIRTUAL%'"))
        ours = all(kinds.get(table.name) == "table" for table in (schema.schema_version, schema.tables))
        if not ours or "view" in kinds.values():
            raise Problem("copy-not-ours")
        if checking.check(path).word == checking.WHOLE:
            return
    except OlderStoreError as error:
        raise Problem("copy-older", version=error.reader) from error
    except SchemaError as error:
        raise Problem("copy-newer") from error
    except (sqlite3.Error, OSError, ValueError):
        pass
    raise Problem("copy-damaged")


def _bring_table(connection: Connection, source: Connection, table: Any) -> str:
    """Stores a table under a number of this store, if it is new here. Returns what became of it: "came", "here",
    "deleted" here, or "" if it was being deleted there."""
    if event_rows.find(connection, table.key) is not None:
        return "here"
    if event_rows.is_erased(connection, table.key):
        return "deleted"
    if table.deleted_at is not None:
        return ""
    found = event_rows.events_of(source, table.id)[0]
    if found.lost or not found.whole:
        raise Problem("copy-damaged")
    kept = [NewEvent(*event[1:-1]) for event in found.whole if not event.kind.startswith(OF_THE_OTHER)]
    row = projections.project(events.from_body(each.body.encode()) for each in kept).row
    number = event_rows.insert_row(connection, row, event_rows.NEXT_OF_FILE)
    journal = event_rows.journal_of(connection)
    journal.append(number, NO_EVENT, kept)
    for blob in event_rows.journal_of(source).samples_and_pictures(table.id):
        journal.insert_blob(number, blob)
    if connection.scalar(select(func.count()).where(schema.tables.c.code == table.code)) != 1:
        changed = events.AccessChanged({}, table.guarded, codes.free_code(connection))
        event_rows.append_now(connection, number, changed)
    visits = source.execute(select(schema.visits).where(schema.visits.c.table_id == table.id)).mappings().all()
    if visits:
        connection.execute(insert(schema.visits), [{**visit, "table_id": number} for visit in visits])
    event_rows.rebuild(connection, number)
    return "came"
