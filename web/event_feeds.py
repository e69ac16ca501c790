"""The events of tables, folded from their logs when a program asks, once for all that listen.

Nothing is kept for a listener but the number of the last event that it got: a slow one costs nobody anything.
"""

import threading
from collections.abc import Sequence

from cachetools import LRUCache

from web.session import events
from web.session.happenings import TableEvent, line_events
from web.session.state import State, evolve, rebuild
from web.session.stored_table import LoadedTable, Settings
from web.sessions import Sessions

TABLES = 100  # whose events are in memory


class _Feed:
    """The events of one table up to `state`."""

    def __init__(self) -> None:
        self.state: State | None = None
        self.events: list[TableEvent] = []
        self.lock = threading.Lock()

    def follow(self, state: State) -> None:
        """Adds the events of new lines; begins anew if the log was replaced. Hold the lock."""
        known = self.state
        if known is None or not _continues(known, state):
            known, self.events = rebuild(LoadedTable(state.row, (), None, Settings())), []
        for line in state.entries[known.version :]:
            before, known = known, evolve(known, [events.Logged([line])])
            self.events += line_events(before, known)
        self.state = known


class EventFeeds:
    """Thread-safe."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._feeds: LRUCache[str, _Feed] = LRUCache(TABLES)
        self._lock = threading.Lock()

    def events_after(self, key: str, after: int) -> Sequence[TableEvent]:
        """The events of a table with numbers greater than `after`. Raises `Problem`."""
        state = self._sessions.look(key)
        with self._lock:
            feed = self._feeds.setdefault(key, _Feed())
        with feed.lock:
            if feed.state is None or feed.state.version <= state.version:  # another thread may have seen a newer one
                feed.follow(state)
            return _events_past(feed.events, after)

    def newest(self, key: str) -> int:
        """The number of the newest event, 0 if there is none."""
        found = self.events_after(key, 0)
        return (found[-1].number or 0) if found else 0


def _continues(known: State, state: State) -> bool:
    lines = known.version
    return lines <= state.version and known.entries[-1:] == state.entries[max(0, lines - 1) : lines]


def _events_past(found: list[TableEvent], after: int) -> list[TableEvent]:
    first = len(found)
    while first and (found[first - 1].number or 0) > after:
        first -= 1
    return found[first:]
