"""Hands on a phone: dice set aside by tap, the turn ended, rounds and lives on the sheet; no page too wide."""

from typing import Any

from tests.browser.conftest import SMALL, NewPhone
from tests.browser.playing import start_table, state, tap_throw, wait_for_version
from tests.web.served import Served

WIDER = "() => document.documentElement.scrollWidth - innerWidth"


def set_aside(page: Any, *places: int) -> None:
    """Taps dice of the throw by their places, and the button."""
    for place in places:
        page.locator(f'[data-act="take"][data-arg="{place}"]').click()
    page.get_by_role("button", name="Set aside", exact=True).click()


def end_turn(page: Any) -> None:
    page.get_by_role("button", name="End the turn").click()


def test_threes_is_played_by_taps_until_somebody_wins_a_round(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(viewport={"width": 390, "height": 844})
    start_table(page, served.base, "threes", "Ada", "Bob")
    tap_throw(page, 2, 1, 3, 6, 6)
    set_aside(page, 2)
    wait_for_version(page, 2)
    assert page.locator(".aside").inner_text().strip()
    tap_throw(page, 3, 3, 2, 1)
    assert page.locator(".stake .big").inner_text() == "3"
    assert page.evaluate(WIDER) <= 0
    end_turn(page)
    wait_for_version(page, 4)
    tap_throw(page, 6, 6, 6, 6, 5)
    end_turn(page)
    wait_for_version(page, 6)
    standing = state(page)["standing"]
    assert (standing["rounds_won"], [each["score"] for each in standing["players"]]) == ([[0]], [1, 0])
    assert "won" in page.locator("table.turns td").first.inner_text()


def test_mexico_costs_a_life(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(viewport=SMALL)
    start_table(page, served.base, "mexico", "Kateřina", "Maksymilian", "Ada")
    tap_throw(page, 3, 1)
    wait_for_version(page, 1)
    tap_throw(page, 5, 4)
    end_turn(page)
    wait_for_version(page, 3)
    tap_throw(page, 2, 1)
    assert page.locator(".stake .big").inner_text() == "Mexico"
    end_turn(page)
    wait_for_version(page, 5)
    tap_throw(page, 6, 6)
    end_turn(page)
    wait_for_version(page, 7)
    standing = state(page)["standing"]
    assert [each["score"] for each in standing["players"]] == [4, 5, 5]
    assert standing["to_act"] == [0], "the loser begins"
    cell = page.locator("table.turns td").first
    assert cell.locator(".added, .total").all_inner_texts() == ["45", "4"]
    assert "lost" in cell.inner_text()
    assert page.evaluate(WIDER) <= 0
