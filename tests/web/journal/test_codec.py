"""Events as the journal keeps them: what is large lies beside them, and may go. That each event comes back is proved
where events are (`tests.web.table.test_journal_of_events`)."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from tests.web.stored import dice_named, table_started
from web.journal.journal import PICTURE, SAMPLE, TRACE, Blob, DroppedBlobs, NewEvent, decode, encode
from web.table import events
from web.table.events import Stored, blob_hash
from web.table.photo_state import PHOTO, PhotoDetails, Read, ReadingResult, Waiting
from web.table.stored_table import Entry

AT = "2026-01-01T00:00:00Z"
DETAILS = PhotoDetails("photo-1", PHOTO, "Ada", 3, 6, [1, 5], [1], request="photo-request")
READ = Read(DETAILS, 640, 480, ReadingResult(trace="a trace"))
LEAN = Read(DETAILS, 640, 480, ReadingResult())
BODY = b"what is large"
HASH = blob_hash(BODY)


def blob_of(*kept: NewEvent) -> Callable[[str, int], bytes | None]:
    blobs = {(blob.kind, blob.seq): blob.body for each in kept for blob in each.blobs}
    return lambda kind, seq: blobs.get((kind, seq))


@pytest.mark.parametrize(
    ("event", "blobs", "dropped"),
    [
        (events.PhotoUnderReview(READ), [Blob(TRACE, 0, b"a trace")], [DroppedBlobs(TRACE, 0, 0)]),
        (events.PhotoUnderReview(Waiting(DETAILS)), [], [DroppedBlobs(TRACE, 0, 0)]),
        (events.PhotoRemoved("photo-1"), [], [DroppedBlobs(TRACE, 0, 0)]),
        (events.SampleAdded(7, HASH, frozenset({2})), [Blob(SAMPLE, 7, BODY)], [DroppedBlobs(SAMPLE, 2, 2)]),
        (events.SamplesDropped(frozenset({7})), [], [DroppedBlobs(SAMPLE, 7, 7)]),
        (events.DiceForgotten("Ada"), [], [DroppedBlobs(SAMPLE)]),
        (table_started("farkle", {}, ["Ada"], samples={-1: HASH}), [Blob(SAMPLE, -1, BODY)], []),
        (dice_named("red"), [], []),
    ],
    ids=lambda each: type(each).__name__,
)
def test_what_is_large_lies_beside_its_event(event: Stored, blobs: list[Blob], dropped: list[DroppedBlobs]) -> None:
    kept = encode(event, AT, {HASH: BODY})
    assert (kept.kind, kept.by, kept.request) == (event.__struct_config__.tag, "", "")
    assert (list(kept.blobs), list(kept.dropped)) == (blobs, dropped)
    assert decode(kept.body, blob_of(kept)) == event


def test_the_picture_of_a_throw_lies_beside_its_line() -> None:
    throw = {"do": {"do": "throw", "dice": [1]}}
    lines = [Entry(3, "", {**throw, "picture": HASH}, "", AT), Entry(4, "", {**throw, "picture": "not-kept"}, "", AT)]
    assert encode(events.Logged(lines), AT, {HASH: BODY}).blobs == [Blob(PICTURE, 3, BODY)]


def test_the_trace_of_a_photo_is_in_no_event() -> None:
    assert "a trace" not in encode(events.PhotoUnderReview(READ), AT).body


def test_a_photo_whose_trace_is_gone_or_another_has_none() -> None:
    kept = encode(events.PhotoUnderReview(READ), AT)
    other = encode(events.PhotoUnderReview(Read(DETAILS, 640, 480, ReadingResult(trace="another"))), AT)
    for held in (blob_of(), blob_of(other)):
        assert decode(kept.body, held) == events.PhotoUnderReview(LEAN)


@pytest.mark.parametrize("body", ["", "[]", "{", '{"kind":"table-eaten"}', '{"kind":"dice-named","name":1}', "\ud800"])
def test_another_body_is_refused(body: str) -> None:
    with pytest.raises((msgspec.MsgspecError, UnicodeError)):
        decode(body, blob_of())
