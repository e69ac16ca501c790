"""What a phone at the table shows for those who want to join it."""

import json

from tests.browser.conftest import NewPhone
from tests.browser.playing import start_by_hand, start_table, state
from tests.web.served import Served


def test_the_invitation_says_what_to_try(served: Served, new_phone: NewPhone) -> None:
    """Without leaving the table: a phone that cannot connect cannot open the help page either."""
    phone = new_phone()
    start_table(phone, served.base.replace("127.0.0.1", "localhost"), "farkle", "Ada")
    setup = json.loads(phone.locator("#setup").text_content())
    phone.locator('header [data-act="invite"]').click()
    assert phone.locator("#panel .code").inner_text() == setup["code"]
    tries = phone.locator("#panel details li")
    assert not tries.first.is_visible()
    phone.get_by_text("It doesn't open?").click()
    tries.first.wait_for()
    assert f"{served.base}/" in " ".join(tries.all_inner_texts())
    phone.locator('#panel a[href="/help#connect"]').click()
    phone.wait_for_url("**/help#connect")
    assert phone.locator("#connect").is_visible()


def test_names_may_be_left_as_they_stand_in_the_empty_fields(served: Served, new_phone: NewPhone) -> None:
    phone = new_phone(locale="pl")
    start_by_hand(phone, served.base, "farkle")
    assert [player["name"] for player in state(phone)["standing"]["players"]] == ["Gracz 1", "Gracz 2"]
    start_by_hand(phone, served.base, "farkle", "Ola")
    assert [player["name"] for player in state(phone)["standing"]["players"]] == ["Ola"]
