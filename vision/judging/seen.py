"""What an eye saw in a photo: typed values of short tuples, which judging takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from vision.judging.chances import Row
from vision.judging.overlap import Box, scale

NONE = 6  # the class of what is no die
ELEVATIONS = 9  # bands of the camera's elevation above the table, 10 degrees each, from table height up
SHARES = 5  # classes of how much of a die is in sight: nothing, then from all of it down
DIRECTIONS = 12  # possible up directions, counter-clockwise from the crop's top
FEATURES = 192
UPRIGHT = 2  # views of each crop: as it is, and mirrored; further ones are turned to either side
MAYBE = 0.25  # the detector's score, or the probability of being a die or of a value, from which on that may be so
SIDE = 80  # pixels of a crop
# The crop's side as a multiple of the box's longer side. The surroundings show half of a domino, a single face, and
# which face is up.
ROOM = 1.6


@dataclass(frozen=True)
class Candidates:
    """What may be dice, n things: boxes in fractions of the picture's sides, scores 0..1."""

    boxes: tuple[Box, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True)
class Crop:
    """A square around `box`, in pixels of its picture, of ROOM times its longer side. `turn`: degrees by which its
    content is turned clockwise. `quarters`: whether the eye also looks at it turned a quarter to either side."""

    box: Box
    turn: float = 0.0
    quarters: bool = True


@dataclass(frozen=True)
class CropAnswer:
    """What the crop classifier says of a crop: as it is, mirrored, and with `quarters` turned a quarter
    counter-clockwise and clockwise. For each of these views `logits` (7) of the values 1..6 and of no die, and
    `directions` (DIRECTIONS), logits of the up direction. Of the first two views' mean the `features`, `elevations`
    and `shares`."""

    logits: tuple[Row, ...]
    directions: tuple[Row, ...]
    features: Row
    elevations: Row
    shares: Row


@dataclass(frozen=True)
class Visibility:
    """`brightness`: the mean of the lighter half of the pixels, 0..255. `sharpness`: how far the sharpest hundredth of
    the pixels differs from the mean around it, as a fraction of the picture's own range of grey."""

    brightness: float
    sharpness: float


@dataclass(frozen=True)
class Places:
    """Places along the photo's border: `boxes` of half a die each, fractions of the photo's sides, and `log_odds` that
    a die lies across the border there."""

    boxes: tuple[Box, ...] = ()
    log_odds: Row = ()


Pass = tuple[int, bool]  # the longer side of the picture that the detector saw, and whether it was mirrored
# The answers for crops of one photo, by the width of the picture that was cut, and the crop.
Answers = dict[tuple[int, Crop], CropAnswer]


@dataclass(frozen=True)
class Seen:
    """All n candidates in a photo of `width` x `height` pixels.

    `boxes`: fractions of the sides. `scores`: the detector's. `logits` (7 each) and `features` (FEATURES each): the
    classifier's. `vectors` and `set_vectors`: what the likeness makes of the features, for the dice memory and for
    dice of one set; `set_between`: how much the latter vary from set to set. `elevations` (ELEVATIONS each) and
    `shares` (SHARES each): the classifier's logits of the camera's elevation, and of how much of a die is in
    sight. `fineness`: pixels that the detector saw for each of the photo. `answers`: the classifier's for
    crops, and `passes`: the detector's, for further passes.
    """

    width: int
    height: int
    boxes: tuple[Box, ...]
    scores: tuple[float, ...]
    logits: tuple[Row, ...]
    features: tuple[Row, ...] = ()
    vectors: tuple[Row, ...] = ()
    set_vectors: tuple[Row, ...] = ()
    set_between: Row = ()
    elevations: tuple[Row, ...] = ()
    shares: tuple[Row, ...] = ()
    fineness: float = 1.0
    answers: Answers = field(default_factory=dict, compare=False, repr=False)
    passes: dict[Pass, Candidates] = field(default_factory=dict, compare=False, repr=False)

    @property
    def pixels(self) -> tuple[Box, ...]:
        """The boxes in pixels of the photo."""
        return tuple(scale(box, self.width, self.height) for box in self.boxes)

    def pick(self, things: Sequence[int]) -> Seen:
        """What was seen of these candidates alone."""
        rows: dict[str, Any] = {
            name: tuple(getattr(self, name)[i] for i in things) for name in _ROWS if getattr(self, name)
        }
        return replace(self, **rows)


_ROWS = ("boxes", "scores", "logits", "features", "vectors", "set_vectors", "elevations", "shares")
