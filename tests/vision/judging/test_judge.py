"""Photos read once more from what an eye answered, without NumPy, OpenCV and a picture."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.vision.judging.recordings import RecordedEye, Recording, Sized, read_with, recordings
from vision.eye import answer_at_once
from vision.judging.interpretation import Search
from vision.judging.judge import Expected, Judge, reframe
from vision.judging.seen import Candidates, Seen
from vision.reading import Ask, Die, Reading

ROOT = Path(__file__).resolve().parents[3]
CALIBRATION, LIKENESS, PHOTOS = recordings()
MISSING = ("numpy", "cv2", "PIL", "onnxruntime", "onnx", "flask")


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda photo: photo.name)
def test_what_was_seen_is_judged_as_before(photo: Recording) -> None:
    assert photo.read(CALIBRATION, LIKENESS) == photo.expected


def test_every_way_of_a_reading_is_recorded() -> None:
    """The second pass, both frames, a turned camera, the dice memory, dice aside, sure and unsure readings."""
    asked = {question.split()[0] for photo in PHOTOS for question, _ in photo.answers}
    assert asked == {"detect", "shrink", "classify", "compare", "cut", "light", "border"}
    assert any(" True" in question for photo in PHOTOS for question, _ in photo.answers)
    assert any("@0" not in question for photo in PHOTOS for question, _ in photo.answers if "classify" in question)
    assert {photo.expected["sure"] for photo in PHOTOS} == {True, False}
    assert any(photo.expected["aside"] for photo in PHOTOS)
    assert any(photo.memory for photo in PHOTOS)


def test_clear_dice_of_the_count_are_searched_at_one_size() -> None:
    sizes = {photo.name: [asked for asked, _ in photo.answers if asked.startswith("detect")] for photo in PHOTOS}
    assert len(sizes["six dice, counted"]) == 1
    assert len(sizes["four fours"]) == 2, "without the count, a die may be missed"
    again = sizes["six dice, one too many for the count"]
    assert len(again) == len(set(again)) == 3, "two sizes, and the smaller one mirrored"


def test_how_finely_the_detector_saw_a_photo_is_told() -> None:
    wide = next(photo for photo in PHOTOS if photo.name == "small dice in a wide field")
    judge = Judge(RecordedEye(LIKENESS, wide.answers), CALIBRATION)
    assert answer_at_once(judge.look(wide.photo, Search.GLANCE)).fineness == 704 / 6400


def test_where_only_values_are_in_doubt_nothing_is_searched_again() -> None:
    """A second pass finds other things; what was found is cut out as before. An eye that is asked would fail."""
    photo = Sized(900, 600)
    judge = Judge(RecordedEye(LIKENESS, []), CALIBRATION)

    def again(*asks: str) -> Reading:
        doubtful = Die(3, 0.9, (300.0, 300.0, 360.0, 360.0), sure=False)
        first = Reading(900, 600, (doubtful,), asks=tuple(Ask(reason, {"value": 3, "other": 5}) for reason in asks))
        return answer_at_once(judge._read_again(photo, Seen(900, 600, (), (), ()), first, Expected()))

    assert again("doubtful-value").asks
    with pytest.raises(AssertionError, match="nothing more"):
        again("doubtful-value", "doubtful-thing")


def test_judging_needs_nothing_but_python() -> None:
    program = (
        f"import sys; sys.modules.update(dict.fromkeys({MISSING}))\n"
        "from tests.vision.judging.recordings import recordings\n"
        "calibration, likeness, photos = recordings()\n"
        "assert all(photo.read(calibration, likeness) == photo.expected for photo in photos)\n"
        "print(len(photos))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == f"{len(PHOTOS)}\n"


class SlowEye(RecordedEye):
    """Makes one wait, as a browser's does."""

    async def detect(self, photo: Sized, side: int, least: float, mirrored: bool = False) -> Candidates:
        await asyncio.sleep(0)
        return await super().detect(photo, side, least, mirrored)


def test_an_eye_may_make_one_wait() -> None:
    photo = PHOTOS[0]

    def asked() -> Judge:
        return Judge(SlowEye(LIKENESS, photo.answers), CALIBRATION)

    reading = asyncio.run(read_with(asked(), photo.photo, photo.dice, photo.aside, None))
    assert list(reading.values) == photo.expected["values"]
    with pytest.raises(RuntimeError, match="makes one wait"):
        answer_at_once(read_with(asked(), photo.photo, photo.dice, photo.aside, None))


def test_a_long_box_around_some_part_of_a_die_is_read_as_two_squares() -> None:
    """The classifier takes what is framed badly for no die."""
    boxes = (0.1, 0.2, 0.2, 0.6), (0.1, 0.2, 0.2, 0.4)
    none, die, part, nothing = (*[0.0] * 6, 5.0), (9.0, *[0.0] * 6), (0.0, 0.0, 9.0, 0.0, 0.0), (9.0, *[0.0] * 4)
    seen = Seen(200, 100, boxes, (0.3, 0.3), (none, none), shares=(part, part))
    squares = reframe(seen)
    assert squares.boxes == (pytest.approx((0.1, 0.2, 0.2, 0.4)), pytest.approx((0.1, 0.4, 0.2, 0.6)))
    assert squares.scores == (0.3, 0.3)
    for other in (replace(seen, logits=(die, none)), replace(seen, shares=(nothing, part))):
        assert reframe(other).boxes == ()
