"""The running tables. Each has a session in memory, rebuilt from its log.

A command changes a table; followers hear of each change. The state of a session is a value, so reading it needs no
lock. Every method is safe for many threads.
"""

import contextlib
import functools
import itertools
import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from types import MappingProxyType
from typing import NamedTuple, ParamSpec, Protocol, TypeVar

import msgspec

import scorer
from web.common.problems import Problem
from web.journal.journal import Head, Overtaken
from web.store import codes
from web.store.stamps import now
from web.store.store import ERASED, Store, free_code
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
from web.table.new_tables import start
from web.table.showing import standing, view_of
from web.table.state import Decision, State, evolve
from web.table.stored_table import Json, TableRow
from web.table.view import Standing

logger = logging.getLogger(__name__)

# The sessions in memory, in log lines of 2 to 3 kB each; other tables are rebuilt when somebody looks at them.
CACHED_LINES = 60_000
LINES_OF_A_TABLE = 20  # which the rest of a session counts as
CACHED_FINISHED = 10  # finished games: people look at the result and start the next one
GONE = ("table-unknown", "table-lost", "table-deleted")
ASKS_EVERY_S = 0.05  # between two tries to lock a table
# These events do not change the view.
UNSEEN = {
    events.PhoneJoined,
    events.WebhookConnected,
    events.WebhookDisconnected,
    events.WebhookGivenUp,
    events.WebhookRetried,
}
# These events are no part of the game: if they cannot be written, they are held in memory alone. Of a photo, other
# processes would not know.
OPTIONAL = {events.PhotoUnderReview, events.PhotoRemoved, events.SamplesDropped}
OPTIONAL_AMONG_OTHERS = {events.SamplesDropped}
NO_ROOM = ("store-full", "store-failed")
# How often a change is tried again after another process was quicker: in some games all players write at once.
TRIES = 20
SHARED = "shared"  # in the stamps, where one server alone writes which start of it this is
LOCAL_CHANGES = 1000  # most states that phones are shown between two changes of a shared store

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
    """A state and its view. `stamp`: changes with every change of the view, and every start of the server. `before`:
    the snapshot before it, which may have the same standing."""

    def __init__(self, state: State, stamp: str, abilities: Json, before: "Snapshot | None" = None) -> None:
        self.state, self.stamp = state, stamp
        self._abilities = dict(abilities)
        same = before is not None and before.state.table is state.table
        self._standing: Standing | None = before._standing if before is not None and same else None
        self._view: bytes | None = None

    @property
    def view(self) -> bytes:
        """The view as JSON."""
        if self._view is None:
            self._standing = self._standing or standing(self.state.table)
            self._view = msgspec.json.encode(view_of(self.state, self.stamp, self._standing, self._abilities))
        return self._view


class Session:
    """A table in memory. Hold `lock` to load or to change it. `head`: the last event known here.

    `is_loaded`: there is a state. `overtaken`: another process may have added further events. `dropped`: this session
    is out of use, since it may differ from the disk. `announced`: the stamp of the view that phones got last.
    """

    head: Head
    snapshot: Snapshot
    state: State

    def __init__(self, key: str) -> None:
        self.key = key
        self.announced = ""
        self.is_loaded = self.overtaken = self.dropped = False
        self.lock = threading.RLock()

    def show(self, snapshot: Snapshot) -> None:
        self.snapshot, self.state = snapshot, snapshot.state


class SessionCache:
    """The sessions in memory, the least recently used first. Safe for many threads: each step is one atomic one, and a
    session leaves only by who holds its lock."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, Session] = OrderedDict()

    def get(self, key: str) -> Session | None:
        """The session, if it is loaded."""
        session = self._sessions.get(key)
        if session is None or not session.is_loaded:
            return None
        with contextlib.suppress(KeyError):  # it was just dropped
            self._sessions.move_to_end(key)
        return session

    def load(self, key: str, load: Callable[[Session], None]) -> Session:
        """The session, which the first one who asks loads, while the others wait."""
        while True:
            session = self._sessions.setdefault(key, Session(key))
            with session.lock:
                try:
                    if not session.is_loaded and not session.dropped:
                        load(session)
                        self._make_room(session)
                except BaseException:
                    self.drop(session)
                    raise
                if not session.dropped:
                    return session

    def all(self) -> list[Session]:
        return [each for each in list(self._sessions.values()) if each.is_loaded]

    def _make_room(self, new: Session) -> None:
        """Forgets others than this one if there are too many, but none that is locked now."""
        sessions = self.all()
        finished = [each for each in sessions if each.state.table.over]
        for each in finished[:-CACHED_FINISHED]:
            self._forget(each)
        lines = sum(each.state.version + LINES_OF_A_TABLE for each in sessions if not each.dropped)
        for each in sessions:
            if lines <= CACHED_LINES:
                return
            if each is not new and not each.dropped:
                lines -= each.state.version + LINES_OF_A_TABLE
                self._forget(each)

    def drop(self, session: Session) -> None:
        """Hold the session's lock."""
        session.dropped = True
        if self._sessions.get(session.key) is session:
            del self._sessions[session.key]

    def clear(self) -> None:
        self._sessions.clear()

    def _forget(self, session: Session) -> None:
        if session.lock.acquire(blocking=False):
            self.drop(session)
            session.lock.release()


def _newest(store: Store, session: Session) -> tuple[State, Head] | None:
    """The state with what others did, and their last event; None if a damage took one."""
    found = store.events_after(session.state.row, session.head)
    try:
        return None if found is None else (evolve(session.state, found[0]), found[1])
    except (scorer.Refusal, LookupError, TypeError, ValueError):  # of a table that was damaged
        return None


def _shared_tick(session: Session) -> int:
    before = session.snapshot.stamp.split(".")
    return max(session.head.number * LOCAL_CHANGES, int(before[1]) + 1 if len(before) == 3 else 0)


def _close_removed(phones: PhoneHub, state: State) -> None:
    """Closes the streams of phones and programs that may no longer come to a table."""
    if state.access.deletion is not None:
        phones.end_table(state.row.key, deleted_problem())
    else:
        phones.turn_out(state.row.key, state.access)


def _until_quickest(ask: Callable[Asked, Answer]) -> Callable[Asked, Answer]:
    """Asks again if another process was quicker: then `decide` sees what that one did, and whether it was the same
    request."""

    @functools.wraps(ask)
    def ask_again(*asked: Asked.args, **more: Asked.kwargs) -> Answer:
        for _ in range(TRIES - 1):
            with contextlib.suppress(Overtaken):
                return ask(*asked, **more)
        return ask(*asked, **more)

    return ask_again


class Sessions:
    """All tables of a store. Whoever asks for somebody else, says for whom (`Asker`); else the server itself asks.

    Where other processes share the store, a session catches up with them before it is used. All give the same change
    the same stamp then: a phone may ask any.
    """

    def __init__(self, store: Store, phones: PhoneHub) -> None:
        self.store = store
        self._followers: list[tuple[Follower, Set[type]]] = []
        # Makes the small picture of a photo under review, by the table's key and the photo's id; None: there is none.
        self.make_picture: Callable[[str, str], bytes | None] = lambda key, reading: None
        self._phones = phones
        self._cache = SessionCache()
        self._ticks = itertools.count(1)
        self._boot = SHARED if store.is_shared else secrets.token_hex(4)
        # Keys of the view that the server sets. `reader_problem`: why it cannot read photos.
        self.abilities: Json = {"reader": True, "reader_problem": None, "camera": False}

    def follow(self, follower: Follower, *kinds: type) -> None:
        """Has `follower` hear of each change with an event of these kinds, of all changes if none is named. Followers
        hear in the order of these calls, before the phones."""
        self._followers.append((follower, frozenset(kinds)))

    # --- new tables ------------------------------------------------------------------------------------------------

    def start(self, command: Start, asker: Asker) -> TableRow:
        """Starts a table. Raises as `new_tables.start`."""
        return self.store.create(start(command, asker, self._given_for_new()))

    @_until_quickest
    def go_on(self, key: str, command: StartNext | ContinueDamaged, asker: Asker = SERVER) -> TableRow:
        """The table that follows another one. All phones that ask get the same table. Raises as `decide`, unless the
        next table is there already."""
        with self._lock_session(key) as session:
            following = self._next_of(session)
            state = session.state
            given = self._given_for_new(self.store.samples(state.row.id, state.samples))
            decision = decide(state, command, asker, given)
            if decision.starts is None:
                assert following is not None
                return following
            after = evolve(state, decision.events)
            fresh, session.head = self.store.go_on(state.row, session.head, decision.starts, decision.blobs)
            self._show(session, decision.events, after)
            return fresh

    def _next_of(self, session: Session) -> TableRow | None:
        """The table that follows; if it was lost, the session no longer has one."""
        key = session.state.row.next_key
        try:
            return None if key is None else self.row(key)
        except Problem as problem:
            if problem.reason not in GONE:
                raise
            self._apply(session, Decision([events.NextTableSet(None)]))
            return None

    def _given_for_new(self, samples: Mapping[int, bytes] = MappingProxyType({})) -> Given:
        return Given(now(), codes.new_key(), free_code(self.store), samples=samples)

    # --- a table ---------------------------------------------------------------------------------------------------

    def row(self, key: str) -> TableRow:
        """The setup of a table. Raises `Problem`: "table-unknown", or "table-lost" if a damage took the table."""
        session = self._cache.get(key)
        if session is not None:
            return session.state.row
        if (row := self.store.find(key)) is None:
            raise Problem("table-unknown", 404)
        return row

    def look(self, key: str, asker: Asker = SERVER) -> State:
        """The state of a table. Raises `Problem` if `asker` may not come there."""
        if asker is SERVER and not self.store.is_shared:
            return (self._cache.get(key) or self._load(key)).state
        return self.snapshot(key, asker).state

    def snapshot(self, key: str, asker: Asker = SERVER) -> Snapshot:
        """The state of a table, with its view; as `look`."""
        if self.store.is_shared:
            with self._lock_session(key, writes=False) as session:
                found = session.snapshot
        else:
            found = (self._cache.get(key) or self._load(key)).snapshot
        if asker is not SERVER:
            found.state.access.check(asker.phone)
        return found

    @_until_quickest
    def do(self, key: str, command: Command, asker: Asker = SERVER) -> bytes:
        """Carries out a command and returns the view.

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

    def _change(self, key: str, command: Command, asker: Asker, picture: bytes | None = None) -> bytes:
        with self._lock_session(key, writes=not isinstance(command, PASSING)) as session:
            code = free_code(self.store) if isinstance(command, RemovePhone) and command.out else ""
            given = Given(now(), code=code, picture=picture)
            self._apply(session, decide(session.state, command, asker, given))
            return session.snapshot.view

    @_until_quickest
    def erase(self, key: str, deletion: Deletion) -> bool:
        """Deletes all that is stored of a table. Returns False if this deletion was undone. Raises `Problem`."""
        with self._lock_session(key) as session:
            decision = decide(session.state, EraseTable(deletion), SERVER)
            if not any(isinstance(each, events.TableErased) for each in decision.events):
                self._apply(session, decision)
                return False
            before = self.store.erase(session.state.row, session.head)
            self._cache.drop(session)
            self._tell_followers(TableChange(key, decision.events, session.state, session.state))
        if before is not None:
            with contextlib.suppress(Problem):
                self.look_again(before)
        return True

    def look_again(self, key: str) -> None:
        """Shows a table's phones what others than a session here did there."""
        (self._cache.get(key) or self._load(key)).overtaken = True
        with self._lock_session(key, writes=False):
            pass

    def known_numbers(self) -> dict[str, int]:
        """The number of the last known event of each table in memory, by its key."""
        return {session.state.row.key: session.head.number for session in self._cache.all()}

    def arrive(self, key: str, asker: Asker, invited: bool = False) -> None:
        """Notes a phone at a table with an owner. `invited`: it came by the short code, which admits any phone.

        If this cannot be written, a phone that may come is let in nevertheless.
        """
        state = self.look(key, SERVER if invited else asker)
        if not is_new(state, asker):
            return
        try:
            self.do(key, Arrive(invited), asker)
        except Problem as problem:
            if not state.access.lets_in(asker.phone):
                raise
            logger.warning("a phone could not be noted: %s", problem)

    def refresh(self) -> None:
        """Sends all phones their view again, after the server's abilities changed."""
        for session in self._cache.all():
            with session.lock:
                if not session.dropped:
                    self._update_snapshot(session, session.state)
                    self._announce(session)

    # --- one change ------------------------------------------------------------------------------------------------

    def _apply(self, session: Session, decision: Decision) -> None:
        """Writes what was decided, then shows it. Hold the session's lock."""
        if decision.events:
            after = evolve(session.state, decision.events, decision.played)
            self._write(session, decision)
            self._show(session, decision.events, after)

    def _show(self, session: Session, happened: Sequence[Event], after: State) -> None:
        """Shows everybody what happened, which is written, and the state `after` it. Hold the session's lock."""
        before, kinds = session.state, set(map(type, happened))
        if kinds <= UNSEEN:
            session.show(Snapshot(after, session.snapshot.stamp, self.abilities, session.snapshot))
        else:
            self._update_snapshot(session, after)
        self._tell_followers(TableChange(after.row.key, happened, before, after))
        if events.Logged in kinds and after.samples and (gone := unfounded_samples(session.state)):
            self._apply(session, Decision(gone))
        if before.access != session.state.access:
            _close_removed(self._phones, session.state)
        self._announce(session)

    def _tell_followers(self, change: TableChange) -> None:
        kinds = set(map(type, change.events))
        for follower, wanted in self._followers:
            try:
                if not wanted or wanted & kinds:
                    follower(change)
            except Exception:  # the change is done, and the phone must learn so
                logger.exception("what happened at a table was not followed")

    def _write(self, session: Session, decision: Decision) -> None:
        stored = [each for each in decision.events if isinstance(each, events.Stored)]
        if not stored:
            return
        try:
            session.head = self.store.append(session.state.row, session.head, stored, decision.blobs)
        except BaseException as error:
            kinds, is_overtaken = set(map(type, stored)), isinstance(error, Overtaken)
            optional = OPTIONAL_AMONG_OTHERS if self.store.is_shared or is_overtaken else OPTIONAL
            if isinstance(error, Problem) and kinds <= optional:
                logger.warning("a table's photo could not be noted: %s", error)
                return
            if not isinstance(error, Problem) or (events.Logged in kinds and not is_overtaken):
                self._cache.drop(session)  # the next look loads the table from the disk
            raise

    def _update_snapshot(self, session: Session, state: State) -> None:
        tick = _shared_tick(session) if self.store.is_shared else next(self._ticks)
        stamp = f"{len(state.entries)}.{tick}.{self._boot}"
        session.show(Snapshot(state, stamp, self.abilities, session.snapshot))

    def _announce(self, session: Session) -> None:
        """Sends phones the view, unless they have it: a follower's own command may have sent a newer one."""
        if session.announced != session.snapshot.stamp and not session.dropped:
            session.announced = session.snapshot.stamp
            self._phones.announce(session.state.row.key, session.snapshot.view)

    # --- what is in memory -----------------------------------------------------------------------------------------

    @contextmanager
    def _lock_session(self, key: str, writes: bool = True) -> Iterator[Session]:
        """Locks a table's session. Raises `Problem("table-unknown")`, and with `writes` also while another phone waits
        for a locked store."""
        asked_at = time.monotonic()
        while True:
            session, waited = self._cache.get(key) or self._load(key), False
            while not session.lock.acquire(timeout=ASKS_EVERY_S):
                waited = True
                if writes:
                    self.store.check(asked_at)
            try:
                # Another thread may have dropped it while this one waited.
                is_behind = self.store.is_shared or session.overtaken
                if not session.dropped and (not is_behind or self._catch_up(session)):
                    if writes and waited:
                        self.store.check(asked_at, waits=False)
                    yield session
                    return
            except Overtaken:
                session.overtaken = True
                raise
            finally:
                session.lock.release()

    def _catch_up(self, session: Session) -> bool:
        """Brings a session up to date with other processes; False: it must be rebuilt. Hold its lock."""
        state, number = session.state, self.store.last_number(session.state.row)
        if number == session.head.number:
            session.overtaken = False
            return True
        if number == ERASED:
            self._cache.drop(session)
            self._phones.end_table(state.row.key, deleted_problem(final=True))
            return False
        try:
            newest = None if number < session.head.number else _newest(self.store, session)
        except BaseException:
            self._cache.drop(session)
            raise
        if newest is None:
            self._cache.drop(session)
            return False
        (after, session.head), session.overtaken = newest, False
        self._update_snapshot(session, after)
        if after.access != state.access:
            _close_removed(self._phones, session.state)
        self._announce(session)
        return True

    def _load(self, key: str) -> Session:
        return self._cache.load(key, functools.partial(self._rebuild, self.row(key)))

    def _rebuild(self, row: TableRow, session: Session) -> None:
        """Hold the session's lock."""
        state, session.head = self.store.open(row)
        session.show(Snapshot(state, "", self.abilities))
        self._update_snapshot(session, state)
        session.announced = session.snapshot.stamp
        _close_removed(self._phones, session.state)
        gone = unfounded_samples(state)  # samples of undone throws that could not be dropped before
        if gone:
            self._write(session, Decision(gone))
            self._update_snapshot(session, evolve(state, gone))
        if self.store.is_shared:  # phones here may know an older state, which another process changed
            self._phones.announce(row.key, session.snapshot.view)
        session.is_loaded = True
