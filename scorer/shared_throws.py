"""Games in which any number of people write the same throws, each on the own sheet: one throw is a turn.

Who chose nothing has the first free cell of the sheet crossed out; on a grid (knaster) nothing is written; in skunk he
stands. Who chose a cell that the rules refuse, since the throw was corrected later, has that cell crossed out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from scorer.actions import ADJUST, Action, Entry
from scorer.categories import points_by
from scorer.game import Game
from scorer.games.knaster import Knaster
from scorer.games.skunk import Skunk
from scorer.jokers import NO_JOKERS
from scorer.refusals import IllegalAction
from scorer.seats import Seats
from scorer.sheet import SheetGame

Dice: TypeAlias = tuple[int, ...]
Turn: TypeAlias = tuple[Dice, tuple[str, ...]]  # a throw, and the actions of each player as JSON; "": none

MOST_MASKED = 15  # throws up to which the best sheet is looked for: that takes 0.3 s


def may_share(game: Game[Any]) -> bool:
    """Whether throws may be shared: a person has a choice, crossing out helps nobody, and nobody wins at once."""
    if not isinstance(game, SheetGame):
        return ends_together(game)
    wins = any(each.may_win for each in game.categories)
    return game.rules.is_free and not game.rules.difference and not game.rules.low_wins and not wins


def ends_together(game: Game[Any]) -> bool:
    """Whether the game ends for all at once, so that all share a state."""
    return isinstance(game, Knaster | Skunk)


def throws_of(game: Game[Any]) -> int:
    """How many throws fill a sheet; 0 if that is not fixed."""
    return game.rules.boxes * len(game.columns) if isinstance(game, SheetGame) else 0


@lru_cache(maxsize=800)  # bounded: the sheets of many people after their last throws
def state_after(game: Game[Any], players: int, turns: tuple[Turn, ...]) -> Any:
    """The state after these turns. Once the game is over, further throws change nothing."""
    if not turns:
        return game.start(players)
    state, (dice, chosen) = state_after(game, players, turns[:-1]), turns[-1]
    if state.over:
        return state
    turn, state = game.turns_done(state), with_dice(game, state, dice)
    for player, each in enumerate(chosen):
        actions = json.loads(each or "[]")
        state = play(game, state, actions)
        if not game.plays_rounds and game.turns_done(state) == turn and player in game.to_act(state):
            state, _ = game.apply(state, _crossing_out(game, state, player, actions))
    return state


def with_dice(game: Game[Any], state: Any, dice: Dice) -> Any:
    """The state with these dice on the table."""
    return game.apply(state, {"do": "throw", "dice": dice})[0]


def play(game: Game[Any], state: Any, actions: Sequence[Action]) -> Any:
    """The state after these actions, as far as the rules allow them."""
    for action in actions:
        try:
            state, _ = game.apply(state, action)
        except IllegalAction:
            break
    return state


def choices(game: Game[Any], state: Any, player: int) -> list[tuple[Action, Entry]]:
    """What a player may do with the throw on the table: each action, and what `legal` says of it."""
    entries = [] if state.over else game.legal(game.with_seats(state, Seats(order=(player,))))
    written = [each for each in entries if each["do"] not in ("throw", "keep")]
    return [({name: each[name] for name in each if name in game.fields_of(each)}, each) for each in written]


def _crossing_out(game: Game[Any], state: Any, player: int, chosen: Sequence[Action]) -> Action:
    """What ends a player's part of a throw without points."""
    values: dict[str, Any] = {"do": ADJUST, "what": "turn", "player": player, "points": 0, "bonus": 0, "cells": []}
    if isinstance(game, SheetGame):
        free = [
            (rules.number, category.key)
            for rules, column in zip(game.columns, state.sheets[player], strict=True)
            for category, is_open in zip(game.categories, rules.open_categories(column), strict=True)
            if is_open
        ]
        wanted = [cell for each in chosen if (cell := (each.get("column", 1), each.get("category"))) in free]
        column, category = (wanted or free)[0]
        values |= {"category": category, "column": column, "saved": 0, "wins": False}
    return {name: values[name] for name in values if name in game.fields_of(values)}


@lru_cache(maxsize=64)  # bounded
def best_sheet(game: Game[Any], throws: tuple[Dice, ...]) -> int | None:
    """The most points that these throws could have brought, each in a cell of its own, to who knew all of them.

    Over all sets of throws for the cells so far, the upper ones first: of two ways to fill those the higher sum is
    better, with its bonus too. None where cells depend on each other in other ways, and for long sheets.
    """
    if not isinstance(game, SheetGame):
        return None
    rules, cells = game.rules, game.categories
    jokers = game.jokers is not NO_JOKERS and sum(len(set(dice)) == 1 for dice in throws) > 1
    depends = (
        game.rules.factors != (1,)
        or jokers
        or rules.tiers
        or rules.zero_only_if_nothing_fits
        or any(each.tiers for each in cells)
    )
    if depends or len(throws) > MOST_MASKED or not len(throws) == len(cells) == throws_of(game):
        return None
    sums = {0: 0}
    for upper in (True, False):
        for cell in cells:
            if bool(cell.face) == upper:
                sums = _fill(sums, [cell.worth(tuple(sorted(dice)), 1) for dice in throws])
        if upper:
            sums = {used: own + points_by(rules.upper_bonus, own) for used, own in sums.items()}
    return max(sums.values())


def _fill(sums: Mapping[int, int], worth: Sequence[int]) -> dict[int, int]:
    """The best sums by the throws used, as bits, with one cell more. `worth`: of each throw in it."""
    found: dict[int, int] = {}
    for used, points in sums.items():
        for throw, own in enumerate(worth):
            bits = used | 1 << throw
            if bits != used and points + own > found.get(bits, -1):
                found[bits] = points + own
    return found
