"""Corrections of one action of a game that keep what later turns were worth.

If a later action is no longer legal, an adjustment gives its turn the former worth: docs/interfaces.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from scorer.actions import ADJUST, Action
from scorer.contest import ContestGame
from scorer.game import SEATING, Game, Step
from scorer.refusals import IllegalAction

GO_ON: Action = {"do": ADJUST, "what": "game", "over": False}
OF_A_TURN = ("turn", "turn-moved", "last-turn", "turn-skipped")  # adjustments of one turn
# Adjustments of who plays after whom. Without one of them, later turns would belong to other players.
PLAYERS = tuple(what for what in SEATING if what not in ("player-renamed", "turn-skipped"))


class Settlement(NamedTuple):
    """One place where adjustments, `actions`, replace `drop` actions of the old record, from its number `at` (from 1).
    `because`: the refusal of the first of them; None if a turn only had to be ended.
    """

    at: int
    drop: int
    actions: list[dict[str, Any]]
    because: IllegalAction | None = None

    def to_json(self) -> dict[str, Any]:
        return {"at": self.at, "drop": self.drop, "actions": self.actions}


class ReplayTable(Protocol):
    """The part of `scorer.Table` that `follow` needs."""

    game: Game[Any]

    @property
    def state(self) -> Any: ...

    @property
    def actions(self) -> list[dict[str, Any]]: ...

    @property
    def over(self) -> bool: ...

    def do(self, action: Action) -> None: ...


def follow(table: ReplayTable, steps: Sequence[Step], index: int, said: Sequence[int | None] = ()) -> list[Settlement]:
    """Continues `table`, whose last action corrects number `index` of `steps`, with all later `steps`.

    Returns the places that had to be settled. `said`: points for each of them in order; None or nothing keeps the
    turn's former worth.
    """
    following = _Following(table, steps, index, said)
    while following.place < len(steps):
        following.go_on()
    return following.settled


class _Following:
    """`place`: the number of the next old action, from 0."""

    def __init__(self, table: ReplayTable, steps: Sequence[Step], index: int, said: Sequence[int | None]) -> None:
        self.table = table
        self.game = table.game
        self.steps = steps
        self.place = index
        self.said = said
        self.settled: list[Settlement] = []
        self.turns = [self.game.turns_done(step.before) for step in steps]
        self.endings = {
            turn: step for turn, step in zip(self.turns, steps, strict=True) if self.game.turns_done(step.after) > turn
        }
        # A person's choice that ends a turn decides its worth. A throw that ends it does not: see docs/interfaces.md.
        self.chosen = self.turns[index - 1] if table.actions[-1]["do"] != "throw" else None

    def go_on(self) -> None:
        """Does the next action, or settles its turn if it is not legal."""
        step, turn = self.steps[self.place], self.turns[self.place]
        now = self.game.turns_done(self.table.state)
        free = step.action["do"] == ADJUST and step.action["what"] not in OF_A_TURN
        if self.table.over and not (free and step.action["what"] not in PLAYERS):
            self._reopen()
        elif now < turn:
            self._settle(0, self._finishing(self.endings[now]))
        elif now > turn and not free:
            self._settle_rest(step, turn, running=False, because=None)
        elif (
            now == turn
            and not self.game.settled_by_action
            and not step.before.over
            and (other := self._hand_over(step))
        ):
            self._settle(0, other)
        else:
            try:
                self.table.do(step.action)
                self.place += 1
            except IllegalAction as refusal:
                if step.action["do"] == ADJUST and step.action["what"] not in ("turn", "turn-moved"):
                    self._settle(1, [], refusal)
                else:
                    self._settle_rest(step, turn, running=True, because=refusal)

    def _hand_over(self, step: Step) -> list[Action]:
        """What hands the turn to whoever had it. Raises IllegalAction if that cannot be."""
        state, whose = self.table.state, self.game.player_in_turn
        same = whose(state) == whose(step.before)
        found = (
            self.game.handed_over(state, step.before) if isinstance(self.game, ContestGame) else [] if same else None
        )
        if found is None:
            raise IllegalAction("turn-with-other-player")
        return found

    def _finishing(self, ending: Step) -> list[Action]:
        if _is(ending.action, *SEATING) and not self.game.settled_by_action:
            return [ending.action] if _is(ending.action, "turn-skipped") else []
        return self.game.ending_adjustments(self.table.state, ending)

    def _reopen(self) -> None:
        if self.game.may_go_on(self.table.state):
            self._settle(0, [GO_ON])
        else:
            self._settle(len(self.steps) - self.place, [])

    def _settle_rest(self, step: Step, turn: int, running: bool, because: IllegalAction | None) -> None:
        """Replaces the rest of the turn by its former worth; by nothing if the old turn had not ended."""
        state = self.table.state
        if max(self.game.to_act(step.before), default=0) >= len(state.seats.names):  # he no longer joins
            raise IllegalAction("turn-with-other-player")
        if self.game.settled_by_action:
            self._settle(1, self.game.settlement(state, step, running), because)
            return
        end = self.place
        while end < len(self.steps) and self.turns[end] == turn:
            end += 1
        ending = self.endings.get(turn)
        seated = ending is not None and _is(ending.action, *SEATING)  # it ended for that, which stands as it is
        adjustments: list[Action] = []
        if ending is not None and not seated and (running or turn != self.chosen):
            adjustments = self.game.settlement(state, ending, running)
        kept = [each.action for each in self.steps[self.place : end] if _is(each.action, "total", "cell")]
        moved = [each.action for each in self.steps[self.place : end] if _is(each.action, *SEATING)]
        if not running:
            moved = [each for each in moved if not _is(each, "turn-skipped")]
        self._settle(end - self.place, [*moved, *adjustments, *kept], because)

    def _settle(self, drop: int, adjustments: list[Action], because: IllegalAction | None = None) -> None:
        points = self.said[len(self.settled)] if len(self.settled) < len(self.said) else None
        settles = next((number for number, each in enumerate(adjustments) if "points" in each), None)
        if points is not None and settles is not None and adjustments[settles]["points"] is not None:
            adjustments[settles] = {**adjustments[settles], "points": points}
        if not drop and not adjustments:  # whoever left with the corrected action would have to play on
            raise IllegalAction("turn-with-other-player")
        before = len(self.table.actions)
        for each in adjustments:
            self.table.do(each)
        done = self.table.actions[before:]
        self.settled.append(Settlement(self.place + 1, drop, list(done), because))
        self.place += drop


def _is(action: Action, *what: str) -> bool:
    """Whether an action is an adjustment of one of these kinds."""
    return action["do"] == ADJUST and action["what"] in what
