"""The photo files of a phone: the photo that came last is on its disk too, and what became of its reading."""

import contextlib
import json
import logging
import os
from pathlib import Path
from typing import IO, Any

from web.photos.photo_files import KINDS, ORIGINAL, PhotoFiles

logger = logging.getLogger(__name__)

NOTE = "photo.json"


class PhonePhotos(PhotoFiles):
    """None is kept for training: nobody could fetch it.

    `tries`: how often the reading of the photo on the disk has begun, and has not ended.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._folder, self._last, self.tries = folder, "", 0
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):  # none, or torn off by a flat battery
            note = json.loads((folder / NOTE).read_bytes())
            self._last, self.tries = str(note["id"]), int(note["tries"])
        for ending in KINDS if self._last else ():
            with contextlib.suppress(FileNotFoundError):
                if content := self._on_disk(ending).read_bytes():
                    (self._photos / f"{self._last}.{ending}").write_bytes(content)

    def take_original(self, review_id: str, stream: IO[bytes]) -> None:
        super().take_original(review_id, stream)
        self._last = ""
        for ending in KINDS:
            self._write(self._on_disk(ending), (self.original(review_id) or b"") if ending == ORIGINAL else b"")
        self._note(review_id, 0)

    def put_shown(self, review_id: str, data: bytes) -> None:
        super().put_shown(review_id, data)
        if review_id == self._last:
            self._write(self._on_disk("jpg"), data)

    def put_small(self, review_id: str, data: bytes) -> None:
        super().put_small(review_id, data)
        if review_id == self._last:
            self._write(self._on_disk("small"), data)

    def begin_reading(self, review_id: str) -> None:
        """Notes that a photo is being read: a browser may end for it."""
        if review_id == self._last:
            self._note(review_id, self.tries + 1)
        else:
            self.tries = 0

    def end_reading(self, review_id: str) -> None:
        if review_id == self._last:
            self._note(review_id, 0)

    def delete(self, review_id: str) -> None:
        super().delete(review_id)
        if review_id == self._last:
            for path in (self._folder / NOTE, *map(self._on_disk, KINDS)):
                self._write(path, b"")
            self._last, self.tries = "", 0

    def keep(self, review_id: str, label: dict[str, Any]) -> None:
        pass

    def _on_disk(self, ending: str) -> Path:
        return self._folder / f"photo.{ending}"

    def _note(self, review_id: str, tries: int) -> None:
        self._last, self.tries = review_id, tries
        self._write(self._folder / NOTE, json.dumps({"id": review_id, "tries": tries}).encode())

    def _write(self, path: Path, content: bytes) -> None:
        try:
            with path.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:  # the photo is in memory all the same
            logger.warning("a photo could not be noted: %s", error)
