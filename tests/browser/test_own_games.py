"""A family's own game: made in the form, shared by its page, played by two phones, one throw by a photo."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

import rollcall
from tests.browser.conftest import OUT, NewPhone
from tests.browser.playing import confirm_review, edit_by_hand, photograph, play_own_game, state, tap_throw, visit
from tests.browser.test_game_editor import make_our_farkle
from tests.web.served import Served

MOST_TAPS = 9  # from the start page to the game's own page; the four fields are typed in
COUNT_TAPS = """addEventListener("pointerup", () =>
  localStorage.setItem("taps", Number(localStorage.getItem("taps") ?? 0) + 1), true);"""


def test_our_farkle_is_made_shared_and_played(
    served: Served,
    new_phone: NewPhone,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ada, bob = new_phone(), new_phone()
    ada.context.add_init_script(COUNT_TAPS)
    edit_by_hand(ada, served.base, "farkle")
    make_our_farkle(ada, tap=True)
    ada.locator('[data-act="save"]').click()
    ada.wait_for_url("**/g/*")
    taps = ada.evaluate("Number(localStorage.getItem('taps'))")
    assert 0 < taps <= MOST_TAPS
    assert ada.locator("img.qr").evaluate("one => one.complete && one.naturalWidth > 0")
    bob.goto(scanned(ada))
    play_own_game(bob, "Bob", "Ada")
    visit(ada, bob.url)
    photograph(ada, "throw-113466.jpg")
    confirm_review(ada)
    assert sorted(state(ada)["standing"]["turn"]["throw"]) == [1, 1, 3, 4, 6, 6]
    record = tmp_path / "game.json"
    record.write_bytes(ada.context.request.get(f"{bob.url}/record.json").body())
    assert rollcall.main(["replay", str(record), "--json"]) == 0
    elsewhere, here = json.loads(capsys.readouterr().out), state(bob)["standing"]
    del elsewhere["legal"]  # a table's says more of each choice
    assert {name: here[name] for name in elsewhere} == elsewhere


# A cell of a name that every object of a script has.
BUILDERS = """family = "sheet"
title = "Builders"
summary = "A sheet of two cells."
[rules]
dice = 3
upper = []
[[rules.cell]]
key = "constructor"
title = "Constructor"
alike = 2
[[rules.cell]]
key = "chance"
"""


def test_a_cell_may_have_any_name(served: Served, page: Any) -> None:
    visit(page, f"{served.base}/")
    answer = page.context.request.post(f"{served.base}/own-games", data={"name": "Builders", "toml": BUILDERS})
    page.goto(f"{served.base}{answer.json()['page']}")
    play_own_game(page, "Ada")
    row = page.locator('.grid tr[data-key="constructor"]')
    assert row.inner_text().split() == ["Constructor"], "nothing is written"
    tap_throw(page, 4, 4, 1)
    expect(row.locator("button")).to_have_text("9")
    row.locator("button").click()
    page.locator('nav.actions [data-act="act"]').click()
    expect(row.locator("td").first).to_have_text("9")
    page.screenshot(path=OUT / "a-cell-called-constructor.png")


def scanned(page: Any) -> str:
    """The address that a camera reads from the QR code on a page."""
    code = page.locator("img.qr").screenshot()
    picture = cv2.imdecode(np.frombuffer(code, dtype=np.uint8), cv2.IMREAD_COLOR)
    picture = cv2.copyMakeBorder(picture, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    address = cv2.QRCodeDetector().detectAndDecode(picture)[0]
    assert address, "the code can be read"
    return str(address)
