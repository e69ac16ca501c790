"""How networks are stored."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx", reason="the training packages are not installed")

import onnx
from onnx import TensorProto, helper, numpy_helper

from datasets.training.networks import load, save
from vision.arrays import Floats
from vision.backend import Network
from vision.network_eye import CROP_CLASSIFIER, DETECTOR
from vision.reader import MODELS

SIDE = 8


def network(weights: Floats) -> onnx.ModelProto:
    """Pictures (n, 3, SIDE, SIDE) to their product with `weights` (3 * SIDE ** 2, k) plus a bias of thirds."""
    count = weights.shape[1]
    stored = [
        numpy_helper.from_array(weights, "weights"),
        numpy_helper.from_array(np.full(count, 1 / 3, np.float32), "bias"),
    ]
    nodes = [
        helper.make_node("Flatten", ["pictures"], ["rows"]),
        helper.make_node("Gemm", ["rows", "weights", "bias"], ["y"]),
    ]
    takes = helper.make_tensor_value_info("pictures", TensorProto.FLOAT, ["n", 3, SIDE, SIDE])
    gives = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", count])
    graph = helper.make_graph(nodes, "test", [takes], [gives], stored)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def some_weights(count: int = 4) -> Floats:
    return np.random.default_rng(1).normal(0, 0.1, (3 * SIDE**2, count)).astype(np.float32)


def weights_of(model: onnx.ModelProto) -> Floats:
    return next(numpy_helper.to_array(item) for item in model.graph.initializer if item.name == "weights")


def test_weights_take_half_the_space_and_come_back_in_single_precision(tmp_path: Path) -> None:
    onnx.save(network(some_weights(400)), tmp_path / "full.onnx")
    save(network(some_weights(400)), tmp_path / "half.onnx")
    assert (tmp_path / "half.onnx").stat().st_size < 0.51 * (tmp_path / "full.onnx").stat().st_size
    back = load(tmp_path / "half.onnx")
    onnx.checker.check_model(back)
    assert [node.op_type for node in back.graph.node] == ["Flatten", "Gemm"]
    assert weights_of(back).dtype == np.float32
    assert (weights_of(back) == some_weights(400).astype(np.float16)).all()
    bias = next(numpy_helper.to_array(item) for item in back.graph.initializer if item.name == "bias")
    assert (bias == np.float16(1 / 3)).all()


def test_what_is_small_stays_as_it_is(tmp_path: Path) -> None:
    save(network(some_weights()), tmp_path / "half.onnx")
    bias = next(item for item in onnx.load(tmp_path / "half.onnx").graph.initializer if item.name == "bias")
    assert (numpy_helper.to_array(bias) == np.float32(1 / 3)).all()


def test_a_file_in_single_precision_is_still_taken(tmp_path: Path) -> None:
    full = network(some_weights())
    onnx.save(full, tmp_path / "full.onnx")
    assert load(tmp_path / "full.onnx") == full


def test_storing_again_changes_nothing(tmp_path: Path) -> None:
    save(network(some_weights()), tmp_path / "once.onnx")
    save(load(tmp_path / "once.onnx"), tmp_path / "twice.onnx")
    assert (tmp_path / "twice.onnx").read_bytes() == (tmp_path / "once.onnx").read_bytes()


def test_the_runtime_computes_in_single_precision_with_the_rounded_weights(tmp_path: Path) -> None:
    rounded = some_weights().astype(np.float16).astype(np.float32)
    onnx.save(network(rounded), tmp_path / "rounded.onnx")
    save(network(some_weights()), tmp_path / "half.onnx")
    pixels = np.random.default_rng(2).integers(0, 256, (5, SIDE, SIDE, 3), np.uint8)
    given = Network(tmp_path / "half.onnx")(pixels)
    np.testing.assert_array_equal(given, Network(tmp_path / "rounded.onnx")(pixels))


def test_weights_that_half_precision_cannot_hold_are_refused(tmp_path: Path) -> None:
    weights = some_weights()
    weights[5, 1] = 70_000
    with pytest.raises(ValueError, match=r"half\.onnx: weights has numbers beyond 65504, the most that can be stored"):
        save(network(weights), tmp_path / "half.onnx")
    assert not (tmp_path / "half.onnx").exists()


@pytest.mark.parametrize("name", [DETECTOR, CROP_CLASSIFIER])
def test_what_is_shipped_is_stored_so(name: str) -> None:
    kept = onnx.load(MODELS / name).graph.initializer
    large = [item for item in kept if item.data_type == TensorProto.FLOAT and np.prod(item.dims) >= 64]
    assert not large, f"write it anew: rollcall workshop train mean models/{name} models/{name} models/{name}"
