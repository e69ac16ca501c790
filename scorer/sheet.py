"""Games with a sheet of cells. A player throws dice, keeps some, throws again, and writes them into one cell.

Each game is a table of categories and a few numbers: see `scorer/games/yatzy.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scorer import keeping
from scorer.actions import MOST_POINTS, Action, Entry, Event, Events, read_flag, read_number
from scorer.categories import points_by
from scorer.definitions.game_file import SheetRules
from scorer.game import ADJUSTMENTS, NO_EVENTS, Adjustments, GameKind, Outcome, Step, TurnGame
from scorer.jokers import BONUS, GENERAL, NO_JOKERS, Jokers
from scorer.keeping import Hand
from scorer.refusals import IllegalAction
from scorer.seats import Seats
from scorer.sentences import (
    KEEP,
    LEFT_OUT,
    SCORE,
    SCORE_IN_COLUMN,
    THROW,
    WRITTEN,
    Phrases,
    Titles,
    Verb,
    counted_phrase,
    phrase,
)
from scorer.sheet_rules import sheet_rules
from scorer.texts import ShortRules, Text, printable
from scorer.tuples import replace_at

THROWS = 3
# Where a player wrote his first five alike: nowhere yet, into another cell, or into that of the general.
UNWRITTEN, ELSEWHERE, AS_GENERAL = 0, 1, 2


class Column(NamedTuple):
    """One column of a player's sheet, all points times its factor. `cells`: in the order of the categories, each as
    often as it stands, None if open. `upper`, `lower`: the sums of these cells. `extra`: points for further generals.
    """

    cells: tuple[int | None, ...]
    upper: int = 0
    lower: int = 0
    extra: int = 0


class SheetState(NamedTuple):
    """Per player: the columns (`sheets`), where he wrote his first throw of all dice alike (`generals`), and the throws
    `saved` in earlier turns; () in games that save none. `winner`: who won the game at once.
    """

    sheets: tuple[tuple[Column, ...], ...]
    open_cells: int  # of all who play together
    generals: tuple[int, ...]
    player: int = 0
    hand: Hand = Hand(THROWS)
    over: bool = False
    turns: int = 0  # that have ended
    adjusted: tuple[int, ...] = ()  # points that a person added to the totals by hand
    seats: Seats = Seats()
    saved: tuple[int, ...] = ()
    winner: int | None = None


class SheetGame(TurnGame[SheetState]):
    events: Mapping[str, Phrases] = {
        "upper-bonus": counted_phrase(
            "Upper bonus for {name}: {count} point", "Upper bonus for {name}: {count} points"
        ),
        "further-general": counted_phrase(
            "Five alike again for {name}: {count} point more", "Five alike again for {name}: {count} points more"
        ),
        "wins": phrase("{category}: {name} wins the game at once"),
    }

    rules: SheetRules

    def __init__(
        self, kind: GameKind, rules: SheetRules, settings: Mapping[str, Any], jokers: Jokers | None = None
    ) -> None:
        """`jokers`: those of the rules if not given."""
        several = len(rules.factors) > 1
        self.dice = rules.dice
        self.actions = {"throw": THROW, "keep": KEEP, "score": SCORE_IN_COLUMN if several else SCORE}
        self.categories = rules.categories
        self._repeats = any(each.stands > 1 for each in self.categories)
        self._may_win = any(each.may_win for each in self.categories)
        self.adjustments = _adjustments(several, self._repeats, rules.saved_throws > 0, self._may_win)
        if any(
            points < 0
            for tiers in (rules.total_tiers, *(each.tiers for each in self.categories))
            for _, points in tiers
        ):
            self.may_be_negative = frozenset({"total"})
        super().__init__(kind, rules, settings)
        self.jokers = rules.jokers if jokers is None else jokers
        self._keys = tuple(category.key for category in self.categories)
        self._own = {category.face: category for category in self.categories if category.face}
        # The category of each cell of a column, and the cells of each category.
        self._category_of = tuple(place for place, each in enumerate(self.categories) for _ in range(each.stands))
        self._cells_of = tuple(
            slice(self._category_of.index(place), self._category_of.index(place) + each.stands)
            for place, each in enumerate(self.categories)
        )
        self._served = any(category.served for category in self.categories)
        self._has_tiers = any(category.tiers for category in self.categories)
        self._worth: dict[tuple[tuple[int, ...], int], tuple[int, ...]] = {}

    def start(self, players: int) -> SheetState:
        open_cells = players * len(self.rules.factors) * len(self._category_of)
        saved = (0,) * players if self.rules.saved_throws else ()
        return SheetState(
            (self._empty_sheet(),) * players,
            open_cells,
            (UNWRITTEN,) * players,
            hand=Hand(self.rules.throws),
            saved=saved,
        )

    def _empty_sheet(self) -> tuple[Column, ...]:
        return (Column((None,) * len(self._category_of)),) * len(self.rules.factors)

    def scores(self, state: SheetState) -> list[int]:
        return self.with_adjusted(state, [self._score(sheet) for sheet in state.sheets])

    def merits(self, state: SheetState, scores: list[int]) -> Sequence[Any]:
        merits = [-score for score in scores] if self.rules.low_wins else scores
        if state.winner is None:
            return merits
        return [(player == state.winner, merit) for player, merit in enumerate(merits)]

    # --- actions ---

    def do_throw(self, state: SheetState, action: Action) -> Outcome[SheetState]:
        return state._replace(hand=keeping.throw(state.hand, action["dice"], self.dice)), NO_EVENTS

    def do_keep(self, state: SheetState, action: Action) -> Outcome[SheetState]:
        return state._replace(hand=keeping.keep(state.hand, action["dice"])), NO_EVENTS

    def do_score(self, state: SheetState, action: Action) -> Outcome[SheetState]:
        place = self._category_place(action["category"])
        column = self._column_place(action)
        dice = state.hand.dice
        if not dice:
            raise IllegalAction("nothing-to-score")
        category = self.categories[place]
        self._check_open(state.sheets[state.player][column], place)
        following = self._first_open(state, column)
        if self.rules.in_order and place != following:
            raise IllegalAction(
                "cell-not-next", category=Text(category.title), following=Text(self.categories[following].title)
            )
        points, bonus, refused = self._points_and_bonus(state, column, place)
        if refused is not None:
            own = self._own[dice[0]]
            raise IllegalAction(refused, category=Text(category.title), own=Text(own.title))
        if self.rules.zero_only_if_nothing_fits and not points and not bonus and self._fits_somewhere(state):
            raise IllegalAction("zero-while-something-fits", category=Text(category.title))
        wins = category.key in self._winning_cells(state)
        return self._write(state, column, place, points, bonus, general=dice[0] == dice[-1], wins=wins)

    def _category_place(self, key: Any) -> int:
        if key not in self._keys:
            raise IllegalAction("unknown-category", category=printable(key), known=list(self._keys))
        return self._keys.index(key)

    def _check_open(self, column: Column, category: int) -> None:
        if None not in column.cells[self._cells_of[category]]:
            raise IllegalAction("cell-filled", category=Text(self.categories[category].title))

    def _column_place(self, action: Action) -> int:
        if len(self.rules.factors) == 1:
            return 0
        column = read_number(action["column"], "column", self.rules.factors[0], self.rules.factors[-1])
        if column not in self.rules.factors:
            raise IllegalAction("unknown-column", column=str(column), known=list(map(str, self.rules.factors)))
        return self.rules.factors.index(column)

    def _write(
        self, state: SheetState, place: int, category: int, points: int, bonus: int, general: bool, wins: bool
    ) -> Outcome[SheetState]:
        """Writes `points` into the first open cell of a category and `bonus` beside it, and starts the next turn.

        `general`: whether all dice are alike. `wins`: whether that wins the game at once.
        """
        player = state.player
        sheet = state.sheets[player]
        before = sheet[place]
        upper = points if self.categories[category].face else 0
        after = Column(
            replace_at(before.cells, before.cells.index(None, self._cells_of[category].start), points),
            before.upper + upper,
            before.lower + points - upper,
            before.extra + bonus,
        )
        events: Events = NO_EVENTS
        if bonus:
            events += (self._bonus_event("further-general", player, place, bonus),)
        reached = self._upper_bonus(place, after)
        if reached > self._upper_bonus(place, before):
            events += (self._bonus_event("upper-bonus", player, place, reached),)
        sheets = replace_at(state.sheets, player, replace_at(sheet, place, after))
        first = AS_GENERAL if points and self._keys[category] == GENERAL else ELSEWHERE
        generals = replace_at(state.generals, player, state.generals[player] or (first if general else UNWRITTEN))
        open_cells = state.open_cells - 1
        following, seats = self._next_player(sheets, state.seats, player)
        saved = state.saved
        if saved:
            saved = replace_at(saved, player, min(state.hand.throws_left, self.rules.saved_throws))
        written = SheetState(
            sheets,
            open_cells,
            generals,
            following,
            Hand(self._throws_of(saved, following)),
            over=wins or not open_cells,
            turns=state.turns + 1,
            adjusted=state.adjusted,
            seats=seats,
            saved=saved,
            winner=player if wins else None,
        )
        if wins:
            events += ({"event": "wins", "player": player, "category": self._keys[category]},)
        if written.over:
            events += (self.game_over(written),)
        return written, events

    def _throws_of(self, saved: tuple[int, ...], player: int) -> int:
        """The throws of a player's turn, with those that earlier turns saved."""
        return self.rules.throws + (saved[player] if saved else 0)

    def _next_player(
        self, sheets: tuple[tuple[Column, ...], ...], seats: Seats, player: int, other: bool = False
    ) -> tuple[int, Seats]:
        """The next player with an open cell, and the seats then. `other`: never `player` himself, cell or not."""
        following, then, _ = seats.following(len(sheets), player, lambda each: _has_open(sheets[each]), other)
        return following, then

    def _bonus_event(self, event: str, player: int, place: int, points: int) -> Event:
        return {"event": event, "player": player, "column": self.rules.factors[place], "points": points}

    # --- what a person settles by hand ---

    def adjust_turn(self, state: SheetState, action: Action) -> Outcome[SheetState]:
        """Ends the running turn with these points in this open cell."""
        self.check_turn_of(state, action["player"])
        place, column = self._category_place(action["category"]), self._column_place(action)
        self._check_open(state.sheets[state.player][column], place)
        points = read_number(action["points"], "points", 0, MOST_POINTS)
        bonus = read_number(action["bonus"], "bonus", 0, MOST_POINTS)
        general = bool(bonus or (points and action["category"] == GENERAL))
        if self.rules.saved_throws:
            left = read_number(action["saved"], "saved", 0, self.rules.saved_throws)
            state = state._replace(hand=state.hand._replace(throws_left=left))
        wins = self._may_win and read_flag(action["wins"], "wins")
        return self._write(state, column, place, points, bonus, general, wins)

    def adjust_cell(self, state: SheetState, action: Action) -> Outcome[SheetState]:
        """Puts these points into a cell of any player; null opens it."""
        player = action["player"]
        place, column = self._category_place(action["category"]), self._column_place(action)
        points = action["points"]
        if points is not None:
            points = read_number(points, "points", 0, MOST_POINTS)
        before, cell = state.sheets[player][column], self._cells_of[place].start
        if self._repeats:
            cell += read_number(action["number"], "number", 1, self.categories[place].stands) - 1
        cells = replace_at(before.cells, cell, points)
        upper = sum(each or 0 for each, of in zip(cells, self._category_of, strict=True) if self.categories[of].face)
        after = before._replace(cells=cells, upper=upper, lower=sum(each or 0 for each in cells) - upper)
        sheets = replace_at(state.sheets, player, replace_at(state.sheets[player], column, after))
        open_cells = _open_cells(sheets, state.seats)
        general = state.generals[player] or (AS_GENERAL if points and action["category"] == GENERAL else UNWRITTEN)
        over = state.over if bool(open_cells) == bool(state.open_cells) else not open_cells
        generals = replace_at(state.generals, player, general)
        settled = state._replace(sheets=sheets, open_cells=open_cells, generals=generals, over=over)
        return self._with_a_player(settled), NO_EVENTS

    def _with_a_player(self, state: SheetState) -> SheetState:
        """Passes the turn on if its player has no open cell left."""
        if state.over or _has_open(state.sheets[state.player]):
            return state
        following, seats = self._next_player(state.sheets, state.seats, state.player)
        return state._replace(player=following, hand=Hand(self._throws_of(state.saved, following)), seats=seats)

    # --- who plays, and when ---

    def with_seats(self, state: SheetState, seats: Seats) -> SheetState:
        open_cells = _open_cells(state.sheets, seats)
        return state._replace(seats=seats, open_cells=open_cells, over=state.over or not open_cells)

    def with_player(self, state: SheetState) -> SheetState:
        saved = (*state.saved, 0) if self.rules.saved_throws else ()
        sheets = (*state.sheets, self._empty_sheet())
        return state._replace(sheets=sheets, generals=(*state.generals, UNWRITTEN), saved=saved)

    def pass_turn(self, state: SheetState, player: int) -> Outcome[SheetState] | None:
        """Throws saved before this turn stay saved."""
        following, seats = self._next_player(state.sheets, state.seats, player, other=True)
        if following == player or not _has_open(state.sheets[following]):
            return None
        turns = state.turns + (state.hand.rolls is not None)
        hand = Hand(self._throws_of(state.saved, following))
        return state._replace(player=following, hand=hand, turns=turns, seats=seats), NO_EVENTS

    def with_over(self, state: SheetState, over: bool) -> SheetState:
        return self._with_a_player(state._replace(over=over, winner=None))

    def may_go_on(self, state: SheetState) -> bool:
        return state.open_cells > 0

    def settlement(self, state: SheetState, was: Step, running: bool) -> list[Action]:
        """Writes the same points into the same cell, or into one that the correction left open."""
        player = was.before.player
        column, category, points = self._difference(was.before.sheets[player], was.after.sheets[player])
        bonus = was.after.sheets[player][column].extra - was.before.sheets[player][column].extra
        if None not in state.sheets[player][column].cells[self._cells_of[category]]:
            column, category = self._freed_cell(state.sheets[player], was.after.sheets[player])
        wanted = {"player": player, "category": self._keys[category], "points": points, "bonus": bonus}
        if len(self.rules.factors) > 1:
            wanted["column"] = self.rules.factors[column]
        if self.rules.saved_throws:
            wanted["saved"] = was.after.saved[player]
        if self._may_win:
            wanted["wins"] = was.after.winner is not None
        return [{"do": "adjust", "what": "turn", **wanted}]

    def _difference(self, before: tuple[Column, ...], after: tuple[Column, ...]) -> tuple[int, int, int]:
        """Column, category and points of the cell that is filled only in the second sheet."""
        return next(
            (column, self._category_of[cell], points)
            for column, (old, new) in enumerate(zip(before, after, strict=True))
            for cell, (was, points) in enumerate(zip(old.cells, new.cells, strict=True))
            if was is None and points is not None
        )

    def _freed_cell(self, sheet: tuple[Column, ...], other: tuple[Column, ...]) -> tuple[int, int]:
        """Column and category of an open cell, if possible one that is filled in the other sheet."""
        open_cells = [
            (column, cell)
            for column, each in enumerate(sheet)
            for cell, points in enumerate(each.cells)
            if points is None
        ]
        freed = [cell for cell in open_cells if other[cell[0]].cells[cell[1]] is not None]
        column, cell = (freed or open_cells)[0]
        return column, self._category_of[cell]

    # --- what dice are worth ---

    def _points(self, state: SheetState) -> tuple[int, ...]:
        """The worth of complete dice in each category, without jokers and the column's factor."""
        hand = state.hand
        throw = self._throws_done(state) if self._served else 0
        found = self._worth.get((hand.dice, throw))
        if found is None:
            found = tuple(category.worth(hand.dice, throw) for category in self.categories)
            self._worth[hand.dice, throw] = found
        return found

    def _throws_done(self, state: SheetState) -> int:
        return self._throws_of(state.saved, state.player) - state.hand.throws_left

    def _winning_cells(self, state: SheetState) -> set[str]:
        """The keys of the cells in which the dice on the table would win the game at once."""
        if not self._may_win:
            return set()
        dice, throw = state.hand.dice, self._throws_done(state)
        return {each.key for each in self.categories if each.wins(dice, throw)}

    def _points_and_bonus(self, state: SheetState, place: int, category: int) -> tuple[int, int, str | None]:
        """Points and bonus of the dice on the table in an open cell, times the column's factor, and the reason key if
        they may not be written there.
        """
        dice = state.hand.dice
        points = self._points(state)[category]
        factor = self.rules.factors[place]
        if not self._may_be_joker(state):
            return points * factor, 0, None
        sheet = {
            number: self._filled_cells(column)
            for number, column in zip(self.rules.factors, state.sheets[state.player], strict=True)
        }
        if self.rules.hundreds_need_first and state.generals[state.player] != AS_GENERAL:
            # Then a general that was written later counts as little as one that was struck out.
            sheet = {
                number: {key: 0 if key == GENERAL else held for key, held in cells.items()}
                for number, cells in sheet.items()
            }
        filled = sheet[factor]
        lower_open = any(not each.face and each.key not in filled for each in self.categories)
        wanted = self.categories[category]
        writing = self.jokers.write(sheet, factor, wanted, self._own[dice[0]], lower_open)
        if writing.as_joker and not wanted.face:
            points = sum(dice) if wanted.joker is None else wanted.joker
        if writing.struck_out:
            points = 0
        return points * factor, BONUS * writing.bonus * factor, writing.refused

    def _may_be_joker(self, state: SheetState) -> bool:
        """Whether `jokers` decides about the dice on the table."""
        dice = state.hand.dice
        if dice[0] != dice[-1] or self.jokers is NO_JOKERS:
            return False
        return self.rules.first_general_is_joker or state.generals[state.player] != UNWRITTEN

    def _fits_somewhere(self, state: SheetState) -> bool:
        return any(
            points or bonus for place in range(len(self.rules.factors)) for _, points, bonus in self._open(state, place)
        )

    def _filled_cells(self, column: Column) -> dict[str, int]:
        """The points of each cell in which something is written, all that it holds if it stands several times."""
        if not self._repeats:
            return {key: points for key, points in zip(self._keys, column.cells, strict=True) if points is not None}
        return {key: sum(held) for key, held in self._cells_by_key(column) if held}

    def _cells_by_key(self, column: Column) -> Iterator[tuple[str, list[int]]]:
        for key, cells in zip(self._keys, self._cells_of, strict=True):
            yield key, [points for points in column.cells[cells] if points is not None]

    def open_categories(self, column: Column) -> list[bool]:
        """Whether each category may still be written in a column, in their order."""
        if not self._repeats:
            return [points is None for points in column.cells]
        return [None in column.cells[cells] for cells in self._cells_of]

    def _upper_bonus(self, place: int, column: Column) -> int:
        factor = self.rules.factors[place]
        return factor * points_by(self.rules.upper_bonus, column.upper // factor)

    def _next_threshold(self, place: int, column: Column) -> int:
        """The upper sum that brings the bonus, or the next higher bonus."""
        factor, least = self.rules.factors[place], 0
        for least, _ in self.rules.upper_bonus:
            if column.upper < least * factor:
                break
        return factor * least

    def _by_tiers(self, place: int, column: Column) -> dict[str, int]:
        """What each cell with tiers brings by them."""
        factor, brought = self.rules.factors[place], {}
        for category, (key, held) in zip(self.categories, self._cells_by_key(column), strict=True):
            if category.tiers:
                reached = sum(map(bool, held)) if category.counts_hits else sum(held) // factor
                brought[key] = factor * points_by(category.tiers, reached)
        return brought

    def _total(self, place: int, column: Column) -> int:
        total = column.upper + self._upper_bonus(place, column) + column.lower + column.extra
        if self._has_tiers and not self.rules.total_tiers:
            total += sum(self._by_tiers(place, column).values())
        return total

    def _score(self, sheet: tuple[Column, ...]) -> int:
        total = sum(map(self._total, range(len(sheet)), sheet))
        if not self.rules.total_tiers:
            return total
        by_cells = sum(sum(self._by_tiers(place, column).values()) for place, column in enumerate(sheet))
        return by_cells + points_by(self.rules.total_tiers, total)

    # --- what is shown ---

    def legal(self, state: SheetState) -> list[Entry]:
        dice = state.hand.dice
        entries = keeping.throws_and_keeps(state.hand, self.dice)
        if not dice:
            return entries
        writable: list[Entry] = []
        winning = self._winning_cells(state)
        no_zeros = self.rules.zero_only_if_nothing_fits and self._fits_somewhere(state)
        for place, number in enumerate(self.rules.factors):
            brings = self._open(state, place)
            if no_zeros:
                brings = [each for each in brings if each[1] or each[2]]
            column = {"column": number} if len(self.rules.factors) > 1 else {}
            writable += [
                {"do": "score", "category": key, **column, "points": points, "bonus": bonus}
                for key, points, bonus in brings
            ]
        for entry in writable if winning else ():
            if entry["category"] in winning:
                entry["wins"] = True
        return writable + entries

    def _first_open(self, state: SheetState, column: int) -> int:
        return self._category_of[state.sheets[state.player][column].cells.index(None)]

    def _open(self, state: SheetState, place: int) -> list[tuple[str, int, int]]:
        """Each open cell of a column where the dice on the table may be written, with points and bonus."""
        is_open = self.open_categories(state.sheets[state.player][place])
        if self.rules.in_order and any(is_open):
            following = self._first_open(state, place)
            is_open = [category == following for category in range(len(is_open))]
        if not self._may_be_joker(state):
            factor = self.rules.factors[place]
            worth = zip(self._keys, is_open, self._points(state), strict=True)
            return [(key, points * factor, 0) for key, may, points in worth if may]
        found = []
        for category, (key, may) in enumerate(zip(self._keys, is_open, strict=True)):
            if may:
                points, bonus, refused = self._points_and_bonus(state, place, category)
                if refused is None:
                    found.append((key, points, bonus))
        return found

    def turn(self, state: SheetState) -> dict[str, Any]:
        if state.over:
            return keeping.turn_view(Hand(0), None, 0)
        return keeping.turn_view(state.hand, state.player, self.dice)

    def player(self, state: SheetState, player: int) -> dict[str, Any]:
        sheet = state.sheets[player]
        columns = [self._shown_column(place, column) for place, column in enumerate(sheet)]
        shown: dict[str, Any] = {"columns": columns}
        if self.rules.total_tiers:
            shown["by_total"] = points_by(self.rules.total_tiers, sum(column["total"] for column in columns))
        if state.saved:
            shown["saved"] = state.saved[player]
        return shown

    def _shown_column(self, place: int, column: Column) -> dict[str, Any]:
        factor = self.rules.factors[place]
        shown = {
            "column": factor,
            "cells": self._filled_cells(column),
            "upper_sum": column.upper,
            "upper_bonus": self._upper_bonus(place, column),
            "upper_threshold": self._next_threshold(place, column),
            "lower_sum": column.lower,
            "extra": column.extra,
            "total": self._total(place, column),
        }
        if self._repeats:
            shown["boxes"] = {
                key: list(column.cells[cells]) for key, cells in zip(self._keys, self._cells_of, strict=True)
            }
        if self._has_tiers:
            shown["tiers"] = self._by_tiers(place, column)
        return shown

    def field_titles(self) -> Titles:
        return {"category": {category.key: Text(category.title) for category in self.categories}}

    def extras(self, state: SheetState) -> dict[str, Any]:
        return {
            "sheet": {
                "columns": list(self.rules.factors),
                "upper": list(self._keys[: len(self._own)]),
                "lower": list(self._keys[len(self._own) :]),
                "titles": {category.key: category.title for category in self.categories},
                "extra_cell": None if self.jokers is NO_JOKERS else GENERAL,
                "upper_bonus": self.rules.upper_bonus[0][1] if self.rules.upper_bonus else 0,
                "upper_threshold": self.rules.upper_threshold,
                **({"low_wins": True} if self.rules.low_wins else {}),
                **({"total_tiers": True} if self.rules.total_tiers else {}),
                **({"stands": {each.key: each.stands for each in self.categories}} if self._repeats else {}),
            }
        }

    # --- the rules for players ---

    def family_rules(self) -> ShortRules:
        return sheet_rules(self.title, self.rules, self.jokers)


def _adjustments(several_columns: bool, repeats: bool, saves_throws: bool, may_win: bool) -> Adjustments:
    """What a person may settle by hand on a sheet."""
    cell = ("player", "category", *(("column",) if several_columns else ()), "points")
    turn = (*cell, "bonus", *(("saved",) if saves_throws else ()), *(("wins",) if may_win else ()))
    numbered = (*cell, "number") if repeats else cell
    return {**ADJUSTMENTS, "turn": Verb(turn, WRITTEN, stays=LEFT_OUT), "cell": Verb(numbered, WRITTEN)}


def _has_open(sheet: tuple[Column, ...]) -> bool:
    return any(None in column.cells for column in sheet)


def _open_cells(sheets: tuple[tuple[Column, ...], ...], seats: Seats) -> int:
    """The open cells of all who play."""
    return sum(column.cells.count(None) for player in seats.playing(len(sheets)) for column in sheets[player])
