"""Nights at which people come, leave, play and correct, and an adder that knows nothing of `web.clubs`.

Nights of 12 to 60 people: with late ones and leavers, tables without a phone, results that are corrected or taken back,
also after the end, and a server that is killed in between. Each night is compared with the adder.
"""

from __future__ import annotations

import contextlib
import random
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

from web.clubs import night_commands as club
from web.clubs import night_events
from web.clubs.night import Night, NightTable, Round
from web.clubs.night_decisions import MOST_ROUNDS
from web.clubs.night_document import next_of
from web.clubs.night_events import Plan, RoundPlan
from web.clubs.nights import Nights
from web.clubs.standings import standings
from web.pages.live import NoPhones
from web.problems.problem import Problem
from web.runner.runner import Runner
from web.store.sqlite import SqliteStore
from web.table import commands
from web.table.commands import Asker

DESK = Asker("the-phone-of-the-desk", "Desk")
PAD = RoundPlan("score-pad", {"rounds": 1})


class Server:
    """A server whose store may be cut off at any moment, as by a power cut."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.kills = folder, 0
        self._open(folder / "0")

    def _open(self, data: Path) -> None:
        self.data, self.store = data, SqliteStore(data)
        self.runner = Runner(self.store, NoPhones())
        self.nights = Nights(self.runner)

    def kill(self) -> None:
        """Goes on with the files as they lie there now; the old server does nothing more."""
        self.kills += 1
        new = self.folder / str(self.kills)
        shutil.copytree(self.data, new)
        self.store.close()
        shutil.rmtree(self.data)
        self._open(new)


class SimulatedNight:
    """`told`: by round and table, who brought home how much, as the people there would say it."""

    def __init__(self, server: Server, rng: random.Random) -> None:
        self.server, self.rng = server, rng
        self.told: dict[tuple[int, int], dict[str, int]] = {}
        self.plan = Plan(
            name=f"Night {rng.randrange(1000)}",
            rounds=[PAD] * rng.randint(1, 4),
            seats=rng.randint(2, 6),
            exactly=rng.random() < 0.3,
            adds=rng.choice(["points", "places", "wins"]),
            finalists=rng.choice([0, 0, 4, 6]),
            minutes=rng.choice([0, 30]),
            draw=rng.choice(["new-people", "places", "rotation", "last-table"]),
        )
        self.key = server.nights.start(self.plan, DESK).key
        self.come(rng.randint(12, 60))

    @property
    def night(self) -> Night:
        return self.server.nights.look(self.key)

    def do(self, command: club.Asked) -> None:
        self.server.nights.do(self.key, command, DESK)

    def come(self, count: int) -> None:
        known = len(self.night.people)
        self.do(night_events.PeopleCame([f"Person {number}" for number in range(known + 1, known + count + 1)]))

    def play(self) -> None:
        if self.rng.random() < 0.4:
            self.do(night_events.TeamsMade())
        if self.plan.draw == "last-table":
            self.play_until_one_table_is_left()
        for _ in self.plan.rounds if self.plan.draw != "last-table" else ():
            self.draw()
            self.play_round()
        if self.plan.finalists and self.plan.draw != "last-table":
            self.draw(final=True)
            self.play_round()
        if self.rng.random() < 0.8:
            self.do(night_events.NightEnded())
        for _ in range(self.rng.randrange(4)):
            self.change_result(self.rng.choice(self.night.played))

    def play_until_one_table_is_left(self) -> None:
        with contextlib.suppress(Problem):  # all but one may have gone
            while next_of(self.night) != "end" and len(self.night.rounds) < MOST_ROUNDS:
                self.draw()
                self.play_round()

    def draw(self, final: bool = False) -> None:
        rng = self.rng
        if rng.random() < 0.5 and self.plan.draw != "last-table":
            self.come(rng.randint(1, 3))
        here = self.night.here
        for person in rng.sample(here, rng.randrange(3)):
            self.do(night_events.PersonLeft(person))
        for person in [each.number for each in self.night.people.values() if not each.here][: rng.randrange(2)]:
            self.do(night_events.PersonLeft(person, here=True))
        self.do(club.DrawRound(final))
        if rng.random() < 0.3:
            self.do(club.DrawRound(final))
        if not final:
            for _ in range(rng.randrange(3)):
                self.move_somebody()
        self.server.nights.ring(self.key, DESK, lambda: None)

    def move_somebody(self) -> None:
        drawn = self.night.rounds[-1]
        person, other = self.rng.sample(self.night.here, 2)
        table = self.rng.randint(0, len(drawn.tables))
        with contextlib.suppress(Problem):  # the table is full, or one of them has no seat
            self.do(night_events.SeatChanged(person, table, self.rng.choice([0, other])))

    def play_round(self) -> None:
        played = self.night.rounds[-1]
        for table in self.rng.sample(played.tables, len(played.tables)):
            if self.rng.random() < 0.03:
                continue  # nobody ever tells what it brought
            self.tell(played, table)
            if self.rng.random() < 0.1:
                self.server.kill()
            if self.rng.random() < 0.1:
                self.change_result(self.rng.choice(self.night.played))
        self.do(night_events.RoundEnded())

    def tell(self, played: Round, table: NightTable) -> None:
        points = [self.rng.randint(0, 30) for _ in table.people]
        if self.rng.random() < 0.2:
            self.do(club.WriteTotals(played.number, table.number, points))
        else:
            for player, each in enumerate(points):
                self.act(table, {"do": "write", "player": player, "points": each})
        self.note(played, table, points)

    def change_result(self, played: Round) -> None:
        """Corrects what a table brought, at the table or at the desk, or takes its end back."""
        table = self.rng.choice(played.tables)
        if (played.number, table.number) not in self.told:
            return
        own = list(self.told[played.number, table.number].values())
        state = self.server.runner.look(table.key)
        player = self.rng.randrange(len(own))
        own[player] = self.rng.randint(0, 30)
        if not state.table.over:
            self.do(club.WriteTotals(played.number, table.number, own))
        elif self.rng.random() < 0.3:
            self.server.runner.do(table.key, commands.Undo(version=state.version, request=self.request()), DESK)
            last = len(own) - 1
            if self.rng.random() < 0.5:
                self.told.pop((played.number, table.number))
                return
            own = list(self.told[played.number, table.number].values())
            own[last] = self.rng.randint(0, 30)
            self.act(table, {"do": "write", "player": last, "points": own[last]})
        else:
            action: Any = {"do": "write", "player": player, "points": own[player]}
            correction = commands.Correct(
                version=state.version, request=self.request(), step=player + 1, action=action, drop_tail=False
            )
            self.server.runner.do(table.key, correction, DESK)
        self.note(played, table, own)

    def act(self, table: NightTable, action: Any) -> None:
        version = self.server.runner.look(table.key).version
        act = commands.Act(version=version, request=self.request(), action=action)
        self.server.runner.do(table.key, act, Asker("a-phone-at-the-table"))

    def request(self) -> str:
        return f"request-{self.rng.randrange(10**12)}"

    def note(self, played: Round, table: NightTable, points: list[int]) -> None:
        people = [self.night.people[person].name for person in table.people]
        self.told[played.number, table.number] = dict(zip(people, points, strict=True))

    def check(self) -> None:
        """Compares the night with the adder, and what is in memory with what a new server reads."""
        shown = [(line.name, line.total, line.place) for line in standings(self.night)]
        assert sorted(shown) == sorted(self.add_up()), (self.plan, sorted(shown), sorted(self.add_up()))
        before = self.night
        self.server.kill()
        assert self.night == before

    def add_up(self) -> list[tuple[str, int, int]]:
        """Everybody's name, total and place, counted from what was told alone."""
        people = self.night.people
        teams = {(each.name, people[each.partner].name) if each.partner else (each.name,) for each in people.values()}
        names = [each for each in teams if list(each) == sorted(each, key=lambda name: int(name.split()[1]))]
        last = {each.number for each in self.night.played if each.final}
        points, wins, beaten, best = Counter[str](), Counter[str](), Counter[str](), dict[str, int]()
        stayed = Counter[str]()
        for (number, _), own in self.told.items():
            if number in last:
                continue
            sides = [sum(list(own.values())[side::2]) for side in (0, 1)]
            if self.plan.draw == "rotation":
                own = {name: sides[seat % 2] for seat, name in enumerate(own)}
            for name, each in own.items():
                points[name] += each
                best[name] = max(best.get(name, each), each)
                wins[name] += each == max(own.values())
                beaten[name] += beaten_at(own, name)
                stayed[name] = max(stayed[name], number if self.plan.draw == "last-table" else 0)

        def key(team: tuple[str, ...]) -> tuple[int, ...]:
            scored, won, behind = (sum(each[name] for name in team) for each in (points, wins, beaten))
            highest = max((best[name] for name in team if name in best), default=0)
            return {
                "points": (scored, won, highest),
                "wins": (won, scored, highest),
                "places": (behind, won, scored, highest),
            }[self.plan.adds]

        def rank(team: tuple[str, ...]) -> tuple[int, ...]:
            there = [name for name in team if name in final]
            if there:
                return 1, sum(final[name] if self.plan.adds == "points" else beaten_at(final, name) for name in there)
            return 0, max(stayed[name] for name in team), *key(team)

        final = next((own for (number, _), own in self.told.items() if number in last), {})
        return [
            (" & ".join(each), key(each)[0], 1 + sum(rank(other) > rank(each) for other in names)) for each in names
        ]


def beaten_at(own: dict[str, int], name: str) -> int:
    """Two for each one at a table who has less, one for each other who has as much."""
    return sum(2 * (own[name] > each) + (own[name] == each) for each in own.values()) - 1
