"""A browser's eye: script in a worker of a phone looks (`web/hosts/phone/shell/eye`), Python judges here.

With all of `vision.judging`: a start does without.
"""

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from vision import containers
from vision.eye import EyePicture
from vision.judging.chances import Row
from vision.judging.dice_memory import DiceMemory, Likeness
from vision.judging.judge import Expected, Judge
from vision.judging.overlap import Box
from vision.judging.seen import (
    DIRECTIONS,
    ELEVATIONS,
    FEATURES,
    NONE,
    SHARES,
    UPRIGHT,
    Candidates,
    Crop,
    CropAnswer,
    Places,
    Visibility,
)
from vision.judging.weights import Calibration
from vision.reading import Reading
from vision.reasons import PhotoError
from web.problems.problem import Problem

# Asks the worker: the name of a question, its arguments as JSON, and a file. Gives why it refuses, as JSON, or None;
# and what it tells, as JSON or as files.
Ask: TypeAlias = Callable[[str, str, bytes | None], Awaitable[tuple[str | None, Any]]]
Told = TypeVar("Told")

CALIBRATION = Path(__file__).resolve().parents[2] / "models" / "calibration.json"

# What a worker may tell. It may run on a phone of whoever comes: nothing else reaches the judging.
_MOST_BOXES = 300  # of one run of the detector: as `shell/eye/networks.js` gives them
_MOST_PLACES = 20_000  # along the border of a photo with the smallest dice
_Side: TypeAlias = Annotated[int, Meta(ge=1, le=1 << 16)]
_Kept: TypeAlias = tuple[Annotated[int, Meta(ge=0)], _Side, _Side]
_Edge: TypeAlias = Annotated[float, Meta(ge=-8, le=8)]  # in sides of the photo: a box may reach beyond it
_Edges: TypeAlias = tuple[_Edge, _Edge, _Edge, _Edge]
_Score: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
_Number: TypeAlias = Annotated[float, Meta(ge=-1e4, le=1e4)]
_Found: TypeAlias = tuple[
    Annotated[tuple[_Edges, ...], Meta(max_length=_MOST_BOXES)],
    Annotated[tuple[_Score, ...], Meta(max_length=_MOST_BOXES)],
]
_Border: TypeAlias = tuple[
    Annotated[tuple[_Edges, ...], Meta(max_length=_MOST_PLACES)],
    Annotated[tuple[_Number, ...], Meta(max_length=_MOST_PLACES)],
]
_Light: TypeAlias = tuple[Annotated[float, Meta(ge=0, le=255)], Annotated[float, Meta(ge=0, le=1e4)]]
_Numbers: TypeAlias = tuple[_Number, ...]
_Answers: TypeAlias = tuple[tuple[tuple[_Numbers, ...], tuple[_Numbers, ...], _Numbers, _Numbers, _Numbers], ...]


class EyeFaultError(ValueError):
    """A worker told what no eye tells."""


@dataclass(frozen=True)
class BrowserPhoto:
    """A photo that the worker keeps under this number."""

    number: int
    width: int
    height: int


class BrowserEye:
    """A `vision.eye.Eye` for `BrowserPhoto`. Photos can be decoded before it is loaded.

    Raises PhotoError and `Problem("reader-not-loaded")` as the worker does, and EyeFaultError."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._likeness: Likeness | None = None

    @property
    def likeness(self) -> Likeness:
        if self._likeness is None:
            raise RuntimeError("the eye is not loaded")
        return self._likeness

    async def load(self) -> None:
        """Has the worker load its networks. Raises `Problem("reader-not-loaded")` where they are not at hand."""
        if self._likeness is None:
            self._likeness = await self._get("load", kind=Likeness)

    async def decode(self, data: bytes, smaller: bool = False) -> BrowserPhoto:
        """Raises PhotoError for what this browser cannot decode. `smaller`: in less memory."""
        kind = containers.format_of_photo(data)
        try:
            file = containers.strip_metadata(data)
        except (ValueError, LookupError) as error:
            raise PhotoError("photo-damaged") from error
        return await self.take(kind, file.orientation, smaller, file.data)

    async def take(self, kind: str, orientation: int, smaller: bool, data: bytes | None = None) -> BrowserPhoto:
        """The photo of a file without metadata; None: one that the worker has."""
        return BrowserPhoto(*await self._get("decode", kind, orientation, smaller, kind=_Kept, file=data))

    async def pictures(self, photo: BrowserPhoto) -> tuple[bytes, bytes | None]:
        """JPEGs of the photo: for the page, and a small one as proof of a throw, if one is small enough."""
        shown, small = await self._request("pictures", [photo.number])
        return bytes(shown), None if small is None else bytes(small)

    async def clear(self) -> None:
        """Forgets all photos."""
        await self._get("clear", kind=type(None))

    async def cut(self, photo: BrowserPhoto, frame: tuple[int, int, int, int]) -> BrowserPhoto:
        return BrowserPhoto(*await self._get("cut", photo.number, frame, kind=_Kept))

    async def shrink(self, photo: BrowserPhoto, side: int) -> BrowserPhoto:
        return BrowserPhoto(*await self._get("shrink", photo.number, side, kind=_Kept))

    async def detect(self, photo: BrowserPhoto, side: int, least: float, mirrored: bool = False) -> Candidates:
        boxes, scores = await self._get("detect", photo.number, side, least, mirrored, kind=_Found)
        _same_number(boxes, scores)
        return Candidates(boxes, scores)

    async def classify(self, picture: BrowserPhoto, crops: Sequence[Crop]) -> Sequence[CropAnswer]:
        asked = [(crop.box, crop.turn, crop.quarters) for crop in crops]
        answers = await self._get("classify", picture.number, asked, kind=_Answers)
        _same_number(answers, crops)
        return [_crop_answer(crop, *each) for crop, each in zip(crops, answers, strict=True)]

    async def compare(self, features: Sequence[Row]) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
        kind = tuple[tuple[_Numbers, ...], tuple[_Numbers, ...]]
        vectors, set_vectors = await self._get("compare", features, kind=kind)
        _same_number(vectors, features)
        return vectors, set_vectors

    async def look_along_border(self, photo: BrowserPhoto, dice: Sequence[Box]) -> Places:
        boxes, log_odds = await self._get("border", photo.number, dice, kind=_Border)
        _same_number(boxes, log_odds)
        return Places(boxes, log_odds)

    async def light(self, photo: BrowserPhoto, box: Box | None) -> Visibility:
        return Visibility(*await self._get("light", photo.number, box, kind=_Light))

    async def _get(self, name: str, *given: Any, kind: Any, file: bytes | None = None) -> Any:
        try:
            return msgspec.json.decode(await self._request(name, given, file), type=kind)
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise EyeFaultError(f"{name}: {error}") from error

    async def _request(self, name: str, given: Sequence[Any], file: bytes | None = None) -> Any:
        refused, answer = await self._ask(name, json.dumps(given), file)
        if not refused:
            return answer
        reason, params, fault = json.loads(refused)
        if reason == "reader-not-loaded":
            raise Problem(reason, 503)
        raise PhotoError(reason, **params) if reason else RuntimeError(fault)


class BrowserReader:
    """Reads photos of one eye, as `vision.Reader` does."""

    def __init__(self, eye: BrowserEye) -> None:
        self._judge = Judge(eye, Calibration.load(CALIBRATION))
        self._eye = eye

    async def read(
        self, photo: EyePicture, dice: int | None = None, aside: Sequence[int] = (), known: DiceMemory | None = None
    ) -> Reading:
        """Arguments as for `vision.Reader.read`."""
        await self._eye.load()
        reading, seen = await self._judge.read(photo, Expected(dice, aside, known))
        return await self._judge.examine(photo, reading, seen, dice)


def _crop_answer(crop: Crop, *rows: Any) -> CropAnswer:
    logits, directions, features, elevations, shares = rows
    views = UPRIGHT + 2 * crop.quarters
    widths = [len(logits), len(directions), *map(len, (*logits, *directions, features, elevations, shares))]
    if widths != [views, views, *[NONE + 1] * views, *[DIRECTIONS] * views, FEATURES, ELEVATIONS, SHARES]:
        raise EyeFaultError("classify: no answer for this crop")
    return CropAnswer(logits, directions, features, elevations, shares)


def _same_number(some: Sequence[Any], others: Sequence[Any]) -> None:
    if len(some) != len(others):
        raise EyeFaultError(f"{len(some)} answers for {len(others)}")
