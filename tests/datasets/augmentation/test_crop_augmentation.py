"""Training pictures of the crop classifier."""

from collections import Counter

import numpy as np

from datasets.augmentation.crop_augmentation import (
    NONE,
    ROOM_KEPT,
    SIDE_KEPT,
    CutDice,
    DrawnThings,
    concatenate,
    keep,
    keep_misses,
)
from datasets.augmentation.cutout import Cutout
from datasets.augmentation.mixing import TrainingPhoto


def a_scene() -> TrainingPhoto:
    pixels = np.full((300, 300, 3), 60, np.uint8)
    pixels[100:140, 100:140] = 255
    pixels[200:240, 200:240] = 255
    return TrainingPhoto(pixels, np.array([[100, 100, 140, 140], [200, 200, 240, 240]], np.float32))


TOP = np.full((64, 64, 3), 90, np.uint8)


def test_what_a_turned_camera_saw_is_turned_back() -> None:
    upright = a_scene()
    upright.pixels[100:110, 100:140, 2] = 0  # the upper edge of the first die
    turned = TrainingPhoto(np.ascontiguousarray(np.rot90(upright.pixels)), upright.boxes[:, [1, 0, 3, 2]].copy())
    turned.boxes[:, [1, 3]] = 300 - upright.boxes[:, [2, 0]]
    kept = [keep(upright, np.array([0, 5])), keep(turned, np.array([0, 5]), roll=90)]
    inner = [k.pixels[:, 8:-8, 8:-8].astype(int) for k in kept]
    assert np.abs(inner[0] - inner[1]).mean() < 3
    assert np.abs(inner[0] - np.rot90(inner[1], axes=(1, 2))).mean() > 3


def test_dice_cut_out_lie_on_other_tables_with_their_values() -> None:
    white = Cutout(np.full((40, 40, 3), 250, np.uint8), np.full((40, 40), 255, np.uint8), (0, 0, 40, 40))
    things = DrawnThings([TOP], [(1.0, CutDice([white, white], np.array([2, 4])))])
    put = things.cut_out(np.random.default_rng(1), 40)
    assert put.pixels.shape == (40, SIDE_KEPT, SIDE_KEPT, 3)
    assert set(Counter(put.classes.tolist())) == {2, 4}
    assert (put.shares == 1).all()
    np.testing.assert_allclose(put.sizes, 1.1 / ROOM_KEPT, atol=0.01)
    middle, rim = put.pixels[:, SIDE_KEPT // 2, SIDE_KEPT // 2], put.pixels[:, 4, 4]
    assert np.median(middle) > 200 > np.median(rim)


def test_drawn_things_are_dice_of_all_values_or_none() -> None:
    things = DrawnThings([TOP])
    rng = np.random.default_rng(3)
    assert set(things.dice(rng, 60).classes.tolist()) == set(range(NONE))
    assert not len(things.cut_out(rng, 5).classes)
    for made in (things.distractors(rng, 5), things.surfaces(rng, 5)):
        assert made.classes.tolist() == [NONE] * 5
        assert not made.shares.any()
        assert np.isnan(made.elevations).all()


def test_what_is_known_of_a_photo_is_kept() -> None:
    seen = np.array([[30.0, 1.0], [40.0, 0.5]], np.float32)
    kept = keep(a_scene(), np.array([0, NONE]), seen=seen, weights=np.array([1, 4]))
    assert kept.elevations.tolist() == [30, 40]
    assert kept.shares.tolist() == [1, 0.5]
    unknown = keep(a_scene(), np.array([0, NONE]))
    assert np.isnan(unknown.elevations).all()
    assert unknown.shares.tolist() == [1, 0], "a labelled die is whole"
    both = concatenate([kept, unknown])
    assert both.weights.tolist() == [1, 4, 1, 1]


def test_places_without_dice_hold_none() -> None:
    misses = keep_misses(np.random.default_rng(1), a_scene(), 20)
    assert len(misses.classes) == 20
    assert (misses.classes == NONE).all()
