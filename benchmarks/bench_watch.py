"""What watching costs, and how soon it tells: `pytest benchmarks/bench_watch.py -s`. What it came to is in
docs/benchmarks.md.

Frames are made before the time is taken: fetching and decoding them is the camera's and the system's part. From the
rest to a phone's screen (`-m slow -k screen`) all of it counts, the browser too, on one machine; its film takes minutes
to render and stays in `out/`.
"""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.browser.conftest import ARGUMENTS, CHROMIUM, PHONE
from tests.browser.playing import start_table
from tests.vision.scenes import RATE, Film
from tests.web.served import Served
from vision import Photo, Reader, Watch

SIZE = (1280, 720)
TURNS = 10
FILM = Path(__file__).resolve().parent.parent / "out" / "watched" / "film.mp4"
THROWS, PLAYS = 8, 3  # in the film, and how often it is shown
STEADY_S, AFTER_S = 3.0, 6.0  # that the empty table is watched before the film begins; the last throw after its rest
# Notes in `window.told` when which throw was first painted, in milliseconds since 1970.
NOTING = """() => {
  window.told = [];
  let before = "";
  new MutationObserver(() => {
    const dice = [...document.querySelectorAll('[data-act="watch-choose"][data-arg="0"] .dice')].at(-1);
    const values = dice ? dice.getAttribute("aria-label") : "";
    if (values === before) return;
    before = values;
    requestAnimationFrame(() => setTimeout(() => window.told.push([Date.now(), values])));
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""


@pytest.fixture(scope="module")
def reader() -> Reader:
    reader = Reader()
    reader.read(Photo(np.zeros((SIZE[1], SIZE[0], 3), np.uint8)))
    return reader


def at_720p(film: Film) -> list[Photo]:
    return [Photo(np.asarray(cv2.resize(photo.pixels, SIZE), np.uint8)) for _, photo in film]


def still() -> Film:
    return Film().throw(0, 1, 2, 3, 4, 5).last(1)


def hand_held() -> Film:
    film = Film().throw(0, 1, 2, 3, 4, 5)
    for number in range(round(RATE)):
        film.camera = (10 * np.sin(number / 5), 8 * np.cos(number / 6))
        film.last(1 / RATE)
    return film


@pytest.mark.parametrize("table", [still, hand_held])
def test_a_quiet_table(reader: Reader, table: object, capsys: pytest.CaptureFixture[str]) -> None:
    """Of one core, at 30 frames a second, once the dice at rest were told: the camera on a stand, or in a hand."""
    photos = at_720p(table())  # type: ignore[operator]
    watch = Watch(reader)
    frames = [*photos, *reversed(photos)] * TURNS  # forth and back: no jump where it begins again
    told = [event for number, photo in enumerate(photos) for event in watch.see(photo, number / RATE)]
    assert [event.event for event in told] == ["settled"]
    began, worked = time.perf_counter(), time.process_time()
    for number, photo in enumerate(frames, start=len(photos)):
        assert watch.see(photo, number / RATE) == []
    share = (time.process_time() - worked) / (len(frames) / RATE)
    with capsys.disabled():
        print(f"\n{table.__name__}: {share:.1%} of a core, by the clock {time.perf_counter() - began:.2f} s")  # type: ignore[attr-defined]
    assert share < 0.5


def test_rest_to_settled(reader: Reader, capsys: pytest.CaptureFixture[str]) -> None:
    """Seconds by the source's own clock from the last movement, a die's or the hand's, to the event."""
    delays = []
    for turn in range(TURNS):
        film = Film().throw(0, 1, 2).last(0.3)
        way = np.linspace(0, np.pi / 2, 20 + turn)
        film.roll(4, [(300 - 300 * np.sin(s), 10 * turn) for s in way])
        rests = film.shots[-1][0]
        watch = Watch(reader)
        told = [event for at, photo in film.last(0.8) for event in watch.see(photo, at)]
        delays += [event.at - rests for event in told if event.event == "settled" and event.at > 0.5]
    assert len(delays) == TURNS
    with capsys.disabled():
        print(f"\nrest to settled: median {np.median(delays):.2f} s, slowest of {TURNS} {max(delays):.2f} s")
    assert max(delays) < 0.5


def filmed() -> dict[str, Any]:
    """The labels of a film of throws of six dice, all lifted in between; rendered if it is not there."""
    labels = FILM.with_suffix(".json")
    if labels.exists():
        return dict(json.loads(labels.read_text()))
    from datasets.video.acting import Manners
    from datasets.video.command import film_game

    chance = random.Random(5)
    script = [([chance.randint(1, 6) for _ in range(6)], []) for _ in range(THROWS)]
    FILM.parent.mkdir(parents=True, exist_ok=True)
    calm = Manners(push=0.0, outside=0.0, wait=0.0, linger=0.0, disturb=0.0, lost=0.0, clear=0.0)
    return film_game(FILM, script, 5, size=SIZE, manners=calm)


def shown(data: Path, events: list[dict[str, Any]]) -> list[tuple[float, float, bool]]:
    """Of each throw of the film, shown to a server with one phone: seconds from its rest, and from the hand's leaving
    if that was later, until the phone's screen showed it (infinite: never); and whether its values were right."""
    from playwright.sync_api import sync_playwright

    begin, began = Path(f"{FILM}.go"), Path(f"{FILM}.began")
    begin.unlink(missing_ok=True)
    began.unlink(missing_ok=True)
    program = ("-m", "benchmarks.filmed")
    with Served(data, arguments=["--camera", str(FILM)], program=program) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True).new_page()
        page.set_default_timeout(60_000)
        start_table(page, server.base, "sequence", "Ada", "Bob", target=1000)
        page.locator('[data-act="watch-start"]').click()
        page.wait_for_function("() => document.getElementById('watch-live')?.naturalWidth > 0")
        page.locator('#panel [data-act="close"]').click()
        page.evaluate(NOTING)
        page.wait_for_timeout(STEADY_S * 1000)
        begin.touch()
        page.wait_for_timeout((events[-1]["at"] + AFTER_S) * 1000)
        told, start = page.evaluate("window.told"), float(began.read_text())
        browser.close()
    return [of_throw(event, events, [(at / 1000 - start, values) for at, values in told]) for event in events]


def of_throw(
    event: dict[str, Any], events: list[dict[str, Any]], told: list[tuple[float, str]]
) -> tuple[float, float, bool]:
    until = min((each["rest"] for each in events if each["rest"] > event["rest"]), default=float("inf"))
    mine = [(at, values) for at, values in told if event["rest"] <= at < until and values]
    at, values = mine[0] if mine else (float("inf"), "")
    return at - event["rest"], at - event["at"], sorted(values.split()) == [str(value) for value in event["values"]]


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (Debian: apt install chromium)")
def test_rest_to_a_phones_screen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Seconds from the rest of the last die to the throw on a phone's page; the server's camera gives 1280x720 pixels,
    30 frames a second, and the browser runs on the server's machine."""
    pytest.importorskip("numba", reason="rendering needs numba (the extra `train`)")
    events = [event for event in filmed()["events"] if event["event"] == "settled"]
    delays = [delay for play in range(PLAYS) for delay in shown(tmp_path / f"data-{play}", events)]
    rests, leaves = (sorted(each[place] for each in delays) for place in (0, 1))
    with capsys.disabled():
        for name, of in (("rest", rests), ("rest, and no hand in the picture,", leaves)):
            slow = of[int(np.ceil(0.95 * len(of))) - 1]
            print(f"\n{name} to screen: median {np.median(of):.2f} s, 95 % {slow:.2f} s, slowest {of[-1]:.2f} s")
        print(f"{len(delays)} throws, {sum(right for _, _, right in delays)} exact")
    assert np.isfinite(rests).all()
