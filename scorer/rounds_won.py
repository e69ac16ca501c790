"""Counters in which the rounds that a player has won are his total.

The best turn wins a round, and equal best ones throw again; or whoever first has enough points in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any

from scorer.actions import Action, Events
from scorer.contest import Contest, ContestGame
from scorer.counter import CounterGame, CounterState
from scorer.definitions.game_file import CounterRules
from scorer.end_sentences import team_rules
from scorer.game import Outcome
from scorer.seats import Seats
from scorer.sentences import Phrases, Verb
from scorer.texts import T, Text, counted_text


class RoundsWon(ContestGame[CounterState], CounterGame):
    """A turn adds nothing by itself: its winner's turn becomes worth 1 when the round is decided."""

    events: Mapping[str, Phrases] = {**CounterGame.events, **ContestGame.events}
    adjustments: Mapping[str, Verb] = ContestGame.adjustments  # no turn is moved, or settled once it has ended

    rules: CounterRules

    def start(self, players: int) -> CounterState:
        return super().start(players)._replace(contest=Contest.first(players))

    def team_of(self, player: int) -> int:
        return self.rules.team_of(player)

    def scores(self, state: CounterState) -> list[int]:
        return list(state.scores)  # a round is won by all of a team

    def new_turn(self, state: CounterState, player: int, seats: Seats) -> CounterState:
        # Of a tie too, the first in the order begins, wherever he sat before.
        return CounterGame.new_turn(self, state, player, seats)._replace(first=-1)

    def waiting(self, state: CounterState) -> list[int]:
        return state.contest.waiting(state.seats, self.rules.round_target, self.team_of)

    def start_next_turn(self, state: CounterState, points: int, events: Events) -> Outcome[CounterState]:
        return self.end_turn(state, points, events)

    def ends_turn(self, state: CounterState, points: int) -> bool:
        wanted = self.rules.round_target
        return wanted > 0 and state.contest.points_of(state.player, self.team_of) + points >= wanted

    def add_points(self, state: CounterState, player: int, points: int) -> CounterState:
        """Of a team, all have the rounds that it has won."""
        team = [each for each in range(len(state.scores)) if self.team_of(each) == self.team_of(player)]
        return reduce(lambda found, each: super(RoundsWon, self).add_points(found, each, points), team, state)

    def in_round(self, state: CounterState, number: int) -> CounterState:
        return state._replace(contest=state.contest._replace(won=((),) * (number - 1)))

    def with_player(self, state: CounterState) -> CounterState:
        return super().with_player(state)._replace(taken=(*state.taken, 0))

    def handed_over(self, state: CounterState, before: CounterState) -> list[Action] | None:
        return [] if state.player == before.player else None

    # --- what is shown ---

    def player(self, state: CounterState, player: int) -> dict[str, Any]:
        return {**CounterGame.player(self, state, player), **super().player(state, player)}

    def wanted_in(self, state: CounterState) -> int | None:
        wanted = self.rules.wanted
        return wanted[len(state.contest.won) % len(wanted)] if wanted else None

    def extras(self, state: CounterState) -> dict[str, Any]:
        """`round_target`: points that win a round, if rounds go by them."""
        wanted = self.rules.round_target
        found = {**CounterGame.extras(self, state), **super().extras(state)}
        return {**found, "round_target": wanted} if wanted else found

    # --- the rules for players ---

    def goal_rules(self) -> list[Text]:
        return super().goal_rules() + team_rules(self.rules.teams)

    def winning_rules(self) -> list[Text]:
        wanted = self.rules.round_target
        if not wanted:
            return super().winning_rules()
        first = counted_text(
            "Whoever first has {count} point in a round wins it, and it ends at once.",
            "Whoever first has {count} points in a round wins it, and it ends at once.",
            wanted,
        )
        return [T("Players take turns until somebody wins the round."), first]
