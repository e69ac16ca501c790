"""Players are told apart by a mark beside their names: on the page, on the board and in the course of the game."""

from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.playing import start_table, visit
from tests.web.served import Served

BOARD = {"width": 1024, "height": 768}
SHAPES = "(all) => all.map((one) => one.getAttribute('d'))"
FILL = "(one) => getComputedStyle(one).fill"


def test_each_player_has_a_mark_of_his_own(served: Served, new_phone: NewPhone) -> None:
    phone = new_phone(color_scheme="dark")
    address = start_table(phone, served.base, "kosci", "Ada", "Bob", "Eva")
    marks = phone.locator(".scores .player-mark path")
    expect(marks).to_have_count(3)
    shapes = marks.evaluate_all(SHAPES)
    assert len(set(shapes)) == 3
    by_phone = marks.first.evaluate(FILL)
    phone.evaluate("document.documentElement.dataset.look = 'light'")
    # The colours may ease from dark to light, so this waits for the change.
    expect(marks.first).not_to_have_css("fill", by_phone)

    board = new_phone(viewport=BOARD, is_mobile=False, has_touch=False)
    visit(board, f"{address}/board")
    assert board.locator(".ranks .player-mark path").evaluate_all(SHAPES) == shapes
