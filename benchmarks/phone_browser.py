"""A phone alone in Chromium, by the clock: its start, also in processor time, pages, a typed throw, and its memory.

After `make site`: `python -m benchmarks.phone_browser [--quarter]`. `--quarter`, as root on Linux with control groups
of version 1: all of the browser has a quarter of one core.
"""

import argparse
import contextlib
import os
import re
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from benchmarks.phone_photos import spent_of
from tests.web.hosts.phone.conftest import PhoneBrowser, StaticServer, page_of
from tests.web.hosts.phone.test_site import HAVE_ALL, MEMORY, start_game
from web.hosts.phone.site.build import ROOT

GROUP = Path("/sys/fs/cgroup/cpu/rollcall-phone")
PERIOD_US, QUARTER_US = 4_000, 1_000  # so short that a page cannot be ready within one
STARTS, PAGES, THROWS = 3, 5, 40
THROW = """async () => {
  const { base } = JSON.parse(document.getElementById("setup").textContent);
  const { version } = await (await fetch(`/api/v1${base}`)).json();
  const action = version % 2 ? {} : { action: { do: "throw", dice: [1, 1, 1, 5, 2, 3] } };
  const body = JSON.stringify({ version, request: crypto.randomUUID(), ...action });
  const headers = { "Content-Type": "application/json" };
  const start = performance.now();
  await fetch(`/api/v1${base}/${version % 2 ? "undo" : "actions"}`, { method: "POST", headers, body });
  return performance.now() - start;
}"""
PAGE = """async () => {
  const { base } = JSON.parse(document.getElementById("setup").textContent);
  const start = performance.now();
  await (await fetch(base)).text();
  return performance.now() - start;
}"""


@contextlib.contextmanager
def quarter(is_wanted: bool) -> Iterator[None]:
    """This process and what it starts have a quarter of one core."""
    if is_wanted:
        GROUP.mkdir(exist_ok=True)
        (GROUP / "cpu.cfs_period_us").write_text(str(PERIOD_US), encoding="ascii")
        (GROUP / "cpu.cfs_quota_us").write_text(str(QUARTER_US), encoding="ascii")
        (GROUP / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
    yield
    if is_wanted:
        (GROUP.parent / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")


def tab_memory_mb(profile: Path) -> float:
    """The memory of the browser's largest page process: its share of pages that several processes have is divided."""
    words: dict[int, bytes] = {}
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words[int(process.name)] = (process / "cmdline").read_bytes()
    groups = {os.getpgid(each) for each, told in words.items() if f"--user-data-dir={profile}".encode() in told}
    found = [0.0]
    for each, told in words.items():
        if b"--type=renderer" in told and os.getpgid(each) in groups:
            memory = Path("/proc", str(each), "smaps_rollup").read_text(encoding="ascii")
            found.append(sum(int(part) for part in re.findall(r"^Pss: +(\d+)", memory, re.MULTILINE)) / 1000)
    return max(found)


def middle(values: list[Any]) -> str:
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quarter", action="store_true")
    asked = parser.parse_args()
    server = StaticServer(ROOT / "out" / "site")
    profile = Path(tempfile.mkdtemp())
    with quarter(asked.quarter), sync_playwright() as playwright:
        browser = PhoneBrowser(playwright, profile)
        start = time.monotonic()
        tab = browser.show(server.url)
        spent = spent_of(str(profile))
        print(f"first visit until Python is ready, s: {time.monotonic() - start:.1f}; of the processor {spent:.1f}")
        start_game(tab, "Ada", "Bob")
        tab.evaluate(HAVE_ALL, [MEMORY])
        address, shown, ready, by_processor = tab.url, [], [], []
        for _ in range(STARTS):
            browser.close()
            browser.open()
            tab = browser.context.new_page()
            start = time.monotonic()
            tab.goto(server.url)
            tab.wait_for_selector("#frame:not([hidden])")
            shown.append(time.monotonic() - start)
            tab.wait_for_selector("body[data-ready]")
            ready.append(time.monotonic() - start)
            by_processor.append(spent_of(str(profile)))
        print("later visits until the start page is there, s:", middle(shown))
        print("... until Python is ready, s:", middle(ready))
        print("... of the processor, s:", middle(by_processor))
        tab.close()
        tab = browser.show(address)
        page = page_of(tab)
        print("a table's page, ms:", middle([page.evaluate(PAGE) for _ in range(PAGES)]))
        print("a typed throw, ms:", middle([page.evaluate(THROW) for _ in range(THROWS)]))
        print(f"memory of the tab, MB: {tab_memory_mb(profile):.0f}")
        browser.close()
    server.stop()


if __name__ == "__main__":
    main()
