"""Tests of geometry have the fonts that they bring, whatever is installed."""

from typing import Any

import pytest

from tests.browser.conftest import NARROW, WIDE, NewPhone
from tests.browser.playing import visit
from tests.web.served import Served

USED = {WIDE: ("DejaVu Serif", "DejaVu Sans"), NARROW: ("Noto Serif", "Noto Sans")}


@pytest.mark.parametrize("font", USED)
def test_a_page_is_written_in_the_font_that_was_asked_for(served: Served, new_phone: NewPhone, font: str) -> None:
    page = new_phone(font=font)
    visit(page, f"{served.base}/")
    assert (fonts_of(page, "h2"), fonts_of(page, "button.primary")) == tuple({each} for each in USED[font])


def fonts_of(page: Any, selector: str) -> set[str]:
    """The families that the browser took for the text of the first such element."""
    session = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})
    return {each["familyName"] for each in session.send("CSS.getPlatformFontsForNode", node)["fonts"]}
