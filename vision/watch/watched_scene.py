"""What the watch's frames show: all that touches pixels or networks. It observes each frame, and answers what
`states.step` asks for; it concludes nothing."""

from __future__ import annotations

import dataclasses
import itertools
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Doubles, Mask, Pixels, longer_sides
from vision.judging.ask_reasons import TOO_DARK
from vision.judging.dice_memory import DiceMemory
from vision.judging.seen import Seen
from vision.photo import Photo
from vision.pixels import brightness, measure_light
from vision.reader import Reader
from vision.reading import Die, Reading
from vision.region import Region, RegionCrop
from vision.watch import motion, tracking
from vision.watch.motion import STILL, Difference, Drift
from vision.watch.states import (
    LEAST_READINGS,
    SLOWLY,
    Comparison,
    FrameChange,
    Observation,
    Readings,
    Request,
    Rest,
    Watching,
)
from vision.watch.tracking import FrameReading, boxes_of

_HAND = 0.01  # of a glance's pixels: the least that reaches in
_MOST_READINGS = 8  # frames that are combined
_MOST_CANDIDATES = 40  # of a frame: on a checked cloth 200 squares look a little like dice, and cost seconds
_JOLT = 0.3  # of the picture's longer side a second: a camera this fast sees no rest
_FAR = 1.5  # sides of a die: movement beyond is far from the dice
_ALTERED = 0.2  # of a die's place that changed, small as in a glance: another die may lie there
_ALIKE = 0.7  # correlation of a die's place with its look before, from which on the die still lies there


@dataclass(frozen=True)
class _Glance:
    """A frame with its small picture."""

    at: float
    photo: Photo
    small: Pixels


@dataclass(frozen=True)
class _Kept:
    """Dice at rest, the picture then, and its sharpness. `covered`: dice that lay there before something covered their
    places; `bare`: the table without dice, as far as it was ever seen."""

    dice: tuple[Die, ...] = ()
    covered: tuple[Die, ...] = ()
    small: Pixels | None = None
    sharp: float = 0.0
    bare: Pixels | None = None


class Scene:
    """The frames of one camera or video. Movements are kept in pixels of the glance, dice in pixels of the photo."""

    def __init__(self, reader: Reader, region: Region | None) -> None:
        self.dice: int | None = None  # how many there are at most
        self.known: DiceMemory | None = None
        self._reader = reader
        self._rest = self._earlier = _Kept()  # the last rest, and the one before it
        self.begin_anew(region)

    def begin_anew(self, region: Region | None) -> None:
        """Forgets the frames before, but not the rest before. `region`: the part of the picture that counts."""
        self._region = region
        self._region_crop: RegionCrop | None = None
        self._mask: Mask | None = None
        self._glances: deque[_Glance] = deque(maxlen=LEAST_READINGS)
        self._readings: list[FrameReading] = []
        self._steps: list[Drift] = []  # from each reading to the next, in pixels of the photo
        self._calm_since = 0.0  # when the first of the readings that agree was made
        self._since_reading = self._since_rest = STILL
        self._jolted = False  # whether the camera may have moved since the last rest
        self._change: Difference | None = None  # since the last rest, as far as it was asked for

    def fits(self, photo: Photo) -> bool:
        """Whether the photo has the size of the frames before."""
        last = self._glances[-1].photo
        return (photo.width, photo.height) == (last.width, last.height)

    def observe(self, photo: Photo, at: float) -> FrameChange:
        """What this frame shows. Raises ValueError if the region does not fit it."""
        before = self._glances[-1] if self._glances else None
        now = self._take_glance(photo, at)
        self._glances.append(now)
        self._change = None
        if before is None:
            return FrameChange(at)
        grey = motion.to_grey(now.small)
        if brightness(grey if self._mask is None else grey[self._mask]) < TOO_DARK:
            return FrameChange(at, dark=True)
        if motion.is_quiet(before.small, now.small):
            return FrameChange(at)
        change = motion.camera_motion(before.small, now.small)
        self._since_reading = self._since_reading.then(change.drift)
        self._since_rest = self._since_rest.then(change.drift)
        height, width = now.small.shape[:2]
        fast = _JOLT * min(at - before.at, SLOWLY) * max(width, height)
        if change.drift.length(width, height) > fast:
            self._jolted = True
            return FrameChange(at, shaken=True)
        parts = motion.changed_boxes(change.mask)
        if not len(parts):
            return FrameChange(at)
        return FrameChange(at, moves=True, far=self._far_from_dice(parts), arm=self._shows_arm())

    def answer(self, request: Request, state: Watching) -> Observation | None:
        """What was asked for. Raises ModelError."""
        match request:
            case Request.COMPARE:
                return Comparison(self._looks_as_at_rest())
            case Request.READ:
                return self._read(self._glances[-1], state.readings is not None, state.asked)
            case Request.READ_KEPT:
                return self._read_kept_frames()
            case Request.COMBINE:
                self._combined = self._combine()
                return self._combined
            case Request.EXAMINE:
                return self._examine(self._combined)
            case Request.KEEP:
                self._keep(state)
                return None

    # --- glances -----------------------------------------------------------------------------------------------------

    def _take_glance(self, photo: Photo, at: float) -> _Glance:
        if self._region is not None and self._region_crop is None:
            self._region_crop = self._region.in_picture(photo.width, photo.height)
        small = motion.glance(self._crop(photo).pixels)
        if self._region_crop is not None:
            if self._mask is None:
                self._mask = self._region_crop.mask(small)
            small = np.where(self._mask[:, :, None], small, np.uint8(0))
        return _Glance(at, photo, small)

    def _crop(self, photo: Photo) -> Photo:
        """The part of the photo that the networks read."""
        return photo if self._region_crop is None else self._region_crop.cut(photo)

    def _far_from_dice(self, parts: Doubles) -> bool:
        """Whether nothing of `parts` (n, 4), in pixels of the glance, is near the dice of the last reading."""
        if not self._readings:
            return True
        boxes = self._places(self._readings[-1].reading.dice, self._since_reading)
        if not len(boxes):
            return False
        side = float(np.median(longer_sides(boxes)))
        gap = np.maximum(parts[:, None, :2] - boxes[None, :, 2:], boxes[None, :, :2] - parts[:, None, 2:])
        return bool((gap.max(2) > _FAR * side).all())

    def _shows_arm(self) -> bool | None:
        """Whether something larger than a die reaches in that was not there at the last rest; None: unknown."""
        change = self._since_last_rest()
        if change is None:
            return None
        die = _die_area(self._places(self._rest.dice, change.drift)) / change.mask.size
        return motion.largest_new(change, np.zeros((0, 4)), self._mask, at_edge=True) >= max(_HAND, die)

    def _scale(self) -> tuple[float, complex]:
        """How many pixels of the photo one of the glance has, and where in the photo the glance begins."""
        last = self._glances[-1]
        x0, y0, x1, _ = self._region_crop.box if self._region_crop else (0, 0, last.photo.width, 0)
        return (x1 - x0) / last.small.shape[1], complex(x0, y0)

    def _in_photo(self, drift: Drift) -> Drift:
        """A movement in pixels of the glance, in those of the photo."""
        size, corner = self._scale()
        grown = drift.scale(size)
        return Drift(grown.turn, grown.shift + corner - grown.turn * corner)

    def _places(self, dice: Sequence[Die], drift: Drift = STILL) -> Doubles:
        """Where dice (n, 4) lie in the glance after a movement."""
        size, corner = self._scale()
        return drift.move_boxes((boxes_of(dice) - np.array([corner.real, corner.imag] * 2)) / size)

    # --- the last rest -----------------------------------------------------------------------------------------------

    def _small_at(self, rest: _Kept) -> Pixels | None:
        """The picture at a rest; None if it cannot be compared with the last glance."""
        return rest.small if rest.small is not None and rest.small.shape == self._glances[-1].small.shape else None

    def _since_last_rest(self) -> Difference | None:
        """What changed since the last rest; None if its picture cannot be compared. The camera's drift is the sum of
        its steps, or that between the pictures, or none: whichever explains most of the picture."""
        before, now = self._small_at(self._rest), self._glances[-1].small
        if self._change is None and before is not None:
            changes = [Difference(before, now), Difference(before, now, motion.drift_between(before, now) or STILL)]
            followed = Difference(before, now, self._since_rest)
            best = max(changes, key=lambda change: change.explained)
            self._change = followed if 1 - followed.explained < 0.8 * (1 - best.explained) else best
        return self._change

    def _looks_as_at_rest(self) -> bool:
        before = self._small_at(self._rest)
        if before is None or self._jolted:
            return False
        if motion.is_quiet(before, self._glances[-1].small):
            return True
        change = self._since_last_rest()
        return change is not None and not len(motion.changed_boxes(change.mask))

    def _place_camera(self, reading: Reading) -> bool:
        """Finds out where the camera is, if it seemed to move since the last rest: a hand looks so too. Returns whether
        the picture does not tell: a hand may fill it."""
        if self._jolted and (self._stands_as_before() or tracking.lie_as_before(self._rest.dice, reading.dice)):
            self._jolted, self._since_rest, self._change = False, STILL, None
        change = self._since_last_rest() if self._jolted else None
        return change is not None and change.explained < 0.5

    def _stands_as_before(self) -> bool:
        """Whether the last rest's table is at its place: it was a hand that seemed to move the camera."""
        before, now = self._small_at(self._rest), self._glances[-1].small
        drift = None if before is None else motion.drift_between(before, now)
        if drift is None:
            return False
        height, width = now.shape[:2]
        corners = np.array([[0, 0, 0, 0], [width, height, width, height]], np.float64)
        return bool(np.abs(drift.move_boxes(corners) - corners).max() < 1)  # pixel

    def _keep(self, rest: Watching) -> None:
        now, dice = self._glances[-1].small, self._places((*rest.covered, *rest.dice))
        bare = motion.learn_table(self._rest.bare, self._since_last_rest(), now, dice)
        sharp = self._sharp(self._readings[-1].photo)
        self._earlier, self._rest = self._rest, _Kept(rest.dice, rest.covered, now, sharp, bare)
        self._since_rest, self._jolted, self._change = STILL, False, None

    def _sharp(self, photo: Photo) -> float:
        return measure_light(self._crop(photo).pixels).sharpness

    # --- readings ----------------------------------------------------------------------------------------------------

    def _read(self, current: _Glance, go_on: bool, anyway: bool = False) -> Readings:
        """Reads the frame; with those before if it is to `go_on` and the dice kept their places since, or `anyway`."""
        photo = current.photo
        detections = self._reader.detect(self._crop(photo), _MOST_CANDIDATES)
        if self._region_crop is not None:
            detections = self._region_crop.to_whole_picture(detections)
        frame = FrameReading(current.at, photo, detections, self._interpret(photo, detections))
        way = tracking.common_drift(self._readings[-1], frame, self._in_photo(self._since_reading)) if go_on else None
        if go_on and (way is not None or anyway):
            self._steps.append(way or STILL)
        else:
            self._readings, self._steps, self._calm_since = [], [], current.at
        self._readings.append(frame)
        if len(self._readings) > _MOST_READINGS:
            del self._readings[0], self._steps[0]
        self._since_reading = STILL
        return Readings(len(self._readings), self._calm_since, current.at)

    def _read_kept_frames(self) -> Readings:
        """Reads the last frames of a video that ended early, unless something moves among its dice."""
        kept = list(self._glances)
        readings = self._read(kept[0], go_on=False)
        for before, each in itertools.pairwise(kept):
            change = motion.camera_motion(before.small, each.small)
            self._since_reading = change.drift
            parts = motion.changed_boxes(change.mask)
            readings = self._read(each, not len(parts) or self._far_from_dice(parts))
        return readings

    def _interpret(self, photo: Photo, detections: Seen) -> Reading:
        """The reading: with the dice count if that makes it sure, or if more dice are seen. Fewer may lie there,
        since some are being put away."""
        reading = self._reader.interpret(photo, detections, known=self.known)
        if self.dice is None or (len(reading.dice) == self.dice and reading.sure):
            return reading
        counted = self._reader.interpret(photo, detections, self.dice, known=self.known)
        return counted if counted.sure or len(reading.dice) > self.dice else reading

    # --- rests -------------------------------------------------------------------------------------------------------

    def _combine(self) -> Rest:
        """The readings combined, and compared with the last rest."""
        last = self._readings[-1]
        ways = [STILL]
        for way in reversed(self._steps):
            ways.insert(0, way.then(ways[0]))
        detections = tracking.combine(self._readings, ways)
        reading = self._interpret(last.photo, detections)
        lost = self._place_camera(reading)
        rest = self._compare(reading, detections)
        all_there = self.dice is not None and len(rest.reading.dice) >= self.dice
        blurred = self._out_of_focus(rest, last)
        return dataclasses.replace(
            rest,
            covered=() if blurred or lost or all_there else self._covered_dice(rest),
            blurred=blurred,
            reaches_in=rest.changed and not all_there and (lost or self._reaches_in(rest)),
            lost=lost,
            hides=rest.new and self.dice is not None and not all_there and self._may_hide_die(rest),
            photo=last.photo,
            detections=detections,
        )

    def _compare(self, reading: Reading, detections: Seen) -> Rest:
        """Compares the reading with the rest before, and with what was covered then."""
        change, lay = self._since_last_rest(), (*self._rest.dice, *self._rest.covered)
        drift = self._since_rest if change is None else change.drift
        altered = np.zeros(len(lay), bool) if change is None else change.shares(self._places(lay, drift)) > _ALTERED
        altered[len(self._rest.dice) :] = False  # what covered these is gone, and they look as before that
        rest = tracking.compare_rests(lay, self._in_photo(drift), reading, detections, tuple(altered))
        if self._jolted and rest.changed and reading.dice and tracking.same_layout(self._rest.dice, reading.dice):
            return Rest(reading, (True,) * len(reading.dice), (), False)
        return rest

    def _examine(self, rest: Rest) -> Rest:
        number = len(rest.reading.dice)
        assert rest.photo is not None
        assert rest.detections is not None
        counted = self.dice if number == self.dice else None
        reading = self._reader.examine(rest.photo, rest.reading, rest.detections, counted, self._region_crop)
        if self.dice is not None and number > self.dice:
            reading = dataclasses.replace(reading, complete=False)
        return dataclasses.replace(rest, reading=reading, examined=True)

    def _may_hide_die(self, rest: Rest) -> bool:
        """Whether something new, as large as a die, lies where one of the dice that were not seen may be. Whether it is
        new is not known of the first picture."""
        change = self._since_last_rest()
        if change is None:
            return not rest.reading.sure
        dice = self._came_and_lay(self._rest.dice, rest, change.drift)
        room = change.mask.size if self._mask is None else self._mask.sum()
        return motion.largest_new(change, dice, self._mask) >= _die_area(dice) / room

    def _came_and_lay(self, before: Sequence[Die], rest: Rest, drift: Drift) -> Doubles:
        """The places (n, 4) in the glance of dice that lay there before the drift, and of those that lie there now."""
        return np.concatenate([self._places(before, drift), self._places(rest.reading.dice)])

    def _covered_dice(self, rest: Rest) -> tuple[Die, ...]:
        """The gone dice that may still lie there, under something; where they lie now."""
        change = self._since_last_rest()
        if change is None or self._rest.bare is None or not rest.gone:
            return ()
        under = motion.covered_places(change, self._rest.bare, self._places(rest.gone, change.drift))
        covered = [die for die, is_under in zip(rest.gone, under, strict=True) if is_under]
        boxes = self._in_photo(change.drift).move_boxes(boxes_of(covered))
        return tuple(dataclasses.replace(die, box=tuple(box)) for die, box in zip(covered, boxes, strict=True))

    def _reaches_in(self, rest: Rest) -> bool:
        """Whether something that was not there at the rest before reaches into the picture. A thing that was there then
        and is gone looks alike, so the picture must differ from the rest before that too."""
        change = self._since_last_rest()
        if change is None:
            return False
        lay = self._came_and_lay(rest.gone, rest, change.drift)
        if motion.largest_new(change, lay, self._mask, at_edge=True) < _HAND:
            return False
        earlier, now = self._small_at(self._earlier), self._glances[-1].small
        if earlier is None:
            return True
        change = Difference(earlier, now, motion.drift_between(earlier, now) or STILL)
        lay = self._came_and_lay(self._earlier.dice, rest, change.drift)
        return motion.largest_new(change, lay, self._mask, at_edge=True) >= _HAND

    def _out_of_focus(self, rest: Rest, last: FrameReading) -> bool:
        """Whether dice seem gone only because the picture is out of focus. It must be blurred beside the dice too,
        since lifted dice take the sharpest edges with them. The places of the dice must look as before, small as in
        a glance."""
        change = self._since_last_rest()
        if change is None or not rest.gone or self._sharp(last.photo) >= motion.IN_FOCUS * self._rest.sharp:
            return False
        lay, lie = self._places(self._rest.dice), self._places(self._rest.dice, change.drift)
        if motion.is_as_sharp(change.before, change.now, lay, lie):
            return False
        alike = motion.appearance_correlation(change, self._places(rest.gone, change.drift))
        return bool(np.median(alike) > _ALIKE)


def _die_area(boxes: Doubles) -> float:
    """The median area of dice's boxes (n, 4); 0 without any."""
    return float(np.median((boxes[:, 2:] - boxes[:, :2]).prod(1))) if len(boxes) else 0.0
