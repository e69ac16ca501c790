"""When a game is over: all phones of the table find the same next one, and each goes on playing for its player."""

import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.playing import open_entry, ready, start_table, state, tap_throw, visit, wait_until_closed
from tests.web.served import Served

SHORT = {"target": 25}


def play_for(page: Any, name: str) -> None:
    open_entry(page, "phone")
    page.locator("#panel label", has_text=name).locator('[name="plays-for"]').check()
    page.locator('[data-act="phone-save"]').click()
    wait_until_closed(page)


def plays_for(page: Any) -> str:
    """The player whom the settings of the phone name."""
    open_entry(page, "phone")
    chosen = page.locator('#panel label:has([name="plays-for"]:checked)').inner_text()
    page.keyboard.press("Escape")
    wait_until_closed(page)
    return str(chosen).strip()


def test_play_again_takes_every_phone_and_the_board_along(served: Served, new_phone: NewPhone) -> None:
    ada, bob, board = new_phone(), new_phone(), new_phone(viewport={"width": 1024, "height": 768}, is_mobile=False)
    address = start_table(ada, served.base, "sequence", "Ada", "Bob", **SHORT)
    for page, path in ((bob, ""), (board, "/board")):
        visit(page, address + path)
    play_for(ada, "Ada")
    play_for(bob, "Bob")
    tap_throw(ada, 1, 2, 3, 4, 5, 6)
    bob.wait_for_selector(".over")
    assert bob.get_by_role("button", name="Play again").is_visible()

    ada.get_by_role("button", name="Play again").click()
    ada.wait_for_url(lambda url: url != address)
    ready(ada)
    fresh = ada.url

    there = bob.get_by_role("link", name="Go there")
    there.wait_for()
    assert bob.get_by_text("The next game has begun.").is_visible()
    assert bob.get_by_role("button", name="Play again").count() == 0, "nobody begins another one unawares"
    there.click()
    bob.wait_for_url(fresh)
    ready(bob)
    board.wait_for_url(f"{fresh}/board")
    ready(board)

    assert plays_for(ada) == "Ada"
    assert plays_for(bob) == "Bob"
    ada.get_by_text(re.compile("This phone plays for Ada")).wait_for()  # Bob begins, since Ada has
    assert bob.locator(".series").count() == 0, "one game is no series"
    tap_throw(bob, 1, 2, 3, 4, 5, 6)
    expect(ada.locator(".series")).to_have_text(re.compile(r"Bob\s+1\s+:\s+1\s+Ada"))
    expect(board.locator(".series")).to_have_text(re.compile(r"Bob\s+1\s+:\s+1\s+Ada"))

    # The next evening: one tap on the start page, and the next throw can be told.
    visit(bob, served.base)
    bob.get_by_role("button", name="Sequence again Ada, Bob").click()
    bob.wait_for_url(lambda url: "/tables/" in url and url not in (address, fresh))
    ready(bob)
    assert plays_for(bob) == "Bob"
    board.wait_for_url(f"{bob.url}/board")


def test_who_lost_may_begin_and_is_asked_so_the_next_time(served: Served, new_phone: NewPhone) -> None:
    phone = new_phone()
    first = start_table(phone, served.base, "sequence", "Ada", "Bob", "Eva", **SHORT)
    for dice in ((1, 2, 3, 4, 4, 4), (1, 2, 3, 3, 3, 3), (1, 1, 1, 1, 1, 1), (1, 2, 3, 4, 4, 4)):
        tap_throw(phone, *dice)
    begins = phone.get_by_label("Who begins?")
    offered = ["Bob begins (next in turn)", "Eva begins (lost)", "Ada begins (won)"]
    expect(begins.locator("option")).to_have_text(offered)
    expect(phone.locator(".over .chart")).to_be_visible()  # how the game went
    begins.select_option(label="Eva begins (lost)")
    phone.get_by_role("button", name="Play again").click()
    phone.wait_for_url(lambda url: url != first)
    ready(phone)
    assert [player["name"] for player in state(phone)["standing"]["players"]] == ["Eva", "Ada", "Bob"]
    tap_throw(phone, 1, 2, 3, 4, 5, 6)
    # Two share the last place.
    expect(begins.locator("option")).to_have_text(["Ada begins (next in turn)", "Eva begins (won)"])
    visit(phone, served.base)
    phone.get_by_role("button", name="Sequence again Ada, Bob, Eva").click()
    phone.wait_for_url("**/tables/*")
    ready(phone)
    assert [player["name"] for player in state(phone)["standing"]["players"]] == ["Ada", "Bob", "Eva"]
    expect(phone.locator('.quick-keys [data-act="pad-key"]')).to_have_count(6)
