"""What watching costs, and how soon it tells: `pytest benchmarks/bench_watch.py -s`. What it came to is in
docs/benchmarks.md.

Frames are made before the time is taken: fetching and decoding them is the camera's and the system's part.
"""

from __future__ import annotations

import time

import cv2
import numpy as np
import pytest

from tests.vision.scenes import RATE, Film
from vision import Photo, Reader, Watch

SIZE = (1280, 720)
TURNS = 10
OUTSIDE, OVER = (760.0, 300.0), (150.0, 150.0)


@pytest.fixture(scope="module")
def reader() -> Reader:
    reader = Reader()
    reader.prepare(*SIZE)
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
