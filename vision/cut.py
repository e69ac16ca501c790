"""Whether the photo's edge cuts a die off that is none of the reading's."""

from __future__ import annotations

import numpy as np

from vision.arrays import Flags, Floats
from vision.border import Places
from vision.boxes import Box, areas, longer_sides, overlaps
from vision.interpretation import SQUARE, Detections, part_odds
from vision.reading import Reading

_EDGE = 0.01  # of the photo's side: a box that ends nearer to the edge lies at it
_APART = 0.3  # of the smaller of two boxes: what shares less with each die is another thing
_SIDES = (0.55, 1.6)  # of the median die, a thing's longer side
# Log-odds by the network of the border, from which on a die lies across it. Those by detector and classifier, that a
# thing at the edge is part of a die, count so much less alone, and a quarter where both see one.
_ACROSS, _LESS_ALONE = 1.5, 0.5
_PRIOR = 1.5  # weight of what lies inside
_LOOKALIKE = 0.2  # the detector's score of a thing that looks like a die
_SAME_DIE = 0.5  # intersection over union of a die and its candidate; share of a die that a place shows


def find_cut(reading: Reading, detections: Detections, places: Places) -> Box | None:
    """The part in the photo of what is likeliest a die that the edge cuts; None if nothing may be one. `places`: what
    the network of the border says."""
    if not reading.dice:
        return None
    things, parts = _things(reading, detections)
    along = places.boxes * np.array([reading.width, reading.height] * 2, np.float32)
    across = ~_shows_a_die(along, reading)
    along = along[across]
    both = np.where(overlaps(along, things)[1] > 0, parts.clip(0) / 4, 0).max(1, initial=0.0)
    boxes = np.concatenate([along, things])
    odds = np.concatenate([places.log_odds[across] + both, parts - _LESS_ALONE]) + _prior(reading, detections)
    if odds.max(initial=-np.inf) < _ACROSS:
        return None
    x0, y0, x1, y1 = boxes[odds.argmax()].clip(0, [reading.width, reading.height] * 2)
    return float(x0), float(y0), float(x1), float(y1)


def _prior(reading: Reading, detections: Detections) -> float:
    """What lies across the edge is mostly one more of what lies inside: log-odds for a die, 0 or less, by how many
    things there look like dice but are none."""
    boxes, dice = _in_pixels(detections), _boxes(reading)
    other = (detections.scores >= _LOOKALIKE) & (overlaps(boxes, dice)[1].max(1, initial=0.0) < _APART)
    others = int((other & _as_large(boxes, dice)).sum())
    return min(0.0, _PRIOR * float(np.log((len(dice) + 0.5) / (others + 0.5))))


def _as_large(boxes: Floats, dice: Floats) -> Flags:
    """Which boxes (n, 4) are about as long as the `dice` (m, 4)."""
    sides, usual = longer_sides(boxes), float(np.median(longer_sides(dice)))
    return np.asarray((sides > _SIDES[0] * usual) & (sides < _SIDES[1] * usual))


def _things(reading: Reading, detections: Detections) -> tuple[Floats, Floats]:
    """The candidates (n, 4) at the photo's edge that are none of the dice but as large, and the log-odds (n,) that each
    is part of a die."""
    boxes, dice = _in_pixels(detections), _boxes(reading)
    at_edge = ((detections.boxes < _EDGE) | (detections.boxes > 1 - _EDGE)).any(1)
    cut = at_edge & _as_large(boxes, dice) & (overlaps(boxes, dice)[1].max(1, initial=0.0) < _APART)
    return boxes[cut], part_odds(detections)[cut]


def of_dice(reading: Reading, detections: Detections, rows: Floats) -> Floats:
    """Of the classifier's `rows` for all candidates (m, d), those of the reading's dice that are among them (n, d)."""
    iou, _ = overlaps(_boxes(reading), _in_pixels(detections))
    if not iou.size or len(rows) < len(detections.boxes):  # these detections have no such rows
        return rows[:0]
    found: Floats = rows[iou.argmax(1)[iou.max(1) >= _SAME_DIE]]
    return found


def _shows_a_die(boxes: Floats, reading: Reading) -> Flags:
    """Which boxes (n, 4) show a square die of the reading at the border: such a die is whole."""
    dice = _boxes(reading)
    sides = dice[:, 2:] - dice[:, :2]
    dice = dice[sides.min(1) >= SQUARE * sides.max(1)]
    low, high = np.maximum(boxes[:, None, :2], dice[:, :2]), np.minimum(boxes[:, None, 2:], dice[:, 2:])
    shared = (high - low).clip(0).prod(2) / areas(dice)
    return np.asarray(shared.max(1, initial=0.0) > _SAME_DIE)


def _boxes(reading: Reading) -> Floats:
    """(n, 4) in pixels of the photo."""
    return np.array([die.box for die in (*reading.dice, *reading.aside)], np.float32).reshape(-1, 4)


def _in_pixels(detections: Detections) -> Floats:
    size = np.array([detections.width, detections.height] * 2, np.float32)
    return (detections.boxes * size).astype(np.float32)
