"""What an eye answered when photos were read, kept as numbers: `recordings.json.gz`. Imports nothing but judging."""

from __future__ import annotations

import base64
import gzip
import json
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.eye import answer_at_once
from vision.judging.chances import Row
from vision.judging.dice_memory import DiceMemory, DiceSample, Likeness
from vision.judging.judge import Expected, Judge
from vision.judging.overlap import Box
from vision.judging.seen import Candidates, Crop, CropAnswer, Places, Visibility
from vision.judging.weights import Calibration, CutWeights, Weights
from vision.reading import Reading

FILE = Path(__file__).parent / "recordings.json.gz"


@dataclass(frozen=True)
class Sized:
    """A picture of which only the size is known."""

    width: int
    height: int


class RecordedEye:
    """Answers as another eye did, in the same order. Raises AssertionError if it is asked otherwise."""

    def __init__(self, likeness: Likeness, answers: Sequence[Any]) -> None:
        self.likeness = likeness
        self._answers = iter(answers)

    def _next(self, asked: str) -> Any:
        recorded, answer = next(self._answers, ("nothing more", None))
        assert asked == recorded, f"asked {asked}, recorded {recorded}: see tests/vision/judging/record.py"
        return answer

    async def detect(self, photo: Sized, side: int, least: float, mirrored: bool = False) -> Candidates:
        boxes = unpack(self._next(question("detect", photo, side, mirrored)), 5)
        return Candidates(tuple((x0, y0, x1, y1) for x0, y0, x1, y1, _ in boxes), tuple(row[4] for row in boxes))

    async def shrink(self, photo: Sized, side: int) -> Sized:
        return Sized(*self._next(question("shrink", photo)))

    async def classify(self, picture: Sized, crops: Sequence[Crop]) -> list[CropAnswer]:
        answers = self._next(question("classify", picture, *map(asked_for, crops)))
        rows = iter(unpack(answers["views"], 19))
        sizes = [4 if crop.quarters else 2 for crop in crops]
        views = [[next(rows) for _ in range(size)] for size in sizes]
        more = zip(unpack(answers["elevations"], 9), unpack(answers["shares"], 5), strict=True)
        return [
            CropAnswer(tuple(row[:7] for row in own), tuple(row[7:] for row in own), (), *others)
            for own, others in zip(views, more, strict=True)
        ]

    async def compare(self, features: Sequence[Row]) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
        answers = self._next(question("compare", len(features)))
        return unpack(answers[0], len(self.likeness.between)), unpack(answers[1], len(self.likeness.set_between))

    async def cut(self, photo: Sized, frame: tuple[int, int, int, int]) -> Sized:
        return Sized(*self._next(question("cut", photo, *frame)))

    async def look_along_border(self, photo: Sized, dice: Sequence[Box]) -> Places:
        rows = unpack(self._next(question("border", photo, len(dice))), 5)
        return Places(tuple((x0, y0, x1, y1) for x0, y0, x1, y1, _ in rows), tuple(row[4] for row in rows))

    async def light(self, photo: Sized, box: Box | None) -> Visibility:
        return Visibility(*self._next(question("light", photo, *(map(round, box) if box else ()))))


def question(name: str, *of: Any) -> str:
    """The words for a question, short and without fine numbers."""
    return " ".join([name, *(f"{one.width}x{one.height}" if hasattr(one, "width") else str(one) for one in of)])


def asked_for(crop: Crop) -> str:
    x0, y0, x1, y1 = crop.box
    return f"{round((x0 + x1) / 2)},{round((y0 + y1) / 2)}@{round(crop.turn)}{'+' * crop.quarters}"


def pack(rows: Sequence[Row]) -> str:
    """Numbers of half precision."""
    numbers = [number for row in rows for number in row]
    return base64.b85encode(struct.pack(f"<{len(numbers)}e", *numbers)).decode()


def unpack(text: str, wide: int) -> tuple[Row, ...]:
    data = base64.b85decode(text)
    numbers = struct.unpack(f"<{len(data) // 2}e", data)
    return tuple(numbers[place : place + wide] for place in range(0, len(numbers), wide))


@dataclass(frozen=True)
class Recording:
    """One photo, what was known of the throw, what the eye answered, and the reading then, as a document."""

    name: str
    photo: Sized
    dice: int | None
    aside: tuple[int, ...]
    memory: DiceMemory | None
    answers: list[Any]
    expected: dict[str, Any]

    def read(self, calibration: Calibration, likeness: Likeness) -> dict[str, Any]:
        """What judging makes of the answers now."""
        judge = Judge(RecordedEye(likeness, self.answers), calibration)
        return document(answer_at_once(read_with(judge, self.photo, self.dice, self.aside, self.memory)))


async def read_with(
    judge: Judge, photo: Any, dice: int | None, aside: Sequence[int], memory: DiceMemory | None
) -> Reading:
    reading, seen = await judge.read(photo, Expected(dice, aside, memory))
    return await judge.examine(photo, reading, seen, dice)


def document(reading: Reading) -> dict[str, Any]:
    return {**reading.to_json(""), "obstacles": list(reading.obstacles)}


def recordings() -> tuple[Calibration, Likeness, list[Recording]]:
    kept = json.loads(gzip.decompress(FILE.read_bytes()))
    fields = kept["calibration"]
    fields |= {"known": Weights(**fields["known"]), "cut": CutWeights(**fields["cut"])}
    likeness = Likeness(*(tuple(each) if isinstance(each, list) else each for each in kept["likeness"]))
    return Calibration(**fields), likeness, list(_recordings(kept["photos"]))


def _recordings(photos: Sequence[dict[str, Any]]) -> Iterator[Recording]:
    for one in photos:
        memory = None
        if one["memory"]:
            samples = [DiceSample.from_bytes(base64.b85decode(text)) for text in one["memory"]]
            memory = DiceMemory(samples)
        yield Recording(
            one["name"], Sized(*one["size"]), one["dice"], tuple(one["aside"]), memory, one["answers"], one["expected"]
        )
