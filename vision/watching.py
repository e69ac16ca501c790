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
from vision.asking import sharpness
from vision.following import Followed, Sight, boxes_of, combined, followed, keeping_places, same_set
from vision.judging import Looks
from vision.memory import Memory
from vision.motion import (
    FINGERS,
    HAND,
    STILL,
    Drift,
    arm_in,
    as_sharp,
    drift_between,
    glance,
    light,
    likeness,
    quiet,
    reaches_in,
    shares,
    stirred,
    stirred_parts,
)
from vision.photo import Photo
from vision.reader import Reader
from vision.reading import Die, Reading, check_told
from vision.region import Part, Region

EVERY = 1 / 15  # seconds from one glance to the next

# Why nothing can be seen: reason -> English sentence.
BLIND: dict[str, str] = {
    "dark": "it is too dark to see dice",
    "blurred": "the picture is out of focus",
    "moved": "the camera moves",
}

_LOOKS = 3  # that agree, before a rest is told
_MOST_LOOKS = 8  # that are combined
_MOST_THINGS = 40  # in a look: on a checked cloth 200 may seem dice a little, and cost seconds
_SPARING = 0.12  # seconds from one look to the next once there are _LOOKS
_DOUBT = 0.38  # seconds of rest before a reading is told that is not sure
_PLAIN = 0.6  # confidence that one die of it must have: what lies on a table besides dice is no throw
_GONE = 0.25  # seconds of rest before dice are told to be gone and none to have come: a hand may pause
_HAND = 1.2  # seconds of rest before anything is told while something reaches into the picture that was not there
_MOVING = 2  # glances one after the other in which something moves, before that is told
_JOLT = 0.02  # of the picture's longer side, from one glance to the next: a camera this fast sees no rest
_TURNED_OVER = 0.6  # of the picture that changed at once
_BUSY = 2.5  # seconds of movement after which what moves far from the dice no longer counts
_BUSY_SPAN = 1.0  # seconds that the dice must keep their places then
_BUSY_SPARING = 0.4  # seconds from one look to the next then
_FAR = 1.5  # sides of a die
_DARK = 28.0  # of 255: the mean of the lighter half
_BLURRED = 0.6  # of how sharp the picture was at the last rest
_ALTERED = 0.2  # of a die's place, seen small, looks another way: it may be another die that lies there
_LEFT = 0.3  # of a die's place, seen small, must have changed for the die to have left it
_ALIKE = 0.7  # correlation of a die's place with how it looked, apart from what is small: so the die lies there yet
_KEPT = 3  # glances' pictures that are kept for the end of a video
_NO_DIE = 4  # glances one after the other that must show a hand, or none: a die at the edge is soon beyond it


class State(Enum):
    """What the watch is at."""

    WAITING = "waiting"  # for the first look
    MOVING = "moving"
    RESTING = "resting"  # also with no dice
    BLIND = "blind"


@dataclass(frozen=True)
class Event:
    """What happened `at` seconds of the source's own clock.

    `event`: "moving", "settled", "cleared" or "blind", this with a `reason` of BLIND. Of "settled": the `reading`;
    whether each of its dice, in their order, `stayed`: lay at this place with this value at the rest before; the dice
    `gone` since, as they lay then; the `photo` it stands for and all that was seen (`looks`), by which
    `vision.Reader.judge` may read it again with more that is known.
    """

    at: float
    event: str
    reading: Reading | None = None
    stayed: tuple[bool, ...] = ()
    gone: tuple[Die, ...] = ()
    reason: str = ""
    photo: Photo | None = None
    looks: Looks | None = None

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
class _Taken:
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
        self, reader: Reader, dice: int | None = None, region: Region | None = None, known: Memory | None = None
    ) -> None:
        """Raises ValueError where `dice` is no number of dice."""
        check_told(dice, ())
        self.dice, self.known = dice, known
        self._reader, self._region = reader, region
        self.state = State.WAITING
        self._part: Part | None = None
        self._mask: Mask | None = None
        self._rest = self._earlier = _Rest((), None, 0.0)  # the last rest, and the one before it
        self._asked = False  # whether a person asked to look again
        self._start()

    def _start(self) -> None:
        """Nothing of the frames before counts; the rest before does."""
        self._taken: deque[_Taken] = deque(maxlen=_KEPT)
        self._sights: list[Sight] = []
        self._steps: list[Drift] = []  # from each look to the next
        self._calm_since = 0.0  # when the first of the looks that agree was taken
        self._since_look = self._since_rest = STILL
        self._pending, self._jolted = True, False
        self._stirring = self._shaking = 0
        self._busy_since: float | None = None
        # Whether the last glance that moved shows a hand; whether one is told; how many glances show the contrary.
        self._arm, self._hand, self._otherwise = False, False, 0

    @property
    def hand(self) -> bool:
        """Whether of what moves, or moved last, something reaches into the picture over its edge, or the region's, that
        was not there at the last rest: a hand. Never where dice rest."""
        return self._hand and self.state is State.MOVING

    @property
    def region(self) -> Region | None:
        return self._region

    @region.setter
    def region(self, region: Region | None) -> None:
        self._region, self._part = region, None
        self._start()

    @property
    def resting(self) -> tuple[Die, ...]:
        """The dice of the last rest."""
        return self._rest.dice

    def look_again(self) -> None:
        """The next frames are read and told, whatever moves in them and whatever was told before: ends any state."""
        self._asked, self._pending, self.state = True, True, State.WAITING
        self._forget_looks()

    def see(self, photo: Photo, at: float) -> list[Event]:
        """What has happened, as far as this frame of `at` seconds tells. Frames come in order of time; when time or
        the frames' size jumps, it begins anew with them. Raises ValueError where the region is not one of this
        picture, ModelError where the networks' files are not usable."""
        if self._taken:
            passed = at - self._taken[-1].at
            if (photo.width, photo.height) != (self._taken[-1].photo.width, self._taken[-1].photo.height):
                self._part = None
                self._start()
            elif passed < 0:
                self._start()
            elif passed < 0.9 * EVERY:
                return []
        before = self._taken[-1] if self._taken else None
        taken = self._glanced(photo, at)
        self._taken.append(taken)
        return self._noticed(before, taken) if before else self._look(taken)

    def end(self) -> list[Event]:
        """What the last frames still told, when a video has ended while dice lay still."""
        if not self._pending or len(self._taken) < 2 or self.state is State.BLIND:
            return []
        if len(self._sights) < 2:
            self._look_back()
        if len(self._sights) < 2:
            return []
        return self._concluded(self._sights[-1].at - self._calm_since, ended=True)

    # --- glances -----------------------------------------------------------------------------------------------------

    def _glanced(self, photo: Photo, at: float) -> _Taken:
        if self._region is not None and self._part is None:
            self._part = self._region.within(photo.width, photo.height)
            self._mask = None
        grey = glance(self._cut(photo).pixels)
        if self._part is not None:
            if self._mask is None:
                self._mask = self._part.mask(grey)
            grey = np.where(self._mask, grey, np.uint8(0))
        return _Taken(at, photo, grey)

    def _cut(self, photo: Photo) -> Photo:
        """What is shown to the networks."""
        return photo if self._part is None else Photo(np.ascontiguousarray(self._part.cut(photo.pixels)))

    def _noticed(self, before: _Taken, taken: _Taken) -> list[Event]:
        """What moved since the frame before."""
        if light(taken.grey, self._mask) < _DARK:
            return self._blind(taken.at, "dark")
        if quiet(before.grey, taken.grey):
            self._count_hand()
            self._stirring, self._shaking, self._busy_since = 0, 0, None
            return self._look(taken)
        drift, changed = _moved(before.grey, taken.grey)
        self._since_look, self._since_rest = (
            way.then(self._in_photo(drift, taken)) for way in (self._since_look, self._since_rest)
        )
        height, width = taken.grey.shape
        if drift.length(width, height) > _JOLT * max(width, height) or changed.mean() > _TURNED_OVER:
            return self._shaken(taken)
        self._shaking = 0
        parts = stirred_parts(changed)
        if not len(parts):
            self._count_hand()
            self._stirring, self._busy_since = 0, None
            return self._look(taken)
        self._note_hand(taken)
        self._count_hand()
        return self._stirred(taken, self._in_pixels(parts, taken))

    def _note_hand(self, taken: _Taken) -> None:
        """Whether this glance shows a hand that was not there at the last rest."""
        before = self._rest.grey
        if before is None or before.shape != taken.grey.shape:
            return
        drift = self._drift_since_rest()
        lay = self._places(self._rest.dice, drift)
        self._arm = arm_in(before, taken.grey, self._in_glance(drift, taken), lay, self._mask)

    def _count_hand(self) -> None:
        """One glance more that shows a hand, or none."""
        self._otherwise = self._otherwise + 1 if self._arm != self._hand else 0
        if self._otherwise >= _NO_DIE:
            self._hand, self._otherwise = self._arm, 0

    def _in_photo(self, drift: Drift, taken: _Taken) -> Drift:
        """The drift of a glance in pixels of the photo."""
        size, (left, top) = self._scale(taken)
        corner = complex(left, top)
        grown = drift.scaled(size)
        return Drift(grown.turn, grown.shift + corner - grown.turn * corner)

    def _in_pixels(self, boxes: Any, taken: _Taken) -> Any:
        size, corner = self._scale(taken)
        return boxes * size + np.array([*corner, *corner])

    def _scale(self, taken: _Taken) -> tuple[float, tuple[int, int]]:
        """Pixels of the photo for one of the glance, and where in the photo the glance begins."""
        x0, y0, x1, _ = self._part.box if self._part is not None else (0, 0, taken.photo.width, taken.photo.height)
        return (x1 - x0) / taken.grey.shape[1], (x0, y0)

    def _stirred(self, taken: _Taken, parts: Any) -> list[Event]:
        """Something moves, in the boxes `parts` (n, 4), pixels of the photo."""
        self._stirring += 1
        if self._busy_since is None:
            self._busy_since = taken.at
        if self._asked:
            return self._look(taken)
        busy = self._busy(taken)
        told = self._moves(taken) if self._stirring >= _MOVING and not (busy and self.state is State.RESTING) else []
        if self._stirring >= _MOVING or not self._pending:
            self._pending = True
        if busy and self._far_from_dice(parts):
            return told + self._look(taken)
        self._forget_looks()
        return told

    def _moves(self, taken: _Taken) -> list[Event]:
        if self.state is State.MOVING:
            return []
        self.state = State.MOVING
        return [Event(taken.at, "moving")]

    def _far_from_dice(self, parts: Any) -> bool:
        """Whether nothing that moves is near the dice of the last look."""
        if not self._sights:
            return True
        boxes = self._since_look.moved(boxes_of(self._sights[-1].reading.dice))
        if not len(boxes):
            return False
        side = float(np.median((boxes[:, 2:] - boxes[:, :2]).max(1)))
        gap = np.maximum(parts[:, None, :2] - boxes[None, :, 2:], boxes[None, :, :2] - parts[:, None, 2:])
        return bool((gap.max(2) > _FAR * side).all())

    def _shaken(self, taken: _Taken) -> list[Event]:
        """The camera moves, or all of the picture changed at once; the latter also where a hand that was in the picture
        fills it."""
        self._shaking += 1
        self._pending = self._jolted = True
        if self._asked:
            return self._look(taken)
        self._forget_looks()
        self._count_hand()
        if self._shaking < _MOVING:
            return []
        return self._moves(taken) if self._hand or self._arm else self._blind(taken.at, "moved")

    def _blind(self, at: float, reason: str) -> list[Event]:
        self._pending = True
        if self._asked and len(self._taken) > 1:
            return self._look(self._taken[-1])
        self._forget_looks()
        if self.state is State.BLIND:
            return []
        self.state = State.BLIND
        return [Event(at, "blind", reason=reason)]

    # --- looks -------------------------------------------------------------------------------------------------------

    def _look(self, taken: _Taken) -> list[Event]:
        """Reads the frame if something is to be decided, and decides it as soon as it is clear."""
        if self._pending and not self._asked and self.state is State.RESTING and self._as_at_rest(taken):
            self._pending = False
        if not self._pending:
            return []
        if self._sights and not self._asked and taken.at - self._sights[-1].at < self._sparing(taken):
            return []
        self._sight(taken)
        if self._asked:
            return self._concluded(0.0) if len(self._sights) >= 2 else []
        if len(self._sights) < _LOOKS:
            return []
        span = taken.at - self._calm_since
        if self._busy(taken) and span < _BUSY_SPAN:
            return []
        return self._concluded(span)

    def _busy(self, taken: _Taken) -> bool:
        """Whether something has moved all the time for so long that it may go on for ever."""
        return self._busy_since is not None and taken.at - self._busy_since > _BUSY

    def _sparing(self, taken: _Taken) -> float:
        """Seconds from the last look to the next."""
        if self._busy(taken):
            return _BUSY_SPARING
        return _SPARING if len(self._sights) >= _LOOKS else 0.0

    def _as_at_rest(self, taken: _Taken) -> bool:
        """Whether all looks as at the last rest: one flicker, or the picture of a video coded anew, is no movement."""
        before = self._rest.grey
        if before is None or before.shape != taken.grey.shape or self._jolted:
            return False
        return not len(stirred_parts(stirred(before, taken.grey, self._in_glance(self._drift_since_rest(), taken))))

    def _sight(self, taken: _Taken) -> None:
        """Looks, and begins anew where the dice did not keep their places since the look before."""
        photo = taken.photo
        looks = self._reader.look(self._cut(photo), _MOST_THINGS)
        if self._part is not None:
            looks = self._part.whole(looks)
        sight = Sight(taken.at, photo, looks, self._judged(photo, looks))
        if self._sights:
            step = keeping_places(self._sights[-1], sight, self._since_look)
            if step is None and not self._asked:
                self._forget_looks()
            else:
                self._steps.append(step or STILL)
        if not self._sights:
            self._calm_since = taken.at
        self._sights.append(sight)
        if len(self._sights) > _MOST_LOOKS:
            del self._sights[0], self._steps[0]
        self._since_look = STILL

    def _forget_looks(self) -> None:
        self._sights, self._steps = [], []

    def _look_back(self) -> None:
        """Reads the last frames of a video that ended before it was clear, unless something moves among its dice."""
        self._forget_looks()
        taken = list(self._taken)
        for place, each in enumerate(taken):
            if place:
                drift, changed = _moved(taken[place - 1].grey, each.grey)
                self._since_look = self._in_photo(drift, each)
                parts = self._in_pixels(stirred_parts(changed), each)
                if len(parts) and self._sights and not self._far_from_dice(parts):
                    self._forget_looks()
            self._sight(each)

    def _judged(self, photo: Photo, looks: Looks) -> Reading:
        """The reading; told how many dice there are where that makes it sure, or where more are seen: fewer may lie
        there, some being put away."""
        reading = self._reader.judge(photo, looks, known=self.known)
        if self.dice is None or (len(reading.dice) == self.dice and reading.sure):
            return reading
        told = self._reader.judge(photo, looks, self.dice, known=self.known)
        return told if told.sure or len(reading.dice) > self.dice else reading

    # --- rests -------------------------------------------------------------------------------------------------------

    def _concluded(self, span: float, ended: bool = False) -> list[Event]:
        """What the looks come to together after `span` seconds of rest: nothing yet where more of them may tell.
        `ended`: no more will come."""
        last = self._sights[-1]
        looks = combined(self._sights, self._to_last())
        reading = self._judged(last.photo, looks)
        became = self._compared(reading if self._asked else _plain(reading), looks)
        if self._asked:
            return self._rested(became, last, looks)
        if became.changed and span < self._waits(became, ended):
            return []
        if self._fogged(became, last):
            return self._blind(last.at, "blurred")
        return self._rested(became, last, looks)

    def _waits(self, became: Followed, ended: bool) -> float:
        """Seconds of rest that it takes for this to be told."""
        waits = _GONE if became.gone and not became.new else 0.0
        if became.reading.dice and not became.reading.sure:
            waits = _DOUBT
        if (not ended or not became.new) and self._reached_into(became):
            waits = max(waits, _HAND)
        return min(waits, _GONE) if ended and became.new else waits

    def _to_last(self) -> list[Drift]:
        ways = [STILL]
        for step in reversed(self._steps):
            ways.insert(0, step.then(ways[0]))
        return ways

    def _compared(self, reading: Reading, looks: Looks) -> Followed:
        """The reading beside the rest before."""
        drift = self._drift_since_rest()
        altered = tuple(self._changed_since(self._rest.dice, drift) > _ALTERED)
        became = followed(self._rest.dice, drift, reading, looks, altered)
        if self._jolted and became.changed and reading.dice and same_set(self._rest.dice, reading.dice):
            return Followed(reading, (True,) * len(reading.dice), (), False)
        return became

    def _drift_since_rest(self) -> Drift:
        """How the camera moved since the last rest: as it was followed, or as the pictures then and now tell at once,
        whichever explains more of the picture; none unless one explains more than that."""
        before, now = self._rest.grey, self._taken[-1]
        if before is None or before.shape != now.grey.shape:
            return self._since_rest
        ways = [STILL, drift_between(before, now.grey)]
        changed = [np.inf if way is None else float(stirred(before, now.grey, way).sum()) for way in ways]
        best = ways[int(np.argmin(changed))] or STILL
        followed_back = stirred(before, now.grey, self._in_glance(self._since_rest, now))
        return self._since_rest if followed_back.sum() < 0.8 * min(changed) else self._in_photo(best, now)

    def _in_glance(self, drift: Drift, taken: _Taken) -> Drift:
        """The other way round than `_in_photo`."""
        size, (left, top) = self._scale(taken)
        corner = complex(left, top)
        return Drift(drift.turn, drift.shift + drift.turn * corner - corner).scaled(1 / size)

    def _reached_into(self, became: Followed) -> bool:
        """Whether a hand, or another thing that was not there at the rest before, reaches into the picture. What was
        there then, and is gone, looks alike: now it must look another way than at the rest before that too."""
        now, least = self._taken[-1], HAND if became.new else FINGERS
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

    def _fogged(self, became: Followed, last: Sight) -> bool:
        """Whether dice seem to be gone only since the picture is out of focus: it is, also beside them, and where they
        lay the picture, seen small, looks as it did, with something as light or dark as the die there: dice that are
        lifted take the sharpest edges of the picture with them."""
        before, now = self._rest.grey, self._taken[-1]
        if not became.gone or self._sharp(last.photo) >= _BLURRED * self._rest.sharp:
            return False
        if before is None or before.shape != now.grey.shape:
            return False
        drift = self._drift_since_rest()
        if np.median(self._changed_since(became.gone, drift)) >= _LEFT:
            return False
        if as_sharp(before, now.grey, self._places(self._rest.dice, STILL), self._places(self._rest.dice, drift)):
            return False
        alike = likeness(before, now.grey, self._in_glance(drift, now), self._places(became.gone, drift))
        return bool(np.median(alike) > _ALIKE)

    def _places(self, dice: Sequence[Die], drift: Drift) -> Doubles:
        """Where dice of a rest (n, 4) lie in the last glance."""
        size, corner = self._scale(self._taken[-1])
        return np.asarray((drift.moved(boxes_of(dice)) - np.array([*corner, *corner])) / size, np.float64)

    def _changed_since(self, dice: Sequence[Die], drift: Drift) -> Doubles:
        """How much of the place of each die (n,) looks another way than at the last rest, seen small; 0 where that
        cannot be told."""
        before, now = self._rest.grey, self._taken[-1]
        if before is None or before.shape != now.grey.shape:
            return np.zeros(len(dice))
        return shares(stirred(before, now.grey, self._in_glance(drift, now)), self._places(dice, drift))

    def _sharp(self, photo: Photo) -> float:
        return sharpness(self._cut(photo).pixels)

    def _rested(self, became: Followed, last: Sight, looks: Looks) -> list[Event]:
        asked, lay = self._asked, self._rest.dice
        self._earlier = self._rest
        self._rest = _Rest(became.reading.dice, self._taken[-1].grey, self._sharp(last.photo))
        self._since_rest, self._pending, self._asked, self._jolted = STILL, False, False, False
        self._arm, self._hand, self._otherwise = False, False, 0
        self._forget_looks()
        self.state = State.RESTING
        if not became.reading.dice:
            return [Event(last.at, "cleared", gone=became.gone)] if lay or asked else []
        if not (became.changed or asked):
            return []
        return [Event(last.at, "settled", became.reading, became.stayed, became.gone, "", last.photo, looks)]


def _plain(reading: Reading) -> Reading:
    """The reading, or one of no dice where not one is plain: other things lie on tables too, and are no throw."""
    if any(die.confidence >= _PLAIN for die in reading.dice):
        return reading
    return dataclasses.replace(reading, dice=())


def _moved(before: Grey, now: Grey) -> tuple[Drift, Mask]:
    """How the camera moved from one glance to the next, and what changed apart from that. Where a hand fills the
    picture its movement looks like the camera's: what explains more of the picture is taken."""
    still = stirred(before, now)
    if not still.any():
        return STILL, still
    drift = drift_between(before, now)
    if drift is None:
        return STILL, still
    apart = stirred(before, now, drift)
    return (drift, apart) if apart.sum() < still.sum() else (STILL, still)
