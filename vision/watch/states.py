"""What the watch concludes from what the scene observed: pure values, without pixels.

`step` takes one observation, and returns the next state, what is reported, and what the scene is asked for. The scene
answers a request with another observation.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from vision.reading import Die, Reading

if TYPE_CHECKING:
    from vision.judging.seen import Seen
    from vision.photo import Photo

# Why nothing can be seen: reason -> English sentence.
BLIND: dict[str, str] = {
    "dark": "it is too dark to see dice",
    "blurred": "the picture is out of focus",
    "moved": "the camera moves",
    "cut": "the edge of the picture cuts off a die",
    "too-small": "the dice are too small; go nearer",
    "from-the-side": "the dice are seen from the side",
}

LEAST_READINGS = 3  # frames that agree, before a rest is reported; or two where frames come slowly
_MOVING = 2  # successive frames with movement, before it is reported
# Seconds.
SLOWLY = 0.18  # between two frames: speeds count no further, since anything may have happened in a longer time
_PAUSE = 0.12  # between two readings once there are LEAST_READINGS
_BRIEF = 0.25  # a hand may pause so long: neither gone dice nor a hand are certain yet
_DOUBT = 0.38  # of rest before an unsure reading is reported; and between two readings that go on for long
_COMPARE = 0.5  # between two comparisons with the last rest: focus comes back without movement
# For which dice keep their places though something moves; without a frame, as if nothing moved; and of rest before
# anything is reported while something new reaches into the picture.
_CALM = 1.2
_COVERED = 8.0  # ... while it covers dice, or may cover some that were thrown: in the end it is no hand
# ... while something else lies there under which a die may be, or the picture cannot show all dice surely; and of
# movement, after which movement far from the dice no longer counts.
_LONG = 2.5


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
class FrameChange:
    """What one frame shows compared with the frame before. `shaken`: the camera moved fast, or all of the picture
    changed at once. `moves`: something moves, apart from the camera; `far`: all of it far from the dice of the last
    reading. `arm`: whether something larger than a die reaches in that was not there at the last rest; None: unknown.
    """

    at: float
    dark: bool = False
    shaken: bool = False
    moves: bool = False
    far: bool = False
    arm: bool | None = None


@dataclass(frozen=True)
class Comparison:
    """Whether the frame looks as at the last rest: a flicker, or a recoded video, is no movement."""

    alike: bool


@dataclass(frozen=True)
class Readings:
    """The `number` of readings that agree, the first and the last of them at these seconds."""

    number: int
    since: float
    at: float


@dataclass(frozen=True)
class Rest:
    """The readings of one rest combined, and compared with the rest before. `stayed`: for each die of the `reading`,
    whether it lies at the same place with the same value. `gone`: the dice that are gone, as they lay before. `new`:
    whether a die is new.

    `covered`: dice that something covers, where they lie now. `blurred`: dice seem gone only because the picture is out
    of focus. `reaches_in`: something new reaches into the picture, or may fill it; then `lost`: the picture does not
    tell where the camera now is. `hides`: something else that is new may hide a die. `examined`: whether the reading
    tells what keeps the picture from showing all dice surely.
    """

    reading: Reading
    stayed: tuple[bool, ...]
    gone: tuple[Die, ...]
    new: bool
    covered: tuple[Die, ...] = ()
    blurred: bool = False
    reaches_in: bool = False
    lost: bool = False
    hides: bool = False
    examined: bool = False
    photo: Photo | None = field(default=None, compare=False, repr=False)
    detections: Seen | None = field(default=None, compare=False, repr=False)

    @property
    def changed(self) -> bool:
        return self.new or bool(self.gone)


@dataclass(frozen=True)
class End:
    """No frame will follow."""


Observation = FrameChange | Comparison | Readings | Rest | End


class Request(Enum):
    """What the scene is asked for."""

    COMPARE = "a Comparison of the frame with the last rest"
    READ = "Readings: of this frame beside those that the state has"
    READ_KEPT = "Readings of the last frames of a video that has ended"
    COMBINE = "a Rest: of the readings"
    EXAMINE = "the last Rest, examined"
    KEEP = "nothing: from now on frames are compared with the state's rest"


@dataclass(frozen=True)
class HandSeen:
    """Whether the last moving frame shows an `arm`; whether a hand is `shown`, and since when frames say otherwise."""

    arm: bool = False
    shown: bool = False
    otherwise_since: float | None = None

    def see(self, arm: bool | None, before: float, at: float) -> HandSeen:
        """After one more frame of `at` seconds; the one `before` it."""
        arm = self.arm if arm is None else arm
        if arm == self.shown:
            return HandSeen(arm, self.shown)
        since = max(before, at - SLOWLY) if self.otherwise_since is None else self.otherwise_since
        return HandSeen(arm, arm) if at - since >= _BRIEF else HandSeen(arm, self.shown, since)


@dataclass(frozen=True)
class Watching:
    """What the watch knows: the `dice` of the last rest, and those `covered` then; the last frame's time; `readings`
    that agree; whether a decision is `pending`; and whether a person `asked` to read again."""

    phase: WatchState = WatchState.WAITING
    dice: tuple[Die, ...] = ()
    covered: tuple[Die, ...] = ()
    asked: bool = False
    at: float | None = None
    pending: bool = True
    readings: Readings | None = None
    compared_at: float = 0.0
    hand: HandSeen = HandSeen()
    stirring: int = 0  # successive frames with movement, and with a camera that moves
    shaking: int = 0
    busy_since: float | None = None
    obstructed_since: float | None = None  # when the picture could first not show all dice surely
    ended: bool = False

    @property
    def busy(self) -> bool:
        """Whether something has moved for so long that only movement near the dice counts."""
        return self.at is not None and self.busy_since is not None and self.at - self.busy_since > _LONG

    def begin_anew(self) -> Watching:
        """Forgets the frames before, but not the rest before."""
        return Watching(self.phase, self.dice, self.covered, self.asked)

    def read_again(self) -> Watching:
        """Reads and reports the next frames, whatever moves and whatever was reported before."""
        return replace(self, phase=WatchState.WAITING, asked=True, pending=True, readings=None)


class WatchStep(NamedTuple):
    """What follows from an observation."""

    state: Watching
    events: tuple[WatchEvent, ...] = ()
    request: Request | None = None


def step(state: Watching, seen: Observation) -> WatchStep:
    """What follows from what was `seen`, the answer to the request before or a new frame."""
    match seen:
        case FrameChange():
            return _after_frame(state, seen)
        case Comparison():
            return WatchStep(replace(state, pending=False)) if seen.alike else _read(replace(state, pending=True))
        case Readings():
            return _after_readings(replace(state, readings=seen))
        case Rest():
            return _after_examining(state, seen) if seen.examined else _after_combining(state, seen)
        case End():
            return _after_end(replace(state, ended=True))


def _after_frame(state: Watching, frame: FrameChange) -> WatchStep:
    before, state = state.at, replace(state, at=frame.at, ended=False)
    if before is None:
        return _look(state)
    if frame.at - before > _CALM:
        state = replace(state, busy_since=None)
    if frame.dark:
        return _report_blind(state, frame.at, "dark")
    state = replace(state, hand=state.hand.see(frame.arm, before, frame.at))
    if frame.shaken:
        return _after_shake(replace(state, shaking=state.shaking + 1, pending=True), frame.at)
    if frame.moves:
        since = frame.at if state.busy_since is None else state.busy_since
        moving = replace(state, shaking=0, stirring=state.stirring + 1, busy_since=since, pending=True)
        return _after_motion(moving, frame)
    return _look(replace(state, shaking=0, stirring=0, busy_since=None))


def _after_shake(state: Watching, at: float) -> WatchStep:
    """The camera moves, or the picture changed all at once: perhaps a hand fills it."""
    if state.asked:
        return _look(state)
    state = replace(state, readings=None)
    if state.shaking < _MOVING:
        return WatchStep(state)
    return _report_motion(state, at) if state.hand.shown or state.hand.arm else _report_blind(state, at, "moved")


def _after_motion(state: Watching, frame: FrameChange) -> WatchStep:
    if state.asked:
        return _look(state)
    events: tuple[WatchEvent, ...] = ()
    if state.stirring >= _MOVING and not (state.busy and state.phase is WatchState.RESTING):
        state, events, _ = _report_motion(state, frame.at)
    if state.busy and (frame.far or state.readings is None):
        return _look(state)._replace(events=events)
    return WatchStep(replace(state, readings=None), events)


def _report_motion(state: Watching, at: float) -> WatchStep:
    if state.phase is WatchState.MOVING:
        return WatchStep(state)
    return WatchStep(replace(state, phase=WatchState.MOVING, obstructed_since=None), (WatchEvent(at, "moving"),))


def _report_blind(state: Watching, at: float, reason: str) -> WatchStep:
    state = replace(state, pending=True)
    if state.asked:
        return _look(state)
    state = replace(state, readings=None)
    if state.phase is WatchState.BLIND:
        return WatchStep(state)
    return WatchStep(replace(state, phase=WatchState.BLIND), (WatchEvent(at, "blind", reason=reason),))


def _look(state: Watching) -> WatchStep:
    """Reads the frame if a decision is pending. At rest it is first compared: something may have changed unseen."""
    assert state.at is not None
    due = not state.pending and state.at - state.compared_at >= _COMPARE
    if due:
        state = replace(state, compared_at=state.at)
    if state.phase is WatchState.RESTING and (due or state.pending):
        return WatchStep(state, request=Request.COMPARE)
    return _read(state) if state.pending else WatchStep(state)


def _read(state: Watching) -> WatchStep:
    assert state.at is not None
    before = state.readings
    if before is not None and not state.asked:
        long = state.busy or state.at - before.since > _CALM
        pause = _DOUBT if long else _PAUSE if before.number >= LEAST_READINGS else 0.0
        if state.at - before.at < pause:
            return WatchStep(state)
    return WatchStep(state, request=Request.READ)


def _after_readings(state: Watching) -> WatchStep:
    """Combines the readings as soon as there are enough of them."""
    readings = state.readings
    assert readings is not None
    span = readings.at - readings.since
    few = readings.number < (2 if state.asked or state.ended or span >= SLOWLY else LEAST_READINGS)
    if few or (state.busy and span < _CALM and not state.asked and not state.ended):
        return WatchStep(state)
    return WatchStep(state, request=Request.COMBINE)


def _after_end(state: Watching) -> WatchStep:
    if state.at is None or not state.pending or state.phase is WatchState.BLIND:
        return WatchStep(state)
    if state.readings is None or state.readings.number < 2:
        return WatchStep(state, request=Request.READ_KEPT)
    return _after_readings(state)


def _after_combining(state: Watching, rest: Rest) -> WatchStep:
    """Reports the rest if it changed nothing, or has lasted long enough; a new throw is examined first."""
    readings = state.readings
    assert readings is not None
    if not state.asked:
        if rest.changed and readings.at - readings.since < _wait(state, rest):
            return WatchStep(state)
        if rest.blurred:
            return _report_blind(state, readings.at, "blurred")
    return WatchStep(state, request=Request.EXAMINE) if rest.new or state.asked else _report(state, rest)


def _wait(state: Watching, rest: Rest) -> float:
    """Seconds of rest before this change is reported."""
    waits = _BRIEF if rest.gone and not rest.new else 0.0
    if rest.reading.dice and not rest.reading.sure:
        waits = _DOUBT
    if rest.covered:
        waits = _COVERED
    elif rest.reaches_in and not (state.ended and rest.new):
        hides = rest.lost or (rest.new and not state.busy)
        waits = max(waits, _COVERED if hides else _CALM)
    elif rest.hides:
        waits = _LONG
    return min(waits, _BRIEF) if state.ended and rest.new else waits


def _after_examining(state: Watching, rest: Rest) -> WatchStep:
    """Reports the rest, unless the picture could show all dice surely until a short while ago."""
    assert state.readings is not None
    at, obstacles = state.readings.at, rest.reading.obstacles
    if obstacles and not state.asked and not state.ended:
        since = at if state.obstructed_since is None else state.obstructed_since
        if at - since < _LONG:
            return _report_blind(replace(state, obstructed_since=since), at, obstacles[0])
    return _report(state, rest)


def _report(state: Watching, rest: Rest) -> WatchStep:
    assert state.readings is not None
    at, reading = state.readings.at, rest.reading
    if not state.asked and (rest.covered or (rest.new and (rest.reaches_in or rest.lost))):
        reading = replace(reading, complete=False)
    gone = tuple(die for die in rest.gone if die not in state.covered)
    back = len(gone) + len(state.covered) > len(rest.gone)
    event = None
    if not reading.dice:
        event = WatchEvent(at, "cleared", gone=gone) if state.dice or state.asked else None
    elif rest.new or gone or back or state.asked:
        event = WatchEvent(at, "settled", reading, rest.stayed, gone, "", rest.photo, rest.detections)
    rests = replace(
        state,
        phase=WatchState.RESTING,
        dice=reading.dice,
        covered=rest.covered,
        asked=False,
        pending=False,
        readings=None,
        hand=HandSeen(),
        obstructed_since=None,
    )
    return WatchStep(rests, () if event is None else (event,), Request.KEEP)
