"""Knaster: docs/rules.md section 9."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

from scorer.actions import Action, Entry, Events, read_flag, read_number, read_throw
from scorer.game import ADJUSTMENTS, NO_EVENTS, Game, GameType, Outcome, Step
from scorer.options import Numbers
from scorer.refusals import IllegalAction
from scorer.seats import Seats
from scorer.sentences import THROW, Phrases, Titles, Verb, counted_phrase, phrase
from scorer.texts import N_, Section, ShortRules, T, Text, printable
from scorer.tuples import replace_at

SIZE = 5
CELLS = SIZE * SIZE  # cells are numbered row by row from 0

LINES: dict[str, tuple[int, ...]] = {
    **{f"r{row + 1}": tuple(range(row * SIZE, row * SIZE + SIZE)) for row in range(SIZE)},
    **{f"c{column + 1}": tuple(range(column, CELLS, SIZE)) for column in range(SIZE)},
    "d1": tuple(range(0, CELLS, SIZE + 1)),
    "d2": tuple(range(SIZE - 1, CELLS - 1, SIZE - 1)),
}
LINES_OF = tuple(tuple(name for name, cells in LINES.items() if cell in cells) for cell in range(CELLS))
PLACES = tuple((row, column) for row in range(1, SIZE + 1) for column in range(1, SIZE + 1))

# Sets of cells are bits of a number.
LINE_MASKS = {name: sum(1 << cell for cell in cells) for name, cells in LINES.items()}
FULL = (1 << CELLS) - 1

LINE_TITLES: dict[str, Text] = {
    line: title
    for number in range(1, SIZE + 1)
    for line, title in (
        (f"r{number}", T("row {number}", number=number)),
        (f"c{number}", T("column {number}", number=number)),
    )
} | {
    "d1": T("diagonal ↘"),
    "d2": T("diagonal ↙"),
}

LINE_POINTS = dict(zip(LINES, (9, 8, 7, 6, 5, 9, 8, 7, 6, 5, 10, 10), strict=True))

# Circles for a completed line, by how often its numbers occur. Five different ones must be consecutive.
PATTERNS: dict[tuple[int, ...], tuple[Text, int]] = {
    (3, 1, 1): (T("three alike"), 1),
    (2, 2, 1): (T("two pairs"), 1),
    (4, 1): (T("four alike"), 2),
    (3, 2): (T("full house"), 2),
    (5,): (T("five alike"), 3),
    (1, 1, 1, 1, 1): (T("five consecutive"), 3),
}

# The praise for a lone player's score above these.
PRAISE = ((100, N_("spectacular")), (80, N_("great")), (50, N_("good")))


class LinePoints(Numbers):
    on_sheet = True

    @property
    def allowed(self) -> Text:
        return T("points 0..1000 for lines {lines}, as in r1=9,d2=10 or all twelve in this order", lines=list(LINES))

    def kind(self) -> dict[str, Any]:
        return {"kind": "line-points", "lines": list(LINES), "low": self.low, "high": self.high}


class Grid(NamedTuple):
    """One player's grid. `numbers`: by cell, 0 if empty. `filled` and `circled`: sets of cells, as bits.

    `pending`: completed lines that still need circles, with their number. `done`: nothing left to do with this throw.
    """

    numbers: tuple[int, ...] = (0,) * CELLS
    filled: int = 0
    circled: int = 0
    pending: tuple[tuple[str, int], ...] = ()
    done: bool = False

    def is_circled(self, cell: int) -> bool:
        return bool(self.circled >> cell & 1)

    def uncircled_cells(self, line: str) -> list[int]:
        return [cell for cell in LINES[line] if not self.is_circled(cell)]

    def is_complete(self, line: str) -> bool:
        return not LINE_MASKS[line] & ~self.filled

    def is_scored(self, line: str) -> bool:
        return not LINE_MASKS[line] & ~self.circled


class KnasterState(NamedTuple):
    """`dice`: () before the throw. `extra`: whether this is the one throw after a full grid."""

    grids: tuple[Grid, ...]
    round: int = 0
    dice: tuple[int, ...] = ()
    extra: bool = False
    over: bool = False
    adjusted: tuple[int, ...] = ()  # points that a person added to the totals by hand
    seats: Seats = Seats()
    thrower: int = 0  # who throws or has thrown


CELLS_SETTLED = Verb(
    ("player", "cells"),
    phrase("cells settled by hand"),
    stays=phrase("{name} writes nothing for that throw.", cells=[])
    + phrase("{name} keeps what was written and circled then."),
)


BEGINS = T("The youngest player begins.")


@dataclass(frozen=True)
class KnasterRules:
    """`line_points`: of each line."""

    line_points: Mapping[str, int]


class Knaster(Game[KnasterState]):
    dice = 2
    actions: Mapping[str, Verb] = {
        "throw": THROW,
        "write": Verb(
            ("player", "cell"),
            phrase("wrote in row {row}, column {column}"),
            phrase("write in row {row}, column {column}"),
        ),
        "circle": Verb(
            ("player", "cell"),
            phrase("circled row {row}, column {column}"),
            phrase("circle row {row}, column {column}"),
        ),
        "circle-line": Verb(
            ("player", "line", "cells"),
            counted_phrase("circled {count} cell of line {line}", "circled {count} cells of line {line}"),
            phrase("circle the cells {cells} (row/column)"),
        ),
        "skip": Verb(("player",), phrase("skipped"), phrase("skip")),
    }
    adjustments: Mapping[str, Verb] = {**ADJUSTMENTS, "turn": CELLS_SETTLED, "cell": CELLS_SETTLED}
    events: Mapping[str, Phrases] = {
        "line": phrase("{name} completed a line without a pattern.", circles=0)
        + counted_phrase("{name} completed a line: {count} circle", "{name} completed a line: {count} circles"),
        "line-scored": counted_phrase(
            "{name}: a whole line circled, {count} point", "{name}: a whole line circled, {count} points"
        ),
        "last-throw": phrase("A grid is full: one more throw for everybody."),
    }
    settled_by_action = True

    rules: KnasterRules

    def start(self, players: int) -> KnasterState:
        return KnasterState((Grid(),) * players)

    def to_act(self, state: KnasterState) -> list[int]:
        if state.over:
            return []
        if not state.dice:
            return [state.thrower]
        return [player for player in self._players(state) if not state.grids[player].done]

    def player_in_turn(self, state: KnasterState) -> int | None:
        return None if state.over else state.thrower

    def _players(self, state: KnasterState) -> list[int]:
        """The numbers of those who play. All act at once."""
        return sorted(state.seats.playing(len(state.grids)))

    def scores(self, state: KnasterState) -> list[int]:
        worth = self.rules.line_points.items()
        totals = [
            grid.circled.bit_count() + sum(points for line, points in worth if grid.is_scored(line))
            for grid in state.grids
        ]
        return self.with_adjusted(state, totals)

    # --- actions ---

    def do_throw(self, state: KnasterState, action: Action) -> Outcome[KnasterState]:
        if state.dice:
            raise IllegalAction("all-must-act", players=[state.seats.name(player) for player in self.to_act(state)])
        return state._replace(dice=read_throw(action["dice"], self.dice)), NO_EVENTS

    def do_write(self, state: KnasterState, action: Action) -> Outcome[KnasterState]:
        player, cell = self._player_and_cell(state, action)
        grid = state.grids[player]
        if grid.numbers[cell]:
            raise IllegalAction("cell-taken", **_cell_params(cell))
        written = grid._replace(numbers=replace_at(grid.numbers, cell, sum(state.dice)), filled=grid.filled | 1 << cell)
        pending: tuple[tuple[str, int], ...] = ()
        events: Events = ()
        for line in LINES_OF[cell]:
            if written.is_complete(line):
                circles = line_circles(written.numbers[each] for each in LINES[line])
                events += ({"event": "line", "player": player, "line": line, "circles": circles},)
                if circles:
                    pending += ((line, circles),)
        return self._finish_action(state, player, written._replace(pending=pending), events)

    def do_circle(self, state: KnasterState, action: Action) -> Outcome[KnasterState]:
        player, cell = self._player_and_cell(state, action)
        grid = state.grids[player]
        number = grid.numbers[cell]
        if not number:
            raise IllegalAction("cell-empty", **_cell_params(cell))
        if number != sum(state.dice):
            raise IllegalAction("not-the-sum", **_cell_params(cell), number=number, sum=sum(state.dice))
        if grid.is_circled(cell):
            raise IllegalAction("cell-circled", **_cell_params(cell))
        circled, events = self._circle_cells(player, grid, [cell])
        return self._finish_action(state, player, circled, events)

    def do_circle_line(self, state: KnasterState, action: Action) -> Outcome[KnasterState]:
        player = self._read_player(state, action)
        line = action["line"]
        if not isinstance(line, str) or line not in LINES:
            raise IllegalAction("unknown-line", line=printable(line), known=list(LINES))
        grid = state.grids[player]
        circles = dict(grid.pending).get(line)
        if circles is None:
            raise IllegalAction("line-gives-nothing", line=LINE_TITLES[line])
        cells = _read_line_cells(action["cells"], line, grid)
        expected = min(circles, len(grid.uncircled_cells(line)))
        if len(cells) != expected:
            raise IllegalAction("circles-count", line=LINE_TITLES[line], expected=expected, got=len(cells))
        circled, events = self._circle_cells(player, grid, cells)
        pending: tuple[tuple[str, int], ...] = ()
        for other, number in grid.pending:
            if other == line:
                continue
            if circled.uncircled_cells(other):
                pending += ((other, number),)
            else:
                events += ({"event": "line", "player": player, "line": other, "circles": 0},)
        return self._finish_action(state, player, circled._replace(pending=pending), events)

    def do_skip(self, state: KnasterState, action: Action) -> Outcome[KnasterState]:
        player = self._read_player(state, action)
        if not state.extra:
            raise IllegalAction("skip-only-last")
        self._refuse_while_pending(state.grids[player])
        return self._finish_action(state, player, state.grids[player], NO_EVENTS)

    def _read_player(self, state: KnasterState, action: Action) -> int:
        """The player of an action; refuses one who has done this throw."""
        player = read_number(action["player"], "player", 0, len(state.grids) - 1)
        if not state.dice:
            raise IllegalAction("throw-first")
        if state.grids[player].done:
            raise IllegalAction("already-acted", player=state.seats.name(player))
        return player

    def _player_and_cell(self, state: KnasterState, action: Action) -> tuple[int, int]:
        player = self._read_player(state, action)
        cell = _read_cell(action["cell"])
        self._refuse_while_pending(state.grids[player])
        return player, cell

    def _refuse_while_pending(self, grid: Grid) -> None:
        if grid.pending:
            raise IllegalAction("circle-line-first", lines=[LINE_TITLES[line] for line, _ in grid.pending])

    def _circle_cells(self, player: int, grid: Grid, cells: list[int]) -> tuple[Grid, Events]:
        """Circles these cells. The events name the lines that score now."""
        circled = grid._replace(circled=grid.circled | sum(1 << cell for cell in cells))
        events = tuple(
            {"event": "line-scored", "player": player, "line": line, "points": self.rules.line_points[line]}
            for line in LINES
            if circled.is_scored(line) and not grid.is_scored(line)
        )
        return circled, events

    def _finish_action(self, state: KnasterState, player: int, grid: Grid, events: Events) -> Outcome[KnasterState]:
        """Puts a player's new grid into the state, and starts the next round if everybody is done."""
        return self._next_round(state, replace_at(state.grids, player, grid._replace(done=not grid.pending)), events)

    def _next_round(self, state: KnasterState, grids: tuple[Grid, ...], events: Events) -> Outcome[KnasterState]:
        if not all(grids[player].done for player in self._players(state)):
            return state._replace(grids=grids), events
        after = KnasterState(
            tuple(each._replace(done=False) for each in grids),
            state.round + 1,
            extra=state.extra,
            over=state.extra,
            adjusted=state.adjusted,
            seats=state.seats,
            thrower=state.seats.following(len(grids), state.thrower)[0],
        )
        if after.over:
            return after, (*events, self.game_over(after))
        if self._any_full(after):
            return after._replace(extra=True), (*events, {"event": "last-throw"})
        return after, events

    # --- what a person settles by hand ---

    def adjust_turn(self, state: KnasterState, action: Action) -> Outcome[KnasterState]:
        """Sets these cells and ends the player's part of this throw; no line waits for circles."""
        player = self._read_player(state, action)
        self.check_turn_of(state, player)
        grid = _with_cells(state.grids[player], action["cells"])._replace(pending=(), done=True)
        return self._next_round(state, replace_at(state.grids, player, grid), NO_EVENTS)

    def adjust_cell(self, state: KnasterState, action: Action) -> Outcome[KnasterState]:
        """Sets cells of a player, whatever lines they complete."""
        player = action["player"]
        before = state.grids[player]
        grid = _with_cells(before, action["cells"])
        pending = tuple(each for each in before.pending if grid.is_complete(each[0]) and grid.uncircled_cells(each[0]))
        # A player without an empty cell or a number to circle cannot act in this round.
        stuck = bool(state.dice) and grid.filled == FULL and not state.extra
        acted = before.done or bool(before.pending)  # a number that waits for circles has been written
        grid = grid._replace(pending=pending, done=not pending and (acted or stuck))
        grids = replace_at(state.grids, player, grid)
        if state.dice and not state.over:
            return self._next_round(state, grids, NO_EVENTS)
        settled = state._replace(grids=grids)
        return settled._replace(extra=state.extra if state.over else self._any_full(settled)), NO_EVENTS

    def with_over(self, state: KnasterState, over: bool) -> KnasterState:
        return state._replace(over=over, extra=state.extra if over or state.dice else self._any_full(state))

    def _any_full(self, state: KnasterState) -> bool:
        return any(state.grids[player].filled == FULL for player in self._players(state))

    # --- who plays, and when ---

    def with_seats(self, state: KnasterState, seats: Seats) -> KnasterState:
        """A player who joins while dice lie on the table is done with this throw."""
        grids = state.grids
        for player in seats.joining:
            grids = replace_at(grids, player, grids[player]._replace(pending=(), done=bool(state.dice)))
        return state._replace(grids=grids, seats=seats._replace(joining=()))

    def with_player(self, state: KnasterState) -> KnasterState:
        return state._replace(grids=(*state.grids, Grid()))

    def remove_player(self, state: KnasterState, player: int) -> Outcome[KnasterState]:
        """The others no longer wait for him. If he was to throw, the next player does."""
        count = len(state.grids)
        order, thrower = state.seats.playing(count), state.thrower
        if player == thrower:  # after his throw the player behind him is still the next
            thrower = (
                order[order.index(player) - 1] if state.dice else state.seats.following(count, player, other=True)[0]
            )
        left = self.with_seats(state, state.seats.without_player(count, player))._replace(thrower=thrower)
        if state.dice:
            return self._next_round(left, left.grids, NO_EVENTS)
        return left._replace(extra=self._any_full(left)), NO_EVENTS

    def pass_turn(self, state: KnasterState, player: int) -> Outcome[KnasterState] | None:
        """Before the throw somebody else throws. After it this player is done."""
        if state.dice:
            done = state.grids[player]._replace(pending=(), done=True)
            return self._next_round(state, replace_at(state.grids, player, done), NO_EVENTS)
        following, seats, _ = state.seats.following(len(state.grids), player, other=True)
        return None if following == player else (state._replace(thrower=following, seats=seats), NO_EVENTS)

    def turns_done(self, state: KnasterState) -> int:
        return state.round

    def settlement(self, state: KnasterState, was: Step, running: bool) -> list[Action]:
        """Repeats what an action did to its player's cells. If a cell is taken, its number goes into an empty one."""
        player = was.action.get("player")
        if player is None:
            return []
        before, after, grid = was.before.grids[player], was.after.grids[player], state.grids[player]
        cells = []
        for cell in range(CELLS):
            if before.numbers[cell] != after.numbers[cell]:
                empty = [cell, *(each for each in range(CELLS) if after.numbers[each])]
                free = next((each for each in empty if not grid.numbers[each]), None)
                if free is not None:
                    circled = after.is_circled(cell)
                    cells.append({"cell": [*PLACES[free]], "number": after.numbers[cell], "circled": circled})
            elif before.is_circled(cell) != after.is_circled(cell):
                number = grid.numbers[cell] or after.numbers[cell]
                cells.append({"cell": [*PLACES[cell]], "number": number, "circled": after.is_circled(cell)})
        acting = running and bool(state.dice) and not state.over and not grid.done
        if not cells and not acting:
            return []
        return [{"do": "adjust", "what": "turn" if acting else "cell", "player": player, "cells": cells}]

    def ending_adjustments(self, state: KnasterState, was: Step) -> list[Action]:
        """Ends this throw with nothing changed for all players who are not done."""
        return [
            {"do": "adjust", "what": "turn", "player": player, "cells": []}
            for player in self._players(state)
            if state.dice and not state.grids[player].done
        ]

    # --- what is shown ---

    def legal(self, state: KnasterState) -> list[Entry]:
        if not state.dice:
            return [{"do": "throw", "count": self.dice}]
        entries: list[Entry] = []
        for player in self._players(state):
            grid = state.grids[player]
            if grid.pending:
                entries += _legal_circles(player, grid)
            elif not grid.done:
                entries += _legal_cells(player, grid, sum(state.dice))
                if state.extra:
                    entries.append({"do": "skip", "player": player})
        return entries

    def turn(self, state: KnasterState) -> dict[str, Any]:
        waiting = not state.dice and not state.over
        return {
            "player": None if state.over else state.thrower,
            "points": 0,
            "dice_left": 0 if state.over else self.dice,
            "expects": self.dice if waiting else 0,
            "throw": list(state.dice),
            "sum": sum(state.dice) or None,
            "dice": list(state.dice),
            "done": [player for player in self._players(state) if state.grids[player].done],
            "pending": {
                str(player): [_pending_to_json(grid, line, circles) for line, circles in grid.pending]
                for player, grid in ((each, state.grids[each]) for each in self._players(state))
                if grid.pending
            },
            "last_throw": state.extra and not state.over,
        }

    def player(self, state: KnasterState, player: int) -> dict[str, Any]:
        grid = state.grids[player]
        cells = [
            {"number": number, "circled": grid.is_circled(cell)} if number else None
            for cell, number in enumerate(grid.numbers)
        ]
        shown: dict[str, Any] = {
            "grid": [cells[first : first + SIZE] for first in range(0, CELLS, SIZE)],
            "lines": {
                line: {"points": points, "complete": grid.is_complete(line), "scored": grid.is_scored(line)}
                for line, points in self.rules.line_points.items()
            },
            "circles": grid.circled.bit_count(),
        }
        if state.over and self._players(state) == [player]:
            score = self.scores(state)[0]
            shown["rating"] = next((praise for above, praise in PRAISE if score > above), "")
        return shown

    def field_titles(self) -> Titles:
        return {"line": LINE_TITLES}

    def extras(self, state: KnasterState) -> dict[str, Any]:
        return {"lines": dict(self.rules.line_points)}

    def family_rules(self) -> ShortRules:
        return ShortRules(
            self.title,
            (
                Section(
                    T("Goal"),
                    (
                        T("Circle whole lines of five numbers: rows, columns and diagonals."),
                        T("When a grid is full, there is one more throw, which each player may skip."),
                        T("A line of five circles scores its points, every circle one more. The highest score wins."),
                        T("Playing alone, over 50 is good, over 80 great, over 100 spectacular."),
                    ),
                ),
                Section(
                    T("Turn"),
                    (
                        BEGINS,
                        T("One player in turn throws two dice. Everybody uses the sum."),
                        T("Write it into an empty cell, or circle one cell that already holds it."),
                        T("A line that gets its fifth number gives circles at once, if it shows a pattern."),
                        T("Circle as many cells of that line, of your choice, or all that are left if fewer."),
                        T("Several lines completed by one number are taken one by one, in an order of your choice."),
                    ),
                ),
                Section(
                    T("Circles"),
                    (T("The five numbers of a line may be in any order."),),
                    tuple((name, Text(str(circles))) for name, circles in PATTERNS.values()),
                ),
                Section(
                    T("Points"),
                    (T("Rows r1 to r5 from the top, columns c1 to c5 from the left, diagonals d1 and d2."),),
                    tuple((Text(line), Text(str(points))) for line, points in self.rules.line_points.items()),
                ),
            ),
        )


def line_circles(numbers: Iterator[int]) -> int:
    """The number of circles for a completed line of these five numbers."""
    return _circles(tuple(sorted(numbers)))


@cache  # bounded: lines of five sums of two dice
def _circles(numbers: tuple[int, ...]) -> int:
    different = set(numbers)
    if len(different) == SIZE and numbers[-1] - numbers[0] != SIZE - 1:
        return 0
    counts = tuple(sorted(map(numbers.count, different), reverse=True))
    return PATTERNS[counts][1] if counts in PATTERNS else 0


def _legal_cells(player: int, grid: Grid, total: int) -> Iterator[Entry]:
    """The cells where the thrown sum may be written or circled."""
    for cell, number in enumerate(grid.numbers):
        if not number:
            yield {"do": "write", "player": player, "cell": [*PLACES[cell]]}
        elif number == total and not grid.is_circled(cell):
            yield {"do": "circle", "player": player, "cell": [*PLACES[cell]]}


def _legal_circles(player: int, grid: Grid) -> Iterator[Entry]:
    """Every choice of cells to circle in the pending lines."""
    for line, circles in grid.pending:
        uncircled = grid.uncircled_cells(line)
        for cells in combinations(uncircled, min(circles, len(uncircled))):
            yield {"do": "circle-line", "player": player, "line": line, "cells": [[*PLACES[cell]] for cell in cells]}


def _read_cell(value: Any) -> int:
    if (
        not isinstance(value, (list, tuple))
        or len(value) != 2
        or not all(type(number) is int and 1 <= number <= SIZE for number in value)
    ):
        raise IllegalAction("not-a-cell", got=printable(value))
    row, column = value
    return int((row - 1) * SIZE + column - 1)


def _with_cells(grid: Grid, value: Any) -> Grid:
    """Sets cells by hand: [{"cell": [row, column], "number": 2..12 or null, "circled": bool}]."""
    if not isinstance(value, (list, tuple)) or len(value) > CELLS:
        raise IllegalAction("cells-not-a-list", got=printable(value))
    for each in value:
        if not isinstance(each, Mapping) or each.keys() != {"cell", "number", "circled"}:
            raise IllegalAction("not-an-adjusted-cell", got=printable(each))
        cell, circled = _read_cell(each["cell"]), read_flag(each["circled"], "circled")
        number = 0 if each["number"] is None else read_number(each["number"], "number", 2, 12)
        if circled and not number:
            raise IllegalAction("cell-empty", **_cell_params(cell))
        bit = 1 << cell
        grid = grid._replace(
            numbers=replace_at(grid.numbers, cell, number),
            filled=grid.filled | bit if number else grid.filled & ~bit,
            circled=grid.circled | bit if circled else grid.circled & ~bit,
        )
    return grid


def _read_line_cells(value: Any, line: str, grid: Grid) -> list[int]:
    """Different uncircled cells of a line."""
    if not isinstance(value, (list, tuple)):
        raise IllegalAction("cells-not-a-list", got=printable(value))
    cells: list[int] = []
    for each in value:
        cell = _read_cell(each)
        if cell in cells:
            raise IllegalAction("cell-named-twice", **_cell_params(cell))
        if cell not in LINES[line]:
            raise IllegalAction("cell-not-in-line", **_cell_params(cell), line=LINE_TITLES[line])
        if grid.is_circled(cell):
            raise IllegalAction("cell-circled", **_cell_params(cell))
        cells.append(cell)
    return cells


def _cell_params(cell: int) -> dict[str, int]:
    row, column = PLACES[cell]
    return {"row": row, "column": column}


def _pending_to_json(grid: Grid, line: str, circles: int) -> dict[str, Any]:
    cells = grid.uncircled_cells(line)
    return {"line": line, "circles": min(circles, len(cells)), "cells": [[*PLACES[cell]] for cell in cells]}


GAME = GameType(
    key="knaster",
    title=N_("Knaster"),
    summary=N_("Everybody writes the same sums, each into a grid."),
    order=9,
    family=Knaster,
    rules_with=lambda settings: KnasterRules(**settings),
    options=(LinePoints("line_points", LINE_POINTS, T("points printed at the lines"), LINE_TITLES, 0, 1000),),
    begins=BEGINS,
)
