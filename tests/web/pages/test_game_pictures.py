"""The small pictures by which games are told apart."""

import re
from collections import Counter
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

import scorer
from tests.web.pages.test_own_games import OURS
from web.pages import game_pictures

KEYS = [info.key for info in scorer.all_games()]
SAME_RULES = {"farkle", "farkle-tables"}  # until the table's owner chooses another scoring table


def test_no_two_games_look_alike() -> None:
    pictures = Counter(game_pictures.picture(key) for key in KEYS if key not in SAME_RULES)
    assert len(pictures) == len(KEYS) - len(SAME_RULES)


@pytest.mark.parametrize("key", KEYS)
def test_a_picture_has_the_dice_of_a_throw_and_stays_in_its_box(key: str) -> None:
    drawn = ElementTree.fromstring(game_pictures.picture(key))
    dice = drawn.findall("use")
    assert len(dice) == scorer.game(key).dice
    for die in dice:
        x, y, side = (float(die.attrib[name]) for name in ("x", "y", "width"))
        assert -0.5 <= x <= x + side <= game_pictures.DICE_WIDTH + 0.5
        assert -0.5 <= y <= y + side <= game_pictures.HEIGHT + 0.5
    starts = [
        (float(x), float(y))
        for path in drawn.iter("path")
        for x, y in re.findall(r"M([-\d.]+) ([-\d.]+)", path.attrib["d"])
    ]
    assert all(-2 <= x <= game_pictures.WIDTH and -2 <= y <= game_pictures.HEIGHT + 2 for x, y in starts)


def test_a_game_that_people_made_gets_its_own(client: FlaskClient) -> None:
    assert client.post("/own-games", json={"name": "Ours", "toml": OURS}).status_code == 200
    page = client.get("/?all=1").get_data(as_text=True)
    assert page.count('class="game-picture"') == len(KEYS) + 1
    assert page.count('id="face-6"') == 1
