"""A club's night in several browsers: the desk, people with their own phones, and the board of the hall."""

from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OUT, NewPhone
from tests.browser.playing import confirm_review, photograph, ready, visit
from tests.web.phones import api_of
from tests.web.served import Served

HALL = {"width": 1920, "height": 1080}
NAMES = [f"Person {number:02}" for number in range(1, 12)]


COUNT_TAPS = "addEventListener('pointerup', () => { sessionStorage.taps = taps() + 1; }, true);"
TAPS = "globalThis.taps = () => Number(sessionStorage.taps ?? 0);"
PHOTOS = ["throw-66666.jpg", "throw-23335.jpg", "throw-12345.jpg"]
# Text in smaller letters than a 25th of the screen's height, which nobody reads from ten metres.
TOO_SMALL = """[...document.querySelectorAll("body.hall *")].filter((one) =>
  [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) && one.checkVisibility() &&
  parseFloat(getComputedStyle(one).fontSize) < innerHeight / 25 - 0.5).map((one) => one.textContent.trim())"""
CUT = """[...document.querySelectorAll(
  ".night-table, .standings tbody tr, .hall-throw, .night-head > *")].filter((one) => {
  const box = one.getBoundingClientRect(), around = one.closest(".pages")?.getBoundingClientRect();
  const bottom = around?.bottom ?? innerHeight;
  return getComputedStyle(one).visibility === "visible" && (box.bottom > bottom + 1 || box.right > innerWidth + 1);
}).map((one) => one.textContent.trim())"""


def begin(desk: Any, base: str, **fields: str) -> str:
    """Starts a night by its form, and adds people at the desk; returns its address."""
    desk.goto(f"{base}/clubs?{urlencode({'name': 'Vánoční kostky', **fields})}")
    desk.click(".club-form .primary")
    ready(desk)
    desk.fill("textarea", "\n".join(NAMES))
    tap(desk, "people")
    expect(desk.locator(".roster > li")).to_have_count(len(NAMES))
    return str(desk.url).removesuffix("/desk")


def tap(desk: Any, what: str) -> None:
    desk.locator(f'form[action$="/{what}"] button').first.click()


def count_taps(page: Any) -> None:
    for script in (TAPS, COUNT_TAPS):
        page.add_init_script(script)


def finish(page: Any, address: str) -> None:
    """Ends the game of a table as its menu does."""
    api = api_of(address)
    version = page.context.request.get(api).json()["version"]
    action = {"do": "adjust", "what": "game", "over": True}
    body = {"version": version, "request": f"request-{version:04}", "action": action}
    assert page.context.request.post(f"{api}/actions", data=body).ok


class Hall:
    """A desk, a board, and twelve people with their own phones in one language."""

    def __init__(self, base: str, new_phone: NewPhone, language: str) -> None:
        self.language = language
        self.desk = new_phone(locale=language)
        self.board = new_phone(viewport=HALL, is_mobile=False, has_touch=False, locale=language)
        count_taps(self.desk)
        self.night = begin(self.desk, base, minutes="40", rounds="2", pictures="yes", game="kniffel")
        visit(self.board, f"{self.night}/board")
        self.look(self.board, "board-coming")
        self.phones = {}
        for name in (*NAMES, "Latecomer"):
            phone = self.phones[name] = new_phone(locale=language)
            count_taps(phone)
            visit(phone, self.night)
            if name == "Latecomer":
                phone.fill('[name="name"]', name)
                self.look(phone, "person-who")
                phone.click(".primary")
            else:
                phone.click(f'button:text-is("{name}")')  # the first tap after the QR code
        expect(self.board.locator(".come")).to_contain_text("12")

    def look(self, page: Any, what: str) -> None:
        """Keeps a picture for people to look at; nothing is cut, and the board is read from ten metres."""
        page.screenshot(path=OUT / f"club-{what}-{self.language}.png", full_page=not what.startswith("board"))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), what
        if what.startswith("board"):
            assert page.evaluate(TOO_SMALL) == [], what
            assert page.evaluate(CUT) == [], what

    def play_round(self, people: int) -> dict[str, list[str]]:
        """Draws and rings by two taps; returns the names of those who play at each table's address."""
        before = self.desk.evaluate("taps()")
        tap(self.desk, "draw")
        expect(self.board.locator(".night-table")).to_have_count(3)
        self.look(self.board, f"board-drawn-{people}")
        self.look(self.desk, f"desk-drawn-{people}")
        tap(self.desk, "bell")
        expect(self.board.locator(".night-table .code")).to_have_count(3)
        assert self.desk.evaluate("taps()") - before <= 3
        tables: dict[str, list[str]] = {}
        for name, phone in list(self.phones.items())[:people]:
            phone.wait_for_url("**/tables/*")  # the table opens by itself
            tables.setdefault(str(phone.url), []).append(name)
        assert len(tables) == 3
        return tables

    def finish_all(self, tables: dict[str, list[str]]) -> None:
        for address, names in tables.items():
            finish(self.phones[names[0]], address)


@pytest.mark.parametrize(
    "language", ["en", *(pytest.param(each, marks=pytest.mark.slow) for each in ("cs", "pl", "de"))]
)
def test_a_night_of_twelve(served: Served, new_phone: NewPhone, language: str) -> None:
    """With photos, a late one, a leaver, and a correction after the end."""
    hall = Hall(served.base, new_phone, language)
    desk, board, late = hall.desk, hall.board, hall.phones["Latecomer"]
    tables = hall.play_round(12)
    assert all(phone.evaluate("taps()") <= 2 for phone in hall.phones.values()), "from the QR code to the seat"
    for picture, (address, names) in zip(PHOTOS, tables.items(), strict=True):
        phone = hall.phones[names[0]]
        ready(phone)
        photograph(phone, picture)
        confirm_review(phone)
        if picture == PHOTOS[0]:
            expect(board.locator(".hall-throw")).to_contain_text("1")
            rarest = address
    expect(board.locator(".hall-throw img")).to_have_count(1)
    board.wait_for_function("document.querySelector('.hall-throw img').naturalWidth > 100")
    hall.look(board, "board-playing")
    hall.look(desk, "desk-playing")
    hall.finish_all(tables)
    expect(board.locator(".standings tbody tr")).to_have_count(12)
    expect(board.locator(".night-table")).to_have_count(0)
    hall.look(board, "board-between")
    for phone in hall.phones.values():
        visit(phone, hall.night)
    hall.look(late, "person-between")
    desk.locator("#person1 > summary").click()
    desk.locator('#person1 form[action$="/leave"] button').click()
    one = hall.phones.pop(NAMES[0])
    tables = hall.play_round(11)
    hall.look(one, "person-left")
    hall.finish_all(tables)
    expect(desk.locator('form[action$="/end"] .primary')).to_be_visible()
    tap(desk, "end")
    correct(late, rarest)
    expect(board.locator(".notice")).to_contain_text("1")
    expect(board.locator(".standings tbody tr").first).to_contain_text("77")
    hall.look(board, "board-over")
    hall.look(desk, "desk-over")
    visit(late, hall.night)
    hall.look(late, "person-over")
    with late.expect_download() as saved:
        late.click("[data-share]")
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
