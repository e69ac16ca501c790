"""The crop classifier: reads each candidate, cut out of the photo at the photo's own resolution."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vision.arrays import Floats, Pixels
from vision.judging.seen import ELEVATIONS, FEATURES, NONE, ROOM, Crop, CropAnswer
from vision.photo import Photo
from vision.pixels import crop

_UPRIGHT = 2  # views of each crop: as it is, and mirrored; further views are turned to either side


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
        means = np.concatenate([given[:_UPRIGHT].mean(0) for given in others], axis=1).astype(np.float32)
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
    return crop(pixels, np.array(asked.box, np.float32), room=ROOM * asked.size, turn=asked.turn)
