"""A phone on a stand watches the table: small frames travel while something changes, and one full picture of a rest."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ARGUMENTS, CHROMIUM, PATIENCE_MS, SETTINGS, NewPhone
from tests.browser.playing import PICTURES, start_table, tap_throw, wait_for_toast
from tests.browser.test_watching import NOTE_WORDS
from tests.web.served import UNPREPARED, Served

SIZE = (800, 600)
# How wide the picture was that the board showed last of what the camera saw.
NOTE_LIVE = """document.addEventListener("load",
  ({ target }) => target.id === "board-live" && (window.live = target.naturalWidth), true);"""
RATE = 30  # pictures a second, as Chromium shows them
DARK_S, EMPTY_S, HAND_S, ROLL_S, DICE_S = 2, 3, 4, 4, 100


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """JPEGs one after the other: a camera that is dark yet, an empty table, a hand that reaches over it, a die that
    rolls, then six dice that lie there."""
    dice = cv2.resize(cv2.imread(str(PICTURES / "throw-113466.jpg")), SIZE)
    empty = np.full_like(dice, 110)
    path = tmp_path / "film.mjpeg"
    with path.open("wb") as film:
        film.write(_encode(np.full_like(dice, 5)) * (RATE * DARK_S) + _encode(empty) * (RATE * EMPTY_S))
        for number in range(RATE * HAND_S):
            picture = empty.copy()
            picture[150:600, : 300 + 40 * (number % 15)] = (50, 60, 90)
            film.write(_encode(picture))
        for number in range(RATE * ROLL_S):
            picture = empty.copy()
            left = 200 + 20 * (number % 20)
            picture[300:420, left : left + 120] = (240, 240, 240)
            film.write(_encode(picture))
        film.write(_encode(dice) * (RATE * DICE_S))
    return path


def _encode(picture: Any) -> bytes:
    return bytes(cv2.imencode(".jpg", picture)[1].tobytes())


@pytest.mark.alone
def test_a_phone_on_a_stand_is_the_tables_camera(
    chromium: Any, served: Served, film: Path, new_phone: NewPhone
) -> None:
    own = chromium.browser_type.launch(
        executable_path=CHROMIUM,
        args=[*ARGUMENTS, f"--use-file-for-fake-video-capture={film}"],
        timeout=PATIENCE_MS,
    )
    try:
        page = own.new_context(**SETTINGS).new_page()
        page.set_default_timeout(PATIENCE_MS)
        sent: list[tuple[str, int]] = []
        page.on("request", lambda request: sent.append((urlsplit(request.url).path.rsplit("/")[-1], size(request))))
        start_table(page, served.base, "sequence", "Ada", "Bob")
        other = new_phone()
        other.goto(page.url)
        board = new_phone(viewport={"width": 1280, "height": 720}, is_mobile=False)
        board.add_init_script(NOTE_LIVE)
        board.goto(f"{page.url}/board")
        page.evaluate(NOTE_WORDS)
        page.locator('nav.actions [data-act="live"]').click()
        page.locator('[data-act="stand-begin"]').click()
        page.wait_for_selector('[data-key="stand"]')
        page.wait_for_function(
            """() => {
              const live = document.getElementById("stand-live");
              return live.videoWidth > 0 && !live.paused && live.muted;
            }"""
        )
        page.wait_for_function("() => window.words.includes('No dice')")
        page.wait_for_selector('[data-act="watch-choose"]')
        expect(page.locator(".stand-view .seen")).to_have_count(6)
        words = page.evaluate("window.words")
        wanted = ["It is too dark to see the dice.", "Hand in the picture", "Rolling …", "6 dice"]
        assert [word for word in words if word in wanted][-3:] == wanted[1:], words
        assert [name for name, _ in sent].count("rest") == 1, "the full picture of the dice at rest"
        other.wait_for_selector('[data-act="watch-choose"]')
        board.locator(".photo-shown svg").wait_for()
        assert board.evaluate("window.live") > 0, "what the camera saw, until the dice lay there"
        page.locator('[data-act="watch-choose"]').first.click()
        page.wait_for_selector('body[data-version="1"]')
        before = len(sent)
        while ("frames", 0) not in sent[before:]:  # the first sign of life, once the server has seen the dice lie there
            page.wait_for_timeout(100)
        before = len(sent)
        page.wait_for_timeout(3000)
        assert all(bytes == 0 for name, bytes in sent[before:] if name == "frames"), "the dice lie there still"
        expect(page.locator('[data-act="watch-choose"]')).to_have_count(0)
        page.locator('[data-act="stand-stop"]').click()
        page.wait_for_selector('[data-key="stand"]', state="detached")
        expect(board.locator(".board-live")).to_have_count(0)
    finally:
        own.close()


def size(request: Any) -> int:
    """The bytes of a request's body."""
    return len(request.post_data_buffer or b"")


def on_a_stand(served: Served, new_phone: NewPhone, **settings: Any) -> Any:
    """A phone that watches, and shows what its camera sees."""
    page = new_phone(**settings)
    start_table(page, served.base, "sequence", "Ada", "Bob")
    page.locator('nav.actions [data-act="live"]').click()
    page.locator('[data-act="stand-begin"]').click()
    page.wait_for_function("() => document.getElementById('stand-live')?.videoWidth > 0")
    return page


def test_a_camera_that_stops_is_told_and_the_rest_goes_on(served: Served, new_phone: NewPhone) -> None:
    page = on_a_stand(served, new_phone)
    page.evaluate("document.getElementById('stand-live').srcObject.getTracks()[0].dispatchEvent(new Event('ended'))")
    page.wait_for_selector('[data-key="stand"]', state="detached")
    wait_for_toast(page, "camera has stopped")
    tap_throw(page, 1, 2, 3, 4, 5, 6)
    page.wait_for_selector('body[data-version="1"]')


def test_a_phone_that_slept_says_so_and_watches_on(served: Served, new_phone: NewPhone) -> None:
    page = on_a_stand(served, new_phone)
    for hidden in ("true", "false"):
        page.evaluate(
            f"""() => {{
              Object.defineProperty(document, "hidden", {{ configurable: true, get: () => {hidden} }});
              document.dispatchEvent(new Event("visibilitychange"));
            }}"""
        )
    wait_for_toast(page, "asleep")
    page.wait_for_selector('[data-key="stand"]')


def test_sideways_both_buttons_under_the_live_picture_are_seen(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(viewport={"width": 844, "height": 390})
    start_table(page, served.base, "sequence", "Ada", "Bob")
    page.locator('nav.actions [data-act="live"]').click()
    page.wait_for_function("() => document.getElementById('live')?.videoWidth > 0")
    page.wait_for_function(
        """() => [...document.querySelectorAll(".panel .row button")].every(
          (button) => button.getBoundingClientRect().bottom <= innerHeight,
        )"""
    )


def test_over_https_it_goes_on_by_itself_after_a_restart_of_the_server(tmp_path: Path, new_phone: NewPhone) -> None:
    with Served(tmp_path / "data", https=True, program=UNPREPARED) as server:
        page = on_a_stand(server, new_phone, ignore_https_errors=True)
        page.wait_for_selector('[data-key="watched"] .state')
        server.kill()
        trouble = page.locator('[data-key="stand"] .asked')
        expect(trouble).to_have_text("No connection. This phone watches again as soon as it is back.")
        server.start()
        expect(trouble).to_have_count(0)
        page.wait_for_function(
            "async () => (await (await fetch(`/api/v1${location.pathname}`)).json()).watched?.stand", polling=500
        )


def test_who_stops_it_elsewhere_and_who_is_second_is_told(served: Served, new_phone: NewPhone) -> None:
    page = on_a_stand(served, new_phone)
    other = new_phone()
    other.goto(page.url)
    other.locator('nav.actions [data-act="live"]').click()
    other.locator('[data-act="stand-begin"]').click()
    wait_for_toast(other, "watches this table already")
    expect(other.locator('[data-key="stand"]')).to_have_count(0)
    other.locator('[data-act="watch-picture"]').click()
    other.wait_for_function("() => document.getElementById('watch-live')?.naturalWidth > 0")
    other.locator('[data-act="watch-stop"]').click()
    page.wait_for_selector('[data-key="stand"]', state="detached")
    wait_for_toast(page, "stopped on another phone")
