"""Compression of solved tables: values rounded to small steps, differences along the last axis, split into bytes.

Unpacked values differ from the packed ones by at most half a step.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from scorer.advice.multisets import Floats

STEPS_A_POINT = 8192
PARTS = ("byte0", "byte1", "byte2", "byte3")  # the names of the arrays, the lowest byte first


def pack(values: Floats) -> dict[str, npt.NDArray[np.uint8]]:
    """Arrays of bytes that zlib compresses well. `values`: any shape, finite, between -2^17 and 2^17."""
    steps = np.rint(values * STEPS_A_POINT).astype(np.int64)
    differences = np.diff(steps, axis=-1, prepend=0).astype(np.int32)
    # The sign is the last bit, so small differences of either sign have high bytes of 0.
    unsigned = ((differences << 1) ^ (differences >> 31)).astype(np.uint32)
    return {part: (unsigned >> (8 * place) & 0xFF).astype(np.uint8) for place, part in enumerate(PARTS)}


def unpack(arrays: Mapping[str, npt.NDArray[np.uint8]]) -> Floats:
    """The values that `pack` was given, to the nearest step. Raises KeyError or ValueError for other arrays."""
    unsigned = np.zeros(arrays[PARTS[0]].shape, dtype=np.uint32)
    for place, part in enumerate(PARTS):
        unsigned |= arrays[part].astype(np.uint32) << (8 * place)
    differences = (unsigned >> 1).astype(np.int32) ^ -(unsigned & 1).astype(np.int32)
    return np.cumsum(differences, axis=-1, dtype=np.int64) / STEPS_A_POINT
