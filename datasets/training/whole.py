"""`rollcall workshop train all`: from labelled photos and rendered pictures to a whole reader, in one command.

The recipe is a list of steps. A finished step leaves a mark in the run's folder and is not done again. A step that was
stopped continues if it can.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from datasets.training.parts import (
    begin_with,
    compare,
    new_crops,
    new_detector,
    new_likeness,
    render_evenings,
    render_pictures,
    scale_steps,
)
from datasets.training.settings import Task, TrainingSettings, read_settings
from vision.network_eye import CROP_CLASSIFIER, DETECTOR
from vision.reader import MODELS

_SHARE = 5.0  # times the steps of the settings: as many as all runs together that made the shipped weights
_FIRST = 0.25  # of these steps, for the detector by which boxes are drawn anew
_RENDERED, _CALIBRATION, _EVENINGS, _THROWS = 6000, 500, 100, 12
_RENDERED_SEED, _CALIBRATION_SEED, _EVENINGS_SEED = 1, 5, 202
_PRESETS: Final = {"rendered": "train", "views": "views"}  # sets of rendered pictures, half as many of each
_TOP_FACES, _REDRAWN = "-top-face-boxes", "-redrawn"  # ends of the names of sets, before and after
_RECIPE, _DONE = "recipe.json", "done"
# Options and the least that they may be.
_COUNTS: Final = (("rendered", 0), ("calibration", 0), ("evenings", 4), ("throws", 2))
_NOT_OF_THE_RECIPE: Final = ("settings", "run", "dry_run", "command")
# Settings of the machine, which may change while a run is made.
_OF_THE_MACHINE: Final = ("source", "device", "workers", "validate_every")


@dataclass(frozen=True)
class RecipeStep:
    """One step of the recipe: `what` it makes, in words, and `run`, which makes it."""

    name: str
    what: str
    run: Callable[[], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--photos", nargs="+", type=Path, default=[], metavar="DIR", help="folders that hold the sets of photos")
    add(
        "--faces",
        nargs="+",
        type=Path,
        default=[],
        metavar="DIR",
        help=f"sets in which only upper faces are labelled: NAME{_TOP_FACES} becomes the set NAME{_REDRAWN}",
    )
    add("--textures", type=Path, required=True, help="folder of pictures of table tops")
    add("--run", type=Path, required=True, help="folder of this run; one that is there is gone on with")
    add("--check", nargs="+", type=Path, default=[], metavar="DIR", help="labelled photos that never teach")
    add("--rendered", type=int, default=_RENDERED, help=f"pictures to render (default {_RENDERED})")
    add("--calibration", type=int, default=_CALIBRATION, help=f"more, for the calibration (default {_CALIBRATION})")
    add("--evenings", type=int, default=_EVENINGS, help=f"evenings of one set of dice each (default {_EVENINGS})")
    add("--throws", type=int, default=_THROWS, help=f"throws of each evening (default {_THROWS})")
    add("--share", type=float, default=_SHARE, help=f"times the steps that the settings name (default {_SHARE:g})")
    add("--start", type=Path, metavar="DIR", help="networks to begin with, instead of random weights")
    add("--dry-run", action="store_true", help="list the steps, and which are done; do nothing")


def train_all(args: argparse.Namespace) -> None:
    """Does the missing steps. Raises ValueError, OSError and Refusal for errors that a person can mend."""
    _check(args)
    settings = scale_steps(read_settings(args.settings), args.share)
    done = args.run / _DONE
    steps = list(_steps(args, settings))
    if args.dry_run:
        for number, step in enumerate(steps, start=1):
            print(f"{number}. {step.name}: {step.what}" + (" (done)" if (done / step.name).is_file() else ""))
        return
    keep_recipe(args, settings)
    for number, step in enumerate(steps, start=1):
        mark = done / step.name
        if mark.is_file():
            print(f"{number} of {len(steps)}, {step.name}: done before", flush=True)
            continue
        print(f"{number} of {len(steps)}, {step.name}: {step.what}", flush=True)
        step.run()
        mark.touch()
    print(f"The new networks are in {args.run / 'models'}. If they read better, copy what is in it to {MODELS}.")


def _check(args: argparse.Namespace) -> None:
    if not args.share > 0:
        raise ValueError(f"--share must be more than 0, got {args.share}")
    for name, least in _COUNTS:
        if (given := getattr(args, name)) < least:
            raise ValueError(f"--{name.replace('_', '-')} must be {least} or more, got {given}")
    for name in ("photos", "faces", "check", "textures", "start"):
        given = getattr(args, name) or []
        for folder in given if isinstance(given, list) else [given]:
            if not folder.is_dir():
                raise ValueError(f"--{name} must be a folder, got {folder}")
    if not (args.photos or args.rendered):
        raise ValueError("nothing to teach with: give --photos, or a number of pictures with --rendered")
    if not (args.check or args.calibration):
        raise ValueError("nothing to calibrate on: give --check, or a number of pictures with --calibration")


def keep_recipe(args: argparse.Namespace, settings: TrainingSettings) -> None:
    """Notes the options of the run. Raises ValueError if it was begun with others: its finished steps would not fit the
    rest."""
    (args.run / _DONE).mkdir(parents=True, exist_ok=True)
    chosen = {name: value for name, value in vars(args).items() if name not in _NOT_OF_THE_RECIPE}
    table = dataclasses.asdict(settings)
    recipe = {**chosen, "settings": {name: value for name, value in table.items() if name not in _OF_THE_MACHINE}}
    text = json.dumps(recipe, indent=2, default=str)
    kept = args.run / _RECIPE
    if kept.is_file() and kept.read_text() != text:
        raise ValueError(f"{args.run} was begun with other options, see {kept}: give the same, or another --run")
    kept.write_text(text)


def _steps(args: argparse.Namespace, settings: TrainingSettings) -> Iterator[RecipeStep]:
    """The recipe, in its order."""
    run, models = args.run, args.run / "models"
    photos = [*args.photos, run / "photos"]
    yield from _renderings(args)
    begin = None if args.start is None else args.start / DETECTOR
    if args.faces:
        yield from _redrawing(args, settings)
        begin = run / "first" / DETECTOR

    def detector() -> None:
        begin_with(args.start or MODELS, models)
        new_detector(models / DETECTOR, Task(settings, photos, args.textures, run / "detector", begin))

    yield RecipeStep("detector", f"{settings.detector.steps} steps, to {models / DETECTOR}", detector)

    def crops() -> None:
        start = None if args.start is None else args.start / CROP_CLASSIFIER
        task = Task(settings, photos, args.textures, run / "crops", start, false_positives=models)
        new_crops(models / CROP_CLASSIFIER, task)

    yield RecipeStep("crops", f"{settings.crops.steps} steps, to {models / CROP_CLASSIFIER}", crops)
    yield from _judging(args, settings)


def _renderings(args: argparse.Namespace) -> Iterator[RecipeStep]:
    run, tops = args.run, args.textures
    if args.rendered:
        folders = [run / "photos" / name for name in _PRESETS]

        def render() -> None:
            for number, (folder, preset) in enumerate(zip(folders, _PRESETS.values(), strict=True)):
                count = (args.rendered + number) // len(_PRESETS)
                render_pictures(folder, preset, _RENDERED_SEED, count, tops)

        where = " and ".join(map(str, folders))
        yield RecipeStep("render", f"{args.rendered} pictures to teach with, in {where}", render)
    if args.calibration:
        more = _calibration_folders(run)
        yield RecipeStep(
            "render-calibration",
            f"{args.calibration} pictures for the calibration, in {more}",
            lambda: render_pictures(more, "check", _CALIBRATION_SEED, args.calibration, tops),
        )
    evenings = run / "evenings"
    yield RecipeStep(
        "render-evenings",
        f"{args.evenings} evenings of {args.throws} throws of the same dice, in {evenings}",
        lambda: render_evenings(evenings, _EVENINGS_SEED, args.evenings, args.throws, tops),
    )


def _redrawing(args: argparse.Namespace, settings: TrainingSettings) -> Iterator[RecipeStep]:
    """A first detector, and the boxes that it draws."""
    run, first = args.run, args.run / "first"
    fewer = scale_steps(settings, _FIRST)
    begin = None if args.start is None else args.start / DETECTOR

    def detector() -> None:
        begin_with(args.start or MODELS, first)
        photos = [*args.photos, run / "photos"]
        new_detector(first / DETECTOR, Task(fewer, photos, args.textures, run / "first-detector", begin))

    def redraw() -> None:
        from datasets.training.redrawing import redraw

        for folder in args.faces:
            kept, dropped = redraw(folder, run / "photos" / redrawn(folder), first)
            print(f"{folder.name}: {kept} photos redrawn, {dropped} left out", flush=True)

    yield RecipeStep("first-detector", f"{fewer.detector.steps} steps, to {first / DETECTOR}", detector)
    yield RecipeStep("redraw", f"boxes of whole dice, in {run / 'photos'}", redraw)


def redrawn(folder: Path) -> str:
    """The name of the whole-die set that is made from a set with labelled upper faces only."""
    return folder.name.removesuffix(_TOP_FACES) + _REDRAWN


def _judging(args: argparse.Namespace, settings: TrainingSettings) -> Iterator[RecipeStep]:
    """The steps after the networks: likeness, calibration and figures."""
    run, models = args.run, args.run / "models"

    def calibration() -> None:
        from datasets.training.calibration import calibrate

        own = [_calibration_folders(run)] if args.calibration else []
        calibrate([*args.check, *own], models, run / "reliability.svg")

    def likeness() -> None:
        new_likeness(settings, run / "evenings", models, args.check)

    yield RecipeStep("likeness", "how alike two dice look", likeness)
    yield RecipeStep(
        "calibration", "how detector and classifier are weighed, and from where on it is sure", calibration
    )
    yield RecipeStep(
        "memory", "how they are weighed with a table's memory, now that its temperature is chosen", likeness
    )
    if args.check:
        figures = run / "figures.json"
        yield RecipeStep(
            "figures",
            f"the reader in {MODELS} and the new one, in {figures}",
            lambda: compare(args.check, MODELS, models, figures),
        )


def _calibration_folders(run: Path) -> Path:
    return run / "calibration" / "rendered"
