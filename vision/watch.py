"""From frames to what happened: dice moved, came to rest, were cleared away; or nothing can be seen, and why.

The networks look only after something changed. Dice have come to rest when nothing moves apart from the camera and
several looks see them at the same places relative to each other, with the same values.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from vision.arrays import Doubles, Grey, Mask
from vision.ask_reasons import sharpness
from vision.dice_memory import DiceMemory
from vision.interpretation import Detections
from vision.motion import (
    FINGERS,
    HAND,
    STILL,
    Drift,
    appearance_correlation,
    brightness,
    changed_boxes,
    changed_mask,
    changed_shares,
    drift_between,
    glance,
    is_as_sharp,
    is_quiet,
    reaches_in,
    shows_arm,
)
from vision.photo import Photo
from vision.reader import Reader
from vision.reading import Die, Reading, check_throw
from vision.region import Region, RegionCrop
from vision.tracking import FrameReading, RestChange, boxes_of, combine, common_drift, compare_rests, same_layout

EVERY = 1 / 15  # seconds from one glance to the next

# Why nothing can be seen: reason -> English sentence.
BLIND: dict[str, str] = {
    "dark": "it is too dark to see dice",
    "blurred": "the picture is out of focus",
    "moved": "the camera moves",
}

_LEAST_READINGS = 3  # that agree, before a rest is told
_MOST_READINGS = 8  # that are combined
_MOST_CANDIDATES = 40  # in a look: on a checked cloth 200 may seem dice a little, and cost seconds
_PAUSE = 0.12  # seconds from one look to the next once there are _LOOKS
_DOUBT = 0.38  # seconds of rest before a reading is told that is not sure
_PLAIN = 0.6  # confidence that one die of it must have: what lies on a table besides dice is no throw
_GONE = 0.25  # seconds of rest before dice are told to be gone and none to have come: a hand may pause
_HAND = 1.2  # seconds of rest before anything is told while something reaches into the picture that was not there
_MOVING = 2  # glances one after the other in which something moves, before that is told
_JOLT = 0.02  # of the picture's longer side, from one glance to the next: a camera this fast sees no rest
_TURNED_OVER = 0.6  # of the picture that changed at once
_BUSY = 2.5  # seconds of movement after which what moves far from the dice no longer counts
_BUSY_SPAN = 1.0  # seconds that the dice must keep their places then
_BUSY_PAUSE = 0.4  # seconds from one look to the next then
_FAR = 1.5  # sides of a die
_DARK = 28.0  # of 255: the mean of the lighter half
_BLURRED = 0.6  # of how sharp the picture was at the last rest
_ALTERED = 0.2  # of a die's place, seen small, looks another way: it may be another die that lies there
_LEFT = 0.3  # of a die's place, seen small, must have changed for the die to have left it
_ALIKE = 0.7  # correlation of a die's place with how it looked, apart from what is small: so the die lies there yet
_KEPT = 3  # glances' pictures that are kept for the end of a video
_NO_DIE = 4  # glances one after the other that must show a hand, or none: a die at the edge is soon beyond it


class WatchState(Enum):
    """What the watch is at."""

    WAITING = "waiting"  # for the first look
    MOVING = "moving"
    RESTING = "resting"  # also with no dice
    BLIND = "blind"


@dataclass(frozen=True)
class WatchEvent:
    """What happened `at` seconds of the source's own clock.

    `event`: "moving", "settled", "cleared" or "blind", this with a `reason` of BLIND. Of "settled": the `reading`;
    whether each of its dice, in their order, `stayed`: lay at this place with this value at the rest before; the dice
    `gone` since, as they lay then; the `photo` it stands for and all that was seen (`detections`), by which
    `vision.Reader.interpret` may read it again with more that is known.
    """

    at: float
    event: str
    reading: Reading | None = None
    stayed: tuple[bool, ...] = ()
    gone: tuple[Die, ...] = ()
    reason: str = ""
    photo: Photo | None = None
    detections: Detections | None = None

    def to_json(self) -> dict[str, Any]:
        """A line of `rollcall watch --json`."""
        told: dict[str, Any] = {"at": round(self.at, 3), "event": self.event}
        if self.event == "blind":
            return {**told, "reason": self.reason, "text": BLIND[self.reason]}
        if self.reading is None:
            return told
        dice = [{**die.to_json(), "stayed": stayed} for die, stayed in zip(self.reading.dice, self.stayed, strict=True)]
        return {
            **told,
            "values": list(self.reading.values),
            "sure": self.reading.sure,
            "dice": dice,
            "gone": [die.value for die in self.gone],
        }


@dataclass(frozen=True)
class _Glance:
    """A frame that was glanced at."""

    at: float
    photo: Photo
    grey: Grey


@dataclass(frozen=True)
class _Rest:
    """Dice at rest, how the picture looked then, and how sharp it was."""

    dice: tuple[Die, ...]
    grey: Grey | None
    sharp: float


class Watch:
    """Watches the frames of one camera or video: `see` each of them, then `end`.

    `dice`, `known` and `region` may be set anew at any time: how many dice there are at most, what they have looked
    like so far, and the part of the picture that counts.
    """

    def __init__(
        self, reader: Reader, dice: int | None = None, region: Region | None = None, known: DiceMemory | None = None
    ) -> None:
        """Raises ValueError where `dice` is no number of dice."""
        check_throw(dice, ())
        self.dice, self.known = dice, known
        self._reader, self._region = reader, region
        self.state = WatchState.WAITING
        self._region_crop: RegionCrop | None = None
        self._mask: Mask | None = None
        self._rest = self._earlier = _Rest((), None, 0.0)  # the last rest, and the one before it
        self._read_anyway = False  # whether a person asked to look again
        self._start()

    def _start(self) -> None:
        """Nothing of the frames before counts; the rest before does."""
        self._glances: deque[_Glance] = deque(maxlen=_KEPT)
        self._readings: list[FrameReading] = []
        self._steps: list[Drift] = []  # from each look to the next
        self._calm_since = 0.0  # when the first of the looks that agree was taken
        self._since_reading = self._since_rest = STILL
        self._pending, self._jolted = True, False
        self._stirring = self._shaking = 0
        self._busy_since: float | None = None
        # Whether the last glance that moved shows a hand; whether one is told; how many glances show the contrary.
        self._arm, self._hand, self._otherwise = False, False, 0

    @property
    def hand(self) -> bool:
        """Whether of what moves, or moved last, something reaches into the picture over its edge, or the region's, that
        was not there at the last rest: a hand. Never where dice rest."""
        return self._hand and self.state is WatchState.MOVING

    @property
    def region(self) -> Region | None:
        return self._region

    @region.setter
    def region(self, region: Region | None) -> None:
        self._region, self._region_crop = region, None
        self._start()

    @property
    def resting(self) -> tuple[Die, ...]:
        """The dice of the last rest."""
        return self._rest.dice

    def read_again(self) -> None:
        """The next frames are read and told, whatever moves in them and whatever was told before: ends any state."""
        self._read_anyway, self._pending, self.state = True, True, WatchState.WAITING
        self._forget_readings()

    def see(self, photo: Photo, at: float) -> list[WatchEvent]:
        """What has happened, as far as this frame of `at` seconds tells. Frames come in order of time; when time or
        the frames' size jumps, it begins anew with them. Raises ValueError where the region is not one of this
        picture, ModelError where the networks' files are not usable."""
        if self._glances:
            passed = at - self._glances[-1].at
            if (photo.width, photo.height) != (self._glances[-1].photo.width, self._glances[-1].photo.height):
                self._region_crop = None
                self._start()
            elif passed < 0:
                self._start()
            elif passed < 0.9 * EVERY:
                return []
        before = self._glances[-1] if self._glances else None
        taken = self._take_glance(photo, at)
        self._glances.append(taken)
        return self._compare_glances(before, taken) if before else self._read_if_due(taken)

    def end(self) -> list[WatchEvent]:
        """What the last frames still told, when a video has ended while dice lay still."""
        if not self._pending or len(self._glances) < 2 or self.state is WatchState.BLIND:
            return []
        if len(self._readings) < 2:
            self._read_kept_frames()
        if len(self._readings) < 2:
            return []
        return self._conclude(self._readings[-1].at - self._calm_since, ended=True)

    # --- glances -----------------------------------------------------------------------------------------------------

    def _take_glance(self, photo: Photo, at: float) -> _Glance:
        if self._region is not None and self._region_crop is None:
            self._region_crop = self._region.in_picture(photo.width, photo.height)
            self._mask = None
        grey = glance(self._crop(photo).pixels)
        if self._region_crop is not None:
            if self._mask is None:
                self._mask = self._region_crop.mask(grey)
            grey = np.where(self._mask, grey, np.uint8(0))
        return _Glance(at, photo, grey)

    def _crop(self, photo: Photo) -> Photo:
        """What is shown to the networks."""
        return photo if self._region_crop is None else Photo(np.ascontiguousarray(self._region_crop.crop(photo.pixels)))

    def _compare_glances(self, before: _Glance, taken: _Glance) -> list[WatchEvent]:
        """What moved since the frame before."""
        if brightness(taken.grey, self._mask) < _DARK:
            return self._report_blind(taken.at, "dark")
        if is_quiet(before.grey, taken.grey):
            self._count_hand()
            self._stirring, self._shaking, self._busy_since = 0, 0, None
            return self._read_if_due(taken)
        drift, changed = _camera_motion(before.grey, taken.grey)
        self._since_reading, self._since_rest = (
            way.then(self._in_photo(drift, taken)) for way in (self._since_reading, self._since_rest)
        )
        height, width = taken.grey.shape
        if drift.length(width, height) > _JOLT * max(width, height) or changed.mean() > _TURNED_OVER:
            return self._on_shake(taken)
        self._shaking = 0
        parts = changed_boxes(changed)
        if not len(parts):
            self._count_hand()
            self._stirring, self._busy_since = 0, None
            return self._read_if_due(taken)
        self._note_hand(taken)
        self._count_hand()
        return self._on_motion(taken, self._in_pixels(parts, taken))

    def _note_hand(self, taken: _Glance) -> None:
        """Whether this glance shows a hand that was not there at the last rest."""
        before = self._rest.grey
        if before is None or before.shape != taken.grey.shape:
            return
        drift = self._drift_since_rest()
        lay = self._places(self._rest.dice, drift)
        self._arm = shows_arm(before, taken.grey, self._in_glance(drift, taken), lay, self._mask)

    def _count_hand(self) -> None:
        """One glance more that shows a hand, or none."""
        self._otherwise = self._otherwise + 1 if self._arm != self._hand else 0
        if self._otherwise >= _NO_DIE:
            self._hand, self._otherwise = self._arm, 0

    def _in_photo(self, drift: Drift, taken: _Glance) -> Drift:
        """The drift of a glance in pixels of the photo."""
        size, (left, top) = self._scale(taken)
        corner = complex(left, top)
        grown = drift.scale(size)
        return Drift(grown.turn, grown.shift + corner - grown.turn * corner)

    def _in_pixels(self, boxes: Any, taken: _Glance) -> Any:
        size, corner = self._scale(taken)
        return boxes * size + np.array([*corner, *corner])

    def _scale(self, taken: _Glance) -> tuple[float, tuple[int, int]]:
        """Pixels of the photo for one of the glance, and where in the photo the glance begins."""
        x0, y0, x1, _ = (
            self._region_crop.box if self._region_crop is not None else (0, 0, taken.photo.width, taken.photo.height)
        )
        return (x1 - x0) / taken.grey.shape[1], (x0, y0)

    def _on_motion(self, taken: _Glance, parts: Any) -> list[WatchEvent]:
        """Something moves, in the boxes `parts` (n, 4), pixels of the photo."""
        self._stirring += 1
        if self._busy_since is None:
            self._busy_since = taken.at
        if self._read_anyway:
            return self._read_if_due(taken)
        busy = self._busy(taken)
        told = (
            self._report_motion(taken)
            if self._stirring >= _MOVING and not (busy and self.state is WatchState.RESTING)
            else []
        )
        if self._stirring >= _MOVING or not self._pending:
            self._pending = True
        if busy and self._far_from_dice(parts):
            return told + self._read_if_due(taken)
        self._forget_readings()
        return told

    def _report_motion(self, taken: _Glance) -> list[WatchEvent]:
        if self.state is WatchState.MOVING:
            return []
        self.state = WatchState.MOVING
        return [WatchEvent(taken.at, "moving")]

    def _far_from_dice(self, parts: Any) -> bool:
        """Whether nothing that moves is near the dice of the last look."""
        if not self._readings:
            return True
        boxes = self._since_reading.move_boxes(boxes_of(self._readings[-1].reading.dice))
        if not len(boxes):
            return False
        side = float(np.median((boxes[:, 2:] - boxes[:, :2]).max(1)))
        gap = np.maximum(parts[:, None, :2] - boxes[None, :, 2:], boxes[None, :, :2] - parts[:, None, 2:])
        return bool((gap.max(2) > _FAR * side).all())

    def _on_shake(self, taken: _Glance) -> list[WatchEvent]:
        """The camera moves, or all of the picture changed at once; the latter also where a hand that was in the picture
        fills it."""
        self._shaking += 1
        self._pending = self._jolted = True
        if self._read_anyway:
            return self._read_if_due(taken)
        self._forget_readings()
        self._count_hand()
        if self._shaking < _MOVING:
            return []
        return self._report_motion(taken) if self._hand or self._arm else self._report_blind(taken.at, "moved")

    def _report_blind(self, at: float, reason: str) -> list[WatchEvent]:
        self._pending = True
        if self._read_anyway and len(self._glances) > 1:
            return self._read_if_due(self._glances[-1])
        self._forget_readings()
        if self.state is WatchState.BLIND:
            return []
        self.state = WatchState.BLIND
        return [WatchEvent(at, "blind", reason=reason)]

    # --- looks -------------------------------------------------------------------------------------------------------

    def _read_if_due(self, taken: _Glance) -> list[WatchEvent]:
        """Reads the frame if something is to be decided, and decides it as soon as it is clear."""
        if self._pending and not self._read_anyway and self.state is WatchState.RESTING and self._as_at_rest(taken):
            self._pending = False
        if not self._pending:
            return []
        if self._readings and not self._read_anyway and taken.at - self._readings[-1].at < self._pause(taken):
            return []
        self._read_frame(taken)
        if self._read_anyway:
            return self._conclude(0.0) if len(self._readings) >= 2 else []
        if len(self._readings) < _LEAST_READINGS:
            return []
        span = taken.at - self._calm_since
        if self._busy(taken) and span < _BUSY_SPAN:
            return []
        return self._conclude(span)

    def _busy(self, taken: _Glance) -> bool:
        """Whether something has moved all the time for so long that it may go on for ever."""
        return self._busy_since is not None and taken.at - self._busy_since > _BUSY

    def _pause(self, taken: _Glance) -> float:
        """Seconds from the last look to the next."""
        if self._busy(taken):
            return _BUSY_PAUSE
        return _PAUSE if len(self._readings) >= _LEAST_READINGS else 0.0

    def _as_at_rest(self, taken: _Glance) -> bool:
        """Whether all looks as at the last rest: one flicker, or the picture of a video coded anew, is no movement."""
        before = self._rest.grey
        if before is None or before.shape != taken.grey.shape or self._jolted:
            return False
        return not len(
            changed_boxes(changed_mask(before, taken.grey, self._in_glance(self._drift_since_rest(), taken)))
        )

    def _read_frame(self, taken: _Glance) -> None:
        """Looks, and begins anew where the dice did not keep their places since the look before."""
        photo = taken.photo
        detections = self._reader.detect(self._crop(photo), _MOST_CANDIDATES)
        if self._region_crop is not None:
            detections = self._region_crop.to_whole_picture(detections)
        sight = FrameReading(taken.at, photo, detections, self._interpret(photo, detections))
        if self._readings:
            step = common_drift(self._readings[-1], sight, self._since_reading)
            if step is None and not self._read_anyway:
                self._forget_readings()
            else:
                self._steps.append(step or STILL)
        if not self._readings:
            self._calm_since = taken.at
        self._readings.append(sight)
        if len(self._readings) > _MOST_READINGS:
            del self._readings[0], self._steps[0]
        self._since_reading = STILL

    def _forget_readings(self) -> None:
        self._readings, self._steps = [], []

    def _read_kept_frames(self) -> None:
        """Reads the last frames of a video that ended before it was clear, unless something moves among its dice."""
        self._forget_readings()
        taken = list(self._glances)
        for place, each in enumerate(taken):
            if place:
                drift, changed = _camera_motion(taken[place - 1].grey, each.grey)
                self._since_reading = self._in_photo(drift, each)
                parts = self._in_pixels(changed_boxes(changed), each)
                if len(parts) and self._readings and not self._far_from_dice(parts):
                    self._forget_readings()
            self._read_frame(each)

    def _interpret(self, photo: Photo, detections: Detections) -> Reading:
        """The reading; told how many dice there are where that makes it sure, or where more are seen: fewer may lie
        there, some being put away."""
        reading = self._reader.interpret(photo, detections, known=self.known)
        if self.dice is None or (len(reading.dice) == self.dice and reading.sure):
            return reading
        told = self._reader.interpret(photo, detections, self.dice, known=self.known)
        return told if told.sure or len(reading.dice) > self.dice else reading

    # --- rests -------------------------------------------------------------------------------------------------------

    def _conclude(self, span: float, ended: bool = False) -> list[WatchEvent]:
        """What the looks come to together after `span` seconds of rest: nothing yet where more of them may tell.
        `ended`: no more will come."""
        last = self._readings[-1]
        detections = combine(self._readings, self._to_last())
        reading = self._interpret(last.photo, detections)
        became = self._compare(reading if self._read_anyway else _plain(reading), detections)
        if self._read_anyway:
            return self._report_rest(became, last, detections)
        if became.changed and span < self._waits(became, ended):
            return []
        if self._out_of_focus(became, last):
            return self._report_blind(last.at, "blurred")
        return self._report_rest(became, last, detections)

    def _waits(self, became: RestChange, ended: bool) -> float:
        """Seconds of rest that it takes for this to be told."""
        waits = _GONE if became.gone and not became.new else 0.0
        if became.reading.dice and not became.reading.sure:
            waits = _DOUBT
        if (not ended or not became.new) and self._hand_reaches_in(became):
            waits = max(waits, _HAND)
        return min(waits, _GONE) if ended and became.new else waits

    def _to_last(self) -> list[Drift]:
        ways = [STILL]
        for step in reversed(self._steps):
            ways.insert(0, step.then(ways[0]))
        return ways

    def _compare(self, reading: Reading, detections: Detections) -> RestChange:
        """The reading beside the rest before."""
        drift = self._drift_since_rest()
        altered = tuple(self._changed_since(self._rest.dice, drift) > _ALTERED)
        became = compare_rests(self._rest.dice, drift, reading, detections, altered)
        if self._jolted and became.changed and reading.dice and same_layout(self._rest.dice, reading.dice):
            return RestChange(reading, (True,) * len(reading.dice), (), False)
        return became

    def _drift_since_rest(self) -> Drift:
        """How the camera moved since the last rest: as it was followed, or as the pictures then and now tell at once,
        whichever explains more of the picture; none unless one explains more than that."""
        before, now = self._rest.grey, self._glances[-1]
        if before is None or before.shape != now.grey.shape:
            return self._since_rest
        ways = [STILL, drift_between(before, now.grey)]
        changed = [np.inf if way is None else float(changed_mask(before, now.grey, way).sum()) for way in ways]
        best = ways[int(np.argmin(changed))] or STILL
        followed_back = changed_mask(before, now.grey, self._in_glance(self._since_rest, now))
        return self._since_rest if followed_back.sum() < 0.8 * min(changed) else self._in_photo(best, now)

    def _in_glance(self, drift: Drift, taken: _Glance) -> Drift:
        """The other way round than `_in_photo`."""
        size, (left, top) = self._scale(taken)
        corner = complex(left, top)
        return Drift(drift.turn, drift.shift + drift.turn * corner - corner).scale(1 / size)

    def _hand_reaches_in(self, became: RestChange) -> bool:
        """Whether a hand, or another thing that was not there at the rest before, reaches into the picture. What was
        there then, and is gone, looks alike: now it must look another way than at the rest before that too."""
        now, least = self._glances[-1], HAND if became.new else FINGERS
        before, earlier = self._rest, self._earlier
        if before.grey is None or before.grey.shape != now.grey.shape or self._jolted:
            return False
        drift = self._drift_since_rest()
        dice = self._places(became.reading.dice, STILL)
        lay = np.concatenate([self._places(became.gone, drift), dice])
        if not reaches_in(before.grey, now.grey, self._in_glance(drift, now), lay, self._mask, least):
            return False
        if earlier.grey is None or earlier.grey.shape != now.grey.shape:
            return True
        way = drift_between(earlier.grey, now.grey) or STILL
        lay = np.concatenate([self._places(earlier.dice, self._in_photo(way, now)), dice])
        return reaches_in(earlier.grey, now.grey, way, lay, self._mask, least)

    def _out_of_focus(self, became: RestChange, last: FrameReading) -> bool:
        """Whether dice seem to be gone only since the picture is out of focus: it is, also beside them, and where they
        lay the picture, seen small, looks as it did, with something as light or dark as the die there: dice that are
        lifted take the sharpest edges of the picture with them."""
        before, now = self._rest.grey, self._glances[-1]
        if not became.gone or self._sharp(last.photo) >= _BLURRED * self._rest.sharp:
            return False
        if before is None or before.shape != now.grey.shape:
            return False
        drift = self._drift_since_rest()
        if np.median(self._changed_since(became.gone, drift)) >= _LEFT:
            return False
        if is_as_sharp(before, now.grey, self._places(self._rest.dice, STILL), self._places(self._rest.dice, drift)):
            return False
        alike = appearance_correlation(before, now.grey, self._in_glance(drift, now), self._places(became.gone, drift))
        return bool(np.median(alike) > _ALIKE)

    def _places(self, dice: Sequence[Die], drift: Drift) -> Doubles:
        """Where dice of a rest (n, 4) lie in the last glance."""
        size, corner = self._scale(self._glances[-1])
        return np.asarray((drift.move_boxes(boxes_of(dice)) - np.array([*corner, *corner])) / size, np.float64)

    def _changed_since(self, dice: Sequence[Die], drift: Drift) -> Doubles:
        """How much of the place of each die (n,) looks another way than at the last rest, seen small; 0 where that
        cannot be told."""
        before, now = self._rest.grey, self._glances[-1]
        if before is None or before.shape != now.grey.shape:
            return np.zeros(len(dice))
        return changed_shares(changed_mask(before, now.grey, self._in_glance(drift, now)), self._places(dice, drift))

    def _sharp(self, photo: Photo) -> float:
        return sharpness(self._crop(photo).pixels)

    def _report_rest(self, became: RestChange, last: FrameReading, detections: Detections) -> list[WatchEvent]:
        asked, lay = self._read_anyway, self._rest.dice
        self._earlier = self._rest
        self._rest = _Rest(became.reading.dice, self._glances[-1].grey, self._sharp(last.photo))
        self._since_rest, self._pending, self._read_anyway, self._jolted = STILL, False, False, False
        self._arm, self._hand, self._otherwise = False, False, 0
        self._forget_readings()
        self.state = WatchState.RESTING
        if not became.reading.dice:
            return [WatchEvent(last.at, "cleared", gone=became.gone)] if lay or asked else []
        if not (became.changed or asked):
            return []
        return [WatchEvent(last.at, "settled", became.reading, became.stayed, became.gone, "", last.photo, detections)]


def _plain(reading: Reading) -> Reading:
    """The reading, or one of no dice where not one is plain: other things lie on tables too, and are no throw."""
    if any(die.confidence >= _PLAIN for die in reading.dice):
        return reading
    return dataclasses.replace(reading, dice=())


def _camera_motion(before: Grey, now: Grey) -> tuple[Drift, Mask]:
    """How the camera moved from one glance to the next, and what changed apart from that. Where a hand fills the
    picture its movement looks like the camera's: what explains more of the picture is taken."""
    still = changed_mask(before, now)
    if not still.any():
        return STILL, still
    drift = drift_between(before, now)
    if drift is None:
        return STILL, still
    apart = changed_mask(before, now, drift)
    return (drift, apart) if apart.sum() < still.sum() else (STILL, still)
