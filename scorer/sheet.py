"""Games with a sheet of cells, each filled once with five dice: keep and throw, then write.

A game of this family is a table of categories and a few numbers; see `scorer/games/yatzy.py`.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from scorer import keeping
from scorer.actions import Action, Entry, Event, read_number
from scorer.categories import Category
from scorer.game import NO_EVENTS, Actions, Game
from scorer.jokers import NO_JOKERS, ORDINARY, Jokers, Writing
from scorer.keeping import Hand
from scorer.refusals import IllegalAction
from scorer.texts import Rules, Section, T, Text
from scorer.tuples import add, put

THROWS = 3

Cells = tuple[int | None, ...]  # of one player: column after column, each in the order of the categories


class State(NamedTuple):
    """Per player: his `cells` with points (the column's factor applied), and the `extra` points of each column."""

    cells: tuple[Cells, ...]
    extra: tuple[tuple[int, ...], ...]
    player: int = 0
    hand: Hand = Hand(THROWS)
    open_cells: int = 0


class SheetGame(Game[State]):
    """The engine. A game sets, as class attributes, the table and the numbers below."""

    dice = 5
    most_players = 12
    actions: ClassVar[Actions] = {"throw": ("dice",), "keep": ("dice",), "score": ("category",)}

    categories: ClassVar[tuple[Category, ...]]
    columns: ClassVar[tuple[int, ...]] = (1,)  # each also the factor of its points
    upper_threshold: ClassVar[int] = 63
    upper_bonus: ClassVar[int] = 35
    jokers: ClassVar[Jokers] = NO_JOKERS

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._places = {category.key: place for place, category in enumerate(self.categories)}
        self._own = {category.face: category for category in self.categories if category.face}
        self._worth: dict[tuple[int, ...], list[int]] = {}

    def start(self, players: int) -> State:
        cells = len(self.categories) * len(self.columns)
        return State(((None,) * cells,) * players, ((0,) * len(self.columns),) * players, open_cells=cells * players)

    def is_over(self, state: State) -> bool:
        return state.open_cells == 0

    def to_act(self, state: State) -> list[int]:
        return [state.player] if state.open_cells else []

    def scores(self, state: State) -> list[int]:
        return [
            sum(self._column_total(cells, extra, place) for place in range(len(self.columns)))
            for cells, extra in zip(state.cells, state.extra, strict=True)
        ]

    # --- actions ---

    def do_throw(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        return state._replace(hand=keeping.throw(state.hand, action["dice"], self.dice)), NO_EVENTS

    def do_keep(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        return state._replace(hand=keeping.keep(state.hand, action["dice"])), NO_EVENTS

    def do_score(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        place = self._category_place(action["category"])
        column = self._column_place(action)
        cell = column * len(self.categories) + place
        if not state.hand.dice:
            raise IllegalAction("nothing-to-score")
        cells = state.cells[state.player]
        category = self.categories[place]
        if cells[cell] is not None:
            raise IllegalAction("cell-filled", category=Text(category.title))
        writing = self._writing(state, column, category)
        if writing.refused is not None:
            own = self._own[state.hand.dice[0]]
            raise IllegalAction(writing.refused, category=Text(category.title), own=Text(own.title))
        points, bonus = self._brings(state.hand.dice, column, place, writing)
        return self._written(state, column, cell, points, bonus)

    def _category_place(self, key: Any) -> int:
        place = self._places.get(key) if isinstance(key, str) else None
        if place is None:
            raise IllegalAction("unknown-category", category=str(key)[:40], known=list(self._places))
        return place

    def _column_place(self, action: Action) -> int:
        if len(self.columns) == 1:
            return 0
        return read_number(action["column"], "column", self.columns[0], self.columns[-1]) - 1

    def _written(
        self, state: State, column: int, cell: int, points: int, bonus: int
    ) -> tuple[State, tuple[Event, ...]]:
        player = state.player
        before = state.cells[player]
        after = put(before, cell, points)
        extra = state.extra
        events: tuple[Event, ...] = NO_EVENTS
        if bonus:
            extra = put(extra, player, add(extra[player], column, bonus))
            events += (self._bonus_event("further-general", player, column, bonus),)
        reached = self._upper_bonus(after, column)
        if reached and not self._upper_bonus(before, column):
            events += (self._bonus_event("upper-bonus", player, column, reached),)
        following = (player + 1) % len(extra)
        written = State(put(state.cells, player, after), extra, following, Hand(THROWS), state.open_cells - 1)
        if not written.open_cells:
            events += (self.game_over(written),)
        return written, events

    def _bonus_event(self, event: str, player: int, column: int, points: int) -> Event:
        return {"event": event, "player": player, "column": self.columns[column], "points": points}

    # --- what dice are worth ---

    def _brings(self, dice: tuple[int, ...], column: int, place: int, writing: Writing) -> tuple[int, int]:
        """Points and bonus of a cell, the column's factor applied."""
        category = self.categories[place]
        factor = self.columns[column]
        if writing.as_joker and not category.face:
            points = sum(dice) if category.joker is None else category.joker
        else:
            points = self._points(dice)[place]
        return points * factor, writing.bonus * factor

    def _points(self, dice: tuple[int, ...]) -> list[int]:
        """What dice are worth in each category, jokers apart."""
        if dice not in self._worth:
            self._worth[dice] = [category.points(dice) for category in self.categories]
        return self._worth[dice]

    def _writing(self, state: State, column: int, category: Category) -> Writing:
        """How the dice on the table may be written into an open cell."""
        dice = state.hand.dice
        if dice[0] != dice[-1] or self.jokers is NO_JOKERS:
            return ORDINARY
        cells = state.cells[state.player]
        sheet = {number: self._filled(cells, place) for place, number in enumerate(self.columns)}
        filled = sheet[self.columns[column]]
        lower_open = any(not each.face and each.key not in filled for each in self.categories)
        return self.jokers.write(sheet, self.columns[column], category, self._own[dice[0]], lower_open)

    def _filled(self, cells: Cells, column: int) -> dict[str, int]:
        """A column's filled cells with their points."""
        size = len(self.categories)
        return {
            category.key: points
            for category, points in zip(self.categories, cells[column * size : (column + 1) * size], strict=True)
            if points is not None
        }

    def _upper_sum(self, cells: Cells, column: int) -> int:
        # The upper categories come first in every sheet.
        first = column * len(self.categories)
        return sum(points or 0 for points in cells[first : first + len(self._own)])

    def _upper_bonus(self, cells: Cells, column: int) -> int:
        factor = self.columns[column]
        reached = self._upper_sum(cells, column) >= self.upper_threshold * factor
        return self.upper_bonus * factor if reached else 0

    def _column_total(self, cells: Cells, extra: tuple[int, ...], column: int) -> int:
        size = len(self.categories)
        written = sum(points or 0 for points in cells[column * size : (column + 1) * size])
        return written + self._upper_bonus(cells, column) + extra[column]

    # --- what is shown ---

    def legal(self, state: State) -> list[Entry]:
        dice = state.hand.dice
        if not dice:
            return keeping.throws_and_keeps(state.hand, self.dice)
        entries: list[Entry] = []
        cells = state.cells[state.player]
        ordinary = dice[0] != dice[-1] or self.jokers is NO_JOKERS
        worth = self._points(dice)
        cell = 0
        for column, number in enumerate(self.columns):
            for place, category in enumerate(self.categories):
                if cells[cell] is None:
                    if ordinary:
                        points, bonus = worth[place] * number, 0
                    else:
                        writing = self._writing(state, column, category)
                        if writing.refused is not None:
                            cell += 1
                            continue
                        points, bonus = self._brings(dice, column, place, writing)
                    entry: Entry = {"do": "score", "category": category.key}
                    if len(self.columns) > 1:
                        entry["column"] = number
                    entry["points"] = points
                    entry["bonus"] = bonus
                    entries.append(entry)
                cell += 1
        return entries + keeping.throws_and_keeps(state.hand, self.dice)

    def turn(self, state: State) -> dict[str, Any]:
        if self.is_over(state):
            return keeping.shown_when_over()
        return keeping.shown(state.hand, state.player, self.dice)

    def player(self, state: State, player: int) -> dict[str, Any]:
        cells, extra = state.cells[player], state.extra[player]
        return {"columns": [self._shown_column(cells, extra, column) for column in range(len(self.columns))]}

    def _shown_column(self, cells: Cells, extra: tuple[int, ...], column: int) -> dict[str, Any]:
        filled = self._filled(cells, column)
        upper_sum = self._upper_sum(cells, column)
        return {
            "column": self.columns[column],
            "cells": filled,
            "upper_sum": upper_sum,
            "upper_bonus": self._upper_bonus(cells, column),
            "upper_threshold": self.upper_threshold * self.columns[column],
            "lower_sum": sum(filled.values()) - upper_sum,
            "extra": extra[column],
            "total": self._column_total(cells, extra, column),
        }

    def extras(self, state: State) -> dict[str, Any]:
        return {
            "sheet": {
                "columns": list(self.columns),
                "upper": [category.key for category in self.categories if category.face],
                "lower": [category.key for category in self.categories if not category.face],
                "titles": {category.key: category.title for category in self.categories},
                "upper_bonus": self.upper_bonus,
                "upper_threshold": self.upper_threshold,
            }
        }

    # --- the rules for players ---

    def rules(self) -> Rules:
        cells = len(self.categories) * len(self.columns)
        points = [
            T(
                "An upper sum of {threshold} or more brings a bonus of {bonus}.",
                threshold=self.upper_threshold,
                bonus=self.upper_bonus,
            )
        ]
        if len(self.columns) > 1:
            points.append(
                T("In the second and third column all points, the bonus and its threshold are doubled and tripled.")
            )
        return Rules(
            self.title,
            (
                Section(T("Goal"), (T("Fill all {cells} cells of the sheet. The highest total wins.", cells=cells),)),
                Section(
                    T("Turn"),
                    (
                        T(
                            "Throw all five dice, up to {throws} times; keep any dice between the throws.",
                            throws=THROWS,
                        ),
                        T("Kept dice may be thrown again later."),
                        T("Then write the dice into one open cell. A cell that they do not fit takes 0."),
                    ),
                ),
                Section(
                    T("Points"),
                    (*points, *self.jokers.rules),
                    tuple(
                        (T("{title}: {what}", title=Text(category.title), what=category.what), category.gives)
                        for category in self.categories
                    ),
                ),
            ),
        )
