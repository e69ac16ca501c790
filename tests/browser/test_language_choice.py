"""The language of the pages is chosen on the start page, and at a table."""

from typing import Any

from tests.browser.playing import open_entry, start_by_hand
from tests.web.served import Served


def test_the_language_is_changed_on_the_start_page(served: Served, page: Any) -> None:
    page.goto(f"{served.base}/")
    page.get_by_label("Language").select_option("cs")
    page.wait_for_selector("text=Která hra?")


def test_the_language_is_changed_at_the_table(served: Served, page: Any) -> None:
    table = start_by_hand(page, served.base, "ones-and-fives", "Ada")
    open_entry(page, "phone")
    page.locator("#language").select_option("pl")
    page.wait_for_selector("text=Gra Ada")
    assert page.url == table
    assert page.locator("html").get_attribute("lang") == "pl"
