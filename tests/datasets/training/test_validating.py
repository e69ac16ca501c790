"""datasets/training/validating.py: figures on photos that are not taught."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs torch (the extra `train`)")

import torch

from datasets.photos import LabelledPhoto
from datasets.training.settings import DEFAULT, read_settings
from tests.datasets.labelled import label_pictures

PICTURES = Path(__file__).resolve().parents[2] / "pictures"
CPU = torch.device("cpu")


def photo(*boxes: tuple[float, float, float, float]) -> LabelledPhoto:
    classes = np.arange(len(boxes), dtype=np.int64)
    values = tuple(int(number) + 1 for number in classes)
    return LabelledPhoto(PICTURES / "throw-15.jpg", values, np.array(boxes, np.float32), classes)


class Always(torch.nn.Module):
    """A network that sees the same in every picture."""

    def __init__(self, given: torch.Tensor) -> None:
        super().__init__()
        self.given = given

    def forward(self, values: torch.Tensor) -> tuple[torch.Tensor, None]:
        assert not self.training
        return self.given[: len(values)] if self.given.dim() == 2 else self.given, None


def test_dice_that_are_read_right_count() -> None:
    from datasets.training.validating import dice_read

    logits = torch.zeros(2, 19)
    logits[:, 0] = 5  # a one, for both
    model = Always(logits).train()
    told = dice_read(model, [photo((0.1, 0.1, 0.2, 0.2), (0.5, 0.5, 0.6, 0.6))], CPU)
    assert (told.dice, told.right, str(told)) == (2, 1, "50.0% of 2 dice")
    assert model.training


def test_dice_that_are_found_count_and_what_is_none_too() -> None:
    from datasets.training.validating import dice_found

    # In the network's picture, 640 pixels wide: a die, the same again, and a thing that is none.
    rows = [(96.0, 72.0, 64.0, 48.0, 0.9), (97.0, 72.0, 64.0, 48.0, 0.6), (400.0, 300.0, 60.0, 60.0, 0.8)]
    model = Always(torch.tensor(rows).T[None])
    told = dice_found(model, [photo((0.1, 0.1, 0.2, 0.2), (0.8, 0.1, 0.9, 0.2))], CPU)
    assert (told.dice, told.right, told.extra) == (2, 1, 1)


def test_settings_name_the_device_and_what_is_held_out(tmp_path: Path) -> None:
    from datasets.training.progress import device_of

    assert read_settings().workers == 1
    table = json.loads(DEFAULT.read_text())
    path = tmp_path / "settings.json"
    for wrong, told in (({"workers": 0}, "workers"), ({"held_out": ["rendered"]}, "held out and taught")):
        path.write_text(json.dumps({**table, **wrong}))
        with pytest.raises(ValueError, match=told):
            read_settings(path)
    assert device_of("cpu") == CPU
    with pytest.raises(ValueError, match="cannot train on"):
        device_of("abacus")


def test_one_scene_of_a_set_is_held_back(tmp_path: Path) -> None:
    from datasets.training.detector_training import load_scenes
    from datasets.training.validating import validation_photos

    folder = label_pictures(tmp_path / "own")
    names = [path.name for path in sorted((folder / "images").iterdir())]
    settings = dataclasses.replace(read_settings(), held_out=(), held_back={"own": ("throw-1*",)})
    apart = [name for name in names if name.startswith("throw-1")]
    assert 0 < len(apart) < len(names)
    assert [photo.path.name for photo in validation_photos(settings, [tmp_path])] == apart
    assert len(load_scenes(folder, settings)) == len(names) - len(apart)


def test_settings_of_before_are_understood_by_their_former_names(tmp_path: Path) -> None:
    table = json.loads(DEFAULT.read_text())
    path = tmp_path / "settings.json"
    former = {**table, "forgetful": ["trays"], "detector": {**table["detector"], "spoiled": 0.25}}
    del former["incomplete_labels"]
    path.write_text(json.dumps(former))
    settings = read_settings(path)
    assert (settings.incomplete_labels, settings.detector.augmented) == (("trays",), 0.25)
