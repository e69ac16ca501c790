"""`rollcall workshop clips disturb`: films of what disturbs at a table, from any clips, with their events as labels."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from datasets.measuring.clips import CLIPS
from datasets.video.disturbances import KINDS, SCENERIES
from datasets.video.disturbing import RATE, Scenery, Take, first_rest
from vision.reader import MODELS, Reader
from vision.reasons import VisionError

_LONGEST = 640  # pixels of the films' longer side


def add_arguments(parser: argparse.ArgumentParser) -> None:
    whats = parser.add_subparsers(required=True, dest="what", metavar="WHAT")
    disturb = whats.add_parser("disturb", help="make disturbed films of clips: OUT/KIND/NAME.mp4 and NAME.json")
    add = disturb.add_argument
    add("folder", type=Path, metavar="DIR", help="clips, NAME.mp4 and NAME.json with the `events`")
    add("out", type=Path, metavar="OUT", help="folder for the films; those that are there stay")
    text = "some kinds, commas between them (default: all): "
    add("--kinds", type=lambda text: text.split(","), default=list(KINDS), help=text + ", ".join(KINDS))
    add("--longest", type=int, default=_LONGEST, metavar="PIXELS", help="longer side of the films (default: 640)")
    add("--seed", type=int, default=1, help="the same seed makes the same films (default: 1)")


def run(args: argparse.Namespace) -> int:
    """Makes the films; returns the exit status, 2 for an error that a person can mend."""
    try:
        unknown = [name for name in args.kinds if name not in KINDS]
        if unknown:
            raise ValueError(f"rollcall workshop clips disturb: no kind is called {unknown[0]!r} (see --help)")
        clips = sorted(args.folder.glob(CLIPS))
        if not clips:
            raise ValueError(f"{args.folder}: no clips (*.mp4) in it")
        reader = Reader(MODELS)
        for number, path in enumerate(clips):
            missing = [name for name in args.kinds if not _label_of(args.out, name, path).is_file()]
            if missing:
                _film_kinds(first_rest(path, reader, args.longest), missing, args.out, path, (args.seed, number))
    except (ValueError, OSError, VisionError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _label_of(out: Path, name: str, path: Path) -> Path:
    return out / name / f"{path.stem}.json"


def _film_kinds(scenery: Scenery, names: Sequence[str], out: Path, path: Path, seed: tuple[int, int]) -> None:
    for name in names:
        take = film_kind(scenery, name, seed)
        label = _label_of(out, name, path)
        label.parent.mkdir(parents=True, exist_ok=True)
        write_film(take, label.with_suffix(".mp4"))
        label.write_text(json.dumps({"kind": name, "fps": RATE, "events": take.events}, indent=1) + "\n")


def film_kind(scenery: Scenery, name: str, seed: Sequence[int]) -> Take:
    """A film of this kind; the same seed makes the same film."""
    rng = np.random.default_rng([*seed, *name.encode()])
    take = Take(SCENERIES[name](scenery) if name in SCENERIES else scenery, rng)
    KINDS[name](take)
    return take


def write_film(take: Take, path: Path) -> None:
    """Writes an mp4 file, whole or not at all. Raises OSError if that fails."""
    part = path.with_name(f".{path.stem}.part.mp4")
    writer = cv2.VideoWriter(str(part), cv2.VideoWriter.fourcc(*"mp4v"), float(RATE), take.size)
    if not writer.isOpened():
        raise OSError(f"cannot write a video to {path}")
    try:
        for frame in take.frames():
            writer.write(cv2.cvtColor(frame, cv2.COLOR_RGB2BGR))
    finally:
        writer.release()
    part.replace(path)
