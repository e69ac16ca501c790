"""A table from its events."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from msgspec import structs

import scorer
from web.journal.codec import BlobOf, decode
from web.journal.journal import Events
from web.session import events
from web.session.events import Stored, TableStarted
from web.session.state import State, begin, evolve, rebuild
from web.session.stored_table import LoadedTable, Settings

logger = logging.getLogger(__name__)


class UnreadableError(Exception):
    """The events of a table do not begin with its start, or with that of no game: nothing of it can be shown."""


def fold(table_id: int, found: Events, blob_of: BlobOf) -> State:
    """The state after these events, the whole part of a table's journal. Raises `UnreadableError`.

    What follows an event that this version does not know, or one that the rules do not allow, counts as lost.
    """
    happened, lost = understood(table_id, found, blob_of)
    return _state_after(table_id, _start(happened), happened[1:], lost)


def understood(table_id: int, found: Events, blob_of: BlobOf) -> tuple[list[Stored], int]:
    """These events as far as this version knows them, and how many after them are lost."""
    happened: list[Stored] = []
    for event in found.whole:
        try:
            happened.append(decode(event.body, blob_of))
        except ValueError as error:
            logger.warning("event %d of table %d is not understood: %s", event.number, table_id, error)
            break
    return happened, found.lost + len(found.whole) - len(happened)


def settings_of(table_id: int, found: Events, blob_of: BlobOf) -> Settings:
    """What these events say of a table beside its game; nothing if they do not begin with its start."""
    happened, _ = understood(table_id, found, blob_of)
    try:
        return _settings(_fold_settings(table_id, _start(happened), happened[1:]))
    except UnreadableError:
        return Settings()


def _start(happened: Sequence[Stored]) -> TableStarted:
    if not happened or not isinstance(happened[0], TableStarted):
        raise UnreadableError
    return happened[0]


def _state_after(table_id: int, started: TableStarted, happened: Sequence[Stored], lost: int) -> State:
    """The state of a table after its start and these events. `lost`: how many events after them a damage took."""
    # The lines of the log are replayed once, after all: no other event needs the game.
    beside = _fold_settings(table_id, started, happened)
    logged = [event for event in happened if isinstance(event, events.Logged)]
    lines = [*started.lines, *(line for event in logged for line in event.lines)]
    row = beside.row
    if logged:
        last = logged[-1]
        at = last.lines[-1].at
        row = replace(row, active_at=at, finished_at=None if last.results is None else at, digest=last.digest)
    missing = lost + (beside.lost or 0) if lost else beside.lost
    state = rebuild(LoadedTable(row, lines, missing, _settings(beside)))
    return replace(state, forgotten=beside.forgotten, chosen_by=beside.chosen_by)


def _fold_settings(table_id: int, started: TableStarted, happened: Sequence[Stored]) -> State:
    """The state after these events, with a game that has only begun. Raises `UnreadableError`."""
    try:
        beside = begin(table_id, structs.replace(started, lines=()))
    except (scorer.Refusal, LookupError, TypeError, ValueError) as error:
        raise UnreadableError from error
    for event in happened:
        if not isinstance(event, events.Logged):
            beside = evolve(beside, [event])
        elif beside.photo is not None:  # that it left may not have been written
            beside = replace(beside, photo=None)
    return beside


def _settings(beside: State) -> Settings:
    chosen = beside.chosen
    kept = beside.photo, beside.samples, chosen.advice, chosen.dice_set, beside.access
    return Settings(*kept, chosen.keeps_pictures, beside.webhooks)
