"""What lies around each die: a small network tells from it whether the camera stands at table height. A die that shows
one face alone looks the same from straight above and from straight ahead; the table, the shadow and the horizon don't.
"""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Doubles, Floats, Pixels
from vision.backend import Network
from vision.crops import shrink_by
from vision.photo import Photo
from vision.reading import Reading

SURROUNDINGS = "surroundings.onnx"
SIDE = 80  # pixels of each of the two squares that show a die's surroundings
_NEAR = 4.5  # the near square's side as a multiple of the box's longer side
_WIDE = 1.3  # the wide square's side as a multiple of the photo's longer side
_VIEW_SIDE = 1000  # pixels of the longer side of the view in which it looks
_MOST = 4  # dice that it looks at
# What the log-odds of the least clear die must be: so much, and so many times those of a camera at table height. Nearly
# all rendered dice that are misread from there are less clear.
_CLEAR, _CLEARER = 1.0, 2.8
# Degrees of elevation. From lower, dice show several faces, and the classifier itself knows which one is up.
_ONE_FACE = 45.0
_FLAT = 20.0  # degrees: from lower, upper faces are so narrow that this is why a reading is not sure
_TURNED = 3  # of so many dice, each turned otherwise, some show two faces at table height


class Surroundings:
    """The network, trained by `rollcall train viewpoint`."""

    def __init__(self, network: Network) -> None:
        self._network = network

    @classmethod
    def load(cls, path: Path) -> Surroundings | None:
        """Loads the file; None if there is none, as beside older networks. Raises ModelError if it is broken."""
        return cls(Network(path)) if path.is_file() else None

    def may_hide_upper_faces(self, photo: Photo, reading: Reading, elevation: float = math.nan) -> bool:
        """Whether a die of the reading, which has one or more, is not clear enough for where the camera stands.
        `elevation`: the camera's by the dice themselves, in degrees; nan if unknown."""
        if elevation < _ONE_FACE:
            return elevation < _FLAT and not reading.sure
        if len(reading.dice) >= _TURNED and not math.isnan(elevation):
            return False
        least = min(die.confidence for die in reading.dice)
        return math.log(max(least, 1e-9) / max(1 - least, 1e-9)) < _CLEAR + _CLEARER * self.log_odds(photo, reading)

    def log_odds(self, photo: Photo, reading: Reading) -> float:
        """That the camera stands at table height: the mean over the dice, of which the reading has one or more."""
        view = photo.view(_VIEW_SIDE)
        dice = (*reading.dice, *reading.aside)
        boxes = np.array([die.box for die in dice[:: -(-len(dice) // _MOST)]]) * (view.shape[1] / reading.width)
        return float(self._network(look_around(view, boxes)).mean())


def look_around(pixels: Pixels, boxes: Doubles | Floats) -> Pixels:
    """Two squares side by side for each of the boxes (n, 4) in pixels: what is near the die, and most of the photo with
    the die in the middle. Black beyond the photo's border. (n, SIDE, 2 * SIDE, 3)."""
    wide = SIDE / (_WIDE * max(pixels.shape[:2]))
    small = _shrink(pixels, 1 / wide)
    pictures = np.zeros((len(boxes), SIDE, 2 * SIDE, 3), np.uint8)
    for picture, (x0, y0, x1, y1) in zip(pictures, boxes, strict=True):
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        near = SIDE / (_NEAR * max(x1 - x0, y1 - y0, 1.0))
        _show(picture[:, :SIDE], pixels, (x, y), near)
        _show(picture[:, SIDE:], small, (x * wide, y * wide), 1.0)
    return pictures


def _shrink(pixels: Pixels, times: float) -> Pixels:
    """The picture `times` smaller. By whole numbers first, and of large pictures only some pixels: quickly made."""
    width, height = (max(1, round(side / times)) for side in pixels.shape[1::-1])
    thinned = _thin(pixels, max(pixels.shape[:2]) / _VIEW_SIDE)
    small = shrink_by(thinned, max(thinned.shape[:2]) // (2 * max(width, height)))
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _thin(pixels: Pixels, times: float) -> Pixels:
    """The picture with one of so many pixels along each side."""
    step = min(int(times), *pixels.shape[:2])
    if step < 2:
        return pixels
    width, height = (side // step for side in pixels.shape[1::-1])
    return np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)


def _show(target: Pixels, pixels: Pixels, middle: tuple[float, float], scale: float) -> None:
    """Draws into the square `target` what is around `middle` in the pixels, scaled."""
    reach = SIDE / 2 / scale
    sides = []
    for at, side in zip(middle, pixels.shape[1::-1], strict=True):
        start, end = max(0, round(at - reach)), min(side, round(at + reach))
        first = min(max(0, round((start - at + reach) * scale)), SIDE - 1)
        last = min(max(first + 1, round((end - at + reach) * scale)), SIDE)
        sides.append((start, max(end, start + 1), first, last))
    (u0, u1, x0, x1), (v0, v1, y0, y1) = sides
    part = pixels[v0:v1, u0:u1]
    if part.size:
        part = _thin(part, 0.5 / scale)
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        target[y0:y1, x0:x1] = cv2.resize(part, (x1 - x0, y1 - y0), interpolation=how)
