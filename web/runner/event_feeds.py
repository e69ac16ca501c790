"""What other programs are told of a table, from any event on.

Nothing is kept for a listener but the number of the last event that it got: a slow one costs nobody anything.

Whatever tells others of a table follows it so:

    cursor = EventCursor(runner, key, after)      # after: a number that was kept, 0 for all, None to begin now
    ...                                             # whenever the table changed, or now and then:
    for event in cursor.read():                     # each event once, in order; at most AT_ONCE, so read until none
        tell(event)                                 # event.number is null for what stands in no log
    keep(cursor.number)                             # to go on from after a restart

A follower (`Runner.follow`) hears of the changes of this server, inside the action: wake a thread of your own there.
Of changes by other servers only `Hub.listening` hears, or who looks.
"""

from web.runner.runner import Runner
from web.table.commands import SERVER, Asker
from web.table.happenings import TableEvent, events_after, last_number, photo_events
from web.table.json_document import first_page
from web.table.photo_state import UnderReview

AT_ONCE = 500  # events, or fewer if they are large; a listener that is further behind gets others with its next read


class EventCursor:
    """Reads a table's events on. It keeps the number of the last one and the last photo alone, since a state may be
    large. For one thread at once.

    `number`: of the last event that was read; None before the first read of a cursor that begins now.
    """

    def __init__(self, runner: Runner, key: str, after: int | None = None, asker: Asker = SERVER) -> None:
        """For the listener `asker`, who knows the events up to number `after`; None: it begins now."""
        self._runner, self._key, self._asker = runner, key, asker
        self.number = after
        self._photo: UnderReview | None = None

    def read(self) -> list[TableEvent]:
        """What is new: at most AT_ONCE numbered events, then what the photo under review says. Raises `Problem`, as
        when the listener may no longer come there."""
        state = self._runner.look(self._key, self._asker)
        if self.number is None:
            self.number = last_number(state.version)
        found, _ = first_page(events_after(state, self.number), AT_ONCE)
        self.number = max([self.number, *(each.number or 0 for each in found)])
        passing = list(photo_events(self._photo, state))
        self._photo = state.photo
        return [*found, *passing]
