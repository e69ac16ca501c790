"""What other people look at: a stream's overlay over a picture, and the board on a television."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest

from tests.browser.conftest import NARROW, WIDE, NewPhone
from tests.browser.games import import_record, record
from tests.browser.playing import visit
from tests.web.served import Served

NAMES = (
    "Władysław Skrzypczak",
    "Jan Evangelista",
    "Žofie",
    "Łucja",
    "Ada",
    "Bob",
    "Cyril",
    "Dana",
    "Emil",
    "Fía",
    "G",
    "H",
)
TELEVISION = {"width": 1920, "height": 1080}


def start(phone: Any, served: Served, *names: str) -> str:
    phone.goto(served.base)
    form = urlencode([("game", "zilch"), *(("player", name) for name in names)])
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = phone.context.request.post(f"{served.base}/tables", data=form, headers=kind, max_redirects=0)
    return served.base + str(answer.headers["location"])


def test_a_link_shows_a_table_and_holds_no_key(served: Served, new_phone: NewPhone) -> None:
    phone = new_phone()
    phone.goto(base := start(phone, served, "Ada", "Bohouš"))
    phone.click('[data-act="menu"]')
    phone.locator("#panel .more > summary").click()
    phone.click('[data-act="programs"]')
    phone.fill("#program-name", "Stream")
    phone.check('[name="program-may"][value="show"]')
    phone.click('[data-act="program-connect"]')
    link = phone.inner_text("#secret")
    overlay = new_phone(viewport=TELEVISION)
    overlay.goto(f"{served.base}/o/{link.rpartition('/')[2]}?look=ticker&at=bottom")
    overlay.wait_for_selector(".overlay-scores li")
    key = base.rpartition("/")[2]
    assert key not in overlay.content()
    assert overlay.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert overlay.locator("a, button, input").count() == 0
    body = {"version": 0, "request": "request-1", "action": {"do": "throw", "dice": [1, 1, 1, 2, 3, 4]}}
    phone.context.request.post(f"{served.base}/api/v1/tables/{key}/actions", data=body)
    overlay.wait_for_selector(".overlay-throw .die >> nth=5")
    refused = overlay.goto(f"{served.base}/o/{link.rpartition('/')[2]}?colours=url(x)")
    assert refused.status == 400


LONG = ("Władysław Skrzypczak-Wojciechowski", "Jan Evangelista Purkyně mladší", "Žofie Nejedlá-Hrušková", *NAMES[3:])
WORDS = """[...document.querySelectorAll('.ranks .name')]
  .filter((each) => each.scrollWidth > each.clientWidth + 1 ||
    each.getBoundingClientRect().bottom > each.closest('li').getBoundingClientRect().bottom + 1)
  .map((each) => each.textContent.trim())"""


@pytest.mark.parametrize(
    ("game", "players", "font"),
    [
        *(("zilch", 2, WIDE), ("zilch", 5, WIDE), ("score-pad", 3, WIDE), ("yahtzee", 12, WIDE)),
        *(("yahtzee", 12, NARROW), ("knaster", 12, NARROW)),
    ],
)
def test_long_names_are_whole_on_a_television(
    served: Served, new_phone: NewPhone, game: str, players: int, font: str
) -> None:
    board = new_phone(viewport=TELEVISION, font=font)
    visit(board, import_record(board, served.base, record(game, LONG[:players], 0.5)) + "/board")
    assert board.evaluate(WORDS) == []
    assert board.evaluate("document.documentElement.scrollHeight") <= TELEVISION["height"]
