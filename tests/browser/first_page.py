"""Bytes of the first page on a new phone, and when it can be used: `python -m tests.browser.first_page [CHECKOUT]`.

`CHECKOUT`: a folder with an older version, which is measured beside this one, in turns. The phone computes four times
slower than this machine, and has a line of 1.6 Mbit/s.
"""

import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import sync_playwright

from tests.browser.conftest import ARGUMENTS
from tests.conftest import CHROMIUM
from tests.web.served import ROOT, Served

TIMES = 9
LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "locale": "cs-CZ",
    "is_mobile": True,
    "has_touch": True,
}
NOTE_READY = """new MutationObserver((_, observer) => {
  if (!document.querySelector("body[data-ready]")) return;
  window.readyAt = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true, attributes: true });"""


def visit(browser: Any, base: str) -> tuple[int, float]:
    """The bytes of a first visit, and the milliseconds until the page can be used."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    page.add_init_script(NOTE_READY)
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", LINE)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    sizes: list[int] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(f"{base}/")
    page.wait_for_function("window.readyAt")
    page.wait_for_timeout(500)
    ready = page.evaluate("window.readyAt")
    context.close()
    return sum(sizes), ready


def main(checkouts: list[Path]) -> None:
    with ExitStack() as opened:
        playwright = opened.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        bases = []
        for folder in checkouts:
            data = Path(opened.enter_context(tempfile.TemporaryDirectory())) / "data"
            served = Served(data, before=lambda folder=folder: os.chdir(folder))  # type: ignore[misc]
            bases.append(opened.enter_context(served).base)
        found = [[visit(browser, base) for base in bases] for _ in range(TIMES)]
        for number, folder in enumerate(checkouts):
            sizes, times = zip(*(each[number] for each in found), strict=True)
            print(f"{folder.name:16} {max(sizes) / 1000:6.1f} kB {median(times):6.0f} ms")
        print(f"ratio {median(first[1] / last[1] for first, *_, last in found):.2f}")
        browser.close()


if __name__ == "__main__":
    main([ROOT, *map(Path, sys.argv[1:])])
