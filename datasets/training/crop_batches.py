"""Batches of training crops, framed, cut and spoilt all at once on the device that trains: a processor or a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional

from datasets.augmentation.crop_augmentation import NONE, Kept
from vision.judging.seen import DIRECTIONS, ELEVATIONS, ROOM, SIDE

IGNORED = -100  # a class that is not taught

# From aslant a side face looks as large as the upper one, and only what is up in the photo tells them apart. People
# hold their phones upright or lying then; from straight above, where they hold them anyhow, the upper face is plain.
_UPRIGHT, _LEVEL = 0.55, 0.15  # share of crops that are turned but a little, and by how much (radians)
_FROM_ABOVE = 80.0  # degrees of elevation, from which on no direction of a photo is up

_MISFRAMED, _CUT = 0.11, 0.14  # shares of the dice
_COVERED = 0.35  # share of the cut ones that another thing covers instead
_LEFT = (0.12, 0.97)  # of a cut die's box
_IN_SIGHT = (0.9, 0.65, 0.4, 0.0)  # bounds of the share of a die in sight, of classes 1, 2, ...; 0: no die at all
_READ, _UNREAD = 0.85, 0.6  # shares of a die in sight: from the first on its value is taught, below the other none

_AUGMENTED = 0.9
_YIQ = np.array([[0.299, 0.587, 0.114], [0.596, -0.274, -0.322], [0.211, -0.523, 0.312]])


@dataclass(frozen=True)
class Part:
    """Things that together have this share of all crops. With `by_value` each value comes equally often."""

    share: float
    kept: Kept
    by_value: bool = False


@dataclass(frozen=True)
class Batch:
    """Crops (n, 3, SIDE, SIDE) 0..1 and what is taught of them: `classes` (n,), the value less one or NONE; how
    probable each up direction is, `ups` (n, DIRECTIONS), and each band of elevation, `elevations` (n, ELEVATIONS), all
    zeros if unknown; `shares` (n,), classes of what is in sight. IGNORED classes and shares are not taught."""

    pixels: torch.Tensor
    classes: torch.Tensor
    ups: torch.Tensor
    elevations: torch.Tensor
    shares: torch.Tensor


class CropBatches:
    """Draws batches by number: the same number gives the same batch, as long as the parts are the same."""

    def __init__(self, parts: Sequence[Part], seed: int, device: torch.device) -> None:
        self._seed, self._device = seed, device
        kept = [part.kept for part in parts if len(part.kept.classes)]
        chances = [_chances(part) for part in parts if len(part.kept.classes)]
        self._chances = torch.from_numpy(np.concatenate(chances)).to(device)
        self._pixels = torch.cat([torch.from_numpy(k.pixels).to(device) for k in kept])
        self._classes = torch.cat([torch.from_numpy(k.classes) for k in kept]).to(device)
        self._sizes, self._elevations, self._shares = (
            torch.cat([torch.from_numpy(each) for each in arrays]).to(device)
            for arrays in zip(*((k.sizes, k.elevations, k.shares) for k in kept), strict=True)
        )

    def batch(self, number: int, size: int) -> Batch:
        chance = _Chance(torch.Generator(self._device).manual_seed(self._seed * 1_000_003 + number), self._device)
        drawn = torch.multinomial(self._chances, size, replacement=True, generator=chance.generator)
        pixels = self._pixels[drawn].permute(0, 3, 1, 2).float() / 255
        classes, shares = self._classes[drawn].clone(), self._shares[drawn].clone()
        elevations = self._elevations[drawn].clone()
        view, left, misframed = self._frame(chance, self._sizes[drawn], (classes != NONE) & (shares >= _READ))
        classes[misframed | (left < _UNREAD)] = NONE
        classes[(left >= _UNREAD) & (left < _READ)] = IGNORED
        elevations[misframed] = torch.nan
        shares = shares * left
        shares[misframed] = torch.nan
        ups = _directions(view.up, elevations)
        ups[view.level] = 0
        framed = view.sample(pixels)
        seen = spoil(chance, framed)
        return Batch(seen, classes, ups, _bands(elevations), _share_classes(shares))

    def _frame(
        self, chance: _Chance, sizes: torch.Tensor, whole: torch.Tensor
    ) -> tuple[_View, torch.Tensor, torch.Tensor]:
        """How each thing is framed; the share of it that is left (n,), and which are framed too badly to be read."""
        count, side = len(sizes), self._pixels.shape[1]
        kind = chance.uniform(0, 1, count)
        misframed = whole & (kind < _MISFRAMED)
        cut = whole & (kind >= _MISFRAMED) & (kind < _MISFRAMED + _CUT)
        box = torch.cat([0.5 - sizes / 2, 0.5 + sizes / 2], 1) * side  # x0, y0, x1, y1 in pixels of what is kept
        left = torch.where(cut, chance.uniform(*_LEFT, count), torch.ones_like(kind))
        limits = torch.tensor([-1e6, -1e6, 1e6, 1e6], device=self._device).repeat(count, 1)
        edge = chance.integers(4, count)
        away = (1 - left) * (sizes * side).gather(1, (edge % 2)[:, None])[:, 0]
        for number in range(4):
            which = cut & (edge == number)
            box[which, number] += (away if number < 2 else -away)[which]
            limits[which, number] = box[which, number]
        view = _View.draw(chance, box, limits, misframed, cut & (chance.uniform(0, 1, count) < _COVERED))
        return view, left, misframed


@dataclass(frozen=True)
class _View:
    """How crops are taken from what is kept: `back` (n, 2, 2) and `middles` (n, 2) lead from a crop's middle to pixels
    of what is kept; beyond `limits` (n, 4) nothing is seen of it: pixels repeat, or another thing covers it. `up` (n,):
    degrees counter-clockwise from the crop's top; of `level` ones it is not told."""

    back: torch.Tensor
    middles: torch.Tensor
    limits: torch.Tensor
    covered: torch.Tensor
    up: torch.Tensor
    level: torch.Tensor
    cover: torch.Tensor  # (n,) whose pixels cover

    @classmethod
    def draw(
        cls, chance: _Chance, box: torch.Tensor, limits: torch.Tensor, misframed: torch.Tensor, covered: torch.Tensor
    ) -> _View:
        count = len(box)
        middles, longest = (box[:, :2] + box[:, 2:]) / 2, (box[:, 2:] - box[:, :2]).amax(1)
        shift = chance.normal(0.05, count, 2).clamp(-0.13, 0.13)
        zoom = chance.normal(0.09, count).clamp(-0.22, 0.22).exp()
        bad_shift, bad_zoom = _misframe(chance, count)
        shift = torch.where(misframed[:, None], bad_shift, shift)
        zoom = torch.where(misframed, bad_zoom, zoom)
        level = chance.uniform(0, 1, count) < _UPRIGHT
        turn = torch.where(level, chance.normal(_LEVEL, count), chance.uniform(0, 2 * np.pi, count))
        cos, sin = turn.cos(), turn.sin()
        stretch = chance.normal(0.1, count).exp()
        mirror = torch.where(chance.uniform(0, 1, count) < 0.5, 1.0, -1.0)
        # A square that is turned needs up to 1.41 times the box: the detector boxes it anew, larger.
        grown = 1 + 0.12 * (2 * turn).sin().abs()
        scale = zoom * SIDE / (longest * ROOM * grown)
        rotation = torch.stack([torch.stack([cos, -sin], 1), torch.stack([sin, cos], 1)], 1)
        linear = scale[:, None, None] * rotation * torch.stack([stretch * mirror, 1 / stretch], 1)[:, None]
        up = torch.rad2deg(torch.atan2(linear[:, 0, 1], linear[:, 1, 1]))
        middles = middles + shift * longest[:, None]
        return cls(torch.linalg.inv(linear), middles, limits, covered, up, level, chance.permutation(count))

    def sample(self, pixels: torch.Tensor) -> torch.Tensor:
        """The crops (n, 3, SIDE, SIDE) of what is kept (n, 3, side, side)."""
        side = pixels.shape[2]
        steps = torch.arange(SIDE, device=pixels.device, dtype=torch.float32) + 0.5 - SIDE / 2
        places = torch.stack(torch.meshgrid(steps, steps, indexing="xy"), 2).reshape(1, -1, 2)
        source = places @ self.back.transpose(1, 2) + self.middles[:, None]
        inside = torch.maximum(torch.minimum(source, self.limits[:, None, 2:]), self.limits[:, None, :2])
        small = torch.linalg.det(self.back).abs().sqrt() > 1 / 0.6
        if bool(small.any()):
            pixels = pixels.clone()
            pixels[small] = functional.pad(functional.avg_pool2d(pixels[small], 2, 1), (0, 1, 0, 1), mode="replicate")
        seen = _look_up(pixels, inside, side)
        if bool(self.covered.any()):
            beyond = (source != inside).any(2).reshape(-1, 1, SIDE, SIDE) & self.covered[:, None, None, None]
            seen = torch.where(beyond, _look_up(pixels[self.cover], source, side), seen)
        return seen


def _look_up(pixels: torch.Tensor, places: torch.Tensor, side: int) -> torch.Tensor:
    grid = (places * (2 / side) - 1).reshape(len(pixels), SIDE, SIDE, 2)
    return functional.grid_sample(pixels, grid, padding_mode="border", align_corners=False)


class _Chance:
    """Random numbers of one batch."""

    def __init__(self, generator: torch.Generator, device: torch.device) -> None:
        self.generator, self._device = generator, device

    def uniform(self, low: float, high: float, *shape: int) -> torch.Tensor:
        return low + (high - low) * torch.rand(*shape, generator=self.generator, device=self._device)

    def normal(self, spread: float, *shape: int) -> torch.Tensor:
        return spread * torch.randn(*shape, generator=self.generator, device=self._device)

    def integers(self, end: int, *shape: int) -> torch.Tensor:
        return torch.randint(end, shape, generator=self.generator, device=self._device)

    def permutation(self, count: int) -> torch.Tensor:
        return torch.randperm(count, generator=self.generator, device=self._device)

    def some(self, share: float, count: int) -> torch.Tensor:
        """The places of about so many of `count`."""
        return torch.nonzero(self.uniform(0, 1, count) < share)[:, 0]


def _chances(part: Part) -> np.ndarray:
    """The share of each thing (n,) among all crops."""
    weights, classes = part.kept.weights.astype(np.float64), part.kept.classes
    if part.by_value:
        sums = np.bincount(classes, weights, NONE + 1)
        weights = weights / sums[classes]
    return part.share * weights / weights.sum()


def _misframe(chance: _Chance, count: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Shifts (n, 2) and zooms (n,) by which nobody can know a die's value: half of it, far too much around it, or a bit
    of it."""
    kind = chance.uniform(0, 1, count)
    angle, far = chance.uniform(0, 2 * np.pi, count), chance.uniform(0.5, 0.85, count)
    half = far[:, None] * torch.stack([angle.cos(), angle.sin()], 1)
    shift = torch.where((kind < 0.6)[:, None], half, chance.uniform(-0.25, 0.25, count, 2))
    zoom = torch.where(kind < 0.6, chance.uniform(0.7, 1.3, count), chance.uniform(2.8, 5.5, count))
    bit = kind >= 0.75
    shift = torch.where(bit[:, None], chance.normal(0.2, count, 2), shift)
    return shift, torch.where(bit, chance.uniform(0.3, 0.42, count), zoom)


def _directions(up: torch.Tensor, elevations: torch.Tensor) -> torch.Tensor:
    """How probable each direction is (n, DIRECTIONS): the two next to `up`, all alike where the camera looked straight
    below."""
    place = up % 360 / 360 * DIRECTIONS
    before, share = place.floor().long(), place % 1
    rows = torch.arange(len(up), device=up.device)
    chances = torch.zeros(len(up), DIRECTIONS, device=up.device)
    chances[rows, before % DIRECTIONS] = 1 - share
    chances[rows, (before + 1) % DIRECTIONS] += share
    chances[elevations > _FROM_ABOVE] = 1 / DIRECTIONS
    chances[elevations.isnan()] = 0
    return chances


def _bands(elevations: torch.Tensor) -> torch.Tensor:
    """How probable each band of elevation is (n, ELEVATIONS): the two whose middles are next; zeros if unknown."""
    place = (elevations.nan_to_num(0) / 90 * ELEVATIONS - 0.5).clamp(0, ELEVATIONS - 1)
    before, share = place.floor().long().clamp(max=ELEVATIONS - 2), place
    share = place - before
    rows = torch.arange(len(place), device=place.device)
    chances = torch.zeros(len(place), ELEVATIONS, device=place.device)
    chances[rows, before] = 1 - share
    chances[rows, before + 1] = share
    chances[elevations.isnan()] = 0
    return chances


def _share_classes(shares: torch.Tensor) -> torch.Tensor:
    """The class of each share in sight: 0 for no die, or the first of _IN_SIGHT that it reaches; IGNORED if unknown."""
    known = shares.nan_to_num(0)
    classes = torch.full_like(known, len(_IN_SIGHT), dtype=torch.long)
    for number, bound in reversed(list(enumerate(_IN_SIGHT, start=1))):
        classes[known >= bound] = number
    classes[known <= 0] = 0
    classes[shares.isnan()] = IGNORED
    return classes


def spoil(chance: _Chance, pixels: torch.Tensor) -> torch.Tensor:
    """Applies to most crops (n, 3, side, side) 0..1 some of the ways in which photos of one thing differ: colour,
    light, blur, noise, compression. `datasets.augmentation.photo_effects` does the same to single pictures."""
    spared = chance.uniform(0, 1, len(pixels)) >= _AUGMENTED
    seen = _recolour(chance, pixels)
    seen = _light_unevenly(chance, seen)
    seen = _blur(chance, seen)
    seen = _coarsen(chance, seen)
    some = chance.some(0.25, len(seen))
    strength = chance.uniform(2 / 255, 14 / 255, len(some), 1, 1, 1)
    grey = (chance.uniform(0, 1, len(some)) < 0.5)[:, None, None, None]
    noise = chance.normal(1, *seen[some].shape)
    seen[some] = seen[some] + strength * torch.where(grey, noise[:, :1], noise)
    seen = seen.clamp(0, 1)
    some = chance.some(0.25, len(seen))
    seen[some] = _compress(seen[some], chance.uniform(25, 85, len(some)))
    return torch.where(spared[:, None, None, None], pixels, seen)


def _recolour(chance: _Chance, pixels: torch.Tensor) -> torch.Tensor:
    count, device = len(pixels), pixels.device
    kind = chance.uniform(0, 1, count)
    hued = kind < 0.35
    wide = chance.uniform(0, 1, count) < 0.4
    turn = torch.where(wide, chance.uniform(0, 2 * np.pi, count), chance.uniform(-0.42, 0.42, count)) * hued
    colour = torch.where(hued, chance.uniform(0.3, 1.5, count), torch.ones_like(kind))
    colour = torch.where((kind >= 0.45) & (kind < 0.53), torch.zeros_like(kind), colour)
    yiq = torch.tensor(_YIQ, dtype=torch.float32, device=device)
    inner = torch.zeros(count, 3, 3, device=device)
    inner[:, 0, 0] = 1
    inner[:, 1, 1] = inner[:, 2, 2] = colour * turn.cos()
    inner[:, 1, 2], inner[:, 2, 1] = -colour * turn.sin(), colour * turn.sin()
    matrix = torch.linalg.inv(yiq) @ inner @ yiq
    order = chance.uniform(0, 1, count, 3).argsort(1)
    swapped = torch.nn.functional.one_hot(order, 3).float()
    matrix = torch.where(((kind >= 0.35) & (kind < 0.45))[:, None, None], swapped, matrix)
    seen = (matrix @ pixels.flatten(2)).reshape(pixels.shape).clamp(0, 1)
    negative = (chance.uniform(0, 1, count) < 0.04)[:, None, None, None]
    seen = torch.where(negative, 1 - seen, seen)
    gamma = chance.normal(0.3, count, 1, 1, 1).exp()
    cast = torch.where(chance.uniform(0, 1, count, 1) < 0.5, chance.normal(0.12, count, 3).exp(), 1.0)
    gain = (chance.uniform(0.7, 1.25, count, 1) * cast)[:, :, None, None]
    return (seen.clamp(min=1e-4) ** gamma * gain + chance.uniform(-15 / 255, 15 / 255, count, 1, 1, 1)).clamp(0, 1)


def _light_unevenly(chance: _Chance, pixels: torch.Tensor) -> torch.Tensor:
    some = chance.some(0.25, len(pixels))
    count, side = len(some), pixels.shape[2]
    if not count:
        return pixels
    lamp = functional.interpolate(chance.uniform(0.45, 1.35, count, 1, 3, 3), (side, side), mode="bicubic")
    across = torch.linspace(-0.5, 0.5, side, device=pixels.device)
    angle, place = chance.uniform(0, 2 * np.pi, count, 1, 1, 1), chance.uniform(-0.5, 0.5, count, 1, 1, 1)
    beyond = angle.cos() * across[None, None, None] + angle.sin() * across[None, None, :, None] - place
    soft = (beyond / chance.uniform(0.005, 0.12, count, 1, 1, 1)).sigmoid()
    edge = 1 - (1 - chance.uniform(0.4, 0.8, count, 1, 1, 1)) * soft
    light = torch.where((chance.uniform(0, 1, count) < 0.5)[:, None, None, None], lamp, edge)
    pixels = pixels.clone()
    pixels[some] = (pixels[some] * light).clamp(0, 1)
    return pixels


def _blur(chance: _Chance, pixels: torch.Tensor) -> torch.Tensor:
    """Out of focus, moved, or sharpened too much."""
    some = chance.some(0.3, len(pixels))
    count, reach = len(some), 5
    if not count:
        return pixels
    kind = chance.uniform(0, 0.3, count)
    steps = torch.arange(-reach, reach + 1, device=pixels.device).float()
    square = steps[:, None] ** 2 + steps[None] ** 2

    def of_width(width: torch.Tensor) -> torch.Tensor:
        kernel = (-square / (2 * width[:, None, None] ** 2)).exp()
        return kernel / kernel.sum((1, 2), keepdim=True)

    angle, half = chance.uniform(0, np.pi, count), chance.uniform(1.0, 5.5, count)
    along = steps[None, None] * angle.cos()[:, None, None] + steps[None, :, None] * angle.sin()[:, None, None]
    off = steps[None, :, None] * angle.cos()[:, None, None] - steps[None, None] * angle.sin()[:, None, None]
    moved = (1 - off.abs()).clamp(min=0) * (half[:, None, None] + 0.5 - along.abs()).clamp(0, 1)
    moved = moved / moved.sum((1, 2), keepdim=True)
    one = (square == 0).float()[None]
    sharp = 1.8 * one - 0.8 * of_width(torch.full((count,), 1.2, device=pixels.device))
    kernel = torch.where((kind < 0.12)[:, None, None], of_width(chance.uniform(0.5, 1.8, count)), moved)
    kernel = torch.where((kind >= 0.24)[:, None, None], sharp, kernel)
    kernel = kernel.repeat_interleave(3, 0)[:, None]
    padded = functional.pad(pixels[some], (reach,) * 4, mode="replicate")
    seen = functional.conv2d(padded.reshape(1, -1, *padded.shape[2:]), kernel, groups=3 * count)
    pixels = pixels.clone()
    pixels[some] = seen.reshape(count, 3, *pixels.shape[2:]).clamp(0, 1)
    return pixels


def _coarsen(chance: _Chance, pixels: torch.Tensor) -> torch.Tensor:
    """Reduces some crops to fewer pixels, and enlarges them again."""
    side = pixels.shape[2]
    pixels = pixels.clone()
    for share in (0.35, 0.5, 0.65, 0.8):
        some = chance.some(0.03, len(pixels))
        if len(some):
            small = functional.interpolate(pixels[some], scale_factor=share, mode="area")
            how = "bilinear" if float(chance.uniform(0, 1, 1)) < 0.7 else "nearest"
            pixels[some] = functional.interpolate(small, (side, side), mode=how)
    return pixels


def _compress(pixels: torch.Tensor, quality: torch.Tensor) -> torch.Tensor:
    """Rounds crops (n, 3, side, side) as JPEG does at a `quality` (n,) of 1..100; the side is a multiple of 8."""
    if not len(pixels):
        return pixels
    device, side = pixels.device, pixels.shape[2]
    luma = torch.tensor(_LUMA, device=device).float()
    tables = torch.stack([luma, luma * 1.3, luma * 1.3])
    percent = torch.where(quality < 50, 5000 / quality, 200 - 2 * quality)
    tables = ((tables[None] * percent[:, None, None, None] + 50) / 100).floor().clamp(1, 255)
    matrix = torch.tensor(_YCC, device=device).float()
    values = (matrix @ (pixels * 255).flatten(2)).reshape(-1, 3, side // 8, 8, side // 8, 8).permute(0, 1, 2, 4, 3, 5)
    cosines = torch.tensor(_DCT, device=device).float()
    waves = cosines @ (values - 128 * torch.tensor([1.0, 0, 0], device=device)[None, :, None, None, None, None])
    waves = waves @ cosines.T
    table = tables[:, :, None, None]
    back = cosines.T @ ((waves / table).round() * table) @ cosines
    back[:, 0] += 128
    back = back.permute(0, 1, 2, 4, 3, 5).reshape(len(pixels), 3, -1)
    return ((torch.linalg.inv(matrix) @ back).reshape(pixels.shape) / 255).clamp(0, 1)


_YCC = [[0.299, 0.587, 0.114], [-0.1687, -0.3313, 0.5], [0.5, -0.4187, -0.0813]]
_DCT = [
    [(np.sqrt(0.125) if k == 0 else 0.5) * np.cos((2 * n + 1) * k * np.pi / 16) for n in range(8)] for k in range(8)
]
_LUMA = [
    [16, 11, 10, 16, 24, 40, 51, 61],
    [12, 12, 14, 19, 26, 58, 60, 55],
    [14, 13, 16, 24, 40, 57, 69, 56],
    [14, 17, 22, 29, 51, 87, 80, 62],
    [18, 22, 37, 56, 68, 109, 103, 77],
    [24, 35, 55, 64, 81, 104, 113, 92],
    [49, 64, 78, 87, 103, 121, 120, 101],
    [72, 92, 95, 98, 112, 100, 103, 99],
]  # of the JPEG standard's annex K
