"""Real Chromium against the real server. Skipped, saying why, where the browser is not installed."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.served import Served

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A camera that shows a test picture, and no question whether it may.
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
]
OUT = Path(__file__).resolve().parents[2] / "out" / "screenshots"  # pictures for people to look at
PHONE = {"width": 390, "height": 844}


def pytest_configure(config: pytest.Config) -> None:
    """What lies among the pictures after a run is of this run."""
    if not config.option.collectonly and not hasattr(config, "workerinput"):
        shutil.rmtree(OUT, ignore_errors=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason="Chromium is not installed (Debian: apt install chromium)"))


@pytest.fixture(scope="package")  # until then its event loop runs in the tests' thread, where no other one can
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path / "data") as server:
        yield server


@pytest.fixture
def new_phone(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Makes phones: pages of their own browser contexts, which fail the test if their scripts do."""
    contexts: list[Any] = []
    errors: list[str] = []

    def make(**options: Any) -> Any:
        settings = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "locale": "en-GB", **options}
        context = chromium.new_context(**settings)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: _note(errors, message))
        return page

    yield make
    for context in contexts:
        context.close()
    assert errors == []


def _note(errors: list[str], message: Any) -> None:
    # What the server refuses shows up as a failed resource; the pages tell it themselves.
    if message.type == "error" and "Failed to load resource" not in message.text:
        errors.append(message.text)
