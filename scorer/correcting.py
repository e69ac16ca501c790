"""What becomes of a game whose record is corrected at one place: the rest of it stands, turn by turn.

Where a later action no longer holds, what its player's turn was worth is settled by hand instead: docs/interfaces.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from scorer.actions import ADJUST, Action
from scorer.game import SEATING, Game, Step
from scorer.refusals import IllegalAction

GO_ON: Action = {"do": ADJUST, "what": "game", "over": False}
OF_A_TURN = ("turn", "last-turn", "turn-skipped")  # adjustments that belong to one turn
# Adjustments that say who plays after whom: none of them may be lost, or the turns after it are others'.
PLAYERS = tuple(what for what in SEATING if what not in ("player-renamed", "turn-skipped"))


class Settlement(NamedTuple):
    """One place where the record no longer held: from the action `at` (its number in the record as it was, from 1)
    `drop` actions give way to `actions`, adjustments all. `because`: why, None where a turn had only to be ended.
    """

    at: int
    drop: int
    actions: list[dict[str, Any]]
    because: IllegalAction | None = None

    def to_json(self) -> dict[str, Any]:
        return {"at": self.at, "drop": self.drop, "actions": self.actions}


class ReplayTable(Protocol):
    """A game in progress, as far as `follow` goes on with it: a `scorer.Table`."""

    game: Game[Any]

    @property
    def state(self) -> Any: ...

    @property
    def actions(self) -> list[dict[str, Any]]: ...

    @property
    def over(self) -> bool: ...

    def do(self, action: Action) -> None: ...


def follow(table: ReplayTable, steps: Sequence[Step], index: int, said: Sequence[int | None] = ()) -> list[Settlement]:
    """Does on `table`, where the action `index` has just been done anew, all that came after it in `steps`.

    `said`: the points that a person gives the turn in each place that must be settled, in order; None, or nothing, for
    what it was worth before. Returns those places.
    """
    following = _Following(table, steps, index, said)
    while following.place < len(steps):
        following.go_on()
    return following.settled


class _Following:
    """`place`: the number of the next action of the old course, from 0."""

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
        # A turn that the corrected action ends is over as that says; one that its dice end may have brought more.
        self.chosen = self.turns[index - 1] if table.actions[-1]["do"] != "throw" else None
        self.seated = any(_is(step.action, *SEATING) for step in steps[index:])

    def go_on(self) -> None:
        """Does the next action, or settles what does not hold of it."""
        step, turn = self.steps[self.place], self.turns[self.place]
        now = self.game.turns_done(self.table.state)
        free = step.action["do"] == ADJUST and step.action["what"] not in OF_A_TURN
        if self.table.over and not (free and step.action["what"] not in PLAYERS):
            self._reopen()
        elif now < turn:
            self._settle(0, self._finishing(self.endings[now]))
        elif now > turn and not free:
            self._settle_rest(step, turn, running=False, because=None)
        else:
            self._check_player(step, now == turn)
            try:
                self.table.do(step.action)
                self.place += 1
            except IllegalAction as refusal:
                if step.action["do"] == ADJUST and step.action["what"] != "turn":
                    self._settle(1, [], refusal)
                else:
                    self._settle_rest(step, turn, running=True, because=refusal)

    def _check_player(self, step: Step, same_turn: bool) -> None:
        """Refuses to go on where somebody else would have the turn now than had it then."""
        if not self.seated or not same_turn or self.game.settled_by_action or self.game.is_over(step.before):
            return
        if self.game.to_act(self.table.state) != self.game.to_act(step.before):
            raise IllegalAction("turn-with-other-player")

    def _finishing(self, ending: Step) -> list[Action]:
        if _is(ending.action, *SEATING):
            return [ending.action] if _is(ending.action, "turn-skipped") else []
        return self.game.ending_adjustments(self.table.state, ending)

    def _reopen(self) -> None:
        if self.game.may_go_on(self.table.state):
            self._settle(0, [GO_ON])
        else:
            self._settle(len(self.steps) - self.place, [])

    def _settle_rest(self, step: Step, turn: int, running: bool, because: IllegalAction | None) -> None:
        """Puts what the turn was worth in the place of what is left of it; of a running turn, nothing."""
        state = self.table.state
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
        before = len(self.table.actions)
        for each in adjustments:
            self.table.do(each)
        done = self.table.actions[before:]
        self.settled.append(Settlement(self.place + 1, drop, list(done), because))
        self.place += drop


def _is(action: Action, *what: str) -> bool:
    """Whether an action is an adjustment of one of these kinds."""
    return action["do"] == ADJUST and action["what"] in what
