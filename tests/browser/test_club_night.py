"""A club's night in several browsers: the desk, people with their own phones, and the board of the hall."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OUT, NewPhone
from tests.browser.playing import ready, visit
from tests.web.phones import api_of
from tests.web.served import Served

HALL = {"width": 1920, "height": 1080}
SMALL = {"width": 360, "height": 640}
NAMES = [f"Person {number:02}" for number in range(1, 12)]


def begin(desk: Any, base: str, **fields: str) -> str:
    """Starts a night by its form, and adds people at the desk; returns its address."""
    desk.goto(f"{base}/clubs")
    desk.fill('[name="name"]', "Vánoční kostky")
    for name, value in fields.items():
        desk.fill(f'[name="{name}"]', value)
    desk.click("text=Start the night")
    ready(desk)
    desk.fill("textarea", "\n".join(NAMES))
    desk.click('form:has(textarea) >> text="Add"')
    expect(desk.locator(".roster > li")).to_have_count(len(NAMES))
    return str(desk.url).removesuffix("/desk")


def finish(page: Any, address: str) -> None:
    """Ends the game of a table as its menu does."""
    api = api_of(address)
    version = page.context.request.get(api).json()["version"]
    action = {"do": "adjust", "what": "game", "over": True}
    body = {"version": version, "request": f"request-{version:04}", "action": action}
    assert page.context.request.post(f"{api}/actions", data=body).ok


def test_a_night_of_twelve(served: Served, new_phone: NewPhone) -> None:
    desk, board = new_phone(), new_phone(viewport=HALL, is_mobile=False, has_touch=False)
    night = begin(desk, served.base, minutes="40")
    visit(board, f"{night}/board")
    one, late = new_phone(viewport=SMALL), new_phone()
    visit(one, night)
    one.click('button:text-is("Person 05")')  # the first tap after the QR code
    expect(one.locator(".seat")).to_contain_text("You are in.")
    visit(late, night)
    late.fill('[name="name"]', "Latecomer")
    late.click("text=Come in")
    expect(board.locator(".come")).to_contain_text("12 people are here")
    desk.click("text=Draw round 1")  # the desk's first tap
    expect(board.locator(".night-table")).to_have_count(3)
    expect(one.locator(".big-seat")).to_contain_text("Table")
    desk.click("text=Ring the bell")  # and its second
    one.wait_for_url("**/tables/*")  # the table opens by itself
    ready(one)
    late.wait_for_url("**/tables/*")
    expect(board.locator(".clock")).to_contain_text(":")
    expect(board.locator(".night-table .code")).to_have_count(3)
    board.screenshot(path=OUT / "club-board-playing.png")
    table = str(one.url)
    finish(one, table)
    expect(board.locator(".night-table.is-told")).to_have_count(1)
    expect(one.locator('nav.actions a:has-text("To the club\'s night")')).to_be_visible()
    one.screenshot(path=OUT / "club-table-over.png")
    one.click('nav.actions a:has-text("To the club\'s night")')
    expect(one.locator(".seat")).to_contain_text("Your table is over.")
    for code in board.locator(".night-table:not(.is-told) .code").all_inner_texts():
        desk_phone = new_phone()
        visit(desk_phone, f"{served.base}/j/{code}")
        finish(desk_phone, str(desk_phone.url))
    expect(desk.locator('button:has-text("Draw round 2")')).to_be_visible()
    expect(board.locator(".standings tbody tr")).to_have_count(12)
    correct(one, table)
    expect(board.locator(".notice")).to_contain_text("Corrected: round 1")
    expect(one.locator(".standings tbody tr").first).to_contain_text("77")
    board.screenshot(path=OUT / "club-board-standings.png")
    desk.click("#end-night > summary")
    desk.click("#end-night button")
    with one.expect_download() as saved:
        one.click("[data-share]")
    assert saved.value.suggested_filename.startswith("Vánoční kostky · ")
    saved.value.save_as(OUT / "club-picture.png")


def correct(page: Any, table: str) -> None:
    """After its end a table gives its first player 77 points more."""
    api = api_of(table)
    for action in (
        {"do": "adjust", "what": "game", "over": False},
        {"do": "adjust", "what": "total", "player": 0, "points": 77},
        {"do": "adjust", "what": "game", "over": True},
    ):
        version = page.context.request.get(api).json()["version"]
        body = {"version": version, "request": f"correct-{version:04}", "action": action}
        answer = page.context.request.post(f"{api}/actions", data=body)
        assert answer.ok, answer.text()


def test_what_somebody_writes_at_the_desk_stays_while_the_night_goes_on(served: Served, new_phone: NewPhone) -> None:
    desk, other = new_phone(), new_phone()
    night = begin(desk, served.base)
    desk.focus("textarea")
    desk.keyboard.type("Zdeněk")
    visit(other, night)
    other.click('button:text-is("Person 01")')
    desk.wait_for_timeout(1500)
    assert desk.input_value("textarea") == "Zdeněk"
    desk.locator("h1").click()
    desk.evaluate("document.activeElement.blur()")
    expect(desk.locator(".roster")).to_contain_text("own phone")


def test_another_device_runs_the_desk_by_the_link(served: Served, new_phone: NewPhone) -> None:
    desk, other = new_phone(), new_phone()
    begin(desk, served.base)
    desk.click("text=Let another device run the desk")
    link = desk.locator(".address").inner_text()
    visit(other, link)
    other.click("text=Run the desk on this device")
    expect(other.locator(".roster > li")).to_have_count(len(NAMES))


@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_the_desk_and_a_person_need_no_sideways_scrolling(
    served: Served, new_phone: NewPhone, size: tuple[int, int]
) -> None:
    desk = new_phone(viewport={"width": size[0], "height": size[1]})
    night = begin(desk, served.base)
    desk.click("text=Draw round 1")
    desk.click("text=Ring the bell")
    for address in (f"{night}/desk", night, f"{night}/season", f"{served.base}/clubs"):
        desk.goto(address)
        assert desk.evaluate("document.documentElement.scrollWidth") <= size[0], address
