"""The server's camera watches the table: a throw that comes to rest is on the phones, and a tap confirms it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.browser.conftest import NewPhone
from tests.browser.playing import PICTURES, start_table, state
from tests.web.served import Served
from tests.web.waiting import wait_until

PICTURE = PICTURES / "throw-113466.jpg"
SIZE = (960, 720)
RATE = 20  # pictures a second
EMPTY_S, HAND_S, DICE_S = 2, 2, 26
FOUR, SIX = (slice(87, 216), slice(534, 640)), (slice(270, 413), slice(693, 836))  # where two of the dice lie
# `window.words`: each word of what the camera was at, in the order in which the page showed them.
NOTE_WORDS = """() => {
  window.words = [];
  const note = () => {
    const word = document.querySelector(".watched .state span")?.textContent;
    if (word && word !== window.words.at(-1)) window.words.push(word);
  };
  note();
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


@contextmanager
def served_with_film(tmp_path: Path, dice: Any) -> Iterator[Served]:
    """A server before whose camera, again and again, lies nothing, then a hand reaches in, then dice lie there."""
    empty = np.full_like(dice, 110)
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), RATE, SIZE)
    for number in range(RATE * (EMPTY_S + HAND_S)):
        picture = empty.copy()
        if number >= RATE * EMPTY_S:
            picture[150:600, : 300 + 90 * (number % 7)] = (50, 60, 90)
        writer.write(picture)
    for _ in range(RATE * DICE_S):
        writer.write(dice)
    writer.release()
    with Served(tmp_path / "data", arguments=["--camera", str(path)]) as server:
        yield server


def six_dice() -> Any:
    return cv2.resize(cv2.imread(str(PICTURE)), SIZE)


@pytest.mark.alone
def test_a_throw_is_watched_confirmed_with_one_tap_and_taken_back_with_one(tmp_path: Path, new_phone: NewPhone) -> None:
    with served_with_film(tmp_path, six_dice()) as server:
        page, other = new_phone(), new_phone()
        start_table(page, server.base, "sequence", "Ada", "Bob")
        page.evaluate(NOTE_WORDS)
        other.goto(page.url)
        page.locator('[data-act="watch-start"]').click()
        page.wait_for_function("() => document.getElementById('watch-live')?.naturalWidth > 0")
        drag_a_corner(page)
        page.locator('#panel [data-act="close"]').click()
        board = new_phone(viewport={"width": 1280, "height": 720}, is_mobile=False)
        board.goto(f"{page.url}/board")
        board.wait_for_function("() => document.getElementById('board-live')?.naturalWidth > 0")
        for each in (page, other):
            each.wait_for_selector('[data-act="watch-choose"]')
        board.locator(".photo-shown svg").wait_for()
        told = state(page)["watched"]
        assert sorted(told["ways"][0][0]["dice"]) == [1, 1, 3, 4, 6, 6]
        other.locator('[data-act="watch-choose"]').first.click()
        page.wait_for_function("() => document.body.dataset.version === '1'")
        assert state(page)["standing"]["players"][0]["turns"] == [0], "1, 1, 3, 4, 6, 6 holds no run"
        page.wait_for_selector('[data-act="watch-choose"]', state="detached")
        page.wait_for_selector('[data-act="watch-undo"]')
        page.locator('[data-act="watch-undo"]').click()
        page.wait_for_function("() => document.body.dataset.version === '2'")
        assert state(page)["standing"]["players"][0]["turns"] == []
        # The film begins anew: with nothing, then the hand.
        for word in ("6 dice", "No dice", "Hand in the picture"):
            page.wait_for_function("(word) => window.words.includes(word)", arg=word)


def drag_a_corner(page: Any) -> None:
    corner = page.locator('[data-corner="0"]')
    box = corner.bounding_box()
    page.mouse.move(box["x"] + 22, box["y"] + 22)
    page.mouse.down()
    page.mouse.move(box["x"] + 40, box["y"] + 34, steps=4)
    page.mouse.up()
    wait_until(lambda: state(page)["watched"]["region"])
    region = state(page)["watched"]["region"]
    assert 0 < region[0] < 0.1
    assert region[2:] == [1, 0, 1, 1, 0, 1]


def test_any_touch_stops_what_would_be_confirmed_by_itself(served: Served, page: Any) -> None:
    """But for one on the button, which confirms it at once."""
    with page.expect_response("**/on-demand.js") as loaded:
        start_table(page, served.base, "sequence", "Ada", "Bob")
    asked = page.evaluate(
        """async (name) => {
          const { stopAtTouch } = await import(name.replace("on-demand", "when-wanted"));
          const asked = [];
          const table = () => ({ command: async (what, body) => asked.push([what, body.id]) });
          stopAtTouch({ state: { watched: { runs_s: 3, id: "conclusion" } }, table });
          const touch = (at) => at.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
          const button = document.createElement("button");
          button.dataset.act = "watch-choose";
          document.body.append(button);
          touch(button);
          touch(document.querySelector("h2"));
          return asked;
        }""",
        loaded.value.url,
    )
    assert asked == [["watch/hold", "conclusion"]]


@pytest.mark.alone
def test_a_die_that_is_not_sure_is_shown_large_and_told_with_a_tap(tmp_path: Path, new_phone: NewPhone) -> None:
    """Two thirds a four, one third a six."""
    dice = six_dice()
    six = cv2.resize(dice[SIX], (106, 129))
    dice[FOUR] = cv2.addWeighted(dice[FOUR], 0.66, six, 0.34, 0)
    with served_with_film(tmp_path, dice) as server:
        page = new_phone()
        start_table(page, server.base, "sequence", "Ada", "Bob")
        page.locator('[data-act="watch-start"]').click()
        page.locator('#panel [data-act="close"]').click()
        doubt = page.locator('[data-act="watch-doubt"]')
        doubt.wait_for()
        assert doubt.count() == 1
        assert re.fullmatch(r"\s*\d \?\s*", doubt.inner_text())
        box = doubt.locator("svg").bounding_box()
        assert min(box["width"], box["height"]) > 90
        doubt.click()
        page.locator('[data-act="review-value"][data-arg="4"]').click()
        page.locator('[data-act="review-confirm"]').click()
        page.wait_for_function("() => document.body.dataset.version === '1'")
        (thrown,) = (entry["body"]["do"]["dice"] for entry in state(page)["recent"] if entry["kind"] == "do")
        assert sorted(thrown) == [1, 1, 3, 4, 6, 6]
