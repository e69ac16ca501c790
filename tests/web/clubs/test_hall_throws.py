"""One throw for all: whose sheet changes, when a throw is over, and what a correction does to sheets."""

import random
from itertools import permutations
from typing import Any

import pytest

import scorer
from scorer.shared_throws import best_sheet, may_share
from tests.web.clubs.simulated_halls import SimulatedHall
from tests.web.clubs.simulated_nights import DESK, Server
from tests.web.clubs.test_nights import GUEST, reason
from web.clubs import night_commands as club
from web.clubs import night_events
from web.clubs.night import HallThrow, Round, begin, evolve, seconds_of
from web.clubs.night_document import document
from web.clubs.night_events import NightBegun, Plan, RoundPlan, from_change
from web.table import commands

HALL = RoundPlan("yahtzee", {}, True)


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 200))])
def test_a_simulated_hall_is_what_an_adder_says(host: Server, seed: int) -> None:
    hall = SimulatedHall(host, random.Random(seed), 5)
    hall.play()
    hall.check()


def test_a_throw_is_over_when_time_is_up_or_the_desk_says_so() -> None:
    shown = HallThrow(1, (1, 2), "2026-11-30T20:00:00Z")
    played = Round(1, HALL, (), (), 0, throws=(shown,), seconds=30)
    at = seconds_of(shown.at)
    assert played.open_throw(at + 30) == shown
    assert played.open_throw(at + 30.1) is None
    assert Round(1, HALL, (), (), 0, throws=(shown,)).open_throw(at + 1e6) == shown
    closed = HallThrow(1, (1, 2), shown.at, closed=True)
    assert Round(1, HALL, (), (), 0, throws=(closed,)).open_throw(at) is None


def test_a_phone_changes_the_own_sheet_alone(host: Server) -> None:
    hall = SimulatedHall(host, random.Random(1), 3)
    hall.change_front("throw")
    nights, shown = host.nights, hall.sheet(1).hall
    action: Any = {"do": "score", "category": "chance"}
    assert reason(lambda: nights.write(hall.key, shown.id, [action], GUEST)) == "throw-closed"
    for wrong in (
        {"do": "adjust", "what": "total", "player": 0, "points": 500},
        {"do": "throw", "dice": [6] * 5},
        {**action, "points": 500},
        {**action, "category": "nothing"},
    ):
        assert reason(lambda wrong=wrong: nights.write(hall.key, shown.id, [wrong], hall.phone(1))) == "stale"
    assert reason(lambda: nights.write(hall.key, shown.id + 1, [action], hall.phone(1))) == "throw-closed"
    for command in (club.CloseThrow(shown.id), night_events.HallTimed(5), club.TellThrows(hall.front, [])):
        assert reason(lambda command=command: nights.do(hall.key, command, hall.phone(1))) == "desk-only"
    nights.write(hall.key, shown.id, [action], hall.phone(1))
    assert [len(hall.sheet(person).chosen) for person in hall.people] == [1, 0, 0]
    assert hall.sheet(2).hall.answered == 1


def test_events_of_the_hall_are_read_back(host: Server) -> None:
    hall = SimulatedHall(host, random.Random(2), 2)
    for what, step in (("throw", 0), ("throw", 0), ("correct", 1), ("undo", 0)):
        hall.change_front(what, step)
    hall.do(night_events.HallTimed(20))
    hall.do(club.CloseThrow(hall.sheet(1).hall.id))
    first, *others = map(from_change, host.runner.look(hall.key).changes)
    assert isinstance(first, NightBegun)
    night = evolve(begin(first), others)
    assert night == host.nights.look(hall.key)
    assert [(each.closed, each.corrected) for each in night.rounds[0].throws] == [(True, True)]
    shown = document(night, host.nights.game_of, 0)
    assert shown.round.tables[0].code == "", "it would let the hall throw"


def test_knaster_of_a_hall_is_knaster_at_one_table(host: Server) -> None:
    """The same throws and choices, at an ordinary table; who writes nothing has nothing."""
    rng, people = random.Random(5), range(1, 4)
    hall = SimulatedHall(host, rng, 3, RoundPlan("knaster", {}, True))
    table = scorer.Table(scorer.game("knaster"), ["Ann", "Bob", "Cyd"])
    while not table.over:
        dice = [rng.randint(1, 6), rng.randint(1, 6)]
        version = host.runner.look(hall.front).version
        thrown: Any = {"do": "throw", "dice": dice}
        act = commands.Act(version=version, request=f"request-{version:04}", action=thrown)
        host.runner.do(hall.front, act, DESK)
        table.do(thrown)
        for person in people:
            sheet, chosen = hall.sheet(person), list[Any]()
            while (options := sheet.further if chosen else sheet.choices) and rng.random() < 0.95:
                chosen.append(rng.choice(options).action)
                host.nights.write(hall.key, sheet.hall.id, chosen, hall.phone(person))
                sheet = hall.sheet(person)
            for each in chosen:
                table.do(each)
            if table.turn["throw"] and person - 1 in table.to_act:
                table.do({"do": "adjust", "what": "turn", "player": person - 1, "cells": []})
    hall.do(club.CloseThrow(hall.sheet(1).hall.id))
    totals = host.nights.settle(hall.key).rounds[0].tables[0].totals
    assert totals is not None
    assert [each.points for each in totals] == table.scores
    assert len(host.nights.look(hall.key).rounds[0].throws) == table.state.round


@pytest.mark.parametrize("seed", range(3))
def test_skunk_of_a_hall_is_skunk_at_one_table(host: Server, seed: int) -> None:
    """The same throws and choices, at an ordinary table; who taps nothing stands, and who sat down may stand again."""
    rng, people = random.Random(seed), range(1, 5)
    hall = SimulatedHall(host, rng, 4, RoundPlan("skunk", {}, True))
    table = scorer.Table(scorer.game("skunk"), ["Ann", "Bob", "Cyd", "Dan"])
    while not table.over:
        version = host.runner.look(hall.front).version
        thrown: Any = {"do": "throw", "dice": [rng.randint(1, 6), rng.randint(1, 6)]}
        act = commands.Act(version=version, request=f"request-{version:04}", action=thrown)
        host.runner.do(hall.front, act, DESK)
        table.do(thrown)
        sits = []
        for person in people:
            sheet, legal = hall.sheet(person), [each for each in table.legal if each.get("player") == person - 1]
            assert [(each.action["do"], each.points) for each in sheet.choices] == [
                (each["do"], each["points"]) for each in legal
            ]
            if legal and rng.random() < 0.4:
                sit = sheet.choices[0].action
                for actions in rng.choice([[[sit]], [[sit], []], [[sit], [], [sit]]]):
                    host.nights.write(hall.key, sheet.hall.id, actions, hall.phone(person))
                assert [each.get("do") for each in hall.sheet(person).chosen] == ["sit"] * len(actions)
                sits += actions
        for each in sits:
            table.do(each)
    hall.do(club.CloseThrow(hall.sheet(1).hall.id))
    totals = host.nights.settle(hall.key).rounds[0].tables[0].totals
    assert totals is not None
    assert [each.points for each in totals] == table.scores


def test_which_games_a_hall_may_play(host: Server) -> None:
    fit = {info.key for info in scorer.all_games() if may_share(scorer.game(info.key))}
    assert {"yahtzee", "kniffel", "kosci", "kosci-single", "kosci-triple", "balut", "knaster", "skunk", "yatzy"} <= fit
    assert not fit & {"low-house-number", "farkle", "generala", "score-pad"}
    assert not may_share(scorer.game("yatzy", forced=True))
    plan = Plan(name="N", rounds=[RoundPlan("farkle", {}, True)])
    assert reason(lambda: host.nights.start(plan, DESK)) == "night-hall-game"


def test_the_best_sheet_is_the_best_of_all_orders() -> None:
    game, rng = scorer.game("hooligan"), random.Random(3)
    for _ in range(2):
        throws = [tuple(rng.randint(1, 6) for _ in range(5)) for _ in game.categories]
        found = max(
            sum(cell.worth(tuple(sorted(dice)), 1) for cell, dice in zip(game.categories, order, strict=True))
            for order in permutations(throws)
        )
        assert best_sheet(game, tuple(throws)) == found
