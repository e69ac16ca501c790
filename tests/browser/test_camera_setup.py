"""A phone is made the table's camera: it is led over the warning, permission, stand, height and a test throw."""

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ARGUMENTS, CHROMIUM, PATIENCE_MS, SETTINGS, NewPhone
from tests.browser.playing import PICTURES, ready, start_table, state, visit
from tests.browser.test_every_page import BEYOND, CUT_OFF, TOO_SMALL, findings
from tests.web.phones import api_of
from tests.web.served import Served, new_table
from tests.web.waiting import wait_until

NAME = (
    f"{socket.gethostname().lower().split('.')[0]}.local"  # the server answers to it, and it is not this machine's own
)
SIZE = (800, 600)
RATE = 30  # pictures a second, as Chromium shows them
NOTE_TOLD = """() => {
  window.words = [];
  new MutationObserver(() => {
    const told = document.querySelector(".told")?.textContent.trim();
    if (told && window.words.at(-1) !== told) window.words.push(told);
  }).observe(document.querySelector("main"), { subtree: true, childList: true, characterData: true });
}"""
FITS = "document.documentElement.scrollWidth <= innerWidth"
CURRENT = "li[aria-current='step']"


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """JPEGs one after the other, again and again: an empty table, dice that are far, a die that rolls, and another
    throw that is near."""
    before, near = (cv2.resize(cv2.imread(str(PICTURES / f"throw-{dice}.jpg")), SIZE) for dice in (113466, 112455))
    small = cv2.resize(before, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)
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
        args=[*ARGUMENTS, f"--use-file-for-fake-video-capture={film}", f"--host-resolver-rules=MAP {NAME} 127.0.0.1"],
        timeout=PATIENCE_MS,
    )

    def make(**options: Any) -> Any:
        page = own.new_context(**{**SETTINGS, **options}).new_page()
        page.set_default_timeout(PATIENCE_MS)
        return page

    yield make
    own.close()


def open_setup(page: Any) -> None:
    """Opens the page from the table's menu."""
    page.locator('header [data-act="menu"]').click()
    page.locator("#panel .more > summary").click()
    page.locator('#panel a[href$="/camera"]').click()
    ready(page)


def test_a_phone_is_led_from_the_menu_to_its_first_throw(served: Served, camera_phone: NewPhone) -> None:
    page = camera_phone()
    table = start_table(page, served.base, "sequence", "Ada", "Bob")
    before = state(page)
    open_setup(page)
    ask(page)
    page.locator("#step-4 video, #step-5 video").wait_for()
    page.wait_for_function("() => document.getElementById('live').videoWidth > 0")
    page.wait_for_function("() => window.words.some((told) => told === 'Come 10 cm closer.')")
    page.locator("#step-5[aria-current] .thrown").wait_for()
    assert page.locator(".thrown svg, .thrown .die").count() >= 6
    assert {"The height is good. Now throw the dice.", "That is what was seen."} & set(page.evaluate("window.words"))
    page.evaluate("base => { window.base = base; }", api_of(table))
    shown = page.evaluate("async () => (await fetch(window.base)).json()")
    assert (shown["version"], shown["watched"], shown["pending"]) == (before["version"], None, None), "nothing is told"
    page.locator("#begin a").click()
    page.wait_for_selector('[data-key="stand"]')
    assert page.evaluate("location.hash") == ""
    wait_until(lambda: (state(page)["watched"] or {}).get("stand"))


def test_over_plain_http_it_shows_the_warning_and_leads_to_https(secure: Served, camera_phone: NewPhone) -> None:
    page = camera_phone(ignore_https_errors=True)
    path = new_table(secure)
    page.goto(f"http://{NAME}:{secure.port}{path}/camera")
    expect(page.locator("h1")).to_have_text("Use this phone as the camera")
    for browser, first in (("chrome", "Advanced"), ("firefox", "Advanced…"), ("safari", "Show Details")):
        page.locator('[name="browser"]').select_option(browser)
        page.wait_for_url(f"**/camera?browser={browser}")
        expect(page.locator("figcaption li").first).to_have_text(f"Tap “{first}”.")
    assert findings(page) == []
    page.get_by_role("link", name="Open this page over https").click()
    page.wait_for_url(f"https://{NAME}:{secure.port}{path}/camera")
    ready(page)
    ask(page)
    page.wait_for_function("() => window.words.some((told) => told === 'Come 10 cm closer.')")


def ask(page: Any) -> None:
    """Asks for the camera, unless the browser had given it before."""
    page.evaluate(NOTE_TOLD)
    page.evaluate("document.querySelector('[data-act=ask]')?.focus()")
    page.keyboard.press("Enter")
    page.locator("#step-2 .step-done").wait_for()


def test_without_https_it_says_what_to_start_and_the_rest_can_be_read(served: Served, camera_phone: NewPhone) -> None:
    page = camera_phone()
    visit(page, f"http://{NAME}:{served.port}{new_table(served)}")
    open_setup(page)
    expect(page.locator(CURRENT)).to_have_attribute("id", "step-1")
    expect(page.locator(f"{CURRENT} strong").first).to_have_text(
        "Whoever runs the server must start it so: rollcall serve --https"
    )
    expect(page.locator("main button")).to_have_count(0)
    page.locator("#step-3 summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".stand-drawing")).to_be_visible()


NOT_LENT = {
    "NotAllowedError": "The browser does not let this page use the camera. Tap the sign left of the address",
    "NotFoundError": "The browser finds no camera here.",
    "NotReadableError": "Another app holds the camera.",
    "AbortError": "The camera could not be started.",
}


def test_a_camera_that_is_not_lent_is_told_with_what_to_do(served: Served, page: Any) -> None:
    # What no browser does on demand.
    page.add_init_script(
        """const lend = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
        navigator.permissions.query = async () => ({ state: "prompt" });
        navigator.mediaDevices.getUserMedia = async (wanted) => {
          if (!window.fault) return lend(wanted);
          throw new DOMException("", window.fault);
        };"""
    )
    start_table(page, served.base, "sequence", "Ada", "Bob")
    open_setup(page)
    for error, words in NOT_LENT.items():
        page.evaluate("(error) => { window.fault = error; }", error)
        page.locator('[data-act="ask"]').click()
        expect(page.locator("#permission [role=alert]")).to_contain_text(words)
    page.evaluate("() => { window.fault = null; }")
    page.locator('[data-act="ask"]').click()
    expect(page.locator(CURRENT)).not_to_have_attribute("id", "step-2")


def test_a_lost_connection_and_a_lost_camera_are_told_and_it_goes_on(served: Served, camera_phone: NewPhone) -> None:
    page = camera_phone()
    start_table(page, served.base, "sequence", "Ada", "Bob")
    open_setup(page)
    ask(page)
    if page.locator('[data-act="stands"]').count():
        page.locator('[data-act="stands"]').click()
    page.locator("#live").wait_for()
    page.context.set_offline(True)
    expect(page.locator(".told")).to_have_text("No connection. It goes on as soon as the phone is back.")
    page.context.set_offline(False)
    expect(page.locator(".told")).not_to_have_text("No connection. It goes on as soon as the phone is back.")
    page.evaluate("document.getElementById('live').srcObject.getTracks()[0].dispatchEvent(new Event('ended'))")
    expect(page.locator("#permission [role=alert]")).to_have_text("This phone's camera has stopped.")
    expect(page.locator(CURRENT)).to_have_attribute("id", "step-2")
    page.locator('[data-act="ask"]').click()
    expect(page.locator(CURRENT)).not_to_have_attribute("id", "step-2")


def sound(page: Any) -> None:
    assert page.evaluate(FITS), page.evaluate(BEYOND)
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate(TOO_SMALL) == []
    assert findings(page) == []
