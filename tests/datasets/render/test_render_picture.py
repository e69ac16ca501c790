"""Finished pictures and their labels: small ones, traced."""

import json
from argparse import ArgumentParser
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("numba", reason="rendering needs numba (the extra `train`)")

from datasets.render import labels, tracer
from datasets.render.cli import add_arguments, run
from datasets.render.compose import compose
from datasets.render.picture import Picture, render_picture, render_throw
from datasets.render.presets import PRESETS
from datasets.render.scene import pack

SMALL = 192


@pytest.fixture(scope="module")
def pictures() -> list[Picture]:
    return [render_picture("train", 5, number, longest=SMALL, samples=1) for number in range(12)]


def test_a_picture_is_always_the_same() -> None:
    first, again = (render_picture("train", 5, 3, longest=SMALL, samples=1) for _ in range(2))
    assert np.array_equal(first.pixels, again.pixels)
    assert first.labels == again.labels
    assert not np.array_equal(first.pixels, render_picture("train", 6, 3, longest=SMALL, samples=1).pixels)


def test_boxes_lie_in_the_picture_and_in_the_whole(pictures: list[Picture]) -> None:
    for picture in pictures:
        height, width = picture.pixels.shape[:2]
        for label in picture.labels:
            x0, y0, x1, y1 = label.box
            assert 0 <= x0 < x1 <= width
            assert 0 <= y0 < y1 <= height
            a0, b0, a1, b1 = label.whole
            assert a0 <= x0 + 1
            assert b0 <= y0 + 1
            assert x1 <= a1 + 1
            assert y1 <= b1 + 1


def test_boxes_are_tight_round_what_is_visible() -> None:
    for number in range(6):
        scene = compose(np.random.default_rng([9, number]), PRESETS["train"], SMALL, None).scene
        found = labels.settle(scene, False)
        packed = pack(scene.bodies)
        camera = scene.camera
        ids, _, _, _ = tracer.identify(camera.row(), packed.bodies, packed.planes, camera.width, camera.height, 0)
        tight = set()
        for i in np.unique(ids[ids >= 0]):
            rows, columns = np.nonzero(ids == i)
            tight.add((float(columns.min()), float(rows.min()), float(columns.max() + 1), float(rows.max() + 1)))
        assert {label.box for label in found if label.what != "printed"} <= tight


def test_every_readable_die_shows_the_pips_of_its_top_face(pictures: list[Picture]) -> None:
    dice = [label for picture in pictures for label in picture.labels if label.value]
    assert len(dice) > 20
    for die in dice:
        top = next(face for face in die.faces if face.value == die.value)
        assert len(top.pips) == die.value
        assert all(top.seen)
        for x, y in top.pips:
            assert die.box[0] <= x <= die.box[2]
            assert die.box[1] <= y <= die.box[3]
        assert all(7 - face.value not in {other.value for other in die.faces} for face in die.faces)


def test_pips_are_where_they_are_said_to_be() -> None:
    """On plain white dice, a pip's place is dark and the place half way to the next corner is light."""
    picture = render_throw([2, 3, 5], 4, frame=(480, 360), samples=4)
    grey = picture.pixels.mean(axis=2)
    for die in picture.labels:
        top = next(face for face in die.faces if face.value == die.value)
        middle = np.array(top.pips).mean(axis=0)
        bright = float(np.percentile(grey[int(die.box[1]) : int(die.box[3]), int(die.box[0]) : int(die.box[2])], 80))
        for x, y in top.pips:
            assert grey[int(y), int(x)] < 0.55 * bright
        if die.value == 2:
            assert grey[int(middle[1]), int(middle[0])] > 0.75 * bright


def test_a_throw_shows_the_values_asked_for() -> None:
    picture = render_throw([1, 1, 6, 6, 3, 4], 1, frame=(240, 180), samples=1)
    assert sorted(label.value or 0 for label in picture.labels) == [1, 1, 3, 4, 6, 6]
    assert picture.to_json()["values"] == [1, 1, 3, 4, 6, 6]


def test_dice_that_cannot_be_read_are_gone_or_lookalikes() -> None:
    for number in range(10):
        composition = compose(np.random.default_rng([11, number]), PRESETS["train"], SMALL, None)
        found = labels.settle(composition.scene, True)
        dice = sum(body.what == "die" for body in composition.scene.bodies)
        shown = sum(label.what in ("die", "unreadable die") for label in found)
        assert shown == dice
        assert all(label.kind == labels.LOOKALIKE for label in found if label.what != "die")


def test_the_command_writes_images_labels_and_details(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parser = ArgumentParser()
    add_arguments(parser)
    line = [str(tmp_path), "--count", "2", "--seed", "8", "--size", "128", "--samples", "1", "--workers", "1"]
    assert run(parser.parse_args(line)) == 0
    assert sorted(path.stem for path in (tmp_path / "images").iterdir()) == ["train-8-000000", "train-8-000001"]
    for path in (tmp_path / "labels").iterdir():
        details = json.loads((tmp_path / "details" / f"{path.stem}.json").read_text(encoding="utf-8"))
        rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
        assert sorted(int(row[0]) + 1 for row in rows if row[0] != "6") == details["values"]
        assert all(0 <= float(number) <= 1 for row in rows for number in row[1:])
    assert run(parser.parse_args(line)) == 0
    assert "2 were there already" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--count", "0"], "--count must be 1 or more, got 0"),
        (["--throw", "7"], "dice must be 1..6, got 7"),
        (["--textures", "nowhere"], "--textures must be a folder, got nowhere"),
        (["--evenings", "0"], "--evenings must be 1 or more, got 0"),
        (["--evenings", "2", "--throws", "0"], "--throws must be 1 or more, got 0"),
        (["--throws", "3"], "--throws says how many of an evening, so it needs --evenings or --bowls"),
        (["--evenings", "2", "--throw", "1"], "--evenings cannot be used with --throw"),
        (["--bowls", "2", "--contact-sheet"], "--bowls cannot be used with --contact-sheet"),
        (["--video", "--size", "640x40"], "--size must be 64 or more, got 40"),
        (["--size", "640x480"], "--size WxH is for --video; for pictures give the longer side, as in --size 640"),
        (["--video", "--throw", "1"], "--throw cannot be used with --video"),
    ],
)
def test_wrong_arguments_are_one_line_and_exit_2(
    arguments: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = ArgumentParser()
    add_arguments(parser)
    assert run(parser.parse_args([str(tmp_path / "x"), *arguments])) == 2
    assert capsys.readouterr().err == f"rollcall workshop render: {complaint}\n"


def test_low_pictures_keep_dice_whose_upper_faces_are_hidden() -> None:
    made = [render_picture("low", 5, number, longest=SMALL, samples=1) for number in range(8)]
    assert all(65 <= picture.facts["tilt"] <= 90 for picture in made)
    dice = [label for picture in made for label in picture.labels if label.what == "die"]
    assert all(die.value for die in dice)
    tops = [next((face for face in die.faces if face.value == die.value), None) for die in dice]
    assert any(top is None or not all(top.seen) for top in tops)
