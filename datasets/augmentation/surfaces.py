"""Draws parts of a table that have dots, holes or strokes as large as pips: print, lace, stitches, checked cloth,
printed dice."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from datasets.augmentation.cutout import Patch
from datasets.augmentation.distractors import FACES
from datasets.photos import as_pixels
from vision.arrays import Pixels

SIDE = 144  # pixels of a drawn part

_ROUND = "0Oo8%:;.QDaec69"  # the signs that look most like pips
_SIGNS = "abcdefghijklmnoprstuvwyzABDEGHKMNPRSTVW1234567890=+-/()" + _ROUND * 2
_HERSHEY = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)

Inks = tuple[int, ...]


def surface(rng: np.random.Generator, patch: Patch) -> Pixels:
    """One such part (SIDE, SIDE, 3) RGB, lit and turned at random; `patch` gives pieces of table tops. A single motif
    stands in the middle, a third as large as the part."""
    # Drawn larger than it is shown, so that its corners are filled when it is turned.
    pixels = _KINDS[int(rng.choice(len(_KINDS), p=_SHARES))](rng, round(SIDE * 1.5), patch)
    middle = pixels.shape[0] / 2
    quarter = 90.0 * float(rng.integers(4))
    matrix = cv2.getRotationMatrix2D((middle, middle), quarter + float(rng.normal(0, 15)), rng.uniform(0.95, 1.3))
    matrix[:, 2] += SIDE / 2 - middle
    turned = cv2.warpAffine(pixels, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    across, down = (np.linspace(rng.uniform(0.75, 1.1), rng.uniform(0.75, 1.1), SIDE) for _ in range(2))
    return np.clip(turned * (across[None, :, None] * down[:, None, None]), 0, 255).astype(np.uint8)


def _paper_and_ink(rng: np.random.Generator) -> tuple[Inks, Inks]:
    """Mostly dark on light."""
    paper = rng.uniform(170, 255) * rng.uniform(0.88, 1.0, 3)
    ink = rng.uniform(0, 90, 3) if rng.random() < 0.7 else rng.uniform(0, 200, 3)
    if rng.random() < 0.2:
        paper, ink = ink, paper
    return _colour(paper), _colour(ink)


def _colour(levels: npt.NDArray[np.float64]) -> Inks:
    return tuple(int(level) for level in np.clip(levels, 0, 255))


def _print(rng: np.random.Generator, side: int, patch: Patch) -> Pixels:
    """Lines of words, numbers and formulas, in columns or in short lines one below the other."""
    paper, ink = _paper_and_ink(rng)
    height = float(np.exp(rng.uniform(np.log(8), np.log(44))))
    lines = _lines(rng, side, height)
    step = height * rng.uniform(1.15, 2.0)
    left = 0.0 if rng.random() < 0.5 else side * rng.uniform(0.1, 0.4)
    if rng.random() < 0.6:
        picture = Image.new("RGB", (side, side), paper)
        draw, font = ImageDraw.Draw(picture), ImageFont.load_default(height)
        for number, line in enumerate(lines):
            draw.text((left, number * step), line, ink, font)
        pixels = np.array(picture)
    else:
        pixels = np.full((side, side, 3), paper, np.uint8)
        face, thick = int(rng.choice(_HERSHEY)), max(1, round(height / rng.uniform(8, 16)))
        for number, line in enumerate(lines):
            place = (round(left), round((number + 0.8) * step))
            cv2.putText(pixels, line, place, face, height / 30, ink, thick, cv2.LINE_AA)
    if rng.random() < 0.3:  # a frame or a rule
        x, y = rng.integers(0, side, 2).tolist()
        cv2.rectangle(pixels, (x, y), (x + side, y + side), ink, int(rng.integers(1, 4)), cv2.LINE_AA)
    return pixels


def _lines(rng: np.random.Generator, side: int, height: float) -> list[str]:
    count = int(side / height) + 1
    room = int(side / (height * 0.5)) + 1
    kind = rng.random()
    if kind < 0.25:  # a column of numbers with their units
        unit = "".join(rng.choice(list("cdmkglhs"), rng.integers(1, 3)))
        return [f"{'=' if rng.random() < 0.1 else ''}{10 ** int(rng.integers(0, 5))} {unit}" for _ in range(count)]
    if kind < 0.4:  # a score sheet's or a board's numbers
        return ["  ".join(str(rng.integers(0, 600)) for _ in range(room // 4 + 1)) for _ in range(count)]
    if kind < 0.5:  # dots and other signs alone
        sign = str(rng.choice(list(_ROUND)))
        return [sign.join(" " * int(rng.integers(1, 4)) for _ in range(room)) for _ in range(count)]
    words = []
    for _ in range(count):
        line = ""
        while len(line) < room * rng.uniform(0.2, 1.0):
            line += "".join(rng.choice(list(_SIGNS), rng.integers(1, 9))) + " "
        words.append(line)
    return words


def _cloth(rng: np.random.Generator, side: int) -> Pixels:
    colour = rng.uniform(150, 250) * rng.uniform(0.85, 1.0, 3) if rng.random() < 0.7 else rng.uniform(20, 220, 3)
    grain = cv2.resize(rng.normal(0, 1, (side // 2, side // 2)).astype(np.float32), (side, side))
    return np.clip(colour + rng.uniform(2, 14) * grain[:, :, None], 0, 255).astype(np.uint8)


def _lace(rng: np.random.Generator, side: int, patch: Patch) -> Pixels:
    """Cloth with holes, or dots, in a pattern that repeats."""
    cell = int(rng.integers(16, 110))
    tile = np.zeros((cell, cell), np.uint8)
    for _ in range(int(rng.integers(1, 5))):
        x, y = rng.uniform(0, cell, 2)
        axes = np.maximum(1, cell * rng.uniform(0.03, 0.14, 2) * (1 if cell > 40 else 2)).astype(int).tolist()
        turn = float(rng.uniform(0, 180))
        for across, down in ((x, y), (cell - x, y), (x, cell - y), (cell - x, cell - y)):
            cv2.ellipse(tile, (round(across), round(down)), axes, turn, 0, 360, 255, -1, cv2.LINE_AA)
            turn = -turn
    times = -(-side // cell)
    holes = np.tile(tile, (times, times))[:side, :side]
    if rng.random() < 0.6:  # handmade
        wave = cv2.resize(rng.normal(0, 2.5, (2, 6, 6)).transpose(1, 2, 0).astype(np.float32), (side, side))
        ys, xs = np.mgrid[:side, :side].astype(np.float32)
        holes = as_pixels(cv2.remap(holes, xs + wave[:, :, 0], ys + wave[:, :, 1], cv2.INTER_LINEAR))
    ground = _cloth(rng, side)
    under = ground.mean() * rng.uniform(0.1, 0.6) * rng.uniform(0.7, 1.0, 3)
    part = holes[:, :, None] / 255 * rng.uniform(0.5, 1.0)
    return (ground * (1 - part) + under * part).astype(np.uint8)


def _stitches(rng: np.random.Generator, side: int, patch: Patch) -> Pixels:
    """Rows of dashes or dots on cloth: a seam, an embroidered or a woven border."""
    pixels = _cloth(rng, side)
    thread = _colour(rng.uniform(0, 255, 3) if rng.random() < 0.4 else rng.uniform(0, 60, 3))
    step, wide = rng.uniform(9, 30), rng.uniform(0.15, 0.4)
    long = float(rng.choice([wide, rng.uniform(0.3, 0.9)]))
    rows = np.arange(rng.uniform(0, 40), side, step * rng.uniform(1.2, 5))
    for y in rows[: int(rng.integers(1, 7))]:
        lean = rng.uniform(-0.3, 0.3)
        for x in np.arange(0, side, step * rng.uniform(0.9, 1.1)):
            axes = max(1, round(step * wide)), max(1, round(step * long))
            cv2.ellipse(pixels, (round(x), round(y)), axes, float(np.degrees(lean)), 0, 360, thread, -1, cv2.LINE_AA)
    return pixels


def _checked_cloth(rng: np.random.Generator, side: int, patch: Patch) -> Pixels:
    """Stripes that cross, woven or printed."""
    pixels = _cloth(rng, side).astype(np.float64)
    step = rng.uniform(20, 110)
    for stripe in range(int(rng.integers(1, 4))):
        ink, strength = rng.uniform(0, 255, 3), rng.uniform(0.4, 0.9)
        wide, start = rng.uniform(2, step * 0.4), rng.uniform(0, step)
        for axis in (0, 1):
            on = (np.arange(side) + start + stripe) % step < wide
            part = (on * strength)[:, None, None] if axis == 0 else (on * strength)[None, :, None]
            pixels = pixels * (1 - part) + ink * part
    return pixels.astype(np.uint8)


def _face(rng: np.random.Generator, side: int, patch: Patch) -> Pixels:
    """A die's face printed on paper, cloth or the table, with its outline or without: it has no sides and no shadow."""
    paper, ink = _paper_and_ink(rng)
    ground = rng.random()
    if ground < 0.4:
        pixels = as_pixels(cv2.resize(patch(rng), (side, side), interpolation=cv2.INTER_AREA)).copy()
    else:
        pixels = _cloth(rng, side) if ground < 0.6 else np.full((side, side, 3), _paper_and_ink(rng)[0], np.uint8)
    wide, middle = SIDE * rng.uniform(0.26, 0.36), side / 2
    corners = middle + wide / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    framed = rng.random()
    if framed < 0.7:
        cv2.fillPoly(pixels, [corners.astype(np.int32)], paper, cv2.LINE_AA)
    if framed > 0.4:
        cv2.polylines(pixels, [corners.astype(np.int32)], True, ink, int(rng.integers(1, 4)), cv2.LINE_AA)
    reach, radius = wide * rng.uniform(0.2, 0.3), max(1, round(wide * rng.uniform(0.07, 0.13)))
    for x, y in FACES[int(rng.integers(1, 7))]:
        place = round(middle + reach * x), round(middle + reach * y)
        cv2.circle(pixels, place, radius, ink, -1, cv2.LINE_AA)
    return pixels


_KINDS: tuple[Callable[[np.random.Generator, int, Patch], Pixels], ...] = (
    _print,
    _lace,
    _stitches,
    _checked_cloth,
    _face,
)
_SHARES = (0.38, 0.2, 0.12, 0.08, 0.22)
