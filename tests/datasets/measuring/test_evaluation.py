"""What `rollcall workshop evaluate` counts, and how the calibration is chosen."""

import dataclasses
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from datasets.measuring.evaluation import Figures, as_text, compare_reading, mean_precision
from datasets.photos import LabelledPhoto
from datasets.training.calibration import DetectedPhoto, fit_calibration, known_truths, thresholds
from datasets.training.redrawing import match_boxes
from rollcall import main
from tests.datasets.labelled import label_pictures, photo_of
from tests.vision.sights import seen_of
from vision import Die, Reading
from vision.judging.weights import Calibration
from vision.reader import CALIBRATION, MODELS

pytestmark = pytest.mark.whole

PICTURES = Path(__file__).resolve().parents[2] / "pictures"

START = Calibration(
    image_sizes=(640,), candidate=0.1, temperature=1.0, detector_weight=1.0, classifier_weight=1.0, bias=0.0,
    odd_box=0.0, same_set=0.0, die=0.5, sure=0.8,
)  # fmt: skip


def reading(*dice: tuple[int, float], sure: bool = True) -> Reading:
    return Reading(100, 100, tuple(Die(v, 0.9, (100 * x, 40, 100 * x + 10, 50), sure) for v, x in dice))


def test_dice_are_matched_by_box() -> None:
    outcome = compare_reading(photo_of((1, 0.1), (2, 0.3), (6, 0.8)), reading((1, 0.11), (3, 0.3), (5, 0.55)))
    assert (outcome.found, outcome.missed, outcome.extra, outcome.confusions) == (2, 1, 1, ((2, 3),))
    assert outcome.silent
    assert outcome.taps == 1 + 3 + 2


def test_dice_are_matched_by_value_where_boxes_are_not_known() -> None:
    outcome = compare_reading(
        LabelledPhoto(Path("a.jpg"), (1, 2, 2, 6)), reading((1, 0.1), (2, 0.3), (5, 0.5), sure=False)
    )
    assert (outcome.found, outcome.missed, outcome.extra, outcome.confusions) == (3, 1, 0, ((2, 5),))
    assert not outcome.silent


def test_the_figures_of_a_folder() -> None:
    figures = Figures("mine")
    figures.outcomes += [
        compare_reading(photo_of((1, 0.1)), reading((1, 0.1))),
        compare_reading(photo_of((1, 0.1)), reading((2, 0.1))),
        compare_reading(photo_of((1, 0.1)), reading((1, 0.1), sure=False)),
        compare_reading(photo_of((1, 0.1)), reading(sure=False)),
    ]
    table = figures.table()
    assert table["exact"] == 0.5
    assert table["asked"] == 0.5  # no dice are never sure
    assert table["exact_of_sure"] == 0.5
    assert table["silent_errors"] == 1
    assert "1 as 2 (1)" in as_text([table])
    json.dumps(table)


@pytest.fixture
def rendered_throws(tmp_path: Path) -> Path:
    """The repository's own pictures as a labelled folder."""
    return label_pictures(tmp_path / "throws")


def test_a_folder_is_measured_and_its_failures_shown(
    rendered_throws: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["workshop", "evaluate", str(rendered_throws), "--json", "--gallery", str(tmp_path / "gallery")]) == 0
    (table,) = json.loads(capsys.readouterr().out)
    assert table["photos"] == 12
    assert table["dice"] == table["found"] + table["missed"]
    assert table["found"] >= 35
    assert "<h2>" in (tmp_path / "gallery" / "index.html").read_text()


def test_how_much_a_memory_counts_is_chosen_on_evenings(
    rendered_throws: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    """The repository's own pictures as one evening; the same with a single throw is none."""
    pytest.importorskip("torch", reason="training needs torch (the extra `train`)")
    models = tmp_path_factory.mktemp("models")
    for file in MODELS.iterdir():
        if file.is_file():
            shutil.copy(file, models)
    before = json.loads((models / CALIBRATION).read_text())
    assert main(["workshop", "train", "memory", str(rendered_throws), "--models", str(models)]) == 0
    after = json.loads((models / CALIBRATION).read_text())
    assert after.pop("known") != before.pop("known")
    assert after == before
    for image in sorted((rendered_throws / "images").iterdir())[1:]:
        image.unlink()
    assert main(["workshop", "train", "memory", str(rendered_throws), "--models", str(models)]) == 2
    assert capsys.readouterr().err == "no evening has two throws, so a memory says nothing in any of them\n"


def test_mean_precision_by_ultralytics(rendered_throws: Path) -> None:
    pytest.importorskip("ultralytics", reason="the training packages are not installed")
    figures = mean_precision(MODELS, rendered_throws)
    assert 0.8 < figures["mAP50"] <= 1
    assert 0.4 < figures["mAP50-95"] < figures["mAP50"]


def made_up_photos(count: int, seed: int = 0) -> list[DetectedPhoto]:
    """Photos of one die and one other thing, which the detections nearly always tell apart."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        value = int(rng.integers(6))
        logits = rng.normal(0, 1, (2, 7))
        logits[0, value] += 9
        logits[1, 6] += 7
        scores = np.clip([rng.normal(0.8, 0.1), rng.normal(0.3, 0.1)], 0.1, 0.99)
        boxes = np.array([[0.1, 0.4, 0.2, 0.5], [0.6, 0.4, 0.7, 0.5]])
        detections = seen_of(100, 100, boxes, scores, logits)
        found.append(DetectedPhoto("made", photo_of((value + 1, 0.1)), detections))
    return found


def test_known_things() -> None:
    (one,) = made_up_photos(1)
    assert known_truths(one, START) == [(0, int(one.photo.classes[0])), (1, None)]


def test_the_calibration_is_chosen_so_that_dice_are_read_and_few_are_asked_about() -> None:
    from datasets.training.calibration import photo_figures

    photos = made_up_photos(200)
    calibration = thresholds(photos, fit_calibration(photos, START))
    exact, sure, silent = photo_figures(photos, calibration)
    assert exact > 0.98
    assert sure > 0.95
    assert silent <= 0.003


def test_what_a_likelier_box_hides_teaches_nothing_of_dice() -> None:
    """It is a worse box of the same die, labelled as that die and hardly seen by the detector."""
    photos = made_up_photos(100)
    boxes = np.array([[0.1, 0.4, 0.2, 0.5], [0.6, 0.4, 0.7, 0.5], [0.1, 0.4, 0.19, 0.48]], np.float32)

    def once_more(one: DetectedPhoto) -> DetectedPhoto:
        scores = np.append(one.detections.scores, 0.11).astype(np.float32)
        logits = np.array([*one.detections.logits, np.array(one.detections.logits[0]) - 1])
        return dataclasses.replace(one, detections=seen_of(100, 100, boxes, scores, logits))

    beside = [once_more(one) for one in photos]
    assert known_truths(beside[0], START)[2][1] is not None
    assert fit_calibration(beside, START) == fit_calibration(photos, START)


def test_upper_faces_find_the_dice_that_hold_them() -> None:
    faces = np.array([[10, 10, 20, 20], [50, 50, 60, 60]], np.float32) / 100
    dice = np.array([[48, 48, 64, 66], [8, 9, 24, 28], [80, 80, 90, 90]], np.float32) / 100
    assert match_boxes(faces, dice, np.array([0.9, 0.8, 0.2], np.float32)) == [1, 0]
    assert match_boxes(faces, dice, np.array([0.9, 0.8, 0.79], np.float32)) is None  # a clear die without a label
    assert match_boxes(faces, dice[1:], np.array([0.8, 0.2], np.float32)) is None
