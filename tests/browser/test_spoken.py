"""What happens at the table is said to people who do not see it: once, on every phone and on the board."""

from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.games import open_table
from tests.browser.playing import send, tap, tap_throw, undo, visit, wait_for_version
from tests.web.served import Served

# Whatever a screen reader would say by itself: `window.heard` keeps it.
REMEMBER = """{
  const regions = "[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log], output";
  const words = (node) => (node.nodeType === 3 ? node.data : node.innerText ?? "").trim();
  const hear = (text) => text && (window.heard ??= []).push(text);
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      const within = (target.nodeType === 1 ? target : target.parentElement)?.closest(regions);
      if (within && type === "characterData") hear(target.data.trim());
      for (const node of addedNodes)
        if (within) hear(words(node));
        else if (node.nodeType === 1)
          for (const one of [node, ...node.querySelectorAll("*")]) if (one.matches(regions)) hear(words(one));
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}"""
PAUSE_MS = 400  # then it was said, or is not
BANKED = [
    ({"do": "throw", "dice": [6, 6, 1, 2, 3, 6]}, 1, "Ada: threw 1, 2, 3, 6, 6, 6."),
    ({"do": "set-aside", "dice": [1, 6, 6, 6]}, 2, "Ada: set aside 1, 6, 6, 6. 700 this turn."),
    ({"do": "bank"}, 3, "Ada: +700. Bob plays."),
    ({"do": "throw", "dice": [2, 2, 3, 3, 4, 6]}, 4, "Bob: threw 2, 2, 3, 3, 4, 6. Bust. Ada plays."),
    ({"do": "throw", "dice": [5, 2, 3, 3, 4, 6]}, 6, "Ada: threw 2, 3, 3, 4, 5, 6. Set aside 5. 50 this turn."),
]


def heard(page: Any) -> list[str]:
    """What was said since it was asked last."""
    page.wait_for_timeout(PAUSE_MS)
    return list(page.evaluate("() => { const said = window.heard ?? []; window.heard = []; return said; }"))


def test_each_step_is_said_once_on_every_phone(served: Served, new_phone: NewPhone) -> None:
    one, two, board = pages = [new_phone(), new_phone(), new_phone()]
    for page in pages:
        page.add_init_script(REMEMBER)
    visit(two, open_table(one, served.base, "farkle"))
    visit(board, f"{one.url}/board")
    for page in pages:
        heard(page)
    for action, version, sentence in BANKED:
        tap(one, action)
        for page in (one, two):
            wait_for_version(page, version)
        for page in pages:
            assert heard(page) == [sentence], action


def test_what_no_page_did_and_what_is_taken_back_are_said_too(served: Served, new_phone: NewPhone) -> None:
    page, other = new_phone(), new_phone()
    page.add_init_script(REMEMBER)
    visit(other, open_table(page, served.base, "farkle"))
    heard(page)
    send(other, {"do": "throw", "dice": [2, 2, 3, 3, 4, 6]})  # as a camera or a program does
    wait_for_version(page, 1)
    assert heard(page) == ["Ada: threw 2, 2, 3, 3, 4, 6. Bust. Bob plays."]
    undo(other)
    wait_for_version(page, 2)
    (said,) = heard(page)
    assert said.endswith(": the last step was undone. Ada plays.")


def test_what_is_said_while_a_dialog_is_open_is_within_it(served: Served, new_phone: NewPhone) -> None:
    page, other = new_phone(), new_phone()
    visit(other, open_table(page, served.base, "farkle"))
    page.locator('header [data-act="menu"]').click()
    tap_throw(other, 2, 2, 3, 3, 4, 6)
    expect(page.locator("dialog[open] #spoken")).to_have_text("Ada: threw 2, 2, 3, 3, 4, 6. Bust. Bob plays.")
    page.keyboard.press("Escape")
    expect(page.locator("body > #spoken")).to_have_text("")  # nothing is said again
