"""Yamb on a phone: four columns beside each other, a cell announced in two taps, the form's columns."""

from typing import Any

import pytest

from tests.browser.conftest import OUT, NewPhone
from tests.browser.games import open_table
from tests.browser.playing import state, undo, wait_for_version
from tests.web.served import Served

WIDER = "() => document.documentElement.scrollWidth - innerWidth"
SCROLLED = "() => { const box = document.querySelector('.scroller'); return box.scrollWidth - box.clientWidth; }"
SIGNS = ["↓", "↕\ufe0e", "↑", "!"]


def settle(row: str, column: int, points: int) -> dict[str, Any]:
    cell = {"player": 0, "category": row, "column": column, "points": points}
    return {"do": "adjust", "what": "cell", **cell}


BEGUN = [
    *(settle(row, 2, points) for row, points in (("ones", 3), ("max", 28), ("min", 6), ("yamb", 80))),
    *(settle(row, 1, points) for row, points in (("ones", 4), ("twos", 6))),
]
THROWN = {"do": "throw", "dice": [4, 4, 4, 2, 3]}


@pytest.mark.parametrize(("size", "language"), [((390, 844), "en"), ((360, 640), "de")])
def test_four_columns_stand_beside_each_other(
    served: Served, new_phone: NewPhone, size: tuple[int, int], language: str
) -> None:
    page = new_phone(viewport={"width": size[0], "height": size[1]}, locale=language)
    open_table(page, served.base, "yamb", *BEGUN, THROWN, {"do": "announce", "category": "fours"}, players=["Ada"])
    heads = page.locator(".grid .factors th")
    assert [each.strip() for each in heads.all_inner_texts()] == SIGNS
    said = [each.get_attribute("aria-label") for each in heads.locator("[role=img]").all()]
    assert len(set(said)) == 4
    assert all(len(str(each)) > 8 for each in said), said
    assert page.evaluate(WIDER) <= 0
    assert page.evaluate(SCROLLED) <= 0
    assert page.locator("td small.announced").count() == 1
    page.locator(".pad-sheet").screenshot(path=OUT / f"yamb-{language}-{size[0]}.png")
    page.screenshot(path=OUT / f"yamb-page-{language}-{size[0]}.png")


def test_a_cell_is_announced_in_two_taps_and_taken_back(served: Served, new_phone: NewPhone) -> None:
    page = new_phone()
    open_table(page, served.base, "yamb", THROWN)
    page.get_by_text("Announce a cell").click()
    page.screenshot(path=OUT / "yamb-announcing.png")
    page.get_by_role("button", name="Announce Fours").click()
    wait_for_version(page, 2)
    assert state(page)["standing"]["turn"]["announced"] == "fours"
    assert page.locator("p.announced").inner_text().strip() == "Announced: Fours"
    undo(page)
    wait_for_version(page, 3)
    page.locator("tr[data-key=sixes] td.offer button").nth(1).click()  # of the announced column
    page.get_by_role("button", name="Announce Sixes", exact=True).last.click()
    wait_for_version(page, 4)
    assert state(page)["standing"]["turn"]["announced"] == "sixes"
    assert page.locator("td.offer").count() == 1
