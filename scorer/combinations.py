"""Scoring combinations of dice, and the best way to split dice into them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple
from weakref import WeakValueDictionary

from scorer.actions import FACES
from scorer.texts import T, Text, counted_text

Dice = tuple[int, ...]  # always ascending in this module

MOST_CHOICES = 50_000  # that one scoring table keeps; six dice have 18,564 in all


class Combination(NamedTuple):
    """One line of a game's scoring table: the dice that score, ascending, each with their points.

    `text`: its name, or None if the dice explain it.
    """

    text: Text | None
    dice: tuple[tuple[Dice, int], ...]


class SetAside(NamedTuple):
    """Dice that may be set aside together, and their points."""

    dice: Dice
    points: int


class Combinations:
    """The worth of dice that must all belong to combinations. It keeps results, as many as fit."""

    def __init__(self, table: Iterable[Combination]) -> None:
        # In any split, one combination starts with the lowest die.
        self._by_lowest: dict[int, list[tuple[Dice, int]]] = {face: [] for face in FACES}
        for combination in table:
            for dice, points in combination.dice:
                self._by_lowest[dice[0]].append((dice, points))
        self._worth: dict[Dice, int | None] = {(): 0}
        self._choices: dict[Dice, tuple[SetAside, ...]] = {}
        self._kept = 0  # choices

    def worth(self, dice: Dice) -> int | None:
        """The points of the best split of all these dice into combinations; None if there is no split."""
        if dice not in self._worth:
            splits = (
                points + rest
                for combination, points in self._by_lowest[dice[0]]
                if (left := subtract(dice, combination)) is not None and (rest := self.worth(left)) is not None
            )
            self._worth[dice] = max(splits, default=None)
        return self._worth[dice]

    def choices(self, throw: Dice) -> tuple[SetAside, ...]:
        """Every part of a throw that can be split, once each; most points first, then fewest dice."""
        known = self._choices.get(throw)
        if known is not None:
            return known
        found = [SetAside(dice, points) for dice in parts(throw) if dice and (points := self.worth(dice)) is not None]
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


# --- the words that scoring tables are written in --------------------------------------------------------------------


def alike(count: int, points: Callable[[int], int], faces: tuple[int, ...] = FACES) -> Combination:
    """`count` dice of one face, for `points(face)`."""
    named = None if count == 1 else _ALIKE.get(count) or counted_text("{count} alike", "{count} alike", count)
    return Combination(named, tuple(((face,) * count, points(face)) for face in faces))


def straight(points: int) -> Combination:
    return Combination(T("straight"), ((FACES, points),))


def three_pairs(points: int, *, different: bool) -> Combination:
    """X,X,Y,Y,Z,Z; unless `different`, X may equal Y or Z, or all three be equal."""
    if different:
        pairs = list(combinations(FACES, 3))
        text = T("three different pairs")
    else:
        pairs = sorted(combinations_with_replacement(FACES, 3), key=lambda pairs: -len(set(pairs)))
        text = T("three pairs, also four alike and a pair")
    return Combination(text, tuple((tuple(sorted(each * 2)), points) for each in pairs))


def two_triples(points: int) -> Combination:
    return Combination(T("two triples"), tuple((tuple(sorted(each * 3)), points) for each in combinations(FACES, 2)))


_ALIKE = {3: T("three alike"), 4: T("four alike"), 5: T("five alike"), 6: T("six alike")}
