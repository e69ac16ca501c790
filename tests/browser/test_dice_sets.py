"""The name of a table's dice, from its menu."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import OUT
from tests.browser.playing import ready, start_table
from tests.web.served import Served


def test_the_dice_get_a_name_which_every_phone_sees(served: Served, new_phone: Callable[..., Any]) -> None:
    one, two = new_phone(), new_phone()
    address = start_table(one, served.base, "sequence", "Ada", "Bob")
    two.goto(address)
    ready(two)
    one.locator('[data-act="menu"]').click()
    one.locator("#panel .more > summary").click()
    one.locator('[data-act="dice"]').click()
    one.locator("#dice-set").fill("the red ones")
    OUT.mkdir(parents=True, exist_ok=True)
    one.screenshot(path=OUT / "dice-set.png")
    one.locator('[data-act="dice-save"]').click()
    one.wait_for_selector("#panel:not([open])", state="attached")
    two.locator('[data-act="menu"]').click()
    expect(two.locator('[data-act="dice"]')).to_contain_text("the red ones")
    two.locator("#panel .more > summary").click()
    two.locator('[data-act="dice"]').click()
    expect(two.locator("#dice-set")).to_have_value("the red ones")
