"""Trains the crop classifier from scratch: a small residual network that reads one die, or says that it sees none."""

from __future__ import annotations

import time
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional
from torch.utils.data import DataLoader, Dataset

from datasets.augmentation.crop_augmentation import CLASSES, NONE, CropPictures, CutDice, concatenate, keep, keep_misses
from datasets.augmentation.cutting_out import cutouts
from datasets.augmentation.mixing import TrainingPhoto
from datasets.photos import LabelledPhoto, labelled_photos, load_pixels
from datasets.training.progress import device_of, follow, precision, rate_share, resume, save
from datasets.training.settings import CropSettings, Task
from datasets.training.starting import start_from
from datasets.training.validating import dice_read, validation_photos
from vision.arrays import Boxes, Pixels
from vision.backend import Network
from vision.boxes import overlaps
from vision.classifier import DIRECTIONS, classify, softmax
from vision.crops import SIDE
from vision.detector import Detector, detect
from vision.photo import Photo
from vision.reader import CROP_CLASSIFIER, load_detector

_SAVE_EVERY = 100
_START_CROPS = 512  # by which a network that is begun with gets its normalisations
_SMOOTHED = 0.03
_UP_COUNTS = 0.3  # the loss of where up is, beside that of the value
_FALSE_POSITIVES_EVERY = 4  # photos without labelled other things: what the detector finds in more is much the same
_CUT_OUT_OF = 2  # photos: of one in so many the dice are cut out, since it takes time
_CANDIDATE = 0.1  # of the detector's score
_UNLABELLED = 0.6  # with this score and no label at all, it is more likely a die whose label was forgotten
_PART = 0.5  # a find that shares so much with a thing labelled as none, of the smaller box, is a part of it
_APART = 0.2  # a find that shares less than this with every die, of the smaller box, is none
_CERTAIN, _HARD = 0.9, 4  # a hard example, which a reader hardly takes for what it is: its sampling weight


class CropClassifier(nn.Module):
    """Four stages of two residual blocks each, halving the picture. Crops (n, 3, side, side) 0..1 become logits (n, 7 +
    DIRECTIONS), of the values, of no die and of where up is, and the features (n, widths[-1]) under them.

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

    def forward(self, pixels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        features = (self.body(pixels).flatten(2) * self.places).sum(2)
        return self.head(features), features


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
    hardly.
    """
    settings = task.settings
    task.run.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(settings.seed)
    cv2.setNumThreads(1)  # or OpenCV's own threads would be lost in the loader's process, which then waits for them
    chosen = settings.crops
    device = device_of(settings.device)
    model = CropClassifier(chosen.widths).to(memory_format=torch.channels_last)
    state = task.run / "state.pt"
    source = load_crops(task)
    if task.start is not None and not state.is_file():
        samples = _Pictures(source, settings.seed, _START_CROPS, 0)
        start_from(model, task.start, _as_values(torch.stack([samples[i][0] for i in range(_START_CROPS)])), grow=True)
    model.to(device)
    average = deepcopy(model).requires_grad_(False)
    held_out = validation_photos(settings, task.photos)
    optimizer = torch.optim.AdamW(model.parameters(), lr=chosen.rate, weight_decay=chosen.weight_decay)
    step = resume(state, model, average, optimizer)
    pictures = _Pictures(source, settings.seed, (chosen.steps - step) * chosen.batch, step * chosen.batch)
    loader = DataLoader(
        pictures, chosen.batch, num_workers=settings.workers, prefetch_factor=4, worker_init_fn=_one_thread
    )
    model.train()
    began, shown, lost, right = time.time(), 0.0, 0.0, 0.0
    for pixels, classes, directions in loader:
        for group in optimizer.param_groups:
            group["lr"] = chosen.rate * rate_share(step, chosen.steps, chosen.warm_up, chosen.decay)
        classes, directions = classes.to(device), directions.to(device)
        with precision(device):
            logits, ups = model(_as_values(pixels.to(device)))[0].float().split([CLASSES, DIRECTIONS], dim=1)
        loss = functional.cross_entropy(logits, classes, label_smoothing=_SMOOTHED)
        missed = -(directions * functional.log_softmax(ups, 1)).sum() / directions.sum().clamp(min=1)
        optimizer.zero_grad(set_to_none=True)
        (loss + _UP_COUNTS * missed).backward()
        optimizer.step()
        step += 1
        follow(average, model, min(chosen.average, (1 + step) / (10 + step)))
        shown = 0.97 * shown + 0.03 * loss.item()
        lost = 0.97 * lost + 0.03 * missed.item()
        right = 0.97 * right + 0.03 * float((logits.argmax(1) == classes).float().mean())
        if step % _SAVE_EVERY == 0 or step == chosen.steps:
            print(
                f"{step} of {chosen.steps}: loss {shown:.3f}, of up {lost:.3f}, right {right:.3f}, "
                f"{time.time() - began:.0f} s",
                flush=True,
            )
            save(state, model, average, optimizer, step)
        if held_out and (step % settings.validate_every == 0 or step == chosen.steps):
            told = dice_read(average, held_out, device)
            print(f"{step} of {chosen.steps}: of what is not taught it reads {told}", flush=True)
    return state


def load_averaged_crops(settings: CropSettings, state: Path) -> CropClassifier:
    """The network with the averaged weights of a run, ready for use."""
    model = CropClassifier(settings.widths)
    model.load_state_dict(torch.load(state, weights_only=True, map_location="cpu")["average"])
    model.eval()
    return model


def load_crops(task: Task) -> CropPictures:
    """The crops of the sets that the settings name, and of places in them without a die."""
    settings = task.settings
    rng = np.random.default_rng(settings.seed)
    detector = None if task.false_positives is None else load_detector(task.false_positives)
    classifier = None if task.hard_examples is None else Network(task.hard_examples / CROP_CLASSIFIER)
    groups, misses, others, cut = [], [], [], []
    for name, weight in settings.sets.items():
        kept, cut_out, values = [], [], []
        there = (p for folder in task.photos if (folder / name).is_dir() for p in labelled_photos(folder / name))
        for number, photo in enumerate(there):
            if photo.boxes is None or photo.classes is None:
                continue
            pixels = load_pixels(photo.path)
            scale = np.array([pixels.shape[1], pixels.shape[0]] * 2, np.float32)
            # Where labels are known to have flaws, what is hard to read is often labelled wrongly.
            sieve = None if name in settings.incomplete_labels else classifier
            weights = sampling_weights(sieve, pixels, photo.boxes, photo.classes)
            scene = TrainingPhoto(pixels, photo.boxes * scale)
            kept.append(keep(scene, photo.classes, photo.roll, photo.tilt, weights))
            if photo.tilt is None and number % _CUT_OUT_OF == 0:  # rendered dice lie on tables of every kind
                found = cutouts(scene)
                cut_out += list(found.values())
                values += [int(photo.classes[i]) for i in found]
            misses.append(
                keep_misses(rng, TrainingPhoto(pixels, np.concatenate([photo.boxes, photo.others]) * scale), 1)
            )
            wrong = photo.others
            every = 1 if len(photo.others) else _FALSE_POSITIVES_EVERY
            if detector is not None and name not in settings.incomplete_labels and number % every == 0:
                wrong = np.concatenate([wrong, false_positives_of(detector, photo, pixels)])
            none = np.full(len(wrong), NONE, np.int64)
            weights = sampling_weights(sieve, pixels, wrong, none)
            others.append(keep(TrainingPhoto(pixels, wrong * scale), none, photo.roll, photo.tilt, weights))
        if kept:
            groups.append((weight, concatenate(kept)))
        if cut_out:
            cut.append((weight, CutDice(cut_out, np.array(values))))
    tops = [load_pixels(path) for path in sorted(task.textures.rglob("*.png"))]
    counts = [sum(len(k.classes) for k in kept) for kept in ([k for _, k in groups], misses, others)]
    counts.append(sum(len(dice.classes) for _, dice in cut))
    print("{} dice, {} places without, {} other things, {} dice cut out".format(*counts), flush=True)
    if not counts[0]:
        raise ValueError(f"no labelled dice in the sets that the settings name: {', '.join(settings.sets)}")
    return CropPictures(groups, concatenate(misses), concatenate(others), tops, cut)


def sampling_weights(
    classifier: Network | None, pixels: Pixels, boxes: Boxes, classes: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """The sampling weight of each thing in `boxes` (n, 4), fractions: higher for hard examples, which the classifier
    reads wrongly or hardly."""
    if classifier is None:
        return np.ones_like(classes)
    chances = softmax(classify(classifier.outputs, Photo(pixels), boxes, np.ones(len(boxes), np.float32)).logits)
    return np.where(chances[np.arange(len(classes)), classes] < _CERTAIN, _HARD, 1)


def false_positives_of(detector: Detector, photo: LabelledPhoto, pixels: Pixels) -> Boxes:
    """Boxes (n, 4), fractions, that the detector takes for dice in a labelled photo and that are none."""
    assert photo.boxes is not None
    found = detect(detector, Photo(pixels), _CANDIDATE)
    _, of_dice = overlaps(found.boxes, photo.boxes)
    _, of_others = overlaps(found.boxes, photo.others)
    known = (found.scores < _UNLABELLED) | (of_others.max(1, initial=0.0) > _PART)
    return found.boxes[(of_dice.max(1, initial=0.0) < _APART) & known]


class _Pictures(Dataset):
    """Crops by number: the same number gives the same crop."""

    def __init__(self, source: CropPictures, seed: int, count: int, first: int) -> None:
        self._source, self._seed, self._count, self._first = source, seed, count, first

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int, torch.Tensor]:
        pixels, cls, ups = self._source.picture(np.random.default_rng([self._seed, self._first + index]))
        return torch.from_numpy(np.ascontiguousarray(pixels)), cls, torch.from_numpy(ups)


def _as_values(pixels: torch.Tensor) -> torch.Tensor:
    """Crops (n, side, side, 3) of bytes as the network wants them: (n, 3, side, side) 0..1."""
    return pixels.float().div_(255).permute(0, 3, 1, 2)


def _one_thread(_: int) -> None:
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
