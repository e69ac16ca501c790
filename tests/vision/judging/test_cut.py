"""Whether the photo's edge cuts a die: the network of the border and the classifier decide by one number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from tests.vision.judging.recordings import Sized
from tests.vision.sights import seen_of
from vision.eye import answer_at_once
from vision.judging.cut import find_cut, likeliest_places
from vision.judging.interpretation import at_edge
from vision.judging.overlap import Box
from vision.judging.seen import SHARES, Crop, CropAnswer, Places, Seen
from vision.judging.weights import CutWeights
from vision.reading import Die, Reading

WIDTH, HEIGHT = 900, 600
WEIGHTS = CutWeights(bias=-2.0, border=1.0, part=1.0)
READING = Reading(WIDTH, HEIGHT, (Die(3, 0.99, (300.0, 300.0, 360.0, 360.0), sure=True),))
NOTHING = Seen(WIDTH, HEIGHT, (), (), ())
TOP, LEFT = (400.0, 0.0, 460.0, 30.0), (0.0, 400.0, 30.0, 460.0)


@dataclass
class BorderEye:
    """Knows places at the border: their boxes in pixels, and what both networks say of each."""

    said: dict[Box, tuple[float, float]]
    asked: int = 0

    async def look_along_border(self, photo: Sized, dice: Sequence[Box]) -> Places:
        return places(*((box, border) for box, (border, _) in self.said.items()))

    async def shrink(self, photo: Sized, side: int) -> Sized:
        return Sized(photo.width // 2, photo.height // 2)

    async def classify(self, picture: Sized, crops: Sequence[Crop]) -> list[CropAnswer]:
        """With the odds of a part: one share has all, so that no die has the odds 0."""
        self.asked += len(crops)
        odds = [next(part for box, (_, part) in self.said.items() if near(box, crop.box)) for crop in crops]
        return [CropAnswer((), (), (), (), (0.0, *[-99.0] * (SHARES - 2), part)) for part in odds]


def near(box: Box, crop: Box) -> bool:
    """Whether a crop of the picture of half the size shows the box."""
    return all(abs(side - 2 * half) < 1 for side, half in zip(box, crop, strict=True))


def places(*found: tuple[Box, float]) -> Places:
    boxes = tuple((x0 / WIDTH, y0 / HEIGHT, x1 / WIDTH, y1 / HEIGHT) for (x0, y0, x1, y1), _ in found)
    return Places(boxes, tuple(odds for _, odds in found))


def found_by(eye: BorderEye, reading: Reading = READING, seen: Seen = NOTHING, complete: bool = False) -> Box | None:
    asked = find_cut(eye, Sized(WIDTH, HEIGHT), reading, seen, WEIGHTS, complete, None)  # type: ignore[arg-type]
    return answer_at_once(asked)


@pytest.mark.parametrize(
    ("border", "part", "found"),
    [
        (3.0, 0.0, True),  # the border alone
        (-2.0, 5.0, True),  # the classifier alone
        (1.5, 1.5, True),  # each a little
        (3.0, -3.0, False),  # a chip, that the classifier takes for no die
        (-0.5, 0.5, False),
    ],
)
def test_both_networks_decide_together(border: float, part: float, found: bool) -> None:
    assert (found_by(BorderEye({TOP: (border, part)})) is not None) == found


@pytest.mark.parametrize(("border", "part"), [(1.0, 0.5), (3.0, 0.5)])
def test_where_the_count_is_complete_more_must_speak_for_a_die(border: float, part: float) -> None:
    eye = BorderEye({TOP: (border, part)})
    assert found_by(eye) is not None
    assert (found_by(eye, complete=True) is not None) == (border > 2)


@pytest.mark.parametrize(("top", "left", "place"), [((1.0, 2.0), (4.0, 1.0), LEFT), ((1.0, 6.0), (4.0, 1.0), TOP)])
def test_the_likeliest_place_is_named(top: tuple[float, float], left: tuple[float, float], place: Box) -> None:
    assert found_by(BorderEye({TOP: top, LEFT: left})) == pytest.approx(place)


def test_where_nothing_lies_at_the_border_the_classifier_is_not_asked() -> None:
    eye = BorderEye({TOP: (-5.0, 9.0)})
    assert (found_by(eye), eye.asked) == (None, 0)


def test_things_inside_that_look_like_dice_count_against_one_more() -> None:
    boxes = np.array([[100 * i, 100, 100 * i + 60, 160] for i in range(8)], np.float64) / ([WIDTH, HEIGHT] * 2)
    others = seen_of(WIDTH, HEIGHT, boxes, [0.5] * 8, np.zeros((8, 7)))
    assert found_by(BorderEye({TOP: (2.0, 1.0)})) is not None
    assert found_by(BorderEye({TOP: (2.0, 1.0)}), seen=others) is None
    assert found_by(BorderEye({TOP: (4.0, 2.0)}), seen=others) is not None
    unlikely = replace(others, scores=(0.1,) * 8)
    assert found_by(BorderEye({TOP: (2.0, 1.0)}), seen=unlikely) is not None


def test_each_side_of_a_photo_is_its_edge() -> None:
    assert all(map(at_edge, [(0, 0.4, 0.1, 0.5), (0.4, 0, 0.5, 0.1), (0.9, 0.4, 1, 0.5), (0.4, 0.9, 0.5, 1)]))


@pytest.mark.parametrize("part", [4.0, -4.0])
def test_a_thing_that_the_detector_framed_at_the_edge_is_judged_by_its_own_box(part: float) -> None:
    shares = [[0.0, *[-99.0] * (SHARES - 2), part]]
    box = np.array([[395.0, 0.0, 462.0, 45.0]]) / ([WIDTH, HEIGHT] * 2)
    seen = seen_of(WIDTH, HEIGHT, box, [0.5], np.zeros((1, 7)), shares=shares)
    eye = BorderEye({TOP: (0.0, 0.0)})
    assert found_by(eye) is None
    assert (found_by(eye, seen=seen) is not None) == (part > 0), "and does not count against itself"


@pytest.mark.parametrize("sure", [True, False])
def test_a_sure_die_at_the_border_is_no_cut_one(sure: bool) -> None:
    reading = Reading(WIDTH, HEIGHT, (Die(3, 0.99, (400.0, 0.0, 460.0, 60.0), sure),))
    assert (found_by(BorderEye({TOP: (5.0, 5.0)}), reading) is None) == sure


def test_a_region_says_which_places_count() -> None:
    eye, picture = BorderEye({TOP: (5.0, 5.0)}), Sized(WIDTH, HEIGHT)
    asked = find_cut(eye, picture, READING, NOTHING, WEIGHTS, False, lambda _: Places())  # type: ignore[arg-type]
    assert answer_at_once(asked) is None


def test_of_neighbouring_places_the_likeliest_is_looked_at() -> None:
    along = [((400.0 + 10 * i, 0.0, 460.0 + 10 * i, 30.0), float(-abs(i - 3))) for i in range(8)]
    likely = likeliest_places(places(*along, (LEFT, -3.0)), WIDTH, HEIGHT, [])
    assert likely[0] == (0, pytest.approx((430.0, 0.0, 490.0, 30.0)))
    assert any(box == pytest.approx(LEFT) for _, box in likely)
    assert len(likely) <= 3
