"""Cells of sheets have room with any font, and beside one another; `test_within_reach` measures all else."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.games import import_record, open_table, record
from tests.browser.playing import open_entry, visit
from tests.browser.test_every_page import TOO_SMALL
from tests.web.served import Served

NAMES = ("Kateřina", "Maksymilian", "Ada")
FONTS = {  # wider and narrower than those of `fonts`
    "wide": '@font-face { font-family: any; src: local("DejaVu Sans"); size-adjust: 125%; }',
    "narrow": '@font-face { font-family: any; src: local("DejaVu Sans"); size-adjust: 60%; }',
}


def test_the_cells_of_a_correction_stand_beside_one_another(served: Served, page: Any) -> None:
    written = {"do": "score", "category": "full", "column": 2}
    open_table(page, served.base, "kosci-triple", {"do": "throw", "dice": [3, 3, 3, 5, 5]}, written)
    open_entry(page, "correct")
    page.locator('[data-act="correct-other"]').click()
    cells = page.locator('[data-act="correct-choose"]')
    expect(cells).to_have_count(39)
    tops = cells.evaluate_all("all => all.map((one) => Math.round(one.getBoundingClientRect().top))")
    assert len({*tops}) <= 24


@pytest.mark.parametrize("font", FONTS)
def test_cells_are_large_enough_with_any_font(served: Served, new_phone: NewPhone, font: str) -> None:
    page = new_phone(bypass_csp=True)
    for game in ("kosci-triple", "yahtzee", "drapky", "knaster"):
        visit(page, import_record(page, served.base, record(game, NAMES, 0.55)))
        page.add_style_tag(content=FONTS[font] + ":root { --sans: any !important; --serif: any !important; }")
        page.evaluate("document.fonts.load('16px any').then((found) => found.length)")
        assert page.evaluate("document.fonts.check('16px any')")
        assert page.evaluate(TOO_SMALL) == [], game
