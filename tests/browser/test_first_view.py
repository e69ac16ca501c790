"""What a phone must load before a table can be used, and what comes after it."""

from typing import Any

import pytest

from tests.browser.conftest import NewPhone
from tests.browser.games import import_record, record
from tests.browser.playing import PICTURES, all_loaded, discard, ready, start_table, wait_for_toast, wait_until_closed
from tests.web.served import Served

MOST_REQUESTS = 20
MOST_BYTES = 63_500
MOST_OF_ALL = {"scripts": 70_500, "all": 114_000}  # once the dialogs are there too, in the longest language
NAMES = ("Kateřina", "Maksymilian", "Ada")
# When the first button can be tapped; and what had been loaded by then, in bytes with headers.
NOTE_READY = """new MutationObserver((_, observer) => {
  if (!document.querySelector("body[data-ready] nav.actions button")) return;
  window.readyAt = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true, attributes: true });"""
# What has been loaded at all, the scripts apart: dialogs, but not what nobody has asked for.
SIZES = """() => {
  const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  const sum = (some) => some.reduce((bytes, one) => bytes + one.transferSize, 0);
  return {scripts: sum(all.filter((one) => new URL(one.name).pathname.endsWith(".js"))), all: sum(all)};
}"""
LOADED = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .filter((one) => one.entryType === "navigation" || one.responseStart <= window.readyAt)
  .map((one) => [new URL(one.name).pathname, one.transferSize])"""


@pytest.mark.parametrize("game", ["ones-and-fives", "drapky", "kosci-triple", "knaster"])
def test_little_is_loaded_before_the_first_button(served: Served, new_phone: NewPhone, game: str) -> None:
    table = import_record(new_phone(), served.base, record(game, NAMES, 0.3))
    page = new_phone(locale="cs")
    page.add_init_script(NOTE_READY)
    page.goto(table)
    page.wait_for_function("() => window.readyAt")
    loaded = page.evaluate(LOADED)
    assert len(loaded) <= MOST_REQUESTS, loaded
    assert sum(size for _, size in loaded) <= MOST_BYTES, loaded
    later = ("on-demand", "when-wanted", "advising", "table/ending")
    assert not [address for address, _ in loaded if any(each in address for each in later)]
    page.wait_for_function("() => performance.getEntriesByType('resource').some((one) => /on-demand/.test(one.name))")
    page.locator('header [data-act="menu"]').click()  # the dialogs are there
    page.wait_for_selector("#panel[open] .menu")
    sizes = page.evaluate(SIZES)
    assert not [part for part, most in MOST_OF_ALL.items() if sizes[part] > most], sizes


SHOWN = """() => [document.getElementById("table"), document.querySelector("nav.actions")].map((one) => [one.innerText,
  ...[...one.querySelectorAll("[aria-label]")].map((each) => each.getAttribute("aria-label"))])"""


@pytest.mark.parametrize("game", ["ones-and-fives", "drapky", "kosci-triple", "knaster", "score-pad"])
def test_the_first_view_has_all_its_words(served: Served, new_phone: NewPhone, game: str) -> None:
    """What comes later is of dialogs alone: on a slow line nobody reads half a table in English."""
    page = new_phone(locale="cs")
    table = import_record(page, served.base, record(game, NAMES, 0.3))
    held: list[Any] = []
    page.route("**/texts/later/**", lambda route: held.append(route))
    with page.expect_request("**/texts/later/**"):
        page.goto(table)
        ready(page)
    first = page.evaluate(SHOWN)
    for each in held:
        each.continue_()
    page.locator('header [data-act="menu"]').click()  # it comes with those words
    page.wait_for_selector("#panel[open] .menu")
    assert page.evaluate(SHOWN) == first


def test_a_tap_before_the_scripts_is_kept_and_done_once(served: Served, new_phone: NewPhone) -> None:
    """Also on a phone that computes four times slower."""
    page = new_phone()
    table = import_record(page, served.base, record("farkle", NAMES, 0.3))
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    held: list[Any] = []
    page.route("**/table/table.js*", lambda route: held.append(route))
    page.goto(table, wait_until="commit")
    page.wait_for_function("() => performance.now() > 400")  # sooner, it would be the end of a double tap elsewhere
    for _ in range(2):
        page.locator('header [data-act="invite"]').tap()
    assert page.locator("body[data-ready]").count() == 0
    for each in held:
        each.continue_()
    page.unroute("**/table/table.js*")
    page.wait_for_selector("#panel[open] .invite")
    page.keyboard.press("Escape")
    wait_until_closed(page)
    ready(page)
    assert page.locator("#panel[open]").count() == 0


def test_two_quick_taps_on_keys_that_have_just_come_both_count(served: Served, new_phone: NewPhone) -> None:
    page = new_phone()
    table = import_record(page, served.base, {"format": 1, "game": "farkle", "players": [*NAMES], "actions": []})
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(table, wait_until="commit")
    key = page.locator('[data-act="pad-key"][data-arg="3"]').first
    box = key.bounding_box()
    for _ in range(2):
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(150)  # as fingers do
    page.wait_for_selector('dialog[open] [data-act="pad-remove"] >> nth=1')


def test_a_dialog_opens_out_of_range_once_the_page_has_been_there_a_moment(served: Served, page: Any) -> None:
    with all_loaded(page):
        start_table(page, served.base, "ones-and-fives", "Ada")
    page.context.set_offline(True)
    page.locator('header [data-act="menu"]').click()
    page.wait_for_selector("#panel[open] .menu")


def test_what_could_not_be_loaded_is_asked_for_again(served: Served, page: Any) -> None:
    page.route("**/on-demand.js*", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: "on-demand" in request.url):
        start_table(page, served.base, "ones-and-fives", "Ada")
    page.locator('header [data-act="menu"]').click()
    page.wait_for_function(
        "text => (window.said || []).includes(text)",
        arg="No connection to the server. Is this phone on the same Wi-Fi?",
    )
    page.locator("#photo").set_input_files(PICTURES / "throw-113466.jpg")
    wait_for_toast(page, "No connection. This will be sent as soon as the phone is back.")
    page.unroute("**/on-demand.js*")
    page.wait_for_selector("#review-photo")
    discard(page)
    page.locator('header [data-act="menu"]').click()
    page.wait_for_selector("#panel[open] .menu")
    page.keyboard.press("Escape")
    ready(page)
