"""Which dice should lie on the table top: those that wait for a choice, those beside, and how many are to be thrown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import scorer
from web.table.umpire.observations import Action

GameState = Any  # of the table's game


@dataclass(frozen=True)
class Spread:
    """`open`: the values of a throw that waits for a choice, else (). `aside`: values set aside or kept before.
    `expects`: how many dice must be thrown now, 0 for none. `most`: dice of a whole throw. `choices`: the legal
    set-asides. `may_keep`: dice may be kept; `may_bank`: the turn may be banked.
    """

    open: tuple[int, ...]
    aside: tuple[int, ...]
    expects: int
    most: int
    choices: tuple[dict[str, Any], ...]
    may_keep: bool
    may_bank: bool

    @property
    def values(self) -> tuple[int, ...]:
        return (*self.open, *self.aside)


@dataclass(frozen=True)
class Position:
    """A game's state and the actions that led to it, also proposed ones."""

    game: scorer.Game[Any]
    state: GameState
    actions: tuple[Action, ...]

    @classmethod
    def from_table(cls, table: scorer.Table, waiting: Sequence[Action] = ()) -> Position:
        return cls(table.game, table.state, tuple(table.actions)).apply_all(*waiting)

    def apply_all(self, *actions: Action) -> Position:
        """The position after these actions. Raises scorer.IllegalAction."""
        state = self.state
        for action in actions:
            state, _ = self.game.apply(state, action)
        return Position(self.game, state, (*self.actions, *actions))

    @property
    def over(self) -> bool:
        over: bool = self.state.over
        return over

    def legal(self) -> list[dict[str, Any]]:
        return [] if self.over else self.game.legal(self.state)

    def refusal(self, *actions: Action) -> scorer.IllegalAction | None:
        """Why these actions are illegal now; None if they are legal."""
        try:
            self.apply_all(*actions)
        except scorer.IllegalAction as refusal:
            return refusal
        return None

    def spread(self) -> Spread:
        turn, legal, most = self.game.turn(self.state), self.legal(), self.game.dice
        choices = tuple(entry for entry in legal if entry["do"] == "set-aside")
        may_keep = any(entry["do"] == "keep" for entry in legal)
        throw = tuple(turn["throw"]) if choices else tuple(turn.get("dice") or ()) if "kept" in turn else ()
        count = most - (len(throw) or turn["expects"])
        return Spread(
            throw,
            self._aside(turn, count) if throw or turn["expects"] else (),
            turn["expects"],
            most,
            choices,
            may_keep,
            any(entry["do"] == "bank" for entry in legal),
        )

    def _aside(self, turn: dict[str, Any], count: int) -> tuple[int, ...]:
        """The values of `count` dice that lie beside; () if the table has none."""
        if turn.get("kept"):
            return tuple(turn["kept"])
        if "set_aside" in turn:
            values = [value for group in turn["set_aside"] for value in group]
            return tuple(values[len(values) - count :]) if count else ()
        leaving = self.game.leaves_the_turn(self.state)
        return self._left_the_turn(leaving, count) if leaving else ()

    def _left_the_turn(self, leaving: Iterable[int], count: int) -> tuple[int, ...]:
        """The `count` dice of these values in the last throws of the running turn."""
        left: list[int] = []
        for action in reversed(self.actions):
            if len(left) >= count or action["do"] != "throw":
                break
            left += [die for die in action["dice"] if die in leaving]
        return tuple(left[:count])
