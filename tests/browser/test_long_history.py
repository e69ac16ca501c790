"""The steps of a long game on a phone: the newest page first, the earlier ones on demand."""

from typing import Any

from playwright.sync_api import expect

from tests.browser.playing import open_entry, start_table
from tests.web.served import Served, ask

NUMBERS = "[...document.querySelectorAll('.steps li[data-key^=m]')].map((line) => Number(line.dataset.key.slice(1)))"


def rename(served: Served, base: str, number: int) -> None:
    action = {"do": "adjust", "what": "player-renamed", "player": 0, "name": f"Ada {number}"}
    body = {"version": number - 1, "request": f"request-{number:04}", "action": action}
    status, told = ask(served, "POST", f"/api/v1{base}/actions", body)
    assert status == 200, told


def test_earlier_steps_come_page_by_page_and_stay_when_the_table_goes_on(served: Served, page: Any) -> None:
    start_table(page, served.base, "sequence", "Ada", "Bob")
    base = page.url.removeprefix(served.base).partition("?")[0]
    for number in range(1, 71):
        rename(served, base, number)
    page.wait_for_function("document.body.textContent.includes('Ada 70')")
    open_entry(page, "correct")
    page.wait_for_selector(".steps li")
    assert page.evaluate(NUMBERS) == list(range(70, 10, -1))
    more = page.get_by_role("button", name="Earlier steps")
    box = more.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= page.viewport_size["width"]
    more.click()
    expect(more).to_have_count(0)
    assert page.evaluate(NUMBERS) == list(range(70, 0, -1))
    rename(served, base, 71)
    page.wait_for_selector(".steps li[data-key=m71]")
    assert page.evaluate(NUMBERS) == list(range(71, 0, -1))
