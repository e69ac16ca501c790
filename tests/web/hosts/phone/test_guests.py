"""A phone at the table of another phone: two browsers, with no server between them that knows of either."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.playing import tap_throw
from tests.web.hosts.phone.conftest import Installed, NewBrowser, PhoneBrowser, Quiet, StaticServer, page_of
from tests.web.hosts.phone.test_site import start_game
from tests.web.waiting import wait_until
from web.hosts.phone.policy import CONTENT_SECURITY_POLICY

HIDE = """(isHidden) => {
  Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""

# How many addresses the browser has for other phones.
PLACES = """async () => {
  const connection = new RTCPeerConnection();
  connection.createDataChannel("");
  await connection.setLocalDescription();
  const ends = Date.now() + 5000; // without a network it looks for ever
  while (connection.iceGatheringState !== "complete" && Date.now() < ends)
    await new Promise((done) => setTimeout(done, 50));
  const found = connection.localDescription.sdp.match(/^a=candidate/gm);
  connection.close();
  return found?.length ?? 0;
}"""

# Answers as a phone would that wants its own code run here. Returns the page's policy, and what its script came to.
STRANGE = """async () => {
  const channel = new BroadcastChannel("rollcall-phone /");
  channel.onmessage = ({ data: { kind, id, path } }) => {
    if (kind !== "ask") return;
    const type = path.endsWith(".js") ? "text/javascript" : "text/html";
    const headers = [["Content-Type", type], ["Content-Security-Policy", "script-src 'unsafe-inline'"]];
    const body = new TextEncoder().encode("export const taken = 1");
    channel.postMessage({ kind: "answer", id, status: 200, headers, body, stream: false, remote: true });
  };
  const policy = (await fetch("/strange")).headers.get("Content-Security-Policy");
  const script = await import("/strange.js").then(() => "ran", () => "did not run");
  channel.close();
  return [policy, script];
}"""

# As Firefox: a page cannot say of itself what it said before.
KEEPS_NO_SECRETS = """
  const own = RTCPeerConnection.prototype.setLocalDescription;
  RTCPeerConnection.prototype.setLocalDescription = function (given) {
    return given ? Promise.reject(new Error("changed")) : own.call(this);
  };"""

# As a browser that looks for its addresses for longer than it needs to connect.
LOOKS_FOR_LONG = """
  Object.defineProperty(RTCPeerConnection.prototype, "iceGatheringState", { get: () => "gathering" });"""

# How many guests may come back without a code, as this browser has it on its disk.
EXPECTED = """async () => {
  const answerOf = (asked) => new Promise((done) => asked.addEventListener("success", () => done(asked.result)));
  const base = await answerOf(indexedDB.open(`rollcall-phone ${location.pathname}`));
  const store = base.transaction("kept").objectStore("kept");
  return Object.keys((await answerOf(store.get("host returns"))) ?? {}).length;
}"""

GUEST_BYTES = 600_000  # that a guest fetches until it plays
TOLD_S = 3  # after which a guest knows that its host is gone; twice as long on a busy machine

pytestmark = [pytest.mark.whole, pytest.mark.alone]


def apart(browser: PhoneBrowser, other: PhoneBrowser, url: str, other_url: str) -> tuple[Any, Any, Any, Any]:
    """The tab of a host, its table's page, its panel with an invitation, and the tab of a guest that wants to join."""
    host = browser.show(url)
    if not host.evaluate(PLACES):
        pytest.skip("this machine is in no network: the browser has no address for other phones")
    table = start_game(host, "Ada", "Bob")
    guest = other.context.new_page()
    guest.goto(f"{other_url}#join")
    guest.wait_for_selector("#phones[open]")
    return host, table, invitation_of(host), guest


def invitation_of(host: Any) -> Any:
    """Opens the invitation in the host's tab. Returns its panel."""
    page_of(host).locator('[data-act="invite"]').first.click()
    panel = host.locator("#phones")
    panel.locator("canvas:not([hidden])").wait_for()
    panel.get_by_text("Without a camera").click()
    return panel


def give(guest: Any, panel: Any) -> Any:
    """Gives the guest's tab the invitation of the host's panel, as text. Returns the guest's own panel."""
    asking = guest.locator("#phones")
    asking.get_by_text("Without a camera").click()
    asking.locator("textarea").fill(panel.locator("textarea[readonly]").input_value())
    asking.get_by_role("button", name="Use it").click()
    return asking


def answer_of(guest: Any, panel: Any) -> str:
    """Gives it so, and returns the address that the guest's answer is."""
    asking = give(guest, panel)
    asking.locator("canvas:not([hidden])").wait_for()
    return str(asking.locator("textarea[readonly]").input_value())


def joined(guest: Any) -> Any:
    """The page of the table in the guest's tab, once it is there."""
    guest.wait_for_selector("#phones:not([open])", state="attached")
    return page_of(guest)


def counting(sent: dict[str, int]) -> type[Quiet]:
    """A server's handler that notes how many bytes of each file it sent."""

    class Counting(Quiet):
        def copyfile(self, source: Any, outputfile: Any) -> None:
            sent[self.path] = sent.get(self.path, 0) + len(source.read())
            source.seek(0)
            shutil.copyfileobj(source, outputfile)

    return Counting


def test_a_guest_plays_at_the_table_of_another_phone(
    site: Path, serve: Callable[..., StaticServer], installed: Installed, new_browser: NewBrowser
) -> None:
    sent: dict[str, int] = {}
    (server, browser), other = installed(), serve(site, handler=counting(sent))  # each has the site from where it likes
    host, table, panel, guest = apart(browser, new_browser(), server.url, other.url)
    policy, script = guest.evaluate(STRANGE)
    assert (policy, script) == (f"{CONTENT_SECURITY_POLICY}; frame-ancestors 'self'", "did not run")
    tab = browser.context.new_page()
    tab.goto(answer_of(guest, panel))  # as the phone's own camera opens what it scanned
    tab.get_by_text("has the answer").wait_for()
    tab.close()
    page = joined(guest)
    panel.get_by_text("Guest 1").wait_for()
    panel.get_by_role("button", name="Close").click()
    tap_throw(page, 1, 1, 1, 5, 2, 3)
    page.locator('.choices .choice, [data-act="act"]').first.click()
    page.get_by_role("button", name="Bank 1,050", exact=True).click()
    table.locator("text=Bob plays").first.wait_for()  # live, by the stream of the host's own page
    table.locator("text=1,050").first.wait_for()
    assert sum(sent.values()) <= GUEST_BYTES, sorted(sent.items(), key=lambda each: -each[1])[:20]
    tap_throw(table, 2, 2, 3, 3, 4, 6)
    page.locator("text=Ada plays").first.wait_for()  # live, over the channel

    host.evaluate(HIDE, True)  # its person looks at something else
    guest.get_by_text("The game goes on when it is back").wait_for()
    host.evaluate(HIDE, False)
    guest.wait_for_selector("#bar", state="hidden")

    guest.add_init_script(LOOKS_FOR_LONG)
    guest.reload()  # as a browser does that needed the memory: it comes back by itself
    page = joined(guest)
    page.locator("text=Ada plays").first.wait_for()
    panel = invitation_of(host)
    panel.get_by_text("Guest 1").wait_for()
    assert panel.locator("li").count() == 1
    panel.get_by_role("button", name="Send away").click()
    guest.get_by_text("has sent this phone away").wait_for()
    guest.get_by_role("button", name="Back to my own games").click()
    guest.wait_for_selector("body[data-host][data-ready]")
    assert "Ada" not in page_of(guest).content()


@pytest.mark.parametrize("keeps_secrets", [True, False])
def test_a_host_that_was_gone_is_found_again(
    installed: Installed, new_browser: NewBrowser, keeps_secrets: bool
) -> None:
    """Without a code where the browser lets a page say the same of itself as before, else by one for all guests."""
    server, browser = installed()
    host, _, panel, guest = apart(browser, new_browser(), server.url, server.url)
    panel.locator("textarea:not([readonly])").fill(answer_of(guest, panel))
    panel.get_by_role("button", name="Use it").click()
    page, address = joined(guest), host.url
    wait_until(lambda: host.evaluate(EXPECTED))
    browser.kill()
    began = time.monotonic()
    guest.get_by_text("The phone with the game does not answer").wait_for()
    assert time.monotonic() - began < 2 * TOLD_S
    browser.open()
    browser.context.add_init_script(LOOKS_FOR_LONG if keeps_secrets else KEEPS_NO_SECRETS)
    host = browser.show(address)
    if not keeps_secrets:
        panel = invitation_of(host)
        guest.get_by_role("button", name="Scan its code again").click()
        give(guest, panel)
        guest.wait_for_selector("#phones:not([open])", state="attached")
    guest.wait_for_selector("#bar", state="hidden")
    tap_throw(page, 1, 1, 1, 5, 2, 3)
    page_of(host).locator(".choices .choice").first.wait_for()
