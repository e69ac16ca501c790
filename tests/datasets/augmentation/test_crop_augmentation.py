"""Training pictures of the crop classifier."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from datasets.augmentation import surfaces
from datasets.augmentation.crop_augmentation import (
    NONE,
    CropPictures,
    CutDice,
    _cast_shadow,
    concatenate,
    frame_crop,
    keep,
    keep_misses,
)
from datasets.augmentation.cutout import Cutout
from datasets.augmentation.distractors import drawn_die
from datasets.augmentation.mixing import TrainingPhoto
from vision.classifier import DIRECTIONS
from vision.crops import ROOM, SIDE


def a_scene() -> TrainingPhoto:
    pixels = np.full((300, 300, 3), 60, np.uint8)
    pixels[100:140, 100:140] = 255
    pixels[200:240, 200:240] = 255
    return TrainingPhoto(pixels, np.array([[100, 100, 140, 140], [200, 200, 240, 240]], np.float32))


TOP = np.full((64, 64, 3), 90, np.uint8)


def source() -> CropPictures:
    dice = keep(a_scene(), np.array([0, 5]))
    misses = keep_misses(np.random.default_rng(0), a_scene(), 5)
    return CropPictures([(1.0, dice)], misses, concatenate([misses]), [TOP])


def test_what_a_turned_camera_saw_is_turned_back() -> None:
    upright = a_scene()
    upright.pixels[100:110, 100:140, 2] = 0  # the upper edge of the first die
    turned = TrainingPhoto(np.ascontiguousarray(np.rot90(upright.pixels)), upright.boxes[:, [1, 0, 3, 2]].copy())
    turned.boxes[:, [1, 3]] = 300 - upright.boxes[:, [2, 0]]
    kept = [keep(upright, np.array([0, 5])), keep(turned, np.array([0, 5]), roll=90)]
    inner = [k.pixels[:, 8:-8, 8:-8].astype(int) for k in kept]
    assert np.abs(inner[0] - inner[1]).mean() < 3
    assert np.abs(inner[0] - np.rot90(inner[1], axes=(1, 2))).mean() > 3


def test_pictures_have_their_size_and_all_classes_come() -> None:
    rng, crops = np.random.default_rng(3), source()
    seen = Counter()
    for _ in range(400):
        pixels, cls, _ = crops.picture(rng)
        assert pixels.shape == (SIDE, SIDE, 3)
        assert pixels.dtype == np.uint8
        seen[cls] += 1
    assert set(seen) == set(range(NONE + 1))
    assert 0.15 < seen[NONE] / 400 < 0.45


def test_what_is_to_be_shown_more_often_is() -> None:
    scene = a_scene()
    scene.pixels[200:240, 200:240] = 140
    dice = keep(scene, np.array([0, 0]), weights=np.array([1, 9]))
    misses = keep_misses(np.random.default_rng(0), scene, 5)
    crops = CropPictures([(1.0, dice)], misses, misses, [TOP])
    drawn = Counter(crops._a_die(np.random.default_rng(number))[1] for number in range(300))
    assert drawn[1] > 5 * drawn[0] > 0


def test_dice_cut_out_lie_on_other_tables_with_their_values() -> None:
    white = Cutout(np.full((40, 40, 3), 250, np.uint8), np.full((40, 40), 255, np.uint8), (0, 0, 40, 40))
    dice = CutDice([white, white], np.array([2, 4]))
    misses = keep_misses(np.random.default_rng(0), a_scene(), 5)
    crops = CropPictures([(1.0, keep(a_scene(), np.array([0, 5])))], misses, misses, [TOP], [(1.0, dice)])
    seen = Counter(crops.picture(np.random.default_rng(number))[1] for number in range(400))
    assert 25 < seen[2] + seen[4] < 80
    assert min(seen[2], seen[4]) > 8
    put = crops._paste(np.random.default_rng(5), dice.cutouts[0])
    middle, rim = put.pixels[SIDE // 2 - 4 : SIDE // 2 + 4, SIDE // 2 - 4 : SIDE // 2 + 4], put.pixels[:2]
    assert middle.min() > 200 > rim.max()


def test_surfaces_are_full_of_marks_and_the_same_for_the_same_seed() -> None:
    def patch(_: np.random.Generator) -> np.ndarray:
        return np.full((80, 80, 3), 50, np.uint8)

    drawn = [surfaces.surface(np.random.default_rng(seed), patch) for seed in range(60)]
    assert {(s.shape, s.dtype.name) for s in drawn} == {((surfaces.SIDE, surfaces.SIDE, 3), "uint8")}
    assert sum(float(s.std()) > 8 for s in drawn) > 50
    np.testing.assert_array_equal(drawn[7], surfaces.surface(np.random.default_rng(7), patch))


def test_drawn_things_cast_shadows_that_printed_ones_do_not() -> None:
    rng = np.random.default_rng(3)
    thing = drawn_die(rng, 5)
    ground = np.full((240, 240, 3), 200, np.uint8)
    height, width = thing.pixels.shape[:2]
    shaded = _cast_shadow(rng, ground, thing, (240 - width) // 2, (240 - height) // 2)
    assert (shaded <= ground).all()
    assert 0.05 < (shaded < 190).mean() < 0.6


def test_places_without_dice_hold_none() -> None:
    misses = keep_misses(np.random.default_rng(1), a_scene(), 20)
    assert len(misses.classes) == 20
    assert (misses.classes == NONE).all()


@pytest.mark.parametrize("seed", range(20))
def test_a_die_is_framed_as_the_reader_frames_it(seed: int) -> None:
    kept = keep(a_scene(), np.array([0, 5]))
    rng = np.random.default_rng(seed)
    white = (frame_crop(rng, kept.pixels[0], kept.sizes[0]).pixels[:, :, 0] > 150).mean()
    assert 0.5 / ROOM**2 < white < 1.6 / ROOM**2


@pytest.mark.parametrize("value", range(1, 7))
def test_drawn_dice_have_pips_on_an_opaque_face(value: int) -> None:
    for seed in range(20):
        die = drawn_die(np.random.default_rng([seed, value]), value)
        face = die.pixels[20:76, 20:76].astype(int)
        assert np.ptp(face, axis=(0, 1)).max() > 25
        assert (die.opacity[30:66, 30:66] == 255).all()


def test_where_up_is_in_a_crop_is_known_from_how_it_was_turned() -> None:
    """Up is the light side; of what was turned but a little nothing is told."""
    scene = a_scene()
    scene.pixels[:] = np.linspace(255, 0, 300, dtype=np.uint8)[:, None, None]
    kept = keep(scene, np.array([0, 5]))
    across, down = np.meshgrid(np.arange(SIDE) - SIDE / 2, np.arange(SIDE) - SIDE / 2)
    told = 0
    for seed in range(60):
        seen = frame_crop(np.random.default_rng(seed), kept.pixels[0], kept.sizes[0])
        if seen.up is not None:
            light = seen.pixels.mean(2) - seen.pixels.mean()
            angle = np.degrees(np.arctan2(-(light * across).sum(), -(light * down).sum()))
            assert abs((angle - seen.up + 180) % 360 - 180) < 15
            told += 1
    assert 10 < told < 50


def test_up_is_taught_where_a_rendered_picture_tells_it() -> None:
    def directions(tilt: float | None) -> np.ndarray:
        dice = keep(a_scene(), np.array([0, 5]), tilt=tilt)
        others = keep(a_scene(), np.array([NONE, NONE]), tilt=tilt)
        crops = CropPictures([(1.0, dice)], others, others, [TOP])
        return np.array([crops.picture(np.random.default_rng(seed))[2] for seed in range(60)])

    assert not directions(None).any()
    steep, above = directions(40.0), directions(3.0)
    assert sorted(set(steep.sum(1).round(3))) == [0, 1]
    assert steep.max() > 0.5
    assert above.max() == pytest.approx(1 / DIRECTIONS)
