"""Reads dice that came to rest once more, in a finer picture of that moment than the watch saw."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from vision.judging.dice_memory import DiceMemory
from vision.judging.framing import to_photo
from vision.photo import Photo
from vision.reader import Reader
from vision.reading import Die, Reading
from vision.region import Region
from vision.watch.states import WatchEvent
from vision.watch.tracking import RIGID, ROUGHLY, boxes_of, match_boxes


def look_closer(
    reader: Reader,
    event: WatchEvent,
    photo: Photo,
    region: Region | None = None,
    known: DiceMemory | None = None,
    lay: Sequence[Die] = (),
) -> WatchEvent:
    """The event "settled" with what `photo` shows, a finer picture of the same moment. Boxes stay in pixels of the
    watched frame. A die that only one of both pictures shows, or that they read differently, is not sure. A die that
    stayed keeps the value that it has among `lay`, the dice of the rest before.

    Raises ValueError if the photo has another shape than the frame, or the region is too small, and ModelError.
    """
    assert event.reading is not None
    assert event.detections is not None
    frame = event.detections
    if abs(photo.width * frame.height / (photo.height * frame.width) - 1) > RIGID:
        raise ValueError(f"the photo has {photo.width}x{photo.height} pixels, the frame {frame.width}x{frame.height}")
    read = _read(reader, photo, region, known, len(event.reading.dice))
    seen = to_photo((0, 0, frame.width, frame.height), read, frame)
    return merge_looks(event, seen, photo, lay)


def merge_looks(event: WatchEvent, seen: Reading, photo: Photo, lay: Sequence[Die] = ()) -> WatchEvent:
    """The event with the dice of both looks: the watch's, and the closer one (`seen`, in pixels of the frame)."""
    assert event.reading is not None
    watched = event.reading.dice
    pairs = {j: i for i, j in match_boxes(boxes_of(watched), boxes_of(seen.dice), ROUGHLY)}
    before = {i: lay[j] for i, j in match_boxes(boxes_of(watched), boxes_of(lay), ROUGHLY) if event.stayed[i]}
    dice: list[tuple[Die, bool]] = []
    for number, die in enumerate(seen.dice):
        other = pairs.get(number)
        agree = other is not None and (watched[other].value == die.value or not watched[other].sure)
        seen_die = before[other] if other in before else dataclasses.replace(die, sure=die.sure and agree)
        dice.append((dataclasses.replace(seen_die, box=die.box), other is not None and event.stayed[other]))
    missed = set(range(len(watched))) - set(pairs.values())
    dice += [(dataclasses.replace(watched[i], sure=False), event.stayed[i]) for i in missed]
    dice.sort(key=lambda pair: (pair[0].box[0] + pair[0].box[2], pair[0].box[1]))
    alike = not missed and len(pairs) == len(seen.dice)
    # More pixels help small dice alone.
    obstacles = (*seen.obstacles, *(each for each in event.reading.obstacles if each != "too-small"))
    complete = seen.complete and alike
    reading = dataclasses.replace(seen, dice=tuple(die for die, _ in dice), complete=complete, obstacles=obstacles)
    return dataclasses.replace(event, reading=reading, stayed=tuple(stayed for _, stayed in dice), photo=photo)


def _read(reader: Reader, photo: Photo, region: Region | None, known: DiceMemory | None, count: int) -> Reading:
    """The reading of the region: with the count of dice that the watch saw if that makes it sure."""
    if region is None:
        detections = reader.detect(photo)
    else:
        height, width = photo.pixels.shape[:2]
        crop = region.in_picture(width, height)
        detections = crop.to_whole_picture(reader.detect(crop.cut(photo)))
    reading = reader.interpret(photo, detections, known=known)
    if reading.sure and len(reading.dice) == count:
        return reading
    counted = reader.interpret(photo, detections, count, known=known)
    return counted if counted.sure else reading
