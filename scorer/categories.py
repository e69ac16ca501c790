"""Categories of a sheet: the worth of complete dice in each."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from scorer.texts import N_, T, Text

Dice = tuple[int, ...]  # all that are thrown, ascending
Tiers = tuple[tuple[int, ...], ...]  # pairs: from what sum on, how many points; the sums grow


class Category(NamedTuple):
    """`points`: the worth of any complete dice. `face`: of an upper cell, 0 for a lower one. `joker`: the points of a
    joker here, None for the sum of its dice. `what`, the wanted dice (None: any), and `gives`, its points, are for
    players. `served`: points more for dice that fit with the turn's first throw, its second and so on. `may_win`:
    whether dice that fit with that throw win the game at once. `stands`: how often it may be
    written. `tiers`: points by what it holds; `counts_hits`: by how often it holds points.
    """

    key: str
    title: str
    points: Callable[[Dice], int]
    what: Text | None
    gives: Text
    face: int = 0
    joker: int | None = None
    served: tuple[int, ...] = ()
    may_win: bool = False
    stands: int = 1
    tiers: Tiers = ()
    counts_hits: bool = False

    def wins(self, dice: Dice, throw: int) -> bool:
        """Whether complete dice that lie after so many throws of the turn win the game when they are written here."""
        return self.may_win and throw == 1 and self.points(dice) > 0

    def worth(self, dice: Dice, throw: int) -> int:
        """The points of complete dice that lie after so many throws of the turn; 0: any number, without `served`."""
        points = self.points(dice)
        return points + self.served[throw - 1] if points and 0 < throw <= len(self.served) else points


def points_by(tiers: Tiers, reached: int) -> int:
    """The points of the highest tier that is reached; 0 below the first."""
    found = 0
    for least, points in tiers:
        if reached < least:
            break
        found = points
    return found


def of_face(key: str, title: str, face: int) -> Category:
    """A cell of the upper part: the sum of the dice that show this face."""
    gives = T("the sum of the dice that show {face}", face=face)
    return Category(key, title, lambda dice: face * dice.count(face), None, gives, face)


SUM = T("the sum of all dice")

FACE_TITLES = (  # key and title of the upper cells, and of figures of one face
    ("ones", N_("Ones")),
    ("twos", N_("Twos")),
    ("threes", N_("Threes")),
    ("fours", N_("Fours")),
    ("fives", N_("Fives")),
    ("sixes", N_("Sixes")),
)

# Titles of the usual cells below the upper part, by key.
CELL_TITLES = {
    "pair": N_("Pair"),
    "two-pairs": N_("Two pairs"),
    "three": N_("Three alike"),
    "four": N_("Four alike"),
    "full": N_("Full house"),
    "small-straight": N_("Small straight"),
    "large-straight": N_("Large straight"),
    "chance": N_("Chance"),
}
