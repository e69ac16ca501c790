"""The eye of a phone that looks into its photo for this server, and what this server compares of it."""

import functools
from collections.abc import Sequence

import numpy as np

from vision.arrays import as_rows
from vision.judging.chances import Row
from vision.judging.dice_memory import DiceMemory
from vision.judging.seen import FEATURES
from vision.likeness_map import LikenessMap, SetMap
from vision.network_eye import LIKENESS
from vision.reader import MODELS
from web.photos.browser_eye import Ask, BrowserEye, BrowserReader, EyeFaultError
from web.photos.reading_results import reading_result
from web.table.photo_state import PhotoDetails, Read

UPRIGHT = 1  # the phone's browser turns the photo, which it has itself


class RemoteEye(BrowserEye):
    """A phone's eye with the networks of this server. Vectors are made here, so a phone says nothing of them."""

    async def load(self) -> None:
        """Raises EyeFaultError where the phone has other networks."""
        await super().load()
        if self.likeness != _maps()[0].numbers(_maps()[1]):
            raise EyeFaultError("the phone has other networks")

    async def compare(self, features: Sequence[Row]) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
        given = np.array(features, np.float32).reshape(-1, FEATURES)
        return tuple(as_rows(each.vectors(given)) for each in _maps())  # type: ignore[return-value]


async def read(ask: Ask, details: PhotoDetails, kind: str, known: DiceMemory | None) -> Read:
    """What was read in a photo of this `kind` (`vision.containers`), by what a phone tells that it sees there."""
    eye = RemoteEye(ask)
    await eye.load()
    photo = await eye.take(kind, UPRIGHT, False)
    reading = await BrowserReader(eye).read(photo, details.expects or None, details.beside, known)
    return Read(details, photo.width, photo.height, reading_result(reading))


@functools.cache  # bounded: no argument
def _maps() -> tuple[LikenessMap, SetMap]:
    return LikenessMap.load(MODELS / LIKENESS), SetMap.load(MODELS / LIKENESS)
