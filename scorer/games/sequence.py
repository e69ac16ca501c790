"""Sequence: docs/rules.md section 4."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scorer.actions import FACES, Action, Entry, Events, read_throw
from scorer.game import NO_EVENTS, GameKind, Outcome
from scorer.options import Flag, WholeNumber
from scorer.seats import Seats
from scorer.sentences import THROW, Phrases, Verb, phrase
from scorer.texts import N_, ShortRules, T, Text, counted_text
from scorer.tuples import add_at
from scorer.turn_games import PointsGame, read_points

# Points of a run from 1, by its highest value.
RUNS = {2: 5, 3: 10, 4: 15, 5: 20, 6: 25}


class SequenceState(NamedTuple):
    scores: tuple[int, ...]
    player: int = 0
    over: bool = False
    turns: int = 0  # that have ended
    ended: tuple[int, int] = (-1, 0)  # the last of them: whose it was, and what it added
    adjusted: tuple[int, ...] = ()  # points that a person added to the totals by hand
    seats: Seats = Seats()


@dataclass(frozen=True)
class SequenceRules:
    """The options of the same names."""

    target: int
    three_ones_wipe: bool
    finish_round: bool


class Sequence(PointsGame[SequenceState]):
    dice = 6
    actions: Mapping[str, Verb] = {"throw": THROW}
    events: Mapping[str, Phrases] = {"last-round": phrase("{name} has reached the target. The round is played out.")}
    may_be_negative = frozenset({"turn", "last-turn"})  # three ones may take points away

    rules: SequenceRules

    @property
    def wanted_total(self) -> int:
        return self.rules.target

    def start(self, players: int) -> SequenceState:
        return SequenceState((0,) * players)

    def do_throw(self, state: SequenceState, action: Action) -> Outcome[SequenceState]:
        dice = read_throw(action["dice"], self.dice)
        player = state.player
        before = state.scores[player]
        if self.rules.three_ones_wipe and dice.count(1) >= 3:
            added = -before
            event = {"event": "wiped", "player": player, "lost": before}
        else:
            added = run_points(dice)
            event = {"event": "scored", "player": player, "dice": list(dice), "points": added}
        return self.start_next_turn(state, added, (event,))

    def start_next_turn(self, state: SequenceState, added: int, events: Events) -> Outcome[SequenceState]:
        player, scores = state.player, add_at(state.scores, state.player, added)
        following, seats, begins = state.seats.following(len(scores), player)
        before = self._has_been_reached(state)
        reached = self._has_been_reached(state._replace(scores=scores))
        after = SequenceState(
            scores,
            following,
            over=reached and begins if self.rules.finish_round else scores[player] >= self.rules.target,
            turns=state.turns + 1,
            ended=(player, added),
            adjusted=state.adjusted,
            seats=seats,
        )
        events += ({"event": "turn", "player": player, "points": added},)
        if self.rules.finish_round and reached and not before and not after.over:
            events += ({"event": "last-round", "player": player},)
        return after, (*events, self.game_over(after)) if after.over else events

    def _has_been_reached(self, state: SequenceState) -> bool:
        """Whether one of those who play has the target."""
        return any(state.scores[each] >= self.rules.target for each in state.seats.playing(len(state.scores)))

    # --- who plays, and when ---

    def with_player(self, state: SequenceState) -> SequenceState:
        return state._replace(scores=(*state.scores, 0))

    def pass_turn(self, state: SequenceState, player: int) -> Outcome[SequenceState] | None:
        following, seats, begins = state.seats.following(len(state.scores), player, other=True)
        if following == player:
            return None
        over = self.rules.finish_round and begins and self._has_been_reached(state)
        return state._replace(player=following, over=state.over or over, seats=seats), NO_EVENTS

    # --- what a person settles by hand ---

    def adjust_turn(self, state: SequenceState, action: Action) -> Outcome[SequenceState]:
        points = read_points(action)
        self.check_turn_of(state, action["player"])
        return self.start_next_turn(state, points, ())

    def with_score(self, state: SequenceState, player: int, more: int) -> SequenceState:
        scores = add_at(state.scores, player, more)
        before, after = state.scores[player] >= self.rules.target, scores[player] >= self.rules.target
        settled = state._replace(scores=scores)
        if before == after:
            return settled
        return settled._replace(over=self._has_been_reached(settled) and (state.over or not self.rules.finish_round))

    def legal(self, state: SequenceState) -> list[Entry]:
        return [{"do": "throw", "count": self.dice}]

    def turn(self, state: SequenceState) -> dict[str, Any]:
        return self.plain_turn(state, 0, 0 if state.over else self.dice, ())

    def family_rules(self) -> ShortRules:
        turn = [T("Throw all six dice once. The longest run that starts from 1 scores.")]
        if self.rules.three_ones_wipe:
            turn.append(T("A throw with three or more ones scores nothing and takes away all your points."))
        goal = [
            counted_text(
                "The first player with {count} point wins at once.",
                "The first player with {count} points wins at once.",
                self.rules.target,
            )
        ]
        if self.rules.finish_round:
            goal = [
                T(
                    "When someone reaches {target} points, the round is played out. The highest total wins.",
                    target=self.rules.target,
                )
            ]
        rows = [(Text(" ".join(map(str, range(1, high + 1)))), Text(str(points))) for high, points in RUNS.items()]
        return ShortRules.in_sections(
            self.title, goal, turn, [T("A throw without 1 or without 2 scores nothing.")], rows
        )


def run_points(dice: tuple[int, ...]) -> int:
    """Points of the longest run from 1 among the dice."""
    highest = 0
    for face in FACES:
        if face not in dice:
            break
        highest = face
    return RUNS.get(highest, 0)


GAME = GameKind(
    key="sequence",
    title=N_("Sequence"),
    summary=N_("One throw a turn: the longest run from 1 scores."),
    order=4,
    family=Sequence,
    rules_with=lambda settings: SequenceRules(**settings),
    options=(
        WholeNumber("target", 100, T("points that win the game"), 1, 1_000_000),
        Flag("three_ones_wipe", False, T("three or more ones in a throw take away all points")),
        Flag("finish_round", False, T("play the round out when someone reaches the target")),
    ),
)
