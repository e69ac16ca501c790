"""Writes events of a table on either engine, in the caller's transaction: into its journal, and what lists and
statistics are read from."""

from collections.abc import Sequence
from functools import cache

from sqlalchemy import ColumnElement, Connection, delete, func, insert, literal_column, select

from web.common.problems import Problem
from web.journal.codec import Blobs
from web.journal.journal import NO_EVENT, Head, Journal, Overtaken
from web.store import codes, journalling, loading, player_rows, projections, schema, webhook_rows
from web.table import events
from web.table.events import Stored
from web.table.replay import Json
from web.table.stored_table import TableRow

# The next `active_no` of a file, which has one writer.
NEXT_OF_FILE = "(SELECT coalesce(max(active_no), 0) + 1 FROM tables)"
# All that has rows of a game table.
OF_A_TABLE = (*(schema.webhooks, schema.player_games, schema.visits, schema.events, schema.blobs),)


def create(connection: Connection, started: events.TableStarted, blobs: Blobs, next_no: str) -> TableRow:
    """Stores a table that begins. Returns its row. `next_no`: the next `active_no`."""
    found = projections.project([started])
    number = insert_row(connection, found.row, next_no)
    journalling.journal_of(connection).append(number, NO_EVENT, [journalling.encode_now(started, blobs)])
    if found.results is not None:
        player_rows.write(connection, number, found.results)
    return loading.table_row(connection.execute(select(schema.tables).where(schema.tables.c.id == number)).one())


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
    journal = journalling.journal_of(connection)
    head = _set_next(journal, before.id, started.key, after)
    if held.next_key is not None and loading.find(connection, held.next_key) is not None:
        raise Problem("stale", 409)
    row = create(connection, started, blobs, next_no)
    journalling.hand_on_pictures(journal, before.id, row.id, started.lines)
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
    return journal.append(table_id, after, [journalling.encode_now(events.NextTableSet(key))])


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
    journal = journalling.journal_of(connection)
    if changed.row:  # first of all: it locks the row, for servers that share the store
        _update_row(journal, row.id, changed.row, changed.lines_before, next_no)
    head = journal.append(row.id, after, [journalling.encode_now(event, blobs) for event in batch])
    if changed.members:
        projections.set_members(connection, row.id, changed.members)
    for event in changed.of_webhooks:
        webhook_rows.note(connection, row.id, event)
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
    return loading.table_row(found)


def erase(connection: Connection, row: TableRow, after: Head | None = None) -> tuple[TableRow, Head] | None:
    """Deletes all that is stored of a table, but for its number. The table that it was played again from, if there is
    one, goes on to the one after it: returns that table, and its last event.

    `after`: the last event of the table that goes, None for any. Raises `Overtaken` if it has others, and `Problem`.
    """
    held = _lock_row(connection, row, whole=True)  # so that nobody notes a visit meanwhile
    journal, changed = journalling.journal_of(connection), None
    if after not in (None, journal.head(row.id)):
        raise Overtaken
    found = connection.execute(select(schema.tables).where(schema.tables.c.next_key == row.key)).first()
    if found is not None:
        changed = loading.table_row(found), _set_next(journal, found.id, held.next_key, journal.head(found.id))
    for table in OF_A_TABLE:
        connection.execute(delete(table).where(table.c.table_id == row.id))
    connection.execute(delete(schema.tables).where(schema.tables.c.id == row.id))
    connection.execute(insert(schema.erased).values(table_id=row.id, mark=codes.mark_of(row.key)))
    return changed


def _next_id() -> ColumnElement[int]:
    last = [
        select(func.coalesce(func.max(column), 0)).correlate(None).scalar_subquery()
        for column in (schema.tables.c.id, schema.erased.c.table_id)
    ]
    return func.max(*last) + 1
