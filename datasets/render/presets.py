"""Kinds of pictures that can be rendered. It needs nothing but Python, so that the command line can name them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Preset:
    """A kind of pictures. number: the seed space, so that presets never share a picture."""

    name: str
    number: int
    gentle: bool = False
    plain: bool = False
    counts: tuple[float, ...] = ()  # weights of 0, 1, 2, ... dice
    crowd: float = 0.0  # share of pictures with 13 to 25 dice
    smallest: float = 20.0  # edge of a die in pixels, picture 640 long
    largest: float = 190.0
    flattest: float = 0.0  # degrees from straight above, at least; above 0 the camera stands at dice height
    steepest: float = 65.0  # degrees from straight above, at most
    like: float = 0.45  # share of pictures with lookalikes
    ordinary: float = 0.3  # share of pictures of common dice on a common table, nothing odd about them
    contrast: float = 14.0  # least step (of 255) between the pips of a die and the face round them
    cut_dice: float = 0.12  # share of pictures that keep dice which cannot be read, as lookalikes
    hidden_tops: bool = False  # dice keep their values if the picture hardly shows their upper faces
    views: bool = False  # from anywhere between table height and straight above, on tables that mirror, of hard dice


# Evenings: the same dice on the same table in each throw (evenings.py). Not among PRESETS: not for single pictures.
EVENING: Final = Preset(
    "evening",
    4,
    gentle=True,
    counts=(0, 0, 1, 1, 1, 2, 2),
    smallest=26,
    largest=150,
    steepest=55,
    contrast=26.0,
    cut_dice=0.0,
)
# Bowls: many dice of one set close together.
BOWL: Final = Preset("bowl", 5, gentle=True, smallest=30, largest=60, steepest=35, contrast=26.0, cut_dice=0.0)
PRESETS: Final = {
    preset.name: preset
    for preset in (
        Preset("train", 1, counts=(4, 9, 14, 11, 11, 19, 19, 4, 3, 2, 1, 1, 1), crowd=0.04, like=0.6),
        Preset(
            "check",
            2,
            gentle=True,
            counts=(0, 1, 1, 1, 1, 1, 1),
            smallest=26,
            largest=150,
            steepest=60,
            like=0.4,
            contrast=26.0,
            cut_dice=0.0,
        ),
        Preset(
            "low",
            7,
            gentle=True,
            counts=(0, 3, 1, 1, 1, 1, 1),
            smallest=30,
            flattest=65,
            steepest=90,
            like=0.2,
            contrast=0.0,
            cut_dice=0.0,
            hidden_tops=True,
        ),
        Preset(
            "views",
            8,
            counts=(1, 8, 8, 6, 4, 4, 3),
            smallest=18,
            largest=480,
            steepest=90,
            like=0.7,
            ordinary=0.2,
            contrast=8.0,
            cut_dice=0.4,
            hidden_tops=True,
            views=True,
        ),
        Preset("plain", 3, gentle=True, plain=True, counts=(0, 1, 1, 1, 1, 1, 1), steepest=35, like=0.0, cut_dice=0.0),
    )
}
