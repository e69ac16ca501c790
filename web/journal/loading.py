"""A table from its events."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from msgspec import structs

import scorer
from web.journal.journal import BlobOf, Events, decode
from web.table import events
from web.table.events import Stored, TableStarted
from web.table.state import LoadedTable, State, begin, evolve

logger = logging.getLogger(__name__)


class UnreadableError(Exception):
    """The events of a table do not begin with its start, or with that of no game: nothing of it can be shown."""


def load_log(table_id: int, found: Events, blob_of: BlobOf) -> LoadedTable:
    """The log and settings by these events, the whole part of a table's journal, which no rules are asked about.

    What follows an event that this version does not know counts as lost. Raises `UnreadableError`."""
    happened, lost = understood(table_id, found, blob_of)
    begun = _fold_events(table_id, happened)
    lines, row = [*happened[0].lines], begun.row  # type: ignore[attr-defined]
    for event in happened:
        if isinstance(event, events.Logged):
            lines += event.lines
            at = lines[-1].at
            row = replace(row, active_at=at, finished_at=None if event.results is None else at, digest=event.digest)
    return LoadedTable(replace(begun, row=row, lost=lost + (begun.lost or 0) if lost else begun.lost), lines)


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


def after_loss(happened: Sequence[Stored], lost: int) -> list[Stored]:
    """What is noted where damage took so many events after these: they may have said that the photo left the table,
    and that the deletion was undone."""
    noted: list[Stored] = [events.LinesLost(lost)]
    beside = _fold_events(0, happened)
    if beside.photo is not None:
        noted.append(events.PhotoRemoved(beside.photo.details.id))
    if beside.access.deletion is not None:
        noted.append(events.TableDeleted())
    return noted


def _fold_events(table_id: int, happened: Sequence[Stored]) -> State:
    """The state after these events, with a game that has only begun. Raises `UnreadableError`."""
    if not happened or not isinstance(happened[0], TableStarted):
        raise UnreadableError
    try:
        beside = begin(table_id, structs.replace(happened[0], lines=()))
    except (scorer.Refusal, LookupError, TypeError, ValueError) as error:
        raise UnreadableError from error
    for event in happened[1:]:
        if not isinstance(event, events.Logged):
            beside = evolve(beside, [event])
        elif beside.photo is not None:  # that it left may not have been written
            beside = replace(beside, photo=None)
    return beside
