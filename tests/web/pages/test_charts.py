"""The pictures of numbers: sound SVG with title and description, all values on the axis, no label over another."""

import random
import re
from xml.etree import ElementTree

import pytest

from web.pages import charts
from web.pages.charts import HEIGHT, LABEL_GAP, WIDTH, Curve, bars, curves, scale

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def parse(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(str.replace(picture, "<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


def texts(picture: str, kind: str) -> list[ElementTree.Element]:
    return [text for text in parse(picture).iter(f"{SVG}text") if text.get("class") == kind]


def test_any_axis_holds_its_values_with_few_steps() -> None:
    chance = random.Random(7)
    for _ in range(2000):
        values = [chance.randint(-(10 ** chance.randint(1, 5)), 10 ** chance.randint(1, 5)) for _ in range(3)]
        low, high, step = scale(values)
        assert low <= min(0, *values) <= max(0, *values) <= high
        assert 1 <= round((high - low) / step) <= 6
        assert low % step == high % step == 0


@pytest.mark.parametrize("players", [1, 2, 5, 12])
def test_curves_stay_in_the_picture_and_their_names_apart(players: int) -> None:
    chance = random.Random(players)
    lines = [
        Curve(f"<Player {number} & so on>", [0, *(chance.randint(-500, 9000) for _ in range(chance.randint(0, 30)))])
        for number in range(players)
    ]
    picture = curves("course", "Course <1>", 'Ada: "1"', lines)
    root = parse(picture)
    assert root.get("role") == "img"
    named = str(root.get("aria-labelledby")).split()
    assert [root.find(f".//*[@id='{name}']").text for name in named] == ["Course <1>", 'Ada: "1"']  # type: ignore[union-attr]
    drawn = [path for path in root.iter(f"{SVG}path") if path.get("class") == "line"]
    assert len(drawn) == players
    for path in drawn:
        numbers = [float(number) for number in NUMBER.findall(str(path.get("d")))]
        assert all(0 <= x <= WIDTH for x in numbers[::2])
        assert all(0 <= y <= HEIGHT for y in numbers[1::2])
    names = [float(str(text.get("y"))) for text in texts(picture, "name")]
    assert len(names) == (players if players > 1 else 0)
    assert all(
        after - before > LABEL_GAP - 0.2 for before, after in zip(sorted(names), sorted(names)[1:], strict=False)
    )
    assert all(0 < y < HEIGHT for y in names)


def test_no_two_lines_look_alike_without_colours_or_with() -> None:
    groups = re.findall(r'class="curve (c\d) (d\d)"', curves("c", "t", "d", [Curve(str(n), [0, n]) for n in range(12)]))
    assert len(set(groups)) == 12
    assert len({dash for _, dash in groups}) == charts.DASHES


def test_a_win_has_a_star() -> None:
    picture = curves("results", "t", "d", [Curve("Ada", [5, 7, 9], {1})], first=3, dots=True)
    marks = [path.get("d") for path in parse(picture).iter(f"{SVG}path") if path.get("class") == "mark"]
    assert [mark == charts.STAR for mark in marks] == [False, True, False]
    assert [text.text for text in texts(picture, "axis")][-3:] == ["3", "4", "5"]


def test_bars_are_as_high_as_their_counts() -> None:
    picture = bars("dice", "t", "d", [0, 10, 20, 5, 10, 15], 10)
    heights = [float(str(bar.get("height"))) for bar in parse(picture).iter(f"{SVG}rect")]
    assert heights[0] == 0
    assert heights[2] == pytest.approx(2 * heights[1], abs=0.2)
    assert [text.text for text in texts(picture, "name")] == ["0", "10", "20", "5", "10", "15"]
