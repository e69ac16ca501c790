"""What a throw would bring is in sight at once, written with a tap and a confirmation, and the headings stay."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import PHONE
from tests.browser.games import imported
from tests.browser.playing import ready, wait_for_version
from tests.web.served import Served

SIDEWAYS = {"width": 844, "height": 390}
# Whether a person sees all of an element: it lies above the buttons at the bottom, and nothing covers its middle.
SEEN = """(one) => {
  const box = one.getBoundingClientRect();
  const above = document.querySelector("nav.actions").getBoundingClientRect().top;
  const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
  return box.top >= 0 && box.bottom <= above && box.left >= 0 && box.right <= innerWidth && one.contains(top);
}"""


def thrown(page: Any, served: Served, game: str, *dice: int) -> None:
    """A table of two at which these dice were thrown first."""
    throw = {"do": "throw", "dice": list(dice)}
    page.goto(
        imported(page, served.base, {"format": 1, "game": game, "players": ["Ada", "Bohumil"], "actions": [throw]})
    )
    ready(page)


@pytest.mark.parametrize("screen", [PHONE, SIDEWAYS], ids=["upright", "sideways"])
@pytest.mark.parametrize(
    ("game", "dice", "best"),
    [
        ("kosci", (1, 2, 3, 4, 5), ["Large straight 40", "Small straight 30", "Chance 15"]),
        ("kosci-triple", (1, 2, 3, 4, 5), ["Large straight ×3 120", "Small straight ×3 90", "Large straight ×2 80"]),
        ("yatzy", (6, 6, 6, 5, 5), ["Full house 28", "Chance 28", "Two pairs 22"]),
        ("drapky", (1, 2, 3, 4, 5, 6), ["Straight 21"]),
    ],
)
def test_the_best_moves_are_on_the_first_screen(
    served: Served, new_phone: Callable[..., Any], screen: Any, game: str, dice: tuple[int, ...], best: list[str]
) -> None:
    page = new_phone(viewport=screen)
    thrown(page, served, game, *dice)
    offers = page.locator(".offers button:visible")
    assert [" ".join(text.split()) for text in offers.all_inner_texts()[:3]] == best
    assert [one.evaluate(SEEN) for one in offers.all()[:3]] == [True] * len(best)
    offers.first.click()
    chosen = page.locator(".offer .chosen")
    assert chosen.evaluate(SEEN), "the sheet scrolls to the cell"
    write = page.locator("nav.actions .primary")
    name, points = best[0].rsplit(" ", 1)
    assert write.inner_text().strip() == f"Write {points}: {name}"
    write.click()
    wait_for_version(page, 2)
    assert page.locator(".offers").count() == 0


def test_a_throw_that_brings_nothing_has_no_offers(served: Served, new_phone: Callable[..., Any]) -> None:
    page = new_phone()
    thrown(page, served, "drapky", 1, 1, 2, 3, 5, 6)
    assert page.locator(".keepable").count() == 6
    assert page.locator(".offers").count() == 0


@pytest.mark.parametrize("screen", [PHONE, SIDEWAYS, {"width": 1024, "height": 768}])
@pytest.mark.parametrize("game", ["kosci", "kosci-triple"])
def test_headings_and_whose_turn_it_is_stay_in_sight(
    served: Served, new_phone: Callable[..., Any], screen: Any, game: str
) -> None:
    page = new_phone(viewport=screen)
    thrown(page, served, game, 1, 2, 3, 4, 5)
    page.locator("tr", has_text="Total").scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.locator("thead th", has_text="Ada").evaluate(SEEN)
    assert page.locator("#whose").evaluate(SEEN)
    assert page.locator("#whose").inner_text() == "▸ Ada"
    assert page.evaluate("scrollY") > 0
