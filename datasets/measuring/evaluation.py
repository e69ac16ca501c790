"""`rollcall workshop evaluate`: how well the reader reads labelled photos, and where it fails."""

from __future__ import annotations

import argparse
import contextlib
import html
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from datasets.finding import overlaps
from datasets.measuring.kept_answers import KeptReader
from datasets.photos import LabelledPhoto, labelled_photos, write_labels
from vision.annotation import annotate
from vision.network_eye import DETECTOR
from vision.photo import Photo
from vision.reader import Reader
from vision.reading import Reading

_SAME_DIE = 0.4  # intersection over union from which a found box is the labelled die
_MAP_SIDE = 640
_STYLE = "figure{display:inline-block;margin:6px;width:340px} img{width:100%} .silent{outline:4px solid red}"


@dataclass(frozen=True)
class Outcome:
    """One photo's reading beside the truth. `found` to `misread` count dice: by box if boxes are known, else by
    value."""

    photo: LabelledPhoto
    reading: Reading
    seconds: float
    found: int
    extra: int
    missed: int
    confusions: tuple[tuple[int, int], ...]  # (true, read) of dice that were found and misread

    @property
    def exact(self) -> bool:
        return self.reading.values == self.photo.values

    @property
    def silent(self) -> bool:
        """A silent error: called sure, and wrong."""
        return self.reading.sure and not self.exact

    @property
    def taps(self) -> int:
        """Taps that put the reading right: three to add a die (add it, point at it, choose the value), two to change
        one, one to remove one."""
        return self.extra + 3 * self.missed + 2 * len(self.confusions)


@dataclass
class Figures:
    """The counts over the photos of one folder."""

    name: str
    outcomes: list[Outcome] = field(default_factory=list)

    def table(self) -> dict[str, Any]:
        """The figures, JSON-ready. Shares are 0..1, of photos; times in milliseconds."""
        all_, sure = self.outcomes, [o for o in self.outcomes if o.reading.sure]
        count = len(all_)
        confusions = Counter(pair for o in all_ for pair in o.confusions)
        return {
            "set": self.name,
            "photos": count,
            "exact": sum(o.exact for o in all_) / count,
            "sure": len(sure) / count,
            "asked": 1 - len(sure) / count,
            "exact_of_sure": sum(o.exact for o in sure) / len(sure) if sure else None,
            "silent_errors": sum(o.silent for o in all_),
            "dice": sum(len(o.photo.values) for o in all_),
            "found": sum(o.found for o in all_),
            "extra": sum(o.extra for o in all_),
            "missed": sum(o.missed for o in all_),
            "misread": sum(confusions.values()),
            "confusions": {f"{true} as {read}": n for (true, read), n in confusions.most_common()},
            "taps": sum(o.taps for o in all_) / count,
            "milliseconds": 1000 * statistics.median(o.seconds for o in all_),
        }


def measure_folders(args: argparse.Namespace) -> list[dict[str, Any]]:
    """The figures of each folder, JSON-ready; writes the gallery if asked. Raises what `measure` raises."""
    reader = KeptReader(args.models, args.answers) if args.answers else Reader(args.models)
    figures = [measure(folder, reader, args.counted) for folder in args.folders]
    tables = [each.table() for each in figures]
    if args.map:
        for table, folder in zip(tables, args.folders, strict=True):
            table |= mean_precision(args.models, folder)
    if args.gallery is not None:
        write_gallery(args.gallery, figures)
    return tables


def measure(folder: Path, reader: Reader | KeptReader, counted: bool = False) -> Figures:
    """Reads every photo of the folder; `counted`: with the dice count. Raises what `labelled_photos` and the reader
    raise."""
    figures = Figures(folder.name)
    for labelled in labelled_photos(folder):
        data = labelled.path.read_bytes()
        began = time.perf_counter()
        photo = reader.open(data) if isinstance(reader, KeptReader) else Photo.decode(data)
        reading = reader.read(photo, len(labelled.values) or None if counted else None)
        figures.outcomes.append(compare_reading(labelled, reading, time.perf_counter() - began))
    if not figures.outcomes:
        raise ValueError(f"{folder}: no photos in it")
    return figures


def compare_reading(photo: LabelledPhoto, reading: Reading, seconds: float = 0.0) -> Outcome:
    """Compares a reading with the truth: by boxes if these are known, else by values."""
    if photo.boxes is None or photo.classes is None:
        true, read = Counter(photo.values), Counter(reading.values)
        lost, more = sorted((true - read).elements()), sorted((read - true).elements())
        # Only values are known: a lacking value and a surplus one count as one misread die.
        confusions = tuple(zip(lost, more, strict=False))
        found = (true & read).total() + len(confusions)
        extra, missed = len(more) - len(confusions), len(lost) - len(confusions)
        return Outcome(photo, reading, seconds, found, extra, missed, confusions)
    scale = np.array([reading.width, reading.height] * 2, np.float32)
    boxes = np.array([die.box for die in reading.dice], np.float32).reshape(-1, 4)
    iou, _ = overlaps(photo.boxes * scale, boxes)
    pairs = []
    while iou.size and iou.max() >= _SAME_DIE:
        i, j = (int(k) for k in np.unravel_index(iou.argmax(), iou.shape))
        pairs.append((i, j))
        iou[i], iou[:, j] = 0, 0
    seen = [(int(photo.classes[i]) + 1, reading.dice[j].value) for i, j in pairs]
    confusions = tuple((true, read) for true, read in seen if true != read)
    return Outcome(
        photo, reading, seconds, len(pairs), len(boxes) - len(pairs), len(photo.boxes) - len(pairs), confusions
    )


def as_text(tables: Sequence[dict[str, Any]]) -> str:
    """The figures for a person."""
    lines = [
        f"{'set':<22}{'photos':>7}{'exact':>8}{'sure':>8}{'exact of sure':>15}{'silent':>8}{'missed':>8}{'extra':>7}"
        f"{'misread':>9}{'dice':>7}{'taps':>7}{'ms':>7}"
    ]
    for t in tables:
        of_sure = "-" if t["exact_of_sure"] is None else f"{t['exact_of_sure']:.1%}"
        lines.append(
            f"{t['set']:<22}{t['photos']:>7}{t['exact']:>8.1%}{t['sure']:>8.1%}{of_sure:>15}{t['silent_errors']:>8}"
            f"{t['missed']:>8}{t['extra']:>7}{t['misread']:>9}{t['dice']:>7}{t['taps']:>7.2f}{t['milliseconds']:>7.0f}"
        )
    for t in tables:
        if t["confusions"]:
            lines.append(f"{t['set']}: read " + ", ".join(f"{pair} ({n})" for pair, n in t["confusions"].items()))
        if "mAP50" in t:
            lines.append(f"{t['set']}: mAP50 {t['mAP50']:.3f}, mAP50-95 {t['mAP50-95']:.3f}")
    return "\n".join(lines)


def write_gallery(out: Path, measured: Sequence[Figures]) -> None:
    """Writes `index.html` with every photo that was not exact or not sure, the worst first."""
    out.mkdir(parents=True, exist_ok=True)
    parts = ["<!doctype html><meta charset=utf-8><title>Where the reader fails</title>"]
    parts.append(f"<style>{_STYLE}</style>")
    for figures in measured:
        parts.append(f"<h2>{html.escape(figures.name)}</h2>")
        doubtful = [o for o in figures.outcomes if not o.exact or not o.reading.sure]
        for outcome in sorted(doubtful, key=lambda o: (not o.silent, o.exact)):
            name = f"{figures.name}-{outcome.photo.path.stem}.jpg"
            photo = Photo.decode(outcome.photo.path.read_bytes())
            (out / name).write_bytes(annotate(photo, outcome.reading))
            truth, read = (" ".join(map(str, v)) or "none" for v in (outcome.photo.values, outcome.reading.values))
            kind = "silent" if outcome.silent else "wrong" if not outcome.exact else "asked"
            parts.append(
                f"<figure class={kind}><img loading=lazy src='{html.escape(name)}'>"
                f"<figcaption>{html.escape(outcome.photo.path.name)}: {kind}; is {truth}, "
                f"read {read}</figcaption></figure>"
            )
    (out / "index.html").write_text("\n".join(parts))


def mean_precision(models: Path, folder: Path) -> dict[str, float]:
    """mAP50 and mAP50-95 of the detector by ultralytics' validator, with all values as one class; {} if boxes are
    unknown."""
    from ultralytics import YOLO
    from ultralytics.utils import LOGGER

    from datasets.training.export import write_ultralytics_detector

    photos = [photo for photo in labelled_photos(folder) if photo.boxes is not None]
    if not photos:
        return {}
    LOGGER.setLevel("ERROR")  # it speaks on standard output, where only the figures belong
    with (
        tempfile.TemporaryDirectory() as place,
        contextlib.redirect_stdout(sys.stderr),
    ):  # the validator writes beside the photos that it is given
        for part in ("images", "labels"):
            (Path(place) / part).mkdir()
        for number, photo in enumerate(photos):  # photos of several folders may have one name
            (Path(place) / "images" / f"{number}{photo.path.suffix}").symlink_to(photo.path.resolve())
            assert photo.boxes is not None
            write_labels(Path(place) / "labels" / f"{number}.txt", np.zeros(len(photo.boxes), np.int64), photo.boxes)
        description, weights = Path(place) / "dice.yaml", Path(place) / "detector.pt"
        description.write_text(f"path: {place}\ntrain: images\nval: images\nnames:\n  0: die\n")
        write_ultralytics_detector(models / DETECTOR, weights)
        result = YOLO(str(weights)).val(
            data=str(description),
            imgsz=_MAP_SIDE,
            device="cpu",
            plots=False,
            verbose=False,
            workers=0,
            project=place,
        )
    return {"mAP50": float(result.box.map50), "mAP50-95": float(result.box.map)}
