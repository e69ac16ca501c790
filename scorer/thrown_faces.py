"""Counters whose first throw chooses the faces that leave all turns: these are forbidden for the whole game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from scorer.actions import FACES, Action, Event, Events, read_throw
from scorer.counter import CounterGame, CounterState
from scorer.game import Outcome, Step
from scorer.refusals import IllegalAction
from scorer.sentences import Phrases, Titles, Verb, phrase
from scorer.texts import T, Text, counted_text
from scorer.tuples import add_at


class ThrownFaces(CounterGame):
    """The running turn's points are in the score already. It cannot be lost."""

    adjustments: Mapping[str, Verb] = {
        **CounterGame.adjustments,
        "forbidden": Verb(
            ("numbers",),
            phrase("forbidden numbers settled by hand: {numbers}"),
            stays=phrase("The forbidden numbers stay: {numbers}"),
        ),
    }
    events: Mapping[str, Phrases] = {
        **CounterGame.events,
        "forbidden": phrase("Forbidden for the whole game: {numbers}"),
    }

    # --- actions ---

    def do_throw(self, state: CounterState, action: Action) -> Outcome[CounterState]:
        if state.forbidden:
            return super().do_throw(state, action)
        dice = read_throw(action["dice"], self.rules.leave_thrown)
        if len(set(dice)) < len(dice):
            return state, ({"event": "again", "dice": list(dice)},)
        return self._forbid(state, dice)

    @staticmethod
    def _forbid(state: CounterState, faces: Sequence[int]) -> Outcome[CounterState]:
        forbidden = tuple(sorted(faces))
        return state._replace(forbidden=forbidden), ({"event": "forbidden", "numbers": list(forbidden)},)

    def throw_event(self, state: CounterState, dice: Sequence[int], points: int) -> Event:
        leave = [die for die in dice if die in state.forbidden]
        return {"event": "added", "player": state.player, "dice": list(dice), "points": points, "left": leave}

    # --- what a person settles by hand ---

    def start_next_turn(self, state: CounterState, points: int, events: Events) -> Outcome[CounterState]:
        if not state.forbidden:
            raise IllegalAction("nothing-forbidden-yet")
        return super().start_next_turn(state, points, events)

    def adjust_forbidden(self, state: CounterState, action: Action) -> Outcome[CounterState]:
        faces = set(read_throw(action["numbers"], self.rules.leave_thrown))
        self._refuse_when_over(state)
        if len(faces) < self.rules.leave_thrown:
            raise IllegalAction("forbidden-must-differ")
        return self._forbid(state, tuple(faces))

    def turns_done(self, state: CounterState) -> int:
        """The throw that chooses the faces is turn -1."""
        return state.turns if state.forbidden else -1

    def settlement(self, state: CounterState, was: Step, running: bool) -> list[Action]:
        if was.before.forbidden:
            return super().settlement(state, was, running)
        return [{"do": "adjust", "what": "forbidden", "numbers": list(was.after.forbidden)}] if running else []

    # --- what is shown ---

    def scores(self, state: CounterState) -> list[int]:
        return list(add_at(state.scores, state.player, state.points))

    def dice_due(self, state: CounterState) -> int:
        return state.left if state.forbidden else self.rules.leave_thrown

    def extras(self, state: CounterState) -> dict[str, Any]:
        """`forbidden`: the faces that leave all turns, () before they are thrown; `round`, from 1."""
        taken = state.taken[state.player] + 1
        number = min(taken, self.rules.rounds) if self.rules.rounds else taken
        return {**super().extras(state), "forbidden": list(state.forbidden), "round": number}

    def first_throw(self, dice: Any) -> dict[str, Any]:
        """For the dice that choose the faces, as in every game. For those of a turn, `events` lists the worth for each
        choice of faces.
        """
        chosen = self.rules.leave_thrown
        if isinstance(dice, (list, tuple)) and len(dice) == chosen:
            return super().first_throw(dice)
        found = []
        for forbidden in combinations(FACES, chosen):
            start = self.start(players=1)._replace(forbidden=forbidden)
            state, events = self.apply(start, {"do": "throw", "dice": dice})
            left = 0 if state.turns else state.left
            worth = {"numbers": list(forbidden), "points": events[0]["points"], "dice_left": left}
            found.append({"event": "if-forbidden", **worth})
        return {"points": 0, "events": found, "legal": []}

    def leaves_the_turn(self, state: CounterState) -> Sequence[int]:
        return state.forbidden

    def field_titles(self) -> Titles:
        return {"chance": {"bust": T("the turn ends")}}

    # --- the rules for players ---

    def goal_rules(self) -> list[Text]:
        first = counted_text(
            "First throw {count} die: its number is forbidden for the whole game.",
            "First throw {count} dice, again while they are equal: their numbers are forbidden for the whole game.",
            self.rules.leave_thrown,
        )
        return [first, *super().goal_rules()]

    def leaving_rule(self) -> Text:
        return T("Dice with a forbidden number leave the turn, and the others count.")
