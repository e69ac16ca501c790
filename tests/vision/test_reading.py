"""Readings check themselves and say what others script against."""

from __future__ import annotations

import json

import pytest

from vision import Die, Reading

BOX = (10.0, 10.0, 20.0, 20.0)


def die(value: int = 3, left: float = 0.0, sure: bool = True) -> Die:
    return Die(value, 0.9, (left, 5.0, left + 10, 15.0), sure, tuple(v for v in (1, 2, 3, 4, 5, 6) if v != value))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"value": 0}, "1..6"),
        ({"value": 7}, "1..6"),
        ({"confidence": 1.1}, "0..1"),
        ({"confidence": float("nan")}, "0..1"),
        ({"box": (5.0, 5.0, 5.0, 9.0)}, "x0 < x1"),
        ({"box": (5.0, 5.0, float("inf"), 9.0)}, "x0 < x1"),
        ({"alternatives": (3,)}, "other than 3"),
        ({"alternatives": (1, 1)}, "different"),
        ({"alternatives": (0,)}, "values"),
    ],
)
def test_a_die_checks_itself(fields: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Die(**{"value": 3, "confidence": 0.5, "box": BOX, "sure": True, **fields})  # type: ignore[arg-type]


def test_a_reading_checks_itself() -> None:
    with pytest.raises(ValueError, match="pixels"):
        Reading(0, 10, ())
    with pytest.raises(ValueError, match="leaves the photo"):
        Reading(15, 15, (die(left=8),))


def test_dice_are_listed_from_left_to_right_and_values_ascending() -> None:
    reading = Reading(100, 100, (die(2, left=40), die(6, left=0), die(1, left=80)))
    assert [d.value for d in reading.dice] == [6, 2, 1]
    assert reading.values == (1, 2, 6)


def test_sure_means_every_die_and_nothing_left_out() -> None:
    assert Reading(100, 100, (die(), die(left=50))).sure
    assert not Reading(100, 100, (die(), die(left=50, sure=False))).sure
    assert not Reading(100, 100, (die(),), complete=False).sure


def test_no_dice_is_a_reading_like_any_other() -> None:
    reading = Reading(100, 100, ())
    assert not reading.sure
    assert reading.values == ()


def test_the_document_is_what_others_script_against() -> None:
    document = Reading(4032, 3024, (Die(5, 0.998, (1010.0, 402.46, 1390.1, 800.0), True, (4,)),)).to_json("roll.jpg")
    assert json.loads(json.dumps(document)) == {
        "photo": "roll.jpg",
        "width": 4032,
        "height": 3024,
        "values": [5],
        "sure": True,
        "dice": [
            {"value": 5, "confidence": 0.998, "sure": True, "box": [1010.0, 402.5, 1390.1, 800.0], "alternatives": [4]}
        ],
        "aside": [],
        "asks": [],
    }
