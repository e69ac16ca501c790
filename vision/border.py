"""Whether a die lies across the photo's border. A small network looks along each of the four sides: at what the photo
shows there, and at two of the photo's dice, which the cut one is mostly like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

import cv2
import numpy as np

from vision.arrays import Doubles, Floats, Pixels, as_boxes
from vision.judging.overlap import Box, longer_side
from vision.judging.seen import Places
from vision.photo import FIRST_VIEW, Photo
from vision.pixels import crop, shrink_by

BORDER = "border.onnx"
DEPTH, LENGTH = 40, 256  # pixels of a strip: into the photo, and along its border
SIDE = 32  # pixels of the usual die in a strip
STEP = 8  # pixels along the border from place to place of the network's output

_ROOM = 1.2  # the longer side of a die's box, by which it is shown
_APART = 192  # pixels from strip to strip
_UNSEEN = 3  # places at the ends of a strip, at which the next one sees more


def look_along_border(network: Callable[[Pixels], Floats], photo: Photo, boxes: Sequence[Box]) -> Places:
    """What the network says of the border of a photo with these dice, in its pixels."""
    view, usual = photo.view(FIRST_VIEW), median(map(longer_side, boxes)) / photo.width
    view = shrink_by(view, int(usual * view.shape[1] / SIDE))  # quickly made, and the strips need no more
    die = usual * view.shape[1]
    shown = show_dice(view, np.array(boxes) * (view.shape[1] / photo.width))
    pictures, along, whole = [], [], []
    for quarter in range(4):
        turned = np.rot90(view, quarter)
        strip, length = strip_at_top(turned, die)
        last = strip.shape[1] - LENGTH
        for start in [*range(0, last, _APART), last]:
            pictures.append(np.concatenate([shown, strip[:, start : start + LENGTH]], axis=1))
            middles = start + STEP * (np.arange(LENGTH // STEP) + 0.5)
            seen = np.full(len(middles), True)
            seen[:_UNSEEN] = start == 0
            seen[len(seen) - _UNSEEN :] = start == last
            whole.append(seen & (middles < length))
            along.append(_boxes_at(middles, length, SIDE / length, die / turned.shape[0] / 2, quarter))
    kept, places = np.concatenate(whole), np.concatenate(along)
    return Places(as_boxes(places[kept]), tuple(network(np.array(pictures, np.uint8)).ravel()[kept].tolist()))


def strip_at_top(pixels: Pixels, die: float) -> tuple[Pixels, int]:
    """What lies along the upper border, scaled so that a `die` of so many pixels has SIDE of them; black beside and
    below the picture. (DEPTH, LENGTH or more, 3), and the picture's own length in it."""
    scale = SIDE / die
    part = np.ascontiguousarray(pixels[: max(1, round(DEPTH / scale))])
    length, depth = max(STEP, round(part.shape[1] * scale)), min(DEPTH, max(1, round(len(part) * scale)))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    strip = np.zeros((DEPTH, max(length, LENGTH), 3), np.uint8)
    strip[:depth, :length] = cv2.resize(part, (length, depth), interpolation=how)
    return strip, length


def show_dice(pixels: Pixels, boxes: Doubles) -> Pixels:
    """The two dice of `boxes` (n, 4) whose colours differ most, or one twice: (DEPTH, 2 * DEPTH, 3)."""
    crops = np.stack([crop(pixels, box, DEPTH, _ROOM) for box in boxes])
    colours = crops[:, DEPTH // 4 : -DEPTH // 4, DEPTH // 4 : -DEPTH // 4].mean((1, 2))
    apart = np.abs(colours[:, None] - colours[None]).sum(2)
    one, other = np.unravel_index(int(apart.argmax()), apart.shape)
    return np.concatenate([crops[one], crops[other]], axis=1)


def _boxes_at(middles: Doubles, length: int, along: float, into: float, quarter: int) -> Floats:
    """Boxes (n, 4) at the upper border of a picture that was turned by so many quarters, in the picture itself. The
    sizes `along` the border and `into` the picture are fractions of its sides."""
    start, end = ((middles / length + part * along).clip(0, 1) for part in (-0.5, 0.5))
    near, far = np.zeros(len(middles)), np.full(len(middles), min(into, 1.0))
    sides = (
        (start, near, end, far),
        (1 - far, start, 1 - near, end),
        (1 - end, 1 - far, 1 - start, 1 - near),
        (near, 1 - end, far, 1 - start),
    )
    return np.stack(sides[quarter], axis=1).astype(np.float32)
