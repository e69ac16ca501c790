"""`rollcall workshop train`: from labelled photos to the files in `models/` (CONTRIBUTING.md)."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path
from typing import Any

from datasets.training import retraining, whole
from datasets.training.settings import DEFAULT, Task, read_settings
from vision.border import BORDER
from vision.network_eye import CROP_CLASSIFIER, DETECTOR
from vision.reader import MODELS
from vision.reasons import VisionError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--settings", type=Path, default=DEFAULT, help="JSON file with every setting of the training")
    steps = parser.add_subparsers(required=True, dest="part", metavar="PART")
    one: dict[str, Any] = {"type": Path, "metavar": "DIR"}
    many: dict[str, Any] = {"type": Path, "nargs": "+"}
    for name, text in (("detector", "train the detector"), ("crops", "train the crop classifier")):
        add = steps.add_parser(name, help=text).add_argument
        add("--photos", **many, required=True, help="folders that hold the sets of photos")
        add("--textures", type=Path, required=True, help="folder of pictures of table tops")
        add("--run", type=Path, required=True, help="folder of this run; one that is there is gone on with")
        add("--start", **one, help="folder of networks to begin a new run with")
        add("--models", type=Path, help="where to write the network when done (default: into the run)")
    text = "a reader's folder: the dice that its detector misses are shown more often"
    steps.choices["detector"].add_argument("--hard-examples", **one, help=text)
    add = steps.choices["crops"].add_argument
    text = "a reader's folder: what its detector finds beside the dice is taught as none"
    add("--false-positives", **one, help=text)
    text = "a reader's folder: what its crop classifier reads wrongly or hardly is shown more often"
    add("--hard-examples", **one, help=text)
    add = steps.add_parser("mean", help="write a network between two, one trained on from the other").add_argument
    add("one", type=Path, help="network (.onnx)")
    add("other", type=Path, help="network of the same design")
    add("target", type=Path, help="network to write")
    add("--share", type=float, default=0.5, help="of the way from the first to the other (default: half)")
    add = steps.add_parser("redraw", help="draw whole-die boxes where only upper faces are labelled").add_argument
    add("folder", type=Path, help="folder with images/ and labels/")
    add("out", type=Path, help="folder to write")
    add("--models", type=Path, default=MODELS, help="folder of the networks that find the dice")
    text = "choose from where on the reader is sure, on photos it was not trained on"
    add = steps.add_parser("calibration", help=text).add_argument
    add("folders", **many, help="folders with images/ and labels/ or values.csv")
    add("--models", type=Path, default=MODELS, help="folder of the networks; calibration.json is written there")
    add("--diagram", type=Path, metavar="SVG", help="write the reliability diagram")
    text = "train what says how alike two dice look, on rendered evenings"
    likeness = (text, "folder of the networks; likeness.npz and calibration.json there are written")
    text = "choose how much a memory counts, on evenings by which its likeness was not trained"
    memory = (text, "folder of the networks and likeness.npz; calibration.json there is written")
    more = "folders of real photos, for how much the memory counts: each dozen of them as throws of one evening"
    for name, (text, written) in (("likeness", likeness), ("memory", memory)):
        add = steps.add_parser(name, help=text).add_argument
        add("evenings", **many, help="folders that `rollcall workshop render --evenings` made")
        add("--models", type=Path, default=MODELS, help=written)
        add("--photos", **many, default=[], help=more)
    add = steps.add_parser(
        "border", help="train what looks along the photo's border for cut dice, on labelled photos"
    ).add_argument
    add("folders", **many, help="folders of photos with labelled dice, some that `rollcall workshop render` made")
    add("--models", type=Path, default=MODELS, help="folder where border.onnx is written")
    add("--examples", type=int, default=50_000, metavar="N", help="strips that are cut out of the photos (%(default)s)")
    add = steps.add_parser(
        "cut", help="fit how both networks tell that the edge cuts a die, on cropped photos"
    ).add_argument
    add("folders", **many, help="folders of photos with labelled dice")
    add("--models", type=Path, default=MODELS, help="folder of the networks; calibration.json there is written")
    retraining.add_arguments(
        steps.add_parser("corrections", help="teach the reader what tables corrected, all parts in one")
    )
    whole.add_arguments(steps.add_parser("all", help="make a whole reader, step by step: the recipe from scratch"))


def run(args: argparse.Namespace) -> int:
    try:
        _PARTS[args.part](args)
    except (ValueError, OSError, VisionError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _detector(args: argparse.Namespace) -> None:
    from datasets.training.parts import new_detector

    new_detector((args.models or args.run) / DETECTOR, _task(args, DETECTOR))


def _crops(args: argparse.Namespace) -> None:
    from datasets.training.parts import new_crops

    task = dataclasses.replace(_task(args, CROP_CLASSIFIER), false_positives=args.false_positives)
    new_crops((args.models or args.run) / CROP_CLASSIFIER, task)


def _task(args: argparse.Namespace, network: str) -> Task:
    settings = read_settings(args.settings)
    start = args.start / network if args.start else None
    return Task(settings, args.photos, args.textures, args.run, start, args.hard_examples)


def _mean(args: argparse.Namespace) -> None:
    from datasets.training.averaging import write_mean

    write_mean(args.one, args.other, args.target, args.share)


def _redraw(args: argparse.Namespace) -> None:
    from datasets.training.redrawing import redraw

    kept, dropped = redraw(args.folder, args.out, args.models)
    print(f"{kept} photos redrawn, {dropped} left out")


def _calibration(args: argparse.Namespace) -> None:
    from datasets.training.calibration import calibrate

    calibrate(args.folders, args.models, args.diagram)


def _likeness(args: argparse.Namespace) -> None:
    from datasets.measuring.evening_figures import evenings
    from datasets.training.likeness import fit_likeness

    fit_likeness(read_settings(args.settings), list(evenings(args.evenings)), args.models, args.photos)


def _memory(args: argparse.Namespace) -> None:
    from datasets.measuring.evening_figures import evenings
    from datasets.training.likeness import weigh_memory

    weigh_memory(list(evenings(args.evenings)), args.models, args.photos)


def _border(args: argparse.Namespace) -> None:
    from datasets.training.parts import new_border

    new_border(args.models / BORDER, read_settings(args.settings), args.folders, args.examples)


def _cut(args: argparse.Namespace) -> None:
    from datasets.training.cut_training import fit_cut

    print(fit_cut(args.folders, args.models))


_PARTS = {
    "detector": _detector,
    "crops": _crops,
    "mean": _mean,
    "redraw": _redraw,
    "calibration": _calibration,
    "likeness": _likeness,
    "memory": _memory,
    "border": _border,
    "cut": _cut,
    "corrections": retraining.retrain,
    "all": whole.train_all,
}
