"""Events as the journal keeps them: a kind that never changes, and a JSON body by the event's own type.

What is large is kept beside the events, as blobs: pictures, training samples, and from what a sample is made. An event
names its blob by its hash. A blob may go before its event does: a sample that was dropped, or a photo that has left.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from web.session import events
from web.session.commands import Evidence
from web.session.events import Stored
from web.session.photo_state import UnderReview, from_json, to_json
from web.session.replay import Json

PICTURE, SAMPLE, TRACE = "picture", "sample", "trace"  # kinds of blobs
LARGEST = 2**31 - 1  # number of a blob

KINDS: Mapping[str, type[Stored]] = {
    "table-started": events.TableStarted,
    "next-table-set": events.NextTableSet,
    "logged": events.Logged,
    "lines-lost": events.LinesLost,
    "photo-under-review": events.PhotoUnderReview,
    "photo-removed": events.PhotoRemoved,
    "picture-kept": events.PictureKept,
    "pictures-agreed": events.PicturesAgreed,
    "sample-added": events.SampleAdded,
    "samples-dropped": events.SamplesDropped,
    "dice-forgotten": events.DiceForgotten,
    "advice-set": events.AdviceSet,
    "dice-named": events.DiceNamed,
    "phone-joined": events.PhoneJoined,
    "access-changed": events.AccessChanged,
    "table-closed": events.TableClosed,
    "program-connected": events.ProgramConnected,
    "program-removed": events.ProgramRemoved,
    "table-deleted": events.TableDeleted,
    "table-restored": events.TableRestored,
}
_KIND_OF = {type_: kind for kind, type_ in KINDS.items()}


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


BlobOf: TypeAlias = Callable[[str, int], bytes | None]


class _PhotoBody(Struct, frozen=True):
    """Of `PhotoUnderReview`. `trace`: the hash of the photo's trace, a blob."""

    photo: Json
    trace: str | UnsetType = UNSET


class _RemovedBody(Struct, frozen=True):
    """Of `PhotoRemoved`. `reading`: the photo's id."""

    reading: str
    evidence: Evidence | UnsetType | None = UNSET


class _PictureBody(Struct, frozen=True):
    seq: int
    hash: str


class _SampleBody(Struct, frozen=True):
    seq: int
    hash: str
    samples: Sequence[int]


def hash_of(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def encode(event: Stored, at: str, by: str = "", request: str = "") -> NewEvent:
    """An event as the journal keeps it. Raises UnicodeEncodeError and OverflowError for what JSON cannot say."""
    body, blobs, dropped = _parts(event)
    text = msgspec.json.encode(body).decode()
    return NewEvent(_KIND_OF[type(event)], text, at, by, request, blobs, dropped)


def _parts(event: Stored) -> tuple[Struct, Sequence[Blob], Sequence[DroppedBlobs]]:
    """The body of an event, and its blobs."""
    match event:
        case events.PhotoUnderReview():
            document = to_json(event.photo)
            trace = document.pop("trace", None)
            if trace is None:
                return _PhotoBody(document), (), [DroppedBlobs(TRACE)]
            blob = Blob(TRACE, 0, trace.encode())
            return _PhotoBody(document, hash_of(blob.body)), [blob], [DroppedBlobs(TRACE)]
        case events.PhotoRemoved():
            return _RemovedBody(event.photo.details.id, event.evidence or UNSET), (), [DroppedBlobs(TRACE)]
        case events.PictureKept():
            return _PictureBody(event.seq, event.hash), [Blob(PICTURE, event.seq, event.body)], ()
        case events.SampleAdded():
            kept = sorted(event.samples)
            added, older = _SampleBody(event.seq, hash_of(event.body), kept), DroppedBlobs(SAMPLE, last=min(kept) - 1)
            return added, [Blob(SAMPLE, event.seq, event.body)], [older]
        case events.SamplesDropped():
            return event, (), [DroppedBlobs(SAMPLE, seq, seq) for seq in sorted(event.seqs)]
        case events.DiceForgotten():
            return event, (), [DroppedBlobs(SAMPLE)]
    return event, (), ()


class Decoder:
    """Decodes the events of one table, in their order. `blob_of`: a blob by its kind and number; None if it is gone.

    `photo`: the one under review before the first of these events.
    """

    def __init__(self, blob_of: BlobOf, photo: UnderReview | None = None) -> None:
        self._blob_of, self._photo = blob_of, photo

    def decode(self, kind: str, body: str) -> Stored | None:
        """The event; None for a photo's removal that changes nothing. A blob that is gone is empty.

        Raises LookupError, TypeError or ValueError for a kind or a body that no Rollcall of this version wrote.
        """
        type_ = KINDS[kind]
        before = self._photo
        if type_ is events.PhotoUnderReview:
            shown = msgspec.json.decode(body, type=_PhotoBody)
            trace = None if shown.trace is UNSET else self._blob(TRACE, 0, shown.trace)
            document = shown.photo if shown.trace is UNSET else {**shown.photo, "trace": trace and trace.decode()}
            self._photo = from_json(document)
            return events.PhotoUnderReview(self._photo, before)
        if type_ is events.PhotoRemoved:
            removed = msgspec.json.decode(body, type=_RemovedBody)
            self._photo = None
            return None if before is None else events.PhotoRemoved(before, removed.evidence or None)
        if type_ is events.PictureKept:
            kept = msgspec.json.decode(body, type=_PictureBody)
            return events.PictureKept(kept.seq, kept.hash, self._blob(PICTURE, kept.seq, kept.hash) or b"")
        if type_ is events.SampleAdded:
            added = msgspec.json.decode(body, type=_SampleBody)
            held = self._blob(SAMPLE, added.seq, added.hash) or b""
            return events.SampleAdded(added.seq, held, frozenset(added.samples))
        decoded: Stored = _DECODERS[kind].decode(body)
        return decoded

    def _blob(self, kind: str, seq: int, hash_: str) -> bytes | None:
        found = self._blob_of(kind, seq)
        return found if found is not None and hash_of(found) == hash_ else None


_WITH_FORMS = (events.PhotoUnderReview, events.PhotoRemoved, events.PictureKept, events.SampleAdded)
_DECODERS: Mapping[str, "msgspec.json.Decoder[Any]"] = {
    kind: msgspec.json.Decoder(type_) for kind, type_ in KINDS.items() if type_ not in _WITH_FORMS
}
