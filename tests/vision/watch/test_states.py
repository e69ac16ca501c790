"""What the watch concludes from observations, written here or recorded of films; no pixel is needed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tests.vision.watch.recordings import RECORDED, from_json, told
from vision import Die, Reading, WatchEvent
from vision.watch import WatchState
from vision.watch.states import Comparison, End, FrameChange, Observation, Readings, Request, Rest, Watching, step

NOTHING = Rest(Reading(100, 100, ()), (), (), False)


def die(value: int, sure: bool = True) -> Die:
    return Die(value, 0.9, (10.0 * value, 10.0, 10.0 * value + 8, 18.0), sure)


def thrown(*values: int, sure: bool = True) -> Rest:
    dice = tuple(die(value, sure) for value in values)
    return Rest(Reading(100, 100, dice), (False,) * len(dice), (), True)


@dataclass
class Table:
    """A scene that answers as it is told: `rest` is what lies there."""

    rest: Rest = NOTHING
    alike: bool = False
    obstacles: tuple[str, ...] = ()
    state: Watching = field(default_factory=Watching)
    at: float = 0.0
    asked: list[Request] = field(default_factory=list)

    def see(self, seconds: float, every: float = 1 / 15, **shown: bool) -> list[WatchEvent]:
        """The events of so many seconds of frames that all show the same."""
        events = []
        for _ in range(round(seconds / every)):
            self.at += every
            events += self.follow(FrameChange(self.at, **shown))
        return events

    def follow(self, seen: Observation | None) -> list[WatchEvent]:
        events: list[WatchEvent] = []
        while seen is not None:
            self.state, happened, request = step(self.state, seen)
            events += happened
            self.asked += [] if request is None else [request]
            seen = None if request is None else self.answer(request)
        return events

    def answer(self, request: Request) -> Observation | None:
        match request:
            case Request.COMPARE:
                return Comparison(self.alike)
            case Request.READ | Request.READ_KEPT:
                before = self.state.readings or Readings(0, self.at, self.at)
                return Readings(before.number + 1 if request is Request.READ else 3, before.since, self.at)
            case Request.COMBINE:
                return self.rest
            case Request.EXAMINE:
                reading = replace(self.rest.reading, obstacles=self.obstacles)
                return replace(self.rest, reading=reading, examined=True)
            case Request.KEEP:
                self.rest, self.alike = replace(self.rest, new=False, gone=()), True
                return None


def names(events: Iterable[WatchEvent]) -> list[str]:
    return [event.event + (f" {event.reason}" if event.reason else "") for event in events]


def waits(rest: Rest, **frames: bool) -> float:
    """Seconds until this rest is reported, on a table where nothing lay."""
    table = Table()
    table.see(1)
    table.see(0.2, moves=True)
    table.rest, table.alike, began = rest, False, table.at
    (event,) = table.see(10, **frames)
    assert event.event == "settled"
    return event.at - began


def test_three_frames_that_agree_are_a_rest_or_two_that_are_further_apart() -> None:
    for every, frames in ((1 / 15, 3), (0.2, 2)):
        table = Table(thrown(1, 2))
        (event,) = table.see(1, every)
        assert (event.event, event.reading, event.stayed) == ("settled", thrown(1, 2).reading, (False, False))
        assert event.at == pytest.approx(frames * every)
        assert table.state.phase is WatchState.RESTING
        assert table.state.dice == (die(1), die(2))


def test_a_quiet_table_is_compared_twice_a_second_and_never_read() -> None:
    table = Table(thrown(1))
    table.see(1)
    table.asked.clear()
    assert table.see(10) == []
    assert set(table.asked) == {Request.COMPARE}
    assert 15 <= len(table.asked) <= 20


def test_what_no_frame_shows_moving_is_seen_by_comparing() -> None:
    table = Table(thrown(1))
    table.see(1)
    table.rest, table.alike = thrown(2), False
    assert names(table.see(1)) == ["settled"]


@pytest.mark.parametrize(
    ("changes", "seconds"),
    [
        ({}, 0.15),
        ({"reaches_in": True}, 8.0),
        ({"reaches_in": True, "lost": True}, 8.0),
        ({"hides": True}, 2.5),
        ({"covered": (die(6),)}, 8.0),
    ],
)
def test_a_throw_waits_for_what_may_hide_dice_and_is_then_not_sure(changes: dict[str, bool], seconds: float) -> None:
    rest = replace(thrown(1, 2), **changes)  # type: ignore[arg-type]
    assert seconds <= waits(rest) <= seconds + 0.41
    table = Table(rest)
    (event,) = table.see(9)
    assert event.reading is not None
    assert event.reading.complete == (set(changes) <= {"hides"})


def test_an_unsure_throw_waits_for_further_readings() -> None:
    assert waits(thrown(1, 2, sure=False)) == pytest.approx(0.38, abs=0.15)


def test_gone_dice_wait_for_a_hand_that_pauses() -> None:
    for reaches_in, seconds in ((False, 0.25), (True, 1.2)):
        table = Table(thrown(1, 2))
        table.see(1)
        assert names(table.see(0.2, moves=True)) == ["moving"]
        table.rest, table.alike, began = replace(NOTHING, gone=(die(1), die(2)), reaches_in=reaches_in), False, table.at
        (event,) = table.see(3)
        assert (event.event, event.gone) == ("cleared", (die(1), die(2)))
        assert seconds <= event.at - began <= seconds + 0.41


def test_dice_that_come_back_from_under_a_cover_were_never_gone() -> None:
    table = Table(thrown(1, 2))
    table.see(1)
    table.see(0.2, moves=True)
    left = replace(thrown(1), stayed=(True,), new=False, gone=(die(2),), covered=(die(2),))
    table.rest, table.alike = left, False
    assert names(table.see(9)) == ["settled"]
    assert table.state.covered == (die(2),)
    table.see(0.2, moves=True)
    table.rest, table.alike = replace(thrown(1, 2), stayed=(True, True), new=False), False
    (event,) = table.see(1)
    assert (event.stayed, event.gone) == ((True, True), ())


def test_movement_is_reported_when_it_lasts_and_ends_without_a_word_if_nothing_changed() -> None:
    table = Table(thrown(1))
    table.see(1)
    assert table.see(1 / 15, moves=True) == []
    assert names(table.see(1, moves=True)) == ["moving"]
    assert table.see(1) == []
    assert table.state.phase is WatchState.RESTING


def test_movement_without_end_counts_only_near_the_dice() -> None:
    for far, expected_events in ((True, ["moving", "settled"]), (False, ["moving"])):
        table = Table(thrown(1))
        assert names(table.see(8, moves=True, far=far)) == expected_events


@pytest.mark.parametrize("arm", [False, True])
def test_a_picture_that_shakes_is_a_moving_camera_or_a_hand_that_came_in(arm: bool) -> None:
    table = Table(thrown(1))
    table.see(1)
    table.see(0.4, moves=True, arm=arm)
    assert table.state.hand.shown == arm
    assert names(table.see(1, shaken=True)) == ([] if arm else ["blind moved"])


def test_a_die_at_the_edge_is_no_hand() -> None:
    table = Table(thrown(1))
    table.see(1)
    table.see(0.2, moves=True, arm=True)
    table.see(0.4, moves=True, arm=False)
    assert not table.state.hand.shown


@pytest.mark.parametrize("reason", ["dark", "blurred", "cut"])
def test_each_reason_to_see_nothing_is_told_once_and_ends(reason: str) -> None:
    table = Table(thrown(1))
    table.see(1)
    table.see(0.2, moves=True)
    table.rest, table.alike = replace(thrown(2), blurred=reason == "blurred"), False
    table.obstacles = ("cut",) if reason == "cut" else ()
    assert names(table.see(2, dark=reason == "dark")) == [f"blind {reason}"]
    table.obstacles, table.rest = (), thrown(2)
    assert names(table.see(1)) == ["settled"]


def test_an_obstacle_that_stays_is_reported_with_the_dice_at_last() -> None:
    table = Table(thrown(2), obstacles=("too-small",))
    blind, settled = table.see(5)
    assert (blind.reason, settled.event) == ("too-small", "settled")
    assert settled.reading is not None
    assert not settled.reading.sure
    assert settled.at - blind.at == pytest.approx(2.5, abs=0.41)


@pytest.mark.parametrize("shown", [{}, {"moves": True}, {"shaken": True}, {"dark": True}])
def test_who_asks_again_is_answered_at_once_whatever_is_seen(shown: dict[str, bool]) -> None:
    for rest, event in ((thrown(3), "settled"), (NOTHING, "cleared")):
        table = Table(rest)
        table.see(1)
        table.state = table.state.read_again()
        assert names(table.see(3 / 15, **shown))[:1] == [event]


def test_the_end_of_a_video_reports_what_lies_still() -> None:
    for frames in (1, 2):
        table = Table(thrown(4))
        assert table.see(frames / 15) == []
        assert names(table.follow(End())) == ["settled"]
        assert table.follow(End()) == [], "there is nothing new"
    assert Table(thrown(4)).follow(End()) == [], "no frame was seen"


def test_a_watch_that_begins_anew_knows_what_lay_there() -> None:
    table = Table(thrown(4))
    table.see(1)
    anew = table.state.begin_anew()
    assert (anew.dice, anew.at, anew.pending, anew.phase) == ((die(4),), None, True, WatchState.RESTING)


def test_whatever_is_seen_what_is_told_holds_together() -> None:
    """At rest nothing is pending; only dice that lay there are gone; a throw has dice."""
    chance, table, events = random.Random(0), Table(), list[WatchEvent]()
    for _ in range(6000):
        lay, dice = table.state.dice, chance.sample(range(1, 7), chance.randrange(4))
        flags = {name: chance.random() < 0.2 for name in ("blurred", "reaches_in", "lost", "hides")}
        gone = tuple(each for each in lay if each.value not in dice)
        table.rest = replace(thrown(*dice), new=bool(dice) and chance.random() < 0.5, gone=gone, **flags)  # type: ignore[arg-type]
        table.alike, table.obstacles = chance.random() < 0.5, ("cut",) * (chance.random() < 0.2)
        shown = {name: chance.random() < 0.3 for name in ("dark", "shaken", "moves", "far", "arm")}
        happened = table.see(chance.choice((0.07, 0.3, 1.0)), **shown)
        for event in happened:
            assert event.event != "settled" or (event.reading is not None and event.reading.dice)
            assert set(event.gone) <= set(lay)
        events += happened
        if chance.random() < 0.05:
            table.state = table.state.read_again()
        assert table.state.phase is WatchState.RESTING or table.state.pending
    assert [event.at for event in events] == sorted(event.at for event in events)
    assert {event.event for event in events} == {"moving", "settled", "cleared", "blind"}


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*.json")), ids=lambda path: path.stem)
def test_films_are_concluded_as_when_they_were_recorded(path: Path) -> None:
    document = json.loads(path.read_text())
    state, events, expected = Watching(), list[WatchEvent](), None
    for observation in map(from_json, document["seen"]):
        wanted = {Request.COMPARE: Comparison, Request.READ: Readings, Request.READ_KEPT: Readings}
        if expected not in (None, Request.KEEP):
            assert isinstance(observation, wanted.get(expected, Rest)), "the scene was asked for something else"
        state, happened, expected = step(state, observation)
        events += happened
    assert [told(event) for event in events] == document["events"]
