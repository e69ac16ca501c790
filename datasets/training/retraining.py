"""`rollcall workshop train corrections`: from corrected photos to networks that have learnt from them, in one command.

Every part is a folder or a file under the run's folder. A run that was stopped continues with the part that it was in.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from datasets.corrections import HELD_OUT, TEACHING, add_data_argument, collect
from datasets.photos import LabelledPhoto, labelled_photos
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

_SHARE = 0.15  # of the steps of a whole training: the networks know dice, and only learn more of them
_RENDERED = 300
_RENDERED_SEED = 7
_EVENINGS, _THROWS = 24, 6
_ENOUGH = 100  # photos for a calibration, which chooses ten numbers


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data_argument(parser)
    add = parser.add_argument
    add("--photos", nargs="+", type=Path, default=[], help="folders that hold further sets of photos to teach with")
    add("--textures", type=Path, required=True, help="folder of pictures of table tops")
    add("--run", type=Path, required=True, help="folder of this run; one that is there is gone on with")
    add("--start", type=Path, default=MODELS, metavar="DIR", help="networks to begin with")
    text = "labelled photos that never teach: what the result is measured on"
    add("--check", nargs="+", type=Path, default=[], help=text)
    text = "pictures to render beside the photos, where these have no set `rendered`"
    add("--rendered", type=int, default=_RENDERED, help=f"{text} (default {_RENDERED})")
    text = "evenings of one set of dice each to render, for how alike two dice look"
    add("--evenings", type=int, default=_EVENINGS, help=f"{text} (default {_EVENINGS})")
    add("--share", type=float, default=_SHARE, help=f"of the steps that the settings name (default {_SHARE})")


def retrain(args: argparse.Namespace) -> None:
    """Collects the corrections, teaches both networks with them, calibrates, and measures before and after.

    Writes the new networks to `models` in the run's folder; those it began with stay as they are. Raises ValueError,
    OSError and Refusal for errors that a person can mend.
    """
    if not 0 < args.share <= 1:
        raise ValueError(f"--share must be more than 0 and at most 1, got {args.share}")
    if not args.textures.is_dir():
        raise ValueError(f"--textures must be a folder with pictures of table tops, got {args.textures}")
    settings = scale_steps(read_settings(args.settings), args.share)
    own = args.run / "photos"
    summary = collect(args.data, own, args.start)
    print(summary.text(), flush=True)
    if not any(photo.boxes is not None for photo in _photos_of(own / TEACHING)):
        raise ValueError(f"{own / TEACHING}: no photo whose dice have boxes, so nothing to teach yet")
    photos = [*args.photos, own]
    if args.rendered > 0 and not any((folder / "rendered").is_dir() for folder in args.photos):
        render_pictures(own / "rendered", "train", _RENDERED_SEED, args.rendered, args.textures)
    models = args.run / "models"
    begin_with(args.start, models)
    _train(settings, photos, args, models)
    checked = [*args.check, *([own / HELD_OUT] if summary.held_out else [])]
    _judge(settings, args, models, checked)
    compare(checked, args.start, models, args.run / "figures.json")
    print(f"The new networks are in {models}. If they read better, copy what is in it to {args.start}.")


def _photos_of(folder: Path) -> list[LabelledPhoto]:
    return list(labelled_photos(folder)) if folder.is_dir() else []


def _train(settings: TrainingSettings, photos: Sequence[Path], args: argparse.Namespace, models: Path) -> None:
    """Trains the missing networks."""
    start = args.start
    if not (models / DETECTOR).is_file():
        task = Task(settings, photos, args.textures, args.run / "detector", start / DETECTOR)
        new_detector(models / DETECTOR, task)
    if not (models / CROP_CLASSIFIER).is_file():
        task = Task(settings, photos, args.textures, args.run / "crops", start / CROP_CLASSIFIER, false_positives=start)
        new_crops(models / CROP_CLASSIFIER, task)


def _judge(settings: TrainingSettings, args: argparse.Namespace, models: Path, checked: Sequence[Path]) -> None:
    """Fits likeness and calibration to the new networks."""
    from datasets.training.calibration import calibrate

    evenings = args.run / "evenings"
    render_evenings(evenings, _RENDERED_SEED, args.evenings, _THROWS, args.textures)
    new_likeness(settings, evenings, models, args.check)
    count = sum(len(_photos_of(folder)) for folder in checked)
    if count < _ENOUGH:
        print(f"The calibration stays: to choose it anew takes {_ENOUGH} photos that never teach, here are {count}.")
        return
    calibrate(checked, models, None)
    new_likeness(settings, evenings, models, args.check)  # what a memory says is weighed by the new temperature
