"""Small films for the tests of watching: dice of the repository's pictures come, go and lie; hands, light and the
camera move."""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision import Photo

PICTURES = Path(__file__).resolve().parent.parent / "pictures"
Picture = npt.NDArray[np.uint8]
Shot = tuple[float, Photo]
WIDTH, HEIGHT = 640, 480
RATE = 30.0
_SHIFTS = 64  # each frame takes its noise from another place


@functools.cache
def picture_of_dice(name: str) -> tuple[Picture, Picture, tuple[tuple[int, tuple[float, ...]], ...]]:
    """A picture of dice, WIDTH by HEIGHT, the same table without them, and their values and boxes."""
    pixels = Photo.decode((PICTURES / name).read_bytes()).pixels
    (entry,) = (each for each in json.loads((PICTURES / "pictures.json").read_text()) if each["picture"] == name)
    small = np.asarray(cv2.resize(pixels, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)
    scale = WIDTH / entry["width"]
    dice = tuple((die["value"], tuple(side * scale for side in die["box"])) for die in entry["dice"])
    holes = np.zeros((HEIGHT, WIDTH), np.uint8)
    for _, box in dice:
        x0, y0, x1, y1 = box_with_shadow(box)
        holes[y0:y1, x0:x1] = 1
    return small, np.asarray(cv2.inpaint(small, holes, 5, cv2.INPAINT_TELEA), np.uint8), dice


def grey_film(path: Path, frames: int, step: int) -> Path:
    """Writes frames of grey that grows lighter by `step`, their right half blue: 64 by 48 pixels, 20 a second."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (64, 48))
    for number in range(frames):
        picture = np.full((48, 64, 3), 40 + step * number, np.uint8)
        picture[:, 32:] = (250, 20, 20)  # OpenCV's order: blue first
        writer.write(picture)
    writer.release()
    return path


def box_with_shadow(box: Sequence[float]) -> tuple[int, int, int, int]:
    """A die's box with its shadow."""
    x0, y0, x1, y1 = box
    return max(int(x0) - 8, 0), max(int(y0) - 8, 0), min(int(x1) + 22, WIDTH), min(int(y1) + 12, HEIGHT)


@dataclass
class Film:
    """Frames made one after the other. `dice`: which dice of the picture lie there, each with how far it lies from
    where it does in the picture; `camera`: how far the picture is moved; `light`: how many times as light; `checked`:
    how dark the squares of a pattern are that lies over all of it."""

    name: str = "throw-122333.jpg"
    dice: dict[int, tuple[float, float]] = field(default_factory=dict)
    camera: tuple[float, float] = (0.0, 0.0)
    light: float = 1.0
    flicker: float = 0.0  # how strongly lamps flicker, row by row
    blur: float = 0.0
    checked: float = 0.0
    hand: tuple[float, float] | None = None  # where its finger tips are; it reaches in from the right
    glare: tuple[float, float] | None = None  # where a lamp is mirrored
    near: float = 1.0  # how many times as large as on the table it looks
    shots: list[Shot] = field(default_factory=list)
    rng: Any = field(default_factory=lambda: np.random.default_rng(0))

    def throw(self, *which: int) -> Film:
        """These dice lie there as in the picture."""
        self.dice |= dict.fromkeys(which, (0.0, 0.0))
        return self

    def lift(self, *which: int) -> Film:
        for place in which:
            del self.dice[place]
        return self

    def last(self, seconds: float) -> Film:
        """Frames of all as it is."""
        for _ in range(round(seconds * RATE)):
            self.shots.append((len(self.shots) / RATE, Photo(self.frame())))
        return self

    def roll(self, place: int, way: Iterable[tuple[float, float]]) -> Film:
        """A die on its way, one place for each frame."""
        for off in way:
            self.dice[place] = off
            self.last(1 / RATE)
        return self

    def reach(self, *tips: tuple[float, float], seconds: float = 0.4) -> Film:
        """The hand goes from each of these places to the next."""
        for begin, end in itertools.pairwise(tips):
            for share in np.linspace(0, 1, round(seconds * RATE)):
                self.hand = (begin[0] + share * (end[0] - begin[0]), begin[1] + share * (end[1] - begin[1]))
                self.last(1 / RATE)
        if self.hand is not None and self.hand[0] > WIDTH + 60:
            self.hand = None
        return self

    def frame(self) -> Picture:
        seen = _lying(self.name, tuple(self.dice.items())).copy()
        if self.hand is not None:
            _draw_hand(seen, self.hand, self.near)
        if self.glare is not None:
            cv2.circle(seen, (round(self.glare[0]), round(self.glare[1])), 60, (255, 255, 255), -1, cv2.LINE_AA)
        if self.checked:
            y, x = np.ogrid[:HEIGHT, :WIDTH]
            squares = cv2.GaussianBlur(((x // 40 + y // 40) % 2).astype(np.float32), (0, 0), 2)
            seen = (seen * (1 - self.checked * squares[:, :, None])).astype(np.uint8)
        if self.camera != (0.0, 0.0):
            matrix = np.array([[1, 0, self.camera[0]], [0, 1, self.camera[1]]], np.float64)
            seen = np.asarray(cv2.warpAffine(seen, matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT), np.uint8)
        if self.blur:
            seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), self.blur), np.uint8)
        if self.light != 1:
            seen = np.asarray(cv2.convertScaleAbs(seen, alpha=self.light), np.uint8)
        if self.flicker:
            rows = np.linspace(0, 1, HEIGHT)[:, None, None]
            wave = 1 + self.flicker * np.sin(2 * np.pi * (3.7 * len(self.shots) / RATE + 1.5 * rows))
            seen = np.asarray((seen * wave).clip(0, 255), np.uint8)
        left, top = self.rng.integers(0, _SHIFTS, 2)
        noise = _noise()[top : top + HEIGHT, left : left + WIDTH]
        return np.asarray(cv2.add(seen, noise, dtype=cv2.CV_8U), np.uint8)

    def values(self) -> tuple[int, ...]:
        dice = picture_of_dice(self.name)[2]
        return tuple(sorted(dice[place][0] for place in self.dice))

    def __iter__(self) -> Iterator[Shot]:
        return iter(self.shots)

    def save(self, path: Path) -> None:
        """Writes a video: Motion JPEG into AVI, else MPEG-4."""
        code = "MJPG" if path.suffix == ".avi" else "mp4v"
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), RATE, (WIDTH, HEIGHT))
        for _, photo in self:
            writer.write(np.ascontiguousarray(photo.pixels[:, :, ::-1]))
        writer.release()


@functools.lru_cache(maxsize=8)
def _lying(name: str, dice: tuple[tuple[int, tuple[float, float]], ...]) -> Picture:
    """The table with these dice on it: most frames have the same as the one before."""
    small, bare, boxes = picture_of_dice(name)
    seen = bare.copy()
    for place, off in dice:
        _paste(seen, small, box_with_shadow(boxes[place][1]), off)
    return seen


@functools.cache
def _noise() -> npt.NDArray[np.int16]:
    """What the pixels of a camera add, larger than a frame."""
    size = (HEIGHT + _SHIFTS, WIDTH + _SHIFTS, 3)
    return np.random.default_rng(0).normal(0, 1.5, size).round().astype(np.int16)


def _paste(seen: Picture, small: Picture, box: tuple[int, int, int, int], off: tuple[float, float]) -> None:
    """The die in `box` of the picture, `off` pixels from there, with soft edges; what lies outside is cut."""
    x0, y0, x1, y1 = box
    soft = np.zeros((y1 - y0, x1 - x0), np.float32)
    soft[3:-3, 3:-3] = 1
    soft = cv2.GaussianBlur(soft, (0, 0), 2)[:, :, None]
    dx, dy = round(off[0]), round(off[1])
    u0, v0, u1, v1 = max(x0 + dx, 0), max(y0 + dy, 0), min(x1 + dx, WIDTH), min(y1 + dy, HEIGHT)
    if u0 >= u1 or v0 >= v1:
        return
    cut = slice(v0 - y0 - dy, v1 - y0 - dy), slice(u0 - x0 - dx, u1 - x0 - dx)
    share, die = soft[cut], small[y0:y1, x0:x1][cut]
    seen[v0:v1, u0:u1] = (share * die + (1 - share) * seen[v0:v1, u0:u1]).astype(np.uint8)


def _draw_hand(seen: Picture, tips: tuple[float, float], near: float) -> None:
    x, y = (round(v) for v in tips)
    arm, palm = round(70 * near), (round(62 * near), round(48 * near))
    shadow = seen.copy()
    for image, colour, shift in ((shadow, (20, 15, 12), 14), (seen, (200, 150, 120), 0)):
        cv2.line(image, (x + arm, y + 10 + shift), (WIDTH + 200, y + 60 + shift), colour, arm)
        cv2.ellipse(image, (x + round(60 * near), y + shift), palm, 8, 0, 360, colour, -1)
        if image is shadow:
            cv2.addWeighted(seen, 0.5, shadow, 0.5, 0, dst=seen)
