"""The words of races and counters on a phone: dice taken over, rounds won, dice chosen, numbers in order."""

from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import OUT, NewPhone
from tests.browser.games import open_table
from tests.browser.playing import start_table, state, tap, tap_throw, wait_for_version
from tests.browser.test_game_editor import SETTLE_MS
from tests.scorer.playing import BANK, aside, throw
from tests.web.served import Served


def picture(page: Any, name: str) -> None:
    folder = OUT / "words"
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"{name}.png")


def test_the_player_takes_over_what_was_left(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(viewport={"width": 390, "height": 844})
    turns = (([5, 5, 5, 1, 2, 3], [1, 5, 5, 5]), ([4, 4, 4, 4, 2, 3], [4, 4, 4, 4]))
    actions = [action for dice, kept in turns for action in (throw(*dice), aside(*kept), BANK)]
    open_table(page, served.base, "farkle-tables", *actions, take_over=True, opening=0)
    offer = page.locator('[data-arg*="take-over"]')
    expect(offer).to_contain_text("1,000")
    picture(page, "offer")
    page.wait_for_timeout(SETTLE_MS)
    offer.tap()
    wait_for_version(page, 7)
    turn = state(page)["standing"]["turn"]
    assert (turn["points"], turn["expects"], turn["beside"]) == (1000, 2, [4, 4, 4, 4])
    picture(page, "taken-over")
    tap(page, throw(5, 3))
    wait_for_version(page, 9)  # the only set-aside comes with its throw
    tap(page, BANK)
    wait_for_version(page, 10)
    assert [each["score"] for each in state(page)["standing"]["players"]] == [1650, 1000]


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
