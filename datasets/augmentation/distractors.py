"""Draws distractors, things that look like dice and are none: numeral dice, buttons, coins, keys, dominoes, symbol
faces, toy figures, bits of the table."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.augmentation.cutout import Cutout, Patch
from datasets.photos import as_pixels
from vision.arrays import Pixels

_SIDE = 96
_FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX)
_SIGNS = "0123456789" * 2 + "ABCDEFGHIKLMNOPRSTUVWXYZ!?&%#+*="


def distractor(rng: np.random.Generator, patch: Patch) -> Cutout:
    """One thing that must not be taken for a die; `patch` gives pieces of table tops."""
    draw = _KINDS[int(rng.choice(len(_KINDS), p=_SHARES))]
    return _cutout(rng, *draw(rng, patch))


def drawn_die(rng: np.random.Generator, value: int) -> Cutout:
    """Draws a face of a die with pips of any size and colour. Without drawn dice, a drawn look alone would mean "no
    die"."""
    body, ink = _colours(rng)
    pixels, mask = _rounded_square(rng, body)
    # Asian dice have a large one, and twos whose pips stand close together.
    reach = rng.uniform(9 if value == 2 else 14, 22)
    radius = rng.uniform(5, 12) * (rng.uniform(1.0, 1.9) if value == 1 else 1.0)
    radius = min(radius, reach * (0.62 if value > 3 else 1.1))
    turn = float(rng.choice([0.0, np.pi / 2]))
    for x, y in FACES[value]:
        across, down = x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)
        centre = (round(48 + reach * across), round(48 + reach * down))
        cv2.circle(pixels, centre, round(radius), ink, -1, cv2.LINE_AA)
        if rng.random() < 0.3:  # the light in a hollow pip
            shine = np.clip(np.array(ink) + rng.uniform(20, 90), 0, 255).tolist()
            cv2.circle(pixels, (centre[0] + 1, centre[1] + 1), max(1, round(radius * 0.4)), shine, -1, cv2.LINE_AA)
    return _cutout(rng, pixels, mask)


def _cutout(rng: np.random.Generator, pixels: Pixels, mask: Pixels) -> Cutout:
    """The drawn thing under uneven light."""
    light = np.linspace(rng.uniform(0.7, 1.1), rng.uniform(0.7, 1.1), pixels.shape[1])[None, :, None]
    pixels = np.clip(pixels * light, 0, 255).astype(np.uint8)
    opacity = as_pixels(cv2.GaussianBlur(mask, (3, 3), 0))
    ys, xs = np.nonzero(mask)
    return Cutout(pixels, opacity, (float(xs.min()), float(ys.min()), float(xs.max() + 1), float(ys.max() + 1)))


def _colours(rng: np.random.Generator) -> tuple[list[int], list[int]]:
    """A body's colour and one that stands out from it."""
    body = (
        rng.integers(0, 256, 3)
        if rng.random() < 0.6
        else np.full(3, rng.choice([20, 235, 215])) + rng.integers(-20, 20, 3)
    )
    ink = np.full(3, 20 if body.mean() > 128 else 235) if rng.random() < 0.8 else (body + 128) % 256
    return [int(c) for c in np.clip(body, 0, 255)], [int(c) for c in np.clip(ink, 0, 255)]


def _fill(colour: list[int], width: int = _SIDE, height: int = _SIDE) -> Pixels:
    return np.tile(np.array(colour, np.uint8), (height, width, 1))


def _sign(
    rng: np.random.Generator, pixels: Pixels, centre: tuple[float, float], tall: float, colour: list[int]
) -> None:
    """A digit or letter, turned at will, drawn in place."""
    text = str(rng.choice(list(_SIGNS)))
    if text.isdigit() and rng.random() < 0.3:
        text += str(rng.integers(10))
    font = int(rng.choice(_FONTS))
    scale = tall / 22
    (width, height), _ = cv2.getTextSize(text, font, scale, 2)
    layer = np.zeros(pixels.shape[:2], np.uint8)
    cv2.putText(
        layer,
        text,
        (int(centre[0] - width / 2), int(centre[1] + height / 2)),
        font,
        scale,
        255,
        int(rng.integers(2, 5)),
        cv2.LINE_AA,
    )
    matrix = cv2.getRotationMatrix2D(centre, rng.uniform(0, 360), 1.0)
    part = cv2.warpAffine(layer, matrix, pixels.shape[1::-1])[:, :, None] / 255
    pixels[:] = (pixels * (1 - part) + np.array(colour) * part).astype(np.uint8)


def _polyhedron(rng: np.random.Generator, patch: Patch) -> tuple[Pixels, Pixels]:
    """A numeral die: facets around a middle one, with signs."""
    body, ink = _colours(rng)
    pixels, mask = _fill(body), np.zeros((_SIDE, _SIDE), np.uint8)
    corners = int(rng.integers(3, 8))
    angles = np.sort(
        rng.uniform(0, 2 * np.pi) + np.arange(corners) * 2 * np.pi / corners + rng.normal(0, 0.12, corners)
    )
    outer = _SIDE / 2 + 44 * np.stack([np.cos(angles), np.sin(angles)], 1)
    inner = _SIDE / 2 + rng.uniform(18, 34) * np.stack([np.cos(angles), np.sin(angles)], 1) + rng.normal(0, 4, 2)
    cv2.fillPoly(mask, [outer.astype(np.int32)], 255)
    for i in range(corners):
        j = (i + 1) % corners
        facet = np.stack([outer[i], outer[j], inner[j], inner[i]]).astype(np.int32)
        shade = np.clip(np.array(body) * rng.uniform(0.45, 1.2), 0, 255)
        cv2.fillPoly(pixels, [facet], shade.tolist(), cv2.LINE_AA)
        if rng.random() < 0.4:
            _sign(
                rng, pixels, tuple(((outer[i] + outer[j] + inner[i] + inner[j]) / 4).tolist()), rng.uniform(9, 15), ink
            )
    if rng.random() < 0.2:
        _carve(rng, pixels, inner, ink)
    elif rng.random() < 0.9:
        _sign(rng, pixels, (_SIDE / 2, _SIDE / 2), rng.uniform(18, 36), ink)
    return pixels, mask


def _carve(rng: np.random.Generator, pixels: Pixels, corners: np.ndarray, ink: list[int]) -> None:
    """A face full of ornament within its `corners` (n, 2), as some numeral dice have round each number."""
    middle = corners.mean(0)
    for share in np.arange(0.95, 0.3, -rng.uniform(0.12, 0.3)):
        ring = (middle + share * (corners - middle)).astype(np.int32)
        cv2.polylines(pixels, [ring], True, ink, int(rng.integers(1, 4)), cv2.LINE_AA)
    for _ in range(int(rng.integers(4, 14))):
        i, along, depth = int(rng.integers(len(corners))), rng.random(), rng.uniform(0.3, 0.9)
        rim = corners[i] * along + corners[(i + 1) % len(corners)] * (1 - along)
        place = middle + depth * (rim - middle)
        ends = place + rng.normal(0, 5, (3, 2))
        kind = rng.random()
        if kind < 0.4:
            cv2.polylines(pixels, [ends[:2].astype(np.int32)], False, ink, int(rng.integers(1, 4)), cv2.LINE_AA)
        elif kind < 0.7:
            cv2.fillPoly(pixels, [ends.astype(np.int32)], ink, cv2.LINE_AA)
        else:
            cv2.circle(pixels, tuple(map(int, place)), int(rng.integers(1, 4)), ink, -1, cv2.LINE_AA)
    if rng.random() < 0.7:
        _sign(rng, pixels, (float(middle[0]), float(middle[1])), rng.uniform(12, 22), ink)


def _symbols(rng: np.random.Generator, patch: Patch) -> tuple[Pixels, Pixels]:
    """A cube whose faces carry pictures instead of pips."""
    body, ink = _colours(rng)
    pixels, mask = _rounded_square(rng, body)
    shape = rng.random()
    if shape < 0.25:
        reach = rng.uniform(26, 38)
        _carve(rng, pixels, _SIDE / 2 + reach * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]), ink)
    elif shape < 0.5:  # woven squares
        cells = int(rng.integers(4, 8))
        grid = (rng.random((cells, cells)) < 0.5).astype(np.uint8)
        if rng.random() < 0.5:
            grid = np.maximum(grid, grid[::-1])
        inked = cv2.resize(grid, (60, 60), interpolation=cv2.INTER_NEAREST)
        pixels[18:78, 18:78] = np.where(inked[:, :, None] > 0, np.array(ink, np.uint8), pixels[18:78, 18:78])
    elif shape < 0.75:  # a star, a triangle, a cross of strokes
        points = int(rng.integers(3, 9))
        radii = np.where(np.arange(2 * points) % 2, rng.uniform(8, 20), 32)
        angles = np.arange(2 * points) * np.pi / points + rng.uniform(0, 7)
        star = _SIDE / 2 + radii[:, None] * np.stack([np.cos(angles), np.sin(angles)], 1)
        if rng.random() < 0.5:
            cv2.fillPoly(pixels, [star.astype(np.int32)], ink, cv2.LINE_AA)
        else:
            cv2.polylines(pixels, [star.astype(np.int32)], True, ink, int(rng.integers(2, 5)), cv2.LINE_AA)
    else:
        for _ in range(rng.integers(3, 9)):
            a, b = rng.integers(18, 78, (2, 2)).tolist()
            cv2.line(pixels, tuple(a), tuple(b), ink, int(rng.integers(2, 6)), cv2.LINE_AA)
    return pixels, mask


def _disc(rng: np.random.Generator, patch: Patch) -> tuple[Pixels, Pixels]:
    """A button with holes, a coin, a counter."""
    body, ink = _colours(rng)
    pixels, mask = _fill(body), np.zeros((_SIDE, _SIDE), np.uint8)
    cv2.ellipse(mask, (48, 48), (44, int(rng.uniform(24, 44))), rng.uniform(0, 180), 0, 360, 255, -1)
    rim = np.clip(np.array(body) * rng.uniform(0.5, 1.4), 0, 255).tolist()
    cv2.circle(pixels, (48, 48), int(rng.integers(28, 42)), rim, int(rng.integers(1, 7)), cv2.LINE_AA)
    if rng.random() < 0.5:
        holes, reach, turn = rng.choice([2, 4]), rng.uniform(6, 12), rng.uniform(0, 7)
        for i in range(holes):
            angle = turn + i * 2 * np.pi / holes
            centre = (int(48 + reach * np.cos(angle)), int(48 + reach * np.sin(angle)))
            cv2.circle(pixels, centre, int(rng.integers(2, 5)), ink, -1, cv2.LINE_AA)
    else:
        _sign(rng, pixels, (48, 48), rng.uniform(14, 30), rim)
    return pixels, mask


def _key(rng: np.random.Generator, patch: Patch) -> tuple[Pixels, Pixels]:
    """A key of a keyboard, a tile with a letter or a number."""
    body, ink = _colours(rng)
    pixels, mask = _rounded_square(rng, body)
    _sign(rng, pixels, (48, 48), rng.uniform(14, 36), ink)
    return pixels, mask


def _domino(rng: np.random.Generator, patch: Patch) -> tuple[Pixels, Pixels]:
    body, ink = _colours(rng)
    pixels, mask = _fill(body, 64, 120), np.zeros((120, 64), np.uint8)
    cv2.rectangle(mask, (4, 4), (59, 115), 255, -1)
    cv2.line(pixels, (8, 60), (56, 60), ink, 2)
    for top in (4, 60):
        for place in rng.permutation(9)[: rng.integers(0, 7)]:
            centre = (int(18 + place % 3 * 14), int(top + 14 + place // 3 * 14))
            cv2.circle(pixels, centre, 5, ink, -1, cv2.LINE_AA)
    return pixels, mask


def _figure(rng: np.random.Generator, patch: Patch) -> tuple[Pixels, Pixels]:
    """A toy person: a head with hair or a hat, two eyes and a mouth, on a body with its arms and legs."""
    pixels, mask = _fill([0, 0, 0]), np.zeros((_SIDE, _SIDE), np.uint8)
    skin, hair, body, legs = (rng.integers(10, 250, 3).tolist() for _ in range(4))
    if rng.random() < 0.7:
        skin = [int(c) for c in np.array([240, 195, 60]) * rng.uniform(0.6, 1.0)]
    head, middle, chin = rng.uniform(11, 17), 48 + rng.normal(0, 2), rng.uniform(30, 44)
    wide, waist = head * rng.uniform(1.0, 1.5), rng.uniform(64, 74)

    def fill(corners: list[tuple[float, float]], colour: list[int]) -> None:
        for layer, paint in ((pixels, colour), (mask, 255)):
            cv2.fillPoly(layer, [np.array(corners).astype(np.int32)], paint, cv2.LINE_AA)

    def ball(x: float, y: float, reach: float, colour: list[int]) -> None:
        for layer, paint in ((pixels, colour), (mask, 255)):
            cv2.circle(layer, (round(x), round(y)), round(reach), paint, -1, cv2.LINE_AA)

    for side in (-1, 1):
        fill(
            [(middle, waist), (middle + side * wide, waist), (middle + side * wide, 92), (middle + side * 2, 92)], legs
        )
        elbow = (middle + side * wide * rng.uniform(1.2, 1.7), rng.uniform(chin + 8, waist))
        fill([(middle + side * wide * 0.8, chin), elbow, (elbow[0] - side * 8, elbow[1] + 6)], body)
        ball(elbow[0] - side * 3, elbow[1] + 3, 5, skin)
    fill(
        [(middle - wide * 0.8, chin), (middle + wide * 0.8, chin), (middle + wide, waist), (middle - wide, waist)], body
    )
    ball(middle, chin - head * 0.8, head * 1.15, hair)
    ball(middle, chin - head * 0.6, head * 0.9, skin)
    if rng.random() < 0.7:
        fill(
            [(middle + x * head * 1.1, chin - y * head) for x, y in ((-1, 0.9), (1, 0.9), (0.7, 2.1), (-0.7, 2.1))],
            hair,
        )
    dark = [int(c) for c in rng.integers(0, 50, 3)]
    for side in (-1, 1):
        ball(middle + side * head * 0.35, chin - head * 0.6, rng.uniform(1, 3), dark)
    cv2.ellipse(
        pixels, (round(middle), round(chin - head * 0.3)), (round(head * 0.4), 3), 0, 0, 180, dark, 1, cv2.LINE_AA
    )
    for _ in range(int(rng.integers(0, 5))):  # what is printed on its clothes
        ball(middle + rng.normal(0, wide / 3), rng.uniform(chin + 4, waist), rng.uniform(1, 4), dark)
    if rng.random() < 0.7:  # as it lies
        turn = cv2.getRotationMatrix2D((48, 48), rng.uniform(0, 360), rng.uniform(0.85, 1.0))
        pixels, mask = (as_pixels(cv2.warpAffine(layer, turn, (_SIDE, _SIDE))) for layer in (pixels, mask))
    return pixels, mask


def _scrap(rng: np.random.Generator, patch: Patch) -> tuple[Pixels, Pixels]:
    """A piece of something else in a die's outline: pasting itself must not give dice away."""
    _, mask = _rounded_square(rng, [0, 0, 0])
    return np.ascontiguousarray(cv2.resize(patch(rng), (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)), mask


def _rounded_square(rng: np.random.Generator, body: list[int]) -> tuple[Pixels, Pixels]:
    """A square with corners as round as chance wants them, one edge shaded like a side face."""
    pixels, mask = _fill(body), np.zeros((_SIDE, _SIDE), np.uint8)
    round_by = int(rng.integers(2, 20))
    cv2.rectangle(mask, (6 + round_by, 6 + round_by), (89 - round_by, 89 - round_by), 255, -1)
    mask = as_pixels(
        cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round_by + 1, 2 * round_by + 1)))
    )
    depth = int(rng.integers(0, 26))
    pixels[96 - 6 - depth :] = np.clip(pixels[96 - 6 - depth :] * rng.uniform(0.4, 0.9), 0, 255).astype(np.uint8)
    return pixels, mask


_KINDS = (_polyhedron, _symbols, _disc, _key, _domino, _figure, _scrap)
_SHARES = (0.42, 0.19, 0.07, 0.11, 0.05, 0.06, 0.1)
_DIAGONAL = [(-1, -1), (1, 1)]
_CORNERS = [*_DIAGONAL, (-1, 1), (1, -1)]
FACES: dict[int, list[tuple[int, int]]] = {
    1: [(0, 0)],
    2: _DIAGONAL,
    3: [*_DIAGONAL, (0, 0)],
    4: _CORNERS,
    5: [*_CORNERS, (0, 0)],
    6: [*_CORNERS, (-1, 0), (1, 0)],
}
