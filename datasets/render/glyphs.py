"""Marks that stand on things which are not pipped dice: numerals, letters, symbols, lines of print."""

from __future__ import annotations

import math
from functools import cache
from typing import Final

import cv2
import numpy as np

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


@cache
def tiles() -> Image:
    """All tiles (n, SIDE, SIDE), ink 0..1; `index` says which is which."""
    drawn = [_text(name, style) for style in range(2) for name in NUMERALS + LETTERS]
    drawn += [_symbol(name) for name in SYMBOLS] + [_print(name) for name in PRINT]
    return np.stack(drawn).astype(np.float32) / 255.0


def index(name: str, style: int = 0) -> int:
    """Row of a tile; style 0 is plain, 1 has serifs."""
    texts = NUMERALS + LETTERS
    if name in texts:
        return style * len(texts) + texts.index(name)
    return 2 * len(texts) + (SYMBOLS + PRINT).index(name)


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
