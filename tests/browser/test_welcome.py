"""The page of the first start in a browser of the serving computer."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import NewPhone
from tests.browser.playing import start_by_hand
from tests.browser.test_every_page import BEYOND, CUT_OFF, Gallery, in_each_language
from tests.browser.test_within_reach import Ruler
from tests.web.served import UNPREPARED, Served
from web.hosts.laptop.this_machine import running_address

PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1366, "height": 768}


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Served]:
    """A server that opens its page in a browser that does nothing."""
    arguments = ["--open", "--host", "0.0.0.0"]  # its page has a QR code where this machine is in a network
    with Served(tmp_path / "data", arguments=arguments, environment={"BROWSER": "true"}, program=UNPREPARED) as server:
        yield server


def open_welcome(page: Any, server: Served, query: str = "") -> None:
    """Opens the page as Rollcall opens it: with a token that is used once."""
    found = running_address(server.data)
    page.goto(found[1])
    assert page.url == f"{server.base.replace('127.0.0.1', 'localhost')}/welcome", "no token stays in the address"
    if query:
        page.goto(page.url + query)


def test_a_copy_is_saved_and_brought_and_the_program_ended(opened: Served, new_phone: NewPhone, tmp_path: Path) -> None:
    page = new_phone(viewport=LAPTOP, is_mobile=False)
    start_by_hand(page, opened.base, "farkle", "Ada", "Bob")
    open_welcome(page, opened)
    page.locator("#copies > summary").click()
    with page.expect_download() as download:
        page.locator('form[action="/welcome/copy"] button').click()
    copy = tmp_path / download.value.suggested_filename
    download.value.save_as(copy)
    page.locator('[name="copy"]').set_input_files(copy)
    page.wait_for_selector("#copies .notice")
    assert "1 was here already." in page.locator("#copies .notice").inner_text()
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear grandma")
    page.locator('[name="copy"]').set_input_files(letter)
    page.wait_for_selector(".big-message")
    open_welcome(page, opened)
    page.locator("summary", has_text="End Rollcall").click()
    page.locator('form[action="/welcome/end"] button').click()
    page.wait_for_selector("text=Rollcall has ended")
    assert opened.process.wait(60) == 0


@in_each_language
def test_the_page_is_sound(opened: Served, new_phone: NewPhone, language: str) -> None:
    page = new_phone(locale=language)
    gallery = Gallery(page, language)
    page.goto(f"{opened.base}/welcome")
    assert "Rollcall" in page.locator("h1").inner_text()
    gallery.take("welcome-not-opened")  # it says how
    for name, viewport in {"welcome": LAPTOP, "welcome-small": PHONE}.items():
        page.set_viewport_size(viewport)
        open_welcome(page, opened)
        gallery.take(name)
        open_all(page)
        gallery.take(f"{name}-open")
    refuse_copy(page, opened)
    gallery.take("welcome-refused")
    open_welcome(page, opened, "?came=2&here=5&deleted=1")
    gallery.take("welcome-brought")
    open_all(page)
    page.locator('form[action="/welcome/end"] button').click()
    page.wait_for_selector("body:not(.welcome) h1")
    gallery.take("welcome-ended")
    assert gallery.wrong == []


def test_the_page_is_within_reach(opened: Served, ruler: Ruler) -> None:
    page = ruler.page
    open_welcome(page, opened, "?came=2&here=5&deleted=1")
    open_all(page)
    ruler.measure("welcome")
    assert page.evaluate(BEYOND) == []
    assert page.evaluate(CUT_OFF) == []
    page.locator('form[action="/welcome/end"] button').click()
    page.wait_for_selector("body:not(.welcome) h1")
    ruler.measure("welcome-ended")
    assert not ruler.wrong, "\n" + "\n".join(ruler.wrong)


def open_all(page: Any) -> None:
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")


def refuse_copy(page: Any, opened: Served) -> None:
    """Brings what is no copy."""
    open_welcome(page, opened)
    open_all(page)
    page.locator('[name="copy"]').set_input_files(
        {"name": "a.txt", "mimeType": "text/plain", "buffer": b"Dear grandma"}
    )
    page.wait_for_selector(".big-message")
