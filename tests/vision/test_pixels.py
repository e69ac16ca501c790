"""Crops: what the classifier is given."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from vision.judging.seen import ROOM, SIDE
from vision.pixels import crop


@pytest.mark.parametrize("size", [20, 64, 200, 900])
def test_a_crop_shows_the_box_and_what_lies_around(size: int) -> None:
    pixels = np.zeros((1000, 1200, 3), np.uint8)
    x, y = 130, 50
    pixels[y : y + size, x : x + size] = 255
    cut = crop(pixels, (x, y, x + size, y + size))
    assert cut.shape == (SIDE, SIDE, 3)
    ys, xs = np.nonzero(cut[:, :, 0] > 127)
    edge = (SIDE - SIDE / ROOM) / 2
    assert np.abs(np.array([xs.min(), ys.min(), SIDE - 1 - xs.max(), SIDE - 1 - ys.max()]) - edge).max() <= 1.5


@pytest.mark.parametrize("size", [40, 400])
def test_what_is_cut_out_can_be_turned(size: int) -> None:
    noise = np.random.default_rng(size).integers(0, 256, (12, 12, 3)).astype(np.uint8)
    pixels = np.asarray(Image.fromarray(noise).resize((1200, 1200), Image.Resampling.BICUBIC))
    box = (600 - size / 2, 600 - size / 2, 600 + size / 2, 600 + size / 2)
    clockwise = crop(pixels, box, turn=90).astype(int)
    assert np.abs(clockwise - np.rot90(crop(pixels, box), -1)).mean() < 2
    assert np.abs(clockwise - crop(pixels, box)).mean() > 10
