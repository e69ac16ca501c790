"""What the rounds of a night add up to.

A round brings its points; or for each one at the table two for whom one is ahead of, one for an equal ("places"); or,
if one won it, a win ("wins"). Equal sums are settled by wins, then by points, then by the best round. Who is equal all
the same shares a place. A final decides the first places. A team has one line, to which both add; where the last of a
table is out, who stayed longer is ahead.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple, TypeAlias

from web.clubs.night import Night, NightTable, Round
from web.clubs.night_events import Adds, Total
from web.table.json_document import Document

Worth: TypeAlias = tuple[int, ...]  # compared from the first number on: more is better


class Brought(NamedTuple):
    """What a round brought a person. `beaten`: two for each one behind at the table, one for each equal."""

    points: int
    place: int
    beaten: int


class LineOfNight(Document, frozen=True, kw_only=True):
    """The standing of a person, or of a team. `person`: the first of its `people`; `total`: what counts (`adds`);
    `by_round`: the points of each round, None for one not played; `in_final`: whether the place comes from a final."""

    person: int
    people: Sequence[int]
    name: str
    place: int
    total: int
    points: int
    wins: int
    by_round: Sequence[int | None]
    here: bool
    in_final: bool


def standings(night: Night) -> list[LineOfNight]:
    """Everybody's line, and each team's; the best first; equals by name."""
    rounds = [results_of(each) for each in night.played]
    usual = [totals for totals, each in zip(rounds, night.played, strict=True) if not each.final]
    finals = [totals for totals, each in zip(rounds, night.played, strict=True) if each.final]
    final = {person: own for totals in finals for person, own in totals.items()}  # the last one of each
    by_stay = night.plan.draw == "last-table"
    ranks: dict[tuple[int, ...], Worth] = {}
    for people in _teams(night):
        in_final = [final[each] for each in people if each in final]
        brought = sum(each.points if night.plan.adds == "points" else each.beaten for each in in_final)
        stayed = max((n for n, totals in enumerate(usual, 1) if by_stay and set(people) & totals.keys()), default=0)
        ranks[people] = (1, brought) if in_final else (0, stayed, *worth(night.plan.adds, usual, people))
    names = {people: " & ".join(night.people[each].name for each in people) for people in ranks}
    order = sorted(sorted(ranks, key=lambda people: names[people].casefold()), key=ranks.__getitem__, reverse=True)
    lines: list[LineOfNight] = []
    for number, people in enumerate(order, 1):
        tied = bool(lines) and ranks[tuple(lines[-1].people)] == ranks[people]
        own = [[totals[each] for each in people if each in totals] for totals in rounds]
        counted = [each for each, played in zip(own, night.played, strict=True) if not played.final]
        lines.append(
            LineOfNight(
                person=people[0],
                people=people,
                name=names[people],
                place=lines[-1].place if tied else number,
                total=worth(night.plan.adds, usual, people)[0],
                points=sum(each.points for found in counted for each in found),
                wins=sum(each.place == 1 for found in counted for each in found),
                by_round=tuple(sum(each.points for each in found) if found else None for found in own),
                here=any(night.people[each].here for each in people),
                in_final=ranks[people][0] == 1,
            )
        )
    return lines


def _teams(night: Night) -> list[tuple[int, ...]]:
    return [
        (each.number, each.partner) if each.partner else (each.number,)
        for each in night.people.values()
        if not each.partner or each.number < each.partner
    ]


def finalists(night: Night, seed: int) -> list[int]:
    """Who plays the final, the best first: of those who are here. A lot decides between equals."""
    lots = Random(seed)
    lines = [line for line in standings(night) if line.here]
    order = sorted(lines, key=lambda line: (line.place, lots.random()))
    found = [person for line in order for person in line.people if night.people[person].here]
    return found[: night.plan.finalists]


def last_of_tables(played: Round) -> list[int]:
    """The last of each table whose results are there, all who share that place; nobody where all are equal."""
    found = []
    for table in played.tables:
        last = max((each.place for each in table.totals or ()), default=1)
        found += [each.person for each in table.totals or () if each.place == last > 1]
    return found


def worth(adds: Adds, rounds: Sequence[Mapping[int, Brought]], people: Sequence[int]) -> Worth:
    """What the rounds of a person or a team are worth: what counts, then what settles equal sums."""
    own = [totals[person] for totals in rounds for person in people if person in totals]
    points, wins = sum(each.points for each in own), sum(each.place == 1 for each in own)
    best = max((each.points for each in own), default=0)
    if adds == "points":
        return points, wins, best
    if adds == "wins":
        return wins, points, best
    return sum(each.beaten for each in own), wins, points, best


def results_of(played: Round) -> dict[int, Brought]:
    """What a round brought to whom, as far as its tables told. Who plays in pairs has the points of both."""
    found = {}
    for table in played.tables:
        totals = pair_totals(table) if played.in_pairs else table.totals or ()
        places = sorted(each.place for each in totals)
        for own in totals:
            behind = len(places) - bisect_right(places, own.place)
            beaten = 2 * behind + places.count(own.place) - 1
            found[own.person] = Brought(own.points, own.place, beaten)
    return found


def pair_totals(table: NightTable) -> list[Total]:
    """What a table's partners have together: those of the first, third … seat, and those of the others."""
    told = sorted(table.totals or (), key=lambda each: each.place)
    own = {each.person: each.points for each in told}
    sides = [[person for person in table.people[side::2] if person in own] for side in (0, 1)]
    points = [sum(own[person] for person in side) for side in sides]
    best = min(points) if told and told[0].points < told[-1].points else max(points)  # in some games low totals win
    return [Total(person, points[n], 1 + (points[n] != best)) for n, side in enumerate(sides) for person in side]
