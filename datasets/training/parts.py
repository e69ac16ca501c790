"""The parts of the recipes that make a whole reader: `rollcall workshop train corrections` and `train all`."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from datasets.measuring.evaluation import as_text, measure
from datasets.photos import labelled_folders
from datasets.training.settings import Task, TrainingSettings
from vision.border import BORDER
from vision.network_eye import LIKENESS
from vision.reader import CALIBRATION, Reader

_SIDE, _SAMPLES = 640, 4  # of rendered pictures


def scale_steps(settings: TrainingSettings, share: float) -> TrainingSettings:
    """The settings with `share` of the steps of both networks."""
    detector = dataclasses.replace(settings.detector, steps=max(1, round(settings.detector.steps * share)))
    crops = dataclasses.replace(settings.crops, steps=max(1, round(settings.crops.steps * share)))
    return dataclasses.replace(settings, detector=detector, crops=crops)


def render_pictures(out: Path, preset: str, seed: int, count: int, textures: Path) -> None:
    """Renders the missing pictures."""
    from datasets.render.cli import RenderJob, render_many

    job = RenderJob(out, preset, seed, _SIDE, _SAMPLES, str(textures))
    print(f"{render_many(job, range(count), os.cpu_count() or 1)} pictures rendered", flush=True)


def render_evenings(out: Path, seed: int, count: int, throws: int, textures: Path) -> None:
    """Renders the missing throws of the evenings."""
    from datasets.render.cli import RenderJob
    from datasets.render.cli import render_evenings as render

    job = RenderJob(out, "train", seed, _SIDE, _SAMPLES, str(textures))
    made = render(job, "evening", range(count), throws, os.cpu_count() or 1)
    print(f"{made} pictures of evenings rendered", flush=True)


def new_detector(target: Path, task: Task) -> None:
    """Trains a detector in the folder of the run and writes it to the file `target`."""
    from datasets.training.detector_training import train_detector
    from datasets.training.export import export_detector

    state = train_detector(task)
    _write_whole(target, lambda path: export_detector(task.settings, state, path))


def new_crops(target: Path, task: Task) -> None:
    """Trains a crop classifier in the folder of the run and writes it to the file `target`."""
    from datasets.training.crop_training import train_crops
    from datasets.training.export import export_crops

    state = train_crops(task)
    _write_whole(target, lambda path: export_crops(task.settings, state, path))


def new_border(target: Path, settings: TrainingSettings, folders: Sequence[Path], examples: int) -> None:
    """Trains what looks along the border, on strips of the photos in `folders`, and writes it to the file `target`."""
    from datasets.training.border_training import train_border
    from datasets.training.export import export_border

    model = train_border(settings, folders, examples)
    _write_whole(target, lambda path: export_border(model, path))


def _write_whole(target: Path, write: Callable[[Path], None]) -> None:
    """Writes a file so that it is there whole or not at all."""
    part = target.with_name(f"new-{target.name}")
    write(part)
    part.replace(target)


def begin_with(start: Path, models: Path) -> None:
    """Copies from `start` the files that networks in training need to look at photos. Calibration and likeness are
    fitted anew at the end; what looks along the border stays."""
    models.mkdir(parents=True, exist_ok=True)
    for name in (CALIBRATION, LIKENESS, BORDER):
        shutil.copy(start / name, models / name)


def new_likeness(settings: TrainingSettings, evenings: Path, models: Path, checked: Sequence[Path]) -> None:
    """Makes the likeness for the crop classifier in `models`, and the weights of a memory, also on the `checked`
    folders."""
    from datasets.training.likeness import fit_likeness

    fit_likeness(settings, labelled_folders(evenings), models, checked)


def compare(folders: Sequence[Path], start: Path, models: Path, figures: Path) -> None:
    """Prints the figures of both readers on photos that never taught the new one, and writes them to `figures`."""
    figures_of = {}
    for name, reader in (("before", Reader(start)), ("after", Reader(models))):
        figures_of[name] = [measure(folder, reader).table() for folder in folders]
        if figures_of[name]:
            print(f"\n{name}:\n{as_text(figures_of[name])}", flush=True)
    figures.write_text(json.dumps(figures_of, indent=2))
