"""Games whose turns bring points, mostly to a target: how such a race ends, and who still plays until then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from scorer.actions import Action, Event, Events, read_number
from scorer.definitions.game_file import CounterRules, TenThousandRules
from scorer.game import NO_EVENTS, TURN, OfPoints, Outcome, PointsGame, Step, read_points, replace
from scorer.refusals import IllegalAction
from scorer.seats import Seats
from scorer.sentences import Phrases, Verb, counted_phrase, phrase
from scorer.texts import T, Text, counted_text
from scorer.tuples import add_at

# What happens when somebody reaches the target.
AT_ONCE = ("at-once", "exact")
ROUND_THEN_TURN = "round-then-one-more-turn"

EVENTS: Mapping[str, Phrases] = {
    "last-round": (
        phrase("{name} has reached the target. The round is played out.", played_out=True)
        + phrase(
            "{name} has reached the target. The round is played out, then everybody else has one more turn.",
            end=ROUND_THEN_TURN,
        )
        + phrase("{name} has reached the target. Everybody else has one more turn.")
    ),
    "overshot": phrase("{name} would pass the target: the turn is lost."),
    "all-lost": phrase("{name} loses all points", left=0)
    + counted_phrase("{name} is set back to {count} point", "{name} is set back to {count} points"),
}


class OfRace(OfPoints, Protocol):
    """`last`: who reached the target first, -1 for nobody. `extra`: whether the round after his has begun, in which
    everybody else has one more turn.
    """

    @property
    def last(self) -> int: ...

    @property
    def extra(self) -> bool: ...


R = TypeVar("R", bound=OfRace)

_MOVED = Verb(("player", "to", "points"), phrase("the points of this turn went to {to}: {points}"))


class RaceGame(PointsGame[R]):
    events = EVENTS
    # `last-turn` changes the points of the turn that ended last.
    # `turn-moved` ends the running turn with none, and gives these to the player who threw instead.
    adjustments: Mapping[str, Verb] = {**PointsGame.adjustments, "last-turn": TURN, "turn-moved": _MOVED}

    rules: TenThousandRules | CounterRules

    @property
    def end(self) -> str:
        """What happens when somebody reaches the target."""
        return self.rules.end

    def has_turn(self, state: R, player: int) -> bool:
        """Whether a player has turns left, apart from a target."""
        return True

    def set_back(self, state: R, most: int, dice: Sequence[int]) -> tuple[int, Event]:
        """The points of a turn whose dice leave its player at most this total, and the event that says so."""
        player, before = state.player, state.scores[state.player]
        left = min(before, most)
        event = {"event": "all-lost", "player": player, "lost": before - left, "left": left, "count": left}
        return left - before, {**event, "dice": list(dice)}

    # --- the end of a turn ---

    def start_next_turn(self, state: R, points: int, events: Events) -> Outcome[R]:
        """Ends a turn with these points, after these events; then the next player's begins, or the game ends."""
        player = state.player
        ended = replace(self.add_turn(state, points), turns=state.turns + 1, ended=(player, points))
        after, more = self.next_turn(ended)
        events += ({"event": "turn", "player": player, "points": points}, *more)
        return after, (*events, self.game_over(after)) if after.over else events

    def add_turn(self, state: R, points: int) -> R:
        """The state with the points of the turn that ends in the total of its player."""
        return replace(state, scores=add_at(state.scores, state.player, points))

    def next_turn(self, state: R) -> Outcome[R]:
        """The state when the next player's turn begins, or at the game's end; and what happened with that."""
        reached = state
        if state.last < 0 and state.player in self.at_target(state):
            reached = replace(state, last=state.player)
        after = self._next_player(reached)
        if after.over or after.last == state.last:
            return after, NO_EVENTS
        played_out = self.end == "finish-round"
        return after, ({"event": "last-round", "player": after.last, "played_out": played_out, "end": self.end},)

    def _next_player(self, state: R, other: bool = False) -> R:
        """Starts the next player's turn or ends the game. `other`: never the same player again."""
        count, extra, last = len(state.scores), state.extra, state.last

        def may(player: int) -> bool:
            return self.has_turn(state, player) and not (extra and player == last)

        following, seats, begins = state.seats.following(count, state.player, may, other=other)
        over = last >= 0 and self._ends_before(state, following, begins)
        if last >= 0 and self.end == ROUND_THEN_TURN and begins and not extra:
            extra = True
            if following == last:
                following, seats, _ = seats.following(count, following, may)
            over = not any(map(may, seats.playing(count)))
        after = self.new_turn(replace(state, extra=extra), following, seats)
        return replace(after, over=over or not self.may_go_on(after))

    def _ends_before(self, state: R, following: int, begins: bool) -> bool:
        """Whether the game ends before the turn of `following`, once somebody has reached the target.

        `begins`: whether `following` begins a round.
        """
        if self.end in AT_ONCE:
            return True
        if self.end == "finish-round":
            return begins
        if self.end == ROUND_THEN_TURN:
            return state.extra and (begins or following == state.last)
        order = state.seats.playing(len(state.scores))  # it ends before whoever reached the target would play again
        at = order.index(state.player)
        ahead = [(order.index(each) - at - 1) % len(order) for each in (state.last, following)]
        return ahead[0] <= ahead[1]

    # --- who plays, and when ---

    def with_seats(self, state: R, seats: Seats) -> R:
        """A player who leaves no longer counts as having reached the target."""
        seated = replace(state, seats=seats)
        if state.last >= 0 and state.last not in seats.playing(len(state.scores)):
            reached = self.at_target(seated)
            seated = replace(seated, last=reached[0] if reached else -1, extra=state.extra and bool(reached))
        return seated if self.may_go_on(seated) else replace(seated, over=True)

    def with_player(self, state: R) -> R:
        return replace(state, scores=(*state.scores, 0))

    def pass_turn(self, state: R, player: int) -> Outcome[R] | None:
        playing = state.seats.playing(len(state.scores))
        if not any(each != player and self.has_turn(state, each) for each in playing):
            return None
        return self._next_player(replace(state, turns=state.turns + bool(state.throw)), other=True), NO_EVENTS

    # --- what a person settles by hand ---

    def settle_turn(self, state: R, points: int) -> Outcome[R]:
        return self.start_next_turn(state, points, NO_EVENTS)

    def adjust_turn_moved(self, state: R, action: Action) -> Outcome[R]:
        """Of the player whose turn it was, it is no turn without points: he did not throw."""
        points, to = read_points(action), read_number(action["to"], "to", 0, len(state.scores) - 1)
        self.check_turn_of(state, action["player"])
        if to == action["player"]:
            raise IllegalAction("moved-to-himself")
        if to not in state.seats.playing(len(state.scores)):
            raise IllegalAction("player-left", player=state.seats.name(to))
        given = self.with_turn(self.add_points(state, to, points), to, points)
        return self.start_next_turn(given, 0, NO_EVENTS)

    def with_turn(self, state: R, player: int, points: int) -> R:
        """The state after a person gave a player a turn of so many points, which his total has already."""
        return state

    def adjust_last_turn(self, state: R, action: Action) -> Outcome[R]:
        player, points, (ended, was) = action["player"], read_points(action), state.ended
        if ended != player:
            raise IllegalAction("not-this-players-last-turn", player=state.seats.name(player))
        settled = self.with_turn(self.with_score(state, player, points - was), player, points)
        return replace(settled, ended=(player, points)), (
            {"event": "turn", "player": player, "points": points, "instead_of": was},
        )

    def settlement(self, state: R, was: Step, running: bool) -> list[Action]:
        turn, did = next(event for event in was.events if event["event"] == "turn"), was.action
        if did.get("what") == "turn-moved":
            total = self.scores(state)[did["to"]] + did["points"]
            return [did] if running else [{"do": "adjust", "what": "total", "player": did["to"], "points": total}]
        what = "turn" if running else "last-turn"
        return [{"do": "adjust", "what": what, "player": turn["player"], "points": turn["points"]}]

    def add_points(self, state: R, player: int, points: int) -> R:
        return super().add_points(self.with_score(state, player, points), player, points)

    def with_score(self, state: R, player: int, more: int) -> R:
        """Gives a player `more` points, and ends or reopens the game if they decide that."""
        scores = add_at(state.scores, player, more)
        before, after = (each[player] >= self.wanted_total for each in (state.scores, scores))
        settled = replace(state, scores=scores)
        if before == after or not self.wanted_total:
            return settled
        reached = self.at_target(settled)
        if not reached:
            return replace(settled, last=-1, extra=False, over=False)
        last = state.last if state.last in reached else reached[0]
        return replace(settled, last=last, over=state.over or self.end in AT_ONCE)

    def with_over(self, state: R, over: bool) -> R:
        return replace(state, over=True) if over else replace(state, over=False, last=-1, extra=False)

    # --- what is shown ---

    def extras(self, state: R) -> dict[str, Any]:
        """`last_round`: who has reached the target, while the others still play."""
        return {"last_round": state.last if state.last >= 0 and not state.over else None}

    # --- the rules for players ---

    def loss_rules(self) -> list[Text]:
        """What takes away points of a total."""
        found, wiped_by, overshoot_to = [], self.rules.wiped_by, self.rules.overshoot_to
        if wiped_by:
            dice = " ".join(map(str, wiped_by))
            found.append(T("A throw with {dice} ends the turn, and all points so far are lost too.", dice=dice))
        if overshoot_to:
            found.append(
                counted_text(
                    "Whoever would pass the target is set back to {count} point.",
                    "Whoever would pass the target is set back to {count} points.",
                    overshoot_to,
                )
            )
        elif overshoot_to == 0:
            found.append(T("Whoever would pass the target loses all points."))
        elif self.end == "exact":
            found.append(
                T("A throw after which the total would pass {target} points loses the turn.", target=self.wanted_total)
            )
        return found


def shows(dice: Sequence[int], wanted: Sequence[int]) -> bool:
    """Whether a throw shows all these dice, if there are any."""
    return bool(wanted) and not Counter(wanted) - Counter(dice)
