"""The scripts say numbers as the server does."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.playing import start_table
from tests.web.served import Served

COUNTS = [1, 2, 5, 12, 22, 25]
FORMS = {
    "en": ["1 point", "2 points", "5 points", "12 points", "22 points", "25 points"],
    "cs": ["1 bod", "2 body", "5 bodů", "12 bodů", "22 bodů", "25 bodů"],
    "pl": ["1 punkt", "2 punkty", "5 punktów", "12 punktów", "22 punkty", "25 punktów"],
}


@pytest.mark.parametrize("language", FORMS)
def test_plurals_in_the_browser(served: Served, new_phone: Callable[..., Any], language: str) -> None:
    page = new_phone(locale=language)
    start_table(page, served.base, "drapky", "Ada")
    said = page.evaluate(
        """async (counts) => {
          const text = await import(document.querySelector('link[href$="/text.js"]').href);
          return counts.map((count) => text.tn("{count} point", "{count} points", count));
        }""",
        COUNTS,
    )
    assert said == FORMS[language]


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
