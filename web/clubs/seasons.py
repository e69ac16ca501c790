"""A season: the nights of one desk that carry its name, added up. Made from their journals whenever somebody asks.

A night brings each person what it added up, if all nights add up alike; else two for everybody left behind and one for
an equal. Only the best nights count. Whoever has the same name is the same person.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import structs

from web.clubs.night import Night
from web.clubs.night_events import Adds
from web.clubs.standings import standings
from web.table.json_document import Document
from web.table.names import name_key

SURE, SCALE, BEGINS = 3.0, 24.0, 1500.0  # of ratings: what is almost sure, about as Elo numbers are


class NightOfSeason(Document, frozen=True, kw_only=True):
    name: str
    at: str


class LineOfSeason(Document, frozen=True, kw_only=True):
    """A person's standing. `number`: of the person in this season; `played`: nights; `wins`: of nights; `best`: night;
    `by_night`: what each night brought, None where the person did not play; `left_out`: the nights that do not count,
    from 1; `ratings`: after each night, None before the first one; empty without the package that rates."""

    number: int
    name: str
    place: int
    total: int
    played: int
    wins: int
    best: int
    by_night: Sequence[int | None]
    left_out: Sequence[int]
    ratings: Sequence[int | None]


class SeasonDocument(Document, frozen=True, kw_only=True):
    """A season, as its latest night plans it. `adds`: what counts (`web.clubs.standings`), "placings" where nights
    differ; `left_out`: how many nights of each person do not count; `rated`: the package that rates is there."""

    name: str
    adds: str
    left_out: int
    rated: bool
    nights: Sequence[NightOfSeason]
    standings: Sequence[LineOfSeason]


def name_of(night: Night) -> str:
    """The season that a night belongs to: of its year (UTC), if its plan names none."""
    return night.plan.season or night.at.partition("-")[0]


def season(nights: Sequence[Night]) -> SeasonDocument:
    """The season of these nights, at least one, the oldest first."""
    last = nights[-1]
    adds = {night.plan.adds for night in nights}
    brought = [_results_of(night, last.plan.adds if len(adds) == 1 else None) for night in nights]
    rated = ratings(nights)
    names = {name_key(each.name): each.name for night in nights for each in night.people.values()}
    counted = max(1, len(nights) - last.plan.left_out)
    lines: list[LineOfSeason] = []
    for number, (key, name) in enumerate(names.items(), 1):
        evenings = [each.get(key) for each in brought]
        own = sorted(((each[0], night) for night, each in enumerate(evenings, 1) if each), reverse=True)
        if own:
            line = LineOfSeason(
                number=number,
                name=name,
                place=0,
                total=sum(worth for worth, _ in own[:counted]),
                played=len(own),
                wins=sum(each[1] == 1 for each in evenings if each),
                best=own[0][0],
                by_night=tuple(each and each[0] for each in evenings),
                left_out=tuple(sorted(night for _, night in own[counted:])),
                ratings=tuple(each.get(key) for each in rated or ()),
            )
            lines.append(line)
    return SeasonDocument(
        name=name_of(last),
        adds=last.plan.adds if len(adds) == 1 else "placings",
        left_out=last.plan.left_out,
        rated=rated is not None,
        nights=[NightOfSeason(name=night.plan.name, at=night.at) for night in nights],
        standings=_place_lines(lines),
    )


def _place_lines(lines: Sequence[LineOfSeason]) -> list[LineOfSeason]:
    """The lines with their places: equal totals are settled by nights won, then by the best night."""
    worths = sorted(((line.total, line.wins, line.best) for line in lines), reverse=True)
    placed = [structs.replace(line, place=1 + worths.index((line.total, line.wins, line.best))) for line in lines]
    return sorted(placed, key=lambda line: (line.place, line.name.casefold()))


def _results_of(night: Night, adds: Adds | None) -> Mapping[str, tuple[int, int]]:
    """What a night brought everybody who played, and the place, by the key of the name. `adds` None: placings."""
    lines = [line for line in standings(night) if any(points is not None for points in line.by_round)]
    found = dict[str, tuple[int, int]]()
    for line in lines:
        beaten = sum(2 * (line.place < other.place) + (line.place == other.place) for other in lines) - 1
        own = beaten if adds is None else line.total, line.place
        found.update((name_key(night.people[person].name), own) for person in line.people)
    return found


def ratings(nights: Sequence[Night]) -> list[Mapping[str, int]] | None:
    """Everybody's rating after each night, by the key of the name: Weng and Lin, "A Bayesian Approximation Method for
    Online Ranking" (2011), by the package openskill. None without it."""
    try:
        from openskill.models import PlackettLuce  # of the extra `club`
    except ImportError:
        return None
    model, known = PlackettLuce(), dict[str, Any]()
    found: list[Mapping[str, int]] = []
    for night in nights:
        for totals in (table.totals or () for each in night.played for table in each.tables):
            keys = [name_key(night.people[own.person].name) for own in totals]
            if len(keys) > 1:
                before = [[known.get(key) or model.rating()] for key in keys]
                after = model.rate(before, ranks=[float(own.place) for own in totals])
                known.update((key, own) for key, (own,) in zip(keys, after, strict=True))
        found.append({key: round(own.ordinal(SURE, SCALE, BEGINS)) for key, own in known.items()})
    return found
