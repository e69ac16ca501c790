"""Taps and seconds from a photo of a throw to what it scored, for every game: `pytest benchmarks/bench_taps.py`.

Figures: docs/benchmarks.md. Three taps are never seen here: "Photograph", and the two of the phone's camera, shutter
and "use it". Seconds run from the moment at which the browser hands over the file until the sheet shows the score; what
is tapped between is tapped at once, so they are what a person waits for the machine.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.conftest import ARGUMENTS, CHROMIUM, PHONE
from tests.browser.games import import_record
from tests.browser.playing import photograph, ready, wait_for_version
from tests.web.served import Served

CAMERA = 3
CONFIRMED, CHOSEN = 4, 5  # taps: nothing to choose; and where the player chooses
SIX, FIVE, TWO = "throw-122333.jpg", "throw-12345.jpg", "throw-15.jpg"
CONFIRM = '[data-act="review-confirm"]'
WRITE = "nav.actions .primary:not(.photograph)"
BEST = ".choices .choice"
ANOTHER = "#panel .offers li:nth-child(2) button"  # not the one that brings most
CELL = '#panel [data-act="knaster-cell"]'
Action = dict[str, Any]


def throw(*dice: int) -> Action:
    return {"do": "throw", "dice": list(dice)}


LAST = [throw(1, 1, 2, 3, 6), {"do": "keep", "dice": []}] * 2  # before the third throw of a turn of five dice
LAST_OF_SIX = [throw(1, 1, 2, 3, 5, 6), {"do": "keep", "dice": []}] * 2
# Game, what was played before, photo, what is tapped after it, and how many taps that makes with the camera's.
THROWS: list[tuple[str, list[Action], str, list[str], int]] = [
    ("ones-and-fives", [], SIX, [CONFIRM, BEST], CHOSEN),
    ("six-dice", [], SIX, [CONFIRM], CONFIRMED),
    ("drapky", LAST_OF_SIX, SIX, [CONFIRM, WRITE], CHOSEN),
    ("sequence", [], SIX, [CONFIRM], CONFIRMED),
    ("forbidden-numbers", [throw(1, 6)], SIX, [CONFIRM], CONFIRMED),
    ("kosci-single", LAST, FIVE, [CONFIRM, WRITE], CHOSEN),
    ("kosci-triple", LAST, FIVE, [CONFIRM, WRITE], CHOSEN),
    ("kosci", LAST, FIVE, [CONFIRM, WRITE], CHOSEN),
    ("knaster", [], TWO, [CELL, CONFIRM], CHOSEN),
    ("yahtzee", LAST, FIVE, [CONFIRM, WRITE], CHOSEN),
    ("yahtzee", [], FIVE, [ANOTHER, CONFIRM], CHOSEN),
    ("kosci-triple", LAST, FIVE, [ANOTHER, CONFIRM], CHOSEN),
    ("drapky", [], SIX, [ANOTHER, CONFIRM], CHOSEN),
    ("yatzy", LAST, FIVE, [CONFIRM, WRITE], CHOSEN),
    ("farkle", [], SIX, [CONFIRM, BEST], CHOSEN),
    ("zilch", [], SIX, [CONFIRM, BEST], CHOSEN),
]

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (Debian: apt install chromium)")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served") / "data") as served:
        yield served


@pytest.fixture
def page() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True).new_page()
        page.set_default_timeout(60_000)
        yield page
        browser.close()


def at_a_table(page: Any, served: Served, game: str, before: list[Action]) -> int:
    """Opens a table at which this was played; returns its version."""
    page.goto(
        import_record(page, served.base, {"format": 1, "game": game, "players": ["Ada", "Bob"], "actions": before})
    )
    ready(page)
    return int(page.evaluate("document.body.dataset.version"))


@pytest.mark.parametrize(("game", "before", "photo", "taps", "most"), THROWS)
def test_from_photo_to_scored(
    served: Served, page: Any, game: str, before: list[Action], photo: str, taps: list[str], most: int, capsys: Any
) -> None:
    version = at_a_table(page, served, game, before)
    start = time.monotonic()
    photograph(page, photo)
    read = time.monotonic() - start
    for selector in taps:
        page.locator(selector).first.click()
    wait_for_version(page, version + min(2, len(taps)))  # the throw, and what was chosen
    seconds = time.monotonic() - start
    with capsys.disabled():
        print(
            f"\n{game}, after {len(before)} actions: {CAMERA + len(taps)} taps, {read:.2f} s to read, {seconds:.2f} s"
        )
    assert CAMERA + len(taps) == most


def test_six_dice_by_hand(served: Served, page: Any, capsys: Any) -> None:
    """The keys stand on the page before a turn's first throw, also on a phone that has told none by hand yet."""
    version = at_a_table(page, served, "six-dice", [])
    counts = []
    for _ in range(2):
        first, *others = (2, 2, 3, 3, 4, 6)  # a bust: the next one throws six
        keys = [f'[data-act="pad-key"][data-arg="{value}"]' for value in others]
        taps = [f'[data-act="pad-first"][data-arg="{first}"]', *keys, '[data-act="pad-confirm"]']
        start = time.monotonic()
        for selector in taps:
            page.locator(selector).click()
        version += 1
        wait_for_version(page, version)
        counts.append((len(taps), round(time.monotonic() - start, 2)))
    with capsys.disabled():
        print(f"\nsix dice by hand, taps and seconds: {counts}")
    assert [taps for taps, _ in counts] == [7, 7]
