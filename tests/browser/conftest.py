"""Real Chromium against the real server. Skipped, saying why, where the browser is not installed."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CHROMIUM
from tests.web.served import UNPREPARED, Served

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
PICTURED: set[str] = set()  # not empty where pictures of all pages are wanted
PHONE = {"width": 390, "height": 844}
SMALL = {"width": 360, "height": 640}
# What a browser of the tests has instead of the fonts of its machine: `fonts` has each with a configuration. The second
# is lower in width, and its lines are higher.
WIDE, NARROW = FONTS = ("wide", "narrow")
PATIENCE_MS = 120_000  # a machine that runs tests may stand still for seconds
# What failed is tried once more, and the summary names it: that a busy machine brings two steps of a test into an order
# which nobody thought of is no fault of the product. A fault of the product fails twice.
TRIED_AGAIN = ["TimeoutError", "AssertionError"]
SETTINGS = {
    "viewport": PHONE,
    "has_touch": True,
    "is_mobile": True,
    "locale": "en-GB",
    "reduced_motion": "reduce",  # what moves is not where it was when the test looked
    "service_workers": "block",  # as on plain http; `test_installed` has one
}
# A page gives the server five seconds; a test of something else gives it a minute.
PATIENT = """{
  const real = window.setTimeout;
  window.setTimeout = (what, ms, ...more) => real(what, /abort/.test(what) ? 12 * ms : ms, ...more);
}"""
# A toast is gone after five seconds: `window.said` keeps what it told.
REMEMBER_TOASTS = """new MutationObserver(() => {
  const toast = document.getElementById("toast");
  if (toast && !toast.hidden) (window.said ??= []).push(toast.textContent);
}).observe(document, { subtree: true, childList: true, characterData: true, attributeFilter: ["hidden"] });"""


def pytest_configure(config: pytest.Config) -> None:
    """What lies among the pictures after a run is of this run."""
    if config.option.pictures:
        PICTURED.add("all pages")
    if not config.option.collectonly and not hasattr(config, "workerinput"):
        shutil.rmtree(OUT, ignore_errors=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=TRIED_AGAIN))
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason="Chromium is not installed (Debian: apt install chromium)"))


@pytest.fixture(scope="package")  # until then its event loop runs in the tests' thread, where no other one can
def browsers() -> Iterator[Callable[[str], Any]]:
    """Chromium with one of `FONTS` and no other: started for the first test that asks."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE_MS)
    started: dict[str, Any] = {}
    with sync_playwright() as playwright:

        def browser(font: str) -> Any:
            if font not in started:
                fonts = {"FONTCONFIG_FILE": str(Path(__file__).parent / "fonts" / f"{font}.conf")}
                started[font] = playwright.chromium.launch(
                    executable_path=CHROMIUM, args=ARGUMENTS, timeout=PATIENCE_MS, env={**os.environ, **fonts}
                )
            return started[font]

        yield browser
        for each in started.values():
            each.close()


@pytest.fixture(scope="package")
def chromium(browsers: Callable[[str], Any]) -> Any:
    return browsers(WIDE)


@pytest.fixture(scope="package")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served") / "data", program=UNPREPARED) as server:
        yield server


@pytest.fixture
def served(shared_server: Served) -> Served:
    """A server that tests share as families do: each test has tables, and phones, of its own."""
    if shared_server.process.poll() is not None:  # a test killed it, and failed before it was started again
        shared_server.start()
    return shared_server


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("secure") / "data", https=True, program=UNPREPARED) as server:
        yield server


@pytest.fixture
def own_served(tmp_path: Path) -> Iterator[Served]:
    """A server for one test that would see what others leave in it."""
    with Served(tmp_path / "data", program=UNPREPARED) as server:
        yield server


NewPhone = Callable[..., Any]


@pytest.fixture
def page(new_phone: NewPhone) -> Any:
    """A phone as most are."""
    return new_phone()


UPRIGHT = [(320, 568), (320, 640), (360, 640), (390, 664), (390, 844), (844, 1024)]
SCREENS = [*UPRIGHT, (640, 400), (667, 375), (740, 360), (844, 390)]
UNLIKE = [(320, 568), (360, 640), (844, 1024), (740, 360)]  # the narrowest, the commonest, the largest, the lowest
# Two rulers have two of these screens each, by turns: what is measured is so on each, and each has either size of text.
MEASURED = [
    pytest.param(("100%", NARROW, UNLIKE, 2, 0), id="100%-narrow-few"),
    pytest.param(("200%", WIDE, UNLIKE, 2, 1), id="200%-wide-few"),
    *(
        pytest.param((size, font, SCREENS, 1, 0), id=f"{size}-{font}-all", marks=pytest.mark.slow)
        for size in ("100%", "150%", "200%")
        for font in FONTS
    ),
]


@pytest.fixture(params=MEASURED)
def ruler(request: pytest.FixtureRequest, new_phone: NewPhone) -> Any:
    """Measures a page at sizes of its text and of the screen."""
    from tests.browser.playing import set_text_size
    from tests.browser.test_within_reach import Ruler

    size, font, *screens = request.param
    page = new_phone(is_mobile=False, locale="cs", font=font)
    set_text_size(page, size)
    return Ruler(page, f"{size}-{font}", *screens)


@pytest.fixture
def new_phone(browsers: Callable[[str], Any]) -> Iterator[Callable[..., Any]]:
    """Makes phones: pages of their own browser contexts, which fail the test if their scripts do.

    `patient`: whether the page waits longer for the server than it would, for tests that are not about that; `font`: of
    `FONTS`.
    """
    contexts: list[Any] = []
    errors: list[str] = []

    def make(patient: bool = True, font: str = WIDE, **options: Any) -> Any:
        context = browsers(font).new_context(**{**SETTINGS, **options})
        contexts.append(context)
        context.add_init_script(REMEMBER_TOASTS)
        if patient:
            context.add_init_script(PATIENT)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
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
