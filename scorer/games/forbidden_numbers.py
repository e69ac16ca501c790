"""Forbidden Numbers: docs/rules.md section 5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from scorer.actions import FACES, Action, Entry, read_throw
from scorer.game import NO_EVENTS, GameKind, Outcome, Step
from scorer.options import WholeNumber
from scorer.refusals import IllegalAction
from scorer.seats import Seats
from scorer.sentences import THROW, Phrases, Titles, Verb, phrase
from scorer.texts import N_, ShortRules, T
from scorer.tuples import add_at
from scorer.turn_games import PointsGame

SET_UP_DICE = 2


class ForbiddenNumbersState(NamedTuple):
    """`forbidden`: () until the set-up throw fixes it. `points`: of the running turn; the scores include them already.

    `left`: dice still in the turn. `turns`: turns that all players together have ended.
    """

    scores: tuple[int, ...]
    forbidden: tuple[int, ...] = ()
    turns: int = 0
    points: int = 0
    left: int = 6
    throw: tuple[int, ...] = ()
    over: bool = False
    ended: tuple[int, int] = (-1, 0)  # the turn that ended last: whose it was, and what it brought
    adjusted: tuple[int, ...] = ()  # points that a person added to the totals by hand
    seats: Seats = Seats()
    player: int = 0
    taken: tuple[int, ...] = ()  # turns that each player has ended; () if nobody has


@dataclass(frozen=True)
class ForbiddenNumbersRules:
    """`rounds`: turns of each player."""

    rounds: int


class ForbiddenNumbers(PointsGame[ForbiddenNumbersState]):
    dice = 6
    actions: Mapping[str, Verb] = {"throw": THROW}
    adjustments: Mapping[str, Verb] = {
        **PointsGame.adjustments,
        "forbidden": Verb(
            ("numbers",),
            phrase("forbidden numbers settled by hand: {numbers}"),
            stays=phrase("The forbidden numbers stay: {numbers}"),
        ),
    }
    events: Mapping[str, Phrases] = {"forbidden": phrase("Forbidden for the whole game: {numbers}")}

    rules: ForbiddenNumbersRules

    def start(self, players: int) -> ForbiddenNumbersState:
        return ForbiddenNumbersState((0,) * players)

    def do_throw(self, state: ForbiddenNumbersState, action: Action) -> Outcome[ForbiddenNumbersState]:
        if not state.forbidden:
            return self._set_up(state, read_throw(action["dice"], SET_UP_DICE))
        player = state.player
        dice = read_throw(action["dice"], state.left)
        stay = [die for die in dice if die not in state.forbidden]
        leave = [die for die in dice if die in state.forbidden]
        added = sum(stay)
        event = {"event": "added", "player": player, "dice": list(dice), "points": added, "left": leave}
        scores = add_at(state.scores, player, added)
        points = state.points + added
        if stay:
            after = state._replace(scores=scores, points=points, left=len(stay), throw=dice)
            return after, (event,)
        return self.start_next_turn(state._replace(scores=scores), points, (event,))

    def add_turn(self, state: ForbiddenNumbersState, points: int) -> ForbiddenNumbersState:
        """The points are in the total already."""
        return state._replace(taken=add_at(state.taken or (0,) * len(state.scores), state.player, 1))

    def next_turn(self, state: ForbiddenNumbersState) -> Outcome[ForbiddenNumbersState]:
        return self._new_turn(state)._replace(over=not self.may_go_on(state)), NO_EVENTS

    def _new_turn(self, state: ForbiddenNumbersState, other: bool = False) -> ForbiddenNumbersState:
        following, seats, _ = state.seats.following(
            len(state.scores), state.player, lambda each: self._turns_left(state, each) > 0, other=other
        )
        return state._replace(player=following, points=0, left=self.dice, throw=(), seats=seats)

    def _set_up(self, state: ForbiddenNumbersState, dice: tuple[int, ...]) -> Outcome[ForbiddenNumbersState]:
        forbidden = tuple(sorted(set(dice)))
        if len(forbidden) < SET_UP_DICE:
            return state, ({"event": "again", "dice": list(dice)},)
        return state._replace(forbidden=forbidden), ({"event": "forbidden", "numbers": list(forbidden)},)

    # --- who plays, and when ---

    def _turns_left(self, state: ForbiddenNumbersState, player: int) -> int:
        return self.rules.rounds - (state.taken[player] if state.taken else 0)

    def with_seats(self, state: ForbiddenNumbersState, seats: Seats) -> ForbiddenNumbersState:
        seated = state._replace(seats=seats)
        return seated if self.may_go_on(seated) else seated._replace(over=True)

    def with_player(self, state: ForbiddenNumbersState) -> ForbiddenNumbersState:
        return state._replace(
            scores=(*state.scores, 0),
            taken=(*state.taken, 0) if state.taken else (),
        )

    def pass_turn(self, state: ForbiddenNumbersState, player: int) -> Outcome[ForbiddenNumbersState] | None:
        """Takes away the turn's points so far. Its player still has this turn to play."""
        playing = state.seats.playing(len(state.scores))
        if not any(each != player and self._turns_left(state, each) > 0 for each in playing):
            return None
        scores = add_at(state.scores, player, -state.points)
        passed = state._replace(scores=scores, turns=state.turns + bool(state.throw))
        return self._new_turn(passed, other=True), NO_EVENTS

    # --- what a person settles by hand ---

    def settle_turn(self, state: ForbiddenNumbersState, points: int) -> Outcome[ForbiddenNumbersState]:
        if not state.forbidden:
            raise IllegalAction("nothing-forbidden-yet")
        scores = add_at(state.scores, state.player, points - state.points)
        return super().settle_turn(state._replace(scores=scores), points)

    def adjust_forbidden(self, state: ForbiddenNumbersState, action: Action) -> Outcome[ForbiddenNumbersState]:
        forbidden = tuple(sorted(set(read_throw(action["numbers"], SET_UP_DICE))))
        if state.over:
            raise IllegalAction("game-over")
        if len(forbidden) < SET_UP_DICE:
            raise IllegalAction("forbidden-must-differ")
        return state._replace(forbidden=forbidden), ({"event": "forbidden", "numbers": list(forbidden)},)

    def may_go_on(self, state: ForbiddenNumbersState) -> bool:
        return any(self._turns_left(state, each) for each in state.seats.playing(len(state.scores)))

    def turns_done(self, state: ForbiddenNumbersState) -> int:
        """The set-up is turn -1."""
        return state.turns if state.forbidden else -1

    def settlement(self, state: ForbiddenNumbersState, was: Step, running: bool) -> list[Action]:
        if was.before.forbidden:
            return super().settlement(state, was, running)
        return [{"do": "adjust", "what": "forbidden", "numbers": list(was.after.forbidden)}] if running else []

    # --- what is shown ---

    def _expects(self, state: ForbiddenNumbersState) -> int:
        if state.over:
            return 0
        return state.left if state.forbidden else SET_UP_DICE

    def legal(self, state: ForbiddenNumbersState) -> list[Entry]:
        return [{"do": "throw", "count": self._expects(state)}]

    def turn(self, state: ForbiddenNumbersState) -> dict[str, Any]:
        return self.plain_turn(state, state.points, self._expects(state), state.throw)

    def extras(self, state: ForbiddenNumbersState) -> dict[str, Any]:
        return {
            "forbidden": list(state.forbidden),
            "round": self.rules.rounds - max(0, self._turns_left(state, state.player) - 1),
        }

    def first_throw(self, dice: Any) -> dict[str, Any]:
        """For the two dice of the set-up, as in every game. For six dice, `events` lists the worth for each pair of
        forbidden numbers.
        """
        if isinstance(dice, (list, tuple)) and len(dice) == SET_UP_DICE:
            return super().first_throw(dice)
        found = []
        for forbidden in combinations(FACES, SET_UP_DICE):
            state, events = self.apply(ForbiddenNumbersState((0,), forbidden), {"do": "throw", "dice": dice})
            left = 0 if state.turns else state.left
            worth = {"numbers": list(forbidden), "points": events[0]["points"], "dice_left": left}
            found.append({"event": "if-forbidden", **worth})
        return {"points": 0, "events": found, "legal": []}

    def leaves_the_turn(self, state: ForbiddenNumbersState) -> tuple[int, ...]:
        return state.forbidden

    def field_titles(self) -> Titles:
        return {"chance": {"bust": T("the turn ends")}}

    def family_rules(self) -> ShortRules:
        goal = T("Each player has one turn. The highest total wins.")
        if self.rules.rounds > 1:
            goal = T("Each player has {rounds} turns. The highest total wins.", rounds=self.rules.rounds)
        turn = (
            T("First throw two dice, again while they are equal: their numbers are forbidden."),
            T("Then each player throws six dice. Dice that show a forbidden number leave the turn."),
            T("The sum of the others is added to the score; they are thrown again, until none is left."),
        )
        return ShortRules.in_sections(self.title, [goal], turn)


GAME = GameKind(
    key="forbidden-numbers",
    title=N_("Forbidden Numbers"),
    summary=N_("Two numbers are forbidden; add up all the others."),
    order=5,
    family=ForbiddenNumbers,
    rules_with=lambda settings: ForbiddenNumbersRules(**settings),
    options=(WholeNumber("rounds", 1, T("turns of each player"), 1, 1000),),
)
