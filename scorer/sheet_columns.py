"""One column of a sheet: what its cells hold and bring, and which of them come next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from scorer.categories import points_by
from scorer.definitions.game_file import SheetRules
from scorer.definitions.rule_tables import ANNOUNCED, DOWN, UP


class Column(NamedTuple):
    """A column of a player's sheet, all points times its factor. `cells`: in the order of the categories, each as
    often as it stands, None if open. `upper`, `lower`: the sums of these cells, without those that count only by their
    difference. `extra`: points for further generals.
    """

    cells: tuple[int | None, ...]
    upper: int = 0
    lower: int = 0
    extra: int = 0


class ColumnRules:
    """What the rules say of the column at a place. `number`: as in records, from 1. `category_of`: the category of each
    cell, by place; `cells_of`: the cells of each category.
    """

    def __init__(self, rules: SheetRules, place: int) -> None:
        self.rules, self.number = rules, place + 1
        self.order, self.factor = rules.columns[place].order, rules.columns[place].factor
        self.categories = rules.categories
        self.keys = tuple(category.key for category in self.categories)
        self.repeats = any(each.stands > 1 for each in self.categories)
        self.category_of = tuple(place for place, each in enumerate(self.categories) for _ in range(each.stands))
        self.cells_of = tuple(
            slice(self.category_of.index(place), self.category_of.index(place) + each.stands)
            for place, each in enumerate(self.categories)
        )
        self._has_tiers = any(category.tiers for category in self.categories)
        self._only_differ = rules.difference[:2] if rules.difference else ()

    @property
    def empty(self) -> Column:
        return Column((None,) * len(self.category_of))

    # --- what is open ---

    def open_categories(self, column: Column) -> list[bool]:
        """Whether each category is open, in their order."""
        if not self.repeats:
            return [points is None for points in column.cells]
        return [None in column.cells[cells] for cells in self.cells_of]

    def next_categories(self, column: Column) -> list[bool]:
        """Whether each category may be written next: one alone where the column has an order."""
        is_open = self.open_categories(column)
        following = self.next_category(column)
        return is_open if following is None else [place == following for place in range(len(is_open))]

    def next_category(self, column: Column) -> int | None:
        """The only category that may be written next; None in a full column, or one without an order."""
        if self.order not in (DOWN, UP) or None not in column.cells:
            return None
        if self.order == DOWN:
            return self.category_of[column.cells.index(None)]
        return self.category_of[-1 - column.cells[::-1].index(None)]

    # --- what it brings ---

    def sums(self, cells: tuple[int | None, ...]) -> tuple[int, int]:
        """The upper and the lower sum of these cells."""
        sums = [0, 0]
        for points, of in zip(cells, self.category_of, strict=True):
            if self.counts(of):
                sums[not self.categories[of].face] += points or 0
        return sums[0], sums[1]

    def counts(self, category: int) -> bool:
        """Whether the points of a cell are added to a sum as they are."""
        return self.keys[category] not in self._only_differ

    def difference(self, column: Column) -> int:
        """What the cells add whose difference counts; 0 until all are written."""
        held = [column.cells[self.cells_of[self.keys.index(key)].start] for key in self.rules.difference or ()]
        if not held or None in held:
            return 0
        first, second, times = (points or 0 for points in held)
        return (first - second) * times // self.factor

    def upper_bonus(self, column: Column) -> int:
        return self.factor * points_by(self.rules.upper_bonus, column.upper // self.factor)

    def _next_threshold(self, column: Column) -> int:
        """The upper sum that brings the bonus, or the next higher bonus."""
        least = 0
        for least, _ in self.rules.upper_bonus:
            if column.upper < least * self.factor:
                break
        return self.factor * least

    def by_tiers(self, column: Column) -> dict[str, int]:
        """What each cell with tiers brings by them."""
        brought = {}
        for category, (key, held) in zip(self.categories, self._cells_by_key(column), strict=True):
            if category.tiers:
                reached = sum(map(bool, held)) if category.counts_hits else sum(held) // self.factor
                brought[key] = self.factor * points_by(category.tiers, reached)
        return brought

    def total(self, column: Column) -> int:
        total = column.upper + self.upper_bonus(column) + column.lower + column.extra + self.difference(column)
        if self._has_tiers and not self.rules.tiers:
            total += sum(self.by_tiers(column).values())
        return total

    # --- what is shown ---

    def filled_cells(self, column: Column) -> dict[str, int]:
        """The points of each cell in which something is written, all that it holds if it stands several times."""
        if not self.repeats:
            return {key: points for key, points in zip(self.keys, column.cells, strict=True) if points is not None}
        return {key: sum(held) for key, held in self._cells_by_key(column) if held}

    def _cells_by_key(self, column: Column) -> Iterator[tuple[str, list[int]]]:
        for key, cells in zip(self.keys, self.cells_of, strict=True):
            yield key, [points for points in column.cells[cells] if points is not None]

    def to_json(self, column: Column) -> dict[str, Any]:
        shown = {
            "column": self.number,
            "cells": self.filled_cells(column),
            "upper_sum": column.upper,
            "upper_bonus": self.upper_bonus(column),
            "upper_threshold": self._next_threshold(column),
            "lower_sum": column.lower,
            "extra": column.extra,
            "total": self.total(column),
        }
        if self.rules.difference:
            shown["difference"] = self.difference(column)
        if self.repeats:
            shown["boxes"] = {
                key: list(column.cells[cells]) for key, cells in zip(self.keys, self.cells_of, strict=True)
            }
        if self._has_tiers:
            shown["tiers"] = self.by_tiers(column)
        return shown


def columns_of(rules: SheetRules) -> tuple[ColumnRules, ...]:
    return tuple(ColumnRules(rules, place) for place in range(len(rules.columns)))


def announced_place(rules: SheetRules) -> int | None:
    """The place of the column whose cells are announced; None if there is none."""
    return next((place for place, each in enumerate(rules.columns) if each.order == ANNOUNCED), None)
