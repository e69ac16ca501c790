"""Writes trained weights to the ONNX files in `models/`."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import onnx
import torch
from torch import nn
from ultralytics.nn.modules import C2f, Detect
from ultralytics.nn.tasks import DetectionModel

from datasets.training.border_training import DICE, BorderNetwork
from datasets.training.crop_training import CropClassifier, load_averaged_crops
from datasets.training.detector_training import load_averaged_detector, new_detector
from datasets.training.networks import save
from datasets.training.settings import TrainingSettings, read_settings
from datasets.training.starting import start_from
from vision.border import DEPTH, LENGTH
from vision.judging.seen import SIDE

_OPSET = 17


def export_detector(settings: TrainingSettings, state: Path, target: Path) -> None:
    """Writes the detector: input (1, 3, height, width) 0..1 with sides that are multiples of 32, output (1, 4 * bins +
    1, places) as `vision.detector.decode` takes it."""
    model = deployable(load_averaged_detector(settings.detector, state))
    step = int(torch.load(state, weights_only=True)["step"])
    sides = {2: "height", 3: "width"}
    _export(model, torch.zeros(1, 3, 320, 256), target, {"images": sides, "places": {2: "places"}}, step)


def export_crops(settings: TrainingSettings, state: Path, target: Path) -> None:
    """Writes the crop classifier: input (n, 3, side, side) 0..1; outputs as `CropClassifier` says."""
    model: CropClassifier = load_averaged_crops(settings.crops, state)
    step = int(torch.load(state, weights_only=True)["step"])
    _export(
        model,
        torch.zeros(2, 3, SIDE, SIDE),
        target,
        {name: {0: "n"} for name in ("crops", "logits", "features", "elevations", "shares")},
        step,
    )


def export_border(model: BorderNetwork, target: Path) -> None:
    """Writes the network of the border: input (n, 3, DEPTH, DICE + LENGTH) 0..1, output (n, LENGTH // STEP)."""
    axes = {"strips": {0: "n"}, "log_odds": {0: "n"}}
    _export(model, torch.zeros(2, 3, DEPTH, DICE + LENGTH), target, axes, model.steps)


def write_ultralytics_detector(network: Path, target: Path) -> None:
    """Writes an exported detector in ultralytics' own form (.pt), for its validator and predictor."""
    model = new_detector(read_settings().detector)
    # Any picture serves: the normalisations that it puts back do not change the results.
    start_from(model, network, torch.rand(4, 3, 320, 320, generator=torch.Generator().manual_seed(0)))
    model = model.to(memory_format=torch.contiguous_format).eval()
    torch.save({"model": model, "train_args": {"task": "detect", "imgsz": 640}}, target)


def deployable(model: DetectionModel) -> nn.Module:
    """The model with its normalisations folded into the convolutions, and with the raw numbers of its head as output.

    The head's own decoding and ultralytics' halving of channels are hundreds of steps that ask for the picture's size;
    a runtime takes a third longer to prepare them. We compute boxes only where dice are.
    """
    model = model.fuse(verbose=False).eval().to(memory_format=torch.contiguous_format)
    for layer in model.modules():
        if isinstance(layer, C2f):
            layer.forward = layer.forward_split
    head = model.model[-1]
    head.forward = partial(_raw_outputs, head)
    return model


def _raw_outputs(head: Detect, levels: Sequence[torch.Tensor]) -> torch.Tensor:
    edges = [of_level(level) for of_level, level in zip(head.cv2, levels, strict=True)]
    scores = [of_level(level) for of_level, level in zip(head.cv3, levels, strict=True)]
    return torch.cat([torch.cat(both, 1).reshape(1, head.no, -1) for both in zip(edges, scores, strict=True)], 2)


def _export(model: nn.Module, example: torch.Tensor, target: Path, axes: dict[str, dict[int, str]], step: int) -> None:
    names = list(axes)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            model, (example,), target, input_names=names[:1], output_names=names[1:], dynamic_axes=axes,
            opset_version=_OPSET, dynamo=False,
        )  # fmt: skip
    graph = onnx.load(target)
    onnx.helper.set_model_props(graph, {"rollcall": json.dumps({"steps": step})})
    save(graph, target)
