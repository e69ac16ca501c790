"""What was scored is told on every phone, and marked on the sheet until the next throw."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.games import open_table
from tests.browser.playing import tap_throw, visit, wait_for_version
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


def test_a_single_set_aside_costs_no_tap_is_told_and_is_taken_back_with_its_throw(
    served: Served, new_phone: NewPhone
) -> None:
    one, two = new_phone(), new_phone()
    visit(two, open_table(one, served.base, "farkle"))
    tap_throw(one, 5, 2, 3, 3, 4, 6)
    for page in (one, two):
        wait_for_version(page, 2)
        expect(page.locator(".events")).to_contain_text("+50 set aside: nothing else was possible")
        expect(page.locator(".choice")).to_have_count(0)
        expect(page.locator(".photograph")).to_contain_text("Photograph 5 dice")
    two.locator('[data-act="undo"]').click()
    asked = two.locator("#panel .steps p")
    expect(asked).to_have_count(2)
    expect(asked.first).to_contain_text("threw")
    expect(asked.last).to_contain_text("set aside")
    two.locator('[data-act="undo-do"]').click()
    for page in (one, two):
        wait_for_version(page, 4)
        expect(page.locator(".photograph")).to_contain_text("Photograph 6 dice")
    tap_throw(one, 1, 1, 6, 6, 3, 4)
    wait_for_version(two, 5)
    expect(two.locator(".choice")).to_have_count(2)
