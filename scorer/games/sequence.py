"""Sequence: rules.md section 4."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from scorer.actions import FACES, Action, Entry, Event, read_throw
from scorer.game import Actions, Game
from scorer.options import Flag, WholeNumber
from scorer.texts import N_, Rules, Section, T, Text
from scorer.tuples import add

# Points of a run from 1 by its highest value.
RUNS = {2: 5, 3: 10, 4: 15, 5: 20, 6: 25}


class State(NamedTuple):
    scores: tuple[int, ...]
    player: int = 0
    over: bool = False


class Sequence(Game[State]):
    key = "sequence"
    title = N_("Sequence")
    order = 4
    dice = 6
    shows_turns = True
    actions: ClassVar[Actions] = {"throw": ("dice",)}
    options = (
        WholeNumber("target", 100, T("points that win the game"), 1, 1_000_000),
        Flag("three_ones_wipe", False, T("three or more ones in a throw take away all points")),
    )

    target: int
    three_ones_wipe: bool

    def start(self, players: int) -> State:
        return State((0,) * players)

    def is_over(self, state: State) -> bool:
        return state.over

    def to_act(self, state: State) -> list[int]:
        return [] if state.over else [state.player]

    def scores(self, state: State) -> list[int]:
        return list(state.scores)

    def do_throw(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        dice = read_throw(action["dice"], self.dice)
        player = state.player
        before = state.scores[player]
        if self.three_ones_wipe and dice.count(1) >= 3:
            added = -before
            event = {"event": "wiped", "player": player, "lost": before}
        else:
            added = run_points(dice)
            event = {"event": "scored", "player": player, "dice": list(dice), "points": added}
        scores = add(state.scores, player, added)
        after = State(scores, (player + 1) % len(scores), over=scores[player] >= self.target)
        turn = {"event": "turn", "player": player, "points": added}
        return after, (event, turn, self.game_over(after)) if after.over else (event, turn)

    def legal(self, state: State) -> list[Entry]:
        return [{"do": "throw", "count": self.dice}]

    def turn(self, state: State) -> dict[str, Any]:
        count = 0 if state.over else self.dice
        return {
            "player": None if state.over else state.player,
            "points": 0,
            "dice_left": count,
            "expects": count,
            "throw": [],
        }

    def rules(self) -> Rules:
        turn = [T("Throw all six dice once. The longest run that starts from 1 scores.")]
        if self.three_ones_wipe:
            turn.append(T("A throw with three or more ones scores nothing and takes away all your points."))
        return Rules(
            self.title,
            (
                Section(T("Goal"), (T("The first player with {target} points wins at once.", target=self.target),)),
                Section(T("Turn"), tuple(turn)),
                Section(
                    T("Points"),
                    (T("A throw without 1 or without 2 scores nothing."),),
                    tuple(
                        (Text(" ".join(map(str, range(1, highest + 1)))), Text(str(points)))
                        for highest, points in RUNS.items()
                    ),
                ),
            ),
        )


def run_points(dice: tuple[int, ...]) -> int:
    """Points of the longest run from 1 among the dice."""
    highest = 0
    for face in FACES:
        if face not in dice:
            break
        highest = face
    return RUNS.get(highest, 0)


GAME = Sequence
