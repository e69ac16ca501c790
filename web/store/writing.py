"""Writes events of a table on either engine, in the caller's transaction: into its journal, and what lists and
statistics are read from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from web.journal.codec import NO_BLOBS, Blobs
from web.journal.journal import Overtaken
from web.problems import Problem
from web.session import events
from web.session.events import Stored
from web.session.replay import Json
from web.session.stored_table import TableRow
from web.store import codes, journalling, loading, player_rows, projections, schema, webhook_rows

# The next `active_no` of a file, which has one writer.
NEXT_OF_FILE = select(func.coalesce(func.max(schema.tables.c.active_no), 0) + 1).correlate(None).scalar_subquery()
# All that has rows of a game table.
OF_A_TABLE = (*(schema.members, schema.webhooks, schema.player_games, schema.visits, schema.events, schema.blobs),)


def create(
    connection: Connection,
    started: events.TableStarted,
    blobs: Blobs,
    before: TableRow | None,
    next_no: ColumnElement[int],
    known: int | None = None,
) -> TableRow:
    """Stores a table that begins. Returns its row. `before`: the table that it follows, `known`: the number of its last
    event, if others may have appended since. `next_no`: the next `active_no`. Raises `Overtaken`, and
    `Problem("stale")` if that one has gone on already."""
    if before is not None:
        held = lock_row(connection, before)
        if known is not None:
            journalling.check(connection, before.id, known)
        if _is_there(connection, held.next_key):
            raise Problem("stale", 409)
    found = projections.project([started])
    number = insert_row(connection, found.row, next_no)
    journalling.append(connection, number, [started], blobs)
    if found.results is not None:
        player_rows.write(connection, number, found.results)
    if before is not None:
        _set_next(connection, before.id, started.key)
        journalling.hand_on_pictures(connection, before.id, number, started.lines)
    return loading.table_row(connection.execute(select(schema.tables).where(schema.tables.c.id == number)).one())


def insert_row(
    connection: Connection, row: Json, next_no: ColumnElement[int] | int, number: int | ColumnElement[int] | None = None
) -> int:
    """Inserts a table's own row, and returns its number. `number`: None for the next one."""
    values = {**row, "active_no": next_no}
    if number is not None or connection.dialect.name == "sqlite":  # which would give that of a deleted table again
        values["id"] = _next_id() if number is None else number
    stored = insert(schema.tables).values(**values).returning(schema.tables.c.id)
    return int(connection.execute(stored).scalar_one())


def _set_next(connection: Connection, table_id: int, key: str | None) -> None:
    _update_row(connection, table_id, {"next_key": key})
    journalling.append(connection, table_id, [events.NextTableSet(key)])


def _is_there(connection: Connection, key: str | None) -> bool:
    of_key = select(schema.tables.c.id).where(schema.tables.c.key == key)
    return key is not None and connection.execute(of_key).first() is not None


def may_be_left_out(batch: Sequence[Stored]) -> bool:
    """Whether these events may fail rather than keep a page waiting for another program."""
    return all(isinstance(event, (events.PhoneJoined, events.SamplesDropped)) for event in batch)


def append(
    connection: Connection,
    row: TableRow,
    batch: Sequence[Stored],
    next_no: ColumnElement[int],
    known: int | None = None,
    blobs: Blobs = NO_BLOBS,
) -> int:
    """Writes events of a table in their order. Returns the number of the last one.

    `row`: the table before them; `next_no`: the next `active_no`; `known`: the number of the event before, if others
    may append. Raises `Overtaken` if the table is another one by now, and `Problem` if it is gone.
    """
    changed = projections.project(batch)
    lines = [line for event in batch if isinstance(event, events.Logged) for line in event.lines]
    if lines:
        changed.row["active_no"] = next_no
    if changed.row:  # first of all: it locks the row, for servers that share the store
        _update_row(connection, row.id, changed.row, lines[0].seq - 1 if lines else None)
    number = journalling.append(connection, row.id, batch, blobs, known)
    projections.set_members(connection, row.id, changed.members)
    for event in batch:
        webhook_rows.note(connection, row.id, event)
    if lines and (changed.results is not None or row.finished_at is not None):
        player_rows.write(connection, row.id, changed.results)
    return number


def _update_row(connection: Connection, table_id: int, values: Json, lines: int | None = None) -> None:
    """Changes a table's own row. `lines`: how many its log must have."""
    tables = schema.tables
    there = update(tables).where(tables.c.id == table_id)
    if lines is not None:
        there = there.where(tables.c.lines == lines)
    if not connection.execute(there.values(values)).rowcount:
        if lines is None or connection.execute(select(tables.c.id).where(tables.c.id == table_id)).first() is None:
            raise Problem("table-unknown", 404)
        raise Overtaken


def lock_row(connection: Connection, row: TableRow, whole: bool = False) -> Any:
    """Locks and returns a table's row; `whole`: also against new rows that belong to it. Raises `Problem`."""
    query = select(schema.tables).where(schema.tables.c.id == row.id)
    # For PostgreSQL; SQLite has one writer anyway.
    found = connection.execute(query.with_for_update(key_share=not whole)).one_or_none()
    if found is None:
        raise Problem("table-unknown", 404)
    return found


@dataclass(frozen=True)
class Erasure:
    """A table that was erased. `before`: the table that it was played again from, if there is one; `next_key`: of the
    table that this one goes on to now."""

    before: TableRow | None
    next_key: str | None


def erase(connection: Connection, row: TableRow) -> Erasure:
    """Deletes all that is stored of a table, but for its number. Raises `Problem`."""
    held = lock_row(connection, row, whole=True)  # so that nobody notes a visit meanwhile
    of_key = select(schema.tables).where(schema.tables.c.next_key == row.key)
    found = connection.execute(of_key).first()
    before = None if found is None else loading.table_row(found)
    if before is not None:
        _set_next(connection, before.id, held.next_key)
    for table in OF_A_TABLE:
        connection.execute(delete(table).where(table.c.table_id == row.id))
    connection.execute(delete(schema.tables).where(schema.tables.c.id == row.id))
    connection.execute(insert(schema.erased).values(table_id=row.id, mark=codes.mark_of(row.key)))
    return Erasure(before, held.next_key)


def _next_id() -> ColumnElement[int]:
    last = [
        select(func.coalesce(func.max(column), 0)).correlate(None).scalar_subquery()
        for column in (schema.tables.c.id, schema.erased.c.table_id)
    ]
    return func.max(*last) + 1
