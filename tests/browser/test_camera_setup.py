"""A phone is made the table's camera: it is led over the warning, permission, stand, height and a test throw."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ARGUMENTS, CHROMIUM, OUT, PATIENCE_MS, PHONE, SETTINGS
from tests.browser.playing import PICTURES, ready, set_text_size, start_table, state
from tests.browser.test_every_page import BEYOND, CUT_OFF
from tests.web.served import UNPREPARED, Served

SIZE = (800, 600)
RATE = 30  # pictures a second, as Chromium shows them
NOTE_TOLD = """() => {
  window.words = [];
  new MutationObserver(() => {
    const told = document.querySelector(".told")?.textContent.trim();
    if (told && window.words.at(-1) !== told) window.words.push(told);
  }).observe(document.querySelector("main"), { subtree: true, childList: true, characterData: true });
}"""
SCROLLED = "document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """JPEGs one after the other, again and again: an empty table, dice that are far, a die that rolls, and dice that
    are near."""
    near = cv2.resize(cv2.imread(str(PICTURES / "throw-113466.jpg")), SIZE)
    small = cv2.resize(near, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)
    far = cv2.copyMakeBorder(small, 180, 180, 240, 240, cv2.BORDER_REPLICATE)
    empty = np.full_like(near, 110)
    path = tmp_path_factory.mktemp("film") / "film.mjpeg"
    with path.open("wb") as out:
        out.write(_coded(empty) * (RATE * 4) + _coded(far) * (RATE * 6))
        for number in range(RATE * 2):
            picture = empty.copy()
            left = 200 + 20 * (number % 20)
            picture[300:420, left : left + 120] = (240, 240, 240)
            out.write(_coded(picture))
        out.write(_coded(near) * (RATE * 8))
    return path


def _coded(picture: Any) -> bytes:
    return bytes(cv2.imencode(".jpg", picture)[1].tobytes())


@pytest.fixture
def camera_phone(chromium: Any, film: Path) -> Iterator[Callable[..., Any]]:
    """Makes phones whose camera shows the film."""
    own = chromium.browser_type.launch(
        executable_path=CHROMIUM,
        args=[*ARGUMENTS, f"--use-file-for-fake-video-capture={film}"],
        timeout=PATIENCE_MS,
    )

    def make(**options: Any) -> Any:
        page = own.new_context(**{**SETTINGS, **options}).new_page()
        page.set_default_timeout(PATIENCE_MS)
        return page

    yield make
    own.close()


def picture(page: Any, name: str) -> None:
    folder = OUT / "camera-setup"
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=str(folder / f"{name}.png"), full_page=True)


def open_setup(page: Any) -> None:
    """Opens the page from the table's menu."""
    page.locator('header [data-act="menu"]').click()
    page.locator('#panel a[href$="/camera"]').click()
    ready(page)


def test_a_phone_is_led_from_the_menu_to_its_first_throw(served: Served, camera_phone: Callable[..., Any]) -> None:
    page = camera_phone()
    table = start_table(page, served.base, "sequence", "Ada", "Bob")
    before = state(page)
    open_setup(page)
    page.evaluate(NOTE_TOLD)
    expect(page.locator("li[aria-current='step']")).to_have_attribute("id", "step-2")
    picture(page, "permission")
    if page.locator('[data-act="ask"]').count():  # else the browser had given the permission before
        page.locator('[data-act="ask"]').click()
    page.locator("#step-4 video, #step-5 video").wait_for()
    page.wait_for_function("() => document.getElementById('live').videoWidth > 0")
    page.wait_for_function("() => window.words.some((told) => told === 'Come 10 cm closer.')")
    picture(page, "height")
    page.locator("#step-5[aria-current] .thrown").wait_for()
    assert page.locator(".thrown svg, .thrown .die").count() >= 6
    picture(page, "thrown")
    assert any(told in ("The height is good. Now throw the dice.", "That is what was seen.") for told in words(page))
    page.evaluate("base => { window.base = base; }", table)
    shown = page.evaluate("async () => (await fetch(`${window.base}/state`)).json()")
    assert (shown["version"], shown["watched"], shown["pending"]) == (before["version"], None, None), "nothing is told"
    page.locator("#begin a").click()
    page.wait_for_selector('[data-key="stand"]')
    assert page.evaluate("location.hash") == ""
    page.wait_for_function("async () => (await (await fetch(`${location.pathname}/state`)).json()).watched?.stand")


def words(page: Any) -> list[str]:
    return list(page.evaluate("window.words"))
