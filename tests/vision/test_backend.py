"""The runtime: what it computes with, and that it keeps to itself."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from vision import ModelError
from vision.backend import Network
from vision.crops import SIDE
from vision.reader import CROP_CLASSIFIER, MODELS

ROOT = Path(__file__).resolve().parents[2]


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


def test_the_first_pictures_may_come_at_once() -> None:
    """Before the runtime was started under a lock, three in four of these processes stood still for ever."""
    script = """
import sys, threading
import numpy as np
from vision.backend import Network
from vision.crops import SIDE
from vision.reader import CROP_CLASSIFIER, MODELS
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


def test_a_file_that_is_no_network_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"detector\.onnx is missing"):
        Network(tmp_path / "detector.onnx")
    (tmp_path / "detector.onnx").write_bytes(b"not a network")
    with pytest.raises(ModelError, match=r"detector\.onnx cannot be loaded"):
        Network(tmp_path / "detector.onnx")
