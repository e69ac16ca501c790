"""Whole games of every kind through the real pages: a phone upright and on its side, a tablet, every language.

`make soak ARGS=tests/browser/test_whole_games.py`. The beginning and the end of each are tapped and pictured, to
out/screenshots/games; what lies between is sent as the pages send it. At each step all can be seen and reached.
"""

from typing import Any

import pytest

import scorer
from tests.browser.conftest import OUT, PHONE, NewPhone
from tests.browser.games import SHORT, steps_of, whole_game
from tests.browser.playing import send, start_by_hand, tap, wait_for_version
from tests.browser.test_every_page import CUT_OFF, SETTLED, TABLET
from tests.web.served import Served
from web.texts.language_table import TABLE

TAPPED_FIRST, TAPPED_LAST = 10, 5
SCREENS = {"upright": PHONE, "sideways": {"width": 844, "height": 390}, "tablet": TABLET}
LANGUAGES = tuple(TABLE)
NAMES = ("Kate\u0159ina", "Maksymilian")  # names as long as they come, so that nothing fits only by luck
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
GAMES = [
    (info.key, screen, LANGUAGES[(number + place) % len(LANGUAGES)])
    for number, info in enumerate(scorer.games())
    for place, screen in enumerate(SCREENS)
]  # each game on each screen, in another language each time


@pytest.mark.slow
@pytest.mark.parametrize(("key", "screen", "language"), GAMES, ids=["-".join(one) for one in GAMES])
def test_a_whole_game_is_played_and_seen(
    served: Served, new_phone: NewPhone, key: str, screen: str, language: str
) -> None:
    page = new_phone(viewport=SCREENS[screen], locale=language)
    start_by_hand(page, served.base, key, *NAMES, **SHORT.get(key, {}))
    steps = steps_of(key, whole_game(key))
    wrong: list[str] = []
    done = 0
    for number, step in enumerate(steps):
        tapped = number < TAPPED_FIRST or number >= len(steps) - TAPPED_LAST
        for each in step:
            if not tapped:
                send(page, each)
            elif each["do"] != "set-aside" or len(step) == 1:  # else it comes with the throw
                tap(page, each)
        done += len(step)
        if tapped:
            wait_for_version(page, done)
            wrong += examine(page, f"{key}-{screen}-{language}-{number:03}-{step[-1]['do']}")
    page.wait_for_selector(".over")
    assert wrong == []


def examine(page: Any, name: str) -> list[str]:
    """Takes a picture; returns what is cut off or beyond the screen's side."""
    folder = OUT / "games"
    folder.mkdir(parents=True, exist_ok=True)
    page.evaluate(SETTLED)
    page.screenshot(path=folder / f"{name}.png")
    cut_off = [f"{name}: cut off: {one}" for one in page.evaluate(CUT_OFF)]
    wide = page.evaluate(SIDEWAYS)
    return cut_off + ([f"{name}: {wide} pixels wider than the screen"] if wide > 0 else [])
