"""What is in a picture: bodies, lights, the table and the camera; and its arrays for the tracer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from datasets.render import layout as at

Array = npt.NDArray[np.float64]
Image = npt.NDArray[Any]  # float32 (h, w, 3), except where it is said otherwise
Colour = tuple[float, float, float]

UP: Final = np.array([0.0, 0.0, 1.0])


def linear(colour: Colour) -> Colour:
    """Linear light of an sRGB colour given in 0..1."""
    r, g, b = (max(0.0, c) ** 2.2 for c in colour)
    return r, g, b


@dataclass(frozen=True)
class Material:
    """How a body takes light. Colours linear; rough 0 mirror .. 1 chalk; trans 0 opaque .. 1 glass."""

    colour: Colour = (0.8, 0.8, 0.8)
    second: Colour = (0.5, 0.5, 0.5)
    pattern: int = at.PLAIN
    scale: float = 3.0
    seed: float = 0.0
    amount: float = 0.0
    f0: float = 0.04
    rough: float = 0.4
    metal: float = 0.0
    trans: float = 0.0
    ink: Colour = (0.02, 0.02, 0.02)
    ink_size: float = 0.8


@dataclass(frozen=True)
class Pip:
    """One pip at u, v of its face (local units); ring is (inner, outer) radius or None."""

    u: float
    v: float
    radius: float
    depth: float = 0.0
    colour: Colour = (0.02, 0.02, 0.02)
    ring: tuple[float, float] | None = None
    ring_colour: Colour = (0.02, 0.02, 0.02)
    shape: int = 0
    worn: float = 0.0


@dataclass(frozen=True)
class Plane:
    """A side of a polyhedron: unit normal, distance, a numeral's right, its tile and half size."""

    normal: Array
    distance: float
    right: Array
    tile: int = -1
    size: float = 0.3


@dataclass(frozen=True)
class Solid:
    """One solid thing.

    what: "die" for a pipped die, otherwise the name of the thing ("d20", "domino", "coin", "tray", ...). like: a
    careless reader may take it for a die; it is labelled as class 6. value: of a die, the face that is up. values: of a
    die, the value of each face: +x, -x, +y, -y, +z, -z. top: the local face (same order) whose normal is nearest to up.
    """

    what: str
    position: Array
    rotation: Array
    half: tuple[float, float, float]
    material: Material
    kind: int = at.BOX
    radius: float = 0.02
    cut: float = 0.0
    bevel: float = 0.04
    pips: dict[int, tuple[Pip, ...]] = field(default_factory=dict)
    tiles: dict[int, int] = field(default_factory=dict)
    planes: tuple[Plane, ...] = ()
    value: int | None = None
    values: tuple[int, ...] = ()
    like: bool = False

    @property
    def bound(self) -> float:
        """Radius of the ball round the position that holds the body."""
        if self.kind == at.POLY:
            return self.cut if self.cut > 0 else self.half[0]
        if self.kind == at.BOX:
            r = self.radius
            x, y, z = (h - r for h in self.half)
            bound = float(np.sqrt(x * x + y * y + z * z)) + r
        else:
            bound = float(np.hypot(self.half[0], self.half[2]))
        return min(bound, self.cut) if self.cut > 0 else bound

    @property
    def top(self) -> int:
        """The local face that looks up most."""
        ups = self.rotation[2]
        return int(np.argmax([ups[0], -ups[0], ups[1], -ups[1], ups[2], -ups[2]]))

    def tilt(self) -> float:
        """Angle in degrees between the top face and level."""
        return float(np.degrees(np.arccos(min(1.0, float(np.abs(self.rotation[2]).max())))))


@dataclass(frozen=True)
class Light:
    """A lamp: position, irradiance it gives at the origin, tangent of its angular radius."""

    position: Array
    colour: Colour
    size: float


@dataclass(frozen=True)
class WindowLight:
    """A bright patch of the room that glossy things mirror: direction, cosine of its radius, softness, light."""

    direction: Array
    cosine: float
    soft: float
    colour: Colour


@dataclass(frozen=True)
class Gobo:
    """Something out of the picture that keeps the first light away; see tracer._blocked for a, b, c."""

    kind: int
    a: float
    b: float
    c: float
    soft: float
    strength: float


@dataclass(frozen=True)
class Room:
    """Light from above, the sides and below; the table's gloss; the table's edge and the light beyond it."""

    up: Colour
    side: Colour
    down: Colour
    table_f0: float = 0.0
    table_rough: float = 0.6
    edge: tuple[float, float, float] = (0.0, 0.0, 1.0)
    beyond: Colour = (0.1, 0.1, 0.1)


@dataclass(frozen=True)
class PinholeCamera:
    """A pinhole: position, axes (rows: right, down, forward), focal lengths and centre in pixels."""

    position: Array
    axes: Array
    focal: tuple[float, float]
    centre: tuple[float, float]
    width: int
    height: int

    def project(self, points: Array) -> Array:
        """Pixels (n, 2) of world points (n, 3) that lie before the camera."""
        seen = (points - self.position) @ self.axes.T
        pixels: Array = seen[:, :2] / seen[:, 2:3] * np.array(self.focal) + np.array(self.centre)
        return pixels

    def on_table(self, x: float, y: float, height: float = 0.0) -> Array | None:
        """The world point at this height that the pixel x, y shows; None at and above the horizon."""
        ray = np.array([(x - self.centre[0]) / self.focal[0], (y - self.centre[1]) / self.focal[1], 1.0]) @ self.axes
        if ray[2] > -0.03:
            return None
        point: Array = self.position + ray * ((height - self.position[2]) / ray[2])
        return point

    def row(self) -> Array:
        """The camera as the tracer takes it."""
        return np.concatenate([self.position, self.axes.ravel(), self.focal, self.centre])


@dataclass(frozen=True)
class Flat:
    """Something printed on the table that looks like a die: its outline (k, 3) in the world."""

    what: str
    outline: Array


@dataclass
class RenderScene:
    """A picture before light falls on it. table: linear colours (n, n, 3) round the origin, per_unit texels a unit."""

    camera: PinholeCamera
    bodies: list[Solid]
    lights: list[Light]
    windows: list[WindowLight]
    gobos: list[Gobo]
    room: Room
    table: Image
    per_unit: float
    tiles: Image
    flats: list[Flat] = field(default_factory=list)


@dataclass(frozen=True)
class Packed:
    """A scene's bodies as arrays; see layout for the columns."""

    bodies: Array
    planes: Array
    pips: Array
    faces: npt.NDArray[np.int64]
    decals: npt.NDArray[np.int64]


def pack(bodies: list[Solid]) -> Packed:
    """The arrays of these bodies, in their order."""
    count = len(bodies)
    rows = np.zeros((count, at.BODY_COLUMNS))
    faces = np.zeros((count, 6, 2), np.int64)
    decals = np.full((count, 6), -1, np.int64)
    planes: list[Array] = []
    pips: list[list[float]] = []
    for i, body in enumerate(bodies):
        m = body.material
        row = rows[i]
        row[at.KIND] = body.kind
        row[at.PX : at.PX + 3] = body.position
        row[at.ROT : at.ROT + 9] = body.rotation.ravel()
        row[at.HX : at.HX + 3] = body.half
        row[at.RAD], row[at.CUT], row[at.BOUND], row[at.BEVEL] = body.radius, body.cut, body.bound + 1e-3, body.bevel
        row[at.C1 : at.C1 + 3], row[at.C2 : at.C2 + 3], row[at.DC : at.DC + 3] = m.colour, m.second, m.ink
        row[at.PATTERN], row[at.PSCALE], row[at.PSEED], row[at.PAMOUNT] = m.pattern, m.scale, m.seed, m.amount
        row[at.F0], row[at.ROUGH], row[at.METAL], row[at.TRANS] = m.f0, m.rough, m.metal, m.trans
        row[at.DSCALE] = m.ink_size
        row[at.PLANE0], row[at.PLANES] = len(planes), len(body.planes)
        for plane in body.planes:
            planes.append(np.concatenate([plane.normal, [plane.distance], plane.right, [plane.tile, plane.size]]))
        for face, tile in body.tiles.items():
            decals[i, face] = tile
        for face, marks in body.pips.items():
            faces[i, face] = len(pips), len(marks)
            pips.extend(_pip_row(pip) for pip in marks)
    return Packed(
        rows,
        np.array(planes).reshape(-1, at.PLANE_COLUMNS),
        np.array(pips, np.float64).reshape(-1, at.PIP_COLUMNS),
        faces,
        decals,
    )


def pack_lights(scene: RenderScene) -> tuple[Array, Array, Array, Array]:
    """Lights, gobos, room and windows as the tracer takes them."""
    lights = [[*light.position, *light.colour, light.size] for light in scene.lights]
    gobos = [[g.kind, g.a, g.b, g.c, g.soft, g.strength] for g in scene.gobos]
    windows = [[*w.direction, w.cosine, w.soft, *w.colour] for w in scene.windows]
    r = scene.room
    env = np.zeros(at.ENV_COLUMNS)
    env[:9] = [*r.up, *r.side, *r.down]
    env[at.E_TABLE_F0], env[at.E_TABLE_ROUGH] = r.table_f0, r.table_rough
    env[at.E_EDGE : at.E_EDGE + 6] = [*r.edge, *r.beyond]
    return (
        np.array(lights, np.float64).reshape(-1, at.LIGHT_COLUMNS),
        np.array(gobos, np.float64).reshape(-1, at.GOBO_COLUMNS),
        env,
        np.array(windows, np.float64).reshape(-1, at.WINDOW_COLUMNS),
    )


def _pip_row(pip: Pip) -> list[float]:
    inner, outer = pip.ring or (0.0, 0.0)
    return [pip.u, pip.v, pip.radius, pip.depth, *pip.colour, inner, outer, *pip.ring_colour, pip.shape, pip.worn]


def turn(axis: Array, angle: float) -> Array:
    """Rotation matrix about a unit axis (Rodrigues), angle in radians."""
    x, y, z = axis
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    rotation: Array = np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)
    return rotation
