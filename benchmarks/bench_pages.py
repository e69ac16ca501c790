"""How long a phone waits for a page: `pytest benchmarks/bench_pages.py`. What it came to is in docs/benchmarks.md.

Each round is a new browser context: no cache, no cookies, no open connection. Time runs from the start of the
navigation to the moment at which a tap does something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.conftest import ARGUMENTS, CHROMIUM, PHONE
from tests.web.served import Served, new_table, throw

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


def test_board(benchmark: Benchmark, browser: Any, served: Served) -> None:
    opened(benchmark, browser, f"{served.base}{new_table(served, 'kosci-triple')}/board")
