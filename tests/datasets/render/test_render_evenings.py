"""Evenings: the same dice on the same table in each throw, with logo faces that count as their value."""

import json
from argparse import ArgumentParser
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("numba", reason="rendering needs numba (the extra `train`)")

from datasets.render import dice_styles, glyphs, logos
from datasets.render.cli import add_arguments, run
from datasets.render.evenings import KINDS, any_bowl, any_evening, compose_throw, render_evening
from datasets.render.presets import BOWL, EVENING, PRESETS
from datasets.render.scene import Solid
from datasets.video.stage import SEEDS

SMALL = 192


def thrown_dice(bodies: list[Solid]) -> list[Solid]:
    return [body for body in bodies if body.what == "die"]


def test_a_throw_of_an_evening_is_always_the_same() -> None:
    first, again = (render_evening(any_evening(5, 1), 3, longest=SMALL, samples=1) for _ in range(2))
    assert np.array_equal(first.pixels, again.pixels)
    assert first.labels == again.labels
    for other in (render_evening(any_evening(5, 1), 4, longest=SMALL, samples=1),
                  render_evening(any_evening(6, 1), 3, longest=SMALL, samples=1)):  # fmt: skip
        assert first.pixels.shape != other.pixels.shape or not np.array_equal(first.pixels, other.pixels)


def test_no_other_kind_of_picture_has_the_same_seed_space() -> None:
    numbers = [SEEDS, EVENING.number, BOWL.number, *(preset.number for preset in PRESETS.values())]
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("number", range(12))
def test_dice_table_and_light_stay_through_an_evening(number: int) -> None:
    evening = any_evening(3, number)
    one, two = (compose_throw(evening.rng(9, k), evening, SMALL, None).scene for k in range(2))
    for scene in (one, two):
        looks = [(body.material, body.half[0], body.radius) for body in thrown_dice(scene.bodies)]
        makes = [(style.material, style.size / 2, style.corner * style.size) for style in evening.styles]
        assert looks
        assert all(look in makes for look in looks)
    assert np.array_equal(one.table, two.table)
    assert one.per_unit == two.per_unit
    assert [light.colour for light in one.lights] == [light.colour for light in two.lights]
    things = [[body.position.tolist() for body in scene.bodies if body.what != "die"] for scene in (one, two)]
    assert things[0] == things[1]
    assert not np.array_equal(one.camera.position, two.camera.position)


@pytest.mark.parametrize(("number", "value"), [(0, 1), (1, 6), (2, 1)])
def test_each_die_of_a_logo_set_has_the_same_picture_in_place_of_the_value(number: int, value: int) -> None:
    evening = any_evening(4, number)
    assert len({style.logo for style in evening.styles}) == 1
    for style in evening.styles:
        body = dice_styles.die(style, value, 0.0, 0.0, 0.0)
        assert body.tiles == {body.top: style.logo[1]}
        assert all(pip.radius == 0 for pip in body.pips[body.top])
        assert sum(pip.radius > 0 for pips in body.pips.values() for pip in pips) == 21 - value
    if number == 2:
        assert evening.styles[0].logo[1] in {glyphs.index(name) for name in logos.GRIM}  # type: ignore[index]


def test_every_die_is_labelled_and_a_logo_counts_as_its_value() -> None:
    evening = any_evening(5, 2)
    pictures = [render_evening(evening, throw, longest=SMALL, samples=1) for throw in range(12)]
    faces = 0
    for picture in pictures:
        found = [label for label in picture.labels if label.value]
        assert len(found) == len(evening.styles)
        assert all(label.kind == (label.value or 0) - 1 for label in found)
        assert all(label.contrast > 0 for label in found)
        faces += sum(label.value == 1 for label in found)
    assert faces > 0


@pytest.mark.parametrize("number", range(2))
def test_bowls_hold_twenty_dice_or_more_close_together(number: int) -> None:
    bowl = any_bowl(6, number)
    assert bowl.kind == ("logo ones", "logo sixes")[number % 2]
    assert len(bowl.styles) in (20, 24)
    one, two = (render_evening(bowl, throw, longest=320, samples=1) for throw in range(2))
    for picture in (one, two):
        found = [label for label in picture.labels if label.value]
        assert len(found) == len(bowl.styles)
        x0, y0, x1, y1 = np.array([label.box for label in found]).T
        middles = np.column_stack([x0 + x1, y0 + y1]) / 2
        nearest = np.sort(np.hypot(*(middles[:, None] - middles).transpose(2, 0, 1)), axis=1)[:, 1]
        assert np.median(nearest) < 2 * np.median(np.maximum(x1 - x0, y1 - y0))
    assert [d.box for d in one.labels] != [d.box for d in two.labels]


def test_faces_of_another_colour_are_those_that_were_asked_for() -> None:
    rng = np.random.default_rng(2)
    make, second = dice_styles.plain_style(rng), dice_styles.dim_style(rng)
    style = dice_styles.two_coloured(rng, make, second)
    bits = int(style.material.scale)
    values = dice_styles.face_values(style.left_handed)
    assert style.red == {values[face] for face in range(6) if bits >> face & 1}
    for value in range(1, 7):
        colours = {pip.colour for pip in dice_styles.pips(style, value)}
        assert colours == {second.pip if value in style.red else make.pip}


def test_the_command_writes_a_folder_for_each_evening(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parser = ArgumentParser()
    add_arguments(parser)
    line = [str(tmp_path), "--evenings", "2", "--throws", "2", "--seed", "8", "--size", "128", "--samples", "1"]
    assert run(parser.parse_args([*line, "--workers", "1"])) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["evening-8-000", "evening-8-001"]
    for folder in tmp_path.iterdir():
        assert [p.name for p in sorted((folder / "images").iterdir())] == ["throw-000.jpg", "throw-001.jpg"]
        details = json.loads((folder / "details" / "throw-001.json").read_text(encoding="utf-8"))
        rows = (folder / "labels" / "throw-001.txt").read_text(encoding="utf-8").splitlines()
        assert sorted(int(row[0]) + 1 for row in rows if row[0] != "6") == details["values"]
        assert details["kind"] in KINDS
        assert details["throw"] == 1
    (tmp_path / "evening-8-001" / "labels" / "throw-000.txt").unlink()
    assert run(parser.parse_args([*line, "--workers", "1"])) == 0
    assert "1 pictures in" in capsys.readouterr().out.splitlines()[-1]
