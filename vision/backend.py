"""What runs the networks: ONNX Runtime, or OpenCV where it cannot be imported. No other module knows which it is;
datasets/docs/detector.md says why these."""

from __future__ import annotations

import functools
import logging
import os
import re
import threading
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from vision.arrays import Floats, Pixels
from vision.reasons import ModelError

logger = logging.getLogger(__name__)

_MOST_THREADS = 4  # more bring nothing with networks this small
_MOST_AT_ONCE = 8  # rows of input, the four views of two dice: bounds the memory of a run, in no more time
_FATAL = 4  # ONNX Runtime also writes what it raises

_import_lock = threading.Lock()


def engine() -> str:
    """What runs the networks: "ONNX Runtime" or "OpenCV". The first call takes up to a fifth of a second."""
    return "OpenCV" if _runtime() is None else "ONNX Runtime"


class Network:
    """An ONNX network with one input: pictures (n, 3, height, width) 0..1. Several threads may run it at once."""

    def __init__(self, path: Path) -> None:
        """Raises ModelError if the file is missing or is no network."""
        loads = _OpenCv if _runtime() is None else _OnnxRuntime
        if not path.is_file():
            raise ModelError("model-missing", file=path.name)
        try:
            # The file's bytes: on Windows, OpenCV opens no file whose name has letters of another language.
            self._loaded: _Loaded = loads(path.read_bytes())
        except Exception as error:  # ONNX Runtime's exceptions have no common base of their own
            raise ModelError("model-broken", file=path.name) from error
        self._name = path.name

    def __call__(self, pixels: Pixels) -> Floats:
        """The first output; see `outputs`."""
        return self.outputs(pixels)[0]

    def outputs(self, pixels: Pixels) -> tuple[Floats, ...]:
        """All outputs for pictures (n, height, width, 3) of bytes. Raises ModelError if the network takes no
        pictures of this shape: it is the wrong one."""
        # OpenCV may take a wrong shape.
        takes = self._loaded.takes
        if len(takes) != pixels.ndim or any(
            side not in (None, given) for side, given in zip(takes, pixels.shape, strict=True)
        ):
            raise ModelError("model-broken", file=self._name)
        if not len(pixels):  # neither engine takes no pictures
            return tuple(output[:0] for output in self.outputs(np.zeros((1, *pixels.shape[1:]), np.uint8)))
        parts = range(0, len(pixels), _MOST_AT_ONCE)
        some = [self._loaded.run(pixels[start : start + _MOST_AT_ONCE]) for start in parts]
        return some[0] if len(some) == 1 else tuple(np.concatenate(output) for output in zip(*some, strict=True))


class _Loaded(Protocol):
    """A network that one of the engines has loaded."""

    takes: tuple[int | None, ...]  # (n, height, width, 3); None: any number

    def run(self, pixels: Pixels) -> tuple[Floats, ...]: ...


class _OnnxRuntime:
    def __init__(self, data: bytes) -> None:
        settings = _runtime().SessionOptions()
        settings.intra_op_num_threads = max(1, min(_MOST_THREADS, os.cpu_count() or 1))
        # Threads that wait for work by running would take twice the processor time.
        settings.add_session_config_entry("session.intra_op.allow_spinning", "0")
        settings.enable_cpu_mem_arena = False  # it would keep the memory of the largest run so far
        settings.log_severity_level = _FATAL
        self._session = _runtime().InferenceSession(data, settings, providers=["CPUExecutionProvider"])
        (given,) = self._session.get_inputs()
        self._input = given.name
        n, colours, height, width = (side if isinstance(side, int) else None for side in given.shape)
        self.takes: tuple[int | None, ...] = (n, height, width, colours)

    def run(self, pixels: Pixels) -> tuple[Floats, ...]:
        outputs = self._session.run(None, {self._input: _as_input(pixels)})
        return tuple(np.asarray(output, dtype=np.float32) for output in outputs)


class _OpenCv:
    """One thread runs it at a time: each run uses all cores, and a network has the memory of one run."""

    def __init__(self, data: bytes) -> None:
        cv2.setNumThreads(min(_MOST_THREADS, cv2.getNumThreads()))
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # it also writes what it raises
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8), engine=cv2.dnn.ENGINE_NEW)
        self._outputs = self._net.getUnconnectedOutLayersNames()
        self._lock = threading.Lock()
        # The input of a network is shown in this text alone, such as "[sym(1) x 3 x 80 x 80]"; names are any number.
        shown = re.search(r"<Input> \w+ \[(.+)\]", self._net.dump())
        assert shown is not None
        n, colours, height, width = (int(side) if side.isdigit() else None for side in shown[1].split(" x "))
        self.takes: tuple[int | None, ...] = (n, height, width, colours)

    def run(self, pixels: Pixels) -> tuple[Floats, ...]:
        with self._lock:
            self._net.setInput(_as_input(pixels))
            return tuple(np.array(output, dtype=np.float32) for output in self._net.forward(self._outputs))


def _as_input(pixels: Pixels) -> Floats:
    """Pictures (n, 3, height, width) 0..1 of bytes (n, height, width, 3)."""
    return np.asarray(cv2.dnn.blobFromImages(list(pixels), 1 / 255), np.float32)


def _runtime() -> Any:
    """ONNX Runtime; None where it cannot be imported."""
    with _import_lock:
        return _import_onnxruntime()


@functools.cache  # bounded: no argument
def _import_onnxruntime() -> Any:
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # from 1.29 on it would report its use to its makers
    try:
        import onnxruntime
    except (ImportError, OSError) as error:
        if not (isinstance(error, ModuleNotFoundError) and error.name == "onnxruntime"):
            logger.warning("ONNX Runtime cannot be loaded, so OpenCV runs the networks, which takes longer: %s", error)
        return None
    onnxruntime.disable_telemetry_events()  # as older versions do on Windows
    return onnxruntime
