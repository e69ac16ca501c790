"""A score pad on a phone: a whole game typed in, with a number changed, a step corrected and a note; small screens."""

from typing import Any

from tests.browser.conftest import NewPhone
from tests.browser.playing import open_entry, start_table, state, type_points, undo, wait_for_toast, wait_for_version
from tests.web.served import Served


def write(page: Any, *points: int) -> None:
    """Writes points for those who come next, one after the other."""
    for each in points:
        version = state(page)["version"]
        type_points(page, each)
        page.locator('[data-act="points-write"]').click()
        wait_for_version(page, version + 1)


def rounds(page: Any) -> list[list[int | None]]:
    return [player["rounds"] for player in state(page)["standing"]["players"]]


def test_a_whole_game_is_typed_in_with_a_correction_and_a_note(served: Served, new_phone: NewPhone) -> None:
    page = new_phone()
    start_table(page, served.base, "score-pad", "Ada", "Bob", "Eva")
    write(page, 12, -5, 40)
    # In any order: Eva first, and the others get nothing.
    page.locator('[data-key="tab-2"]').click()
    write(page, 7)
    page.get_by_role("button", name="0 for the others").click()
    wait_for_version(page, 5)
    assert rounds(page) == [[12, 0], [-5, 0], [40, 7]]
    # A tap on a number changes it.
    page.get_by_role("button", name="Round 1, Bob").click()
    write(page, -15)
    assert rounds(page)[1] == [-15, 0]
    assert page.locator(".rounds .settled").count() == 1
    # A note on the first round.
    page.get_by_role("button", name="Note on round 1", exact=True).click()
    page.locator("#round-note").fill("  Bob dealt twice ")
    page.locator('[data-act="note-save"]').click()
    wait_for_version(page, 7)
    assert page.locator(".rounds .note").inner_text().strip() == "Bob dealt twice"
    # The first step is corrected in the list of steps, its effect shown before.
    open_entry(page, "correct")
    page.get_by_role("button", name="Correct step 1: Round 1").click()
    page.locator("#written").fill("21")
    page.locator("#written").blur()
    page.locator('[data-act="correct-do"]').click()
    wait_for_version(page, 8)
    assert rounds(page)[0] == [21, 0]
    # Undone and written again; then people end the game.
    write(page, 1)
    undo(page)
    wait_for_version(page, 10)
    page.get_by_role("button", name="End the game").click()
    page.wait_for_selector(".over .ranking")
    assert "Eva wins" in page.locator(".ending h2").inner_text()
    # A number may still be changed, and who has won follows from it.
    page.get_by_role("button", name="Round 2, Ada").click()
    type_points(page, 90)
    page.locator('.over [data-act="points-write"]').click()
    page.wait_for_function("() => document.querySelector('.ending h2').textContent.includes('Ada')")
    assert [player["score"] for player in state(page)["standing"]["players"]] == [111, -15, 47]


def test_what_is_typed_stays_while_another_phone_writes(served: Served, new_phone: NewPhone) -> None:
    one, two = new_phone(), new_phone()
    two.goto(start_table(one, served.base, "score-pad", "Ada", "Bob"))
    two.wait_for_selector("body[data-ready]")
    one.locator('[data-key="tab-0"]').click()
    type_points(one, 25)
    two.locator('[data-key="tab-1"]').click()
    write(two, 8)
    wait_for_version(one, 1)
    assert one.locator(".typed .big").inner_text() == "25"
    one.locator('[data-act="points-write"]').click()
    wait_for_version(two, 2)
    assert rounds(two) == [[25], [8]]


def test_points_out_of_bounds_are_said_and_nothing_is_written(served: Served, new_phone: NewPhone) -> None:
    page = new_phone()
    start_table(page, served.base, "score-pad", "Ada", "Bob")
    type_points(page, 100_001)
    page.locator('[data-act="points-write"]').click()
    wait_for_toast(page, "points can be written")
    assert state(page)["version"] == 0
    page.locator('[data-act="points-erase"]').click()
    page.locator('[data-act="points-write"]').click()
    wait_for_version(page, 1)
