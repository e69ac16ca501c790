"""The big board tells the whole turn and fits its screen; paper has what is written and nothing else."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.board_states import LEAST_LETTERS, LEAST_USED, MEASURE, STATES, open_state, send_photo
from tests.browser.conftest import FONTS, NewPhone
from tests.browser.games import open_table
from tests.browser.playing import visit
from tests.scorer.playing import BANK, aside, keep, throw
from tests.web.served import Served

TABLET = {"width": 1024, "height": 768}
TELEVISION = {"width": 1920, "height": 1080}
NAMES = ("Kateřina", "Maksymilian", "Ada", "Bohumil")
UPRIGHT = {"width": 1080, "height": 1920}
FITS = "document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight"
DICE = "(all) => all.map((one) => one.querySelectorAll('circle').length)"


ZILCH = [throw(5, 2, 3, 4, 6, 3), aside(5), throw(2, 2, 3, 4, 6)]


@pytest.fixture
def board(served: Served, new_phone: NewPhone) -> Callable[..., Any]:
    """Opens the board of a table; returns the part that tells the turn."""

    def open_board(game: str, *actions: dict[str, Any]) -> Any:
        page = new_phone(viewport=TABLET, is_mobile=False, has_touch=False)
        open_table(page, served.base, game, *actions, players=NAMES[:2], view="/board")
        return page.locator(".now")

    return open_board


def test_the_board_shows_kept_and_thrown_dice_and_what_they_could_become(board: Callable[..., Any]) -> None:
    kept = [throw(3, 3, 3, 1, 2), keep(3, 3, 3)]
    now = board("kosci", *kept, throw(5, 5))
    assert now.locator(".tray .die").evaluate_all(DICE) == [3, 3, 3, 5, 5], "the dice that the choices are for"
    assert "1 throw left" in now.inner_text()
    expect(now.locator(".becomes li").first).to_contain_text("Full house")
    now = board("kosci", *kept)
    assert now.locator(".tray .die:not(.slot)").evaluate_all(DICE) == [3, 3, 3]
    assert now.locator(".slot").count() == 2
    assert "2 throws left" in now.inner_text()
    now = board("farkle", throw(1, 1, 1, 5, 3, 4))
    expect(now.locator(".becomes li").first).to_contain_text("+350")
    expect(now.locator(".becomes li").first).to_contain_text("then 2 dice to throw")


def test_the_last_round_is_to_be_seen_as_long_as_it_lasts(served: Served, new_phone: NewPhone) -> None:
    straight = [throw(1, 2, 3, 4, 5, 6), aside(1, 2, 3, 4, 5, 6), BANK]
    later = [throw(5, 2, 3, 4, 6, 3), aside(5)]
    page = new_phone()
    open_table(page, served.base, "farkle", *straight, *later, target=1500, players=NAMES[:3])
    assert page.locator(".last-round").inner_text() == "Last turns Kateřina has 1,500 points."
    assert page.locator(".events").count() == 0, "the event that told it is gone"
    visit(page, f"{page.url}/board")
    assert "Last turns" in page.locator(".now").inner_text()
    open_table(page, served.base, "farkle", *later, target=1500, players=NAMES[:3])
    assert page.locator(".last-round").count() == 0
    open_table(page, served.base, "ones-and-fives", *straight, target=1500, finish_round=True, players=NAMES[:3])
    assert page.locator(".last-round").count() == 1
    assert "The round is played out." in page.locator(".events").inner_text()


def test_zilches_in_a_row_are_counted_and_the_third_is_warned_of(served: Served, page: Any) -> None:
    open_table(page, served.base, "zilch", *ZILCH, *ZILCH, *ZILCH, players=NAMES[:2])
    told = [text.split("\n")[-1] for text in page.locator(".scores li").all_inner_texts()]
    assert told == ["2 turns without points", "1 turn without points"]
    assert "Without points this turn" not in page.locator(".turn").inner_text()
    open_table(page, served.base, "zilch", *ZILCH * 4, players=NAMES[:2])
    assert "Without points this turn costs 500 points." in page.locator(".turn").inner_text()


@pytest.mark.parametrize("font", FONTS)
def test_the_stage_is_full_and_read_from_four_metres(served: Served, new_phone: NewPhone, font: str) -> None:
    page = new_phone(is_mobile=False, font=font)
    for state in STATES:
        page.set_viewport_size(TELEVISION)
        open_state(page, served.base, state)
        for screen in (TELEVISION, TABLET, UPRIGHT):
            page.set_viewport_size(screen)
            expect(page.locator("body[data-ready]")).to_be_visible()
            assert page.evaluate(FITS), (state.name, screen)
            found = page.evaluate(MEASURE)
            assert found["used"] >= LEAST_USED, (state.name, screen)
            assert found["letters"] >= LEAST_LETTERS, (state.name, screen, found["smallest"])


def test_a_photo_that_a_phone_sends_lies_on_the_board_at_once(board: Callable[..., Any], served: Served) -> None:
    now = board("farkle")
    send_photo(now.page, served.base)
    found = now.locator(".photo-shown .seen text").all_text_contents()
    assert sorted(each.strip() for each in found) == ["1", "1", "2", "4", "5", "5"]


def test_a_race_for_rounds_shows_the_points_of_the_round(board: Callable[..., Any], page: Any, served: Served) -> None:
    turns = [throw(1, 1, 3), throw(2, 3, 4), throw(2, 3, 4)]
    seats = board("bunco", *turns).page.locator(".ranks li .round")
    assert seats.all_inner_texts() == ["2 of 21", "0 of 21"]
    open_table(page, served.base, "bunco", *turns, players=[*NAMES, "Eva"])
    expect(page.locator(".strip .round").first).to_be_visible()


def test_paper_has_what_is_written_and_no_offers(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(viewport=TABLET, is_mobile=False)
    write = [throw(5, 5, 3, 3, 3), {"do": "score", "category": "full"}]
    open_table(page, served.base, "kosci", *write, throw(2, 2, 2, 4, 4), players=NAMES[:2])
    expect(page.locator(".grid .offer").first).to_be_visible()
    visit(page, f"{page.url}/print")
    cells = page.locator(".grid tbody tr:not(.sum) td").all_inner_texts()
    assert [text for text in cells if text] == ["25"]
    assert page.locator(".grid :is(.offer, .own, button), .acts, .sign").count() == 0
    figure = [throw(2, 2, 2, 2, 2, 2), {"do": "score", "category": "general"}]
    open_table(page, served.base, "drapky", *figure, throw(1, 1, 1, 2, 3, 5), players=NAMES[:2], view="/print")
    cells = page.locator(".grid tbody tr:not(.sum) td").all_inner_texts()
    assert [text for text in cells if text] == ["12"]
    assert "2 throws saved" in page.locator(".ranks").inner_text()


def test_paper_names_house_rules_forbidden_numbers_and_the_winner(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(viewport=TABLET, is_mobile=False)
    straight = [throw(1, 2, 3, 4, 5, 6), aside(1, 2, 3, 4, 5, 6), BANK]
    open_table(page, served.base, "ones-and-fives", *straight, target=1500, players=NAMES[:2], view="/print")
    assert page.locator(".house-rules span").all_inner_texts() == ["points that win the game: 1,500"]
    assert page.locator(".winner").inner_text() == "Kateřina wins"
    open_table(page, served.base, "ones-and-fives", players=NAMES[:2], view="/print")
    assert page.locator(".house-rules, .winner").count() == 0
    open_table(page, served.base, "forbidden-numbers", throw(2, 5), players=NAMES[:2], view="/print")
    assert [page.locator(".no").nth(i).get_attribute("aria-label") for i in (0, 1)] == ["2", "5"]
