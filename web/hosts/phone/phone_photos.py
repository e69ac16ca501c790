"""The photos of a phone alone: they wait in memory until the browser's eye reads them."""

from typing import Any

from web.common.problems import Problem
from web.photos.photo_files import PhotoFiles
from web.photos.reading_queue import PhotoJob

NOT_LOADED = "reader-not-loaded"


class PhonePhotos(PhotoFiles):
    """The photo files of a phone. None is kept for training: nobody could fetch it."""

    def keep(self, review_id: str, label: dict[str, Any]) -> None:
        pass


class PhotoTurns:
    """Photos that wait for the browser's eye: takes the place of `web.photos.reading_queue.ReadingQueue`."""

    def __init__(self) -> None:
        self._waiting: dict[int, str] = {}  # the photo of each table, in the order in which they are read

    def put(self, job: PhotoJob) -> int:
        """Raises `Problem("no-readers")` for a photo without a table: programs ask a computer."""
        if job.table_id < 0:
            raise Problem("no-readers", 503)
        self._waiting[job.table_id] = job.reading
        return list(self._waiting).index(job.table_id) + 1

    @property
    def has_one(self) -> bool:
        return bool(self._waiting)

    def take(self) -> str:
        """The id of the photo whose turn it is."""
        return self._waiting.pop(next(iter(self._waiting)))

    def close(self) -> None:
        self._waiting.clear()
