"""A table without a pointer: Tab, arrows, Enter and Space are enough for everything that a throw needs."""

import random
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.games import open_table
from tests.browser.playing import (
    PICTURES,
    file_chooser,
    ready,
    state,
    values,
    visit,
    wait_for_version,
    wait_until_closed,
)
from tests.web.served import Served

MOST_TABS = 120
MOST_KEYS = 15  # for a throw of six dice and a set-aside
COMPUTER: dict[str, Any] = {"is_mobile": False, "has_touch": False, "viewport": {"width": 1024, "height": 768}}
THOUGHT_MS = 500  # between two presses of Enter: a second one that comes sooner is taken for a double press
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


def test_a_turn_is_played_without_a_pointer(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(**COMPUTER)
    visit(page, f"{served.base}/")
    go_to(page, '[name="game"]:checked')
    page.keyboard.press("ArrowRight")
    page.wait_for_function(FOCUSED, arg='[value="ones-and-fives"]:checked')
    page.keyboard.press("ArrowLeft")
    go_to(page, "#seats input")
    page.keyboard.type("Ada")
    press(page, "#new-table .primary")
    page.wait_for_url("**/tables/*")
    ready(page)

    press(page, '[data-act="pad"]')
    for value in (1, 1, 6, 6, 3, 4):
        press(page, f'#panel [data-act="pad-key"][data-arg="{value}"]', "Space")
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
        page.wait_for_function(FOCUSED, arg=".keys button")  # what it shows is asked next
        press(page, '[data-act="review-value"][data-arg="1"]', "Space")
        page.wait_for_function(FOCUSED, arg='[data-act="review-confirm"]')
    assert values(page)[read:] == [1] * (4 - read)
    assert page.locator("#review-photo .box").count() == read, "nobody said where the others lie"
    told = values(page)
    with page.expect_request(lambda request: request.url.endswith("/actions")) as sent:
        press(page, '[data-act="review-confirm"]')
    assert len(sent.value.post_data_json["evidence"]["dice"]) == 4
    wait_until_closed(page)
    assert sorted(state(page)["standing"]["turn"]["throw"]) == sorted(told)
    page.wait_for_timeout(THOUGHT_MS)
    press(page, ".choice", "Enter")
    wait_for_version(page, 4)


class Keyboard:
    """Presses keys one by one, as a person does who hears what each did; counts them."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.pressed = 0

    def press(self, *keys: str) -> None:
        for key in keys:
            if key == "Enter":
                self.page.wait_for_timeout(THOUGHT_MS)
            self.page.keyboard.press(key)
            self.pressed += 1

    def throw(self, dice: list[int]) -> None:
        self.press("0", *map(str, dice), "Enter")


def has_focus(page: Any, selector: str) -> None:
    expect(page.locator(selector).first).to_be_focused()


def test_a_whole_game_is_played_with_keys_alone(served: Served, new_phone: NewPhone) -> None:
    """Farkle to 500 points. The best choice has the focus after a throw, "Bank" after a set-aside."""
    page = new_phone(**COMPUTER)
    open_table(page, served.base, "farkle", target=500)
    keyboard, chance, throws = Keyboard(page), random.Random(1), 0
    while not (now := state(page))["standing"]["over"]:
        before = keyboard.pressed
        keyboard.throw([chance.randint(1, 6) for _ in range(now["standing"]["turn"]["expects"])])
        throws += 1
        page.wait_for_function("(version) => Number(document.body.dataset.version) > version", arg=now["version"])
        choices = [entry for entry in state(page)["standing"]["legal"] if entry["do"] == "set-aside"]
        if choices:
            has_focus(page, ".choice")
            version = state(page)["version"]
            keyboard.press("Enter")
            wait_for_version(page, version + 1)
        assert keyboard.pressed - before <= MOST_KEYS
        legal = [entry["do"] for entry in state(page)["standing"]["legal"]]
        if "bank" in legal:
            has_focus(page, "nav .bank")
            version = state(page)["version"]
            keyboard.press("Enter")
            wait_for_version(page, version + 1)
        assert page.evaluate("document.activeElement !== document.body")
    has_focus(page, "nav.actions .primary")
    print(f"{throws} throws with {keyboard.pressed} keys")


def test_the_pad_takes_keys(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(**COMPUTER)
    open_table(page, served.base, "farkle")
    page.keyboard.press("7")
    page.keyboard.press("1")
    expect(page.locator("#panel")).not_to_be_visible()  # single keys do nothing but open the pad
    page.keyboard.press("0")
    shown = page.locator(".slots [data-act='pad-remove']")
    for key in ("1", "Numpad2", "Shift+Digit3"):
        page.keyboard.press(key)
    expect(shown).to_have_count(3)
    page.keyboard.press("Backspace")
    expect(shown).to_have_count(2)
    page.keyboard.press("Enter")  # four are missing
    expect(page.locator("#panel")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).not_to_be_visible()
    assert page.evaluate("document.activeElement !== document.body")
    page.keyboard.press("0")
    expect(shown).to_have_count(2)  # they are still there
    for key in ("5", "3", "4", "4", "6"):
        page.keyboard.press(key)
    expect(shown).to_have_count(6)
    page.keyboard.press("Enter")
    wait_for_version(page, 1)
    assert state(page)["standing"]["turn"]["throw"] == [1, 2, 5, 3, 4, 4]


def test_a_key_that_is_held_does_one_thing(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(**COMPUTER)
    open_table(page, served.base, "farkle")
    for key in ("0", "1", "1", "5", "2", "3", "6"):
        page.keyboard.press(key)
    page.keyboard.down("Enter")
    wait_for_version(page, 1)
    has_focus(page, ".choice")
    page.keyboard.down("Enter")  # as a held key does again and again
    page.keyboard.up("Enter")
    page.wait_for_timeout(THOUGHT_MS)
    assert state(page)["version"] == 1, "nobody chose a set-aside"


def test_a_correction_takes_keys(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(**COMPUTER)
    open_table(page, served.base, "farkle", {"do": "throw", "dice": [1, 1, 2, 3, 4, 6]})
    press(page, '[data-act="menu"]')
    press(page, '[data-act="correct"]')
    press(page, '[data-act="correct-step"]')
    go_to(page, '[data-act="correct-pick"][data-arg="2"]')
    keyboard = Keyboard(page)
    keyboard.press("5")
    page.wait_for_selector(".effect")
    has_focus(page, '[data-act="correct-do"]')
    keyboard.press("Enter")
    wait_for_version(page, 2)
    assert state(page)["standing"]["turn"]["throw"] == [1, 1, 5, 3, 4, 6]
    wait_until_closed(page)
    assert page.evaluate("document.activeElement !== document.body")


WRITTEN = [{"do": "throw", "dice": [3, 3, 3, 5, 5]}]


@pytest.mark.parametrize(
    ("game", "actions", "act", "next_one"),
    [
        ("farkle", [{"do": "throw", "dice": [1, 1, 2, 3, 4, 6]}], ".choice", ".photograph input"),
        ("kosci", WRITTEN, ".offers button, nav .primary", ".photograph input"),
        ("knaster", [{"do": "throw", "dice": [3, 4]}], ".square-grid button, nav .primary", ".square-grid button"),
        ("farkle", WRITTEN[:0], '[data-act="menu"], [data-act="players"], [data-act="close"]', '[data-act="menu"]'),
        (
            "kosci",
            [*WRITTEN, {"do": "score", "category": "full"}],
            '[data-act="undo"], [data-act="undo-do"]:not([aria-disabled])',
            ".offers button",
        ),
    ],
)
def test_the_focus_goes_to_what_comes_next(
    served: Served, new_phone: NewPhone, game: str, actions: list[dict[str, Any]], act: str, next_one: str
) -> None:
    page = new_phone(**COMPUTER)
    open_table(page, served.base, game, *actions)
    for selector in act.split(", "):
        page.locator(selector).first.focus()
        page.wait_for_timeout(THOUGHT_MS)
        page.keyboard.press("Enter")
    if '"menu"' not in act:
        page.wait_for_function("(version) => Number(document.body.dataset.version) > version", arg=len(actions))
    has_focus(page, next_one)


def test_the_focus_is_not_lost_when_another_phone_acts(served: Served, new_phone: NewPhone) -> None:
    one, two = new_phone(**COMPUTER), new_phone(**COMPUTER)
    open_table(one, served.base, "farkle", {"do": "throw", "dice": [1, 1, 2, 3, 4, 6]})
    visit(two, one.url)
    two.locator(".choice").first.focus()
    one.locator(".choice").first.click()
    wait_for_version(two, 2)
    has_focus(two, ".photograph input")
