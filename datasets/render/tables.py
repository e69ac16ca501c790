"""Table tops: a colour map from tiles of real materials or drawn ones, with printed things on it.

A map is a square of linear colours centred at the world's origin; rows run toward -y. Everything is drawn in sRGB and
made linear at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.render import dice_styles
from datasets.render.scene import Array, Colour, Flat, Image

Canvas = npt.NDArray[Any]  # uint8 (h, w, 3)

# Material folders that look like what people throw dice on, with their weight; the rest is tried now and then.
_LIKELY: Final = {
    "Wood": 6.0,
    "WoodFloor": 5.0,
    "Fabric": 6.0,
    "Carpet": 4.0,
    "Planks": 2.0,
    "Plastic": 2.0,
    "Paper": 2.0,
    "Cardboard": 1.5,
    "Cork": 1.5,
    "Bamboo": 1.5,
    "Chipboard": 1.5,
    "Marble": 2.0,
    "Granite": 1.5,
    "Tiles": 1.5,
    "Rubber": 1.0,
    "Tatami": 1.0,
    "Wallpaper": 1.5,
    "Concrete": 1.5,
    "Terrazzo": 1.5,
    "Travertine": 1.0,
    "Metal": 1.0,
    "Paint": 1.0,
    "Porcelain": 1.0,
    "Plaster": 1.0,
    "Onyx": 0.7,
}
_RARE: Final = 0.25
_GRAINED: Final = frozenset({"Wood", "WoodFloor", "Planks", "Bamboo", "WoodSiding", "Chipboard"})
_ROUGH: Final = frozenset(
    {"Fabric", "Carpet", "Grass", "Tatami", "Moss", "Ground", "Rubber", "Cork", "Asphalt", "Gravel"}
)

_INKS: Final = [(0.1, 0.1, 0.12), (0.1, 0.1, 0.12), (0.1, 0.15, 0.45), (0.6, 0.1, 0.12), (0.15, 0.35, 0.15)]


@dataclass
class TableTop:
    """A table top: map (n, n, 3) sRGB while it is drawn, texels a unit, its gloss, and the lookalikes printed on it."""

    map: Image
    per_unit: float
    f0: float = 0.0
    rough: float = 0.6
    flats: list[Flat] | None = None

    def texel(self, points: Array) -> Array:
        """Map positions (x, y) of world points (k, 2)."""
        n = self.map.shape[0]
        pixels: Array = np.stack([points[:, 0] * self.per_unit + n / 2, -points[:, 1] * self.per_unit + n / 2], 1)
        return pixels

    def linear(self) -> Image:
        """The map in linear colours."""
        values: Image = cv2.pow(np.clip(self.map, 0.004, 1.0), 2.2).astype(np.float32)
        return values


@cache
def texture_files(folder: str | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The materials of a folder of tiles (one sub-folder each) with their files in order; () without a folder."""
    if not folder:
        return ()
    found = []
    for sub in sorted(p for p in Path(folder).iterdir() if p.is_dir()):
        files = tuple(str(p) for p in sorted(sub.iterdir()) if p.suffix.lower() in (".png", ".jpg", ".jpeg"))
        if files:
            found.append((sub.name, files))
    return tuple(found)


@cache
def _load(path: str) -> Image:
    data = cv2.imread(path, cv2.IMREAD_COLOR)
    if data is None:
        raise ValueError(f"not a readable picture: {path}")
    return data[:, :, ::-1].astype(np.float32) / 255.0


def any_table(
    rng: np.random.Generator, size: int, per_unit: float, textures: str | None, wood: bool = False
) -> TableTop:
    """A random table top of size x size texels; wood: an ordinary wooden table or a felt."""
    files = texture_files(textures)
    roll = rng.random()
    if wood:
        table = _wood(rng, size, per_unit, 0.5) if roll < 0.75 else _felt(rng, size, per_unit)
        table.f0, table.rough = (0.03, 0.35) if roll < 0.75 else (0.0, 0.6)
        return table
    if files and roll < 0.6:
        table = _tiled_top(rng, size, per_unit, files)
    else:
        makers = [_wood, _felt, _plain, _checked_cloth, _carpet, _weave, _stone, _melamine]
        table = makers[int(rng.choice(len(makers), p=[0.24, 0.16, 0.10, 0.12, 0.12, 0.10, 0.08, 0.08]))](
            rng, size, per_unit
        )
    if rng.random() < 0.7:
        # most tables are duller than a texture's or a random colour
        grey = (table.map @ np.array([0.3, 0.6, 0.1], np.float32))[:, :, None]
        table.map = grey + float(rng.uniform(0.1, 0.8)) * (table.map - grey)
    if rng.random() < 0.5:
        table.map *= 1.0 + (_fractal(rng, size, 2.0, 2) - 0.5)[:, :, None] * float(rng.uniform(0.05, 0.3))
    return table


def trouble(rng: np.random.Generator, table: TableTop) -> None:
    """Makes a table one on which readers go wrong: it mirrors what lies on it, or is as pale as white dice."""
    roll = rng.random()
    if roll < 0.22:
        table.f0, table.rough = float(rng.uniform(0.05, 0.25)), float(rng.uniform(0.02, 0.2))
    elif roll < 0.34:
        grey = (table.map @ np.array([0.3, 0.6, 0.1], np.float32))[:, :, None]
        tone = rng.uniform(0.78, 0.95) * rng.uniform(0.95, 1.0, 3).astype(np.float32)
        table.map = (tone * (1.0 + 0.25 * (grey - grey.mean()))).astype(np.float32)


def relief(table: TableTop, toward: Array, strength: float) -> None:
    """Shades the map's own grain as if it had height, lit from a direction (x, y)."""
    grey = table.map @ np.array([0.3, 0.6, 0.1], np.float32)
    grey = cv2.GaussianBlur(grey, (0, 0), 0.8)
    dx = cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3)
    dy = cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3)
    slope = -(dx * float(toward[0]) - dy * float(toward[1]))
    table.map *= np.clip(1.0 + strength * slope, 0.5, 1.6)[:, :, None]


def _tiled_top(
    rng: np.random.Generator, size: int, per_unit: float, files: tuple[tuple[str, tuple[str, ...]], ...]
) -> TableTop:
    weights = np.array([_LIKELY.get(name, _RARE) for name, _ in files])
    name, paths = files[int(rng.choice(len(files), p=weights / weights.sum()))]
    tile = _load(paths[int(rng.integers(len(paths)))])
    grained = name in _GRAINED
    span = (
        float(np.exp(rng.uniform(np.log(6), np.log(45))))
        if grained
        else float(np.exp(rng.uniform(np.log(3), np.log(25))))
    )
    scale = span * per_unit / tile.shape[1]
    angle = rng.uniform(0, 360)
    matrix: Image = cv2.getRotationMatrix2D((0, 0), angle, scale)
    matrix[:, 2] += rng.uniform(0, size, 2)
    surface: Image = cv2.warpAffine(tile, matrix, (size, size), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_WRAP)
    if scale > 1.5:
        # the tile is coarser than the picture: finer grain of its own kind goes on top
        grain = _streaks(rng, size, per_unit, angle) if grained else _fractal(rng, size, min(8.0, scale * 1.5), 3)
        surface = surface + (grain - 0.5)[:, :, None] * float(rng.uniform(0.06, 0.28))
    if rng.random() < 0.5:
        surface = surface * rng.uniform(0.75, 1.25, 3).astype(np.float32)
    if rng.random() < 0.5:
        surface = np.clip(surface, 0, 1) ** float(rng.uniform(0.55, 1.6))
    table = TableTop(np.ascontiguousarray(surface, dtype=np.float32), per_unit)
    if name not in _ROUGH and rng.random() < 0.65:
        table.f0, table.rough = float(rng.uniform(0.02, 0.06)), float(rng.uniform(0.08, 0.6))
    return table


def _fractal(rng: np.random.Generator, size: int, cell: float, octaves: int) -> Image:
    """Soft noise in 0..1 (mean 0.5); cell: texels of the finest grain (relative to 1024)."""
    total: Image = np.zeros((size, size), np.float32)
    weight = 0.0
    for octave in range(octaves):
        n = max(2, int(size / (cell * 2**octave)))
        coarse = rng.random((n, n), np.float32)
        amount = 1.4**octave
        total += amount * cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC)
        weight += amount
    return total / weight


def _streaks(rng: np.random.Generator, size: int, per_unit: float, angle: float) -> Image:
    """Noise drawn out along one direction (degrees): the fibres of wood."""
    big = int(size * 1.45)
    across = max(64, int(big / max(1.0, 0.018 * per_unit)))
    fine: Image = rng.random((min(across, big), max(4, int(big / (1.6 * per_unit)))), np.float32)
    fine = cv2.resize(fine, (big, big), interpolation=cv2.INTER_LINEAR)
    coarse: Image = rng.random((max(4, int(big / (0.15 * per_unit))), max(3, int(big / (5 * per_unit)))), np.float32)
    fine = 0.6 * fine + 0.4 * cv2.resize(coarse, (big, big), interpolation=cv2.INTER_CUBIC)
    matrix: Image = cv2.getRotationMatrix2D((big / 2, big / 2), angle, 1.0)
    matrix[:, 2] -= (big - size) / 2
    return cv2.warpAffine(fine, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)


_WOODS: Final = [
    (0.78, 0.6, 0.4),
    (0.62, 0.43, 0.27),
    (0.45, 0.28, 0.17),
    (0.85, 0.74, 0.58),
    (0.32, 0.2, 0.13),
    (0.7, 0.5, 0.3),
    (0.58, 0.5, 0.42),
]


def _wood(rng: np.random.Generator, size: int, per_unit: float, bent: float = 4.0) -> TableTop:
    """Boards with year rings cut lengthwise."""
    base = np.array(_WOODS[int(rng.integers(len(_WOODS)))], np.float32) * float(rng.uniform(0.85, 1.1))
    angle = float(rng.uniform(0, 360))
    c, s = float(np.cos(np.radians(angle))), float(np.sin(np.radians(angle)))
    axis = (np.arange(size, dtype=np.float32) - size / 2) / per_unit
    x, y = np.meshgrid(axis, axis)
    along, across = x * c - y * s, x * s + y * c
    wide = float(rng.choice([4.0, 6.0, 9.0, 1e3]))
    board = np.floor(across / wide)
    offset = (np.sin(board * 127.1) * 43758.5) % 1.0
    bend = cv2.resize(rng.random((7, 7), np.float32), (size, size), interpolation=cv2.INTER_CUBIC)
    rings = (
        across * float(rng.uniform(1.0, 3.0))
        + bend * float(rng.uniform(0.25, 1.25)) * bent
        + 0.04 * along
        + offset * 17.0
    )
    tone = 0.5 + 0.5 * np.sin(rings * 6.28 / float(rng.uniform(0.8, 2.0)))
    streak = _streaks(rng, size, per_unit, angle)
    shade = (
        1.0
        - float(rng.uniform(0.04, 0.22)) * tone**2
        - float(rng.uniform(0.1, 0.35)) * (streak - 0.4)
        + 0.12 * (offset - 0.5)
    )
    surface = base[None, None, :] * shade[:, :, None].astype(np.float32) ** np.array([0.8, 1.0, 1.25], np.float32)
    if wide < 100:
        gap = np.abs(across / wide - np.round(across / wide)) * wide
        surface *= (1.0 - 0.6 * np.clip(1.0 - gap / 0.05, 0.0, 1.0))[:, :, None]
    table = TableTop(np.ascontiguousarray(surface, dtype=np.float32), per_unit)
    if rng.random() < 0.7:
        table.f0, table.rough = float(rng.uniform(0.02, 0.05)), float(rng.uniform(0.1, 0.55))
    return table


def _felt(rng: np.random.Generator, size: int, per_unit: float) -> TableTop:
    colours = [
        (0.08, 0.38, 0.2),
        (0.5, 0.06, 0.08),
        (0.08, 0.15, 0.4),
        (0.1, 0.1, 0.11),
        (0.35, 0.2, 0.45),
        (0.4, 0.3, 0.2),
        (0.45, 0.45, 0.47),
    ]
    base = np.array(colours[int(rng.integers(len(colours)))], np.float32) * float(rng.uniform(0.7, 1.2))
    noise = 0.6 * _fractal(rng, size, max(1.0, 0.03 * per_unit), 2) + 0.4 * _fractal(rng, size, 60, 2)
    return TableTop(base * (1.0 + float(rng.uniform(0.15, 0.5)) * (noise - 0.5))[:, :, None], per_unit)


def _plain(rng: np.random.Generator, size: int, per_unit: float) -> TableTop:
    base = (
        rng.uniform(0.08, 0.95, 3)
        if rng.random() < 0.4
        else np.full(3, rng.uniform(0.3, 0.95)) + rng.normal(0, 0.03, 3)
    )
    noise = _fractal(rng, size, 1.5, 2)
    surface = base.astype(np.float32) * (1.0 + float(rng.uniform(0.0, 0.12)) * (noise - 0.5))[:, :, None]
    gloss = rng.random() < 0.6
    return TableTop(surface, per_unit, float(rng.uniform(0.02, 0.05)) if gloss else 0.0, float(rng.uniform(0.05, 0.6)))


def _melamine(rng: np.random.Generator, size: int, per_unit: float) -> TableTop:
    """A light board with dark specks."""
    table = _plain(rng, size, per_unit)
    specks = (_fractal(rng, size, max(1.2, 0.05 * per_unit), 1) > float(rng.uniform(0.75, 0.95))).astype(np.float32)
    table.map = table.map * (1.0 - specks * float(rng.uniform(0.2, 0.8)))[:, :, None]
    return table


def _checked_cloth(rng: np.random.Generator, size: int, per_unit: float) -> TableTop:
    """A tablecloth with crossing stripes, or squares."""
    ground = np.array([0.92, 0.9, 0.85]) if rng.random() < 0.6 else rng.uniform(0.1, 0.9, 3)
    surface = np.ones((size, size, 3), np.float32) * ground.astype(np.float32)
    period = float(rng.uniform(1.0, 8.0)) * per_unit
    axis = np.arange(size, dtype=np.float32)
    for _ in range(int(rng.integers(1, 5))):
        colour = rng.uniform(0.05, 0.9, 3).astype(np.float32)
        start, wide = float(rng.uniform(0, period)), float(rng.uniform(0.03, 0.5)) * period
        stripe = (((axis + start) % period) < wide).astype(np.float32) * float(rng.uniform(0.3, 0.8))
        for mask in (stripe[None, :, None], stripe[:, None, None]):
            surface = surface * (1 - mask) + colour * mask
    thread = max(2.0, 0.06 * per_unit)
    weave = np.sin(axis * 6.28 / thread)
    surface *= (1.0 + 0.06 * weave[None, :] * weave[:, None])[:, :, None].astype(np.float32)
    return TableTop(_rotate(rng, surface), per_unit)


def _carpet(rng: np.random.Generator, size: int, per_unit: float) -> TableTop:
    """Loops or tufts with dark gaps."""
    base = np.array(
        [
            (0.55, 0.48, 0.42),
            (0.6, 0.55, 0.5),
            (0.35, 0.33, 0.35),
            (0.3, 0.35, 0.45),
            (0.5, 0.25, 0.2),
            (0.75, 0.68, 0.58),
        ][int(rng.integers(6))]
    )
    cell = float(rng.uniform(0.10, 0.4)) * per_unit
    bumps = _fractal(rng, size, max(2.0, cell * 0.7), 1)
    fine = _fractal(rng, size, max(1.0, cell * 0.2), 1)
    height = np.clip((bumps - 0.3) * 2.2, 0, 1) * 0.7 + 0.3 * fine
    shade = (1.0 - float(rng.uniform(0.3, 0.6))) + float(rng.uniform(0.4, 0.7)) * height
    return TableTop((base.astype(np.float32) * shade[:, :, None]).astype(np.float32), per_unit)


def _weave(rng: np.random.Generator, size: int, per_unit: float) -> TableTop:
    """Coarse cloth, a place mat, or lace when the threads are far apart."""
    base = rng.uniform(0.15, 0.95, 3) if rng.random() < 0.5 else np.array([0.85, 0.8, 0.7]) * rng.uniform(0.4, 1.1)
    thread = float(rng.uniform(0.06, 0.4)) * per_unit
    axis = np.arange(size, dtype=np.float32) * np.float32(3.1416 / thread)
    u, v = np.sin(axis)[None, :], np.sin(axis)[:, None]
    over = ((np.floor(axis / 3.1416)[None, :] + np.floor(axis / 3.1416)[:, None]) % 2).astype(np.float32)
    height = over * np.abs(u) + (1 - over) * np.abs(v)
    shade = 0.6 + 0.4 * height + 0.2 * (_fractal(rng, size, 2, 2) - 0.5)
    surface = (base.astype(np.float32) * shade[:, :, None]).astype(np.float32)
    if rng.random() < 0.3:
        below = rng.uniform(0.05, 0.6, 3).astype(np.float32)
        holes = ((_fractal(rng, size, max(3.0, 0.6 * per_unit), 1) > 0.55) & (height < 0.7)).astype(np.float32)[
            :, :, None
        ]
        surface = surface * (1 - holes) + below * holes
    return TableTop(_rotate(rng, surface), per_unit)


def _stone(rng: np.random.Generator, size: int, per_unit: float) -> TableTop:
    base, other = rng.uniform(0.2, 0.95, 3).astype(np.float32), rng.uniform(0.1, 0.95, 3).astype(np.float32)
    noise = _fractal(rng, size, max(2.0, 0.1 * per_unit), 5)
    vein = np.abs(np.sin((noise - 0.5) * float(rng.uniform(10, 40))))[:, :, None] ** float(rng.uniform(0.2, 1.5))
    blend = float(rng.uniform(0.2, 0.8))
    surface = base * (1 - blend + blend * vein) + other * blend * (1 - vein)
    return TableTop(surface.astype(np.float32), per_unit, float(rng.uniform(0.02, 0.06)), float(rng.uniform(0.05, 0.4)))


def _rotate(rng: np.random.Generator, surface: Image) -> Image:
    size = surface.shape[0]
    matrix = cv2.getRotationMatrix2D((size / 2, size / 2), float(rng.uniform(0, 360)), float(rng.uniform(1.0, 1.4)))
    return cv2.warpAffine(surface, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)


def print_on(rng: np.random.Generator, table: TableTop, centre: Array) -> None:
    """Lays something flat on the table near a point: paper, a score sheet, cards, a map, a game board, a coaster."""
    makers = [_paper, _sheet, _cards, _board, _map, _coaster, _lines, _crumbs]
    makers[int(rng.choice(len(makers), p=[0.16, 0.14, 0.14, 0.16, 0.1, 0.12, 0.08, 0.1]))](rng, table, centre)


def print_dice(rng: np.random.Generator, table: TableTop, centre: Array, clear: Array) -> None:
    """Prints one to five die faces, which must not be read. clear: (k, 3), x, y and radius of places to avoid."""
    ink, paper = _INKS[int(rng.integers(len(_INKS)))], float(rng.uniform(0.8, 1.0))
    for _ in range(int(rng.integers(1, 6))):
        half, angle = float(rng.uniform(0.3, 0.7)), float(rng.uniform(0, 6.28))
        x, y = centre + rng.normal(0, 3.0, 2)
        if len(clear) and bool((np.hypot(clear[:, 0] - x, clear[:, 1] - y) < clear[:, 2] + half * 1.6).any()):
            continue
        c, s = np.cos(angle), np.sin(angle)
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64) * half @ np.array([[c, s], [-s, c]]) + [
            x,
            y,
        ]
        _stamp(table, corners, _die_face(rng, ink, paper))
        table.flats = [*(table.flats or []), Flat("printed", np.column_stack([corners, np.zeros(4)]))]


def _die_face(rng: np.random.Generator, ink: Colour, paper: float) -> Canvas:
    """A die's face as it is printed or drawn."""
    white = (paper, paper, paper)
    back, front = (ink, white) if rng.random() < 0.25 else (white, ink)
    picture = _canvas(96, 96, back)
    cv2.rectangle(picture, (1, 1), (94, 94), (25, 25, 25), int(rng.integers(1, 6)))
    step, radius = float(rng.uniform(22, 28)), int(rng.integers(6, 13))
    for u, v in dice_styles.GRID[int(rng.integers(1, 7))]:
        cv2.circle(picture, (round(48 + u * step), round(48 + v * step)), radius, _ink(front), -1, cv2.LINE_AA)
    return picture


def pattern(rng: np.random.Generator, table: TableTop) -> None:
    """A table cloth's print all over: spots, rings, or squares with a spot, a little like pips and dice."""
    side = int(np.clip(rng.uniform(0.8, 2.5) * table.per_unit, 12, 400))
    cell = np.zeros((side, side), np.float32)
    radius = max(2, int(side * rng.uniform(0.08, 0.2)))
    style = int(rng.integers(4))
    middle = side // 2
    if style == 3:
        cv2.rectangle(cell, (side // 5, side // 5), (side - side // 5, side - side // 5), 0.6, max(1, side // 24))
    for x, y in ((middle, middle), (0, 0), (0, side), (side, 0), (side, side))[: 1 if style == 3 else 5]:
        cv2.circle(cell, (x, y), radius, 1.0, -1 if style != 1 else max(1, radius // 3), cv2.LINE_AA)
    size = table.map.shape[0]
    repeats = size // side + 1
    mask = np.ascontiguousarray(np.tile(cell, (repeats, repeats))[:size, :size])
    mask = _rotate(rng, mask) * np.float32(rng.uniform(0.35, 0.9))
    colour = np.array(_colour(rng, 0.05, 0.95), np.float32)
    table.map = table.map * (1 - mask[:, :, None]) + colour * mask[:, :, None]


def fill(table: TableTop, outline: Array, rng: np.random.Generator) -> None:
    """Covers a region (k, 2 in the world) with another material: a mat, the floor of a tray."""
    size = table.map.shape[0]
    maker = [_felt, _felt, _felt, _wood, _plain, _weave][int(rng.integers(6))]
    other = maker(rng, size, table.per_unit)
    mask = np.zeros((size, size), np.uint8)
    cv2.fillPoly(mask, [table.texel(outline).astype(np.int32)], 255, cv2.LINE_AA)
    part = (mask.astype(np.float32) / 255.0)[:, :, None]
    table.map = table.map * (1 - part) + other.map * part


def _point(texel: Array) -> tuple[int, int]:
    return int(np.clip(texel[0], -9999, 9999)), int(np.clip(texel[1], -9999, 9999))


def _polygon(table: TableTop, outline: Array, colour: tuple[float, float, float], line: int = 0) -> None:
    points = [np.clip(table.texel(outline), -9999, 9999).astype(np.int32)]
    if line:
        cv2.polylines(table.map, points, True, colour, line, cv2.LINE_AA)
    else:
        cv2.fillPoly(table.map, points, colour, cv2.LINE_AA)


def _place(rng: np.random.Generator, centre: Array, wide: float, high: float, spread: float) -> tuple[Array, Array]:
    """Corners of a rectangle lying somewhere near, and the 2x2 axes (rows: right, down)."""
    angle = float(rng.uniform(0, 6.28))
    axes = np.array([[np.cos(angle), np.sin(angle)], [np.sin(angle), -np.cos(angle)]])
    middle = centre + rng.normal(0, spread, 2)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [wide / 2, high / 2] @ axes + middle
    return corners, axes


def _canvas(height: int, width: int, colour: Colour) -> Canvas:
    """An 8-bit picture of one colour, to draw on: text and smooth lines need 8 bits."""
    picture: Canvas = np.full((height, width, 3), _ink(colour), np.uint8)
    return picture


def _ink(colour: Colour) -> tuple[int, int, int]:
    """A colour in 0..1 as 8 bits."""
    r, g, b = colour
    return int(r * 255), int(g * 255), int(b * 255)


def _colour(rng: np.random.Generator, low: float, high: float) -> Colour:
    r, g, b = (float(v) for v in rng.uniform(low, high, 3))
    return r, g, b


def _stamp(table: TableTop, corners: Array, picture: Canvas) -> None:
    """Lays a picture (h, w, 3) into the four corners."""
    h, w = picture.shape[:2]
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, table.texel(corners).astype(np.float32))
    size = table.map.shape[0]
    cv2.warpPerspective(
        picture.astype(np.float32) / 255.0,
        matrix,
        (size, size),
        dst=table.map,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_TRANSPARENT,
    )


def _words(
    rng: np.random.Generator,
    picture: Canvas,
    box: tuple[int, int, int, int],
    height: int,
    ink: tuple[float, float, float],
) -> None:
    """Fills x0, y0, x1, y1 with lines of letters."""
    x0, y0, x1, y1 = box
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX]))
    alphabet = np.array(list("abcdefghijklmnoprstuvwxyz      0123456789ABDEKMRS.,"))
    per_line = max(2, int((x1 - x0) / (height * 0.62)))
    for y in range(y0 + height, y1, int(height * 1.5)):
        line = "".join(rng.choice(alphabet, int(per_line * rng.uniform(0.5, 1.0))))
        cv2.putText(picture, line, (x0, y), font, height / 24.0, _ink(ink), max(1, height // 14), cv2.LINE_AA)


def _paper(rng: np.random.Generator, table: TableTop, centre: Array) -> None:
    """A sheet: written, squared, ruled or printed."""
    white = float(rng.uniform(0.8, 1.0))
    picture = _canvas(420, 300, (white, white, white * float(rng.uniform(0.85, 1.0))))
    ink = _INKS[int(rng.integers(len(_INKS)))]
    style = int(rng.integers(4))
    if style in (0, 3):
        _words(rng, picture, (20, 15, 285, 410), int(rng.integers(8, 40)), ink)
    if style in (1, 3):
        for k in range(0, 420, 12):
            cv2.line(picture, (0, k), (300, k), _ink((0.6, 0.7, 0.85)), 1)
            cv2.line(picture, (k, 0), (k, 420), _ink((0.6, 0.7, 0.85)), 1)
    if style == 2:
        for k in range(20, 420, 18):
            cv2.line(picture, (0, k), (300, k), _ink((0.6, 0.7, 0.85)), 1)
    tall = float(rng.uniform(6, 19))
    _stamp(table, _place(rng, centre, tall / 1.4, tall, 6.0)[0], picture)


def _sheet(rng: np.random.Generator, table: TableTop, centre: Array) -> None:
    """A score sheet: a table with numbers written in."""
    white = float(rng.uniform(0.8, 1.0))
    picture = _canvas(400, 280, (white, white, white))
    rows, columns = int(rng.integers(5, 16)), int(rng.integers(2, 6))
    ink = _INKS[int(rng.integers(len(_INKS)))]
    for r in range(rows + 1):
        y = 10 + r * 380 // rows
        cv2.line(picture, (10, y), (270, y), _ink((0.3, 0.3, 0.3)), 1)
        for c in range(columns):
            if r < rows and rng.random() < 0.6:
                text = str(int(rng.choice([rng.integers(1, 30), rng.integers(50, 2500)])))
                cv2.putText(
                    picture,
                    text,
                    (14 + c * 260 // columns, y + 20),
                    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
                    0.5,
                    _ink(ink),
                    1,
                    cv2.LINE_AA,
                )
    for c in range(columns + 1):
        x = 10 + c * 260 // columns
        cv2.line(picture, (x, 10), (x, 390), _ink((0.3, 0.3, 0.3)), 1)
    tall = float(rng.uniform(6, 16))
    _stamp(table, _place(rng, centre, tall * 0.7, tall, 6.0)[0], picture)


def _cards(rng: np.random.Generator, table: TableTop, centre: Array) -> None:
    for _ in range(int(rng.integers(1, 6))):
        picture = _canvas(180, 120, (0.95, 0.95, 0.95))
        ink = (0.75, 0.08, 0.1) if rng.random() < 0.5 else (0.06, 0.06, 0.07)
        for _ in range(int(rng.integers(1, 10))):
            at = (int(rng.integers(25, 95)), int(rng.integers(25, 155)))
            cv2.drawMarker(
                picture,
                at,
                _ink(ink),
                int(rng.choice([cv2.MARKER_DIAMOND, cv2.MARKER_STAR, cv2.MARKER_TRIANGLE_UP])),
                16,
                6,
            )
        cv2.putText(
            picture,
            str(rng.choice(list("A23456789JQK"))),
            (4, 28),
            cv2.FONT_HERSHEY_DUPLEX,
            0.9,
            _ink(ink),
            2,
            cv2.LINE_AA,
        )
        if rng.random() < 0.3:
            picture[8:-8, 8:-8] = _ink(_colour(rng, 0.1, 0.6))
        _stamp(table, _place(rng, centre, 4.0, 6.0, 6.0)[0], picture)


def _board(rng: np.random.Generator, table: TableTop, centre: Array) -> None:
    """A game board: fields round a middle, squares or spots, numbers and words."""
    picture = _canvas(512, 512, _colour(rng, 0.2, 0.95))
    style = int(rng.integers(4))
    n = int(rng.integers(6, 14))
    step = 512 // n
    palette = [_colour(rng, 0.05, 0.95) for _ in range(6)]
    for r in range(n):
        for c in range(n):
            colour = palette[int(rng.integers(6))]
            x, y = c * step, r * step
            border = r in (0, n - 1) or c in (0, n - 1)
            if (style == 0 and border) or (style == 1 and (r + c) % 2):
                cv2.rectangle(picture, (x, y), (x + step, y + step), _ink(colour), -1)
                cv2.rectangle(picture, (x, y), (x + step, y + step), _ink((0.1, 0.1, 0.1)), 1)
            elif style == 2 and rng.random() < 0.4:
                cv2.circle(picture, (x + step // 2, y + step // 2), int(step * 0.36), _ink(colour), -1, cv2.LINE_AA)
                cv2.circle(
                    picture, (x + step // 2, y + step // 2), int(step * 0.36), _ink((0.1, 0.1, 0.1)), 2, cv2.LINE_AA
                )
            elif style == 3 and rng.random() < 0.7:
                angles = np.arange(6) * np.pi / 3
                spots = np.stack(
                    [x + (r % 2) * step / 2 + step * 0.55 * np.sin(angles), y + step * 0.55 * np.cos(angles)], 1
                )
                cv2.fillPoly(picture, [spots.astype(np.int32)], _ink(colour), cv2.LINE_AA)
            if rng.random() < 0.15:
                cv2.putText(
                    picture,
                    str(int(rng.integers(1, 100))),
                    (x + 4, y + step - 6),
                    cv2.FONT_HERSHEY_DUPLEX,
                    step / 45.0,
                    _ink((0.1, 0.1, 0.1)),
                    1,
                    cv2.LINE_AA,
                )
    wide = float(rng.uniform(10, 34))
    _stamp(table, _place(rng, centre, wide, wide, 5.0)[0], picture)


def _map(rng: np.random.Generator, table: TableTop, centre: Array) -> None:
    """Coloured regions with names."""
    n = 480
    seeds = rng.uniform(0, n, (int(rng.integers(8, 40)), 2)).astype(np.float32)
    axis = np.arange(0, n, 4, dtype=np.float32)
    columns, y = np.meshgrid(axis, axis)
    x = columns + 30 * (_fractal(rng, 120, 10, 2) - 0.5)
    near = np.argmin((x[..., None] - seeds[:, 0]) ** 2 + (y[..., None] - seeds[:, 1]) ** 2, axis=-1)
    colours = (rng.uniform(0.35, 0.98, (len(seeds), 3)) * 255).astype(np.uint8)
    picture = cv2.resize(colours[near], (n, n), interpolation=cv2.INTER_LINEAR)
    for x0, y0 in seeds:
        word = "".join(rng.choice(list("ABCDEIKLMNOPRSTUWZ"), int(rng.integers(3, 9))))
        cv2.putText(
            picture,
            word,
            (int(x0) - 25, int(y0)),
            cv2.FONT_HERSHEY_SIMPLEX,
            float(rng.uniform(0.3, 0.8)),
            _ink((0.15, 0.15, 0.2)),
            1,
            cv2.LINE_AA,
        )
        cv2.circle(picture, (int(x0), int(y0) + 6), int(rng.integers(1, 5)), _ink((0.1, 0.1, 0.1)), -1, cv2.LINE_AA)
    wide = float(rng.uniform(14, 40))
    _stamp(table, _place(rng, centre, wide, wide * 1.3, 5.0)[0], picture)


def _coaster(rng: np.random.Generator, table: TableTop, centre: Array) -> None:
    """A round or square mat of another material, with a border."""
    radius = float(rng.uniform(2.5, 12))
    middle = centre + rng.normal(0, 5.0, 2)
    k = 4 if rng.random() < 0.4 else 48
    angles = np.arange(k) * 2 * np.pi / k + rng.uniform(0, 6.28)
    outline = np.stack([np.cos(angles), np.sin(angles)], 1) * radius + middle
    fill(table, outline, rng)
    if rng.random() < 0.6:
        _polygon(
            table,
            outline * 0.96 + middle * 0.04,
            _colour(rng, 0.05, 0.95),
            max(1, int(rng.uniform(0.03, 0.3) * table.per_unit)),
        )


def _lines(rng: np.random.Generator, table: TableTop, centre: Array) -> None:
    """Large print or seams straight across the table."""
    size = table.map.shape[0]
    for _ in range(int(rng.integers(1, 5))):
        a, b = rng.uniform(-0.3, 1.3, 2) * size, rng.uniform(-0.3, 1.3, 2) * size
        colour = _colour(rng, 0.0, 1.0)
        cv2.line(
            table.map, _point(a), _point(b), colour, max(1, int(rng.uniform(0.02, 0.4) * table.per_unit)), cv2.LINE_AA
        )
    if rng.random() < 0.6:
        picture = _canvas(160, 420, _colour(rng, 0.0, 1.0))
        _words(rng, picture, (8, 6, 410, 155), int(rng.integers(20, 90)), _INKS[int(rng.integers(len(_INKS)))])
        wide = float(rng.uniform(5, 16))
        _stamp(table, _place(rng, centre, wide, wide * 0.4, 5.0)[0], picture)


def _crumbs(rng: np.random.Generator, table: TableTop, centre: Array) -> None:
    """Specks, spots and crumbs, as large as pips are."""
    dark = rng.random() < 0.6
    for _ in range(int(rng.integers(5, 90))):
        spot = table.texel((centre + rng.normal(0, 6.0, 2))[None])[0]
        colour = _colour(rng, 0.0, 0.25) if dark else _colour(rng, 0.6, 1.0)
        cv2.circle(
            table.map, _point(spot), max(1, int(rng.uniform(0.02, 0.11) * table.per_unit)), colour, -1, cv2.LINE_AA
        )
