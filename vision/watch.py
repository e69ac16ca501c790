"""Watches frames and reports events: dice move, come to rest, are cleared away; or nothing can be seen, and why.

The networks read frames only after something changed. Dice are at rest when nothing moves apart from the camera, and
several frames show them at the same places relative to each other, with the same values.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from vision.arrays import Doubles, Flags, Mask, Pixels
from vision.judging.dice_memory import DiceMemory
from vision.judging.seen import Seen
from vision.light import sharpness
from vision.motion import (
    FINGERS,
    HAND,
    STILL,
    Drift,
    appearance_correlation,
    bare_now,
    brightness,
    changed_boxes,
    changed_mask,
    changed_shares,
    covered_places,
    drift_between,
    explains_share,
    glance,
    hides_die,
    is_as_sharp,
    is_quiet,
    learn_table,
    reaches_in,
    shows_arm,
)
from vision.photo import Photo
from vision.reader import Reader
from vision.reading import Die, Reading, check_throw
from vision.region import Region, RegionCrop
from vision.tracking import (
    FrameReading,
    RestChange,
    boxes_of,
    combine,
    common_drift,
    compare_rests,
    lie_as_before,
    same_layout,
)

EVERY = 1 / 15  # seconds from one glance to the next

# Why nothing can be seen: reason -> English sentence.
BLIND: dict[str, str] = {
    "dark": "it is too dark to see dice",
    "blurred": "the picture is out of focus",
    "moved": "the camera moves",
    "cut": "the edge of the picture cuts off a die",
    "too-small": "the dice are too small; go nearer",
    "from-the-side": "the dice are seen from the side",
}

_LEAST_READINGS = 3  # frames that agree, before a rest is reported;
_LEAST_SPAN = 0.18  # or two that are so many seconds apart, where frames come slowly
_MOST_READINGS = 8  # frames that are combined
_MOST_CANDIDATES = 40  # of a frame: on a checked cloth 200 squares look a little like dice, and cost seconds
_PAUSE = 0.12  # seconds between two reads once there are _LEAST_READINGS
_DOUBT = 0.38  # seconds of rest before an unsure reading is reported
_PLAIN = 0.6  # confidence that at least one die must have: other things on a table are no throw
_GONE = 0.25  # seconds of rest before gone dice are reported if none came: a hand may pause
_HAND = 1.2  # seconds of rest before anything is reported while something new reaches into the picture
_COVERED = 8.0  # ... while it covers dice, or may cover some that were thrown: in the end it is no hand
_HIDDEN = 2.5  # ... while something else new lies there under which a die may be: a lamp's glare goes on
_OBSTRUCTED = 2.5  # ... while the picture cannot show all dice surely; then they are reported, but not as sure
_CUT = 0.04  # of a die's side: a die as near to the picture's border may be cut by it
_CUT_SCORE = 0.3  # the detector's score of what lies at the border, from which on it may be a part of a die
_CUT_SIDES = (0.6, 1.5)  # of a die's side, its longer side
_MOVING = 2  # successive glances with movement, before it is reported
_JOLT = 0.3  # of the picture's longer side a second: a camera this fast sees no rest
_STANDS = 0.006  # of the picture's longer side, that a picture's corners may seem to have moved if nothing did
_EXPLAINED = 0.5  # of the picture that must look as at the last rest, if the camera stands there or somewhere near
_SLOWLY = 0.5  # seconds between two comparisons with the last rest: focus comes back without movement
_LONGEST = 0.2  # seconds between two glances, for which `_JOLT` counts; further apart anything may have happened
_TURNED_OVER = 0.6  # of the picture that changed at once: the camera moved
_BUSY = 2.5  # seconds of movement, after which movement far from the dice no longer counts
_BUSY_SPAN = 1.0  # seconds that the dice must keep their places then
_BUSY_PAUSE = 0.4  # seconds between two reads then
_FAR = 1.5  # sides of a die: movement beyond is far from the dice
_DARK = 28.0  # of 255: the mean of the lighter half of a glance
_BLURRED = 0.6  # of the sharpness at the last rest
_ALTERED = 0.2  # of a die's place that changed, small as in a glance: another die may lie there
_LEFT = 0.3  # of a die's place that changed, if the die has left it
_ALIKE = 0.7  # correlation of a die's place with its look before, from which on the die still lies there
_KEPT = 3  # glances kept for the end of a video
_NO_DIE = 0.25  # seconds for which glances must show a hand, or none: a die at the edge is soon past it
_GAP = 1.0  # seconds without a frame, after which nothing has moved all the while


class WatchState(Enum):
    """What the watch is doing."""

    WAITING = "waiting"  # for the first reading
    MOVING = "moving"
    RESTING = "resting"  # also with no dice
    BLIND = "blind"


@dataclass(frozen=True)
class WatchEvent:
    """What happened `at` seconds of the source's own clock.

    `event`: "moving", "settled", "cleared" or "blind". "blind" has a `reason`, a key of BLIND. "settled" and "cleared"
    have the dice `gone` since the rest before, as they lay then. "settled" also has the `reading`, and for each of its
    dice whether it `stayed` at this place with this value; and the `photo` and its `detections`, for
    `vision.Reader.interpret`.
    """

    at: float
    event: str
    reading: Reading | None = None
    stayed: tuple[bool, ...] = ()
    gone: tuple[Die, ...] = ()
    reason: str = ""
    photo: Photo | None = None
    detections: Seen | None = None

    def to_json(self) -> dict[str, Any]:
        """A line of `rollcall watch --json`."""
        line: dict[str, Any] = {"at": round(self.at, 3), "event": self.event}
        if self.event == "blind":
            return {**line, "reason": self.reason, "text": BLIND[self.reason]}
        if self.reading is None:
            return line
        dice = [{**die.to_json(), "stayed": stayed} for die, stayed in zip(self.reading.dice, self.stayed, strict=True)]
        return {
            **line,
            "values": list(self.reading.values),
            "sure": self.reading.sure,
            "dice": dice,
            "gone": [die.value for die in self.gone],
        }


@dataclass(frozen=True)
class _Glance:
    """A frame with its small picture."""

    at: float
    photo: Photo
    small: Pixels


@dataclass(frozen=True)
class _Rest:
    """Dice at rest, the picture then, and its sharpness. `covered`: dice that lay there before something covered their
    places; `bare`: the table without dice, as far as it was ever seen."""

    dice: tuple[Die, ...]
    small: Pixels | None
    sharp: float
    covered: tuple[Die, ...] = ()
    bare: Pixels | None = None


class Watch:
    """Watches the frames of one camera or video: call `see` for each of them, then `end`. `dice` (how many there are
    at most), `known` (the dice memory) and `region` (the part that counts) may be set at any time."""

    def __init__(
        self, reader: Reader, dice: int | None = None, region: Region | None = None, known: DiceMemory | None = None
    ) -> None:
        """Raises ValueError if no throw has `dice` dice."""
        check_throw(dice, ())
        self.dice, self.known = dice, known
        self._reader, self._region = reader, region
        self.state = WatchState.WAITING
        self._region_crop: RegionCrop | None = None
        self._mask: Mask | None = None
        self._rest = self._earlier = _Rest((), None, 0.0)  # the last rest, and the one before it
        self._read_anyway = False  # whether a person asked to read again
        self._start()

    def _start(self) -> None:
        """Forgets the frames before, but not the rest before."""
        self._glances: deque[_Glance] = deque(maxlen=_KEPT)
        self._readings: list[FrameReading] = []
        self._steps: list[Drift] = []  # from each reading to the next
        self._calm_since = 0.0  # when the first of the readings that agree was made
        self._since_reading = self._since_rest = STILL
        self._pending, self._jolted = True, False
        self._compared_at = 0.0  # when the picture was last compared with that of the last rest
        self._lost = False  # whether the picture does not tell where the camera now is: a hand may fill it
        self._stirring = self._shaking = 0
        self._busy_since: float | None = None
        self._obstructed_since: float | None = None  # when the picture could first not show all dice surely
        # Whether the last moving glance shows a hand; whether one is reported; since when glances show the contrary.
        self._arm, self._hand = False, False
        self._otherwise_since: float | None = None

    @property
    def hand(self) -> bool:
        """Whether a hand moves, or moved last: something that reaches in over the edge of the picture or region and
        was not there at the last rest. Always False at rest."""
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
        """Reads and reports the next frames, whatever moves and whatever was reported before. Ends any state."""
        self._read_anyway, self._pending, self.state = True, True, WatchState.WAITING
        self._forget_readings()

    def see(self, photo: Photo, at: float) -> list[WatchEvent]:
        """The events of this frame of `at` seconds. Frames come in order of time; if their time or size jumps, the
        watch begins anew. Raises ValueError if the region does not fit this picture, ModelError if a network's file
        is unusable."""
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
        current = self._take_glance(photo, at)
        self._glances.append(current)
        return self._compare_glances(before, current) if before else self._read_if_due(current)

    def end(self) -> list[WatchEvent]:
        """The events of the last frames, if a video has ended while dice lay still."""
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
        small = glance(self._crop(photo).pixels)
        if self._region_crop is not None:
            if self._mask is None:
                self._mask = self._region_crop.mask(small)
            small = np.where(self._mask[:, :, None], small, np.uint8(0))
        return _Glance(at, photo, small)

    def _crop(self, photo: Photo) -> Photo:
        """The part of the photo that the networks read."""
        return photo if self._region_crop is None else Photo(np.ascontiguousarray(self._region_crop.crop(photo.pixels)))

    def _compare_glances(self, before: _Glance, current: _Glance) -> list[WatchEvent]:
        """Decides what the change since the glance before means."""
        if current.at - before.at > _GAP:
            self._busy_since = None
        if brightness(current.small, self._mask) < _DARK:
            return self._report_blind(current.at, "dark")
        if is_quiet(before.small, current.small):
            self._count_hand(before, current)
            self._stirring, self._shaking, self._busy_since = 0, 0, None
            return self._read_if_due(current)
        drift, changed = _camera_motion(before.small, current.small)
        self._since_reading, self._since_rest = (
            way.then(self._in_photo(drift)) for way in (self._since_reading, self._since_rest)
        )
        height, width = current.small.shape[:2]
        fast = _JOLT * min(current.at - before.at, _LONGEST) * max(width, height)
        if drift.length(width, height) > fast or changed.mean() > _TURNED_OVER:
            return self._on_shake(before, current)
        self._shaking = 0
        parts = changed_boxes(changed)
        if not len(parts):
            self._count_hand(before, current)
            self._stirring, self._busy_since = 0, None
            return self._read_if_due(current)
        self._note_hand(current)
        self._count_hand(before, current)
        return self._on_motion(current, self._in_pixels(parts))

    def _note_hand(self, current: _Glance) -> None:
        """Notes whether this glance shows a hand that was not there at the last rest."""
        before = self._small_at(self._rest)
        if before is None:
            return
        drift = self._drift_since_rest()
        lay = self._places(self._rest.dice, drift)
        self._arm = shows_arm(before, current.small, self._in_glance(drift), lay, self._mask)

    def _count_hand(self, before: _Glance, current: _Glance) -> None:
        """Counts one more glance with a hand, or without."""
        if self._arm == self._hand:
            self._otherwise_since = None
            return
        if self._otherwise_since is None:
            self._otherwise_since = max(before.at, current.at - _LONGEST)
        if current.at - self._otherwise_since >= _NO_DIE:
            self._hand, self._otherwise_since = self._arm, None

    def _in_photo(self, drift: Drift) -> Drift:
        """A glance's drift, in pixels of the photo."""
        size, (left, top) = self._scale()
        corner = complex(left, top)
        grown = drift.scale(size)
        return Drift(grown.turn, grown.shift + corner - grown.turn * corner)

    def _in_pixels(self, boxes: Any) -> Any:
        size, corner = self._scale()
        return boxes * size + np.array([*corner, *corner])

    def _scale(self) -> tuple[float, tuple[int, int]]:
        """How many pixels of the photo one of the glance has, and where in the photo the glance begins."""
        last = self._glances[-1]
        x0, y0, x1, _ = self._region_crop.box if self._region_crop else (0, 0, last.photo.width, 0)
        return (x1 - x0) / last.small.shape[1], (x0, y0)

    def _on_motion(self, current: _Glance, parts: Any) -> list[WatchEvent]:
        """Handles movement in the boxes `parts` (n, 4), in pixels of the photo."""
        self._stirring += 1
        if self._busy_since is None:
            self._busy_since = current.at
        if self._read_anyway:
            return self._read_if_due(current)
        busy = self._busy(current)
        events: list[WatchEvent] = []
        if self._stirring >= _MOVING and not (busy and self.state is WatchState.RESTING):
            events = self._report_motion(current)
        if self._stirring >= _MOVING or not self._pending:
            self._pending = True
        if busy and self._far_from_dice(parts):
            return events + self._read_if_due(current)
        self._forget_readings()
        return events

    def _report_motion(self, current: _Glance) -> list[WatchEvent]:
        if self.state is WatchState.MOVING:
            return []
        self.state, self._obstructed_since = WatchState.MOVING, None
        return [WatchEvent(current.at, "moving")]

    def _far_from_dice(self, parts: Any) -> bool:
        """Whether nothing moves near the dice of the last reading."""
        if not self._readings:
            return True
        boxes = self._since_reading.move_boxes(boxes_of(self._readings[-1].reading.dice))
        if not len(boxes):
            return False
        side = float(np.median((boxes[:, 2:] - boxes[:, :2]).max(1)))
        gap = np.maximum(parts[:, None, :2] - boxes[None, :, 2:], boxes[None, :, :2] - parts[:, None, 2:])
        return bool((gap.max(2) > _FAR * side).all())

    def _on_shake(self, before: _Glance, current: _Glance) -> list[WatchEvent]:
        """Handles a camera that moves, or a picture that changed all at once: perhaps a hand fills it."""
        self._shaking += 1
        self._pending = self._jolted = True
        if self._read_anyway:
            return self._read_if_due(current)
        self._forget_readings()
        self._count_hand(before, current)
        if self._shaking < _MOVING:
            return []
        return self._report_motion(current) if self._hand or self._arm else self._report_blind(current.at, "moved")

    def _report_blind(self, at: float, reason: str) -> list[WatchEvent]:
        self._pending = True
        if self._read_anyway and len(self._glances) > 1:
            return self._read_if_due(self._glances[-1])
        self._forget_readings()
        if self.state is WatchState.BLIND:
            return []
        self.state = WatchState.BLIND
        return [WatchEvent(at, "blind", reason=reason)]

    # --- readings ----------------------------------------------------------------------------------------------------

    def _read_if_due(self, current: _Glance) -> list[WatchEvent]:
        """Reads the frame if a decision is pending, and decides as soon as it is clear."""
        if not self._pending and current.at - self._compared_at >= _SLOWLY:
            self._compared_at = current.at
            self._pending = self.state is WatchState.RESTING and not self._as_at_rest(current)
        if self._pending and not self._read_anyway and self.state is WatchState.RESTING and self._as_at_rest(current):
            self._pending = False
        if not self._pending:
            return []
        if self._readings and not self._read_anyway and current.at - self._readings[-1].at < self._pause(current):
            return []
        self._read_frame(current)
        if self._read_anyway:
            return self._conclude(0.0) if len(self._readings) >= 2 else []
        span = current.at - self._calm_since
        if len(self._readings) < (_LEAST_READINGS if span < _LEAST_SPAN else 2):
            return []
        if self._busy(current) and span < _BUSY_SPAN:
            return []
        return self._conclude(span)

    def _busy(self, current: _Glance) -> bool:
        return self._busy_since is not None and current.at - self._busy_since > _BUSY

    def _pause(self, current: _Glance) -> float:
        """Seconds from the last reading to the next."""
        if self._busy(current) or current.at - self._calm_since > _BUSY_SPAN:
            return _BUSY_PAUSE
        return _PAUSE if len(self._readings) >= _LEAST_READINGS else 0.0

    def _as_at_rest(self, current: _Glance) -> bool:
        """Whether the picture looks as at the last rest: a flicker, or a recoded video, is no movement."""
        before = self._small_at(self._rest)
        if before is None or self._jolted:
            return False
        if is_quiet(before, current.small):
            return True
        return not len(changed_boxes(changed_mask(before, current.small, self._in_glance(self._drift_since_rest()))))

    def _read_frame(self, current: _Glance) -> None:
        """Reads the frame. Begins anew if the dice did not keep their places since the reading before."""
        photo = current.photo
        detections = self._reader.detect(self._crop(photo), _MOST_CANDIDATES)
        if self._region_crop is not None:
            detections = self._region_crop.to_whole_picture(detections)
        frame = FrameReading(current.at, photo, detections, self._interpret(photo, detections))
        if self._readings:
            step = common_drift(self._readings[-1], frame, self._since_reading)
            if step is None and not self._read_anyway:
                self._forget_readings()
            else:
                self._steps.append(step or STILL)
        if not self._readings:
            self._calm_since = current.at
        self._readings.append(frame)
        if len(self._readings) > _MOST_READINGS:
            del self._readings[0], self._steps[0]
        self._since_reading = STILL

    def _forget_readings(self) -> None:
        self._readings, self._steps = [], []

    def _read_kept_frames(self) -> None:
        """Reads the last frames of a video that ended early, unless something moves among its dice."""
        self._forget_readings()
        glances = list(self._glances)
        for place, each in enumerate(glances):
            if place:
                drift, changed = _camera_motion(glances[place - 1].small, each.small)
                self._since_reading = self._in_photo(drift)
                parts = self._in_pixels(changed_boxes(changed))
                if len(parts) and self._readings and not self._far_from_dice(parts):
                    self._forget_readings()
            self._read_frame(each)

    def _interpret(self, photo: Photo, detections: Seen) -> Reading:
        """The reading: with the dice count if that makes it sure, or if more dice are seen. Fewer may lie there,
        since some are being put away."""
        reading = self._reader.interpret(photo, detections, known=self.known)
        if self.dice is None or (len(reading.dice) == self.dice and reading.sure):
            return reading
        counted = self._reader.interpret(photo, detections, self.dice, known=self.known)
        return counted if counted.sure or len(reading.dice) > self.dice else reading

    # --- rests -------------------------------------------------------------------------------------------------------

    def _conclude(self, span: float, ended: bool = False) -> list[WatchEvent]:
        """The event of the combined readings after `span` seconds of rest; none yet if further frames may decide.
        `ended`: no frame will follow."""
        last = self._readings[-1]
        detections = combine(self._readings, self._to_last())
        reading = _doubt_cut(self._interpret(last.photo, detections), detections)
        self._place_camera(reading)
        change = self._compare(reading if self._read_anyway else _drop_implausible(reading), detections)
        blurred = self._out_of_focus(change, last)
        covered = () if blurred else self._covered_dice(change)
        if self._read_anyway:
            return self._report_rest(self._examine(change, last.photo, detections), covered, last, detections)
        hand = change.changed and self._hand_may_hide(change)
        if change.changed and span < self._wait_before_report(change, covered, hand, ended):
            return []
        if blurred:
            return self._report_blind(last.at, "blurred")
        if change.new:
            change = self._examine(change, last.photo, detections)
            if self.dice is not None and len(change.reading.dice) > self.dice:
                change = dataclasses.replace(change, reading=dataclasses.replace(change.reading, complete=False))
            if change.reading.obstacles and not ended and self._was_clear_lately(last.at):
                return self._report_blind(last.at, change.reading.obstacles[0])
        if covered or (change.new and (hand or self._lost)):
            change = dataclasses.replace(change, reading=dataclasses.replace(change.reading, complete=False))
        return self._report_rest(change, covered, last, detections)

    def _examine(self, change: RestChange, photo: Photo, detections: Seen) -> RestChange:
        """The change, with a reading that is not sure if the picture keeps it from showing all dice surely."""
        counted = self.dice if len(change.reading.dice) == self.dice else None
        reading = self._reader.examine(photo, change.reading, detections, counted, self._region_crop)
        return dataclasses.replace(change, reading=reading)

    def _was_clear_lately(self, at: float) -> bool:
        """Whether the picture could show all dice surely until a short while ago."""
        if self._obstructed_since is None:
            self._obstructed_since = at
        return at - self._obstructed_since < _OBSTRUCTED

    def _wait_before_report(self, change: RestChange, covered: Sequence[Die], hand: bool, ended: bool) -> float:
        """Seconds of rest before this change is reported. `hand`: something new reaches into the picture."""
        waits = _GONE if change.gone and not change.new else 0.0
        if change.reading.dice and not change.reading.sure:
            waits = _DOUBT
        if covered:
            waits = _COVERED
        elif hand and not (ended and change.new):
            hides = self._lost or (change.new and not self._busy(self._glances[-1]))
            waits = max(waits, _COVERED if hides else _HAND)
        elif change.new and self._hides_die(change):
            waits = _HIDDEN
        return min(waits, _GONE) if ended and change.new else waits

    def _hides_die(self, change: RestChange) -> bool:
        """Whether something new, as large as a die, lies where one of the dice that were not seen may be. Whether it is
        new is not known of the first picture."""
        before = self._small_at(self._rest)
        if self.dice is None or self._all_there(change):
            return False
        if before is None:
            return not change.reading.sure
        drift, dice = self._drift_since_rest(), self._places(change.reading.dice, STILL)
        lay = np.concatenate([self._places(self._rest.dice, drift), dice])
        return hides_die(before, self._glances[-1].small, self._in_glance(drift), lay, self._mask)

    def _all_there(self, change: RestChange) -> bool:
        """Whether all dice of the game lie there, so that none can be hidden."""
        return self.dice is not None and len(change.reading.dice) >= self.dice

    def _covered_dice(self, change: RestChange) -> tuple[Die, ...]:
        """The gone dice that may still lie there, under something."""
        before = self._small_at(self._rest)
        if before is None or self._rest.bare is None or self._lost or not change.gone or self._all_there(change):
            return ()
        now, drift = self._glances[-1].small, self._drift_since_rest()
        gone, way = self._places(change.gone, drift), self._in_glance(drift)
        dice = np.concatenate([gone, self._places(change.reading.dice, STILL)])
        covered = covered_places(before, now, way, bare_now(self._rest.bare, before, now, way), gone, dice)
        return tuple(die for die, under in zip(change.gone, covered, strict=True) if under)

    def _to_last(self) -> list[Drift]:
        ways = [STILL]
        for step in reversed(self._steps):
            ways.insert(0, step.then(ways[0]))
        return ways

    def _compare(self, reading: Reading, detections: Seen) -> RestChange:
        """Compares the reading with the rest before, and with what was covered then."""
        drift, lay = self._drift_since_rest(), (*self._rest.dice, *self._rest.covered)
        altered = self._changed_since(lay, drift) > _ALTERED
        altered[len(self._rest.dice) :] = False  # what covered these is gone, and they look as before that
        change = compare_rests(lay, drift, reading, detections, tuple(altered))
        if self._jolted and change.changed and reading.dice and same_layout(self._rest.dice, reading.dice):
            return RestChange(reading, (True,) * len(reading.dice), (), False)
        return change

    def _small_at(self, rest: _Rest) -> Pixels | None:
        """The picture at a rest; None if it cannot be compared with the last glance."""
        return rest.small if rest.small is not None and rest.small.shape == self._glances[-1].small.shape else None

    def _drift_since_rest(self) -> Drift:
        """How the camera moved since the last rest: the sum of its steps, or the drift between the pictures then and
        now. Whichever explains more of the picture is taken, or none if standing still does."""
        before, now = self._small_at(self._rest), self._glances[-1]
        if before is None:
            return self._since_rest
        ways = [STILL, drift_between(before, now.small) or STILL]
        unlike = [1 - explains_share(before, now.small, way) for way in ways]
        followed_back = 1 - explains_share(before, now.small, self._in_glance(self._since_rest))
        if followed_back < 0.8 * min(unlike):
            return self._since_rest
        return self._in_photo(ways[int(np.argmin(unlike))])

    def _place_camera(self, reading: Reading) -> None:
        """Finds out where the camera is, if it seemed to move since the last rest: a hand looks so too."""
        before, now = self._small_at(self._rest), self._glances[-1].small
        if self._jolted and (self._stands_as_before() or lie_as_before(self._rest.dice, reading.dice)):
            self._jolted, self._since_rest = False, STILL
        self._lost = False
        if self._jolted and before is not None:
            drift = self._in_glance(self._drift_since_rest())
            self._lost = explains_share(before, now, drift) < _EXPLAINED

    def _stands_as_before(self) -> bool:
        """Whether the last rest's table is at its place: it was a hand that seemed to move the camera."""
        before, now = self._small_at(self._rest), self._glances[-1].small
        drift = None if before is None else drift_between(before, now)
        if drift is None:
            return False
        height, width = now.shape[:2]
        corners = np.array([[0, 0, 0, 0], [width, height, width, height]], np.float64)
        return bool(np.abs(drift.move_boxes(corners) - corners).max() < _STANDS * max(width, height))

    def _in_glance(self, drift: Drift) -> Drift:
        """The inverse of `_in_photo`."""
        size, (left, top) = self._scale()
        corner = complex(left, top)
        return Drift(drift.turn, drift.shift + drift.turn * corner - corner).scale(1 / size)

    def _hand_may_hide(self, change: RestChange) -> bool:
        """Whether something that was not there at the rest before reaches into the picture, or may fill it. A thing
        that was there then and is gone looks alike, so the picture must differ from the rest before that too."""
        now, least = self._glances[-1], HAND if change.new else FINGERS
        before, earlier = self._small_at(self._rest), self._small_at(self._earlier)
        if before is None or self._all_there(change):
            return False
        if self._lost:
            return True
        drift = self._drift_since_rest()
        dice = self._places(change.reading.dice, STILL)
        lay = np.concatenate([self._places(change.gone, drift), dice])
        if not reaches_in(before, now.small, self._in_glance(drift), lay, self._mask, least):
            return False
        if earlier is None:
            return True
        way = drift_between(earlier, now.small) or STILL
        lay = np.concatenate([self._places(self._earlier.dice, self._in_photo(way)), dice])
        return reaches_in(earlier, now.small, way, lay, self._mask, least)

    def _out_of_focus(self, change: RestChange, last: FrameReading) -> bool:
        """Whether dice seem gone only because the picture is out of focus. It must be blurred beside the dice too,
        since lifted dice take the sharpest edges with them. The places of the dice must look as before, small as in
        a glance."""
        before, now = self._small_at(self._rest), self._glances[-1]
        if before is None or not change.gone or self._sharp(last.photo) >= _BLURRED * self._rest.sharp:
            return False
        drift = self._drift_since_rest()
        if np.median(self._changed_since(change.gone, drift)) >= _LEFT:
            return False
        if is_as_sharp(before, now.small, self._places(self._rest.dice, STILL), self._places(self._rest.dice, drift)):
            return False
        alike = appearance_correlation(before, now.small, self._in_glance(drift), self._places(change.gone, drift))
        return bool(np.median(alike) > _ALIKE)

    def _places(self, dice: Sequence[Die], drift: Drift) -> Doubles:
        """Where dice of a rest (n, 4) lie in the last glance."""
        size, corner = self._scale()
        return np.asarray((drift.move_boxes(boxes_of(dice)) - np.array([*corner, *corner])) / size, np.float64)

    def _changed_since(self, dice: Sequence[Die], drift: Drift) -> Doubles:
        """The share of each die's place (n,) that changed since the last rest, small as in a glance; 0 if unknown."""
        before, now = self._small_at(self._rest), self._glances[-1]
        if before is None:
            return np.zeros(len(dice))
        return changed_shares(changed_mask(before, now.small, self._in_glance(drift)), self._places(dice, drift))

    def _sharp(self, photo: Photo) -> float:
        return sharpness(self._crop(photo).pixels)

    def _report_rest(
        self, change: RestChange, covered: tuple[Die, ...], last: FrameReading, detections: Seen
    ) -> list[WatchEvent]:
        asked, before = self._read_anyway, self._rest
        gone = tuple(die for die in change.gone if die not in before.covered)
        back = len(gone) + len(before.covered) > len(change.gone)
        self._earlier = before
        self._rest = self._rest_now(change, covered, last)
        self._since_rest, self._pending, self._read_anyway, self._jolted = STILL, False, False, False
        self._obstructed_since = None
        self._arm, self._hand, self._otherwise_since = False, False, None
        self._forget_readings()
        self.state = WatchState.RESTING
        if not change.reading.dice:
            return [WatchEvent(last.at, "cleared", gone=gone)] if before.dice or asked else []
        if not (change.new or gone or back or asked):
            return []
        return [WatchEvent(last.at, "settled", change.reading, change.stayed, gone, "", last.photo, detections)]

    def _rest_now(self, change: RestChange, covered: tuple[Die, ...], last: FrameReading) -> _Rest:
        drift, now = self._drift_since_rest(), self._glances[-1].small
        moved = tuple(
            dataclasses.replace(die, box=tuple(box))
            for die, box in zip(covered, drift.move_boxes(boxes_of(covered)), strict=True)
        )
        dice = np.concatenate([self._places(covered, drift), self._places(change.reading.dice, STILL)])
        before = self._small_at(self._rest)
        bare = learn_table(self._rest.bare, before, now, self._in_glance(drift), dice)
        return _Rest(change.reading.dice, now, self._sharp(last.photo), moved, bare)


def _doubt_cut(reading: Reading, detections: Seen) -> Reading:
    """The reading, not sure of dice that the picture's border may cut, nor while a part of one may lie there."""
    size = np.array([reading.width, reading.height] * 2)
    at_border = _touches_border(boxes_of(reading.dice), size)
    dice = tuple(
        dataclasses.replace(die, sure=die.sure and not cut) for die, cut in zip(reading.dice, at_border, strict=True)
    )
    scored = zip(detections.pixels, detections.scores, strict=True)
    boxes = np.array([box for box, score in scored if score >= _CUT_SCORE], np.float64).reshape(-1, 4)
    side, sides = boxes_of(dice), (boxes[:, 2:] - boxes[:, :2]).max(1, initial=0.0)
    median = float(np.median((side[:, 2:] - side[:, :2]).max(1))) if dice else 0.0
    like_dice = (sides >= _CUT_SIDES[0] * median) & (sides <= _CUT_SIDES[1] * median)
    cut = bool((_touches_border(boxes, size) & like_dice).any())
    obstacles = reading.obstacles or ("cut",) * (cut or bool(at_border.any()))
    return dataclasses.replace(reading, dice=dice, obstacles=obstacles)


def _touches_border(boxes: Doubles, size: Doubles) -> Flags:
    """Which boxes (n, 4), in pixels of a picture of `size` (width and height, twice), its border may cut (n,)."""
    gaps = np.concatenate([boxes[:, :2], size[2:] - boxes[:, 2:]], 1).min(1, initial=np.inf)
    sides = (boxes[:, 2:] - boxes[:, :2]).max(1, initial=0.0)
    return np.asarray(gaps <= np.maximum(1.0, _CUT * sides))


def _drop_implausible(reading: Reading) -> Reading:
    """The reading; without dice if none is plain, since other things on tables are no throw."""
    if any(die.confidence >= _PLAIN for die in reading.dice):
        return reading
    return dataclasses.replace(reading, dice=())


def _camera_motion(before: Pixels, now: Pixels) -> tuple[Drift, Mask]:
    """How the camera moved between two glances, and what changed apart from that. A hand that fills the picture
    looks like a moving camera; so standing still is taken if it explains more of the picture."""
    still = changed_mask(before, now)
    if not still.any():
        return STILL, still
    drift = drift_between(before, now)
    if drift is None:
        return STILL, still
    apart = changed_mask(before, now, drift)
    return (drift, apart) if apart.sum() < still.sum() else (STILL, still)
