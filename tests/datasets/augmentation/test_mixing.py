"""Training pictures keep their boxes where their dice are."""

import dataclasses

import cv2
import numpy as np
import pytest

from datasets.augmentation.cutting_out import cutouts
from datasets.augmentation.distractors import distractor
from datasets.augmentation.mixing import Mixer, Recipe, TrainingPhoto, transform_boxes
from datasets.augmentation.photo_effects import augment, camouflage

PLAIN = Recipe(size=160, dice=(20.0, 90.0), pasted=0.0, extra=0.0, augmented=0.0)


def a_scene() -> TrainingPhoto:
    """Two red round dice on grey."""
    pixels = np.full((400, 500, 3), 90, np.uint8)
    cv2.circle(pixels, (120, 130), 40, (230, 20, 20), -1)
    cv2.circle(pixels, (350, 280), 40, (230, 20, 20), -1)
    return TrainingPhoto(pixels, np.array([[80, 90, 161, 171], [310, 240, 391, 321]], np.float32))


TOPS = [np.full((64, 64, 3), 60, np.uint8)]


@pytest.mark.parametrize("seed", range(30))
def test_boxes_follow_the_dice(seed: int) -> None:
    pixels, boxes = Mixer([(1.0, [a_scene()])], TOPS, [], PLAIN).picture(np.random.default_rng(seed))
    assert pixels.shape == (160, 160, 3)
    assert len(boxes) <= 2
    for x0, y0, x1, y1 in boxes.tolist():
        if min(x0, y0) < 1 or max(x1, y1) > 159:
            continue  # cut off at the edge
        red = (pixels[:, :, 0] > 150) & (pixels[:, :, 1] < 120)
        ys, xs = np.nonzero(red[int(y0) : int(y1) + 1, int(x0) : int(x1) + 1])
        assert float(np.ptp(xs)) + 1 == pytest.approx(x1 - x0, abs=0.16 * (x1 - x0) + 3)
        assert float(np.ptp(ys)) + 1 == pytest.approx(y1 - y0, abs=0.16 * (y1 - y0) + 3)


def test_dice_are_looked_at_as_often_as_they_weigh() -> None:
    green = a_scene()
    cv2.circle(green.pixels, (350, 280), 40, (20, 230, 20), -1)
    scenes = [
        dataclasses.replace(a_scene(), weights=np.array([0.01, 0.01], np.float32)),
        dataclasses.replace(green, weights=np.array([0.01, 4.0], np.float32)),
    ]
    close = dataclasses.replace(PLAIN, dice=(80.0, 90.0))  # so that a picture hardly shows more than one die
    mixer = Mixer([(1.0, scenes)], TOPS, [], close)
    seen = np.zeros(2)
    for seed in range(40):
        red, green_, _ = mixer.picture(np.random.default_rng(seed))[0].reshape(-1, 3).astype(int).T
        seen += [((red - green_) > 150).mean() > 0.1, ((green_ - red) > 150).mean() > 0.1]
    assert seen[1] > 4 * seen[0]


def test_the_same_chance_gives_the_same_picture() -> None:
    mixer = Mixer([(1.0, [a_scene()])], TOPS, list(cutouts(a_scene()).values()), Recipe(size=160))
    pictures = [mixer.picture(np.random.default_rng([7, 3])) for _ in range(2)]
    assert (pictures[0][0] == pictures[1][0]).all()
    assert (pictures[0][1] == pictures[1][1]).all()


def test_pasted_dice_have_tight_boxes() -> None:
    cut = cutouts(a_scene())
    assert list(cut) == [0, 1]
    recipe = Recipe(size=160, dice=(20.0, 60.0), pasted=1.0, augmented=0.0)
    mixer = Mixer([(1.0, [a_scene()])], TOPS, list(cut.values()), recipe)
    seen = 0
    for seed in range(20):
        pixels, boxes = mixer.picture(np.random.default_rng(seed))
        for x0, y0, x1, y1 in boxes.round().astype(int):
            seen += 1
            red, green, _ = pixels[(y0 + y1) // 2, (x0 + x1) // 2].astype(int)
            assert red > 2 * green  # another's shadow may lie on it
    assert seen > 20


def test_turning_a_box_lies_between_ellipse_and_rectangle() -> None:
    cos = np.sqrt(0.5)
    matrix = np.array([[cos, -cos, 0], [cos, cos, 0], [0, 0, 1.0]])
    ((x0, _, x1, _),) = transform_boxes(np.array([[-10, -10, 10, 10]], np.float32), matrix)
    assert 20 < x1 - x0 < 28.3
    np.testing.assert_allclose(
        transform_boxes(np.array([[3, 4, 9, 8]], np.float32), np.eye(3)), [[3, 4, 9, 8]], atol=0.1
    )


@pytest.mark.parametrize("seed", range(40))
def test_distractors_and_augmentation_give_pictures(seed: int) -> None:
    rng = np.random.default_rng(seed)
    thing = distractor(rng, lambda _: np.full((80, 80, 3), 50, np.uint8))
    assert thing.pixels.dtype == thing.opacity.dtype == np.uint8
    assert thing.pixels.shape[:2] == thing.opacity.shape
    x0, y0, x1, y1 = thing.box
    assert 0 <= x0 < x1 <= thing.pixels.shape[1]
    assert 0 <= y0 < y1 <= thing.pixels.shape[0]
    augmented = augment(rng, np.full((64, 80, 3), 128, np.uint8))
    assert augmented.shape == (64, 80, 3)
    assert augmented.dtype == np.uint8


@pytest.mark.parametrize(("ground", "near"), [(205, True), (30, False)])
def test_a_die_takes_the_colour_of_its_table_only_where_its_pips_are_left(ground: int, near: bool) -> None:
    die = np.full((40, 40, 3), 235, np.uint8)
    die[15:25, 15:25] = 100
    opacity = np.full((40, 40), 255, np.uint8)
    seen = camouflage(np.random.default_rng(2), die, opacity, np.full((9, 9, 3), ground, np.uint8)).astype(int)
    assert (abs(seen[0, 0] - ground) < 12).all() == near
    assert (seen[0, 0] - seen[20, 20] == 135).all()
