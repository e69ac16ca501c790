"""From a photo chosen to its reading on the screen: `pytest benchmarks/bench_photos.py`. Figures: docs/benchmarks.md.

Time runs in the page, from the moment at which the browser hands it the file to the first frame that shows the dice
read, and on to the one that shows the picture behind them. The slow network is Chromium's own throttling; "sparing"
says that bytes cost: then every large photo is shrunk before it travels.
"""

from __future__ import annotations

import io
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.browser.conftest import ARGUMENTS, CHROMIUM, PHONE
from tests.web.served import Served, new_table

ROUNDS = 9
SIX_DICE = Path(__file__).resolve().parent.parent / "tests" / "pictures" / "throw-113466.jpg"
READY = "() => document.body && document.body.dataset.ready"
SLOW = {"offline": False, "latency": 5, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}
TIMES = """() => {
  window.times = {};
  document.addEventListener("change", () => { window.times = { chosen: performance.now() }; }, true);
  const noted = (name) => requestAnimationFrame(() => {
    window.times[name] ??= performance.now() - window.times.chosen;
  });
  new MutationObserver(() => {
    if (document.querySelector(".reading-row button") && !window.times.reading) noted("reading");
  }).observe(document.body, { subtree: true, childList: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.name.includes("/photos/")) noted("picture");
      if (entry.name.endsWith("/photos")) {
        window.times.begun = entry.startTime - window.times.chosen;
        window.times.sent = entry.responseEnd - window.times.chosen;
      }
    }
  }).observe({ type: "resource" });
}"""
# In the order in which they come. "begun": what the server took began to travel; "sent": it was taken.
PARTS = ("begun", "sent", "reading", "picture")
SPARING = "Object.defineProperty(navigator, 'connection', { value: { addEventListener() {}, saveData: true } });"

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (Debian: apt install chromium)")


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six dice as a phone would take them: 4000x3000, with a sensor's noise, 4 MB."""
    large = np.asarray(Image.open(SIX_DICE).resize((4000, 3000), Image.Resampling.BICUBIC)).astype(np.float32)
    noisy = large + np.random.default_rng(0).normal(0, 6, large.shape)
    out = io.BytesIO()
    Image.fromarray(noisy.clip(0, 255).astype(np.uint8)).save(out, "JPEG", quality=92)
    path = tmp_path_factory.mktemp("photo") / "photo.jpg"
    path.write_bytes(out.getvalue())
    return path


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with Served(tmp_path / "data") as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True).new_page()
        page.set_default_timeout(60_000)
        page.goto(f"{served.base}{new_table(served)}")
        page.wait_for_function(READY)
        yield page
        browser.close()


@pytest.mark.parametrize("network", ["this machine", "this machine, sparing", "10 Mbit/s"])
@pytest.mark.parametrize("side", [1280, 4000])
def test_photo_to_reading(page: Any, photo: Path, tmp_path: Path, network: str, side: int, capsys: Any) -> None:
    path = photo if side == 4000 else SIX_DICE
    if network == "this machine, sparing":
        page.add_init_script(SPARING)
        page.reload()
        page.wait_for_function(READY)
    if network == "10 Mbit/s":
        page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", SLOW)
    page.evaluate(TIMES)
    told = [_round(page, path) for _ in range(ROUNDS)][1:]
    with capsys.disabled():
        medians = {name: round(statistics.median(one[name] for one in told)) for name in PARTS}
        most = round(max(one["reading"] for one in told))
        print(f"\n{side} pixels, {path.stat().st_size >> 10} kB, {network}: {medians} ms, slowest reading {most} ms")


def _round(page: Any, path: Path) -> dict[str, float]:
    page.locator("#photo").set_input_files(path)
    page.wait_for_function("() => window.times.reading && window.times.picture && window.times.sent")
    times: dict[str, float] = page.evaluate("window.times")
    page.locator('[data-act="review-discard"]').click()
    page.wait_for_selector("#panel:not([open])", state="attached")
    page.wait_for_timeout(300)
    return times
