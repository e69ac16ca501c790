"""The start page's search among all games: by words in any language, and by the dice at hand."""

from typing import Any

import scorer
from tests.browser.conftest import NewPhone
from tests.browser.playing import ready, show_card, visit
from tests.browser.test_every_page import Gallery, in_each_language
from tests.web.served import Served
from web.pages.my_tables import FIRST

CARDS = "label.game"
FOUND = "#games-found"


def shown(page: Any) -> list[str]:
    """The keys of the games that can be seen."""
    return page.locator(CARDS).evaluate_all(
        "all => all.filter((one) => one.checkVisibility()).map((one) => one.querySelector('input').value)"
    )


def wait_for_all(page: Any) -> None:
    page.wait_for_selector("[data-wanted]", state="detached")


def chosen(page: Any) -> str:
    return str(page.locator('[name="game"]:checked').get_attribute("value"))


QUERIES = {
    "DRAPKY": "drapky",  # the Czech title, on a page in English
    "wysoki numer": "high-house-number",
    "taverns kingdom": "kingdom-dice",  # of its sentence
    "jatzy": "yatzy",  # another spelling
    "kismat": "kismet",  # one letter is wrong
}


def test_a_game_is_found_by_title_key_and_words(served: Served, page: Any) -> None:
    visit(page, f"{served.base}/")
    for query, key in QUERIES.items():
        page.locator("#game-search").fill(query)
        wait_for_all(page)
        assert page.locator(FOUND).inner_text() == "1 game", query
        assert shown(page) == [key]
        assert chosen(page) == key


def test_a_search_that_is_cleared_leaves_the_page_and_the_choice_as_they_were(served: Served, page: Any) -> None:
    visit(page, f"{served.base}/")
    before = shown(page)
    show_card(page, "yatzy")
    page.locator('label.game:has([value="yatzy"])').click()
    before = shown(page)
    page.locator("#game-search").fill("pig")
    wait_for_all(page)
    assert chosen(page) == "pig"
    page.locator("#game-search").press("Enter")  # starts no game
    page.locator("#game-search").fill("nothing like it")
    assert page.locator(FOUND).inner_text() == "No game is like that."
    assert shown(page) == [chosen(page)], "what starts is seen"
    page.locator("#game-search").fill("")
    assert (shown(page), chosen(page)) == (before, "yatzy")
    assert page.locator(FOUND).inner_text() == ""
    assert page.url == f"{served.base}/"


def test_the_dice_at_hand_choose_the_games_and_are_remembered(served: Served, page: Any) -> None:
    visit(page, f"{served.base}/")
    for dice in (2, 5):
        page.locator("#game-dice").select_option(str(dice))
        wait_for_all(page)
        fitting = {info.key for info in scorer.all_games() if info.dice <= dice}
        assert set(shown(page)) == fitting
        assert chosen(page) in fitting
        assert page.locator(FOUND).inner_text() == f"{len(fitting)} games"
    page.reload()
    ready(page)
    wait_for_all(page)
    assert page.locator("#game-dice").input_value() == "5"
    assert set(shown(page)) == fitting
    page.locator("#game-search").fill("kosci")
    assert set(shown(page)) == {"kosci", "kosci-single", "kosci-triple", "kosci-fixed", "poker-dice", "tysiac"}
    page.locator("#game-search").fill("")
    page.locator("#game-dice").select_option("")
    page.reload()
    ready(page)
    assert chosen(page) == FIRST[0]


def test_without_a_script_the_list_is_whole(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(java_script_enabled=False)
    page.goto(f"{served.base}/")
    assert not page.locator("#game-search").is_visible()
    page.locator('a[href="?all=1"]').click()
    closed = page.locator("details.family:not([open]) > summary")
    while closed.count():
        closed.first.click()
    assert page.locator(f"{CARDS}:visible").count() == len(scorer.all_games())


@in_each_language
def test_the_search_is_sound(served: Served, new_phone: NewPhone, language: str) -> None:
    page = new_phone(locale=language)
    gallery = Gallery(page, language)
    visit(page, f"{served.base}/")
    page.locator("#game-search").fill("ya")
    page.locator("#game-dice").select_option("5")
    gallery.take("start-search")
    assert gallery.wrong == []
