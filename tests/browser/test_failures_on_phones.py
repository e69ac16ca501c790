"""What fails on the server is seen on the phone, in one sentence of its language, and the game is played on by hand."""

import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import NewPhone
from tests.browser.playing import start_table, tap_dice, tap_throw, wait_for_version, wait_until_closed
from tests.reliability.test_disk import UNWRITABLE, no_byte_more
from tests.reliability.test_failures import SPOILT, copy_program, needs_models, program
from tests.web.served import Served


def saying(page: Any, sentence: str) -> Any:
    """Where the page says that sentence, whatever kinds of spaces it has."""
    return page.get_by_text(re.compile(r"\s".join(map(re.escape, sentence.split()))))


@needs_models
@pytest.mark.skipif(os.name == "nt", reason="Windows has no limits on the size of files")
def test_a_missing_detector_and_a_full_disk(tmp_path: Path, new_phone: NewPhone) -> None:
    folder = copy_program(tmp_path / "program")
    (folder / "models" / "detector.onnx").unlink()
    with Served(tmp_path / "data", program=program(folder)) as served:
        page = new_phone(locale="cs-CZ")
        start_table(page, served.base, "ones-and-fives", "Ada", "Bob")
        saying(page, SPOILT["missing"]).wait_for()
        assert page.locator("#photo").count() == 0, "what cannot be done is not offered"
        with no_byte_more(served):
            tap_throw_refused(page)
            page.wait_for_function(
                "text => (window.said || []).some(said => said.replace(/\\s/g, ' ') === text)", arg=UNWRITABLE["cs"]
            )
        page.keyboard.press("Escape")
        wait_until_closed(page)
        page.locator('[data-act="pad"]').click()
        page.locator('[data-act="pad-confirm"]').click()  # what was tapped in is there still
        wait_for_version(page, 1)


def tap_throw_refused(page: Any) -> None:
    tap_dice(page, *(1, 1, 6, 6, 3, 4))
    page.locator('[data-act="pad-confirm"]').click()


def test_a_phone_whose_clock_is_set_back_asks_anew(served: Served, page: Any) -> None:
    """It cannot tell how long its stream has been silent, so it does not trust it."""
    start_table(page, served.base, "ones-and-fives", "Ada", "Bob")
    with page.expect_request("**/state*"):
        # By a day with each look at it, or what the stream said since would be new by the clock that was set back.
        page.evaluate("() => { const real = Date.now; let days = 0; Date.now = () => real() - ++days * 86_400_000; }")
    tap_throw(page, 1, 1, 6, 6, 3, 4)
    wait_for_version(page, 1)
