"""Single faults that were found at tables, each put right for good."""

import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.games import open_table
from tests.browser.playing import PICTURES, open_entry, set_text_size, start_table, visit
from tests.scorer.playing import BANK, Action, aside, throw, write
from tests.web.served import Served

# In Knaster: Ada's first row is full, without a pattern, and nothing in it is circled.
ROW = [(1, 1), (1, 3), (2, 5), (5, 6), (6, 6)]


def test_knaster_rings_scored_lines_only(served: Served, page: Any) -> None:
    actions: list[Action] = []
    for column, dice in enumerate(ROW, start=1):
        actions += [throw(*dice), write(0, 1, column)]
    open_table(page, served.base, "knaster", *actions, players=["Ada"])
    complete = page.locator(".line-points.complete")
    expect(complete).to_have_count(1)
    assert complete.evaluate("(one) => getComputedStyle(one).boxShadow") == "none"
    assert complete.evaluate("(one) => getComputedStyle(one).borderTopWidth") == "0px"


def test_one_point_is_one_point(served: Served, page: Any) -> None:
    open_table(page, served.base, "yahtzee", throw(1, 2, 2, 3, 4), players=["Ada"])
    expect(page.get_by_role("button", name="Ones: 1 point for Ada")).to_have_count(1)


def test_a_photo_that_waits_is_the_main_thing_to_do(served: Served, new_phone: NewPhone) -> None:
    one, two = new_phone(), new_phone()
    start_table(one, served.base, "ones-and-fives", "Ada", "Bob")
    visit(two, one.url)
    expect(two.locator(".photograph.primary")).to_have_count(1)
    one.locator("#photo").set_input_files(PICTURES / "throw-113466.jpg")
    two.wait_for_selector('[data-act="review"].primary')
    expect(two.locator(".photograph.primary")).to_have_count(0)
    expect(two.locator(".photograph")).to_be_visible()


def test_why_a_later_step_no_longer_holds_is_shown_with_dice(served: Served, page: Any) -> None:
    actions = [throw(1, 1, 2, 3, 4, 6), aside(1, 1), throw(5, 2, 3, 4), aside(5), throw(1, 5, 2), aside(1, 5), BANK]
    open_table(page, served.base, "ones-and-fives", *actions, minimum=300)
    open_entry(page, "correct")
    page.locator(".steps .slots").last.locator("button").first.click()  # of the first throw: the newest stands first
    page.locator('[data-act="correct-value"][data-arg="6"]').click()
    why = page.locator(".effect p.hint").first
    expect(why).to_contain_text("no longer lie among")
    expect(why.locator("svg.die")).to_have_count(8)  # the two that were set aside, and the six of the throw
    assert re.search(r"[1-6] [1-6]", why.inner_text()) is None, "dice are told as pictures"


BROKEN_WORDS = """() => [...document.querySelectorAll("#panel .menu span")].filter((one) => {
  const range = document.createRange();
  return [...one.firstChild.textContent.matchAll(/\\p{L}{2,10}/gu)].some((word) => {
    range.setStart(one.firstChild, word.index);
    range.setEnd(one.firstChild, word.index + word[0].length);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
  });
}).map((one) => one.textContent)"""


def test_short_words_of_the_menu_are_not_broken_by_large_text(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(locale="cs", is_mobile=False, viewport={"width": 320, "height": 568})
    set_text_size(page, "200%")
    start_table(page, served.base, "ones-and-fives", "Ada")
    page.locator('header [data-act="menu"]').click()
    page.locator("#panel .more > summary").click()
    assert page.evaluate(BROKEN_WORDS) == []
