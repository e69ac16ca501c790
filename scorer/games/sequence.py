"""Sequence: docs/rules.md section 4."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scorer.actions import FACES, Action, Entry, read_throw
from scorer.game import GameKind, Outcome
from scorer.options import Flag, WholeNumber
from scorer.races import RaceGame
from scorer.seats import Seats
from scorer.sentences import THROW, Verb
from scorer.texts import N_, ShortRules, T, Text

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
    throw: tuple[int, ...] = ()  # a turn ends with its throw
    last: int = -1  # as of any race
    extra: bool = False


@dataclass(frozen=True)
class SequenceRules:
    """The options of the same names."""

    target: int
    three_ones_wipe: bool
    finish_round: bool


class Sequence(RaceGame[SequenceState]):
    dice = 6
    actions: Mapping[str, Verb] = {"throw": THROW}
    may_be_negative = frozenset({"turn", "last-turn"})  # three ones may take points away

    rules: SequenceRules

    @property
    def wanted_total(self) -> int:
        return self.rules.target

    @property
    def end(self) -> str:
        return "finish-round" if self.rules.finish_round else "at-once"

    @property
    def reopened_ends_again(self) -> bool:
        return self.rules.finish_round

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

    def new_turn(self, state: SequenceState, player: int, seats: Seats) -> SequenceState:
        return state._replace(player=player, seats=seats)

    def legal(self, state: SequenceState) -> list[Entry]:
        return [{"do": "throw", "count": self.dice}]

    def turn(self, state: SequenceState) -> dict[str, Any]:
        return self.plain_turn(state, 0, 0 if state.over else self.dice, ())

    def family_rules(self) -> ShortRules:
        turn = [T("Throw all six dice once. The longest run that starts from 1 scores.")]
        if self.rules.three_ones_wipe:
            turn.append(T("A throw with three or more ones scores nothing and takes away all your points."))
        rows = [(Text(" ".join(map(str, range(1, high + 1)))), Text(str(points))) for high, points in RUNS.items()]
        return ShortRules.in_sections(
            self.title, [self.ending_rule()], turn, [T("A throw without 1 or without 2 scores nothing.")], rows
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
