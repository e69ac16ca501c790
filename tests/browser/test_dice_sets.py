"""The name of a table's dice, from its menu."""

from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.playing import open_entry, start_table, visit, wait_until_closed
from tests.web.served import Served


def test_the_dice_get_a_name_which_every_phone_sees(served: Served, new_phone: NewPhone) -> None:
    one, two = new_phone(), new_phone()
    address = start_table(one, served.base, "sequence", "Ada", "Bob")
    visit(two, address)
    open_entry(one, "dice")
    one.locator("#dice-set").fill("the red ones")
    one.locator('[data-act="dice-save"]').click()
    wait_until_closed(one)
    two.locator('[data-act="menu"]').click()
    expect(two.locator('[data-act="dice"]')).to_contain_text("the red ones")
    two.locator("#panel .more > summary").click()
    two.locator('[data-act="dice"]').click()
    expect(two.locator("#dice-set")).to_have_value("the red ones")
