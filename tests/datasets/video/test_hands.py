"""The hand: it is where its keys say, is seen when it is in the frame, covers what is under it, and casts a shadow."""

import numpy as np
import pytest

pytest.importorskip("numba", reason="rendering needs numba (the extra `train`)")

from datasets.video.hands import TIP, HandVisit, Key
from datasets.video.stage import Stage, any_stage

SIZE = (160, 120)
WHITE, SKIN = (1.0, 1.0, 1.0), (0.4, 0.2, 0.1)


def at_edge(stage: Stage, side: int, inside: float, height: float = 1.5) -> HandVisit:
    """A hand whose fingertips are so far within the frame, from one of its four sides; it stays for a second."""
    x, y = ((0.5, 1.0), (0.0, 0.5), (1.0, 0.5), (0.5, 0.0))[side]
    edge = stage.point(x, y)
    inward = stage.point(0.5, 0.5) - edge
    ahead = inward / np.linalg.norm(inward)
    x, y = edge + (inside - TIP) * ahead
    keys = (Key(0.0, x, y, height), Key(1.0, x, y, height))
    return HandVisit(keys, float(np.arctan2(ahead[1], ahead[0])), SKIN, SKIN)


def cover(stage: Stage, hand: HandVisit) -> np.ndarray:
    """How much of a white plate is not white any more, (h, w) of the frame."""
    plate = np.ones((stage.camera.height, stage.camera.width, 3), np.float32)
    painted = hand.paint(stage, plate, (0.5,), WHITE)
    m = stage.margin
    return 1.0 - painted[m:-m, m:-m].mean(2)


STAGES = [any_stage(8, number, 0, SIZE, None, 1) for number in range(14)]


@pytest.mark.parametrize("side", range(4))
def test_a_hand_is_seen_in_the_frame_and_not_outside(side: int) -> None:
    for stage in STAGES:
        # from aslant a hand over the far edge is seen above it
        assert at_edge(stage, side, 2.5).is_in_frame(stage, 0.5)
        away = at_edge(stage, side, -3.5)
        assert not away.is_in_frame(stage, 0.5)
        assert (cover(stage, away) < 0.5).all()
        assert not at_edge(stage, side, 1.5).is_in_frame(stage, 1.5)


def test_a_hand_covers_a_die_that_it_grips() -> None:
    for stage in STAGES:
        middle = stage.point(0.5, 0.5)
        hand = HandVisit((Key(0.0, *middle, 0.6), Key(1.0, *middle, 0.6)), 0.5, SKIN, SKIN)
        spot = np.array([middle[0] - 0.7 * np.cos(0.5), middle[1] - 0.7 * np.sin(0.5), 0.5])
        x, y = stage.camera.project(spot[None])[0] - stage.margin
        r = max(1, int(0.4 * stage.edge))
        assert cover(stage, hand)[int(y) - r : int(y) + r, int(x) - r : int(x) + r].min() > 0.5
