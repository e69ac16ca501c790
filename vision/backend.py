"""What runs the networks: OpenVINO, or OpenCV where OpenVINO cannot be imported. No other module knows which it is;
datasets/docs/detector.md says why these."""

from __future__ import annotations

import functools
import logging
import os
import re
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from vision.arrays import Floats, Pixels
from vision.reasons import ModelError

logger = logging.getLogger(__name__)

_MOST_THREADS = 4  # more bring nothing with networks this small

# OpenVINO keeps memory for the largest run so far and for each prepared picture size. Without these bounds, many
# sizes and many candidates took hundreds of MB more, and saved no time.
_MOST_AT_ONCE = 28  # rows of input: the four views of seven dice
_SETTINGS = {
    "PERFORMANCE_HINT": "LATENCY",
    "INFERENCE_NUM_THREADS": max(1, min(_MOST_THREADS, os.cpu_count() or 1)),
    "CPU_RUNTIME_CACHE_CAPACITY": "0",  # steps of a network kept ready for further sizes
}

_import_lock = threading.Lock()


def engine() -> str:
    """What runs the networks: "OpenVINO" or "OpenCV". The first call takes up to half a second."""
    return "OpenCV" if _runtime() is None else "OpenVINO"


class Network:
    """An ONNX network with one input: pictures (n, 3, height, width) 0..1. Several threads may run it at once."""

    def __init__(self, path: Path, shape: Sequence[int] | None = None) -> None:
        """`shape`: (n, height, width, 3) of the pictures, if it is always the same; saves a seventh of the time.
        Raises ModelError if the file is missing or is no network."""
        loads = _OpenCv if _runtime() is None else _OpenVino
        if not path.is_file():
            raise ModelError("model-missing", file=path.name)
        try:
            self._loaded: _Loaded = loads(path, shape)
        except Exception as error:  # OpenVINO's exceptions have no common base of their own
            raise ModelError("model-broken", file=path.name) from error
        self._name = path.name

    def __call__(self, pixels: Pixels) -> Floats:
        """The first output; see `outputs`."""
        return self.outputs(pixels)[0]

    def outputs(self, pixels: Pixels) -> tuple[Floats, ...]:
        """All outputs for pictures (n, height, width, 3) of bytes. Raises ModelError if the network takes no
        pictures of this shape: it is the wrong one."""
        # OpenVINO refuses a wrong shape the first time and ends the process the second time; OpenCV may take it.
        takes = self._loaded.takes
        if len(takes) != pixels.ndim or any(
            side not in (None, given) for side, given in zip(takes, pixels.shape, strict=True)
        ):
            raise ModelError("model-broken", file=self._name)
        parts = range(0, max(1, len(pixels)), _MOST_AT_ONCE)
        some = [self._loaded.run(pixels[start : start + _MOST_AT_ONCE]) for start in parts]
        return some[0] if len(some) == 1 else tuple(np.concatenate(output) for output in zip(*some, strict=True))


class _Loaded(Protocol):
    """A network that one of the engines has loaded."""

    takes: tuple[int | None, ...]  # (n, height, width, 3); None: any number

    def run(self, pixels: Pixels) -> tuple[Floats, ...]: ...


class _OpenVino:
    def __init__(self, path: Path, shape: Sequence[int] | None) -> None:
        core = _runtime().Core()
        model = _with_byte_input(core.read_model(str(path)))
        if shape is not None:
            model.reshape(list(shape))
        self._compiled = core.compile_model(model, "CPU", _SETTINGS)
        sides = self._compiled.input(0).partial_shape
        self.takes: tuple[int | None, ...] = tuple(side.get_length() if side.is_static else None for side in sides)
        self._own = threading.local()  # a request holds the memory of one run

    def run(self, pixels: Pixels) -> tuple[Floats, ...]:
        if not hasattr(self._own, "request"):
            self._own.request = self._compiled.create_infer_request()
        outputs = self._own.request.infer([np.ascontiguousarray(pixels)], share_inputs=True, share_outputs=True)
        return tuple(np.array(outputs[place], dtype=np.float32) for place in range(len(outputs)))


class _OpenCv:
    """One thread runs it at a time: each run uses all cores, and a network has the memory of one run."""

    def __init__(self, path: Path, shape: Sequence[int] | None) -> None:
        cv2.setNumThreads(min(_MOST_THREADS, cv2.getNumThreads()))
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # it also writes what it raises
        # The file's bytes: on Windows, OpenCV opens no file whose name has letters of another language.
        data = np.frombuffer(path.read_bytes(), np.uint8)
        self._net = cv2.dnn.readNetFromONNX(data, engine=cv2.dnn.ENGINE_NEW)
        self._outputs = self._net.getUnconnectedOutLayersNames()
        self._lock = threading.Lock()
        # The input of a network is shown in this text alone, such as "[sym(1) x 3 x 80 x 80]"; names are any number.
        shown = re.search(r"<Input> \w+ \[(.+)\]", self._net.dump())
        assert shown is not None
        n, colours, height, width = (int(side) if side.isdigit() else None for side in shown[1].split(" x "))
        self.takes: tuple[int | None, ...] = (n, height, width, colours)

    def run(self, pixels: Pixels) -> tuple[Floats, ...]:
        if not len(pixels):  # OpenCV itself takes no empty input
            return tuple(output[:0] for output in self.run(np.zeros((1, *pixels.shape[1:]), np.uint8)))
        with self._lock:
            self._net.setInput(cv2.dnn.blobFromImages(list(pixels), 1 / 255))
            return tuple(np.array(output, dtype=np.float32) for output in self._net.forward(self._outputs))


def _with_byte_input(model: Any) -> Any:
    """The network with the conversion from bytes built in, where it costs next to nothing."""
    openvino = _runtime()
    whole = openvino.preprocess.PrePostProcessor(model)
    whole.input().tensor().set_element_type(openvino.Type.u8).set_layout(openvino.Layout("NHWC"))
    whole.input().model().set_layout(openvino.Layout("NCHW"))
    whole.input().preprocess().convert_element_type(openvino.Type.f32).scale(255.0)
    return whole.build()


def _runtime() -> Any:
    """OpenVINO; None where it cannot be imported."""
    with _import_lock:
        return _import_openvino()


@functools.cache  # bounded: no argument
def _import_openvino() -> Any:
    # OpenVINO reports its use to its makers unless this package is missing. It does not need its model converter,
    # which takes a tenth of a second to load.
    for unwanted in ("openvino_telemetry", "openvino.tools.ovc"):
        sys.modules.setdefault(unwanted, None)  # type: ignore[arg-type]
    try:
        import openvino
        import openvino.preprocess
    except (ImportError, OSError) as error:
        if not (isinstance(error, ModuleNotFoundError) and error.name == "openvino"):
            logger.warning("OpenVINO cannot be loaded, so OpenCV runs the networks, which takes longer: %s", error)
        return None

    # OpenVINO makes its table of NumPy types at first need. When two threads did so at once, they deadlocked.
    openvino.Tensor(np.zeros(1, np.uint8)).get_element_type().to_dtype()
    return openvino
