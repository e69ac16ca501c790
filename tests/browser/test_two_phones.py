"""A whole game of every kind, played by two phones: corrected, undone and the server killed in between.

Its beginning and its end are tapped on the phones; what lies between is sent as the pages send it, to save time.
"""

import json
from typing import Any

import pytest
from playwright.sync_api import expect

import scorer
from tests.browser.conftest import NewPhone
from tests.browser.games import PLAYERS, SHORT, steps_of, whole_game
from tests.browser.playing import (
    PICTURES,
    confirm_review,
    open_entry,
    photograph,
    put_right,
    ready,
    send,
    start_by_hand,
    start_table,
    state,
    tap,
    tap_dice,
    tap_throw,
    undo,
    visit,
    wait_for_toast,
    wait_for_version,
    wait_until_closed,
)
from tests.web.served import Served

TAPPED_FIRST = 7
TAPPED_LAST = 4
LABELLED = {entry["picture"]: entry["dice"] for entry in json.loads((PICTURES / "pictures.json").read_text())}
ANDROID = (
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36"
)
# A race, a sheet and a game in which all write at once; `make soak` plays the others, which differ in their rules.
UNLIKE = ("ones-and-fives", "kosci-triple", "knaster")
# Throws after which the next one has as many dice: the next player's, or the same player's after dice that all scored.
ALIKE = [
    ("sequence", [1, 2, 3, 4, 5, 6]),
    ("ones-and-fives", [2, 2, 3, 3, 4, 6]),
    ("six-dice", [1, 2, 3, 4, 5, 6]),
]


def correct_the_last_throw(page: Any, dice: list[int]) -> None:
    """Changes the first die of the last throw, and changes it back."""
    other = dice[0] % 6 + 1
    for value in (other, dice[0]):
        version = state(page)["version"]
        ask_correction(page, value)
        page.locator('[data-act="correct-do"]').click()
        wait_until_closed(page)
        wait_for_version(page, version + 1)


@pytest.mark.parametrize(
    "key",
    [pytest.param(info.key, marks=() if info.key in UNLIKE else pytest.mark.slow) for info in scorer.all_games()],
)
def test_a_whole_game(served: Served, new_phone: NewPhone, key: str) -> None:
    actions = whole_game(key)
    one, two = new_phone(), new_phone()
    address = start_by_hand(one, served.base, key, *PLAYERS, **SHORT.get(key, {}))
    two.goto(address)
    phones = (one, two)
    lines = 0
    thrown = any(action["do"] == "throw" for action in actions)  # what is typed is corrected in test_score_pad.py
    did = {"undone": False, "corrected": not thrown, "killed": False}
    steps = steps_of(key, actions)
    for number, step in enumerate(steps):
        page = phones[number % 2]
        action = step[-1]
        tapped = number < TAPPED_FIRST or number >= len(steps) - TAPPED_LAST
        if tapped:
            wait_for_version(page, lines)
        for each in step:
            if not tapped:
                send(page, each)
            elif each["do"] != "set-aside" or len(step) == 1:  # else it comes with the throw
                tap(page, each)
        lines += len(step)
        if not tapped:
            continue
        other = phones[(number + 1) % 2]
        wait_for_version(other, lines)
        if action["do"] == "throw" and not did["corrected"]:
            did["corrected"] = True
            correct_the_last_throw(other, action["dice"])
            lines += 2
        elif not did["undone"]:
            did["undone"] = True
            undo(other)
            lines += len(step)
            wait_for_version(page, lines)
            for each in step:
                send(page, each)
            lines += len(step)
        elif not did["killed"]:
            did["killed"] = True
            served.kill()
            served.start()
    for page in phones:
        wait_for_version(page, lines)
        page.wait_for_selector(".over")
    expected = scorer.Table(scorer.game(key, **SHORT.get(key, {})), PLAYERS)
    for action in actions:
        expected.do(action)
    standing = state(one)["standing"]
    assert [player["score"] for player in standing["players"]] == [
        player["score"] for player in expected.standing()["players"]
    ]
    assert standing["winners"] == expected.standing()["winners"]
    assert all(did.values()), did


def two_phones(served: Served, new_phone: NewPhone, key: str, **options: Any) -> tuple[Any, Any]:
    """Two phones at a new table."""
    one, two = new_phone(**options), new_phone(**options)
    visit(two, start_table(one, served.base, key, *PLAYERS))
    return one, two


def ask_correction(page: Any, value: int) -> None:
    """Asks what it would change if the first die of the last throw had shown this value."""
    open_entry(page, "correct")
    page.locator('#panel [data-act="correct-step"]').first.click()
    page.locator(f'[data-act="correct-value"][data-arg="{value}"]').click()
    page.wait_for_selector(".effect")


@pytest.mark.parametrize(("key", "dice"), ALIKE, ids=[key for key, _ in ALIKE])
def test_a_throw_told_on_two_phones_counts_once(served: Served, new_phone: NewPhone, key: str, dice: list[int]) -> None:
    one, two = two_phones(served, new_phone, key)
    for page in (one, two):
        tap_dice(page, *dice)
    expects = state(one)["standing"]["turn"]["expects"]
    one.locator('[data-act="pad-confirm"]').click()
    for page in (one, two):
        wait_for_version(page, 1)
        wait_until_closed(page)
    assert state(two)["standing"]["turn"]["expects"] == expects, "the next throw looks the same"
    wait_for_toast(two, "Computer was quicker. Nothing from this phone was changed.")
    assert "quicker" not in one.locator("#toast").text_content(), "to whom did it there is nothing to tell"
    tap_throw(two, *dice)
    wait_for_version(two, 2)


def test_a_photo_confirmed_on_two_phones_counts_once(served: Served, new_phone: NewPhone) -> None:
    one, two = two_phones(served, new_phone, "sequence")
    photograph(one, "throw-122333.jpg")
    two.locator('[data-act="review"]').click()
    for page in (one, two):
        put_right(page, LABELLED["throw-122333.jpg"])
    confirm_review(one)
    wait_until_closed(two)
    wait_for_toast(two, "Computer was quicker. Nothing from this phone was changed.")
    assert state(two)["steps"] == 1


def steps_so_far(page: Any) -> None:
    open_entry(page, "correct")


def test_a_cell_is_corrected_and_the_rest_of_the_game_stands(served: Served, new_phone: NewPhone) -> None:
    one, two = two_phones(served, new_phone, "yahtzee")
    for dice, category in (([5, 5, 2, 3, 4], "small-straight"), ([1, 1, 2, 4, 6], "ones")):
        send(one, {"do": "throw", "dice": dice})
        send(one, {"do": "score", "category": category})
    send(one, {"do": "throw", "dice": [1, 2, 3, 4, 6]})
    wait_for_version(two, 5)
    steps_so_far(two)
    two.locator('#panel [data-act="correct-other"]').last.click()
    two.locator('[data-act="correct-choose"]', has_text="Chance").click()
    two.locator(".effect").get_by_text("All later steps stay as they are.").wait_for()
    two.locator('[data-act="correct-do"]').click()
    wait_for_version(one, 6)
    standing = state(one)["standing"]
    assert [player["score"] for player in standing["players"]] == [19, 2]
    assert standing["turn"]["dice"] == [1, 2, 3, 4, 6]


def after_a_bank(served: Served, new_phone: NewPhone) -> tuple[Any, Any]:
    """Two phones of a table where 1,050 were banked and the next player busts; the second shows the steps so far."""
    one, two = two_phones(served, new_phone, "ones-and-fives")
    for action in (
        {"do": "throw", "dice": [1, 1, 1, 5, 2, 4]},
        {"do": "set-aside", "dice": [1, 1, 1, 5]},
        {"do": "bank"},
        {"do": "throw", "dice": [2, 2, 3, 3, 4, 6]},
    ):
        send(one, action)
    wait_for_version(two, 4)
    steps_so_far(two)
    return one, two


def test_a_bank_is_corrected_and_the_rest_of_the_game_stands(served: Served, new_phone: NewPhone) -> None:
    one, two = after_a_bank(served, new_phone)
    two.locator('#panel [data-act="correct-other"]').first.click()
    brought = two.locator("#brought")
    expect(brought).to_have_value("1050")
    expect(two.locator('[data-act="correct-preview"]')).to_have_attribute("aria-disabled", "true")
    brought.fill("1500")
    brought.press("Tab")
    two.locator(".effect").get_by_text("All later steps stay as they are.").wait_for()
    two.locator('[data-act="correct-do"]').click()
    wait_for_version(one, 5)
    assert [player["score"] for player in state(one)["standing"]["players"]] == [1500, 0]
    expect(one.locator(".settled").first).to_be_visible()
    steps_so_far(two)
    expect(two.locator(".steps")).to_contain_text("turn settled by hand: 1,500")


def test_a_turn_that_no_longer_holds_is_worth_what_is_written(served: Served, new_phone: NewPhone) -> None:
    one, two = after_a_bank(served, new_phone)
    two.locator(".steps .slots").last.locator("button").first.click()
    two.locator('[data-act="correct-value"][data-arg="2"]').click()
    worth = two.locator("[data-said]")
    worth.wait_for()
    assert worth.input_value() == "250", "the best that the rules allow now: one tap is enough"
    assert two.locator(".effect .hint .dice").count() == 2, "what no longer holds, as pictures"
    two.get_by_role("button", name="= 200").click()
    expect(worth).to_have_value("200")
    two.locator('[data-act="correct-do"]').click()
    wait_for_version(one, 5)
    assert [player["score"] for player in state(one)["standing"]["players"]] == [200, 0]
    steps_so_far(one)
    one.get_by_text("turn settled by hand: 200").wait_for()


def test_everybody_sees_which_phone_undid_and_corrected(served: Served, new_phone: NewPhone) -> None:
    one, two = two_phones(served, new_phone, "sequence", user_agent=ANDROID)
    board = new_phone(viewport={"width": 1280, "height": 720}, is_mobile=False)
    board.goto(f"{one.url}/board")
    tap_throw(one, 1, 2, 3, 4, 5, 6)
    wait_for_version(two, 1)
    ask_correction(two, 2)
    two.locator('[data-act="correct-do"]').click()
    board.locator(".change", has_text="Android 2: step 1 was corrected").wait_for()
    wait_for_version(two, 2)
    undo(two)
    wait_for_version(two, 3)
    board.locator(".change", has_text="Android 2: the last step was undone").wait_for()
    expect(one.locator(".events")).to_contain_text("Android 2: the last step was undone")
    open_entry(two, "phone")
    assert two.locator("#device-name").input_value() == "Android 2", "it says of itself what the others see"
    two.keyboard.press("Escape")
    tap_throw(two, 1, 2, 3, 3, 3, 3)
    wait_for_version(one, 4)
    one.reload()  # who was not looking reads it in the list
    ready(one)
    open_entry(one, "correct")
    one.wait_for_selector(".steps li")
    steps = [" ".join(line.split()) for line in one.locator(".steps li:not(.turn-head)").all_inner_texts()]
    assert [line.rsplit(" · ", 1)[-1].removesuffix(" Correct") for line in steps] == ["Android 2"] * 3
    assert [line.split(":")[0] for line in steps] == ["Ada", "Taken back", "Step 1 corrected"]


def test_a_phone_without_a_name_stays_without_when_its_settings_are_saved(served: Served, new_phone: NewPhone) -> None:
    page = new_phone(user_agent=ANDROID)
    start_table(page, served.base, "sequence", *PLAYERS)
    open_entry(page, "phone")
    assert page.locator("#device-name").input_value() == "Android"
    page.get_by_text("Undoing and correcting stay open to every phone").wait_for()
    page.locator('[data-act="phone-save"]').click()
    wait_until_closed(page)
    assert "device-name" not in {cookie["name"] for cookie in page.context.cookies()}


def test_what_the_stream_shows_first_can_be_tapped_at_once(served: Served, page: Any) -> None:
    start_table(page, served.base, "ones-and-fives", "Ada", "Bob")
    tap_throw(page, 1, 1, 1, 5, 2, 4)
    wait_for_version(page, 1)
    held: list[tuple[Any, Any]] = []
    page.route("**/actions", lambda route: held.append((route, route.fetch())), times=1)
    page.locator(".choice").first.click()
    wait_for_version(page, 2)  # by the stream: the answer is still on its way
    page.locator("nav .bank").dblclick()
    while not held:  # the stream is quicker than the answer is fetched
        page.wait_for_timeout(20)
    route, answer = held[0]
    route.fulfill(response=answer)
    wait_for_version(page, 3)
    page.wait_for_selector("body:not([aria-busy])")
    assert page.locator("#toast").text_content() == "", (
        "of the double tap one counts, which the page shows; the other is nobody's mistake"
    )


def phones_of_players(served: Served, new_phone: NewPhone, game: str) -> list[Any]:
    """Two phones at a new table, each of which plays for one of the players."""
    phones = [new_phone(), new_phone()]
    phones[1].goto(start_table(phones[0], served.base, game, *PLAYERS))
    ready(phones[1])
    for player, page in enumerate(phones):
        open_entry(page, "phone")
        page.locator(f'[name="plays-for"][value="{player}"]').check()
        page.locator('[data-act="phone-save"]').click()
    return phones


def test_in_knaster_everybody_writes_at_once_on_his_own_phone(served: Served, new_phone: NewPhone) -> None:
    phones = phones_of_players(served, new_phone, "knaster")
    tap_throw(phones[0], 3, 4)
    for player, page in enumerate(phones):
        wait_for_version(page, 1)
        assert page.get_by_label(f"Grid of {PLAYERS[player]}", exact=True).is_visible(), (
            "each phone shows its own player's grid"
        )
        page.locator(f"[data-arg='[{player},1,{player + 1},\"write\"]']").click()
    for page in phones:  # what one has chosen stays chosen while the other writes
        page.get_by_role("button", name="Write 7").click()
    for page in phones:
        wait_for_version(page, 3)
    grids = [player["grid"] for player in state(phones[0])["standing"]["players"]]
    assert [grid[0][player]["number"] for player, grid in enumerate(grids)] == [7, 7]


def test_in_skunk_each_sits_down_on_his_own_phone_and_anybody_throws(served: Served, new_phone: NewPhone) -> None:
    phones = phones_of_players(served, new_phone, "skunk")
    tap_throw(phones[1], 3, 4)
    wait_for_version(phones[0], 1)
    phones[0].get_by_role("button", name="Sit down with 7").click()
    wait_for_version(phones[1], 2)
    assert not phones[0].locator("nav.actions [data-act='pad']").count(), "who sits waits for the others"
    tap_throw(phones[1], 1, 6)
    wait_for_version(phones[0], 3)
    assert [player["turns"] for player in state(phones[0])["standing"]["players"]] == [[7], [0]]
    tap_throw(phones[0], 5, 5)
    wait_for_version(phones[1], 4)
    assert phones[1].get_by_role("button", name="Sit down with 10").is_visible()
