"""Records anew what the eye answers for pictures of the repository: `python -m tests.vision.judging.record`.

Needed when judging asks otherwise than before. Look at what changed in the readings before you commit the file.
"""

from __future__ import annotations

import base64
import dataclasses
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.vision.judging.recordings import (
    FILE,
    RecordedEye,
    Recording,
    Sized,
    asked_for,
    document,
    pack,
    question,
    read_with,
    recordings,
)
from vision import DiceMemory, Photo, Reader
from vision.eye import answer_at_once
from vision.judging.chances import Row
from vision.judging.judge import Judge
from vision.judging.overlap import Box
from vision.judging.seen import Candidates, Crop, CropAnswer, Places, Visibility
from vision.judging.weights import Calibration
from vision.network_eye import NetworkEye
from vision.reader import CALIBRATION, MODELS

PICTURES = Path(__file__).resolve().parents[2] / "pictures"
_SEEN = -3.0  # log-odds of a place at the border that is kept
_MOST = 60  # boxes of one detection: the best


class RecordingEye:
    """Asks another eye, and keeps its answers as `RecordedEye` gives them: rounded, so the reading is made of these."""

    def __init__(self, eye: NetworkEye) -> None:
        self._eye, self.likeness = eye, eye.likeness
        self.answers: list[Any] = []

    def _keep(self, asked: str, answer: Any) -> RecordedEye:
        self.answers.append([asked, answer])
        return RecordedEye(self.likeness, [(asked, answer)])

    async def detect(self, photo: Photo, side: int, least: float, mirrored: bool = False) -> Candidates:
        found = await self._eye.detect(photo, side, least, mirrored)
        rows = [(*box, score) for box, score in zip(found.boxes, found.scores, strict=True)][:_MOST]
        kept = self._keep(question("detect", photo, side, mirrored), pack(rows))
        return await kept.detect(Sized(photo.width, photo.height), side, least, mirrored)

    async def shrink(self, photo: Photo, side: int) -> Photo:
        view = await self._eye.shrink(photo, side)
        self._keep(question("shrink", photo), (view.width, view.height))
        return view

    async def classify(self, picture: Photo, crops: Sequence[Crop]) -> list[CropAnswer]:
        given = await self._eye.classify(picture, crops)
        views = [(*row, *up) for one in given for row, up in zip(one.logits, one.directions, strict=True)]
        answer = {
            "views": pack(views),
            "elevations": pack([one.elevations for one in given]),
            "shares": pack([one.shares for one in given]),
        }
        kept = self._keep(question("classify", picture, *map(asked_for, crops)), answer)
        rounded = await kept.classify(Sized(picture.width, picture.height), crops)
        return [dataclasses.replace(one, features=own.features) for one, own in zip(rounded, given, strict=True)]

    async def compare(self, features: Sequence[Row]) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
        vectors, set_vectors = await self._eye.compare(features)
        kept = self._keep(question("compare", len(features)), (pack(vectors), pack(set_vectors)))
        return await kept.compare(features)

    async def cut(self, photo: Photo, frame: tuple[int, int, int, int]) -> Photo:
        part = await self._eye.cut(photo, frame)
        self._keep(question("cut", photo, *frame), (part.width, part.height))
        return part

    async def look_along_border(self, photo: Photo, dice: Sequence[Box]) -> Places:
        places = await self._eye.look_along_border(photo, dice)
        scored = zip(places.boxes, places.log_odds, strict=True)
        kept = self._keep(
            question("border", photo, len(dice)), pack([(*box, odds) for box, odds in scored if odds > _SEEN])
        )
        return await kept.look_along_border(Sized(photo.width, photo.height), dice)

    async def light(self, photo: Photo, box: Box | None) -> Visibility:
        light = await self._eye.light(photo, box)
        self._keep(question("light", photo, *(map(round, box) if box else ())), dataclasses.astuple(light))
        return light


def picture(name: str) -> Photo:
    return Photo.decode((PICTURES / name).read_bytes())


def scaled(name: str, times: float) -> Photo:
    return Photo(np.asarray(cv2.resize(picture(name).pixels, None, fx=times, fy=times), np.uint8))


def in_field(name: str, times: int) -> Photo:
    """The picture in a field of so many times its sides."""
    pixels = picture(name).pixels
    field = np.full((times * pixels.shape[0], times * pixels.shape[1], 3), np.median(pixels, (0, 1)), np.uint8)
    field[: pixels.shape[0], : pixels.shape[1]] = pixels
    return Photo(field)


def middle_of(name: str, die: int, times: float) -> Photo:
    """The surroundings of one die, of so many times its side."""
    photo = picture(name)
    x0, y0, x1, y1 = Reader().read(photo).dice[die].box
    x, y, reach = (x0 + x1) / 2, (y0 + y1) / 2, times * max(x1 - x0, y1 - y0) / 2
    part = photo.pixels[max(0, int(y - reach)) : int(y + reach), max(0, int(x - reach)) : int(x + reach)]
    return Photo(np.ascontiguousarray(part))


def memory_of(name: str) -> DiceMemory:
    reading = Reader().read(picture(name))
    assert reading.trace is not None
    return DiceMemory([reading.trace.sample([(die.value, die.box) for die in reading.dice])])


def main() -> None:
    eye, calibration = NetworkEye(MODELS), Calibration.load(MODELS / CALIBRATION)
    turned = Photo(np.ascontiguousarray(np.rot90(picture("throw-23335.jpg").pixels)))
    cases: list[tuple[str, Photo, int | None, tuple[int, ...], DiceMemory | None]] = [
        ("six dice, counted", picture("throw-113466.jpg"), 6, (), None),
        ("six dice, one too many for the count", picture("throw-113466.jpg"), 5, (), None),
        ("six dice, two of them aside", picture("throw-113466.jpg"), 4, (6, 6), None),
        ("four fours", picture("throw-224444.jpg"), None, (), None),
        ("one die", picture("throw-4.jpg"), 1, (), None),
        ("a turned camera", turned, None, (), None),
        ("small dice in a wide field", in_field("throw-2345.jpg", 5), 4, (), None),
        ("one die that fills the photo", middle_of("throw-113466.jpg", 0, 1.6), 1, (), None),
        ("a coarse photo", scaled("throw-12345.jpg", 0.2), 5, (), None),
        ("dice that the table knows", picture("throw-15.jpg"), 2, (), memory_of("throw-12345.jpg")),
        ("an empty table", Photo(np.full((480, 640, 3), 120, np.uint8)), 5, (), None),
    ]
    photos = []
    for name, photo, dice, aside, memory in cases:
        recording = RecordingEye(eye)
        reading = answer_at_once(read_with(Judge(recording, calibration), photo, dice, aside, memory))
        samples = [] if memory is None else [base64.b85encode(one.to_bytes()).decode() for one in memory.samples]
        row = {"name": name, "size": (photo.width, photo.height), "dice": dice, "aside": aside, "memory": samples}
        photos.append({**row, "answers": recording.answers, "expected": document(reading)})
        print(f"{name}: {reading.values}, {'sure' if reading.sure else [ask.reason for ask in reading.asks]}")
    kept = {
        "calibration": dataclasses.asdict(calibration),
        "likeness": dataclasses.astuple(eye.likeness),
        "photos": photos,
    }
    FILE.write_bytes(gzip.compress(json.dumps(kept, separators=(",", ":")).encode(), mtime=0))
    assert all(isinstance(one, Recording) for one in recordings()[2])


if __name__ == "__main__":
    main()
