"""Films throws of Ones and Fives that take no tap, and shows them beside a phone's page: the README's first picture.

    .venv/bin/python docs/animation.py

Needs Chromium and the packages of the extras `test` and `train`. Dice, hand and table are rendered; what the page shows
is what the real server makes of that video.
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from PIL import Image  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from datasets.video.acting import Manners  # noqa: E402
from datasets.video.command import film_game  # noqa: E402
from tests.browser.conftest import ARGUMENTS, CHROMIUM, PHONE  # noqa: E402
from tests.browser.hands_free import REST_S, Table  # noqa: E402
from tests.browser.playing import start_table  # noqa: E402
from tests.web.served import Served  # noqa: E402
from vision.frames import frames  # noqa: E402

OUT = Path(__file__).resolve().parent / "screenshots" / "hands-free.webp"
SCRIPT = [((1, 1, 6, 6, 3, 4), (1, 1)), ((2, 3, 4, 5), ())]
SEED = 11
MANNERS = Manners(push=0.0, outside=0.0, wait=1.0, linger=0.0, disturb=0.0, lost=0.0, clear=0.0)
EVERY_S = 0.125  # of the film, from one picture to the next
TOLD_S = 0.25  # after dice have come to rest: about when they are told
BLINK_MS, STAYS_MS = 125, 1500  # a picture of the film; the last one
FILM, PAGE, GAP = (440, 330), (244, 528), 16
BACKGROUND = (246, 244, 238)
QUALITY = 45


@dataclass(frozen=True)
class Shot:
    """What the page showed from so many seconds of the film on; `held`: the film waits for it, in milliseconds."""

    at: float
    page: Image.Image
    held: int = 0


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        film = Path(folder) / "film.mp4"
        events = film_game(film, SCRIPT, SEED, manners=MANNERS)["events"]
        arguments = ["--camera", str(film)]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        with Served(Path(folder) / "data", arguments=arguments, program=("-m", "tests.browser.paced")) as served:
            page = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, locale="en-GB").new_page()
            page.set_default_timeout(120_000)
            start_table(page, served.base, "ones-and-fives", "Ada", "Bob")
            table = Table(page, film, [])
            table.watch()
            shots = played(table, events)
        browser.close()
        assert table.taps == []
        save(film, shots)
    print(OUT.relative_to(ROOT), OUT.stat().st_size >> 10, "kB")


def played(table: Table, events: list[dict[str, Any]]) -> list[Shot]:
    """Shows the film to the server, and takes the page as it is while dice move, once they rest, and confirmed."""
    shots = [Shot(0.0, taken(table.page))]
    throws = 0
    for number, event in enumerate(events):
        if event["event"] == "moving":
            continue
        moving = next((each["at"] for each in events[number + 1 :] if each["event"] == "moving"), float("inf"))
        table.show(min(event["at"] + REST_S, moving - 0.1))
        until(table, "moving")
        shots.append(Shot(events[number - 1]["at"] + TOLD_S, taken(table.page)))
        until(table, "throw", "put", "resting")
        shots.append(Shot(event["rest"] + TOLD_S, taken(table.page)))
        if len(event["stayed"]) < len(event["values"]):
            throws += 1
            shots += confirmed(table, event["rest"] + TOLD_S, throws)
    return shots


def confirmed(table: Table, at: float, throws: int) -> list[Shot]:
    """The page while the time of a sure throw runs down, and once it counts; the film stands still."""
    shots, began = [], time.monotonic()
    while table.standing()["version"] < 2 * throws - 1:  # a set-aside with each throw but the first
        picture = taken(table.page)
        shots.append(Shot(at, picture, round(1000 * (time.monotonic() - began))))
        began = time.monotonic()
    return [*shots, Shot(at, taken(table.page), 800)]


def until(table: Table, *states: str) -> None:
    end = time.monotonic() + 120
    while table.told()["state"] not in states:
        assert time.monotonic() < end, f"{states}: {table.told()}"
        time.sleep(0.02)


def taken(page: Any) -> Image.Image:
    picture = Image.open(BytesIO(page.screenshot(scale="css")))
    return picture.convert("RGB").resize(PAGE, Image.Resampling.LANCZOS)


def save(film: Path, shots: list[Shot]) -> None:
    """Film and page side by side."""
    pictures: list[Image.Image] = []
    lasts: list[int] = []
    left = list(shots)
    page = left.pop(0).page
    for at, photo in frames(str(film), EVERY_S):
        shown = Image.fromarray(photo.pixels).resize(FILM, Image.Resampling.LANCZOS)
        while left and left[0].at <= at:
            shot = left.pop(0)
            page = shot.page
            if shot.held:
                pictures.append(beside(shown, page))
                lasts.append(shot.held)
        pictures.append(beside(shown, page))
        lasts.append(BLINK_MS)
    lasts[-1] = STAYS_MS
    first, *others = pictures
    first.save(OUT, save_all=True, append_images=others, duration=lasts, loop=0, quality=QUALITY, method=4)


def beside(film: Image.Image, page: Image.Image) -> Image.Image:
    picture = Image.new("RGB", (FILM[0] + PAGE[0] + 3 * GAP, PAGE[1] + 2 * GAP), BACKGROUND)
    picture.paste(film, (GAP, GAP + (PAGE[1] - FILM[1]) // 2))
    picture.paste(page, (FILM[0] + 2 * GAP, GAP))
    return picture


if __name__ == "__main__":
    main()
