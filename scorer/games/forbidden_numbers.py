"""Forbidden Numbers: docs/rules.md section 5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from scorer.actions import FACES, Action, Event, Events, read_throw
from scorer.counter import CounterGame, CounterState
from scorer.definitions.game_file import CounterRules
from scorer.game import GameType, Outcome, Step
from scorer.options import WholeNumber
from scorer.refusals import IllegalAction
from scorer.sentences import Phrases, Titles, Verb, phrase
from scorer.texts import N_, T, Text
from scorer.tuples import add_at

FORBIDDEN = 2  # numbers, by the throw of so many dice


class ForbiddenNumbers(CounterGame):
    """The first throw forbids its faces for the whole game. The running turn's points are in the score already: it
    cannot be lost.
    """

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
        dice = read_throw(action["dice"], FORBIDDEN)
        if len(set(dice)) < len(dice):
            return state, ({"event": "again", "dice": list(dice)},)
        return self._forbid(state, dice)

    @staticmethod
    def _forbid(state: CounterState, faces: Sequence[int]) -> Outcome[CounterState]:
        forbidden = tuple(sorted(faces))
        return state._replace(forbidden=forbidden), ({"event": "forbidden", "numbers": list(forbidden)},)

    def worth(self, dice: Sequence[int], wanted: int | None, leave: Sequence[int]) -> int:
        return sum(die for die in dice if die not in leave)

    def leaves_the_turn(self, state: CounterState) -> Sequence[int]:
        return state.forbidden

    def throw_event(self, state: CounterState, dice: Sequence[int], points: int) -> Event:
        leave = [die for die in dice if die in state.forbidden]
        return {"event": "added", "player": state.player, "dice": list(dice), "points": points, "left": leave}

    # --- what a person settles by hand ---

    def start_next_turn(self, state: CounterState, points: int, events: Events) -> Outcome[CounterState]:
        if not state.forbidden:
            raise IllegalAction("nothing-forbidden-yet")
        return super().start_next_turn(state, points, events)

    def adjust_forbidden(self, state: CounterState, action: Action) -> Outcome[CounterState]:
        faces = set(read_throw(action["numbers"], FORBIDDEN))
        self._refuse_when_over(state)
        if len(faces) < FORBIDDEN:
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
        return state.left if state.forbidden else FORBIDDEN

    def extras(self, state: CounterState) -> dict[str, Any]:
        """`forbidden`: the faces that leave all turns, () before they are thrown; `round`, from 1."""
        number = min(state.taken[state.player] + 1, self.rules.rounds)
        return {**super().extras(state), "forbidden": list(state.forbidden), "round": number}

    def first_throw(self, dice: Any) -> dict[str, Any]:
        """For the dice that choose the faces, as in every game. For those of a turn, `events` lists the worth for each
        choice of faces.
        """
        if isinstance(dice, (list, tuple)) and len(dice) == FORBIDDEN:
            return super().first_throw(dice)
        found = []
        for forbidden in combinations(FACES, FORBIDDEN):
            start = self.start(players=1)._replace(forbidden=forbidden)
            state, events = self.apply(start, {"do": "throw", "dice": dice})
            left = 0 if state.turns else state.left
            worth = {"numbers": list(forbidden), "points": events[0]["points"], "dice_left": left}
            found.append({"event": "if-forbidden", **worth})
        return {"points": 0, "events": found, "legal": []}

    def field_titles(self) -> Titles:
        return {"chance": {"bust": T("the turn ends")}}

    # --- the rules for players ---

    def goal_rules(self) -> list[Text]:
        first = T("First throw two dice, again while they are equal: their numbers are forbidden for the whole game.")
        return [first, *super().goal_rules()]

    def leaving_rule(self) -> Text:
        return T("Dice with a forbidden number leave the turn, and the others count.")


GAME = GameType(
    key="forbidden-numbers",
    title=N_("Forbidden Numbers"),
    summary=N_("Two numbers are forbidden; add up all the others."),
    order=5,
    family=ForbiddenNumbers,
    rules_with=lambda settings: CounterRules(dice=6, **settings),
    options=(WholeNumber("rounds", 1, T("turns of each player"), 1, 1000),),
)
