"""What runs the networks: both engines compute the same, and keep to themselves."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import vision.detector
import vision.network_eye
from vision import ModelError, backend
from vision.backend import Network
from vision.border import BORDER
from vision.judging.seen import SIDE
from vision.network_eye import CROP_CLASSIFIER, DETECTOR
from vision.reader import MODELS

ROOT = Path(__file__).resolve().parents[2]
PICTURES = sorted((ROOT / "tests" / "pictures").rglob("*.jpg"))
SHAPES = {  # of pictures that each network takes
    DETECTOR: [(1, 352, 448, 3), (1, 704, 544, 3)],
    CROP_CLASSIFIER: [
        (1, SIDE, SIDE, 3),
        (30, SIDE, SIDE, 3),
        (7, SIDE, SIDE, 3),
        (0, SIDE, SIDE, 3),
    ],  # 30: more than run at once
    BORDER: [(3, 40, 336, 3), (8, 40, 336, 3)],
}
ENGINES = ("ONNX Runtime", "OpenCV")


@contextmanager
def running(engine: str) -> Iterator[None]:
    """Networks that are loaded now are run by this engine."""
    with pytest.MonkeyPatch.context() as patch:
        if engine == "OpenCV":
            patch.setattr(backend, "_runtime", lambda: None)
        for module in (vision.detector, vision.network_eye):  # not those that `conftest.py` keeps
            patch.setattr(module, "Network", Network)
        assert backend.engine() == engine
        yield


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    with running(request.param):
        yield request.param


@pytest.mark.parametrize("name", SHAPES)
def test_both_engines_compute_the_same(name: str) -> None:
    seed = np.random.default_rng(47)
    given = {}
    pictures = [seed.integers(0, 256, shape, np.uint8) for shape in SHAPES[name]]
    for engine in ENGINES:
        with running(engine):
            network = Network(MODELS / name)
            given[engine] = [network.outputs(each) for each in pictures]
    for one, other in zip(*given.values(), strict=True):
        assert [output.shape for output in one] == [output.shape for output in other]
        for a, b in zip(one, other, strict=True):
            assert a.dtype == b.dtype == np.float32
            np.testing.assert_allclose(a, b, atol=2e-4)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize(
    ("name", "shape"),
    [
        (CROP_CLASSIFIER, (1, SIDE // 2, SIDE // 2, 3)),
        (CROP_CLASSIFIER, (1, SIDE, SIDE)),
        (BORDER, (1, SIDE, SIDE, 3)),
        (DETECTOR, (2, 352, 448, 3)),
        (DETECTOR, (1, 352, 448, 4)),
    ],
)
def test_pictures_of_another_shape_are_refused(name: str, shape: tuple[int, ...]) -> None:
    network = Network(MODELS / name)
    with pytest.raises(ModelError, match=f"{name} cannot be loaded"):
        network(np.zeros(shape, np.uint8))


def test_an_onnx_runtime_that_cannot_be_loaded_is_told_and_opencv_reads(tmp_path: Path) -> None:
    """Told once; where it is not installed, nothing is."""
    script = "import vision, numpy as np; vision.Reader().read(vision.Photo(np.zeros((64, 64, 3), np.uint8)));"
    for says, expected in (
        ("ImportError('DLL load failed')", "ONNX Runtime cannot be loaded, so OpenCV runs the networks"),
        ("ModuleNotFoundError('No module', name='onnxruntime')", ""),
    ):
        (tmp_path / "onnxruntime.py").write_text(f"raise {says}")
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
        done = subprocess.run(
            [sys.executable, "-c", f"{script} print(vision.engine())"],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        assert done.stdout == "OpenCV\n"
        assert done.stderr.count("\n") == bool(expected)
        assert expected in done.stderr


@pytest.mark.whole
def test_it_asks_nobody_outside_and_leaves_nothing_behind(tmp_path: Path) -> None:
    script = """
import sys
def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        print("asked", event, arguments)
sys.addaudithook(watch)
from vision import Photo, Reader
import numpy as np
Reader().read(Photo(np.zeros((480, 640, 3), np.uint8)))
"""
    environment = {**os.environ, "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("engine")
def test_threads_share_a_network() -> None:
    network = Network(MODELS / CROP_CLASSIFIER)
    crops = [np.random.default_rng(seed).integers(0, 256, (4, SIDE, SIDE, 3), np.uint8) for seed in range(8)]
    alone = [network(crop) for crop in crops]
    given: list[np.ndarray] = [np.zeros(0)] * len(crops)

    def run(i: int) -> None:
        for _ in range(5):
            given[i] = network(crops[i])

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(crops))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one, other in zip(alone, given, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-3)


@pytest.mark.whole
def test_the_first_pictures_may_come_at_once() -> None:
    """Before the runtime was started under a lock, three in four of these processes stood still for ever."""
    script = """
import sys, threading
import numpy as np
from vision.backend import Network
from vision.judging.seen import SIDE
from vision.network_eye import CROP_CLASSIFIER
from vision.reader import MODELS
network = Network(MODELS / CROP_CLASSIFIER)
together = threading.Barrier(8)
seen = []
def look():
    together.wait()
    seen.append(network(np.zeros((1, SIDE, SIDE, 3), np.uint8)))
sys.setswitchinterval(1e-6)  # threads take turns as often as can be
threads = [threading.Thread(target=look) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(seen))
"""
    for _ in range(4):
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True, timeout=120
        )
        assert done.stdout.strip() == "8"


def test_a_file_that_is_no_network_is_refused(tmp_path: Path, engine: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ModelError, match=r"detector\.onnx is missing"):
        Network(tmp_path / "detector.onnx")
    (tmp_path / "detector.onnx").write_bytes(b"not a network")
    with pytest.raises(ModelError, match=r"detector\.onnx cannot be loaded"):
        Network(tmp_path / "detector.onnx")
    assert capfd.readouterr() == ("", "")
