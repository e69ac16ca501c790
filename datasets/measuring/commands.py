"""`rollcall evaluate`: its arguments, and which kind of folder is measured how."""

from __future__ import annotations

import argparse
from pathlib import Path

from datasets.measuring import clips, evaluation, evenings
from vision.reader import MODELS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folders",
        nargs="+",
        type=Path,
        metavar="DIR",
        help="folder: images/ and labels/ or values.csv; or clips, NAME.mp4 and NAME.json",
    )
    parser.add_argument("--models", type=Path, default=MODELS, help="folder of the networks (default: Rollcall's own)")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of a table")
    parser.add_argument("--counted", action="store_true", help="tell the reader how many dice each photo shows")
    parser.add_argument("--gallery", type=Path, metavar="OUT", help="write a page with the failures, boxes drawn in")
    parser.add_argument(
        "--map", action="store_true", help="also the detector's mAP by ultralytics' validator (the extra `train`)"
    )

    parser.add_argument(
        "--evenings",
        action="store_true",
        help="the folders are evenings, or hold some: throws of the same dice, each confirmed before the next",
    )


def run(args: argparse.Namespace) -> int:
    if args.evenings:
        return evenings.run(args)
    if all(clips.is_clips(folder) for folder in args.folders):
        return clips.run(args)
    return evaluation.run(args)
