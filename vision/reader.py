"""The reader: the detector finds candidates, the classifier reads each, and `vision.interpretation` decides which are
dice and how sure their values are."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

from vision.ask_reasons import light_obstacles, reasons_to_ask
from vision.backend import Network
from vision.border import BORDER, Places, look_along_border
from vision.boxes import Box
from vision.classifier import Answers, classify
from vision.cut import find_cut, of_dice
from vision.detector import Candidates, Detector, detect, detect_mirrored
from vision.dice_memory import DiceMemory, Likeness, Trace
from vision.framing import (
    Frame,
    closer_frame,
    large_side,
    misses_large,
    too_small,
    wants_wider_frame,
    wider_frame,
)
from vision.interpretation import Calibration, Detections, elevations, interpret
from vision.photo import Photo
from vision.reading import Reading, check_throw
from vision.region import RegionCrop
from vision.same_set import SameSet

MODELS = Path(__file__).resolve().parent.parent / "models"
DETECTOR, CROP_CLASSIFIER = "detector.onnx", "crop-classifier.onnx"
CALIBRATION, LIKENESS = "calibration.json", "likeness.npz"
_FLAT = 20.0  # degrees: from lower, upper faces are so narrow that this is why a reading is not sure


class _Networks(NamedTuple):
    """What a reader loads of its models."""

    detector: Detector
    classifier: Network
    calibration: Calibration
    likeness: Likeness
    same_set: SameSet | None
    border: Network | None


class Reader:
    """Reads the dice in photos. The first photo loads the networks; several threads may read at once.

    >>> from vision import Photo
    >>> nothing = Reader().read(Photo(np.zeros((480, 640, 3), np.uint8)), dice=5)
    >>> nothing.values, nothing.sure, [str(ask) for ask in nothing.asks]
    ((), False, ['the photo is too dark; switch on a light', 'no dice were found; photograph all of them from above'])
    """

    def __init__(self, models: Path = MODELS) -> None:
        self._models = models
        self._lock = threading.Lock()
        self._loaded: _Networks | None = None

    def load_in_background(self) -> None:
        """Loads the networks in a thread while the first photo is decoded. Errors are left to `read`."""

        def load() -> None:
            with contextlib.suppress(Exception):
                self._networks()

        threading.Thread(target=load, name="networks").start()

    def read(
        self, photo: Photo, dice: int | None = None, aside: Sequence[int] = (), known: DiceMemory | None = None
    ) -> Reading:
        """Reads the dice in the photo. If the first pass is not sure, a second pass also looks at the mirrored photo.

        `dice`: how many were thrown, 1..MOST_DICE. `aside`: values of dice kept or set aside before; these may be in
        the photo. `known`: the dice memory of this table. Raises ModelError if a network's file is missing or unusable,
        and ValueError for numbers that no throw has.
        """
        check_throw(dice, aside)
        detections = self.detect(photo)
        first = self._interpret(detections, dice, aside, known, first_pass=True)
        large = large_side(self._networks().detector, photo, first)
        wider = large > 0 or wants_wider_frame(first, detections)
        frame = wider_frame(photo, large) if wider else closer_frame(first, detections)
        reading = self._read_frame(photo, frame, dice, aside, known) if frame is not None else None
        reading = reading or self._read_twice(photo, detections, dice, aside, known, first)
        if misses_large(reading, large):
            reading = dataclasses.replace(reading, obstacles=("too-close",))
        return self.examine(photo, reading, detections, dice)

    def _read_frame(
        self, photo: Photo, frame: Frame, dice: int | None, aside: Sequence[int], known: DiceMemory | None
    ) -> Reading | None:
        """The reading of a frame of the photo, with boxes in the photo; None if it shows no dice."""
        part = frame.cut(photo)
        reading = self._read_twice(part, self.detect(part), dice, aside, known)
        return frame.to_photo(reading, photo) if reading.dice else None

    def _read_twice(
        self,
        photo: Photo,
        detections: Detections,
        dice: int | None,
        aside: Sequence[int],
        known: DiceMemory | None,
        first: Reading | None = None,
    ) -> Reading:
        """The reading of the `first` pass, or that of the second if the first is not sure."""
        first = first or self._interpret(detections, dice, aside, known, first_pass=True)
        if first.sure:
            return first
        return self._interpret(self.detect_again(photo, detections), dice, aside, known, second_pass=True)

    def examine(
        self,
        photo: Photo,
        reading: Reading,
        detections: Detections,
        dice: int | None = None,
        region: RegionCrop | None = None,
    ) -> Reading:
        """The reading, not sure if something in the photo keeps it from showing all dice surely; with the reasons why
        it asks. `region`: the part of the photo that counts."""
        found = reading.obstacles or light_obstacles(photo, reading)
        if not found and not reading.sure and camera_elevation(reading, detections) < _FLAT:
            found = ("from-the-side",)
        cut = None
        if reading.dice and not found:
            cut = find_cut(reading, detections, self._look_along_border(photo, reading, region))
            found = ("cut",) if cut else ()
        return _with_reasons(photo, dataclasses.replace(reading, obstacles=found), dice, cut)

    def interpret(
        self,
        photo: Photo,
        detections: Detections,
        dice: int | None = None,
        aside: Sequence[int] = (),
        known: DiceMemory | None = None,
        certain: bool = False,
    ) -> Reading:
        """The reading of the photo's detections; arguments as for `read`. `certain`: a person confirmed the number
        of dice, so the likeliest candidates are given as dice."""
        return _with_reasons(photo, self._interpret(detections, dice, aside, known, certain), dice)

    def _interpret(
        self,
        detections: Detections,
        dice: int | None,
        aside: Sequence[int],
        known: DiceMemory | None,
        certain: bool = False,
        first_pass: bool = False,
        second_pass: bool = False,
    ) -> Reading:
        networks = self._networks()
        calibration, likeness = networks.calibration, networks.likeness
        vectors = likeness.vectors(detections.features)
        if known is not None and known.usable_samples(likeness):
            detections = dataclasses.replace(
                detections, logits=known.adjust_logits(likeness, detections.logits, vectors)
            )
            calibration = calibration.with_memory
        if first_pass:
            calibration = calibration.first_pass
        if second_pass:
            calibration = calibration.second_pass
        boxes = detections.boxes * np.array([detections.width, detections.height] * 2, np.float32)
        trace = Trace(boxes, vectors, likeness.mark)
        reading = interpret(detections, calibration, dice, aside, certain)
        obstacles = ("too-small",) if too_small(reading, detections, dice) else ()
        return dataclasses.replace(reading, trace=trace, obstacles=obstacles)

    def _look_along_border(self, photo: Photo, reading: Reading, region: RegionCrop | None) -> Places:
        border = self._networks().border
        if border is None:
            return Places(np.zeros((0, 4), np.float32), np.zeros(0, np.float32))
        return look_along_border(border, photo, reading, region)

    def prepare(self, width: int, height: int) -> None:
        """Prepares the networks for photos of this size in pixels, such as a camera's, so that these are read faster.
        Raises ModelError."""
        self._networks().detector.prepare(width, height)

    def detect(self, photo: Photo, most: int | None = None) -> Detections:
        """The first pass: what detector and classifier find in the photo, for `interpret`. `most`: classifies only the
        best so many candidates; None: all."""
        networks = self._networks()
        return self._classify(photo, detect(networks.detector, photo, networks.calibration.candidate, most), {})

    def detect_again(self, photo: Photo, before: Detections) -> Detections:
        """The second pass: the detector also gets the mirrored photo, the classifier crops of several sizes. `before`:
        the first pass."""
        networks = self._networks()
        known = Candidates(before.boxes, before.scores)
        found = detect_mirrored(networks.detector, photo, networks.calibration.candidate, known)
        return self._classify(photo, found, dict(before.answers), closer=True)

    def _classify(self, photo: Photo, found: Candidates, answers: Answers, closer: bool = False) -> Detections:
        networks = self._networks()
        boxes, scores = found.boxes, found.scores
        seen = classify(networks.classifier.outputs, photo, boxes, scores, answers, closer)
        return Detections(
            photo.width,
            photo.height,
            boxes,
            scores,
            seen.logits,
            seen.features,
            networks.same_set,
            answers,
            max(photo.width, photo.height),
            seen.elevations,
            seen.shares,
        )

    def _networks(self) -> _Networks:
        with self._lock:
            if self._loaded is None:
                calibration = Calibration.load(self._models / CALIBRATION)
                with ThreadPoolExecutor(1) as threads:
                    classifier = threads.submit(Network, self._models / CROP_CLASSIFIER)
                    detector = Detector(self._models / DETECTOR, calibration.image_sizes)
                likeness, border = self._models / LIKENESS, self._models / BORDER
                self._loaded = _Networks(
                    detector,
                    classifier.result(),
                    calibration,
                    Likeness.load(likeness),
                    SameSet.load(likeness),
                    Network(border) if border.is_file() else None,
                )
            return self._loaded


def _with_reasons(photo: Photo, reading: Reading, dice: int | None, cut: Box | None = None) -> Reading:
    return reading if reading.sure else dataclasses.replace(reading, asks=reasons_to_ask(photo, reading, dice, cut))


def camera_elevation(reading: Reading, detections: Detections) -> float:
    """Degrees by which the camera stands above the table, by the dice of the reading; nan if none tells it."""
    degrees = of_dice(reading, detections, elevations(detections)[:, None])
    return float(degrees.mean()) if degrees.size else math.nan


def load_detector(models: Path) -> Detector:
    """Loads the detector of the folder `models`. Raises ModelError."""
    return Detector(models / DETECTOR, Calibration.load(models / CALIBRATION).image_sizes)
