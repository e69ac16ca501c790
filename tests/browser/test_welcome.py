"""The page of the first start in a browser of the serving computer."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.playing import ready, start_table
from tests.web.served import UNPREPARED, Served

LAPTOP = {"width": 1366, "height": 768}


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Served]:
    """A server that opened its page in a browser that does nothing."""
    arguments = ["--open"]
    with Served(tmp_path / "data", arguments=arguments, environment={"BROWSER": "true"}, program=UNPREPARED) as server:
        yield server


def test_a_copy_is_saved_and_brought_and_the_program_ended(
    opened: Served, new_phone: Callable[..., Any], tmp_path: Path
) -> None:
    page = new_phone(viewport=LAPTOP, is_mobile=False)
    start_table(page, opened.base, "farkle", "Ada", "Bob")
    page.goto(f"{opened.base}/welcome")
    ready(page)
    page.locator("#copies > summary").click()
    with page.expect_download() as download:
        page.locator('form[action="/welcome/copy"] button').click()
    copy = tmp_path / download.value.suggested_filename
    download.value.save_as(copy)
    page.locator('[name="copy"]').set_input_files(copy)
    page.wait_for_selector("#copies .notice")
    assert "1 was here already." in page.locator("#copies .notice").inner_text()
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear grandma")
    page.locator('[name="copy"]').set_input_files(letter)
    page.wait_for_selector("[role=alert]")
    page.goto(f"{opened.base}/welcome")
    page.locator("summary", has_text="End Rollcall").click()
    page.locator('form[action="/welcome/end"] button').click()
    page.wait_for_selector("text=Rollcall has ended")
    assert opened.process.wait(60) == 0
