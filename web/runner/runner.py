"""The running tables. Each has a state in memory, rebuilt from its log.

A command changes a table; followers hear of each change. The state is a value, so reading it needs no
lock. Every method is safe for many threads.
"""

import contextlib
import functools
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from types import MappingProxyType
from typing import NamedTuple, ParamSpec, Protocol, TypeVar

import msgspec

import scorer
from web.journal.journal import Head, Overtaken
from web.limits.recent import Recent
from web.problems.problem import Problem
from web.store import codes
from web.store.stamps import now
from web.store.store import News, Store, free_code
from web.table import events
from web.table.access_decisions import is_new
from web.table.access_list import AccessList, Deletion, deleted_problem
from web.table.commands import (
    PASSING,
    SERVER,
    Act,
    Arrive,
    Asker,
    ChooseWay,
    Command,
    ContinueDamaged,
    EraseTable,
    Given,
    RemovePhone,
    Start,
    StartNext,
)
from web.table.deciding import decide, unfounded_samples
from web.table.events import Event
from web.table.evidence import shown_throw
from web.table.moments import moments_of
from web.table.moves import Pace, replay_log
from web.table.new_tables import start
from web.table.photo_state import Waiting
from web.table.showing import standing, view_of
from web.table.state import Decision, State, evolve
from web.table.stored_table import Json, TableRow
from web.table.view import GameMoment, Standing

logger = logging.getLogger(__name__)

# The tables in memory, in log lines of 2 to 3 kB each; other tables are rebuilt when somebody looks at them.
CACHED_LINES = 60_000
LINES_OF_A_TABLE = 20  # which the rest of a table counts as
CACHED_FINISHED = 10  # finished games: people look at the result and start the next one
GONE = ("table-unknown", "table-lost", "table-deleted")
ASKS_EVERY_S = 0.05  # between two tries to lock a table
# These events do not change the view.
UNSEEN = {events.PhoneJoined}
NO_ROOM = ("store-full", "store-failed")
TRIES = 20  # of a change that finds the table changed meanwhile: in some games all players write at once
READ_WITHIN_S = 10.0  # of the processor: a log of 20,000 lines takes half a second on a laptop
LOADED_WITHIN_S, READ_AGAIN_S = 3.0, 5  # how long others wait for that, and when they ask again
REMEMBERED_TOO_LONG = 1000  # tables whose logs take longer

# Of this thread. A browser's Python has one thread, and no such clock.
processor_seconds: Callable[[], float] = getattr(time, "thread_time", time.process_time)

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


class PhoneHub(Protocol):
    """Shows the tables to phones: the laptop's is `live_hub.Hub`."""

    def announce(self, key: str, view: bytes) -> None: ...

    def turn_out(self, key: str, access: AccessList) -> None:
        """Closes the streams of phones that may no longer come to the table."""

    def end_table(self, key: str, problem: Problem) -> None:
        """Closes all streams of a table with what is the matter."""


class TableChange(NamedTuple):
    """The events that just happened at a table, which are on the disk, and the states before and after them."""

    key: str
    events: Sequence[Event]
    before: State
    state: State


Follower = Callable[[TableChange], None]


class Snapshot:
    """A state with its standing and its view. `stamp`: changes with every change of the view, and every start of the
    server. `before`: the snapshot before it, which may have the same standing and moments."""

    standing: Standing
    moments: Sequence[GameMoment]

    def __init__(self, state: State, stamp: str, abilities: Json, before: "Snapshot | None" = None) -> None:
        self.state, self.stamp = state, stamp
        self._abilities = dict(abilities)
        if before is not None and before.state.table is state.table:
            self.standing, self.moments = before.standing, before.moments
        else:
            self.standing, self.moments = standing(state.table), moments_of(state)

    @functools.cached_property
    def view(self) -> bytes:
        return msgspec.json.encode(view_of(self.state, self.stamp, self.standing, self.moments, self._abilities))


class RunningTable:
    """A table in memory. Hold `lock` to load or to change it. `head`: the last event known here.

    `is_loaded`: there is a state. `dropped`: it is out of use, since it may differ from the disk.
    `announced`: the stamp of the view that phones got last.
    """

    head: Head
    snapshot: Snapshot
    state: State

    def __init__(self, key: str) -> None:
        self.key = key
        self.announced = ""
        self.is_loaded = self.dropped = False
        self.lock = threading.RLock()


class RunningTables:
    """The tables in memory, the least recently used first. Safe for many threads: each step is one atomic one, and a
    table leaves only by who holds its lock."""

    def __init__(self) -> None:
        self._tables: OrderedDict[str, RunningTable] = OrderedDict()

    def get(self, key: str) -> RunningTable | None:
        """The table, if it is loaded."""
        running = self._tables.get(key)
        if running is None or not running.is_loaded:
            return None
        with contextlib.suppress(KeyError):  # it was just dropped
            self._tables.move_to_end(key)
        return running

    def load(self, key: str, load: Callable[[RunningTable], None]) -> RunningTable:
        """The table, which the first one who asks loads, while the others wait for a moment. Raises `Problem`."""
        while True:
            running = self._tables.setdefault(key, RunningTable(key))
            if not running.lock.acquire(timeout=LOADED_WITHIN_S):  # who waits holds a thread
                raise Problem("log-being-read", 503, again_s=READ_AGAIN_S)
            try:
                if not running.is_loaded and not running.dropped:
                    load(running)
                    self._make_room(running)
                if not running.dropped:
                    return running
            except BaseException:
                self.drop(running)
                raise
            finally:
                running.lock.release()

    def all(self) -> list[RunningTable]:
        return [each for each in list(self._tables.values()) if each.is_loaded]

    def _make_room(self, new: RunningTable) -> None:
        """Forgets others than this one if there are too many, but none that is locked now."""
        loaded = self.all()
        finished = [each for each in loaded if each.state.table.over]
        for each in finished[:-CACHED_FINISHED]:
            self._forget(each)
        lines = sum(each.state.version + LINES_OF_A_TABLE for each in loaded if not each.dropped)
        for each in loaded:
            if lines <= CACHED_LINES:
                return
            if each is not new and not each.dropped:
                lines -= each.state.version + LINES_OF_A_TABLE
                self._forget(each)

    def drop(self, running: RunningTable) -> None:
        """Hold the table's lock."""
        running.dropped = True
        if self._tables.get(running.key) is running:
            del self._tables[running.key]

    def clear(self) -> None:
        self._tables.clear()

    def _forget(self, running: RunningTable) -> None:
        if running.lock.acquire(blocking=False):
            self.drop(running)
            running.lock.release()


def _newest(state: State, news: News) -> State | None:
    """The state with what others did; None if that cannot be told, since the table was damaged or written anew."""
    try:
        if news.events is None or any(isinstance(each, events.NamesErased) for each in news.events):
            return None
        return evolve(state, news.events)
    except (scorer.Refusal, LookupError, TypeError, ValueError):
        return None


def _close_removed(phones: PhoneHub, state: State) -> None:
    """Closes the streams of phones and programs that may no longer come to a table."""
    if state.access.deletion is not None:
        phones.end_table(state.row.key, deleted_problem())
    else:
        phones.turn_out(state.row.key, state.access)


def _again_if_overtaken(ask: Callable[Asked, Answer]) -> Callable[Asked, Answer]:
    """Has a change decided again if the table was changed meanwhile, perhaps by the same request."""

    @functools.wraps(ask)
    def ask_again(*asked: Asked.args, **more: Asked.kwargs) -> Answer:
        for _ in range(TRIES - 1):
            with contextlib.suppress(Overtaken):
                return ask(*asked, **more)
        return ask(*asked, **more)

    return ask_again


class LogReader:
    """Replays the logs of tables. Which takes too long is remembered, and not tried again."""

    def __init__(self, store: Store) -> None:
        self._store, self._ends = store, False
        self._too_long: Recent[str, bool] = Recent(REMEMBERED_TOO_LONG)  # keys of tables

    def open(self, row: TableRow) -> tuple[State, Head]:
        """The state of a table, and its last event. Raises `Problem`, as all here."""
        return self._store.open(row, self._pace(row.key))

    def replay(self, row: TableRow) -> scorer.Table:
        return replay_log(row, self._store.load(row).entries, self._pace(row.key))[0]

    def end(self) -> None:
        self._ends = True

    def _pace(self, key: str) -> Pace:
        if key in self._too_long:
            raise Problem("log-too-long")
        until = processor_seconds() + READ_WITHIN_S

        def check() -> None:
            if self._ends:
                raise Problem("ending", 503, again_s=1)
            if processor_seconds() > until:
                logger.warning("the log of a table takes more than %d s to read", READ_WITHIN_S)
                self._too_long[key] = True
                raise Problem("log-too-long")

        return check


class Runner:
    """All tables of a store. Whoever asks for somebody else, says for whom (`Asker`); else the server itself asks.

    Before a running is used, it catches up with what the store says that others did.
    """

    def __init__(self, store: Store, phones: PhoneHub) -> None:
        self.store, self.logs = store, LogReader(store)
        self._followers: list[tuple[Follower, Set[type]]] = []
        # Makes the small picture of a photo under review, by the table's key and the photo's id; None: there is none.
        self.make_picture: Callable[[str, str], bytes | None] = lambda key, reading: None
        # Hears of a table that was loaded with a photo which nobody may be reading, by the table's key.
        self.note_unread: Callable[[str], None] = lambda key: None
        self._phones = phones
        self._cache = RunningTables()
        # Keys of the view that the server sets. `reader_problem`: why it cannot read photos.
        self.abilities: Json = {"reader": True, "reader_problem": None, "camera": False}

    def follow(self, follower: Follower, *kinds: type) -> None:
        """Has `follower` hear of each change with an event of these kinds, of all changes if none is named. Followers
        hear in the order of these calls, before the phones."""
        self._followers.append((follower, frozenset(kinds)))

    # --- new tables ------------------------------------------------------------------------------------------------

    def start(self, command: Start, asker: Asker) -> TableRow:
        """Starts a table. Raises as `new_tables.start`."""
        return self.begin(functools.partial(start, command, asker))

    def begin(self, make: Callable[[Given], events.TableStarted]) -> TableRow:
        """Stores the table whose beginning `make` makes. Raises what that raises."""
        return self.store.create(make(self._given_for_new()))

    @_again_if_overtaken
    def go_on(self, key: str, command: StartNext | ContinueDamaged, asker: Asker = SERVER) -> TableRow:
        """The table that follows another one. All phones that ask get the same table. Raises as `decide`, unless the
        next table is there already."""
        with self._lock_table(key) as running:
            following = self._next_of(running)
            state = running.state
            given = self._given_for_new(self.store.samples(state.row.id, state.samples))
            decision = decide(state, command, asker, given)
            if decision.starts is None:
                assert following is not None
                return following
            after = evolve(state, decision.events)
            fresh, running.head = self.store.go_on(state.row, running.head, decision.starts, decision.blobs)
            self._show(running, decision.events, after)
            return fresh

    def _next_of(self, running: RunningTable) -> TableRow | None:
        """The table that follows; if it was lost, the table no longer has one."""
        key = running.state.row.next_key
        try:
            return None if key is None else self.row(key)
        except Problem as problem:
            if problem.reason not in GONE:
                raise
            self._apply(running, Decision([events.NextTableSet(None)]))
            return None

    def _given_for_new(self, samples: Mapping[int, bytes] = MappingProxyType({})) -> Given:
        return Given(now(), codes.new_key(), free_code(self.store), samples=dict(samples))

    # --- a table ---------------------------------------------------------------------------------------------------

    def row(self, key: str) -> TableRow:
        """The setup of a table. Raises `Problem`: "table-unknown", or "table-lost" if a damage took the table."""
        running = self._cache.get(key)
        if running is not None:
            return running.state.row
        if (row := self.store.find(key)) is None:
            raise Problem("table-unknown", 404)
        return row

    def look(self, key: str, asker: Asker = SERVER) -> State:
        """The state of a table. Raises `Problem` if `asker` may not come there."""
        return self.snapshot(key, asker).state

    def snapshot(self, key: str, asker: Asker = SERVER) -> Snapshot:
        """The state of a table, with its view; as `look`."""
        running = self._cache.get(key) or self._load(key)
        while not self._catch_up(running):
            running = self._cache.get(key) or self._load(key)
        found = running.snapshot
        if asker is not SERVER:
            found.state.access.check(asker.phone)
        return found

    @_again_if_overtaken
    def do(self, key: str, command: Command, asker: Asker = SERVER) -> Snapshot:
        """Carries out a command and returns what is shown after it.

        Raises what `deciding.decide` raises, and `Problem` if the events cannot be written; then nothing has changed.
        """
        may_show = isinstance(command, ChooseWay) or (isinstance(command, Act) and command.evidence is not None)
        reading = shown_throw(self.look(key), command) if may_show else None
        picture = None if reading is None else self.make_picture(key, reading)
        try:
            return self._change(key, command, asker, picture)
        except Problem as problem:  # the throw counts though the disk has no room for its picture
            if picture is None or problem.reason not in NO_ROOM:
                raise
            logger.warning("the picture of a throw could not be kept: %s", problem)
        return self._change(key, command, asker)

    def _change(self, key: str, command: Command, asker: Asker, picture: bytes | None = None) -> Snapshot:
        with self._lock_table(key, writes=not isinstance(command, PASSING)) as running:
            code = free_code(self.store) if isinstance(command, RemovePhone) and command.out else ""
            given = Given(now(), code=code, picture=picture)
            self._apply(running, decide(running.state, command, asker, given))
            return running.snapshot

    @_again_if_overtaken
    def erase(self, key: str, deletion: Deletion) -> bool:
        """Deletes all that is stored of a table. Returns False if this deletion was undone. Raises `Problem`."""
        with self._lock_table(key) as running:
            decision = decide(running.state, EraseTable(deletion), SERVER)
            if not any(isinstance(each, events.TableErased) for each in decision.events):
                self._apply(running, decision)
                return False
            before = self.store.erase(running.state.row, running.head)
            self._cache.drop(running)
            self._tell_followers(TableChange(key, decision.events, running.state, running.state))
        stale = None if before is None else self._cache.get(before)
        if stale is not None:  # it goes on to another table now
            with stale.lock:
                self._cache.drop(stale)
            with contextlib.suppress(Problem):
                self._load(stale.key)
        return True

    @_again_if_overtaken
    def rewrite(self, key: str, change: Callable[[str], str]) -> None:
        """Writes the events of a table anew (`event_rows.rewrite`). Raises `Problem`."""
        with self._lock_table(key) as running:
            self.store.rewrite(running.state.row, change)
            self._cache.drop(running)
        self._load(key)  # phones there are shown it

    def replay(self, row: TableRow) -> scorer.Table:
        """The game of a table that need not stay in memory. Raises `Problem`."""
        running = self._cache.get(row.key)
        return self.logs.replay(row) if running is None else running.state.table

    def arrive(self, key: str, asker: Asker, invited: bool = False) -> None:
        """Notes a phone at a table with an owner. `invited`: it came by the short code, which admits any phone.

        If this cannot be written, a phone that may come is let in nevertheless.
        """
        state = self.look(key, SERVER if invited else asker)
        if not is_new(state, asker.with_name(state.access)):
            return
        try:
            self.do(key, Arrive(invited), asker)
        except Problem as problem:
            if not state.access.lets_in(asker.phone):
                raise
            logger.warning("a phone could not be noted: %s", problem)

    def refresh(self) -> None:
        """Sends all phones their view again, after the server's abilities changed."""
        for running in self._cache.all():
            with running.lock:
                if not running.dropped:
                    self._update_snapshot(running, running.state)
                    self._announce(running)

    # --- one change ------------------------------------------------------------------------------------------------

    def _apply(self, running: RunningTable, decision: Decision) -> None:
        """Writes what was decided, then shows it. Hold the table's lock."""
        if decision.events:
            after = evolve(running.state, decision.events, decision.played)
            self._write(running, decision)
            self._show(running, decision.events, after)

    def _show(self, running: RunningTable, happened: Sequence[Event], after: State) -> None:
        """Shows everybody what happened, which is written, and the state `after` it. Hold the table's lock."""
        before, shown, kinds = running.state, running.snapshot, set(map(type, happened))
        if kinds <= UNSEEN:
            running.snapshot, running.state = Snapshot(after, shown.stamp, self.abilities, shown), after
        else:
            self._update_snapshot(running, after)
        self._tell_followers(TableChange(after.row.key, happened, before, after))
        if events.Logged in kinds and after.samples and (gone := unfounded_samples(running.state)):
            self._apply(running, Decision(gone))
        if before.access != running.state.access:
            _close_removed(self._phones, running.state)
        self._announce(running)

    def _tell_followers(self, change: TableChange) -> None:
        kinds = set(map(type, change.events))
        for follower, wanted in self._followers:
            try:
                if not wanted or wanted & kinds:
                    follower(change)
            except Exception:  # the change is done, and the phone must learn so
                logger.exception("what happened at a table was not followed")

    def _write(self, running: RunningTable, decision: Decision) -> None:
        passing = self.store.passing
        stored = [each for each in decision.events if isinstance(each, events.Stored) and type(each) not in passing]
        if not stored:
            return
        try:
            running.head = self.store.append(running.state.row, running.head, stored, decision.blobs)
        except BaseException as error:
            kinds = set(map(type, stored))
            if isinstance(error, Problem) and kinds <= self.store.optional:
                logger.warning("a table's photo could not be noted: %s", error)
                return
            if not isinstance(error, Problem) or events.Logged in kinds:
                self._cache.drop(running)  # the next look loads the table from the disk
            raise

    def _update_snapshot(self, running: RunningTable, state: State, head: Head | None = None) -> None:
        """`head`: the last event, unless it is the known one."""
        _, _, before = running.snapshot.stamp.partition(".")
        stamp = f"{len(state.entries)}.{self.store.stamp_view(head or running.head, before)}"
        running.snapshot, running.state = Snapshot(state, stamp, self.abilities, running.snapshot), state

    def _announce(self, running: RunningTable) -> None:
        """Sends phones the view, unless they have it: a follower's own command may have sent a newer one."""
        if running.announced != running.snapshot.stamp and not running.dropped:
            running.announced = running.snapshot.stamp
            self._phones.announce(running.state.row.key, running.snapshot.view)

    # --- what is in memory -----------------------------------------------------------------------------------------

    @contextmanager
    def _lock_table(self, key: str, writes: bool = True) -> Iterator[RunningTable]:
        """Locks a table. Raises `Problem("table-unknown")`, and with `writes` also while another phone waits
        for a locked store."""
        asked_at = time.monotonic()
        while True:
            running, waited = self._cache.get(key) or self._load(key), False
            while not running.lock.acquire(timeout=ASKS_EVERY_S):
                waited = True
                if writes:
                    self.store.check(asked_at)
            try:
                # Another thread may have dropped it while this one waited.
                if not running.dropped and self._catch_up(running):
                    if writes and waited:
                        self.store.check(asked_at, waits=False)
                    yield running
                    return
            except Overtaken:
                self._cache.drop(running)
                raise
            finally:
                running.lock.release()

    def _catch_up(self, running: RunningTable) -> bool:
        """Brings a table up to date with what others did. False: it is out of use, or was changed meanwhile. It needs
        the lock only if there is something new."""
        known = running.head
        try:
            news = self.store.catch_up(running.state.row, known)
        except Problem as problem:
            if problem.reason in GONE:
                self._phones.end_table(running.key, problem)
                with running.lock:
                    self._cache.drop(running)
            raise
        if news is None:
            return True
        with running.lock:
            if running.dropped or running.head != known:
                return False
            before, after = running.state, _newest(running.state, news)
            if after is None:
                self._cache.drop(running)
                return False
            self._update_snapshot(running, after, news.head)
            running.head = news.head  # after that: whoever looks without the lock goes by it
            if after.access != before.access:
                _close_removed(self._phones, after)
            self._announce(running)
            return True

    def _load(self, key: str) -> RunningTable:
        return self._cache.load(key, functools.partial(self._rebuild, self.row(key)))

    def _rebuild(self, row: TableRow, running: RunningTable) -> None:
        """Hold the table's lock."""
        state, running.head = self.logs.open(row)
        running.snapshot = Snapshot(state, "", self.abilities)
        self._update_snapshot(running, state)
        running.announced = running.snapshot.stamp
        _close_removed(self._phones, running.state)
        gone = unfounded_samples(state)  # samples of undone throws that could not be dropped before
        if gone:
            self._write(running, Decision(gone))
            self._update_snapshot(running, evolve(state, gone))
        self._phones.announce(row.key, running.snapshot.view)  # phones here may know an older state
        running.is_loaded = True
        if isinstance(state.photo, Waiting):
            self.note_unread(row.key)
