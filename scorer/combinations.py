"""Scoring combinations of dice, and the best way to split dice into them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple
from weakref import WeakValueDictionary

from scorer.actions import FACES
from scorer.texts import Text

Dice = tuple[int, ...]  # always ascending in this module

MOST_CHOICES = 50_000  # that one scoring table keeps; six dice have 18,564 in all


class Combination(NamedTuple):
    """One line of a game's scoring table: the dice that score, ascending, each with their points.

    `text`: its name, or None if the dice explain it. `confirm`: points that must follow in the turn.
    """

    text: Text | None
    dice: tuple[tuple[Dice, int], ...]
    confirm: int = 0


class SetAside(NamedTuple):
    """Dice that may be set aside together, their points, and the points that must follow in the turn."""

    dice: Dice
    points: int
    confirm: int = 0


class Combinations:
    """The worth of dice that must all belong to combinations. It keeps results, as many as fit."""

    def __init__(self, table: Iterable[Combination]) -> None:
        # In any split, one combination starts with the lowest die.
        self._by_lowest: dict[int, list[SetAside]] = {face: [] for face in FACES}
        for combination in table:
            for dice, points in combination.dice:
                self._by_lowest[dice[0]].append(SetAside(dice, points, combination.confirm))
        self._best: dict[Dice, SetAside | None] = {(): SetAside((), 0)}
        self._choices: dict[Dice, tuple[SetAside, ...]] = {}
        self._kept = 0  # choices

    def best(self, dice: Dice) -> SetAside | None:
        """All these dice, split into combinations for the most points; None if there is no split.

        Of splits for as many points, the one after which the fewest must follow.
        """
        if dice not in self._best:
            splits = (
                SetAside(dice, points + rest.points, max(confirm, rest.confirm))
                for combination, points, confirm in self._by_lowest[dice[0]]
                if (left := subtract(dice, combination)) is not None and (rest := self.best(left)) is not None
            )
            self._best[dice] = max(splits, key=lambda split: (split.points, -split.confirm), default=None)
        return self._best[dice]

    def choices(self, throw: Dice) -> tuple[SetAside, ...]:
        """Every part of a throw that can be split, once each; most points first, then fewest dice."""
        known = self._choices.get(throw)
        if known is not None:
            return known
        found = [best for dice in parts(throw) if dice and (best := self.best(dice)) is not None]
        choices = tuple(sorted(found, key=lambda choice: (-choice.points, len(choice.dice), choice.dice)))
        if self._kept + len(choices) > MOST_CHOICES:
            self._choices, self._kept = {}, 0
        self._choices[throw] = choices
        self._kept += len(choices)
        return choices


_in_use: WeakValueDictionary[tuple[Combination, ...], Combinations] = WeakValueDictionary()  # bounded: rules in use


def combinations_for(table: tuple[Combination, ...]) -> Combinations:
    """One object for equal tables as long as rules have it, so all their games share its cache."""
    found = _in_use.get(table)
    return _in_use.setdefault(table, Combinations(table)) if found is None else found


def parts(dice: Dice) -> Iterator[Dice]:
    """Every multiset within `dice` once, ascending, including the empty one."""
    counts = [range(dice.count(face) + 1) for face in FACES]
    for taken in product(*counts):
        yield tuple(face for face, count in zip(FACES, taken, strict=True) for _ in range(count))


def subtract(dice: Dice, taken: Dice) -> Dice | None:
    """`dice` without `taken`; None if not all of `taken` are there."""
    left = list(dice)
    for die in taken:
        if die not in left:
            return None
        left.remove(die)
    return tuple(left)
