"""`rollcall move`: copies a whole store from one engine to the other, row by row, and checks the copy."""

import contextlib
import hashlib
import itertools
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select, text

from web.cluster.shared_schema import DRIVER, activity
from web.journal.folding import UnreadableError
from web.problems import Problem
from web.store import journalling, schema
from web.store.maintenance import ends, locking
from web.store.schema import DatabaseError, SchemaError
from web.store.sqlite import FILE_NAME, SqliteStore
from web.store.store import Store

# In an order in which references are there first. `schema_version` is each store's own.
MOVED: Sequence[Table] = (
    schema.tables,
    schema.members,
    schema.webhooks,
    schema.player_games,
    schema.visits,
    schema.erased,
    schema.phone_games,
    schema.events,
    schema.blobs,
)
AT_ONCE = 1000  # rows of one statement
PICTURES_AT_ONCE = 20
SCALE = 1 << 128


class MoveError(Exception):
    """Nothing was moved: one sentence that says what was wrong and what would be right."""


@dataclass(frozen=True)
class MoveSummary:
    """The numbers of copied tables and of the lines of their logs."""

    tables: int
    lines: int


def move(source: str, target: str) -> MoveSummary:
    """Copies all games of the store `source` to the empty store `target`: each a data folder or a database's address.

    The copy is of one moment; `source` stays as it is. No server may run with a data folder meanwhile. Every row is
    read back and each journal followed by its hashes, so the copy is there whole or not at all. Photos under review are
    not copied. Raises `MoveError`.
    """
    try:
        with ExitStack() as opened:
            old = opened.enter_context(_open_store(source, there=True))
            new = opened.enter_context(_open_store(target, there=False))
            with old.read() as reading, new.write() as writing:
                if writing.execute(select(func.count()).select_from(schema.tables)).scalar_one():
                    raise MoveError(
                        f"there are games in {_without_password(target)} already: name one that is new or empty"
                    )
                for table in MOVED:
                    _copy(reading, writing, table)
                _count_on(writing)
                for table in MOVED:
                    if _content(reading, table) != _content(writing, table):
                        raise MoveError(f"nothing was moved: {table.name} did not arrive as it was sent; try again")
                journalling.drop_photos(journalling.journal_of(writing))
                return check(writing)
    except (Problem, OSError, DatabaseError, SchemaError) as error:
        raise MoveError(f"nothing was moved: {error}") from error


def check(connection: Connection) -> MoveSummary:
    """Follows every journal by its hashes. Raises `MoveError` if a table is not whole."""
    lines = 0
    tables = connection.execute(select(schema.tables.c.id, schema.tables.c.lines)).all()
    for row in tables:
        try:
            is_whole = journalling.load(connection, row.id).whole
        except UnreadableError:
            is_whole = False
        if not is_whole:
            raise MoveError(f"table {row.id} is not whole: `rollcall check --repair` mends a data folder")
        lines += row.lines
    return MoveSummary(len(tables), lines)


@contextmanager
def _open_store(place: str, there: bool) -> Iterator[Store]:
    """The store at this place. `there`: it must exist already."""
    if "://" in place:
        from web.cluster.shared_store import SharedStore  # needs the extra `cluster`; two data folders do not

        with contextlib.closing(SharedStore(place)) as shared:
            yield shared
        return
    folder = Path(place)
    if there and not (folder / FILE_NAME).is_file():
        raise MoveError(f"there are no games in {folder}: name a data folder, or {DRIVER}://USER@HOST:PORT/NAME")
    try:
        if there:
            with locking.looked_at(folder) as free, TemporaryDirectory(prefix="rollcall-") as copied:
                if not free:
                    raise locking.InUseError
                _copy_files(folder, Path(copied))  # opening a store changes it, at least an older one
                with contextlib.closing(SqliteStore(Path(copied))) as store:
                    yield store
        else:
            folder.mkdir(parents=True, exist_ok=True)
            with locking.alone(folder), contextlib.closing(SqliteStore(folder)) as store:
                yield store
    except locking.InUseError as error:
        raise MoveError(f"a server runs with {folder}: end it first, then move") from error


def _copy_files(folder: Path, target: Path) -> None:
    """Copies the files of a store that no server runs with, also of a damaged one."""
    for name in (FILE_NAME, f"{FILE_NAME}-wal", ends.FILE_NAME):
        if (folder / name).is_file():
            shutil.copyfile(folder / name, target / name)


def _copy(reading: Connection, writing: Connection, table: Table) -> None:
    rows = _rows(reading, table)
    while some := list(itertools.islice(rows, _batch_of(table))):
        writing.execute(insert(table), some)


def _batch_of(table: Table) -> int:
    return PICTURES_AT_ONCE if table is schema.blobs else AT_ONCE


def _rows(connection: Connection, table: Table) -> Iterator[dict[str, Any]]:
    """The rows of a table in batches: a store may be larger than the memory."""
    found = connection.execute(select(table).execution_options(yield_per=_batch_of(table)))
    return (dict(row) for row in found.mappings())


def _content(connection: Connection, table: Table) -> tuple[int, int]:
    """The number of a table's rows, and a sum over them in any order."""
    count = total = 0
    for row in _rows(connection, table):
        count += 1
        total += int.from_bytes(hashlib.blake2b(_text_of(row), digest_size=16).digest())
    return count, total % SCALE


def _text_of(row: Mapping[str, Any]) -> bytes:
    """The values of a row, the same from either engine."""
    return repr([*row.values()]).encode()


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
