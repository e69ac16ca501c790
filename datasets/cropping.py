"""Labelled pictures cropped on one side, so that the picture's edge cuts one die."""

from __future__ import annotations

import numpy as np

from vision.arrays import Doubles, Pixels

# The edge that a crop moves is the left one after so many quarter turns counter-clockwise; then the column to begin at.
Crop = tuple[int, int]

_GAP = 0.1  # of a die's side, at least, between the edge and the dice that it does not cut


def crops_through_dice(boxes: Doubles, width: int, height: int, left: float) -> list[Crop]:
    """Every crop that leaves the share `left` of one die's box (n, 4), and the other dice whole."""
    crops = []
    for quarter in range(4):
        turned = turn_boxes(boxes, width, height, quarter)
        lines = turned[:, 2] - left * (turned[:, 2] - turned[:, 0])
        for die, line in enumerate(lines):
            others = np.delete(turned, die, 0)
            gap = _GAP * (turned[die, 2] - turned[die, 0])
            if (others[:, 0] >= line + gap).all():
                crops.append((quarter, round(line)))
    return crops


def crop_side(pixels: Pixels, boxes: Doubles, crop: Crop) -> tuple[Pixels, Doubles]:
    """The picture without what the crop takes away, and the boxes (n, 4) in it, which may lie beyond its edge."""
    quarter, line = crop
    height, width = pixels.shape[:2]
    left = np.rot90(np.rot90(pixels, quarter)[:, line:], -quarter)
    turned = turn_boxes(boxes, width, height, quarter) - np.array([line, 0, line, 0])
    down, across = np.rot90(left, quarter).shape[:2]
    return np.ascontiguousarray(left), turn_boxes(turned, across, down, -quarter % 4)


def turn_boxes(boxes: Doubles, width: int, height: int, quarters: int) -> Doubles:
    """Boxes (n, 4) after so many quarter turns counter-clockwise of the picture."""
    for _ in range(quarters):
        boxes = np.stack([boxes[:, 1], width - boxes[:, 2], boxes[:, 3], width - boxes[:, 0]], axis=1)
        width, height = height, width
    return boxes
