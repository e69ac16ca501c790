"""How much a candidate looks like the photo's own sure dice: the dice of one throw are mostly of one set.

A numeral die, a button or a pattern of the cloth is not. No memory of the table is needed: the dice to compare with lie
beside it, in the same light.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from vision.judging.chances import Row

_AT_MOST = 10.0  # of a log-ratio: no candidate counts more


def set_ratios(between: Row, vectors: Sequence[Row], sure: Sequence[bool]) -> Row:
    """Log-likelihood ratios (n): each candidate's vector (k) is of one set with the other `sure` dice, against
    anything. 0 if there are no others. In each direction the dice of one throw vary by 1, whatever values they show,
    and throws of different dice by `between` (k) more (two-covariance model, as in `vision.judging.dice_memory`)."""
    dice = [vector for vector, one in zip(vectors, sure, strict=True) if one]
    sums = [sum(column) for column in zip(*dice, strict=True)] or [0.0] * len(between)
    ratios = []
    for vector, one in zip(vectors, sure, strict=True):
        beside = len(dice) - one
        logs = 0.0
        if beside:
            for own, spread, whole in zip(vector, between, sums, strict=True):
                unknown = spread / (1 + beside * spread)  # what is not known yet of the set's mean
                off = own - unknown * (whole - own if one else whole)
                logs += own * own / (1 + spread) - off * off / (1 + unknown)
                logs += math.log((1 + spread) / (1 + unknown))
        ratios.append(min(max(0.5 * logs, -_AT_MOST), _AT_MOST))
    return tuple(ratios)
