"""Things are laid across a picture's upper border."""

import numpy as np

from datasets.augmentation.border_things import any_patch, lay_die, lay_other
from datasets.augmentation.cutout import Cutout
from vision.arrays import Pixels

DEPTH, WIDTH, SIDE = 40, 256, 32.0


def white_die() -> Cutout:
    """A square of 50 pixels in the middle of 60."""
    opacity = np.zeros((60, 60), np.uint8)
    opacity[5:55, 5:55] = 255
    return Cutout(np.full((60, 60, 3), 255, np.uint8), opacity, (5.0, 5.0, 55.0, 55.0))


def test_a_die_is_laid_so_that_the_told_share_of_it_is_left() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        strip, taken = np.zeros((DEPTH, WIDTH, 3), np.uint8), np.full(WIDTH, False)
        laid = lay_die(rng, strip, white_die(), SIDE, taken)
        begin, end = laid.across
        columns = np.arange(WIDTH)
        inside = (columns > begin + 1) & (columns < end - 2)
        assert (strip[0, inside] > 200).all()
        assert not strip[:, (columns < begin - 2) | (columns > end + 2)].any()
        deep = (strip[:, inside] > 128).all((1, 2)).sum()
        assert abs(deep - laid.left * (end - begin)) < 2
        assert taken[inside].all()


def test_nothing_is_laid_on_what_lies_there() -> None:
    rng = np.random.default_rng(2)

    def patch(rng: np.random.Generator) -> Pixels:
        return any_patch(rng, [np.full((50, 50, 3), 90, np.uint8)])

    changed = 0
    for _ in range(80):
        strip, taken = np.full((DEPTH, WIDTH, 3), 7, np.uint8), np.full(WIDTH, False)
        taken[100:150] = True
        lay_other(rng, strip, SIDE, taken, patch)
        changed += bool((strip != 7).any())
        assert (strip[0, 101:149] == 7).all()
    assert changed > 60
    strip, taken = np.zeros((DEPTH, WIDTH, 3), np.uint8), np.full(WIDTH, True)
    assert lay_die(rng, strip, white_die(), SIDE, taken) is None
    assert not strip.any()
