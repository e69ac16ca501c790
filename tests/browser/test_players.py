"""Who plays is changed from the page: names, who joins, leaves, the order; a game ended early, a cell settled."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.games import open_table
from tests.browser.playing import (
    open_entry,
    ready,
    state,
    tap_throw,
    undo,
    visit,
    wait_for_toast,
    wait_for_version,
)
from tests.scorer.playing import BANK, aside, score, throw
from tests.web.served import Served


def change(page: Any, who: int) -> None:
    page.locator(f'[data-act="player-open"][data-arg="{who}"]').click()


def names(page: Any) -> list[str]:
    """The players in the panel, in their order."""
    return page.locator(".seats-now .name").all_inner_texts()


def test_players_come_go_and_change_places_on_every_phone(served: Served, new_phone: NewPhone) -> None:
    one, two = new_phone(), new_phone()
    visit(two, open_table(one, served.base, "yatzy"))
    for page in (one, two):
        open_entry(page, "players")
    one.locator("#new-player").fill("Cid")
    one.locator('[data-act="player-add"]').click()
    expect(one.locator("#new-player")).to_have_value("")
    for page in (one, two):
        expect(page.locator(".seats-now li")).to_have_count(3)
        expect(page.locator(".seats-now li").last).to_contain_text("from the next round on")
    expect(two.locator(".events")).to_contain_text("Cid joined")
    two.get_by_label("Cid plays earlier").click()
    wait_for_version(one, 2)
    assert names(one) == names(two) == ["Ada", "Cid", "Bob"]
    change(one, 1)
    one.locator("#name-of-1").fill("ada")
    one.locator('[data-act="player-rename"]').click()
    wait_for_toast(one, "look like one player")
    one.locator("#name-of-1").fill("Robert")
    one.locator('[data-act="player-rename"]').click()
    expect(two.locator(".seats-now")).to_contain_text("Robert")
    change(two, 0)
    two.locator('[data-act="player-skip"]').click()
    expect(two.locator("#panel")).not_to_be_visible()
    expect(one.locator(".events")).to_contain_text("Ada: the turn was skipped")
    assert state(one)["standing"]["to_act"] == [1], "Cid plays from the next round on"
    change(one, 0)
    one.locator('[data-act="player-remove"]').click()
    expect(one.locator("#panel")).to_contain_text("No longer playing: Ada")
    expect(two.locator(".scores li.out")).to_contain_text("no longer plays")
    expect(two.locator("thead th.out")).to_have_text("Ada")
    one.locator("#new-player").fill("Ada")
    one.locator('[data-act="player-add"]').click()
    expect(two.locator(".scores li.out")).to_have_count(0)
    assert state(one)["standing"]["order"] == [2, 1, 0]
    one.locator("#panel [data-act=close]").click()
    for left in (1, 0):
        two.locator('[data-act="undo"]').click()
        expect(two.locator("#panel .steps")).to_contain_text("Ada joined" if left else "Ada: no longer plays")
        two.locator('[data-act="undo-do"]').click()
        expect(one.locator(".scores li.out")).to_have_count(left)


def test_a_joining_that_is_undone_leaves_nothing_behind(served: Served, new_phone: NewPhone) -> None:
    one, two = new_phone(), new_phone()
    add = {"do": "adjust", "what": "player-added", "name": "Cid"}
    rename = {"do": "adjust", "what": "player-renamed", "player": 2, "name": "Cyril"}
    visit(two, open_table(one, served.base, "knaster", {"do": "throw", "dice": [3, 4]}, add, rename))
    two.locator('[data-act="view"][data-arg="2"]').click()
    open_entry(two, "settle")
    two.locator("[name=settled]").last.check()
    for version in (4, 5):
        undo(one)
        wait_for_version(two, version)
    expect(two.locator(".tabs button")).to_have_count(2)
    two.locator("#settled-total").fill("7")
    two.locator('[data-act="settle-do"]').click()
    expect(two.locator('[name="settled"]')).to_have_count(2)
    two.keyboard.press("Escape")
    open_entry(one, "correct")
    expect(one.locator("#panel .steps li:not(.turn-head)")).to_have_count(3)
    expect(one.locator("#panel .steps")).to_contain_text("is called Cyril from now on")


def test_points_that_the_wrong_player_banked_are_moved_in_a_correction(served: Served, new_phone: NewPhone) -> None:
    """To another player and back again, before the first preview has come; a sheet with cells does not offer it."""
    page, other = new_phone(), new_phone()
    held: list[Any] = []
    straight = [throw(1, 2, 3, 4, 5, 6), aside(1, 2, 3, 4, 5, 6), BANK]
    visit(other, open_table(page, served.base, "farkle", *straight, *straight, players=("Ada", "Bob", "Cid")))
    for version, (to, scores) in enumerate(((2, [0, 1500, 1500]), (0, [1500, 1500, 0])), start=7):
        open_entry(page, "correct")
        page.route("**/corrections/preview", lambda route: held.append(route), times=1)
        page.locator('[data-act="correct-other"]').nth(2).click()
        page.locator("#receiver").select_option(str(to))
        held.pop().continue_()
        expect(page.locator(".effect tbody tr").nth(to)).to_contain_text("1,500")
        page.locator('[data-act="correct-do"]').click()
        wait_for_version(other, version)
        assert [player["score"] for player in state(other)["standing"]["players"]] == scores
        expect(page.locator("table.turns .bust")).to_have_count(0)
    expect(page.locator("table.turns tr[data-key=by-hand]")).to_have_count(0)
    open_table(page, served.base, "yahtzee", throw(3, 3, 2, 2, 2), score("full"))
    open_entry(page, "correct")
    page.locator('[data-act="correct-other"]').first.click()
    expect(page.locator("#panel .instead").first).to_be_visible()
    expect(page.locator("#receiver")).to_have_count(0)


def test_a_phone_of_who_has_left_plays_for_everybody_again(served: Served, new_phone: NewPhone) -> None:
    one, two = new_phone(), new_phone()
    visit(two, open_table(one, served.base, "sequence"))
    open_entry(two, "phone")
    two.locator('[name="plays-for"][value="1"]').check()
    two.locator('[data-act="phone-save"]').click()
    open_entry(one, "players")
    change(one, 1)
    one.locator('[data-act="player-remove"]').click()
    expect(two.locator("nav.actions .photograph")).to_be_visible()
    tap_throw(two, 1, 2, 3, 3, 5, 6)
    wait_for_version(one, 2)


def test_a_game_is_ended_early_with_the_places_that_were_shown_and_goes_on_without_who_left(
    served: Served, page: Any
) -> None:
    total = {"do": "adjust", "what": "total"}
    actions = [{**total, "player": 1, "points": 1200}, {**total, "player": 0, "points": 300}]
    open_table(
        page,
        served.base,
        "farkle",
        *actions,
        {"do": "adjust", "what": "player-removed", "player": 2},
        players=["Ada", "Bob", "Cid"],
    )
    open_entry(page, "end-game")
    expect(page.locator(".places li")).to_have_text(["1. Bob 1,200", "2. Ada 300"])
    page.locator('[data-act="players"]').click()
    expect(page.locator(".seats-now li")).to_have_count(2)
    page.locator('[data-act="end-game"]').click()
    page.locator('[data-act="end-game-now"]').click()
    expect(page.locator(".over h2")).to_have_text("Bob wins")
    undo(page)
    expect(page.locator(".over")).to_have_count(0)
    open_entry(page, "end-game")
    page.locator('[data-act="end-game-now"]').click()
    expect(page.locator("[data-begins] option")).to_have_text(["Bob begins (next in turn)", "Ada begins (lost)"])
    page.locator("nav.actions [data-act='again']").click()
    page.wait_for_function("document.querySelectorAll('.scores li').length === 2")
    assert [player["name"] for player in state(page)["standing"]["players"]] == ["Bob", "Ada"]


CELLS: list[tuple[str, list[dict[str, Any]], str, str]] = [
    ("kosci-triple", [{"do": "throw", "dice": [3, 3, 3, 5, 5]}, {"do": "score", "category": "full", "column": 2}],
     "Full house ×2: 50 points for Ada", "Full house ×2: 50"),
    ("drapky", [{"do": "throw", "dice": [1, 2, 3, 4, 5, 6]}, {"do": "score", "category": "straight"}],
     "Straight: 21 points for Ada", "Straight: 21"),
    ("knaster", [{"do": "throw", "dice": [4, 5]}, {"do": "write", "player": 0, "cell": [1, 1]}],
     "Row 1, column 1: 9", "Row 1, column 1: 9"),
    ("skunk", [{"do": "throw", "dice": [4, 5]}, {"do": "sit", "player": 0}],
     "Round S, Ada: +9", "Round 1: 9"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "actions", "cell", "chosen"), CELLS, ids=[game for game, *_ in CELLS])
def test_a_cell_that_is_tapped_is_settled_or_its_step_corrected(
    served: Served, new_phone: NewPhone, game: str, actions: list[dict[str, Any]], cell: str, chosen: str
) -> None:
    page, bound = new_phone(), new_phone()
    open_table(page, served.base, game, *actions)
    if game == "knaster":
        page.locator('[data-act="view"][data-arg="0"]').click()
    page.get_by_role("button", name=cell, exact=True).click()
    expect(page.get_by_role("radio", name="Ada")).to_be_checked()
    assert page.locator("#settled-what option:checked").inner_text().strip() == chosen
    if game == "knaster":
        page.locator("#settled-number").select_option("7")
    else:
        expect(page.locator("#settled-points")).to_have_value(chosen.split(": ")[1])
        page.locator("#settled-points").fill("2")
    page.locator('[data-act="settle-do"]').click()
    expect(page.locator(".pad-sheet .settled")).to_have_count(1)
    button = page.locator(".pad-sheet .written")
    expect(button).to_contain_text("7" if game == "knaster" else "2")
    button.click()
    page.locator('#panel [data-act="correct"]').click()
    expect(page.locator(".steps li:not(.turn-head)").first).to_contain_text("Ada")

    visit(bound, page.url)
    bound.evaluate("(key) => localStorage.setItem(key, '1')", f"rollcall.plays-for.{page.url.rsplit('/', 1)[1]}")
    bound.reload()
    ready(bound)
    assert bound.locator(".written").count() == 0, "a phone that plays for Bob leaves Ada's cells alone"


def test_in_knaster_a_phone_that_comes_says_whom_it_plays_for_and_keeps_its_grid(
    served: Served, new_phone: NewPhone
) -> None:
    one, two = new_phone(), new_phone()
    visit(two, open_table(one, served.base, "knaster", {"do": "throw", "dice": [3, 4]}))
    shown = one.locator('.tabs [aria-pressed="true"]')
    expect(shown).to_contain_text("Ada")
    two.locator("[data-arg='[0,2,2,\"write\"]']").click()
    expect(two.locator("nav.actions .primary")).to_have_text("Ada: Write 7")
    two.locator("nav.actions .primary").click()  # for Ada, whose grid the first phone shows
    wait_for_version(one, 2)
    expect(shown).to_contain_text("Ada")
    expect(one.locator(".square-grid .fresh")).to_contain_text("7")
    expect(one.locator("nav.actions .primary")).to_have_text("Grid of Bob")
    two.locator('[data-act="play-for"]', has_text="Bob").click()
    two.reload()
    ready(two)
    expect(two.locator('.tabs [aria-pressed="true"]')).to_contain_text("Bob")
    expect(two.locator('[data-act="play-for"]')).to_have_count(0)
    two.locator("[data-arg='[1,2,2,\"write\"]']").click()
    expect(two.locator("nav.actions .primary")).to_have_text("Write 7")
