"""A phone on a stand watches the dice: its frames stay on it, and one picture travels once a throw has come to rest."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.browser.conftest import ARGUMENTS, CHROMIUM, OUT, PATIENCE_MS, SETTINGS
from tests.browser.playing import PICTURES, start_table, values
from tests.web.served import Served

SIZE = (960, 720)
RATE = 30  # pictures a second, as Chromium shows them
EMPTY_S, HAND_S, DICE_S = 3, 2, 60


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """JPEGs one after the other: an empty table, something that moves over it, then six dice that lie there."""
    dice = cv2.resize(cv2.imread(str(PICTURES / "throw-113466.jpg")), SIZE)
    empty = np.full_like(dice, 110)
    path = tmp_path / "film.mjpeg"
    with path.open("wb") as film:
        for number in range(RATE * (EMPTY_S + HAND_S)):
            picture = empty.copy()
            if number >= RATE * EMPTY_S:
                left = 40 * (number % 15)
                picture[150:600, left : left + 300] = (50, 60, 90)
            film.write(_coded(picture))
        film.write(_coded(dice) * (RATE * DICE_S))
    return path


def _coded(picture: Any) -> bytes:
    return bytes(cv2.imencode(".jpg", picture)[1].tobytes())


def test_a_phone_on_a_stand_sends_one_picture_of_what_rests(
    chromium: Any, served: Served, film: Path, new_phone: Callable[..., Any]
) -> None:
    own = chromium.browser_type.launch(
        executable_path=CHROMIUM,
        args=[*ARGUMENTS, f"--use-file-for-fake-video-capture={film}"],
        timeout=PATIENCE_MS,
    )
    try:
        page = own.new_context(**SETTINGS).new_page()
        page.set_default_timeout(PATIENCE_MS)
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/photos") else None)
        start_table(page, served.base, "sequence", "Ada", "Bob")
        other = new_phone()
        other.goto(page.url)
        page.locator('nav.actions [data-act="live"]').click()
        page.locator("#stand").click()
        page.wait_for_selector('[data-key="stand"]')
        assert sent == [], "nothing has come to rest yet"
        OUT.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(OUT / "stand.png"))
        page.wait_for_selector("#review-photo")
        assert sorted(values(page)) == [1, 1, 3, 4, 6, 6]
        other.wait_for_selector('[data-act="review"]')
        page.locator('[data-act="review-confirm"]').click()
        page.wait_for_selector('body[data-version="1"]')
        page.wait_for_timeout(1500)
        assert len(sent) == 1, "the dice that were told lie there still"
        page.locator('[data-act="stand-stop"]').click()
        page.wait_for_selector('[data-key="stand"]', state="detached")
    finally:
        own.close()


def test_sideways_both_buttons_under_the_live_picture_are_seen(served: Served, new_phone: Callable[..., Any]) -> None:
    page = new_phone(viewport={"width": 844, "height": 390})
    start_table(page, served.base, "sequence", "Ada", "Bob")
    page.locator('nav.actions [data-act="live"]').click()
    page.wait_for_function("() => document.getElementById('live')?.videoWidth > 0")
    OUT.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=str(OUT / "stand-sideways.png"))
    page.wait_for_function(
        """() => [...document.querySelectorAll("#stand, #shutter")].every(
          (button) => button.getBoundingClientRect().bottom <= innerHeight,
        )"""
    )
