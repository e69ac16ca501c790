"""The site of a phone alone in a real browser: a game, without a network, and with its tab killed."""

import functools
import gzip
import io
import mimetypes
import os
import random
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import OUT
from tests.browser.playing import photograph, tap_throw, values
from tests.web.hosts.phone.conftest import (
    HAVE_ALL,
    MEMORY,
    Installed,
    NewBrowser,
    PhoneBrowser,
    Quiet,
    StaticServer,
    later_files,
    page_of,
)
from tests.web.waiting import wait_until
from web.hosts.phone.site.build import index
from web.store.schema import LAST_READERS
from web.store.sqlite import FILE_NAME
from web.store.sqlite_file import SqliteFile

pytestmark = [pytest.mark.whole, pytest.mark.browser]

KILLS = 4  # one in each of `UNDER_WAY`
MANY_KILLS = 100
# Throws and takes back until it is refused; what was acknowledged it says in the console.
PLAY = """async () => {
  const { base } = JSON.parse(document.getElementById("setup").textContent);
  const post = async (path, body) => {
    const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    return (await fetch(`/api/v1${base}/${path}`, options)).json();
  };
  let { version } = await (await fetch(`/api/v1${base}`)).json();
  for (let even = version % 2 === 0; ; even = !even) {
    const action = even ? { action: { do: "throw", dice: [1, 1, 1, 5, 2, 3] } } : {};
    const told = await post(even ? "actions" : "undo", { version, request: crypto.randomUUID(), ...action });
    if (told.reason) return;
    ({ version } = told);
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
# Loads the start page again; the application does not answer yet.
RELOAD = """() => new Promise((done) => {
  const channel = new BroadcastChannel(`rollcall-phone ${location.pathname}`);
  let isReady = false; // the application itself
  channel.onmessage = ({ data }) => {
    if (data.kind === "ready") isReady = true;
    if (data.kind !== "ask") return;
    channel.close();
    if (!isReady) delete document.body.dataset.ready;
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


def start_game(tab: Any, *players: str) -> Any:
    """Starts ones-and-fives from the start page. Returns the table's page."""
    page = tab.frame_locator("#frame")
    for number, name in enumerate(players):
        page.locator("#seats input").nth(number).fill(name)
    page.locator('label.game:has([value="ones-and-fives"])').click()
    page.locator("#new-table button.primary").click()
    tab.wait_for_url("**/#/tables/*")
    return page_of(tab)


def test_a_game_is_played_without_a_network_after_the_first_visit(
    site: Path, tmp_path: Path, serve: Callable[..., StaticServer], new_browser: NewBrowser
) -> None:
    """In a folder of a plain static server. A second tab follows, has a photo read, and saves the picture of the end;
    what was done is there after the browser's end."""
    (tmp_path / "root").mkdir()
    os.symlink(site, tmp_path / "root" / "games")
    server, browser = serve(tmp_path / "root"), new_browser()
    tab = browser.context.new_page()
    tab.goto(f"{server.url}games/#/")
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
    # What came later completes packages of Python's library that were there in part.
    assert second.evaluate("async () => (await fetch('/history.csv')).status") == 200
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


CUT_AT = 3_000_000  # bytes


def test_a_first_visit_that_is_cut_goes_on_where_it_was(
    site: Path, serve: Callable[..., StaticServer], new_browser: NewBrowser
) -> None:
    """By a server that labels packed files in an old way, and packs all others once more."""
    sent: list[tuple[str, bool]] = []  # each file, and whether all of it went out
    room = [CUT_AT]

    class Cutting(Quiet):
        def send_head(self) -> io.BytesIO:
            name = self.path.lstrip("/") or "index.html"
            content = (site / name).read_bytes()
            label = "x-gzip" if name.endswith(".gz") else "gzip"
            content = content if label == "x-gzip" else gzip.compress(content, 1)
            sent.append((name, len(content) <= room[0]))
            self.send_response(200)
            self.send_header("Content-Type", mimetypes.guess_type(name.removesuffix(".gz"))[0] or "text/plain")
            self.send_header("Content-Encoding", label)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            goes = content[: room[0]]
            room[0] -= len(goes)
            return io.BytesIO(goes)

    tab = new_browser().context.new_page()
    tab.goto(serve(site, handler=Cutting).url)
    again = tab.get_by_role("button", name="Go on loading")
    again.wait_for()
    assert "The connection broke off while Rollcall was loading." in tab.inner_text("#said")
    tab.screenshot(path=OUT / "phone" / "a-first-visit-that-was-cut.png")
    came = {name for name, whole in sent if whole and name.endswith((".gz", ".xz"))}
    assert came
    sent.clear()
    room[0] = 10**9
    again.click()
    tab.wait_for_selector("body[data-ready]")
    assert not came & {name for name, _ in sent}
    assert tab.get_by_role("link", name="On a computer in the house").count() == 0, "this site has no such page"
    tab.get_by_role("button", name="Play on this phone").click()
    page_of(tab).locator("#new-table").wait_for()


def note(acknowledged: list[int], message: Any) -> None:
    words = message.text.split()
    if words[:1] == ["acknowledged"]:
        acknowledged.append(int(words[1]))


def nothing(browser: PhoneBrowser, tab: Any, folder: Path) -> None:
    """Only the play."""


def first_tab_closed(browser: PhoneBrowser, tab: Any, folder: Path) -> None:
    """The tab with the application goes, and another one becomes the host."""
    browser.context.pages[0].close()


def full_disk(browser: PhoneBrowser, tab: Any, folder: Path) -> None:
    """Nothing more can be written."""
    limit = {"origin": tab.evaluate("location.origin"), "quotaSize": 1000}
    browser.context.new_cdp_session(tab).send("Storage.overrideQuotaForOrigin", limit)


def update(browser: PhoneBrowser, tab: Any, folder: Path) -> None:
    """A newer version of the site is coming."""
    shell = folder / "index.html"
    shell.write_text(shell.read_text(encoding="utf-8").replace("<main ", "<main data-newer "), encoding="utf-8")
    index(folder)
    tab.evaluate("() => void navigator.serviceWorker.getRegistration().then((site) => site.update())")


UNDER_WAY = (nothing, first_tab_closed, full_disk, update)


def kill_in_play(browser: PhoneBrowser, server: StaticServer, folder: Path, times: int) -> None:
    """Ends the browser in the middle of play, again and again: whatever was acknowledged is there at its next start.
    What else is under way takes turns."""
    moments = random.Random(51)
    tab = browser.show(server.url)
    start_game(tab, "Ada", "Bob")
    address, known = tab.url, 0
    for number in range(times):
        happens = UNDER_WAY[number % len(UNDER_WAY)]
        if happens is first_tab_closed:
            tab = browser.show(address)  # beside the tab that is there
        page, acknowledged = page_of(tab), [known]
        assert page.evaluate(STATE)["version"] >= known
        tab.on("console", functools.partial(note, acknowledged))
        with tab.expect_console_message(lambda message: message.text.startswith("acknowledged")):
            page.evaluate(f"void ({PLAY})()")
        tab.wait_for_timeout(moments.uniform(0, 1000))
        happens(browser, tab, folder)
        tab.wait_for_timeout(moments.uniform(0, 1000))
        browser.kill()
        assert max(acknowledged) > known
        known = max(acknowledged)
        browser.open()
        tab = browser.show(address)
    state = page_of(tab).evaluate(STATE)
    assert state["version"] >= known
    assert state["lost"] is None


@pytest.mark.parametrize("times", [KILLS, pytest.param(MANY_KILLS, marks=pytest.mark.slow)])
def test_nothing_acknowledged_is_lost_when_the_browser_is_killed(
    site: Path, tmp_path: Path, installed: Installed, times: int
) -> None:
    folder = tmp_path / "site"
    shutil.copytree(site, folder)
    server, browser = installed(folder)
    kill_in_play(browser, server, folder, times)


# Changes some bytes of a kept file; done twice, it is as before.
SPOIL = """async ([name, places]) => {
  for (const each of await caches.keys()) {
    const cache = await caches.open(each);
    const found = await cache.match(new URL(name, location.href));
    const bytes = new Uint8Array(await found.arrayBuffer());
    for (const place of places) bytes[Math.floor(place * bytes.length)] ^= 0x5a;
    await cache.put(new URL(name, location.href), new Response(bytes, { headers: found.headers }));
  }
}"""
LIBRARY = "pyodide/python_stdlib.zip"


def test_later_starts_take_the_memory_that_was_kept_and_refuse_a_damaged_one(installed: Installed) -> None:
    server, browser = installed()
    tab = browser.show(server.url)
    tap_throw(start_game(tab, "Ada", "Bob"), 1, 1, 1, 5, 2, 3)
    address, version = tab.url, page_of(tab).evaluate(STATE)["version"]
    tab.evaluate(HAVE_ALL, [MEMORY])
    everywhere = [each / 1000 for each in range(1000)]
    tab.evaluate(SPOIL, [LIBRARY, everywhere])  # from its files Python could not start
    browser.close()
    browser.open()
    tab = browser.context.new_page()
    tab.goto(server.url)
    tab.wait_for_selector("body[data-ready]")
    tab.evaluate(SPOIL, [LIBRARY, everywhere])
    tab.evaluate(SPOIL, [MEMORY, [0.5]])
    browser.close()
    browser.open()
    tab = browser.show(address)
    assert page_of(tab).evaluate(STATE)["version"] == version
    tab.evaluate(HAVE_ALL, [MEMORY])  # of this start


COPIED_MS = 21_000  # after a start, the copy of the games is made
PUT = """async ([folder, name, bytes]) => {
  const root = await navigator.storage.getDirectory();
  const place = await root.getDirectoryHandle(folder, { create: true });
  const file = await (await place.getFileHandle(name, { create: true })).createWritable();
  await file.write(new Uint8Array(bytes));
  await file.close();
}"""


# Changes some bytes of a file of the phone's games.
DAMAGE = """async ([folder, name, places]) => {
  const root = await navigator.storage.getDirectory();
  const place = await root.getDirectoryHandle(folder);
  const file = await place.getFileHandle(name);
  const bytes = new Uint8Array(await (await file.getFile()).arrayBuffer());
  for (const place of places) if (bytes.length) bytes[Math.floor(place * bytes.length)] ^= 0x5a;
  const stream = await file.createWritable();
  await stream.write(bytes);
  await stream.close();
}"""
SIZES = """async (folder) => {
  const place = await (await navigator.storage.getDirectory()).getDirectoryHandle(folder);
  const sizes = {};
  for await (const [name, file] of place.entries()) sizes[name] = (await file.getFile()).size;
  return sizes;
}"""
FOLDER = "rollcall _"


def damage(browser: PhoneBrowser, url: str, name: str, *places: float) -> dict[str, int]:
    """Damages a file of the games while no tab has them. Returns the sizes of all files before."""
    tab = browser.context.new_page()
    tab.goto(f"{url}licences.txt")  # of the same site, and no part of the application
    sizes = tab.evaluate(SIZES, FOLDER)
    tab.evaluate(DAMAGE, [FOLDER, name, places])
    tab.close()
    return dict(sizes)


def test_damaged_games_are_mended_from_the_copy_or_what_is_there_is_saved(installed: Installed) -> None:
    server, browser = installed()
    tab = browser.show(server.url)
    page = start_game(tab, "Ada", "Bob")
    tap_throw(page, 1, 1, 1, 5, 2, 3)
    version, address = page.evaluate(STATE)["version"], tab.url
    tab.wait_for_timeout(COPIED_MS)
    # Each has what is due done, and the copy is whole when the last one is answered: a worker does one thing at a time.
    answered = "async () => (await fetch('/')).ok"
    wait_until(lambda: page.evaluate(answered) and tab.evaluate(SIZES, FOLDER).get("rollcall-copy.db"))
    assert page.evaluate(answered)
    tab.close()
    everywhere = [each / 1000 for each in range(1000)]
    assert damage(browser, server.url, FILE_NAME, *everywhere)["rollcall-copy.db"] > 0
    damage(browser, server.url, f"{FILE_NAME}-wal", *everywhere)
    tab = browser.show(server.url)
    page_of(tab).get_by_text("The games on this phone were damaged").wait_for()
    tab.screenshot(path=OUT / "phone" / "mended.png")
    assert page_of(browser.show(address)).evaluate(STATE)["version"] == version
    browser.close()
    browser.open()
    for name in (FILE_NAME, f"{FILE_NAME}-wal", "rollcall-copy.db"):
        damage(browser, server.url, name, *everywhere)
    tab = browser.context.new_page()
    tab.goto(server.url)
    tab.get_by_text("and so is their copy").wait_for()
    with tab.expect_download() as saved:
        tab.get_by_role("button", name="Save what is there").click()
    assert saved.value.suggested_filename.startswith("damaged-rollcall")
    tab.screenshot(path=OUT / "phone" / "damaged.png")
    tab.get_by_role("button", name="Begin without games").click()
    tab.wait_for_selector("body[data-ready]")
    start_game(tab, "Ada", "Bob")


def test_all_games_go_to_another_phone_in_one_file(
    tmp_path: Path, installed: Installed, new_browser: NewBrowser
) -> None:
    server, browser = installed()
    tab = browser.show(server.url)
    page = start_game(tab, "Ada", "Bob")
    tap_throw(page, 1, 1, 1, 5, 2, 3)
    address = tab.url
    page.evaluate(END)
    tab = browser.show(server.url)
    page_of(tab).get_by_text("Games that ended since the last copy: 1.").wait_for()
    tab.screenshot(path=OUT / "phone" / "a-copy-is-offered.png")
    with tab.expect_download() as saved:
        page_of(tab).get_by_role("button", name="Save all my games").click()
    saved.value.save_as(tmp_path / "all.db")
    page_of(tab).get_by_text("Games that ended since").wait_for(state="detached")
    other = new_browser()
    tab = other.show(f"{server.url}#/help")
    page = tab.frame_locator("#frame")
    page.get_by_text("may clear the games").wait_for()
    tab.screenshot(path=OUT / "phone" / "help.png")
    with tab.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Bring games from a file").click()
    chooser.value.set_files(tmp_path / "all.db")
    page.get_by_text("Tables that came: 1; that were here already: 0.").wait_for()
    assert score(page_of(other.show(address))) == 0


def test_games_of_a_development_version_are_told_and_stay(
    site: Path, tmp_path: Path, serve: Callable[..., StaticServer], new_browser: NewBrowser
) -> None:
    version = max(LAST_READERS)
    with closing(SqliteFile(tmp_path / FILE_NAME)) as store:
        store.prepare()
        with store.write() as connection:
            connection.exec_driver_sql(f"UPDATE schema_version SET version = {version}")
            connection.exec_driver_sql(f"PRAGMA user_version = {version}")
    server, browser = serve(site), new_browser()
    tab = browser.context.new_page()
    tab.goto(f"{server.url}licences.txt")  # of the same site, and no part of the application
    tab.evaluate(PUT, ["rollcall _", FILE_NAME, list((tmp_path / FILE_NAME).read_bytes())])
    tab.goto(server.url)
    tab.get_by_text(f"the last that reads them is Rollcall {LAST_READERS[version]}. They stay").wait_for()


def test_the_source_comes_from_the_site_and_a_new_version_waits_for_the_next_start(
    site: Path, tmp_path: Path, installed: Installed
) -> None:
    folder = tmp_path / "site"
    shutil.copytree(site, folder)
    server, browser = installed(folder)
    tab = browser.show(server.url)
    for name in ("source.tar.gz", "licences.txt"):
        told = tab.evaluate(f"async () => (await (await fetch('/{name}')).arrayBuffer()).byteLength")
        assert told == (site / name).stat().st_size
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


def test_a_full_disk_is_told_and_takes_nothing_back(installed: Installed) -> None:
    server, browser = installed()
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
