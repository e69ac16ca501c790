"""Games in which players take turns."""

from __future__ import annotations

from typing import Protocol, TypeVar

from scorer.game import Game, InProgress


class OfTurns(InProgress, Protocol):
    """`player`: whose turn it is. `turns`: how many have ended."""

    @property
    def player(self) -> int: ...

    @property
    def turns(self) -> int: ...


T = TypeVar("T", bound=OfTurns)


class TurnGame(Game[T]):
    def to_act(self, state: T) -> list[int]:
        return [] if state.over else [state.player]

    def turns_done(self, state: T) -> int:
        return state.turns
