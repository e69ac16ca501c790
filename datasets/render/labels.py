"""The exact content of a rendered picture: boxes by an identity mask, values, pips; as YOLO lines and as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.render import dice_styles, glyphs, tracer
from datasets.render.scene import Array, Image, PinholeCamera, RenderScene, Solid, pack

_MIRRORS, _DULL = 0.05, 0.2  # a table's reflectance and roughness, from which on and up to which it mirrors dice
_CORNERS: Final = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
LOOKALIKE: Final = 6  # YOLO class of what must not be read
NAMES: Final = ("1", "2", "3", "4", "5", "6", "not-a-die")

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class FaceSeen:
    """A visible face of a die: its value, its pixels, and the places of its pips with those that are visible.

    A face with a logo has places in the logo's ink instead of pips.
    """

    value: int
    pixels: int
    pips: tuple[tuple[float, float], ...]
    seen: tuple[bool, ...]
    round: tuple[tuple[tuple[float, float], ...], ...] = ()  # for each pip, four places on the face beside it


@dataclass(frozen=True)
class Label:
    """One die or lookalike. box: around its visible part; whole: around all of it, as if nothing hid or cut it.

    value: 1..6 of a readable die, None for lookalikes and for an "unreadable die". visible: the visible share; faces:
    most visible first, the top one marked by its value. tilt: degrees between a die's top face and level. contrast: how
    far (of 255) its pips are from the face round them. elevation: degrees by which the camera stands above the table,
    seen from the thing.
    """

    what: str
    value: int | None
    box: Box
    whole: Box
    visible: float
    tilt: float = 0.0
    faces: tuple[FaceSeen, ...] = ()
    contrast: float = 0.0
    elevation: float = 90.0

    @property
    def kind(self) -> int:
        """YOLO class: value - 1, or LOOKALIKE."""
        return LOOKALIKE if self.value is None else self.value - 1


@dataclass(frozen=True)
class VisibleSolid:
    """A body in the picture: its visible pixels, its visible share of the top face, and its label."""

    label: Label
    pixels: int
    top: float  # part of the top face that is in sight
    pips: bool  # every pip of the top face is in sight
    inside: bool  # wholly in the picture


def settle(scene: RenderScene, keep_cut: bool, hidden_tops: bool = False) -> list[Label]:
    """Labels of all dice and lookalikes; removes dice that are not surely readable from the scene.

    keep_cut: dice that are surely unreadable (top face hidden or outside) stay and are labelled as lookalikes.
    hidden_tops: dice that are half in sight stay with their values, whatever the picture shows of their top faces.
    """
    while True:
        sights = look(scene)
        out = set()
        unreadable = set()
        for i, sight in sights.items():
            readable = _half_in_sight(sight) if hidden_tops else _readable(scene.bodies[i], sight)
            if scene.bodies[i].what != "die" or readable:
                continue
            if keep_cut and sight.top < 0.35 and sight.label.visible > 0.15 and sight.pixels > 60:
                unreadable.add(i)
            else:
                out.add(i)
        gone = {i for i, body in enumerate(scene.bodies) if body.what == "die" and i not in sights}
        if not out:
            break
        scene.bodies = [body for i, body in enumerate(scene.bodies) if i not in out and i not in gone]
    labels = []
    for i, sight in sights.items():
        body = scene.bodies[i]
        if body.what == "die":
            labels.append(replace(sight.label, what="unreadable die", value=None) if i in unreadable else sight.label)
        elif body.like and sight.pixels >= 40 and sight.label.visible > 0.3:
            labels.append(sight.label)
    return labels + _flats(scene)


def look(scene: RenderScene) -> dict[int, VisibleSolid]:
    """The visible part of each body, by its place in the scene; invisible bodies are left out."""
    camera = scene.camera
    packed = pack(scene.bodies)
    if not scene.bodies:
        return {}
    ids, faces, alone, alone_faces = tracer.identify(
        camera.row(), packed.bodies, packed.planes, camera.width, camera.height, 0
    )
    found = {}
    for i, body in enumerate(scene.bodies):
        if not (body.like or body.what == "die"):
            continue
        x0, y0, x1, y1 = (int(v) for v in np.clip(alone[i, :4], 0, [camera.width, camera.height] * 2))
        if x1 <= x0 or y1 <= y0 or alone[i, 4] < 1:
            continue
        mine = ids[y0:y1, x0:x1] == i
        pixels = int(mine.sum())
        if not pixels:
            continue
        found[i] = _sight(body, camera, ids, faces, i, mine, (x0, y0), alone[i], alone_faces[i])
    return found


def with_contrast(labels: list[Label], pixels: Image) -> list[Label]:
    """The labels with the contrast of each die's pips in the finished picture (h, w, 3; uint8). The second weakest pip
    counts (the only one of a one or two): a glint on one pip does not hide a value."""
    return [replace(label, contrast=_contrast(label, pixels)) if label.value else label for label in labels]


def yolo(labels: list[Label], width: int, height: int) -> str:
    """YOLO lines: class, centre and size of the box, normalised."""
    lines = []
    for label in labels:
        x0, y0, x1, y1 = label.box
        row = ((x0 + x1) / 2 / width, (y0 + y1) / 2 / height, (x1 - x0) / width, (y1 - y0) / height)
        lines.append(f"{label.kind} " + " ".join(f"{v:.6f}" for v in row) + "\n")
    return "".join(lines)


def to_json(labels: list[Label]) -> dict[str, Any]:
    """Dice and lookalikes as plain JSON data; pixels to a tenth."""
    rows = [_row(label) for label in labels]
    return {
        "values": sorted(label.value for label in labels if label.value is not None),
        "dice": [row for row in rows if row["value"] is not None],
        "others": [row for row in rows if row["value"] is None],
    }


def _sight(
    body: Solid,
    camera: PinholeCamera,
    ids: npt.NDArray[np.int16],
    faces: npt.NDArray[np.int8],
    i: int,
    mine: npt.NDArray[np.bool_],
    corner: tuple[int, int],
    alone: Array,
    alone_faces: Array,
) -> VisibleSolid:
    columns, rows = np.flatnonzero(mine.any(0)), np.flatnonzero(mine.any(1))
    x0, y0 = corner
    box = (float(x0 + columns[0]), float(y0 + rows[0]), float(x0 + columns[-1] + 1), float(y0 + rows[-1] + 1))
    whole = (float(alone[0]), float(alone[1]), float(alone[2]), float(alone[3]))
    pixels = int(mine.sum())
    inside = whole[0] >= 1 and whole[1] >= 1 and whole[2] <= camera.width - 1 and whole[3] <= camera.height - 1
    elevation = _elevation(camera, body.position)
    if body.what != "die":
        label = Label(body.what, None, box, whole, pixels / float(alone[4]), elevation=elevation)
        return VisibleSolid(label, pixels, 1.0, True, inside)
    part = faces[y0 : y0 + mine.shape[0], x0 : x0 + mine.shape[1]]
    seen = [int((mine & (part == f)).sum()) for f in range(6)]
    shown = [_face(body, camera, ids, i, f, seen[f]) for f in range(6) if seen[f] > 0 and _facing(body, camera, f)]
    shown.sort(key=lambda face: -face.pixels)
    top = next((face for face in shown if face.value == body.value), None)
    label = Label(
        "die", body.value, box, whole, pixels / float(alone[4]), body.tilt(), tuple(shown), elevation=elevation
    )
    share = seen[body.top] / max(1.0, float(alone_faces[body.top]))
    return VisibleSolid(label, pixels, share, top is not None and all(top.seen), inside)


def _contrast(label: Label, pixels: Image) -> float:
    top = next((face for face in label.faces if face.value == label.value), None)
    if top is None:
        return 0.0
    height, width = pixels.shape[:2]

    def colour(x: float, y: float) -> Array:
        row, column = min(max(int(y), 0), height - 1), min(max(int(x), 0), width - 1)
        part = pixels[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2] if span > 60 else pixels[row, column]
        return np.asarray(part, np.float64).reshape(-1, 3).mean(0)

    span = min(label.box[2] - label.box[0], label.box[3] - label.box[1])
    steps = []
    for (x, y), beside in zip(top.pips, top.round, strict=True):
        face = np.median([colour(a, b) for a, b in beside], axis=0)
        steps.append(float(np.abs(colour(x, y) - face).max()))
    steps.sort()
    return steps[1] if len(steps) > 2 else steps[0]


def _facing(body: Solid, camera: PinholeCamera, face: int) -> bool:
    """Whether the flat of a face is turned to the camera (the rounding of an edge may be seen from behind)."""
    normal = body.rotation @ dice_styles.NORMALS[face]
    return float(normal @ (camera.position - body.position - normal * body.half[face // 2])) > 0


def _face(body: Solid, camera: PinholeCamera, ids: npt.NDArray[np.int16], i: int, face: int, pixels: int) -> FaceSeen:
    axis = face // 2
    points = []
    for spot in _logo_spots(body, face) if face in body.tiles else _pip_spots(body, face):
        local = np.zeros(3)
        local[axis] = body.half[axis] * (1 if face % 2 == 0 else -1)
        for u, v in spot:
            local[(axis + 1) % 3], local[(axis + 2) % 3] = u, v
            points.append(body.rotation @ local + body.position)
    spots = camera.project(np.array(points)).reshape(-1, 5, 2)
    seen = []
    for x, y in spots[:, 0]:
        px, py = int(np.floor(x)), int(np.floor(y))
        known = 0 <= px < camera.width and 0 <= py < camera.height
        seen.append(known and bool(ids[py, px] == i))
    places = [[(float(x), float(y)) for x, y in spot] for spot in spots]
    return FaceSeen(
        body.values[face],
        pixels,
        tuple(place[0] for place in places),
        tuple(seen),
        tuple(tuple(place[1:]) for place in places),
    )


def _pip_spots(body: Solid, face: int) -> list[list[tuple[float, float]]]:
    """For each pip of a face its middle and four places on the face beside it, in the face's local units."""
    found = []
    for pip in body.pips[face]:
        if pip.radius <= 0:
            continue
        # half way to the rim of the nearest pip, but never so far out that the face ends
        off = min(max(pip.radius * 1.45, pip.ring[1] * 1.1 if pip.ring else 0.0), 0.45 * body.half[0])
        beside = ((0.0, 0.0), (off, 0.0), (-off, 0.0), (0.0, off), (0.0, -off))
        found.append([(pip.u + du, pip.v + dv) for du, dv in beside])
    return found


def _logo_spots(body: Solid, face: int) -> list[list[tuple[float, float]]]:
    """The same for a logo: the five places with the thickest ink, and the four nearest bare places of each."""
    ink = glyphs.tiles()[body.tiles[face]] > 0.5
    deep = cv2.distanceTransform(ink.astype(np.uint8), cv2.DIST_L2, 3)
    bare = np.argwhere(cv2.distanceTransform((~ink).astype(np.uint8), cv2.DIST_L2, 3) >= 2)
    scale = body.material.ink_size * 2 / glyphs.SIDE
    sign = 1 if face % 2 == 0 else -1
    across, along = (face // 2 + 1) % 3, (face // 2 + 2) % 3

    def place(row: float, column: float) -> tuple[float, float]:
        u, v = ((value + 0.5 - glyphs.SIDE / 2) * scale for value in (column, row))
        return sign * u * body.half[across], -v * body.half[along]

    found = []
    for _ in range(5):
        row, column = np.unravel_index(int(deep.argmax()), deep.shape)
        nearest = bare[np.argsort(np.hypot(bare[:, 0] - row, bare[:, 1] - column))[:4]]
        found.append([place(float(row), float(column)), *(place(float(r), float(c)) for r, c in nearest)])
        cv2.circle(deep, (int(column), int(row)), 8, 0.0, -1)
    return found


def _readable(body: Solid, sight: VisibleSolid) -> bool:
    """Whether a person could name the value: the top face is in sight with all its pips, and large enough."""
    x0, y0, x1, y1 = sight.label.whole
    return (
        sight.pips
        and sight.top > 0.75
        and sight.label.visible > 0.55
        and sight.inside
        and min(x1 - x0, y1 - y0) >= 11
        and body.tilt() < 28
    )


def _half_in_sight(sight: VisibleSolid) -> bool:
    return sight.inside and sight.label.visible > 0.55


def _flats(scene: RenderScene) -> list[Label]:
    """Labels of things printed on the table."""
    found = []
    camera = scene.camera
    for flat in scene.flats:
        if bool(((flat.outline - camera.position) @ camera.axes[2] < 0.5).any()):
            continue
        pixels = camera.project(flat.outline)
        x0, y0 = pixels.min(0)
        x1, y1 = pixels.max(0)
        whole = (float(x0), float(y0), float(x1), float(y1))
        box = (
            max(0.0, whole[0]),
            max(0.0, whole[1]),
            min(float(camera.width), whole[2]),
            min(float(camera.height), whole[3]),
        )
        if box[2] - box[0] < 8 or box[3] - box[1] < 8:
            continue
        visible = (box[2] - box[0]) * (box[3] - box[1]) / ((x1 - x0) * (y1 - y0))
        covered = any(_contains(camera, body, pixels) for body in scene.bodies)
        if visible > 0.5 and not covered:
            elevation = _elevation(camera, flat.outline.mean(0))
            found.append(Label(flat.what, None, box, whole, float(visible), elevation=elevation))
    return found


def mirror_images(scene: RenderScene, found: list[Label]) -> list[Label]:
    """Labels of the dice's mirror images in a glossy table, where enough of them can be seen."""
    if scene.room.table_f0 < _MIRRORS or scene.room.table_rough > _DULL:
        return []
    camera = scene.camera
    frame = np.array([camera.width, camera.height] * 2, np.float64)
    images = []
    for body in scene.bodies:
        if body.what != "die":
            continue
        corners = _CORNERS * np.array(body.half) @ body.rotation.T + body.position
        below = corners * np.array([1.0, 1.0, -1.0])
        if bool(((below - camera.position) @ camera.axes[2] < 0.5).any()):
            continue
        own, other = camera.project(corners), camera.project(below)
        height = float(np.ptp(own[:, 1]))
        x0, x1 = float(other[:, 0].min()), float(other[:, 0].max())
        y0, y1 = max(float(other[:, 1].min()), float(own[:, 1].max()) - 0.05 * height), float(other[:, 1].max())
        box = np.clip([x0, y0, x1, y1], 0, frame)
        hidden = any(
            b[0] < (x0 + x1) / 2 < b[2] and b[1] < (y0 + y1) / 2 < b[3] for b in (label.box for label in found)
        )
        if y1 - y0 < 0.35 * height or not box[3] - box[1] >= 0.8 * (y1 - y0) or box[2] - box[0] < 8 or hidden:
            continue
        place = (float(box[0]), float(box[1]), float(box[2]), float(box[3]))
        elevation = _elevation(camera, body.position)
        images.append(Label("mirror image", None, place, (x0, y0, x1, y1), 1.0, elevation=elevation))
    return images


def _elevation(camera: PinholeCamera, place: Array) -> float:
    x, y, z = camera.position - place
    return float(np.degrees(np.arctan2(z, np.hypot(x, y))))


def _contains(camera: PinholeCamera, body: Solid, outline: Array) -> bool:
    """Whether a body hides much of an outline in the picture, about."""
    if float((body.position - camera.position) @ camera.axes[2]) < body.bound:
        return False
    middle = camera.project(body.position[None])[0]
    return cv2.pointPolygonTest(outline.astype(np.float32), (float(middle[0]), float(middle[1])), False) >= 0


def _row(label: Label) -> dict[str, Any]:
    row: dict[str, Any] = _round(asdict(label))
    for face in row["faces"]:
        del face["round"]
    return row


def _round(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 3 if abs(value) <= 1 else 1)
    if isinstance(value, dict):
        return {key: _round(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_round(item) for item in value]
    return value
