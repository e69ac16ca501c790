"""Shut the box on a phone: numbers chosen by tap, with a photo and without; small screens."""

from typing import Any

from tests.browser.conftest import SMALL, NewPhone
from tests.browser.games import open_table
from tests.browser.playing import photograph, state, tap_throw, undo, wait_for_version
from tests.scorer.playing import Action, throw
from tests.web.served import Served

KEY = "shut-the-box"
SMALLEST_TARGET = 44  # pixels of a finger


def shut(*tiles: int) -> Action:
    return {"do": "shut", "tiles": list(tiles)}


def tile(page: Any, number: int, where: str = "#table") -> Any:
    return page.locator(f'{where} button.tile[data-arg="{number}"]')


def marked(page: Any, where: str = "#table") -> list[int]:
    return [int(each) for each in page.locator(f'{where} .tile[aria-pressed="true"]').all_inner_texts()]


def test_numbers_are_marked_and_shut(served: Served, new_phone: NewPhone) -> None:
    page = new_phone()
    open_table(page, served.base, KEY)
    tap_throw(page, 6, 3)
    wait_for_version(page, 1)
    assert page.locator("nav.actions .primary").count() == 0
    tile(page, 8).click()
    assert marked(page) == [1, 8], "only 1 makes 9 with it"
    tile(page, 7).click()
    assert marked(page) == [2, 7], "a number of another set begins that"
    tile(page, 1).click()
    assert marked(page) == [1], "three sets have it"
    tile(page, 2).click()
    assert marked(page) == [1, 2, 6]
    page.get_by_role("button", name="Shut 1, 2, 6").click()
    wait_for_version(page, 2)
    assert state(page)["standing"]["turn"]["open"] == [3, 4, 5, 7, 8, 9]
    undo(page)
    wait_for_version(page, 3)
    assert state(page)["standing"]["turn"]["open"] == list(range(1, 10))


def test_what_is_possible_alone_takes_one_tap_and_what_is_not_none(served: Served, new_phone: NewPhone) -> None:
    page = new_phone()
    open_table(page, served.base, KEY, throw(6, 3), shut(1, 8), throw(6, 5), shut(5, 6), throw(2, 2))
    assert marked(page) == [4]
    assert tile(page, 9).get_attribute("aria-disabled") == "true"
    page.get_by_role("button", name="Shut 4", exact=True).click()
    wait_for_version(page, 6)
    tap_throw(page, 5, 1)
    wait_for_version(page, 7)
    assert state(page)["standing"]["to_act"] == [1]
    assert "21" in page.locator(".events").inner_text()


def test_a_photo_and_its_choice_are_one_screen(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(viewport=SMALL)
    open_table(page, served.base, KEY)
    photograph(page, "throw-15.jpg")
    tile(page, 4, "#panel").click()
    assert marked(page, "#panel") == [2, 4]
    for each in page.locator("#panel button.tile").all():
        box = each.bounding_box()
        assert min(box["width"], box["height"]) >= SMALLEST_TARGET
    page.locator("#panel").get_by_role("button", name="Shut 2, 4").click()
    wait_for_version(page, 2)
    assert state(page)["standing"]["turn"]["open"] == [1, 3, 5, 6, 7, 8, 9]
    undo(page)
    wait_for_version(page, 4)
    assert state(page)["standing"]["turn"]["throw"] == [], "one undo takes both back"
