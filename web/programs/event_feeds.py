"""The events of tables, folded from their logs when a program asks, once for all that listen.

Nothing is kept for a listener but the number of the last event that it got: a slow one costs nobody anything.

Whatever tells others of a table follows it so:

    cursor = parts.event_feeds.cursor(key, after)   # after: a number that was kept, 0 for all, None to begin now
    ...                                             # whenever the table changed, or now and then:
    for event in cursor.read():                     # each event once, in order; at most AT_ONCE, so read until none
        tell(event)                                 # event.number is null for what stands in no log
    keep(cursor.number)                             # to go on from after a restart

A follower (`Sessions.follow`) hears of the changes of this server, inside the action: wake a thread of your own there.
Of changes by other servers only `Hub.listening` hears, or who looks.
"""

from collections.abc import Sequence
from typing import NamedTuple

from web.common.recent import Recent
from web.runner import Sessions
from web.table import events
from web.table.commands import SERVER, Asker
from web.table.happenings import TableEvent, line_events, photo_events
from web.table.state import State, empty_state, evolve

TABLES = 100  # whose events are in memory
AT_ONCE = 500  # events; a listener that is further behind gets the others with its next read


class _Feed(NamedTuple):
    """The events of one table up to `state`."""

    state: State
    events: Sequence[TableEvent] = ()

    def follow(self, state: State) -> "_Feed":
        """With the events of new lines; anew if the log was replaced."""
        known, lines = self.state, len(state.entries)
        if len(known.entries) > lines:  # another thread has seen a newer one
            return self
        if known.entries[-1:] != state.entries[: len(known.entries)][-1:]:
            return _Feed(empty_state(state.row)).follow(state)
        found = [*self.events]
        for line in state.entries[len(known.entries) :]:
            # The state after the last line is there already.
            after = state if line.seq == lines else evolve(known, [events.Logged([line])])
            found += line_events(known, after)
            known = after
        return _Feed(state, found)


class EventFeeds:
    """Thread-safe."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._feeds: Recent[str, _Feed] = Recent(TABLES)

    def events_after(self, state: State, after: int) -> Sequence[TableEvent]:
        """The events of the table that is in this state, with numbers greater than `after`."""
        key = state.row.key
        # Two threads may follow at the same time: each has a whole feed, and the later one is kept.
        feed = self._feeds[key] = (self._feeds.get(key) or _Feed(empty_state(state.row))).follow(state)
        return _events_past(feed.events, after)

    def cursor(self, key: str, after: int | None = None, asker: Asker = SERVER) -> "EventCursor":
        """Where the listener `asker` is, who knows the events up to number `after`; None: it begins now."""
        return EventCursor(self, self._sessions, key, after, asker)


class EventCursor:
    """Reads a table's events on. It keeps the number of the last one and the last state alone. For one thread at once.

    `number`: of the last event that was read; None before the first read of a cursor that begins now.
    """

    def __init__(self, feeds: EventFeeds, sessions: Sessions, key: str, after: int | None, asker: Asker) -> None:
        self._feeds, self._sessions, self._key, self._asker = feeds, sessions, key, asker
        self.number = after
        self._state: State | None = None

    def read(self) -> list[TableEvent]:
        """What is new: at most AT_ONCE numbered events, then what the photo under review says. Raises `Problem`, as
        when the listener may no longer come there."""
        state = self._sessions.look(self._key, self._asker)
        if self.number is None:
            self.number = max((each.number or 0 for each in self._feeds.events_after(state, 0)), default=0)
        found = self._feeds.events_after(state, self.number)[:AT_ONCE]
        self.number = max([self.number, *(each.number or 0 for each in found)])
        passing = list(photo_events(self._state, state))
        self._state = state
        return [*found, *passing]


def _events_past(found: Sequence[TableEvent], after: int) -> Sequence[TableEvent]:
    first = len(found)
    while first and (found[first - 1].number or 0) > after:
        first -= 1
    return found[first:]
