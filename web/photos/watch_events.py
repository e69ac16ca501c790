"""Turns what the camera watched into observations for the umpire, with their pictures for a review."""

import secrets
from typing import TYPE_CHECKING

from web.photos.reading_results import found_die
from web.table import umpire
from web.table.photo_state import CAMERA_NAME, WATCH, PhotoDetails, Read, ReadingResult

if TYPE_CHECKING:
    from vision.watch import WatchEvent


def observation_of(event: "WatchEvent") -> umpire.Observation:
    """A watch event as an observation for the umpire."""
    if event.event == "settled" and event.reading is not None:
        dice = zip(event.reading.dice, event.stayed, strict=True)
        return umpire.DiceAtRest(
            tuple(umpire.RestingDie(die.value, die.box, die.sure, stayed) for die, stayed in dice), event.reading.sure
        )
    return umpire.parse_observation({"event": event.event, "reason": event.reason})


def picture_of(event: "WatchEvent") -> Read | None:
    """The picture of dice at rest, with a new id; the table's state tells which throw it shows."""
    reading, photo = event.reading, event.photo
    if reading is None or photo is None:
        return None
    # The picture may be finer than the frame that was watched.
    scale = 1.0 if event.detections is None else photo.width / event.detections.width
    trace = None if reading.trace is None else reading.trace.to_text()
    found = ReadingResult([found_die(die, scale) for die in reading.dice], trace=trace)
    details = PhotoDetails(secrets.token_urlsafe(12), WATCH, CAMERA_NAME, version=0, expects=0)
    return Read(details, photo.width, photo.height, found)
