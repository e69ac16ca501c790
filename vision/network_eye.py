"""The eye of a computer: OpenCV and NumPy for pixels, and networks by ONNX Runtime or OpenCV (`vision.backend`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Floats, Pixels, as_rows
from vision.backend import Network
from vision.border import BORDER, look_along_border
from vision.detector import Detector
from vision.judging.chances import Row
from vision.judging.overlap import Box
from vision.judging.seen import (
    ELEVATIONS,
    FEATURES,
    NONE,
    UPRIGHT,
    Candidates,
    Crop,
    CropAnswer,
    Places,
    Visibility,
)
from vision.likeness_map import LikenessMap, SetMap
from vision.photo import FIRST_VIEW, Photo
from vision.pixels import crop, measure_light

DETECTOR, CROP_CLASSIFIER, LIKENESS = "detector.onnx", "crop-classifier.onnx", "likeness.npz"
_WIDE_VIEW = 700  # pixels of the longer side of a photo with large dice: enough to read them


class NetworkEye:
    """A `vision.eye.Eye` for `vision.Photo`, with the networks of the folder `models`. It answers at once; several
    threads may ask it."""

    def __init__(self, models: Path) -> None:
        """Raises ModelError."""
        with ThreadPoolExecutor(1) as threads:
            classifier = threads.submit(Network, models / CROP_CLASSIFIER)
            self.detector = Detector(models / DETECTOR)
        self.classifier = Classifier(classifier.result().outputs)
        self._border = Network(models / BORDER)
        self._map, self._sets = LikenessMap.load(models / LIKENESS), SetMap.load(models / LIKENESS)
        self.likeness = self._map.numbers(self._sets)

    async def cut(self, photo: Photo, frame: tuple[int, int, int, int]) -> Photo:
        left, top, right, bottom = frame
        wider = right - left > photo.width or bottom - top > photo.height
        view = photo.view(_WIDE_VIEW) if wider else photo.pixels
        if wider and max(view.shape[:2]) > _WIDE_VIEW:
            scale = _WIDE_VIEW / max(view.shape[:2])
            view = np.asarray(cv2.resize(view, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        across, down = view.shape[1] / photo.width, view.shape[0] / photo.height
        x0, x1 = round(left * across), round(right * across)
        y0, y1 = round(top * down), round(bottom * down)
        inner: Pixels = view[max(y0, 0) : y1, max(x0, 0) : x1]
        beyond = max(-y0, 0), max(y1 - view.shape[0], 0), max(-x0, 0), max(x1 - view.shape[1], 0)
        if any(beyond):
            inner = np.asarray(cv2.copyMakeBorder(inner, *beyond, cv2.BORDER_REPLICATE), np.uint8)
        return Photo(np.ascontiguousarray(inner))

    async def detect(self, photo: Photo, side: int, least: float, mirrored: bool = False) -> Candidates:
        return await self.detector.detect(photo, side, least, mirrored)

    async def shrink(self, photo: Photo, side: int) -> Photo:
        return await self.classifier.shrink(photo, side)

    async def classify(self, picture: Photo, crops: Sequence[Crop]) -> list[CropAnswer]:
        return await self.classifier.classify(picture, crops)

    async def compare(self, features: Sequence[Row]) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
        # After the mean over the views, since the map is not linear: so it is no part of the classifier's graph.
        given = np.array(features, np.float32).reshape(-1, FEATURES)
        return as_rows(self._map.vectors(given)), as_rows(self._sets.vectors(given))

    async def look_along_border(self, photo: Photo, dice: Sequence[Box]) -> Places:
        return look_along_border(self._border, photo, dice)

    async def light(self, photo: Photo, box: Box | None) -> Visibility:
        view = photo.view(FIRST_VIEW)
        if box is None:
            return measure_light(view)
        scale = np.array([view.shape[1] / photo.width, view.shape[0] / photo.height] * 2)
        x0, y0 = np.floor(np.array(box) * scale)[:2].astype(int)
        x1, y1 = np.ceil(np.array(box) * scale)[2:].astype(int)
        return measure_light(view[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)])


class Classifier:
    """The classifying network: a part of an eye, see `vision.eye.ReadsCrops`."""

    def __init__(self, outputs: Callable[[Pixels], tuple[Floats, ...]]) -> None:
        """`outputs`: the network's, see `vision.backend.Network.outputs`."""
        self._outputs = outputs

    async def shrink(self, photo: Photo, side: int) -> Photo:
        return Photo(photo.view(side))

    async def classify(self, picture: Photo, crops: Sequence[Crop]) -> list[CropAnswer]:
        answers: dict[int, CropAnswer] = {}
        for quarters in (True, False):
            some = [place for place, one in enumerate(crops) if one.quarters == quarters]
            if some:
                cut = np.stack([_cut(picture.pixels, crops[place]) for place in some])
                answers.update(zip(some, self._read(cut, quarters), strict=True))
        return [answers[place] for place in range(len(crops))]

    def _read(self, cut: Pixels, quarters: bool) -> list[CropAnswer]:
        """The answers for crops (n, SIDE, SIDE, 3)."""
        turns = (1, 3) if quarters else ()
        views = np.concatenate([cut, cut[:, :, ::-1], *(np.rot90(cut, quarter, axes=(1, 2)) for quarter in turns)])
        outputs, *others = (given.reshape(-1, len(cut), given.shape[1]) for given in self._outputs(views))
        means = np.concatenate([given[:UPRIGHT].mean(0) for given in others], axis=1).astype(np.float32)
        of_crops = zip(outputs.swapaxes(0, 1).tolist(), map(tuple, means.tolist()), strict=True)
        return [
            CropAnswer(
                tuple(tuple(view[: NONE + 1]) for view in views),
                tuple(tuple(view[NONE + 1 :]) for view in views),
                row[:FEATURES],
                row[FEATURES : FEATURES + ELEVATIONS],
                row[FEATURES + ELEVATIONS :],
            )
            for views, row in of_crops
        ]


def _cut(pixels: Pixels, asked: Crop) -> Pixels:
    return crop(pixels, np.array(asked.box, np.float32), turn=asked.turn)
