"""Marks on things that are not pipped dice: numerals, letters, symbols, lines of print."""

from __future__ import annotations

import math
from functools import cache
from typing import Final

import cv2
import numpy as np

from datasets.render import logos
from datasets.render.scene import Image

SIDE: Final = 64  # pixels of a tile
NUMERALS: Final = [str(n) for n in range(21)] + ["00", "30", "50", "70", "90"]
LETTERS: Final = list("ABCDEGHKMNQRSTWXZ?&")
SYMBOLS: Final = [
    "star",
    "heart",
    "cross",
    "skull",
    "arrow",
    "spiral",
    "diamond",
    "drop",
    "bars",
    "frame",
    "rune",
    "shield",
]
PRINT: Final = ["text", "divider", "coin", "label"]
_WORDS: Final = ["YES NO", "GO", "STOP", "LOVE", "NIE", "ANO", "EAT", "FREE", "WIN 1", "SPIN", "UP", "ROLL 2"]
_FIGURES: Final = ["face", "paw", "flower", "creature", "blot", "house", "eye", "berries", "clover", "mosaic"]
EMBLEMS: Final = [f"{figure} {k}" for figure in _FIGURES for k in range(3)] + _WORDS  # what picture dice show


@cache
def tiles() -> Image:
    """All tiles (n, SIDE, SIDE), ink 0..1; `index` says which is which."""
    drawn = [_text(name, style) for style in range(2) for name in NUMERALS + LETTERS]
    drawn += [_symbol(name) for name in SYMBOLS] + [_print(name) for name in PRINT]
    drawn += [_emblem(number) for number in range(len(EMBLEMS))]
    drawn += [logos.draw(name, SIDE) for name in logos.ALL]
    return np.stack(drawn).astype(np.float32) / 255.0


def index(name: str, style: int = 0) -> int:
    """Row of a tile; style 0 is plain, 1 has serifs."""
    texts = NUMERALS + LETTERS
    if name in texts:
        return style * len(texts) + texts.index(name)
    return 2 * len(texts) + (SYMBOLS + PRINT + EMBLEMS + list(logos.ALL)).index(name)


def _text(text: str, style: int) -> Image:
    tile = np.zeros((SIDE, SIDE), np.uint8)
    font = cv2.FONT_HERSHEY_DUPLEX if style == 0 else cv2.FONT_HERSHEY_TRIPLEX
    thick = 5 if style == 0 else 3
    (width, height), _ = cv2.getTextSize(text, font, 1.0, thick)
    scale = min((SIDE - 12) / width, (SIDE - 16) / height)
    (width, height), _ = cv2.getTextSize(text, font, scale, thick)
    cv2.putText(tile, text, ((SIDE - width) // 2, (SIDE + height) // 2 - 2), font, scale, 255, thick, cv2.LINE_AA)
    if text in ("6", "9"):
        cv2.line(tile, (16, SIDE - 5), (SIDE - 16, SIDE - 5), 255, 4)
    return tile


def _symbol(name: str) -> Image:
    tile = np.zeros((SIDE, SIDE), np.uint8)
    m = SIDE // 2
    if name == "star":
        points = [
            (
                m + (27 if k % 2 == 0 else 11) * math.sin(k * math.pi / 5),
                m - (27 if k % 2 == 0 else 11) * math.cos(k * math.pi / 5),
            )
            for k in range(10)
        ]
        cv2.fillPoly(tile, [np.array(points, np.int32)], 255, cv2.LINE_AA)
    elif name == "heart":
        cv2.circle(tile, (m - 11, m - 8), 13, 255, -1, cv2.LINE_AA)
        cv2.circle(tile, (m + 11, m - 8), 13, 255, -1, cv2.LINE_AA)
        cv2.fillPoly(tile, [np.array([(m - 23, m - 2), (m + 23, m - 2), (m, m + 26)], np.int32)], 255, cv2.LINE_AA)
    elif name == "cross":
        cv2.line(tile, (12, 12), (52, 52), 255, 9, cv2.LINE_AA)
        cv2.line(tile, (52, 12), (12, 52), 255, 9, cv2.LINE_AA)
    elif name == "skull":
        cv2.circle(tile, (m, m - 6), 21, 255, -1, cv2.LINE_AA)
        cv2.rectangle(tile, (m - 11, m + 8), (m + 11, m + 25), 255, -1)
        cv2.circle(tile, (m - 8, m - 5), 6, 0, -1, cv2.LINE_AA)
        cv2.circle(tile, (m + 8, m - 5), 6, 0, -1, cv2.LINE_AA)
    elif name == "arrow":
        cv2.arrowedLine(tile, (10, 54), (54, 10), 255, 8, cv2.LINE_AA, tipLength=0.5)
    elif name == "spiral":
        turns = [(m + (3 + 1.2 * k) * math.cos(k * 0.45), m + (3 + 1.2 * k) * math.sin(k * 0.45)) for k in range(21)]
        cv2.polylines(tile, [np.array(turns, np.int32)], False, 255, 5, cv2.LINE_AA)
    elif name == "diamond":
        cv2.fillPoly(tile, [np.array([(m, 6), (56, m), (m, 58), (8, m)], np.int32)], 255, cv2.LINE_AA)
    elif name == "drop":
        cv2.ellipse(tile, (m, m), (14, 24), 30, 0, 360, 255, -1, cv2.LINE_AA)
    elif name == "bars":
        for k in range(3):
            cv2.rectangle(tile, (10, 10 + 17 * k), (54, 18 + 17 * k), 255, -1)
    elif name == "frame":
        cv2.rectangle(tile, (4, 4), (59, 59), 255, 4)
        cv2.rectangle(tile, (18, 18), (45, 45), 255, 4)
        cv2.line(tile, (4, 4), (18, 18), 255, 3)
        cv2.line(tile, (59, 59), (45, 45), 255, 3)
    elif name == "rune":
        cv2.rectangle(tile, (3, 3), (60, 60), 255, 3)
        lines = [
            (18, 52, 18, 12),
            (18, 12, 44, 30),
            (44, 30, 18, 34),
            (30, 34, 48, 52),
            (8, 22, 28, 8),
            (40, 12, 56, 20),
        ]
        for x0, y0, x1, y1 in lines:
            cv2.line(tile, (x0, y0), (x1, y1), 255, 4, cv2.LINE_AA)
    else:
        cv2.ellipse(tile, (m, m - 8), (22, 34), 0, 0, 180, 255, -1, cv2.LINE_AA)
        cv2.rectangle(tile, (m - 22, 10), (m + 22, m - 8), 255, -1)
        cv2.line(tile, (m, 12), (m, 54), 0, 4)
    return tile


def _print(name: str) -> Image:
    tile = np.zeros((SIDE, SIDE), np.uint8)
    if name == "text":
        for row in range(8, 60, 8):
            cv2.line(tile, (6, row), (40 + (row * 7) % 18, row), 200, 2)
    elif name == "divider":
        cv2.line(tile, (SIDE // 2, 4), (SIDE // 2, SIDE - 4), 255, 3)
    elif name == "coin":
        cv2.circle(tile, (SIDE // 2, SIDE // 2), 29, 160, 3, cv2.LINE_AA)
        cv2.putText(tile, "20", (12, 42), cv2.FONT_HERSHEY_DUPLEX, 1.0, 200, 3, cv2.LINE_AA)
    else:
        cv2.rectangle(tile, (4, 14), (59, 50), 255, -1)
        cv2.putText(tile, "GAME", (7, 40), cv2.FONT_HERSHEY_DUPLEX, 0.55, 0, 2, cv2.LINE_AA)
    return tile


def _emblem(number: int) -> Image:
    """A picture or a word as a picture die has it, often of round spots."""
    name = EMBLEMS[number]
    if name in _WORDS:
        return _words(name.split())
    draw = {
        "face": _face,
        "paw": _paw,
        "flower": _flower,
        "creature": _creature,
        "blot": _blot,
        "house": _house,
        "eye": _eye,
        "berries": _berries,
        "clover": _clover,
        "mosaic": _mosaic,
    }[name.split()[0]]
    tile = np.zeros((SIDE, SIDE), np.uint8)
    draw(np.random.default_rng(number), tile)
    return tile


def _spot(tile: Image, x: float, y: float, radius: float, ink: int = 255) -> None:
    cv2.circle(tile, (round(x), round(y)), max(1, round(radius)), ink, -1, cv2.LINE_AA)


def _words(words: list[str]) -> Image:
    tile = np.zeros((SIDE, SIDE), np.uint8)
    tall = SIDE // len(words)
    for row, word in enumerate(words):
        (width, height), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, 1.0, 3)
        scale = min((SIDE - 8) / width, (tall - 8) / height)
        (width, height), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, scale, 3)
        place = ((SIDE - width) // 2, row * tall + (tall + height) // 2)
        cv2.putText(tile, word, place, cv2.FONT_HERSHEY_DUPLEX, scale, 255, 3, cv2.LINE_AA)
    return tile


def _face(rng: np.random.Generator, tile: Image) -> None:
    filled = rng.random() < 0.5
    cv2.circle(tile, (32, 32), 27, 255, -1 if filled else 4, cv2.LINE_AA)
    ink = 0 if filled else 255
    for x in (22, 42):
        _spot(tile, x, 25, rng.uniform(3, 6), ink)
    mouth = (0, 180) if rng.random() < 0.7 else (180, 360)
    cv2.ellipse(tile, (32, 38 if mouth[0] == 0 else 48), (14, 9), 0, *mouth, ink, 4, cv2.LINE_AA)


def _paw(rng: np.random.Generator, tile: Image) -> None:
    cv2.ellipse(tile, (32, 42), (int(rng.uniform(11, 16)), 12), 0, 0, 360, 255, -1, cv2.LINE_AA)
    for x, y in ((12, 28), (24, 15), (40, 15), (52, 28)):
        _spot(tile, x, y, rng.uniform(5, 8))


def _flower(rng: np.random.Generator, tile: Image) -> None:
    petals, reach = int(rng.integers(5, 8)), rng.uniform(15, 19)
    for k in range(petals):
        angle = 2 * math.pi * k / petals
        _spot(tile, 32 + reach * math.cos(angle), 32 + reach * math.sin(angle), 1.9 * reach / petals)
    _spot(tile, 32, 32, rng.uniform(4, 8), int(rng.choice([0, 255])))


def _creature(rng: np.random.Generator, tile: Image) -> None:
    half = rng.random((8, 4)) < 0.55
    cells = np.concatenate([half, half[:, ::-1]], 1).astype(np.uint8) * 255
    tile[4:60, 4:60] = cv2.resize(cells, (56, 56), interpolation=cv2.INTER_NEAREST)


def _blot(rng: np.random.Generator, tile: Image) -> None:
    angles = np.arange(14) * 2 * math.pi / 14
    radii = rng.uniform(11, 29, 14)
    outline = 32 + radii[:, None] * np.stack([np.cos(angles), np.sin(angles)], 1)
    cv2.fillPoly(tile, [outline.astype(np.int32)], 255, cv2.LINE_AA)
    _spot(tile, rng.uniform(24, 40), rng.uniform(24, 40), rng.uniform(2, 5), 0)


def _house(rng: np.random.Generator, tile: Image) -> None:
    wall = int(rng.integers(14, 22))
    cv2.rectangle(tile, (wall, 30), (64 - wall, 58), 255, -1)
    cv2.fillPoly(tile, [np.array([(wall - 8, 31), (72 - wall, 31), (32, 6)], np.int32)], 255, cv2.LINE_AA)
    cv2.rectangle(tile, (28, 42), (36, 58), 0, -1)


def _eye(rng: np.random.Generator, tile: Image) -> None:
    cv2.ellipse(tile, (32, 32), (28, int(rng.uniform(14, 24))), 0, 0, 360, 255, 4, cv2.LINE_AA)
    _spot(tile, 32, 32, rng.uniform(7, 13))
    _spot(tile, 36, 28, 3, 0)


def _berries(rng: np.random.Generator, tile: Image) -> None:
    radius = rng.uniform(6, 9)
    for x, y in [(18, 38), (32, 38), (46, 38), (25, 50), (39, 50)][: int(rng.integers(2, 6))]:
        _spot(tile, x, y, radius)
        cv2.line(tile, (x, y), (34, 8), 255, 2, cv2.LINE_AA)


def _clover(rng: np.random.Generator, tile: Image) -> None:
    leaves = int(rng.integers(3, 5))
    for k in range(leaves):
        angle = 2 * math.pi * k / leaves - math.pi / 2
        _spot(tile, 32 + 13 * math.cos(angle), 28 + 13 * math.sin(angle), rng.uniform(9, 11))
    cv2.line(tile, (32, 28), (38, 60), 255, 4, cv2.LINE_AA)


def _mosaic(rng: np.random.Generator, tile: Image) -> None:
    cells = (rng.random((5, 5)) < 0.5).astype(np.uint8) * 255
    tile[7:57, 7:57] = cv2.resize(cells, (50, 50), interpolation=cv2.INTER_NEAREST)
