"""A turn on a phone on its side, with text twice as large, and with any font: everything can be reached and tapped."""

import pytest

from tests.browser.conftest import PHONE, NewPhone
from tests.browser.games import import_record, record
from tests.browser.playing import close_dialogs, open_entry, photograph, set_text_size, visit
from tests.browser.test_every_page import TOO_SMALL
from tests.web.served import Served

SIDEWAYS = {"width": 844, "height": 390}
NAMES = ("Kateřina", "Maksymilian", "Ada")
# One of each family of games, in the middle of a turn.
FAMILIES = ("ones-and-fives", "drapky", "sequence", "kosci-triple", "knaster", "yahtzee")
TURN = ".turn button, .offer button, .offers button, .choice, .square-grid button, nav.actions :is(button, .button)"
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


@pytest.mark.parametrize("size", ["100%", "200%"])
def test_everything_of_a_turn_can_be_reached_sideways(served: Served, new_phone: NewPhone, size: str) -> None:
    page = new_phone(viewport=SIDEWAYS, is_mobile=False)
    if size == "200%":
        set_text_size(page, "200%")
    for game in FAMILIES:
        visit(page, import_record(page, served.base, record(game, NAMES, 0.55)))
        page.wait_for_timeout(100)  # the text has grown after the page was drawn
        assert page.locator(TURN).count() > 0
        assert page.locator(TURN).evaluate_all(OUT_OF_REACH) == [], game
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), game
        if page.locator('[data-act="pad"]').count():
            page.locator('[data-act="pad"]').click()
            assert page.locator(PANEL).evaluate_all(OUT_OF_REACH) == [], game


@pytest.mark.parametrize("size", ["100%", "200%"])
@pytest.mark.parametrize("viewport", [SIDEWAYS, PHONE], ids=["sideways", "upright"])
def test_a_correction_and_the_review_of_a_photo_can_be_reached(
    served: Served, new_phone: NewPhone, viewport: dict[str, int], size: str
) -> None:
    page = new_phone(viewport=viewport, is_mobile=False)
    if size == "200%":
        set_text_size(page, "200%")
    written = [{"do": "throw", "dice": [3, 3, 3, 5, 5]}, {"do": "score", "category": "full", "column": 2}]
    visit(
        page,
        import_record(page, served.base, {"format": 1, "game": "kosci-triple", "players": NAMES, "actions": written}),
    )
    open_entry(page, "correct")
    page.locator('[data-act="correct-other"]').click()
    cells = page.locator('[data-act="correct-choose"]')
    cells.last.wait_for()
    assert page.locator(PANEL).evaluate_all(OUT_OF_REACH) == []
    assert cells.count() == 39
    lines = len(
        {
            round(box["top"])
            for box in cells.evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())")
        }
    )
    if size == "100%":
        assert lines <= 24, "the cells stand beside one another"
    cells.last.click()
    page.locator('[data-act="correct-preview"], [data-act="correct-do"]').wait_for()
    assert page.locator(PANEL).evaluate_all(OUT_OF_REACH) == []
    close_dialogs(page)
    open_entry(page, "correct")
    page.locator('[data-act="correct-step"]').click()
    page.locator('[data-act="correct-pick"]').first.click()
    page.locator('[data-act="correct-value"][data-arg="6"]').wait_for()
    assert page.locator(PANEL).evaluate_all(OUT_OF_REACH) == []
    close_dialogs(page)
    photograph(page, "throw-12345.jpg")
    page.locator(".reading-row button").first.click()
    page.locator(".chooser").wait_for()
    assert page.locator(PANEL).evaluate_all(OUT_OF_REACH) == []


@pytest.mark.parametrize("font", FONTS)
def test_cells_are_large_enough_with_any_font(served: Served, new_phone: NewPhone, font: str) -> None:
    page = new_phone(bypass_csp=True)
    for game in ("kosci-triple", "yahtzee", "drapky", "knaster"):
        visit(page, import_record(page, served.base, record(game, NAMES, 0.55)))
        page.add_style_tag(content=FONTS[font] + ":root { --sans: any !important; --serif: any !important; }")
        page.evaluate("document.fonts.load('16px any').then((found) => found.length)")
        assert page.evaluate("document.fonts.check('16px any')")
        assert page.evaluate(TOO_SMALL) == [], game
