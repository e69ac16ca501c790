"""What was scored is told on every phone, and marked on the sheet until the next throw."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.games import open_table
from tests.browser.playing import tap_throw, visit
from tests.scorer.playing import aside, throw
from tests.web.served import Served


@pytest.mark.parametrize(
    ("game", "actions", "cell", "text", "shown"),
    [
        ("kosci", [throw(3, 3, 3, 5, 5)], '[aria-label^="Full house: 25 points for Ada"]', "Ada: Full house +25", "25"),
        (
            "farkle",
            [throw(1, 1, 1, 2, 3, 5), aside(1, 1, 1, 5), throw(1, 1), aside(1, 1)],
            None,
            "Ada: +550",
            "+550550",
        ),
    ],
)
def test_what_was_written_is_told_and_marked_on_every_phone(
    served: Served,
    new_phone: NewPhone,
    game: str,
    actions: list[dict[str, Any]],
    cell: str | None,
    text: str,
    shown: str,
) -> None:
    one, two = new_phone(), new_phone()
    visit(two, open_table(one, served.base, game, *actions))
    if cell:
        one.locator(cell).first.click()
    one.locator("nav.actions .primary:not(.photograph)").click()
    for page in (one, two):
        expect(page.locator(".events")).to_have_text(text)
        expect(page.locator("#toast")).to_be_hidden()  # it is told once, in one place
        expect(page.locator(".fresh")).to_have_text(shown)
    tap_throw(two, *[1, 2, 2, 4, 6, 6][: 6 if game == "farkle" else 5])
    for page in (one, two):
        expect(page.locator(".fresh")).to_have_count(0)
