"""When a game is over: all phones of the table find the same next one, and each goes on playing for its player."""

import re
from collections.abc import Callable
from typing import Any

from tests.browser.playing import ready, start_table, tap_throw
from tests.web.served import Served

SHORT = {"target": 25}


def play_for(page: Any, name: str) -> None:
    page.locator('header [data-act="menu"]').click()
    page.locator('#panel [data-act="phone"]').click()
    page.locator("#panel label", has_text=name).locator('[name="plays-for"]').check()
    page.locator('[data-act="phone-save"]').click()
    page.wait_for_selector("#panel:not([open])", state="attached")


def plays_for(page: Any) -> str:
    """The player whom the settings of the phone name."""
    page.locator('header [data-act="menu"]').click()
    page.locator('#panel [data-act="phone"]').click()
    chosen = page.locator('#panel label:has([name="plays-for"]:checked)').inner_text()
    page.keyboard.press("Escape")
    page.wait_for_selector("#panel:not([open])", state="attached")
    return str(chosen).strip()


def test_play_again_takes_every_phone_and_the_board_along(served: Served, new_phone: Callable[..., Any]) -> None:
    ada, bob, board = new_phone(), new_phone(), new_phone(viewport={"width": 1024, "height": 768}, is_mobile=False)
    address = start_table(ada, served.base, "sequence", "Ada", "Bob", **SHORT)
    for page, path in ((bob, ""), (board, "/board")):
        page.goto(address + path)
        ready(page)
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
    bob.get_by_text(re.compile("This phone plays for Bob")).wait_for()
    tap_throw(ada, 1, 1, 2, 3, 4, 6)
    bob.locator('[data-act="pad"]').wait_for()


def test_at_another_table_a_phone_plays_for_everybody(served: Served, new_phone: Callable[..., Any]) -> None:
    """Also when it left an ended game by another way than to its next one."""
    phone = new_phone()
    start_table(phone, served.base, "sequence", "Ada", "Bob", **SHORT)
    play_for(phone, "Ada")
    tap_throw(phone, 1, 2, 3, 4, 5, 6)
    phone.wait_for_selector(".over")
    start_table(phone, served.base, "sequence", "Ada", "Bob", **SHORT)
    assert plays_for(phone) == "everybody"
