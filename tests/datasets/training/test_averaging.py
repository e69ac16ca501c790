"""The mean of two networks."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx", reason="the training packages are not installed")

import onnx
from onnx import TensorProto, helper, numpy_helper

import rollcall


def network(path: Path, name: str, weight: float, bias: float, operator: str = "Gemm") -> Path:
    """inputs (n, 2) times a matrix of `weight` plus `bias`; `name` of the weights, as exports choose them anew."""
    weights = [
        numpy_helper.from_array(np.full((2, 3), weight, np.float32), name),
        numpy_helper.from_array(np.full(3, bias, np.float32), f"{name}-bias"),
    ]
    nodes = [helper.make_node("Gemm", ["x", name, f"{name}-bias"], ["y" if operator == "Gemm" else "z"])]
    if operator != "Gemm":
        nodes.append(helper.make_node(operator, ["z"], ["y"]))
    ends = [helper.make_tensor_value_info(end, TensorProto.FLOAT, ["n", size]) for end, size in (("x", 2), ("y", 3))]
    graph = helper.make_graph(nodes, "test", ends[:1], ends[1:], weights[:: 1 if weight > 0 else -1])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


def test_the_mean_answers_half_way_between_both(tmp_path: Path) -> None:
    one, other = network(tmp_path / "one.onnx", "a", 1.0, 4.0), network(tmp_path / "other.onnx", "b", -3.0, 0.0)
    assert rollcall.main(["workshop", "train", "mean", str(one), str(other), str(tmp_path / "mean.onnx")]) == 0
    stored = {item.name: numpy_helper.to_array(item) for item in onnx.load(tmp_path / "mean.onnx").graph.initializer}
    assert (stored["a"] == -1.0).all()
    assert (stored["a-bias"] == 2.0).all()


def test_a_share_is_the_way_from_the_first_to_the_other(tmp_path: Path) -> None:
    one, other = network(tmp_path / "one.onnx", "a", 1.0, 4.0), network(tmp_path / "other.onnx", "b", -3.0, 0.0)
    target = tmp_path / "quarter.onnx"
    assert rollcall.main(["workshop", "train", "mean", str(one), str(other), str(target), "--share", "0.25"]) == 0
    stored = {item.name: numpy_helper.to_array(item) for item in onnx.load(target).graph.initializer}
    assert (stored["a"] == 0.0).all()
    assert (stored["a-bias"] == 3.0).all()


def test_networks_of_two_designs_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = network(tmp_path / "one.onnx", "a", 1.0, 0.0), network(tmp_path / "other.onnx", "a", 1.0, 0.0, "Relu")
    unbiased = onnx.load(one)
    del unbiased.graph.node[0].input[2]
    onnx.save(unbiased, tmp_path / "unbiased.onnx")
    for differs in (other, tmp_path / "unbiased.onnx"):
        assert rollcall.main(["workshop", "train", "mean", str(one), str(differs), str(tmp_path / "mean.onnx")]) == 2
        assert "two designs" in capsys.readouterr().err
        assert not (tmp_path / "mean.onnx").exists()
