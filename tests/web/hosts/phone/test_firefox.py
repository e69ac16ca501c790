"""The site of a phone alone in Firefox: a game that outlives the browser, and a guest of a phone with Chromium."""

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.playing import PICTURES, tap_throw
from tests.browser.webdriver import BrowserError, Page, browser, missing
from tests.web.hosts.phone.conftest import Installed, StaticServer, kill_processes, later_files
from tests.web.hosts.phone.test_guests import PLACES, invitation_of
from tests.web.hosts.phone.test_site import start_game

pytestmark = [pytest.mark.whole, pytest.mark.browser]

ANSWER = 'document.querySelector("#phones textarea[readonly]")?.value'
# Whether all of these files are kept.
KEPT = "Promise.all(%s.map((name) => caches.match(new URL(name, location.href)))).then((all) => all.every(Boolean))"


@contextlib.contextmanager
def firefox(home: Path) -> Iterator[Page]:
    why = missing("firefox")
    if why is not None:
        pytest.skip(why)
    with contextlib.ExitStack() as ending:
        try:
            page = ending.enter_context(browser("firefox", home))
        except (OSError, BrowserError) as error:
            pytest.skip(f"Firefox does not start on this machine: {error}")
        yield page


def enter(page: Page) -> None:
    """Goes on in the application's page, when its script runs."""
    page.wait("document.body.dataset.ready && !document.querySelector('#frame').hidden")
    page.enter("#frame")
    page.wait("document.body.dataset.ready")


def version(page: Page, number: int) -> None:
    page.wait(f"document.body.dataset.version === '{number}' && !document.querySelector('dialog[open]')")


def test_a_game_without_a_network_outlives_the_browser(
    site: Path, tmp_path: Path, serve: Callable[..., StaticServer]
) -> None:
    server = serve(site)
    with firefox(tmp_path / "home") as page:
        page.open(f"{server.url}#/")
        enter(page)
        page.wait(KEPT % json.dumps(later_files(site)))
        server.stop()
        page.tap('label.game:has([value="ones-and-fives"])')
        page.type("#seats li:first-child input", "Ada")
        page.type("#seats li:nth-child(2) input", "Bob")
        page.tap("#new-table button.primary")
        page.wait("location.pathname.includes('/tables/') && document.body.dataset.ready")
        page.type("#photo", str(PICTURES / "throw-113466.jpg"))
        page.wait("document.querySelectorAll('.reading-row button').length === 6")
        page.tap("#panel .choices .choice")
        version(page, 2)
        page.driver.enter(None)
        address = page.driver.script("location.href")
        kill_processes(str(tmp_path / "home"))
    with firefox(tmp_path / "home") as page:
        page.open(address)
        enter(page)
        version(page, 2)
        assert "200" in page.driver.script("document.body.innerText")


def test_a_guest_plays_at_the_table_of_another_phone(tmp_path: Path, installed: Installed) -> None:
    server, chromium = installed()
    host = chromium.show(server.url)
    if not host.evaluate(PLACES):
        pytest.skip("this machine is in no network: the browser has no address for other phones")
    table = start_game(host, "Ada", "Bob")
    panel = invitation_of(host)
    with firefox(tmp_path / "home") as guest:
        guest.open(f"{server.url}#join")
        guest.tap("#phones details summary")
        guest.type("#phones textarea", panel.locator("textarea[readonly]").input_value())
        guest.tap("#phones form button")
        guest.wait(ANSWER)
        scanned = chromium.context.new_page()
        scanned.goto(guest.driver.script(ANSWER))
        scanned.get_by_text("has the answer").wait_for()
        guest.wait("!document.querySelector('#phones[open]')")
        enter(guest)
        panel.get_by_role("button", name="Close").click()
        tap_throw(table, 1, 1, 1, 5, 2, 3)
        version(guest, 1)
        guest.tap(".choices .choice")
        table.locator('body[data-version="2"]').wait_for()
