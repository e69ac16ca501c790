"""The eye: all that touches pixels or networks. What it gives, `vision.judging` judges.

Its functions are coroutines, since a browser's eye makes one wait. An eye that answers at once serves `answer_at_once`.
"""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any, Protocol, TypeVar

from vision.judging.chances import Row
from vision.judging.dice_memory import Likeness
from vision.judging.overlap import Box
from vision.judging.seen import Candidates, Crop, CropAnswer, Places, Visibility

Answer = TypeVar("Answer")


class EyePicture(Protocol):
    """A photo, or a part or smaller copy of it. Only its eye looks into it."""

    @property
    def width(self) -> int: ...

    @property
    def height(self) -> int: ...


class FindsDice(Protocol):
    """The part of an eye that has the detector."""

    async def detect(self, photo: Any, side: int, least: float, mirrored: bool = False) -> Candidates:
        """What the detector finds in the photo, scaled to a longer `side` in pixels, that scores at least `least`; the
        best few hundred, best first. Many boxes show one thing, and a box may reach beyond the photo. `mirrored`: it
        looks at the mirrored photo; the boxes lie in the photo as it is."""
        ...


class ReadsCrops(Protocol):
    """The part of an eye that has the crop classifier."""

    async def shrink(self, photo: Any, side: int) -> Any:
        """The photo with a longer side of at least `side` pixels, or whole if it has fewer."""
        ...

    async def classify(self, picture: Any, crops: Sequence[Crop]) -> Sequence[CropAnswer]:
        """What the crop classifier says of each crop."""
        ...


class Eye(FindsDice, ReadsCrops, Protocol):
    """Looks into photos of its own kind, each an `EyePicture`. Raises ModelError if a network is unusable."""

    @property
    def likeness(self) -> Likeness:
        """The numbers by which vectors are compared."""
        ...

    async def cut(self, photo: Any, frame: tuple[int, int, int, int]) -> Any:
        """The rectangle x0, y0, x1, y1, in pixels of the photo, as a photo of its own. Where the frame reaches beyond
        the photo, the photo's last pixels go on; then a coarse picture suffices."""
        ...

    async def compare(self, features: Sequence[Row]) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
        """The vectors of features: for the dice memory, and for dice of one set; the latter () without such a map."""
        ...

    async def look_along_border(self, photo: Any, dice: Sequence[Box]) -> Places:
        """Where a die, usually like these `dice` (in the photo's pixels), may lie across the photo's border."""
        ...

    async def light(self, photo: Any, box: Box | None) -> Visibility:
        """How light and sharp the photo is in this box, in its pixels; None: all of it."""
        ...


def answer_at_once(asked: Coroutine[Any, Any, Answer]) -> Answer:
    """The result of a coroutine that asks an eye which answers at once. Raises RuntimeError if it makes one wait."""
    try:
        asked.send(None)
    except StopIteration as done:
        answer: Answer = done.value
        return answer
    asked.close()
    raise RuntimeError("this eye makes one wait: await its answers")
