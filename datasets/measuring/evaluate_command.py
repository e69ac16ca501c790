"""`rollcall workshop evaluate`: its arguments, and how each kind of folder is measured."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from datasets.measuring import clips, evaluation, evening_figures, reason_figures, stress
from vision.reader import MODELS
from vision.reasons import VisionError

Tables = Sequence[dict[str, Any]]


class Measurement(NamedTuple):
    """How one kind of folder is measured: to JSON-ready figures, and to text for a person."""

    measure: Callable[[argparse.Namespace], Tables]
    as_text: Callable[[Tables], str]


PHOTOS = Measurement(evaluation.measure_folders, evaluation.as_text)
CLIPS = Measurement(clips.measure_folders, clips.as_text)
STRESS = Measurement(stress.measure_folders, stress.as_text)
QUESTIONS = Measurement(reason_figures.measure_folders, reason_figures.as_text)
EVENINGS = Measurement(evening_figures.measure_folders, evening_figures.as_text)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    text = "folder: images/ and labels/ or values.csv; or clips, NAME.mp4 and NAME.json"
    add("folders", nargs="+", type=Path, metavar="DIR", help=text)
    add("--models", type=Path, default=MODELS, help="folder of the networks (default: Rollcall's own)")
    add("--json", action="store_true", help="print one JSON document instead of a table")
    add("--counted", action="store_true", help="tell the reader how many dice each photo shows")
    add("--fps", type=float, metavar="N", help="watch only so many frames of a clip's second (default: 15)")
    add("--gallery", type=Path, metavar="OUT", help="write a page with the failures, boxes drawn in")
    add("--map", action="store_true", help="also the detector's mAP by ultralytics' validator (the extra `train`)")
    text = "the folders are evenings, or hold some: throws of the same dice, each confirmed before the next"
    add("--evenings", action="store_true", help=text)
    text = "make the photos that are read surely and rightly harder: a die cut off, dice far away, little light"
    add("--stress", action="store_true", help=text)
    add("--only", default="", metavar="KIND", help="with --stress: only so: `cut`, `field`, `light`, `cut to 35`")
    text = "how many right and how many wrong readings each reason to ask alone made unsure"
    add("--questions", action="store_true", help=text)
    text = "keep what the networks answer there, so that the next time takes seconds; not with clips and evenings"
    add("--answers", type=Path, metavar="DIR", help=text)
    add("--limit", type=int, metavar="N", help="with --stress or --questions: only N photos of each folder")


def run(args: argparse.Namespace) -> int:
    """Prints the figures of the folders; returns the exit status, 2 for an error that a person can mend."""
    kind = kind_of(args)
    try:
        tables = kind.measure(args)
    except (ValueError, OSError, VisionError) as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(tables, indent=2) if args.json else kind.as_text(tables))
    return 0


def kind_of(args: argparse.Namespace) -> Measurement:
    if args.evenings:
        return EVENINGS
    if args.stress:
        return STRESS
    if args.questions:
        return QUESTIONS
    return CLIPS if all(clips.is_clips(folder) for folder in args.folders) else PHOTOS
