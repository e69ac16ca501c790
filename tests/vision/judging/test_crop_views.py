"""What the crop classifier makes of the things in a photo, and how it finds out where up is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from vision.arrays import as_boxes, as_rows
from vision.eye import answer_at_once
from vision.judging.chances import Row
from vision.judging.crop_views import Look, classify, other_view, up_log_chances
from vision.judging.seen import DIRECTIONS, ELEVATIONS, FEATURES, SHARES, SIDE, Answers
from vision.network_eye import Classifier
from vision.photo import Photo

Outputs = Callable[[np.ndarray], tuple[np.ndarray, ...]]


def looks(outputs: Outputs, photo: Photo, boxes: np.ndarray, answers: Answers | None = None) -> list[Look]:
    known = {} if answers is None else answers
    return answer_at_once(classify(Classifier(outputs), photo, as_boxes(boxes), [0.8] * len(boxes), known, 0.0))


def no_logits(crops: np.ndarray) -> np.ndarray:
    return np.zeros((len(crops), 7 + DIRECTIONS), np.float32)


def lightest_direction(crop: np.ndarray) -> float:
    """Where a crop is light, in degrees from its top."""
    across, down = np.meshgrid(np.arange(SIDE) - SIDE / 2, np.arange(SIDE) - SIDE / 2)
    light = crop.astype(float).mean(2) - crop.mean()
    return float(np.degrees(np.arctan2(-(light * across).sum(), -(light * down).sum())))


def test_a_small_die_is_cut_from_the_whole_photo() -> None:
    """The classifier gets the photo's own pixels where the first needed only a small picture of it."""
    seen = []

    def outputs(crops: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        seen.append(crops)
        return no_logits(crops), np.zeros((len(crops), FEATURES), np.float32)

    pixels = np.zeros((3000, 4000, 3), np.uint8)
    pixels[1000:1040:2, 2000:2040] = 255
    boxes = np.array([[2000 / 4000, 1000 / 3000, 2040 / 4000, 1040 / 3000]], np.float32)
    looks(outputs, Photo(pixels), boxes)
    assert seen[0].shape == (4, SIDE, SIDE, 3)
    assert seen[0][0].std() > 50  # the stripes, one pixel wide, are still there


def seen_up(*ups: tuple[float, ...]) -> dict[int, Row]:
    """What the classifier says of where up is (DIRECTIONS each), for things of each of which it takes any of `ups`
    (degrees) for it: in crops as they are, mirrored, turned a quarter counter-clockwise and clockwise."""
    views = [(1, 0), (-1, 0), (1, 90), (1, -90)]
    logits = np.zeros((len(views), len(ups), DIRECTIONS), np.float32)
    for view, (sign, turned) in enumerate(views):
        for thing, directions in enumerate(ups):
            for up in directions:
                logits[view, thing, round((sign * up + turned) / 360 * DIRECTIONS) % DIRECTIONS] = 4
    answers = [as_rows(logits[:, thing]) for thing in range(len(ups))]
    return {thing: up_log_chances(views) for thing, views in enumerate(answers)}


def view_of(*ups: tuple[float, ...]) -> tuple[float, dict[int, float]]:
    """Of things in the photo's middle, which say nothing of a camera that looks straight down."""
    return other_view(dict.fromkeys(range(len(ups)), (0.0, 0.0)), seen_up(*ups))


@pytest.mark.parametrize("turn", [60, 90, 240, 300])
def test_several_dice_tell_how_the_camera_was_turned(turn: float) -> None:
    """Each alone might as well have its side up, on either side."""
    odds, turns = view_of(*[(turn, turn + 90), (turn, turn - 90), (turn, turn + 120)] * 3)
    assert odds > 5
    assert list(turns.values()) == [turn] * 9


def test_where_up_is_not_clear_the_photo_is_taken_as_it_is() -> None:
    for ups in ([(0,), (0, 90), (0, -90)], [(90, 0)] * 3, [(), (), ()]):
        odds, _ = view_of(*ups)
        assert odds <= 0


def test_a_turned_photo_is_read_as_it_would_lie_upright() -> None:
    """Up is where the pixels are light; a crop that has it at its top shows a three, any other a five."""

    def outputs(crops: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        given = no_logits(crops)
        for row, angle in zip(given, map(lightest_direction, crops), strict=True):
            row[7 + round(angle / 360 * DIRECTIONS) % DIRECTIONS] = 9
            row[2 if abs(angle) < 20 else 4] = 9
        return given, np.zeros((len(crops), FEATURES), np.float32)

    upright = np.tile(np.linspace(255, 0, 400, dtype=np.uint8)[:, None, None], (1, 400, 3))
    boxes = np.array([[0.4, 0.4, 0.6, 0.6], [0.2, 0.4, 0.4, 0.6], [0.6, 0.4, 0.8, 0.6]], np.float32)
    for quarters in (0, 1, 3):
        photo = Photo(np.ascontiguousarray(np.rot90(upright, quarters)))
        seen = looks(outputs, photo, boxes)
        assert [np.argmax(look.logits[:6]) for look in seen] == [2, 2, 2]


def test_from_straight_above_up_is_away_from_the_middle() -> None:
    """Dice all round the photo's middle, each of which shows its inner side: read upright, those below show the value
    of a side."""

    def outputs(crops: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        given = no_logits(crops)
        for row, angle in zip(given, map(lightest_direction, crops), strict=True):
            row[7 + round(angle / 360 * DIRECTIONS) % DIRECTIONS] = 2
            row[2] = 9 if abs(angle) < 20 else 1
            row[4] = 2
        return given, np.zeros((len(crops), FEATURES), np.float32)

    side = 400
    across, down = np.meshgrid(np.arange(side) - side / 2, np.arange(side) - side / 2)
    radial = np.repeat((np.hypot(across, down) / side * 350).clip(0, 255).astype(np.uint8)[..., None], 3, 2)
    places = [(0.5, 0.15), (0.85, 0.5), (0.5, 0.85), (0.15, 0.5), (0.75, 0.75), (0.25, 0.75)]
    boxes = np.array([[x - 0.08, y - 0.08, x + 0.08, y + 0.08] for x, y in places], np.float32)
    seen = looks(outputs, Photo(radial), boxes)
    assert [np.argmax(look.logits[:6]) for look in seen] == [2] * len(boxes)


def test_a_die_alone_is_read_upright() -> None:
    """From one die, nobody can tell whether the camera looked straight down."""
    calls = []

    def outputs(crops: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        calls.append(len(crops))
        return no_logits(crops), np.zeros((len(crops), FEATURES), np.float32)

    photo = Photo(np.zeros((300, 300, 3), np.uint8))
    looks(outputs, photo, np.array([[0.7, 0.7, 0.9, 0.9]], np.float32))
    assert calls == [4]


def test_the_network_is_asked_about_each_crop_once() -> None:
    """Also if a later pass has further candidates, in another order."""
    asked = []

    def outputs(crops: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        asked.append(len(crops))
        given = no_logits(crops)
        given[:, 0] = crops[:, SIDE // 2, SIDE // 2, 0]  # what lies in the middle tells the crops apart
        return given, np.repeat(given[:, :1], FEATURES, axis=1)

    photo = Photo(np.repeat(np.linspace(0, 99, 300, dtype=np.uint8)[None, :, None], 300, 0).repeat(3, 2))
    first, second, third = (np.array([[x, 0.7, x + 0.1, 0.8]], np.float32) for x in (0.1, 0.5, 0.8))
    answers: Answers = {}
    before = looks(outputs, photo, np.concatenate([first, second]), answers)
    boxes = np.concatenate([third, second, first])
    after = looks(outputs, photo, boxes, answers)
    assert asked == [8, 4]
    assert [after[2], after[1]] == before
    assert after[0].logits[0] > before[1].logits[0] > before[0].logits[0]


def test_elevation_and_share_in_sight_come_beside_the_features_if_the_network_gives_them() -> None:
    def outputs(crops: np.ndarray) -> tuple[np.ndarray, ...]:
        sizes = (7 + DIRECTIONS, FEATURES, ELEVATIONS, SHARES)
        return tuple(np.full((len(crops), size), size, np.float32) for size in sizes)

    photo, boxes = Photo(np.zeros((300, 300, 3), np.uint8)), np.array([[0.1, 0.1, 0.3, 0.3]], np.float32)
    seen = looks(outputs, photo, boxes)[0].answer
    for row, size in ((seen.features, FEATURES), (seen.elevations, ELEVATIONS), (seen.shares, SHARES)):
        assert row == (size,) * size
    older = looks(lambda crops: outputs(crops)[:2], photo, boxes)[0].answer
    assert len(older.features) == FEATURES
    assert older.elevations == older.shares == ()
