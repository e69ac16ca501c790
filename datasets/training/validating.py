"""Figures on photos that never teach, during a training: whether it still learns or only remembers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

from datasets.finding import overlaps
from datasets.photos import LabelledPhoto, labelled_photos, load_pixels
from datasets.training.settings import TrainingSettings
from vision.arrays import as_boxes
from vision.detector import letterbox
from vision.judging.overlap import suppress
from vision.judging.seen import NONE
from vision.pixels import crop

_SIDE = 640  # pixels of the longer side, for the detector
_SCORE = 0.25  # from which on a find counts
_SAME_DIE = 0.5  # intersection over union
_MOST = 300  # photos of a set


@dataclass(frozen=True)
class ValidationScore:
    """Dice with labels, those that were `right`, and a detector's `extra` finds that are no dice."""

    dice: int
    right: int
    extra: int | None = None

    def __str__(self) -> str:
        share = self.right / self.dice if self.dice else 0.0
        return f"{share:.1%} of {self.dice} dice" + (f", {self.extra} extra" if self.extra is not None else "")


def validation_photos(settings: TrainingSettings, photos: Sequence[Path]) -> list[LabelledPhoto]:
    """The photos with boxes that never teach, in any of the folders `photos`: held-out sets, and what is held back of
    others."""
    places = [folder / name for name in settings.held_out for folder in photos if (folder / name).is_dir()]
    groups = [list(labelled_photos(place)) for place in places]
    partly = [folder / name for name in settings.held_back for folder in photos if (folder / name).is_dir()]
    groups += [[photo for photo in labelled_photos(place) if settings.is_held_back(photo.path)] for place in partly]
    return [photo for group in groups for photo in group[:_MOST] if photo.boxes is not None]


def dice_found(model: nn.Module, photos: Sequence[LabelledPhoto], device: torch.device) -> ValidationScore:
    """Scores a detector in training on its finds; `model` keeps its mode."""
    dice = right = extra = 0
    for photo in photos:
        assert photo.boxes is not None
        pixels = load_pixels(photo.path)
        fitted, fit = letterbox(pixels, _SIDE)
        values = torch.from_numpy(fitted.transpose(2, 0, 1)[None].copy()).to(device).float().div_(255)
        given = _evaluate(model, values)[0].float().cpu().numpy()
        likely = given[:, given[4] >= _SCORE]
        corners = np.concatenate([likely[:2] - likely[2:4] / 2, likely[:2] + likely[2:4] / 2]).T.astype(np.float32)
        kept = suppress(as_boxes(corners), likely[4].tolist())
        scale = np.array([pixels.shape[1], pixels.shape[0]] * 2, np.float32)
        iou, _ = overlaps(photo.boxes * scale, fit.from_network(corners[kept]))
        found = int((iou.max(1, initial=0.0) >= _SAME_DIE).sum())
        dice, right, extra = dice + len(iou), right + found, extra + max(0, len(kept) - found)
    return ValidationScore(dice, right, extra)


def dice_read(model: nn.Module, photos: Sequence[LabelledPhoto], device: torch.device) -> ValidationScore:
    """Scores a classifier in training by the labelled boxes of the photos, turned upright."""
    dice = right = 0
    for photo in photos:
        assert photo.boxes is not None
        assert photo.classes is not None
        if not len(photo.boxes):
            continue
        pixels = load_pixels(photo.path)
        boxes = photo.boxes * np.array([pixels.shape[1], pixels.shape[0]] * 2, np.float32)
        cut = np.stack([crop(pixels, box) for box in boxes])
        values = torch.from_numpy(cut.transpose(0, 3, 1, 2).copy()).to(device).float().div_(255)
        logits = _evaluate(model, values)[:, : NONE + 1].float().cpu().numpy()
        dice, right = dice + len(logits), right + int((logits.argmax(1) == photo.classes).sum())
    return ValidationScore(dice, right)


def _evaluate(model: nn.Module, values: torch.Tensor) -> torch.Tensor:
    """The first of the model's outputs."""
    trains = model.training
    model.eval()
    try:
        with torch.no_grad():
            outputs = model(values)
    finally:
        model.train(trains)
    first: torch.Tensor = outputs[0] if isinstance(outputs, (tuple, list)) else outputs
    return first
