"""Every page in three languages, light and dark: looked at by axe, and pictured for people to look at.

The pictures go to out/screenshots, which the repository does not keep.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import scorer
from tests.browser.playing import ready, start_table, state, tap_throw, wait_for_version
from tests.web.served import Served

OUT = Path(__file__).resolve().parents[2] / "out" / "screenshots"
SERIOUS = ("serious", "critical")
FIRST_THROWS = {2: [4, 5], 5: [1, 2, 2, 2, 4], 6: [1, 1, 1, 5, 2, 4]}
GAMES = [info.key for info in scorer.games()]


def picture(page: Any, name: str) -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    page.wait_for_timeout(250)  # sheets slide in
    page.screenshot(path=OUT / f"{name}.png", full_page=True)


def findings(page: Any) -> list[str]:
    """What axe finds serious, as lines."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    found = axe.Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:160]}" for one in found if one["impact"] in SERIOUS]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("language", ["en", "cs", "pl"])
def test_every_page_is_sound(served: Served, new_phone: Callable[..., Any], language: str, dark: bool) -> None:
    page = new_phone(locale=language, color_scheme="dark" if dark else "light")
    look = f"{language}-{'dark' if dark else 'light'}"
    wrong: list[str] = []

    def looked_at(name: str) -> None:
        picture(page, f"{look}-{name}")
        if language == "en":  # what axe looks at does not change with the words
            wrong.extend(f"{name}: {line}" for line in findings(page))

    table = start_table(page, served.base, "ones-and-fives", "Ada", "Bohumil")
    looked_at("table")
    page.locator('[data-act="pad"]').click()
    looked_at("pad")
    page.keyboard.press("Escape")
    tap_throw(page, 1, 1, 1, 5, 2, 4)
    looked_at("choices")
    page.locator(".choice").first.click()
    wait_for_version(page, 2)
    for sheet in ("invite", "rules", "correct", "phone"):
        page.locator('header [data-act="menu"]').click()
        page.locator(f'#panel [data-act="{sheet}"]').click()
        page.wait_for_selector("#panel .panel-head")
        looked_at(sheet)
        page.keyboard.press("Escape")
        page.wait_for_selector("#panel:not([open])", state="attached")
    for name, address in {
        "board": f"{table}/board",
        "print": f"{table}/print",
        "start": f"{served.base}/",
        "join": f"{served.base}/join",
        "history": f"{served.base}/history",
        "help": f"{served.base}/help",
        "rules-page": f"{served.base}/rules/kosci",
        "error": f"{served.base}/nothing-here",
    }.items():
        page.goto(address)
        page.wait_for_load_state()
        looked_at(name)
    assert wrong == []


@pytest.mark.parametrize("game", GAMES)
def test_every_sheet_is_sound(served: Served, new_phone: Callable[..., Any], game: str) -> None:
    page = new_phone()
    start_table(page, served.base, game, "Ada", "Bohumil", "Cyril")
    if game == "forbidden-numbers":
        tap_throw(page, 3, 5)
        wait_for_version(page, 1)
    picture(page, f"{game}-before")
    wrong = findings(page)
    tap_throw(page, *FIRST_THROWS[state(page)["standing"]["turn"]["expects"]])
    picture(page, f"{game}-after")
    assert wrong + findings(page) == []


def test_targets_are_large_enough(served: Served, new_phone: Callable[..., Any]) -> None:
    page = new_phone()
    start_table(page, served.base, "kosci-triple", "Ada", "Bob")
    tap_throw(page, 1, 2, 2, 2, 4)
    for _ in range(2):
        small = page.evaluate(
            """() => [...document.querySelectorAll("button, a, summary, select, label.button, label.game, label.check")]
              .map(one => [one, one.getBoundingClientRect()])
              .filter(([, box]) => box.width > 0 && (box.height < 44 || box.width < 40))
              .map(([one, box]) => `${one.outerHTML.slice(0, 90)} ${box.width}x${box.height}`)"""
        )
        assert small == []
        page.goto(f"{served.base}/")
        ready(page)


def test_large_text_breaks_nothing(served: Served, new_phone: Callable[..., Any]) -> None:
    """200 % text: nothing is cut off at the side, and the main button can be reached."""
    page = new_phone(is_mobile=False)
    for game in ("ones-and-fives", "kosci", "knaster"):
        start_table(page, served.base, game, "Ada", "Bohumil")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        picture(page, f"large-{game}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), game
        assert page.locator("nav.actions .primary").is_visible()


def test_a_table_is_played_with_the_keyboard_alone(served: Served, new_phone: Callable[..., Any]) -> None:
    page = new_phone(is_mobile=False, has_touch=False, viewport={"width": 1024, "height": 768})
    start_table(page, served.base, "ones-and-fives", "Ada")
    page.get_by_role("button", name="Tap in 6 dice by hand").focus()
    page.keyboard.press("Enter")
    for value in (1, 1, 1, 5, 2, 4):
        page.get_by_role("button", name=str(value), exact=True).focus()
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Confirm the throw").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".choice")
    page.locator(".choice").first.focus()
    page.keyboard.press("Enter")
    wait_for_version(page, 2)
    page.get_by_role("button", name="Bank 1 050").or_(page.locator(".bank")).first.focus()
    page.keyboard.press("Enter")
    wait_for_version(page, 3)
