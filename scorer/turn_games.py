"""Games in which players take turns, and those of them whose turns bring points."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from scorer.actions import MOST_POINTS, Action, Events, read_number
from scorer.game import ADJUSTMENTS, NO_EVENTS, Game, InProgress, Outcome, Step, replace
from scorer.refusals import IllegalAction
from scorer.sentences import Verb, phrase
from scorer.tuples import add_at


class OfTurns(InProgress, Protocol):
    """`player`: whose turn it is. `turns`: how many have ended."""

    @property
    def player(self) -> int: ...

    @property
    def turns(self) -> int: ...


class OfPoints(OfTurns, Protocol):
    """`ended`: the player and the points of the turn that ended last."""

    @property
    def scores(self) -> tuple[int, ...]: ...

    @property
    def ended(self) -> tuple[int, int]: ...


T = TypeVar("T", bound=OfTurns)
P = TypeVar("P", bound=OfPoints)


class TurnGame(Game[T]):
    def to_act(self, state: T) -> list[int]:
        return [] if state.over else [state.player]

    def turns_done(self, state: T) -> int:
        return state.turns


_TURN = Verb(("player", "points"), phrase("turn settled by hand: {points}"))


class PointsGame(TurnGame[P]):
    shows_turns = True
    # `turn` ends the running turn with these points; `last-turn` changes the points of the turn that ended last.
    adjustments: Mapping[str, Verb] = {**ADJUSTMENTS, "turn": _TURN, "last-turn": _TURN}

    def plain_turn(self, state: P, points: int, expects: int, throw: Sequence[int]) -> dict[str, Any]:
        """The turn in a standing, for games without further keys. `expects`: the dice of the next throw."""
        player = None if state.over else state.player
        return {"player": player, "points": points, "dice_left": expects, "expects": expects, "throw": list(throw)}

    def scores(self, state: P) -> list[int]:
        return list(state.scores)

    def start_next_turn(self, state: P, points: int, events: Events) -> Outcome[P]:
        """Ends a turn with these points, after these events; then the next player's begins, or the game ends."""
        player = state.player
        ended = replace(self.add_turn(state, points), turns=state.turns + 1, ended=(player, points))
        after, more = self.next_turn(ended)
        events += ({"event": "turn", "player": player, "points": points}, *more)
        return after, (*events, self.game_over(after)) if after.over else events

    def add_turn(self, state: P, points: int) -> P:
        """The state with the points of the turn that ends in the total of its player."""
        return replace(state, scores=add_at(state.scores, state.player, points))

    @abstractmethod
    def next_turn(self, state: P) -> Outcome[P]:
        """The state when the next player's turn begins, or at the game's end; and what happened with that."""

    def adjust_turn(self, state: P, action: Action) -> Outcome[P]:
        points = read_points(action)
        self.check_turn_of(state, action["player"])
        return self.settle_turn(state, points)

    def settle_turn(self, state: P, points: int) -> Outcome[P]:
        """Ends the running turn with any number of points."""
        return self.start_next_turn(state, points, NO_EVENTS)

    def with_score(self, state: P, player: int, more: int) -> P:
        """Gives a player `more` points, and ends or reopens the game if they decide that."""
        return replace(state, scores=add_at(state.scores, player, more))

    def add_points(self, state: P, player: int, points: int) -> P:
        return super().add_points(self.with_score(state, player, points), player, points)

    def adjust_last_turn(self, state: P, action: Action) -> Outcome[P]:
        player, points, (ended, was) = action["player"], read_points(action), state.ended
        if ended != player:
            raise IllegalAction("not-this-players-last-turn", player=state.seats.name(player))
        settled = replace(self.with_score(state, player, points - was), ended=(player, points))
        return settled, ({"event": "turn", "player": player, "points": points, "instead_of": was},)

    def settlement(self, state: P, was: Step, running: bool) -> list[Action]:
        turn = next(event for event in was.events if event["event"] == "turn")
        what = "turn" if running else "last-turn"
        return [{"do": "adjust", "what": what, "player": turn["player"], "points": turn["points"]}]


def read_points(action: Action) -> int:
    return read_number(action["points"], "points", -MOST_POINTS, MOST_POINTS)
