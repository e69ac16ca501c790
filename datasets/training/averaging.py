"""The mean of two networks, one trained on from the other: it keeps the strengths of both.

After "WiSE-FT" (Wortsman et al. 2021), which does it to networks that were trained on with other pictures.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from datasets.training.networks import load, save


def write_mean(one: Path, other: Path, target: Path, share: float = 0.5) -> None:
    """Writes the network whose weights lie between those of two; `share`: of the way from the first to the other.

    Raises ValueError if their designs differ.
    """
    graph, further = load(one), load(other)
    if _design(graph.graph) != _design(further.graph):
        raise ValueError(f"{one} and {other} are networks of two designs")
    for a, b in zip(_weights(graph.graph), _weights(further.graph), strict=True):
        mine, theirs = numpy_helper.to_array(a), numpy_helper.to_array(b)
        if mine.dtype == np.float32:
            a.CopyFrom(numpy_helper.from_array(mine + (theirs - mine) * np.float32(share), a.name))
    save(graph, target)


def _design(graph: onnx.GraphProto) -> object:
    shapes = [(list(weight.dims), weight.data_type) for weight in _weights(graph)]
    return [node.op_type for node in graph.node], shapes


def _weights(graph: onnx.GraphProto) -> Iterator[onnx.TensorProto]:
    """The weights in the order of their use: names differ from one export to the next."""
    stored = {item.name: item for item in graph.initializer}
    for node in graph.node:
        for name in node.input:
            if name in stored:
                yield stored.pop(name)
