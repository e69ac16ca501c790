"""`rollcall workshop evaluate --stress`: photos that are read surely and rightly, made harder: a die cut by the edge,
dice far away, little light. Whatever the reader says then, it must not be sure and wrong.

Each variant follows from the photo's name, so that anybody gets the same ones.
"""

from __future__ import annotations

import argparse
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from datasets.cropping import crop_side, crops_through_dice
from datasets.measuring.kept_answers import KeptReader
from datasets.photos import LabelledPhoto, as_pixels, labelled_photos, spread_evenly
from vision.arrays import Doubles, Pixels
from vision.photo import Photo

# What the reader knows of the dice count.
WITH_COUNT, ONE_FEWER, WITHOUT = COUNTS = ("with the count", "one fewer", "without")
_LEFT: Final = (20, 35, 50, 65)  # percent of one die's box that the edge leaves
_WIDER: Final = (2, 4, 8)  # times as wide as the photo is the field that it is placed in
_LIGHT: Final = (4, 8, 16)  # parts of the light, of which one is left
_WIDEST = 4000  # pixels of a field's longer side: as of a phone's photo
_READ_NOISE, _SHOT_NOISE = 1.5, 0.15  # of a sensor, in levels of 255: fixed, and the variance by the level itself
_QUALITY = 92  # of the JPEG

Variant = Callable[[Pixels, Doubles, np.random.Generator], Pixels | None]


def measure_folders(args: argparse.Namespace) -> list[dict[str, Any]]:
    """The figures of each folder, kind and count, JSON-ready. Raises what `labelled_photos` and the reader raise."""
    reader = KeptReader(args.models, args.answers)
    return [row for folder in args.folders for row in measure(folder, reader, args.limit, args.only)]


def measure(folder: Path, reader: KeptReader, limit: int | None = None, only: str = "") -> list[dict[str, Any]]:
    """The figures of one folder; `limit`: of so many of its photos, spread evenly; `only`: of the kinds whose names
    begin so."""
    photos = spread_evenly(list(labelled_photos(folder)), limit)
    tallies: dict[tuple[str, str], Counter[str]] = {
        (kind, count): Counter() for kind in ("as it is", *VARIANTS) for count in COUNTS
    }
    for labelled in photos:
        for kind, variant in _variants(labelled, reader, only):
            photo = reader.open(variant)
            for count in COUNTS:
                dice = {WITH_COUNT: len(labelled.values), ONE_FEWER: len(labelled.values) - 1}.get(count)
                if dice == 0:
                    continue
                reading = reader.read(photo, dice)
                exact = reading.values == labelled.values
                tally = tallies[kind, count]
                tally["photos"] += 1
                tally["exact"] += exact
                tally["sure"] += reading.sure
                tally["silent"] += reading.sure and not exact
                tally["unexplained"] += not reading.sure and not reading.asks
    return [
        {"set": folder.name, "kind": kind, "count": count}
        | {name: tally[name] for name in ("photos", "exact", "sure", "silent", "unexplained")}
        for (kind, count), tally in tallies.items()
    ]


def as_text(tables: Sequence[dict[str, Any]]) -> str:
    """The figures for a person."""
    names = ("photos", "exact", "sure", "silent", "unexplained")
    lines = [f"{'set':<18}{'kind':<14}{'count':<16}" + "".join(f"{name:>13}" for name in names)]
    lines += [
        f"{row['set']:<18}{row['kind']:<14}{row['count']:<16}" + "".join(f"{row[name]:>13}" for name in names)
        for row in tables
        if row["photos"]
    ]
    return "\n".join(lines)


def _variants(labelled: LabelledPhoto, reader: KeptReader, only: str) -> Iterator[tuple[str, bytes]]:
    """The photo's file, and its variants whose names begin with `only`; nothing if the photo is not read surely and
    rightly without the dice count."""
    data = labelled.path.read_bytes()
    reading = reader.read(reader.open(data))
    if not reading.sure or reading.values != labelled.values:
        return
    yield "as it is", data
    photo = Photo.decode(data)
    boxes = np.array([die.box for die in reading.dice], np.float64)
    for kind, make in VARIANTS.items():
        if not kind.startswith(only):
            continue
        rng = np.random.default_rng([zlib.crc32(labelled.path.name.encode()), zlib.crc32(kind.encode())])
        pixels = make(photo.pixels, boxes, rng)
        if pixels is not None:
            yield kind, _as_jpeg(pixels)


def cut_die(pixels: Pixels, boxes: Doubles, rng: np.random.Generator, left: float) -> Pixels | None:
    """The picture cropped so that the share `left` of one die's box (n, 4) is left, and the other dice whole. None if
    no side allows it."""
    height, width = pixels.shape[:2]
    crops = crops_through_dice(boxes, width, height, left)
    return crop_side(pixels, boxes, crops[int(rng.integers(len(crops)))])[0] if crops else None


def widen_field(pixels: Pixels, _: Doubles, rng: np.random.Generator, times: int) -> Pixels:
    """The picture somewhere in a plain field of so many `times` its sides, in the colour of its border."""
    shrink = min(1.0, _WIDEST / (times * max(pixels.shape[:2])))
    if shrink < 1:
        pixels = as_pixels(cv2.resize(pixels, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA))
    height, width = pixels.shape[:2]
    border = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    field = np.empty((times * height, times * width, 3), np.uint8)
    field[:] = np.median(border, axis=0).astype(np.uint8)
    top, left = (int(rng.integers((times - 1) * side + 1)) for side in (height, width))
    field[top : top + height, left : left + width] = pixels
    return field


def dim_light(pixels: Pixels, _: Doubles, rng: np.random.Generator, parts: int) -> Pixels:
    """The picture with one of so many `parts` of its brightness, and a sensor's noise."""
    light = pixels.astype(np.float32) / parts
    noise = rng.standard_normal(pixels.shape, np.float32) * np.sqrt(_READ_NOISE**2 + _SHOT_NOISE * light)
    return (light + noise).round().clip(0, 255).astype(np.uint8)


def _as_jpeg(pixels: Pixels) -> bytes:
    _, data = cv2.imencode(".jpg", pixels[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return data.tobytes()


VARIANTS: Final[dict[str, Variant]] = {
    **{f"cut to {left} %": partial(cut_die, left=left / 100) for left in _LEFT},
    **{f"field x{times}": partial(widen_field, times=times) for times in _WIDER},
    **{f"light 1/{parts}": partial(dim_light, parts=parts) for parts in _LIGHT},
}
