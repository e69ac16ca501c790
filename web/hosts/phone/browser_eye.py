"""The eye of a phone alone: script in a worker of the browser looks (`shell/eye`), Python judges.

With all of `vision.judging`: a start does without.
"""

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from vision import containers
from vision.eye import EyePicture
from vision.judging.chances import Row
from vision.judging.dice_memory import DiceMemory, Likeness
from vision.judging.judge import Expected, Judge
from vision.judging.overlap import Box
from vision.judging.seen import Candidates, Crop, CropAnswer, Places, Visibility
from vision.judging.weights import Calibration
from vision.reading import Reading
from vision.reasons import PhotoError
from web.hosts.phone.phone_photos import PhonePhotos
from web.problems.problem import Problem
from web.table.photo_state import PhotoDetails

# Asks the worker: the name of a question, its arguments as JSON, and a file. Gives why it refuses, as JSON, or None;
# and what it tells, as JSON or as files.
Ask: TypeAlias = Callable[[str, str, bytes | None], Awaitable[tuple[str | None, Any]]]

CALIBRATION = Path(__file__).resolve().parents[3] / "models" / "calibration.json"


@dataclass(frozen=True)
class BrowserPhoto:
    """A photo that the worker keeps under this number."""

    number: int
    width: int
    height: int


class BrowserEye:
    """A `vision.eye.Eye` for `BrowserPhoto`. Photos can be decoded before it is loaded."""

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
            answer = await self._get("load")
            numbers: dict[str, Any] = {
                name: tuple(each) if isinstance(each, list) else each for name, each in answer.items()
            }
            self._likeness = Likeness(**numbers)

    async def decode(self, data: bytes, smaller: bool = False) -> BrowserPhoto:
        """Raises PhotoError for what this browser cannot decode. `smaller`: in less memory."""
        kind = containers.format_of_photo(data)
        try:
            file = containers.strip_metadata(data)
        except (ValueError, LookupError) as error:
            raise PhotoError("photo-damaged") from error
        return BrowserPhoto(*await self._get("decode", kind, file.orientation, smaller, file=file.data))

    async def pictures(self, photo: BrowserPhoto) -> tuple[bytes, bytes | None]:
        """JPEGs of the photo: for the page, and a small one as proof of a throw, if one is small enough."""
        shown, small = await self._request("pictures", [photo.number])
        return bytes(shown), None if small is None else bytes(small)

    async def clear(self) -> None:
        """Forgets all photos."""
        await self._get("clear")

    async def cut(self, photo: BrowserPhoto, frame: tuple[int, int, int, int]) -> BrowserPhoto:
        return BrowserPhoto(*await self._get("cut", photo.number, frame))

    async def shrink(self, photo: BrowserPhoto, side: int) -> BrowserPhoto:
        return BrowserPhoto(*await self._get("shrink", photo.number, side))

    async def detect(self, photo: BrowserPhoto, side: int, least: float, mirrored: bool = False) -> Candidates:
        boxes, scores = await self._get("detect", photo.number, side, least, mirrored)
        return Candidates(_rows(boxes), tuple(scores))

    async def classify(self, picture: BrowserPhoto, crops: Sequence[Crop]) -> Sequence[CropAnswer]:
        asked = [(crop.box, crop.turn, crop.quarters) for crop in crops]
        return [
            CropAnswer(_rows(logits), _rows(directions), *map(tuple, means))
            for logits, directions, *means in await self._get("classify", picture.number, asked)
        ]

    async def compare(self, features: Sequence[Row]) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
        vectors, set_vectors = await self._get("compare", features)
        return _rows(vectors), _rows(set_vectors)

    async def look_along_border(self, photo: BrowserPhoto, dice: Sequence[Box]) -> Places:
        boxes, log_odds = await self._get("border", photo.number, dice)
        return Places(_rows(boxes), tuple(log_odds))

    async def light(self, photo: BrowserPhoto, box: Box | None) -> Visibility:
        return Visibility(*await self._get("light", photo.number, box))

    async def _get(self, name: str, *given: Any, file: bytes | None = None) -> Any:
        return json.loads(await self._request(name, given, file))

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


class PhoneEye:
    """The browser's eye, as `PhotoReader.read` wants it: one photo after the other."""

    def __init__(self, ask: Ask, files: PhonePhotos) -> None:
        self._files = files
        self._eye = BrowserEye(ask)
        self._reader = BrowserReader(self._eye)

    async def photo(self, details: PhotoDetails) -> BrowserPhoto:
        """The decoded photo; its pictures are among the files then. Raises PhotoError, and Problem("no-reading") if its
        file is gone."""
        data = self._files.original(details.id)
        if data is None:
            raise Problem("no-reading", 409)
        photo = await self._eye.decode(data, smaller=self._files.tries > 1)
        shown, small = await self._eye.pictures(photo)
        self._files.put_shown(details.id, shown)
        if small is not None:
            self._files.put_small(details.id, small)
        return photo

    async def look(self, photo: BrowserPhoto, details: PhotoDetails, known: DiceMemory | None) -> Reading:
        return await self._reader.read(photo, details.expects, details.beside, known)

    async def forget(self) -> None:
        """Forgets all photos."""
        await self._eye.clear()


def _rows(rows: Sequence[Sequence[float]]) -> Any:
    return tuple(map(tuple, rows))
