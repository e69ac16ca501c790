"""`rollcall workshop evaluate --evenings`: how well the reader learns a table's own dice, throw by throw.

An evening is a labelled folder of throws of the same dice, in the order of their names. Each throw is read twice:
without a memory, and with the memory of the throws before it. Then the memory gets the true values at the true boxes,
as a person's correction would give them.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from datasets.measuring.evaluation import Figures, Outcome, compare_reading, write_gallery
from datasets.photos import LabelledPhoto, labelled_folders, labelled_photos
from vision import DiceMemory, DiceSample
from vision.photo import Photo
from vision.reader import Reader
from vision.reading import Reading

SPANS: Final = (("1", 1, 1), ("2-4", 2, 4), ("5 on", 5, None))  # throws of an evening that are counted together
_HEAD: Final = f"{'evenings':<16}{'throws':<8}{'memory':<9}{'photos':>7}{'exact':>8}{'sure':>8}{'silent':>8}"


@dataclass(frozen=True)
class MeasuredThrow:
    """One throw of an evening, numbered from 1: its reading without a memory and with that of the throws before."""

    evening: str
    kind: str
    number: int
    without: Outcome
    learned: Outcome


def measure_folders(args: argparse.Namespace) -> list[dict[str, Any]]:
    """The figures of all evenings in the folders, JSON-ready; writes the gallery if asked.

    Raises ValueError with --map, and what `evenings` and `measure` raise.
    """
    if args.map:
        raise ValueError("--map measures ordinary folders, not --evenings")
    reader = Reader(args.models)
    throws = [throw for folder in evenings(args.folders) for throw in measure(folder, reader, args.counted)]
    if args.gallery is not None:
        write_gallery(args.gallery, by_evening(throws))
    return tables(throws)


def evenings(folders: Iterable[Path]) -> Iterator[Path]:
    """The evenings among folders: each folder itself, or those that it holds. Raises ValueError if it holds none."""
    for folder in folders:
        if not folder.is_dir():
            raise ValueError(f"{folder}: no such folder")
        if (folder / "images").is_dir():
            yield folder
            continue
        inside = labelled_folders(folder)
        if not inside:
            raise ValueError(f"{folder}: no evenings in it, which are folders with images/ and labels/")
        yield from inside


def measure(folder: Path, reader: Reader, counted: bool) -> list[MeasuredThrow]:
    """Reads an evening's throws one after the other; counted: with the dice count.

    Raises ValueError if boxes are unknown or there is no throw, and what the reader raises.
    """
    throws: list[MeasuredThrow] = []
    samples: list[DiceSample] = []
    for labelled in labelled_photos(folder):
        count = (len(labelled.values) or None) if counted else None
        photo = Photo.decode(labelled.path.read_bytes())
        outcomes = []
        for memory in (None, DiceMemory(samples)):
            began = time.perf_counter()
            reading = reader.read(photo, count, known=memory)
            outcomes.append(compare_reading(labelled, reading, time.perf_counter() - began))
        throws.append(MeasuredThrow(folder.name, kind_of(labelled.path), len(throws) + 1, *outcomes))
        samples.append(confirm_reading(labelled, reading))
    if not throws:
        raise ValueError(f"{folder}: no photos in it")
    return throws


def confirm_reading(labelled: LabelledPhoto, reading: Reading) -> DiceSample:
    """The training samples that a table gets when a person has corrected a reading."""
    if labelled.boxes is None or labelled.classes is None:
        raise ValueError(f"{labelled.path}: an evening needs the boxes of its dice (labels/*.txt)")
    scale = np.array([reading.width, reading.height] * 2, np.float64)
    places = [(float(x0), float(y0), float(x1), float(y1)) for x0, y0, x1, y1 in labelled.boxes * scale]
    values = [int(value) + 1 for value in labelled.classes]
    assert reading.trace is not None  # every reading of the reader has one
    return reading.trace.sample(list(zip(values, places, strict=True)))


def kind_of(image: Path) -> str:
    """The kind of dice in a rendered evening, by its details; "" if unknown."""
    details = image.parent.parent / "details" / f"{image.stem}.json"
    return str(json.loads(details.read_text(encoding="utf-8")).get("kind", "")) if details.is_file() else ""


def tables(throws: Sequence[MeasuredThrow]) -> list[dict[str, Any]]:
    """The figures of all evenings and then of each kind, by throw number, without and with memory; JSON-ready."""
    kinds = sorted({throw.kind for throw in throws} - {""})
    rows = []
    for kind in ["", *kinds] if len(kinds) > 1 else [""]:
        for name, first, last in SPANS:
            among = [t for t in throws if kind in ("", t.kind) and first <= t.number <= (last or t.number)]
            if among:
                rows.append(_row(kind or "all", name, False, [t.without for t in among]))
                rows.append(_row(kind or "all", name, True, [t.learned for t in among]))
    return rows


def as_text(rows: Sequence[dict[str, Any]]) -> str:
    """The figures for a person."""
    lines = [f"{_HEAD}{'missed':>8}{'extra':>7}{'misread':>9}{'dice':>7}{'taps':>7}{'ms':>7}"]
    for r in rows:
        lines.append(
            f"{r['evenings']:<16}{r['throws']:<8}{'with' if r['memory'] else 'without':<9}{r['photos']:>7}"
            f"{r['exact']:>8.1%}{r['sure']:>8.1%}{r['silent_errors']:>8}{r['missed']:>8}{r['extra']:>7}"
            f"{r['misread']:>9}{r['dice']:>7}{r['taps']:>7.2f}{r['milliseconds']:>7.0f}"
        )
    return "\n".join(lines)


def by_evening(throws: Sequence[MeasuredThrow]) -> list[Figures]:
    """The readings with memory, one evening at a time, for the gallery of failures."""
    names = dict.fromkeys(throw.evening for throw in throws)
    return [Figures(name, [throw.learned for throw in throws if throw.evening == name]) for name in names]


def _row(kind: str, span: str, memory: bool, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Shares are 0..1, of photos; time in milliseconds."""
    count = len(outcomes)
    return {
        "evenings": kind,
        "throws": span,
        "memory": memory,
        "photos": count,
        "exact": sum(o.exact for o in outcomes) / count,
        "sure": sum(o.reading.sure for o in outcomes) / count,
        "silent_errors": sum(o.silent for o in outcomes),
        "dice": sum(len(o.photo.values) for o in outcomes),
        "missed": sum(o.missed for o in outcomes),
        "extra": sum(o.extra for o in outcomes),
        "misread": sum(len(o.confusions) for o in outcomes),
        "taps": sum(o.taps for o in outcomes) / count,
        "milliseconds": 1000 * statistics.median(o.seconds for o in outcomes),
    }
