"""`rollcall workshop train corrections`: all of it, with few steps."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

pytest.importorskip("ultralytics", reason="the training packages are not installed")

import rollcall
import vision
from datasets.photos import write_values
from tests.datasets.test_corrections import MEASURES, SHOWN, keep
from tests.web.photos.test_photo_reader import PICTURES, needs_models
from vision.network_eye import CROP_CLASSIFIER, DETECTOR, LIKENESS
from vision.reader import CALIBRATION, MODELS

pytestmark = needs_models

FEW = {"steps": 12, "batch": 2, "warm_up": 2}


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    """The command line, with networks, settings, table tops, photos to check and corrections to run it on."""
    shutil.copytree(MODELS, tmp_path / "models")
    usual = json.loads((Path(rollcall.__file__).parent / "datasets" / "training" / "training.json").read_text())
    few = {part: {**usual[part], **FEW} for part in ("detector", "crops")} | {"likeness": {"steps": 8}}
    (tmp_path / "few.json").write_text(json.dumps({**usual, **few}))
    (tmp_path / "tops").mkdir()
    for number, colour in enumerate(((90, 60, 40), (30, 90, 50))):
        noise = np.random.default_rng(number).normal(colour, 12, (256, 256, 3)).clip(0, 255).astype(np.uint8)
        Image.fromarray(noise).save(tmp_path / "tops" / f"{number}.png")
    for number, shown in enumerate(SHOWN.values()):
        told = [{**die, "value": die["value"] % 6 + 1} for die in shown["dice"]]
        keep(tmp_path / "data", f"photo{number}", shown, told, **({"table": MEASURES} if number < 2 else {}))
    return [
        *(
            "workshop",
            "train",
            "--settings",
            str(tmp_path / "few.json"),
            "corrections",
            "--data",
            str(tmp_path / "data"),
        ),
        *("--textures", str(tmp_path / "tops"), "--run", str(tmp_path / "run"), "--start", str(tmp_path / "models")),
        *("--share", "0.5", "--rendered", "2", "--evenings", "4"),
    ]


@pytest.mark.slow
def test_corrections_teach_in_one_command(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    import onnx

    import datasets.training.crop_training

    check, begun, new = tmp_path / "check", tmp_path / "models", tmp_path / "run" / "models"
    (check / "images").mkdir(parents=True)
    shown = [list(SHOWN.values())[number % len(SHOWN)] for number in range(100)]
    for number, picture in enumerate(shown):
        shutil.copy(PICTURES / picture["picture"], check / "images" / f"{number}.jpg")
    write_values(check / "values.csv", {f"{number}.jpg": picture["values"] for number, picture in enumerate(shown)})
    before = {path.name: path.read_bytes() for path in begun.iterdir() if path.is_file()}
    command += ["--check", str(check)]

    def power_cut(*_: object, **__: object) -> None:
        raise OSError("the lamp goes out")

    with monkeypatch.context() as stopped:
        stopped.setattr(datasets.training.crop_training, "train_crops", power_cut)
        assert rollcall.main(command) == 2
    out, err = capfd.readouterr()
    assert err == "the lamp goes out\n"
    assert "10 photos to teach, 2 held out" in out
    assert "2 pictures rendered" in out
    assert "12 photos, " in out, "the corrections and the rendered pictures are what the detector learns from"
    assert "6 of 6: box" in out, "half of the twelve steps"
    detector = (new / DETECTOR).stat().st_mtime_ns

    assert rollcall.main(command) == 0
    out, _ = capfd.readouterr()
    assert "0 new" in out
    assert "0 pictures rendered" in out
    assert out.count("6 of 6: loss") == 1
    assert "6 of 6: box" not in out, "the crop classifier alone was left to train"
    assert (new / DETECTOR).stat().st_mtime_ns == detector
    for name in (DETECTOR, CROP_CLASSIFIER):
        assert (new / name).read_bytes() != before[name]
        (prop,) = onnx.load(new / name).metadata_props
        assert json.loads(prop.value) == {"steps": 6}
    assert (new / LIKENESS).read_bytes() != before[LIKENESS], "fitted to the new features"
    assert json.loads((new / CALIBRATION).read_text()) != json.loads(before[CALIBRATION]), "chosen anew"
    assert {path.name: path.read_bytes() for path in begun.iterdir() if path.is_file()} == before
    figures = json.loads((tmp_path / "run" / "figures.json").read_text())
    for side in ("before", "after"):
        assert [(of["set"], of["photos"]) for of in figures[side]] == [("check", 100), ("corrections-held-out", 2)]
    assert figures["before"][0]["exact"] == 1
    assert figures["before"][1]["exact"] == 0, "the corrections of this test call every die by another value"
    reading = vision.Reader(new).read(vision.Photo.decode((check / "images" / "0.jpg").read_bytes()))
    assert len(reading.dice) == len(shown[0]["dice"]), "six steps do not make it forget what dice are"


@pytest.mark.parametrize(
    ("changed", "part"),
    [
        (("--share", "0"), "--share"),
        (("--textures", "nowhere"), "nowhere"),
        (("--data", "nowhere"), "nowhere"),
        (("--start", "nowhere"), "calibration.json"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_trained(
    command: list[str], changed: tuple[str, str], part: str, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert rollcall.main([*command, *changed]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert part in err
    assert not (tmp_path / "run" / "detector").exists()


def test_values_alone_teach_nothing(command: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(tmp_path / "data")
    shown = SHOWN["throw-12345.jpg"]
    keep(tmp_path / "data", "a", shown, [*shown["dice"], {"value": 6, "box": [5, 5, 60, 60]}])
    assert rollcall.main(command) == 2
    _, err = capfd.readouterr()
    assert "nothing to teach yet" in err
