"""Games as they were played: SQLite through SQLAlchemy Core, one append-only log per table.

States are never stored; they are rebuilt from the log by `scorer`. A write returns only when it is on the disk.
"""

import json
import secrets
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, delete, event, func, insert, select, update
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from web import schema
from web.errors import Problem

FILE_NAME = "rollcall.db"
BUSY_TIMEOUT_MS = 5000
KEY_BYTES = 18  # 144 bits in the address: nobody guesses a table
CODE_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"  # without I, O and Q, which people misread
CODE_LENGTH = 6
CODE_LIVES = timedelta(hours=12)  # after the last action; a code is for people in the same room

Json = dict[str, Any]


@dataclass(frozen=True)
class TableRow:
    """A table as it was set up. `key` is the secret in its address, `code` the short one to type."""

    id: int
    key: str
    code: str
    game: str
    options: Json
    players: tuple[str, ...]
    keep_corrections: bool
    created_at: str
    active_at: str
    finished_at: str | None


@dataclass(frozen=True)
class Entry:
    """One line of a table's log."""

    seq: int
    request: str
    body: Json
    device: str
    at: str


@dataclass(frozen=True)
class Result:
    """What one player of one finished game reached."""

    table: TableRow
    player: int
    name: str
    score: int
    place: int


def now() -> str:
    """The time as the store writes it: UTC, ISO 8601, to the second."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Store:
    """The store in the data folder, which is made if it is missing. Safe for use from several threads."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / FILE_NAME
        # check_same_thread off: the pool hands a connection to one thread at a time, but not always to the same.
        self._engine: Engine = create_engine(
            f"sqlite:///{self.path}", connect_args={"check_same_thread": False, "timeout": BUSY_TIMEOUT_MS / 1000}
        )
        event.listen(self._engine, "connect", _configure)
        # One writer at a time in this process; SQLite would make them wait for each other anyway, less fairly.
        self._writing = threading.Lock()
        try:
            with self._write() as connection:
                schema.prepare(connection)
        except BaseException:
            self._engine.dispose()
            raise

    def close(self) -> None:
        self._engine.dispose()

    def new_table(
        self, game: str, options: Json, players: Sequence[str], keep_corrections: bool, actions: Sequence[Json] = ()
    ) -> TableRow:
        """Stores a new table, with the actions of an imported record if there are any."""
        at = now()
        with self._write() as connection:
            code = self._free_code(connection)
            key = secrets.token_urlsafe(KEY_BYTES)
            values = {
                "key": key,
                "code": code,
                "game": game,
                "options": json.dumps(options),
                "players": json.dumps(list(players), ensure_ascii=False),
                "keep_corrections": keep_corrections,
                "created_at": at,
                "active_at": at,
            }
            inserted = connection.execute(insert(schema.tables).values(**values)).inserted_primary_key
            assert inserted is not None
            rows = [
                {
                    "table_id": inserted[0],
                    "seq": seq,
                    "request": f"import-{seq}",
                    "body": json.dumps({"do": action}),
                    "device": "",
                    "at": at,
                }
                for seq, action in enumerate(actions, start=1)
            ]
            if rows:
                connection.execute(insert(schema.log), rows)
        row = self.find(key)
        assert row is not None
        return row

    def find(self, key: str) -> TableRow | None:
        with self._read() as connection:
            row = connection.execute(select(schema.tables).where(schema.tables.c.key == key)).one_or_none()
        return None if row is None else _table_row(row)

    def find_code(self, code: str) -> str | None:
        """The key of the table with this short code, if it was active lately."""
        since = (datetime.now(timezone.utc) - CODE_LIVES).strftime("%Y-%m-%dT%H:%M:%SZ")
        query = (
            select(schema.tables.c.key)
            .where(schema.tables.c.code == code, schema.tables.c.active_at >= since)
            .order_by(schema.tables.c.id.desc())
        )
        with self._read() as connection:
            return connection.execute(query).scalars().first()

    def entries(self, table_id: int) -> list[Entry]:
        """The whole log of a table, oldest first."""
        query = select(schema.log).where(schema.log.c.table_id == table_id).order_by(schema.log.c.seq)
        with self._read() as connection:
            return [
                Entry(row.seq, row.request, json.loads(row.body), row.device, row.at)
                for row in connection.execute(query)
            ]

    def append(
        self,
        row: TableRow,
        entry: Entry,
        standings: Sequence[tuple[int, int]] | None = None,
    ) -> None:
        """Adds one line to a table's log, and with it drops the photo under review.

        `standings`: (score, place) for each player when the game is over with this entry, else None.
        Durable on return. Raises `Problem("stale")` if the log already has a line of this number or request.
        """
        try:
            with self._write() as connection:
                connection.execute(
                    insert(schema.log).values(
                        table_id=row.id,
                        seq=entry.seq,
                        request=entry.request,
                        body=json.dumps(entry.body),
                        device=entry.device,
                        at=entry.at,
                    )
                )
                connection.execute(delete(schema.pending).where(schema.pending.c.table_id == row.id))
                _write_results(connection, row, standings)
                connection.execute(
                    update(schema.tables)
                    .where(schema.tables.c.id == row.id)
                    .values(active_at=entry.at, finished_at=entry.at if standings is not None else None)
                )
        except IntegrityError:
            raise Problem("stale", 409) from None

    def finish(self, row: TableRow, standings: Sequence[tuple[int, int]]) -> None:
        """Notes the results of a table that was over from the beginning, as an imported record can be."""
        with self._write() as connection:
            _write_results(connection, row, standings)
            connection.execute(update(schema.tables).where(schema.tables.c.id == row.id).values(finished_at=now()))

    def pending(self, table_id: int) -> Json | None:
        """The photo under review, as it was given to `set_pending`."""
        query = select(schema.pending.c.body).where(schema.pending.c.table_id == table_id)
        with self._read() as connection:
            body = connection.execute(query).scalar_one_or_none()
        return None if body is None else json.loads(body)

    def set_pending(self, table_id: int, body: Json | None) -> None:
        """Replaces the photo under review; `body["id"]` names its files."""
        with self._write() as connection:
            connection.execute(delete(schema.pending).where(schema.pending.c.table_id == table_id))
            if body is not None:
                connection.execute(
                    insert(schema.pending).values(table_id=table_id, reading=body["id"], body=json.dumps(body))
                )

    def pending_ids(self) -> set[str]:
        """The ids of all photos under review: every other photo in the folder may go."""
        with self._read() as connection:
            return set(connection.execute(select(schema.pending.c.reading)).scalars())

    def visit(self, device: str, row: TableRow) -> None:
        """Notes that this phone is at this table."""
        mine = (schema.visits.c.device == device) & (schema.visits.c.table_id == row.id)
        with self._read() as connection:
            known = connection.execute(select(schema.visits.c.at).where(mine)).scalar_one_or_none()
        if known is not None and known[:13] == now()[:13]:
            return  # noted within this hour: a page load need not write to the disk
        with self._write() as connection:
            connection.execute(delete(schema.visits).where(mine))
            connection.execute(insert(schema.visits).values(device=device, table_id=row.id, at=now()))

    def forget(self, device: str, row: TableRow) -> None:
        """Takes a table off this phone's list."""
        with self._write() as connection:
            connection.execute(
                delete(schema.visits).where(schema.visits.c.device == device, schema.visits.c.table_id == row.id)
            )

    def tables_of(self, device: str, limit: int = 200) -> list[TableRow]:
        """The tables that this phone has been at, the latest first."""
        query = (
            select(schema.tables)
            .join(schema.visits, schema.visits.c.table_id == schema.tables.c.id)
            .where(schema.visits.c.device == device)
            .order_by(schema.tables.c.active_at.desc(), schema.tables.c.id.desc())
            .limit(limit)
        )
        with self._read() as connection:
            return [_table_row(row) for row in connection.execute(query)]

    def results_of(self, device: str) -> list[Result]:
        """The results of all finished games at tables that this phone has been at, oldest first."""
        query = (
            select(schema.tables, schema.results.c.player, schema.results.c.name, schema.results.c.score,
                   schema.results.c.place)
            .join(schema.results, schema.results.c.table_id == schema.tables.c.id)
            .join(schema.visits, schema.visits.c.table_id == schema.tables.c.id)
            .where(schema.visits.c.device == device)
            .order_by(schema.tables.c.finished_at, schema.tables.c.id, schema.results.c.player)
        )  # fmt: skip
        with self._read() as connection:
            return [
                Result(_table_row(row), row.player, row.name, row.score, row.place) for row in connection.execute(query)
            ]

    @contextmanager
    def _read(self) -> Iterator[Connection]:
        with _told(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _write(self) -> Iterator[Connection]:
        with _told(), self._writing, self._engine.begin() as connection:
            yield connection

    def _free_code(self, connection: Connection) -> str:
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            query = select(func.count()).select_from(schema.tables).where(schema.tables.c.code == code)
            if connection.execute(query).scalar_one() == 0:
                return code


@contextmanager
def _told() -> Iterator[None]:
    """Turns what the disk or another program did to the store into one sentence for people."""
    try:
        yield
    except OperationalError as error:
        busy = isinstance(error.orig, sqlite3.OperationalError) and "locked" in str(error.orig)
        raise Problem("store-busy" if busy else "store-failed", 503) from error


def _configure(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={BUSY_TIMEOUT_MS}", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _write_results(connection: Connection, row: TableRow, standings: Sequence[tuple[int, int]] | None) -> None:
    connection.execute(delete(schema.results).where(schema.results.c.table_id == row.id))
    if standings is not None:
        connection.execute(
            insert(schema.results),
            [
                {"table_id": row.id, "player": player, "name": row.players[player], "score": score, "place": place}
                for player, (score, place) in enumerate(standings)
            ],
        )


def _table_row(row: Any) -> TableRow:
    return TableRow(
        id=row.id,
        key=row.key,
        code=row.code,
        game=row.game,
        options=json.loads(row.options),
        players=tuple(json.loads(row.players)),
        keep_corrections=row.keep_corrections,
        created_at=row.created_at,
        active_at=row.active_at,
        finished_at=row.finished_at,
    )
