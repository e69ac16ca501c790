"""Counters in which the rounds that a player has won are his total.

The best turn wins a round, and equal best ones throw again; or whoever first has enough points in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.actions import Action, Event, Events
from scorer.contest import Contest
from scorer.counter import CounterGame, CounterState
from scorer.game import NO_EVENTS, Outcome, Step
from scorer.sentences import Phrases, Verb, phrase
from scorer.texts import T, Text, counted_text
from scorer.tuples import add_at


class RoundsWon(CounterGame):
    """A turn adds nothing by itself: its winner's turn becomes worth 1 when the round is decided."""

    events: Mapping[str, Phrases] = {
        **CounterGame.events,
        "round-won": phrase("{name} wins the round."),
        "tied": phrase("The best are equal: they throw again."),
    }
    adjustments: Mapping[str, Verb] = {
        what: verb for what, verb in CounterGame.adjustments.items() if what not in ("last-turn", "turn-moved")
    }

    def start(self, players: int) -> CounterState:
        return super().start(players)._replace(contest=Contest.first(players))

    # --- the end of a turn ---

    def start_next_turn(self, state: CounterState, points: int, events: Events) -> Outcome[CounterState]:
        player = state.player
        ended = state._replace(
            contest=state.contest.with_turn(player, points), turns=state.turns + 1, ended=(player, 0)
        )
        turn = {"event": "turn", "player": player, "points": 0, "round_points": points}
        after, more = self._go_on(ended)
        return after, (*events, turn, *more)

    def _go_on(self, state: CounterState) -> Outcome[CounterState]:
        """Starts the next turn of the round; or decides it, and starts the next or ends the game."""
        contest, seats = state.contest, state.seats
        waiting = self._waiting(state)
        if waiting and not (contest.among and len(contest.playing(seats)) == 1):
            return self.new_turn(state, self._following(state, waiting), seats), NO_EVENTS
        best = contest.playing(seats) if waiting else contest.best(seats, self.rules.low_wins)
        if len(best) > 1:
            tied: Event = {"event": "tied", "players": best}
            return self.new_turn(state._replace(contest=contest.again(best)), best[0], seats), (tied,)
        return self._next_round(state, best)

    def _waiting(self, state: CounterState) -> list[int]:
        return state.contest.waiting(state.seats, self.rules.round_target)

    def ends_turn(self, state: CounterState, points: int) -> bool:
        wanted = self.rules.round_target
        return wanted > 0 and state.contest.points_of(state.player) + points >= wanted

    def _next_round(self, state: CounterState, best: Sequence[int]) -> Outcome[CounterState]:
        """`best`: who has won the round; nobody if all who threw have left."""
        seats, scores, events = state.seats._replace(joining=()), state.scores, NO_EVENTS
        for winner in best:
            scores = add_at(scores, winner, 1)
            won = {"event": "turn", "player": winner, "points": 1, "instead_of": 0}
            events = ({"event": "round-won", "player": winner}, won)
        first, contest = seats.playing(len(scores))[0], state.contest.next_round(best)
        after = self.new_turn(state._replace(scores=scores, contest=contest), first, seats)
        if state.ended[0] in best:
            after = after._replace(ended=(state.ended[0], 1))
        reached = self.rules.target > 0 and any(scores[winner] >= self.rules.target for winner in best)
        after = after._replace(over=reached or not self.may_go_on(after))
        return after, (*events, self.game_over(after)) if after.over else events

    @staticmethod
    def _following(state: CounterState, waiting: Sequence[int]) -> int:
        """The next of those who wait, after the player whose turn it was."""
        order = list(state.seats.playing(len(state.scores)))
        at = order.index(state.player) + 1 if state.player in order else 0
        return next(each for each in (*order[at:], *order) if each in waiting)

    def in_round(self, state: CounterState, number: int) -> CounterState:
        return state._replace(contest=state.contest._replace(won=((),) * (number - 1)))

    # --- who plays, and when ---

    def with_player(self, state: CounterState) -> CounterState:
        return super().with_player(state)._replace(contest=state.contest.with_player())

    def pass_turn(self, state: CounterState, player: int) -> Outcome[CounterState] | None:
        waiting = [each for each in self._waiting(state) if each != player]
        if not waiting:
            return None
        passed = state._replace(turns=state.turns + bool(state.throw))
        return self.new_turn(passed, self._following(state, waiting), state.seats), NO_EVENTS

    def remove_player(self, state: CounterState, player: int) -> Outcome[CounterState]:
        """The round is decided without him if nobody else has to throw."""
        left, events = super().remove_player(state, player)
        playing = left.contest.playing(left.seats)
        if left.over or (left.player in playing and not (left.contest.among and len(playing) == 1)):
            return left, events
        after, more = self._go_on(left)
        return after, (*events, *more)

    def may_go_on(self, state: CounterState) -> bool:
        return not self.rules.rounds or len(state.contest.won) < self.rules.rounds

    def settlement(self, state: CounterState, was: Step, running: bool) -> list[Action]:
        turn = next(event for event in was.events if event["event"] == "turn")
        points = turn["round_points"]
        return [{"do": "adjust", "what": "turn", "player": turn["player"], "points": points}] if running else []

    # --- what is shown ---

    def wanted_in(self, state: CounterState) -> int | None:
        wanted = self.rules.wanted
        return wanted[len(state.contest.won) % len(wanted)] if wanted else None

    def merits(self, state: CounterState, scores: list[int]) -> Sequence[int]:
        return scores

    def player(self, state: CounterState, player: int) -> dict[str, Any]:
        """`round_points`: by round, of each turn that he had in it."""
        return {"round_points": [list(each) for each in state.contest.thrown[player]]}

    def extras(self, state: CounterState) -> dict[str, Any]:
        """`rounds_won`: who won each round that was decided, -1 for nobody; `tied`: who throws again. `round_target`:
        points that win a round, if rounds go by them.
        """
        contest, wanted = state.contest, self.rules.round_target
        found = {
            **super().extras(state),
            "rounds_won": [each[0] if each else -1 for each in contest.won],
            "tied": list(contest.among),
        }
        found |= {"round_target": wanted} if wanted else {}
        if "round" in found:
            found["round"] = min(len(contest.won) + 1, self.rules.rounds)
        return found

    # --- the rules for players ---

    def goal_rules(self) -> list[Text]:
        rules = self.rules
        best = T("The lowest turn of a round wins it.") if rules.low_wins else T("The best turn of a round wins it.")
        goal = [best, T("Equal best ones throw again.")]
        if rules.round_target:
            first = counted_text(
                "Whoever first has {count} point in a round wins it, and it ends at once.",
                "Whoever first has {count} points in a round wins it, and it ends at once.",
                rules.round_target,
            )
            goal = [T("Players take turns until somebody wins the round."), first]
        if rules.rounds:
            goal.append(counted_text("There is {count} round.", "There are {count} rounds.", rules.rounds))
        if rules.target:
            goal.append(
                counted_text(
                    "The first player with {count} round won wins the game.",
                    "The first player with {count} rounds won wins the game.",
                    rules.target,
                )
            )
        if rules.rounds > 1:
            goal.append(T("Whoever has won most rounds wins the game."))
        return goal
