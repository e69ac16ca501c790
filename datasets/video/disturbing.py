"""Films of what disturbs at a table, made from any clip of a throw: its frames until the dice lie, then its table and
dice as pictures that are moved, with hands, shadows, lamps and the camera's faults drawn over them.

A `Take` is told what happens, second by second; nothing is drawn before its frames are asked for.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from datasets.measuring.clips import labels
from datasets.render.scene import Array, Image
from vision.frames import frames
from vision.judging.overlap import Box
from vision.photo import Photo
from vision.reader import Reader

RATE: Final = 15  # frames a second, as many as the watch looks at
_SETTLED: Final = 0.1  # seconds after a clip's first rest, at which its frame is taken
_SHADE: Final = 0.35  # of a die's side: how far its shadow falls
_TRIES: Final = 4000
_OTHER_TABLE: Final = 45.0  # of 255: where the table differs so much in colour, a cut-out die would show its cut
_THING: Final = 1.6  # sides of a die, from a cup's middle to its rim
_APART: Final = 1.7  # sides of a die, between the middles of two
_SHIFTS: Final = 64  # each frame takes its noise from another place
_SKINS: Final = ((205, 150, 120), (160, 110, 80), (95, 62, 45), (40, 40, 48))
_SLEEVES: Final = ((60, 60, 75), (120, 40, 40), (190, 185, 175))


@dataclass(frozen=True)
class Scenery:
    """The first rest of a clip. `lead`: its frames until then; `bare`: the table without the dice, each a `value` in a
    box, in pixels."""

    lead: tuple[Image, ...]
    picture: Image
    bare: Image
    values: tuple[int, ...]
    boxes: tuple[Box, ...]

    @property
    def side(self) -> float:
        """The dice's median side, in pixels."""
        return float(np.median([max(x1 - x0, y1 - y0) for x0, y0, x1, y1 in self.boxes]))

    def shrink(self, share: float) -> Scenery:
        """The same table from so far that a die is at most this share of the picture's longer side; what came before is
        left out."""
        height, width = self.picture.shape[:2]
        scale = min(1.0, share * max(width, height) / self.side)
        size = max(1, round(width * scale)), max(1, round(height * scale))
        left, top = (width - size[0]) // 2, (height - size[1]) // 2
        fitted = [_fit(each, size, (width, height)) for each in (self.bare, self.picture)]
        moved = np.array(self.boxes) * scale + [left, top, left, top]
        whole = fitted[0].copy()
        for x0, y0, x1, y1 in moved:
            part = _die_and_shadow((x0, y0, x1, y1), width, height)
            whole[part] = fitted[1][part]
        boxes = tuple((float(x0), float(y0), float(x1), float(y1)) for x0, y0, x1, y1 in moved)
        return Scenery((), whole, fitted[0], self.values, boxes)

    def cut(self) -> Scenery:
        """The same table from where the picture's border cuts through the outermost die, which keeps two fifths."""
        height, width = self.picture.shape[:2]
        boxes = np.array(self.boxes)
        left, right = float(boxes[:, 0].min()), float(width - boxes[:, 2].max())
        outer = int(boxes[:, 0].argmin() if left < right else boxes[:, 2].argmax())
        x0, _, x1, _ = boxes[outer]
        begin, end = (round(x1 - 0.4 * (x1 - x0)), width) if left < right else (0, round(x0 + 0.4 * (x1 - x0)))
        tall = round(height * (end - begin) / width)
        top = int(np.clip(boxes[:, [1, 3]].mean() - tall / 2, 0, height - tall))
        part, scale = (slice(top, top + tall), slice(begin, end)), width / (end - begin)
        show = [np.asarray(cv2.resize(each[part], (width, height))) for each in (*self.lead, self.picture, self.bare)]
        moved = (boxes - [begin, top, begin, top]) * scale
        within = [(float(x0), float(y0), float(x1), float(y1)) for x0, y0, x1, y1 in moved]
        return Scenery(tuple(show[:-2]), show[-2], show[-1], self.values, tuple(within))


def first_rest(path: Path, reader: Reader, longest: int) -> Scenery:
    """The scenery of a clip, its frames' longer side `longest` pixels. Raises ValueError if its labels name no rest, or
    other dice than the reader sees there, and what `labels` and `frames` raise."""
    rest = next((each for each in labels(path.with_suffix(".json")) if each.event == "settled"), None)
    if rest is None:
        raise ValueError(f"{path}: no dice come to rest in its labels")
    shown: list[Image] = []
    for at, photo in frames(str(path), 1 / RATE):
        scale = longest / max(photo.pixels.shape[:2])
        size = round(photo.width * scale), round(photo.height * scale)
        shown.append(np.asarray(cv2.resize(photo.pixels, size, interpolation=cv2.INTER_AREA)))
        if at >= rest.seen + _SETTLED:
            break
    picture = shown[-1]
    reading = reader.read(Photo(np.asarray(picture, np.uint8)), len(rest.values))
    if reading.values != rest.values:
        raise ValueError(f"{path}: at {rest.at:.2f} s its labels say {rest.values}, the reader sees {reading.values}")
    height, width = picture.shape[:2]
    holes = np.zeros((height, width), np.uint8)
    for die in reading.dice:
        holes[_die_and_shadow(die.box, width, height)] = 1
    bare = np.asarray(cv2.inpaint(picture, holes, 5, cv2.INPAINT_TELEA))
    values, boxes = zip(*((die.value, die.box) for die in reading.dice), strict=True)
    return Scenery(tuple(shown[:-1]), picture, bare, values, boxes)


@dataclass(frozen=True)
class Pose:
    """Where a die lies: which die of the scenery, the middle in pixels, and how far it is turned (radians)."""

    number: int
    x: float
    y: float
    angle: float = 0.0


@dataclass(frozen=True)
class ReachingHand:
    """A hand whose finger tips are at x, y (pixels) and which points along `heading` (radians). `size`: how many times
    as large as a hand it looks."""

    x: float
    y: float
    heading: float
    size: float = 1.0


@dataclass(frozen=True)
class Moment:
    """What one frame shows. `lead`: a frame of the clip itself. `shadow`, `glare`: where they are, in parts of the
    picture; `lit`: how large the glare is, in sides of a die. `camera`: along, down (parts of the width), turn. `cut`:
    how far the picture is moved so that its border cuts, in pixels."""

    lead: int | None = None
    dice: tuple[Pose, ...] = ()
    hands: tuple[ReachingHand, ...] = ()
    things: tuple[tuple[float, float], ...] = ()
    shadow: float | None = None
    glare: tuple[float, float] | None = None
    lit: float = 1.0
    light: float = 1.0
    rows: float = 0.0  # how strongly lamps flicker, row by row
    blur: float = 0.0
    noise: float = 1.5
    camera: tuple[float, float, float] = (0.0, 0.0, 0.0)


Change = Callable[[Moment, float], Moment]  # of a moment, by how much of the disturbance's time is over (0..1)


@dataclass
class Take:
    """A film in the making: `now` is what the next frames show. `rng` chooses places and ways."""

    scenery: Scenery
    rng: np.random.Generator
    now: Moment = field(default_factory=Moment)
    moments: list[Moment] = field(default_factory=list)
    changes: list[tuple[float, float, Change]] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    quality: int = 0  # of JPEG; 0: none
    hand_size: float = 1.0
    _before: tuple[Pose, ...] = ()

    def __post_init__(self) -> None:
        self.skin = _SKINS[int(self.rng.integers(len(_SKINS)))]
        self.sleeve = _SLEEVES[int(self.rng.integers(len(_SLEEVES)))]
        self.from_side = int(self.rng.integers(4))

    @property
    def at(self) -> float:
        return len(self.moments) / RATE

    @property
    def size(self) -> tuple[int, int]:
        height, width = self.scenery.picture.shape[:2]
        return width, height

    # --- what happens ------------------------------------------------------------------------------------------------

    def last(self, seconds: float) -> Take:
        """All stays as it is."""
        self.moments += [self.now] * round(seconds * RATE)
        return self

    def arrive(self, labelled: bool = True) -> Take:
        """The clip's own throw comes to rest; where its frames are left out, the dice slide in."""
        every = tuple(range(len(self.scenery.values)))
        if not self.scenery.lead:
            self.last(0.4).slide(every, [self.pose_of(number) for number in every], labelled)
            return self
        self.last(0.4)
        self.moments += [replace(self.now, lead=number) for number in range(len(self.scenery.lead))]
        self.now = replace(self.now, dice=tuple(self.pose_of(number) for number in every))
        return self.rest() if labelled else self

    def pose_of(self, number: int) -> Pose:
        """Where this die lies in the clip."""
        x0, y0, x1, y1 = self.scenery.boxes[number]
        return Pose(number, (x0 + x1) / 2, (y0 + y1) / 2)

    def slide(self, numbers: Sequence[int], ends: Sequence[Pose], labelled: bool = True, seconds: float = 0.5) -> Take:
        """Dice come over the edge and slide to where they rest; the last one takes longest."""
        x, y = self.edge_point(0.5)
        lying, steps = self.now.dice, round(seconds * RATE)
        for step in range(1, steps + 1):
            moving = []
            for place, end in enumerate(ends):
                share = min(1.0, step / steps * (1 + 0.5 * (len(ends) - 1 - place) / max(1, len(ends))))
                left = (1 - share) ** 2
                moving.append(
                    Pose(end.number, end.x + left * (x - end.x), end.y + left * (y - end.y), end.angle + 9 * left)
                )
            self.now = replace(self.now, dice=(*lying, *moving))
            self.last(1 / RATE)
        return self.rest() if labelled else self

    def throw(self, *numbers: int, labelled: bool = True) -> Take:
        """A hand throws these dice to free places and leaves."""
        ends: list[Pose] = []
        for number in numbers:
            ends.append(self.free_pose(number, [*self.now.dice, *ends]))
        self.reach(self.edge_point(0.02), 0.3)
        hand, self.now = self.now.hands, replace(self.now, hands=())
        start = len(self.moments)
        self.slide(numbers, ends, labelled)
        x, y = self.edge_point(-0.35)
        for step in range(min(5, len(self.moments) - start)):  # the hand goes meanwhile
            k = (step + 1) / 5
            gone = replace(hand[0], x=hand[0].x + k * (x - hand[0].x), y=hand[0].y + k * (y - hand[0].y))
            self.moments[start + step] = replace(self.moments[start + step], hands=(gone,))
        return self

    def lift(self, *numbers: int, labelled: bool = True) -> Take:
        """A hand takes these dice away and leaves."""
        for number in numbers:
            pose = next(each for each in self.now.dice if each.number == number)
            self.reach((pose.x, pose.y), 0.25, beyond=1.2)
            self.last(0.07)
            self.now = replace(self.now, dice=tuple(each for each in self.now.dice if each.number != number))
        self.withdraw()
        return self.rest() if labelled else self

    def cover(self, number: int, seconds: float) -> Take:
        """A hand comes, lies still over this die of the clip and those around it, and leaves."""
        pose = self.pose_of(number)
        return self.reach((pose.x, pose.y), 0.4, beyond=1.2 * self.hand_size).last(seconds).withdraw()

    def reach(self, tip: tuple[float, float], seconds: float, beyond: float = 0.0) -> Take:
        """The hand goes there, `beyond` by so many sides of a die."""
        begin = self.now.hands[0] if self.now.hands else None
        if begin is None:
            x, y = self.edge_point(-0.35)
            middle = self.size[0] / 2, self.size[1] / 2
            heading = float(np.arctan2(middle[1] - y, middle[0] - x) + self.rng.normal(0, 0.15))
            begin = ReachingHand(x, y, heading, self.hand_size)
        far = beyond * self.scenery.side
        end = (tip[0] + far * np.cos(begin.heading), tip[1] + far * np.sin(begin.heading))
        steps = max(1, round(seconds * RATE))
        for step in range(1, steps + 1):
            k = step / steps
            k = k * k * (3 - 2 * k)
            hand = replace(begin, x=begin.x + k * (end[0] - begin.x), y=begin.y + k * (end[1] - begin.y))
            self.now = replace(self.now, hands=(hand, *self.now.hands[1:]))
            self.last(1 / RATE)
        return self

    def withdraw(self) -> Take:
        """The hand leaves the picture."""
        self.reach(self.edge_point(-0.35), 0.35)
        self.now = replace(self.now, hands=())
        return self

    def rest(self, sure: bool = True, since: float | None = None) -> Take:
        """Labels what lies there now. `since`: when it came to rest, if it is seen whole only now."""
        values = self.scenery.values
        stayed = [values[each.number] for each in self.now.dice if each in self._before]
        event: dict[str, Any] = {"at": round(self.at, 3), "event": "settled" if self.now.dice else "cleared"}
        if since is not None:
            event["rest"] = round(since, 3)
        if self.now.dice:
            event |= {"values": sorted(values[each.number] for each in self.now.dice), "stayed": sorted(stayed)}
            event |= {} if sure else {"sure": False}
        self._before = self.now.dice
        self.events.append(event)
        return self

    def disturb(self, change: Change, seconds: float, start: float | None = None) -> Take:
        """Something changes what is seen from `start` (default: now) on, whatever happens meanwhile."""
        begin = self.at if start is None else start
        self.changes.append((begin, begin + seconds, change))
        return self

    def free_pose(self, number: int, others: Sequence[Pose]) -> Pose:
        """A place for a die, whole in the picture and apart from all others, and from where dice lay."""
        width, height = self.size
        room, side = 0.9 * self.scenery.side, self.scenery.side
        lay = [self.pose_of(each) for each in range(len(self.scenery.values))]
        for number_of_try in range(_TRIES):
            x, y = float(self.rng.uniform(room, width - room)), float(self.rng.uniform(room, height - room))
            others_now = (*others, *lay) if number_of_try < _TRIES // 2 else others
            apart = _APART * side * (1.0 if number_of_try < 0.9 * _TRIES else 0.65)
            if any(np.hypot(x - each.x, y - each.y) <= apart for each in others_now):
                continue
            if any(np.hypot(x - u * width, y - v * height) <= (_THING + 1) * side for u, v in self.now.things):
                continue
            unlike = np.abs(self._colour(x, y) - self._colour(lay[number].x, lay[number].y)).max()
            if unlike < _OTHER_TABLE or number_of_try > 0.8 * _TRIES:
                return Pose(number, x, y, float(self.rng.uniform(-0.3, 0.3)))
        raise ValueError("the dice leave no room for another one")

    def _colour(self, x: float, y: float) -> Image:
        """The table's mean colour around a place."""
        room = round(0.8 * self.scenery.side)
        return np.asarray(cv2.getRectSubPix(self.scenery.bare, (2 * room, 2 * room), (x, y)).mean((0, 1)))

    def edge_point(self, deep: float) -> tuple[float, float]:
        """A point `deep` within the picture (parts of its shorter side) from where the hand's player sits."""
        width, height = self.size
        far, (x, y) = deep * min(width, height), ((0.5, 1.0), (0.0, 0.5), (1.0, 0.5), (0.5, 0.0))[self.from_side]
        return (
            x * width + (far if x == 0 else -far if x == 1 else 0),
            y * height + (far if y == 0 else -far if y == 1 else 0),
        )

    # --- frames ------------------------------------------------------------------------------------------------------

    def frames(self) -> Iterator[Image]:
        """RGB, uint8 (h, w, 3), RATE a second."""
        wide, tall = self.size
        noise = np.random.default_rng(0).standard_normal((tall + _SHIFTS, wide + _SHIFTS, 3)).astype(np.float32)
        noise = cv2.GaussianBlur(noise, (0, 0), 0.6) * 1.5
        field: Image = np.zeros((0, 0, 3), np.int16)
        strength = 0.0
        lying: tuple[tuple[Pose, ...], Image] = ((), self.scenery.bare)
        for number, moment in enumerate(self.moments):
            at = number / RATE
            for begin, end, change in self.changes:
                if begin <= at <= end:
                    moment = change(moment, (at - begin) / max(1e-6, end - begin))
            if moment.lead is None and moment.dice != lying[0]:
                lying = moment.dice, self._lay(moment.dice)
            seen = lying[1] if moment.lead is None else self.scenery.lead[moment.lead]
            if moment.noise != strength:
                strength, field = moment.noise, (noise * moment.noise).round().astype(np.int16)
            left, top = self.rng.integers(0, _SHIFTS, 2)
            frame = cv2.add(self._look(seen, moment, at), field[top : top + tall, left : left + wide], dtype=cv2.CV_8U)
            if self.quality:
                data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, self.quality])[1]
                frame = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))
            yield np.asarray(frame, np.uint8)

    def _lay(self, dice: Sequence[Pose]) -> Image:
        if all(each == self.pose_of(each.number) for each in dice) and len(dice) == len(self.scenery.values):
            return self.scenery.picture
        seen = self.scenery.bare.copy()
        for each in dice:
            self._paste(seen, each)
        return seen

    def _paste(self, seen: Image, pose: Pose) -> None:
        lay = self.pose_of(pose.number)
        x0, y0, x1, y1 = self.scenery.boxes[pose.number]
        side = max(x1 - x0, y1 - y0)
        reach = round(side * (0.5 + _SHADE) + 3)
        cut = cv2.getRectSubPix(self.scenery.picture, (2 * reach, 2 * reach), (lay.x, lay.y))
        there, here = (
            cv2.getRectSubPix(self.scenery.bare, (2 * reach, 2 * reach), place).mean((0, 1)) + 1
            for place in ((lay.x, lay.y), (pose.x, pose.y))
        )
        lit = np.clip(cut * (here / there).clip(0.6, 1.6), 0, 255).astype(np.uint8)
        soft = np.zeros((2 * reach, 2 * reach), np.float32)
        wide, tall = (x1 - x0) / 2 + 2, (y1 - y0) / 2 + 2
        soft[round(reach - tall) : round(reach + tall), round(reach - wide) : round(reach + wide)] = 1
        soft = np.asarray(cv2.GaussianBlur(soft, (0, 0), max(0.7, 0.04 * side)), np.float32)
        matrix = _turn_about((reach - 0.5, reach - 0.5), pose.angle, (pose.x - reach, pose.y - reach))
        width, height = self.size
        seen_die = cv2.warpAffine(lit, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
        share = cv2.warpAffine(soft, matrix, (width, height))[:, :, None]
        x, y = round(pose.x), round(pose.y)
        part = (
            slice(max(0, y - 2 * reach), max(0, y + 2 * reach)),
            slice(max(0, x - 2 * reach), max(0, x + 2 * reach)),
        )
        seen[part] = (share[part] * seen_die[part] + (1 - share[part]) * seen[part]).astype(np.uint8)

    def _look(self, seen: Image, moment: Moment, at: float) -> Image:
        """What comes into the camera."""
        picture = seen.copy()
        for x, y in moment.things:
            self._draw_thing(picture, x, y)
        for hand in moment.hands:
            self._draw_hand(picture, hand)
        if moment.shadow is not None or moment.glare is not None or moment.light != 1 or moment.rows:
            picture = self._light(picture, moment, at)
        width, height = self.size
        if moment.camera != (0.0, 0.0, 0.0):
            along, down, turn = moment.camera
            matrix = _turn_about((width / 2, height / 2), turn, (along * width, down * width))
            picture = cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)
        if moment.blur:
            picture = cv2.GaussianBlur(picture, (0, 0), moment.blur)
        return picture

    def _light(self, picture: Image, moment: Moment, at: float) -> Image:
        width, height = self.size
        y, x = np.ogrid[0 : 1 : height * 1j, 0 : 1 : width * 1j]
        light = np.full((height, width), moment.light, np.float32)
        if moment.shadow is not None:
            light *= 1 - 0.5 / (1 + np.exp(((np.abs(x + 0.25 * y - moment.shadow) - 0.22) / 0.02).clip(-50, 50)))
        if moment.rows:
            light *= (1 + moment.rows * np.sin(2 * np.pi * (3.7 * at + 1.5 * y))).astype(np.float32)
        lit = picture * light[:, :, None]
        if moment.glare is not None:
            wide = moment.lit * self.scenery.side / width
            far = np.hypot(x - moment.glare[0], (y - moment.glare[1]) * height / width) / wide
            lit += (330 * np.exp(-(far**4)))[:, :, None]
        return np.asarray(lit.clip(0, 255), np.uint8)

    def _draw_hand(self, picture: Image, hand: ReachingHand) -> None:
        side = hand.size * max(self.scenery.side, 0.08 * min(self.size))
        ahead = np.array([np.cos(hand.heading), np.sin(hand.heading)])
        across = np.array([-ahead[1], ahead[0]])
        tip = np.array([hand.x, hand.y])
        shaded = picture.copy()
        for image, shift in ((shaded, np.array([0.35, 0.5]) * side), (picture, np.zeros(2))):
            skin, sleeve = ((0, 0, 0), (0, 0, 0)) if image is shaded else (self.skin, self.sleeve)
            wrist, elbow = tip - 3.6 * side * ahead + shift, tip - 40 * side * ahead + shift
            cv2.line(image, _point(wrist), _point(elbow), sleeve, round(1.9 * side), cv2.LINE_AA)
            middle = tip - 2.4 * side * ahead + shift
            angle = np.degrees(hand.heading)
            cv2.ellipse(image, _point(middle), (round(1.5 * side), round(1.1 * side)), angle, 0, 360, skin, -1)
            for off in (-0.8, -0.27, 0.27, 0.8):
                root = tip + (off * across - 1.8 * ahead) * side + shift
                end = tip + (off * 1.1 * across - (0.3 + 0.3 * abs(off)) * ahead) * side + shift
                darker = tuple(round(0.9 * each) for each in skin)
                cv2.line(image, _point(root), _point(end), darker, round(0.45 * side), cv2.LINE_AA)
            if image is shaded:
                cv2.addWeighted(picture, 0.6, shaded, 0.4, 0, dst=picture)

    def _draw_thing(self, picture: Image, x: float, y: float) -> None:
        """A cup, seen from above."""
        side, (width, height) = self.scenery.side, self.size
        middle = round(x * width), round(y * height)
        cv2.circle(picture, middle, round(_THING * side), (45, 70, 110), -1, cv2.LINE_AA)
        cv2.circle(picture, middle, round(1.3 * side), (25, 35, 50), -1, cv2.LINE_AA)


def _fit(image: Image, size: tuple[int, int], into: tuple[int, int]) -> Image:
    """The picture in the middle of a larger one, or the middle of the picture; mirrored beyond its edges."""
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA if size[0] < image.shape[1] else cv2.INTER_LINEAR)
    left, top = (into[0] - size[0]) // 2, (into[1] - size[1]) // 2
    matrix = np.array([[1, 0, left], [0, 1, top]], np.float64)
    return np.asarray(cv2.warpAffine(small, matrix, into, borderMode=cv2.BORDER_REFLECT))


def _die_and_shadow(box: Box, width: int, height: int) -> tuple[slice, slice]:
    """The rows and columns of a die with its shadow."""
    x0, y0, x1, y1 = box
    room = _SHADE * max(x1 - x0, y1 - y0)
    return (
        slice(max(0, int(y0 - room)), max(0, min(height, int(y1 + room) + 1))),
        slice(max(0, int(x0 - room)), max(0, min(width, int(x1 + room) + 1))),
    )


def _turn_about(middle: tuple[float, float], turn: float, shift: tuple[float, float]) -> Array:
    """The matrix (2, 3) that turns a picture by `turn` radians and then shifts it."""
    matrix = np.asarray(cv2.getRotationMatrix2D(middle, float(np.degrees(turn)), 1.0), np.float64)
    return matrix + np.array([[0, 0, shift[0]], [0, 0, shift[1]]])


def _point(place: Image) -> tuple[int, int]:
    return round(float(np.clip(place[0], -30000, 30000))), round(float(np.clip(place[1], -30000, 30000)))


def sway(amplitude: float, period: float) -> Callable[[float], float]:
    """A slow motion to and fro."""
    return lambda share: amplitude * float(np.sin(2 * np.pi * share / period))


def way_through(points: Sequence[tuple[float, float]]) -> Callable[[float], tuple[float, float]]:
    """A way through these points, as fast on each part."""

    def place(share: float) -> tuple[float, float]:
        part = min(share, 0.999999) * (len(points) - 1)
        first, second = list(itertools.pairwise(points))[int(part)]
        k = part - int(part)
        return first[0] + k * (second[0] - first[0]), first[1] + k * (second[1] - first[1])

    return place
