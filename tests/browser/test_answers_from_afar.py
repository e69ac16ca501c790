"""Answers from afar: by one large button, by a remote's keys. The browser's own voice is put in."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import OUT
from tests.browser.games import import_record
from tests.browser.playing import (
    ready,
    set_text_size,
    start_table,
    state,
    tap,
    tap_throw,
    wait_for_version,
)
from tests.browser.test_watching import served_with_film, six_dice
from tests.web.served import Served

DOUBLE_MS = 500  # sooner, a key is the second press of a double one
# What a browser has to speak. `spoken`: what was said.
BROWSER = """{
  window.spoken = [];
  speechSynthesis.cancel = () => {};
  speechSynthesis.speak = (said) => {
    spoken.push([said.lang, said.text]);
  };
}"""
SETTINGS = 'localStorage.setItem("rollcall.settings", JSON.stringify({ voice: true }));'
KOSCI = {"format": 1, "game": "kosci-single", "players": ["Ada", "Bob"]}
LAST_THROW = [
    {"do": "throw", "dice": [3, 3, 3, 5, 6]},
    {"do": "keep", "dice": [3, 3, 3]},
    {"do": "throw", "dice": [5, 6]},
    {"do": "keep", "dice": [3, 3, 3, 5]},
    {"do": "throw", "dice": [5]},
]


def phone_with_voice(new_phone: Callable[..., Any], settings: str = "", **options: Any) -> Any:
    page = new_phone(**options)
    page.add_init_script(BROWSER + settings)
    return page


def spoken(page: Any) -> list[str]:
    return [text for _, text in page.evaluate("() => window.spoken")]


def open_entry(page: Any, act: str) -> None:
    page.locator('header [data-act="menu"]').click()
    page.locator("#panel .more > summary").click()
    page.locator(f'#panel [data-act="{act}"]').click()


def may_bank(page: Any, base: str) -> None:
    """A table at which Ada may bank 700 points."""
    start_table(page, base, "farkle", "Ada", "Bob")
    tap_throw(page, 1, 2, 3, 6, 6, 6)
    wait_for_version(page, 1)
    tap(page, {"do": "set-aside", "dice": [1, 6, 6, 6]})
    wait_for_version(page, 2)


def test_one_large_button_answers_at_any_size_of_text(served: Served, new_phone: Callable[..., Any]) -> None:
    page = phone_with_voice(new_phone)
    set_text_size(page, "200%")
    may_bank(page, served.base)
    open_entry(page, "large-buttons")
    button = page.locator("#panel .answers button")
    expect(button).to_have_text("Bank 700")
    box = button.bounding_box()
    OUT.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=str(OUT / "large-button-200.png"))
    assert box["width"] > 300
    assert box["height"] > 0.4 * 844
    button.dblclick()  # the second tap was meant for the first
    wait_for_version(page, 3)
    expect(page.locator("#panel")).to_contain_text("Nothing is asked now.")
    assert state(page)["version"] == 3


def test_the_voice_tells_the_best_three_cells_and_one_key_takes_one(
    served: Served, new_phone: Callable[..., Any]
) -> None:
    page = phone_with_voice(new_phone, SETTINGS)
    page.goto(import_record(page, served.base, {**KOSCI, "actions": LAST_THROW[:-1]}))
    ready(page)
    tap_throw(page, 5)
    wait_for_version(page, 5)
    page.wait_for_function("() => window.spoken.length")
    best = "1: Full house: 25 points. 2: Three alike: 19 points. 3: Chance: 19 points"
    assert spoken(page) == [f"Ada: threw 5. {best}"]
    page.keyboard.press("2")  # the buttons are not open: it is no answer
    open_entry(page, "large-buttons")
    page.screenshot(path=str(OUT / "large-buttons-cells.png"))
    page.keyboard.press("PageUp")  # none of them
    page.wait_for_function("() => window.spoken.length === 2")
    assert spoken(page)[1].startswith("1: Fives: 10 points. ")
    for number in range(4):  # thirteen cells are told in five parts, then anew
        page.wait_for_timeout(DOUBLE_MS)
        page.keyboard.press("PageUp")
        page.wait_for_function("count => window.spoken.length === count", arg=3 + number)
    assert spoken(page)[-1] == best
    page.wait_for_timeout(DOUBLE_MS)
    page.keyboard.press("2")
    page.keyboard.press("2")
    wait_for_version(page, 6)
    page.wait_for_function("() => window.spoken.at(-1)[1] === 'Ada: Three alike +19. Bob plays.'")
    assert state(page)["version"] == 6


def test_a_remote_confirms_what_the_camera_proposes(tmp_path: Any, new_phone: Callable[..., Any]) -> None:
    with served_with_film(tmp_path, six_dice()) as server:
        page = phone_with_voice(new_phone)
        start_table(page, server.base, "sequence", "Ada", "Bob")
        page.locator('[data-act="watch-start"]').click()
        page.locator('#panel [data-act="close"]').click()
        page.locator('.watched [data-act="large-buttons"]').click()
        page.wait_for_selector("#panel .answers button")
        page.screenshot(path=str(OUT / "large-buttons-watched.png"))
        page.keyboard.press("PageDown")
        wait_for_version(page, 1)
