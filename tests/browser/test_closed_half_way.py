"""What was begun in something that is asked aside, and closed half way: it is in force, kept, or said to be gone."""

import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.playing import (
    open_entry,
    photograph,
    ready,
    start_by_hand,
    start_table,
    state,
    tap_throw,
    values,
    wait_for_version,
    wait_until_closed,
)
from tests.web.served import Served

GONE = "Closed. Nothing was changed."


def by_the_cross(page: Any) -> None:
    page.locator('#panel [data-act="close"]').first.click()


def by_escape(page: Any) -> None:
    while page.locator("#panel[open]").count():  # what is open within another dialog goes first
        page.keyboard.press("Escape")


def beside_it(page: Any) -> None:
    page.mouse.click(5, 5)


def by_the_way_back(page: Any) -> None:
    while page.locator("#panel[open]").count():
        page.go_back()


def by_loading_the_page_anew(page: Any) -> None:
    page.reload()
    ready(page)


WAYS_TO_CLOSE = (by_the_cross, by_escape, beside_it, by_the_way_back)


def test_settings_of_a_phone_are_in_force_at_once(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(color_scheme="light")
    start_table(page, served.base, "sequence", "Ada", "Bob")
    for close in WAYS_TO_CLOSE:
        page.evaluate("localStorage.clear()")
        page.context.clear_cookies(name="device-name")
        page.reload()
        ready(page)
        open_entry(page, "phone")
        expect(page.locator('[data-setting="haptic"]')).not_to_be_checked()
        page.locator('[data-setting="haptic"]').check()
        page.locator('[name="plays-for"][value="1"]').check()
        page.locator("#look").select_option("dark")
        page.locator("#device-name").fill("Bob's phone")
        close(page)
        wait_until_closed(page)
        expect(page.locator("nav.actions")).to_contain_text("This phone plays for Bob")
        page.reload()
        ready(page)
        open_entry(page, "phone")
        expect(page.locator('[data-setting="haptic"]')).to_be_checked()
        expect(page.locator('[name="plays-for"][value="1"]')).to_be_checked()
        expect(page.locator("#look")).to_have_value("dark")
        expect(page.locator("#device-name")).to_have_value("Bob's phone")
        by_the_cross(page)
        wait_until_closed(page)
        assert GONE not in (page.evaluate("window.said") or [])


def name_the_dice(page: Any) -> None:
    open_entry(page, "dice")
    page.locator("#dice-set").fill("the red ones")


def rename_a_player(page: Any) -> None:
    open_entry(page, "players")
    page.locator('[data-act="player-open"]').first.click()
    page.locator("#name-of-0").fill("Adéla")


def add_a_player(page: Any) -> None:
    open_entry(page, "players")
    page.locator("#new-player").fill("Cyril")


def set_a_total(page: Any) -> None:
    open_entry(page, "settle")
    page.locator("#settled-total").fill("25")


def correct_a_throw(page: Any) -> None:
    open_entry(page, "correct")
    page.locator('[data-act="correct-step"]').first.click()
    page.locator('[data-act="correct-value"][data-arg="1"]').click()


@pytest.mark.parametrize("begin", [name_the_dice, rename_a_player, add_a_player, set_a_total, correct_a_throw])
def test_what_was_not_saved_is_said_to_be_gone(served: Served, page: Any, begin: Callable[[Any], None]) -> None:
    start_table(page, served.base, "sequence", "Ada", "Bob")
    tap_throw(page, 2, 2, 3, 3, 4, 5)
    wait_for_version(page, 1)
    before = state(page)["standing"]
    for close in WAYS_TO_CLOSE if begin is set_a_total else (by_the_cross,):
        page.evaluate("window.said = []")
        begin(page)
        close(page)
        wait_until_closed(page)
        page.wait_for_function(f"() => window.said.includes('{GONE}')")
        assert state(page)["standing"] == before


def test_what_was_saved_or_not_touched_is_not_said_to_be_gone(served: Served, page: Any) -> None:
    start_table(page, served.base, "kosci", "Ada", "Bob")
    tap_throw(page, 6, 6, 6, 5, 5)
    wait_for_version(page, 1)
    name_the_dice(page)
    page.locator('[data-act="dice-save"]').click()
    wait_until_closed(page)
    page.locator('[data-act="menu"]').click()
    expect(page.locator('[data-act="dice"]')).to_contain_text("the red ones")
    by_the_cross(page)
    rename_a_player(page)
    page.locator('[data-act="player-rename"]').click()
    page.locator("#new-player").fill("Cyril")
    page.locator('[data-act="player-add"]').click()
    expect(page.locator(".seats-now li")).to_have_count(3)
    by_the_cross(page)
    set_a_total(page)
    page.locator('[data-act="settle-do"]').click()
    wait_until_closed(page)
    for act in ("dice", "players", "settle", "correct", "phone"):
        open_entry(page, act)
        by_the_cross(page)
        wait_until_closed(page)
    correct_a_throw(page)
    page.locator('[data-act="correct-do"]').click()
    wait_until_closed(page)
    assert state(page)["standing"]["players"][0]["name"] == "Adéla"
    assert GONE not in (page.evaluate("window.said") or [])


def test_dice_that_were_corrected_stay_so_until_the_photo_goes(served: Served, page: Any) -> None:
    start_table(page, served.base, "sequence", "Ada", "Bob")
    photograph(page, "throw-113466.jpg")
    first, *others = values(page)
    for close in (by_the_cross, by_escape, by_the_way_back, by_loading_the_page_anew):
        first = first % 6 + 1
        page.locator(".reading-row button").first.click()
        page.locator(f'[data-act="review-value"][data-arg="{first}"]').click()
        page.locator(".reading-row button").nth(1).click()  # and asked about another one, which is not answered
        close(page)
        wait_until_closed(page)
        page.locator('[data-act="review"]').click()
        page.wait_for_selector("#review-photo")
        assert values(page) == [first, *others]
        expect(page.locator(".chooser")).to_have_count(0)
    page.locator('[data-act="review-confirm"]').click()
    wait_for_version(page, 1)


def a_chooser_in_a_review(page: Any) -> None:
    photograph(page, "throw-113466.jpg")
    page.locator(".reading-row button").first.click()


def a_chooser_in_a_correction(page: Any) -> None:
    open_entry(page, "correct")
    page.locator('[data-act="correct-step"]').first.click()


def a_player_in_the_list_of_players(page: Any) -> None:
    open_entry(page, "players")
    page.locator('[data-act="player-open"]').last.click()


# What is seen from the inside out, each with one step back.
NESTED: list[tuple[Callable[[Any], None], list[str]]] = [
    (a_chooser_in_a_review, [".chooser", "#review-photo"]),
    (a_chooser_in_a_correction, [".keys", '[data-act="correct-preview"]', ".steps"]),
    (a_player_in_the_list_of_players, ['[data-act="player-rename"]', '[data-act="player-add"]']),
]


@pytest.mark.parametrize(("begin", "levels"), NESTED, ids=[begin.__name__ for begin, _ in NESTED])
def test_the_way_back_closes_what_was_opened_last_alone(
    served: Served, new_phone: NewPhone, begin: Callable[[Any], None], levels: list[str]
) -> None:
    page, other = new_phone(), new_phone()
    table = start_by_hand(page, served.base, "sequence", "Ada", "Bob")
    other.goto(table)
    tap_throw(page, 2, 2, 3, 3, 4, 5)
    wait_for_version(page, 1)
    # The second time, steps of the first one are left in the browser's history.
    for back in (page.go_back, lambda: page.keyboard.press("Escape")):
        begin(page)
        for inner, outer in itertools.pairwise(levels):
            page.locator(f"#panel {inner}").first.wait_for()
            back()
            page.locator(f"#panel {inner}").first.wait_for(state="detached")
            page.locator(f"#panel {outer}").first.wait_for()
        back()
        wait_until_closed(page)
        assert page.url == table
        discard = page.locator('[data-act="review"]')
        if discard.count():
            discard.click()
            page.locator('[data-act="review-discard"]').click()
            discard.wait_for(state="detached")
    page.go_back()
    page.wait_for_url(f"{served.base}/")


def test_the_way_back_leaves_the_page_once_nothing_is_open(served: Served, page: Any) -> None:
    table = start_by_hand(page, served.base, "sequence", "Ada", "Bob")
    for close in (by_the_way_back, by_the_cross, by_the_way_back, by_the_cross):
        page.locator('[data-act="pad"]').click()
        close(page)
        wait_until_closed(page)
        assert page.url == table
    page.reload()
    ready(page)
    page.locator('[data-act="pad"]').click()
    by_the_way_back(page)
    wait_until_closed(page)
    page.locator('[data-act="pad"]').click()
    by_the_cross(page)
    wait_until_closed(page)
    page.go_back()
    page.wait_for_url(f"{served.base}/")


def test_a_late_answer_leaves_what_is_open_by_then(served: Served, page: Any) -> None:
    start_table(page, served.base, "ones-and-fives", "Ada", "Bob")
    held: list[Any] = []
    page.route(re.compile(r"/(phones|settings)$"), lambda route: held.append(route))
    with page.expect_request("**/phones"):
        open_entry(page, "phones")
    by_escape(page)
    open_entry(page, "advice")
    with page.expect_request("**/settings"):
        page.locator('#panel [data-act="advice-mode"]').last.click()
    by_escape(page)
    open_entry(page, "players")
    page.locator("#new-player").fill("Cleo")
    for each in held:
        with page.expect_response(each.request.url):
            each.continue_()
    page.evaluate("fetch(location.href).then((answer) => answer.text())")  # the page has taken the answers by then
    expect(page.locator("#new-player")).to_have_value("Cleo")
