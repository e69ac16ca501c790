"""Begins a training from an exported network, such as Rollcall's own in `models/`, instead of from random weights."""

from __future__ import annotations

import itertools
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import nn

from datasets.training.networks import load


def start_from(model: nn.Module, network: Path, pictures: torch.Tensor, grow: bool = False) -> None:
    """Gives `model` the weights of an ONNX file that was exported from a network of the same design.

    With `grow` the file's layers may be narrower (where no layer concatenates channels), and the last ones may be
    missing: the additional weights stay as they were begun, and at first do not change the results of the others. A
    parameter outside of such layers is taken over if the file has one of its name.

    The export folded normalisations into convolutions. They are put back by the convolutions' outputs for `pictures`
    (n, 3, height, width), so that the network computes the same as before, and in training nearly so. Raises ValueError
    if the file is of another design.
    """
    layers = _in_order(model, pictures[:1])
    graph = load(network).graph
    weights = _weights(graph)
    weighted = [layer for layer in layers if not isinstance(layer, nn.BatchNorm2d)]
    fits = _holds if grow else tuple.__eq__
    further = len(weighted) - len(weights)  # heads that the file does not have
    weighted = weighted[: len(weights)] if grow else weighted
    if (
        further < 0
        or len(weighted) != len(weights)
        or not all(
            fits(tuple(layer.weight.shape), tuple(weight.shape))
            for layer, (weight, _) in zip(weighted, weights, strict=True)
        )
    ):
        raise ValueError(f"{network}: not a network of the design that the settings name")
    following = dict(itertools.pairwise(layers))
    normalisations = []
    with torch.no_grad():
        for layer, (weight, bias) in zip(weighted, weights, strict=True):
            _lay_into(layer.weight, weight)
            normalisation = following.get(layer)
            if isinstance(normalisation, nn.BatchNorm2d):
                _pass_on(normalisation, bias)
                normalisations.append(normalisation)
            elif layer.bias is not None:
                _lay_into(layer.bias, bias)
        _take_over(model, graph)
        _put_back(model, normalisations, pictures)


def _weights(graph: onnx.GraphProto) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Weights and biases of the layers in the order in which they are computed."""
    stored = {item.name: torch.tensor(numpy_helper.to_array(item)) for item in graph.initializer}
    found = []
    for node in graph.node:
        if node.op_type == "Identity" and node.input[0] in stored:  # equal weights are stored once
            stored[node.output[0]] = stored[node.input[0]]
        if node.op_type in {"Conv", "Gemm"}:
            weight = stored[node.input[1]]
            found.append((weight, stored[node.input[2]] if len(node.input) > 2 else torch.zeros(len(weight))))
    return found


def _take_over(model: nn.Module, graph: onnx.GraphProto) -> None:
    parameters = dict(model.named_parameters())
    for item in graph.initializer:
        if item.name in parameters and "." not in item.name:
            _lay_into(parameters[item.name], torch.tensor(numpy_helper.to_array(item)))


def _holds(own: tuple[int, ...], given: tuple[int, ...]) -> bool:
    return len(own) == len(given) and all(a >= b for a, b in zip(own, given, strict=True)) and own[2:] == given[2:]


def _lay_into(own: torch.Tensor, given: torch.Tensor) -> None:
    """Writes `given` into the first channels of `own`; from further channels these get nothing."""
    if own.dim() > 1:
        own[: len(given)] = 0
    own[tuple(slice(size) for size in given.shape)] = given


def _in_order(model: nn.Module, pictures: torch.Tensor) -> list[nn.Module]:
    """The layers with weights to be learnt, and normalisations, in the order in which they are computed."""
    order: list[nn.Module] = []
    hooks = [
        layer.register_forward_hook(lambda layer, _, __: order.append(layer))
        for layer in model.modules()
        if isinstance(layer, nn.Conv2d | nn.Linear | nn.BatchNorm2d) and layer.weight.requires_grad
    ]
    model.eval()
    with torch.no_grad():
        model(pictures)
    for hook in hooks:
        hook.remove()
    return order


def _pass_on(normalisation: nn.BatchNorm2d, bias: torch.Tensor) -> None:
    """Makes a normalisation do nothing but add `bias`."""
    assert normalisation.running_mean is not None
    assert normalisation.running_var is not None
    normalisation.running_mean.zero_()
    normalisation.running_var.fill_(1 - normalisation.eps)
    normalisation.weight.fill_(1)
    normalisation.bias.zero_()
    _lay_into(normalisation.bias, bias)


def _put_back(model: nn.Module, normalisations: list[nn.BatchNorm2d], pictures: torch.Tensor) -> None:
    """Lets normalisations that only add normalise by what reaches them, and undo that by their weights."""
    seen: dict[nn.Module, tuple[torch.Tensor, torch.Tensor]] = {}

    def look(layer: nn.Module, inputs: tuple[torch.Tensor, ...]) -> None:
        values = inputs[0]
        seen[layer] = values.mean((0, 2, 3)), values.var((0, 2, 3))

    hooks = [layer.register_forward_pre_hook(look) for layer in normalisations]
    model(pictures)
    for hook in hooks:
        hook.remove()
    for layer in normalisations:
        mean, variance = seen[layer]
        assert layer.running_mean is not None
        assert layer.running_var is not None
        layer.running_mean.copy_(mean)
        layer.running_var.copy_(variance)
        layer.weight.copy_((variance + layer.eps).sqrt())
        layer.bias.add_(mean)
