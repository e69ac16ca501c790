"""Categories of a sheet: the worth of complete dice in each. Games declare their sheets with these functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from scorer.actions import FACES
from scorer.texts import N_, T, Text

Dice = tuple[int, ...]  # all that are thrown, ascending


class Category(NamedTuple):
    """`points`: the worth of any complete dice. `face`: of an upper cell, 0 for a lower one. `joker`: the points of a
    joker here, None for the sum of its dice. `what`, the wanted dice (None: any), and `gives`, its points, are for
    players. `served`: points more for dice that fit with the first throw.
    """

    key: str
    title: str
    points: Callable[[Dice], int]
    what: Text | None
    gives: Text
    face: int = 0
    joker: int | None = None
    served: int = 0


def upper() -> tuple[Category, ...]:
    """The six cells of the upper part."""
    return tuple(of_face(*FACE_TITLES[face - 1], face) for face in FACES)


def of_face(key: str, title: str, face: int) -> Category:
    """A cell of the upper part: the sum of the dice that show this face."""
    gives = T("the sum of the dice that show {face}", face=face)
    return Category(key, title, lambda dice: face * dice.count(face), None, gives, face)


def at_least(key: str, title: str, count: int) -> Category:
    """`count` or more of one face: the sum of all dice."""
    what = T("at least {count} alike", count=count)
    return Category(key, title, lambda dice: sum(dice) if _most(dice) >= count else 0, what, SUM)


def exactly(key: str, title: str, count: int) -> Category:
    """`count` of one face and no more: the sum of all dice."""
    what = T("exactly {count} alike", count=count)
    return Category(key, title, lambda dice: sum(dice) if count in map(dice.count, FACES) else 0, what, SUM)


def sum_of_alike(key: str, title: str, count: int) -> Category:
    """`count` or more of one face: the sum of `count` of them, for the highest such face."""

    def points(dice: Dice) -> int:
        return max((count * face for face in FACES if dice.count(face) >= count), default=0)

    return Category(
        key, title, points, T("at least {count} alike", count=count), T("the sum of those {count}", count=count)
    )


def two_pairs(key: str, title: str) -> Category:
    """Two different pairs: the sum of the four."""

    def points(dice: Dice) -> int:
        pairs = [face for face in FACES if dice.count(face) >= 2]
        return 2 * sum(pairs) if len(pairs) == 2 else 0

    return Category(key, title, points, T("two different pairs"), T("the sum of those {count}", count=4))


def full(key: str, title: str, worth: int | None) -> Category:
    """Three of one face and two of another: `worth` points; None: the sum of the dice."""

    def points(dice: Dice) -> int:
        if sorted(map(dice.count, FACES))[-2:] != [2, 3]:
            return 0
        return sum(dice) if worth is None else worth

    gives = SUM if worth is None else Text(str(worth))
    return Category(key, title, points, T("three of one and two of another"), gives, joker=worth)


def run(key: str, title: str, length: int, worth: int) -> Category:
    """`length` consecutive values: `worth` points."""
    runs = [set(range(low, low + length)) for low in range(1, 8 - length)]

    def points(dice: Dice) -> int:
        return worth if any(values <= set(dice) for values in runs) else 0

    return Category(key, title, points, T("{count} consecutive", count=length), Text(str(worth)), joker=worth)


def exact_run(key: str, title: str, low: int, high: int, worth: int) -> Category:
    """The values from `low` to `high`: `worth` points."""
    values = tuple(range(low, high + 1))
    what = T("{low} to {high}", low=low, high=high)
    return Category(key, title, lambda dice: worth if dice == values else 0, what, Text(str(worth)))


def five_alike(key: str, title: str, worth: int = 50) -> Category:
    return Category(key, title, lambda dice: worth if dice[0] == dice[-1] else 0, T("five alike"), Text(str(worth)))


def chance(key: str, title: str) -> Category:
    return Category(key, title, sum, None, SUM)


def cells(four: Category, general: str) -> tuple[Category, ...]:
    """The thirteen cells of Kości and Yahtzee. The games differ in `four` alike and in the name of five alike."""
    return (
        *upper(),
        at_least("three", N_("Three alike"), 3),
        four,
        full("full", N_("Full house"), 25),
        run("small-straight", N_("Small straight"), 4, 30),
        run("large-straight", N_("Large straight"), 5, 40),
        five_alike("general", general),
        chance("chance", N_("Chance")),
    )


def _most(dice: Dice) -> int:
    return max(map(dice.count, dice))


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
