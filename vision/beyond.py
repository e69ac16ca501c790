"""What lies across the photo's border. The photo is continued outwards as in a mirror, so that the part of a die that
it shows becomes a whole thing, which the detector finds. How probable it is that this is a die, the network of the
border (`vision.border`) says too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Doubles, Flags, Floats, Pixels
from vision.border import Places
from vision.boxes import areas, as_boxes, longer_sides, overlaps, rows_of
from vision.eye import answer_at_once
from vision.judging.boxes import Box
from vision.judging.chances import Row
from vision.judging.interpretation import SQUARE
from vision.judging.judge import find
from vision.judging.same_set import set_ratios
from vision.judging.seen import Seen
from vision.judging.views import classify
from vision.likeness import saved_arrays
from vision.network_eye import NetworkEye
from vision.photo import Photo
from vision.reading import Reading
from vision.region import RegionCrop

_VIEW_SIDE = 1000  # pixels of the longer side
_OUTWARDS = 0.1  # of the longer side, by which the photo is continued
_ACROSS = 0.08  # of a thing's longer side, at least, on either side of the border
_LEAST = 0.1  # the detector's score
_SIDES = (0.35, 2.3)  # of the median die, a thing's longer side: mirrored, half a die may be shorter or longer
_SAME_DIE = 0.5  # intersection over union of a die and its candidate; share of a die that a thing shows
_LOOKALIKE = 0.2  # the detector's score of a thing inside that is no die but looks like one
_NOT_A_DIE = 0.3  # of the smaller box: what shares less with each die is another thing

_MOST_INSIDE = 1.5  # log-ratio of dice and lookalikes inside the photo
# Log-odds from which on a thing may be a cut die: cables and other dice at the edge are much like one. The latter
# counts if all dice of the dice count are seen.
_CUT, _CUT_COUNTED = 0.8, 1.6
# The same below a log-ratio of dice and lookalikes inside the photo: what the edge cuts is mostly one more of these.
_CUT_LOOKALIKE, _LOOKALIKES = 1.95, 0.8
# Log-odds beyond these count as these: of the network of the border, and of things; the least also where no thing is.
_SEEN, _THING = (-10.0, 8.0), (-4.0, 6.0)

CUT_ODDS = "cut-odds.npz"


@dataclass(frozen=True)
class CutOdds:
    """How probable it is that a thing across the border is a cut die. `form` (6, 6): its log-odds are this quadratic
    form of the five numbers of `Beyond.describe` and 1. `both` (3, 3): the same of two numbers and 1: what the network
    of the border says, and the log-odds by `form`; None beside older networks. Fitted by `rollcall train cut-odds` to
    cropped photos; dice and other things weighed the same there."""

    form: Doubles
    both: Doubles | None = None

    @classmethod
    def load(cls, path: Path) -> CutOdds | None:
        """Loads the file; None if there is none, as beside older networks. Raises ModelError if it is broken."""
        if not path.is_file():
            return None
        with saved_arrays(path) as saved:
            both = saved["both"].astype(np.float64) if "both" in saved else None
            return cls(saved["form"].astype(np.float64), both)

    def of_things(self, numbers: Doubles) -> Doubles:
        """The log-odds (n,) of things with these numbers (n, 5)."""
        return _apply(self.form, numbers)

    def of_both(self, seen: Floats, things: Doubles) -> Doubles:
        """The log-odds (n,) of what the network of the border `seen` (n,) and of `things` (n,) together."""
        if self.both is None:
            return things
        return _apply(self.both, both_log_odds(seen, things))


@dataclass(frozen=True)
class Beyond:
    """Things across the border: the continued picture, boxes (n, 4) in it, and the detector's scores (n,). `out`: by
    how many pixels the picture is continued."""

    pixels: Pixels
    boxes: Floats
    scores: Floats
    out: int

    def find_die(
        self, cut_odds: CutOdds, numbers: Doubles, places: Places | None, reading: Reading, counted: bool
    ) -> Box | None:
        """The part in the photo of what is likeliest a cut die; None if nothing may be one. `numbers`: what `describe`
        gives. `places`: what the network of the border says, if there is one. `counted`: the reading has all dice of
        the dice count."""
        boxes, things = self.boxes_in_photo(reading), cut_odds.of_things(numbers)
        if places is not None:
            boxes, seen, things = add_places(places, boxes, things, reading)
            things = cut_odds.of_both(seen, things)
        cut = ~_shows_a_die(boxes, reading)
        things, boxes = things[cut], boxes[cut]
        if not len(things):
            return None
        likeliest = int(things.argmax())
        least = _CUT_COUNTED if counted else _CUT
        if len(numbers) and numbers[0, 2] < _LOOKALIKES:
            least = _CUT_LOOKALIKE
        if things[likeliest] <= least:
            return None
        x0, y0, x1, y1 = boxes[likeliest].clip(0, [reading.width, reading.height] * 2)
        return float(x0), float(y0), float(x1), float(y1)

    def describe(self, eye: NetworkEye, reading: Reading, detections: Seen) -> Doubles:
        """Numbers (n, 5) of the things: the detector's log-odds; the log-ratio of being of one set with the photo's
        dice; that of dice and lookalikes inside the photo; the share of the thing that is in the photo; and the
        logarithm of its longer side by the usual die's."""
        height, width = self.pixels.shape[:2]
        if not len(self.boxes):
            return np.zeros((0, 5))
        alike = np.zeros(len(self.boxes))
        vectors = of_dice(reading, detections, detections.set_vectors).tolist()
        if len(vectors):
            boxes = (self.boxes / np.array([width, height] * 2)).astype(np.float32)
            looks = answer_at_once(classify(eye, Photo(self.pixels), as_boxes(boxes), self.scores.tolist()))
            _, seen = answer_at_once(eye.compare([look.features for look in looks]))
            sure = [True] * len(vectors) + [False] * len(seen)
            alike = np.array(set_ratios(eye.likeness.set_between, [*vectors, *seen], sure)[len(vectors) :])
        inside = min(_inside(reading, detections), _MOST_INSIDE)
        kept = self.boxes.clip(self.out, np.array([width - self.out, height - self.out] * 2))
        share = areas(kept) / areas(self.boxes)
        usual = _usual_side(_boxes(reading)) * (width - 2 * self.out) / reading.width
        side = np.log(longer_sides(self.boxes) / usual)
        return np.column_stack(
            [np.log(self.scores / (1 - self.scores)), alike, np.full(len(alike), inside), share, side]
        )

    def boxes_in_photo(self, reading: Reading) -> Floats:
        """The boxes (n, 4) in pixels of the reading's photo, beyond whose border they reach."""
        width, height = (side - 2 * self.out for side in self.pixels.shape[1::-1])
        return (self.boxes - self.out) * np.array([reading.width / width, reading.height / height] * 2, np.float32)


def both_log_odds(seen: Floats, things: Doubles) -> Doubles:
    """What `CutOdds.both` weighs (n, 2)."""
    return np.column_stack([seen.clip(*_SEEN), things.clip(*_THING)]).astype(np.float64)


def add_places(places: Places, boxes: Floats, things: Doubles, reading: Reading) -> tuple[Floats, Floats, Doubles]:
    """Boxes (n + 1, 4), what the network of the border says of each, and the log-odds of each by the detector: first
    the things, then the likeliest place that is near none of them."""
    near = places.near_boxes(boxes, reading.width, reading.height)
    far = ~near.any(0)
    least = np.float32(_SEEN[0])
    seen = np.where(near, places.log_odds, least).max(1, initial=least)
    elsewhere = np.where(far, places.log_odds, least)
    likeliest = int(elsewhere.argmax())
    place = places.boxes[likeliest] * np.array([reading.width, reading.height] * 2, np.float32)
    return (
        np.vstack([boxes, place[None]]),
        np.append(seen, elsewhere[likeliest]),
        np.append(things, _THING[0]),
    )


def find_beyond(
    eye: NetworkEye, sizes: Sequence[int], photo: Photo, reading: Reading, region: RegionCrop | None = None
) -> Beyond:
    """What lies across the border of the photo, at its `region` only, and is about as large as the dice."""
    view = photo.view(_VIEW_SIDE)
    height, width = view.shape[:2]
    out = round(_OUTWARDS * max(width, height))
    pixels = np.asarray(cv2.copyMakeBorder(view, out, out, out, out, cv2.BORDER_REFLECT), np.uint8)
    passes = [answer_at_once(find(eye.detector, Photo(pixels), side, _LEAST)) for side in sizes]
    places = rows_of([box for found in passes for box in found.boxes], 4)
    places = places * np.array(pixels.shape[1::-1] * 2, np.float32)
    scores = np.array([score for found in passes for score in found.scores], np.float32)
    boxes = places - np.float32(out)
    sides = longer_sides(boxes)
    dice = np.array([die.box for die in reading.dice]).reshape(-1, 4) * (width / reading.width)
    usual = _usual_side(dice)
    kept = _crosses(boxes, sides, width, height) & (sides >= _SIDES[0] * usual) & (sides <= _SIDES[1] * usual)
    if region is not None:
        kept &= region.holds((boxes / np.array([width, height] * 2)).astype(np.float32))
    return Beyond(pixels, places[kept], scores[kept], out)


def _apply(form: Doubles, rows: Doubles) -> Doubles:
    """The quadratic form of each row (n, k), with a 1 after it."""
    rows = np.column_stack([rows, np.ones(len(rows))])
    return np.asarray(((rows @ form) * rows).sum(1))


def of_dice(reading: Reading, detections: Seen, rows: Sequence[Row]) -> Doubles:
    """Of the classifier's `rows` for all candidates (m, d), those of the reading's dice that are among them (n, d)."""
    iou, _ = overlaps(_boxes(reading), rows_of(detections.pixels, 4))
    if not iou.size or len(rows) < len(detections.boxes):  # these detections have no such rows
        return np.zeros((0, 0))
    return np.asarray(np.array(rows)[iou.argmax(1)[iou.max(1) >= _SAME_DIE]])


def _shows_a_die(boxes: Floats, reading: Reading) -> Flags:
    """Which boxes (n, 4) show a square die of the reading at the border: such a die is whole."""
    dice = _boxes(reading)
    sides = dice[:, 2:] - dice[:, :2]
    dice = dice[sides.min(1) >= SQUARE * sides.max(1)]
    low, high = np.maximum(boxes[:, None, :2], dice[:, :2]), np.minimum(boxes[:, None, 2:], dice[:, 2:])
    shared = (high - low).clip(0).prod(2) / areas(dice)
    return np.asarray(shared.max(1, initial=0.0) > _SAME_DIE)


def _crosses(boxes: Floats, sides: Floats | Doubles, width: int, height: int) -> Flags:
    """Which boxes (n, 4) lie across the border of a picture of this size."""
    far = np.array([width, height], np.float32)
    left_or_top = np.minimum(-boxes[:, :2], boxes[:, 2:])
    right_or_bottom = np.minimum(boxes[:, 2:] - far, far - boxes[:, :2])
    return np.asarray(np.maximum(left_or_top, right_or_bottom).max(1, initial=-np.inf) > _ACROSS * sides)


def _inside(reading: Reading, detections: Seen) -> float:
    """The log-ratio of dice and things that look like dice but are none: what lies across the border is mostly one of
    the kind that lies inside."""
    size = np.array([detections.width, detections.height] * 2, np.float32)
    boxes = rows_of(detections.pixels, 4)
    dice = _boxes(reading)
    _, shared = overlaps(boxes, dice)
    gaps: Doubles = np.concatenate([boxes[:, :2], size[2:] - boxes[:, 2:]], 1).min(1, initial=np.inf)
    sides, usual = longer_sides(boxes), _usual_side(dice)
    like = (sides >= _SIDES[0] * usual) & (sides <= _SIDES[1] * usual) & (gaps > 0.02 * sides)
    other = like & (np.array(detections.scores) >= _LOOKALIKE) & (shared.max(1, initial=0.0) < _NOT_A_DIE)
    return float(np.log((len(dice) + 0.5) / (int(other.sum()) + 0.5)))


def _usual_side(boxes: Floats | Doubles) -> float:
    """The median of the boxes' longer sides; 0 without boxes."""
    return float(np.median(longer_sides(boxes))) if len(boxes) else 0.0


def _boxes(reading: Reading) -> Floats:
    """(n, 4) in pixels of the photo."""
    return np.array([die.box for die in (*reading.dice, *reading.aside)], np.float32).reshape(-1, 4)
