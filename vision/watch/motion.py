"""Cheap analysis of a video: how the camera drifted between two pictures, and what moved apart from that.

It works on small pictures ("glances") of some thousand pixels, at a thousandth of the networks' cost. They keep their
colours: a hand may be as light as the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Doubles, Flags, Floats, Grey, Mask, Pixels

GLANCE = 240  # pixels of a glance's longer side
_QUIET = 3  # of 255: smaller differences are the camera's noise
_CHANGED = 14  # of 255: a pixel that differs more, also from the pixels beside it, has changed
_STILL_LIT = 0.1  # of what other light would change: if more of it looks as before, the light is the same
_FLICKERS = 0.02  # of the picture that differs, from which on lamps may flicker
_WAVES = np.arange(0.5, 5, 0.25)  # of light in a picture's height: mains of 50 or 60 Hz, a sensor read in 5 to 40 ms
_WHITE = 230  # of 255: a pixel of a glance that may be the mean of some that were overexposed
_OFF_WAVE = 0.03  # of the light, that nine rows of ten may be off the wave
_POINTS, _LEAST_POINTS = 120, 10  # tracked to measure how the camera moved; the fewest that suffice


@dataclass(frozen=True)
class Drift:
    """How a picture moved: the point z = x + iy, in pixels, is now at `turn` z + `shift`. `turn` holds rotation and
    scale."""

    turn: complex = 1 + 0j
    shift: complex = 0j

    def then(self, later: Drift) -> Drift:
        """This movement followed by `later`."""
        return Drift(later.turn * self.turn, later.turn * self.shift + later.shift)

    def scale(self, factor: float) -> Drift:
        """The same movement in a picture `factor` times as large."""
        return Drift(self.turn, self.shift * factor)

    def move_boxes(self, boxes: npt.NDArray[np.floating]) -> Doubles:
        """Where boxes (n, 4) are now: their middles move, their sides grow."""
        middle = self.turn * (boxes[:, 0] + boxes[:, 2] + 1j * (boxes[:, 1] + boxes[:, 3])) / 2 + self.shift
        half = abs(self.turn) * (boxes[:, 2:] - boxes[:, :2]) / 2
        centre = np.stack([middle.real, middle.imag], 1)
        return np.concatenate([centre - half, centre + half], 1)

    @property
    def matrix(self) -> Doubles:
        """The movement as the matrix (2, 3) that OpenCV takes."""
        a, b = self.turn, self.shift
        return np.array([[a.real, -a.imag, b.real], [a.imag, a.real, b.imag]])

    def length(self, width: int, height: int) -> float:
        """How far the middle of a picture of these sides moved, in pixels."""
        middle = complex(width, height) / 2
        return abs(self.turn * middle + self.shift - middle)


STILL = Drift()


def glance(pixels: Pixels) -> Pixels:
    """The picture small, its longer side GLANCE pixels or less."""
    height, width = pixels.shape[:2]
    step = max(1, max(height, width) // (2 * GLANCE))
    near = pixels[::step, ::step]  # averaging a whole large picture would cost more than all the rest
    scale = min(1.0, GLANCE / max(near.shape[:2]))
    small = cv2.resize(
        near, (max(1, round(near.shape[1] * scale)), max(1, round(near.shape[0] * scale))), interpolation=cv2.INTER_AREA
    )
    return np.asarray(small, np.uint8)


def to_grey(small: Pixels) -> Grey:
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), np.uint8)


def is_quiet(before: Pixels, now: Pixels) -> bool:
    """Whether two glances differ only by noise."""
    differs = cv2.absdiff(to_grey(before), to_grey(now)) > _QUIET
    return int(np.count_nonzero(differs)) <= 0.001 * differs.size


def drift_between(before: Pixels, now: Pixels) -> Drift | None:
    """How the camera moved, in pixels of the glances; None if they show too little."""
    before, now = to_grey(before), to_grey(now)
    points = cv2.goodFeaturesToTrack(before, _POINTS, 0.01, 5)
    if points is None or len(points) < _LEAST_POINTS:
        return None
    there, found = _track(before, now, points)
    back, found_back = _track(now, before, there)
    kept = found & found_back & (np.linalg.norm((back - points)[:, 0], axis=1) < 1)
    if kept.sum() < _LEAST_POINTS:
        return None
    matrix, alike = cv2.estimateAffinePartial2D(points[kept], there[kept], ransacReprojThreshold=1.0)
    if matrix is None or alike.sum() < max(_LEAST_POINTS, kept.sum() / 2):  # most of them must move alike
        return None
    return Drift(complex(matrix[0, 0], matrix[1, 0]), complex(matrix[0, 2], matrix[1, 2]))


def _track(before: Grey, now: Grey, points: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Mask]:
    """Where the points (n, 1, 2) are now, and which of them were found (n,)."""
    there, found, _ = cv2.calcOpticalFlowPyrLK(before, now, points, np.empty_like(points))
    return np.asarray(there), np.asarray(found)[:, 0] == 1


class Difference:
    """What changed from the glance `before` to the one `now`, apart from the camera's `drift` and a change of light."""

    def __init__(self, before: Pixels, now: Pixels, drift: Drift = STILL) -> None:
        self.before, self.now, self.drift = before, now, drift

    @cached_property
    def _placed(self) -> tuple[Pixels, Mask]:
        return _placed_in(self.before, self.now, self.drift)

    @cached_property
    def mask(self) -> Mask:
        """Where they differ (h, w). A pixel has changed if nothing like it lay at its place or beside it; so edges that
        are a pixel off do not count."""
        seen, known = self._placed
        changed = (_differs_lit(seen, self.now, _light(seen, self.now, known)) & known).astype(np.uint8)
        return np.asarray(cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0)

    @property
    def explained(self) -> float:
        """The share of the picture that looks as before, of what both show; 0 if they have little in common."""
        known = self._placed[1].sum()
        return 1 - float(self.mask.sum() / known) if known > self._placed[1].size / 2 else 0.0

    def shares(self, boxes: Doubles) -> Doubles:
        """The share (n,) of each box (n, 4), in pixels of the glance, that has changed; 0 outside the picture."""
        parts = [self.mask[y0 : y1 + 1, x0 : x1 + 1] for x0, y0, x1, y1 in np.round(boxes).astype(int).clip(0)]
        return np.array([part.mean() if part.size else 0.0 for part in parts], np.float64)

    def bare_now(self, bare: Pixels) -> Pixels:
        """The table without dice, known when the picture was `before`, where and as light as it is now."""
        moved, _ = _placed_in(bare, self.now, self.drift)
        unknown, inside = _placed_in(np.where(bare == 0, np.uint8(255), np.uint8(0)), self.now, self.drift)
        light = _light(self._placed[0], self.now, inside)
        there = inside & (unknown == 0).all(2)
        return np.asarray(np.where(there[:, :, None], _lit(moved, light).clip(1), 0), np.uint8)


def camera_motion(before: Pixels, now: Pixels) -> Difference:
    """What changed between two glances apart from the camera's motion. A hand that fills the picture looks like a
    moving camera; so standing still is taken if it explains more of the picture."""
    still = Difference(before, now)
    drift = drift_between(before, now) if still.mask.any() else None
    if drift is None:
        return still
    apart = Difference(before, now, drift)
    return apart if apart.mask.sum() < still.mask.sum() else still


def _placed_in(before: Pixels, now: Pixels, drift: Drift) -> tuple[Pixels, Mask]:
    """The glance `before` at its place in `now`, and which of its pixels are known (h, w)."""
    height, width = now.shape[:2]
    seen = np.asarray(cv2.warpAffine(before, drift.matrix, (width, height), flags=cv2.INTER_LINEAR), np.uint8)
    inside = np.ones(before.shape[:2], np.uint8)
    known = cv2.warpAffine(inside, drift.matrix, (width, height), flags=cv2.INTER_NEAREST) > 0
    return seen, np.asarray(known)


def _differs(lit: Pixels, now: Pixels) -> Mask:
    around = np.ones((3, 3), np.uint8)
    over = cv2.subtract(now, cv2.dilate(lit, around))
    under = cv2.subtract(cv2.erode(lit, around), now)
    return np.asarray(cv2.max(over, under).max(2) > _CHANGED)


def _differs_lit(before: Pixels, now: Pixels, light: Floats) -> Mask:
    """Where `now` differs from `before` in other light. What was white may have been lighter than the camera tells."""
    lit = _lit(before, light)
    white = (before >= _WHITE) & (now > lit)
    return _differs(np.where(white, np.minimum(before, now), lit), now)


def _light_ratio(before: Pixels, now: Pixels, known: Mask) -> Floats:
    """How many times as light the picture became in the median, each colour (1, 1, 3); 1 for hardly. Light falls on
    everything: if part of the picture is as light, something covers the rest."""
    same: Floats = np.ones((1, 1, 3), np.float32)
    seen, shown = (each[::2, ::2][known[::2, ::2]].astype(np.float32) for each in (before, now))
    if not len(seen):
        return same
    ratio = np.asarray(np.median((shown + 8) / (seen + 8), axis=0), np.float32)
    if (np.abs(ratio - 1) < 0.02).all():
        return same
    other = (np.abs((seen + 8) * (ratio - 1)) > _CHANGED).any(1)
    alike = (np.abs(shown - seen)[other] <= _CHANGED / 2).all(1)
    return same if len(alike) and alike.mean() > _STILL_LIT else ratio[None, None]


def _light(before: Pixels, now: Pixels, known: Mask) -> Floats:
    """How many times as light each pixel became: (1, 1, 3), or by rows (h, 1, 3), or by columns (1, w, 3)."""
    ratio = _light_ratio(before, now, known)
    changed = _differs_lit(before, now, ratio) & known
    wave = _flicker(_lit(before, ratio), now, known) if changed.mean() > _FLICKERS else None
    if wave is None or (_differs_lit(before, now, ratio * wave) & known).sum() >= changed.sum():
        return ratio
    return ratio * wave


def _flicker(before: Pixels, now: Pixels, known: Mask) -> Floats | None:
    """How many times as light each row became (h, 1, 1) as lamps flicker, or each column; None if they do not. A camera
    reads its sensor row by row, so the light of a picture is a wave. A hand that lies across whole rows is none."""
    seen, shown = (to_grey(each).astype(np.float32) + 8 for each in (before, now))
    steps = np.where(known, np.log(shown / seen), 0)
    waves = []
    for axis, few in ((1, steps[:, ::4]), (0, steps[::4])):
        wave = _wave(np.median(few, axis=axis))
        if wave is not None:
            waves.append(np.expand_dims(wave, axis))
    if not waves:
        return None
    best = min(waves, key=lambda wave: float(np.abs(steps - wave).mean()))
    return np.asarray(np.exp(best)[:, :, None])


def _wave(light: Floats) -> Floats | None:
    """The wave that `light`, the logarithm of how many times as light each row became (n,), follows; None if it follows
    none."""
    place = np.arange(len(light)) / len(light)
    best, least = None, np.inf
    for turns in _WAVES:
        parts = np.stack([np.ones_like(place), np.sin(2 * np.pi * turns * place), np.cos(2 * np.pi * turns * place)], 1)
        level, *heights = np.linalg.lstsq(parts, light, rcond=None)[0]
        wave = parts @ [level, *heights]
        off = float(np.percentile(np.abs(light - wave), 90))
        if off < least and abs(level) <= np.hypot(*heights):  # what only got darker is no wave
            best, least = wave, off
    return None if best is None or least > _OFF_WAVE else np.asarray(best, np.float32)


def _lit(small: Pixels, light: Floats | float) -> Pixels:
    """The glance so many times as light."""
    if np.all(light == 1):
        return small
    return np.asarray(((small + np.float32(8)) * light - np.float32(7.5)).clip(0, 255), np.uint8)


_SOLID = 5  # pixels of a glance: what is thinner is the edge of a thing that still lies there


def largest_new(change: Difference, dice: Doubles, mask: Mask | None = None, at_edge: bool = False) -> float:
    """The largest new solid thing apart from `dice`, boxes (n, 4) in pixels of the glance: its share of the pixels of
    the glance or mask. `at_edge`: only things that reach in over the edge of these."""
    inside = np.ones(change.mask.shape, np.uint8) if mask is None else mask.astype(np.uint8)
    changed = change.mask * inside
    for box in dice:
        changed[_surroundings(box)[0]] = 0  # shadows too
    solid = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((_SOLID, _SOLID), np.uint8))
    _, named, found, _ = cv2.connectedComponentsWithStats(solid)
    if at_edge:
        inner = cv2.erode(inside, np.ones((7, 7), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
        named = np.where(np.asarray(inner) == 0, named, 0)
    areas = found[np.setdiff1d(named, [0]), cv2.CC_STAT_AREA]
    return float(areas.max(initial=0) / inside.sum())


_SAMPLES = 300  # pixels of the table around, to compare with
_SHADED = (0.5, 1.15)  # how many times as light a place is at least and at most that lies in a shadow


def covered_places(change: Difference, bare: Pixels, boxes: Doubles) -> Flags:
    """Which of the places `boxes` (n, 4), in pixels of the glance, from which dice vanished something covers (n,), half
    or more: a hand, or a lamp's glare. `bare`: the table without dice, known when the picture was `before`, 0 where it
    was never seen."""
    bare, found = change.bare_now(bare), np.zeros(len(boxes), bool)
    for place, box in enumerate(boxes):
        x0, y0, x1, y1 = np.round(box).astype(int).clip(0)
        part = slice(y0, y1 + 1), slice(x0, x1 + 1)
        if bare[part].size:
            unlike = _unlike if bare[part].all() else _unlike_around
            found[place] = unlike(bare, change.now, part) >= 1 / 2
    return found


def _shade(now: Pixels, table: Pixels) -> float:
    """How many times as light the table is in a shadow, if a place looks so `now`; 1 if it is in none."""
    ratio = float((np.median(now) + 8) / (np.median(table) + 8))
    return ratio if _SHADED[0] < ratio < _SHADED[1] else 1.0


def _unlike_around(bare: Pixels, now: Pixels, part: tuple[slice, slice]) -> float:
    """The share of the part that looks like nothing on the table around it, where the table was never seen below it."""
    (y, x), room = part, max(part[0].stop - part[0].start, part[1].stop - part[1].start)
    around = bare[max(y.start - room, 0) : y.stop + room, max(x.start - room, 0) : x.stop + room].reshape(-1, 3)
    around = around[around.all(1)]
    if not len(around):
        return 0.0
    around = around[:: max(1, len(around) // _SAMPLES)]
    lit = _lit(around, _shade(now[part], around)).astype(np.int16)
    apart = np.abs(now[part].reshape(-1, 1, 3).astype(np.int16) - lit).max(2).min(1)
    return float((apart > _CHANGED).mean())


def _unlike(bare: Pixels, now: Pixels, part: tuple[slice, slice]) -> float:
    """The share of the part that does not look as the table alone does."""
    return float(_differs(_lit(bare, _shade(now[part], bare[part])), now)[part].mean())


def learn_table(bare: Pixels | None, change: Difference | None, now: Pixels, dice: Doubles) -> Pixels:
    """The table without dice as far as it was ever seen, 0 elsewhere. `bare`: what was known before the `change`;
    `dice`: boxes (n, 4), in pixels of the glance, under which nothing is seen now."""
    lay = np.zeros_like(now) if bare is None or change is None else change.bare_now(bare)
    table = now.clip(1)
    if change is not None:  # a hand is no table: what is new is taken when it still lies there at the next rest
        table = np.where(change.mask[:, :, None] & (lay > 0), lay, table)
    for box in dice:
        part = _surroundings(box)[0]
        table[part] = lay[part]
    return np.asarray(table, np.uint8)


def appearance_correlation(change: Difference, boxes: Doubles) -> Doubles:
    """How alike each box (n, 4), in pixels of the glance, and its surroundings look before and after the change. The
    correlation (n,) of the blurred pictures, -1..1; 0 outside the picture."""
    now, matrix = to_grey(change.now), change.drift.matrix
    lay = cv2.warpAffine(to_grey(change.before), matrix, now.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
    found = np.zeros(len(boxes))
    for place, box in enumerate(boxes):
        part, room = _surroundings(box)
        if min(lay[part].shape) < 2:
            continue
        one, other = (cv2.GaussianBlur(each[part].astype(np.float32), (0, 0), 1 + room / 3) for each in (lay, now))
        one, other = one - one.mean(), other - other.mean()
        found[place] = float((one * other).sum() / max(np.linalg.norm(one) * np.linalg.norm(other), 1e-6))
    return found


def _surroundings(box: Doubles) -> tuple[tuple[slice, slice], int]:
    """The rows and columns of a box (4,), in pixels of the glance, and of the room around it; and that room."""
    x0, y0, x1, y1 = np.round(box).astype(int)
    room = max(x1 - x0, y1 - y0) // 2
    return (slice(max(y0 - room, 0), max(y1 + room, 0)), slice(max(x0 - room, 0), max(x1 + room, 0))), room


IN_FOCUS = 0.7  # of the steepness, or sharpness, before: less means out of focus


def is_as_sharp(before: Pixels, now: Pixels, lay: Doubles, lie: Doubles) -> bool:
    """Whether edges away from the dice are as steep as before, so the picture is in focus. False if there were no
    edges. `lay`, `lie`: boxes (n, 4), in pixels of the glance, of the dice before and now."""
    steep = _steepness(before, lay)
    return steep >= _QUIET and _steepness(now, lie) >= IN_FOCUS * steep


def _steepness(small: Pixels, boxes: Doubles) -> float:
    """The steepest hundredth of a glance, of 255 a pixel, away from boxes (n, 4) and their surroundings; 0 if
    nothing is left."""
    soft = cv2.GaussianBlur(to_grey(small).astype(np.float32), (0, 0), 1.0)
    steep = np.hypot(*(cv2.Sobel(soft, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1))))
    away = np.ones(soft.shape, bool)
    for box in boxes:
        away[_surroundings(box)[0]] = False
    return float(np.percentile(steep[away], 99)) if away.any() else 0.0


_LEAST_CHANGE = 8  # pixels of a glance: a smaller change is noise


def changed_boxes(changed: Mask) -> Doubles:
    """The boxes (n, 4) of the connected changes, in pixels of the glance."""
    _, _, found, _ = cv2.connectedComponentsWithStats(changed.astype(np.uint8))
    parts = found[1:][found[1:, cv2.CC_STAT_AREA] >= _LEAST_CHANGE].astype(np.float64)
    return np.concatenate([parts[:, :2], parts[:, :2] + parts[:, 2:4]], 1)
