"""A turn on a phone on its side, with text twice as large, and with any font: everything can be reached and tapped."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.games import imported, record
from tests.browser.playing import ready
from tests.browser.test_every_page import TOO_SMALL
from tests.web.served import Served

SIDEWAYS = {"width": 844, "height": 390}
NAMES = ("Kateřina", "Maksymilian", "Ada")
# One of each family of games, in the middle of a turn.
FAMILIES = ("ones-and-fives", "drapky", "sequence", "kosci-triple", "knaster", "yahtzee")
TURN = ".turn button, .offer button, .offers button, .choice, .knaster-grid button, nav.actions :is(button, .button)"
PANEL = "#panel button"
# Whether each can be scrolled to by scrolling downwards alone, and is then to be tapped.
OUT_OF_REACH = """(all) => all.filter((one) => one.offsetParent).filter((one) => {
  for (const box of document.querySelectorAll(".scroller")) box.scrollLeft = box.scrollLeft;
  one.scrollIntoView({ block: "center", inline: "nearest" });
  const box = one.getBoundingClientRect();
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const at = document.elementFromPoint(x, y);
  return box.left < -1 || box.right > innerWidth + 1 || !at || !(one.contains(at) || at.contains(one));
}).map((one) => one.outerHTML.slice(0, 120))"""
FONTS = {  # a wide and a narrow one, whatever is installed
    "wide": '@font-face { font-family: any; src: local("DejaVu Sans"), local("Arial"); size-adjust: 125%; }',
    "narrow": '@font-face { font-family: any; src: local("DejaVu Sans"), local("Arial"); size-adjust: 60%; }',
}


def doubled(page: Any) -> None:
    page.add_init_script(
        "addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; })"
    )


@pytest.mark.parametrize("size", ["100%", "200%"])
def test_everything_of_a_turn_can_be_reached_sideways(served: Served, new_phone: Callable[..., Any], size: str) -> None:
    page = new_phone(viewport=SIDEWAYS, is_mobile=False)
    if size == "200%":
        doubled(page)
    for game in FAMILIES:
        page.goto(imported(page, served.base, record(game, NAMES, 0.55)))
        ready(page)
        page.wait_for_timeout(100)  # the text has grown after the page was drawn
        assert page.locator(TURN).count() > 0
        assert page.locator(TURN).evaluate_all(OUT_OF_REACH) == [], game
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), game
        if page.locator('[data-act="pad"]').count():
            page.locator('[data-act="pad"]').click()
            assert page.locator(PANEL).evaluate_all(OUT_OF_REACH) == [], game


@pytest.mark.parametrize("font", FONTS)
def test_cells_are_large_enough_with_any_font(served: Served, new_phone: Callable[..., Any], font: str) -> None:
    page = new_phone(bypass_csp=True)
    for game in ("kosci-triple", "yahtzee", "drapky", "knaster"):
        page.goto(imported(page, served.base, record(game, NAMES, 0.55)))
        ready(page)
        page.add_style_tag(content=FONTS[font] + ":root { --sans: any !important; --serif: any !important; }")
        page.evaluate("document.fonts.load('16px any').then((found) => found.length)")
        assert page.evaluate("document.fonts.check('16px any')")
        assert page.evaluate(TOO_SMALL) == [], game
