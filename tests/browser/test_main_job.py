"""The main job in a real browser: from pictures of dice to a banked turn, at phone size."""

import json
import os
from typing import Any

from playwright.sync_api import expect

from tests.browser.playing import (
    PICTURES,
    confirm_review,
    discard,
    photograph,
    put_right,
    start_by_hand,
    start_table,
    state,
    wait_until_closed,
)
from tests.web.served import Served

LABELLED = {entry["picture"]: entry["dice"] for entry in json.loads((PICTURES / "pictures.json").read_text())}
# The worked turn of docs/rules.md, section 1: the picture of each throw and what is set aside from it.
TURN = [
    ("throw-113466.jpg", [1, 1]),
    ("throw-2345.jpg", [5]),
    ("throw-235.jpg", [5]),
    ("throw-15.jpg", [1, 5]),
    ("throw-224444.jpg", [2, 2, 4, 4, 4, 4]),
    ("throw-122333.jpg", [1, 3, 3, 3]),
]


def set_aside(page: Any, dice: list[int]) -> None:
    """Sets dice aside; where nothing else is possible, that has been done."""
    if state(page)["standing"]["turn"]["expects"]:
        assert state(page)["standing"]["turn"]["set_aside"][-1] == dice
        return
    page.locator(f'li[data-key="{"".join(map(str, dice))}"] .choice').click()
    page.wait_for_selector(".choices", state="detached")


def test_a_turn_from_pictures_to_a_banked_turn(own_served: Served, page: Any) -> None:
    start_by_hand(page, own_served.base, "ones-and-fives", "Ada", "Bob")
    taps = 0
    for picture, aside in TURN:
        photograph(page, picture)
        assert state(page)["standing"]["turn"]["throw"] == [] or picture != TURN[0][0], "nothing is scored yet"
        taps += put_right(page, LABELLED[picture])
        confirm_review(page)
        set_aside(page, aside)
    assert state(page)["standing"]["turn"]["points"] == 2350
    page.locator("nav .bank").click()
    expect(page.locator(".scores .score").first).to_have_text("2,350")
    standing = state(page)["standing"]
    assert standing["players"][0]["score"] == 2350
    assert standing["to_act"] == [1]
    assert taps <= 2 * sum(len(LABELLED[picture]) for picture, _ in TURN)
    assert os.listdir(own_served.data / "photos") == [], "photos are deleted once confirmed"


def test_the_review_says_when_the_count_differs_and_takes_corrections(served: Served, page: Any) -> None:
    start_table(page, served.base, "ones-and-fives", "Ada")
    photograph(page, "throw-2345.jpg")  # four dice, where six were to be thrown
    put_right(page, LABELLED["throw-2345.jpg"])
    assert "2 dice are missing" in page.locator(".count").inner_text()
    confirm = page.locator('[data-act="review-confirm"]')
    assert confirm.get_attribute("aria-disabled") == "true"
    for _ in range(2):
        box = page.locator("#review-photo").bounding_box()
        page.mouse.click(box["x"] + 20 + 40 * _, box["y"] + box["height"] - 20)
        page.locator('[data-act="review-value"][data-arg="1"]').click()
    assert "6 dice" in page.locator(".count").inner_text()
    confirm_review(page)
    assert sorted(state(page)["standing"]["turn"]["throw"]) == [1, 1, 2, 3, 4, 5]


def test_a_cancelled_addition_leaves_no_die(served: Served, page: Any) -> None:
    start_table(page, served.base, "ones-and-fives", "Ada")
    photograph(page, "throw-2345.jpg")
    before = page.locator(".reading-row button").count()
    box = page.locator("#review-photo").bounding_box()
    page.mouse.click(box["x"] + 20, box["y"] + box["height"] - 20)
    assert page.locator(".reading-row button").count() == before + 1
    page.locator('[data-act="review-unpick"]').click()
    assert page.locator(".reading-row button").count() == before
    discard(page)
    wait_until_closed(page)
    assert state(page)["pending"] is None


def test_the_live_camera_takes_a_picture(served: Served, page: Any) -> None:
    start_table(page, served.base, "ones-and-fives", "Ada")
    page.locator('nav.actions [data-act="live"]').click()
    page.wait_for_function("() => document.getElementById('live')?.videoWidth > 0")
    page.locator('[data-act="shutter"]').click()
    page.wait_for_selector("#review-photo")
    assert "6 dice are missing" in page.locator(".count").inner_text()
