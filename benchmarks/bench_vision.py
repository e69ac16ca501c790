"""How long reading takes: `pytest benchmarks/bench_vision.py`. What it came to is in docs/benchmarks.md."""

from __future__ import annotations

import io
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from vision import Photo, Reader
from vision.detector import Detector
from vision.judging.weights import Calibration
from vision.network_eye import DETECTOR
from vision.reader import CALIBRATION

ROOT = Path(__file__).resolve().parent.parent
SIX_DICE = ROOT / "tests" / "pictures" / "throw-113466.jpg"
_TURNS = 40
Benchmark = Callable[..., Any]


@pytest.fixture(scope="module")
def reader() -> Reader:
    reader = Reader()
    reader.read(Photo(np.zeros((480, 640, 3), np.uint8)))
    return reader


def large_photo(noise: float, quality: int) -> bytes:
    """Six dice as a phone would send them: 4000x3000, with a sensor's noise. `noise`: its deviation in grey levels."""
    large = np.asarray(Image.open(SIX_DICE).resize((4000, 3000), Image.Resampling.BICUBIC)).astype(np.float32)
    noisy = large + np.random.default_rng(0).normal(0, noise, large.shape)
    out = io.BytesIO()
    Image.fromarray(noisy.clip(0, 255).astype(np.uint8)).save(out, "JPEG", quality=quality)
    return out.getvalue()


@pytest.fixture(scope="module")
def twelve_megapixels() -> bytes:
    return large_photo(noise=4, quality=88)


def test_decode_twelve_megapixels(benchmark: Benchmark, twelve_megapixels: bytes) -> None:
    benchmark(Photo.decode, twelve_megapixels)


def test_twelve_megapixels_to_reading(benchmark: Benchmark, reader: Reader, twelve_megapixels: bytes) -> None:
    reading = benchmark(lambda: reader.read(Photo.decode(twelve_megapixels)))
    assert (reading.width, reading.height) == (4000, 3000)
    assert reading.sure


def test_twelve_megapixels_to_a_reading_in_doubt(
    benchmark: Benchmark, reader: Reader, twelve_megapixels: bytes
) -> None:
    """Told another number of dice than lie there: it looks at the photo once more."""
    reading = benchmark(lambda: reader.read(Photo.decode(twelve_megapixels), dice=5))
    assert not reading.sure


def test_video_frame(benchmark: Benchmark, reader: Reader) -> None:
    frame = np.asarray(Image.open(SIX_DICE).convert("RGB").resize((1280, 720)))
    benchmark(lambda: reader.read(Photo(frame)))


def test_read_from_start_to_exit(benchmark: Benchmark) -> None:
    command = [sys.executable, "-m", "rollcall", "read", str(SIX_DICE)]
    benchmark.pedantic(lambda: subprocess.run(command, cwd=ROOT, check=True, capture_output=True), rounds=5)  # type: ignore[attr-defined]


def test_ultralytics_predict_on_the_same_detector(
    benchmark: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Five in turns with five runs of our detector, since a shared machine is quick now and slow then, each after one
    that is not timed, since the other's threads were there before; needs the extra `train`."""
    ultralytics = pytest.importorskip("ultralytics", reason="the extra `train` is not installed")
    from datasets.training.export import write_ultralytics_detector

    write_ultralytics_detector(ROOT / "models" / DETECTOR, tmp_path / "detector.pt")
    model = ultralytics.YOLO(str(tmp_path / "detector.pt"), task="detect")
    picture = np.asarray(Image.open(SIX_DICE).convert("RGB"))
    reversed_colours = picture[:, :, ::-1].copy()
    calibration = Calibration.load(ROOT / "models" / CALIBRATION)
    detector, side = Detector(ROOT / "models" / DETECTOR), calibration.image_sizes[0]
    ours: list[float] = []

    def look() -> None:
        detector.find(picture, side, calibration.candidate)

    def predict() -> None:
        model.predict(reversed_colours, imgsz=calibration.image_sizes[0], device="cpu", verbose=False)

    def before() -> None:
        look()
        start = time.perf_counter()
        for _ in range(5):
            look()
        ours.append(time.perf_counter() - start)
        predict()

    def predict_five() -> None:
        for _ in range(5):
            predict()

    benchmark.pedantic(predict_five, setup=before, rounds=_TURNS, warmup_rounds=1)  # type: ignore[attr-defined]
    ratios = np.divide(benchmark.stats.stats.data, ours[-_TURNS:])  # type: ignore[attr-defined]
    with capsys.disabled():
        print(f"\npredict takes {np.median(ratios):.2f} times as long as our detector, the median of {_TURNS} turns")


def test_detector(benchmark: Benchmark) -> None:
    calibration = Calibration.load(ROOT / "models" / CALIBRATION)
    detector, side = Detector(ROOT / "models" / DETECTOR), calibration.image_sizes[0]
    picture = np.asarray(Image.open(SIX_DICE).convert("RGB"))
    benchmark(lambda: detector.find(picture, side, calibration.candidate))
