"""`rollcall workshop train all`: the recipe from scratch, with few steps and few pictures."""

import argparse
import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

pytest.importorskip("ultralytics", reason="the training packages are not installed")

import rollcall
import vision
from datasets.photos import labelled_photos
from datasets.training import crop_training, train_command
from datasets.training.settings import DEFAULT, read_settings
from datasets.training.whole import keep_recipe
from tests.datasets.labelled import label_pictures
from tests.datasets.test_corrections import SHOWN
from tests.web.photos.test_photo_reader import PICTURES, needs_models
from vision.network_eye import CROP_CLASSIFIER, DETECTOR, LIKENESS
from vision.reader import CALIBRATION, MODELS

pytestmark = needs_models

FEW = {"steps": 4, "batch": 2, "warm_up": 2}
STEPS = ["render", "render-calibration", "render-evenings", "first-detector", "redraw", "detector", "crops"]
STEPS += ["likeness", "calibration", "memory", "figures"]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command line, with settings, table tops and photos to run it on, for a training that draws few things."""
    monkeypatch.setattr(crop_training, "_DRAWN_COUNTS", (60, 80, 50, 40))
    usual = json.loads(DEFAULT.read_text())
    few = {part: {**usual[part], **FEW} for part in ("detector", "crops")} | {"likeness": {"steps": 8}}
    sets = {"webcam-redrawn": 1.0, "rendered": 1.0, "views": 1.0}
    (tmp_path / "few.json").write_text(
        json.dumps({**usual, **few, "sets": sets, "held_out": ["check"], "validate_every": 2, "device": "cpu"})
    )
    (tmp_path / "tops").mkdir()
    noise = np.random.default_rng(0).normal((90, 60, 40), 12, (256, 256, 3)).clip(0, 255).astype(np.uint8)
    Image.fromarray(noise).save(tmp_path / "tops" / "0.png")
    faces = label_pictures(tmp_path / "webcam-top-face-boxes", shrunk=0.6)
    check = label_pictures(tmp_path / "photos" / "check")
    return [
        *("workshop", "train", "--settings", str(tmp_path / "few.json"), "all", "--photos", str(check.parent)),
        *("--faces", str(faces), "--textures", str(tmp_path / "tops"), "--run", str(tmp_path / "run")),
        *("--check", str(check), "--rendered", "2", "--calibration", "2", "--evenings", "4", "--throws", "2"),
        *("--share", "1"),
    ]


@pytest.mark.slow
def test_a_whole_reader_is_made_step_by_step(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    run, new = tmp_path / "run", tmp_path / "run" / "models"
    command += ["--start", str(MODELS)]  # four steps teach a network nothing that begins with random weights

    def power_cut(*_: object, **__: object) -> None:
        raise OSError("the lamp goes out")

    with monkeypatch.context() as stopped:
        stopped.setattr(crop_training, "train_crops", power_cut)
        assert rollcall.main(command) == 2
    out, err = capfd.readouterr()
    assert err == "the lamp goes out\n"
    assert out.count("1 pictures rendered") == 2, "one of each preset that teaches"
    assert "no photos of webcam-redrawn: left out" in out, "not yet drawn for the first detector"
    photos = len(list(labelled_photos(tmp_path / "photos" / "check")))
    assert f"webcam-top-face-boxes: {photos} photos redrawn, 0 left out" in out
    assert f"{photos + 2} photos, " in out, "what was redrawn teaches the second detector"
    assert "2 of 4: of what is not taught it finds " in out
    drawn, dice = (first_box(tmp_path / folder) for folder in ("run/photos/webcam-redrawn", "photos/check"))
    assert drawn == pytest.approx(dice, abs=0.02), "the whole die, not its upper face"
    detector = (new / DETECTOR).stat().st_mtime_ns

    assert rollcall.main([*command, "--dry-run"]) == 0
    out, _ = capfd.readouterr()
    assert [line.split(": ")[0] for line in out.splitlines()] == [f"{i}. {name}" for i, name in enumerate(STEPS, 1)]
    assert [line.endswith("(done)") for line in out.splitlines()] == [True] * 6 + [False] * 5

    assert rollcall.main(command) == 0
    out, _ = capfd.readouterr()
    assert out.count("done before") == 6
    assert "2 of 4: of what is not taught it reads " in out
    assert (new / DETECTOR).stat().st_mtime_ns == detector
    for name in (DETECTOR, CROP_CLASSIFIER, LIKENESS, CALIBRATION):
        assert (new / name).read_bytes() != (MODELS / name).read_bytes(), name
    shipped, fitted = (json.loads((models / CALIBRATION).read_text()) for models in (MODELS, new))
    assert fitted["known"] not in (None, shipped.get("known"))
    figures = json.loads((run / "figures.json").read_text())
    for side in ("before", "after"):
        assert [(of["set"], of["photos"]) for of in figures[side]] == [("check", photos)]
    picture = next(iter(SHOWN))
    reading = vision.Reader(new).read(vision.Photo.decode((PICTURES / picture).read_bytes()))
    assert len(reading.dice) == len(SHOWN[picture]["dice"]), "four steps do not make it forget what dice are"

    assert rollcall.main([*command, "--share", "0.5"]) == 2
    _, err = capfd.readouterr()
    assert "begun with other options" in err
    assert err.count("\n") == 1


def first_box(folder: Path) -> list[float]:
    photo = next(labelled_photos(folder))
    assert photo.boxes is not None
    return list(photo.boxes[0])


@pytest.mark.whole
def test_networks_that_know_nothing_are_told_of(
    command: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """From random weights, four steps are not enough: the recipe goes as far as it can and says so."""
    assert rollcall.main(command) == 2
    out, err = capfd.readouterr()
    assert err == "the detector finds too few dice in the evenings to say how alike two dice look\n"
    assert "0 photos redrawn" in out
    assert {mark.name for mark in (tmp_path / "run" / "done").iterdir()} == set(STEPS[:7])


@pytest.mark.parametrize(
    ("changed", "part"),
    [
        (("--share", "0"), "--share must be more than 0"),
        (("--textures", "nowhere"), "--textures must be a folder, got nowhere"),
        (("--faces", "nowhere"), "--faces must be a folder, got nowhere"),
        (("--start", "nowhere"), "--start must be a folder, got nowhere"),
        (("--evenings", "3"), "--evenings must be 4 or more"),
        (("--rendered", "-1"), "--rendered must be 0 or more"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_made(
    command: list[str], changed: tuple[str, str], part: str, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert rollcall.main([*command, *changed]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert part in err
    assert not (tmp_path / "run").exists()


def test_a_dry_run_makes_nothing(command: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert rollcall.main([*command, "--dry-run"]) == 0
    out, _ = capfd.readouterr()
    assert [line.split(": ")[0] for line in out.splitlines()] == [f"{i}. {name}" for i, name in enumerate(STEPS, 1)]
    assert "(done)" not in out
    assert not (tmp_path / "run").exists()


def test_a_run_goes_on_with_its_own_recipe_on_any_machine(tmp_path: Path) -> None:
    parser = argparse.ArgumentParser()
    train_command.add_arguments(parser)
    args = parser.parse_args(["all", "--textures", "tops", "--run", str(tmp_path)])
    settings = read_settings()
    keep_recipe(args, settings)
    keep_recipe(args, dataclasses.replace(settings, device="cuda", workers=8, validate_every=9))
    with pytest.raises(ValueError, match="begun with other options"):
        keep_recipe(args, dataclasses.replace(settings, seed=settings.seed + 1))
    args.rendered += 1
    with pytest.raises(ValueError, match="begun with other options"):
        keep_recipe(args, settings)
