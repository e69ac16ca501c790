"""The nights of a store. Each has its journal in that of a table which nobody plays, and is made from it.

A night is changed as a table is: decided from its present state, written, then shown; if somebody was quicker, it is
decided again. So it is the same on one computer, on many that share a database, and on a phone.
"""

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import ValidationError, structs

from scorer.registry import own_key
from web.clubs import night_commands, night_events
from web.clubs.night import Night, NightTable, begin, evolve
from web.clubs.night_commands import NightCommand
from web.clubs.night_decisions import NightGiven, check_desk, check_plan, decide, token_hash
from web.clubs.night_events import Plan, Total, as_change, from_change
from web.clubs.rare_throws import rarest
from web.limits.recent import Recent
from web.problems.problem import Problem
from web.runner.runner import Runner, TableChange
from web.store.stamps import now
from web.table.commands import SERVER, Asker, ChangeNight, Chosen, CloseTable, DeleteTable, Given, Start
from web.table.events import Logged, TableStarted
from web.table.new_tables import start
from web.table.state import State
from web.table.stored_table import TableRow, outcome

FILE = (Path(__file__).parent / "night-game.toml").read_text(encoding="utf-8")
NIGHT_GAME = own_key(FILE, "club-night")
REMEMBERED_NIGHTS = 50
TRIES = 20  # of a change that finds the night changed meanwhile
SEEDS = 1 << 31
SETTLED_S = 60.0


class KnownNight(NamedTuple):
    """A night after so many of its changes."""

    changes: int
    night: Night


class Nights:
    """All nights of a store. For many threads."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._known: Recent[str, KnownNight] = Recent(REMEMBERED_NIGHTS)
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
        self.do(key, night_commands.OfferDesk(token_hash(token)), asker)
        return token

    def look(self, key: str, asker: Asker = SERVER) -> Night:
        """A night. Raises `Problem` if there is none, or `asker` may not come there."""
        return self._known_after(self._runner.look(key, asker)).night

    def do(self, key: str, command: NightCommand, asker: Asker = SERVER) -> Night:
        """Carries out a command; returns the night after it. Raises what `deciding.decide` raises."""
        given = NightGiven(now(), secrets.randbelow(SEEDS))
        for _ in range(TRIES):
            known = self._known_after(self._runner.look(key, asker))
            happened = decide(known.night, command, asker, given)
            if not happened:
                return known.night
            try:
                shown = self._runner.do(key, ChangeNight(known.changes, [as_change(each) for each in happened]))
            except Problem as problem:
                if problem.reason != "stale":
                    raise
                continue
            return self._known_after(shown.state).night
        raise Problem("busy", 503, again_s=1)

    def ring(self, key: str, asker: Asker, count: Callable[[], None]) -> Night:
        """Makes the tables of the drawn round, and begins it. `count`: is called for each table, and may refuse.

        If another desk was quicker, its tables stay alone, and the night as it is now is returned."""
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
        names = [night.people[person].name for person in table.people]
        command = Start(plan.game, plan.options, names, chosen=Chosen(keeps_pictures=night.plan.pictures))

        def make(given: Given) -> TableStarted:
            return structs.replace(start(command, asker, given), night=key)

        row = self._runner.begin(make)
        return row.key, row.code

    def settle(self, key: str) -> Night:
        """The night, with the results of all its tables: a power cut may have come between a table and its night."""
        night = self.look(key)
        for played in night.played:
            for table in played.tables:
                open_still = table.totals is None or played is night.played[-1]
                seen = self._settled.get(table.key) or -SETTLED_S  # few finished games are kept in memory
                if open_still and time.monotonic() - seen >= SETTLED_S and (state := self.game_of(table)) is not None:
                    night = self._note(state) or night
                    if state.table.over:
                        self._settled[table.key] = time.monotonic()
        return night

    def game_of(self, table: NightTable) -> State | None:
        """The state of a table of a round; None before its bell, and if it is gone."""
        if not table.key:
            return None
        try:
            return self._runner.look(table.key)
        except Problem:
            return None

    def _follow(self, change: TableChange) -> None:
        if change.state.night and (change.state.table.over or change.before.table.over):
            with suppress(Problem):  # the night is deleted; or what it lacks comes when its desk or board is opened
                self._note(change.state)

    def _note(self, state: State) -> Night | None:
        """Tells a night what a table brought, if that is new."""
        night = self.look(state.night)
        found = night.place_of(state.row.key)
        if found is None:
            return None
        results, people = outcome(state.table)[0] or (), found[1].people
        totals = [Total(people[each.player], each.score, each.place) for each in results if each.player < len(people)]
        return self.do(state.night, night_commands.TellTable(state.row.key, totals, rarest(state)))

    def _known_after(self, state: State) -> KnownNight:
        """The night of a table's state. Raises `Problem` for a table that is none."""
        key = state.row.key
        known = self._known.get(key)
        if known is not None and known.changes == len(state.changes):
            return known
        try:
            found = _fold(state.changes, known)
        except ValidationError as error:
            raise Problem("store-damaged", 503) from error
        self._known[key] = found
        return found


def _fold(changes: Sequence[Mapping[str, Any]], known: KnownNight | None) -> KnownNight:
    """The night after these changes. `known`: after some of them; damage may have taken changes that were known."""
    if known is None or known.changes > len(changes):
        first = from_change(changes[0]) if changes else None
        if not isinstance(first, night_events.NightBegun):
            raise Problem("table-unknown", 404)
        known = KnownNight(1, begin(first))
    happened = [from_change(each) for each in changes[known.changes :]]
    return KnownNight(len(changes), evolve(known.night, happened))
