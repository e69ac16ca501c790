"""A club's night as a value, made from its events alone."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType

from web.clubs import night_events
from web.clubs.night_events import Happening, Plan, RareThrow, RoundPlan, Total


@dataclass(frozen=True)
class Person:
    """`here`: takes part in the next draw; `phone`: the id of the phone that belongs to this person, "" for none;
    `partner`: the other one of the team, 0 for none; `former`: other names before."""

    number: int
    name: str
    here: bool = True
    phone: str = ""
    partner: int = 0
    former: tuple[str, ...] = ()


@dataclass(frozen=True)
class NightTable:
    """A table of a round. `people`: in the order of their seats; `key`, `code`: of the table where they play, once the
    bell rang; `totals`: None while they play; `told_at`: as `TableTold.at`; `corrections`: how often they changed."""

    number: int
    people: tuple[int, ...]
    key: str = ""
    code: str = ""
    totals: tuple[Total, ...] | None = None
    told_at: str = ""
    by_desk: bool = False
    corrections: int = 0
    throw: RareThrow | None = None

    def partner_of(self, person: int) -> int:
        """Who sits across from a person at a table of four; 0 elsewhere."""
        return self.people[self.people.index(person) - 2] if len(self.people) == 4 else 0


@dataclass(frozen=True)
class HallThrow:
    """A throw of the hall. `id`: of this throw alone: who chooses names it. `at`: since when people choose. `closed`:
    the desk closed it; `corrected`: after it was over."""

    id: int
    dice: tuple[int, ...]
    at: str
    closed: bool = False
    corrected: bool = False


@dataclass(frozen=True)
class Round:
    """`began`: when its bell rang, "" before; `ended`: nobody waits for further results; `out`: who sits out;
    `in_pairs`: at each table those who sit across play together. `throws`: of a round of the hall; `shown`: how many
    were, with those taken back; `seconds`: to choose, 0: no limit."""

    number: int
    plan: RoundPlan
    tables: tuple[NightTable, ...]
    out: tuple[int, ...]
    seed: int
    final: bool = False
    began: str = ""
    minutes: int = 0
    ended: bool = False
    in_pairs: bool = False
    throws: tuple[HallThrow, ...] = ()
    shown: int = 0
    seconds: int = 0

    @property
    def is_told(self) -> bool:
        return all(table.totals is not None for table in self.tables)

    def open_throw(self, now: float) -> HallThrow | None:
        """The throw of the hall for which people may choose. `now`: seconds since 1970."""
        last = self.throws[-1] if self.throws and not self.ended else None
        if last is None or last.closed or (self.seconds and now > seconds_of(last.at) + self.seconds):
            return None
        return last


@dataclass(frozen=True)
class Night:
    """All that is known of a night. `devices`: the phones of the desk; `token`: the hash of what makes another phone
    one, "" for none; `corrected`: the tables whose results changed after they were told, as round and table, the latest
    last; `ended`: when, "" before."""

    plan: Plan
    devices: Set[str]
    at: str
    token: str = ""
    people: Mapping[int, Person] = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    corrected: tuple[tuple[int, int], ...] = ()
    ended: str = ""

    @property
    def drawn(self) -> Round | None:
        """The round whose bell has not rung yet."""
        return self.rounds[-1] if self.rounds and not self.rounds[-1].began else None

    @property
    def running(self) -> Round | None:
        return self.rounds[-1] if self.rounds and self.rounds[-1].began and not self.rounds[-1].ended else None

    @property
    def played(self) -> Sequence[Round]:
        """The rounds whose bell has rung."""
        return self.rounds if self.drawn is None else self.rounds[:-1]

    @property
    def here(self) -> list[int]:
        return [each.number for each in self.people.values() if each.here]

    def plan_of(self, number: int) -> RoundPlan:
        return self.plan.rounds[min(number, len(self.plan.rounds)) - 1]

    def person_of(self, device: str) -> Person | None:
        return next((each for each in self.people.values() if device and each.phone == device), None)

    def place_of(self, key: str) -> tuple[Round, NightTable] | None:
        found = ((each, table) for each in self.rounds for table in each.tables if key and table.key == key)
        return next(found, None)

    def table_of(self, person: int) -> NightTable | None:
        """Where a person sits in the last round, as drawn or played."""
        tables = self.rounds[-1].tables if self.rounds else ()
        return next((table for table in tables if person in table.people), None)


def seconds_of(at: str) -> float:
    """Since 1970, of a time as events have it."""
    return datetime.fromisoformat(at.replace("Z", "+00:00")).timestamp()


def begin(begun: night_events.NightBegun) -> Night:
    return Night(begun.plan, frozenset({begun.device}), begun.at)


def evolve(night: Night, happened: Iterable[Happening]) -> Night:
    for event in happened:
        night = _apply(night, event)
    return night


def _apply(night: Night, event: Happening) -> Night:
    match event:
        case night_events.DeskJoined():
            return replace(night, devices=night.devices | {event.device}, token="")
        case night_events.DeskOffered():
            return replace(night, token=event.token)
        case night_events.PeopleCame():
            came = (Person(len(night.people) + n, name) for n, name in enumerate(event.names, 1))
            return replace(night, people={**night.people, **{each.number: each for each in came}})
        case night_events.PersonRenamed():
            person = night.people[event.person]
            return _with_person(night, replace(person, name=event.name, former=(*person.former, person.name)))
        case night_events.PersonLeft():
            return _with_person(night, replace(night.people[event.person], here=event.here))
        case night_events.PhoneTaken():
            return _with_phone(night, event.person, event.device)
        case night_events.RoundDrawn():
            return replace(night, rounds=(*night.played, _make_round(night, event)))
        case night_events.SeatChanged():
            return _with_last(night, _seated_again(night.rounds[-1], event))
        case night_events.RoundBegun():
            last = night.rounds[-1]
            opened = zip(last.tables, event.tables, strict=True)
            tables = tuple(replace(table, key=key, code=code) for table, (key, code) in opened)
            return _with_last(night, replace(last, tables=tables, began=event.at))
        case night_events.TimeAdded():
            return _with_last(night, replace(night.rounds[-1], minutes=night.rounds[-1].minutes + event.minutes))
        case night_events.TableTold():
            return _note_totals(night, event)
        case night_events.RoundEnded():
            return _with_last(night, replace(night.rounds[-1], ended=True))
        case night_events.TeamsMade():
            return replace(night, people=_with_teams(night.people, event.teams))
        case night_events.NightEnded():
            return replace(night, ended=event.at if event.ended else "")
        case night_events.HallThrown():
            rounds = [_with_throw(each, event) if each.number == event.round else each for each in night.rounds]
            return replace(night, rounds=tuple(rounds))
        case night_events.HallClosed():
            throws = night.rounds[-1].throws
            closed = (*throws[:-1], replace(throws[-1], closed=True))
            return _with_last(night, replace(night.rounds[-1], throws=closed))
        case night_events.HallTimed():
            return _with_last(night, replace(night.rounds[-1], seconds=event.seconds))
    raise TypeError(event)


def _make_round(night: Night, event: night_events.RoundDrawn) -> Round:
    number = len(night.played) + 1
    tables = tuple(NightTable(n, tuple(people)) for n, people in enumerate(event.tables, 1))
    plan = night.plan_of(number)
    in_pairs = night.plan.draw == "rotation" and not event.final
    minutes, seconds = 0 if plan.hall else night.plan.minutes, night.plan.seconds
    out = tuple(event.out)
    return Round(
        number, plan, tables, out, event.seed, event.final, minutes=minutes, in_pairs=in_pairs, seconds=seconds
    )


def _with_teams(people: Mapping[int, Person], teams: Iterable[tuple[int, int]]) -> Mapping[int, Person]:
    found = dict(people)
    for one, other in teams:
        for each in (one, other):
            if each and (left := found[each].partner):
                found[left] = replace(found[left], partner=0)
        found[one] = replace(found[one], partner=other)
        if other:
            found[other] = replace(found[other], partner=one)
    return found


def _with_throw(played: Round, event: night_events.HallThrown) -> Round:
    before, after = played.throws[: event.number - 1], played.throws[event.number :]
    if not event.dice:
        return replace(played, throws=before)
    if not event.anew:
        was = replace(played.throws[event.number - 1], dice=tuple(event.dice), corrected=True)
        return replace(played, throws=(*before, was, *after))
    new = HallThrow(played.shown + 1, tuple(event.dice), event.at)
    return replace(played, throws=(*before, new), shown=new.id)


def _with_person(night: Night, person: Person) -> Night:
    return replace(night, people={**night.people, person.number: person})


def _with_phone(night: Night, person: int, device: str) -> Night:
    people = {
        number: replace(each, phone="") if each.phone == device else each for number, each in night.people.items()
    }
    return replace(night, people={**people, person: replace(people[person], phone=device)})


def _with_last(night: Night, last: Round) -> Night:
    return replace(night, rounds=(*night.rounds[:-1], last))


def _seated_again(last: Round, event: night_events.SeatChanged) -> Round:
    """The draw after a person went to another table, and perhaps another one to the place that was left."""
    person, instead = event.person, event.instead
    if instead:
        swapped = MappingProxyType({person: instead, instead: person})
        tables = [tuple(swapped.get(each, each) for each in table.people) for table in last.tables]
        out = tuple(swapped.get(each, each) for each in last.out)
    else:
        tables = [
            (*(each for each in table.people if each != person), *((person,) if table.number == event.table else ()))
            for table in last.tables
        ]
        out = (*(each for each in last.out if each != person), *((person,) if event.table == 0 else ()))
    kept = [NightTable(number, people) for number, people in enumerate((each for each in tables if each), 1)]
    return replace(last, tables=tuple(kept), out=out)


def _note_totals(night: Night, event: night_events.TableTold) -> Night:
    told = night.rounds[event.round - 1]
    table = told.tables[event.table - 1]
    is_same = table.totals == (tuple(event.totals) or None)  # but for the throw
    is_corrected = not is_same and (table.totals is not None or table.corrections > 0)
    after = replace(
        table,
        totals=tuple(event.totals) or None,
        told_at=event.at,
        by_desk=event.by_desk,
        throw=event.throw,
        corrections=table.corrections + is_corrected,
    )
    tables = tuple(after if each.number == table.number else each for each in told.tables)
    rounds = tuple(replace(each, tables=tables) if each is told else each for each in night.rounds)
    place = (event.round, event.table)
    corrected = (*(each for each in night.corrected if each != place), place) if is_corrected else night.corrected
    return replace(night, rounds=rounds, corrected=corrected)
