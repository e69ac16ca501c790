"""What a photo under review may be, and of each the JSON that the phones know and the store keeps.

A photo that was confirmed, discarded or replaced is none any more: its place at the table is empty.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, UnsetType, convert, json

from web.session.json_document import Document, RefusalDocument
from web.session.replay import Json

Box: TypeAlias = tuple[float, float, float, float]  # x0, y0, x1, y1 in pixels of the photo
# Where a photo comes from: a person's phone, one that watches from a stand, "look", the watching camera.
PHOTO, STAND, CAMERA, WATCH = "photo", "stand", "camera", "watch"
CAMERA_NAME = "camera"  # of the device that acts when a throw is confirmed by itself


@dataclass(frozen=True)
class PhotoDetails:
    """What is known of a photo from the beginning. `device`: who took it, by its name.

    `version`: the state of the table whose throw it shows. `expects`: how many dice that has; `beside`: the values of
    those that lie beside it; `keep`, `set_aside`: the dice that were kept or set aside for it and are told with it,
    None where nothing is to be told. `request`: the phone's own id of this photo, which it may send again; "" without.
    """

    id: str
    source: str
    device: str
    version: int
    expects: int
    beside: Sequence[int] = ()
    keep: Sequence[int] | None = None
    set_aside: Sequence[int] | None = None
    request: str = ""


@dataclass(frozen=True)
class Waiting:
    """It waits to be read, or is being read. `place`: in the queue, 1 for next."""

    details: PhotoDetails
    place: int = 1


class FoundDie(Document, frozen=True, kw_only=True):
    """A die that the reader found. `alternatives`: the other values, likeliest first."""

    value: int
    confidence: float
    sure: bool
    box: Box
    alternatives: Sequence[int]


@dataclass(frozen=True)
class ReadingResult:
    """What the reader found. `aside`: what lay beside the throw; `trace`: what a training sample is made of."""

    dice: Sequence[FoundDie] = ()
    aside: Sequence[FoundDie] = ()
    asks: Sequence[RefusalDocument] = ()
    sure: bool = False
    trace: str | None = None


@dataclass(frozen=True)
class Read:
    """It waits for a person. `width`, `height`: pixels of the upright photo. `problem`: why nothing was found in it,
    for the person to mark its dice by hand; else None."""

    details: PhotoDetails
    width: int
    height: int
    result: ReadingResult
    problem: RefusalDocument | None = None


@dataclass(frozen=True)
class Failed:
    """There is nothing to be seen in it, for this reason."""

    details: PhotoDetails
    problem: RefusalDocument


UnderReview: TypeAlias = Waiting | Read | Failed


class PhotoDocument(Document, frozen=True, kw_only=True):
    """The keys of a photo under review that phones know and the store keeps (`PhotoDetails`, `Waiting`, `Read`)."""

    id: str
    status: Literal["waiting", "read", "failed"]
    place: int
    source: str
    device: str
    expects: int
    beside: Sequence[int]
    keep: Sequence[int] | None
    version: int
    dice: Sequence[FoundDie]
    aside: Sequence[FoundDie]
    asks: Sequence[RefusalDocument]
    sure: bool
    problem: RefusalDocument | None
    set_aside: Sequence[int] | UnsetType | None = UNSET
    request: str | UnsetType = UNSET
    width: int | UnsetType = UNSET
    height: int | UnsetType = UNSET


class KeptPhoto(PhotoDocument, frozen=True, kw_only=True):
    """As the store keeps it."""

    trace: str | UnsetType | None = UNSET


def photo_fields(photo: UnderReview) -> dict[str, Any]:
    """The fields of its document."""
    details, read = photo.details, photo if isinstance(photo, Read) else None
    result = ReadingResult() if read is None else read.result
    return {
        "id": details.id,
        "status": {Waiting: "waiting", Read: "read", Failed: "failed"}[type(photo)],
        "place": photo.place if isinstance(photo, Waiting) else 1,
        "source": details.source,
        "device": details.device,
        "expects": details.expects,
        "beside": details.beside,
        "keep": details.keep,
        "version": details.version,
        "dice": result.dice,
        "aside": result.aside,
        "asks": result.asks,
        "sure": result.sure,
        "problem": None if isinstance(photo, Waiting) else photo.problem,
        "set_aside": details.set_aside if details.source == WATCH else UNSET,
        "request": details.request or UNSET,
        "width": UNSET if read is None else read.width,
        "height": UNSET if read is None else read.height,
    }


def to_json(photo: UnderReview) -> Json:
    """As the store keeps it."""
    trace = photo.result.trace if isinstance(photo, Read) else UNSET
    kept: Json = json.decode(json.encode(KeptPhoto(**photo_fields(photo), trace=trace)))
    return kept


def from_json(told: Json) -> UnderReview:
    """The same back. Older versions wrote fewer keys. Raises LookupError, TypeError or ValueError for anything else."""
    details = PhotoDetails(
        told["id"],
        told.get("source", PHOTO),
        told.get("device", ""),
        told.get("version", 0),
        told.get("expects", 0),
        told.get("beside", ()),
        told.get("keep"),
        told.get("set_aside"),
        told.get("request", ""),
    )
    if told["status"] == "waiting":
        return Waiting(details, told.get("place", 1))
    if told["status"] == "failed":
        return Failed(details, convert(told["problem"], RefusalDocument))
    dice, aside = (convert(told.get(name, ()), list[FoundDie]) for name in ("dice", "aside"))
    asks = convert(told.get("asks", ()), list[RefusalDocument])
    result = ReadingResult(dice, aside, asks, told.get("sure", False), told.get("trace"))
    problem = convert(told.get("problem"), RefusalDocument | None)
    return Read(details, told.get("width", 0), told.get("height", 0), result, problem)
