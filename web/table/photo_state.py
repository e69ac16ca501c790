"""The states of a photo under review, and the JSON of each for phones.

A photo leaves the table when it is confirmed, discarded or replaced.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType, structs

from web.table.json_document import Document, RefusalDocument

Box: TypeAlias = tuple[float, float, float, float]  # x0, y0, x1, y1 in pixels of the photo
# Who takes a photo: a person's phone, the server's camera when asked, the watching camera.
PHOTO, CAMERA, WATCH = "photo", "camera", "watch"
CAMERA_NAME = "camera"  # the device named in the log when nobody confirms a throw


class PhotoDetails(Struct, frozen=True):
    """What is known of a photo when it comes. `device`: the name of the phone or camera that took it.

    `version`: the table's version whose next throw the photo shows. `expects`: how many dice that throw has, 0 for any;
    `beside`: the values of the dice that lie beside it. `keep`, `set_aside`: the dice kept or set aside before it,
    which are logged with it; None: none. `request`: the phone's id of this photo, "" without; the phone may send it
    again.
    """

    id: str
    source: str
    device: str
    version: int
    expects: int
    beside: Sequence[int] = []
    keep: Sequence[int] | None = None
    set_aside: Sequence[int] | None = None
    request: str = ""


class Waiting(Struct, frozen=True, tag_field="status", tag="waiting"):
    """The photo waits for the reader, or is being read. `place`: its place in the queue, 1 for next."""

    details: PhotoDetails
    place: int = 1


class FoundDie(Document, frozen=True, kw_only=True):
    """A die that the reader found. `alternatives`: the other values, likeliest first."""

    value: int
    confidence: float
    sure: bool
    box: Box
    alternatives: Sequence[int]


class ReadingResult(Struct, frozen=True):
    """What the reader found. `aside`: the dice beside the throw; `trace`: from it a training sample is made."""

    dice: Sequence[FoundDie] = []
    aside: Sequence[FoundDie] = []
    asks: Sequence[RefusalDocument] = []
    sure: bool = False
    trace: str | None = None


class Read(Struct, frozen=True, tag_field="status", tag="read"):
    """The photo waits for a person. `width`, `height`: pixels of the upright photo. `problem`: why the reader found
    nothing; then the person marks the dice by hand."""

    details: PhotoDetails
    width: int
    height: int
    result: ReadingResult
    problem: RefusalDocument | None = None


class Failed(Struct, frozen=True, tag_field="status", tag="failed"):
    """The photo cannot be shown, for this reason."""

    details: PhotoDetails
    problem: RefusalDocument


UnderReview: TypeAlias = Waiting | Read | Failed
NOTHING_READ = ReadingResult()


class PendingPhoto(Document, frozen=True, kw_only=True):
    """The photo under review, as programs know it (`PhotoDetails`, `Waiting`, `Read`)."""

    id: str
    status: str
    place: int
    device: str
    expects: int
    version: int
    dice: Sequence[FoundDie]
    aside: Sequence[FoundDie]
    asks: Sequence[RefusalDocument]
    sure: bool
    problem: RefusalDocument | None


class PhotoDocument(PendingPhoto, frozen=True, kw_only=True):
    """The same as phones know it."""

    status: Literal["waiting", "read", "failed"]
    source: str
    beside: Sequence[int]
    keep: Sequence[int] | None
    set_aside: Sequence[int] | UnsetType | None = UNSET
    request: str | UnsetType = UNSET
    width: int | UnsetType = UNSET
    height: int | UnsetType = UNSET


def photo_fields(photo: UnderReview) -> dict[str, Any]:
    details, read = photo.details, photo if isinstance(photo, Read) else None
    found = {**structs.asdict(details), **structs.asdict(NOTHING_READ if read is None else read.result)}
    del found["trace"]
    return found | {
        "status": photo.__struct_config__.tag,
        "place": photo.place if isinstance(photo, Waiting) else 1,
        "problem": None if isinstance(photo, Waiting) else photo.problem,
        "set_aside": details.set_aside if details.source == WATCH else UNSET,
        "request": details.request or UNSET,
        "width": UNSET if read is None else read.width,
        "height": UNSET if read is None else read.height,
    }
