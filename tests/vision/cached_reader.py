"""A reader for tests that show the same picture repeatedly."""

from __future__ import annotations

import hashlib

from vision import Photo, Reader
from vision.judging.seen import Seen


class CachedReader(Reader):
    """Detects each picture once, and interprets its detections anew each time."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: dict[tuple[bytes, tuple[int, ...], int | None], Seen] = {}

    def detect(self, photo: Photo, most: int | None = None) -> Seen:
        picture = hashlib.sha256(photo.pixels.tobytes()).digest(), photo.pixels.shape, most
        if picture not in self._seen:
            self._seen[picture] = super().detect(photo, most)
        return self._seen[picture]
