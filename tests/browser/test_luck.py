"""Was it luck? One tap away when the game is over, and in the menu while it runs."""

from typing import Any

from tests.browser.games import import_record, record
from tests.browser.playing import visit
from tests.browser.test_every_page import NAMES
from tests.web.served import Served


def test_one_tap_leads_there(served: Served, page: Any) -> None:
    for share, way in ((1.0, ".how-it-went"), (0.5, "#panel")):
        visit(page, import_record(page, served.base, record("kosci", NAMES, share)))
        if share < 1:
            page.locator('[data-act="menu"]').click()
            page.locator("#panel .more > summary").click()
        page.locator(way).get_by_role("link", name="Was it luck?").click()
        page.wait_for_url("**/luck")
        assert page.locator("tr.sum th").text_content() == ("Result" if share == 1 else "Expected now")
        page.get_by_role("link", name="Back to the table").click()
        page.wait_for_url("**/tables/*")
