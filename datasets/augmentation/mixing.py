"""Mixes training pictures for the detector, new ones each time: photos turned and zoomed, dice and other things pasted
on other tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from datasets.augmentation.cutout import Cutout
from datasets.augmentation.distractors import distractor
from datasets.augmentation.photo_effects import augment
from datasets.finding import overlaps
from vision.arrays import Boxes, Pixels

# A die fills its box less than a rectangle does and more than an ellipse: |x|^3 + |y|^3 = 1 stands for its outline
# when a box is turned.
_ANGLES = np.linspace(0.0, 2 * np.pi, 24, endpoint=False)
_OUTLINE = np.stack([np.sign(f(_ANGLES)) * np.abs(f(_ANGLES)) ** (2 / 3) for f in (np.cos, np.sin)], axis=1)

_KEPT_SHARE = 0.2  # of a die's box must lie inside the picture, or the die is painted over
_LARGEST_UPSCALING = 3.5
_ACROSS = 0.15  # share of photos that are moved so that the edge cuts the chosen die
_OVERLAPPING = 0.12  # of the smaller box: so much of a pasted thing may lie on another
_SMALLEST_DIE = 9.0  # pixels; a smaller one is painted over rather than taught


@dataclass(frozen=True)
class TrainingPhoto:
    """A photo in memory: pixels (height, width, 3) RGB and the boxes of its dice (n, 4) in pixels.

    `weights` (n,): the sampling weight of each die within its set; empty: all 1.
    """

    pixels: Pixels
    boxes: Boxes
    weights: npt.NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))


@dataclass(frozen=True)
class Recipe:
    """How pictures are mixed. `size` is the side of the square pictures, `dice` the range of their dice's sides in
    pixels."""

    size: int = 320
    dice: tuple[float, float] = (10.0, 288.0)
    pasted: float = 0.3  # share of pictures that are a table top with pasted dice
    extra: float = 0.25  # share of photos onto which something more is pasted
    augmented: float = 0.9  # share of pictures whose colours, light and sharpness are changed


class Mixer:
    """Draws training pictures from photos, table tops and cut-out dice."""

    def __init__(
        self,
        groups: Sequence[tuple[float, Sequence[TrainingPhoto]]],
        tops: Sequence[Pixels],
        cutouts: Sequence[Cutout],
        recipe: Recipe,
    ) -> None:
        """`groups` are the photos of each set with the weight at which the set is drawn."""
        if not groups or not all(scenes for _, scenes in groups) or not tops:
            raise ValueError("a mixer needs at least one set of photos, none of them empty, and a table top")
        weights = np.array([weight for weight, _ in groups])
        self._shares = weights / weights.sum()
        self._groups = [scenes for _, scenes in groups]
        looked_at = [
            np.array([scene.weights.mean() if len(scene.weights) else 1.0 for scene in s]) for s in self._groups
        ]
        self._weights = [weights / weights.sum() for weights in looked_at]
        self._tops = tops
        self._cutouts = cutouts
        self._recipe = recipe

    def picture(self, rng: np.random.Generator) -> tuple[Pixels, Boxes]:
        """One picture (size, size, 3) RGB with the boxes (n, 4) of its dice in pixels."""
        recipe = self._recipe
        if self._cutouts and rng.random() < recipe.pasted:
            pixels, boxes = self._table_top(rng), np.zeros((0, 4), np.float32)
            side = float(np.exp(rng.uniform(np.log(recipe.dice[0] * 1.3), np.log(recipe.dice[1] * 0.8))))
            pixels, boxes = self._paste(rng, pixels, boxes, int(rng.integers(1, 9)), side)
        else:
            group = int(rng.choice(len(self._groups), p=self._shares))
            scenes = self._groups[group]
            pixels, boxes = self._view(rng, scenes[int(rng.choice(len(scenes), p=self._weights[group]))])
            if rng.random() < recipe.extra:
                sides = (boxes[:, 2:] - boxes[:, :2]).max(1) if len(boxes) else np.array([40.0])
                side = float(np.clip(np.median(sides), 16, 120))
                pixels, boxes = self._paste(rng, pixels, boxes, int(rng.integers(1, 5)), side)
        if rng.random() < recipe.augmented:
            pixels = augment(rng, pixels)
        return pixels, boxes

    def _view(self, rng: np.random.Generator, scene: TrainingPhoto) -> tuple[Pixels, Boxes]:
        """A photo seen from elsewhere: turned, stretched, leaned and zoomed so that a die chosen by chance has a size
        chosen by chance."""
        recipe, size = self._recipe, self._recipe.size
        height, width = scene.pixels.shape[:2]
        if len(scene.boxes):
            shares = scene.weights / scene.weights.sum() if len(scene.weights) else None
            box = scene.boxes[rng.choice(len(scene.boxes), p=shares)]
            side = float((box[2:] - box[:2]).max())
            wanted = float(np.exp(rng.uniform(np.log(recipe.dice[0]), np.log(recipe.dice[1]))))
            zoom = min(wanted / side, _LARGEST_UPSCALING)
            zoom = max(
                zoom,
                0.5 * size / max(height, width),
                _SMALLEST_DIE / float((scene.boxes[:, 2:] - scene.boxes[:, :2]).max(1).min()),
            )
            focus = (box[:2] + box[2:]) / 2
        else:
            zoom = size / max(height, width) * float(np.exp(rng.uniform(-0.2, 1.0)))
            focus = np.array([rng.uniform(0, width), rng.uniform(0, height)])
        turn = float(rng.integers(4)) * 90 + (rng.uniform(-12, 12) if rng.random() < 0.6 else rng.uniform(-45, 45))
        if rng.random() < 0.25:
            turn = float(rng.integers(4) * 90)
        cos, sin = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
        stretch = np.exp(rng.normal(0, 0.12))
        mirror = 1.0 if rng.random() < 0.5 else -1.0
        linear = zoom * np.array([[cos, -sin], [sin, cos]]) @ np.diag([stretch * mirror, 1 / stretch])
        if rng.random() < 0.7:  # the chosen die somewhere inside; else the photo's middle in the middle
            target = rng.uniform(0.12, 0.88, 2) * size
            if len(scene.boxes) and rng.random() < _ACROSS:
                reach = zoom * side / 2 * float(rng.uniform(-0.8, 0.8))
                target[int(rng.integers(2))] = reach if rng.random() < 0.5 else size - reach
        else:
            focus, target = (
                np.array([width / 2, height / 2]),
                np.array([size / 2, size / 2]) + rng.normal(0, 0.1 * size, 2),
            )
        matrix = np.eye(3)
        matrix[:2, :2] = linear
        matrix[:2, 2] = target - linear @ focus
        lean = np.eye(3)
        lean[2, :2] = rng.normal(0, 0.25, 2) / size if rng.random() < 0.5 else 0.0
        middle = np.array([[1, 0, -size / 2], [0, 1, -size / 2], [0, 0, 1.0]])
        matrix = np.linalg.inv(middle) @ lean @ middle @ matrix
        picture = (
            self._table_top(rng) if rng.random() < 0.7 else np.full((size, size, 3), rng.integers(0, 256, 3), np.uint8)
        )
        method = cv2.INTER_AREA if zoom < 0.5 else cv2.INTER_LINEAR
        if zoom < 0.6:  # warping does not average: shrink first
            small = cv2.resize(scene.pixels, None, fx=zoom * 1.2, fy=zoom * 1.2, interpolation=cv2.INTER_AREA)
            matrix_small = matrix @ np.diag([width / small.shape[1], height / small.shape[0], 1.0])
            cv2.warpPerspective(
                small,
                matrix_small,
                (size, size),
                dst=picture,
                flags=cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_TRANSPARENT,
            )
        else:
            cv2.warpPerspective(
                scene.pixels, matrix, (size, size), dst=picture, flags=method, borderMode=cv2.BORDER_TRANSPARENT
            )
        return _clip(rng, picture, transform_boxes(scene.boxes, matrix))

    def _table_top(self, rng: np.random.Generator) -> Pixels:
        """A patch of a table top at any scale, sometimes two side by side."""
        size = self._recipe.size
        picture = self._patch(rng)
        if rng.random() < 0.2:  # the edge of a table or a cloth
            other, mask = self._patch(rng), np.zeros((size, size), np.uint8)
            cv2.fillPoly(mask, [(rng.uniform(-0.3, 1.3, (4, 2)) * size).astype(np.int32)], 255)
            picture = np.where(mask[:, :, None] > 0, other, picture)
        return picture

    def _patch(self, rng: np.random.Generator) -> Pixels:
        size = self._recipe.size
        top = self._tops[int(rng.integers(len(self._tops)))]
        zoom = float(np.exp(rng.uniform(np.log(0.35), np.log(2.0)))) * size / max(top.shape[:2])
        matrix = cv2.getRotationMatrix2D(
            (rng.uniform(0, top.shape[1]), rng.uniform(0, top.shape[0])), rng.uniform(0, 360), zoom
        )
        patch = cv2.warpAffine(top, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        if rng.random() < 0.5:
            patch = np.clip(patch * rng.uniform(0.4, 1.5, 3) ** 0.7, 0, 255).astype(np.uint8)
        return np.asarray(patch, np.uint8)

    def _paste(
        self, rng: np.random.Generator, pixels: Pixels, boxes: Boxes, count: int, side: float
    ) -> tuple[Pixels, Boxes]:
        """Puts `count` dice and about as many other things, some `side` pixels large, where no die lies yet."""
        taken = list(boxes)
        pasted: list[Boxes] = []
        shadow = (rng.normal(0, 0.25, 2), rng.uniform(0.0, 0.7), rng.uniform(0.05, 0.35))
        others = int(rng.integers(0, 6)) if rng.random() < 0.6 else 0
        kinds = [True] * count + [False] * others
        rng.shuffle(kinds)
        for is_die in kinds:
            cutout = self._cutouts[int(rng.integers(len(self._cutouts)))] if is_die else distractor(rng, self._patch)
            own = max(cutout.box[2] - cutout.box[0], cutout.box[3] - cutout.box[1])
            zoom = min(side * float(np.exp(rng.normal(0, 0.15))) / own, _LARGEST_UPSCALING)
            placed = _place(rng, cutout, zoom, pixels.shape[0], taken)
            if placed is None:
                continue
            layer, opacity, corner, box = placed
            _lay(pixels, layer, opacity, corner, shadow)
            taken.append(box)
            if is_die:
                pasted.append(box)
        together = np.concatenate([boxes, np.array(pasted, np.float32).reshape(-1, 4)])
        return _clip(rng, pixels, together)


def transform_boxes(boxes: Boxes, matrix: np.ndarray) -> Boxes:
    """The boxes (n, 4) around the dice after the homography `matrix` (3, 3)."""
    if not len(boxes):
        return np.zeros((0, 4), np.float32)
    centre, half = (boxes[:, :2] + boxes[:, 2:]) / 2, (boxes[:, 2:] - boxes[:, :2]) / 2
    points = centre[:, None] + half[:, None] * _OUTLINE[None]
    moved = points @ matrix[:2, :2].T + matrix[:2, 2]
    moved = moved / (points @ matrix[2, :2] + matrix[2, 2])[..., None]
    return np.concatenate([moved.min(1), moved.max(1)], axis=1).astype(np.float32)


def _clip(rng: np.random.Generator, pixels: Pixels, boxes: Boxes) -> tuple[Pixels, Boxes]:
    """Boxes cut at the picture's edge; dice that are nearly out of it, or too small to read, painted over."""
    if not len(boxes):
        return pixels, boxes
    size = pixels.shape[0]
    cut = boxes.clip(0, size)
    area = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    share = np.prod(cut[:, 2:] - cut[:, :2], axis=1) / np.maximum(area, 1e-6)
    large = (cut[:, 2:] - cut[:, :2]).min(1) >= _SMALLEST_DIE * 0.7
    kept = (share >= _KEPT_SHARE) & large
    for x0, y0, x1, y1 in cut[~kept & (share > 0)].round().astype(int):
        if x1 > x0 and y1 > y0:
            pixels[y0:y1, x0:x1] = rng.integers(0, 256, 3, dtype=np.uint8)
    return pixels, cut[kept].astype(np.float32)


def _place(
    rng: np.random.Generator, cutout: Cutout, zoom: float, size: int, taken: Sequence[np.ndarray]
) -> tuple[Pixels, np.ndarray, tuple[int, int], np.ndarray] | None:
    """The cut-out turned and zoomed, its opacity, the corner where it goes and its box; None where no place was
    free."""
    height, width = cutout.pixels.shape[:2]
    turn = float(rng.integers(4) * 90 + rng.normal(0, 12))
    linear = cv2.getRotationMatrix2D((width / 2, height / 2), turn, zoom)
    if rng.random() < 0.5:
        linear = linear @ np.array([[-1, 0, width], [0, 1, 0], [0, 0, 1.0]])
    reach = int(np.ceil(np.hypot(width, height) * zoom))
    linear = np.asarray(linear, np.float64)
    linear[:, 2] = linear[:, 2] + reach / 2 - np.array([width / 2, height / 2])
    matrix = np.vstack([linear, [0, 0, 1]])
    source, alpha = cutout.pixels, cutout.opacity
    if zoom < 0.6:  # warping does not average: shrink first
        source = np.asarray(cv2.resize(source, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA), np.uint8)
        alpha = np.asarray(cv2.resize(alpha, source.shape[1::-1], interpolation=cv2.INTER_AREA), np.uint8)
        matrix = matrix @ np.diag([width / source.shape[1], height / source.shape[0], 1.0])
    layer = np.asarray(cv2.warpAffine(source, matrix[:2], (reach, reach), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    opacity = cv2.warpAffine(alpha, matrix[:2], (reach, reach)).astype(np.float32) / 255
    x, y, wide, tall = cv2.boundingRect((opacity > 0.5).astype(np.uint8))
    if not wide:
        return None
    box = np.array([x, y, x + wide, y + tall], np.float32)
    for _ in range(8):
        x, y = (rng.uniform(0.02, 0.98, 2) * size - reach / 2).astype(int)
        there = box + np.array([x, y, x, y])
        centre = (there[:2] + there[2:]) / 2
        inside = (centre > 0).all() and (centre < size).all()
        if inside and overlaps(there[None], np.array(taken).reshape(-1, 4))[1].max(initial=0.0) < _OVERLAPPING:
            break
    else:
        return None
    return layer, opacity, (int(x), int(y)), there


def _lay(
    pixels: Pixels, layer: Pixels, opacity: np.ndarray, corner: tuple[int, int], shadow: tuple[np.ndarray, float, float]
) -> None:
    """Lays a layer with its shadow onto the picture, in place."""
    direction, darkness, softness = shadow
    reach = layer.shape[0]
    if darkness > 0.05:
        blur = max(1, int(reach * softness * 0.5)) | 1
        dark = cv2.GaussianBlur(opacity, (blur, blur), 0) * darkness
        offset = (corner[0] + int(direction[0] * reach), corner[1] + int(direction[1] * reach))
        blend(pixels, np.zeros_like(layer), dark, offset)
    blend(pixels, layer, opacity, corner)


def blend(pixels: Pixels, layer: Pixels, opacity: np.ndarray, corner: tuple[int, int]) -> None:
    """Lays a layer (h, w, 3) with opacity (h, w) 0..1 onto the picture, in place, its upper left corner at x, y. Parts
    beyond the picture are left out."""
    height, width = layer.shape[:2]
    x, y = corner
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + width, pixels.shape[1]), min(y + height, pixels.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    part = opacity[y0 - y : y1 - y, x0 - x : x1 - x, None]
    target = pixels[y0:y1, x0:x1]
    target[:] = (target * (1 - part) + layer[y0 - y : y1 - y, x0 - x : x1 - x] * part).astype(np.uint8)
