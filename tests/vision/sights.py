"""What an eye may have seen, made of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.boxes import as_boxes, rows_of
from vision.judging.seen import Seen
from vision.likeness_map import as_rows


def seen_of(width: int, height: int, boxes: Any, scores: Any, logits: Any, **rows: Any) -> Seen:
    """`boxes` (n, 4), `scores` (n,), `logits` (n, 7), and further arrays (n, k)."""
    return Seen(
        width,
        height,
        as_boxes(rows_of(boxes, 4)),
        tuple(np.asarray(scores, np.float32).tolist()),
        as_rows(rows_of(logits, 7)),
        **{name: as_rows(np.asarray(array, np.float32)) for name, array in rows.items()},
    )
