"""Trains the network that tells from the surroundings of dice whether the camera stands at table height
(`models/surroundings.onnx`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from datasets.augmentation.photo_effects import augment
from datasets.photos import LabelledPhoto, as_pixels, labelled_photos, load_pixels
from datasets.training.progress import precision
from datasets.training.small_networks import Course, as_tensor, convolution, train_steps
from vision.arrays import Boxes, Doubles, Pixels
from vision.surroundings import SIDE, look_around

LOW, HIGH = 65.0, 55.0  # degrees from straight above: seen from the side, and from above; between them, no example
_WIDTHS = (16, 32, 64)  # channels, from stage to stage
_HIDDEN = 24
_BATCH = 64
_COURSE = Course(rate=0.003, warm_up=150, decay=0.6, average=0.995, weight_decay=0.05)
_LARGEST = 640  # pixels of a photo's longer side, at most
_EXAMPLES = (12, 4, 5)  # of each photo, by kind
_SMOOTHED = 0.02
_HELD_OUT = 12  # of so many photos of a kind, one does not teach, but shows how well the network does
_KINDS = ("from the side", "rendered from above", "photos from above")


@dataclass(frozen=True)
class _Examples:
    pictures: Pixels  # (n, SIDE, 2 * SIDE, 3)
    groups: Sequence[np.ndarray]  # places of the pictures: from the side, rendered from above, real ones
    held_out: Sequence[Sequence[Pixels]]  # of each group


class SurroundingsNetwork(nn.Module):
    """Pictures (n, 3, SIDE, 2 * SIDE) 0..1 become log-odds (n,) that the camera stands at table height."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = 0  # of its training
        one, two, three = _WIDTHS
        shapes = ((3, one, 2), (one, two, 2), (two, two, 1), (two, three, 2), (three, three, 1), (three, three, 2))
        self.body = nn.Sequential(*(convolution(*shape) for shape in shapes))
        side = -(-SIDE // 16)
        self.head = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.4),
            nn.Linear(three * side * 2 * side, _HIDDEN),
            nn.ReLU(inplace=True),
            nn.Linear(_HIDDEN, 1),
        )

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = self.head(self.body(pictures - 0.5))
        return found.flatten()


def train_surroundings(seed: int, folders: Sequence[Path], steps: int) -> SurroundingsNetwork:
    """The network after so many steps. Photos whose camera is not known are taken as seen from above. Raises ValueError
    if the folders show no dice from the side, or none from above."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    examples = _make_examples(rng, folders)

    def loss_at(model: SurroundingsNetwork, _: int) -> torch.Tensor:
        pictures, lows = _batch(rng, examples)
        with precision(torch.device("cpu")):
            found = model(pictures)
        wanted = lows * (1 - 2 * _SMOOTHED) + _SMOOTHED
        return functional.binary_cross_entropy_with_logits(found.float(), wanted)

    model = train_steps(SurroundingsNetwork(), steps, _COURSE, loss_at)
    model.steps = steps
    _print_held_out(model, examples)
    return model


def _print_held_out(model: SurroundingsNetwork, examples: _Examples) -> None:
    for kind, pictures in zip(_KINDS, examples.held_out, strict=True):
        with torch.no_grad():
            odds = [float(model(as_tensor(picture[None]))) for picture in pictures]
        if odds:
            parts = np.quantile(odds, (0.02, 0.1, 0.5, 0.9, 0.98)).round(2)
            print(f"held out, {kind}: {len(odds)}, log-odds of 2, 10, 50, 90 and 98 %: {parts}", flush=True)


def _batch(rng: np.random.Generator, examples: _Examples) -> tuple[torch.Tensor, torch.Tensor]:
    """Half of the pictures are from the side; the others are rendered and real ones in equal parts."""
    low, *others = examples.groups
    others = [group for group in others if len(group)]
    chosen = [rng.choice(low, _BATCH // 2)]
    chosen += [rng.choice(group, _BATCH // 2 // len(others)) for group in others]
    pictures = np.stack([augment(rng, examples.pictures[place]) for place in np.concatenate(chosen)])
    lows = torch.zeros(len(pictures))
    lows[: _BATCH // 2] = 1
    return as_tensor(pictures), lows


def _make_examples(rng: np.random.Generator, folders: Sequence[Path]) -> _Examples:
    pictures: list[Pixels] = []
    groups: list[list[int]] = [[], [], []]
    held_out: list[list[Pixels]] = [[], [], []]
    counts = [0, 0, 0]
    for folder in folders:
        for labelled in labelled_photos(folder):
            group = _group(labelled)
            if labelled.boxes is None or group is None:
                continue
            pixels, boxes = _load(labelled.path, labelled.boxes)
            counts[group] += 1
            if counts[group] % _HELD_OUT == 0:
                held_out[group].append(look_around(pixels, boxes[:1])[0])
                continue
            for _ in range(_EXAMPLES[group]):
                groups[group].append(len(pictures))
                pictures.append(_example(rng, pixels, boxes))
    print(*(f"{len(group)} examples {kind}" for group, kind in zip(groups, _KINDS, strict=True)), sep=", ", flush=True)
    if not groups[0] or not (groups[1] or groups[2]):
        raise ValueError(f"pictures of dice from above {HIGH:g} and below {LOW:g} degrees of tilt are wanted")
    return _Examples(np.stack(pictures), [np.array(group, int) for group in groups], held_out)


def _group(labelled: LabelledPhoto) -> int | None:
    """The number of the photo's kind; None if it shows no labelled dice, or is between both views."""
    if labelled.boxes is None or not len(labelled.boxes):
        return None
    if labelled.tilt is None:
        return 2
    return 0 if labelled.tilt >= LOW else 1 if labelled.tilt < HIGH else None


def _load(path: Path, boxes: Boxes) -> tuple[Pixels, Doubles]:
    """The photo, not larger than the reader looks at it, and its boxes in pixels."""
    pixels = load_pixels(path)
    shrink = _LARGEST / max(pixels.shape[:2])
    if shrink < 1:
        pixels = as_pixels(cv2.resize(pixels, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA))
    return pixels, boxes * np.array([pixels.shape[1], pixels.shape[0]] * 2)


def _example(rng: np.random.Generator, pixels: Pixels, boxes: Doubles) -> Pixels:
    """The surroundings of one die, in a photo that is mirrored, cropped and held a little differently."""
    x0, y0, x1, y1 = boxes[int(rng.integers(len(boxes)))]
    if rng.random() < 0.5:
        pixels, (x0, x1) = pixels[:, ::-1], (pixels.shape[1] - x1, pixels.shape[1] - x0)
    height, width = pixels.shape[:2]
    middle, side = np.array([(x0 + x1) / 2, (y0 + y1) / 2]), max(x1 - x0, y1 - y0)
    if rng.random() < 0.5:
        turn = cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), rng.normal(0, 5), 1.0)
        pixels = as_pixels(
            cv2.warpAffine(np.ascontiguousarray(pixels), turn, (width, height), borderMode=cv2.BORDER_REPLICATE)
        )
    if rng.random() < 0.5:
        room = np.array([x0, y0, width - x1, height - y1]).clip(0)
        left, top, right, bottom = (room * rng.uniform(0, 0.95, 4) * (rng.random(4) < 0.6)).astype(int)
        pixels = pixels[top : height - bottom, left : width - right]
        middle = middle - [left, top]
    middle = middle + rng.normal(0, 0.06, 2) * side
    reach = side * np.exp(rng.normal(0, 0.15)) / 2
    return look_around(np.ascontiguousarray(pixels), np.array([[*(middle - reach), *(middle + reach)]]))[0]
