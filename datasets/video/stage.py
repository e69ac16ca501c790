"""The stage of a turn: table, light, dice, camera; and the tracing of any part of its picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from datasets.render import compose, dice_styles, glyphs, labels, lights, post, tables, tracer
from datasets.render.scene import Array, Image, PinholeCamera, RenderScene, Solid, pack, pack_lights

SEEDS: Final = 6  # the seed space: no other kind of picture has it
MARGIN: Final = 0.07  # of the longer side, round the frame: what a camera that moves may see

Rect = tuple[int, int, int, int]  # x0, y0, x1, y1 in pixels of the plate


@dataclass(frozen=True)
class Stage:
    """The parts of the scene that stay the same in each frame.

    The plate is the traced picture: the frame (width, height) with `margin` pixels round it. edge: of a die in pixels
    where the camera looks.
    """

    scene: RenderScene
    styles: tuple[dice_styles.DieStyle, ...]
    look: post.PhotoStyle
    width: int
    height: int
    margin: int
    edge: float

    @property
    def camera(self) -> PinholeCamera:
        """The camera that sees the plate."""
        return self.scene.camera

    @property
    def plate(self) -> Rect:
        """All of the plate."""
        return 0, 0, self.camera.width, self.camera.height

    @property
    def inside(self) -> Rect:
        """The frame as it lies in the plate when the camera is at rest."""
        return self.margin, self.margin, self.margin + self.width, self.margin + self.height

    def trace(self, bodies: list[Solid], part: Rect, samples: int, seed: int, coarse: int = 1) -> Image:
        """Linear light (h, w, 3) of a part of the plate with these dice; coarse: only every so many pixels."""
        x0, y0, x1, y1 = part
        row = self.camera.row()
        row[-2:] -= (x0, y0)
        row[-4:] /= coarse
        packed = pack(bodies)
        lamps, gobos, env, windows = pack_lights(self.scene)
        light, _ = tracer.render(
            row,
            packed.bodies,
            packed.planes,
            packed.pips,
            packed.faces,
            packed.decals,
            self.scene.tiles,
            lamps,
            gobos,
            env,
            windows,
            self.scene.table,
            self.scene.per_unit,
            -(-(x1 - x0) // coarse),
            -(-(y1 - y0) // coarse),
            samples,
            max(1, samples // 2),
            seed,
        )
        return light

    def touched_area(self, body: Solid) -> Rect:
        """The part of the plate that a die changes: itself, its shadows, its dark foot; empty if invisible."""
        top = float(body.position[2]) + body.bound
        points = [body.position + body.bound * np.array([a, b, c]) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
        foot = np.array([body.position[0], body.position[1], 0.0])
        centres = [(foot, body.bound + 0.6)]
        for lamp in self.scene.lights:
            far = (lamp.position - foot) / max(0.5, float(lamp.position[2]) - top) * min(top, 4.0)
            centres.append((foot - np.array([far[0], far[1], 0.0]), body.bound + 0.3 + 3.0 * lamp.size * min(top, 3.0)))
        points += [c + r * np.array([a, b, 0.0]) for c, r in centres for a in (-1, 1) for b in (-1, 1)]
        pixels = self.camera.project(np.array(points))
        low, high = np.floor(pixels.min(0)) - 2, np.ceil(pixels.max(0)) + 2
        x0, y0, x1, y1 = self.plate
        return (
            int(np.clip(low[0], x0, x1)),
            int(np.clip(low[1], y0, y1)),
            int(np.clip(high[0], x0, x1)),
            int(np.clip(high[1], y0, y1)),
        )

    def point(self, x: float, y: float, height: float = 0.0) -> Array:
        """The point of the table (x, y) that the frame shows at x, y (parts of its width and height)."""
        px, py = self.margin + x * self.width, self.margin + y * self.height
        spot = self.camera.on_table(px, py, height)
        assert spot is not None  # the camera never sees the horizon: see _camera
        return spot[:2]

    def sights(self, bodies: list[Solid]) -> dict[int, labels.VisibleSolid]:
        """The visible part of each die, in pixels of the plate."""
        return labels.look(replace(self.scene, bodies=bodies))


def any_stage(seed: int, number: int, attempt: int, size: tuple[int, int], textures: str | None, count: int) -> Stage:
    """A table with `count` dice to throw, seen in a frame of this size (width, height)."""
    rng = np.random.default_rng([SEEDS, seed, number, attempt])
    width, height = size
    edge, camera, margin = _camera(rng, size)
    longest = max(width, height)
    table = tables.any_table(rng, int(2.0 * longest), edge, textures)
    if rng.random() < 0.2:
        tables.print_on(rng, table, rng.normal(0, 3.0, 2))
    mean = table.map[::16, ::16].reshape(-1, 3).mean(0).clip(0, 1).astype(np.float64) ** 2.2
    kind = str(rng.choice(["room", "lamp", "window", "overcast", "sun"], p=[0.4, 0.25, 0.15, 0.15, 0.05]))
    mood = lights.any_mood(rng, mean, camera.position, 0.6 * longest / edge, kind)
    room = replace(mood.room, table_f0=table.f0, table_rough=table.rough)
    scene = RenderScene(
        camera, [], mood.lights, mood.windows, mood.gobos, room, table.linear(), table.per_unit, glyphs.tiles()
    )
    make = dice_styles.common_style(rng) if rng.random() < 0.8 else dice_styles.odd_style(rng)
    styles = tuple(compose.copy(rng, make) for _ in range(count))
    look = _look(rng, edge)
    return Stage(scene, styles, look, width, height, margin, edge)


def _camera(rng: np.random.Generator, size: tuple[int, int]) -> tuple[float, PinholeCamera, int]:
    """The edge of a die in pixels, the camera that sees the plate, and the plate's margin."""
    width, height = size
    longest = max(size)
    margin = int(np.ceil(MARGIN * longest))
    edge = longest / float(rng.uniform(10.5, 16.0))
    tilt = float(rng.choice([rng.uniform(0, 12), rng.uniform(12, 25), rng.uniform(25, 36)], p=[0.45, 0.4, 0.15]))
    # from aslant with a longer lens: a wide one would see far beyond any table
    focal = float(rng.uniform(0.85, 1.5) if tilt < 20 else rng.uniform(1.25, 1.9)) * longest
    roll, azimuth = float(rng.normal(0, 5)), float(rng.uniform(0, 2 * np.pi))
    plate = (width + 2 * margin, height + 2 * margin)
    camera = compose.aim(tilt, roll, azimuth, focal / edge, focal, plate, 1.0, rng.uniform(-0.02, 0.02, 2))
    return edge, camera, margin


def _look(rng: np.random.Generator, edge: float) -> post.PhotoStyle:
    """Some camera that films: what a single picture may have, without what only single pictures have."""
    look = post.any_look(rng, True)
    return replace(
        look,
        exposure=float(np.clip(look.exposure + 0.12, 0.68, 0.98)),
        contrast=float(np.clip(look.contrast, 0.85, 1.35)),
        saturation=float(np.clip(look.saturation, 0.5, 1.4)),
        miss=min(look.miss, 0.02 * edge),
        noise=min(look.noise, 0.012),
        vignette=min(look.vignette, 0.3),
        sharpen=min(look.sharpen, 1.0),
    )


def union(parts: Sequence[Rect]) -> list[Rect]:
    """Rectangles that cover all of these without overlapping one another; empty ones are left out."""
    found: list[Rect] = []
    for part in parts:
        if part[0] >= part[2] or part[1] >= part[3]:
            continue
        grown = part
        while True:
            near = [r for r in found if _overlap(r, grown)]
            if not near:
                break
            found = [r for r in found if r not in near]
            corners = np.array([*near, grown])
            low, high = corners[:, :2].min(0), corners[:, 2:].max(0)
            grown = int(low[0]), int(low[1]), int(high[0]), int(high[1])
        found.append(grown)
    return found


def _overlap(a: Rect, b: Rect) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
