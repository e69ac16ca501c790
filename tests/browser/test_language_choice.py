"""The language of the pages is chosen on the start page, and at a table."""

from collections.abc import Callable
from typing import Any

from tests.browser.playing import start_table
from tests.web.served import Served


def test_the_language_is_changed_on_the_start_page(served: Served, new_phone: Callable[..., Any]) -> None:
    page = new_phone()
    page.goto(f"{served.base}/")
    page.get_by_label("Language").select_option("cs")
    page.wait_for_selector("text=Která hra?")


def test_the_language_is_changed_at_the_table(served: Served, new_phone: Callable[..., Any]) -> None:
    page = new_phone()
    table = start_table(page, served.base, "ones-and-fives", "Ada")
    page.locator('header [data-act="menu"]').click()
    page.locator('#panel [data-act="phone"]').click()
    page.locator("#language").select_option("pl")
    page.wait_for_selector("text=Gra Ada")
    assert page.url == table
    assert page.locator("html").get_attribute("lang") == "pl"
