"""Trains the crop classifier from scratch: a small residual network that reads one die, or says that it sees none."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, fields
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from datasets.augmentation.crop_augmentation import (
    CLASSES,
    NONE,
    CutDice,
    DrawnThings,
    Kept,
    concatenate,
    keep,
    keep_misses,
)
from datasets.augmentation.cutting_out import cutouts
from datasets.augmentation.mixing import TrainingPhoto
from datasets.finding import DiceFinder, overlaps, softmax
from datasets.photos import LabelledPhoto, labelled_photos, load_pixels
from datasets.training.crop_batches import IGNORED, Batch, CropBatches, Part
from datasets.training.progress import device_of, follow, precision, rate_share, resume, save
from datasets.training.settings import CropSettings, Task
from datasets.training.starting import start_from
from datasets.training.validating import dice_read, validation_photos
from vision.arrays import Boxes, Floats, Pixels, as_boxes, rows_of
from vision.backend import Network
from vision.eye import answer_at_once
from vision.judging.crop_views import classify
from vision.judging.seen import DIRECTIONS, ELEVATIONS, SHARES, SIDE
from vision.network_eye import CROP_CLASSIFIER, LIKENESS, Classifier
from vision.photo import Photo

_SAVE_EVERY = 100
_START_CROPS = 512  # by which a network that is begun with gets its normalisations
_SMOOTHED = 0.03
_NAMES = ("value", "up", "elevation", "share", "features")
_LOSSES = (1.0, 0.3, 0.2, 0.3, 0.02)  # how much the loss of each counts
_DICE, _MISSES, _OTHERS = 0.6, 0.02, 0.15  # shares of all crops
_DRAWN_SHARES = (0.06, 0.1, 0.035, 0.035)  # of drawn dice, dice on other tables, distractors and surfaces
_DRAWN_COUNTS = (6000, 8000, 5000, 4000)  # that are drawn at the beginning
_ABOVE = 82.0  # degrees of elevation of photos from straight above, about
_FALSE_POSITIVES_EVERY = 4  # photos without labelled other things: what the detector finds in more is much the same
_CUT_OUT_OF = 2  # dice are cut out of every second photo only, since it takes time
_CANDIDATE = 0.1  # of the detector's score
_UNLABELLED = 0.6  # with this score and no label at all, it is more likely a die whose label was forgotten
_PART = 0.5  # a find that shares so much with a thing labelled as none, of the smaller box, is a part of it
_APART = 0.2  # a find that shares less than this with every die, of the smaller box, is none
_CERTAIN, _HARD = 0.9, 4  # a hard example, which a reader hardly takes for what it is: its sampling weight


class CropClassifier(nn.Module):
    """Four stages of two residual blocks each, halving the picture. Crops (n, 3, side, side) 0..1 become logits (n, 7 +
    DIRECTIONS), of the values, of no die and of where up is; the features (n, widths[-1]) under them; logits
    (n, ELEVATIONS) of the camera's elevation; and (n, SHARES) of how much of a die is in sight.

    The places of the last stage are averaged with own weights for each channel: the die lies in the middle, and its
    surroundings say how to take it.
    """

    def __init__(self, widths: Sequence[int]) -> None:
        super().__init__()
        layers: list[nn.Module] = [
            nn.Conv2d(3, widths[0], 3, 2, 1, bias=False),
            nn.BatchNorm2d(widths[0]),
            nn.ReLU(True),
        ]
        before = widths[0]
        for number, width in enumerate(widths):
            layers += [_Block(before, width, 2 if number else 1), _Block(width, width, 1)]
            before = width
        self.body = nn.Sequential(*layers)
        last = -(-SIDE // 2 ** len(widths))
        self.places = nn.Parameter(torch.full((before, last * last), 1 / last**2))
        self.head = nn.Linear(before, CLASSES + DIRECTIONS)
        self.elevation = nn.Linear(before, ELEVATIONS)
        self.share = nn.Linear(before, SHARES)

    def forward(self, pixels: torch.Tensor) -> tuple[torch.Tensor, ...]:
        features = (self.body(pixels).flatten(2) * self.places).sum(2)
        return self.head(features), features, self.elevation(features), self.share(features)


class _Block(nn.Module):
    def __init__(self, before: int, width: int, stride: int) -> None:
        super().__init__()
        self.one, self.two = (
            nn.Conv2d(before, width, 3, stride, 1, bias=False),
            nn.Conv2d(width, width, 3, 1, 1, bias=False),
        )
        self.norm_one, self.norm_two = nn.BatchNorm2d(width), nn.BatchNorm2d(width)
        plain = before == width and stride == 1
        self.past = nn.Identity() if plain else nn.Conv2d(before, width, 1, stride)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.norm_two(self.two(functional.relu(self.norm_one(self.one(x)), True)))
        return functional.relu(y + self.past(x), True)


def train_crops(task: Task) -> Path:
    """Trains until the last step and returns the file of weights; continues a run that was stopped.

    False positives are taught as no die. Hard examples are dice that the classifier of that reader reads wrongly or
    hardly. A run that begins with a network keeps the features near those of that network, so far as its likeness uses
    them.
    """
    settings = task.settings
    task.run.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(settings.seed)
    chosen = settings.crops
    device = device_of(settings.device)
    source = CropBatches(keep_parts(task.run / "crops.npz", lambda: load_crops(task)), settings.seed, device)
    model = CropClassifier(chosen.widths).to(device, memory_format=torch.channels_last)
    teacher = None
    if task.start is not None:
        start_from(model, task.start, source.batch(0, _START_CROPS).pixels, grow=True)
        teacher = Teacher.from_model(model, task.start.parent / LIKENESS)
    state = task.run / "state.pt"
    average = deepcopy(model).requires_grad_(False)
    held_out = validation_photos(settings, task.photos)
    optimizer = torch.optim.AdamW(model.parameters(), lr=chosen.rate, weight_decay=chosen.weight_decay)
    done = resume(state, model, average, optimizer)
    model.train()
    began, shown = time.time(), np.zeros(len(_LOSSES))
    for step in range(done, chosen.steps):
        for group in optimizer.param_groups:
            group["lr"] = chosen.rate * rate_share(step, chosen.steps, chosen.warm_up, chosen.decay)
        batch = source.batch(step, chosen.batch)
        losses = losses_of(model, batch, teacher)
        optimizer.zero_grad(set_to_none=True)
        (losses * torch.tensor(_LOSSES, device=device)).sum().backward()
        optimizer.step()
        follow(average, model, min(chosen.average, (1 + step) / (10 + step)))
        now = step + 1
        if step % 10 == 0:
            shown = 0.9 * shown + 0.1 * losses.detach().cpu().numpy() if step > done else losses.detach().cpu().numpy()
        if now % _SAVE_EVERY == 0 or now == chosen.steps:
            loss_line = ", ".join(f"{name} {value:.3f}" for name, value in zip(_NAMES, shown, strict=True))
            print(f"{now} of {chosen.steps}: {loss_line}, {time.time() - began:.0f} s", flush=True)
            save(state, model, average, optimizer, now)
        if held_out and (now % settings.validate_every == 0 or now == chosen.steps):
            score = dice_read(average, held_out, device)
            print(f"{now} of {chosen.steps}: of what is not taught it reads {score}", flush=True)
    return state


@dataclass(frozen=True)
class Teacher:
    """The network that a run begins with, and the directions (d, k) of its features that its likeness uses, scaled so
    that crops of one face vary by 1. Vectors of dice memories then keep their meaning."""

    network: CropClassifier
    directions: torch.Tensor

    @classmethod
    def from_model(cls, model: CropClassifier, likeness: Path) -> Teacher | None:
        """None without a likeness beside the network."""
        if not likeness.is_file():
            return None
        device = model.places.device
        with np.load(likeness) as saved:
            names = [name for name in ("across", "set_across") if name in saved.files]
            directions = np.concatenate([saved[name] for name in names], 1).astype(np.float32)
        return cls(deepcopy(model).eval().requires_grad_(False), torch.from_numpy(directions).to(device))

    def distance(self, pixels: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
        """The mean square by which features (n, d) of crops differ from those of the network, over the directions."""
        with torch.no_grad(), precision(pixels.device):
            own = self.network(pixels)[1]
        return (((features - own).float() @ self.directions) ** 2).mean()


def losses_of(model: CropClassifier, batch: Batch, teacher: Teacher | None) -> torch.Tensor:
    """The losses (5,) of a batch: of the value, of where up is, of the elevation, of the share in sight, and of the
    features."""
    pixels = batch.pixels.contiguous(memory_format=torch.channels_last)
    with precision(pixels.device):
        outputs, features, elevations, shares = model(pixels)
    logits, ups = outputs.float().split([CLASSES, DIRECTIONS], dim=1)
    losses = [functional.cross_entropy(logits, batch.classes, label_smoothing=_SMOOTHED, ignore_index=IGNORED)]
    for predicted, wanted in ((ups, batch.ups), (elevations.float(), batch.elevations)):
        losses.append(-(wanted * functional.log_softmax(predicted, 1)).sum() / wanted.sum().clamp(min=1))
    losses.append(functional.cross_entropy(shares.float(), batch.shares, ignore_index=IGNORED))
    losses.append(losses[0].new_zeros(()) if teacher is None else teacher.distance(pixels, features))
    return torch.stack(losses)


def load_averaged_crops(settings: CropSettings, state: Path) -> CropClassifier:
    """The network with the averaged weights of a run, ready for use."""
    model = CropClassifier(settings.widths)
    model.load_state_dict(torch.load(state, weights_only=True, map_location="cpu")["average"])
    model.eval()
    return model


def keep_parts(file: Path, make: Callable[[], list[Part]]) -> list[Part]:
    """What `make` gives, kept in a file: a run that goes on has the same crops at once. Without the file it takes up
    photos that were added."""
    if not file.is_file():
        parts = make()
        arrays = {
            f"{i} {one.name}": getattr(part.kept, one.name) for i, part in enumerate(parts) for one in fields(Kept)
        }
        told = np.array([(part.share, part.by_value) for part in parts])
        np.savez(file.with_suffix(".new.npz"), parts=told, **arrays)
        file.with_suffix(".new.npz").replace(file)
    with np.load(file) as kept:
        return [
            Part(float(share), Kept(*(kept[f"{i} {one.name}"] for one in fields(Kept))), bool(by_value))
            for i, (share, by_value) in enumerate(kept["parts"])
        ]


def load_crops(task: Task) -> list[Part]:
    """What teaches: the crops of the sets that the settings name, places in them without a die, and drawn things."""
    settings = task.settings
    rng = np.random.default_rng(settings.seed)
    cv2.setRNGSeed(settings.seed)  # dice are cut out with random starts
    finder = None if task.false_positives is None else DiceFinder.load(task.false_positives)
    classifier = None if task.hard_examples is None else Network(task.hard_examples / CROP_CLASSIFIER)
    groups, misses, others, cut = [], [], [], []
    for name, weight in settings.sets.items():
        kept, cut_out, values = [], [], []
        there = (p for folder in task.photos if (folder / name).is_dir() for p in labelled_photos(folder / name))
        for number, photo in enumerate(there):
            if photo.boxes is None or photo.classes is None or settings.is_held_back(photo.path):
                continue
            pixels = load_pixels(photo.path)
            scale = np.array([pixels.shape[1], pixels.shape[0]] * 2, np.float32)
            # In sets with known flaws, dice that are hard to read often have wrong labels.
            sieve = None if name in settings.incomplete_labels else classifier
            weights = sampling_weights(sieve, pixels, photo.boxes, photo.classes)
            scene = TrainingPhoto(pixels, photo.boxes * scale)
            seen = photo.dice_seen if len(photo.dice_seen) else _unknown_sightings(len(photo.boxes), 1.0)
            if name in settings.from_above:
                seen = np.stack([np.full(len(seen), _ABOVE), seen[:, 1]], 1)
            kept.append(keep(scene, photo.classes, photo.roll, seen, weights))
            if photo.tilt is None and number % _CUT_OUT_OF == 0:  # rendered dice lie on tables of every kind
                found = cutouts(scene)
                cut_out += list(found.values())
                values += [int(photo.classes[i]) for i in found]
            things = np.concatenate([photo.boxes, photo.others, photo.unclear])
            misses.append(keep_misses(rng, TrainingPhoto(pixels, things * scale), 1))
            wrong, seen = photo.others, photo.others_seen
            complete = name in settings.complete_labels
            every = 1 if complete or len(photo.others) else _FALSE_POSITIVES_EVERY
            if finder is not None and name not in settings.incomplete_labels and number % every == 0:
                more = false_positives_of(finder, photo, pixels, complete)
                wrong, seen = np.concatenate([wrong, more]), np.concatenate([seen, _unknown_sightings(len(more), 0.0)])
            none = np.full(len(wrong), NONE, np.int64)
            weights = sampling_weights(sieve, pixels, wrong, none)
            others.append(keep(TrainingPhoto(pixels, wrong * scale), none, photo.roll, seen, weights))
        if kept:
            groups.append((weight, concatenate(kept)))
        if cut_out:
            cut.append((weight, CutDice(cut_out, np.array(values))))
    tops = [load_pixels(path) for path in sorted(task.textures.rglob("*.png"))]
    if not groups or not sum(len(kept.classes) for _, kept in groups):
        raise ValueError(f"no labelled dice in the sets that the settings name: {', '.join(settings.sets)}")
    return [
        *parts_of_photos(groups, concatenate(misses), concatenate(others)),
        *drawn_parts(rng, DrawnThings(tops, cut)),
    ]


def parts_of_photos(groups: Sequence[tuple[float, Kept]], misses: Kept, others: Kept) -> list[Part]:
    """The shares of the dice of each set with its weight, of places without dice, and of other things."""
    weights = sum(weight for weight, kept in groups if len(kept.classes))
    parts = [Part(_DICE * weight / weights, kept, by_value=True) for weight, kept in groups if len(kept.classes)]
    return [*parts, Part(_MISSES, misses), Part(_OTHERS, others)]


def drawn_parts(rng: np.random.Generator, things: DrawnThings, share: float = 1.0) -> list[Part]:
    """Things on other tables, a `share` of their usual number."""
    makers = (things.dice, things.cut_out, things.distractors, things.surfaces)
    kept = [make(rng, max(1, round(share * count))) for make, count in zip(makers, _DRAWN_COUNTS, strict=True)]
    return [Part(part, one) for part, one in zip(_DRAWN_SHARES, kept, strict=True)]


def _unknown_sightings(count: int, share: float) -> Floats:
    return np.tile(np.array([np.nan, share], np.float32), (count, 1))


def sampling_weights(
    classifier: Network | None, pixels: Pixels, boxes: Boxes, classes: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """The sampling weight of each thing in `boxes` (n, 4), fractions: higher for hard examples, which the classifier
    reads wrongly or hardly."""
    if classifier is None:
        return np.ones_like(classes)
    eye = Classifier(classifier.outputs)
    looks = answer_at_once(classify(eye, Photo(pixels), as_boxes(boxes), [1.0] * len(boxes), {}, 0.0))
    chances = softmax(rows_of([look.logits for look in looks], NONE + 1))
    return np.where(chances[np.arange(len(classes)), classes] < _CERTAIN, _HARD, 1)


def false_positives_of(finder: DiceFinder, photo: LabelledPhoto, pixels: Pixels, complete: bool = False) -> Boxes:
    """Boxes (n, 4), fractions, that the detector takes for dice in a labelled photo and that are none. Unless its
    labels are `complete`, what looks much like a die is left out."""
    assert photo.boxes is not None
    found, scores = finder.find(Photo(pixels), _CANDIDATE)
    _, of_dice = overlaps(found, np.concatenate([photo.boxes, photo.unclear]))
    _, of_others = overlaps(found, photo.others)
    known = complete | (scores < _UNLABELLED) | (of_others.max(1, initial=0.0) > _PART)
    return found[(of_dice.max(1, initial=0.0) < _APART) & known]
