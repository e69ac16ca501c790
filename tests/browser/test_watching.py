"""The server's camera watches the table: a throw that comes to rest is on the phones, and a tap confirms it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.browser.conftest import OUT
from tests.browser.playing import PICTURES, start_table, state
from tests.web.served import Served

PICTURE = PICTURES / "throw-113466.jpg"
RATE = 20  # pictures a second
EMPTY_S, HAND_S, DICE_S = 2, 2, 26


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """An empty table, something dark that moves over it, and six dice that lie there: again and again."""
    dice = cv2.resize(cv2.imread(str(PICTURE)), (960, 720))
    empty = np.full_like(dice, 110)
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), RATE, (960, 720))
    for number in range(RATE * (EMPTY_S + HAND_S)):
        picture = empty.copy()
        if number >= RATE * EMPTY_S:
            left = 90 * (number % 7)
            picture[150:600, left : left + 300] = (50, 60, 90)
        writer.write(picture)
    for _ in range(RATE * DICE_S):
        writer.write(dice)
    writer.release()
    return path


@pytest.fixture
def watched(tmp_path: Path, film: Path) -> Iterator[Served]:
    with Served(tmp_path / "data", arguments=["--camera", str(film)]) as server:
        yield server


def test_a_throw_is_watched_and_confirmed_with_one_tap(watched: Served, new_phone: Callable[..., Any]) -> None:
    page, other = new_phone(), new_phone()
    start_table(page, watched.base, "sequence", "Ada", "Bob")
    other.goto(page.url)
    page.locator('[data-act="watch-start"]').click()
    page.wait_for_function("() => document.getElementById('watch-live')?.naturalWidth > 0")
    OUT.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=str(OUT / "watching-picture.png"))
    corner = page.locator('[data-corner="0"]')
    box = corner.bounding_box()
    page.mouse.move(box["x"] + 22, box["y"] + 22)
    page.mouse.down()
    page.mouse.move(box["x"] + 40, box["y"] + 34, steps=4)
    page.mouse.up()
    page.wait_for_function("async () => (await (await fetch(location.pathname + '/state')).json()).watched.region")
    region = state(page)["watched"]["region"]
    assert 0 < region[0] < 0.1
    assert region[2:] == [1, 0, 1, 1, 0, 1]
    page.screenshot(path=str(OUT / "watching-region.png"))
    page.locator('#panel [data-act="close"]').click()
    board = new_phone(viewport={"width": 1280, "height": 720}, is_mobile=False)
    board.goto(f"{page.url}/board")
    board.wait_for_function("() => document.getElementById('board-live')?.naturalWidth > 0")
    board.screenshot(path=str(OUT / "watching-board.png"))
    for each in (page, other):
        each.wait_for_selector('[data-act="watch-choose"]')
    page.screenshot(path=str(OUT / "watching-throw.png"))
    told = state(page)["watched"]
    assert sorted(told["ways"][0][0]["dice"]) == [1, 1, 3, 4, 6, 6]
    other.locator('[data-act="watch-choose"]').first.click()
    page.wait_for_function("() => document.body.dataset.version === '1'")
    assert state(page)["standing"]["players"][0]["turns"] == [0], "1, 1, 3, 4, 6, 6 holds no run"
    page.wait_for_selector('[data-act="watch-choose"]', state="detached")
