"""A phone at the table of another phone: how long it takes to join, to ask, to see, and to come back when it was lost.

Each phone is Chromium in a network namespace of its own, so that both have nothing in common but a wire. As root, after
`make site`: `python -m benchmarks.phone_guests [SECONDS ...]`, for how long the wire is cut; `--apart` cuts it first.
"""

import argparse
import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.conftest import CHROMIUM
from tests.web.hosts.phone.conftest import ARGUMENTS, PHONE
from tests.web.hosts.phone.test_guests import answer_of, invitation_of, joined
from tests.web.hosts.phone.test_site import start_game
from web.hosts.phone.site.build import ROOT

PORT = 8123
PHONES = (("rollcall-host", "rollcall-va", "10.77.0.1"), ("rollcall-guest", "rollcall-vb", "10.77.0.2"))
NOBODY = "02:00:00:00:00:99"
PATIENCE_MS = 120_000
# What a page asks again and again: least, median and 95 % of the milliseconds.
ASK = """async (times) => {
  const { base } = JSON.parse(document.getElementById("setup").textContent);
  const spent = [];
  for (let i = 0; i < times; i += 1) {
    const start = performance.now();
    await (await fetch(`/api/v1${base}`)).json();
    spent.push(performance.now() - start);
  }
  spent.sort((a, b) => a - b);
  return [0, times >> 1, Math.floor(times * 0.95)].map((i) => Math.round(spent[i]));
}"""
CHANGE = """async () => {
  const { base } = JSON.parse(document.getElementById("setup").textContent);
  const { version } = await (await fetch(`/api/v1${base}`)).json();
  const action = version % 2 ? {} : { action: { do: "throw", dice: [1, 1, 1, 5, 2, 3] } };
  const body = JSON.stringify({ version, request: crypto.randomUUID(), ...action });
  const headers = { "Content-Type": "application/json" };
  const start = performance.timeOrigin + performance.now();
  await fetch(`/api/v1${base}/${version % 2 ? "undo" : "actions"}`, { method: "POST", headers, body });
  return start;
}"""
WATCH = """() => {
  window.seen = 0;
  new MutationObserver((_, own) => {
    own.disconnect();
    window.seen = performance.timeOrigin + performance.now();
  }).observe(document.querySelector("main"), { childList: true, subtree: true, characterData: true });
}"""
SEND = """async (bytes) => {
  const start = performance.now();
  await fetch("/api/v1/none", { method: "POST", body: new Uint8Array(bytes) });
  return Math.round(performance.now() - start);
}"""


def run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True)


@contextlib.contextmanager
def network() -> Iterator[None]:
    """Two namespaces with a wire between them, a default route and the site in each."""
    names = [name for name, _, _ in PHONES]
    servers = []
    try:
        for name in names:
            run("ip", "netns", "add", name)
        run("ip", "link", "add", PHONES[0][1], "type", "veth", "peer", "name", PHONES[1][1])
        for (name, wire, address), (_, _, other) in zip(PHONES, reversed(PHONES), strict=True):
            inside = ("ip", "netns", "exec", name, "ip")
            run("ip", "link", "set", wire, "netns", name)
            run(*inside, "address", "add", f"{address}/24", "dev", wire)
            for each in ("lo", wire):
                run(*inside, "link", "set", each, "up")
            # Without a default route Chromium offers no address.
            run(*inside, "route", "add", "default", "via", other)
            serve = (sys.executable, "-m", "http.server", str(PORT), "--directory", str(ROOT / "out" / "site"))
            servers.append(subprocess.Popen(["ip", "netns", "exec", name, *serve], stderr=subprocess.DEVNULL))
        yield
    finally:
        for server in servers:
            server.kill()
        for name in names:
            subprocess.run(["ip", "netns", "delete", name], check=False)


def cut(is_cut: bool) -> None:
    """Sends what each phone sends to nobody, or to the other one again."""
    for (name, wire, _), (_, _, other) in zip(PHONES, reversed(PHONES), strict=True):
        change = ("replace", other, "lladdr", NOBODY, "nud", "permanent") if is_cut else ("delete", other)
        run("ip", "netns", "exec", name, "ip", "neighbour", *change, "dev", wire)


@contextlib.contextmanager
def browsers() -> Iterator[list[Any]]:
    """A tab of each phone."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        tabs: list[Any] = []
        like_a_phone: Any = PHONE
        for name, _, _ in PHONES:
            program = Path(folder, name)
            program.write_text(f'#!/bin/sh\nexec ip netns exec {name} {CHROMIUM} "$@"\n', encoding="utf-8")
            program.chmod(0o755)
            context = playwright.chromium.launch(executable_path=program, args=ARGUMENTS).new_context(**like_a_phone)
            context.set_default_timeout(PATIENCE_MS)
            tabs.append(context.new_page())
        yield tabs
        for tab in tabs:
            tab.context.browser.close()


def until(is_so: Any) -> float:
    """Returns after how many seconds it is so."""
    start = time.monotonic()
    while not is_so():
        time.sleep(0.02)
    return time.monotonic() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seconds", nargs="*", type=int)
    parser.add_argument("--apart", action="store_true", help="the network keeps the phones apart")
    asked = parser.parse_args()
    with network(), browsers() as (host, guest):
        host.goto(f"http://localhost:{PORT}/#/")
        host.wait_for_selector("body[data-ready]")
        table = start_game(host, "Ada", "Bob")
        panel = invitation_of(host)
        guest.goto(f"http://localhost:{PORT}/#join")
        guest.wait_for_selector("#phones[open]")
        answer = answer_of(guest, panel)
        shown = panel.locator("textarea[readonly]").input_value()
        print(
            "letters of the invitation, and of the answer:", *(len(each.partition("=")[2]) for each in (shown, answer))
        )
        if asked.apart:
            cut(True)
        panel.locator("textarea:not([readonly])").fill(answer)
        start = time.monotonic()
        panel.get_by_role("button", name="Use it").click()
        if asked.apart:
            panel.get_by_text("cannot reach").wait_for()
            print(f"{time.monotonic() - start:.1f} s until: {panel.locator('.said').inner_text()}")
            return
        guest.wait_for_selector("#phones:not([open])", state="attached")
        opened_s = time.monotonic() - start
        page = joined(guest)
        print(f"answer taken to joined: {opened_s:.2f} s; to its page: {time.monotonic() - start:.2f} s")
        panel.get_by_role("button", name="Close").click()
        print("asks, ms (least, median, 95 %): guest", page.evaluate(ASK, 100), "host", table.evaluate(ASK, 100))
        spent = []
        for _ in range(40):
            table.evaluate(WATCH)
            start = page.evaluate(CHANGE)
            until(lambda: table.evaluate("window.seen"))
            spent.append(round(table.evaluate("window.seen") - start))
        spent.sort()
        print("a guest's change until the host's page shows it, ms:", spent[0], spent[20], spent[-1])
        print("5 MB from the guest, ms:", [page.evaluate(SEND, 5_000_000) for _ in range(3)])
        for away_s in asked.seconds:
            cut(True)
            time.sleep(away_s)
            told = guest.locator("#bar").text_content()
            cut(False)
            back_s = until(lambda: guest.evaluate("document.getElementById('bar').hidden") and page.evaluate(ASK, 1))
            print(f"the wire cut for {away_s} s: back after {back_s:.1f} s; the guest was told: {told}")


if __name__ == "__main__":
    main()
