"""A family makes "our Farkle, with taking over and all points lost at three ones" on a phone, and plays it."""

import time
from typing import Any

from tests.browser.conftest import OUT, NewPhone
from tests.browser.playing import edit_by_hand, play_own_game, start_table, state, tap, tap_throw, wait_for_version
from tests.browser.test_game_editor import SETTLE_MS, field, write
from tests.browser.test_own_games import COUNT_TAPS
from tests.web.served import Served

MOST_TAPS = 6  # from the start page to the game's own page
MOST_SECONDS = 120  # of a person; fingers here are quicker, so the pages' own time must be far below


def picture(page: Any, name: str) -> None:
    folder = OUT / "words"
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"{name}.png")


def make_our_farkle(page: Any, served: Served) -> None:
    edit_by_hand(page, served.base, "farkle")
    field(page, "rules.take_over").scroll_into_view_if_needed()
    page.wait_for_timeout(SETTLE_MS)
    picture(page, "form")
    with page.expect_response("**/games/try"):
        field(page, "rules.take_over").tap()
    field(page, "rules.wiped_by").tap()
    write(page, "rules.wiped_by", "1 1 1")
    picture(page, "form-filled")
    page.locator('[data-act="save"]').tap()
    page.wait_for_url("**/g/*")


def test_our_farkle_with_taking_over_is_made_and_played(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(viewport={"width": 390, "height": 844})
    page.context.add_init_script(COUNT_TAPS)
    begun = time.monotonic()
    make_our_farkle(page, served)
    assert 0 < page.evaluate("Number(localStorage.getItem('taps'))") <= MOST_TAPS
    assert time.monotonic() - begun < MOST_SECONDS
    rules = " ".join(page.locator(".rules").inner_text().split())
    assert "A throw with 1 1 1 ends the turn, and all points so far are lost too." in rules
    assert "You may begin with the dice that the player before you left" in rules
    picture(page, "rules")
    play_own_game(page, "Ada", "Bob")
    play_on(page)


def play_on(page: Any) -> None:
    """Ada banks, Bob needs a first turn of his own, Ada takes over what he left, and three ones take all away."""
    steps = 0
    for dice, aside in (((5, 5, 5, 1, 2, 3), [1, 5, 5, 5]), ((4, 4, 4, 4, 2, 3), [4, 4, 4, 4])):
        tap(page, {"do": "throw", "dice": list(dice)})
        tap(page, {"do": "set-aside", "dice": aside})
        tap(page, {"do": "bank"})
        steps += 3
        wait_for_version(page, steps)
    offer = page.locator('[data-arg*="take-over"]')
    assert "1,000" in offer.inner_text()
    picture(page, "offer")
    page.wait_for_timeout(SETTLE_MS)
    offer.tap()
    wait_for_version(page, 7)
    turn = state(page)["standing"]["turn"]
    assert (turn["points"], turn["expects"], turn["beside"]) == (1000, 2, [4, 4, 4, 4])
    picture(page, "taken-over")
    tap(page, {"do": "throw", "dice": [5, 3]})
    wait_for_version(page, 9)  # the only set-aside comes with its throw
    picture(page, "to-bank")
    tap(page, {"do": "bank"})
    wait_for_version(page, 10)
    assert [each["score"] for each in state(page)["standing"]["players"]] == [1650, 1000]
    tap_throw(page, 1, 1, 1, 2, 3, 4)
    wait_for_version(page, 11)
    picture(page, "all-lost")
    assert [each["score"] for each in state(page)["standing"]["players"]] == [1650, 0]


def test_rounds_are_won_and_a_tie_is_thrown_again(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(viewport={"width": 390, "height": 844})
    start_table(page, served.base, "going-to-boston", "Ada", "Bob", "Cid", rounds=2)
    done = 0
    for turn in ([3, 4, 6], [1, 3], [2]), ([6, 2, 2], [1, 3], [2]), ([1, 1, 1], [1, 1], [1]):
        for dice in turn:
            tap_throw(page, *dice)
            done += 1
            wait_for_version(page, done)
    assert page.get_by_text("Equal: Ada and Bob throw again.").is_visible()
    picture(page, "tied")
    for turn in ([1, 1, 1], [1, 1], [1]), ([6, 6, 6], [6, 6], [6]):
        for dice in turn:
            tap_throw(page, *dice)
            done += 1
            wait_for_version(page, done)
    standing = state(page)["standing"]
    assert [each["score"] for each in standing["players"]] == [0, 1, 0]
    assert standing["to_act"] == [0]
    picture(page, "round-won")


def test_the_player_chooses_how_many_dice_and_ten_fit_the_screen(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(viewport={"width": 360, "height": 640})
    start_table(page, served.base, "hog", "Ada", "Bob")
    counts = page.get_by_role("group", name="How many dice").get_by_role("button")
    assert counts.count() == 10
    assert page.get_by_role("button", name="1 die", exact=True).get_attribute("aria-pressed") == "true"
    page.wait_for_timeout(SETTLE_MS)
    page.get_by_role("button", name="4 dice", exact=True).tap()
    wait_for_version(page, 1)
    picture(page, "four-chosen")
    tap_throw(page, 2, 3, 4, 5)
    wait_for_version(page, 2)
    page.wait_for_timeout(SETTLE_MS)
    page.get_by_role("button", name="10 dice", exact=True).tap()
    wait_for_version(page, 3)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    picture(page, "ten-chosen")
    tap_throw(page, *[2] * 9, 1)
    wait_for_version(page, 4)
    standing = state(page)["standing"]
    assert [each["score"] for each in standing["players"]] == [14, 0]
    assert standing["turn"]["expects"] == 4, "Ada's last choice stands"


def test_numbers_are_made_in_order(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(viewport={"width": 360, "height": 640})
    start_table(page, served.base, "centennial", "Ada", "Bob")
    for version, dice in enumerate(((1, 2, 4), (2, 2, 2)), start=1):
        tap_throw(page, *dice)
        wait_for_version(page, version)
    assert [each["score"] for each in state(page)["standing"]["players"]] == [7, 0]
    assert page.get_by_text("Wanted: 8.").is_visible()
    picture(page, "wanted")
