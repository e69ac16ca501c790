"""Odds and best play on the table's page: where they are wanted, on all phones, and never in the way."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OUT, NewPhone
from tests.browser.games import import_record, open_table, record
from tests.browser.playing import (
    open_entry,
    start_table,
    tap_throw,
    visit,
    wait_for_toast,
    wait_for_version,
    wait_until_closed,
)
from tests.browser.test_every_page import CUT_OFF, NAMES, SETTLED, Gallery
from tests.scorer.playing import throw
from tests.web.served import Served

BUTTONS_IN_SIGHT = (
    """() => document.querySelector("nav.actions").getBoundingClientRect().bottom <= visualViewport.height + 1"""
)


def choose(page: Any, mode: str) -> None:
    open_entry(page, "advice")
    page.locator(f"""#panel [data-arg='"{mode}"']""").click()
    wait_until_closed(page)


def test_one_phone_chooses_it_for_all(served: Served, new_phone: NewPhone) -> None:
    page, other = new_phone(), new_phone()
    start_table(page, served.base, "yahtzee", "Ada", "Bob")
    tap_throw(page, 5, 5, 5, 2, 3)
    visit(other, page.url)
    choose(other, "odds")
    wait_for_toast(page, "odds are shown from now on")
    expect(page.locator(".keeping .chances")).to_contain_text("Small straight 41%")
    assert page.locator(".best-play, .advised-choices").count() == 0
    choose(page, "best")
    first = other.locator(".advised-choices .offered").first
    expect(first).to_contain_text("best play")
    first.click()
    assert other.locator('.keepable[aria-pressed="true"]').count() == 3
    expect(other.locator(".keeping .best-play")).to_have_text("best play")
    label = re.compile(r"^Fives: 15 points for Ada, \d+\.\d points less$")
    expect(other.locator(".offer button", has_text="15")).to_have_attribute("aria-label", label)
    choose(other, "off")
    expect(page.locator(".keeping, .cost, .chances")).to_have_count(0)


def open_advised_table(page: Any, base: str, mode: str, game: str, *actions: dict[str, Any]) -> None:
    """A table of two that advises, at which this was done."""
    open_table(page, base, game, *actions)
    choose(page, mode)


def test_a_double_tap_on_a_set_aside_banks_nothing(served: Served, page: Any) -> None:
    open_advised_table(page, served.base, "best", "zilch", throw(1, 1, 1, 2, 3, 4))
    expect(page.locator(".choice .best-play").first).to_be_visible()
    page.locator(".choice").first.click()
    bank = page.locator("button.offered", has_text="bank")
    expect(bank).to_be_visible()
    assert bank.locator(".odds").count() == 0, "no empty line below it"
    box = bank.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.evaluate(SETTLED)
    assert page.evaluate("document.body.dataset.version") == "2"
    bank.click()
    wait_for_version(page, 3)


def test_taking_over_says_what_it_risks_and_costs(served: Served, page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    turn = (throw(1, 1, 5, 2, 3), {"do": "set-aside", "dice": [1, 1, 5]}, {"do": "bank"})
    open_table(page, served.base, "tysiac", *turn, take_over=True, target=300)
    choose(page, "best")
    offer = page.locator('.offered[data-arg*="take-over"]')
    expect(offer).to_contain_text("bust 44%")
    expect(offer).to_contain_text("turns more")


@pytest.mark.parametrize(
    ("language", "game"), [("en", "knaster"), ("cs", "kosci-triple"), ("pl", "ones-and-fives"), ("de", "skunk")]
)
def test_best_play_is_readable(served: Served, new_phone: NewPhone, language: str, game: str) -> None:
    page = new_phone(locale=language)
    gallery = Gallery(page, language, every_rule=True)
    visit(page, import_record(page, served.base, record(game, NAMES, 0.2)))
    choose(page, "best")
    expect(page.locator(".best-play").first).to_be_visible()
    if game == "knaster":
        diagonals = page.locator(".square-grid tr:last-child th:is(:first-child, :last-child)")
        places = diagonals.evaluate_all("all => all.map((one) => getComputedStyle(one).position)")
        assert places == ["static", "static"], "no other thing's style covers their points"
    gallery.take(f"advice-{game}")
    assert gallery.wrong == []
    for size in ("100%", "200%"):
        page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", size)
        # Not `innerWidth`: a phone makes that as wide as the page. A sheet that no longer fits scrolls a moment later.
        page.wait_for_function("() => document.documentElement.scrollWidth <= screen.width", timeout=20_000)
        page.wait_for_function(BUTTONS_IN_SIGHT, timeout=20_000)
        assert page.evaluate(CUT_OFF) == [], size


def test_pig_says_whether_to_throw_on(served: Served, page: Any) -> None:
    open_advised_table(page, served.base, "best", "pig", *[throw(6)] * 3, throw(5))
    first, second = (page.locator(".advised-choices .offered").nth(place) for place in (0, 1))
    expect(first).to_contain_text("bank")
    expect(first).to_contain_text("best play")
    expect(second).to_contain_text(re.compile(r"throw.*chance to win .*% less.*bust 17%", re.DOTALL))
    expect(page.locator(".worth")).to_contain_text(re.compile(r"wins with a chance of 64%"))
    page.screenshot(path=OUT / "advice-pig.png")
    assert page.evaluate(CUT_OFF) == []
