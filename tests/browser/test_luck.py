"""Was it luck? One tap away when the game is over, and in the menu while it runs."""

from typing import Any

from tests.browser.conftest import NewPhone
from tests.browser.games import import_record, record
from tests.browser.playing import visit
from tests.browser.test_every_page import CUT_OFF, NAMES, Gallery, in_each_language
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


@in_each_language
def test_luck_is_readable_in_every_unit(served: Served, new_phone: NewPhone, language: str) -> None:
    """Points of a sheet, turns, and the chance to win."""
    page = new_phone(locale=language)
    gallery = Gallery(page, language)
    for game in ("kosci", "drapky", "sequence"):
        table = import_record(page, served.base, record(game, NAMES))
        page.goto(f"{table}/luck")
        page.wait_for_load_state()
        assert page.locator("figure.course svg").count() == 1
        gallery.take(f"luck-{game}")
        page.evaluate("() => document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"], game
        assert page.evaluate(CUT_OFF) == [], game
    assert gallery.wrong == []
