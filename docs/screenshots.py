"""Plays two whole games at phone size from photos and takes the pictures that the README and the users' pages show.

    .venv/bin/python docs/screenshots.py

Needs Chromium and the packages of the extra `test`. What the reader sees wrongly is put right on the page, as a
person would.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402

from tests.browser.conftest import ARGUMENTS, CHROMIUM, PHONE  # noqa: E402
from tests.browser.playing import (  # noqa: E402
    PICTURES,
    confirm_review,
    open_entry,
    photograph,
    put_right,
    ready,
    start_table,
    state,
    visit,
    wait_for_version,
)
from tests.browser.test_game_editor import make_our_farkle, open_form  # noqa: E402
from tests.web.phones import api_of  # noqa: E402
from tests.web.served import Served  # noqa: E402

OUT = Path(__file__).resolve().parent / "screenshots"
SCALE = 2
SETTLE_MS = 1200  # what moves has come to rest
BOARD = {"width": 1280, "height": 800}

LABELLED = {entry["picture"]: entry["dice"] for entry in json.loads((PICTURES / "pictures.json").read_text())}

# (picture, what is set aside; [] for a throw that leaves nothing to choose), then whether it is banked.
Throw = tuple[str, list[int]]
ONES_AND_FIVES: list[tuple[list[Throw], bool]] = [
    # Ada: the worked turn of the rules.
    (
        [
            ("throw-113466.jpg", [1, 1]),
            ("throw-2345.jpg", [5]),
            ("throw-235.jpg", [5]),
            ("throw-15.jpg", [1, 5]),
            ("throw-224444.jpg", [2, 2, 4, 4, 4, 4]),
            ("throw-122333.jpg", [1, 3, 3, 3]),
        ],
        True,
    ),
    # Bob: three alike, then nothing.
    ([("throw-122333.jpg", [3, 3, 3]), ("throw-234.jpg", [])], False),
    # Ada: three pairs and home.
    ([("throw-224444.jpg", [2, 2, 4, 4, 4, 4])], True),
]
ONES_AND_FIVES_TARGET = 3500
# Each turn of the kosci game: its photo and the cell that it is written into.
KOSCI = [
    ("throw-66666.jpg", "general"),
    ("throw-12345.jpg", "large-straight"),
    ("throw-23335.jpg", "threes"),
    ("throw-66666.jpg", "sixes"),
    ("throw-12345.jpg", "small-straight"),
    ("throw-23335.jpg", "three"),
    ("throw-66666.jpg", "four"),
    ("throw-12345.jpg", "fives"),
    ("throw-23335.jpg", "chance"),
    ("throw-66666.jpg", "full"),
    ("throw-12345.jpg", "fours"),
    ("throw-23335.jpg", "twos"),
    ("throw-12345.jpg", "ones"),
]
KOSCI_PICTURED_AT = 8  # the turn whose sheet is half full


def main() -> None:
    OUT.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        Served(Path(data)) as served,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        context = browser.new_context(
            viewport=PHONE, device_scale_factor=SCALE, is_mobile=True, has_touch=True, locale="en-GB"
        )
        page = context.new_page()
        page.set_default_timeout(60_000)
        play_ones_and_fives(page, served)
        play_kosci(page, served)
        keep_dice(page, served)
        make_a_game(page, served)
        connect_a_program(page, served)
        browser.close()
    for path in sorted(OUT.glob("*.png")):
        print(path.relative_to(ROOT), path.stat().st_size >> 10, "kB")


def take(page: Any, name: str) -> None:
    page.wait_for_timeout(SETTLE_MS)
    page.screenshot(path=OUT / f"{name}.png")


def play_ones_and_fives(page: Any, served: Served) -> None:
    page.goto(f"{served.base}/")
    ready(page)
    for seat, name in enumerate(("Ada", "Bob")):
        page.locator("#seats input").nth(seat).fill(name)
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    take(page, "1-start")
    table = start_table(page, served.base, "ones-and-fives", "Ada", "Bob", target=ONES_AND_FIVES_TARGET)
    kept = page.context.request.post(f"{api_of(table)}/settings", data={"keeps_pictures": True})
    assert kept.ok, kept.text()
    for number, (throws, banks) in enumerate(ONES_AND_FIVES):
        for throw, (picture, aside) in enumerate(throws):
            photograph(page, picture)
            if (number, throw) == (0, 0):
                take(page, "2-photo")
            put_right(page, LABELLED[picture])
            confirm_review(page)
            if (
                aside and not state(page)["standing"]["turn"]["expects"]
            ):  # else nothing else was possible, and it is done
                version = state(page)["version"]
                page.locator(f'li[data-key="{"".join(map(str, aside))}"] .choice').click()
                wait_for_version(page, version + 1)
        if banks:
            version = state(page)["version"]
            page.locator("nav .bank").click()
            wait_for_version(page, version + 1)
    standing = state(page)["standing"]
    assert standing["over"], standing["players"]
    page.wait_for_selector(".remembered img")
    take(page, "6-ending")
    print("ones-and-fives:", [(player["name"], player["score"]) for player in standing["players"]])


def play_kosci(page: Any, served: Served) -> None:
    table = start_table(page, served.base, "kosci", "Ada", "Bob")
    turns = [turn for turn in KOSCI for _ in range(2)]  # both players throw the same: it is about the pictures
    for number, (picture, category) in enumerate(turns):
        photograph(page, picture)
        put_right(page, LABELLED[picture])
        confirm_review(page)
        cells = page.locator('[data-act="cell"]')
        offers = cells.evaluate_all("all => all.map(one => JSON.parse(one.dataset.arg).category)")
        if number == 2 * KOSCI_PICTURED_AT:
            take(page, "4-sheet")
            take_board(page, table)
        version = state(page)["version"]
        cells.nth(offers.index(category)).click()
        page.locator("nav.actions .primary").click()
        wait_for_version(page, version + 1)
    standing = state(page)["standing"]
    assert standing["over"], standing["players"]
    print("kosci:", [(player["name"], player["score"]) for player in standing["players"]])


def keep_dice(page: Any, served: Served) -> None:
    """Only the dice that were thrown are photographed, and none was marked: the page asks which stayed."""
    start_table(page, served.base, "yahtzee", "Ada", "Bob")
    photograph(page, "throw-23335.jpg")
    put_right(page, LABELLED["throw-23335.jpg"])
    confirm_review(page)
    photograph(page, "throw-15.jpg")
    put_right(page, LABELLED["throw-15.jpg"])
    page.wait_for_selector(".stayed")
    take(page, "3-stayed")
    page.locator(".stayed .chip").filter(has=page.locator(".die")).first.click()
    page.wait_for_selector("#panel .offers button")
    take(page, "3-stayed-chosen")


def make_a_game(page: Any, served: Served) -> None:
    """The game that docs/make-your-own-game.md makes."""
    open_form(page, served)
    make_our_farkle(page)
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    take(page, "7-own-game")
    page.locator('[data-act="save"]').click()
    page.wait_for_url("**/g/*")
    take(page, "8-shared-game")


def connect_a_program(page: Any, served: Served) -> None:
    """As docs/at-home.md does it."""
    visit(page, start_table(page, served.base, "ones-and-fives", "Ada", "Bob"))
    open_entry(page, "programs")
    page.locator("#program-name").fill("Lamp")
    page.evaluate("document.activeElement.blur()")
    take(page, "9-connect")
    page.locator('[data-act="program-connect"]').click()
    page.wait_for_selector("#secret")
    take(page, "10-token")


def take_board(page: Any, table: str) -> None:
    """The big board, as a tablet shows it."""
    other = page.context.browser.new_context(viewport=BOARD, device_scale_factor=1, locale="en-GB")
    board = other.new_page()
    board.goto(f"{table}/board")
    ready(board)
    take(board, "5-board")
    other.close()


if __name__ == "__main__":
    main()
