"""A table without a pointer: Tab, arrows, Enter and Space are enough for everything that a throw needs."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.browser.playing import PICTURES, file_chooser, ready, state, values, wait_for_version
from tests.web.served import Served

MOST_TABS = 120
FOCUSED = "(selector) => document.activeElement.matches(selector)"


def go_to(page: Any, selector: str) -> None:
    """Presses Tab until what is wanted has the focus."""
    page.wait_for_selector(selector, state="attached")
    for _ in range(MOST_TABS):
        if page.evaluate(FOCUSED, selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached by Tab")


def press(page: Any, selector: str, key: str = "Enter") -> None:
    go_to(page, selector)
    page.keyboard.press(key)


def wait_until_closed(page: Any) -> None:
    page.wait_for_selector("#panel:not([open])", state="attached")


def test_a_turn_is_played_without_a_pointer(served: Served, new_phone: Callable[..., Any]) -> None:
    page = new_phone(is_mobile=False, has_touch=False, viewport={"width": 1024, "height": 768})
    page.goto(f"{served.base}/")
    ready(page)
    go_to(page, '[name="game"]:checked')
    page.keyboard.press("ArrowRight")
    assert page.evaluate(FOCUSED, '[value="six-dice"]:checked')
    page.keyboard.press("ArrowLeft")
    go_to(page, "#seats input")
    page.keyboard.type("Ada")
    press(page, "#new-table .primary")
    page.wait_for_url("**/tables/*")
    ready(page)

    press(page, '[data-act="pad"]')
    for value in (1, 1, 6, 6, 3, 4):
        press(page, f'[data-act="pad-key"][data-arg="{value}"]', "Space")
    press(page, '[data-act="pad-confirm"]')
    wait_until_closed(page)
    press(page, 'li[data-key="11"] .choice', "Space")
    wait_for_version(page, 2)

    # Three dice of the four that were thrown are in the photo.
    chooser = file_chooser(page, lambda: press(page, "#photo"))
    chooser.set_files(PICTURES / "throw-235.jpg")
    page.wait_for_selector("#review-photo")
    read = len(values(page))
    press(page, "#review-photo .box", "Space")  # a die in the photo itself
    expect(page.locator(".keys button").first).to_be_visible()
    press(page, '[data-act="review-unpick"]')
    while len(values(page)) < 4:
        press(page, '[data-act="review-add-die"]')
        assert page.evaluate(FOCUSED, ".keys button"), "what it shows is asked next"
        press(page, '[data-act="review-value"][data-arg="1"]', "Space")
        assert page.evaluate(FOCUSED, '[data-act="review-confirm"]')
    assert values(page)[read:] == [1] * (4 - read)
    assert page.locator("#review-photo .box").count() == read, "nobody said where the others lie"
    told = values(page)
    with page.expect_request(lambda request: request.url.endswith("/actions")) as sent:
        press(page, '[data-act="review-confirm"]')
    assert len(sent.value.post_data_json["evidence"]["dice"]) == 4
    wait_until_closed(page)
    assert sorted(state(page)["standing"]["turn"]["throw"]) == sorted(told)
    press(page, ".choice", "Enter")
    wait_for_version(page, 4)
