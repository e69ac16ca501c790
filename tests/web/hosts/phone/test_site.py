"""The site of a phone alone in a real browser: a game, without a network, and with its tab killed."""

import functools
import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.playing import photograph, tap_throw, values
from tests.reliability.old_stores import unpack, versions
from tests.web.hosts.phone.conftest import PhoneBrowser, StaticServer, page_of
from web.hosts.phone.site.build import WORKER, index
from web.store.sqlite import FILE_NAME

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
# The same until something is refused, at most 500 times. Returns the reason, and what was acknowledged last.
FILL = """async () => {
  const { base } = JSON.parse(document.getElementById("setup").textContent);
  let { version } = await (await fetch(`/api/v1${base}`)).json();
  for (let times = 0; times < 500; times += 1) {
    const even = version % 2 === 0;
    const action = even ? { action: { do: "throw", dice: [1, 1, 1, 5, 2, 3] } } : {};
    const body = JSON.stringify({ version, request: crypto.randomUUID(), ...action });
    const options = { method: "POST", headers: { "Content-Type": "application/json" }, body };
    const told = await (await fetch(`/api/v1${base}/${even ? "actions" : "undo"}`, options)).json();
    if (told.reason) return { reason: told.reason, version };
    ({ version } = told);
  }
  return { reason: null, version };
}"""
HAVE_ALL = """async (names) => {
  for (const name of names)
    for (let tried = 0; !(await caches.match(new URL(name, location.href))); tried += 1) {
      if (tried === 900) throw new Error(`${name} did not come`);
      await new Promise((done) => setTimeout(done, 100));
    }
}"""
# Loads the start page again; the application does not answer yet.
RELOAD = """() => new Promise((done) => {
  const channel = new BroadcastChannel(`rollcall-phone ${location.pathname}`);
  channel.onmessage = ({ data }) => {
    if (data.kind !== "ask") return;
    channel.close();
    delete document.body.dataset.ready;
    done();
  };
  channel.postMessage({ kind: "ready", host: "none" });
})"""
# Ends the game as its menu does.
END = """async () => {
  const { base } = JSON.parse(document.getElementById("setup").textContent);
  const { version } = await (await fetch(`/api/v1${base}`)).json();
  const action = { do: "adjust", what: "game", over: true };
  const body = JSON.stringify({ version, request: crypto.randomUUID(), action });
  await fetch(`/api/v1${base}/actions`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
}"""
STATE = """async () => {
  const { base } = JSON.parse(document.getElementById("setup").textContent);
  return (await fetch(`/api/v1${base}`)).json();
}"""


def score(page: Any) -> int:
    """The first player's score."""
    return int(page.evaluate(STATE)["standing"]["players"][0]["score"])


def later_files(site: Path) -> list[str]:
    """What a phone keeps once a throw can be typed."""
    told = (site / WORKER).read_text(encoding="utf-8").removeprefix("const SITE = ")
    return [name for name, *_ in json.JSONDecoder().raw_decode(told)[0]["later"]]


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
    """In a folder of a plain static server. A second tab follows, has a photo read, and saves the picture of the end;
    what was done is there after the browser's end."""
    (tmp_path / "root").mkdir()
    os.symlink(site, tmp_path / "root" / "games")
    server, browser = serve(tmp_path / "root"), new_browser()
    tab = browser.context.new_page()
    tab.goto(f"{server.url}games/")
    tab.wait_for_selector("#frame:not([hidden])")
    tab.evaluate(RELOAD)
    for number, name in enumerate(("Ada", "Bob")):  # it stays
        tab.frame_locator("#frame").locator("#seats input").nth(number).fill(name)
    tab.wait_for_selector("body[data-ready]")
    tab.evaluate("fetch('ready')")  # is answered after that page
    tab.evaluate(HAVE_ALL, later_files(site))
    server.stop()
    page = start_game(tab)
    tap_throw(page, 1, 1, 1, 5, 2, 3)
    guest = browser.show(tab.url)
    second = page_of(guest)
    assert guest.evaluate("document.body.dataset.host") is None
    page.locator('.choices .choice, [data-act="act"]').first.click()
    page.get_by_role("button", name="Bank 1,050", exact=True).click()
    for each in (page, second):
        each.locator("text=Bob plays").first.wait_for()
    tab.close()  # the guest becomes the host, and its page goes on
    guest.wait_for_selector("body[data-host][data-ready]")
    tap_throw(second, 2, 2, 3, 3, 4, 6)
    second.locator("text=Ada plays").first.wait_for()
    photograph(second, "throw-113466.jpg")
    assert sorted(values(second)) == [1, 1, 3, 4, 6, 6]
    second.locator('[data-act="review-confirm"]').click()
    second.locator("text=Ada plays").first.wait_for()
    second.locator(".choices .choice").first.wait_for()
    second.evaluate(END)
    second.locator(".ending .chart").wait_for()
    with guest.expect_download() as saved:
        second.locator('[data-act="share-ending"]').click()
    assert saved.value.suggested_filename.endswith("Ada wins.png")
    address = guest.url
    browser.close()
    browser.open()
    again = page_of(browser.show(address))
    assert score(again) == 1050
    start = browser.show(f"{server.url}games/")  # the next evening begins with one tap
    start.frame_locator("#frame").get_by_role("button", name="Ones and Fives again").click()
    start.wait_for_url("**/#/tables/*")
    page_of(start).locator(".quick-keys button").first.wait_for()


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


PUT = """async ([folder, name, bytes]) => {
  const root = await navigator.storage.getDirectory();
  const place = await root.getDirectoryHandle(folder, { create: true });
  const file = await (await place.getFileHandle(name, { create: true })).createWritable();
  await file.write(new Uint8Array(bytes));
  await file.close();
}"""


def test_a_store_of_an_older_version_opens(
    site: Path, tmp_path: Path, serve: Callable[..., StaticServer], new_browser: Callable[[], PhoneBrowser]
) -> None:
    shown = unpack(versions()[-1], tmp_path / "older")
    server, browser = serve(site), new_browser()
    tab = browser.context.new_page()
    tab.goto(f"{server.url}licences.txt")  # of the same site, and no part of the application
    tab.evaluate(PUT, ["rollcall _", FILE_NAME, list((tmp_path / "older" / FILE_NAME).read_bytes())])
    for told in (shown[0], shown[-1]):
        page = page_of(browser.show(f"{server.url}#{told['base']}"))
        state = page.evaluate(STATE)
        assert (state["version"], state["standing"]["players"]) == (told["version"], told["players"])
    # What came later completes packages of Python's library that were there in part.
    assert page.evaluate("async () => (await fetch('/history.csv')).status") == 200


def test_a_new_version_waits_for_the_next_start(
    site: Path, tmp_path: Path, serve: Callable[..., StaticServer], new_browser: Callable[[], PhoneBrowser]
) -> None:
    folder = tmp_path / "site"
    shutil.copytree(site, folder)
    server, browser = serve(folder), new_browser()
    tab = browser.show(server.url)
    shell = folder / "index.html"
    shell.write_text(shell.read_text(encoding="utf-8").replace("<main ", '<main data-newer="yes" '), encoding="utf-8")
    index(folder)
    is_newer = "document.querySelector('main').dataset.newer"
    tab.evaluate("async () => { window.site = await navigator.serviceWorker.getRegistration(); await site.update(); }")
    tab.wait_for_function("() => site.waiting")
    assert browser.show(server.url).evaluate(is_newer) is None
    browser.close()
    server.stop()
    browser.open()
    tab = browser.show(server.url)
    assert tab.evaluate(is_newer) == "yes"


def test_a_full_disk_is_told_and_takes_nothing_back(
    site: Path, serve: Callable[..., StaticServer], new_browser: Callable[[], PhoneBrowser]
) -> None:
    server, browser = serve(site), new_browser()
    tab = browser.show(server.url)
    page = start_game(tab, "Ada", "Bob")
    tap_throw(page, 1, 1, 1, 5, 2, 3)
    session = browser.context.new_cdp_session(tab)
    limit = {"origin": server.url.rstrip("/"), "quotaSize": 1000}
    session.send("Storage.overrideQuotaForOrigin", limit)
    told = page.evaluate(FILL)
    assert told["reason"] == "store-full"
    known = page.evaluate(STATE)["version"]
    assert known == told["version"]
    session.send("Storage.overrideQuotaForOrigin", {"origin": limit["origin"]})
    assert page.evaluate(FILL.replace("500", "2"))["version"] > known
