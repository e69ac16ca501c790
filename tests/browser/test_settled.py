"""What a person settled by hand is marked where it stands, on phones, on the board and on paper."""

import re
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.games import open_table
from tests.browser.playing import open_entry, start_table, state, undo, visit
from tests.scorer.playing import throw
from tests.web.served import Served

BOARD = {"width": 1024, "height": 768}
WORDS = "settled by hand"


def adjust(what: str, **keys: Any) -> dict[str, Any]:
    return {"do": "adjust", "what": what, **keys}


WRITTEN = [throw(6, 6, 6, 5, 5), {"do": "score", "category": "full"}]
SHEET = (
    "kosci",
    *WRITTEN,
    adjust("cell", player=0, category="ones", points=3),
    adjust("cell", player=1, category="ones", points=2),
    adjust("cell", player=1, category="ones", points=None),
    adjust("total", player=0, points=60),
)
TURNS = ("farkle", adjust("turn", player=0, points=700), throw(2, 3, 4, 6, 2, 3), adjust("total", player=1, points=450))
FIGURES = ("drapky", adjust("turn", player=0, category="general", points=30, saved=1))
CELL = {"cell": [2, 3], "number": 9, "circled": True}
GRID = ("knaster", adjust("cell", player=0, cells=[CELL]), adjust("total", player=0, points=12))


def open_sheet(page: Any, base: str, what: tuple[Any, ...], view: str = "") -> Any:
    """Opens a table and returns its sheet."""
    open_table(page, base, *what, view=view)
    return page.locator(".pad-sheet").first


def test_what_was_settled_by_hand_is_marked_on_the_sheets(served: Served, page: Any) -> None:
    sheet = open_sheet(page, served.base, SHEET)
    expect(sheet.locator("tr[data-key=ones] td").first).to_have_text(re.compile(rf"3\s*{WORDS}"))
    expect(sheet.locator("tr[data-key=full] .settled")).to_have_count(0)
    expect(sheet.locator("tr[data-key=ones] .settled")).to_have_count(1)
    by_hand = sheet.locator("tr[data-key=by-hand] td")
    total = int(sheet.locator("tr.total td").first.inner_text())
    expect(by_hand.first).to_have_text(re.compile(rf"\+{60 - total}\s*{WORDS}"))
    expect(by_hand.last).to_have_text("")
    expect(page.locator(".scores .settled")).to_have_count(1)

    sheet = open_sheet(page, served.base, TURNS)
    expect(sheet.locator("tr[data-key=t0] td .settled")).to_have_count(1)
    expect(sheet.locator("tr[data-key=t0] td").first).to_contain_text(WORDS)
    expect(sheet.locator("tr[data-key=by-hand] td").last).to_contain_text("450")

    sheet = open_sheet(page, served.base, FIGURES)
    expect(sheet.locator("tr[data-key=general] td").first).to_have_text(re.compile(rf"30\s*{WORDS}"))

    sheet = open_sheet(page, served.base, GRID)
    expect(sheet.get_by_label("Row 2, column 3: 9 circled, settled by hand")).to_have_count(1)
    expect(sheet.locator(".square-grid .settled")).to_have_count(1)
    expect(page.locator(".tabs .settled")).to_have_count(1)


def test_the_board_and_paper_mark_it_too(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(viewport=BOARD, is_mobile=False, has_touch=False)
    sheet = open_sheet(page, served.base, SHEET, "/print")
    expect(sheet.locator("tr[data-key=ones] .settled")).to_have_count(1)
    expect(sheet.locator("tr[data-key=by-hand]")).to_be_visible()
    expect(page.locator(".ranks .settled")).to_have_count(1)
    visit(page, page.url.replace("/print", "/board"))
    expect(page.locator(".ranks .settled")).to_have_count(1)


def settle(page: Any, total: str) -> None:
    page.locator("#settled-total").fill(total)
    page.locator('[data-act="settle-do"]').click()


def test_a_total_is_settled_from_the_menu_told_and_undone(served: Served, new_phone: NewPhone) -> None:
    phone = new_phone()
    address = start_table(phone, served.base, "sequence", "Ada", "Bob")
    open_entry(phone, "settle")
    settle(phone, "")
    expect(phone.locator("#toast")).to_have_text("Write the new total as a number.")
    phone.get_by_role("radio", name="Bob").check()
    settle(phone, "9999999")
    expect(phone.locator("#toast")).to_contain_text("9,999,999 points cannot be: write a number from 0 to 100,000.")
    expect(phone.get_by_role("radio", name="Bob")).to_be_checked()

    other = new_phone()
    visit(other, address)
    open_entry(other, "settle")
    settle(phone, "12")
    expect(phone.locator("#panel")).not_to_be_visible()
    expect(other.locator(".scores .score").last).to_contain_text("12")
    settle(other, "7")
    expect(other.locator(".panel .fields")).to_contain_text("Bob: 12")
    assert state(other)["steps"] == 1, "decided on totals that were no more"
    expect(other.locator(".events")).to_have_text("Bob: total set to 12 by hand")
    settle(other, "7")
    expect(phone.locator(".scores .score").first).to_contain_text("7")

    undo(phone)
    expect(phone.locator(".scores .score").first).to_have_text("0")
    assert [player["score"] for player in state(phone)["standing"]["players"]] == [0, 12]
