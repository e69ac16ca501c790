"""The end of a game on a phone and on the board, its picture, and moments on the way: an undo takes all of it back."""

import re
import struct
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.games import open_table
from tests.browser.playing import send, undo, visit, wait_for_version
from tests.scorer.playing import BANK, aside, throw
from tests.web.served import Served

TELEVISION = {"width": 1280, "height": 720}
# A moment is gone after two seconds: `window.moments` keeps what was shown.
REMEMBER_MOMENTS = """new MutationObserver(() => {
  const shown = document.querySelector(".moments:not([hidden]) .moment");
  if (shown) (window.moments ??= []).push(shown.innerText.trim());
}).observe(document, { subtree: true, childList: true, attributeFilter: ["hidden"] });"""
SHOWN = "window.moments ?? []"
STRAIGHT = [throw(1, 2, 3, 4, 5, 6), aside(1, 2, 3, 4, 5, 6)]


def test_an_ending_is_seen_saved_and_taken_back(served: Served, new_phone: NewPhone, tmp_path: Path) -> None:
    phone, board = new_phone(), new_phone(viewport=TELEVISION, is_mobile=False)
    board.add_init_script(REMEMBER_MOMENTS)
    table = open_table(phone, served.base, "ones-and-fives", *STRAIGHT, BANK, target=6000, players=("Ada", "Bob"))
    visit(board, f"{table}/board")
    send(phone, throw(2, 3, 4, 6, 6, 2))
    expect(board.locator(".event")).to_have_text(re.compile("Bust.+Bob scores nothing", re.DOTALL))
    expect(board.get_by_text("Bust.")).to_have_count(1)
    assert board.evaluate(SHOWN) == [], "the stage tells it"
    expect(phone.locator(".events")).to_have_text(re.compile("Bust.+Bob scores nothing", re.DOTALL))
    undo(phone)
    wait_for_version(phone, len(STRAIGHT) + 3)
    send(phone, throw(2, 2, 2, 2, 2, 3))
    board.wait_for_function("() => (window.moments ?? []).some((words) => words.includes('Bob: what a throw!'))")
    undo(phone)
    wait_for_version(phone, len(STRAIGHT) + 5)
    expect(board.locator(".moments")).to_be_hidden()
    for action in (throw(2, 3, 4, 6, 6, 2), *STRAIGHT, BANK):
        send(phone, action)
    for page in (phone, board):
        expect(page.locator(".ending h2")).to_have_text("Ada wins")
        expect(page.locator(".ending .chart")).to_be_visible()
        expect(page.locator(".remembered")).to_contain_text(re.compile(r"The best throw\s+Ada \+3,000", re.DOTALL))
        expect(page.locator(".remembered")).to_contain_text("Ada led from the first turn to the end.")
    expect(board.locator(".sheets")).to_have_count(0)
    box = phone.locator(".ending").bounding_box()
    assert box["x"] == 16, "as wide as the screen but for its edges"
    # Over plain http nothing shares: the picture is saved.
    with phone.expect_download() as saved:
        phone.get_by_role("button", name="Save the picture").click()
    assert saved.value.suggested_filename == "Ones and Fives – Ada wins.png"
    saved.value.save_as(tmp_path / "ending.png")
    head = (tmp_path / "ending.png").read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", head[16:]) == (1080, 1350)
    assert phone.locator(".moments").count() == 0, "of a phone the step itself tells"
    told = board.evaluate(SHOWN)
    undo(phone)
    for page in (phone, board):
        expect(page.locator(".ending")).to_have_count(0)
    assert board.evaluate(SHOWN) == told, "nothing is shown again"


def test_a_phone_that_can_share_shares(served: Served, new_phone: NewPhone) -> None:
    phone = new_phone()
    phone.add_init_script("""
      navigator.canShare = ({ files }) => files.length === 1;
      navigator.share = async ({ files: [file] }) => { window.shared = [file.name, file.type, file.size]; };""")
    open_table(phone, served.base, "ones-and-fives", *STRAIGHT, BANK, target=1500)
    phone.get_by_role("button", name="Share the picture").click()
    phone.wait_for_function("() => window.shared")
    name, kind, size = phone.evaluate("window.shared")
    assert (name, kind) == ("Ones and Fives – Ada wins.png", "image/png")
    assert size > 10_000
