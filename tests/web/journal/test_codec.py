"""Every event as the journal keeps it: what comes back is what happened."""

from __future__ import annotations

import pytest

from web.journal.codec import KINDS, Decoder, NewEvent, encode
from web.session import events
from web.session.access_list import ConnectedProgram, Deletion, KnownPhone
from web.session.commands import Evidence, MarkedDie
from web.session.json_document import RefusalDocument
from web.session.photo_state import PHOTO, WATCH, Failed, FoundDie, PhotoDetails, Read, ReadingResult, Waiting
from web.session.proof import picture_hash
from web.session.replay import PlayerResult
from web.session.stored_table import Entry

AT = "2026-01-01T00:00:00Z"
LINE = Entry(1, "request-1", {"do": {"do": "throw", "dice": [1, 2, 3, 4, 5, 6]}}, "Žofiin telefon", AT)
DETAILS = PhotoDetails("photo-1", PHOTO, "Ada", 3, 6, [1, 5], [1], request="photo-request")
WATCHED = PhotoDetails("photo-2", WATCH, "camera", 3, 6, [], set_aside=[1, 1])
FOUND = FoundDie(value=4, confidence=0.5, sure=False, box=(0.0, 1.5, 2.0, 3.0), alternatives=[5, 6])
ASKS = [RefusalDocument(reason="no-dice", params={"wanted": 6}, message="There are no dice.")]
RESULT = ReadingResult([FOUND], [FOUND], ASKS, False, "a trace")
READ = Read(DETAILS, 640, 480, RESULT)
MARKED = MarkedDie(6, (0.0, 0.0, 1.0, 1.0))
PICTURE = b"\xff\xd8 a picture"
RESULTS = [PlayerResult(0, "Ada", 10_000, 1), PlayerResult(1, "Bob", 0, 2)]

EXAMPLES: list[events.Stored] = [
    events.TableStarted(
        "key",
        "CODE",
        "farkle",
        {"target": 5000},
        ["Ada", "Bob"],
        True,
        AT,
        "phone",
        "odds",
        "red",
        True,
        frozenset({-1, 0}),
        [LINE],
        RESULTS,
        "digest",
    ),
    events.NextTableSet("key"),
    events.NextTableSet(None),
    events.Logged([LINE, LINE], RESULTS, "digest", 1),
    events.LinesLost(3),
    events.Logged([Entry(1, "r", {"correct": 1, "action": {}, "drop_tail": True, "settled": []}, "", AT)]),
    events.PhotoUnderReview(Waiting(DETAILS, 4), None),
    events.PhotoUnderReview(READ, None),
    events.PhotoUnderReview(Read(WATCHED, 0, 0, ReadingResult([], [], [], sure=True), ASKS[0]), None),
    events.PhotoUnderReview(Failed(DETAILS, ASKS[0]), None),
    events.PictureKept(3, picture_hash(PICTURE), PICTURE),
    events.PicturesAgreed(True, "Ada"),
    events.SampleAdded(7, b"\0\1\2", frozenset({-1, 7})),
    events.SamplesDropped({7, 9}),
    events.DiceForgotten("Ada"),
    events.AdviceSet("best", "Ada"),
    events.DiceNamed("the red ones"),
    events.PhoneJoined("phone", KnownPhone("Ada", AT)),
    events.AccessChanged({"phone": KnownPhone("Ada", AT, True)}, True, "CODE"),
    events.AccessChanged({}, False, None),
    events.TableClosed(True),
    events.ProgramConnected("hash", ConnectedProgram("A display", "show", AT)),
    events.ProgramRemoved("hash"),
    events.TableDeleted(Deletion("phone", AT, 12)),
    events.TableRestored(),
]


def blobs_of(*kept: NewEvent) -> dict[tuple[str, int], bytes]:
    return {(blob.kind, blob.seq): blob.body for each in kept for blob in each.blobs}


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: type(event).__name__)
def test_an_event_comes_back(event: events.Stored) -> None:
    kept = encode(event, AT)
    blobs = blobs_of(kept)
    decoder = Decoder(lambda kind, seq: blobs.get((kind, seq)))
    assert decoder.decode(kept.kind, kept.body) == event


def test_the_photo_that_left_is_the_one_that_was_under_review() -> None:
    shown = encode(events.PhotoUnderReview(READ, None), AT)
    waiting = Waiting(WATCHED)
    blobs = blobs_of(shown)
    decoder = Decoder(lambda kind, seq: blobs.get((kind, seq)), waiting)
    assert decoder.decode(shown.kind, shown.body) == events.PhotoUnderReview(READ, waiting)
    evidence = Evidence("photo-1", [MARKED], [MARKED, MARKED])
    removed = encode(events.PhotoRemoved(READ, evidence), AT)
    assert decoder.decode(removed.kind, removed.body) == events.PhotoRemoved(READ, evidence)
    assert decoder.decode(removed.kind, removed.body) is None


def test_a_blob_that_is_gone_or_another_is_empty() -> None:
    kept = encode(events.SampleAdded(7, b"sample", {7}), AT)
    for blob_of in (lambda kind, seq: None, lambda kind, seq: b"damaged"):
        assert Decoder(blob_of).decode(kept.kind, kept.body) == events.SampleAdded(7, b"", {7})
    photo = encode(events.PhotoUnderReview(READ, None), AT)
    shown = Decoder(lambda kind, seq: None).decode(photo.kind, photo.body)
    assert isinstance(shown, events.PhotoUnderReview)
    assert isinstance(shown.photo, Read)
    assert shown.photo.result.trace is None


def test_each_kind_has_an_example_and_never_changes() -> None:
    kinds = {encode(event, AT).kind for event in EXAMPLES} | {"photo-removed"}
    assert kinds == KINDS.keys()
    assert sorted(KINDS) == [
        "access-changed",
        "advice-set",
        "dice-forgotten",
        "dice-named",
        "lines-lost",
        "logged",
        "next-table-set",
        "phone-joined",
        "photo-removed",
        "photo-under-review",
        "picture-kept",
        "pictures-agreed",
        "program-connected",
        "program-removed",
        "sample-added",
        "samples-dropped",
        "table-closed",
        "table-deleted",
        "table-restored",
        "table-started",
    ]


@pytest.mark.parametrize("body", ["", "[]", '{"seq": "one"}', "{"])
def test_another_body_is_refused(body: str) -> None:
    with pytest.raises((LookupError, TypeError, ValueError)):
        Decoder(lambda kind, seq: None).decode("logged", body)
    with pytest.raises(LookupError):
        Decoder(lambda kind, seq: None).decode("table-eaten", "{}")
