"""The inference runtime: the only module that knows which one it is (ONNX Runtime; docs/detector.md says why)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.reasons import ModelError

Floats = npt.NDArray[np.float32]

_MOST_THREADS = 4  # more gain nothing on networks this small


class Network:
    """A network from an ONNX file with one input and one output; may be run by several threads at once."""

    def __init__(self, path: Path) -> None:
        """Raises ModelError when the file is missing or is no network."""
        import onnxruntime

        if not path.is_file():
            raise ModelError("model-missing", file=path.name)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = max(1, min(_MOST_THREADS, os.cpu_count() or 1))
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Waiting threads sleep: a server's other work needs the processor more than the next photo does.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # Photos come in many shapes: an arena would keep the memory of the largest of each.
        options.enable_cpu_mem_arena = False
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the runtime's exceptions have no common base of their own
            raise ModelError("model-broken", file=path.name) from error
        self._input = self._session.get_inputs()[0].name

    def __call__(self, values: Floats) -> Floats:
        outputs: list[Any] = self._session.run(None, {self._input: values})
        return np.asarray(outputs[0], dtype=np.float32)

    @property
    def metadata(self) -> dict[str, str]:
        """What was written into the file when it was made."""
        return dict(self._session.get_modelmeta().custom_metadata_map)
