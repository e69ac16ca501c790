"""Photos of programs that belong to no table, in the database: any reader reads them, any server tells the result."""

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import ColumnElement, and_, delete, func, insert, select, update

from web.common.problems import Problem
from web.hosts.cluster.jobs import next_turn, running_readers
from web.hosts.cluster.shared_schema import moment, photos
from web.hosts.cluster.shared_store import SharedStore
from web.photos.reading_queue import MOST_KEPT, MOST_WAITING, WAIT_S, LoneReading, read_alone
from web.table.json_document import refusal_document

if TYPE_CHECKING:
    import vision

NO_TABLE = 0  # in the place of a table's number
KEPT_S = 3600.0  # a photo that nobody read, and what was read


class SharedReadings:
    """Takes the place of `web.photos.reading_queue.QueuedReadings`."""

    def __init__(self, store: SharedStore) -> None:
        self._store = store

    def put(self, data: bytes, dice: int | None, owner: str) -> LoneReading:
        reading = LoneReading(secrets.token_urlsafe(12))
        with self._store.write() as connection:
            if not running_readers(connection):
                raise Problem("no-readers", 503)
            waiting = select(func.count()).where(photos.c.lone, photos.c.body.is_(None))
            if connection.execute(waiting).scalar_one() >= MOST_WAITING:
                raise Problem("queue-full", 429, again_s=WAIT_S)
            values = {"reading": reading.id, "original": data, "size": len(data), "dice": dice, "owner": owner}
            connection.execute(insert(photos).values(**values, lone=True, turn=next_turn(owner)))
            newest = select(photos.c.reading).where(photos.c.lone).order_by(photos.c.number.desc()).limit(MOST_KEPT)
            connection.execute(delete(photos).where(photos.c.lone, photos.c.reading.not_in(newest)))
        self._store.changed(NO_TABLE)  # which wakes readers
        return reading

    def get(self, reading: str) -> LoneReading:
        if "\0" not in reading:
            with self._store.read() as connection:
                row = connection.execute(select(photos.c.body).where(_is(reading))).one_or_none()
            if row is not None:
                return LoneReading(reading) if row.body is None else msgspec.json.decode(row.body, type=LoneReading)
        raise Problem("no-reading", 404)

    def run(self, reading: str, reader: "Callable[[], vision.Reader]") -> None:
        """Reads a photo, in the thread of a reader. Raises `Problem` if the result cannot be stored."""
        with self._store.read() as connection:
            query = select(photos.c.original, photos.c.dice).where(_is(reading))
            row = connection.execute(query).one_or_none()
        if row is not None and row.original is not None:
            self._note(read_alone(reading, row.original, row.dice, reader))

    def give_up(self, reading: str) -> None:
        """Says that a photo cannot be read. Raises `Problem`."""
        self._note(LoneReading(reading, problem=refusal_document(Problem("reader-failed"))))

    def sweep(self) -> None:
        """Deletes what nobody asked for. Raises `Problem`."""
        with self._store.write() as connection:
            connection.execute(delete(photos).where(photos.c.lone, photos.c.put_at < moment(-KEPT_S)))

    def _note(self, done: LoneReading) -> None:
        """Keeps what was found, and the photo no longer."""
        body = msgspec.json.encode(done).decode()
        with self._store.write() as connection:
            connection.execute(update(photos).where(_is(done.id)).values(body=body, original=None))


def _is(reading: str) -> ColumnElement[bool]:
    return and_(photos.c.lone, photos.c.reading == reading)
