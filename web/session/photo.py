"""What a photo under review may be, and of each the JSON that the phones know and the store keeps.

A photo that was confirmed, discarded or replaced is none any more: its place at the table is empty.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from web.session.replay import Json

# Where a photo comes from: a person's phone, one that watches from a stand, "look", the watching camera.
PHOTO, STAND, CAMERA, WATCH = "photo", "stand", "camera", "watch"


@dataclass(frozen=True)
class Taken:
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

    taken: Taken
    place: int = 1


@dataclass(frozen=True)
class Found:
    """What the reader found. `dice`, `aside`: as phones know them; `trace`: what a lesson is made of."""

    dice: Sequence[Json] = ()
    aside: Sequence[Json] = ()
    asks: Sequence[Json] = ()
    sure: bool = False
    trace: str | None = None


@dataclass(frozen=True)
class Read:
    """It waits for a person. `width`, `height`: pixels of the upright photo. `problem`: why nothing was found in it,
    for the person to mark its dice by hand; else None."""

    taken: Taken
    width: int
    height: int
    found: Found
    problem: Json | None = None


@dataclass(frozen=True)
class Failed:
    """There is nothing to be seen in it, for this reason."""

    taken: Taken
    problem: Json


UnderReview: TypeAlias = Waiting | Read | Failed


def to_json(photo: UnderReview) -> Json:
    """As phones know it, and `trace`, which `web.session.playing` tells no phone."""
    taken, found = photo.taken, photo.found if isinstance(photo, Read) else Found()
    told: Json = {
        "id": taken.id,
        "status": {Waiting: "waiting", Read: "read", Failed: "failed"}[type(photo)],
        "place": photo.place if isinstance(photo, Waiting) else 1,
        "source": taken.source,
        "device": taken.device,
        "expects": taken.expects,
        "beside": list(taken.beside),
        "keep": _listed(taken.keep),
        "version": taken.version,
        "dice": list(found.dice),
        "aside": list(found.aside),
        "asks": list(found.asks),
        "sure": found.sure,
        "problem": None if isinstance(photo, Waiting) else photo.problem,
    }
    if taken.source == WATCH:
        told["set_aside"] = _listed(taken.set_aside)
    if taken.request:
        told["request"] = taken.request
    if isinstance(photo, Read):
        told.update(width=photo.width, height=photo.height, trace=found.trace)
    return told


def from_json(told: Json) -> UnderReview:
    """The same back. Older versions wrote fewer keys."""
    taken = Taken(
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
        return Waiting(taken, told.get("place", 1))
    if told["status"] == "failed":
        return Failed(taken, told["problem"])
    seen = (told.get("dice", ()), told.get("aside", ()), told.get("asks", ()))
    found = Found(*seen, told.get("sure", False), told.get("trace"))
    return Read(taken, told.get("width", 0), told.get("height", 0), found, told.get("problem"))


def refusal(refused: Any) -> Json:
    """What a problem, or a question of the reader, says: anything with `reason`, `params` and an English sentence."""
    return {"reason": refused.reason, "params": dict(refused.params), "text": str(refused)}


def _listed(values: Sequence[int] | None) -> list[int] | None:
    return None if values is None else list(values)
