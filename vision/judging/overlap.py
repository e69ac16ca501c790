"""Boxes: where they lie, how far they overlap, and one box for one die."""

from __future__ import annotations

from collections.abc import Sequence

Box = tuple[float, float, float, float]  # x0, y0, x1, y1
# For each box, those that it overlaps: their place, intersection over union (IoU), and over the smaller of the two.
Neighbours = list[dict[int, tuple[float, float]]]

SAME_THING = 0.5  # intersection over union, or share of the smaller of two boxes, from which on they show one thing
APART = 0.2  # of the smaller of two boxes: what shares less is another thing


def scale(box: Box, wide: float, tall: float) -> Box:
    """A box of fractions of a picture's sides, in pixels of the picture."""
    x0, y0, x1, y1 = box
    return x0 * wide, y0 * tall, x1 * wide, y1 * tall


def clip(box: Box, wide: float = 1.0, tall: float = 1.0) -> Box:
    """The part of a box that lies in a picture of this size."""
    x0, y0, x1, y1 = box
    return min(max(x0, 0.0), wide), min(max(y0, 0.0), tall), min(max(x1, 0.0), wide), min(max(y1, 0.0), tall)


def hull(boxes: Sequence[Box]) -> Box:
    """The box that holds all of them, at least one."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def area(box: Box) -> float:
    """0 for a box that is inside out."""
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)


def longer_side(box: Box) -> float:
    return max(box[2] - box[0], box[3] - box[1])


def intersection(box: Box, other: Box) -> float:
    """The area that two boxes share."""
    wide = min(box[2], other[2]) - max(box[0], other[0])
    tall = min(box[3], other[3]) - max(box[1], other[1])
    return wide * tall if wide > 0 and tall > 0 else 0.0


def overlap(box: Box, other: Box) -> tuple[float, float]:
    """Intersection over union (IoU), and intersection over the smaller box."""
    shared, own, others = intersection(box, other), area(box), area(other)
    return shared / max(own + others - shared, 1e-9), shared / max(min(own, others), 1e-9)


def most_shared(box: Box, others: Sequence[Box]) -> float:
    """The largest intersection over the smaller box; 0 without others."""
    return max((overlap(box, other)[1] for other in others), default=0.0)


def neighbours(boxes: Sequence[Box]) -> Neighbours:
    """Who overlaps whom."""
    found: Neighbours = [{} for _ in boxes]
    order = sorted(range(len(boxes)), key=lambda i: boxes[i][0])
    for rank, i in enumerate(order, start=1):
        _, y0, x1, y1 = boxes[i]
        for j in order[rank:]:
            u0, v0, _, v1 = boxes[j]
            if u0 >= x1:
                break
            if v0 < y1 and y0 < v1:
                found[i][j] = found[j][i] = overlap(boxes[i], boxes[j])
    return found


def suppress(
    boxes: Sequence[Box], scores: Sequence[float], iou: float = SAME_THING, of_smaller: float = 0.75
) -> list[int]:
    """Non-maximum suppression: the indices of the boxes to keep, best first, so that one die is one box.

    A box goes if a better one covers it by more than `iou` (intersection over union), or by more than `of_smaller`
    (intersection over smaller). The latter catches the upper face of a die within the whole die.
    """
    near, kept, gone = neighbours(boxes), [], [False] * len(boxes)
    for i in sorted(range(len(boxes)), key=lambda i: -scores[i]):
        if gone[i]:
            continue
        kept.append(i)
        for j, (of_union, shared) in near[i].items():
            gone[j] = gone[j] or of_union > iou or shared > of_smaller
    return kept
