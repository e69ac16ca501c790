"""Things on a table that are not pipped dice. Things with `like` set may be taken for dice and are labelled as such.

Each maker takes the random generator and a place (x, y on the table) and gives the bodies of one thing there. To add
one, write a maker and put it into LIKE (dice-like, class 6) or CLUTTER (anything else).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Final

import numpy as np

from datasets.render import dice_styles, glyphs
from datasets.render import layout as at
from datasets.render.scene import UP, Array, Colour, Material, Pip, Plane, Solid, linear, turn

Maker = Callable[[np.random.Generator, float, float], list[Solid]]


def numeral_cube(rng: np.random.Generator, x: float, y: float) -> list[Solid]:
    """A d6 with numerals, letters, symbols, pictures or words."""
    style = dice_styles.any_style(rng)
    body = dice_styles.die(style, 1, x, y, float(rng.uniform(0, 6.28)))
    kind = int(rng.integers(6))
    if kind <= 1:
        names = glyphs.NUMERALS[1:7]
    elif kind == 2:
        names = glyphs.LETTERS[:6]
    else:
        names = list(rng.choice(glyphs.SYMBOLS if kind == 3 else glyphs.EMBLEMS, 6))
    order = rng.permutation(6)
    face = int(rng.integers(2))
    tiles = {i: glyphs.index(str(names[order[i]]), face) for i in range(6)}
    if kind >= 3 and rng.random() < 0.4:
        tiles = dict.fromkeys(range(6), tiles[0])
    ink = style.pip if style.material.trans < 0.1 else linear((0.95, 0.95, 0.95))
    material = replace(body.material, ink=ink, ink_size=float(rng.uniform(0.5, 0.85)))
    turned = _spin(rng, body.rotation)
    return [
        replace(
            body,
            what="numeral cube" if kind <= 1 else "symbol cube",
            rotation=turned,
            material=material,
            pips={},
            tiles=tiles,
            value=None,
            values=(),
            like=True,
        )
    ]


def blank_cube(rng: np.random.Generator, x: float, y: float) -> list[Solid]:
    """A cube without marks: a game piece, a sugar lump, an eraser."""
    body = dice_styles.die(dice_styles.any_style(rng), 1, x, y, float(rng.uniform(0, 6.28)))
    return [replace(body, what="cube", pips={}, value=None, values=(), like=True)]


def polyhedron(rng: np.random.Generator, x: float, y: float) -> list[Solid]:
    """A d4, d8, d10, d12 or d20 with numerals."""
    sides = int(rng.choice([4, 8, 10, 12, 20]))
    normals, corner = _solid(sides)
    size = float(rng.uniform(0.42, 0.62)) * (0.8 if sides == 4 else 1.0)
    style = dice_styles.any_style(rng)
    names = ["1", "2", "3", "4"] if sides == 4 else [str(n) for n in range(1, sides + 1)]
    if sides == 10:
        names = (
            [str(n) for n in range(10)]
            if rng.random() < 0.6
            else ["00", "10", "20", "30", "9", "50", "6", "70", "8", "90"]
        )
    order = rng.permutation(sides)
    font = int(rng.integers(2))
    extent = {4: 0.75, 8: 0.5, 10: 0.42, 12: 0.42, 20: 0.30}[sides] * float(rng.uniform(0.7, 1.0))
    planes = tuple(
        Plane(n, size, _tangent(n), glyphs.index(names[order[i]], font), extent * size) for i, n in enumerate(normals)
    )
    rotation = turn(UP, float(rng.uniform(0, 6.28))) @ _lay_on_side(normals[int(rng.integers(sides))])
    ink = style.pip if style.material.trans < 0.1 else linear((0.95, 0.95, 0.95))
    return [
        Solid(
            what=f"d{sides}",
            position=np.array([x, y, size]),
            rotation=rotation,
            half=(corner * size, corner * size, corner * size),
            material=replace(style.material, ink=ink),
            kind=at.POLY,
            cut=corner * size * float(rng.uniform(0.93, 1.0)),
            bevel=float(rng.uniform(0.015, 0.06)),
            planes=planes,
            like=True,
        )
    ]


def domino(rng: np.random.Generator, x: float, y: float) -> list[Solid]:
    """A domino lying on its back, a value in each half."""
    style = dice_styles.plain_style(rng)
    if rng.random() < 0.4:
        style = replace(
            style, material=Material(colour=linear((0.05, 0.05, 0.06)), rough=0.3), pip=linear((0.95, 0.95, 0.9))
        )
    small = replace(style, size=float(rng.uniform(0.8, 1.5)), pip_radius=0.085, spacing=0.24)
    half = small.size / 2
    marks = []
    for side in (-1, 1):
        value = int(rng.integers(0, 7))
        if value:
            marks += [replace(p, u=p.u + side * half) for p in dice_styles.pips(small, value)]
    thick = float(rng.uniform(0.15, 0.3))
    return [
        Solid(
            what="domino",
            position=np.array([x, y, thick]),
            rotation=turn(UP, float(rng.uniform(0, 6.28))),
            half=(2 * half, half, thick),
            material=replace(style.material, ink=style.pip, ink_size=1.0),
            radius=min(0.08, thick * 0.9),
            pips={4: tuple(marks)},
            tiles={4: glyphs.index("divider")},
            like=True,
        )
    ]


def button(rng: np.random.Generator, x: float, y: float) -> list[Solid]:
    """A round button with two or four holes."""
    radius, thick = float(rng.uniform(0.4, 0.9)), float(rng.uniform(0.07, 0.14))
    hole, step = radius * 0.13, radius * 0.24
    spots = (
        [(-step, -step), (step, step), (-step, step), (step, -step)]
        if rng.random() < 0.7
        else [(-step, 0.0), (step, 0.0)]
    )
    material = dice_styles.any_style(rng).material
    marks = tuple(Pip(u, v, hole, 0.0, linear((0.12, 0.1, 0.1))) for u, v in spots)
    rim = (Pip(0.0, 0.0, 0.0, ring=(radius * 0.72, radius * 0.78), ring_colour=_dim(material.colour)),)
    return [_disc("button", x, y, radius, thick, material, marks + rim, like=True)]


def dotted_token(rng: np.random.Generator, x: float, y: float) -> list[Solid]:
    """A round counter with spots on it, or a square tile with circles (mahjong)."""
    style = dice_styles.any_style(rng)
    value = int(rng.integers(1, 7))
    if rng.random() < 0.5:
        small = replace(style, size=1.0, pip_depth=0.0, shape=0, face_ring=None, big_one=1.0)
        return [
            _disc(
                "token",
                x,
                y,
                float(rng.uniform(0.5, 0.8)),
                0.1,
                style.material,
                dice_styles.pips(small, value),
                like=True,
            )
        ]
    colours = [linear((0.1, 0.4, 0.2)), linear((0.1, 0.2, 0.6)), linear((0.7, 0.1, 0.1))]
    count = int(rng.integers(1, 10))
    marks = []
    for k in range(count):
        u, v = (k % 3 - 1) * 0.32, (k // 3 - 1) * 0.42
        marks.append(Pip(u, v, 0.14, 0.0, colours[int(rng.integers(3))], shape=2))
    return [
        Solid(
            what="tile",
            position=np.array([x, y, 0.25]),
            rotation=turn(UP, float(rng.uniform(0, 6.28))),
            half=(0.55, 0.72, 0.25),
            material=Material(colour=linear((0.93, 0.91, 0.85)), rough=0.25),
            radius=0.08,
            pips={4: tuple(marks)},
            like=True,
        )
    ]


def chip(rng: np.random.Generator, x: float, y: float) -> list[Solid]:
    """A poker chip, or some on each other: blocks of another colour round its rim, a number or a sign in the middle."""
    radius, thick = float(rng.uniform(0.7, 1.6)), float(rng.uniform(0.08, 0.14))
    inks = [linear((0.95, 0.95, 0.93)), linear((0.05, 0.05, 0.06)), linear((0.85, 0.7, 0.3))]
    ink, count = inks[int(rng.integers(3))], int(rng.choice([4, 6, 8]))
    angles = np.arange(count) * 2 * np.pi / count
    size = float(rng.uniform(0.1, 0.17)) * radius
    shape = int(rng.choice([0, 1]))
    marks = [Pip(0.84 * radius * np.cos(a), 0.84 * radius * np.sin(a), size, 0.0, ink, shape=shape) for a in angles]
    marks.append(Pip(0.0, 0.0, 0.0, ring=(radius * 0.58, radius * 0.64), ring_colour=ink))
    if rng.random() < 0.5:
        marks.append(Pip(0.0, 0.0, radius * float(rng.uniform(0.15, 0.4)), 0.0, ink))
    material = replace(_any_material(rng), rough=0.4)
    found = []
    for k in range(int(rng.choice([1, 1, 2, 4]))):
        one = _disc("chip", x, y, radius, thick, material, tuple(marks), like=True)
        turned = turn(UP, float(rng.uniform(0, 6.28)))
        found.append(replace(one, position=np.array([x, y, thick * (2 * k + 1)]), rotation=turned))
    return found


def lit_key(rng: np.random.Generator, x: float, y: float) -> list[Solid]:
    """A key or a button with a sign that shines, on a dark panel."""
    dark = float(rng.uniform(0.01, 0.06))
    glow = float(rng.uniform(0.6, 2.5))
    red, green, blue = (glow * float(c) for c in rng.uniform(0.3, 1.0, 3))
    material = Material(
        colour=(dark, dark, dark), rough=0.5, ink=(red, green, blue), ink_size=float(rng.uniform(0.6, 1.1))
    )
    names = glyphs.LETTERS + glyphs.NUMERALS[:10] + glyphs.SYMBOLS
    side, high = float(rng.uniform(0.4, 0.6)), float(rng.uniform(0.05, 0.3))
    tile = glyphs.index(str(rng.choice(names)))
    place, rotation = np.array([x, y, high]), turn(UP, float(rng.uniform(0, 6.28)))
    return [Solid("key", place, rotation, (side, side, high), material, radius=0.05, tiles={4: tile}, like=True)]


def toy(rng: np.random.Generator, x: float, y: float) -> list[Solid]:
    """A small figure: a body, often spotted, with a head, eyes and feet."""
    long, wide, high = float(rng.uniform(0.45, 0.9)), float(rng.uniform(0.35, 0.6)), float(rng.uniform(0.3, 0.6))
    foot = float(rng.uniform(0.1, 0.2))
    rotation = turn(UP, float(rng.uniform(0, 6.28)))
    material = dice_styles.any_style(rng).material
    dark = linear((0.05, 0.05, 0.06)) if rng.random() < 0.7 else linear(_colour(rng))
    spots = tuple(
        Pip(float(u) * long * 0.7, float(v) * wide * 0.7, float(rng.uniform(0.06, 0.16)), 0.0, dark)
        for u, v in rng.uniform(-1, 1, (int(rng.integers(0, 6)), 2))
    )
    middle = np.array([x, y, high + foot])

    def ball(where: Array, radius: float, of: Material) -> Solid:
        return Solid("toy", middle + rotation @ where, rotation, (radius,) * 3, of, radius=radius * 0.999)

    found = [
        Solid(
            "toy",
            middle,
            rotation,
            (long, wide, high),
            material,
            radius=min(wide, high) * float(rng.uniform(0.3, 0.95)),
            pips={4: spots},
            like=True,
        )
    ]
    if rng.random() < 0.8:
        head = float(rng.uniform(0.25, 0.45))
        where = np.array([long * float(rng.uniform(0.2, 1.0)), 0.0, high + head * 0.5])
        found.append(ball(where, head, material if rng.random() < 0.6 else _any_material(rng)))
        for side in (-1, 1):
            eye = where + head * np.array([0.75, 0.45 * side, 0.45])
            found.append(ball(eye, head * float(rng.uniform(0.12, 0.25)), Material(colour=dark, rough=0.2)))
    feet = _any_material(rng)
    for a in (-1, 1):
        for b in (-1, 1):
            found.append(ball(np.array([a * long * 0.7, b * wide * 0.8, -high]), foot, feet))
    return found


def coin(rng: np.random.Generator, x: float, y: float) -> list[Solid]:
    """Coins, some on top of each other's edge."""
    found = []
    for _ in range(int(rng.integers(1, 4))):
        colour = [(0.75, 0.73, 0.7), (0.8, 0.62, 0.3), (0.7, 0.42, 0.28)][int(rng.integers(3))]
        material = Material(
            colour=linear(colour),
            metal=0.8,
            rough=float(rng.uniform(0.25, 0.5)),
            ink=_dim(linear(colour)),
            ink_size=0.9,
        )
        radius = float(rng.uniform(0.5, 0.85))
        a, b = rng.normal(0, 1.2, 2)
        body = _disc("coin", x + a, y + b, radius, 0.05, material, ())
        found.append(replace(body, tiles={4: glyphs.index("coin")}))
    return found


def ball(rng: np.random.Generator, x: float, y: float) -> list[Solid]:
    """A marble or bead."""
    r = float(rng.uniform(0.3, 0.6))
    return [
        Solid(
            "ball",
            np.array([x, y, r]),
            _spin(rng, np.eye(3)),
            (r, r, r),
            dice_styles.any_style(rng).material,
            radius=r * 0.999,
        )
    ]


def pen(rng: np.random.Generator, x: float, y: float) -> list[Solid]:
    """A pen or pencil."""
    r, half = float(rng.uniform(0.2, 0.33)), float(rng.uniform(3.5, 5.5))
    rotation = turn(UP, float(rng.uniform(0, 6.28)))
    body = Solid("pen", np.array([x, y, r]), rotation, (half, r, r), _any_material(rng), radius=r * 0.98)
    tip = Solid(
        "pen",
        np.array([x, y, r]) + rotation @ np.array([half, 0, 0]),
        rotation,
        (0.5, r * 0.5, r * 0.5),
        _any_material(rng),
        radius=r * 0.49,
    )
    return [body, tip]


def cup(rng: np.random.Generator, x: float, y: float) -> list[Solid]:
    """A cup, glass or dice shaker, seen from outside and above."""
    r, half = float(rng.uniform(2.0, 3.2)), float(rng.uniform(1.0, 3.0))
    material = _any_material(rng)
    ring = Solid("cup", np.array([x, y, half]), np.eye(3), (r, 0.12, half), material, kind=at.RING, radius=0.08)
    drink = linear([(0.2, 0.1, 0.05), (0.5, 0.3, 0.1), (0.9, 0.9, 0.85), (0.05, 0.05, 0.05)][int(rng.integers(4))])
    inside = Solid(
        "cup",
        np.array([x, y, half * 0.5]),
        np.eye(3),
        (r - 0.12, r - 0.12, half * 0.5),
        Material(colour=drink, rough=0.1),
        kind=at.CYLINDER,
    )
    return [ring, inside]


def book(rng: np.random.Generator, x: float, y: float) -> list[Solid]:
    """A book, box, phone or rule booklet, with a label."""
    thick = float(rng.uniform(0.1, 1.2))
    half = (float(rng.uniform(1.5, 6.0)), float(rng.uniform(1.5, 4.5)), thick)
    material = replace(_any_material(rng), ink=linear(_colour(rng)), ink_size=float(rng.uniform(0.4, 0.9)))
    tile = glyphs.index(str(rng.choice(["text", "label", "star", "arrow", "W", "frame"])))
    return [
        Solid(
            "box",
            np.array([x, y, thick]),
            turn(UP, float(rng.uniform(0, 6.28))),
            half,
            material,
            radius=min(0.3, thick * 0.8),
            tiles={4: tile},
        )
    ]


def pawn(rng: np.random.Generator, x: float, y: float) -> list[Solid]:
    """Playing pieces: a foot and a head, in a few colours."""
    found = []
    for _ in range(int(rng.integers(1, 5))):
        a, b = np.array([x, y]) + rng.normal(0, 2.0, 2)
        r, material = float(rng.uniform(0.28, 0.42)), _any_material(rng)
        found.append(
            Solid("pawn", np.array([a, b, 0.4]), np.eye(3), (r, r, 0.4), material, kind=at.CYLINDER, radius=0.1)
        )
        found.append(
            Solid("pawn", np.array([a, b, 1.0]), np.eye(3), (r * 0.8, r * 0.8, r * 0.8), material, radius=r * 0.79)
        )
    return found


def hand(rng: np.random.Generator, x: float, y: float) -> list[Solid]:
    """Fingers on the table, and the hand they belong to."""
    skin = np.array(
        [(0.85, 0.65, 0.54), (0.72, 0.5, 0.38), (0.45, 0.29, 0.2), (0.92, 0.75, 0.66)][int(rng.integers(4))]
    )
    tone = linear((float(skin[0]), float(skin[1]), float(skin[2])))
    redder = (tone[0] * 0.85, tone[1] * 0.6, tone[2] * 0.55)
    material = Material(colour=tone, second=redder, pattern=at.PEARL, scale=1.3, amount=0.5, rough=0.55, f0=0.03)
    heading = float(rng.uniform(0, 6.28))
    back = np.array([np.cos(heading), np.sin(heading), 0.0])
    across = np.array([-back[1], back[0], 0.0])
    place = np.array([x, y, 0.0])
    found = []
    for k in range(int(rng.integers(1, 5))):
        r, long = 0.5 * float(rng.uniform(0.85, 1.1)), float(rng.uniform(1.6, 2.4))
        rotation = turn(UP, heading + float(rng.normal(0, 0.1))) @ turn(
            np.array([0.0, 1.0, 0.0]), float(rng.uniform(-0.35, 0.0))
        )
        middle = place + across * (k * 1.08) + back * (long + float(rng.uniform(-0.4, 0.4)))
        lift = float(np.abs(rotation[2]) @ np.array([long, r, r])) + 0.02
        found.append(Solid("hand", middle + UP * lift, rotation, (long, r, r), material, radius=r * 0.98))
    palm = place + across * 1.6 + back * 6.0 + UP * 1.2
    found.append(Solid("hand", palm, turn(UP, heading), (2.8, 2.4, 0.9), material, radius=0.85))
    return found


def keyboard(rng: np.random.Generator, x: float, y: float) -> list[Solid]:
    """Part of a keyboard: rows of keys with letters."""
    angle = turn(UP, float(rng.uniform(0, 6.28)))
    dark = rng.random() < 0.7
    body = linear((0.08, 0.08, 0.09)) if dark else linear((0.85, 0.85, 0.86))
    key = Material(
        colour=body,
        rough=0.5,
        ink=linear((0.9, 0.9, 0.9)) if dark else linear((0.1, 0.1, 0.1)),
        ink_size=float(rng.uniform(0.8, 1.2)),
    )
    step = float(rng.uniform(1.0, 1.25))
    found = [
        Solid("keyboard", np.array([x, y, 0.1]), angle, (3.2 * step, 2.2 * step, 0.1), _any_material(rng), radius=0.05)
    ]
    for row in range(4):
        for column in range(6):
            place = np.array([x, y, 0.3]) + angle @ np.array(
                [(column - 2.5 + 0.2 * (row % 2)) * step, (row - 1.5) * step, 0.0]
            )
            tile = glyphs.index(str(rng.choice(glyphs.LETTERS + glyphs.NUMERALS[:10])))
            found.append(
                Solid("keyboard", place, angle, (0.44 * step, 0.44 * step, 0.15), key, radius=0.07, tiles={4: tile})
            )
    return found


def cable(rng: np.random.Generator, x: float, y: float) -> list[Solid]:
    """A cable across the table."""
    r, heading = float(rng.uniform(0.08, 0.22)), float(rng.uniform(0, 6.28))
    material = Material(
        colour=linear([(0.04, 0.04, 0.04), (0.85, 0.85, 0.85), (0.4, 0.4, 0.42)][int(rng.integers(3))]), rough=0.4
    )
    place, found, bend = np.array([x, y, r]), [], float(rng.normal(0, 0.2))
    for _ in range(10):
        step = np.array([np.cos(heading), np.sin(heading), 0.0])
        found.append(Solid("cable", place + step * 0.6, turn(UP, heading), (0.6 + r, r, r), material, radius=r * 0.98))
        place = place + step * 1.2
        bend = 0.8 * bend + float(rng.normal(0, 0.12))
        heading += bend
    return found


def tray(rng: np.random.Generator, x: float, y: float, reach: float, highest: float = 1.1) -> tuple[list[Solid], Array]:
    """A square, many-sided or round tray with walls round a place, and the outline (k, 2) of its floor.

    highest: half the maximum height of its walls.
    """
    sides = int(rng.choice([4, 4, 4, 6, 8, 0]))
    high, thick = float(rng.uniform(0.3, highest)), float(rng.uniform(0.1, 0.35))
    material = replace(
        _any_material(rng), rough=0.6, pattern=int(rng.choice([at.PLAIN, at.CLOTH, at.WOOD])), scale=3.0, amount=0.6
    )
    turned = float(rng.uniform(0, 6.28))
    if sides == 0:
        angles = np.arange(48) * 2 * np.pi / 48
        outline = np.stack([x + reach * np.cos(angles), y + reach * np.sin(angles)], 1)
        half = (reach + thick, thick, high)
        return [
            Solid(
                "tray", np.array([x, y, high]), np.eye(3), half, material, kind=at.RING, radius=min(thick, high) * 0.8
            )
        ], outline
    long = float(rng.uniform(1.0, 1.5)) if sides == 4 else 1.0
    angles = (np.arange(sides) + 0.5) * 2 * np.pi / sides
    corners = np.stack([np.cos(angles) * long, np.sin(angles)], 1) * reach / np.cos(np.pi / sides)
    c, s = np.cos(turned), np.sin(turned)
    outline = corners @ np.array([[c, s], [-s, c]]) + [x, y]
    found = []
    for k in range(sides):
        a, b = outline[k], outline[(k + 1) % sides]
        along = b - a
        length = float(np.hypot(*along))
        middle = (a + b) / 2 + np.array([along[1], -along[0]]) / length * thick
        rotation = turn(UP, float(np.arctan2(along[1], along[0])))
        half = (length / 2 + thick, thick, high)
        found.append(
            Solid(
                "tray", np.array([middle[0], middle[1], high]), rotation, half, material, radius=min(thick, high) * 0.6
            )
        )
    return found, outline


LIKE: Final[tuple[tuple[float, Maker], ...]] = (
    (0.26, numeral_cube),
    (0.07, blank_cube),
    (0.34, polyhedron),
    (0.10, domino),
    (0.07, button),
    (0.09, dotted_token),
    (0.07, toy),
)
HARD: Final[tuple[tuple[float, Maker], ...]] = (*LIKE, (0.3, chip), (0.2, lit_key), (0.1, numeral_cube))
CLUTTER: Final[tuple[tuple[float, Maker], ...]] = (
    (0.16, coin),
    (0.10, ball),
    (0.18, pen),
    (0.12, cup),
    (0.20, book),
    (0.10, keyboard),
    (0.12, cable),
    (0.09, pawn),
    (0.10, hand),
)


def pick(rng: np.random.Generator, makers: tuple[tuple[float, Maker], ...]) -> Maker:
    """One of these makers by its weight."""
    weights = np.array([weight for weight, _ in makers])
    return makers[int(rng.choice(len(makers), p=weights / weights.sum()))][1]


def _disc(
    what: str,
    x: float,
    y: float,
    radius: float,
    thick: float,
    material: Material,
    marks: tuple[Pip, ...],
    like: bool = False,
) -> Solid:
    return Solid(
        what,
        np.array([x, y, thick]),
        np.eye(3),
        (radius, radius, thick),
        material,
        kind=at.CYLINDER,
        radius=thick * 0.8,
        pips={4: marks},
        like=like,
    )


def _any_material(rng: np.random.Generator) -> Material:
    return Material(colour=linear(_colour(rng)), rough=float(rng.uniform(0.1, 0.7)))


def _colour(rng: np.random.Generator) -> Colour:
    if rng.random() < 0.5:
        tone = float(rng.choice([0.06, 0.2, 0.5, 0.9]))
        return tone, tone, tone
    r, g, b = (float(v) for v in rng.uniform(0.05, 0.9, 3))
    return r, g, b


def _dim(colour: Colour) -> Colour:
    return colour[0] * 0.4, colour[1] * 0.4, colour[2] * 0.4


def _spin(rng: np.random.Generator, rotation: Array) -> Array:
    """The same pose with another face up."""
    face = int(rng.integers(6))
    body = np.eye(3)
    if face < 4:
        axis = np.array([1.0, 0, 0]) if face < 2 else np.array([0, 1.0, 0])
        body = turn(axis, np.pi / 2 * (1 if face % 2 else -1))
    elif face == 4:
        body = turn(np.array([1.0, 0, 0]), np.pi)
    spun: Array = rotation @ body
    return spun


def _tangent(normal: Array) -> Array:
    """Some direction in the plane, level if the plane is not."""
    across = np.cross(UP, normal)
    if float(np.linalg.norm(across)) < 1e-3:
        across = np.array([1.0, 0.0, 0.0])
    tangent: Array = across / np.linalg.norm(across)
    return tangent


def _lay_on_side(normal: Array) -> Array:
    """A rotation that lays the solid on the side with this normal."""
    axis = np.cross(normal, -UP)
    length = float(np.linalg.norm(axis))
    if length < 1e-6:
        return np.eye(3) if normal[2] < 0 else turn(np.array([1.0, 0, 0]), np.pi)
    return turn(axis / length, float(np.arctan2(length, float(-normal[2]))))


@cache
def _solid(sides: int) -> tuple[Array, float]:
    """Unit normals of a solid's sides, and how far its corners are when its sides are 1 away."""
    golden = (1 + 5**0.5) / 2
    raw: list[tuple[float, float, float]]
    if sides == 4:
        raw = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
    elif sides == 8:
        raw = [(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
    elif sides == 12:
        raw = [p for a in (-1, 1) for b in (-golden, golden) for p in ((0, a, b), (a, b, 0), (b, 0, a))]
    elif sides == 20:
        raw = [(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
        raw += [
            p for a in (-1 / golden, 1 / golden) for b in (-golden, golden) for p in ((0, a, b), (a, b, 0), (b, 0, a))
        ]
    else:
        slope = 0.75
        raw = [
            (float(np.cos(k * np.pi / 5)), float(np.sin(k * np.pi / 5)), slope if k % 2 else -slope) for k in range(10)
        ]
    normals = np.array(raw, np.float64)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    far = 1.0
    for picked in combinations(range(sides), 3):
        system = normals[list(picked)]
        if abs(float(np.linalg.det(system))) > 1e-6:
            corner = np.linalg.solve(system, np.ones(3))
            if bool((normals @ corner < 1 + 1e-6).all()):
                far = max(far, float(np.linalg.norm(corner)))
    return normals, far
