"""A phone at the table of another phone: two browsers, with no server between them that knows of either."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.playing import tap_throw
from tests.web.hosts.phone.conftest import PhoneBrowser, StaticServer, page_of
from tests.web.hosts.phone.test_site import start_game

pytestmark = [pytest.mark.whole, pytest.mark.alone]


def invitation_of(host: Any) -> Any:
    """Opens the invitation in the host's tab. Returns its panel."""
    page_of(host).locator('[data-act="invite"]').first.click()
    panel = host.locator("#phones")
    panel.locator("canvas:not([hidden])").wait_for()
    panel.get_by_text("Without a camera").click()
    return panel


def join(guest: Any, panel: Any) -> None:
    """Brings the guest's tab, which asks for an invitation, to the table of the host's panel, by texts."""
    asking = guest.locator("#phones")
    asking.get_by_text("Without a camera").click()
    asking.locator("textarea").fill(panel.locator("textarea[readonly]").input_value())
    asking.get_by_role("button", name="Use it").click()
    asking.locator("canvas:not([hidden])").wait_for()
    panel.locator("textarea:not([readonly])").fill(asking.locator("textarea[readonly]").input_value())
    panel.get_by_role("button", name="Use it").click()
    guest.wait_for_selector("#phones:not([open])", state="attached")


def test_a_guest_plays_at_the_table_of_another_phone(
    site: Path, serve: Callable[..., StaticServer], new_browser: Callable[[], PhoneBrowser]
) -> None:
    server, other = serve(site), serve(site)  # each phone has the site from where it likes
    host = new_browser().show(server.url)
    table = start_game(host, "Ada", "Bob")
    panel = invitation_of(host)
    browser = new_browser()
    guest = browser.context.new_page()
    guest.goto(f"{other.url}#join")
    guest.wait_for_selector("#phones[open]")
    join(guest, panel)
    page = page_of(guest)
    panel.get_by_text("Guest 1").wait_for()
    panel.get_by_role("button", name="Close").click()
    tap_throw(page, 1, 1, 1, 5, 2, 3)
    page.locator('.choices .choice, [data-act="act"]').first.click()
    page.get_by_role("button", name="Bank 1,050", exact=True).click()
    table.locator("text=1,050").first.wait_for()  # live, by the stream of the host's own page
    tap_throw(table, 2, 2, 3, 3, 4, 6)
    page.locator("text=Ada plays").first.wait_for()  # live, over the channel
