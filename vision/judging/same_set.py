"""How much a candidate looks like the photo's own sure dice: the dice of one throw are mostly of one set.

A numeral die, a button or a pattern of the cloth is not. No memory of the table is needed: the dice to compare with lie
beside it, in the same light.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from vision.judging.chances import Row

_AT_MOST = 10.0  # of a log-ratio: no candidate counts more


def set_ratios(between: Row, vectors: Sequence[Row], beside: Sequence[Sequence[int]]) -> Row:
    """Log-likelihood ratios (n): each candidate's vector (k) is of one set with the sure dice `beside` it, against
    anything. 0 if there are none. In each direction the dice of one throw vary by 1, whatever values they show, and
    throws of different dice by `between` (k) more (two-covariance model, as in `vision.judging.dice_memory`)."""
    ratios = []
    for vector, others in zip(vectors, beside, strict=True):
        dice, logs = [vectors[other] for other in others], 0.0
        for own, spread, *known in zip(vector, between, *dice, strict=True) if dice else ():
            unknown = spread / (1 + len(known) * spread)  # what is not known yet of the set's mean
            off = own - unknown * sum(known)
            logs += own * own / (1 + spread) - off * off / (1 + unknown) + math.log((1 + spread) / (1 + unknown))
        ratios.append(min(max(0.5 * logs, -_AT_MOST), _AT_MOST))
    return tuple(ratios)
