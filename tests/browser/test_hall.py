"""One throw for all in several browsers: the front table, the phones of the hall, the board."""

from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import OUT, SMALL, NewPhone
from tests.browser.playing import ready, tap_throw, visit
from tests.browser.test_club_night import HALL
from tests.web.served import Served


def come(page: Any, night: str, name: str) -> None:
    visit(page, night)
    page.fill('[name="name"]', name)
    page.click("form:has([name='name']) button")
    expect(page.locator(".seat-name")).to_have_text(name)


def write(page: Any, cell: str) -> None:
    page.click(f'.hall-choices button:has-text("{cell}")')
    expect(page.locator('[data-part="said"]')).to_contain_text(f"Written: {cell}")


def test_a_hall_writes_the_same_throws(served: Served, new_phone: NewPhone) -> None:
    desk, board = new_phone(), new_phone(viewport=HALL, is_mobile=False, has_touch=False)
    desk.goto(f"{served.base}/clubs?name=Hall&game=yahtzee&rounds=1&hall=yes")
    desk.click("text=Start the night")
    ready(desk)
    night = str(desk.url).removesuffix("/desk")
    visit(board, f"{night}/board")
    ann, bob, late = new_phone(), new_phone(viewport=SMALL), new_phone(viewport=SMALL, locale="de", color_scheme="dark")
    for page, name in ((ann, "Ann"), (bob, "Bob"), (late, "Łucja")):
        come(page, night, name)
    desk.click("text=Draw round 1")
    desk.click("text=Ring the bell")
    expect(ann.locator("#hall")).to_be_visible()
    with desk.context.expect_page() as opened:
        desk.click("text=Throw here")
    front = opened.value
    ready(front)
    tap_throw(front, 5, 5, 5, 2, 2)
    for page in (ann, bob, late):
        expect(page.locator(".hall-choices .button")).to_have_count(13)
    address = ann.locator("#hall").get_attribute("data-write")
    held: list[Any] = []  # answers that come late
    ann.route(f"**{address}", lambda route: held.append((route, route.fetch())))
    with ann.expect_request(f"**{address}"):
        ann.click('.hall-choices button:has-text("Full house")')
    write(bob, "Chance")
    write(bob, "Fives")
    bob.reload()
    expect(bob.locator('.hall-choices [aria-pressed="true"]')).to_contain_text("Fives")
    expect(board.locator(".hall-front")).to_contain_text("2 of 3 have written it")
    for name, page in (("ann", ann), ("bob", bob), ("late", late), ("desk", desk), ("board", board), ("front", front)):
        page.screenshot(path=OUT / f"hall-{name}.png", full_page=name == "desk")
    assert late.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]
    tap_throw(front, 1, 2, 3, 4, 6)
    expect(late.locator(".hall-choices .button")).to_have_count(12)  # the first cell is crossed out
    expect(late.locator(".hall-own tr").first.locator("td")).to_have_text("0")
    expect(ann.locator(".hall-own .sum td")).to_have_text("25")
    with ann.expect_response(f"**{address}"):
        held[0][0].fulfill(response=held[0][1])
    ann.unroute(f"**{address}")
    ann.evaluate("fetch(location.href).then((answer) => answer.text())")  # it has taken the late answer by then
    write(ann, "Chance")
    desk.bring_to_front()
    expect(desk.locator('form[action$="/close-throw"] [name="throw"]')).to_have_value("2")  # one before stays
    desk.click("text=Close this throw now")
    expect(ann.locator(".hall-choices .button")).to_have_count(0)
    desk.click("text=End the round now")
    desk.click('button:text-is("End the round")')
    expect(board.locator(".standings tbody tr").first).to_contain_text("Ann")
    expect(ann.locator(".standings .mine")).to_contain_text("41")
    for name, page in (("ann", ann), ("board", board)):
        page.screenshot(path=OUT / f"hall-{name}-end.png")


def test_in_a_hall_of_skunk_people_sit_down(served: Served, new_phone: NewPhone) -> None:
    desk, ann, bob = new_phone(), new_phone(), new_phone(viewport=SMALL, locale="de", color_scheme="dark")
    desk.goto(f"{served.base}/clubs?name=Hall&game=skunk&rounds=1&hall=yes")
    desk.click("text=Start the night")
    ready(desk)
    night = str(desk.url).removesuffix("/desk")
    for page, name in ((ann, "Ann"), (bob, "Bob")):
        come(page, night, name)
    desk.click("text=Draw round 1")
    desk.click("text=Ring the bell")
    with desk.context.expect_page() as opened:
        desk.click("text=Throw here")
    front = opened.value
    ready(front)
    tap_throw(front, 5, 6)
    sit = ann.locator(".hall-choices .button")
    expect(sit).to_have_text("Sit down 11")
    sit.click()
    expect(ann.locator('[data-part="said"]')).to_contain_text("You sit until the next round")
    sit.click()
    expect(ann.locator('[data-part="said"]')).to_contain_text("or stand for the next throw")
    sit.click()
    expect(bob.locator(".hall-choices .button")).to_have_text("Hinsetzen 11")
    bob.screenshot(path=OUT / "hall-skunk.png")
    tap_throw(front, 1, 4)
    for page, points in ((ann, "11"), (bob, "0")):
        expect(page.locator(".hall-own tr").first.locator("td")).to_have_text(points)
        expect(page.locator(".hall-own .sum td")).to_have_text(points)
