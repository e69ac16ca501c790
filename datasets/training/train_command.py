"""`rollcall train`: from labelled photos to the files in `models/` (CONTRIBUTING.md, "Retrain the detector")."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path

from datasets.training import retraining, whole
from datasets.training.settings import DEFAULT, Task, read_settings
from vision.reader import CROP_CLASSIFIER, DETECTOR, MODELS
from vision.reasons import VisionError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--settings", type=Path, default=DEFAULT, help="JSON file with every setting of the training")
    steps = parser.add_subparsers(required=True, dest="part", metavar="PART")
    for name, text in (("detector", "train the detector"), ("crops", "train the crop classifier")):
        part = steps.add_parser(name, help=text)
        part.add_argument("--photos", nargs="+", type=Path, required=True, help="folders that hold the sets of photos")
        part.add_argument("--textures", type=Path, required=True, help="folder of pictures of table tops")
        part.add_argument(
            "--run", type=Path, required=True, help="folder of this run; one that is there is gone on with"
        )
        part.add_argument("--start", type=Path, metavar="DIR", help="folder of networks to begin a new run with")
        part.add_argument("--models", type=Path, help="where to write the network when done (default: into the run)")
    # The second name of each is what it was called before.
    steps.choices["detector"].add_argument(
        "--hard-examples",
        "--missed",
        type=Path,
        metavar="DIR",
        help="a reader's folder: the dice that its detector misses are shown more often",
    )
    crops = steps.choices["crops"]
    crops.add_argument(
        "--false-positives",
        "--mistakes",
        type=Path,
        metavar="DIR",
        help="a reader's folder: what its detector finds beside the dice is taught as none",
    )
    crops.add_argument(
        "--hard-examples",
        "--misread",
        type=Path,
        metavar="DIR",
        help="a reader's folder: what its crop classifier reads wrongly or hardly is shown more often",
    )
    mean = steps.add_parser("mean", help="write the network half-way between two, one trained on from the other")
    mean.add_argument("one", type=Path, help="network (.onnx)")
    mean.add_argument("other", type=Path, help="network of the same design")
    mean.add_argument("target", type=Path, help="network to write")
    redraw = steps.add_parser("redraw", help="draw whole-die boxes where only upper faces are labelled")
    redraw.add_argument("folder", type=Path, help="folder with images/ and labels/")
    redraw.add_argument("out", type=Path, help="folder to write")
    redraw.add_argument("--models", type=Path, default=MODELS, help="folder of the networks that find the dice")
    text = "choose from where on the reader is sure, on photos it was not trained on"
    calibration = steps.add_parser("calibration", aliases=["trust"], help=text)
    calibration.add_argument("folders", nargs="+", type=Path, help="folders with images/ and labels/ or values.csv")
    calibration.add_argument(
        "--models", type=Path, default=MODELS, help="folder of the networks; calibration.json is written there"
    )
    calibration.add_argument("--diagram", type=Path, metavar="SVG", help="write the reliability diagram")
    likeness = steps.add_parser("likeness", help="train what says how alike two dice look, on rendered evenings")
    likeness.add_argument("evenings", nargs="+", type=Path, help="folders that `rollcall render --evenings` made")
    written = "folder of the networks; likeness.npz and calibration.json there are written"
    likeness.add_argument("--models", type=Path, default=MODELS, help=written)
    text = "choose how much a memory counts, on evenings by which its likeness was not trained"
    memory = steps.add_parser("memory", help=text)
    memory.add_argument("evenings", nargs="+", type=Path, help="folders that `rollcall render --evenings` made")
    written = "folder of the networks and likeness.npz; calibration.json there is written"
    memory.add_argument("--models", type=Path, default=MODELS, help=written)
    more = "folders of real photos, for how much the memory counts: each dozen of them as throws of one evening"
    for part in (likeness, memory):
        part.add_argument("--photos", nargs="+", type=Path, default=[], help=more)
    corrections = steps.add_parser("corrections", help="teach the reader what tables corrected, all parts in one")
    retraining.add_arguments(corrections)
    everything = steps.add_parser("all", help="make a whole reader, step by step: the recipe from scratch")
    whole.add_arguments(everything)


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

    write_mean(args.one, args.other, args.target)


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


_PARTS = {
    "detector": _detector,
    "crops": _crops,
    "mean": _mean,
    "redraw": _redraw,
    "calibration": _calibration,
    "trust": _calibration,  # as it was called
    "likeness": _likeness,
    "memory": _memory,
    "corrections": retraining.retrain,
    "all": whole.train_all,
}
