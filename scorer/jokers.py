"""Joker rules: the worth of five alike once the cell for five alike is filled.

A rule answers for one open cell at a time how five alike are written there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from scorer.categories import Category
from scorer.texts import T, Text

BONUS = 100  # the usual one
GENERAL = "general"


class Writing(NamedTuple):
    """How five alike are written into a cell. `as_joker`: as any lower pattern. `bonus`: whether they bring the bonus.
    `refused`: the reason key if they may not be written there. `struck_out`: they bring 0.
    """

    as_joker: bool = False
    bonus: bool = False
    refused: str | None = None
    struck_out: bool = False


ORDINARY = Writing()

# A column's filled cells with their points; a sheet is its columns by number.
Column = Mapping[str, int]
Sheet = Mapping[int, Column]


class JokerRule(Protocol):
    def __call__(self, sheet: Sheet, column: int, category: Category, own: Category, lower_open: bool) -> Writing:
        """`own`: the upper cell of the face thrown; `lower_open`: whether the column has an open lower cell."""


class Jokers(NamedTuple):
    """A game's joker rule, its sentences for players, and the one of the option `hundreds_need_first`, which name the
    cell for five alike: see `sentences`.
    """

    write: JokerRule
    rules: tuple[Text, ...]
    need_first: Text | None = None

    def sentences(self, cell: Text, need_first: bool) -> list[Text]:
        texts = [*self.rules, *([self.need_first] if need_first and self.need_first is not None else [])]
        return [Text(each.template, {"cell": cell, "bonus": BONUS}) for each in texts]


def _further_generals(sheet: Sheet, column: int, category: Category, own: Category, lower_open: bool) -> Writing:
    """docs/rules.md sections 6 and 7: any lower pattern if `general` and the own upper cell of the column are filled
    and some `general` holds points. The bonus comes, in any cell, if every `general` holds points.
    """
    generals = [cells.get(GENERAL, 0) for cells in sheet.values()]
    filled = sheet[column]
    return Writing(
        as_joker=any(generals) and GENERAL in filled and own.key in filled,
        bonus=all(generals),
    )


def _free_jokers(sheet: Sheet, column: int, category: Category, own: Category, lower_open: bool) -> Writing:
    """docs/rules.md section 8: a joker if `general` and the own upper cell are filled. In an upper cell it is an
    ordinary 0 while a lower cell is open.
    """
    filled = sheet[column]
    if GENERAL not in filled or own.key not in filled or (category.face and lower_open):
        return ORDINARY
    return Writing(as_joker=True, bonus=filled[GENERAL] > 0)


def _forced_jokers(sheet: Sheet, column: int, category: Category, own: Category, lower_open: bool) -> Writing:
    """docs/rules.md section 10: a joker if `general` is filled. It must go into the own upper cell, then a lower cell,
    then any other."""
    filled = sheet[column]
    if GENERAL not in filled:
        return ORDINARY
    if own.key not in filled:
        if category.key != own.key:
            return Writing(refused="joker-own-cell-first")
    elif category.face and lower_open:
        return Writing(refused="joker-lower-first")
    return Writing(as_joker=True, bonus=filled[GENERAL] > 0)


def _joker_of_choice(sheet: Sheet, column: int, category: Category, own: Category, lower_open: bool) -> Writing:
    """docs/rules.md section 10, `free`: any open cell; a joker if the own upper cell is filled."""
    filled = sheet[column]
    if GENERAL not in filled:
        return ORDINARY
    return Writing(as_joker=own.key in filled, bonus=filled[GENERAL] > 0)


def _original_joker(sheet: Sheet, column: int, category: Category, own: Category, lower_open: bool) -> Writing:
    """docs/rules.md section 10, `original`: any open cell; a joker in a lower one, 0 in an upper one."""
    filled = sheet[column]
    if GENERAL not in filled:
        return ORDINARY
    return Writing(as_joker=True, bonus=filled[GENERAL] > 0, struck_out=category.face > 0)


NO_JOKERS = Jokers(lambda sheet, column, category, own, lower_open: ORDINARY, ())

_IF_FIRST = T("All this needs a player's first five alike to be written into the cell {cell}.")

_FURTHER_GENERALS = Jokers(
    _further_generals,
    (
        T("Once the cell {cell} holds points, five alike again add {bonus} points, wherever they are written."),
        T("If the upper cell of their face is filled too, they count as any lower pattern."),
    ),
    _IF_FIRST,
)

FURTHER_GENERALS_BY_COLUMN = Jokers(
    _further_generals,
    (
        T(
            "Five alike again count as any lower pattern in a column whose cell {cell} and upper cell of their face are"
            " filled, once some cell {cell} holds points."
        ),
        T("They add {bonus} points, times their column's factor, once all cells {cell} hold points."),
    ),
    _IF_FIRST,
)

_FREE_JOKERS = Jokers(
    _free_jokers,
    (
        T(
            "Five alike are a joker once the cell {cell} and the upper cell of their face are filled:"
            " they count as any lower pattern."
        ),
        T("When no lower cell is open, a joker goes into an upper one, for 0."),
        T(
            "A joker adds {bonus} points if the cell {cell} holds points, but not in an upper cell while a lower one is"
            " open."
        ),
    ),
    T("The {bonus} points need a player's first five alike to be written into the cell {cell}."),
)

_IS_JOKER = T("Five alike are a joker once the cell {cell} is filled.")
_JOKER_BONUS = T("A joker adds {bonus} points if the cell {cell} holds points.")

_FORCED_JOKERS = Jokers(
    _forced_jokers,
    (
        _IS_JOKER,
        T(
            "The upper cell of their face must be taken if it is open. Otherwise a joker counts as any lower pattern,"
            " in an open lower cell. When none is open, it goes into an upper one, for 0."
        ),
        _JOKER_BONUS,
    ),
)

_JOKERS_OF_CHOICE = Jokers(
    _joker_of_choice,
    (
        _IS_JOKER,
        T("It may go into any open cell. It counts as any lower pattern only if the upper cell of its face is filled."),
        _JOKER_BONUS,
    ),
)

ORIGINAL_JOKERS = Jokers(
    _original_joker,
    (
        _IS_JOKER,
        T("It counts as any lower pattern, in any open lower cell. In an upper cell it brings 0."),
        _JOKER_BONUS,
    ),
)

# By the word of a file. Those of several columns go by `FURTHER_GENERALS_BY_COLUMN`.
JOKERS: Mapping[str, Jokers] = {
    "none": NO_JOKERS,
    "forced": _FORCED_JOKERS,
    "of-choice": _JOKERS_OF_CHOICE,
    "original": ORIGINAL_JOKERS,
    "free": _FREE_JOKERS,
    "free-later": _FREE_JOKERS,
    "further-generals": _FURTHER_GENERALS,
}
