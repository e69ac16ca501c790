"""A hand over the table: its place at a time, and how it and its shadow are drawn over a traced picture.

Lengths are in edges of a die. A hand is a flat shape of round parts at a height over the table, shaded as if round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from datasets.render.scene import Array, Colour, Image, linear
from datasets.video.stage import Stage

# Parts: along and across at both ends, radius; along points to the fingertips, the hand grips at the origin.
_ARM: Final = ((-24.0, 0.0, -4.2, 0.0, 1.45),)
_PALM: Final = ((-3.4, 0.0, -1.6, 0.0, 1.75), (-1.0, -0.9, -1.0, 0.9, 1.3), (-3.0, 1.2, -1.0, 2.1, 0.62))
_FINGERS: Final = tuple(
    (-0.9, v, long, v * 1.12, 0.5) for v, long in ((-1.4, 1.0), (-0.47, 1.5), (0.47, 1.6), (1.4, 1.2))
)
_PARTS: Final = np.array([*_ARM, *_PALM, *_FINGERS])
TIP: Final = 2.3  # how far the hand reaches beyond the point where it grips
# Parts of a radius, and how light a hand is within them.
_ROUND: Final = np.array([1.0, 0.85, 0.6])
_TONES: Final = (0.55, 0.82, 1.0)
_NEAREST: Final = 0.4  # how near to the camera a hand may come, as a part of how far off the middle of the table is
_NOWHERE: Final = -9000.0  # pixels
_CIRCLE: Final = np.stack([np.cos(np.arange(20) * np.pi / 10), np.sin(np.arange(20) * np.pi / 10)], 1)
_COARSE: Final = 2  # hands are drawn at half the size: they are soft
_FAINT: Final = 2  # and their shadows at half of that

SKINS: Final[tuple[Colour, ...]] = (
    (0.87, 0.66, 0.54),
    (0.78, 0.56, 0.43),
    (0.62, 0.42, 0.30),
    (0.40, 0.26, 0.19),
    (0.26, 0.17, 0.13),
    (0.10, 0.10, 0.11),  # a glove
)
SLEEVES: Final[tuple[Colour, ...]] = ((0.12, 0.14, 0.2), (0.5, 0.12, 0.12), (0.75, 0.73, 0.7), (0.2, 0.3, 0.22))


@dataclass(frozen=True)
class Key:
    """Where a hand is at a time: its grip over the table (x, y) and its height."""

    at: float
    x: float
    y: float
    height: float


@dataclass(frozen=True)
class HandVisit:
    """One visit of a hand: keys in order of time, its direction (radians), its linear colours; mirrored: a left
    hand."""

    keys: tuple[Key, ...]
    heading: float
    skin: Colour
    sleeve: Colour
    mirrored: bool = False

    def where(self, at: float) -> Array | None:
        """The hand's grip (x, y, height) at a time; None before and after the visit. It is slow at each key."""
        if not self.keys or at < self.keys[0].at or at > self.keys[-1].at:
            return None
        for a, b in zip(self.keys, self.keys[1:], strict=False):
            if at <= b.at:
                k = (at - a.at) / max(1e-6, b.at - a.at)
                k = k * k * (3 - 2 * k)
                first, second = np.array([a.x, a.y, a.height]), np.array([b.x, b.y, b.height])
                return np.asarray(first + k * (second - first))
        return np.array([self.keys[-1].x, self.keys[-1].y, self.keys[-1].height])

    def is_in_frame(self, stage: Stage, at: float) -> bool:
        """Whether any part of the hand is in the frame."""
        grip = self.where(at)
        if grip is None:
            return False
        x0, y0, x1, y1 = stage.inside
        ends, radii = self._ends(stage, grip)
        k = np.linspace(0, 1, 12)[:, None, None]
        points = ends[:, 0] + k * (ends[:, 1] - ends[:, 0])
        reach = radii.max(axis=1)
        across = (points[..., 0] > x0 - reach) & (points[..., 0] < x1 + reach)
        return bool((across & (points[..., 1] > y0 - reach) & (points[..., 1] < y1 + reach)).any())

    def _ends(self, stage: Stage, grip: Array, lamp: Array | None = None) -> tuple[Array, Array]:
        """Pixels of each part's ends (parts, 2, 2) and its radii there (parts, 2); lamp: of the shadow by a lamp."""
        along, across = _PARTS[:, (0, 2)], _PARTS[:, (1, 3)] * (-1 if self.mirrored else 1)
        c, s = np.cos(self.heading), np.sin(self.heading)
        # the wrist is higher than the fingers
        height = grip[2] + 0.12 * np.clip(-along, 0, 6)
        points = np.stack([grip[0] + c * along - s * across, grip[1] + s * along + c * across, height], 2)
        if lamp is not None:
            away = (points - lamp) / np.maximum(0.5, lamp[2] - points[..., 2:3])
            points = points + away * points[..., 2:3]
            points[..., 2] = 0.0
        camera = stage.camera
        far = (points - camera.position) @ camera.axes[2]
        near = _NEAREST * float(np.linalg.norm(camera.position))
        # what comes too near to the camera, or is behind it, is cut off; of a part that is wholly so, nothing is left
        cut = np.clip((near - far) / np.where(np.abs(far - far[:, ::-1]) < 1e-9, 1e-9, far[:, ::-1] - far), 0, 1)
        points = np.where((far < near)[..., None], points + cut[..., None] * (points[:, ::-1] - points), points)
        far = np.maximum((points - camera.position) @ camera.axes[2], near)
        radii = _PARTS[:, 4:5] * float(np.mean(camera.focal)) / far
        pixels = camera.project(points.reshape(-1, 3)).reshape(-1, 2, 2)
        hidden = (((points - camera.position) @ camera.axes[2]) < near - 1e-6).any(axis=1)
        return np.where(hidden[:, None, None], _NOWHERE, pixels), np.where(hidden[:, None], 0.0, radii)

    def paint(self, stage: Stage, picture: Image, times: tuple[float, ...], light: Colour) -> Image:
        """The plate's picture (linear) with the hand as it was at these times, averaged, and its shadow."""
        grips = [grip for grip in map(self.where, times) if grip is not None]
        if not grips:
            return picture
        height, width = picture.shape[:2]
        shape = (-(-height // _COARSE), -(-width // _COARSE))
        ink = self._draw_at(stage, grips, shape, light) / np.float32(len(times))
        dark = self._shadow(stage, grips, shape, float(len(times)))
        full = cv2.resize(ink, (width, height), interpolation=cv2.INTER_LINEAR)
        left = (1.0 - cv2.resize(dark, (width, height), interpolation=cv2.INTER_LINEAR)) * (1.0 - full[:, :, 3])
        painted: Image = picture * left[:, :, None]
        painted += full[:, :, :3]
        return painted

    def _draw_at(self, stage: Stage, grips: list[Array], shape: tuple[int, int], light: Colour) -> Image:
        """Colours (premultiplied) and cover (h, w, 4), summed over the places of the hand."""
        total = np.zeros((*shape, 4), np.float32)
        colours = [self.sleeve] * len(_ARM) + [self.skin] * (len(_PARTS) - len(_ARM))
        for grip in grips:
            layer = np.zeros((*shape, 4), np.float32)
            for ends, radii, colour in zip(*self._ends(stage, grip), colours, strict=True):
                lit = [c * li for c, li in zip(colour, light, strict=True)]
                for hull, tone in zip(_hulls(ends, radii, _ROUND), _TONES, strict=True):
                    ink = (lit[0] * tone, lit[1] * tone, lit[2] * tone, 1.0)
                    cv2.fillConvexPoly(layer, hull, ink, cv2.LINE_8, 3)
            total += layer
        return np.asarray(cv2.GaussianBlur(total, (0, 0), max(0.6, 0.05 * stage.edge / _COARSE)))

    def _shadow(self, stage: Stage, grips: list[Array], shape: tuple[int, int], share: float) -> Image:
        """How much light the hand keeps from what is under it, 0 to 1: the first lamp's and the room's. (h, w), of
        which each holds _FAINT of `shape`."""
        lamp = stage.scene.lights[0]
        key, room = float(np.mean(lamp.colour)), float(np.mean(stage.scene.room.up))
        height = float(np.mean([grip[2] for grip in grips]))
        coarse = _COARSE * _FAINT
        shape = (-(-shape[0] // _FAINT), -(-shape[1] // _FAINT))
        through = np.ones(shape, np.float32)
        for place, strength, wide in (
            (lamp.position, 0.9 * key / (key + room), 0.1 + 1.2 * lamp.size * height),
            (np.array([0.0, 0.0, 400.0]), 0.3, 0.9),
        ):
            total = np.zeros(shape, np.float32)
            for grip in grips:
                mask = np.zeros(shape, np.float32)
                for ends, radii in zip(*self._ends(stage, grip, place), strict=True):
                    cv2.fillConvexPoly(mask, _hulls(ends, radii, np.ones(1), coarse)[0], 1.0, cv2.LINE_8, 3)
                total += mask
            soft = cv2.GaussianBlur(total / np.float32(share), (0, 0), max(0.6, min(wide, 2.0) * stage.edge / coarse))
            through *= 1.0 - np.float32(strength) * soft
        return 1.0 - through


def _hulls(ends: Array, radii: Array, shares: Array, coarse: int = _COARSE) -> list[Image]:
    """Outlines of a part whose radii are these shares of it, in eighths of the pixels of what is drawn on, each of
    which is `coarse` pixels of the plate wide."""
    rings = _CIRCLE * (shares[:, None] * radii)[:, :, None, None] + ends[:, None]
    return [cv2.convexHull(ring) for ring in np.rint(rings.reshape(len(shares), -1, 2) * (8 / coarse)).astype(np.int32)]


def colours(rng: np.random.Generator) -> tuple[Colour, Colour]:
    """Linear colours of a person's hand and sleeve; some wear none."""
    skin = SKINS[int(rng.integers(len(SKINS)))]
    bare = rng.random() < 0.35
    return linear(skin), linear(skin if bare else SLEEVES[int(rng.integers(len(SLEEVES)))])
