"""What the rounds of a night add up to.

A round brings its points; or for each one at the table two for whom one is ahead of, one for an equal ("places"); or,
if one won it, a win ("wins"). Equal sums are settled by wins, then by points, then by the best round. Who is equal all
the same shares a place. A final decides the first places.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple, TypeAlias

from web.clubs.night import Night, Round
from web.clubs.night_events import Adds
from web.table.json_document import Document

Worth: TypeAlias = tuple[int, ...]  # compared from the first number on: more is better


class Brought(NamedTuple):
    """What a round brought a person. `beaten`: two for each one behind at the table, one for each equal."""

    points: int
    place: int
    beaten: int


class LineOfNight(Document, frozen=True, kw_only=True):
    """One person's standing. `total`: what counts (`adds`); `by_round`: the points of each round, None for one not
    played; `in_final`: whether the place comes from a final."""

    person: int
    name: str
    place: int
    total: int
    points: int
    wins: int
    by_round: Sequence[int | None]
    here: bool
    in_final: bool


def standings(night: Night) -> list[LineOfNight]:
    """Everybody's line, the best first; equals by name."""
    rounds = [results_of(each) for each in night.played]
    usual = [totals for totals, each in zip(rounds, night.played, strict=True) if not each.final]
    finals = [totals for totals, each in zip(rounds, night.played, strict=True) if each.final]
    places = {person: own.place for totals in finals for person, own in totals.items()}  # of the last one
    worths = {person: worth(night.plan.adds, usual, person) for person in night.people}

    def rank(person: int) -> tuple[int, Worth]:
        if person in places:
            return (places[person], ())
        return (len(night.people) + 1, tuple(-each for each in worths[person]))

    order = sorted(night.people, key=lambda person: (rank(person), night.people[person].name.casefold()))
    lines: list[LineOfNight] = []
    for number, person in enumerate(order, 1):
        tied = bool(lines) and rank(lines[-1].person) == rank(person)
        own = [totals.get(person) for totals in rounds]
        lines.append(
            LineOfNight(
                person=person,
                name=night.people[person].name,
                place=lines[-1].place if tied else number,
                total=worths[person][0],
                points=sum(totals[person].points for totals in usual if person in totals),
                wins=sum(totals[person].place == 1 for totals in usual if person in totals),
                by_round=tuple(None if each is None else each.points for each in own),
                here=night.people[person].here,
                in_final=person in places,
            )
        )
    return lines


def finalists(night: Night, seed: int) -> list[int]:
    """Who plays the final, the best first: of those who are here. A lot decides between equals."""
    lots = Random(seed)
    lines = [line for line in standings(night) if line.here]
    order = sorted(lines, key=lambda line: (line.place, lots.random()))
    return [line.person for line in order[: night.plan.finalists]]


def worth(adds: Adds, rounds: Sequence[Mapping[int, Brought]], person: int) -> Worth:
    """What a person's rounds are worth: what counts, then what settles equal sums."""
    own = [totals[person] for totals in rounds if person in totals]
    points, wins = sum(each.points for each in own), sum(each.place == 1 for each in own)
    best = max((each.points for each in own), default=0)
    if adds == "points":
        return points, wins, best
    if adds == "wins":
        return wins, points, best
    return sum(each.beaten for each in own), wins, points, best


def results_of(played: Round) -> dict[int, Brought]:
    """What a round brought to whom, as far as its tables told."""
    found = {}
    for table in played.tables:
        totals = table.totals or ()
        places = sorted(each.place for each in totals)
        for own in totals:
            behind = len(places) - bisect_right(places, own.place)
            beaten = 2 * behind + places.count(own.place) - 1
            found[own.person] = Brought(own.points, own.place, beaten)
    return found
