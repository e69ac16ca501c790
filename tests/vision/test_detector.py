"""What the detecting network's output means."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision import ModelError, detector
from vision.detector import Detector, decode

_BINS = 4


def test_a_place_says_where_its_box_s_edges_are() -> None:
    """64x32 pixels: 4 rows of 8 places at stride 8, 2 of 4 at 16, 1 of 2 at 32."""
    places = np.full((4 * _BINS + 1, 32 + 8 + 2), -9.0, np.float32)
    for edge, strides in enumerate((1, 0, 2, 1)):
        places[edge * _BINS + strides, 32 + 4 + 2] = 50  # the second row's third place at stride 16
    places[-1, 32 + 4 + 2] = 2
    places[:_BINS, 41] = (-50, 3, 3, -50)  # as likely one stride as two to the left of the last place of all
    places[[_BINS, 2 * _BINS, 3 * _BINS], 41] = 50
    places[-1, 41] = 3

    boxes, scores = decode(places, 32, 64, least=0.5)

    np.testing.assert_allclose(scores, 1 / (1 + np.exp([-3, -2])), rtol=1e-6)
    np.testing.assert_allclose(boxes, [[48 - 1.5 * 32, 16, 48, 16], [40 - 16, 24, 40 + 32, 24 + 16]], atol=1e-4)


def test_a_picture_without_dice_has_no_boxes() -> None:
    for logit, least in ((-9.0, 0.1), (-200.0, 0.1), (9.0, 1.1)):
        boxes, scores = decode(np.full((4 * _BINS + 1, 42), logit, np.float32), 32, 64, least)
        assert (boxes.shape, scores.shape) == ((0, 4), (0,))


@pytest.mark.parametrize("shape", [(5, 42), (33, 41)])
def test_a_network_that_gives_something_else_is_refused(
    shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of five numbers, as its file had of old, boxes could be made as well: of nothing."""
    monkeypatch.setattr(detector, "Network", lambda *_: lambda _: np.ones((1, *shape), np.float32))
    with pytest.raises(ModelError, match=r"detector\.onnx cannot be loaded"):
        Detector(Path("detector.onnx")).find(np.zeros((32, 64, 3), np.uint8), 64, 0.1)
