"""A short game in the engines of iPhones and of Firefox: by hand, by photo, with a correction and an undo."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.playing import PICTURES
from tests.browser.webdriver import BrowserError, Page, browser, missing
from tests.web.served import Served

ENGINES = ("webkit", "firefox")
PHOTO = PICTURES / "throw-113466.jpg"


@pytest.fixture(params=ENGINES)
def page(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Page]:
    why = missing(request.param)
    if why is not None:
        pytest.skip(why)
    with contextlib.ExitStack() as ending:
        try:
            page = ending.enter_context(browser(request.param, tmp_path / "home"))
        except (OSError, BrowserError) as error:
            pytest.skip(f"{request.param} does not start on this machine: {error}")
        yield page


def version(page: Page, number: int) -> None:
    page.wait(f'document.body.dataset.version === "{number}" && !document.querySelector("dialog[open]")')


def tap_in(page: Page, *dice: int) -> None:
    page.tap('[data-act="pad"]')
    for number, value in enumerate(dice, start=1):
        page.tap(f'#panel [data-act="pad-key"][data-arg="{value}"]')
        page.wait(f"document.querySelectorAll('[data-act=\"pad-remove\"]').length === {number}")
    page.tap('[data-act="pad-confirm"]')


def photograph(page: Page) -> None:
    page.type("#photo", str(PHOTO))
    page.wait('document.querySelectorAll(".reading-row button").length === 6')
    page.tap('[data-act="review-confirm"]')


def scores(page: Page) -> list[str]:
    return page.texts(".scores .score")


def test_a_short_game(served: Served, page: Page) -> None:
    page.open(f"{served.base}/")
    page.wait("document.body.dataset.ready")
    page.tap('details.family[data-keys~="sequence"] > summary')
    page.tap('label.game:has([value="sequence"])')
    page.type("#seats li:first-child input", "Ada")
    page.type("#seats li:nth-child(2) input", "Bob")
    page.tap("#new-table button.primary")
    page.wait('location.pathname.startsWith("/tables/") && document.body.dataset.ready')

    tap_in(page, 1, 2, 3, 4, 6, 6)
    version(page, 1)
    assert scores(page) == ["15", "0"]

    photograph(page)
    version(page, 2)
    assert page.texts("#whose") == ["▸ Ada"]

    page.tap('nav.actions [data-act="undo"]')
    page.tap('[data-act="undo-do"]')
    version(page, 3)
    assert page.texts("#whose") == ["▸ Bob"]

    page.tap('header [data-act="menu"]')
    page.tap('#panel [data-act="correct"]')
    page.tap('.steps li [data-act="correct-step"]:nth-of-type(5)')
    page.tap('#panel [data-act="correct-value"][data-arg="5"]')
    page.tap('[data-act="correct-do"]')
    version(page, 4)
    assert scores(page) == ["25", "0"]

    photograph(page)
    version(page, 5)
    for number, points in enumerate(("50", "75")):
        tap_in(page, 1, 2, 3, 4, 5, 6)
        version(page, 6 + 2 * number)
        assert scores(page)[0] == points
        tap_in(page, 2, 2, 3, 4, 5, 6)
        version(page, 7 + 2 * number)
    tap_in(page, 1, 2, 3, 4, 5, 6)
    page.wait('document.querySelector(".over h2")?.innerText.includes("Ada")')
    page.open(page.driver.script("location.href"))
    page.wait('document.querySelector(".over h2")?.innerText.includes("Ada")')
    assert page.texts(".ranking .score") == ["100", "0"]
