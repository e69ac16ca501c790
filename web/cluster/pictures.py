"""Photos under review in the database, so that any server shows them and another reads one whose server died.

A photo is read by the server that took it. That one holds it, and says so again and again; when it no longer does, the
photo is free for the first that looks. What a table agreed to keep goes to the data folder of the server that it was
confirmed at.
"""

import errno
import logging
import secrets
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, or_, select, text, update

from web.cluster.schema import photos
from web.cluster.store import SharedStore
from web.errors import Problem
from web.photos.pictures import Pictures
from web.tables import schema

logger = logging.getLogger(__name__)

HELD_S = 20.0  # for which a server holds a photo without saying so again
ORPHANED_S = 24 * 3600  # after which a photo goes that no table looks at


class SharedPictures(Pictures):
    """The photos of one store. Where the database does not answer, the errors are those of a disk."""

    def __init__(self, store: SharedStore, folder: Path) -> None:
        super().__init__(folder)
        self._store = store
        self._name = secrets.token_hex(16)  # of this server

    def put_original(self, reading: str, data: bytes) -> None:
        with self._changing() as connection:
            held = {"held_by": self._name, "held_until": _in(HELD_S)}
            connection.execute(insert(photos).values(reading=reading, original=data, size=len(data), **held))

    def take_original(self, reading: str, stream: IO[bytes]) -> None:
        self.put_original(reading, stream.read())

    def original(self, reading: str) -> bytes | None:
        found: bytes | None = self._one(photos.c.original, reading)
        return found

    def put_shown(self, reading: str, data: bytes) -> None:
        with self._changing() as connection:
            connection.execute(update(photos).where(photos.c.reading == reading).values(shown=data))

    def shown(self, reading: str) -> bytes | None:
        found: bytes | None = self._one(photos.c.shown, reading)
        return found

    def keep(self, reading: str, label: dict[str, Any]) -> None:
        original = self.original(reading)
        if original is not None:
            super().put_original(reading, original)
            try:
                super().keep(reading, label)
            finally:
                super().delete(reading)

    def delete(self, reading: str) -> None:
        try:
            with self._changing() as connection:
                connection.execute(delete(photos).where(photos.c.reading == reading))
        except OSError as error:
            logger.warning("a photo could not be deleted: %s", error)

    def size(self, reading: str) -> int:
        try:
            return self._one(photos.c.size, reading) or 0
        except OSError:
            return 0

    def age_s(self, reading: str) -> float:
        return float(self._one(func.extract("epoch", func.now() - photos.c.put_at), reading) or 0.0)

    def sweep(self, under_review: Collection[str]) -> None:
        """Deletes photos of before yesterday that are not under review; newer ones may be another server's."""
        super().sweep(())
        old = photos.c.put_at < _in(-ORPHANED_S)
        with self._changing() as connection:
            connection.execute(delete(photos).where(old, photos.c.reading.not_in(list(under_review))))

    def take(self, reading: str) -> bool:
        with self._changing() as connection:
            held = update(photos).where(photos.c.reading == reading, self._free())
            taken = connection.execute(held.values(held_by=self._name, held_until=_in(HELD_S))).rowcount > 0
        return taken or self._one(photos.c.size, reading) is None

    def hold(self, readings: Collection[str]) -> None:
        """Says that this server still has these in its queue, or reads them."""
        if readings:
            mine = and_(photos.c.reading.in_(list(readings)), photos.c.held_by == self._name)
            with self._changing() as connection:
                connection.execute(update(photos).where(mine).values(held_until=_in(HELD_S)))

    def left(self) -> list[str]:
        """The keys of tables whose photo waits to be read, and the server that held it no longer does."""
        query = select(schema.tables.c.key).join(schema.pending, schema.pending.c.table_id == schema.tables.c.id)
        query = query.join(photos, photos.c.reading == schema.pending.c.reading)
        waits = schema.pending.c.body.contains('"status": "waiting"')
        with self._seeing() as connection:
            return list(connection.execute(query.where(waits, photos.c.held_until < func.now())).scalars())

    def _free(self) -> ColumnElement[bool]:
        return or_(photos.c.held_by == self._name, photos.c.held_until < func.now())

    def _one(self, column: ColumnElement[Any], reading: str) -> Any:
        with self._seeing() as connection:
            return connection.execute(select(column).where(photos.c.reading == reading)).scalar_one_or_none()

    @contextmanager
    def _seeing(self) -> Iterator[Connection]:
        with _as_a_disk(), self._store.seen_whole() as connection:
            yield connection

    @contextmanager
    def _changing(self) -> Iterator[Connection]:
        with _as_a_disk(), self._store.filled() as connection:
            yield connection


@contextmanager
def _as_a_disk() -> Iterator[None]:
    try:
        yield
    except Problem as problem:
        raise OSError(errno.EIO, str(problem)) from problem


def _in(seconds: float) -> ColumnElement[Any]:
    """The database's time so many seconds from now: the servers' own clocks may differ."""
    return func.now() + text(f"interval '{seconds} seconds'")
