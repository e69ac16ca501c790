"""A reader for tests that show the same picture again and again."""

from __future__ import annotations

import hashlib

from vision import Photo, Reader
from vision.interpretation import Detections


class CachedReader(Reader):
    """Its networks look at each picture once; what they saw is judged anew each time."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: dict[tuple[bytes, tuple[int, ...], int | None], Detections] = {}

    def detect(self, photo: Photo, most: int | None = None) -> Detections:
        picture = hashlib.sha256(photo.pixels.tobytes()).digest(), photo.pixels.shape, most
        if picture not in self._seen:
            self._seen[picture] = super().detect(photo, most)
        return self._seen[picture]
