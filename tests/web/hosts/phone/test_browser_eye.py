"""The browser's eye: its scripts beside the computer's eye, and its Python side beside `vision.Reader`."""

import asyncio
import base64
import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

import vision
from vision.arrays import Floats, Pixels
from vision.border import look_along_border, show_dice, strip_at_top
from vision.detector import decode, letterbox
from vision.eye import answer_at_once
from vision.judging.seen import DIRECTIONS, ELEVATIONS, FEATURES, NONE, SHARES, Crop
from vision.likeness_map import LikenessMap, SetMap
from vision.network_eye import LIKENESS, Classifier, NetworkEye
from vision.photo import Photo
from vision.pixels import crop, measure_light, shrink_by
from vision.reader import MODELS
from web.photos.browser_eye import BrowserEye, BrowserReader
from web.problems.problem import Problem

PICTURES = Path(__file__).resolve().parents[3] / "pictures"
ASKS = Path(__file__).parent / "eye.mjs"
RANDOM = np.random.default_rng(51)


def ask_scripts(*asked: Sequence[Any]) -> list[Any]:
    """What the scripts answer to each question: a name, and what it is given."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed: it runs the scripts")
    sent = json.dumps([[name, *map(_sent, given)] for name, *given in asked])
    run = subprocess.run([node, ASKS], input=sent, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    return [_got(each) for each in json.loads(run.stdout)]


def _sent(each: Any) -> Any:
    if isinstance(each, np.ndarray) and each.dtype == np.uint8:
        data = base64.b64encode(np.ascontiguousarray(each).tobytes()).decode()
        return {"width": each.shape[1], "height": each.shape[0], "data": data}
    if isinstance(each, np.ndarray):
        return {"dims": each.shape, "data": each.ravel().tolist()}
    return each


def _got(each: Any) -> Any:
    if isinstance(each, dict) and "width" in each:
        return np.frombuffer(base64.b64decode(each["data"]), np.uint8).reshape(each["height"], each["width"], 3)
    if isinstance(each, dict):
        return {name: _got(inner) for name, inner in each.items()}
    return list(map(_got, each)) if isinstance(each, list) else each


def picture(width: int, height: int) -> Pixels:
    """Noise that is smooth over some pixels, as photos are."""
    noise = RANDOM.integers(0, 256, (max(2, height // 6), max(2, width // 6), 3)).astype(np.uint8)
    return np.asarray(Image.fromarray(noise).resize((width, height), Image.Resampling.BICUBIC))


def is_near(ours: Pixels, theirs: Pixels) -> bool:
    """Whether pictures differ by a grey level at most, and by that seldom."""
    off = np.abs(ours.astype(int) - theirs)
    return ours.shape == theirs.shape and off.max() <= 1 and off.mean() < 0.1


def test_pictures_are_fitted_as_the_computer_fits_them() -> None:
    views = [picture(*size) for size in ((1000, 750), (360, 640), (640, 480), (907, 1209), (1280, 960), (2015, 990))]
    asked = [(view, side) for view in views for side in (704, 448, 128)]
    for (view, side), ours in zip(asked, ask_scripts(*(("letterbox", *each) for each in asked)), strict=True):
        fitted, fit = letterbox(view, side)
        assert is_near(ours["fitted"], fitted), (view.shape, side)
        assert (ours["scaleX"], ours["scaleY"], ours["left"], ours["top"]) == (
            fit.scale_x,
            fit.scale_y,
            fit.left,
            fit.top,
        )


def test_crops_are_those_of_the_computer() -> None:
    view = picture(900, 700)
    boxes = [
        (10.5, 20.25, 60.0, 64.0),
        (-20.0, -10.0, 90.0, 80.0),
        (300.0, 200.0, 700.0, 690.0),
        (880.0, 1.0, 930.0, 60.0),
    ]
    asked = [
        (box, side, room, turn) for box in boxes for side, room in ((80, 1.6), (40, 1.2)) for turn in (0, 31.7, -120)
    ]
    for (box, side, room, turn), ours in zip(
        asked, ask_scripts(*(("crop", view, *each) for each in asked)), strict=True
    ):
        assert is_near(ours, crop(view, box, side, room, turn)), (box, side, turn)


def test_pictures_are_shrunk_turned_and_measured_as_by_the_computer() -> None:
    view = picture(611, 407)
    asked = [("shrinkBy", view, step) for step in (1, 2, 3, 7)]
    *shrunk, light, turned, padded = ask_scripts(
        *asked, ("measureLight", view), ("rotate", view, 1), ("padded", view, 3, 0, 5, 2)
    )
    for (_, _, step), ours in zip(asked, shrunk, strict=True):
        assert is_near(ours, shrink_by(view, step)), step
    theirs = measure_light(view)
    assert light["brightness"] == pytest.approx(theirs.brightness, abs=0.05)
    assert light["sharpness"] == pytest.approx(theirs.sharpness, rel=0.01)
    assert (turned == np.rot90(view)).all()
    assert (padded == cv2.copyMakeBorder(view, 3, 0, 5, 2, cv2.BORDER_REPLICATE)).all()


@pytest.mark.parametrize("orientation", range(1, 9))
def test_photos_are_turned_upright(orientation: int) -> None:
    view = picture(31, 20)
    exif = Image.Exif()
    exif[0x0112] = orientation
    out = BytesIO()
    Image.fromarray(view).save(out, "PNG", exif=exif)
    (ours,) = ask_scripts(("upright", view, orientation))
    assert (ours == Photo.decode(out.getvalue()).pixels).all()


def test_boxes_are_decoded_as_by_the_computer() -> None:
    height, width = 96, 64
    places = RANDOM.normal(0, 2, (4 * 16 + 1, 12 * 8 + 6 * 4 + 3 * 2)).astype(np.float32)
    (ours,) = ask_scripts(("decode", places, height, width, 0.4))
    boxes, scores = decode(places, height, width, 0.4)
    assert len(boxes) > 10
    np.testing.assert_allclose(ours["boxes"], boxes, atol=1e-3)
    np.testing.assert_allclose(ours["scores"], scores, atol=1e-6)


def test_the_classifier_is_given_the_same_views_and_its_answers_mean_the_same() -> None:
    view = picture(400, 300)
    asked = [
        Crop((20.0, 20.0, 60.0, 70.0)),
        Crop((100.0, 50.0, 150.0, 90.0), turn=20.0, quarters=False),
        Crop((200.0, 150.0, 260.0, 200.0)),
    ]
    wide = (NONE + 1 + DIRECTIONS, FEATURES, ELEVATIONS, SHARES)
    outputs = [RANDOM.normal(0, 1, (8, each)).astype(np.float32) for each in wide]
    given: list[Pixels] = []

    def network(pixels: Pixels) -> tuple[Floats, ...]:
        given.extend(pixels)
        return tuple(output[: len(pixels)] for output in outputs)

    alone = [Crop(each.box, each.turn) for each in asked if each.quarters]
    theirs = answer_at_once(Classifier(network).classify(Photo(view), alone))
    ((ours, noted),) = ask_scripts(
        ("classify", [_sent(each) for each in outputs], view, [(c.box, c.turn, c.quarters) for c in alone])
    )
    assert all(map(is_near, noted, given))
    for mine, its in zip(ours, theirs, strict=True):
        for part, other in zip(
            mine, (its.logits, its.directions, its.features, its.elevations, its.shares), strict=True
        ):
            np.testing.assert_allclose(part, other, atol=1e-5)


def test_vectors_are_those_of_the_computer() -> None:
    features = RANDOM.normal(0, 1, (5, FEATURES)).astype(np.float32)
    one, sets = LikenessMap.load(MODELS / LIKENESS), SetMap.load(MODELS / LIKENESS)
    arrays = {name: getattr(one, name) for name in ("middle", "across", "inner", "inner_bias", "outer")}
    arrays |= {"set_middle": sets.middle, "set_across": sets.across}
    maps = {name: {"shape": each.shape, "data": each.ravel().tolist()} for name, each in arrays.items()}
    ((ours, ours_of_sets),) = ask_scripts(("compare", maps, features.tolist()))
    np.testing.assert_allclose(ours, one.vectors(features), atol=1e-4)
    np.testing.assert_allclose(ours_of_sets, sets.vectors(features), atol=1e-4)


def test_the_border_is_looked_at_as_by_the_computer() -> None:
    view = picture(640, 480)
    boxes = [(100.0, 100.0, 150.0, 148.0), (300.0, 200.0, 352.0, 250.0), (500.0, 20.0, 547.0, 69.0)]
    given: list[Pixels] = []

    def network(pixels: Pixels) -> Floats:
        given.extend(pixels)
        return np.arange(len(pixels) * 32, dtype=np.float32).reshape(len(pixels), 32)

    theirs = look_along_border(network, Photo(view), boxes)
    output = np.arange(len(given) * 32, dtype=np.float32).reshape(len(given), 32)
    (ours, noted), strip, dice = ask_scripts(
        ("lookAlongBorder", output, view, 640, boxes), ("stripAtTop", view, 20.0), ("showDice", view, boxes)
    )
    assert len(noted) == len(given)
    assert all(map(is_near, noted, given))
    np.testing.assert_allclose(ours["boxes"], theirs.boxes, atol=1e-5)
    assert tuple(ours["logOdds"]) == theirs.log_odds
    pixels, length = strip_at_top(view, 20.0)
    assert strip["length"] == length
    assert is_near(strip["strip"], pixels)
    assert is_near(np.concatenate(dice, axis=1), show_dice(view, np.array(boxes)))


class ComputersWorker:
    """Answers as `shell/eye/worker.js` does, with the computer's eye. `refuses`: instead."""

    def __init__(self) -> None:
        self._eye = NetworkEye(MODELS)
        self.photos: list[Photo] = []
        self.refuses, self.smaller = "", False
        self.asked: list[str] = []

    async def ask(self, name: str, given: str, file: bytes | None) -> tuple[str | None, Any]:
        self.asked.append(name)
        if self.refuses and name == "load":
            return json.dumps([self.refuses, {}, ""]), None
        told = await getattr(self, f"_{name}")(*json.loads(given), **({} if file is None else {"file": file}))
        return None, told if name == "pictures" else json.dumps(told)

    def _kept(self, photo: Photo) -> list[int]:
        self.photos.append(photo)
        return [len(self.photos) - 1, photo.width, photo.height]

    async def _load(self) -> Any:
        return asdict(self._eye.likeness)

    async def _decode(self, kind: str, orientation: int, smaller: bool, file: bytes) -> Any:
        self.smaller = smaller
        return self._kept(Photo.decode(file))

    async def _pictures(self, photo: int) -> Any:
        return [b"shown", b"small"]

    async def _clear(self) -> None:
        self.photos.clear()

    async def _cut(self, photo: int, frame: Any) -> Any:
        return self._kept(await self._eye.cut(self.photos[photo], tuple(frame)))

    async def _shrink(self, photo: int, side: int) -> Any:
        return self._kept(await self._eye.shrink(self.photos[photo], side))

    async def _detect(self, photo: int, *given: Any) -> Any:
        found = await self._eye.detect(self.photos[photo], *given)
        return [found.boxes, found.scores]

    async def _classify(self, photo: int, crops: Any) -> Any:
        asked = [Crop(tuple(box), *more) for box, *more in crops]
        answers = await self._eye.classify(self.photos[photo], asked)
        return [[each.logits, each.directions, each.features, each.elevations, each.shares] for each in answers]

    async def _compare(self, features: Any) -> Any:
        return await self._eye.compare(features)

    async def _border(self, photo: int, dice: Any) -> Any:
        places = await self._eye.look_along_border(self.photos[photo], dice)
        return [places.boxes, places.log_odds]

    async def _light(self, photo: int, box: Any) -> Any:
        found = await self._eye.light(self.photos[photo], box)
        return [found.brightness, found.sharpness]


@pytest.mark.parametrize(("name", "dice"), [("throw-113466.jpg", 6), ("throw-15.jpg", None), ("throw-66666.jpg", 4)])
def test_what_the_worker_sees_is_judged_as_on_a_computer(name: str, dice: int | None) -> None:
    data = (PICTURES / name).read_bytes()

    async def read() -> vision.Reading:
        eye = BrowserEye(ComputersWorker().ask)
        return await BrowserReader(eye).read(await eye.decode(data), dice)

    assert asyncio.run(read()) == vision.Reader().read(Photo.decode(data), dice)


def test_what_no_eye_can_read_is_refused_as_on_a_computer() -> None:
    eye = BrowserEye(ComputersWorker().ask)
    for data in (b"", b"no photo", b"\xff\xd8\xff\xe0\x00"):
        with pytest.raises(vision.PhotoError) as theirs:
            Photo.decode(data)
        with pytest.raises(vision.PhotoError) as ours:
            asyncio.run(eye.decode(data))
        assert ours.value.reason == theirs.value.reason


def test_networks_that_are_not_at_hand_are_told() -> None:
    worker = ComputersWorker()
    worker.refuses = "reader-not-loaded"
    eye = BrowserEye(worker.ask)
    with pytest.raises(Problem) as told:
        asyncio.run(eye.load())
    assert told.value.reason == "reader-not-loaded"
