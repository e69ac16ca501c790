"""A large table with small white dice of the repository's pictures, and a hand over it, as a phone on a stand sees
them."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from tests.vision.scenes import PICTURES, picture_of_dice
from vision import Photo

WIDTH, HEIGHT = 1920, 1440
RATE = 5.0  # frames a second: as many as a stand sends
ROOM = 1.5  # sides of a die that are cut out with it
TABLE = "throw-15.jpg"
SETS = ("throw-113466.jpg", "throw-15.jpg", "throw-23335.jpg", "throw-12345.jpg")  # white dice on light wood
AWAY = (WIDTH + 700.0, 700.0)  # where the fingers are when the hand is not in the picture
TURN = 25  # degrees: turned further, a die seen aslant would seem to lie on another side
NOISE = 2.0  # of 255: the deviation of a pixel


@functools.cache
def dice_patches(side: int) -> dict[int, list[Any]]:
    """Pictures of dice by value, each die `side` pixels large and in the middle of its patch."""
    found: dict[int, list[Any]] = {value: [] for value in range(1, 7)}
    size = round(ROOM * side)
    for entry in json.loads((PICTURES / "pictures.json").read_text()):
        if entry["picture"] not in SETS:
            continue
        pixels = Photo.decode((PICTURES / entry["picture"]).read_bytes()).pixels
        for die in entry["dice"]:
            middle, half = _middle(die["box"]), ROOM * _side(die["box"]) / 2
            near = [
                each
                for each in entry["dice"]
                if each is not die and _apart(each["box"], middle) < 1.25 * _side(die["box"])
            ]
            left, top, right, bottom = (round(v + way * half) for way in (-1, 1) for v in middle)
            if not near and left >= 0 and top >= 0 and right <= pixels.shape[1] and bottom <= pixels.shape[0]:
                patch = pixels[top:bottom, left:right]
                found[die["value"]].append(cv2.resize(patch, (size, size), interpolation=cv2.INTER_AREA))
    return found


def _middle(box: Sequence[float]) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _side(box: Sequence[float]) -> float:
    return max(box[2] - box[0], box[3] - box[1])


def _apart(box: Sequence[float], middle: tuple[float, float]) -> float:
    return max(abs(one - other) for one, other in zip(_middle(box), middle, strict=True))


@functools.cache
def bare_table() -> Any:
    return cv2.resize(picture_of_dice(TABLE)[1], (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)


@dataclass
class SmallDice:
    """Frames of a table, made one after the other. `share`: of the picture's width that a die takes. `dice`: the value,
    place and picture of each that lies there."""

    seed: int
    share: float = 1 / 20
    dice: list[tuple[int, tuple[float, float], Any]] = field(default_factory=list)
    hand: tuple[float, float] = AWAY
    shots: list[tuple[float, Photo]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = np.random.default_rng(self.seed)

    @property
    def side(self) -> int:
        return round(self.share * WIDTH)

    @property
    def values(self) -> list[int]:
        return sorted(value for value, _, _ in self.dice)

    def throw(self, *values: int) -> SmallDice:
        """Dice of these values lie somewhere, each two sides or more from the others."""
        for value in values:
            while True:
                place = self.chance.uniform(0.15, 0.8) * WIDTH, self.chance.uniform(0.15, 0.85) * HEIGHT
                if all(np.hypot(x - place[0], y - place[1]) > 2 * self.side for _, (x, y), _ in self.dice):
                    break
            patches = dice_patches(self.side)[value]
            patch = patches[self.chance.integers(len(patches))]
            turn = cv2.getRotationMatrix2D(
                (patch.shape[1] / 2, patch.shape[0] / 2), self.chance.uniform(-TURN, TURN), 1
            )
            self.dice.append((value, place, cv2.warpAffine(patch, turn, patch.shape[1::-1], flags=cv2.INTER_CUBIC)))
        return self

    def lift(self, value: int) -> SmallDice:
        """One die of this value is taken away."""
        self.dice.remove(next(each for each in self.dice if each[0] == value))
        return self

    def last(self, seconds: float) -> SmallDice:
        for _ in range(round(seconds * RATE)):
            self.shots.append((len(self.shots) / RATE, Photo(self.frame())))
        return self

    def reach(self, seconds: float = 0.6) -> SmallDice:
        """The hand comes to the middle of the dice, and stays there."""
        x, y = (
            float(np.mean([place[axis] for _, place, _ in self.dice] or [(WIDTH, HEIGHT)[axis] / 2])) for axis in (0, 1)
        )
        return self._move((x, y), seconds)

    def leave(self, seconds: float = 0.6) -> SmallDice:
        return self._move(AWAY, seconds)

    def _move(self, to: tuple[float, float], seconds: float) -> SmallDice:
        begin = self.hand
        for share in np.linspace(0, 1, round(seconds * RATE) + 1)[1:]:
            self.hand = begin[0] + share * (to[0] - begin[0]), begin[1] + share * (to[1] - begin[1])
            self.last(1 / RATE)
        return self

    def frame(self) -> Any:
        seen = bare_table().copy()
        for _, (x, y), patch in self.dice:
            size = patch.shape[0]
            mask = np.zeros((size, size), np.float32)
            cv2.circle(mask, (size // 2, size // 2), round(0.66 * self.side), 1.0, -1)
            mask = cv2.GaussianBlur(mask, (0, 0), self.side / 20)[:, :, None]
            part = seen[round(y) - size // 2 :, round(x) - size // 2 :][:size, :size]
            part[:] = mask * patch + (1 - mask) * part
        if self.hand[0] < WIDTH + 300:
            x, y = (round(v) for v in self.hand)
            cv2.line(seen, (x + 200, y + 30), (WIDTH + 600, y + 180), (200, 150, 120), 210)
            cv2.ellipse(seen, (x + 180, y), (190, 145), 8, 0, 360, (200, 150, 120), -1)
        noise = np.roll(_noise(), tuple(self.chance.integers(0, 64, 2)), (0, 1))
        return np.asarray(cv2.add(seen, noise, dtype=cv2.CV_8U), np.uint8)

    def __iter__(self) -> Iterator[tuple[float, Photo]]:
        return iter(self.shots)


@functools.cache
def _noise() -> Any:
    return np.random.default_rng(0).normal(0, NOISE, (HEIGHT, WIDTH, 3)).round().astype(np.int16)


def keep_four_throw_one(seed: int, share: float = 1 / 20) -> tuple[SmallDice, list[int], int, int]:
    """A film of five dice thrown, and of one thrown again; the five values, the lifted one, and what it then shows."""
    film = SmallDice(seed, share)
    thrown = [int(value) for value in film.chance.integers(1, 7, 5)]
    lifted, again = thrown[int(film.chance.integers(5))], int(film.chance.integers(1, 7))
    film.last(1).reach().leave()
    film.shots.pop()  # the hand lets go of the dice as it leaves
    film.throw(*thrown).last(3).reach()
    film.lift(lifted).leave().last(1.6 if seed % 2 else 0).reach()
    film.throw(again).leave().last(3)
    return film, sorted(thrown), lifted, again
