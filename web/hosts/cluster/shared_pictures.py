"""Photos under review in the database, so that any server shows them and any reader reads them.

`web.hosts.cluster.jobs` says who reads which. A photo that a table agreed to keep goes to the data folder of the
server at which it was confirmed.
"""

import errno
import logging
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import IO, Any

from sqlalchemy import text

from web.hosts.cluster.shared_store import SharedStore
from web.photos.photo_files import PhotoFiles
from web.problems.problem import Problem

logger = logging.getLogger(__name__)

EXPIRES_S = 24 * 3600  # after which any photo is deleted
LONE_EXPIRES_S = 3600  # a program's photo, and what was read
LOST_S = 600  # after which a photo without a table is deleted: its server died before or after the review
QUEUED_WITHIN_S = 5  # after its arrival, unless its server died

AGE = "put_at < now() - make_interval(secs => {})"
SWEEP = f"""DELETE FROM photos WHERE {AGE.format(":expires_s")} OR lone AND {AGE.format(":lone_s")}
    OR NOT lone AND {AGE.format(":lost_s")} AND NOT EXISTS (SELECT FROM tables WHERE tables.reading = photos.reading)"""
UNQUEUED = f"""SELECT key FROM photos JOIN tables USING (reading)
    WHERE waiting AND turn IS NULL AND {AGE.format(":within_s")} ORDER BY put_at"""
SUMS = "SELECT coalesce(owner, ''), sum(size) FROM photos WHERE NOT lone GROUP BY 1"
OLDEST_OF = """SELECT photos.reading, key FROM photos JOIN tables USING (reading)
    WHERE coalesce(photos.owner, '') = :owner ORDER BY put_at LIMIT 1"""


class SharedPictures(PhotoFiles):
    """The photos of one store. Errors of the database are raised as errors of a disk."""

    def __init__(self, store: SharedStore, folder: Path) -> None:
        super().__init__(folder)
        self._store = store

    def put_original(self, review_id: str, data: bytes) -> None:
        put = "INSERT INTO photos (reading, original, size) VALUES (:id, :data, :size)"
        self._do(put, id=review_id, data=data, size=len(data))

    def take_original(self, review_id: str, stream: IO[bytes]) -> None:
        self.put_original(review_id, stream.read())

    def original(self, review_id: str) -> bytes | None:
        found: bytes | None = self._one("original", review_id)
        return found

    def put_shown(self, review_id: str, data: bytes) -> None:
        self._do("UPDATE photos SET shown = :data WHERE reading = :id", id=review_id, data=data)

    def shown_picture(self, review_id: str) -> bytes | None:
        found: bytes | None = self._one("shown", review_id)
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
        self._try("DELETE FROM photos WHERE reading = :id", id=review_id)

    def size(self, review_id: str) -> int:
        try:
            return self._one("size", review_id) or 0
        except OSError:
            return 0

    def hold(self, review_id: str, key: str, address: str) -> None:
        if address:
            self._try("UPDATE photos SET owner = :owner WHERE reading = :id", id=review_id, owner=address)

    def one_too_many(self, most: int, most_of_one: int) -> tuple[str, str] | None:
        """The same over all servers."""
        try:
            taken = {row[0]: int(row[1]) for row in self._do(SUMS)}
            biggest = max(taken, key=taken.__getitem__, default="")
            if sum(taken.values()) <= most and taken.get(biggest, 0) <= most_of_one:
                return None
            return next(((row.reading, row.key) for row in self._do(OLDEST_OF, owner=biggest)), None)
        except OSError as error:
            logger.warning("photos under review could not be counted: %s", error)
            return None

    def has_room(self) -> bool:
        return True  # whoever runs the database sees to its disk

    def age_s(self, review_id: str) -> float:
        return float(self._one("extract(epoch FROM now() - put_at)", review_id) or 0.0)

    def sweep(self, under_review: Collection[str]) -> None:
        """Deletes photos of all servers that no table reviews any more, or that are a day old."""
        super().sweep(())
        self._do(SWEEP, expires_s=EXPIRES_S, lone_s=LONE_EXPIRES_S, lost_s=LOST_S)

    def unqueued_tables(self) -> list[str]:
        """The keys of tables whose waiting photo is in no queue: its server died before."""
        return [row.key for row in self._do(UNQUEUED, within_s=QUEUED_WITHIN_S)]

    def _one(self, column: str, review_id: str) -> Any:
        rows = self._do(f"SELECT {column} FROM photos WHERE reading = :id", id=review_id)
        return rows[0][0] if rows else None

    def _try(self, change: str, **values: object) -> None:
        try:
            self._do(change, **values)
        except OSError as error:
            logger.warning("a photo could not be deleted, or be told whose it is: %s", error)

    def _do(self, statement: str, **values: object) -> Sequence[Any]:
        try:
            with self._store.write() as connection:
                done = connection.execute(text(statement), values)
                return done.all() if done.returns_rows else ()
        except Problem as problem:
            raise OSError(errno.EIO, str(problem)) from problem
