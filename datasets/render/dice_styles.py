"""Pipped dice: which face has which value, where its pips are, and the material."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from datasets.render import layout as at
from datasets.render.scene import UP, Array, Colour, Material, Pip, Solid, linear, turn

# A face's local normal, in the order of Solid.values.
NORMALS: Final = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], np.float64)

# Pips of a value on a grid of -1, 0, 1.
GRID: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}


@dataclass(frozen=True)
class DieStyle:
    """A make of dice. Lengths as parts of the edge; cut: the ball's radius as part of the half diagonal, 0 for none."""

    size: float
    corner: float
    cut: float
    material: Material
    pip: Colour
    pip_radius: float = 0.09
    pip_depth: float = 0.03
    spacing: float = 0.26
    squeeze: float = 1.0  # the middle row of a six is a little wider apart than its columns on many dice
    red: frozenset[int] = frozenset()
    red_colour: Colour = (0.6, 0.01, 0.01)
    big_one: float = 1.0
    close_two: float = 1.0  # how far apart the pips of a two are, as a part of what they would be on the grid
    level_two: bool = False  # the pips of a two side by side instead of across the corners
    ring: tuple[float, float] | None = None
    ring_colour: Colour = (0.02, 0.02, 0.02)
    face_ring: tuple[float, float] | None = None
    shape: int = 0
    worn: float = 0.0
    left_handed: bool = False
    turned: tuple[bool, bool, bool] = (False, False, False)  # the other diagonal for 2 and 3, the other way for 6
    logo: tuple[int, int] | None = None  # a value that stands there as a picture, and the picture's tile


def face_values(left_handed: bool) -> tuple[int, ...]:
    """Values of the faces +x, -x, +y, -y, +z, -z: opposite faces sum to 7; 1, 2, 3 turn one way or the other."""
    return (1, 6, 3, 4, 2, 5) if left_handed else (1, 6, 2, 5, 3, 4)


def pips(style: DieStyle, value: int) -> tuple[Pip, ...]:
    """The pips of a value, in local units of a die of this style."""
    if style.logo and value == style.logo[0]:
        return _face_frame(style, style.pip)
    step = style.spacing * style.size
    swap = {2: style.turned[0], 3: style.turned[1], 6: style.turned[2]}.get(value, False)
    radius = style.pip_radius * style.size * (style.big_one if value == 1 else 1.0)
    depth = style.pip_depth * style.size * (style.big_one if value == 1 else 1.0)
    colour = style.red_colour if value in style.red else style.pip
    ring = (style.ring[0] * radius, style.ring[1] * radius) if style.ring else None
    grid = GRID[value]
    if value == 2:
        step = max(step * style.close_two, 1.15 * (ring[1] if ring else radius))
        grid = ((-1, 0), (1, 0)) if style.level_two else grid
    marks = []
    for a, b in grid:
        u, v = a * step, b * step * (style.squeeze if value == 6 else 1.0)
        if swap:
            # a quarter turn of the six and of the level two, the other diagonal of the two and three
            u, v = (v, u) if value == 6 or (value == 2 and style.level_two) else (u, -v)
        marks.append(Pip(u, v, radius, depth, colour, ring, style.ring_colour, style.shape, style.worn))
    return tuple(marks) + _face_frame(style, colour)


def _face_frame(style: DieStyle, colour: Colour) -> tuple[Pip, ...]:
    """The ring round a face, if the make has one."""
    if not style.face_ring:
        return ()
    inner, outer = style.face_ring[0] * style.size, style.face_ring[1] * style.size
    return (Pip(0.0, 0.0, 0.0, 0.0, colour, (inner, outer), style.ring_colour),)


def die(
    style: DieStyle,
    value: int,
    x: float,
    y: float,
    yaw: float,
    floor: float = 0.0,
    lean: float = 0.0,
    toward: float = 0.0,
) -> Solid:
    """A die that shows a value, lying at x, y on a level floor; lean tips it (radians) toward a direction.

    A leaning die touches the floor with its lowest edge or corner.
    """
    values = face_values(style.left_handed)
    face = values.index(value)
    rotation = turn(UP, yaw) @ _face_up(face)
    if lean:
        rotation = turn(np.array([np.cos(toward), np.sin(toward), 0.0]), lean) @ rotation
    half = style.size / 2
    radius = style.corner * style.size
    cut = style.cut * half * np.sqrt(3.0) if style.cut else 0.0
    inner = half - radius
    lowest = float(np.abs(rotation[2]).sum() * inner + radius)
    if cut:
        lowest = min(lowest, cut)
    return Solid(
        what="die",
        position=np.array([x, y, floor + lowest]),
        rotation=rotation,
        half=(half, half, half),
        material=style.material,
        radius=radius,
        cut=cut,
        pips={i: pips(style, v) for i, v in enumerate(values)},
        tiles={values.index(style.logo[0]): style.logo[1]} if style.logo else {},
        value=value,
        values=values,
    )


def any_style(rng: np.random.Generator) -> DieStyle:
    """A make of dice, ordinary white ones most often."""
    kind = rng.choice(
        ["light", "solid", "dark", "glass", "marble", "speckle", "wood", "bone", "metal", "odd"], p=_KINDS
    )
    make = {
        "light": _light,
        "solid": _solid,
        "dark": _dark,
        "glass": _glass,
        "marble": _marble,
        "speckle": _speckle,
        "wood": _wood,
        "bone": _bone,
        "metal": _metal,
        "odd": _odd,
    }[str(kind)]
    style: DieStyle = make(rng, _shape(rng))
    if rng.random() < 0.25 and style.material.trans == 0:
        style = replace(style, material=replace(style.material, rough=float(rng.uniform(0.08, 0.2))))
    return style


_KINDS: Final = [0.40, 0.13, 0.08, 0.10, 0.07, 0.05, 0.05, 0.06, 0.02, 0.04]


def plain_style(rng: np.random.Generator) -> DieStyle:
    """The white or ivory dice of any games box."""
    white = rng.random() < 0.6
    colour = linear((0.93, 0.925, 0.90)) if white else linear((0.93, 0.88, 0.76))
    style = _shape(rng)
    return replace(
        style,
        size=1.0,
        corner=float(rng.uniform(0.10, 0.17)),
        cut=float(rng.uniform(0.80, 0.88)),
        material=Material(colour=colour, rough=0.3, f0=0.045),
        pip=linear((0.07, 0.07, 0.08)),
        pip_radius=float(rng.uniform(0.088, 0.1)),
        pip_depth=0.035,
        spacing=float(rng.uniform(0.25, 0.27)),
        big_one=1.0,
        close_two=1.0,
        level_two=False,
        squeeze=1.0,
        ring=None,
        shape=0,
        worn=0.0,
    )


def common_style(rng: np.random.Generator) -> DieStyle:
    """A make of most boxes: white and ivory dice, at times coloured, black or wooden; round filled pips."""
    style = replace(_shape(rng), shape=0, worn=0.0, ring=None)
    roll = rng.random()
    if roll < 0.68:
        return _light(rng, style)
    if roll < 0.80:
        return _solid(rng, style)
    return _dark(rng, style) if roll < 0.92 else _wood(rng, style)


def hard_style(rng: np.random.Generator) -> DieStyle:
    """Dice that readers take for other values or miss: clear ones whose far pips show, large Asian ones, any other."""
    roll = rng.random()
    if roll < 0.25:
        style = _glass(rng, _shape(rng))
        return replace(style, material=replace(style.material, trans=float(rng.uniform(0.6, 0.97))))
    if roll < 0.5:
        style = _light(rng, replace(_shape(rng), shape=0, ring=None))
        style = replace(_big_one(rng, style), big_one=float(rng.uniform(1.6, 2.6)), red=frozenset())
        if rng.random() < 0.7:
            red = frozenset({1, 4}) if rng.random() < 0.7 else frozenset({1})
            style = replace(style, red=red, red_colour=linear((0.75, 0.06, 0.08)))
        return style
    return any_style(rng)


def odd_style(rng: np.random.Generator) -> DieStyle:
    """Dice out of the ordinary: coloured, clear, marbled, speckled, wooden, metal ones."""
    makes = [_solid, _glass, _marble, _speckle, _wood, _metal, _odd]
    return makes[int(rng.choice(len(makes), p=[0.2, 0.15, 0.25, 0.2, 0.06, 0.06, 0.08]))](rng, _shape(rng))


def dim_style(rng: np.random.Generator) -> DieStyle:
    """Very dark dice whose pips are little lighter."""
    tone, lift = float(rng.uniform(0.05, 0.11)), float(rng.uniform(0.25, 0.36))
    tint = rng.uniform(0.7, 1.3, 3)
    style = replace(_shape(rng), shape=0, worn=0.0, ring=None)
    return replace(
        style,
        material=replace(style.material, colour=linear(_triple(tone * tint)), rough=float(rng.uniform(0.25, 0.5))),
        pip_radius=max(style.pip_radius, 0.08),
        pip=linear(_triple((tone + lift) * (tint if rng.random() < 0.5 else np.ones(3)))),
    )


def with_logo(rng: np.random.Generator, style: DieStyle, value: int, tile: int) -> DieStyle:
    """The same make with a picture in place of a value's pips."""
    base = style.material.colour
    inks = [linear((0.75, 0.06, 0.08)), linear((0.08, 0.15, 0.55)), linear((0.85, 0.7, 0.3)), linear((0.05, 0.4, 0.2))]
    other = inks[int(rng.integers(len(inks)))]
    far = max(abs(a - b) for a, b in zip(other, base, strict=True)) > 0.3
    ink = other if far and rng.random() < 0.35 else style.pip
    material = replace(style.material, ink=ink, ink_size=float(rng.uniform(0.55, 0.85)))
    return replace(style, material=material, logo=(value, tile))


def two_coloured(rng: np.random.Generator, style: DieStyle, second: DieStyle) -> DieStyle:
    """One to three faces of a make in the colour of another make, their pips too."""
    count = int(rng.integers(1, 4))
    faces = [int(face) for face in rng.permutation(6)[:count]]
    values = face_values(style.left_handed)
    material = replace(
        style.material,
        second=second.material.colour,
        pattern=at.FACES,
        scale=float(sum(1 << face for face in faces)),
        amount=1.0,
        trans=0.0,
    )
    red = frozenset(values[face] for face in faces)
    return replace(style, material=material, red=red, red_colour=second.pip, worn=0.0)


def lying(rng: np.random.Generator) -> int:
    """A thrown value."""
    return int(rng.integers(1, 7))


def _shape(rng: np.random.Generator) -> DieStyle:
    """Size, corners and pips of a make, colours still white and black."""
    corner = float(
        rng.choice([rng.uniform(0.015, 0.05), rng.uniform(0.06, 0.18), rng.uniform(0.18, 0.30)], p=[0.2, 0.6, 0.2])
    )
    cut = float(rng.uniform(0.74, 0.93)) if rng.random() < 0.55 else 0.0
    if cut and cut < 0.80:
        corner = min(corner, 0.1)
    radius = float(np.clip(rng.normal(0.092, 0.016), 0.055, 0.13))
    if rng.random() < 0.06:
        radius = float(rng.uniform(0.045, 0.065))
    depth = 0.0 if rng.random() < 0.2 else float(rng.uniform(0.15, 0.75)) * radius
    spacing = float(rng.uniform(0.225, 0.29))
    style = DieStyle(
        size=1.0,
        corner=corner,
        cut=cut,
        material=Material(
            colour=linear((0.93, 0.92, 0.9)), rough=float(rng.uniform(0.12, 0.5)), f0=float(rng.uniform(0.03, 0.06))
        ),
        pip=linear((0.06, 0.06, 0.07)),
        pip_radius=min(radius, spacing * 0.46),
        pip_depth=depth,
        spacing=spacing,
        squeeze=float(rng.uniform(0.9, 1.1)) if rng.random() < 0.5 else 1.0,
        left_handed=bool(rng.random() < 0.5),
        turned=(bool(rng.random() < 0.5), bool(rng.random() < 0.5), bool(rng.random() < 0.5)),
    )
    if rng.random() < 0.25:
        style = _big_one(rng, style)
    if rng.random() < 0.04:
        style = replace(style, shape=1, pip_radius=style.pip_radius * 0.8)
    if rng.random() < 0.08:
        style = replace(style, worn=float(rng.uniform(0.3, 1.0)))
    if rng.random() < 0.08:
        style = replace(style, ring=(1.15, float(rng.uniform(1.3, 1.5))), pip_radius=style.pip_radius * 0.78)
    return style


def _big_one(rng: np.random.Generator, style: DieStyle) -> DieStyle:
    """Makes the pip of the one larger than the others; such dice often have the pips of a two close together."""
    style = replace(style, big_one=float(rng.uniform(1.15, 2.2)))
    if rng.random() < 0.4:
        return style
    return replace(style, close_two=float(rng.uniform(0.45, 0.8)), level_two=bool(rng.random() < 0.6))


def _light(rng: np.random.Generator, style: DieStyle) -> DieStyle:
    base = [(0.95, 0.95, 0.94), (0.93, 0.92, 0.88), (0.94, 0.90, 0.80), (0.90, 0.85, 0.70), (0.85, 0.86, 0.88)][
        int(rng.integers(5))
    ]
    pip = [(0.05, 0.05, 0.06)] * 6 + [(0.08, 0.1, 0.35), (0.55, 0.05, 0.06), (0.05, 0.3, 0.12), (0.25, 0.15, 0.1)]
    style = replace(
        style,
        material=replace(style.material, colour=_shift(rng, base, 0.03)),
        pip=_shift(rng, pip[int(rng.integers(10))], 0.03),
    )
    if rng.random() < 0.16:
        # the Asian make: a big red one, often a red four
        style = replace(
            _big_one(rng, style),
            red=frozenset({1, 4}) if rng.random() < 0.6 else frozenset({1}),
            red_colour=_shift(rng, (0.78, 0.08, 0.1), 0.05),
        )
    if rng.random() < 0.12:
        style = replace(
            style,
            material=replace(
                style.material,
                pattern=at.PEARL,
                second=_shift(rng, (0.8, 0.8, 0.84), 0.05),
                amount=0.8,
                scale=4.0,
                seed=_seed(rng),
            ),
        )
    return style


def _solid(rng: np.random.Generator, style: DieStyle) -> DieStyle:
    bases = [
        ((0.75, 0.08, 0.09), "l"), ((0.1, 0.22, 0.6), "l"), ((0.06, 0.42, 0.2), "l"), ((0.95, 0.78, 0.1), "d"),
        ((0.93, 0.48, 0.08), "b"), ((0.42, 0.14, 0.5), "l"), ((0.93, 0.5, 0.65), "b"), ((0.35, 0.7, 0.9), "b"),
        ((0.55, 0.8, 0.2), "d"), ((0.5, 0.5, 0.52), "b"), ((0.35, 0.2, 0.12), "l"), ((0.1, 0.6, 0.6), "l"),
    ]  # fmt: skip
    base, tone = bases[int(rng.integers(len(bases)))]
    light = tone == "l" or (tone == "b" and rng.random() < 0.5)
    return replace(
        style,
        material=replace(style.material, colour=_shift(rng, base, 0.06)),
        pip=_light_pip(rng) if light else linear((0.05, 0.05, 0.06)),
    )


def _dark(rng: np.random.Generator, style: DieStyle) -> DieStyle:
    bases = [(0.06, 0.06, 0.065), (0.12, 0.12, 0.13), (0.06, 0.07, 0.18), (0.2, 0.05, 0.07), (0.05, 0.14, 0.09)]
    return replace(
        style,
        material=replace(style.material, colour=_shift(rng, bases[int(rng.integers(5))], 0.03)),
        pip=_light_pip(rng),
    )


def _glass(rng: np.random.Generator, style: DieStyle) -> DieStyle:
    bases = [
        (0.85, 0.08, 0.1),
        (0.12, 0.25, 0.8),
        (0.08, 0.6, 0.25),
        (0.95, 0.6, 0.08),
        (0.5, 0.15, 0.65),
        (0.88, 0.9, 0.92),
        (0.2, 0.22, 0.25),
    ]
    pick = int(rng.integers(7))
    material = replace(
        style.material,
        colour=_shift(rng, bases[pick], 0.05),
        trans=float(rng.uniform(0.4, 0.9)),
        rough=float(rng.uniform(0.08, 0.25)),
    )
    dark = pick in (5, 3) and rng.random() < 0.7
    pip = linear((0.05, 0.05, 0.06)) if dark else linear((0.95, 0.95, 0.93))
    return replace(
        style, material=material, pip=pip, pip_depth=0.0 if rng.random() < 0.4 else style.pip_depth, worn=0.0
    )


def _marble(rng: np.random.Generator, style: DieStyle) -> DieStyle:
    first = rng.uniform(0.05, 0.9, 3)
    second = np.clip(first + rng.normal(0, 0.25, 3), 0.02, 0.95)
    pattern = int(rng.choice([at.MARBLE, at.PEARL, at.LAYERS]))
    material = replace(
        style.material,
        colour=linear(_triple(first)),
        second=linear(_triple(second)),
        pattern=pattern,
        scale=float(rng.uniform(0.8, 4.0)),
        seed=_seed(rng),
        amount=float(rng.uniform(0.5, 1.0)),
        rough=float(rng.uniform(0.08, 0.3)),
    )
    return replace(style, material=material, pip=_contrast(rng, (first + second) / 2), worn=0.0)


def _speckle(rng: np.random.Generator, style: DieStyle) -> DieStyle:
    first = rng.uniform(0.05, 0.95, 3) if rng.random() < 0.6 else np.full(3, rng.choice([0.15, 0.4, 0.9]))
    second = rng.uniform(0.0, 1.0, 3)
    material = replace(
        style.material,
        colour=linear(_triple(first)),
        second=linear(_triple(second)),
        pattern=int(rng.choice([at.SPECKLE, at.GLITTER])),
        scale=float(rng.uniform(8, 22)),
        seed=_seed(rng),
        amount=float(rng.uniform(0.4, 0.9)),
    )
    return replace(style, material=material, pip=_contrast(rng, first), worn=0.0)


def _wood(rng: np.random.Generator, style: DieStyle) -> DieStyle:
    bases = [(0.87, 0.70, 0.47), (0.72, 0.5, 0.3), (0.5, 0.3, 0.17), (0.92, 0.8, 0.6), (0.28, 0.16, 0.1)]
    pick = int(rng.integers(5))
    base = np.array(bases[pick])
    material = replace(
        style.material,
        colour=linear(_triple(base)),
        second=linear(_triple(base * rng.uniform(0.6, 0.85))),
        pattern=at.WOOD,
        scale=float(rng.uniform(2.0, 7.0)),
        seed=_seed(rng),
        amount=float(rng.uniform(0.4, 1.0)),
        rough=float(rng.uniform(0.4, 0.7)),
    )
    pip = linear((0.9, 0.85, 0.7)) if pick == 4 else linear((0.09, 0.06, 0.05))
    return replace(style, material=material, pip=pip, pip_depth=style.pip_depth if rng.random() < 0.5 else 0.0)


def _bone(rng: np.random.Generator, style: DieStyle) -> DieStyle:
    base = np.array([0.88, 0.82, 0.66]) * rng.uniform(0.85, 1.05)
    material = replace(
        style.material,
        colour=linear(_triple(base)),
        second=linear(_triple(base * np.array([0.8, 0.72, 0.55]))),
        pattern=int(rng.choice([at.PEARL, at.CLOTH, at.WOOD])),
        scale=float(rng.uniform(1.5, 5.0)),
        seed=_seed(rng),
        amount=float(rng.uniform(0.3, 0.9)),
        rough=float(rng.uniform(0.2, 0.5)),
    )
    if rng.random() < 0.4:
        # a drilled dot in a drilled ring
        return replace(
            style,
            material=material,
            pip=linear((0.12, 0.08, 0.05)),
            shape=2,
            pip_radius=min(0.125, style.spacing * 0.46),
            pip_depth=0.0,
            ring=None,
        )
    return replace(style, material=material, pip=linear((0.1, 0.07, 0.05)))


def _metal(rng: np.random.Generator, style: DieStyle) -> DieStyle:
    bases = [(0.75, 0.75, 0.76), (0.85, 0.68, 0.35), (0.72, 0.45, 0.32), (0.35, 0.35, 0.37)]
    pick = int(rng.integers(4))
    material = replace(style.material, colour=linear(bases[pick]), metal=1.0, rough=float(rng.uniform(0.2, 0.5)))
    return replace(style, material=material, pip=linear((0.9, 0.9, 0.9)) if pick == 3 else linear((0.06, 0.06, 0.06)))


def _odd(rng: np.random.Generator, style: DieStyle) -> DieStyle:
    """Inset faces with a raised disc, pips on a ring, faces framed by a line."""
    style = _light(rng, style) if rng.random() < 0.6 else _dark(rng, style)
    outer = float(rng.uniform(0.40, 0.46))
    return replace(
        style,
        face_ring=(outer - float(rng.uniform(0.02, 0.06)), outer),
        ring_colour=style.pip if rng.random() < 0.6 else linear((0.5, 0.5, 0.5)),
        spacing=min(style.spacing, 0.2),
        pip_radius=min(style.pip_radius, 0.085),
        cut=0.0,
        corner=min(style.corner, 0.15),
        ring=None,
    )


def _light_pip(rng: np.random.Generator) -> Colour:
    return linear(
        [(0.95, 0.95, 0.93), (0.95, 0.95, 0.93), (0.85, 0.7, 0.3), (0.8, 0.8, 0.82), (0.9, 0.85, 0.6)][
            int(rng.integers(5))
        ]
    )


def _contrast(rng: np.random.Generator, base: Array) -> Colour:
    """A pip colour that can be told from its die."""
    dark = float(base @ np.array([0.3, 0.6, 0.1])) < rng.uniform(0.35, 0.55)
    return _light_pip(rng) if dark else linear((0.06, 0.06, 0.07))


def _shift(rng: np.random.Generator, base: Colour, by: float) -> Colour:
    return linear(_triple(np.clip(np.array(base) + rng.normal(0, by, 3), 0.01, 0.97)))


def _triple(values: Array) -> Colour:
    r, g, b = (float(v) for v in np.clip(values, 0.0, 1.0))
    return r, g, b


def _seed(rng: np.random.Generator) -> float:
    return float(rng.uniform(0, 90))


def _face_up(face: int) -> Array:
    """A rotation that brings a local face to the top."""
    normal = NORMALS[face]
    if normal[2] > 0.5:
        return np.eye(3)
    if normal[2] < -0.5:
        return turn(np.array([1.0, 0.0, 0.0]), np.pi)
    return turn(np.cross(normal, UP), np.pi / 2)
