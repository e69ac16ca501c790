"""A family changes a game on a phone: by taps alone, kept while it is not finished, within reach, said and seen."""

import json
import sys
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPhone
from tests.browser.playing import edit_by_hand, ready, set_text_size, visit
from tests.browser.test_every_page import BEYOND, CUT_OFF, Gallery, in_each_language
from tests.browser.test_within_reach import Ruler
from tests.web.served import Served

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FAMILIES = ("farkle", "yahtzee", "pig")
SETTLE_MS = 400  # a control takes a finger's tap when it has lain there for a while (web/static/shared/taps.js)


def open_form(page: Any, served: Served, game: str = "farkle") -> None:
    visit(page, f"{served.base}/games/{game}/edit")


def field(page: Any, path: str) -> Any:
    return page.locator(f'[data-path="{path}"]')


def write(page: Any, path: str, text: str) -> None:
    """Writes into a field, and waits until the server has said what the game is worth then."""
    with page.expect_response("**/games/try") as answered:
        field(page, path).fill(text)
    page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")
    assert answered.value.status in (200, 422)


def add_full_house(page: Any) -> None:
    page.locator("#add > summary").click()
    with page.expect_response("**/games/try"):
        page.locator("#add .chip", has=page.locator('[aria-label="1 1 4 4 4"]')).click()


def make_our_farkle(page: Any, tap: bool = False) -> None:
    """`tap`: as fingers do it, which tap each field before they write."""
    if tap:
        field(page, "name").tap()
    field(page, "name").fill("Our Farkle")
    add_full_house(page)
    for path, text in (("rules.target", "5000"), ("rules.penalty", "3 1000")):
        if tap:
            field(page, path).tap()
        write(page, path, text)


def saved_game(page: Any) -> Any:
    """Saves the game, and gives the tables of its file."""
    with page.expect_request("**/own-games") as sent:
        page.locator('[data-act="save"]').click()
    page.wait_for_url("**/g/*")
    return tomllib.loads(json.loads(sent.value.post_data)["toml"])


def worths(page: Any) -> list[str]:
    found: list[str] = page.locator("#told .worths li").all_inner_texts()
    return [" ".join(line.split()) for line in found]


def test_our_farkle_is_made_by_a_form(served: Served, page: Any) -> None:
    edit_by_hand(page, served.base, "farkle")
    make_our_farkle(page)
    page.wait_for_function("() => document.querySelector('#told .worths')?.textContent.includes('before: 600')")
    assert worths(page)[0] == "1,500 before: 600"
    assert page.locator(".changes").inner_text() == "3 changes"
    made = saved_game(page)
    assert made["title"] == "Our Farkle"
    rules = {name: value for name, value in made["rules"].items() if name != "combination"}
    assert rules == {"target": 5000, "opening": 500, "end": "one-more-turn", "penalty": [3, 1000]}
    assert made["rules"]["combination"][-1] == {"groups": [3, 2], "points": 1500}
    assert {"dice": [1, 1, 4, 4, 4], "worth": 1500} in made["example"]


def test_house_rules_are_changed_added_and_removed(served: Served, page: Any) -> None:
    open_form(page, served)
    page.locator('[id="option.0"] > summary').click()
    write(page, "option.0.low", "2000")
    page.locator('[id="option.3"] > summary').click()
    write(page, "option.3.title", "With all six dice")
    with page.expect_response("**/games/try"):
        page.locator('[data-act="remove-option"][data-arg="1"]').evaluate("each => each.click()")
    page.locator("#add-option > summary").click()
    with page.expect_response("**/games/try"):
        page.locator('[data-act="add-option"]', has_text="When somebody reaches the target").click()
    write(page, "option.5.value.1.title", "At once")
    for end in ("finish-round", "at-once"):  # the latter holds in files that say nothing, but not in this one
        with page.expect_response("**/games/try"):
            field(page, "option.5.value.1.rules.end").select_option(end)
    assert page.locator("[data-key=options] .state").all_inner_texts() == ["changed", "left out", "changed", "new"]
    assert page.locator("[aria-invalid=true]").count() == 0
    field(page, "name").fill("House rules")
    made = saved_game(page)["option"]
    assert [each["name"] for each in made] == ["target", "opening", "hot_dice", "busts", "end"]
    assert made[0] == {"name": "target", "low": 2000}
    assert made[2]["title"] == "With all six dice"
    ends = ["one-more-turn", "at-once", "finish-round", "round-then-one-more-turn", "exact"]
    assert [each["name"] for each in made[4]["value"]] == ends
    assert made[4]["value"][1]["title"]["en"] == "At once"
    assert made[4]["value"][1]["rules"] == {"end": "at-once"}
    page.get_by_role("button", name="Play it").click()
    page.wait_for_url("**/?game=*")
    ready(page)
    page.locator("details.house > summary").click()
    page.wait_for_selector("fieldset.options")
    assert page.locator("fieldset.options:visible label.field > span").all_inner_texts() == [
        "Points that win the game",
        "Points that a player's first banked turn needs",
        "With all six dice",
        "Three busts in a row",
        "When somebody reaches the target",
    ]


def test_a_game_has_texts_in_several_languages(served: Served, new_phone: NewPhone) -> None:
    """Made on a Czech phone, seen on an English and on a Polish one."""
    page = new_phone(locale="cs-CZ")
    open_form(page, served, "yahtzee")
    field(page, "name").fill("Naše hra")
    page.locator('[id="languages-name"] summary').click()
    field(page, "name@en").fill("Our game")
    page.locator("#item-6 > summary").click()
    write(page, "item.6.title", "Zachraň se")
    page.locator('[id="languages-item.6.title"] summary').click()
    assert field(page, "item.6.title@pl").input_value() == "Szansa"
    write(page, "item.6.title@pl", "Ratunek")
    page.locator('[data-act="add-text"]').click()
    page.keyboard.type("Kdo hodí pětkrát stejně, tleská.")
    made = saved_game(page)
    assert made["title"] == {"en": "Our game", "cs": "Naše hra"}
    assert made["rules"]["cell"][6]["title"].items() >= {"en": "Chance", "cs": "Zachraň se", "pl": "Ratunek"}.items()
    assert made["text"][-1] == {"en": made["text"][-1]["cs"], "cs": "Kdo hodí pětkrát stejně, tleská."}
    address = page.url
    for locale, title, cell in (("en-GB", "Our game", "Chance"), ("pl-PL", "Our game", "Ratunek")):
        other = new_phone(locale=locale)
        other.goto(address)
        assert other.locator("h1").inner_text() == title
        assert cell in other.locator(".rules").inner_text()
        other.locator("form[action$=keep] button").click()
        other.wait_for_url("**/?game=*")
        ready(other)
        other.locator('input[name="player"]').first.fill("Ada")
        other.locator("#new-table .actions button").click()
        other.wait_for_url("**/tables/*")
        ready(other)
        assert cell in other.locator("table.grid").inner_text()


def test_the_lines_of_a_value_table_are_changed_and_added(served: Served, page: Any) -> None:
    open_form(page, served, "cee-lo")
    field(page, "name").fill("Our Cee-lo")
    page.locator("#item-2 > summary").click()
    write(page, "item.2.points", "rest * 10")
    expect(page.locator("#told")).to_contain_text("how they are counted, in words", ignore_case=True)
    write(page, "item.2.says", "ten times the other die")
    assert page.locator("#item-2 .item-head strong").inner_text() == "ten times the other die"
    page.locator("#add > summary").click()
    with page.expect_response("**/games/try"):
        page.locator("#add .chip", has_text="straight of 3").click()
    write(page, "item.4.says", "the highest die of three in a row")
    made = saved_game(page)["turn"]["worth"]
    assert made[0] == {"run": 3, "points": "max", "says": "the highest die of three in a row"}
    assert {"alike": 2, "points": "rest * 10", "says": "ten times the other die"}.items() <= made[3].items()


def test_two_taps_on_save_make_one_game(served: Served, page: Any) -> None:
    open_form(page, served)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    with page.expect_response("**/own-games"):
        page.locator('[data-act="save"]').dblclick()
    assert len([address for address in sent if address.endswith("/own-games")]) == 1


def test_each_change_can_be_taken_back(served: Served, page: Any) -> None:
    open_form(page, served)
    make_our_farkle(page)
    page.locator("#item-0 > summary").click()
    write(page, "item.0.points", "150")
    page.locator("#item-1 > summary").click()
    with page.expect_response("**/games/try"):
        page.locator('#item-1 [data-act="remove-item"]').click()
    assert page.locator(".state").all_inner_texts() == ["changed", "left out", "new"]
    page.locator('[data-act="remove-item"][data-arg="9"]').click()
    page.locator('[data-act="restore-item"]').click()
    while page.locator('[data-act="restore"]').count():
        page.locator('[data-act="restore"]').first.click()
    page.wait_for_function("() => document.querySelector('.changes').textContent.trim() === '0 changes'")
    assert field(page, "rules.target").input_value() == "10000"
    assert field(page, "item.0.points").input_value() == "100"
    assert page.locator(".was, .state").count() == 0


@pytest.mark.parametrize(
    ("path", "typed", "said"),
    [
        ("rules.target", "abc", "points that win the game must be a whole number"),
        ("rules.dice", "13", "how many dice must be a whole number from 1 to 12, not 13"),
        ("name", "farkle", "another game is called “farkle”"),
    ],
)
def test_what_cannot_be_is_said_beside_its_field(served: Served, page: Any, path: str, typed: str, said: str) -> None:
    open_form(page, served)
    write(page, path, typed)
    page.wait_for_selector("[aria-invalid=true]")
    assert page.locator("[aria-invalid=true]").get_attribute("data-path") == path
    for place in ("#told", f'[id="wrong-{path}"]'):
        assert said.casefold() in page.locator(place).inner_text().casefold()
    page.locator('[data-act="save"]').click()
    page.wait_for_function("path => document.activeElement.dataset.path === path", arg=path)
    assert page.url.endswith("/edit")


def test_what_was_begun_is_there_after_the_page_was_left(served: Served, page: Any) -> None:
    open_form(page, served)
    make_our_farkle(page)
    page.reload()
    ready(page)
    assert page.locator("#game-form").count() == 0
    page.locator('[data-act="go-on"]').click()
    assert field(page, "rules.target").input_value() == "5000"
    assert field(page, "name").input_value() == "Our Farkle"
    open_form(page, served, "zilch")
    assert page.locator('[data-act="go-on"]').count() == 0, "another game"
    page.go_back()
    ready(page)
    page.locator('[data-act="anew"]').click()
    assert field(page, "rules.target").input_value() == "10000"
    page.reload()
    ready(page)
    assert page.locator('[data-act="go-on"]').count() == 0


def test_without_a_connection_one_sentence_says_so_and_nothing_is_lost(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(patient=False)
    open_form(page, served)
    page.context.set_offline(True)
    field(page, "rules.target").fill("5000")
    page.locator('[data-act="save"]').click()
    page.wait_for_selector("#told .wrong")
    assert page.locator("#told .wrong").count() == 1
    assert "Nothing is lost" in page.locator("#told .wrong").inner_text()
    page.context.set_offline(False)
    page.wait_for_selector("#told .wrong", state="detached")
    assert field(page, "rules.target").input_value() == "5000"


def test_the_form_is_filled_in_with_keys_alone(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(is_mobile=False, has_touch=False)
    open_form(page, served)
    page.locator("#add > summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".state")
    assert page.evaluate("document.activeElement.matches('.item > details > summary')"), (
        "the new one has the focus, and is open"
    )
    page.keyboard.press("Tab")
    page.keyboard.press("Control+A")
    page.keyboard.type("700")
    assert field(page, "item.9.points").input_value() == "700"
    while page.evaluate("document.activeElement.dataset.act") != "remove-item":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".state", state="detached")
    assert page.evaluate("document.activeElement.id") == "items-title"


@in_each_language
def test_every_state_of_the_form_is_sound(served: Served, new_phone: NewPhone, language: str) -> None:
    page = new_phone(locale=language)
    gallery = Gallery(page, language)
    for game in FAMILIES:
        open_form(page, served, game)
        gallery.take(f"edit-{game}")
    page.goto(f"{served.base}/rules/farkle")
    gallery.take("edit-link")
    open_form(page, served)
    make_our_farkle(page)
    page.locator("#item-1 > summary").click()
    with page.expect_response("**/games/try"):
        page.locator('[data-act="remove-item"][data-arg="1"]').click()
    page.locator("#item-2 > summary").click()
    for value in (1, 1, 1, 5):
        page.locator(f'[data-act="tap"][data-arg="{value}"]').click()
    page.wait_for_selector(".parts li")
    gallery.take("edit-changed")
    page.locator("#add > summary").click()
    write(page, "rules.target", "abc")
    page.wait_for_selector("[aria-invalid=true]")
    gallery.take("edit-wrong")
    page.reload()
    ready(page)
    gallery.take("edit-begun")
    assert gallery.wrong == []


def fill_in(page: Any, game: str) -> None:
    page.evaluate("() => document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
    write(page, "rules.dice", "13")
    page.wait_for_selector("[aria-invalid=true]")


@pytest.mark.parametrize(
    "game", ["farkle", "yahtzee", *(pytest.param(game, marks=pytest.mark.slow) for game in ("pig", "threes"))]
)
def test_the_form_is_within_reach(served: Served, ruler: Ruler, game: str) -> None:
    page = ruler.page
    open_form(page, served, game)
    ruler.measure(f"edit-{game}")
    fill_in(page, game)
    ruler.measure(f"edit-{game}-open")
    assert page.evaluate(BEYOND) == []
    assert page.evaluate(CUT_OFF) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert not ruler.wrong, "\n" + "\n".join(ruler.wrong)


def test_sets_of_dice_and_the_order_of_cells_are_changed(served: Served, page: Any) -> None:
    open_form(page, served, "generala")
    straight = page.locator(".item", has=page.locator('[data-path$=".dice"]'))
    straight.locator("summary").first.click()
    place = straight.locator('[data-path$=".dice"]').get_attribute("data-path")
    assert field(page, place).input_value() == "1 2 3 4 5\n2 3 4 5 6\n1 3 4 5 6"
    write(page, place, "1 2 3 4 5\n2 3 4 5 9")
    page.wait_for_selector(f'[aria-invalid=true][data-path="{place}"]')
    write(page, place, "1 2 3 4 5, 1 2 3 4 6")
    page.wait_for_function("() => document.querySelector('#told .worths')?.textContent.includes('before: 0')")
    straight.locator('[data-act="restore"]').click()
    page.wait_for_function("() => document.querySelector('.changes').textContent.trim() === '0 changes'")
    write(page, place, "1 2 3 4 5, 1 2 3 4 6")
    last = page.locator("#at-rules\\.cell > .item").last
    name = last.locator(".item-name").inner_text()
    last.locator("summary").first.click()
    with page.expect_response("**/games/try"):
        last.locator('[data-act="move-item"]').click()
    assert page.locator("#at-rules\\.cell .item-name").all_inner_texts()[-2] == name
    write(page, "file.players", "4")
    field(page, "name").fill("Ours")
    made = saved_game(page)
    assert made["players"] == 4
    assert [[1, 2, 3, 4, 5], [1, 2, 3, 4, 6]] in [each.get("dice") for each in made["rules"]["cell"]]


@pytest.mark.parametrize("size", ["100%", "200%"])
def test_words_and_dice_of_the_trial_have_room_and_fields_look_alike(
    served: Served, new_phone: NewPhone, size: str
) -> None:
    page = new_phone(locale="pl-PL", color_scheme="dark")
    set_text_size(page, size)
    open_form(page, served, "zilch")
    longest = "all => Math.max(...all.map((one) => Math.max(...one.textContent.split(' ').map((word) => word.length))))"
    assert page.locator(".whole-turns .how").evaluate_all(longest) > 5
    wide = "all => all.every((one) => !one.textContent || one.clientWidth > 90)"
    assert page.locator(".whole-turns .how").evaluate_all(wide)
    tray = page.locator("#told .worths")
    assert tray.locator("li").count() == 3
    assert size == "200%" or tray.evaluate("one => one.scrollHeight <= one.clientHeight"), "nothing of it is cut off"
    inside = "all => all.every((one) => one.clientWidth <= one.parentElement.clientWidth)"
    assert page.locator(".keys .die").evaluate_all(inside)
    look = "one => [getComputedStyle(one).backgroundColor, getComputedStyle(one).borderRadius]"
    area = page.locator('[data-path="file.source"]')
    assert area.evaluate(look) == field(page, "name").evaluate(look)
