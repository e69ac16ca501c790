"""Composes a picture: where the camera stands, what lies where, which light falls on it. It traces nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from datasets.render import dice_styles, glyphs, lights, lookalikes, post, tables
from datasets.render import layout as at
from datasets.render.dice_styles import DieStyle
from datasets.render.presets import Preset
from datasets.render.scene import Array, Colour, PinholeCamera, RenderScene, Solid

FRAMES: Final = [(640, 480), (480, 640), (640, 640), (640, 360), (360, 640)]
_FRAME_WEIGHTS: Final = [0.36, 0.28, 0.18, 0.09, 0.09]

_LOW: Final = 64.0  # degrees from straight above, from which on the camera stands at dice height
_SQUEEZES: Final = 800  # how many places are tried for a die among many


@dataclass
class Composition:
    """A scene, how it is photographed, and whether unreadable dice stay in as lookalikes."""

    scene: RenderScene
    look: post.PhotoStyle
    focus: float
    keep_cut: bool
    facts: dict[str, float]


def compose(
    rng: np.random.Generator,
    preset: Preset,
    longest: int,
    textures: str | None,
    values: Sequence[int] | None = None,
    frame: tuple[int, int] | None = None,
) -> Composition:
    """Composes one picture. values: the dice to show, else random; frame: width and height, else random."""
    if frame is None:
        width, height = FRAMES[int(rng.choice(len(FRAMES), p=_FRAME_WEIGHTS))]
        width, height = round(width * longest / 640), round(height * longest / 640)
    else:
        width, height = frame
    values = list(values) if values is not None else _throw(rng, preset)
    unit = max(width, height) / 640
    ordinary = not preset.plain and bool(rng.random() < preset.ordinary)
    edge, camera, facts = _camera(rng, preset, len(values), width, height, ordinary)
    reach = 0.6 * max(width, height) / edge
    # a slanting view shows more of the table
    slant = float(np.sqrt(np.cos(np.radians(facts["tilt"]))))
    per_unit = edge * (1.0 if preset.plain else float(rng.uniform(0.75, 1.05)) * slant)
    side = int((2.4 if preset.plain else 1.6) * max(width, height))
    table = tables.any_table(rng, side, per_unit, textures, wood=preset.plain)
    if preset.views:
        tables.trouble(rng, table)
    bodies: list[Solid] = []
    spread = float(np.clip(min(width, height) / edge / 6, 1.0, 6.0))
    if not preset.plain and not (ordinary and rng.random() < 0.7):
        _lay_flat(rng, table, spread)
    tray = not preset.plain and bool(rng.random() < (0.08 if ordinary else 0.15))
    limit = None
    if tray:
        walls, limit = lookalikes.tray(
            rng, 0.0, 0.0, float(rng.uniform(0.55, 1.1)) * min(width, height) / edge / 2 + 1.0
        )
        bodies += walls
        if rng.random() < 0.8:
            tables.fill(table, limit, rng)
    if not preset.plain and rng.random() < (0.12 if ordinary else 0.35):
        _clutter(rng, camera, bodies)
    styles = _styles(rng, preset, len(values), ordinary)
    lay_dice(rng, preset, values, styles, camera, bodies, limit, whole=preset.hidden_tops)
    if rng.random() < preset.like * (0.3 if ordinary else 1.2):
        _like(rng, preset, camera, bodies, table, reach)
    mean = table.map[::16, ::16].reshape(-1, 3).mean(0).clip(0, 1).astype(np.float64) ** 2.2
    mood = lights.plain(rng, mean) if preset.plain else lights.any_mood(rng, mean, camera.position, reach)
    toward = mood.lights[0].position[:2]
    steep = float(np.hypot(*toward) / mood.lights[0].position[2])
    if steep > 0.05:
        tables.relief(table, toward / np.hypot(*toward), float(rng.uniform(0.3, 1.0)) * min(3.0, steep) * 1.5)
    room = replace(mood.room, table_f0=table.f0, table_rough=table.rough)
    if not preset.plain and rng.random() < 0.12:
        angle = float(rng.uniform(0, 2 * np.pi))
        tone = rng.uniform(0.0, 0.35, 3)
        edge_at = (
            float(np.cos(angle)),
            float(np.sin(angle)),
            float(rng.uniform(0.7, 1.3)) * 0.6 * min(width, height) / edge,
        )
        room = replace(room, edge=edge_at, beyond=(float(tone[0]), float(tone[1]), float(tone[2])))
        bodies = [b for b in bodies if edge_at[0] * b.position[0] + edge_at[1] * b.position[1] < edge_at[2] - b.bound]
    scene = RenderScene(
        camera,
        bodies,
        mood.lights,
        mood.windows,
        mood.gobos,
        room,
        table.linear(),
        per_unit,
        glyphs.tiles(),
        table.flats or [],
    )
    look = post.plain_look() if preset.plain else post.any_look(rng, preset.gentle or ordinary)
    # no more blur than leaves the pips of the dice apart
    bear = edge * (0.035 if preset.gentle else 0.055)
    look = replace(
        look,
        miss=min(look.miss * unit, bear),
        shake=min(look.shake * unit, bear * 3.0),
        focus_blur=min(look.focus_blur * unit, bear * 3.0),
        small=max(look.small, min(1.0, (18.0 if preset.gentle else 13.0) / edge)),
    )
    focus = float(np.linalg.norm(camera.position)) * (1.0 if preset.plain else float(np.exp(rng.normal(0, 0.05))))
    return Composition(scene, look, focus, bool(rng.random() < preset.cut_dice), facts)


def _throw(rng: np.random.Generator, preset: Preset) -> list[int]:
    if rng.random() < preset.crowd:
        count = int(rng.integers(13, 26))
    else:
        weights = np.array(preset.counts, np.float64)
        count = int(rng.choice(len(weights), p=weights / weights.sum()))
    return [dice_styles.lying(rng) for _ in range(count)]


def _camera(
    rng: np.random.Generator, preset: Preset, count: int, width: int, height: int, ordinary: bool
) -> tuple[float, PinholeCamera, dict[str, float]]:
    """The edge of a die in pixels at the place where the camera looks, and the camera; it looks at the world's
    origin."""
    longest = max(width, height)
    if preset.plain:
        tilt, roll, focal = float(rng.uniform(20, 34)), float(rng.normal(0, 3)), 0.9 * longest
        azimuth = float(rng.uniform(0, 2 * np.pi))
        edge = longest / float(rng.uniform(9.5, 11.5))
    else:
        low = [0.0, 12.0, 38.0]
        high = [12.0, 38.0, preset.steepest]
        band = int(rng.choice(3, p=[0.3, 0.55, 0.15] if ordinary else [0.22, 0.43, 0.35]))
        tilt = float(rng.uniform(low[band], high[band]))
        roll = float(rng.normal(0, 8)) if rng.random() < 0.55 else float(rng.uniform(0, 360))
        focal = float(np.exp(rng.uniform(np.log(0.7), np.log(2.4)))) * longest
        azimuth = float(rng.uniform(0, 2 * np.pi))
        if preset.flattest:
            tilt, roll = float(rng.uniform(preset.flattest, preset.steepest)), float(rng.normal(0, 4))
        if preset.views:
            tilt = float(rng.uniform(0, preset.steepest))
            roll = float(rng.normal(0, 6)) if rng.random() < 0.8 else float(rng.uniform(0, 360))
        unit = longest / 640
        # this many dice need this much room
        most = min(preset.largest, 0.62 * min(width, height) / unit / np.sqrt(max(1, count)))
        low_edge, high_edge = np.log(preset.smallest), np.log(max(preset.smallest * 1.3, most))
        edge = unit * float(np.exp(low_edge + (high_edge - low_edge) * rng.beta(1.4, 1.1)))
    stretch = float(np.exp(rng.uniform(-0.3, 0.3))) if not preset.plain and rng.random() < 0.1 else 1.0
    far = focal / edge
    camera = aim(tilt, roll, azimuth, far, focal, (width, height), stretch, rng.uniform(-0.06, 0.06, 2))
    if preset.flattest or (preset.views and tilt > _LOW):  # it looks at the dice, not at the table under them
        camera = replace(camera, position=camera.position + np.array([0.0, 0.0, 0.5]))
    return edge, camera, {"tilt": tilt, "roll": roll, "focal": focal / longest, "edge": edge}


def aim(
    tilt: float,
    roll: float,
    azimuth: float,
    far: float,
    focal: float,
    frame: tuple[int, int],
    stretch: float,
    shift: Array,
) -> PinholeCamera:
    """A camera that looks at the world's origin from `far`: tilt and roll in degrees, azimuth in radians.

    shift: how far the origin lies from the picture's middle, in parts of the picture.
    """
    width, height = frame
    t, r = np.radians(tilt), np.radians(roll)
    position = far * np.array([np.sin(t) * np.cos(azimuth), np.sin(t) * np.sin(azimuth), np.cos(t)])
    forward = -position / far
    right = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    down = np.cross(forward, right)
    axes = np.array([np.cos(r) * right + np.sin(r) * down, np.cos(r) * down - np.sin(r) * right, forward])
    centre = (width * (0.5 + float(shift[0])), height * (0.5 + float(shift[1])))
    return PinholeCamera(position, axes, (focal * stretch**0.5, focal / stretch**0.5), centre, width, height)


def _lay_flat(rng: np.random.Generator, table: tables.TableTop, spread: float) -> None:
    for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.58, 0.22, 0.13, 0.07]))):
        tables.print_on(rng, table, rng.normal(0, spread, 2))


def _clutter(rng: np.random.Generator, camera: PinholeCamera, bodies: list[Solid]) -> None:
    for _ in range(int(rng.choice([1, 2, 3], p=[0.6, 0.25, 0.15]))):
        place = _spot(rng, camera, -0.1)
        if place is not None:
            found = lookalikes.pick(rng, lookalikes.CLUTTER)(rng, float(place[0]), float(place[1]))
            # nothing may stand right before the lens
            if all(float(np.linalg.norm(b.position - camera.position)) > 2.5 * b.bound for b in found):
                bodies += [b for b in found if not any(_collide(b, other) for other in bodies)]


def _like(
    rng: np.random.Generator,
    preset: Preset,
    camera: PinholeCamera,
    bodies: list[Solid],
    table: tables.TableTop,
    reach: float,
) -> None:
    many = int(rng.choice([1, 2, 4, 8], p=[0.25, 0.25, 0.28, 0.22]))
    # the dice of a set are of one make
    shared = dice_styles.any_style(rng).material if rng.random() < 0.45 else None
    for _ in range(many):
        for _ in range(8):
            place = _spot(rng, camera, 0.03)
            if place is None:
                continue
            makers = lookalikes.HARD if preset.views else lookalikes.LIKE
            found = lookalikes.pick(rng, makers)(rng, float(place[0]), float(place[1]))
            if not any(_collide(b, other) for b in found for other in bodies):
                if shared and found[0].kind == at.POLY:
                    found = [replace(found[0], material=replace(shared, ink=_readable_ink(shared.colour)))]
                bodies += found
                break
    if rng.random() < 0.22:
        place = _spot(rng, camera, 0.15)
        if place is not None:
            clear = np.array([[b.position[0], b.position[1], b.bound] for b in bodies]).reshape(-1, 3)
            tables.print_dice(rng, table, place[:2], clear)


def _readable_ink(colour: Colour) -> Colour:
    """White or black, whichever can be read on a colour."""
    return (0.9, 0.9, 0.88) if sum(colour) < 0.9 else (0.02, 0.02, 0.02)


def lay_dice(
    rng: np.random.Generator,
    preset: Preset,
    values: Sequence[int],
    styles: Sequence[DieStyle],
    camera: PinholeCamera,
    bodies: list[Solid],
    limit: Array | None,
    whole: bool = False,
) -> None:
    """Lets the dice fall, one of each style: scattered over the picture, in a heap, in a row, or touching.

    whole: only where the picture shows all of a die.
    """
    manner = str(rng.choice(["scatter", "group", "row", "touch"], p=[0.42, 0.38, 0.06, 0.14]))
    if preset.plain:
        manner = "scatter"
    middle = _spot(rng, camera, 0.3)
    middle = np.zeros(3) if middle is None or limit is not None else middle
    heading = float(rng.uniform(0, 2 * np.pi))
    width = float(rng.uniform(0.6, 1.6)) * np.sqrt(max(1, len(values)))
    margin = 0.16 if preset.plain else 0.06
    thrown: list[Solid] = []
    for k, value in enumerate(values):
        style = styles[k]
        for attempt in range(100 if preset.plain else 60):
            yaw = float(rng.uniform(0, 2 * np.pi))
            if manner == "touch" and thrown and attempt < 20:
                x, y, yaw = _place_beside(rng, thrown[int(rng.integers(len(thrown)))], style)
            elif manner == "row":
                x, y = (
                    middle[:2]
                    + np.array([np.cos(heading), np.sin(heading)]) * (k - len(values) / 2) * 1.6
                    + rng.normal(0, 0.12, 2)
                )
            elif manner == "group" and attempt < 40:
                x, y = middle[:2] + rng.normal(0, width, 2)
            else:
                place = _spot(rng, camera, margin)
                if place is None:
                    continue
                x, y = place[:2]
            if (
                limit is not None
                and cv2.pointPolygonTest(limit.astype(np.float32), (float(x), float(y)), True) < 0.55 * style.size
            ):
                if attempt > 20:
                    x, y = limit.mean(0) + rng.normal(0, 0.25, 2) * np.abs(limit - limit.mean(0)).max()
                if cv2.pointPolygonTest(limit.astype(np.float32), (float(x), float(y)), True) < 0.55 * style.size:
                    continue
            floor = _floor(bodies, float(x), float(y), style.size)
            lean = float(np.radians(rng.uniform(4, 22))) if not preset.gentle and rng.random() < 0.03 else 0.0
            body = dice_styles.die(style, value, float(x), float(y), yaw, floor, lean, float(rng.uniform(0, 6.28)))
            if whole and not _inside(camera, body, 0.005):
                continue
            if not any(_collide(body, other) for other in bodies + thrown):
                if preset.plain and (
                    not _inside(camera, body, 0.06) or _is_crowded(body, thrown, 1.9 - attempt * 0.008)
                ):
                    continue
                thrown.append(body)
                break
    bodies += thrown


def _styles(rng: np.random.Generator, preset: Preset, count: int, ordinary: bool) -> list[DieStyle]:
    """One make for all dice, or several."""
    if preset.plain:
        style = dice_styles.plain_style(rng)
        return [copy(rng, style) for _ in range(count)]
    kinds = 1 if rng.random() < (0.85 if ordinary else 0.55) else int(rng.integers(2, 6))
    scale = 1.0 if kinds == 1 else 0.14
    any_make = dice_styles.hard_style if preset.views else dice_styles.any_style
    makes = [dice_styles.common_style(rng) if ordinary else any_make(rng) for _ in range(kinds)]
    makes = [
        replace(m, size=float(np.clip(np.exp(rng.normal(0, scale if kinds > 1 else 0.0)), 0.65, 1.4))) for m in makes
    ]
    return [copy(rng, makes[int(rng.integers(kinds))]) for _ in range(count)]


def copy(rng: np.random.Generator, style: DieStyle) -> DieStyle:
    """Another die of a make: its own grain."""
    return replace(style, material=replace(style.material, seed=float(rng.uniform(0, 90))))


def fill_with_dice(
    rng: np.random.Generator, values: Sequence[int], styles: Sequence[DieStyle], bodies: list[Solid], outline: Array
) -> None:
    """Lets many dice fall into an outline (k, 2) on the table, close together; dice without room are left out."""
    low, high = outline.min(0), outline.max(0)
    edge = outline.astype(np.float32)
    for value, style in zip(values, styles, strict=True):
        for _ in range(_SQUEEZES):
            x, y = (float(v) for v in rng.uniform(low, high))
            if cv2.pointPolygonTest(edge, (x, y), True) < 0.55 * style.size:
                continue
            body = dice_styles.die(style, value, x, y, float(rng.uniform(0, 2 * np.pi)))
            if not any(_collide(body, other) for other in bodies):
                bodies.append(body)
                break


def _spot(rng: np.random.Generator, camera: PinholeCamera, margin: float) -> Array | None:
    """A point of the table in the picture, not too far off."""
    for _ in range(10):
        x, y = rng.uniform(margin, 1 - margin, 2)
        place = camera.on_table(float(x) * camera.width, float(y) * camera.height, 0.4)
        if place is not None and float(np.linalg.norm(place - camera.position)) < 2.2 * float(
            np.linalg.norm(camera.position)
        ):
            return place
    return None


def _place_beside(rng: np.random.Generator, other: Solid, style: DieStyle) -> tuple[float, float, float]:
    """A place and a turn with which a die of this style touches a side of another die."""
    axis = other.rotation[:, int(rng.integers(3))]
    if abs(axis[2]) > 0.5:
        axis = np.roll(other.rotation, 1, 1)[:, int(np.argmax(np.abs(other.rotation[2])))]
    along = np.array([axis[0], axis[1]]) / (np.hypot(axis[0], axis[1]) + 1e-9) * (1 if rng.random() < 0.5 else -1)
    yaw = float(np.arctan2(along[1], along[0]))
    apart = other.half[0] + style.size / 2 + 0.012
    if rng.random() < 0.4:
        # a corner against a side
        yaw += float(rng.uniform(0.2, 1.3))
        apart = other.half[0] + style.size / 2 * (abs(np.cos(yaw)) + abs(np.sin(yaw))) + 0.02
    slide = float(rng.uniform(-0.6, 0.6)) * style.size
    x, y = other.position[:2] + along * apart + np.array([-along[1], along[0]]) * slide
    return float(x), float(y), yaw


def _floor(bodies: Sequence[Solid], x: float, y: float, size: float) -> float:
    """The height on which a die at x, y lies: a book wholly under it, or the table."""
    for body in bodies:
        if body.what == "box":
            local = body.rotation.T @ (np.array([x, y, 0.0]) - body.position)
            if abs(local[0]) < body.half[0] - 0.8 * size and abs(local[1]) < body.half[1] - 0.8 * size:
                return float(body.position[2] + body.half[2])
    return 0.0


def _footprint(body: Solid) -> Array:
    """Outline of a body from above, (k, 2)."""
    if body.kind == at.BOX:
        corners = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]) * body.half
        return (corners @ body.rotation.T + body.position)[:, :2]
    angles = np.arange(14) * 2 * np.pi / 14
    radius = body.half[0] if body.kind != at.POLY else 0.92 * body.bound
    return np.stack([np.cos(angles), np.sin(angles)], 1) * radius + body.position[:2]


def _span(body: Solid) -> tuple[float, float]:
    """Lowest and highest point of a body, about."""
    high = float(np.abs(body.rotation[2]) @ np.array(body.half)) if body.kind != at.POLY else body.half[0]
    return float(body.position[2]) - high, float(body.position[2]) + high


def _collide(a: Solid, b: Solid) -> bool:
    """Whether two bodies would overlap. Cables, keys and tray walls may overlap their own kind."""
    if a.what == b.what and a.what in ("cable", "keyboard", "cup", "pen", "tray", "pawn", "hand", "toy"):
        return False
    if b.what == "tray" and b.kind == at.RING:
        return False
    away = float(np.hypot(*(a.position[:2] - b.position[:2])))
    if away > a.bound + b.bound:
        return False
    low_a, high_a = _span(a)
    low_b, high_b = _span(b)
    if low_a > high_b - 0.02 or low_b > high_a - 0.02:
        return False
    hull_a = cv2.convexHull(_footprint(a).astype(np.float32))
    hull_b = cv2.convexHull(_footprint(b).astype(np.float32))
    overlap, _ = cv2.intersectConvexConvex(hull_a, hull_b)
    return bool(overlap > 1e-4)


def _is_crowded(body: Solid, others: Sequence[Solid], apart: float) -> bool:
    """Whether another body's middle is nearer than this."""
    return any(float(np.hypot(*(body.position[:2] - other.position[:2]))) < apart for other in others)


def _inside(camera: PinholeCamera, body: Solid, margin: float) -> bool:
    corners = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]) * body.half
    pixels = camera.project(corners @ body.rotation.T + body.position)
    low, high = pixels.min(0), pixels.max(0)
    return bool(
        low[0] > margin * camera.width
        and low[1] > margin * camera.height
        and high[0] < (1 - margin) * camera.width
        and high[1] < (1 - margin) * camera.height
    )
