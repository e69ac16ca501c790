"""The reader: an eye and a judge, loaded from files and asked by several threads."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from vision.arrays import Doubles
from vision.backend import Network
from vision.beyond import CUT_ODDS, Beyond, CutOdds, find_beyond
from vision.border import BORDER, Places, look_along_border
from vision.eye import answer_at_once
from vision.judging.boxes import Box
from vision.judging.calibration import Calibration
from vision.judging.dice_memory import DiceMemory
from vision.judging.judge import Judge
from vision.judging.seen import Seen
from vision.network_eye import NetworkEye
from vision.photo import Photo
from vision.reading import Reading
from vision.reasons import ModelError
from vision.region import RegionCrop

MODELS = Path(__file__).resolve().parent.parent / "models"
CALIBRATION = "calibration.json"


class _Loaded(NamedTuple):
    """What a reader loads of its models."""

    eye: NetworkEye
    judge: Judge
    cut_odds: CutOdds | None
    border: Network | None


class Reader:
    """Reads the dice in photos. The first photo loads the networks; several threads may read at once.

    >>> from vision import Photo
    >>> nothing = Reader().read(Photo(np.zeros((480, 640, 3), np.uint8)), dice=5)
    >>> nothing.values, nothing.sure, [str(ask) for ask in nothing.asks]
    ((), False, ['the photo is too dark; switch on a light', 'no dice were found; photograph all of them from above'])
    """

    def __init__(self, models: Path = MODELS, judge: type[Judge] = Judge) -> None:
        """`models`: the folder with the networks. `judge`: what decides; others serve measuring."""
        self._models, self._judge = models, judge
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None

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
        reading, seen = answer_at_once(self._networks().judge.read(photo, dice, aside, known))
        return self.examine(photo, reading, seen, dice)

    def examine(
        self, photo: Photo, reading: Reading, seen: Seen, dice: int | None = None, region: RegionCrop | None = None
    ) -> Reading:
        """The reading, not sure if something in the photo keeps it from showing all dice surely; with the reasons why
        it asks. `region`: the part of the photo that counts."""

        def look_on() -> tuple[tuple[str, ...], Box | None]:
            cut_odds = self._networks().cut_odds
            places = self._look_along_border(photo, reading, region)
            if cut_odds is None or (places is not None and not places.suspicious):
                return (), None
            beyond, numbers = self._look_beyond(photo, reading, seen, region)
            cut = beyond.find_die(cut_odds, numbers, places, reading, counted=len(reading.dice) == dice)
            return ("cut",) if cut else (), cut

        return answer_at_once(self._networks().judge.examine(photo, reading, seen, dice, look_on))

    def interpret(
        self,
        photo: Photo,
        seen: Seen,
        dice: int | None = None,
        aside: Sequence[int] = (),
        known: DiceMemory | None = None,
        certain: bool = False,
    ) -> Reading:
        """The reading of what was seen in the photo; arguments as for `read`. `certain`: a person confirmed the number
        of dice, so the likeliest candidates are given as dice."""
        judge = self._networks().judge
        reading = judge.interpret(seen, dice, aside, known, judge.calibration, certain)
        return answer_at_once(judge.with_reasons(photo, reading, dice))

    def _look_along_border(self, photo: Photo, reading: Reading, region: RegionCrop | None) -> Places | None:
        border = self._networks().border
        return None if border is None else look_along_border(border, photo, reading, region)

    def _look_beyond(
        self, photo: Photo, reading: Reading, seen: Seen, region: RegionCrop | None
    ) -> tuple[Beyond, Doubles]:
        loaded = self._networks()
        beyond = find_beyond(loaded.eye, loaded.judge.calibration.image_sizes, photo, reading, region)
        return beyond, beyond.describe(loaded.eye, reading, seen)

    def look_beyond(self, photo: Photo) -> tuple[Reading, Beyond, Doubles, Places] | None:
        """What lies across the photo's border, for the training: the reading of a first pass without the dice count,
        what is found beyond, its numbers (n, 5), and what the network of the border says; None without dice. Raises
        ModelError without that network."""
        judge, seen = self._networks().judge, self.detect(photo)
        reading = judge.interpret(seen, None, (), None, judge.calibration.first_pass)
        if not reading.dice:
            return None
        places = self._look_along_border(photo, reading, None)
        if places is None:
            raise ModelError("model-missing", file=BORDER)
        return reading, *self._look_beyond(photo, reading, seen, None), places

    def prepare(self, width: int, height: int) -> None:
        """Prepares the networks for photos of this size in pixels, such as a camera's, so that these are read faster.
        Raises ModelError."""
        for side in self._networks().judge.calibration.image_sizes:
            self._networks().eye.detector.prepare(width, height, side)

    def detect(self, photo: Photo, most: int | None = None) -> Seen:
        """The first pass: what detector and classifier find in the photo, for `interpret`. `most`: classifies only the
        best so many candidates; None: all."""
        return answer_at_once(self._networks().judge.detect(photo, most))

    def detect_again(self, photo: Photo, before: Seen) -> Seen:
        """The second pass: the detector also gets the mirrored photo, the classifier crops of several sizes. `before`:
        the first pass."""
        return answer_at_once(self._networks().judge.detect_again(photo, before))

    def _networks(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                calibration = Calibration.load(self._models / CALIBRATION)
                border = self._models / BORDER
                eye = NetworkEye(self._models)
                self._loaded = _Loaded(
                    eye,
                    self._judge(eye, calibration),
                    CutOdds.load(self._models / CUT_ODDS),
                    Network(border) if border.is_file() else None,
                )
            return self._loaded
