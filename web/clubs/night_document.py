"""What a night shows to everybody in the hall: one document for pages and programs alike."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from web.clubs.hall_throws import HallOfNight, hall_of
from web.clubs.night import Night, NightTable, Round, seconds_of
from web.clubs.night_decisions import game_of, still_in, table_sizes
from web.clubs.night_events import Adds
from web.clubs.rare_throws import rarest
from web.clubs.standings import LineOfNight, standings
from web.table.json_document import Document, document_of
from web.table.state import State

Stage: TypeAlias = Literal["coming", "drawn", "playing", "between", "over"]
Next: TypeAlias = Literal["round", "final", "end"]


class SeatedPerson(Document, frozen=True, kw_only=True):
    """`points`, `place`: what this table brought, None while it plays."""

    person: int
    name: str
    points: int | None
    place: int | None


class TableOfNight(Document, frozen=True, kw_only=True):
    """`code`: the short code, "" before the bell; `steps`: how many were played, 0 at the end; `slowest`: of several
    that still play it is the furthest behind; `by_desk`: the desk wrote its totals; `corrections`: how often they
    changed later."""

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
    up, None without a limit; `out`: the names of those who sit out; `in_pairs`: those of odd and of even seats play
    together; `hall`: where all write the same throws."""

    number: int
    game: str
    final: bool
    seed: int
    began: str
    left_s: int | None
    tables: Sequence[TableOfNight]
    out: Sequence[str]
    in_pairs: bool
    hall: HallOfNight | None


class ThrowOfNight(Document, frozen=True, kw_only=True):
    """The rarest throw so far. `name`: whose it was, "" of nobody alone; `odds`: one throw of as many dice in so many
    is as rare; `line`: of the table's log, whose picture may be shown, 0 without one."""

    round: int
    table: int
    name: str
    dice: Sequence[int]
    odds: int
    line: int


class CorrectedTable(Document, frozen=True, kw_only=True):
    round: int
    table: int


class NightDocument(Document, frozen=True, kw_only=True):
    """A night. `stage`: people come; a round is drawn; it is played; its results are there; the night is over.
    `round`: the last one, drawn or played; `next`: what comes after it; `planned`: how many rounds, 0 if that depends
    on who is out."""

    name: str
    at: str
    stage: Stage
    next: Next
    adds: Adds
    planned: int
    finalists: int
    people: int
    rounds: int
    round: RoundOfNight | None
    standings: Sequence[LineOfNight]
    corrected: Sequence[CorrectedTable]
    throw: ThrowOfNight | None
    ended: str


def stage_of(night: Night) -> Stage:
    if night.ended:
        return "over"
    if night.drawn is not None:
        return "drawn"
    if night.running is not None and not night.running.is_told:
        return "playing"
    return "between" if night.rounds else "coming"


def next_of(night: Night) -> Next:
    """What the last round is followed by, as the night was planned."""
    if night.rounds and night.rounds[-1].final:
        return "end"
    if night.plan.draw == "last-table":
        return "final" if len(table_sizes(night)) == 1 and len(still_in(night)) > 1 else "round"
    if len(night.played) < len(night.plan.rounds):
        return "round"
    return "final" if night.plan.finalists else "end"


def document(night: Night, game_at: Callable[[str], State | None], now: float) -> NightDocument:
    """`game_at`: the state of a table's game; `now`: seconds since 1970."""
    last = night.rounds[-1] if night.rounds else None
    return NightDocument(
        name=night.plan.name,
        at=night.at,
        stage=stage_of(night),
        next=next_of(night),
        adds=night.plan.adds,
        planned=0 if night.plan.draw == "last-table" else len(night.plan.rounds),
        finalists=night.plan.finalists,
        people=len(night.here),
        rounds=len(night.played),
        round=None if last is None else _round(night, last, game_at, now),
        standings=standings(night),
        corrected=[CorrectedTable(round=number, table=table) for number, table in night.corrected],
        throw=_throw(night, game_at),
        ended=night.ended,
    )


def _round(night: Night, shown: Round, game_at: Callable[[str], State | None], now: float) -> RoundOfNight:
    playing = [table.number for table in shown.tables if table.totals is None]
    # Few finished games are kept in memory: only those that play are looked at.
    steps = {table.number: _steps(game_at(table.key)) if table.number in playing else 0 for table in shown.tables}
    last = min(playing, key=lambda number: steps[number], default=0)
    behind = last if len(playing) > 1 and steps[last] < max(steps[number] for number in playing) else 0
    return document_of(
        RoundOfNight,
        shown,
        game=game_of(shown.plan).info.title,
        left_s=_seconds_left(shown, now),
        tables=[
            _table(night, each, steps[each.number], each.number == behind, shown.plan.hall) for each in shown.tables
        ],
        out=[night.people[person].name for person in shown.out],
        hall=None if (hall := hall_of(shown, game_at(shown.tables[0].key), now)) is None else hall.document(),
    )


def _throw(night: Night, game_at: Callable[[str], State | None]) -> ThrowOfNight | None:
    """The rarest throw of the tables that told it, and of those that still play; the first of equals."""
    found = []
    for each in night.played:
        for table in each.tables:
            plays = each is night.rounds[-1] and (table.totals is None or table.by_desk)
            state = game_at(table.key) if plays else None
            throw = table.throw if state is None else rarest(state)
            if throw is not None:
                found.append((throw, each, table))
    if not found:
        return None
    best, played, table = min(found, key=lambda each: (-each[0].odds, each[0].at))
    state = game_at(table.key) if best.line else None
    alone = 0 <= best.seat < len(table.people) and not played.plan.hall
    name = night.people[table.people[best.seat]].name if alone else ""
    return ThrowOfNight(
        round=played.number,
        table=table.number,
        name=name,
        dice=best.dice,
        odds=best.odds,
        line=best.line if state is not None and state.settings.keeps_pictures else 0,
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
    return document_of(
        TableOfNight,
        table,
        code="" if hall else table.code,  # who has it may throw for all: it stands at the desk alone
        people=people,
        told=table.totals is not None,
        steps=steps,
        slowest=slowest,
    )
