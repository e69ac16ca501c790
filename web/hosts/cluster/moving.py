"""`rollcall move`: copies a whole store from one engine to the other, and checks the copy."""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Table, func, insert, select, text

from web.hosts.cluster.shared_schema import DRIVER, activity
from web.store import event_rows, schema
from web.store.maintenance import checking, health, locking
from web.store.maintenance.ends import JournalEnds
from web.store.maintenance.not_done import NotDoneError, explain_failure
from web.store.maintenance.store_files import open_copy
from web.store.sqlite import FILE_NAME, SqliteStore

# In an order in which references are there first. `schema_version` is each store's own.
MOVED = [table for table in schema.metadata.sorted_tables if table is not schema.schema_version]


@dataclass(frozen=True)
class MoveSummary:
    """The numbers of copied tables and of the lines of their logs."""

    tables: int
    lines: int


def move(source: str, target: str) -> MoveSummary:
    """Copies all games of the store `source` to the empty store `target`: each a data folder or a database's address.

    The copy is of one moment; `source` stays as it is. No server may run with a data folder meanwhile. Each journal is
    read back and followed by its hashes, and lists are compared with it, so the copy is there whole or not at all.
    Photos under review are not copied. Raises `NotDoneError`.
    """
    with ExitStack() as opened:
        old = opened.enter_context(_database(source, False) if "://" in source else _source(Path(source)))
        new = opened.enter_context(_database(target, True) if "://" in target else _target(Path(target)))
        tables = schema.tables.c
        if new.execute(select(tables.id)).first() is not None:
            raise NotDoneError(f"there are games in {_without_password(target)} already: name one that is new or empty")
        for table in MOVED:
            _copy(old, new, table)
        if broken := health.check_connection(new).complaints:
            raise NotDoneError(f"nothing was moved; `rollcall check --repair` or --rebuild mends {broken[0]}")
        _count_on(new)
        event_rows.drop_photos(new)
        return MoveSummary(*new.execute(select(func.count(), func.coalesce(func.sum(tables.lines), 0))).one())


@contextmanager
def _database(place: str, writes: bool) -> Iterator[Connection]:
    from web.hosts.cluster.shared_store import SharedStore  # which needs the extra `cluster`

    with ExitStack() as opened:
        opened.enter_context(explain_failure("nothing was moved"))
        store = opened.enter_context(closing(SharedStore(place)))
        yield opened.enter_context(store.write() if writes else store.read())


@contextmanager
def _source(folder: Path) -> Iterator[Connection]:
    path = folder / FILE_NAME
    if not path.is_file():
        raise NotDoneError(f"there are no games in {folder}: name a data folder, or {DRIVER}://USER@HOST:PORT/NAME")
    with explain_failure("nothing was moved", folder), locking.looked_at(folder) as free:
        if not free:
            raise locking.InUseError
        if checking.check(path, JournalEnds(folder)).word == checking.DAMAGED:
            raise NotDoneError(f"{path} is damaged: `rollcall check --repair` mends it")
        with open_copy(path) as connection:
            yield connection


@contextmanager
def _target(folder: Path) -> Iterator[Connection]:
    with explain_failure("nothing was moved", folder):
        folder.mkdir(parents=True, exist_ok=True)
        with locking.alone(folder), closing(SqliteStore(folder)) as made, made.write() as connection:
            yield connection


def _copy(old: Connection, new: Connection, table: Table) -> None:
    """Copies in batches: a store may be larger than the memory."""
    rows = old.execute(select(table).execution_options(yield_per=20 if table is schema.blobs else 1000))
    for some in rows.mappings().partitions():
        new.execute(insert(table), [dict(row) for row in some])


def _count_on(connection: Connection) -> None:
    """Makes PostgreSQL number new rows after the copied ones."""
    if connection.dialect.name != "postgresql":
        return
    numbers = schema.tables.c.id, schema.erased.c.table_id
    highest = func.greatest(*(select(func.max(each)).scalar_subquery() for each in numbers))
    sequence = func.pg_get_serial_sequence(schema.tables.name, "id")
    connection.execute(select(func.setval(sequence, func.coalesce(highest, 1), highest.is_not(None))))
    last = select(func.max(schema.tables.c.active_no)).scalar_subquery()
    connection.execute(select(func.setval(text(f"'{activity.name}'"), func.coalesce(last, 1), last.is_not(None))))


def _without_password(place: str) -> str:
    return "the database " + place.rpartition("/")[2] if "://" in place else place
