"""From a corrected photo to training data: what is kept, and what `workshop dataset corrections` makes of it."""

import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from flask import Flask
from PIL import Image, ImageOps

import rollcall
from datasets.corrections import HELD_OUT, TEACHING, CorrectedPhoto, collect, place_boxes, side_of
from datasets.finding import overlaps
from datasets.photos import LabelledPhoto, labelled_photos, load_pixels
from tests.web.apps import create_app
from tests.web.phones import Phone
from tests.web.photos.test_photo_reader import PICTURES, needs_models, read, upload, values_and_boxes
from vision.arrays import Boxes, Floats
from vision.judging.interpretation import Assessment
from vision.photo import Photo
from vision.reader import CALIBRATION, MODELS
from web.services import services

pytestmark = [pytest.mark.whole, needs_models]

SHOWN = {entry["picture"]: entry for entry in json.loads((PICTURES / "pictures.json").read_text())}
SIX = SHOWN["throw-113466.jpg"]
FIVE = SHOWN["throw-12345.jpg"]
TEACHES, MEASURES = (next(t for t in map(str, range(99)) if side_of(t) == side) for side in (TEACHING, HELD_OUT))
ORIENTATION, GPS = 0x0112, 0x8825
# How the sensor saw what is upright, for each orientation that a camera notes.
TURNED_BY = {
    1: None,
    3: Image.Transpose.ROTATE_180,
    6: Image.Transpose.ROTATE_90,
    8: Image.Transpose.ROTATE_270,
    5: Image.Transpose.TRANSPOSE,
}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    application = create_app(tmp_path / "data")
    yield application
    services(application).close()


def table(app: Flask, game: str, agreed: bool = True) -> Phone:
    client = app.test_client()
    form = {"game": game, "player": ["Ada"], **({"keep_corrections": "yes"} if agreed else {})}
    return Phone(client, client.post("/tables", data=form).headers["Location"])


def confirm(phone: Phone, pending: dict[str, Any], dice: list[dict[str, Any]], aside: Any = ()) -> None:
    evidence = {"reading": pending["id"], "dice": dice, "aside": list(aside)}
    values = [die["value"] for die in dice]
    answer = phone.post("actions", action={"do": "throw", "dice": values}, evidence=evidence)
    assert answer.status_code == 200, answer.get_json()


def phone_photo(picture: str, orientation: int = 1) -> bytes:
    """The picture as a phone writes it that was held in some way and knows where it is."""
    with Image.open(PICTURES / picture) as image:
        turn = TURNED_BY[orientation]
        seen = image if turn is None else image.transpose(turn)
        exif = Image.Exif()
        exif[ORIENTATION] = orientation
        exif.get_ifd(GPS).update({1: "N", 2: (50.0, 5.0, 16.5), 3: "E", 4: (14.0, 25.0, 14.2)})
        exif[GPS] = exif.get_ifd(GPS)
        out = io.BytesIO()
        seen.save(out, "JPEG", quality=95, exif=exif)
    return out.getvalue()


def keep(data: Path, name: str, shown: dict[str, Any], told: list[dict[str, Any]], **more: Any) -> None:
    """A correction as the application keeps it."""
    kept = data / "corrections"
    kept.mkdir(parents=True, exist_ok=True)
    shutil.copy(PICTURES / shown["picture"], kept / f"{name}.photo")
    label = {"width": shown["width"], "height": shown["height"], "dice": told, "aside": [], "read": shown["dice"]}
    (kept / f"{name}.json").write_text(json.dumps({**label, "not_thrown": 0, "table": TEACHES, **more}))


def fractions(shown: dict[str, Any], *dice: int) -> npt.NDArray[np.float64]:
    size = np.array([shown["width"], shown["height"]] * 2)
    return np.array([shown["dice"][i]["box"] for i in dice or range(len(shown["dice"]))]) / size


def only(folder: Path) -> LabelledPhoto:
    (photo,) = labelled_photos(folder)
    return photo


def one_side(out: Path) -> LabelledPhoto:
    """The only photo, on whichever side its table is."""
    (folder,) = out.iterdir()
    return only(folder)


def by_box(photo: LabelledPhoto, boxes: npt.NDArray[np.float64]) -> list[int]:
    """The value that the photo's label gives each box; every label must fit one."""
    assert photo.boxes is not None
    shares, _ = overlaps(boxes.astype(np.float32), photo.boxes)
    assert (shares.max(0) > 0.8).all(), "a label beside every die"
    return [int(photo.classes[row.argmax()]) + 1 if row.max() > 0.8 else 0 for row in shares]


@pytest.mark.parametrize("orientation", TURNED_BY)
def test_from_the_phone_to_the_label(app: Flask, tmp_path: Path, orientation: int) -> None:
    """Of six things that were read as dice, a person calls one no die, gives one another value, and takes one away
    to point at its place by hand."""
    original = phone_photo(SIX["picture"], orientation)
    phone = table(app, "yahtzee")
    upload(phone, original)
    pending = read(phone)
    dice = values_and_boxes(pending["dice"])
    assert len(dice) == 6
    assert sorted(die["value"] for die in dice) == SIX["values"]
    dice[1]["value"] = 2
    x, y = dice[3]["box"][:2]
    rough = [x + 30, y + 30, x + 120, y + 120]
    confirm(phone, pending, [dice[0], dice[1], {"value": dice[3]["value"], "box": rough}, dice[4], dice[5]])

    summary = collect(tmp_path / "data", tmp_path / "out")
    assert (summary.added, summary.dice, summary.other_things, summary.without_boxes) == (1, 5, 1, 0)
    photo = one_side(tmp_path / "out")
    true = fractions(SIX)
    order = np.argsort(true[:, 0] + true[:, 2])
    read_as = [SIX["dice"][i]["value"] for i in order]
    assert by_box(photo, true[order]) == [read_as[0], 2, 0, *read_as[3:]]
    assert overlaps(photo.others, true[order[2:3]].astype(np.float32))[0].min() > 0.8

    with Image.open(io.BytesIO(original)) as image:
        upright = np.asarray(ImageOps.exif_transpose(image).convert("RGB"), np.int16)
    pixels = load_pixels(photo.path)
    assert pixels.shape == upright.shape == (960, 1280, 3)
    assert np.abs(pixels - upright).mean() < 3
    assert np.abs(pixels[::-1] - upright).mean() > 10, "the picture is none that looks alike when it is turned"
    with Image.open(photo.path) as image:
        assert "exif" not in image.info
        assert not image.getexif()
    assert b"Exif" in original
    assert b"Exif" not in photo.path.read_bytes()


def test_a_table_that_did_not_agree_teaches_nothing(
    app: Flask, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for agreed in (False, True):
        phone = table(app, "yahtzee", agreed)
        upload(phone, phone_photo(SIX["picture"]))
        pending = read(phone)
        confirm(phone, pending, values_and_boxes(pending["dice"])[:5])
        left = {
            path.suffix for path in (tmp_path / "data").rglob("*") if path.is_file() and "rollcall" not in path.name
        }
        assert ({".photo", ".json"} <= left) is agreed
        status = rollcall.main(
            ["workshop", "dataset", "corrections", str(tmp_path / "out"), "--data", str(tmp_path / "data")]
        )
        out, err = capsys.readouterr()
        if agreed:
            assert (status, err, out.count("\n")) == (0, "", 1)
            assert "5 dice, 1 other things" in out
        else:
            assert (status, out, err.count("\n")) == (2, "", 1)
            assert not (tmp_path / "out").exists()


def test_dice_beside_the_throw_are_dice_and_what_nobody_knows_is_covered(app: Flask, tmp_path: Path) -> None:
    """Two dice were set aside; the person says of one of them that it lies beside, and takes the other away."""
    phone = table(app, "ones-and-fives")
    phone.throw(1, 1, 6, 6, 3, 4)
    phone.act(do="set-aside", dice=[1, 1])
    upload(phone, phone_photo(SIX["picture"]))
    pending = read(phone)
    thrown, ones = values_and_boxes(pending["dice"]), values_and_boxes(pending["aside"])
    dice = [*thrown, *ones]
    assert [die["value"] for die in ones] == [1, 1]
    thrown[0]["value"] = 5
    confirm(phone, pending, thrown, ones[:1])
    summary = collect(tmp_path / "data", tmp_path / "out")
    assert (summary.dice, summary.other_things) == (5, 0)
    photo = one_side(tmp_path / "out")
    assert photo.values == tuple(sorted([1, *(die["value"] for die in thrown)]))
    pixels, before = (load_pixels(path).astype(int) for path in (photo.path, PICTURES / SIX["picture"]))
    for die in dice:
        x0, y0, x1, y1 = map(round, die["box"])
        change = np.abs(pixels[y0:y1, x0:x1] - before[y0:y1, x0:x1]).mean()
        if die is ones[1]:
            assert pixels[y0:y1, x0:x1].std(axis=(0, 1)).max() < 3 < before[y0:y1, x0:x1].std(axis=(0, 1)).max()
            assert change > 10
        else:
            assert change < 4
    assert by_box(photo, np.array([d["box"] for d in [*thrown, ones[0]]]) / [1280, 960, 1280, 960]) == [
        *(die["value"] for die in thrown),
        1,
    ]


def test_a_die_without_a_box_leaves_the_values(tmp_path: Path) -> None:
    nowhere = {"value": 6, "box": [5, 5, 60, 60]}
    keep(tmp_path, "a", FIVE, [*FIVE["dice"], nowhere])
    summary = collect(tmp_path, tmp_path / "out")
    assert (summary.teaching, summary.without_boxes, summary.dice) == (1, 1, 6)
    photo = only(tmp_path / "out" / TEACHING)
    assert (photo.values, photo.boxes) == ((1, 2, 3, 4, 5, 6), None)


def test_a_die_without_a_box_is_of_no_use_where_others_may_lie(tmp_path: Path) -> None:
    keep(tmp_path, "a", FIVE, [*FIVE["dice"], {"value": 6, "box": [5, 5, 60, 60]}], not_thrown=2)
    summary = collect(tmp_path, tmp_path / "out")
    assert sum(summary.left_out.values()) == 1
    assert not (tmp_path / "out").exists()


def test_all_dice_by_hand_find_their_boxes_by_their_values(tmp_path: Path) -> None:
    """As when the reader was not there at the table."""
    by_hand = [{"value": d["value"], "box": [d["box"][0] + 40, d["box"][1] + 40, *d["box"][2:]]} for d in FIVE["dice"]]
    keep(tmp_path, "right", FIVE, by_hand, read=[])
    wrong = [{**die, "value": die["value"] % 6 + 1} for die in by_hand]
    keep(tmp_path, "wrong", FIVE, wrong, read=[])
    keep(tmp_path, "single", FIVE, by_hand[:1], read=[])
    summary = collect(tmp_path, tmp_path / "out")
    assert (summary.teaching, summary.without_boxes) == (3, 2)
    right, *values_only = labelled_photos(tmp_path / "out" / TEACHING)
    assert by_box(right, fractions(FIVE)) == [die["value"] for die in FIVE["dice"]]
    assert [photo.boxes for photo in values_only] == [None, None]


def test_again_adds_what_is_new_and_finds_more_with_a_better_reader(tmp_path: Path) -> None:
    blind = tmp_path / "models"
    shutil.copytree(MODELS, blind)
    calibration = json.loads((blind / CALIBRATION).read_text())
    (blind / CALIBRATION).write_text(json.dumps({**calibration, "candidate": 1.1}))  # finds nothing
    pointed = {"value": FIVE["dice"][0]["value"], "box": [v + 25 for v in FIVE["dice"][0]["box"]]}
    out = tmp_path / "out"
    keep(tmp_path, "a", FIVE, [pointed, *FIVE["dice"][1:]])
    first = collect(tmp_path, out, blind)
    assert (first.added, first.teaching, first.without_boxes) == (1, 1, 1)
    keep(tmp_path, "b", FIVE, FIVE["dice"][:4])
    second = collect(tmp_path, out)
    assert (second.added, second.teaching, second.without_boxes) == (1, 2, 0)
    assert by_box(next(labelled_photos(out / TEACHING)), fractions(FIVE)) == [die["value"] for die in FIVE["dice"]]
    written = {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file()}
    third = collect(tmp_path, out)
    assert third.added == 0
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file()} == written


def test_photos_of_one_table_stay_on_one_side(tmp_path: Path) -> None:
    for number in range(3):
        keep(tmp_path, f"t{number}", FIVE, FIVE["dice"][:4], table=TEACHES)
        keep(tmp_path, f"m{number}", FIVE, FIVE["dice"][:4], table=MEASURES)
    summary = collect(tmp_path, tmp_path / "out")
    sides = [[photo.path.stem for photo in labelled_photos(tmp_path / "out" / side)] for side in (TEACHING, HELD_OUT)]
    assert sides == [["t0", "t1", "t2"], ["m0", "m1", "m2"]]
    assert (summary.teaching, summary.held_out) == (3, 3)


def test_about_one_table_in_five_measures() -> None:
    shares = [side_of(f"table-{number}") == HELD_OUT for number in range(1000)]
    assert 150 < sum(shares) < 250


def test_a_large_photo_is_shrunk_and_its_boxes_stay(tmp_path: Path) -> None:
    keep(tmp_path, "a", FIVE, FIVE["dice"][:4])
    kept = tmp_path / "corrections"
    with Image.open(PICTURES / FIVE["picture"]) as image:
        image.resize((3840, 2880)).save(kept / "a.photo", "PNG")
    told = json.loads((kept / "a.json").read_text())
    for die in [*told["dice"], *told["read"]]:
        die["box"] = [3 * side for side in die["box"]]
    (kept / "a.json").write_text(json.dumps({**told, "width": 3840, "height": 2880}))
    collect(tmp_path, tmp_path / "out")
    photo = only(tmp_path / "out" / TEACHING)
    with Image.open(photo.path) as image:
        assert (image.size, image.format) == ((2048, 1536), "JPEG")
    assert photo.boxes is not None
    np.testing.assert_allclose(photo.boxes, fractions(FIVE, 0, 1, 2, 3), atol=1e-4)
    np.testing.assert_allclose(photo.others, fractions(FIVE, 4), atol=1e-4)


def test_a_second_box_on_a_die_is_not_another_thing(tmp_path: Path) -> None:
    face = [*FIVE["dice"][0]["box"][:2], FIVE["dice"][0]["box"][2] - 60, FIVE["dice"][0]["box"][3] - 60]
    keep(tmp_path, "a", FIVE, FIVE["dice"], read=[*FIVE["dice"], {"value": 1, "box": face}])
    assert collect(tmp_path, tmp_path / "out").other_things == 0


def test_dice_that_were_not_thrown_are_covered_though_nobody_saw_them(tmp_path: Path) -> None:
    """The last die lies aside, and the reader at the table did not give it. Nothing is painted over the dice told."""
    *thrown, aside = FIVE["dice"]
    x0, y0 = thrown[0]["box"][:2]
    beside = {"value": 3, "box": [x0 - 90, y0 + 60, x0 + 18, y0 + 140]}
    keep(tmp_path, "a", FIVE, thrown, read=[*thrown, beside], not_thrown=1)
    collect(tmp_path, tmp_path / "out")
    photo = only(tmp_path / "out" / TEACHING)
    assert by_box(photo, fractions(FIVE, 0, 1, 2, 3)) == [die["value"] for die in thrown]
    assert len(photo.others) == 0
    pixels, before = (load_pixels(path).astype(int) for path in (photo.path, PICTURES / FIVE["picture"]))

    def change(box: list[float]) -> float:
        u0, v0, u1, v1 = map(round, box)
        return float(np.abs(pixels[v0:v1, u0:u1] - before[v0:v1, u0:u1]).mean())

    assert change(aside["box"]) > 10
    assert change([x0 - 80, y0 + 60, x0, y0 + 140]) > 4
    assert change([x0, y0 + 60, x0 + 25, y0 + 140]) < 4
    assert all(change(die["box"]) < 4 for die in thrown)


def of_chances(chances: Floats) -> Assessment:
    """Things (n,) that are dice with these probabilities, of which nothing else is known."""
    flags, zeros = (True,) * len(chances), (0.0,) * len(chances)
    return Assessment(
        alone=tuple(chances.tolist()),
        values=((0.0,) * 6,) * len(chances),
        apart=flags,
        odd=zeros,
        alike=zeros,
        elevations=zeros,
    )


def test_a_die_that_nobody_pointed_at_is_no_find() -> None:
    """The page says so by a pixel in the corner: a find of a die's size, though weak and alone, is not meant."""
    photo = Photo(np.zeros((100, 100, 3), np.uint8))
    boxes = np.array([[10, 10, 30, 30], [0, 0, 1, 1]], np.float32) / 100
    correction = CorrectedPhoto(photo, np.array([3, 4]), boxes, np.array([False, True]), boxes[:0], False)
    finds = np.array([[11, 10, 30, 31], [59, 60, 80, 81]], np.float32) / 100
    chances = np.array([0.9, 0.2], np.float32)
    assert place_boxes(correction, finds, of_chances(chances)) is None


def test_a_die_that_was_pointed_at_is_a_find_of_its_size() -> None:
    """Neither a pip, however clear, nor two dice at once; and not where two finds could be meant."""
    photo = Photo(np.zeros((100, 100, 3), np.uint8))
    boxes = np.array([[10, 10, 30, 30], [62, 62, 78, 78]], np.float32) / 100
    by_hand = np.array([False, True])
    correction = CorrectedPhoto(photo, np.array([3, 4]), boxes, by_hand, boxes[:0], False)

    def assessments(*finds: tuple[float, list[int]]) -> Boxes | None:
        chances = np.array([chance for chance, _ in finds], np.float32)
        boxes_found = np.array([box for _, box in finds], np.float32).reshape(-1, 4) / 100
        return place_boxes(correction, boxes_found, of_chances(chances))

    known, die, pip, heap = (
        (0.9, [11, 10, 30, 31]),
        (0.2, [59, 60, 80, 81]),
        (0.8, [68, 68, 72, 72]),
        (0.7, [40, 40, 90, 90]),
    )
    np.testing.assert_allclose(assessments(known, heap, pip, die), [boxes[0], np.array(die[1]) / 100], atol=1e-6)
    assert assessments(known, heap, pip) is None
    assert assessments(known) is None
    assert assessments(known, (0.9, [48, 60, 71, 83])) is None, "the tap is beside its middle"
    assert assessments(known, die, (0.2, [54, 54, 75, 75])) is None, "two dice side by side, and the tap between them"
    np.testing.assert_allclose(assessments(known, (0.1, [61, 61, 81, 81]), die), assessments(known, die), atol=1e-6)


def test_what_cannot_teach_is_counted_by_its_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = FIVE["dice"]
    keep(tmp_path, "good", FIVE, good[:4])
    keep(tmp_path, "turned", FIVE, good, width=FIVE["height"], height=FIVE["width"])
    keep(tmp_path, "seven", FIVE, [{**good[0], "value": 7}])
    keep(tmp_path, "nothing", FIVE, [])
    keep(tmp_path, "empty", FIVE, [{**good[0], "box": [9, 9, 9, 9]}])
    keep(tmp_path, "endless", FIVE, [{**good[0], "box": [0, 0, float("nan"), 9]}])
    keep(tmp_path, "text", FIVE, good)
    (tmp_path / "corrections" / "text.json").write_text("{")
    keep(tmp_path, "list", FIVE, good)
    (tmp_path / "corrections" / "list.json").write_text("[]")
    keep(tmp_path, "lost", FIVE, good)
    (tmp_path / "corrections" / "lost.photo").unlink()
    keep(tmp_path, "cut", FIVE, good)
    (tmp_path / "corrections" / "cut.photo").write_bytes((PICTURES / FIVE["picture"]).read_bytes()[:900])
    arguments = ["workshop", "dataset", "corrections", str(tmp_path / "out"), "--data", str(tmp_path)]
    assert rollcall.main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.count("\n") == 1
    assert "6 whose label is damaged" in out
    assert rollcall.main([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["left_out"] == {
        "whose label is damaged": 6,
        "of another size than its label says": 1,
        "whose file is not there or damaged": 2,
    }
    assert (told["added"], told["teaching"], told["held_out"], told["dice"]) == (0, 1, 0, 4)


def test_models_that_are_not_there_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep(tmp_path, "a", FIVE, FIVE["dice"][:4])
    arguments = [
        "workshop",
        "dataset",
        "corrections",
        str(tmp_path / "out"),
        "--data",
        str(tmp_path),
        "--models",
        str(tmp_path),
    ]
    assert rollcall.main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
