"""The short rules are one tap away: at the table, on the board, and before a game is chosen."""

from typing import Any

import pytest

from tests.browser.conftest import PHONE, NewPhone
from tests.browser.games import import_record, record
from tests.browser.playing import set_text_size, show_card, start_by_hand, visit
from tests.web.served import Served


def test_the_rules_are_one_tap_away_at_the_table(served: Served, page: Any) -> None:
    table = start_by_hand(page, served.base, "ones-and-fives", "Ada", minimum=350)
    page.locator("header").get_by_role("button", name="Rules").tap()
    page.wait_for_selector("#panel[open] .rules")
    assert "Banking needs 350 points" in page.locator("#panel").inner_text(), "with the table's house rules"
    visit(page, f"{table}/board")
    page.locator("header").get_by_role("link", name="Rules").tap()
    page.wait_for_url(f"{table}/rules")
    assert "Banking needs 350 points" in page.locator("main").inner_text()


def test_the_rules_of_the_chosen_game_lose_no_name_in_the_form(served: Served, page: Any) -> None:
    visit(page, f"{served.base}/")
    page.locator("#seats input").first.fill("Ada")
    show_card(page, "knaster")
    page.locator('label.game:has([value="knaster"])').tap()
    page.get_by_role("link", name="Rules of this game").tap()
    page.wait_for_selector("#panel[open] .rules")
    assert page.locator("#panel h2").inner_text() == "Knaster"
    assert "two dice" in page.locator("#panel .rules").inner_text()
    page.get_by_role("button", name="Close").tap()
    assert page.locator("#seats input").first.input_value() == "Ada"
    assert page.get_by_role("link", name="Rules of this game").get_attribute("href") == "/rules/knaster"


@pytest.mark.parametrize("size", ["100%", "200%"])
def test_the_header_has_room_for_the_longest_name(served: Served, new_phone: NewPhone, size: str) -> None:
    page = new_phone(viewport=PHONE, is_mobile=False, locale="cs")
    set_text_size(page, size)
    visit(page, import_record(page, served.base, record("kosci", ("Ada", "Bob"))))
    assert page.locator("header h1").inner_text() == "Kości (generál a\xa0žolík)"
    inside = page.locator("header :is(h1, .tool)").evaluate_all(
        """(all) => all.map((one) => [one.getBoundingClientRect(), one])
          .map(([box, one]) => box.left >= 0 && box.right <= innerWidth && one.scrollWidth <= one.clientWidth)"""
    )
    assert inside == [True] * 5
    boxes = page.locator("header .tool").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().toJSON())")
    assert all(box["width"] >= 44 and box["height"] >= 44 for box in boxes)
    if size == "100%":
        assert page.locator("header").bounding_box()["height"] <= 64, "one line of buttons"
