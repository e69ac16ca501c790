"""Whoever started a table closes it and removes a phone: what each of the phones then shows."""

import re
from typing import Any
from urllib.parse import quote

from playwright.sync_api import expect

from tests.browser.conftest import OUT, NewPhone
from tests.browser.playing import open_entry, start_table, tap_throw, wait_for_version
from tests.web.served import Served

PICTURES = OUT / "owner"


def guest(page: Any, address: str, name: str) -> None:
    """Opens a table on another phone, which its owner calls so."""
    url = re.sub(r"/tables/.*", "", address)
    page.context.add_cookies([{"name": "device-name", "value": quote(name), "url": url}])
    page.goto(address)
    page.wait_for_selector("body[data-ready]")


def owner_and_guest(served: Served, new_phone: NewPhone, *acts: str) -> tuple[Any, Any]:
    """A table after a throw: the phone that started it, and another one, whose menu has none of these `acts`."""
    owner, other = new_phone(), new_phone()
    address = start_table(owner, served.base, "farkle", "Ada", "Bob")
    guest(other, address, "Bob's phone")
    tap_throw(other, 1, 1, 6, 6, 3, 4)
    wait_for_version(owner, 1)
    other.locator('[data-act="menu"]').click()
    expect(other.locator('#panel [data-act="invite"]')).to_be_visible()
    expect(other.locator(", ".join(f'#panel [data-act="{act}"]' for act in acts))).to_have_count(0)
    other.locator('#panel [data-act="close"]').click()
    return owner, other


def test_a_closed_table_can_be_looked_at_and_opened_again(served: Served, new_phone: NewPhone) -> None:
    owner, other = owner_and_guest(served, new_phone, "table-close", "phones")
    open_entry(owner, "table-close")
    owner.locator('[data-act="table-close-now"]').click()
    for page in (owner, other):
        expect(page.locator('[data-key="closed"]')).to_contain_text("has closed it")
        expect(page.locator("nav.actions button")).to_have_count(0)
        expect(page.locator("#table .score").first).to_be_visible()
    expect(other.locator('[data-act="table-open"]')).to_have_count(0)
    owner.locator('[data-key="closed"] [data-act="table-open"]').click()
    for page in (owner, other):
        expect(page.locator('[data-key="closed"]')).to_have_count(0)
        expect(page.locator('[data-act="undo"]')).to_be_visible()


def test_a_removed_phone_is_told_so_in_one_sentence_and_stays_out(served: Served, new_phone: NewPhone) -> None:
    owner, bob, cyd = (new_phone() for _ in range(3))
    address = start_table(owner, served.base, "farkle", "Ada", "Bob")
    guest(bob, address, "Bob's phone")
    guest(cyd, address, "Cyd's phone")
    open_entry(owner, "phones")
    rows = owner.locator("#panel .seats-now li")
    expect(rows).to_have_count(3)
    rows.filter(has_text="Bob's phone").locator("button").click()
    owner.locator('[data-act="phone-out"]').click()
    expect(bob.locator(".big-message")).to_be_visible()
    expect(rows.filter(has_text="Bob's phone").locator('[data-act="phone-back"]')).to_be_visible()
    owner.locator('#panel [data-act="close"]').click()
    bob.goto(address)
    expect(bob.locator(".big-message")).to_be_visible()
    expect(bob.locator("#table")).to_have_count(0)
    tap_throw(cyd, 1, 1, 6, 6, 3, 4)
    wait_for_version(owner, 1)
    late = new_phone()
    late.goto(address)
    expect(late.locator(".big-message")).to_contain_text("six letters")
    owner.locator('header [data-act="invite"]').click()
    code = owner.locator("#panel .code").inner_text().strip()
    late.goto(f"{served.base}/j/{code}")
    wait_for_version(late, 1)


def test_a_deleted_game_says_so_on_all_phones_and_comes_back(served: Served, new_phone: NewPhone) -> None:
    owner, other = owner_and_guest(served, new_phone, "delete")
    open_entry(owner, "delete")
    owner.locator('[data-act="delete-now"]').click()
    for page in (owner, other):
        expect(page.locator(".big-message")).to_have_text("This game was deleted.")
    expect(other.get_by_role("button", name="Undo")).to_have_count(0)
    owner.get_by_role("button", name="Undo").click()
    for page in (owner, other):  # the other phone looks again by itself
        wait_for_version(page, 1)
        expect(page.locator("#table .score").first).to_be_visible()
    owner.goto(f"{served.base}/history")
    owner.get_by_role("link", name=re.compile("Delete this game")).first.click()
    owner.get_by_role("button", name="Delete").click()
    expect(owner.locator(".notice").first).to_contain_text("“Farkle” was deleted.")
    owner.get_by_role("button", name="Undo").click()
    wait_for_version(owner, 1)
