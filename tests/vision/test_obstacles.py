"""What keeps a photo from showing all its dice surely: a die cut off, dice too near, too far or seen from the side,
little light. Such a reading may be right, but is never sure, and says why."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.measuring.stress import cut_die, dim_light, widen_field
from vision import Photo, Reader, Reading

pytestmark = pytest.mark.whole

PICTURES = Path(__file__).resolve().parent.parent / "pictures"


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def picture(name: str) -> Photo:
    return Photo.decode((PICTURES / name).read_bytes())


def boxes(reading: Reading) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array([die.box for die in reading.dice], np.float64)


def reasons(reading: Reading) -> list[str]:
    return [ask.reason for ask in reading.asks]


@pytest.mark.parametrize("left", [0.35, 0.5, 0.65])
@pytest.mark.parametrize("name", ["throw-113466.jpg", "throw-23335.jpg"])
def test_a_die_that_the_edge_cuts_off_is_never_left_out_surely(reader: Reader, name: str, left: float) -> None:
    photo = picture(name)
    whole = reader.read(photo)
    assert whole.sure
    cut = cut_die(photo.pixels, boxes(whole), np.random.default_rng(1), left)
    assert cut is not None
    for count in (None, len(whole.dice), len(whole.dice) - 1):  # one that is seen may have been set aside before
        reading = reader.read(Photo(cut), count)
        assert not reading.sure
        assert reading.asks
    reading = reader.read(Photo(cut))
    (asked,) = (ask for ask in reading.asks if ask.reason == "cut")
    assert asked.box is not None, "the place is told"
    x0, y0, x1, y1 = asked.box
    assert min(x0, y0, reading.width - x1, reading.height - y1) < 0.01 * reading.width
    assert all(min(x1, box[2]) <= max(x0, box[0]) or min(y1, box[3]) <= max(y0, box[1]) for box in boxes(reading))


OTHERS = [pytest.param(f"throw-{name}.jpg", marks=pytest.mark.slow) for name in ("112455", "12345")]


@pytest.mark.parametrize("name", ["throw-113466.jpg", "throw-66666.jpg", *OTHERS])
def test_a_fifth_of_a_die_is_asked_about(reader: Reader, name: str) -> None:
    """Whichever die it is, and whether all of the count are seen or none is told."""
    photo = picture(name)
    whole = boxes(reader.read(photo))
    for seed in range(1, 5):
        cut = cut_die(photo.pixels, whole, np.random.default_rng(seed), 0.2)
        assert cut is not None
        for count in (None, len(whole) - 1):
            reading = reader.read(Photo(cut), count)
            assert not reading.sure
            assert "cut" in reasons(reading)


@pytest.mark.parametrize("share", [0.5, 0.8])
def test_a_die_close_up_is_read_as_one_farther_away(reader: Reader, share: float) -> None:
    photo = picture("throw-4.jpg")
    x0, y0, x1, y1 = boxes(reader.read(photo))[0]
    reach = max(x1 - x0, y1 - y0) / share / 2
    middle = (x0 + x1) / 2, (y0 + y1) / 2
    left, top = (max(0, round(at - reach)) for at in middle)
    close = photo.pixels[top : round(middle[1] + reach), left : round(middle[0] + reach)]
    large = np.asarray(cv2.resize(close, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC), np.uint8)
    reading = reader.read(Photo(large))
    assert (reading.values, reading.sure) == ((4,), True)
    (box,) = boxes(reading)
    assert (box[2] - box[0]) == pytest.approx(share * large.shape[1], rel=0.15)


def test_dice_far_away_are_looked_at_more_closely(reader: Reader) -> None:
    photo = picture("throw-235.jpg")
    near = reader.read(photo)
    field = widen_field(photo.pixels, boxes(near), np.random.default_rng(3), times=3)
    far = reader.read(Photo(field))
    assert (far.values, far.sure) == ((2, 3, 5), True)
    sizes = [np.sort((each[:, 2:] - each[:, :2]).max(1)) for each in (boxes(near), boxes(far))]
    assert np.allclose(*sizes, rtol=0.15)


@pytest.mark.parametrize("name", ["three.jpg", "five.jpg", "front-1.jpg", "front-2.jpg", "front-3.jpg"])
def test_dice_seen_from_the_side_are_never_sure(reader: Reader, name: str) -> None:
    for count in (None, 1):
        reading = reader.read(picture(f"from-the-side/{name}"), count)
        assert not reading.sure
        assert {"from-the-side", "doubtful-value"} & set(reasons(reading))


def test_little_light_is_no_reason_until_nobody_could_be_certain(reader: Reader) -> None:
    photo = picture("throw-113466.jpg")
    rng = np.random.default_rng(1)
    quarter, least = (Photo(dim_light(photo.pixels, np.zeros((0, 4)), rng, parts)) for parts in (4, 16))
    assert reader.read(quarter).sure
    dark = reader.read(least)
    assert not dark.sure
    assert "dark" in reasons(dark)
