"""Logos, skulls and similar marks that stand on a die's face instead of its pips: our own drawings, each in several
forms.

Each is drawn large on a grid of 64 and reduced, so that its edges are smooth.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from datasets.render.scene import Image

_FINE: Final = 4  # drawn so many times larger
_LETTERS: Final = "ABCDEFGJLMPQRTUVWXYZ"

Draw = Callable[[np.random.Generator, Image], None]


def draw(name: str, side: int) -> Image:
    """A logo as uint8 (side, side), ink 255; the same name is always the same picture."""
    figure, form = name.rsplit(" ", 1)
    tile = np.zeros((64 * _FINE, 64 * _FINE), np.uint8)
    _FIGURES[figure][1](np.random.default_rng([sorted(_FIGURES).index(figure), int(form)]), tile)
    return cv2.resize(tile, (side, side), interpolation=cv2.INTER_AREA)


def _to_pixels(x: float, y: float) -> tuple[int, int]:
    return round(x * _FINE), round(y * _FINE)


def _disc(tile: Image, x: float, y: float, wide: float, high: float, ink: int = 255, line: float = 0.0) -> None:
    thick = max(1, round(line * _FINE)) if line else -1
    cv2.ellipse(tile, _to_pixels(x, y), _to_pixels(wide, high), 0, 0, 360, ink, thick, cv2.LINE_AA)


def _path(tile: Image, points: list[tuple[float, float]], line: float, ink: int = 255, closed: bool = False) -> None:
    spots = np.array([_to_pixels(x, y) for x, y in points], np.int32)
    cv2.polylines(tile, [spots], closed, ink, max(1, round(line * _FINE)), cv2.LINE_AA)


def _area(tile: Image, points: list[tuple[float, float]], ink: int = 255) -> None:
    cv2.fillPoly(tile, [np.array([_to_pixels(x, y) for x, y in points], np.int32)], ink, cv2.LINE_AA)


def _round_about(count: int, reach: float, start: float = 0.0, far: float | None = None) -> list[tuple[float, float]]:
    """Points on a circle round the middle; with `far`, every second one out there: a star."""
    steps = count * (2 if far is not None else 1)
    radii = [far if far is not None and k % 2 == 0 else reach for k in range(steps)]
    angles = [start - math.pi / 2 + 2 * math.pi * k / steps for k in range(steps)]
    return [(32 + r * math.cos(a), 32 + r * math.sin(a)) for r, a in zip(radii, angles, strict=True)]


def _skull(rng: np.random.Generator, tile: Image) -> None:
    if rng.random() < 0.4:
        for y0, y1 in ((40, 60), (60, 40)):
            _path(tile, [(6, y0), (58, y1)], 5)
            for x, y in ((6, y0), (58, y1)):
                _disc(tile, x, y - 2, 3.5, 3.5)
                _disc(tile, x, y + 2, 3.5, 3.5)
    wide, high = float(rng.uniform(19, 24)), float(rng.uniform(17, 21))
    jaw = float(rng.uniform(0.45, 0.65)) * wide
    _area(tile, [(32 - jaw, 34), (32 + jaw, 34), (32 + jaw * 0.9, 55), (32 - jaw * 0.9, 55)])
    _disc(tile, 32, 25, wide, high)
    apart, eye = wide * float(rng.uniform(0.38, 0.46)), float(rng.uniform(4.5, 7))
    for side in (-1, 1):
        _disc(tile, 32 + side * apart, 27.0, eye, eye * float(rng.uniform(0.8, 1.3)), 0)
    _area(tile, [(32, 33), (28.5, 40), (35.5, 40)], 0)
    for k in range(int(rng.integers(2, 5))):
        gap = 32 + (k - 1.5) * jaw * 0.5
        _path(tile, [(gap, 46), (gap, 56)], 1.6, 0)


def _ghost(rng: np.random.Generator, tile: Image) -> None:
    wide, filled, waves = float(rng.uniform(17, 23)), bool(rng.random() < 0.7), int(rng.integers(3, 5))
    arc = [(32 + wide * math.cos(a), 28 - wide * math.sin(a)) for a in np.linspace(0, math.pi, 24)]
    hem = [(32 - wide + 2 * wide * k / (2 * waves), 58.0 if k % 2 == 0 else 50.0) for k in range(2 * waves + 1)]
    if filled:
        _area(tile, arc + hem)
    else:
        _path(tile, arc + hem, 4.5, closed=True)
    ink = 0 if filled else 255
    for side in (-1, 1):
        _disc(tile, 32 + side * wide * 0.4, 28, float(rng.uniform(3, 5)), float(rng.uniform(4, 7)), ink)
    if rng.random() < 0.6:
        _disc(tile, 32, 40, float(rng.uniform(3, 6)), 4, ink)


def _cat(rng: np.random.Generator, tile: Image) -> None:
    high = float(rng.uniform(4, 12))
    _area(tile, [(10, high), (28, 18), (12, 36)])
    _area(tile, [(54, high), (36, 18), (52, 36)])
    _disc(tile, 32, 36, 23, 20)
    for side in (-1, 1):
        _disc(tile, 32 + side * 9, 33, float(rng.uniform(3, 6)), 4.5, 0)
        for k in (-1, 1):
            _path(tile, [(32 + side * 8, 44), (32 + side * 22, 44 + 4 * k)], 1.4, 0)
    _area(tile, [(29, 41), (35, 41), (32, 45)], 0)


def _spider(rng: np.random.Generator, tile: Image) -> None:
    _disc(tile, 32, 38, float(rng.uniform(9, 13)), float(rng.uniform(11, 15)))
    _disc(tile, 32, 22, 7, 7)
    for side in (-1, 1):
        for y, end in ((24, 8), (29, 22), (34, 42), (38, 58)):
            _path(tile, [(32, y), (32 + side * 16, (y + end) / 2 - 3), (32 + side * 27, end)], 2.6)


def _bat(rng: np.random.Generator, tile: Image) -> None:
    top, low = float(rng.uniform(14, 22)), float(rng.uniform(38, 48))
    right = [
        (32.0, 26.0),
        (36.0, 16.0),
        (38.0, 24.0),
        (60.0, top),
        (54.0, low),
        (47.0, 38.0),
        (40.0, low),
        (32.0, 50.0),
    ]
    _area(tile, right)
    _area(tile, [(64 - x, y) for x, y in right])


def _monogram(rng: np.random.Generator, tile: Image) -> None:
    frame, filled = int(rng.integers(4)), bool(rng.random() < 0.5)
    sides = [48, 4, 6, 8][frame]
    outline = _round_about(sides, 30 if frame != 1 else 38, math.pi / sides if sides < 48 else 0.0)
    if filled:
        _area(tile, outline)
    else:
        _path(tile, outline, 4, closed=True)
    text = "".join(rng.choice(list(_LETTERS), int(rng.integers(1, 3)), replace=False))
    font = [cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX][int(rng.integers(3))]
    (wide, high), _ = cv2.getTextSize(text, font, 1.0, 1)
    scale = min(36 / wide, 30 / high) * _FINE
    place = (round(32 * _FINE - wide * scale / 2), round(32 * _FINE + high * scale / 2))
    cv2.putText(tile, text, place, font, scale, 0 if filled else 255, round(4.5 * _FINE), cv2.LINE_AA)


def _crown(rng: np.random.Generator, tile: Image) -> None:
    tips, dip = int(rng.choice([3, 5])), float(rng.uniform(28, 38))
    edge = [(6 + 52 * k / (2 * tips - 2), 12.0 if k % 2 == 0 else dip) for k in range(2 * tips - 1)]
    _area(tile, [*edge, (54, 52), (10, 52)])
    for x, y in edge[::2]:
        _disc(tile, x, y, 4, 4)
    if rng.random() < 0.6:
        _path(tile, [(10, 45), (54, 45)], 2.5, 0)


def _anchor(rng: np.random.Generator, tile: Image) -> None:
    line = float(rng.uniform(4, 7))
    _disc(tile, 32, 11, 6, 6, line=line * 0.8)
    _path(tile, [(32, 17), (32, 57)], line)
    _path(tile, [(20, 26), (44, 26)], line)
    _path(tile, [(32 + 24 * math.cos(a), 34 + 23 * math.sin(a)) for a in np.linspace(0.1, math.pi - 0.1, 20)], line)


def _bolt(rng: np.random.Generator, tile: Image) -> None:
    lean = float(rng.uniform(-4, 4))
    _area(tile, [(38 + lean, 4), (14, 36), (29, 36), (24 - lean, 60), (50, 27), (34, 27)])
    if rng.random() < 0.5:
        _disc(tile, 32, 32, 29, 29, line=3.5)


def _moon(rng: np.random.Generator, tile: Image) -> None:
    _disc(tile, 30, 32, 26, 26)
    _disc(tile, 30 + float(rng.uniform(9, 15)), 32 - float(rng.uniform(2, 8)), 21, 21, 0)
    if rng.random() < 0.6:
        _area(tile, [((x - 32) * 0.26 + 46, (y - 32) * 0.26 + 30) for x, y in _round_about(5, 12, 0.0, 28)])


def _sun(rng: np.random.Generator, tile: Image) -> None:
    rays = int(rng.integers(8, 15))
    if rng.random() < 0.5:
        _area(tile, _round_about(rays, 19, 0.0, 30))
    else:
        for x, y in _round_about(rays, 28):
            _path(tile, [(32 + (x - 32) * 0.7, 32 + (y - 32) * 0.7), (x, y)], 3.5)
    _disc(tile, 32, 32, 13, 13)
    if rng.random() < 0.6:
        _disc(tile, 32, 32, 8, 8, 0)


def _tree(rng: np.random.Generator, tile: Image) -> None:
    if rng.random() < 0.5:
        for top, wide in ((4, 13), (16, 19), (29, 25)):
            _area(tile, [(32, top), (32 - wide, top + 21), (32 + wide, top + 21)])
    else:
        for x, y in _round_about(5, 12, float(rng.uniform(0, 1))):
            _disc(tile, x, y - 9, 12, 11)
    _area(tile, [(28, 42), (36, 42), (38, 60), (26, 60)])


def _fish(rng: np.random.Generator, tile: Image) -> None:
    high = float(rng.uniform(10, 17))
    _disc(tile, 27, 32, 22, high)
    _area(tile, [(44, 32), (60, 32 - high), (55, 32), (60, 32 + high)])
    _disc(tile, 15, 29, 3, 3, 0)
    for x in (27, 35)[: int(rng.integers(0, 3))]:
        _path(tile, [(x, 32 - high * 0.7), (x + 3, 32), (x, 32 + high * 0.7)], 2, 0)


def _gear(rng: np.random.Generator, tile: Image) -> None:
    teeth = int(rng.integers(6, 10))
    for x, y in _round_about(teeth, 27):
        _path(tile, [(32, 32), (x, y)], 8)
    _disc(tile, 32, 32, 20, 20)
    _disc(tile, 32, 32, float(rng.uniform(7, 12)), float(rng.uniform(7, 12)), 0)


def _trident(rng: np.random.Generator, tile: Image) -> None:
    line = float(rng.uniform(4.5, 6.5))
    _path(tile, [(32, 6), (32, 60)], line)
    _path(tile, [(12, 10), (13, 28), (22, 36), (42, 36), (51, 28), (52, 10)], line)
    if rng.random() < 0.5:
        _path(tile, [(22, 48), (42, 48)], line)


def _rings(rng: np.random.Generator, tile: Image) -> None:
    count, reach = int(rng.integers(2, 5)), float(rng.uniform(10, 14))
    for x, y in _round_about(count, reach, float(rng.uniform(0, 6))):
        _disc(tile, x, y, 15, 15, line=4)


def _blades(rng: np.random.Generator, tile: Image) -> None:
    """A wheel of bent blades."""
    count, bend = int(rng.integers(3, 8)), float(rng.uniform(0.5, 1.2))
    for k in range(count):
        a = 2 * math.pi * k / count
        tip = (32 + 29 * math.cos(a + bend), 32 + 29 * math.sin(a + bend))
        side = (32 + 24 * math.cos(a), 32 + 24 * math.sin(a))
        _area(tile, [(32, 32), side, tip])


def _chevrons(rng: np.random.Generator, tile: Image) -> None:
    count, line = int(rng.integers(2, 4)), float(rng.uniform(6, 9))
    for k in range(count):
        y = 32 + (k - (count - 1) / 2) * 17
        _path(tile, [(8, y + 10), (32, y - 10), (56, y + 10)], line)


def _castle(rng: np.random.Generator, tile: Image) -> None:
    low = float(rng.uniform(24, 34))
    _area(tile, [(12, low), (52, low), (52, 58), (12, 58)])
    for x in (12, 27, 42):
        _area(tile, [(x, low - 12), (x + 10, low - 12), (x + 10, low + 1), (x, low + 1)])
    _disc(tile, 32, 52, 6, 10, 0)


def _leaf(rng: np.random.Generator, tile: Image) -> None:
    wide = float(rng.uniform(13, 20))
    arc = [(32 + wide * math.sin(t), 56 - 50 * t / math.pi) for t in np.linspace(0, math.pi, 16)]
    _area(tile, arc + [(64 - x, y) for x, y in arc[::-1]])
    _path(tile, [(32, 16), (32, 62)], 2.5, 0)
    for y in (28, 38, 48)[: int(rng.integers(0, 4))]:
        _path(tile, [(20, y - 6), (32, y), (44, y - 6)], 1.8, 0)


_FIGURES: Final[dict[str, tuple[int, Draw]]] = {  # how many forms, and how it is drawn
    "skull": (10, _skull), "ghost": (6, _ghost), "cat": (3, _cat), "spider": (2, _spider), "bat": (2, _bat),
    "monogram": (14, _monogram), "crown": (3, _crown), "anchor": (2, _anchor), "bolt": (2, _bolt), "moon": (3, _moon),
    "sun": (4, _sun), "tree": (3, _tree), "fish": (3, _fish), "gear": (3, _gear), "trident": (2, _trident),
    "rings": (3, _rings), "blades": (4, _blades), "chevrons": (2, _chevrons), "castle": (2, _castle),
    "leaf": (3, _leaf),
}  # fmt: skip
ALL: Final = tuple(f"{figure} {form}" for figure, (forms, _) in _FIGURES.items() for form in range(forms))
GRIM: Final = tuple(name for name in ALL if name.split()[0] in ("skull", "ghost", "cat", "spider", "bat"))
EMBLEMS: Final = tuple(name for name in ALL if name not in GRIM)
