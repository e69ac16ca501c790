"""Tracks dice from frame to frame and from rest to rest, and combines several readings of one rest."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.arrays import Doubles, as_boxes, longer_sides, rows_of
from vision.judging.chances import softmax
from vision.judging.judge import fuse
from vision.judging.overlap import SAME_THING, Box, overlap
from vision.judging.seen import MAYBE, NONE, Candidates, Seen
from vision.photo import Photo
from vision.reading import Die, Reading
from vision.watch.motion import STILL, Drift
from vision.watch.states import Rest

Pairs = list[tuple[int, int]]

_NEAR = 0.12  # of a die's side: how far a die at rest may lie apart in two frames, and a pixel more
# Of a die's side: how far a die may lie apart in two pictures, before and after the common shift is removed.
ROUGHLY, _STAYED = 0.5, 0.25
_EXACTLY = 0.08  # `_STAYED` for a die whose place looks different: another die may lie there now
# The largest turn, and share of growth, from frame to frame of dice that keep their places; and how far the shapes of
# two pictures of one moment may differ.
RIGID = 0.04


@dataclass(frozen=True)
class FrameReading:
    """One frame of `at` seconds, its detections, and the reading of it alone."""

    at: float
    photo: Photo
    detections: Seen
    reading: Reading

    @property
    def pixels(self) -> Doubles:
        """The boxes (n, 4) of all candidates, in pixels."""
        return np.array(self.detections.pixels, np.float64).reshape(-1, 4)


def boxes_of(dice: Sequence[Die]) -> Doubles:
    """(n, 4) in pixels."""
    return np.array([die.box for die in dice], np.float64).reshape(-1, 4)


def match_boxes(boxes: Doubles, others: Doubles, reach: Doubles | float, pixels: float = 0.0) -> Pairs:
    """Pairs of `boxes` (n, 4) and `others` (m, 4) at one place, nearest first. Their middles lie apart by at most
    `reach`, in sides of the box, one number or one for each of `boxes` (n,), and so many `pixels` more."""
    far = np.linalg.norm(_middles(boxes)[:, None] - _middles(others)[None], axis=2)
    most = reach * longer_sides(boxes) + pixels
    far = np.where(far <= most[:, None], far, np.inf)
    found: Pairs = []
    while far.size and np.isfinite(far.min()):
        i, j = (int(k) for k in np.unravel_index(far.argmin(), far.shape))
        found.append((i, j))
        far[i], far[:, j] = np.inf, np.inf
    return found


def common_drift(before: FrameReading, now: FrameReading, drift: Drift) -> Drift | None:
    """How all dice moved together from one frame to the next; None if they changed places or values. `drift`: how
    the camera moved meanwhile, as far as known. Only sure dice must be seen again: a die that one frame doubts may
    be anything in the other."""
    for moved in (drift, _dice_drift(before, now, drift), STILL):
        if moved is not None and _same_dice(before, now, moved):
            return moved
    return None


def _same_dice(before: FrameReading, now: FrameReading, drift: Drift) -> bool:
    back = Drift(1 / drift.turn, -drift.shift / drift.turn)
    return _shows_sure_dice(before, now, drift) and _shows_sure_dice(now, before, back)


def _shows_sure_dice(one: FrameReading, other: FrameReading, drift: Drift) -> bool:
    """Whether the other frame shows something at the place of each sure die, and surely no other value."""
    dice = [die for die in one.reading.dice if die.sure]
    boxes = drift.move_boxes(boxes_of(dice))
    if len(match_boxes(boxes, other.pixels, _NEAR, 1.0)) < len(dice):
        return False
    theirs = other.reading.dice
    at_one_place = match_boxes(boxes, boxes_of(theirs), 2 * _NEAR, 2.0)
    return all(dice[i].value == theirs[j].value or not theirs[j].sure for i, j in at_one_place)


def _dice_drift(before: FrameReading, now: FrameReading, drift: Drift) -> Drift | None:
    """How the dice of both frames moved as one: three or more tell turn, scale and shift, two the shift. One alone
    tells nothing: it may roll."""
    first, second = before.reading.dice, now.reading.dice
    boxes, others = drift.move_boxes(boxes_of(first)), boxes_of(second)
    found = [(i, j) for i, j in match_boxes(boxes, others, ROUGHLY) if first[i].value == second[j].value]
    apart = fit_drift(boxes[[i for i, _ in found]], others[[j for _, j in found]])
    return None if apart is None else drift.then(apart)


def fit_drift(boxes: Doubles, others: Doubles) -> Drift | None:
    """The movement that best maps the middles of boxes (n, 4) to those of others (n, 4): a similarity for three or
    more, a shift for two. None for fewer, or if they turn or grow too much."""
    if len(boxes) < 2:
        return None
    z, w = ((_middles(each) @ np.array([1, 1j])) for each in (boxes, others))
    if len(z) == 2:
        return Drift(1 + 0j, complex((w - z).mean()))
    spread = (np.abs(z - z.mean()) ** 2).sum()
    turn = complex(((w - w.mean()) * np.conj(z - z.mean())).sum() / max(spread, 1e-9))
    return Drift(turn, complex(w.mean() - turn * z.mean())) if abs(turn - 1) <= RIGID else None


def combine(frames: Sequence[FrameReading], drifts: Sequence[Drift]) -> Seen:
    """Combines several readings of one rest, placed as in the last frame: mean log-odds of the detector, mean
    log-probabilities of the classifier. `drifts`: from each frame to the last. A frame that missed a candidate
    counts as one that hardly saw it; the classifier counts only if it was seen."""
    looks, last = [frame.detections for frame in frames[::-1]], frames[-1].detections
    size = np.array([last.width, last.height] * 2)
    placed = [drift.move_boxes(frame.pixels) / size for frame, drift in zip(frames, drifts, strict=True)]
    passes = [Candidates(as_boxes(boxes), seen.scores) for boxes, seen in zip(placed[::-1], looks, strict=True)]
    found, places = fuse(passes)
    logits, clearest = [], list[tuple[Seen, int]]()
    for of_thing in places:
        there = [(looks[number], place) for number, place in sorted(of_thing.items())]
        log_chances = np.log(np.array([softmax(shown.logits[place]) for shown, place in there]) + 1e-9)
        logits.append(tuple(log_chances.mean(0).tolist()))
        clearest.append(there[int(log_chances.max(1).argmax())])
    rows: dict[str, Any] = {
        name: tuple(getattr(shown, name)[place] for shown, place in clearest)
        for name in ("features", "vectors", "set_vectors", "elevations", "shares")
    }
    boxes = as_boxes(rows_of(found.boxes, 4).clip(0, 1))
    return Seen(last.width, last.height, boxes, found.scores, tuple(logits), set_between=last.set_between, **rows)


def compare_rests(
    before: Sequence[Die], drift: Drift, reading: Reading, detections: Seen, altered: Sequence[bool] = ()
) -> Rest:
    """Compares the `reading` of `detections` with the dice of the rest `before`, which the camera's `drift` moved.
    `altered`: for each die before, if that is known, whether its place looks different now. An unsure die where a
    die lay is that die: a sure value stays until another value is sure."""
    dice = list(reading.dice)
    old = _refine(before, drift.move_boxes(boxes_of(before)), dice)
    reach = np.where(altered, _EXACTLY, _STAYED) if altered else _STAYED
    at_places = match_boxes(old, boxes_of(dice), reach)
    other = {i for i, j in at_places if before[i].sure and dice[j].sure and before[i].value != dice[j].value}
    same = [(i, j) for i, j in at_places if i not in other]
    stayed = {j: before[i].value == dice[j].value or not dice[j].sure for i, j in same}
    for i, j in same:
        if before[i].sure and not dice[j].sure:
            dice[j] = dataclasses.replace(before[i], box=dice[j].box)
    lost = [i for i in range(len(before)) if i not in {k for k, _ in at_places}]
    for i, box in _still_there(old, lost, dice, detections):
        stayed[len(dice)] = True
        dice.append(dataclasses.replace(before[i], box=box))
        lost.remove(i)
    gone = tuple(before[i] for i in sorted({*lost, *other}))
    order = sorted(range(len(dice)), key=lambda j: (dice[j].box[0] + dice[j].box[2], dice[j].box[1]))
    read = dataclasses.replace(reading, dice=tuple(dice[j] for j in order))
    return Rest(read, tuple(stayed.get(j, False) for j in order), gone, len(stayed) < len(dice))


def _refine(before: Sequence[Die], old: Doubles, dice: Sequence[Die]) -> Doubles:
    """The places (n, 4) of the dice before, shifted by the median movement of those that seem to have stayed."""
    boxes = boxes_of(dice)
    roughly = [(i, j) for i, j in match_boxes(old, boxes, ROUGHLY) if before[i].value == dice[j].value]
    if len(roughly) < 2:
        return old
    off = np.median([_middles(boxes)[j] - _middles(old)[i] for i, j in roughly], axis=0)
    return np.asarray(old + np.tile(off, 2), np.float64)


def _still_there(old: Doubles, lost: Sequence[int], dice: Sequence[Die], detections: Seen) -> list[tuple[int, Box]]:
    """The `lost` dice, of those at `old` places (n, 4), that a candidate not given as a die may still be, with its
    box."""
    boxes = np.array(detections.pixels, np.float64).reshape(-1, 4)
    none = np.array([softmax(logits)[NONE] for logits in detections.logits])
    maybe = (np.array(detections.scores) >= MAYBE) & (1 - none >= MAYBE)
    taken = [max((overlap(box, die.box)[0] for die in dice), default=0.0) for box in detections.pixels]
    free = np.flatnonzero(maybe & (np.array(taken) < SAME_THING))
    places = match_boxes(old[list(lost)], boxes[free], _STAYED)
    return [(lost[i], detections.pixels[free[j]]) for i, j in places]


def lie_as_before(before: Sequence[Die], now: Sequence[Die]) -> bool:
    """Whether at least two dice, and most of those now, lie where dice of their values lay before: then the camera
    stands where it stood."""
    boxes = boxes_of(before)
    pairs = match_boxes(boxes, boxes_of(now), _EXACTLY)
    alike = sum(before[i].value == now[j].value for i, j in pairs)
    return alike >= 2 and 2 * alike > len(now)


def same_layout(before: Sequence[Die], now: Sequence[Die]) -> bool:
    """Whether the dice lie to each other as before, wherever the camera now sees them from: the same values, and
    distances, in sides of a die, that a moved camera explains."""
    if sorted(die.value for die in before) != sorted(die.value for die in now):
        return False
    return bool(np.allclose(_distances(before), _distances(now), rtol=0.2, atol=0.5))


def _distances(dice: Sequence[Die]) -> Doubles:
    """All distances between dice (n * n,), in sides, by the values of the two, then by length."""
    boxes = boxes_of(dice)
    middles, side = _middles(boxes), max(float(np.median(longer_sides(boxes))) if len(boxes) else 1.0, 1.0)
    far = [
        (dice[i].value, dice[j].value, float(np.linalg.norm(middles[i] - middles[j])) / side)
        for i in range(len(dice))
        for j in range(len(dice))
    ]
    return np.array([length for _, _, length in sorted(far)])


def _middles(boxes: Doubles) -> Doubles:
    return (boxes[:, :2] + boxes[:, 2:]) / 2
