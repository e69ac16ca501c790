"""The site of a phone alone in a real browser: a game, without a network, and with its tab killed."""

import functools
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.playing import tap_throw
from tests.web.hosts.phone.conftest import PhoneBrowser, StaticServer, page_of

pytestmark = [pytest.mark.whole, pytest.mark.alone]

KILLS = 3
MANY_KILLS = 30
# Throws and takes back on and on; what was acknowledged it says in the console.
PLAY = """async () => {
  const { base } = JSON.parse(document.getElementById("setup").textContent);
  const post = async (path, body) => {
    const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    return (await fetch(`/api/v1${base}/${path}`, options)).json();
  };
  let { version } = await (await fetch(`/api/v1${base}`)).json();
  for (let even = version % 2 === 0; ; even = !even) {
    const action = even ? { action: { do: "throw", dice: [1, 1, 1, 5, 2, 3] } } : {};
    ({ version } = await post(even ? "actions" : "undo", { version, request: crypto.randomUUID(), ...action }));
    console.log(`acknowledged ${version}`);
  }
}"""
STATE = """async () => {
  const { base } = JSON.parse(document.getElementById("setup").textContent);
  return (await fetch(`/api/v1${base}`)).json();
}"""


def score(page: Any) -> int:
    """The first player's score."""
    return int(page.evaluate(STATE)["standing"]["players"][0]["score"])


def start_game(tab: Any, *players: str) -> Any:
    """Starts ones-and-fives from the start page. Returns the table's page."""
    page = tab.frame_locator("#frame")
    for number, name in enumerate(players):
        page.locator("#seats input").nth(number).fill(name)
    page.locator("#new-table button.primary").click()
    tab.wait_for_url("**/#/tables/*")
    return page_of(tab)


def test_a_game_is_played_without_a_network_after_the_first_visit(
    site: Path, tmp_path: Path, serve: Callable[..., StaticServer], new_browser: Callable[[], PhoneBrowser]
) -> None:
    """In a folder of a plain static server. A second tab follows; what was done is there after the browser's end."""
    (tmp_path / "root").mkdir()
    os.symlink(site, tmp_path / "root" / "games")
    server, browser = serve(tmp_path / "root"), new_browser()
    tab = browser.show(f"{server.url}games/")
    server.stop()
    page = start_game(tab, "Ada", "Bob")
    tap_throw(page, 1, 1, 1, 5, 2, 3)
    guest = browser.show(tab.url)
    second = page_of(guest)
    assert guest.evaluate("document.body.dataset.host") is None
    page.locator('.choices .choice, [data-act="act"]').first.click()
    page.get_by_role("button", name="Bank").click()
    for each in (page, second):
        each.locator("text=1,050").first.wait_for()
    tab.close()  # the guest becomes the host, and its page goes on
    guest.wait_for_selector("body[data-host]")
    tap_throw(second, 2, 2, 3, 3, 4, 6)
    second.locator("text=Ada plays").first.wait_for()
    address = guest.url
    browser.close()
    browser.open()
    again = page_of(browser.show(address))
    assert score(again) == 1050


def note(acknowledged: list[int], message: Any) -> None:
    words = message.text.split()
    if words[:1] == ["acknowledged"]:
        acknowledged.append(int(words[1]))


def kill_in_play(browser: PhoneBrowser, url: str, times: int) -> None:
    """Ends the browser in the middle of play, again and again: whatever was acknowledged is there at its next start."""
    moments = random.Random(51)
    tab = browser.show(url)
    start_game(tab, "Ada", "Bob")
    address, known = tab.url, 0
    for _ in range(times):
        page, acknowledged = page_of(tab), [known]
        assert page.evaluate(STATE)["version"] >= known
        tab.on("console", functools.partial(note, acknowledged))
        with tab.expect_console_message(lambda message: message.text.startswith("acknowledged")):
            page.evaluate(f"void ({PLAY})()")
        tab.wait_for_timeout(moments.uniform(0, 1500))
        browser.kill()
        assert max(acknowledged) > known
        known = max(acknowledged)
        browser.open()
        tab = browser.show(address)
    state = page_of(tab).evaluate(STATE)
    assert state["version"] >= known
    assert state["lost"] is None


def test_nothing_acknowledged_is_lost_when_the_browser_is_killed(
    site: Path, serve: Callable[..., StaticServer], new_browser: Callable[[], PhoneBrowser]
) -> None:
    kill_in_play(new_browser(), serve(site).url, KILLS)


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_in_many_kills(
    site: Path, serve: Callable[..., StaticServer], new_browser: Callable[[], PhoneBrowser]
) -> None:
    kill_in_play(new_browser(), serve(site).url, MANY_KILLS)
