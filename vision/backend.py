"""The inference runtime (OpenVINO). No other module knows which runtime it is; docs/detector.md says why this one."""

from __future__ import annotations

import functools
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from vision.arrays import Floats, Pixels
from vision.reasons import ModelError

_MOST_THREADS = 4  # more bring nothing with networks this small

# The runtime keeps memory for the largest run so far and for each prepared picture size. Without these bounds, many
# sizes and many candidates took hundreds of MB more, and saved no time.
_MOST_AT_ONCE = 28  # rows of input: the four views of seven dice
_PREPARED = "0"  # steps of a network kept ready for further sizes

_import_lock = threading.Lock()


class Network:
    """An ONNX network with one input: pictures (n, 3, height, width) 0..1. Several threads may run it at once."""

    def __init__(self, path: Path, shape: Sequence[int] | None = None) -> None:
        """`shape`: (n, height, width, 3) of the pictures, if it is always the same; saves a seventh of the time.
        Raises ModelError if the file is missing or is no network."""
        openvino = _runtime()
        if not path.is_file():
            raise ModelError("model-missing", file=path.name)
        threads = max(1, min(_MOST_THREADS, os.cpu_count() or 1))
        try:
            core = openvino.Core()
            model = _with_byte_input(core.read_model(str(path)))
            if shape is not None:
                model.reshape(list(shape))
            self._compiled = core.compile_model(
                model,
                "CPU",
                {
                    "PERFORMANCE_HINT": "LATENCY",
                    "INFERENCE_NUM_THREADS": threads,
                    "CPU_RUNTIME_CACHE_CAPACITY": _PREPARED,
                },
            )
        except Exception as error:  # the runtime's exceptions have no common base of their own
            raise ModelError("model-broken", file=path.name) from error
        self._name = path.name
        self._takes = self._compiled.input(0).partial_shape
        self._own = threading.local()  # a request holds the memory of one run

    def __call__(self, pixels: Pixels) -> Floats:
        """The first output; see `outputs`."""
        return self.outputs(pixels)[0]

    def outputs(self, pixels: Pixels) -> tuple[Floats, ...]:
        """All outputs for pictures (n, height, width, 3) of bytes. Raises ModelError if the network takes no
        pictures of this shape: it is the wrong one."""
        # The runtime refuses a wrong shape the first time and ends the process the second time.
        if not self._takes.compatible(_runtime().PartialShape(list(pixels.shape))):
            raise ModelError("model-broken", file=self._name)
        if len(pixels) > _MOST_AT_ONCE:
            parts = range(0, len(pixels), _MOST_AT_ONCE)
            some = [self.outputs(pixels[start : start + _MOST_AT_ONCE]) for start in parts]
            return tuple(np.concatenate(output) for output in zip(*some, strict=True))
        if not hasattr(self._own, "request"):
            self._own.request = self._compiled.create_infer_request()
        outputs = self._own.request.infer([np.ascontiguousarray(pixels)], share_inputs=True, share_outputs=True)
        return tuple(np.array(outputs[place], dtype=np.float32) for place in range(len(outputs)))


def _with_byte_input(model: Any) -> Any:
    """The network with the conversion from bytes built in, where it costs next to nothing."""
    openvino = _runtime()
    whole = openvino.preprocess.PrePostProcessor(model)
    whole.input().tensor().set_element_type(openvino.Type.u8).set_layout(openvino.Layout("NHWC"))
    whole.input().model().set_layout(openvino.Layout("NCHW"))
    whole.input().preprocess().convert_element_type(openvino.Type.f32).scale(255.0)
    return whole.build()


def _runtime() -> Any:
    with _import_lock:
        return _import_openvino()


@functools.cache  # bounded: no argument
def _import_openvino() -> Any:
    # OpenVINO reports its use to its makers unless this package is missing. It does not need its model converter,
    # which takes a tenth of a second to load.
    for unwanted in ("openvino_telemetry", "openvino.tools.ovc"):
        sys.modules.setdefault(unwanted, None)  # type: ignore[arg-type]
    import openvino
    import openvino.preprocess

    # OpenVINO makes its table of NumPy types at first need. When two threads did so at once, they deadlocked.
    openvino.Tensor(np.zeros(1, np.uint8)).get_element_type().to_dtype()
    return openvino
