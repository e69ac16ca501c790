"""The reader: an eye and a judge, loaded from files and asked by several threads."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from pathlib import Path

from vision.eye import Eye, EyePicture, answer_at_once
from vision.judging.dice_memory import DiceMemory
from vision.judging.interpretation import Search
from vision.judging.judge import Expected, Judge
from vision.judging.seen import Seen
from vision.judging.weights import Calibration
from vision.network_eye import NetworkEye
from vision.reading import Reading
from vision.region import RegionCrop

MODELS = Path(__file__).resolve().parent.parent / "models"
CALIBRATION = "calibration.json"


class Reader:
    """Reads the dice in photos. The first photo loads the networks; several threads may read at once.

    >>> import numpy as np
    >>> from vision import Photo
    >>> nothing = Reader().read(Photo(np.zeros((480, 640, 3), np.uint8)), dice=5)
    >>> nothing.values, nothing.sure, [str(ask) for ask in nothing.asks]
    ((), False, ['the photo is too dark; switch on a light', 'no dice were found; photograph all of them from above'])
    """

    def __init__(self, models: Path = MODELS, eye: Eye | None = None) -> None:
        """`models`: the folder with the networks. `eye`: of photos of its own kind; default the networks."""
        self._models, self._eye = models, eye
        self._lock = threading.Lock()
        self._loaded: Judge | None = None

    def load_in_background(self) -> None:
        """Loads the networks in a thread while the first photo is decoded. Errors are left to `read`."""

        def load() -> None:
            with contextlib.suppress(Exception):
                self._loaded_judge()

        threading.Thread(target=load, name="networks").start()

    def read(
        self, photo: EyePicture, dice: int | None = None, aside: Sequence[int] = (), known: DiceMemory | None = None
    ) -> Reading:
        """Reads the dice in the photo. If the first pass is not sure, a second pass also looks at the mirrored photo.

        `dice`: how many were thrown, 1..MOST_DICE. `aside`: values of dice kept or set aside before; these may be in
        the photo. `known`: the dice memory of this table. Raises ModelError if a network's file is missing or unusable,
        and ValueError for numbers that no throw has.
        """
        reading, seen = answer_at_once(self._loaded_judge().read(photo, Expected(dice, aside, known)))
        return self.examine(photo, reading, seen, dice)

    def examine(
        self, photo: EyePicture, reading: Reading, seen: Seen, dice: int | None = None, region: RegionCrop | None = None
    ) -> Reading:
        """The reading, not sure if something in the photo keeps it from showing all dice surely; with the reasons why
        it asks. `region`: the part of the photo that counts."""
        counts = None if region is None else region.places_inside
        return answer_at_once(self._loaded_judge().examine(photo, reading, seen, dice, counts))

    def interpret(
        self,
        photo: EyePicture,
        seen: Seen,
        dice: int | None = None,
        aside: Sequence[int] = (),
        known: DiceMemory | None = None,
    ) -> Reading:
        """The reading of what was seen in the photo; arguments as for `read`."""
        judge = self._loaded_judge()
        reading = judge.interpret(seen, Expected(dice, aside, known))
        return answer_at_once(judge.with_reasons(photo, reading, dice))

    def detect(self, photo: EyePicture, most: int | None = None) -> Seen:
        """The first pass: what detector and classifier find in the photo, for `interpret`. `most`: classifies only the
        best so many candidates; None: all."""
        return answer_at_once(self._loaded_judge().look(photo, most=most))

    def detect_again(self, photo: EyePicture, before: Seen) -> Seen:
        """The second pass: the detector also gets the mirrored photo. `before`: the first pass."""
        return answer_at_once(self._loaded_judge().look(photo, Search.AGAIN, before))

    def _loaded_judge(self) -> Judge:
        with self._lock:
            if self._loaded is None:
                calibration = Calibration.load(self._models / CALIBRATION)
                self._loaded = Judge(self._eye or NetworkEye(self._models), calibration)
            return self._loaded
