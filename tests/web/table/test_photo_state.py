"""What phones are told of a photo under review."""

from __future__ import annotations

from msgspec import to_builtins

from web.table.photo_state import (
    PhotoDetails,
    Waiting,
    photo_fields,
)
from web.table.view import Pending

TAKEN = PhotoDetails("an-id", "photo", "Ada's phone", version=3, expects=5, beside=[1], keep=[1])


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
