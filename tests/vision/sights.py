"""What an eye may have seen, made of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.arrays import as_boxes, as_rows, rows_of
from vision.judging.seen import ELEVATIONS, SHARES, Seen


def seen_of(width: int, height: int, boxes: Any, scores: Any, logits: Any, **rows: Any) -> Seen:
    """`boxes` (n, 4), `scores` (n,), `logits` (n, 7), and further arrays (n, k). By default things are seen from 35
    degrees and are no part of a die."""
    things = len(scores)
    rows = {"elevations": [[9.0 * (band == 3) for band in range(ELEVATIONS)]] * things, **rows}
    rows = {"shares": [[9.0, *[0.0] * (SHARES - 1)]] * things, **rows}
    rows = {name: [()] * things for name in ("features", "vectors", "set_vectors")} | rows
    return Seen(
        width,
        height,
        as_boxes(rows_of(boxes, 4)),
        tuple(np.asarray(scores, np.float32).tolist()),
        as_rows(rows_of(logits, 7)),
        **{name: as_rows(np.asarray(array, np.float32)) for name, array in rows.items()},
    )
