"""A table from its events."""

import logging
from collections.abc import Sequence
from dataclasses import replace

import scorer
from web.journal.codec import BlobOf, Decoder
from web.journal.journal import Events
from web.session import events
from web.session.access_list import AccessList
from web.session.events import Stored
from web.session.state import State, evolve, rebuild
from web.session.stored_table import LoadedTable, Settings, TableRow

logger = logging.getLogger(__name__)


class UnreadableError(Exception):
    """The events of a table do not begin with its start: nothing of it can be shown."""


def fold(table_id: int, found: Events, blob_of: BlobOf) -> State:
    """The state after these events, the whole part of a table's journal. Raises `UnreadableError`.

    What follows an event that this version does not know, or one that the rules do not allow, counts as lost.
    """
    decoder, happened, lost = Decoder(blob_of), [], found.lost
    for number, event in enumerate(found.whole):
        try:
            decoded = decoder.decode(event.kind, event.body)
        except (LookupError, TypeError, ValueError) as error:
            logger.warning("event %d of table %d is not understood: %s", event.number, table_id, error)
            lost += len(found.whole) - number
            break
        if decoded is not None:
            happened.append(decoded)
    if not happened or not isinstance(happened[0], events.TableStarted):
        raise UnreadableError
    row = _row_of(table_id, happened[0], found.whole[0].at)
    return _state_after(row, happened[0], happened[1:], lost)


def _state_after(row: TableRow, started: events.TableStarted, happened: Sequence[Stored], lost: int) -> State:
    """The state of a table after its start and these events. `lost`: how many events after them a damage took."""
    lines = list(started.entries)
    # The lines of the log are replayed once, after all: no other event needs the game.
    beside = State(
        row,
        scorer.Table(scorer.game(row.game, **row.options), row.players),
        samples=started.samples,
        keeps_pictures=started.keeps_pictures,
        advice=started.advice,
        dice_set=started.dice_set,
        access=AccessList(started.owner),
    )
    for event in happened:
        if isinstance(event, events.Logged):
            lines += event.lines
            beside = replace(beside, photo=None, row=_row_after(beside.row, event))
        else:
            beside = evolve(beside, [event])
    settings = Settings(
        beside.photo, beside.samples, beside.advice, beside.dice_set, beside.access, beside.keeps_pictures
    )
    missing = beside.lost if not lost else lost + (beside.lost or 0)
    state = rebuild(LoadedTable(beside.row, lines, missing, settings))
    by = {name: getattr(beside, name) for name in ("forgotten", "pictures_by", "advised_by")}
    return replace(state, **by)


def _row_after(row: TableRow, logged: events.Logged) -> TableRow:
    """A table's row after further lines of its log."""
    at = logged.lines[-1].at
    return replace(row, active_at=at, finished_at=None if logged.results is None else at, digest=logged.digest)


def _row_of(table_id: int, started: events.TableStarted, at: str) -> TableRow:
    return TableRow(
        table_id,
        started.key,
        started.code,
        started.game,
        scorer.options_of_table(started.game, started.options),
        tuple(started.players),
        started.keep_corrections,
        started.at,
        active_at=at,
        finished_at=None if started.results is None else at,
        digest=started.digest,
    )
