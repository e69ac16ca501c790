"""What a photo under review may be, as JSON and back."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import to_builtins

from web.table.events import PhotoUnderReview
from web.table.json_document import RefusalDocument
from web.table.photo_state import (
    Failed,
    FoundDie,
    PhotoDetails,
    Read,
    ReadingResult,
    UnderReview,
    Waiting,
    photo_fields,
)
from web.table.view import Pending

TAKEN = PhotoDetails("an-id", "photo", "Ada's phone", version=3, expects=5, beside=[1], keep=[1])
RESTED = PhotoDetails("an-id", "watch", "camera", version=3, expects=5, beside=[1], set_aside=[1])
DIE = FoundDie(value=3, confidence=0.9, sure=True, box=(1.0, 2.0, 3.0, 4.0), alternatives=[5])
PROBLEM = RefusalDocument(reason="reader-failed", params={}, text="The dice could not be read.")
STATES: list[UnderReview] = [
    Waiting(TAKEN, place=2),
    Read(TAKEN, 640, 480, ReadingResult([DIE], [DIE], [PROBLEM], True, "trace")),
    Read(RESTED, 640, 480, ReadingResult([DIE])),
    Read(TAKEN, 640, 480, ReadingResult(), PROBLEM),
    Failed(TAKEN, PROBLEM),
]


@pytest.mark.parametrize("photo", STATES, ids=lambda photo: type(photo).__name__)
def test_each_comes_back_from_the_store_as_it_was(photo: UnderReview) -> None:
    kept = msgspec.json.encode(PhotoUnderReview(photo))
    assert msgspec.json.decode(kept, type=PhotoUnderReview).photo == photo


def test_phones_know_a_photo_that_waits_by_all_its_keys() -> None:
    assert to_builtins(Pending(**photo_fields(Waiting(TAKEN, place=2)))) == {
        "id": "an-id",
        "status": "waiting",
        "place": 2,
        "source": "photo",
        "device": "Ada's phone",
        "expects": 5,
        "beside": [1],
        "keep": [1],
        "version": 3,
        "dice": [],
        "aside": [],
        "asks": [],
        "sure": False,
        "problem": None,
    }
