"""Rounds in which everybody writes the same throws, and an adder that knows no rules but those of Yahtzee's cells.

People answer, change their minds, answer late or not at all; the front table corrects or takes
back throws; the desk closes some; the server is killed in between. Each round is compared with the adder.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.web.clubs.simulated_nights import DESK, Server
from web.clubs import night_commands as club
from web.clubs import night_events
from web.clubs.hall_throws import HallSheet
from web.clubs.night_events import Plan, RoundPlan
from web.clubs.standings import standings
from web.problems.problem import Problem
from web.table import commands
from web.table.commands import Asker

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
LOWER = ("three", "four", "full", "small-straight", "large-straight", "general", "chance")
CELLS = (*UPPER, *LOWER)
YAHTZEE = RoundPlan("yahtzee", {}, True)


def worth(cell: str, dice: list[int]) -> int:
    """Of dice that are not all alike."""
    if cell in UPPER:
        return dice.count(face := UPPER.index(cell) + 1) * face
    times = sorted(Counter(dice).values())
    runs = [n for n in (5, 4) for first in (1, 2, 3) if set(range(first, first + n)) <= set(dice)]
    fits = {
        "three": times[-1] >= 3,
        "four": times[-1] >= 4,
        "full": times == [2, 3],
        "small-straight": bool(runs),
        "large-straight": 5 in runs,
        "general": False,
        "chance": True,
    }[cell]
    return fits * {"full": 25, "small-straight": 30, "large-straight": 40}.get(cell, sum(dice))


@dataclass
class Told:
    """A throw, and the cell that each person chose last."""

    dice: list[int]
    cells: dict[int, str] = field(default_factory=dict)


class SimulatedHall:
    def __init__(self, server: Server, rng: random.Random, people: int, plan: RoundPlan = YAHTZEE) -> None:
        self.server, self.rng = server, rng
        self.told: list[Told] = []
        self.key = server.nights.start(Plan(name="Hall", rounds=[plan]), DESK).key
        self.do(night_events.PeopleCame([f"Person {number}" for number in range(people)]))
        self.people = range(1, people + 1)
        for person in self.people:
            self.server.nights.do(self.key, club.ComeAs(person), self.phone(person))
        self.do(club.DrawRound())
        self.front = server.nights.ring(self.key, DESK, lambda: None).rounds[-1].tables[0].key

    def do(self, command: club.Asked) -> None:
        self.server.nights.do(self.key, command, DESK)

    def phone(self, person: int) -> Asker:
        return Asker(f"phone-of-{person:03}")

    def sheet(self, person: int) -> HallSheet:
        found = self.server.nights.sheet(self.key, self.phone(person))
        assert found is not None
        return found

    def play(self) -> None:
        while len(self.told) < len(CELLS):
            self.change_front("throw")
            self.answer()
            if self.rng.random() < 0.2:
                self.change_front("correct", len(self.told))
                self.answer()
            if self.rng.random() < 0.15:
                self.change_front("undo")
            if self.told and self.rng.random() < 0.2:
                self.change_front("correct", self.rng.randint(1, len(self.told)))
            if self.rng.random() < 0.1:
                self.server.kill()
        self.close()
        for _ in range(self.rng.randrange(3)):
            self.change_front("correct", self.rng.randint(1, len(CELLS)))

    def close(self) -> None:
        shown = self.sheet(1).hall
        self.do(club.CloseThrow(shown.id))
        self.server.nights.settle(self.key)
        with pytest.raises(Problem, match="This throw is over"):
            self.server.nights.write(self.key, shown.id, [{"do": "score", "category": "chance"}], self.phone(1))

    def change_front(self, what: str, step: int = 0) -> None:
        """Throws, corrects a throw, or takes the last one back; what was chosen for an open throw is gone then."""
        dice = [self.rng.randint(1, 6) for _ in range(5)]
        if len(set(dice)) == 1:
            dice[0] = dice[0] % 6 + 1
        version = self.server.runner.look(self.front).version
        once: Any = {"version": version, "request": f"request-{self.rng.randrange(10**12)}"}
        action: Any = {"do": "throw", "dice": dice}
        is_open = bool(self.told) and self.sheet(1).hall.open
        if what == "throw":
            self.server.runner.do(self.front, commands.Act(action=action, **once), DESK)
            self.told.append(Told(dice))
        elif what == "undo":
            self.server.runner.do(self.front, commands.Undo(**once), DESK)
            self.told.pop()
        else:
            self.server.runner.do(self.front, commands.Correct(step=step, action=action, **once), DESK)
            told = self.told[step - 1]
            if is_open and step == len(self.told) and dice != told.dice:
                told.cells.clear()
            told.dice = dice

    def answer(self) -> None:
        for person in self.people:
            for _ in range(self.rng.choice([0, 1, 1, 1, 2])):
                shown = self.sheet(person)
                choice = self.rng.choice(shown.choices)
                cell = choice.action["category"]
                assert choice.points == worth(cell, self.told[-1].dice)
                self.server.nights.write(self.key, shown.hall.id, [choice.action], self.phone(person))
                self.told[-1].cells[person] = cell

    def add_up(self, person: int) -> int:
        cells: dict[str, int] = {}
        for each in self.told:
            cell = each.cells.get(person)
            late = next(free for free in CELLS if free not in cells)
            cells[cell or late] = worth(cell, each.dice) if cell else 0
        return sum(cells.values()) + 35 * (sum(cells[each] for each in UPPER) >= 63)

    def check(self) -> None:
        """Compares the standings with the adder, and with what a new server makes of the journal."""
        totals = {person: self.add_up(person) for person in self.people}
        shown = [(line.person, line.total, line.place) for line in standings(self.server.nights.look(self.key))]
        wanted = [(one, own, 1 + sum(other > own for other in totals.values())) for one, own in totals.items()]
        assert sorted(shown) == sorted(wanted)
        best = self.sheet(1).hall.best
        assert best is not None
        assert best >= max(totals.values())
        self.server.kill()
        again = standings(self.server.nights.settle(self.key))
        assert shown == [(line.person, line.total, line.place) for line in again]
