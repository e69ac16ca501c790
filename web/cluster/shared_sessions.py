"""The running tables of one server among several that share a store."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

import scorer
from web.cluster.shared_store import ERASED, SharedStore
from web.journal.journal import Overtaken
from web.session import events
from web.session.access_list import Deletion, deleted_problem
from web.session.commands import SERVER, Asker, Command, ContinueDamaged, StartNext
from web.session.events import Event
from web.session.state import State, evolve
from web.session.stored_table import TableRow
from web.sessions import PhoneHub, Session, Sessions

# How often a change is tried again after another process was quicker: in some games all players write at once.
TRIES = 20
SHARED = "shared"  # in the stamps, where one server alone writes which start of it this is
LOCAL_CHANGES = 1000  # most states that phones are shown between two changes of the store


Answer = TypeVar("Answer")


class SharedSessions(Sessions):
    """Sessions that catch up with other processes. All give the same change the same stamp: a phone may ask any."""

    store: SharedStore

    def __init__(self, store: SharedStore, phones: PhoneHub) -> None:
        super().__init__(store, phones)

    def do(self, key: str, command: Command, asker: Asker = SERVER) -> bytes:
        return _until_quickest(lambda: super(SharedSessions, self).do(key, command, asker))

    def go_on(self, key: str, command: StartNext | ContinueDamaged, asker: Asker = SERVER) -> TableRow:
        return _until_quickest(lambda: super(SharedSessions, self).go_on(key, command, asker))

    def erase(self, key: str, deletion: Deletion) -> bool:
        return _until_quickest(lambda: super(SharedSessions, self).erase(key, deletion))

    def look_again(self, key: str) -> None:
        """Shows a table's phones what other processes did there."""
        with self._lock_session(key, writes=False):
            pass

    def known_changes(self) -> dict[str, int]:
        """The number of the last known change of each table in memory, by its key."""
        return {session.state.row.key: session.change for session in self._cache.all()}

    def _current(self, key: str) -> Session:
        with self._lock_session(key, writes=False) as session:
            return session

    def _catch_up(self, session: Session) -> bool:
        state = session.state
        change = self.store.change(state.row.id)
        if change == session.change:
            return True
        if change == ERASED:
            self._cache.drop(session)
            self._phones.end_table(state.row.key, deleted_problem(final=True))
            return False
        try:
            newest = self._caught_up(session)
        except BaseException:
            self._cache.drop(session)
            raise
        if newest is None:
            self._cache.drop(session)
            return False
        after, session.change = newest
        self._update_snapshot(session, after)
        if after.access != state.access:
            self._close_removed(session)
        self._announce(session)
        return True

    def _caught_up(self, session: Session) -> tuple[State, int] | None:
        """The state with what others did, and the number of their last event; None if a damage took one."""
        state = session.state
        happened = self.store.events_after(state.row, session.change)
        try:
            return None if happened is None else (evolve(state, happened), session.change + len(happened))
        except (scorer.Refusal, LookupError, TypeError, ValueError):  # of a table that was damaged
            return None

    def _load(self, row: TableRow) -> Session:
        session = super()._load(row)
        # Phones here may know an older state, which another process changed.
        self._phones.announce(row.key, session.snapshot.view)
        return session

    def _stamp(self, session: Session, state: State) -> str:
        local = session.snapshot.stamp.split(".")
        before, boot = (int(local[1]), local[2]) if len(local) == 3 else (0, SHARED)
        return f"{state.version}.{max(session.change * LOCAL_CHANGES, before + 1)}.{boot}"

    def _handle_failed_write(self, session: Session, error: BaseException) -> None:
        if not isinstance(error, Overtaken):  # after `Overtaken` nothing was written, and the next look catches up
            self._cache.drop(session)

    def _is_optional(self, stored: Sequence[Event]) -> bool:
        # Others would not know of a photo.
        return all(isinstance(each, events.SamplesDropped) for each in stored)


def _until_quickest(ask: Callable[[], Answer]) -> Answer:
    """Tries again if another process was quicker: then `decide` sees what that one did, and whether it was the same
    request."""
    for _ in range(TRIES - 1):
        with suppress(Overtaken):
            return ask()
    return ask()
