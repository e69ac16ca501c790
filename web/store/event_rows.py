"""The journals in the transactions of the store, which come from SQLAlchemy."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, func, insert, literal_column, select

from web.journal.journal import (
    NO_EVENT,
    PICTURE,
    BlobOf,
    Blobs,
    Events,
    Head,
    Journal,
    NewEvent,
    Overtaken,
    encode,
)
from web.journal.loading import after_loss, load_log, understood
from web.problems.problem import Problem
from web.store import codes, player_rows, projections, schema
from web.store.stamps import now
from web.store.store_errors import damage_as_problem
from web.table import events
from web.table.access_list import PROGRAM
from web.table.events import Stored
from web.table.proof import hash_in
from web.table.state import LoadedTable
from web.table.stored_table import Entry, Json, TableRow


def journal_of(connection: Connection) -> Journal:
    return Journal(connection.connection.driver_connection, *_ways_of(connection.dialect.name))  # type: ignore[arg-type]


@cache  # bounded: two engines
def _ways_of(engine: str) -> tuple[str, type[Exception]]:
    if engine == "sqlite":
        return "?", sqlite3.IntegrityError
    from psycopg import IntegrityError  # of the extra `cluster`

    return "%s", IntegrityError


def append_now(connection: Connection, table_id: int, *happened: Stored) -> Head:
    return journal_of(connection).append_later(table_id, [encode(each, now()) for each in happened])


def hand_on_pictures(journal: Journal, old: int, new: int, lines: Iterable[Entry]) -> None:
    """Copies the pictures of these lines, which one table took over from another."""
    for line in lines:
        if (name := hash_in(line.body)) is not None:
            journal.hand_on_blob(old, new, PICTURE, line.seq, name)


class StoredTable(NamedTuple):
    """A table by its journal. `head`: its last event; `whole`: no event is damaged."""

    loaded: LoadedTable
    head: Head
    whole: bool


def load(connection: Connection, table_id: int) -> StoredTable:
    """A table by its journal. Raises `folding.UnreadableError`."""
    found, blob_of = events_of(connection, table_id)
    return StoredTable(load_log(table_id, found, blob_of), head_of(found), not found.lost)


def happened_at(connection: Connection, table_id: int) -> list[Stored]:
    """The whole part of a table's journal, as far as this version knows its events."""
    return understood(table_id, *events_of(connection, table_id))[0]


def mend(connection: Connection, table_id: int, known: int = 0) -> int:
    """Leaves out what follows the whole part of a damaged journal, and notes how much that was, if it went as far as
    the event `known` at least. Returns how many events are lost. Raises `folding.UnreadableError`."""
    found, blob_of = events_of(connection, table_id)
    happened, lost = understood(table_id, found, blob_of)
    gone = max(found.lost, known - len(found.whole))
    if gone <= 0:
        return 0
    lost += gone - found.lost
    noted = after_loss(happened, lost)
    journal_of(connection).cut(table_id, len(found.whole))
    append_now(connection, table_id, *noted)
    rebuild(connection, table_id)
    return lost


def rebuild(connection: Connection, *numbers: int) -> int:
    """Writes what lists and statistics are read from anew, of these tables or of all. Returns how many there are."""
    chosen = numbers or connection.scalars(select(schema.tables.c.id)).all()
    for number in chosen:
        projections.rebuild(connection, number, happened_at(connection, number))
    return len(chosen)


def events_of(connection: Connection, table_id: int, after: int = 0) -> tuple[Events, BlobOf]:
    """A table's journal as it is stored, after the event of this number, and its blobs."""
    journal = journal_of(connection)
    return journal.events(table_id, after), lambda kind, seq: journal.blob(table_id, kind, seq)


def head_of(found: Events, before: Head = NO_EVENT) -> Head:
    """The last one of these events, which are whole; `before`: the event before them."""
    return Head(found.whole[-1].number, found.whole[-1].chain) if found.whole else before


def events_after(connection: Connection, table_id: int, known: Head) -> tuple[list[Stored] | None, Head]:
    """The events of a table after this one, and the last of them; None if one of them is damaged."""
    found, blob_of = events_of(connection, table_id, known.number)
    happened, lost = understood(table_id, found, blob_of)
    return None if lost else happened, head_of(found, known)


def drop_photos(connection: Connection) -> None:
    """Removes all photos under review from a copied store: their files lie elsewhere."""
    tables = schema.tables
    for row in connection.execute(select(tables.c.id, tables.c.reading).where(tables.c.reading.is_not(None))).all():
        append_now(connection, row.id, events.PhotoRemoved(row.reading))
        rebuild(connection, row.id)


def undo_deletions(connection: Connection) -> None:
    """Undoes all deletions in a copied store that could still be undone."""
    for number in connection.scalars(select(schema.tables.c.id).where(schema.tables.c.deleted_at.is_not(None))).all():
        append_now(connection, number, events.TableDeleted())
        rebuild(connection, number)


# The next `active_no` of a file, which has one writer.
NEXT_OF_FILE = "(SELECT coalesce(max(active_no), 0) + 1 FROM tables)"
# All that has rows of a game table.
OF_A_TABLE = (schema.player_games, schema.visits, schema.events, schema.blobs)


def create(connection: Connection, started: events.TableStarted, blobs: Blobs, next_no: str) -> TableRow:
    """Stores a table that begins. Returns its row. `next_no`: the next `active_no`."""
    found = projections.project([started])
    number = insert_row(connection, found.row, next_no)
    journal_of(connection).append(number, NO_EVENT, [encode(started, now(), blobs)])
    if found.results is not None:
        player_rows.write(connection, number, found.results)
    return table_row(connection.execute(select(schema.tables).where(schema.tables.c.id == number)).one())


def go_on(
    connection: Connection,
    before: TableRow,
    after: Head,
    started: events.TableStarted,
    blobs: Blobs,
    next_no: str,
) -> tuple[TableRow, Head]:
    """Stores a table that follows another one, as `create`. Returns its row, and the last event of the table `before`.

    Raises `Overtaken` if that one has further events than `after`, and `Problem("stale")` if it has gone on already.
    """
    held = _lock_row(connection, before)
    journal = journal_of(connection)
    head = _set_next(journal, before.id, started.key, after)
    if held.next_key is not None and find(connection, held.next_key) is not None:
        raise Problem("stale", 409)
    row = create(connection, started, blobs, next_no)
    hand_on_pictures(journal, before.id, row.id, started.lines)
    return row, head


def insert_row(
    connection: Connection, row: Json, next_no: str | int, number: int | ColumnElement[int] | None = None
) -> int:
    """Inserts a table's own row, and returns its number. `number`: None for the next one."""
    values = {**row, "active_no": literal_column(str(next_no))}
    if number is not None or connection.dialect.name == "sqlite":  # which would give that of a deleted table again
        values["id"] = _next_id() if number is None else number
    stored = insert(schema.tables).values(**values).returning(schema.tables.c.id)
    return int(connection.execute(stored).scalar_one())


def _set_next(journal: Journal, table_id: int, key: str | None, after: Head) -> Head:
    _update_row(journal, table_id, {"next_key": key})
    return journal.append(table_id, after, [encode(events.NextTableSet(key), now())])


def append(
    connection: Connection,
    row: TableRow,
    after: Head,
    batch: Sequence[Stored],
    blobs: Blobs,
    next_no: str,
) -> Head:
    """Writes events of a table that were decided from the state `after` that event. Returns the last one.

    `row`: the table before them; `next_no`: the next `active_no`. Raises `Overtaken` if the table is another one by
    now, and `Problem` if it is gone.
    """
    changed = projections.project(batch)
    journal = journal_of(connection)
    if changed.row:  # first of all: it locks the row, for servers that share the store
        _update_row(journal, row.id, changed.row, changed.lines_before, next_no)
    at = now()
    head = journal.append(row.id, after, [encode(event, at, blobs) for event in batch])
    if changed.members:
        projections.set_members(connection, row.id, changed.members)
    if changed.results is not None or (row.finished_at is not None and changed.lines_before is not None):
        player_rows.write(connection, row.id, changed.results)
    return head


def _update_row(
    journal: Journal, table_id: int, values: Json, lines_before: int | None = None, next_no: str = ""
) -> None:
    """Changes a table's own row. `lines_before`: how many lines its log must have, if the change adds some; `next_no`:
    then the next `active_no`."""
    if lines_before is None:
        done = journal.do(_update_of(tuple(values)), *values.values(), table_id)
    else:
        done = journal.do(_update_of(tuple(values), next_no), *values.values(), table_id, lines_before)
    if not done.rowcount:
        if lines_before is None or not journal.do("SELECT 1 FROM tables WHERE id = ?", table_id).fetchone():
            raise Problem("table-unknown", 404)
        raise Overtaken


@cache  # bounded: by what events may change
def _update_of(columns: tuple[str, ...], next_no: str = "") -> str:
    values = ", ".join(f"{column} = ?" for column in columns)
    if not next_no:
        return f"UPDATE tables SET {values} WHERE id = ?"
    return f"UPDATE tables SET {values}, active_no = {next_no} WHERE id = ? AND lines = ?"


def _lock_row(connection: Connection, row: TableRow, whole: bool = False) -> TableRow:
    """Locks and returns a table's row; `whole`: also against new rows that belong to it. Raises `Problem`."""
    query = select(schema.tables).where(schema.tables.c.id == row.id)
    # For PostgreSQL; SQLite has one writer anyway.
    found = connection.execute(query.with_for_update(key_share=not whole)).one_or_none()
    if found is None:
        raise Problem("table-unknown", 404)
    return table_row(found)


def erase(connection: Connection, row: TableRow, after: Head | None = None) -> tuple[TableRow, Head] | None:
    """Deletes all that is stored of a table, but for its number. The table that it was played again from, if there is
    one, goes on to the one after it: returns that table, and its last event.

    `after`: the last event of the table that goes, None for any. Raises `Overtaken` if it has others, and `Problem`.
    """
    held = _lock_row(connection, row, whole=True)  # so that nobody notes a visit meanwhile
    journal, changed = journal_of(connection), None
    if after not in (None, journal.head(row.id)):
        raise Overtaken
    found = connection.execute(select(schema.tables).where(schema.tables.c.next_key == row.key)).first()
    if found is not None:
        changed = table_row(found), _set_next(journal, found.id, held.next_key, journal.head(found.id))
    for table in OF_A_TABLE:
        connection.execute(delete(table).where(table.c.table_id == row.id))
    connection.execute(delete(schema.tables).where(schema.tables.c.id == row.id))
    connection.execute(insert(schema.erased).values(table_id=row.id, mark=codes.mark_of(row.key)))
    return changed


def rewrite(connection: Connection, row: TableRow, change: Callable[[str], str]) -> Head:
    """Writes the events of a table anew, with the bodies that `change` makes of theirs, and notes that names were
    erased. Returns the last event. Raises `Overtaken`, and `Problem` if the journal is damaged or gone."""
    _lock_row(connection, row, whole=True)
    journal, found = journal_of(connection), events_of(connection, row.id)[0]
    if found.lost or not found.whole:
        raise Problem("store-damaged", 503)
    journal.cut(row.id, 0)
    kept = [NewEvent(each.kind, change(each.body), each.at, each.by, each.request) for each in found.whole]
    head = journal.append(row.id, NO_EVENT, [*kept, encode(events.NamesErased(), now())])
    rebuild(connection, row.id)
    return head


def _next_id() -> ColumnElement[int]:
    last = [
        select(func.coalesce(func.max(column), 0)).correlate(None).scalar_subquery()
        for column in (schema.tables.c.id, schema.erased.c.table_id)
    ]
    return func.max(*last) + 1


def find(connection: Connection, key: str) -> TableRow | None:
    row = connection.execute(select(schema.tables).where(schema.tables.c.key == key)).first()
    return None if row is None else table_row(row)


def tables_of_program(connection: Connection, token_hash: str) -> list[str]:
    visits, tables = schema.visits.c, schema.tables.c
    query = select(tables.key).join(schema.visits, visits.table_id == tables.id)
    return list(connection.scalars(query.where(visits.device == PROGRAM + token_hash)))


def is_erased(connection: Connection, key: str) -> bool:
    query = select(schema.erased.c.table_id).where(schema.erased.c.mark == codes.mark_of(key))
    return connection.execute(query).first() is not None


def table_row(row: Any) -> TableRow:
    """A table's own row. Raises `Problem` if it is damaged."""
    plain = {field.name: getattr(row, field.name) for field in fields(TableRow)}
    with damage_as_problem():
        options = {**json.loads(row.options)}  # which raises TypeError for a list
        players = tuple(map(str.__str__, json.loads(row.players)))
        for moment in (row.created_at, row.active_at, row.finished_at or row.active_at):
            datetime.fromisoformat(moment.removesuffix("Z"))
        return TableRow(**{**plain, "options": options, "players": players})
