"""Batches of training crops."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("ultralytics", reason="the training packages are not installed")

import torch

from datasets.augmentation.crop_augmentation import NONE, Kept, keep, keep_misses
from datasets.augmentation.mixing import TrainingPhoto
from datasets.training import crop_batches
from datasets.training.crop_batches import IGNORED, Batch, CropBatches, Part, _bands, _share_classes
from datasets.training.crop_training import keep_parts
from vision.judging.seen import DIRECTIONS, ELEVATIONS, ROOM, SIDE

CPU = torch.device("cpu")


def a_scene() -> TrainingPhoto:
    pixels = np.full((300, 300, 3), 60, np.uint8)
    pixels[100:140, 100:140] = 255
    pixels[200:240, 200:240] = 255
    return TrainingPhoto(pixels, np.array([[100, 100, 140, 140], [200, 200, 240, 240]], np.float32))


def dice(elevation: float = np.nan, scene: TrainingPhoto | None = None, weights: np.ndarray | None = None) -> Kept:
    seen = np.array([[elevation, 1.0]] * 2, np.float32)
    return keep(scene or a_scene(), np.array([0, 5]), seen=seen, weights=weights)


def a_batch(*parts: Part, count: int = 400) -> Batch:
    return CropBatches(parts, 1, CPU).batch(0, count)


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Crops are neither cut nor framed badly, and keep their colours."""
    for name in ("_MISFRAMED", "_CUT", "_AUGMENTED"):
        monkeypatch.setattr(crop_batches, name, 0.0)


def test_crops_have_their_size_and_all_classes_come() -> None:
    misses = keep_misses(np.random.default_rng(0), a_scene(), 5)
    seen = a_batch(Part(0.8, dice(), by_value=True), Part(0.2, misses))
    assert seen.pixels.shape == (400, 3, SIDE, SIDE)
    assert 0 <= float(seen.pixels.min()) < float(seen.pixels.max()) <= 1
    counts = Counter(seen.classes.tolist())
    assert set(counts) == {0, 5, NONE, IGNORED}
    assert 0.2 < counts[NONE] / 400 < 0.45
    again = a_batch(Part(0.8, dice(), by_value=True), Part(0.2, misses))
    torch.testing.assert_close(seen.pixels, again.pixels)


def test_a_run_that_goes_on_has_the_crops_of_before(tmp_path: Path) -> None:
    first = keep_parts(tmp_path / "crops.npz", lambda: [Part(0.8, dice(), by_value=True), Part(0.2, dice(40.0))])
    again = keep_parts(tmp_path / "crops.npz", lambda: pytest.fail("made again"))
    assert [(part.share, part.by_value) for part in again] == [(0.8, True), (0.2, False)]
    torch.testing.assert_close(a_batch(*first).pixels, a_batch(*again).pixels)


def test_hard_examples_come_more_often(plain: None) -> None:
    seen = a_batch(Part(1.0, dice(weights=np.array([1, 9]))))
    assert 0.8 < float((seen.classes == 5).float().mean()) < 0.97


@pytest.mark.usefixtures("plain")
def test_a_die_is_framed_as_the_reader_frames_it() -> None:
    seen = a_batch(Part(1.0, dice()), count=60)
    white = (seen.pixels[:, 0] > 0.6).float().mean((1, 2))
    assert bool((white > 0.5 / ROOM**2).all())
    assert bool((white < 1.6 / ROOM**2).all())


@pytest.mark.usefixtures("plain")
def test_where_up_is_in_a_crop_is_known_from_how_it_was_turned() -> None:
    """Up is the light side; of what was turned but a little nothing is told."""
    scene = a_scene()
    scene.pixels[:] = np.linspace(255, 0, 300, dtype=np.uint8)[:, None, None]
    seen = a_batch(Part(1.0, dice(40.0, scene)), count=80)
    steps = torch.arange(SIDE) - (SIDE - 1) / 2
    light = seen.pixels.mean(1) - seen.pixels.mean((1, 2, 3))[:, None, None]
    angles = torch.rad2deg(torch.atan2(-(light.sum(1) * steps).sum(1), -(light.sum(2) * steps).sum(1))) % 360
    told = seen.ups.sum(1) > 0
    assert 10 < int(told.sum()) < 60
    nearest = seen.ups[told].argmax(1) * 360 / DIRECTIONS
    off = ((angles[told] - nearest + 180) % 360 - 180).abs()
    assert float(off.max()) < 15 + 180 / DIRECTIONS


@pytest.mark.usefixtures("plain")
def test_up_is_taught_where_a_rendered_picture_tells_it() -> None:
    assert not a_batch(Part(1.0, dice())).ups.any()
    assert not a_batch(Part(1.0, dice())).elevations.any()
    above = a_batch(Part(1.0, dice(87.0)))
    assert above.ups.max() == pytest.approx(1 / DIRECTIONS)
    assert above.elevations.argmax(1).unique().tolist() == [ELEVATIONS - 1]


def test_elevations_lie_between_the_bands_that_are_next() -> None:
    bands = _bands(torch.tensor([0.0, 20.0, 45.0, 90.0, torch.nan]))
    assert bands[0].argmax() == 0
    assert bands[1, 1:3].tolist() == pytest.approx([0.5, 0.5])
    assert bands[2, 4] == 1
    assert bands[3, ELEVATIONS - 1] == 1
    assert not bands[4].any()


def test_shares_in_sight_have_classes_from_whole_to_a_bit() -> None:
    shares = torch.tensor([0.0, 1.0, 0.9, 0.7, 0.5, 0.2, torch.nan])
    assert _share_classes(shares).tolist() == [0, 1, 1, 2, 3, 4, IGNORED]


def test_what_is_left_of_a_cut_die_is_framed_and_no_value_is_taught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crop_batches, "_MISFRAMED", 0.0)
    monkeypatch.setattr(crop_batches, "_AUGMENTED", 0.0)
    monkeypatch.setattr(crop_batches, "_CUT", 1.0)
    monkeypatch.setattr(crop_batches, "_COVERED", 0.0)
    monkeypatch.setattr(crop_batches, "_LEFT", (0.3, 0.3))
    seen = a_batch(Part(1.0, dice()), count=60)
    assert seen.classes.unique().tolist() == [NONE]
    assert seen.shares.unique().tolist() == [4]
    white = (seen.pixels[:, 0] > 0.6).float().mean((1, 2))
    assert float(white.min()) > 0.5 / ROOM**2, "beyond the edge the last pixels repeat"
    monkeypatch.setattr(crop_batches, "_LEFT", (0.75, 0.75))
    nearly = a_batch(Part(1.0, dice()), count=60)
    assert nearly.classes.unique().tolist() == [IGNORED]
    assert nearly.shares.unique().tolist() == [2]


def test_a_thing_covers_what_is_not_in_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("_MISFRAMED", 0.0), ("_AUGMENTED", 0.0), ("_CUT", 1.0), ("_COVERED", 1.0)):
        monkeypatch.setattr(crop_batches, name, value)
    monkeypatch.setattr(crop_batches, "_LEFT", (0.5, 0.5))
    seen = a_batch(Part(1.0, dice()), count=60)
    assert seen.shares.unique().tolist() == [3]
