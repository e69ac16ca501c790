"""Pictures of throws as proof, on phones: switched on for all to see, looked at in the steps, and on paper."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.playing import all_loaded, open_entry, ready, start_table, visit, wait_for_toast
from tests.web.apps import create_app
from tests.web.proving import confirm, proving, show_photo
from tests.web.served import UNPREPARED, Served
from web.services import services

PHOTO = (Path(__file__).resolve().parents[1] / "pictures" / "throw-113466.jpg").read_bytes()


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server with a table that has two throws with pictures, one of them taken back, and one that was typed in."""
    data = tmp_path_factory.mktemp("proved") / "data"
    app = create_app(data)
    phone = proving(app.test_client())
    confirm(app, phone, "a-photo-of-this")
    phone.act(do="set-aside", dice=[1, 1])
    show_photo(app, phone, "another-photo", PHOTO)
    evidence = {"reading": "another-photo", "dice": []}
    phone.post("actions", action={"do": "throw", "dice": [1, 5, 3, 6]}, evidence=evidence)
    phone.post("undo")
    phone.throw(1, 5, 5, 6)
    phone.post("corrections", step=1, action={"do": "throw", "dice": [1, 1, 2, 4, 5, 6]})
    services(app).close()
    with Served(data, program=UNPREPARED) as served:
        yield served.base + phone.base


def test_each_step_shows_its_picture(proved: str, page: Any) -> None:
    visit(page, proved)
    page.locator('[data-act="proof"] strong').wait_for()
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    line, bar = (page.locator(each).bounding_box() for each in ('#table [data-act="proof"]', "nav.actions"))
    assert line["y"] + line["height"] <= bar["y"] + 1, "the bar of buttons does not cover it"
    open_entry(page, "correct")
    marks = page.locator('[data-act="step-picture"]')
    expect(marks).to_have_count(2)
    for each in marks.all():
        box = each.bounding_box()
        assert min(box["width"], box["height"]) >= 44
    marks.last.click()
    shown = page.locator(".throw-picture")
    expect(shown).to_be_visible()
    page.wait_for_function("document.querySelector('.throw-picture').naturalWidth === 640")
    page.keyboard.press("Escape")
    expect(marks.first).to_be_visible()
    page.keyboard.press("Escape")
    page.locator('[data-act="proof"]').first.click()
    expect(page.locator("#panel .secret")).to_have_text(page.locator("#table [data-act=proof] strong").inner_text())
    page.goto(f"{proved}/print?pictures=1")
    page.wait_for_selector(".throw-pictures img")
    page.wait_for_function("[...document.querySelectorAll('.throw-pictures img')].every((one) => one.naturalWidth)")


def test_all_phones_see_who_switched_it_on(served: Served, new_phone: NewPhone) -> None:
    first, second = new_phone(), new_phone()
    visit(second, start_table(first, served.base, "ones-and-fives", "Ada"))
    with second.expect_response("**/states"), all_loaded(second):
        second.reload()
    open_entry(first, "proof")
    first.locator('[data-act="proof-keep"]').click()
    expect(second.locator('#table [data-act="proof"] strong')).to_be_visible()
    wait_for_toast(second, "from now on a small picture")
    expect(first.locator("#panel .secret")).to_be_visible()
    first.locator('[data-act="proof-keep"]').click()
    expect(second.locator('#table [data-act="proof"]')).to_have_count(0)


def test_a_table_agrees_when_it_starts(served: Served, page: Any) -> None:
    visit(page, served.base)
    page.locator("#seats input").first.fill("Ada")
    page.locator("details.house summary").click()
    page.locator('[name="keeps_pictures"]').check()
    page.locator("#new-table button.primary").click()
    page.wait_for_url("**/tables/*")
    ready(page)
    expect(page.locator('#table [data-act="proof"] strong')).to_be_visible()
    expect(page.locator(".turn")).to_contain_text("A small picture of each throw")


def test_a_game_that_came_as_a_record_says_where_its_pictures_are_not(proved: str, page: Any) -> None:
    said = "2 pictures are not here: the game came as a record."
    record = page.context.request.get(f"{proved}/record.json").body()
    upload = {"name": "record.json", "mimeType": "application/json", "buffer": record}
    server = proved.partition("/tables")[0]
    answer = page.context.request.post(f"{server}/import", multipart={"record": upload}, max_redirects=0)
    visit(page, server + answer.headers["location"])
    line = page.locator('#table [data-act="proof"]')
    expect(line).to_contain_text(said)
    line.scroll_into_view_if_needed()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    line.click()
    expect(page.locator(".notice")).to_have_text(said)
