"""Worked examples of a file: what dice are worth and what turns bring, by the rules."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from scorer.actions import MOST_POINTS
from scorer.counter import CounterGame
from scorer.definitions.game_file import Example
from scorer.definitions.rule_tables import ANNOUNCED, DOWN, FREE, UP
from scorer.definitions.shapes import Path, WrongShape, name_of, wrong_value
from scorer.game import NO_EVENTS, Game, GameType
from scorer.pad import PadGame
from scorer.refusals import IllegalAction, Refusal
from scorer.sheet import SheetGame, SheetState
from scorer.sheet_columns import ColumnRules
from scorer.ten_thousand import TenThousand
from scorer.texts import T, counted_text
from scorer.tuples import replace_at
from scorer.turns.hand import HandGame

BEST_ORDERS = (FREE, DOWN, UP, ANNOUNCED)  # of columns, to show an example in


def check_example(kind: GameType, example: Example, path: Path) -> None:
    """Raises WrongShape for an example that does not hold."""
    if not (example.dice or example.turn or example.rounds):
        raise WrongShape(path, "definition-one-of", field=name_of(path), known=["dice", "turn", "rounds"])
    try:
        game = kind(**dict(example.options or {}))
        if example.rounds:
            _check_rounds(game, example, path)
            return
        if example.worth is None:
            allowed = T("a whole number from {low} to {high}", low=-MOST_POINTS, high=MOST_POINTS)
            raise WrongShape(path, "definition-lacks", field="worth", allowed=allowed)
        if isinstance(game, SheetGame) and example.cell is None:
            keys = T("one of {choices}", choices=[category.key for category in game.categories])
            raise WrongShape(path, "definition-lacks", field="cell", allowed=keys)
        worth = worth_of(game, example)
    except Refusal as refusal:
        raise WrongShape(path, "definition-example-illegal", why=refusal.text) from None
    if worth != example.worth:
        raise WrongShape((*path, "worth"), "definition-example", said=example.worth, got=worth)


def _check_rounds(game: Game[Any], example: Example, path: Path) -> None:
    """Raises WrongShape unless these rounds of a score pad bring these totals and winners, and not before the last."""
    if not isinstance(game, PadGame):
        raise WrongShape((*path, "rounds"), "definition-together", field="rounds", other='family = "pad"')
    count = max(map(len, example.rounds))
    for place, row in enumerate(example.rounds):
        if len(row) != count:
            where = (*path, "rounds", place)
            allowed = counted_text("a list of {count} value", "a list of {count} values", count)
            raise wrong_value(where, allowed, str(len(row)))
    state = game.start(players=count)
    for row in example.rounds:
        for player, points in enumerate(row):
            if player in state.waiting or points:  # whoever is out has a 0 there
                state = _apply(game, state, {"do": "write", "player": player, "points": points})
    scores = game.scores(state)
    winners = tuple(player + 1 for player in game.winners(state, game.places(state, scores)))
    for name, said, got in (("totals", example.totals, tuple(scores)), ("winners", example.winners, winners)):
        if said != got:
            in_words = [" ".join(map(str, each)) or T("nobody") for each in (said, got)]
            raise WrongShape((*path, name), "definition-example", said=in_words[0], got=in_words[1])


def worth_of(game: Game[Any], example: Example) -> int:
    """What the dice or the turn of an example are worth by the rules. Raises IllegalAction."""
    throws = [list(dice) for dice in example.turn or (example.dice,)]
    if isinstance(game, TenThousand):
        if not example.turn:
            choices = game.choices(tuple(sorted(example.dice)))
            return max((choice.points for choice in choices), default=0)
        return _turn(game, throws)
    if isinstance(game, SheetGame):
        return _in_a_cell(game, throws, example)
    if isinstance(game, PadGame):
        return game.scores(_apply(game, game.start(players=1), {"do": "throw", "dice": throws[0]}))[0]
    if isinstance(game, HandGame):
        return _hand(game, throws)
    assert isinstance(game, CounterGame), "families are five"
    return _count_turn(game, throws, example.round)


def _count_turn(game: CounterGame, throws: list[list[int]], number: int) -> int:
    """What a turn in the round of this number, from 1, counts: thrown again and again, and banked if it still runs."""
    state, events = game.in_round(game.start(players=1), number), NO_EVENTS
    for dice in throws:
        if state.turns:
            raise IllegalAction("turn-has-ended")
        state, events = game.apply(state, {"do": "throw", "dice": dice})
    if not state.turns:
        state, events = game.apply(state, {"do": "bank"})
    turn = next(event for event in events if event["event"] == "turn")
    return int(turn["round_points" if "round_points" in turn else "points"])


def _hand(game: HandGame, steps: list[list[int]]) -> int:
    """What a hand is worth: thrown and set aside in turns, and ended if the turn still runs."""
    state, events = game.start(players=1), NO_EVENTS
    for dice in steps:
        if state.turns:
            raise IllegalAction("turn-has-ended")
        do = "set-aside" if game.choices(state) else "throw"
        state, events = game.apply(state, {"do": do, "dice": dice} if dice else {"do": "bank"})
    if not state.turns:
        state, events = game.apply(state, {"do": "bank"})
    turn = next(event for event in events if event["event"] == "turn")
    return game.shown_points(int(turn["round_points" if "round_points" in turn else "points"]))


def _turn(game: TenThousand, steps: list[list[int]]) -> int:
    """What a turn adds: thrown and set aside in turns, and banked if it still runs."""
    state = game.start(players=1)
    for dice in steps:
        state = _apply(game, state, {"do": "set-aside" if state.waiting else "throw", "dice": dice})
    if not state.turns:
        state = _apply(game, state, {"do": "bank"})
    return game.scores(state)[0]


def _in_a_cell(game: SheetGame, steps: list[list[int]], example: Example) -> int:
    """What the dice bring in the cell: thrown and kept in turns."""
    rules = min(game.columns, key=lambda each: BEST_ORDERS.index(each.order))
    column = {"column": rules.number} if len(game.columns) > 1 else {}
    state = _before_cell(game, rules, str(example.cell))
    for dice in steps:
        if state.hand.dice and rules.order == ANNOUNCED and state.announced is None:
            state = _apply(game, state, {"do": "announce", "category": example.cell})
        state = _apply(game, state, {"do": "keep" if state.hand.dice else "throw", "dice": dice})
    written: dict[str, Any] = {"do": "score", "category": example.cell, **column}
    for entry in game.legal(state):
        if {**entry, **written} == entry:
            return int(entry["points"]) // rules.factor
    _apply(game, state, written)
    raise IllegalAction("nothing-to-score")


def _before_cell(game: SheetGame, rules: ColumnRules, key: str) -> SheetState:
    """The beginning, with a 0 in each cell of the column that is written before this one."""
    state = game.start(players=1)
    if rules.order not in (DOWN, UP) or key not in rules.keys:
        return state
    cell, before = rules.keys.index(key), operator.lt if rules.order == DOWN else operator.gt
    filled = rules.empty._replace(cells=tuple(0 if before(each, cell) else None for each in rules.category_of))
    return state._replace(sheets=(replace_at(state.sheets[0], rules.number - 1, filled),))


def _apply(game: Game[Any], state: Any, action: Mapping[str, Any]) -> Any:
    return game.apply(state, action)[0]
