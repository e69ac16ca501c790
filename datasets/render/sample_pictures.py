"""The pictures of known throws that the tests and the README show, and the picture maker's contact sheet."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from datasets.render import post
from datasets.render.evenings import any_evening, render_evening
from datasets.render.picture import Picture, render_picture, render_throw
from datasets.render.scene import Image

# Name, values, seed: worked turns of ones-and-fives (docs/rules.md, section 1), then five dice for kosci, then others.
THROWS: Final[tuple[tuple[str, tuple[int, ...], int], ...]] = (
    ("throw-113466", (1, 1, 6, 6, 3, 4), 1),
    ("throw-2345", (2, 3, 4, 5), 2),
    ("throw-235", (2, 3, 5), 3),
    ("throw-15", (1, 5), 4),
    ("throw-224444", (2, 2, 4, 4, 4, 4), 5),
    ("throw-122333", (1, 3, 3, 3, 2, 2), 6),
    ("throw-112455", (1, 1, 5, 5, 2, 4), 7),
    ("throw-234", (2, 3, 4), 8),
    ("throw-23335", (3, 3, 3, 2, 5), 9),
    ("throw-66666", (6, 6, 6, 6, 6), 10),
    ("throw-12345", (1, 2, 3, 4, 5), 11),
    ("throw-4", (4,), 12),
)

# Throws of one evening with a logo for the one, which the reader has to be taught.
LOGO_FOLDER: Final = "logo-dice"
LOGO_EVENING: Final = (101, 30)  # seed and number
LOGO_THROWS: Final = 4

LARGEST: Final = 110_000  # bytes of a committed picture
LARGEST_OF_LOGOS: Final = 95_000


def write_throws(folder: Path) -> list[Path]:
    """Writes every throw as a JPEG, with all boxes and values in pictures.json, and the logo dice likewise in a folder
    of their own; returns the files."""
    throws = ((name, values, render_throw(values, seed)) for name, values, seed in THROWS)
    return [*_write(folder, throws, LARGEST), *_write(folder / LOGO_FOLDER, _logo_throws(), LARGEST_OF_LOGOS)]


def _logo_throws() -> Iterator[tuple[str, tuple[int, ...], Picture]]:
    """Name, values and picture of each throw of the evening, in order."""
    evening = any_evening(*LOGO_EVENING)
    for throw in range(LOGO_THROWS):
        picture = render_evening(evening, throw)
        values = tuple(label.value for label in picture.labels if label.value)
        yield f"throw-{throw + 1}", values, picture


def _write(folder: Path, throws: Iterable[tuple[str, tuple[int, ...], Picture]], largest: int) -> list[Path]:
    """Writes pictures of at most `largest` bytes and their labels into a folder; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written, index = [], []
    for name, values, picture in throws:
        path = folder / f"{name}.jpg"
        path.write_bytes(_small_jpeg(picture, largest))
        written.append(path)
        height, width = picture.pixels.shape[:2]
        dice = ({"value": label.value, "box": list(label.box)} for label in picture.labels if label.value)
        index.append(
            {
                "picture": path.name,
                "width": width,
                "height": height,
                "values": sorted(values),
                "thrown": values,
                "dice": sorted(dice, key=lambda die: die["box"][0]),  # type: ignore[index]
            }
        )
    path = folder / "pictures.json"
    path.write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")
    return [*written, path]


def _small_jpeg(picture: Picture, largest: int) -> bytes:
    """The picture as a JPEG of at most `largest` bytes, as good as that allows."""
    for quality in range(picture.quality, 20, -4):
        data = post.encode(picture.pixels, quality)
        if len(data) <= largest:
            break
    return data


def contact_sheet(
    path: Path, textures: str | None, *, seed: int = 0, columns: int = 6, rows: int = 5, side: int = 240
) -> None:
    """Writes a JPEG that shows the first pictures of the preset train side by side."""
    cells = []
    for number in range(columns * rows):
        pixels: Image = render_picture("train", seed, number, textures=textures).pixels
        scale = side / min(pixels.shape[:2])
        pixels = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        y, x = (pixels.shape[0] - side) // 2, (pixels.shape[1] - side) // 2
        cells.append(pixels[y : y + side, x : x + side])
    sheet = np.vstack([np.hstack(cells[r * columns : (r + 1) * columns]) for r in range(rows)])
    done, data = cv2.imencode(".jpg", sheet[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, 72])
    if not done:
        raise ValueError("the contact sheet could not be encoded as JPEG")
    path.write_bytes(bytes(data))
