"""The reader on the repository's own pictures, and how both looks become a reading."""

from __future__ import annotations

import dataclasses
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision import ModelError, Photo, Reader
from vision.crops import ROOM, SIDE, crop
from vision.reader import DIRECTIONS, MODELS, TRUST, Looks, Trust, camera_turn, judged, second_look, weigh

PICTURES = Path(__file__).resolve().parent.parent / "pictures"
TRUSTED = Trust(
    sides=(640,), candidate=0.1, temperature=1.0, detector_weight=1.0, second_weight=1.0, bias=(0.0,) * 6, odd_size=0.0,
    die=0.5, doubt=0.2, sure_die=0.9, sure_value=0.9,
)  # fmt: skip


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def looks(*things: tuple[float, list[float]]) -> Looks:
    """Things side by side in a photo of 1000x500 pixels: the detector's score, and the second look's logits."""
    boxes = [[0.1 * i + 0.01, 0.1, 0.1 * i + 0.09, 0.2] for i in range(len(things))]
    scores, logits = [score for score, _ in things], [row for _, row in things]
    return Looks(
        1000,
        500,
        np.array(boxes, np.float32).reshape(-1, 4),
        np.array(scores, np.float32),
        np.array(logits, np.float32).reshape(-1, 7),
    )


def clear(value: int) -> list[float]:
    """Logits of a crop that plainly shows `value`; 7 for plainly no die."""
    return [9.0 if place == value else 0.0 for place in range(1, 8)]


def test_what_is_not_as_large_as_the_dice_is_less_likely_one() -> None:
    """Print, lace and far-off patterns are hardly ever as large as the dice beside them."""
    trusting = dataclasses.replace(TRUSTED, odd_size=2.0)
    die, maybe = (0.99, clear(2)), (0.8, [0.0] * 6 + [2.0])
    things = looks(die, die, die, maybe, maybe)
    boxes = things.boxes.copy()
    boxes[4, 2:] = boxes[4, :2] + (boxes[4, 2:] - boxes[4, :2]) / 2
    things = dataclasses.replace(things, boxes=boxes)
    alone, beside = weigh(things, TRUSTED), weigh(things, trusting)
    assert alone.dieness[3] == pytest.approx(alone.dieness[4])
    assert beside.dieness[:4] == pytest.approx(alone.dieness[:4])
    assert beside.dieness[4] < 0.5 < 0.6 < alone.dieness[4]
    assert weigh(looks(maybe), trusting).dieness == pytest.approx(alone.dieness[3:4])


def test_what_both_looks_see_clearly_is_sure() -> None:
    reading = judged(looks((0.95, clear(3)), (0.9, clear(6))), TRUSTED)
    assert [die.value for die in reading.dice] == [3, 6]
    assert reading.sure
    assert reading.dice[0].box == pytest.approx((10, 50, 90, 100), abs=1e-3)


def test_made_ready_for_one_size_it_reads_as_before() -> None:
    ready, photo = Reader(), Photo.decode((PICTURES / "throw-113466.jpg").read_bytes())
    ready.prepare(photo.width, photo.height)
    for pixels in (photo.pixels, np.ascontiguousarray(photo.pixels[100:])):  # of that size, and of another
        assert ready.read(Photo(pixels)).values == (1, 1, 3, 4, 6, 6)


def test_a_value_in_doubt_is_asked_about_with_the_likeliest_first() -> None:
    reading = judged(looks((0.95, [0, 5, 4, 3, 0, 0, -4])), TRUSTED)
    (die,) = reading.dice
    assert (die.value, die.sure, die.alternatives[:2]) == (2, False, (3, 4))
    assert sorted((die.value, *die.alternatives)) == [1, 2, 3, 4, 5, 6]


def test_what_the_second_look_calls_no_die_is_not_given() -> None:
    reading = judged(looks((0.95, clear(1)), (0.6, clear(7))), TRUSTED)
    assert reading.values == (1,)
    assert reading.sure


def test_what_may_be_a_die_and_is_left_out_makes_the_photo_unsure() -> None:
    doubtful = [0.0, 0, 0, 0, 0, 6, 6.6]
    reading = judged(looks((0.95, clear(1)), (0.4, doubtful)), TRUSTED)
    assert reading.values == (1,)
    assert reading.dice[0].sure
    assert not reading.sure


def test_clear_pips_on_what_may_be_print_make_the_photo_unsure() -> None:
    """Each of these is left out, and a die with a chance of 0.03 to 0.1."""
    fives, no_number = [0.0, 0, 0, 0, 7, 0, 11.5], [6.0, 6, 6, 6, 6, 6, 12.8]
    for found, logits, sure in ((0.8, fives, False), (0.6, fives, True), (0.8, no_number, True)):
        reading = judged(looks((0.95, clear(1)), (found, logits)), TRUSTED)
        assert (reading.values, reading.sure) == ((1,), sure)


def test_two_dice_at_nearly_the_same_place_make_the_photo_unsure() -> None:
    boxes = np.array([[0.1, 0.1, 0.3, 0.5], [0.18, 0.22, 0.36, 0.5]], np.float32)  # three quarters of the second
    seen = dataclasses.replace(looks((0.95, clear(3)), (0.9, clear(6))), boxes=boxes)
    reading = judged(seen, TRUSTED)
    assert reading.values == (3, 6)
    assert not reading.sure
    boxes[1] += [0.09, 0.2, 0.09, 0.2]  # side by side, aslant, a sixth is shared
    assert judged(dataclasses.replace(seen, boxes=boxes), TRUSTED).sure


def at_edge(*box: float) -> Looks:
    return Looks(
        100, 100, np.array([box], np.float32), np.array([0.95], np.float32), np.array([clear(2)], np.float32)
    )  # fmt: skip


@pytest.mark.parametrize("box", [[0, 0.1, 0.1, 0.2], [0.5, 0.9, 0.6, 1.0], [0.5, 0, 0.6, 0.1], [0.9, 0.5, 1.0, 0.6]])
def test_a_die_at_the_edge_is_asked_about(box: list[float]) -> None:
    (die,) = judged(at_edge(*box), TRUSTED).dice
    assert not die.sure


@pytest.mark.parametrize("box", [[0, 0.1, 0.06, 0.2], [0.5, 0.93, 0.6, 1.0], [0.93, 0.5, 1.0, 0.6]])
def test_a_die_cut_off_by_the_edge_is_not_read_and_makes_the_photo_unsure(box: list[float]) -> None:
    reading = judged(at_edge(*box), TRUSTED)
    assert reading.dice == ()
    assert not reading.sure


def test_what_the_edge_cuts_is_a_die_sooner_than_what_it_does_not() -> None:
    """Of half a die the second look says that it is hardly one."""
    hardly = np.array([[0.0] * 6 + [6.5]], np.float32)
    cut = dataclasses.replace(at_edge(0.5, 0, 0.6, 0.1), logits=hardly)
    assert judged(cut, TRUSTED).dice == ()
    assert not judged(cut, TRUSTED).sure
    assert judged(dataclasses.replace(cut, logits=np.array([clear(7)], np.float32) * 1.5), TRUSTED).sure
    assert judged(dataclasses.replace(at_edge(0.5, 0.2, 0.6, 0.3), logits=hardly), TRUSTED).sure


def test_what_the_detector_hardly_sees_at_the_edge_is_left_alone() -> None:
    """Print and lace go on beyond most edges."""
    unlikely = np.array([[0.0] * 6 + [3.0]], np.float32)
    seen = dataclasses.replace(at_edge(0.5, 0, 0.6, 0.1), logits=unlikely)
    for score, sure in ((0.1, True), (0.25, False)):
        assert judged(dataclasses.replace(seen, scores=np.array([score], np.float32)), TRUSTED).sure == sure


@pytest.mark.parametrize("axis", [0, 1])  # of the box: across, down
@pytest.mark.parametrize("first", [True, False])
def test_a_photo_that_ends_in_the_middle_of_a_die_is_not_sure(reader: Reader, axis: int, first: bool) -> None:
    """Two thirds of the outermost die on a side are left."""
    pixels = Photo.decode((PICTURES / "throw-113466.jpg").read_bytes()).pixels
    spans = [(die.box[axis], die.box[axis + 2]) for die in reader.read(Photo(pixels)).dice]
    near, far = min(spans) if first else max(spans, key=lambda span: span[1])
    cut = round(near + (far - near) * (1 / 3 if first else 2 / 3))
    left = np.split(pixels, [cut], axis=1 - axis)[1 if first else 0]
    assert not reader.read(Photo(np.ascontiguousarray(left))).sure


def test_nothing_seen_is_no_dice() -> None:
    reading = judged(looks(), TRUSTED)
    assert reading.dice == ()
    assert reading.sure


def test_a_plain_picture_has_no_dice(reader: Reader) -> None:
    assert reader.read(Photo(np.full((480, 640, 3), 120, np.uint8))).dice == ()


@pytest.mark.parametrize("shape", [(16, 16, 3), (16, 2000, 3), (3000, 40, 3)])
def test_any_shape_can_be_read(reader: Reader, shape: tuple[int, int, int]) -> None:
    reader.read(Photo(np.random.default_rng(1).integers(0, 256, shape, dtype=np.uint8)))


def test_the_repositorys_own_throws_are_read(reader: Reader) -> None:
    """The pictures are hard on purpose: what is not exact must at least be asked about."""
    throws = json.loads((PICTURES / "pictures.json").read_text())
    exact = 0
    for throw in throws:
        reading = reader.read(Photo.decode((PICTURES / throw["picture"]).read_bytes()))
        right = list(reading.values) == throw["values"]
        assert right or not reading.sure, f"{throw['picture']}: {reading.values} read, and sure of it"
        exact += right
    assert exact >= 0.8 * len(throws)


def test_threads_read_the_same(reader: Reader) -> None:
    photo = Photo.decode(next(iter(sorted(PICTURES.glob("*.jpg")))).read_bytes())
    with ThreadPoolExecutor(4) as pool:
        readings = list(pool.map(lambda _: reader.read(photo), range(8)))
    assert all(reading == readings[0] for reading in readings)


def test_networks_that_load_meanwhile_read_the_same(reader: Reader, tmp_path: Path) -> None:
    photo = Photo.decode(next(iter(sorted(PICTURES.glob("*.jpg")))).read_bytes())
    early, without = Reader(), Reader(tmp_path)
    early.load_meanwhile()
    without.load_meanwhile()
    assert early.read(photo) == reader.read(photo)
    with pytest.raises(ModelError, match=r"trust\.json is missing"):
        without.read(photo)


def test_missing_and_broken_networks_are_told(tmp_path: Path) -> None:
    photo = Photo(np.zeros((64, 64, 3), np.uint8))
    with pytest.raises(ModelError, match=r"trust\.json is missing"):
        Reader(tmp_path).read(photo)
    (tmp_path / TRUST).write_text("{}")
    with pytest.raises(ModelError, match=r"trust\.json cannot be loaded"):
        Reader(tmp_path).read(photo)
    (tmp_path / TRUST).write_bytes((MODELS / TRUST).read_bytes())
    with pytest.raises(ModelError, match=r"detector\.onnx is missing"):
        Reader(tmp_path).read(photo)
    (tmp_path / "detector.onnx").write_bytes(b"no network")
    with pytest.raises(ModelError, match=r"detector\.onnx cannot be loaded"):
        Reader(tmp_path).read(photo)


@pytest.mark.parametrize("size", [20, 64, 200, 900])
def test_a_crop_shows_the_box_and_what_lies_around(size: int) -> None:
    pixels = np.zeros((1000, 1200, 3), np.uint8)
    x, y = 130, 50
    pixels[y : y + size, x : x + size] = 255
    cut = crop(pixels, (x, y, x + size, y + size))
    assert cut.shape == (SIDE, SIDE, 3)
    ys, xs = np.nonzero(cut[:, :, 0] > 127)
    edge = (SIDE - SIDE / ROOM) / 2
    assert np.abs(np.array([xs.min(), ys.min(), SIDE - 1 - xs.max(), SIDE - 1 - ys.max()]) - edge).max() <= 1.5


def test_a_small_die_is_cut_from_the_whole_photo() -> None:
    """The second look gets the photo's own pixels where the first needed only a small picture of it."""
    seen = []

    class Recorder:
        def __call__(self, crops: np.ndarray) -> np.ndarray:
            seen.append(crops)
            return np.zeros((len(crops), 7 + DIRECTIONS), np.float32)

    pixels = np.zeros((3000, 4000, 3), np.uint8)
    pixels[1000:1040:2, 2000:2040] = 255
    boxes = np.array([[2000 / 4000, 1000 / 3000, 2040 / 4000, 1040 / 3000]], np.float32)
    second_look(Recorder(), Photo(pixels), boxes)  # type: ignore[arg-type]
    assert seen[0].shape == (4, SIDE, SIDE, 3)
    assert seen[0][0].std() > 50  # the stripes, one pixel wide, are still there


@pytest.mark.parametrize("size", [40, 400])
def test_what_is_cut_out_can_be_turned(size: int) -> None:
    noise = np.random.default_rng(size).integers(0, 256, (12, 12, 3)).astype(np.uint8)
    pixels = np.asarray(Image.fromarray(noise).resize((1200, 1200), Image.Resampling.BICUBIC))
    box = (600 - size / 2, 600 - size / 2, 600 + size / 2, 600 + size / 2)
    clockwise = crop(pixels, box, turn=90).astype(int)
    assert np.abs(clockwise - np.rot90(crop(pixels, box), -1)).mean() < 2
    assert np.abs(clockwise - crop(pixels, box)).mean() > 10


def seen_up(*ups: tuple[float, ...]) -> np.ndarray:
    """What the second look gives (4, n, DIRECTIONS) for things of each of which it takes any of `ups` (degrees) for up
    in the photo: in the crops as they are, mirrored, turned a quarter counter-clockwise and clockwise."""
    views = [(1, 0), (-1, 0), (1, 90), (1, -90)]
    logits = np.zeros((len(views), len(ups), DIRECTIONS), np.float32)
    for view, (sign, turned) in enumerate(views):
        for thing, directions in enumerate(ups):
            for up in directions:
                logits[view, thing, round((sign * up + turned) / 360 * DIRECTIONS) % DIRECTIONS] = 4
    return logits


@pytest.mark.parametrize("turn", [60, 90, -120, -60])
def test_several_dice_tell_how_the_camera_was_turned(turn: float) -> None:
    """Each alone might as well have its side up, on either side."""
    dice = [(turn, turn + 90), (turn, turn - 90), (turn, turn + 120)]
    assert camera_turn(seen_up(*dice * 3)) == pytest.approx(turn, abs=8)


def test_where_up_is_not_clear_the_photo_is_taken_as_it_is() -> None:
    assert camera_turn(seen_up((0,), (0, 90), (0, -90))) == 0
    assert camera_turn(seen_up((90, 0))) == 0
    assert camera_turn(seen_up((), (), (120, 30))) == 0
    assert camera_turn(np.zeros((4, 0, DIRECTIONS), np.float32)) == 0


def test_a_turned_photo_is_read_as_it_would_lie_upright() -> None:
    """Up is where the pixels are light; a crop that has it at its top shows a three, any other a five."""

    class Second:
        def __call__(self, crops: np.ndarray) -> np.ndarray:
            given = np.zeros((len(crops), 7 + DIRECTIONS), np.float32)
            for row, picture in zip(given, crops.astype(float), strict=True):
                across, down = np.meshgrid(np.arange(SIDE) - SIDE / 2, np.arange(SIDE) - SIDE / 2)
                light = picture.mean(2) - picture.mean()
                angle = np.degrees(np.arctan2(-(light * across).sum(), -(light * down).sum()))
                row[7 + round(angle / 360 * DIRECTIONS) % DIRECTIONS] = 9
                row[2 if abs(angle) < 20 else 4] = 9
            return given

    upright = np.tile(np.linspace(255, 0, 400, dtype=np.uint8)[:, None, None], (1, 400, 3))
    boxes = np.array([[0.4, 0.4, 0.6, 0.6], [0.2, 0.4, 0.4, 0.6]], np.float32)
    for quarters in (0, 1, 3):
        photo = Photo(np.ascontiguousarray(np.rot90(upright, quarters)))
        logits = second_look(Second(), photo, boxes)  # type: ignore[arg-type]
        assert logits[:, :6].argmax(1).tolist() == [2, 2]
