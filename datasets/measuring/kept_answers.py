"""Keeps what the eye answered, so that a changed rule of judging is measured in seconds: networks answer once."""

from __future__ import annotations

import hashlib
import os
import pickle
import zlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from vision.border import BORDER
from vision.eye import EyePicture, answer_at_once
from vision.judging.chances import Row
from vision.judging.dice_memory import DiceMemory
from vision.judging.overlap import Box
from vision.judging.seen import Candidates, Crop, CropAnswer, Places, Visibility
from vision.network_eye import CROP_CLASSIFIER, DETECTOR, NetworkEye
from vision.photo import Photo
from vision.reader import Reader
from vision.reading import Reading

Key = tuple[Any, ...]
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class KeptPicture:
    """A photo, or a part or smaller copy of it, which is decoded only if the eye has to look. `key`: which it is."""

    key: Key
    width: int
    height: int
    make: Callable[[], Photo]

    @cached_property
    def photo(self) -> Photo:
        return self.make()


class KeptEye:
    """A `vision.eye.Eye` for pictures that it opened. It asks the networks of the folder `models` for what it was not
    asked before about a photo of the same bytes.

    The answers are kept in `folder`, a file for each photo below the networks' hash; without a folder until the next
    photo. Raises ModelError.
    """

    def __init__(self, models: Path, folder: Path | None = None) -> None:
        self._eye = NetworkEye(models)
        self.likeness = self._eye.likeness
        networks = (models / name for name in (DETECTOR, CROP_CLASSIFIER, BORDER))
        mark = hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in networks))
        self._folder = None if folder is None else folder / mark.hexdigest()[:16]
        self._file: Path | None = None
        self._answers: dict[Key, Any] = {}
        self._new = False

    def open(self, data: bytes) -> KeptPicture:
        """The photo of a file's bytes. Raises PhotoError, OSError."""
        self._answers = {}
        if self._folder is not None:
            self._file = self._folder / hashlib.sha256(data).hexdigest()[:32]
            if self._file.is_file():
                self._answers = pickle.loads(zlib.decompress(self._file.read_bytes()))
        return self._picture(("photo",), lambda: Photo.decode(data))

    def save(self) -> None:
        """Writes the photo's answers, if there are new ones."""
        if self._file is not None and self._new:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            part = self._file.with_suffix(f".{os.getpid()}")
            part.write_bytes(zlib.compress(pickle.dumps(self._answers), 1))
            part.replace(self._file)
        self._new = False

    async def detect(self, photo: KeptPicture, side: int, least: float, mirrored: bool = False) -> Candidates:
        key = (*photo.key, "detect", side, least, mirrored)
        return await self._ask_once(key, lambda: self._eye.detect(photo.photo, side, least, mirrored))

    async def shrink(self, photo: KeptPicture, side: int) -> KeptPicture:
        return self._picture((*photo.key, "shrink", side), lambda: Photo(photo.photo.view(side)))

    async def cut(self, photo: KeptPicture, frame: tuple[int, int, int, int]) -> KeptPicture:
        return self._picture((*photo.key, "cut", frame), lambda: answer_at_once(self._eye.cut(photo.photo, frame)))

    async def classify(self, picture: KeptPicture, crops: Sequence[Crop]) -> list[CropAnswer]:
        keys = [(*picture.key, "crop", crop.box, crop.turn, crop.quarters) for crop in crops]
        new = [(key, crop) for key, crop in zip(keys, crops, strict=True) if key not in self._answers]
        if new:
            given = await self._eye.classify(picture.photo, [crop for _, crop in new])
            self._answers.update(zip((key for key, _ in new), given, strict=True))
            self._new = True
        return [self._answers[key] for key in keys]

    async def compare(self, features: Sequence[Row]) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
        return await self._eye.compare(features)  # takes no longer than to look it up

    async def look_along_border(self, photo: KeptPicture, dice: Sequence[Box]) -> Places:
        key = (*photo.key, "border", tuple(dice))
        return await self._ask_once(key, lambda: self._eye.look_along_border(photo.photo, dice))

    async def light(self, photo: KeptPicture, box: Box | None) -> Visibility:
        return await self._ask_once((*photo.key, "light", box), lambda: self._eye.light(photo.photo, box))

    async def _ask_once(self, key: Key, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        if key not in self._answers:
            self._answers[key] = await ask()
            self._new = True
        answer: Answer = self._answers[key]
        return answer

    def _picture(self, key: Key, make: Callable[[], Photo]) -> KeptPicture:
        known = (*key, "size")
        if known not in self._answers:
            photo = make()
            self._answers[known] = photo.width, photo.height
            self._new = True
            return KeptPicture(key, photo.width, photo.height, lambda: photo)
        width, height = self._answers[known]
        return KeptPicture(key, width, height, make)


class KeptReader(Reader):
    """A reader for measuring: what its networks answered about a photo is kept (`KeptEye`)."""

    def __init__(self, models: Path, folder: Path | None = None) -> None:
        """Raises ModelError."""
        self._kept = KeptEye(models, folder)
        self.open = self._kept.open
        super().__init__(models, self._kept)

    def read(
        self, photo: EyePicture, dice: int | None = None, aside: Sequence[int] = (), known: DiceMemory | None = None
    ) -> Reading:
        reading = super().read(photo, dice, aside, known)
        self._kept.save()
        return reading
