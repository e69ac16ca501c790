"""What belongs to one phone: its sound and buzz, and being told what the table agreed to."""

from typing import Any
from urllib.parse import unquote

from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.playing import open_entry, photograph, ready, start_table, tap_throw, visit, wait_for_version
from tests.web.served import Served

KEPT = "Photos that you correct are kept at this table"
# What the page has the phone do, noted instead of heard and felt.
SPIES = """
  window.noted = [];
  window.AudioContext = class extends window.AudioContext {
    constructor() {
      super();
      noted.push(navigator.userActivation.isActive ? "audio" : "audio without a tap");
      window.audio = this;
    }
    createOscillator() {
      noted.push("tone");
      return super.createOscillator();
    }
  };
  Object.defineProperty(navigator, "vibrate", {value: () => noted.push("buzz")});
"""


def test_sound_and_buzz_are_off_until_they_are_chosen(served: Served, page: Any) -> None:
    page.add_init_script(SPIES)
    start_table(page, served.base, "ones-and-fives", "Ada")
    tap_throw(page, 1, 1, 6, 6, 3, 4)
    page.locator(".choice").first.click()
    wait_for_version(page, 2)
    assert page.evaluate("noted") == []
    open_entry(page, "phone")
    for name in ("sound", "haptic"):
        assert not page.locator(f'[data-setting="{name}"]').is_checked()
        page.locator(f'[data-setting="{name}"]').check()
    page.locator('[data-act="phone-save"]').click()
    page.wait_for_function("window.audio && audio.state === 'running'")
    assert page.evaluate("noted") == ["audio"], "a tap begins it, but nothing is confirmed yet"
    tap_throw(page, 1, 5, 3, 4)
    wait_for_version(page, 3)
    assert page.evaluate("noted") == ["audio", "buzz", "tone"]
    page.locator('li[data-key="5"] .choice').click()
    wait_for_version(page, 4)
    assert page.evaluate("noted") == ["audio", "buzz", "tone"], "only a throw is signalled"
    tap_throw(page, 2, 3, 5)
    wait_for_version(page, 6)
    assert page.evaluate("noted") == ["audio", "buzz", "tone", "buzz", "tone"], "once, also with its only set-aside"


def test_a_phone_calls_its_player_if_he_wishes(served: Served, new_phone: NewPhone) -> None:
    page, other = new_phone(), new_phone()
    page.add_init_script(SPIES)
    start_table(other, served.base, "sequence", "Ada", "Bob")
    visit(page, other.url)
    open_entry(page, "phone")
    assert not page.locator('[data-setting="turn"]').is_checked()
    page.locator('[data-setting="turn"]').check()
    page.locator('[name="plays-for"][value="1"]').check()
    page.locator('[data-act="phone-save"]').click()
    page.wait_for_function("window.audio && audio.state === 'running'")
    tap_throw(other, 2, 2, 3, 3, 4, 5)
    wait_for_version(page, 1)
    assert page.evaluate("noted") == ["audio", "buzz", "tone", "tone"]
    tap_throw(page, 2, 2, 3, 3, 4, 5)
    wait_for_version(page, 2)
    assert page.evaluate("noted") == ["audio", "buzz", "tone", "tone"], "another's turn is not called"


def test_dark_and_light_are_chosen_by_hand(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(color_scheme="light")
    start_table(page, served.base, "sequence", "Ada")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    looks = "([light, dark]) => (getComputedStyle(document.body).backgroundColor !== light) === dark"
    for look in ("dark", "light", ""):
        page.emulate_media(color_scheme="dark" if look == "light" else "light")
        open_entry(page, "phone")
        page.locator("#look").select_option(look)
        page.locator('[data-act="phone-save"]').click()
        for _ in range(2):  # at once, and when the page is loaded again
            page.wait_for_function(looks, arg=[light, look == "dark"])
            page.reload()
            ready(page)


def test_every_phone_is_told_that_corrected_photos_are_kept(served: Served, new_phone: NewPhone) -> None:
    starter = new_phone()
    visit(starter, f"{served.base}/")
    starter.locator("#seats input").first.fill("Ada")
    starter.locator("details.house summary").click()
    starter.locator('[name="keep_corrections"]').check()
    starter.locator("#new-table button.primary").click()
    starter.wait_for_url("**/tables/*")
    page = new_phone()
    visit(page, starter.url)
    expect(page.locator(".turn")).to_contain_text(KEPT)
    page.locator('header [data-act="menu"]').click()
    expect(page.locator("#panel .hint")).to_contain_text(KEPT)
    page.locator('#panel [data-act="phone"]').click()
    expect(page.locator("#panel .hint").filter(has_text=KEPT)).to_be_visible()
    page.reload()
    ready(page)
    assert KEPT not in page.locator(".turn").inner_text(), "it is told once"
    photograph(starter, "throw-112455.jpg")
    assert KEPT in starter.locator("#panel").inner_text()


def test_a_phone_is_told_why_it_cannot_be_called_so(served: Served, page: Any) -> None:
    start_table(page, served.base, "ones-and-fives", "Ada")
    open_entry(page, "phone")
    name = page.locator("#device-name")
    kind = name.input_value()
    name.fill("Ada\u202ephone")
    name.blur()
    expect(page.locator("text=The name “Adaphone” has an invisible character in it")).to_be_visible()
    expect(name).to_have_value(kind)
    assert "device-name" not in {cookie["name"] for cookie in page.context.cookies()}
    name.fill("Ada's phone")
    name.blur()
    page.locator('[data-act="phone-save"]').click()
    tap_throw(page, 1, 1, 6, 6, 3, 4)
    wait_for_version(page, 1)
    names = [unquote(cookie["value"]) for cookie in page.context.cookies() if cookie["name"] == "device-name"]
    assert names == ["Ada's phone"]
