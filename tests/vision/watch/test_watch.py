"""Watching small films: what is reported of dice that are thrown, lie, are lifted and cleared, and what is not."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.cached_reader import CachedReader
from tests.vision.scenes import HEIGHT, RATE, WIDTH, Film, Shot, picture_of_dice
from vision import Photo, Reader, Region, Watch, WatchEvent
from vision.frames import frames
from vision.judging.seen import Seen
from vision.watch import EVERY, WatchState

pytestmark = pytest.mark.whole

CLIPS = Path(__file__).resolve().parents[4] / "shared" / "clips"
ALL = (0, 1, 2, 3, 4, 5)
OUTSIDE, OVER, AMONG = (760.0, 300.0), (150.0, 150.0), (330.0, 120.0)  # where the hand is


class Counting(CachedReader):
    """Counts the frames read. Many films begin with the same frames."""

    looked = 0

    most = 0  # things in one look

    def detect(self, photo: Photo, most: int | None = None) -> Seen:
        Counting.looked += 1
        detections = super().detect(photo, most)
        Counting.most = max(Counting.most, len(detections.boxes))
        return detections


@pytest.fixture(scope="module")
def loaded() -> Reader:
    return Counting()


@pytest.fixture
def reader(loaded: Reader) -> Reader:
    Counting.looked = 0
    return loaded


def watch_film(watch: Watch, shots: Iterable[Shot]) -> list[WatchEvent]:
    events = [event for at, photo in shots for event in watch.see(photo, at)]
    return events + watch.end()


def names(events: Iterable[WatchEvent]) -> list[str]:
    return [event.event for event in events]


def settled_values(events: Iterable[WatchEvent]) -> list[tuple[int, ...]]:
    return [event.reading.values for event in events if event.reading is not None]


def lying(seconds: float = 0.5) -> Film:
    return Film().throw(*ALL).last(seconds)


def test_dice_at_rest_from_the_first_frame_are_reported_once_and_cost_three_readings(reader: Reader) -> None:
    film = lying(3)
    watch = Watch(reader)
    (event,) = watch_film(watch, film)
    assert (event.event, event.stayed) == ("settled", (False,) * 6)
    assert event.reading is not None
    assert event.reading.values == film.values()
    assert event.reading.sure
    assert event.at < 0.3
    assert Counting.looked == 3
    assert watch.state is WatchState.RESTING
    assert watch.resting == event.reading.dice


@pytest.mark.parametrize("tips", [(OUTSIDE, OVER, OUTSIDE), (OUTSIDE, AMONG, AMONG, OUTSIDE)])
def test_a_hand_that_passes_or_pauses_among_the_dice_is_no_throw(
    reader: Reader, tips: tuple[tuple[float, float], ...]
) -> None:
    watch = Watch(reader)
    assert names(watch_film(watch, lying().reach(*tips).last(0.8))) == ["settled", "moving"]
    assert watch.state is WatchState.RESTING


def test_dice_that_stay_are_told_from_those_that_are_lifted_and_thrown_again(reader: Reader) -> None:
    film = lying().reach(OUTSIDE, AMONG).last(0.3).lift(1, 2, 3, 5).reach(AMONG, OUTSIDE)
    lifted = film.shots[-1][0]
    film.last(1).reach(OUTSIDE, (500, 200))
    film.dice |= {1: (60, 30), 2: (30, 60), 3: (-40, 40), 5: (20, -60)}
    film.reach((500, 200), OUTSIDE)
    thrown = film.shots[-1][0]
    first, second, third = [e for e in watch_film(Watch(reader), film.last(1)) if e.event != "moving"]
    assert first.reading is not None
    assert second.reading is not None
    assert third.reading is not None
    assert second.reading.values == (1, 3)
    assert second.stayed == (True, True)
    assert sorted(die.value for die in second.gone) == [2, 2, 3, 3]
    assert lifted - 0.2 < second.at < lifted + 0.5
    assert third.reading.values == (1, 2, 2, 3, 3, 3)
    assert sorted(d.value for d, s in zip(third.reading.dice, third.stayed, strict=True) if s) == [1, 3]
    assert third.gone == ()
    assert thrown - 0.2 < third.at < thrown + 0.5


def test_a_hand_that_was_there_at_the_rest_before_and_is_gone_holds_nothing_up(reader: Reader) -> None:
    at_edge = (540.0, 300.0)
    film = lying().reach(OUTSIDE, AMONG).lift(1, 2, 3, 5).reach(AMONG, at_edge).last(1.6)
    film.dice |= {1: (60, 30), 2: (30, 60), 3: (-40, 40), 5: (20, -60)}
    film.reach(at_edge, OUTSIDE)
    gone = film.shots[-1][0]
    events = [event for event in watch_film(Watch(reader), film.last(1)) if event.event != "moving"]
    assert settled_values(events) == [(1, 2, 2, 3, 3, 3), (1, 3), (1, 2, 2, 3, 3, 3)]
    assert events[1].at < gone - 0.4, "the hand that stays is at this rest"
    assert events[2].at < gone + 0.5


COVERING = (170.0, 150.0)  # over some dice, and lying on others


def test_dice_under_a_hand_that_lies_still_are_neither_gone_nor_thrown_again(reader: Reader) -> None:
    film = lying().reach(OUTSIDE, COVERING).last(3)
    lies = film.shots[-1][0]
    film.reach(COVERING, OUTSIDE).last(0.8)
    watch = Watch(reader, dice=6)
    assert names(watch_film(watch, film)) == ["settled", "moving"]
    assert watch.state is WatchState.RESTING
    assert seconds_with_a_hand(Watch(reader, dice=6), film)[-1] > lies, "the hand is told while it lies still"


def test_a_throw_under_a_hand_is_told_once_and_whole_when_the_hand_is_gone(reader: Reader) -> None:
    film = Film().last(0.4).reach(OUTSIDE, COVERING).throw(*ALL).last(2.5)
    gone = film.shots[-1][0]
    film.reach(COVERING, OUTSIDE).last(0.8)
    events = watch_film(Watch(reader, dice=6), film)
    assert settled_values(events) == [film.values()]
    assert events[-1].at > gone


def test_a_lamp_mirrored_in_a_die_covers_it(reader: Reader) -> None:
    film = lying()
    for begin in (False, True):
        film.glare = (184.0, 114.0)
        film.last(1.5)
        film.glare = None
        film.last(0.6)
        assert settled_values(watch_film(Watch(reader, dice=6 if begin else None), film)) == [film.values()]


@pytest.mark.parametrize(
    "share", [pytest.param(0.2, marks=pytest.mark.slow), 0.4, pytest.param(0.6, marks=pytest.mark.slow)]
)
def test_a_die_that_the_border_cuts_is_never_sure(reader: Reader, share: float) -> None:
    film = Film().throw(*ALL)
    x0, _, x1, _ = min(box for _, box in picture_of_dice(film.name)[2])
    film.camera = (-x0 - share * (x1 - x0), 0.0)
    events = watch_film(Watch(reader), film.last(4))
    assert [(event.event, event.reason) for event in events][:1] == [("blind", "cut")]
    settled = [event for event in events if event.reading is not None]
    assert settled, "in the end a person is asked"
    assert not any(event.reading.sure for event in settled if event.reading is not None)


def slower(film: Film, rate: int) -> list[Shot]:
    """The same film as a phone on a stand sends it: so many frames a second."""
    return film.shots[:: round(RATE / rate)]


def test_five_frames_a_second_are_enough(reader: Reader) -> None:
    film = Film().last(1)
    film.roll(4, [(300 - 300 * np.sin(s), 100 * np.sin(s) - 100) for s in np.linspace(0, np.pi / 2, 30)])
    rests = film.shots[-1][0]
    film.last(1).reach(OUTSIDE, AMONG).last(0.5).lift(4).reach(AMONG, OUTSIDE)
    lifted = film.shots[-1][0]
    film.last(1)
    events = watch_film(Watch(reader), slower(film, 5))
    rest, cleared = [event for event in events if event.event != "moving"]
    assert (rest.event, cleared.event) == ("settled", "cleared")
    assert rest.at <= rests + 0.8
    assert cleared.at <= lifted + 1.0
    assert seconds_with_a_hand(Watch(reader), film, rate=5)


def seconds_with_a_hand(watch: Watch, film: Film, rate: int = round(RATE)) -> list[float]:
    """The seconds of all frames after which a hand is reported."""
    seconds = []
    for at, photo in slower(film, rate):
        watch.see(photo, at)
        if watch.hand:
            seconds.append(at)
    return seconds


def test_a_hand_in_the_picture_is_reported_while_it_is_there_and_no_longer(reader: Reader) -> None:
    film = lying()
    began = film.shots[-1][0]
    film.reach(OUTSIDE, AMONG).last(0.5).lift(1, 2).reach(AMONG, OUTSIDE)
    ended = film.shots[-1][0]
    seconds = seconds_with_a_hand(Watch(reader), film.last(1))
    assert began < seconds[0] < began + 0.7
    assert seconds[-1] <= ended + 0.3
    assert np.diff(seconds).max() < 1.5 * EVERY, "it is told all the while, also as it pauses"


def test_dice_that_roll_in_over_the_edge_are_no_hand(reader: Reader) -> None:
    film = Film().last(0.3)
    for place, begin in ((0, -420.0), (4, 420.0)):
        film.roll(place, [(begin - begin * np.sin(s), 0) for s in np.linspace(0, 1.3, 30)])  # to where they roll yet
    watch = Watch(reader)
    assert seconds_with_a_hand(watch, film) == []
    assert watch.state is WatchState.MOVING


@pytest.mark.parametrize("rate", [5, pytest.param(round(RATE), marks=pytest.mark.slow)])
def test_a_hand_that_lies_over_the_whole_picture_clears_nothing(reader: Reader, rate: int) -> None:
    film = lying()
    film.near = 6.0
    film.reach((1100.0, 240.0), (40.0, 240.0)).last(3).reach((40.0, 240.0), (1100.0, 240.0))
    film.near, film.hand = 1.0, None
    events = watch_film(Watch(reader, dice=6), slower(film.last(0.8), rate))
    assert settled_values(events) == [film.values()]
    assert "cleared" not in names(events)


def test_a_camera_that_was_pushed_is_neither_hand_nor_throw(reader: Reader) -> None:
    film = lying()
    for number in range(15):
        film.camera = (25 * np.sin(number), 20 * np.cos(1.7 * number))
        film.last(1 / RATE)
    film.camera = (40, -25)
    events = watch_film(Watch(reader), film.last(1))
    assert names(events) == ["settled", "blind"]
    assert events[1].reason == "moved"
    assert seconds_with_a_hand(Watch(reader), film) == []


def test_a_hand_held_camera_and_changing_light_are_no_throws(reader: Reader) -> None:
    film = Film().throw(*ALL)
    for number in range(90):
        film.camera = (15 * np.sin(number / 20) + film.rng.normal(0, 0.6), 12 * np.cos(number / 25))
        film.light = 1 + 0.1 * np.sin(number)
        film.last(1 / RATE)
    for film.light in (0.7, 1.1, 0.5):
        film.last(0.4)
    assert names(watch_film(Watch(reader), film)) == ["settled"]


def test_dice_out_of_focus_are_not_gone(reader: Reader) -> None:
    film = lying().reach(OUTSIDE, OVER, OUTSIDE)
    film.blur = 9
    events = watch_film(Watch(reader), film.last(0.8))
    assert [(e.event, e.reason) for e in events] == [("settled", ""), ("moving", ""), ("blind", "blurred")]
    film.blur = 0
    film.lift(0, 1)
    assert settled_values(watch_film(Watch(reader), film.last(0.8)))[-1] == film.values()


def test_dice_cleared_from_a_checked_cloth_are_not_out_of_focus(reader: Reader) -> None:
    """Its pattern looks, seen small, as it did with the dice on it."""
    film = Film("throw-66666.jpg", checked=0.5).throw(*range(5)).last(0.5).reach(OUTSIDE, OVER)
    film.lift(*range(5)).reach(OVER, OUTSIDE)
    assert names(watch_film(Watch(reader), film.last(0.8))) == ["settled", "moving", "cleared"]


def test_reading_a_cloth_whose_squares_all_might_be_dice_is_bounded(reader: Reader) -> None:
    y, x = np.indices((HEIGHT, WIDTH))
    cloth = (cv2.GaussianBlur(((x // 18 + y // 18) % 2).astype(np.float32), (0, 0), 2) * 215 + 20).astype(np.uint8)
    photo = Photo(np.dstack([cloth] * 3))
    assert len(reader.detect(photo).boxes) > 80
    Counting.most = 0
    assert watch_film(Watch(reader), [(number * EVERY, photo) for number in range(5)]) == []
    assert 0 < Counting.most <= 40


def test_what_lies_and_moves_outside_the_region_is_not_there(reader: Reader) -> None:
    """The region ends between the two leftmost dice and the others; the hand moves right of it all the time."""
    film = Film().throw(*ALL)
    for number in range(45):
        film.hand = (480 + 15 * np.sin(number), 240 + 15 * np.cos(number))
        film.last(1 / RATE)
    region = Region.from_numbers([0, 0, 0.36, 0, 0.36, 1, 0, 1])
    (event,) = watch_film(Watch(reader, region=region), film)
    assert event.reading is not None
    assert event.reading.values == (1, 2)
    assert (event.reading.width, event.reading.height) == (WIDTH, HEIGHT)
    assert event.at < 0.3


def test_with_the_dice_count_fewer_dice_may_lie_there(reader: Reader) -> None:
    film = Film().throw(0, 1).last(0.6)
    (event,) = watch_film(Watch(reader, dice=6), film)
    assert event.reading is not None
    assert event.reading.values == film.values()
    assert event.reading.sure
    with pytest.raises(ValueError, match=r"1\.\.30"):
        Watch(reader, dice=0)


def test_another_size_of_frames_begins_anew(reader: Reader) -> None:
    film = lying(0.3)
    larger = [(0.3 + at, Photo(np.asarray(cv2.resize(p.pixels, (960, 720)), np.uint8))) for at, p in film]
    watch = Watch(reader, region=Region.from_numbers([0, 0, 1, 0, 1, 1, 0, 1]))
    events = watch_film(watch, [*film, *larger])
    assert events[0].event == "settled"
    assert watch.resting


def test_frames_between_two_glances_are_passed_over(reader: Reader) -> None:
    frame = lying(1 / RATE).shots[0][1]
    watch = Watch(reader)
    for number in range(17):
        watch.see(frame, number * EVERY / 20)
    assert Counting.looked == 1


def test_an_event_as_a_line_of_json(reader: Reader) -> None:
    (event,) = watch_film(Watch(reader), Film().throw(0, 1).last(0.4))
    line = json.loads(json.dumps(event.to_json()))
    assert (line["event"], line["values"], line["sure"], line["gone"]) == ("settled", [1, 2], True, [])
    assert [die["stayed"] for die in line["dice"]] == [False, False]
    assert set(line["dice"][0]) >= {"value", "confidence", "sure", "box", "stayed"}
    dark = WatchEvent(1.23456, "blind", reason="dark").to_json()
    assert dark == {"at": 1.235, "event": "blind", "reason": "dark", "text": "it is too dark to see dice"}


def clip(name: str) -> Iterator[Shot]:
    if not (CLIPS / name).is_file():
        pytest.skip("the clips of real throws are not here")
    return frames(str(CLIPS / name), EVERY)


@pytest.mark.parametrize(
    ("name", "values", "rest"),
    [("five-red-on-green.mp4", (2, 2, 2, 3, 5), 1.6), ("three-on-carpet-hand-held.mp4", (3, 4, 5), 1.4)],
)
def test_real_throws_are_reported_once(reader: Reader, name: str, values: tuple[int, ...], rest: float) -> None:
    events = watch_film(Watch(reader), clip(name))
    assert settled_values(events) == [values]
    assert "cleared" not in names(events)
    assert rest <= events[-1].at <= rest + 0.5
