"""Trains the network that says where a die lies across the photo's border (`models/border.onnx`), on photos that are
cropped so that the edge cuts a die, or none, and on which dice and other things are laid across it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from datasets.augmentation.border_things import LaidDie, any_patch, lay_die, lay_other
from datasets.augmentation.cutout import Cutout
from datasets.augmentation.cutting_out import cutouts
from datasets.augmentation.mixing import TrainingPhoto
from datasets.augmentation.photo_effects import augment
from datasets.cropping import turn_boxes
from datasets.photos import as_pixels, labelled_photos, load_pixels
from datasets.training.progress import precision
from datasets.training.settings import TrainingSettings
from datasets.training.small_networks import Course, as_tensor, convolution, train_steps
from vision.arrays import Doubles, Flags, Floats, Pixels
from vision.border import DEPTH, LENGTH, SIDE, STEP, show_dice, strip_at_top

DICE = 2 * DEPTH  # pixels to the left of the strip, in which two of the photo's dice are shown

_WIDTHS = (16, 32, 64)  # channels, from stage to stage
_BATCH = 64
_COURSE = Course(rate=0.004, warm_up=200, decay=0.7, average=0.99, weight_decay=0.02)
_PASSES = 4  # over all examples
_DIE_COUNTS = 4.0  # a place at which a die is cut, beside one without
_KEPT_SIDE, _LARGEST = 40, 1600  # pixels of a kept photo's usual die and longer side, at most

# Shares of the examples: through a die, through a thing that looks like one, anywhere; the others show the photo's own
# border.
_THROUGH_DIE, _THROUGH_OTHER, _OWN_BORDER = 0.4, 0.12, 0.28
_LAID_DIE, _LAID_OTHER = 0.2, 0.3  # shares of the examples in which dice or other things are laid across the border
_MOST_LAID = 3
_OF_ANOTHER_PHOTO = 0.15  # of the laid dice
_CUT_OUT = 3  # dice of each photo, at most, that are cut out to be laid
_LEFT, _LITTLE = (0.1, 0.85), 0.45  # of a die's box, that the edge leaves; most are cut to less than the latter
_MOSTLY_LITTLE = 0.55  # their share
_DEEPEST = 0.6  # of a photo, that is cropped away at random
_WHOLE = 1.06  # a die that lies further from the border by this share of its box is wholly seen to be whole
_MIDDLE, _NEAR = 0.22, 0.65  # of a die's width: from its middle, where it is to be found, and where nothing is wanted
_SHOWN = 4  # whole dice, of which two are shown, at most
_SIZES = 0.15  # spread of the logarithm of the side that dice have in a strip


@dataclass(frozen=True)
class _Labelled:
    pixels: Pixels
    boxes: Doubles  # (n, 4) in pixels
    others: Doubles  # (n, 4), of things that look like dice
    complete: bool  # all dice are labelled, at the photo's own border too
    cutouts: tuple[Cutout, ...]  # some of its dice


@dataclass(frozen=True)
class _Strips:
    pictures: Pixels  # (n, DEPTH, DICE + LENGTH, 3)
    dice: Floats  # (n, LENGTH // STEP): 1 where a die is cut
    counts: Floats  # 0 where nothing is wanted


class BorderNetwork(nn.Module):
    """Pictures (n, 3, DEPTH, DICE + LENGTH) 0..1 become log-odds (n, LENGTH // STEP) that a die is cut there. The two
    dice at the left say which channels of the strip at the right count."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = 0  # of its training
        one, two, three = _WIDTHS
        shapes = ((3, one, 2), (one, two, 2), (two, two, 1), (two, three, 2), (three, three, 1))
        self.body = nn.Sequential(*(convolution(*shape) for shape in shapes))
        self.into = nn.Conv2d(three, three, (DEPTH // STEP, 3), padding=(0, 1))
        self.gate, self.shift = nn.Linear(three, three), nn.Linear(three, three)
        self.along = nn.Conv2d(three, three, (1, 5), padding=(0, 2))
        self.last = nn.Conv2d(three, 1, 1)

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        pictures = pictures - 0.5
        strip = self.into(self.body(pictures[..., DICE:]))
        dice = self.body(pictures[..., :DICE])
        half = DICE // STEP // 2
        die = torch.maximum(dice[..., :half].mean((2, 3)), dice[..., half:].mean((2, 3)))
        strip = strip * (2 * torch.sigmoid(self.gate(die)))[..., None, None] + self.shift(die)[..., None, None]
        found: torch.Tensor = self.last(torch.relu(self.along(torch.relu(strip))))
        return found.flatten(1)


def train_border(settings: TrainingSettings, folders: Sequence[Path], count: int) -> BorderNetwork:
    """The network, trained on `count` examples. Folders count by the roots of their numbers of photos. Raises
    ValueError if they show no dice that can be cut."""
    torch.manual_seed(settings.seed)
    cv2.setRNGSeed(settings.seed)  # dice are cut out with random starts
    rng = np.random.default_rng(settings.seed)
    examples = _make_examples(rng, [_photos(folder, settings) for folder in folders], count)
    a_pass = -(-count // _BATCH)
    steps, order = _PASSES * a_pass, np.arange(count)

    def loss_at(model: BorderNetwork, step: int) -> torch.Tensor:
        if step % a_pass == 0:
            order[:] = rng.permutation(count)
        chosen = order[step % a_pass * _BATCH :][:_BATCH]
        pictures, dice, counts = _tensors(examples, chosen, mirrored=bool(rng.random() < 0.5))
        with precision(torch.device("cpu")):
            found = model(pictures)
        weights = counts * (1 + (_DIE_COUNTS - 1) * dice)
        each = functional.binary_cross_entropy_with_logits(found.float(), dice, reduction="none")
        return (each * weights).sum() / weights.sum()

    model = train_steps(BorderNetwork(), steps, _COURSE, loss_at)
    model.steps = steps
    return model


def _tensors(examples: _Strips, chosen: np.ndarray, mirrored: bool) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    pictures = as_tensor(examples.pictures[chosen])
    dice, counts = (torch.from_numpy(each[chosen]) for each in (examples.dice, examples.counts))
    if mirrored:
        pictures = torch.cat([pictures[..., :DICE], pictures[..., DICE:].flip(3)], 3)
        dice, counts = dice.flip(1), counts.flip(1)
    return pictures.contiguous(memory_format=torch.channels_last), dice, counts


def _photos(folder: Path, settings: TrainingSettings) -> list[_Labelled]:
    """The folder's photos with dice, small enough to be kept."""
    found = []
    for labelled in labelled_photos(folder):
        if labelled.boxes is None or not len(labelled.boxes):
            continue
        pixels = load_pixels(labelled.path)
        boxes = labelled.boxes.astype(np.float64) * ([pixels.shape[1], pixels.shape[0]] * 2)
        shrink = min(1.0, _KEPT_SIDE / _usual_side(boxes), _LARGEST / max(pixels.shape[:2]))
        if shrink < 1:
            pixels = as_pixels(cv2.resize(pixels, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA))
        boxes = boxes * shrink
        scene = TrainingPhoto(pixels, boxes[:_CUT_OUT].astype(np.float32))
        others = labelled.others.astype(np.float64) * ([pixels.shape[1], pixels.shape[0]] * 2)
        complete = folder.name not in settings.incomplete_labels
        found.append(_Labelled(pixels, boxes, others, complete, tuple(cutouts(scene).values())))
    return found


def _make_examples(rng: np.random.Generator, groups: Sequence[Sequence[_Labelled]], count: int) -> _Strips:
    groups = [group for group in groups if group]
    if not groups:
        raise ValueError("photos with labelled dice are wanted")
    shares = np.sqrt([len(group) for group in groups])
    pictures = np.empty((count, DEPTH, DICE + LENGTH, 3), np.uint8)
    dice, counts = np.empty((2, count, LENGTH // STEP), np.float32)
    made = tries = 0
    while made < count:
        group = groups[int(rng.choice(len(groups), p=shares / shares.sum()))]
        example = _example(rng, group[int(rng.integers(len(group)))], group)
        tries += 1
        if example is not None:
            pictures[made], dice[made], counts[made] = example
            made += 1
        elif tries > 100 * (made + 1):
            raise ValueError("photos with several labelled dice are wanted, apart from each other")
    print(f"{count} examples, a die is cut in {(dice.max(1) > 0).mean():.0%}", flush=True)
    return _Strips(pictures, dice, counts)


def _example(
    rng: np.random.Generator, photo: _Labelled, group: Sequence[_Labelled]
) -> tuple[Pixels, Floats, Floats] | None:
    """A picture for the network, where a die is cut in it, and which places count. None if the crop that was tried
    shows no whole die. `group`: photos like this one."""
    quarter = int(rng.integers(4))
    height, width = photo.pixels.shape[:2]
    pixels, boxes = np.rot90(photo.pixels, quarter), turn_boxes(photo.boxes, width, height, quarter)
    others = turn_boxes(photo.others, width, height, quarter)
    die, top = _usual_side(boxes), _crop(rng, boxes, others, pixels.shape[0], photo.complete)
    pixels, boxes = pixels[top:], boxes - [0, top, 0, top]
    whole = boxes[:, 1] >= (0 if top else -np.inf)
    if not whole.any() or len(pixels) < die:
        return None
    shown = rng.permutation(np.flatnonzero(whole))[: rng.integers(1, _SHOWN + 1)]
    grown = float(np.exp(rng.normal(0, _SIZES)))
    strip, length = strip_at_top(pixels, die * grown)
    across = boxes[:, [0, 2]] * (length / pixels.shape[1])
    left = boxes[:, 3] / (boxes[:, 3] - boxes[:, 1])
    cut = np.flatnonzero((left >= _LEFT[0]) & (left <= _LEFT[1]) & (top > 0))
    middle = across[int(rng.choice(cut))].mean() if len(cut) else rng.uniform(0, strip.shape[1])
    start = int(np.clip(middle - rng.uniform(0, LENGTH), 0, strip.shape[1] - LENGTH))
    wanted = np.isin(np.arange(len(boxes)), cut)
    across, strip = across - start, strip[:, start : start + LENGTH].copy()
    laid = _lay_things(rng, strip, across[left > 0], SIDE / grown, photo, group)
    across = np.concatenate([across, np.array([die.across for die in laid]).reshape(-1, 2)])
    left = np.concatenate([left, [die.left for die in laid]])
    dice, counts = _label_places(across, left, np.concatenate([wanted, np.full(len(laid), True)]))
    counts[STEP * (np.arange(len(counts)) + 0.5) > length - start] = 0
    picture = augment(rng, np.concatenate([show_dice(pixels, boxes[shown]), strip], axis=1))
    picture[:, DICE:][:, max(0, length - start) :] = 0
    return picture, dice, counts


def _lay_things(
    rng: np.random.Generator,
    strip: Pixels,
    taken: Doubles,
    side: float,
    photo: _Labelled,
    group: Sequence[_Labelled],
) -> list[LaidDie]:
    """Lays dice and other things across the strip's border, in place, beside the dice that lie at `taken` (n, 2). Gives
    the laid dice."""
    chance = rng.random()
    if chance > _LAID_DIE + _LAID_OTHER:
        return []
    there = np.full(strip.shape[1], False)
    for begin, end in taken:
        there[max(0, int(begin - side / 2)) : max(0, int(end + side / 2))] = True
    laid: list[LaidDie] = []
    for _ in range(int(rng.integers(1, _MOST_LAID + 1))):
        if chance < _LAID_DIE and not laid:
            of = group[int(rng.integers(len(group)))] if rng.random() < _OF_ANOTHER_PHOTO else photo
            if of.cutouts:
                die = lay_die(rng, strip, of.cutouts[int(rng.integers(len(of.cutouts)))], side, there)
                laid += [die] if die is not None else []
        else:
            lay_other(rng, strip, side, there, lambda rng: any_patch(rng, [each.pixels for each in group[:20]]))
    return laid


def _crop(rng: np.random.Generator, boxes: Doubles, others: Doubles, height: int, complete: bool) -> int:
    """How many rows go at the top: so that the border cuts a die of `boxes` (n, 4), one of the `others` (n, 4), or
    anything, or nothing."""
    chance = rng.random()
    if len(others) and _THROUGH_DIE <= chance < _THROUGH_DIE + _THROUGH_OTHER:
        _, top, _, bottom = others[int(rng.integers(len(others)))]
        return max(0, round(bottom - rng.uniform(*_LEFT) * (bottom - top)))
    if chance < _THROUGH_DIE:
        _, top, _, bottom = boxes[int(rng.integers(len(boxes)))]
        little, most = (_LEFT[0], _LITTLE), (_LITTLE, _LEFT[1])
        left = rng.uniform(*(little if rng.random() < _MOSTLY_LITTLE else most))
        return max(0, round(bottom - left * (bottom - top)))
    return round(rng.uniform(0, _DEEPEST * height)) if chance < 1 - _OWN_BORDER or not complete else 0


def _label_places(across: Doubles, left: Doubles, cut: Flags) -> tuple[Floats, Floats]:
    """For each place of a strip whether a die is cut there, and whether that counts. By where in the strip the dice
    begin and end (n, 2), which share of each is `left`, and which of them are to be found."""
    middles = STEP * (np.arange(LENGTH // STEP) + 0.5)
    dice, counts = np.zeros((2, len(middles)), np.float32)
    counts[:] = 1
    for (start, end), share, wanted in zip(across, left, cut, strict=True):
        off = np.abs(middles - (start + end) / 2)
        middle = off <= max(STEP / 2, _MIDDLE * (end - start))
        if wanted:
            dice[middle] = counts[middle] = 1
        if 0 < share < _WHOLE:
            counts[(off <= _NEAR * (end - start)) & (dice == 0)] = 0
    return dice, counts


def _usual_side(boxes: Doubles) -> float:
    return float(np.median((boxes[:, 2:] - boxes[:, :2]).max(1)))
