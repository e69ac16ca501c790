"""Taps and seconds from the shutter to the score: `python -m tests.browser.taps [FOLDER]` prints them for eight games.

A tap is a finger on the screen; the first opens the camera. FOLDER gets a picture of each review.
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from tests.browser.conftest import ARGUMENTS, PATIENCE_MS, PATIENT, SETTINGS
from tests.browser.playing import PICTURES, file_chooser, send, start_table, state, wait_for_version, wait_until_closed
from tests.conftest import CHROMIUM
from tests.web.served import Served

COUNT_TAPS = "window.taps = 0; addEventListener('pointerup', () => { window.taps += 1; }, true);"
CHOICE = "#panel .choices .choice"
CELL = "#panel .offers button"


class Shot(NamedTuple):
    """A throw in a game. `choice`: what is tapped in its review; `scored`: the points after it, None on a grid."""

    game: str
    picture: str
    choice: str
    scored: int | None
    before: tuple[dict[str, Any], ...] = ()


def _thrown(dice: list[int], aside: list[int]) -> tuple[dict[str, Any], ...]:
    return {"do": "throw", "dice": dice}, {"do": "set-aside", "dice": aside}


THREE_ONES = _thrown([1, 1, 1, 2, 3, 4], [1, 1, 1])
SHOTS = [
    Shot("farkle", "throw-224444.jpg", CHOICE, 1500),
    Shot("ones-and-fives", "throw-235.jpg", CHOICE, 1050, THREE_ONES),
    Shot("zilch", "throw-235.jpg", CHOICE, 1050, THREE_ONES),
    Shot("six-dice", "throw-122333.jpg", CHOICE, 400),
    Shot("yahtzee", "throw-12345.jpg", CELL, 40),
    Shot("kosci", "throw-66666.jpg", CELL, None),
    Shot("knaster", "throw-15.jpg", '#panel [data-act="knaster-cell"]', None),
    Shot("sequence", "throw-113466.jpg", '[data-act="review-confirm"]', 0),
]


def take(page: Any, base: str, shot: Shot, folder: Path | None = None) -> tuple[int, float]:
    """Plays the shot at a new table; the taps and seconds from the shutter to the score."""
    start_table(page, base, shot.game, "Ada", "Bob")
    for action in shot.before:
        send(page, action)
    wait_for_version(page, len(shot.before))
    page.evaluate("window.taps = 0")
    began = time.monotonic()
    file_chooser(page, page.locator(".photograph").click).set_files(PICTURES / shot.picture)
    page.locator(shot.choice).first.wait_for()
    if folder is not None:
        page.screenshot(path=folder / f"{shot.game}.png")
    page.locator(shot.choice).first.click()
    wait_until_closed(page)
    took = time.monotonic() - began
    standing = state(page)["standing"]
    assert shot.scored in (None, standing["players"][0]["score"]), standing["players"][0]
    assert standing["turn"]["expects"] != 0 or standing["to_act"] == [1], standing["turn"]
    return page.evaluate("window.taps"), took


def main() -> None:
    from playwright.sync_api import sync_playwright

    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with tempfile.TemporaryDirectory() as data, Served(Path(data) / "data") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        context = browser.new_context(**SETTINGS)
        context.add_init_script(COUNT_TAPS + PATIENT)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        for shot in SHOTS:
            taps, took = take(page, server.base, shot, folder)
            print(f"{shot.game:16} {taps} taps {took:6.1f} s")
        browser.close()


if __name__ == "__main__":
    main()
