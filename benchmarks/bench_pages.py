"""How long a phone waits for a page: `pytest benchmarks/bench_pages.py`. What it came to is in docs/benchmarks.md.

Each round is a new browser context: no cache, no cookies, no open connection. Time runs from the start of the
navigation to the moment at which a tap does something.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import ARGUMENTS, CHROMIUM, PHONE
from tests.browser.range import Range
from tests.web.served import Served, ask, new_table, throw
from web.hosts.laptop import protocol

Benchmark = Callable[..., Any]
ROUNDS = 15
READY = "() => document.body && document.body.dataset.ready"

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (Debian: apt install chromium)")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("data")) as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


def opened(benchmark: Any, browser: Any, address: str) -> None:
    contexts: list[Any] = []
    pages: list[Any] = []
    bytes_: list[int] = []

    def fresh() -> None:
        for context in contexts:
            context.close()
        contexts[:] = [browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, locale="cs")]
        pages[:] = [contexts[0].new_page()]
        bytes_.clear()
        pages[0].on("response", lambda response: bytes_.append(int(response.headers.get("content-length", 0))))

    def navigate() -> None:
        pages[0].goto(address, wait_until="commit")
        pages[0].wait_for_function(READY, polling="raf")

    benchmark.pedantic(navigate, setup=fresh, rounds=ROUNDS, warmup_rounds=1)
    pages[0].wait_for_timeout(500)
    benchmark.extra_info["kB"] = round(sum(bytes_) / 1000)
    benchmark.extra_info["requests"] = len(bytes_)
    contexts[0].close()


def test_first_page(benchmark: Benchmark, browser: Any, served: Served) -> None:
    opened(benchmark, browser, f"{served.base}/")


@pytest.mark.parametrize("game", ["ones-and-fives", "kosci-triple"])
def test_table(benchmark: Benchmark, browser: Any, served: Served, game: str) -> None:
    table = new_table(served, game)
    throw(served, table, 0, [1, 1, 1, 5, 2, 4] if game == "ones-and-fives" else [1, 1, 1, 5, 2])
    opened(benchmark, browser, f"{served.base}{table}")


@pytest.mark.parametrize("game", ["ones-and-fives", "kosci-triple"])
def test_table_on_a_slow_phone(benchmark: Any, browser: Any, served: Served, game: str) -> None:
    """At 1.6 Mbit/s, with 150 ms to and fro and a quarter of the processor's speed, until the buttons are there."""
    table = new_table(served, game)
    throw(served, table, 0, [1, 1, 1, 5, 2, 4] if game == "ones-and-fives" else [1, 1, 1, 5, 2])
    network = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}

    def fresh() -> tuple[tuple[Any], dict[str, Any]]:
        page = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, locale="cs").new_page()
        devtools = page.context.new_cdp_session(page)
        devtools.send("Network.emulateNetworkConditions", network)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        return (page,), {}

    def navigate(page: Any) -> None:
        page.goto(f"{served.base}{table}", wait_until="commit")
        page.wait_for_function(READY, polling="raf")

    benchmark.pedantic(navigate, setup=fresh, rounds=ROUNDS)


def test_board(benchmark: Benchmark, browser: Any, served: Served) -> None:
    opened(benchmark, browser, f"{served.base}{new_table(served, 'kosci-triple')}/board")


@pytest.mark.parametrize("away_s", [2, 25])
def test_back_in_range(benchmark: Any, browser: Any, served: Served, away_s: int) -> None:
    """From the moment at which the network is back to the sheet as it is now; for 2 s and for long enough to notice."""
    table = new_table(served)
    versions = itertools.count(1)
    with Range(served.port) as way:
        page = browser.new_context(viewport=PHONE).new_page()
        page.goto(f"{way.base}{table}")
        page.wait_for_function(READY)

        def away() -> tuple[tuple[int], dict[str, Any]]:
            way.lose()
            time.sleep(away_s)
            version = next(versions)
            if version % 2:
                throw(served, table, version - 1, [1, 1, 1, 5, 2, 4])
            else:
                ask(served, "POST", f"/api/v1{table}/undo", {"version": version - 1, "request": f"undo-{version:08}"})
            return (version,), {}

        def back(version: int) -> None:
            way.regain()
            page.wait_for_function(f"() => document.body.dataset.version === '{version}'", polling="raf")

        benchmark.pedantic(back, setup=away, rounds=3)
        page.context.close()


def test_back_after_a_restart(benchmark: Any, browser: Any, tmp_path: Path) -> None:
    """From the moment at which the server answers again to a page that says so."""
    with Served(tmp_path / "data") as served:
        page = browser.new_context(viewport=PHONE).new_page()
        page.goto(f"{served.base}{new_table(served)}")
        page.wait_for_function(READY)

        def restart() -> None:
            served.kill()
            page.wait_for_selector(".offline")
            served.start()

        benchmark.pedantic(lambda: page.wait_for_selector(".offline", state="detached"), setup=restart, rounds=5)
        page.context.close()


@pytest.mark.parametrize("after", ["nothing", "restart", "out of range"])
def test_twelve_phones(benchmark: Any, browser: Any, tmp_path: Path, after: str) -> None:
    """From sending a throw or undoing it to the moment at which the last of twelve pages shows it."""
    with Served(tmp_path / "data") as served, Range(served.port) as way:
        table = new_table(served)
        pages = [browser.new_context(viewport=PHONE).new_page() for _ in range(12)]
        for page in pages:
            page.goto(f"{way.base}{table}")
            page.wait_for_function(READY)
        if after == "restart":
            served.kill()
            for page in pages:
                page.wait_for_selector(".offline")
            served.start()
            for page in pages:
                page.wait_for_selector(".offline", state="detached")
        if after == "out of range":
            protocol.raise_file_limit()  # `way` holds every connection that is tried meanwhile
            way.lose()
            time.sleep(25)
            way.regain()
            for page in pages:
                page.wait_for_selector(".offline", state="detached")
        versions = itertools.count(1)

        def act() -> None:
            version = next(versions)
            if version % 2:
                throw(served, table, version - 1, [1, 1, 1, 5, 2, 4])
            else:
                ask(served, "POST", f"/api/v1{table}/undo", {"version": version - 1, "request": f"undo-{version:08}"})
            for page in pages:
                page.wait_for_function(f"() => document.body.dataset.version === '{version}'", polling="raf")

        benchmark.pedantic(act, rounds=10)
        for page in pages:
            page.context.close()
