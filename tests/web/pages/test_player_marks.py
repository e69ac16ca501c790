"""Each player's mark beside his name is that of his curve, and its colours can be told from the page's ground."""

import re

import pytest

from web.pages import charts
from web.pages.static import FOLDER

STYLE = (FOLDER / "rollcall.css").read_text("utf-8")
MOST_PLAYERS = 12
LEAST_CONTRAST = 3.0  # of graphics, by WCAG 2.1
LIGHT, DARK = ":root {", ':root[data-look="dark"] {'


def colours(selector: str) -> dict[str, str]:
    """The variables that all rules of exactly this selector set."""
    rules = re.findall(rf"^{re.escape(selector)}(.*?)\}}", STYLE, re.MULTILINE | re.DOTALL)
    return dict(pair for rule in rules for pair in re.findall(r"--([\w-]+): (#[0-9a-f]{6})", rule))


def luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("look", [LIGHT, DARK])
def test_the_colours_of_players_can_be_told_from_the_ground(look: str) -> None:
    told = colours(look)
    for number in range(charts.COLOURS):
        for ground in ("card", "paper", "accent-soft"):
            assert contrast(told[f"c{number}"], told[ground]) >= LEAST_CONTRAST, (number, ground)


def test_the_colours_of_players_follow_the_look_chosen_by_hand() -> None:
    by_phone = colours('  :root:not([data-look="light"]) {')
    by_hand = colours(DARK)
    assert {name for name in by_hand if re.fullmatch(r"c\d", name)} == {f"c{n}" for n in range(charts.COLOURS)}
    assert by_phone == by_hand


def test_a_players_mark_is_that_of_his_curve() -> None:
    script = (FOLDER / "shared/icons.js").read_text("utf-8")
    shapes = re.search(r"SHAPES = \[(.*?)\]", script, re.DOTALL)
    assert tuple(re.findall(r'"(.*?)"', shapes[1])) == charts.MARKS
    assert len(set(charts.MARKS)) == MOST_PLAYERS, "told apart without colours too"
    assert f"COLOURS = {charts.COLOURS};" in script
