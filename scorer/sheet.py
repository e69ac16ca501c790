"""Games with a sheet of cells. A player throws dice, keeps some, throws again, and writes them into one cell.

Each game is a table of categories and a few numbers: see `scorer/games/yatzy.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scorer import keeping
from scorer.actions import MOST_POINTS, Action, Entry, Event, Events, read_flag, read_number
from scorer.categories import points_by
from scorer.definitions.game_file import SheetRules
from scorer.definitions.rule_tables import DOWN
from scorer.game import ADJUSTMENTS, NO_EVENTS, Adjustments, GameType, Outcome, Step, TurnGame
from scorer.jokers import BONUS, GENERAL, NO_JOKERS, Jokers
from scorer.keeping import Hand
from scorer.refusals import IllegalAction
from scorer.seats import Seats
from scorer.sentences import (
    ANNOUNCE,
    KEEP,
    LEFT_OUT,
    SCORE,
    SCORE_BY_FACTOR,
    SCORE_IN_COLUMN,
    THROW,
    WRITTEN,
    Phrases,
    Titles,
    Verb,
    counted_phrase,
    phrase,
)
from scorer.sheet_columns import Column, announced_place, columns_of
from scorer.sheet_rules import sheet_rules
from scorer.texts import ShortRules, Text, printable
from scorer.tuples import replace_at

THROWS = 3
# Where a player wrote his first five alike: nowhere yet, into another cell, or into that of the general.
UNWRITTEN, ELSEWHERE, AS_GENERAL = 0, 1, 2


class SheetState(NamedTuple):
    """Per player: the columns (`sheets`), where he wrote his first throw of all dice alike (`generals`), and the throws
    `saved` in earlier turns; () in games that save none. `winner`: who won the game at once. `announced`: the place of
    the category that the player to act must write.
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
    announced: int | None = None


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
        self, kind: GameType, rules: SheetRules, settings: Mapping[str, Any], jokers: Jokers | None = None
    ) -> None:
        """`jokers`: those of the rules if not given."""
        self.dice, self.columns = rules.dice, columns_of(rules)
        several, by_factor = len(self.columns) > 1, rules.factors == tuple(range(1, 1 + len(rules.factors)))
        in_column = SCORE_BY_FACTOR if by_factor and rules.is_free else SCORE_IN_COLUMN
        self.actions = {"throw": THROW, "keep": KEEP, "score": in_column if several else SCORE}
        self.announced_place = announced_place(rules)
        if self.announced_place is not None:
            self.actions["announce"] = ANNOUNCE
        self.categories = rules.categories
        self._may_win = any(each.may_win for each in self.categories)
        first = self.columns[0]
        self._keys, self._category_of, self._cells_of = first.keys, first.category_of, first.cells_of
        self._repeats = first.repeats
        self.adjustments = _adjustments(several, self._repeats, rules.saved_throws > 0, self._may_win)
        if rules.difference or any(
            points < 0 for tiers in (rules.tiers, *(each.tiers for each in self.categories)) for _, points in tiers
        ):
            self.may_be_negative = frozenset({"total"})
        super().__init__(kind, rules, settings)
        self.jokers = rules.jokers if jokers is None else jokers
        self._own = {category.face: category for category in self.categories if category.face}
        self._served = any(category.served for category in self.categories)
        self._worth: dict[tuple[tuple[int, ...], int], tuple[int, ...]] = {}

    def start(self, players: int) -> SheetState:
        open_cells = players * len(self.columns) * len(self._category_of)
        saved = (0,) * players if self.rules.saved_throws else ()
        return SheetState(
            (self._empty_sheet(),) * players,
            open_cells,
            (UNWRITTEN,) * players,
            hand=Hand(self.rules.throws),
            saved=saved,
        )

    def _empty_sheet(self) -> tuple[Column, ...]:
        return tuple(each.empty for each in self.columns)

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
        hand = keeping.keep(state.hand, action["dice"])
        if self._must_announce(state):
            raise IllegalAction("announce-first")
        return state._replace(hand=hand), NO_EVENTS

    def do_announce(self, state: SheetState, action: Action) -> Outcome[SheetState]:
        """The dice of this turn must be written into this cell of the column of announced cells."""
        category = self._category_place(action["category"])
        if state.announced is not None:
            raise IllegalAction("announced-already", announced=Text(self.categories[state.announced].title))
        if not self._may_announce(state):
            raise IllegalAction("announce-after-first-throw")
        self._check_open(state.sheets[state.player][self.announced_place or 0], category)
        return state._replace(announced=category), NO_EVENTS

    def do_score(self, state: SheetState, action: Action) -> Outcome[SheetState]:
        place = self._category_place(action["category"])
        column = self._column_place(action)
        dice = state.hand.dice
        if not dice:
            raise IllegalAction("nothing-to-score")
        category = self.categories[place]
        self._check_open(state.sheets[state.player][column], place)
        self._check_order(state, column, place)
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
        return 0 if len(self.columns) == 1 else read_number(action["column"], "column", 1, len(self.columns)) - 1

    # --- the order of columns ---

    def _may_announce(self, state: SheetState) -> bool:
        """Whether an open cell may be announced now: after the first throw, if another may follow."""
        if self.announced_place is None or state.announced is not None or not state.hand.dice:
            return False
        column = state.sheets[state.player][self.announced_place]
        return None in column.cells and state.hand.throws_left > 0 and self._throws_done(state) == 1

    def _must_announce(self, state: SheetState) -> bool:
        """Whether a further throw could be written nowhere without an announcement."""
        return self._may_announce(state) and self._only_announced_left(state)

    def _only_announced_left(self, state: SheetState) -> bool:
        sheet = state.sheets[state.player]
        return all(place == self.announced_place or None not in each.cells for place, each in enumerate(sheet))

    def may_write(self, state: SheetState, place: int) -> list[bool]:
        """Whether each category of a column may be written now, as far as its order says.

        Cells that were not announced may be written after a later throw if people left no others open by hand.
        """
        column, wanted = state.sheets[state.player][place], state.announced
        late = place == self.announced_place and self._throws_done(state) > 1 and not self._only_announced_left(state)
        if wanted is not None or late:
            return [place == self.announced_place and each == wanted for each in range(len(self.categories))]
        return self.columns[place].next_categories(column)

    def _check_order(self, state: SheetState, place: int, category: int) -> None:
        if self.may_write(state, place)[category]:
            return
        title = Text(self.categories[category].title)
        if state.announced is not None:
            announced = Text(self.categories[state.announced].title)
            raise IllegalAction("cell-not-announced", announced=announced, category=title)
        following = self.columns[place].next_category(state.sheets[state.player][place])
        if following is None:
            raise IllegalAction("announced-too-late", category=title)
        following_title = Text(self.categories[following].title)
        if self.columns[place].order == DOWN:
            raise IllegalAction("cell-not-next", category=title, following=following_title)
        raise IllegalAction("cell-not-next-up", category=title, following=following_title)

    def _write(
        self, state: SheetState, place: int, category: int, points: int, bonus: int, general: bool, wins: bool
    ) -> Outcome[SheetState]:
        """Writes `points` into the first open cell of a category and `bonus` beside it, and starts the next turn.

        `general`: whether all dice are alike. `wins`: whether that wins the game at once.
        """
        player = state.player
        sheet = state.sheets[player]
        before = sheet[place]
        rules = self.columns[place]
        cells = replace_at(before.cells, before.cells.index(None, self._cells_of[category].start), points)
        after = Column(cells, *rules.sums(cells), before.extra + bonus)
        events: Events = NO_EVENTS
        if bonus:
            events += (self._bonus_event("further-general", player, place, bonus),)
        reached = rules.upper_bonus(after)
        if reached > rules.upper_bonus(before):
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
        return {"event": event, "player": player, "column": place + 1, "points": points}

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
        rules = self.columns[column]
        upper, lower = rules.sums(cells)
        after = before._replace(cells=cells, upper=upper, lower=lower)
        sheets = replace_at(state.sheets, player, replace_at(state.sheets[player], column, after))
        open_cells = _open_cells(sheets, state.seats)
        general = state.generals[player] or (AS_GENERAL if points and action["category"] == GENERAL else UNWRITTEN)
        over = state.over if bool(open_cells) == bool(state.open_cells) else not open_cells
        generals = replace_at(state.generals, player, general)
        settled = state._replace(sheets=sheets, open_cells=open_cells, generals=generals, over=over)
        if state.announced is not None:
            still = self.columns[0].open_categories(sheets[state.player][self.announced_place or 0])
            settled = settled._replace(announced=state.announced if still[state.announced] else None)
        return self._with_a_player(settled), NO_EVENTS

    def _with_a_player(self, state: SheetState) -> SheetState:
        """Passes the turn on if its player has no open cell left."""
        if state.over or _has_open(state.sheets[state.player]):
            return state
        following, seats = self._next_player(state.sheets, state.seats, state.player)
        hand = Hand(self._throws_of(state.saved, following))
        return state._replace(player=following, hand=hand, seats=seats, announced=None)

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
        passed = state._replace(player=following, hand=hand, turns=turns, seats=seats, announced=None)
        return passed, NO_EVENTS

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
        if len(self.columns) > 1:
            wanted["column"] = column + 1
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
        factor, number = self.columns[place].factor, place + 1
        if not self._may_be_joker(state):
            return points * factor, 0, None
        sheet = {
            each.number: each.filled_cells(column)
            for each, column in zip(self.columns, state.sheets[state.player], strict=True)
        }
        if self.rules.hundreds_need_first and state.generals[state.player] != AS_GENERAL:
            # Then a general that was written later counts as little as one that was struck out.
            sheet = {
                each: {key: 0 if key == GENERAL else held for key, held in cells.items()}
                for each, cells in sheet.items()
            }
        filled = sheet[number]
        lower_open = any(not each.face and each.key not in filled for each in self.categories)
        wanted = self.categories[category]
        writing = self.jokers.write(sheet, number, wanted, self._own[dice[0]], lower_open)
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
            points or bonus for place in range(len(self.columns)) for _, points, bonus in self._open(state, place)
        )

    def _score(self, sheet: tuple[Column, ...]) -> int:
        total = sum(rules.total(column) for rules, column in zip(self.columns, sheet, strict=True))
        if not self.rules.tiers:
            return total
        by_cells = sum(sum(rules.by_tiers(column).values()) for rules, column in zip(self.columns, sheet, strict=True))
        return by_cells + points_by(self.rules.tiers, total)

    # --- what is shown ---

    def legal(self, state: SheetState) -> list[Entry]:
        dice = state.hand.dice
        entries = keeping.throws_and_keeps(state.hand, self.dice)
        if not dice:
            return entries
        writable: list[Entry] = []
        winning = self._winning_cells(state)
        no_zeros = self.rules.zero_only_if_nothing_fits and self._fits_somewhere(state)
        for place, rules in enumerate(self.columns):
            brings = self._open(state, place)
            if no_zeros:
                brings = [each for each in brings if each[1] or each[2]]
            column = {"column": rules.number} if len(self.columns) > 1 else {}
            writable += [
                {"do": "score", "category": key, **column, "points": points, "bonus": bonus}
                for key, points, bonus in brings
            ]
        for entry in writable if winning else ():
            if entry["category"] in winning:
                entry["wins"] = True
        if self._may_announce(state):
            is_open = self.columns[0].open_categories(state.sheets[state.player][self.announced_place or 0])
            announced = zip(self._keys, is_open, strict=True)
            writable += [{"do": "announce", "category": key} for key, may in announced if may]
        return writable + ([] if self._must_announce(state) else entries)

    def _open(self, state: SheetState, place: int) -> list[tuple[str, int, int]]:
        """Each open cell of a column where the dice on the table may be written, with points and bonus."""
        may_write = self.may_write(state, place)
        if not self._may_be_joker(state):
            factor = self.columns[place].factor
            worth = zip(self._keys, may_write, self._points(state), strict=True)
            return [(key, points * factor, 0) for key, may, points in worth if may]
        found = []
        for category, (key, may) in enumerate(zip(self._keys, may_write, strict=True)):
            if may:
                points, bonus, refused = self._points_and_bonus(state, place, category)
                if refused is None:
                    found.append((key, points, bonus))
        return found

    def turn(self, state: SheetState) -> dict[str, Any]:
        if state.over:
            return self._with_announced(keeping.turn_view(Hand(0), None, 0), state)
        return self._with_announced(keeping.turn_view(state.hand, state.player, self.dice), state)

    def _with_announced(self, turn: dict[str, Any], state: SheetState) -> dict[str, Any]:
        if self.announced_place is not None:
            turn["announced"] = None if state.announced is None else self._keys[state.announced]
        return turn

    def player(self, state: SheetState, player: int) -> dict[str, Any]:
        sheet = state.sheets[player]
        columns = [rules.to_json(column) for rules, column in zip(self.columns, sheet, strict=True)]
        shown: dict[str, Any] = {"columns": columns}
        if self.rules.tiers:
            shown["by_total"] = points_by(self.rules.tiers, sum(column["total"] for column in columns))
        if state.saved:
            shown["saved"] = state.saved[player]
        return shown

    def field_titles(self) -> Titles:
        return {"category": {category.key: Text(category.title) for category in self.categories}}

    def extras(self, state: SheetState) -> dict[str, Any]:
        return {
            "sheet": {
                "columns": [each.number for each in self.columns],
                "upper": list(self._keys[: len(self._own)]),
                "lower": list(self._keys[len(self._own) :]),
                "titles": {category.key: category.title for category in self.categories},
                "extra_cell": None if self.jokers is NO_JOKERS else GENERAL,
                "upper_bonus": self.rules.upper_bonus[0][1] if self.rules.upper_bonus else 0,
                "upper_threshold": self.rules.upper_threshold,
                **({"factors": list(self.rules.factors)} if len(self.columns) > 1 else {}),
                **({} if self.rules.is_free else {"orders": [each.order for each in self.columns]}),
                **({"difference": list(self.rules.difference)} if self.rules.difference else {}),
                **({"low_wins": True} if self.rules.low_wins else {}),
                **({"total_tiers": True} if self.rules.tiers else {}),
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
