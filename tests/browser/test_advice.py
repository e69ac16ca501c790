"""Odds and best play on the table's page: where they are wanted, on all phones, and never in the way."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.games import imported, record
from tests.browser.playing import ready, start_table, tap_throw, wait_for_version
from tests.browser.test_every_page import CUT_OFF, NAMES, Gallery
from tests.web.served import Served


def choose(page: Any, mode: str) -> None:
    page.locator('[data-act="menu"]').click()
    page.locator('#panel [data-act="advice"]').click()
    page.locator(f"""#panel [data-arg='"{mode}"']""").click()
    page.wait_for_selector("#panel:not([open])", state="attached")


def said(page: Any, what: str) -> None:
    page.wait_for_function("(what) => (window.said ?? []).some((one) => one.includes(what))", arg=what)


def test_one_phone_chooses_it_for_all(served: Served, new_phone: Callable[..., Any]) -> None:
    page, other = new_phone(), new_phone()
    start_table(page, served.base, "yahtzee", "Ada", "Bob")
    tap_throw(page, 5, 5, 5, 2, 3)
    other.goto(page.url)
    ready(other)
    choose(other, "odds")
    said(page, "odds are shown from now on")
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


def test_a_lone_player_is_told_what_a_choice_cost(served: Served, new_phone: Callable[..., Any]) -> None:
    page = new_phone()
    page.goto(f"{served.base}/")
    ready(page)
    page.locator("details.house summary").click()
    page.locator('[name="advice"]').select_option("odds")
    start_table_here(page, "kosci")
    tap_throw(page, 5, 5, 5, 2, 3)
    expect(page.locator(".keeping .chances")).to_be_visible()
    for place in (2, 3, 4):
        page.locator(f'[data-act="keep-toggle"][data-arg="{place}"]').click()
    tap_throw(page, 1, 2)
    wait_for_version(page, 3)
    said(page, "best play")
    expect(page.locator(".keeping .chances")).to_be_visible()
    page.locator(".offers button", has_text="Chance").click()
    page.locator("nav.actions .primary", has_text="Chance").click()
    said(page, "points less than best play")


def start_table_here(page: Any, game: str) -> None:
    """Starts a table of a lone player from the start page that is open."""
    page.locator(f'label.game:has([value="{game}"])').click()
    page.locator("#seats input").first.fill("Ada")
    page.locator("#new-table button.primary").click()
    page.wait_for_url("**/tables/*")
    ready(page)


def test_where_players_joined_one_sentence_says_why_there_are_only_odds(
    served: Served, new_phone: Callable[..., Any]
) -> None:
    page = new_phone()
    start_table(page, served.base, "farkle", "Ada")
    joining: dict[str, Any] = {"version": 0, "request": "one-more-player"}
    joining["action"] = {"do": "adjust", "what": "player-added", "name": "Dan"}
    assert page.context.request.post(f"{page.url}/actions", data=joining).ok
    wait_for_version(page, 1)
    choose(page, "best")
    expect(page.locator(".turn .hint")).to_have_text("Players joined, left or changed places: only odds are shown.")
    expect(page.locator(".chances")).to_contain_text("Bust 2.3%")


@pytest.mark.parametrize(("language", "game"), [("en", "knaster"), ("cs", "kosci-triple"), ("pl", "ones-and-fives")])
def test_best_play_is_readable(served: Served, new_phone: Callable[..., Any], language: str, game: str) -> None:
    page = new_phone(locale=language)
    gallery = Gallery(page, language)
    page.goto(imported(page, served.base, record(game, NAMES, 0.2)))
    ready(page)
    choose(page, "best")
    expect(page.locator(".best-play").first).to_be_visible()
    if game == "knaster":
        diagonals = page.locator(".knaster-grid tr:last-child th:is(:first-child, :last-child)")
        places = diagonals.evaluate_all("all => all.map((one) => getComputedStyle(one).position)")
        assert places == ["static", "static"], "no other thing's style covers their points"
    gallery.take(f"advice-{game}")
    assert gallery.wrong == []
    for size in ("100%", "200%"):
        page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", size)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
        assert page.evaluate(CUT_OFF) == [], size
