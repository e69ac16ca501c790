"""The inference runtime: the only module that knows which one it is (OpenVINO; docs/detector.md says why)."""

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

_MOST_THREADS = 4  # more gain nothing on networks this small

# Memory is kept for the largest run so far, and for what was prepared for each size of picture. Without these bounds,
# photos of many sizes and pictures full of things like dice took hundreds of MB more, and saved no time.
_MOST_AT_ONCE = 28  # rows of input: the crops of seven dice, seen four ways
_PREPARED = "0"  # steps of a network that are kept ready for further sizes

_import_lock = threading.Lock()


class Network:
    """A network from an ONNX file with one input, pictures as (n, 3, height, width) 0..1; may be run by several threads
    at once."""

    def __init__(self, path: Path, shape: Sequence[int] | None = None) -> None:
        """`shape`: (n, height, width, 3) of the pictures, where these are always the same: that saves a seventh of the
        time. Raises ModelError when the file is missing or is no network.
        """
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
        self._own = threading.local()  # a request holds the memory of one run at a time

    def __call__(self, pixels: Pixels) -> Floats:
        """The first output for pictures; as `outputs`."""
        return self.outputs(pixels)[0]

    def outputs(self, pixels: Pixels) -> tuple[Floats, ...]:
        """All outputs for pictures (n, height, width, 3) of bytes.

        Raises ModelError when the network takes none of this shape: it is not the one that belongs here.
        """
        # Given them all the same, the runtime refuses once and ends the whole process the second time.
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
    """The network with the way from bytes to numbers built in, where it costs next to nothing."""
    openvino = _runtime()
    whole = openvino.preprocess.PrePostProcessor(model)
    whole.input().tensor().set_element_type(openvino.Type.u8).set_layout(openvino.Layout("NHWC"))
    whole.input().model().set_layout(openvino.Layout("NCHW"))
    whole.input().preprocess().convert_element_type(openvino.Type.f32).scale(255.0)
    return whole.build()


def _runtime() -> Any:
    with _import_lock:
        return _import_openvino()


@functools.cache
def _import_openvino() -> Any:
    # OpenVINO reports its use to its makers unless this package, which it brings along, is missing. Its converter of
    # models, which takes a tenth of a second to load, it can do without.
    for unwanted in ("openvino_telemetry", "openvino.tools.ovc"):
        sys.modules.setdefault(unwanted, None)  # type: ignore[arg-type]
    import openvino
    import openvino.preprocess

    # It makes its table of NumPy's types when it first needs it: when two threads did so at once, each waited for the
    # other and no thread of the process ran again.
    openvino.Tensor(np.zeros(1, np.uint8)).get_element_type().to_dtype()
    return openvino
