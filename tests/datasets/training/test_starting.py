import dataclasses
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("ultralytics", reason="the training packages are not installed")
pytest.importorskip("onnx", reason="the training packages are not installed")

import torch
from onnx.reference import ReferenceEvaluator
from torch import nn

from datasets.training.crop_training import CropClassifier
from datasets.training.detector_training import new_detector
from datasets.training.export import export_crops
from datasets.training.settings import CropSettings, read_settings
from datasets.training.starting import start_from
from vision.detector import decode
from vision.judging.seen import SIDE
from vision.network_eye import CROP_CLASSIFIER, DETECTOR
from vision.reader import MODELS

_BEST = 100  # places compared, of 420
_INPUTS = {CROP_CLASSIFIER: "crops", DETECTOR: "images"}


def test_a_crop_reader_begun_with_computes_what_the_exported_one_does() -> None:
    crops = torch.rand(16, 3, SIDE, SIDE, generator=torch.manual_seed(1))
    model = CropClassifier(read_settings().crops.widths)

    start_from(model, MODELS / CROP_CLASSIFIER, crops)

    shipped = _exported_outputs(MODELS / CROP_CLASSIFIER, crops)
    np.testing.assert_allclose(_outputs(model.eval(), crops), shipped, atol=1e-4)
    np.testing.assert_allclose(
        _outputs(model.train(), crops), shipped, atol=0.05
    )  # so that training goes on from there


def test_a_wider_crop_reader_computes_what_the_narrower_one_did(tmp_path: Path) -> None:
    crops = torch.rand(16, 3, SIDE, SIDE, generator=torch.manual_seed(1))
    settings = dataclasses.replace(read_settings(), crops=CropSettings(steps=1, widths=(8, 16, 24, 32)))
    narrow = CropClassifier(settings.crops.widths)
    torch.nn.init.uniform_(narrow.places)
    torch.save({"average": narrow.state_dict(), "step": 1}, tmp_path / "state.pt")
    export_crops(settings, tmp_path / "state.pt", tmp_path / CROP_CLASSIFIER)
    model = CropClassifier((12, 20, 24, 48))

    start_from(model, tmp_path / CROP_CLASSIFIER, crops, grow=True)

    np.testing.assert_allclose(
        _outputs(model.eval(), crops), _exported_outputs(tmp_path / CROP_CLASSIFIER, crops), atol=1e-4
    )
    assert all(parameter.abs().sum() > 0 for parameter in model.parameters()), "what is new can learn"


def test_a_detector_begun_with_computes_what_the_exported_one_does() -> None:
    picture = torch.rand(2, 3, 160, 128, generator=torch.manual_seed(1))
    model = new_detector(read_settings().detector)

    start_from(model, MODELS / DETECTOR, picture)

    model.eval()
    with torch.no_grad():
        (places,) = model(picture[:1])[0].numpy()
    best = places[:, np.argsort(-places[4], kind="stable")[:_BEST]]
    boxes, scores = decode(_exported_outputs(MODELS / DETECTOR, picture[:1])[0], 160, 128, least=1e-9)
    np.testing.assert_allclose(scores[:_BEST], best[4], atol=1e-4)
    np.testing.assert_allclose(
        boxes[:_BEST].T, np.concatenate([best[:2] - best[2:4] / 2, best[:2] + best[2:4] / 2]), atol=1e-2
    )


def test_a_network_of_another_design_is_refused() -> None:
    crops = torch.rand(4, 3, SIDE, SIDE)
    with pytest.raises(ValueError, match=r"crop-classifier\.onnx: not a network of the design"):
        start_from(CropClassifier((8, 16, 32, 64)), MODELS / CROP_CLASSIFIER, crops, grow=True)
    wide = dataclasses.replace(read_settings().detector, width=0.25)
    with pytest.raises(ValueError, match=r"detector\.onnx: not a network of the design"):
        start_from(new_detector(wide), MODELS / DETECTOR, torch.rand(1, 3, 64, 64))


def _exported_outputs(network: Path, pictures: torch.Tensor) -> np.ndarray:
    return np.asarray(ReferenceEvaluator(str(network)).run(None, {_INPUTS[network.name]: pictures.numpy()})[0])


def _outputs(model: nn.Module, pictures: torch.Tensor) -> np.ndarray:
    with torch.no_grad():
        return np.asarray(model(pictures)[0].numpy())
