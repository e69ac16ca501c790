"""What a night shows to everybody in the hall: one document for pages and programs alike."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from web.clubs.hall_throws import HallOfNight, hall_of
from web.clubs.night import Night, NightTable, Round, seconds_of
from web.clubs.night_decisions import game_of
from web.clubs.night_events import Adds
from web.clubs.standings import LineOfNight, standings
from web.table.json_document import Document
from web.table.state import State

Stage: TypeAlias = Literal["coming", "drawn", "playing", "between", "over"]


class SeatedPerson(Document, frozen=True, kw_only=True):
    """`points`, `place`: what this table brought, None while it plays."""

    person: int
    name: str
    points: int | None
    place: int | None


class TableOfNight(Document, frozen=True, kw_only=True):
    """`code`: the short code, "" before the bell; `steps`: how many were played; `slowest`: of several that still play
    it is the furthest behind; `by_desk`: the desk wrote its totals; `corrections`: how often they changed later."""

    number: int
    code: str
    people: Sequence[SeatedPerson]
    told: bool
    by_desk: bool
    corrections: int
    steps: int
    slowest: bool


class RoundOfNight(Document, frozen=True, kw_only=True):
    """`began`: UTC, "" before its bell; `left_s`: the seconds that are left while it is played, below 0 once time is
    up, None without a limit; `out`: the names of those who sit out; `hall`: where all write the same throws."""

    number: int
    game: str
    final: bool
    seed: int
    began: str
    left_s: int | None
    tables: Sequence[TableOfNight]
    out: Sequence[str]
    hall: HallOfNight | None


class CorrectedTable(Document, frozen=True, kw_only=True):
    round: int
    table: int


class NightDocument(Document, frozen=True, kw_only=True):
    """A night. `stage`: people come; a round is drawn; it is played; its results are there; the night is over.
    `round`: the last one, drawn or played."""

    name: str
    at: str
    stage: Stage
    adds: Adds
    planned: int
    finalists: int
    people: int
    rounds: int
    round: RoundOfNight | None
    standings: Sequence[LineOfNight]
    corrected: Sequence[CorrectedTable]
    ended: str


def stage_of(night: Night) -> Stage:
    if night.ended:
        return "over"
    if night.drawn is not None:
        return "drawn"
    if night.running is not None and not night.running.is_told:
        return "playing"
    return "between" if night.rounds else "coming"


def document(night: Night, game_at: Callable[[NightTable], State | None], now: float) -> NightDocument:
    """`game_at`: the state of a table's game; `now`: seconds since 1970."""
    last = night.rounds[-1] if night.rounds else None
    return NightDocument(
        name=night.plan.name,
        at=night.at,
        stage=stage_of(night),
        adds=night.plan.adds,
        planned=len(night.plan.rounds),
        finalists=night.plan.finalists,
        people=len(night.here),
        rounds=len(night.played),
        round=None if last is None else _round(night, last, game_at, now),
        standings=standings(night),
        corrected=[CorrectedTable(round=number, table=table) for number, table in night.corrected],
        ended=night.ended,
    )


def _round(night: Night, shown: Round, game_at: Callable[[NightTable], State | None], now: float) -> RoundOfNight:
    steps = {table.number: _steps(game_at(table)) if shown.began else 0 for table in shown.tables}
    playing = [table.number for table in shown.tables if table.totals is None]
    last = min(playing, key=lambda number: steps[number], default=0)
    behind = last if len(playing) > 1 and steps[last] < max(steps[number] for number in playing) else 0
    return RoundOfNight(
        number=shown.number,
        game=game_of(shown.plan).info.title,
        final=shown.final,
        seed=shown.seed,
        began=shown.began,
        left_s=_seconds_left(shown, now),
        tables=[
            _table(night, each, steps[each.number], each.number == behind, shown.plan.hall) for each in shown.tables
        ],
        out=[night.people[person].name for person in shown.out],
        hall=None if (hall := hall_of(shown, game_at(shown.tables[0]), now)) is None else hall.document(),
    )


def _steps(state: State | None) -> int:
    return 0 if state is None else len(state.moves)


def _seconds_left(shown: Round, now: float) -> int | None:
    if not shown.minutes or not shown.began or shown.ended or shown.is_told:
        return None
    return round(seconds_of(shown.began) + shown.minutes * 60 - now)


def _table(night: Night, table: NightTable, steps: int, slowest: bool, hall: bool) -> TableOfNight:
    totals = {total.person: total for total in table.totals or ()}
    people = []
    for person in table.people:
        own = totals.get(person)
        points, place = (None, None) if own is None else (own.points, own.place)
        people.append(SeatedPerson(person=person, name=night.people[person].name, points=points, place=place))
    return TableOfNight(
        number=table.number,
        code="" if hall else table.code,  # who has it may throw for all: it stands at the desk alone
        people=people,
        told=table.totals is not None,
        by_desk=table.by_desk,
        corrections=table.corrections,
        steps=steps,
        slowest=slowest,
    )
