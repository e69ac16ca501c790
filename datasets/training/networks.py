"""Network files: they store weights in half precision, and networks compute in single precision, as in training.

A file then takes half the space. Each weight is rounded once, to eleven binary digits, and widened again while a
runtime loads the file: the network runs as fast as with weights stored in full.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

_LEAST = 64  # numbers: what has fewer saves no space
_MOST = float(np.finfo(np.float16).max)
_STORED = "_half"  # what the name of a weight ends with in the file


def load(path: Path) -> onnx.ModelProto:
    """The network of an ONNX file with all weights in single precision, whichever the file holds."""
    model = onnx.load(path)
    graph = model.graph
    stored = {item.name: item for item in graph.initializer}
    widened = [node for node in graph.node if node.op_type == "Cast" and node.input[0] in stored]
    for node in widened:
        item = stored[node.input[0]]
        item.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(item).astype(np.float32), node.output[0]))
        graph.node.remove(node)
    return model


def save(model: onnx.ModelProto, path: Path) -> None:
    """Writes a network of single precision; `model` itself has its weights in half precision afterwards."""
    graph = model.graph
    widened = []
    for item in graph.initializer:
        if item.data_type != TensorProto.FLOAT or np.prod(item.dims) < _LEAST:
            continue
        name, weights = item.name, numpy_helper.to_array(item)
        if not np.abs(weights).max() <= _MOST:  # nor where one is not a number
            raise ValueError(f"{path}: {name} has numbers beyond {_MOST:.0f}, the most that can be stored")
        item.CopyFrom(numpy_helper.from_array(weights.astype(np.float16), name + _STORED))
        widened.append(helper.make_node("Cast", [item.name], [name], to=TensorProto.FLOAT))
    nodes = [*widened, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, path)
