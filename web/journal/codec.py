"""Events as the journal keeps them: the JSON of `web.table.events`, and what is large beside it, as blobs.

An event names its blobs by their hashes. A blob may go while its event stays: a sample that was dropped, or the trace
of a photo that has left the table. Whoever forgets the dice must find nothing of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from msgspec import structs

from web.table import events
from web.table.events import Stored, blob_hash
from web.table.photo_state import Read

PICTURE, SAMPLE, TRACE = "picture", "sample", "trace"  # kinds of blobs
LARGEST = 2**31 - 1  # number of a blob

Blobs: TypeAlias = Mapping[str, bytes]  # by the hashes in events
NO_BLOBS: Blobs = MappingProxyType({})
BlobOf: TypeAlias = Callable[[str, int], bytes | None]  # by kind and number; None if it has gone


class Blob(NamedTuple):
    """A blob of a table. `kind`: PICTURE, SAMPLE or TRACE; `seq`: its line of the log, 0 for none."""

    kind: str
    seq: int
    body: bytes


class DroppedBlobs(NamedTuple):
    """Blobs of this kind that are no longer needed: those with a number from `first` to `last`."""

    kind: str
    first: int = -LARGEST
    last: int = LARGEST


class NewEvent(NamedTuple):
    """An event to be appended. `dropped` go before `blobs` come; the rest as in `journal.StoredEvent`."""

    kind: str
    body: str
    at: str
    by: str
    request: str
    blobs: Sequence[Blob] = ()
    dropped: Sequence[DroppedBlobs] = ()


def encode(event: Stored, at: str, by: str = "", request: str = "", blobs: Blobs = NO_BLOBS) -> NewEvent:
    """An event as the journal keeps it. `blobs`: those that it names.

    Raises UnicodeEncodeError and OverflowError for what JSON cannot say.
    """
    added: list[Blob] = []
    dropped: list[DroppedBlobs] = []
    match event:
        case events.TableStarted():
            added = [Blob(SAMPLE, seq, blobs[name]) for seq, name in event.samples.items()]
        case events.SampleAdded():
            added = [Blob(SAMPLE, event.seq, blobs[event.hash])]
            dropped = [DroppedBlobs(SAMPLE, seq, seq) for seq in event.dropped]
        case events.PictureKept():
            added = [Blob(PICTURE, event.seq, blobs[event.hash])]
        case events.SamplesDropped():
            dropped = [DroppedBlobs(SAMPLE, seq, seq) for seq in event.seqs]
        case events.DiceForgotten():
            dropped = [DroppedBlobs(SAMPLE)]
        case events.PhotoUnderReview():
            event, added = _without_trace(event)
            dropped = [DroppedBlobs(TRACE, 0, 0)]
        case events.PhotoRemoved():
            dropped = [DroppedBlobs(TRACE, 0, 0)]
    return NewEvent(events.kind_of(event), events.to_body(event).decode(), at, by, request, added, dropped)


def decode(body: str, blob_of: BlobOf) -> Stored:
    """The event with this body. Raises ValueError for one that no Rollcall of this version wrote."""
    event = events.from_body(body.encode("utf-8", "surrogatepass"))
    if not isinstance(event, events.PhotoUnderReview) or not isinstance(event.photo, Read):
        return event
    name = event.photo.result.trace
    trace = None if name is None else blob_of(TRACE, 0)
    held = None if trace is None or blob_hash(trace) != name else trace.decode()
    return events.PhotoUnderReview(_with_trace(event.photo, held))


def _without_trace(event: events.PhotoUnderReview) -> tuple[events.PhotoUnderReview, list[Blob]]:
    """The event with the hash of its photo's trace in the trace's place, and the trace."""
    photo = event.photo
    if not isinstance(photo, Read) or photo.result.trace is None:
        return event, []
    trace = photo.result.trace.encode()
    return events.PhotoUnderReview(_with_trace(photo, blob_hash(trace))), [Blob(TRACE, 0, trace)]


def _with_trace(photo: Read, trace: str | None) -> Read:
    return structs.replace(photo, result=replace(photo.result, trace=trace))
