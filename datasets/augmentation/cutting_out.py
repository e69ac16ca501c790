"""Cuts dice out of labelled photos, to put them on other tables."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.augmentation.cutout import Cutout
from datasets.augmentation.mixing import TrainingPhoto
from vision.arrays import Pixels

_MARGIN = 0.12  # of the die's side, left around its box
_TOUCHING = 0.02  # of a die's box that may lie in another one's
_ROUNDS = 3
_FILLED = (0.6, 0.97)  # the share of its box that a die cut out well fills
_WORK_SIDE = 96


def cutouts(scene: TrainingPhoto) -> dict[int, Cutout]:
    """The dice whose outline could be found, by their numbers in the photo. Dice that touch others or the picture's
    edge are left out."""
    found = {}
    height, width = scene.pixels.shape[:2]
    for i, box in enumerate(scene.boxes):
        others = np.delete(scene.boxes, i, axis=0)
        inside = np.minimum(others[:, 2:], box[2:]) - np.maximum(others[:, :2], box[:2])
        shared = inside.clip(0).prod(1)
        size = box[2:] - box[:2]
        margin = _MARGIN * float(size.max())
        x0, y0 = np.floor(box[:2] - margin).astype(int)
        x1, y1 = np.ceil(box[2:] + margin).astype(int)
        if x0 < 0 or y0 < 0 or x1 > width or y1 > height or shared.max(initial=0.0) > _TOUCHING * size.prod():
            continue
        crop = np.ascontiguousarray(scene.pixels[y0:y1, x0:x1])
        inner = (float(box[0] - x0), float(box[1] - y0), float(box[2] - x0), float(box[3] - y0))
        opacity = outline(crop, inner)
        if opacity is not None:
            found[i] = Cutout(crop, opacity, inner)
    return found


def outline(crop: Pixels, box: tuple[float, float, float, float]) -> Pixels | None:
    """The opacity (h, w) 0..255 of the die whose box in `crop` is `box`, by GrabCut; None if the outline is
    implausible."""
    height, width = crop.shape[:2]
    scale = _WORK_SIDE / max(height, width)
    small = cv2.resize(crop, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    x0, y0, x1, y1 = (round(v * scale) for v in box)
    marks = np.full(small.shape[:2], cv2.GC_BGD, np.uint8)
    marks[y0:y1, x0:x1] = cv2.GC_PR_FGD
    for x, y in ((x0, y0), (x0, y1), (x1, y0), (x1, y1)):
        cv2.circle(marks, (x, y), max(2, (x1 - x0) // 9), cv2.GC_PR_BGD, -1)
    middle = ((x0 + x1) // 2, (y0 + y1) // 2)
    cv2.ellipse(marks, middle, (int((x1 - x0) * 0.33), int((y1 - y0) * 0.33)), 0, 0, 360, cv2.GC_FGD, -1)
    try:
        cv2.grabCut(small, marks, (0, 0, 0, 0), np.zeros((1, 65)), np.zeros((1, 65)), _ROUNDS, cv2.GC_INIT_WITH_MASK)
    except cv2.error:  # one colour only: nothing to tell apart
        return None
    mask = ((marks == cv2.GC_FGD) | (marks == cv2.GC_PR_FGD)).astype(np.uint8)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return None
    hull = cv2.convexHull(max(outlines, key=cv2.contourArea))
    share = cv2.contourArea(hull) / max((x1 - x0) * (y1 - y0), 1)
    if not _FILLED[0] <= share <= _FILLED[1] or mask.sum() < 0.85 * cv2.contourArea(hull):
        return None
    solid = np.zeros_like(mask)
    cv2.fillConvexPoly(solid, hull, 255)
    solid = cv2.erode(solid, np.ones((3, 3), np.uint8))
    whole = cv2.resize(solid, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.GaussianBlur(whole, (3, 3), 0), np.uint8)
