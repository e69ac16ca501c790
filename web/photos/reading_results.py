"""What the reader found, as tables keep it and phones and programs are shown it."""

import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from web.table import umpire
from web.table.json_document import RefusalDocument, refusal_document
from web.table.photo_state import CAMERA_NAME, WATCH, FoundDie, PhotoDetails, Read, ReadingResult

if TYPE_CHECKING:
    import vision
    from vision.watch import WatchEvent


def reading_result(reading: "vision.Reading") -> ReadingResult:
    return ReadingResult(
        found_dice(reading.dice),
        found_dice(reading.aside),
        [_question(ask) for ask in reading.asks],
        reading.sure,
        None if reading.trace is None else reading.trace.to_text(),
    )


def _question(ask: "vision.Ask") -> RefusalDocument:
    """The document of a question, with its place in the photo, if it has one, as the parameter `box`."""
    asked = refusal_document(ask)
    if ask.box is None:
        return asked
    return structs.replace(asked, params={**asked.params, "box": [round(side, 1) for side in ask.box]})


def found_dice(dice: Sequence["vision.Die"], scale: float = 1.0) -> list[FoundDie]:
    """The dice, with boxes `scale` times as large."""
    found = []
    for die in dice:
        x0, y0, x1, y1 = map(float, die.box)
        box = (round(scale * x0, 1), round(scale * y0, 1), round(scale * x1, 1), round(scale * y1, 1))
        sure, others, confidence = bool(die.sure), list(die.alternatives), round(float(die.confidence), 3)
        found.append(FoundDie(value=die.value, confidence=confidence, sure=sure, box=box, alternatives=others))
    return found


def observation_of(event: "WatchEvent") -> umpire.Observation:
    if event.event == "settled" and event.reading is not None:
        dice = zip(event.reading.dice, event.stayed, strict=True)
        return umpire.DiceAtRest(
            tuple(umpire.RestingDie(die.value, die.box, die.sure, stayed) for die, stayed in dice), event.reading.sure
        )
    if event.event == "blind":
        return umpire.Blind(event.reason)
    return umpire.Moving() if event.event == "moving" else umpire.Cleared()


def picture_of(event: "WatchEvent") -> Read | None:
    """The picture of dice at rest, with a new id; the table's state tells which throw it shows."""
    reading, photo = event.reading, event.photo
    if reading is None or photo is None:
        return None
    # The picture may be finer than the frame that was watched.
    scale = 1.0 if event.detections is None else photo.width / event.detections.width
    trace = None if reading.trace is None else reading.trace.to_text()
    found = ReadingResult(found_dice(reading.dice, scale), trace=trace)
    details = PhotoDetails(secrets.token_urlsafe(12), WATCH, CAMERA_NAME, version=0, expects=0)
    return Read(details, photo.width, photo.height, found)
