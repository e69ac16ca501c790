"""Photos under review in the database, so that any server shows them and any reader reads them.

`web.hosts.cluster.jobs` says who reads which. A photo that a table agreed to keep goes to the data folder of the
server at which it was confirmed.
"""

import errno
import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import sqlalchemy as sa

from web.common.problems import Problem
from web.hosts.cluster.shared_schema import moment, photos
from web.hosts.cluster.shared_store import SharedStore
from web.photos.photo_files import PhotoFiles
from web.store import schema

logger = logging.getLogger(__name__)

EXPIRES_S = 24 * 3600.0  # after which any photo is deleted
LOST_S = 600.0  # after which a photo without a table is deleted: its server died before or after the review
QUEUED_WITHIN_S = 5.0  # after its arrival, unless its server died


class SharedPictures(PhotoFiles):
    """The photos of one store. Errors of the database are raised as errors of a disk."""

    def __init__(self, store: SharedStore, folder: Path) -> None:
        super().__init__(folder)
        self._store = store

    def put_original(self, review_id: str, data: bytes) -> None:
        with self._changing() as connection:
            connection.execute(sa.insert(photos).values(reading=review_id, original=data, size=len(data)))

    def take_original(self, review_id: str, stream: IO[bytes]) -> None:
        self.put_original(review_id, stream.read())

    def original(self, review_id: str) -> bytes | None:
        found: bytes | None = self._one(photos.c.original, review_id)
        return found

    def put_shown(self, review_id: str, data: bytes) -> None:
        with self._changing() as connection:
            connection.execute(sa.update(photos).where(photos.c.reading == review_id).values(shown=data))

    def shown_picture(self, review_id: str) -> bytes | None:
        found: bytes | None = self._one(photos.c.shown, review_id)
        return found

    def keep(self, review_id: str, label: dict[str, Any]) -> None:
        original = self.original(review_id)
        if original is not None:
            super().put_original(review_id, original)
            try:
                super().keep(review_id, label)
            finally:
                super().delete(review_id)

    def delete(self, review_id: str) -> None:
        self._try(sa.delete(photos).where(photos.c.reading == review_id))

    def size(self, review_id: str) -> int:
        try:
            return self._one(photos.c.size, review_id) or 0
        except OSError:
            return 0

    def hold(self, review_id: str, key: str, address: str) -> None:
        if address:
            self._try(sa.update(photos).where(photos.c.reading == review_id).values(owner=address))

    def one_too_many(self, most: int, most_of_one: int) -> tuple[str, str] | None:
        """The same over all servers."""
        address = sa.func.coalesce(photos.c.owner, "")
        try:
            with self._seeing() as connection:
                sums = sa.select(address, sa.func.sum(photos.c.size)).where(~photos.c.lone).group_by(address)
                taken: dict[str, int] = {row[0]: int(row[1]) for row in connection.execute(sums)}
                biggest = max(taken, key=taken.__getitem__, default="")
                if sum(taken.values()) <= most and taken.get(biggest, 0) <= most_of_one:
                    return None
                row = connection.execute(_with_keys(photos.c.reading).where(address == biggest).limit(1)).one_or_none()
        except OSError as error:
            logger.warning("photos under review could not be counted: %s", error)
            return None
        return None if row is None else (row.reading, row.key)

    def has_room(self) -> bool:
        return True  # whoever runs the database sees to its disk

    def age_s(self, review_id: str) -> float:
        return float(self._one(sa.func.extract("epoch", sa.func.now() - photos.c.put_at), review_id) or 0.0)

    def sweep(self, under_review: Collection[str]) -> None:
        """Deletes photos of all servers that no table reviews any more, or that are a day old."""
        super().sweep(())
        unknown = ~sa.exists().where(schema.tables.c.reading == photos.c.reading)
        lost = sa.and_(~photos.c.lone, photos.c.put_at < moment(-LOST_S), unknown)
        with self._changing() as connection:
            connection.execute(sa.delete(photos).where(sa.or_(lost, photos.c.put_at < moment(-EXPIRES_S))))

    def take(self, review_id: str) -> bool:
        """Whether a waiting photo is in no queue yet."""
        return self._one(photos.c.turn, review_id) is None

    def unqueued_tables(self) -> list[str]:
        """The keys of tables whose waiting photo is in no queue: its server died before."""
        waits = sa.and_(schema.tables.c.waiting, photos.c.turn.is_(None), photos.c.put_at < moment(-QUEUED_WITHIN_S))
        with self._seeing() as connection:
            return list(connection.execute(_with_keys().where(waits)).scalars())

    def _one(self, column: sa.ColumnElement[Any], review_id: str) -> Any:
        with self._seeing() as connection:
            return connection.execute(sa.select(column).where(photos.c.reading == review_id)).scalar_one_or_none()

    def _try(self, change: sa.Update | sa.Delete) -> None:
        try:
            with self._changing() as connection:
                connection.execute(change)
        except OSError as error:
            logger.warning("a photo could not be deleted, or be told whose it is: %s", error)

    @contextmanager
    def _seeing(self) -> Iterator[sa.Connection]:
        with _as_a_disk(), self._store.read() as connection:
            yield connection

    @contextmanager
    def _changing(self) -> Iterator[sa.Connection]:
        with _as_a_disk(), self._store.write() as connection:
            yield connection


def _with_keys(*columns: sa.ColumnElement[Any]) -> sa.Select[Any]:
    """The keys of tables with a photo under review, and these columns of it; oldest photo first."""
    query = sa.select(schema.tables.c.key, *columns).join(photos, photos.c.reading == schema.tables.c.reading)
    return query.order_by(photos.c.put_at)


@contextmanager
def _as_a_disk() -> Iterator[None]:
    try:
        yield
    except Problem as problem:
        raise OSError(errno.EIO, str(problem)) from problem
