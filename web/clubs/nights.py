"""The nights of a store. Each has its journal in that of a table which nobody plays, and is made from it.

A night is changed as a table is: decided from its present state, written, then shown; if somebody was quicker, it is
decided again. So it is the same on one computer, on many that share a database, and on a phone.
"""

import secrets
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from operator import is_not
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import ValidationError, structs, to_builtins

from scorer.registry import own_key
from web.clubs import night_commands, night_events
from web.clubs.hall_throws import FRONT, Hall, HallSheet, front_table, hall_of, thrown_at
from web.clubs.night import Night, NightTable, Person, begin, evolve
from web.clubs.night_commands import Asked
from web.clubs.night_decisions import MOST_PEOPLE, NightGiven, check_desk, check_plan, decide, token_hash
from web.clubs.night_events import Plan, Total, as_change, from_change
from web.clubs.rare_throws import rarest
from web.clubs.seasons import SeasonDocument, name_of, season
from web.limits.recent import Recent
from web.problems.problem import Problem
from web.runner.runner import Runner, TableChange
from web.store import visits
from web.store.codes import new_code
from web.store.stamps import now
from web.table.commands import SERVER, Asker, ChangeNight, CloseTable, DeleteTable, Given, Start
from web.table.events import Logged, TableStarted
from web.table.names import name_key, replace_names
from web.table.new_tables import actions_in, start
from web.table.state import State
from web.table.stored_table import TableRow, outcome
from web.table.view import TableSettings

FILE = (Path(__file__).parent / "night-game.toml").read_text(encoding="utf-8")
NIGHT_GAME = own_key(FILE, "club-night")
REMEMBERED_NIGHTS = 100
REMEMBERED_SEASONS = 10
EVERY_NIGHT = 10_000
MOST_NIGHTS = 60  # of a desk that are looked through, the latest
TRIES = 20  # of a change that finds the night changed meanwhile
SEEDS = 1 << 31
SETTLED_S = 60.0


class KnownNight(NamedTuple):
    changes: Sequence[Mapping[str, Any]]
    night: Night


class Nights:
    """All nights of a store. For many threads."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._known: Recent[str, KnownNight] = Recent(REMEMBERED_NIGHTS)
        self._seasons: Recent[str, tuple[list[Night], SeasonDocument]] = Recent(REMEMBERED_SEASONS)  # by their phones
        self._settled: Recent[str, float] = Recent(1000)  # when a finished table was compared with its night
        runner.follow(self._follow, Logged)

    def start(self, plan: Plan, asker: Asker) -> TableRow:
        """Starts a night, whose desk is the asking phone. Raises `Problem`, and what `scorer` raises."""
        check_plan(plan)
        row = self._runner.start(Start(NIGHT_GAME, {"file": FILE}, [plan.name]), asker)
        self._runner.do(row.key, CloseTable(True), asker)
        begun = night_events.NightBegun(plan, asker.phone or "", now())
        self._runner.do(row.key, ChangeNight(0, [as_change(begun)]))
        return row

    def offer_desk(self, key: str, asker: Asker) -> str:
        """The token by which one further phone may join the desk."""
        token = secrets.token_urlsafe(18)
        self.do(key, night_events.DeskOffered(token_hash(token)), asker)
        return token

    def look(self, key: str, asker: Asker = SERVER) -> Night:
        """A night. Raises `Problem` if there is none, or `asker` may not come there."""
        return self._known_after(self._runner.look(key, asker)).night

    def do(self, key: str, command: Asked, asker: Asker = SERVER) -> Night:
        """Carries out a command; returns the night after it. Raises what `deciding.decide` raises."""
        given = NightGiven(now(), secrets.randbelow(SEEDS))
        for _ in range(TRIES):
            known = self._known_after(self._runner.look(key, asker))
            happened = decide(known.night, command, asker, given)
            if not happened:
                return known.night
            try:
                shown = self._runner.do(key, ChangeNight(len(known.changes), [as_change(each) for each in happened]))
            except Problem as problem:
                if problem.reason != "stale":
                    raise
                continue
            return self._known_after(shown.state).night
        raise Problem("busy", 503, again_s=1)

    def ring(self, key: str, asker: Asker, count: Callable[[], None]) -> Night:
        """Makes the tables of the drawn round, and begins it. `count`: is called for each table, and may refuse.

        If another desk was quicker, the tables made here are erased, and the night as it is now is returned."""
        night = self.look(key, asker)
        check_desk(night, asker)
        if night.drawn is None:
            return night
        tables = night.drawn.tables
        for _ in tables:
            count()
        opened: list[tuple[str, str]] = []
        try:
            opened.extend(self._open_table(key, night, table, asker) for table in tables)
            return self.do(key, night_commands.Ring(opened, [table.people for table in tables]), asker)
        except Exception as error:
            for table, _ in opened:
                self._erase_table(table, asker)
            if isinstance(error, Problem) and error.reason == "stale":
                return self.look(key, asker)
            raise

    def _erase_table(self, key: str, asker: Asker) -> None:
        deleted = self._runner.do(key, DeleteTable(), asker).state.access.deletion
        if deleted is not None:
            self._runner.erase(key, deleted)

    def _open_table(self, key: str, night: Night, table: NightTable, asker: Asker) -> tuple[str, str]:
        plan = night.plan_of(len(night.played) + 1)
        game, options = front_table(plan) if plan.hall else (plan.game, plan.options)
        names = [night.plan.name] if plan.hall else [night.people[person].name for person in table.people]
        command = Start(game, options, names, settings=TableSettings(keeps_pictures=night.plan.pictures))

        def make(given: Given) -> TableStarted:
            return structs.replace(start(command, asker, given), night=key)

        row = self._runner.begin(make)
        return row.key, row.code

    def settle(self, key: str) -> Night:
        """The night with the results of all its tables, also if a power cut or a full disk came before it was told."""
        night = self.look(key)
        for played, table in ((each, table) for each in night.played for table in each.tables):
            if time.monotonic() - (self._settled.get(table.key) or -SETTLED_S) < SETTLED_S:
                continue  # few finished games are kept in memory
            with suppress(Problem):  # the table is gone, or the disk still full: the night is shown as it is known
                row = self._runner.store.find(table.key)
                if played is night.played[-1] or (row is not None and row.active_at != table.told_at):
                    night = self._note(self._runner.look(table.key)) or night
                if table.totals is not None:
                    self._settled[table.key] = time.monotonic()
        return night

    def nights_of(self, device: str, every: bool = False) -> dict[str, Night]:
        """The nights whose desk this phone is, by their keys, the latest first: the latest ones of its list, or `every`
        one."""
        found, most, hidden = {}, EVERY_NIGHT if every else MOST_NIGHTS, None if every else False
        for row in visits.tables_of(self._runner.store, device, hidden, most, game=NIGHT_GAME):
            with suppress(Problem):  # it is damaged, or was deleted meanwhile
                night = self.look(row.key)
                if device in night.devices:
                    found[row.key] = night
        return found

    def season_of(self, key: str) -> tuple[list[Night], SeasonDocument]:
        """The season of a night, with its nights, the oldest first: those of the phone that started this one."""
        night, owner = self.settle(key), self._runner.look(key).access.owner
        alike = [each for each in reversed(self.nights_of(owner).values()) if name_of(each) == name_of(night)]
        nights = sorted(alike, key=lambda each: each.at) or [night]
        known = self._seasons.get(owner)
        if known is None or len(known[0]) != len(nights) or any(map(is_not, known[0], nights)):
            known = self._seasons[owner] = nights, season(nights)
        return known

    def erase_name(self, key: str, person: int, asker: Asker) -> None:
        """Takes the name of a person out of all nights that the asking phone runs, and out of their tables: a number by
        chance stands in its place. The person leaves. This night comes last, so that whoever is cut off asks again."""
        night = self.look(key, asker)
        check_desk(night, asker)
        if person not in night.people:
            raise Problem("not-found", 404)
        name = name_key(night.people[person].name)
        instead = f"#{new_code()}"
        for each in (*(other for other in self.nights_of(asker.phone or "", every=True) if other != key), key):
            self._erase_name(each, name, instead)
        self._runner.store.empty_log()
        self.do(key, night_events.PhoneTaken(person), asker)
        self.do(key, night_events.PersonLeft(person), asker)

    def _erase_name(self, key: str, name: str, instead: str) -> None:
        night = self.look(key)
        person = next((each for each in night.people.values() if name_key(each.name) == name), None)
        if person is None:
            return
        others = {name_key(each.name) for each in night.people.values() if each is not person}
        had = {name, *map(name_key, person.former)}
        tables = [(table, each.plan) for each in night.rounds for table in each.tables if person.number in table.people]
        for table, plan in tables:
            seat = MOST_PEOPLE if plan.hall else table.people.index(person.number)  # the hall's has nobody's name
            place: str | None = table.key
            while place and (state := self.game_of(place)) is not None:
                had |= {name_key(each) for each in _names_at(state, seat, person, name)}
                self._runner.rewrite(place, partial(_replace_names, had - others, instead))
                place = state.row.next_key
        self._runner.rewrite(key, partial(_replace_names, had - others, instead))

    def game_of(self, key: str) -> State | None:
        """The state of a table of a round; None before its bell, and if it is gone."""
        try:
            return self._runner.look(key) if key else None
        except Problem:
            return None

    def hall_of(self, night: Night) -> Hall | None:
        running = night.running
        return None if running is None else hall_of(running, self.game_of(running.tables[0].key), time.time())

    def write(self, key: str, throw: int, actions: Sequence[Any], asker: Asker) -> None:
        """Writes what the person of the asking phone does with a throw of the hall. Raises `Problem`."""
        night = self.look(key, asker)
        hall, me = self.hall_of(night), night.person_of(asker.phone or "")
        if hall is None or me is None:
            raise Problem("throw-closed", 409)
        written = hall.check(me.number, throw, actions)
        self._runner.do(hall.played.tables[0].key, ChangeNight(None, [to_builtins(written)]))

    def sheet(self, key: str, asker: Asker) -> HallSheet | None:
        """What the asking phone shows of the hall's round; None if it has no part in one. Raises as `look`."""
        night = self.look(key, asker)
        hall, me = self.hall_of(night), night.person_of(asker.phone or "")
        if hall is None or me is None or me.number not in hall.played.tables[0].people:
            return None
        return hall.sheet(me.number)

    def _follow(self, change: TableChange) -> None:
        over = change.state.table.over or change.before.table.over
        if change.state.night and (over or change.state.row.game.startswith(f"{FRONT}.")):
            with suppress(Problem):  # the night is deleted; or what it lacks comes when its desk or board is opened
                self._note(change.state)

    def _note(self, state: State) -> Night | None:
        """Tells a night what a table brought, if that is new. What damage took from a table, its night keeps."""
        night, row = self.look(state.night), state.row
        found = night.place_of(row.key)
        if found is None or state.lost is not None:
            return None
        if found[0].plan.hall:
            night = self.do(state.night, night_commands.TellThrows(row.key, thrown_at(state)))
            hall = hall_of(night.rounds[found[0].number - 1], state, time.time())
            totals = [] if hall is None else hall.totals()
            return self.do(state.night, night_commands.TellTable(row.key, row.active_at, totals, rarest(state)))
        results, people = outcome(state.table)[0] or (), found[1].people
        totals = [Total(people[each.player], each.score, each.place) for each in results if each.player < len(people)]
        return self.do(state.night, night_commands.TellTable(row.key, row.active_at, totals, rarest(state)))

    def _known_after(self, state: State) -> KnownNight:
        """The night of a table's state. Raises `Problem` for a table that is none."""
        key = state.row.key
        known = self._known.get(key)
        if known is not None and known.changes is state.changes:
            return known
        try:
            found = _fold(state.changes, known)
        except ValidationError as error:
            raise Problem("store-damaged", 503) from error
        self._known[key] = found
        return found


def _fold(changes: Sequence[Mapping[str, Any]], known: KnownNight | None) -> KnownNight:
    """The night after these changes. `known`: after some of them; damage may have taken changes that were known."""
    if known is None or len(known.changes) > len(changes) or known.changes[0] is not changes[0]:  # it was written anew
        first = from_change(changes[0]) if changes and "throw" not in changes[0] else None
        if not isinstance(first, night_events.NightBegun):
            raise Problem("table-unknown", 404)
        known = KnownNight(changes[:1], begin(first))
    happened = [from_change(each) for each in changes[len(known.changes) :]]
    return KnownNight(changes, evolve(known.night, happened))


def _names_at(state: State, seat: int, person: Person, name: str) -> Iterator[str]:
    """How a person was called at a table: by its players, and by the own phone if that has the name."""
    yield from state.row.players[seat : seat + 1]
    for action in actions_in(line.body for line in state.entries):
        if action.get("what") == "player-renamed" and action.get("player") == seat:
            yield action["name"]
    phone = state.access.phones.get(person.phone)
    if phone is not None and name in name_key(phone.name):
        yield phone.name


def _replace_names(keys: Collection[str], instead: str, body: str) -> str:
    """The body of an event without these names."""
    return msgspec.json.encode(replace_names(msgspec.json.decode(body), keys, instead)).decode()
