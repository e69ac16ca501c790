"""What a detector finds, and what it and a classifier see, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.arrays import Boxes, Floats, rows_of
from vision.detector import Detector
from vision.eye import answer_at_once
from vision.judging.judge import find, fuse
from vision.judging.weights import Calibration
from vision.network_eye import DETECTOR
from vision.photo import Photo
from vision.reader import CALIBRATION


@dataclass(frozen=True)
class DiceFinder:
    """A detector, and the longer sides in pixels at which it looks at each photo."""

    detector: Detector
    image_sizes: Sequence[int]

    @classmethod
    def load(cls, models: Path) -> DiceFinder:
        """Loads the detector of the folder `models`. Raises ModelError."""
        return cls(Detector(models / DETECTOR), Calibration.load(models / CALIBRATION).image_sizes)

    def find(self, photo: Photo, least: float) -> tuple[Boxes, Floats]:
        """The boxes (n, 4) that score at least `least`, fractions of the photo's sides, and their scores (n,), best
        first."""
        found, _ = fuse([answer_at_once(find(self.detector, photo, side, least)) for side in self.image_sizes])
        return rows_of(found.boxes, 4), np.array(found.scores, np.float32)


def softmax(logits: Floats) -> Floats:
    """Probabilities (n, k) of logits (n, k); n may be 0."""
    powers = np.exp(logits - logits.max(1, keepdims=True, initial=-np.inf)) if len(logits) else logits
    return (powers / powers.sum(1, keepdims=True)).astype(np.float32) if len(logits) else logits


def overlaps(boxes: Boxes, others: Boxes) -> tuple[Floats, Floats]:
    """Intersection over union (IoU), and intersection over the smaller box: (n, m) each. As
    `vision.judging.overlap.overlap` for pairs."""
    near, far = np.maximum(boxes[:, None, :2], others[:, :2]), np.minimum(boxes[:, None, 2:], others[:, 2:])
    shared = np.clip(far - near, 0, None).prod(2)
    own, other = (np.clip(some[:, 2:] - some[:, :2], 0, None).prod(1) for some in (boxes, others))
    union, smaller = own[:, None] + other - shared, np.minimum(own[:, None], other)
    return np.asarray(shared / np.maximum(union, 1e-9)), np.asarray(shared / np.maximum(smaller, 1e-9))
