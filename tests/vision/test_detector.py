"""What the detecting network's output means."""

from __future__ import annotations

import numpy as np

from vision.detector import decoded

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

    found = decoded(places, 32, 64, least=0.5)

    np.testing.assert_allclose(found.scores, 1 / (1 + np.exp([-3, -2])), rtol=1e-6)
    np.testing.assert_allclose(found.boxes, [[48 - 1.5 * 32, 16, 48, 16], [40 - 16, 24, 40 + 32, 24 + 16]], atol=1e-4)


def test_a_picture_without_dice_has_no_boxes() -> None:
    found = decoded(np.full((4 * _BINS + 1, 42), -9.0, np.float32), 32, 64, least=0.1)
    assert (found.boxes.shape, found.scores.shape) == ((0, 4), (0,))
