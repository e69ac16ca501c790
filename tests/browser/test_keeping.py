"""Dice that are kept: marked on a phone, told with the throw that follows and never before, and not lost by looking."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.playing import (
    PICTURES,
    confirm_review,
    ready,
    start_table,
    state,
    tap_throw,
    visit,
    wait_for_version,
    wait_until_closed,
)
from tests.web.served import Served

FIRST = {"yahtzee": (3, 3, 5, 3, 1), "kosci-triple": (3, 3, 5, 3, 1), "drapky": (3, 3, 5, 3, 1, 6)}


def throw_and_mark(page: Any, served: Served, game: str) -> None:
    """Three threes are marked to be kept."""
    start_table(page, served.base, game, "Ada", "Bob")
    tap_throw(page, *FIRST[game])
    wait_for_version(page, 1)
    for place in (1, 2, 3):  # the dice lie in order
        page.locator(f'[data-act="keep-toggle"][data-arg="{place}"]').click()


def marked_places(page: Any) -> list[str]:
    return page.locator('.keepable[aria-pressed="true"]').evaluate_all("all => all.map(i => i.dataset.arg)")


@pytest.mark.parametrize("game", FIRST)
def test_looking_at_the_keys_keeps_everything_as_it_was(served: Served, page: Any, game: str) -> None:
    throw_and_mark(page, served, game)
    before = state(page)["standing"]
    page.locator('[data-act="pad"]').click()
    page.locator("#panel").get_by_role("button", name="Close").click()
    wait_until_closed(page)
    assert state(page)["standing"] == before
    assert marked_places(page) == ["1", "2", "3"]
    assert page.locator(".offer button").count() > 0
    page.reload()
    ready(page)
    assert marked_places(page) == ["1", "2", "3"], "also when the page is loaded again"
    tap_throw(page, *[6] * (len(FIRST[game]) - 3))
    wait_for_version(page, 3)
    turn = state(page)["standing"]["turn"]
    assert turn["dice"] == [3, 3, 3, *[6] * (len(FIRST[game]) - 3)]
    assert marked_places(page) == []


def test_a_refused_and_a_discarded_photo_keep_everything_as_it_was(
    served: Served, new_phone: NewPhone, tmp_path: Path
) -> None:
    page, other = new_phone(), new_phone()
    throw_and_mark(page, served, "yahtzee")
    visit(other, page.url)
    before = state(page)["standing"]
    no_photo = tmp_path / "photo.jpg"
    no_photo.write_text("this is no photo")
    page.locator("#photo").set_input_files(no_photo)
    page.locator('.notice [data-act="discard"]').click()
    page.wait_for_selector('.notice [data-act="discard"]', state="detached")
    page.locator("#photo").set_input_files(PICTURES / "throw-15.jpg")
    page.wait_for_selector("#review-photo")
    expect(other.locator('.keepable[aria-pressed="true"]')).to_have_count(3)
    page.locator('[data-act="review-discard"]').click()
    wait_until_closed(page)
    expect(other.locator('[data-act="review"]')).to_have_count(0)
    assert state(page)["standing"] == before
    assert marked_places(page) == ["1", "2", "3"]


def test_a_photo_is_confirmed_on_another_phone_with_the_dice_that_were_kept(
    served: Served, new_phone: NewPhone
) -> None:
    page, other = new_phone(), new_phone()
    throw_and_mark(page, served, "yahtzee")
    visit(other, page.url)
    page.locator("#photo").set_input_files(PICTURES / "throw-15.jpg")
    page.wait_for_selector("#review-photo")
    assert state(page)["version"] == 1, "nothing is recorded yet"
    other.locator('[data-act="review"]').click()
    expect(other.locator(".count")).to_have_text("2 dice")
    confirm_review(other)
    wait_for_version(page, 3)
    assert state(page)["standing"]["turn"]["dice"] == [1, 3, 3, 3, 5]
