"""What tells dice seen from the side is learnt from rendered pictures, whose camera is known, and photos from above."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs torch (the extra `train`)")
pytest.importorskip("ultralytics", reason="the training packages are not installed")
pytest.importorskip("onnx", reason="the training packages are not installed")

import torch
from PIL import Image

from datasets.photos import write_labels
from datasets.training.export import export_surroundings
from datasets.training.surroundings_training import SurroundingsNetwork, train_surroundings
from rollcall import main
from vision import Photo, Reader
from vision.backend import Network
from vision.reader import MODELS
from vision.surroundings import SIDE, SURROUNDINGS, Surroundings, look_around

PICTURES = Path(__file__).resolve().parents[2] / "pictures"


def pictures_of_squares(folder: Path, tilts: list[float | None]) -> None:
    """Pictures of one die each. From the side, the upper half of the picture is a wall of another brightness."""
    rng = np.random.default_rng(len(tilts))
    for name in ("images", "labels", "details"):
        (folder / name).mkdir(parents=True)
    for number, tilt in enumerate(tilts):
        pixels = rng.integers(90, 110, (90, 120, 3)).astype(np.uint8)
        if tilt is not None and tilt > 60:
            pixels[:45] = 220
        left, top = int(rng.integers(20, 80)), int(rng.integers(40, 60))
        pixels[top : top + 20, left : left + 20] = 30
        Image.fromarray(pixels).save(folder / "images" / f"{number}.png")
        box = np.array([[left / 120, top / 90, (left + 20) / 120, (top + 20) / 90]], np.float32)
        write_labels(folder / "labels" / f"{number}.txt", np.array([2]), box)
        if tilt is not None:
            details = json.dumps({"camera": {"roll": 0.0, "tilt": tilt}})
            (folder / "details" / f"{number}.json").write_text(details)


def test_the_network_learns_and_its_file_says_the_same(tmp_path: Path) -> None:
    pictures_of_squares(tmp_path / "rendered", [20, 30, 40, 70, 80, 85, 60])
    pictures_of_squares(tmp_path / "photos", [None, None])
    trained = train_surroundings(1, [tmp_path / "rendered", tmp_path / "photos"], 15)
    export_surroundings(trained, tmp_path / "surroundings.onnx")
    table = np.full((90, 120, 3), 100, np.uint8)
    wall = table.copy()
    wall[:45] = 220
    seen = np.concatenate([look_around(pixels, np.array([[50.0, 50.0, 70.0, 70.0]])) for pixels in (table, wall)])
    with torch.no_grad():
        above, side = trained(torch.from_numpy(seen).permute(0, 3, 1, 2).float() / 255).numpy()
    assert side > above
    assert Network(tmp_path / "surroundings.onnx")(seen) == pytest.approx([above, side], abs=0.05)


def test_the_command_writes_what_the_reader_loads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    models, rendered = tmp_path / "models", tmp_path / "rendered"
    shutil.copytree(MODELS, models, ignore=shutil.ignore_patterns("advice", SURROUNDINGS))
    for name in ("images", "labels", "details"):
        (rendered / name).mkdir(parents=True)
    for entry in json.loads((PICTURES / "pictures.json").read_text()):
        if entry["picture"] in ("throw-235.jpg", "throw-12345.jpg"):
            size = np.array([entry["width"], entry["height"]] * 2)
            boxes = np.array([die["box"] for die in entry["dice"]]) / size
            keep(rendered, PICTURES / entry["picture"], boxes, 10.0)
    for number, box in ((1, (0.12, 0.44, 0.39, 0.65)), (2, (0.63, 0.42, 0.89, 0.85)), (3, (0.36, 0.44, 0.73, 0.64))):
        keep(rendered, PICTURES / "from-the-side" / f"front-{number}.jpg", np.array([box]), 85.0)
    command = ["train", "viewpoint", str(rendered), "--models", str(models), "--steps", "2"]
    assert main(command) == 0, capsys.readouterr().err
    surroundings = Surroundings.load(models / SURROUNDINGS)
    assert surroundings is not None
    photo = Photo.decode((PICTURES / "throw-235.jpg").read_bytes())
    assert np.isfinite(surroundings.log_odds(photo, Reader(models).read(photo)))


def keep(folder: Path, picture: Path, boxes: np.ndarray[tuple[int, ...], np.dtype[np.float64]], tilt: float) -> None:
    shutil.copy(picture, folder / "images")
    write_labels(folder / "labels" / f"{picture.stem}.txt", np.zeros(len(boxes), int), boxes.astype(np.float32))
    (folder / "details" / f"{picture.stem}.json").write_text(json.dumps({"camera": {"roll": 0.0, "tilt": tilt}}))


def test_pictures_from_both_views_are_wanted(tmp_path: Path) -> None:
    pictures_of_squares(tmp_path / "rendered", [20, 30, 60])
    with pytest.raises(ValueError, match="degrees"):
        train_surroundings(1, [tmp_path / "rendered"], 1)


def test_the_network_is_small() -> None:
    network = SurroundingsNetwork()
    assert sum(weights.numel() for weights in network.parameters()) < 200_000
    assert network.eval()(torch.zeros(3, 3, SIDE, 2 * SIDE)).shape == (3,)
