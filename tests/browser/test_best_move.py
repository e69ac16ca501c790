"""What a throw would bring is in sight at once, written with a tap and a confirmation, and the headings stay."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, NewPhone
from tests.browser.games import import_record, open_table
from tests.browser.playing import (
    close_dialogs,
    photograph,
    ready,
    send,
    start_table,
    state,
    tap_throw,
    values,
    wait_for_version,
)
from tests.browser.test_every_page import SETTLED, UNLIKE
from tests.scorer.playing import throw
from tests.web.served import Served

SIDEWAYS = {"width": 844, "height": 390}
# Whether a person sees all of an element: it lies above the buttons at the bottom, and nothing covers its middle.
IN_SIGHT = """(one) => {
  const box = one.getBoundingClientRect();
  const above = document.querySelector("nav.actions").getBoundingClientRect().top;
  const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
  return box.top >= 0 && box.bottom <= above && box.left >= 0 && box.right <= innerWidth && one.contains(top);
}"""

# Whether all of an element is on the screen.
INSIDE = """(one) => {
  const box = one.getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight;
}"""


def wait_for(one: Any, holds: str) -> None:
    """Until something holds of an element: what was drawn a moment ago may not lie yet where it will."""
    one.page.wait_for_function(holds, arg=one.element_handle())


THREE_COLUMNS = ["Large straight ×3 120", "Small straight ×3 90", "Large straight ×2 80"]


@pytest.mark.parametrize(
    ("screen", "game", "dice", "best"),
    [
        (PHONE, "kosci-triple", (1, 2, 3, 4, 5), THREE_COLUMNS),
        (SIDEWAYS, "kosci-triple", (1, 2, 3, 4, 5), THREE_COLUMNS),
        (PHONE, "yatzy", (6, 6, 6, 5, 5), ["Full house 28", "Chance 28", "Two pairs 22"]),
        (SIDEWAYS, "drapky", (1, 2, 3, 4, 5, 6), ["Straight 21"]),
    ],
)
def test_the_best_moves_are_on_the_first_screen(
    served: Served, new_phone: NewPhone, screen: Any, game: str, dice: tuple[int, ...], best: list[str]
) -> None:
    page = new_phone(viewport=screen)
    open_table(page, served.base, game, throw(*dice))
    offers = page.locator(".offers button:visible")
    for place, offer in enumerate(best):
        expect(offers.nth(place)).to_have_text(offer, use_inner_text=True)
    shown = offers.all()[:3]
    assert len(shown) == len(best)
    for one in shown:
        wait_for(one, IN_SIGHT)
    offers.first.click()
    chosen = page.locator(".offer .chosen")
    wait_for(chosen, IN_SIGHT)  # the sheet scrolls to the cell
    write = page.locator("nav.actions .primary")
    name, points = best[0].rsplit(" ", 1)
    expect(write).to_have_text(f"Write {points}: {name}")
    write.click()
    wait_for_version(page, 2)
    expect(page.locator(".offers")).to_have_count(0)


def open_after_last_throw(page: Any, served: Served, game: str, *dice: int) -> None:
    """A table of two at which these dice came with the last throw of a turn."""
    actions: list[dict[str, Any]] = [{"do": "throw", "dice": [1, 1, 2, 3, 6, 6][: len(dice)]}]
    for number in range(2):
        actions.append({"do": "keep", "dice": []})
        actions.append({"do": "throw", "dice": list(dice if number else reversed(dice))})
    open_table(page, served.base, game, *actions)


@pytest.mark.parametrize(
    ("game", "dice", "best", "other"),
    [
        ("kosci-triple", (1, 2, 3, 4, 5), "Write 120: Large straight ×3", "Chance ×1"),
        ("drapky", (3, 3, 3, 2, 2, 1), "Write 14: Pyramid", "Threes"),
    ],
)
def test_after_the_last_throw_the_best_move_takes_one_tap_and_another_one_two(
    served: Served, new_phone: NewPhone, game: str, dice: tuple[int, ...], best: str, other: str
) -> None:
    page = new_phone(viewport={"width": 1024, "height": 768})
    open_after_last_throw(page, served, game, *dice)
    write = page.locator("nav.actions .primary")
    expect(write).to_have_text(best)
    page.locator(".offers .chosen").click()  # tapped once more it stays chosen: something must be written
    expect(write).to_have_text(best)
    page.locator(".offers button", has_text=other).click()
    expect(write).to_contain_text(other)
    # The second tap of a double one on what was here before.
    box = write.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.evaluate(SETTLED)
    assert page.evaluate("document.body.dataset.version") == "5"
    write.click()
    wait_for_version(page, 6)


def tap_in(page: Any, *dice: int) -> int:
    """Tells a throw with the keys on the page; returns the taps that it took."""
    taps = [f'.quick-keys [data-act="pad-key"][data-arg="{dice[0]}"]']
    taps += [f'#panel [data-act="pad-key"][data-arg="{value}"]' for value in dice[1:]] + ['[data-act="pad-confirm"]']
    for selector in taps:
        page.locator(selector).click()
    return len(taps)


def test_the_keys_stand_on_the_page_before_a_turns_first_throw(served: Served, page: Any) -> None:
    start_table(page, served.base, "sequence", "Ada", "Bob")
    keys = page.locator(".quick-keys button")
    expect(keys).to_have_count(6)
    sizes = [(key.bounding_box()["width"], key.bounding_box()["height"]) for key in keys.all()]
    assert min(min(size) for size in sizes) >= 44
    assert tap_in(page, 1, 2, 3, 4, 6, 6) == 7, "also the first throw that a phone tells"
    wait_for_version(page, 1)
    assert tap_in(page, 5, 1, 1, 2, 3, 6) == 7
    wait_for_version(page, 2)
    assert state(page)["standing"]["turn"]["player"] == 0


def test_the_keys_stay_through_a_turn(served: Served, page: Any) -> None:
    start_table(page, served.base, "six-dice", "Ada", "Bob")
    photograph(page, "throw-113466.jpg")
    expect(page.locator(".quick-keys")).to_have_count(0)  # a photo waits
    page.locator('[data-act="review-confirm"]').click()
    wait_for_version(page, 1)
    expect(page.locator(".photograph")).to_be_visible()
    expect(page.locator(".quick-keys button")).to_have_count(6)
    tap_throw(page, 1, 2, 3, 4)
    wait_for_version(page, 2)
    expect(page.locator(".quick-keys button")).to_have_count(6)
    start_table(page, served.base, "farkle", "Ada", "Bob")  # at another table
    tap_in(page, 1, 1, 1, 5, 5, 5)
    wait_for_version(page, 1)
    page.locator(".choice").first.click()
    wait_for_version(page, 2)
    assert tap_in(page, 1, 1, 2, 3, 4, 6) == 7, "six dice again, though the turn may be banked"
    wait_for_version(page, 3)


def tap_at(page: Any, box: dict[str, float]) -> None:
    """Taps the middle of a place with a finger."""
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


# Two fingers' taps in these places, with nothing between them, however busy the machine is.
TAP_TWICE = """(places) => {
  for (const { x, y, width, height } of places) {
    const [clientX, clientY] = [x + width / 2, y + height / 2];
    const touch = { bubbles: true, cancelable: true, pointerType: "touch", detail: 1, clientX, clientY };
    const target = document.elementFromPoint(clientX, clientY);
    for (const name of ["pointerdown", "click"]) target.dispatchEvent(new PointerEvent(name, touch));
  }
}"""


def test_quick_taps_meet_no_other_control(served: Served, new_phone: NewPhone) -> None:
    page = new_phone()
    for game in ("ones-and-fives", "farkle", "kosci-single", "yahtzee", "knaster", "drapky"):
        page.goto(
            import_record(page, served.base, {"format": 1, "game": game, "players": ["Ada", "Bob"], "actions": []})
        )
        ready(page)
        page.wait_for_timeout(600)
        key = page.locator('.quick-keys [data-arg="3"]').bounding_box()
        tap_at(page, key)
        page.wait_for_timeout(100)
        tap_at(page, key)
        expect(page.locator('#panel [data-act="pad-remove"][aria-label$="3"]')).to_have_count(2)
    above = {"x": 190, "y": 40, "width": 2, "height": 2}  # beside the dialog, where the title lies
    close_dialogs(page)
    page.wait_for_timeout(600)
    page.evaluate(TAP_TWICE, [page.locator('header [data-act="menu"]').bounding_box(), above])
    expect(page.locator("#panel")).to_have_attribute("open", "")
    page.wait_for_timeout(400)
    tap_at(page, above)
    expect(page.locator("#panel")).not_to_have_attribute("open", "")


# In these games each player has a sheet, which needs the room.
SHEETS = {"drapky", "knaster", "kosci", "kosci-single", "kosci-triple", "yahtzee", "yatzy"}
# Whether all of an element stands above the buttons at the bottom.
ABOVE = """(one) => {
  const box = one.getBoundingClientRect();
  return box.top >= 0 && box.bottom <= document.querySelector("nav.actions").getBoundingClientRect().top;
}"""


def test_the_keys_cover_nothing_of_a_turn_that_begins(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(locale="pl")
    players = ["Kateřina", "Maksymilian", "Ada"]
    for game in UNLIKE:
        open_table(page, served.base, game, players=players)
        expect(page.locator(".quick-keys button")).to_have_count(6)
        wait_for(page.locator(".turn"), ABOVE)
        assert page.locator(".photograph").bounding_box()["height"] >= 56, game
        low = page.locator("nav.actions").bounding_box()
        assert low["y"] + low["height"] <= PHONE["height"], game
        assert low["height"] <= (96 if game in SHEETS else 150), f"{game}: a row of buttons, in a race one of keys too"
        if game not in SHEETS:
            continue
        send(page, {"do": "throw", "dice": [1, 2, 3, 4, 6, 6][: state(page)["standing"]["turn"]["expects"]]})
        wait_for_version(page, 1)
        assert page.locator("nav.actions").bounding_box()["height"] <= 96, game


def test_with_text_doubled_the_keys_take_no_room_where_throws_are_photographed(served: Served, page: Any) -> None:
    start_table(page, served.base, "sequence", "Ada", "Bob")
    expect(page.locator(".quick-keys")).to_be_visible()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(page.locator(".quick-keys")).to_be_hidden()
    tap_throw(page, 1, 2, 3, 4, 6, 6)
    wait_for_version(page, 1)
    expect(page.locator(".quick-keys")).to_be_visible()


CHOICE = '#panel .offers button, #panel [data-act="knaster-cell"]'


@pytest.mark.parametrize(
    ("screen", "game", "photo", "choice", "number", "points", "lines"),
    [
        (SIDEWAYS, "yahtzee", "throw-12345.jpg", CHOICE, 1, 30, 2),
        (PHONE, "knaster", "throw-15.jpg", CHOICE, 1, None, 2),
        (PHONE, "ones-and-fives", "throw-122333.jpg", "#panel .choice", 0, 400, 3),
    ],
)
def test_one_tap_confirms_the_reading_and_the_choice_and_undo_takes_both(
    served: Served,
    new_phone: NewPhone,
    screen: Any,
    game: str,
    photo: str,
    choice: str,
    number: int,
    points: int | None,
    lines: int,
) -> None:
    page = new_phone(viewport=screen)
    start_table(page, served.base, game, "Ada", "Bob")
    photograph(page, photo)
    confirm = page.locator('[data-act="review-confirm"]')
    wait_for(confirm, INSIDE)
    expect(confirm).to_have_text("Only the throw")
    page.locator(choice).nth(number).click()
    wait_for_version(page, lines)
    standing = state(page)["standing"]
    if points is None:
        assert standing["players"][0]["grid"][0][1]["number"] == 6
    else:
        assert standing["players"][0]["score"] == points
    page.locator('[data-act="undo"]').click()
    expect(page.locator("#panel .steps p")).to_have_count(lines)
    page.locator('[data-act="undo-do"]:not([aria-disabled])').click()
    wait_for_version(page, 2 * lines)
    assert state(page)["steps"] == 0


def test_the_choices_follow_a_die_that_is_put_right(served: Served, page: Any) -> None:
    start_table(page, served.base, "yahtzee", "Ada", "Bob")
    photograph(page, "throw-12345.jpg")
    expect(page.locator(CHOICE).first).to_have_text(re.compile(r"Large straight\s+40"))
    one = values(page).index(1)
    for value, best in ((5, r"Small straight\s+30"), (1, r"Large straight\s+40"), (5, r"Small straight\s+30")):
        page.locator(".reading-row button").nth(one).click()
        expect(page.locator(CHOICE)).to_have_count(0)
        page.locator(f'[data-act="review-value"][data-arg="{value}"]').click()
        expect(page.locator(CHOICE).first).to_have_text(re.compile(best))
    page.locator(CHOICE, has_text="Chance").click()
    wait_for_version(page, 2)
    assert state(page)["standing"]["players"][0]["score"] == 19


def test_the_thrown_dice_alone_ask_which_stayed(served: Served, page: Any) -> None:
    start_table(page, served.base, "yahtzee", "Ada", "Bob")
    tap_throw(page, 5, 5, 1, 3, 4)
    photograph(page, "throw-235.jpg")
    expect(page.locator(".stayed")).to_contain_text("Which 2 dice stayed on the table?")
    expect(page.locator('[data-act="review-stayed"]').first).to_have_attribute("data-arg", "[5,5]")  # the likeliest
    assert page.locator(CHOICE).count() == 0, "a guess would be confirmed by a tap"
    page.locator('[data-act="review-stayed"]').first.click()
    expect(page.locator(CHOICE, has_text="Three alike")).to_be_visible()
    page.locator('[data-act="review-stayed"][data-arg="[1,4]"]').click()
    expect(page.locator(CHOICE, has_text="Large straight")).to_be_visible()
    page.locator(CHOICE, has_text="Large straight").click()
    wait_for_version(page, 4)
    assert state(page)["standing"]["players"][0]["score"] == 40


@pytest.mark.parametrize("game", ["kosci", "kosci-triple"])
def test_headings_and_whose_turn_it_is_stay_in_sight(served: Served, page: Any, game: str) -> None:
    open_table(page, served.base, game, throw(1, 2, 3, 4, 5))
    for screen in (PHONE, SIDEWAYS, {"width": 1024, "height": 768}):
        page.set_viewport_size(screen)
        page.reload()
        ready(page)
        page.locator("tr", has_text="Total").scroll_into_view_if_needed()
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        wait_for(page.locator("thead th", has_text="Ada"), IN_SIGHT)
        if (game, screen) == ("kosci-triple", SIDEWAYS):
            continue  # with two rows of headings, all of it would take more than two fifths of the height
        wait_for(page.locator("#whose"), IN_SIGHT)
        expect(page.locator("#whose")).to_have_text("▸ Ada", use_inner_text=True)
        assert page.evaluate("scrollY") > 0
