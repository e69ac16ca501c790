"""Ten-thousand games: play for the most points a turn.

These games have many turns, and no fixed number of them. So the worth of a state to a player compares him with the mean
of best play: his points, minus the mean of a turn for each turn that he has ended, plus what his running turn will
bring. The mean of one turn is added, so a new game is worth one turn. `race.py` has his chance to win.
"""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import Any

from scorer.actions import Action
from scorer.advice.chances.throws import column
from scorer.advice.solution import Choice, Progress, Solution, best_first
from scorer.advice.solution_files import read_table, write_table
from scorer.advice.ten_thousand.throw_arrays import throw_arrays_of
from scorer.advice.ten_thousand.turns import Turns, ends_of, mode_of, solve_turns
from scorer.ten_thousand import TenThousand, TenThousandState


class TenThousandSolution(Solution[TenThousand]):
    """The common part of playing for the most points a turn and to win (`race.py`)."""

    def choices(self, state: TenThousandState, player: int) -> list[Choice]:
        entries = [] if state.over or state.player != player else self.game.legal(state)
        if len(entries) == 1 and "count" in entries[0]:
            return []
        return best_first([Choice(to_record(entry), self._value(state, entry)) for entry in entries])

    @abstractmethod
    def _value(self, state: TenThousandState, entry: Action) -> float:
        """The worth of an entry of `legal` to the player who acts."""


class TurnSolution(TenThousandSolution):
    """The most points a turn. `value`: the mean of a turn in the long run."""

    against_mean = True

    def __init__(self, game: TenThousand, turns: Turns) -> None:
        self.game = game
        self.turns = turns
        self.exact = turns.exact
        self.value = turns.mean
        self.states = turns.worth.size

    def worth(self, state: TenThousandState, player: int) -> float:
        done = (state.turns - player + len(state.scores) - 1) // len(state.scores)
        before = state.scores[player] + self.value * (1 - done)
        if state.over or state.player != player:
            return before + float(self.turns.relative[self._mode(state, player)])
        return before + self._turn(state) - self.value

    def _value(self, state: TenThousandState, entry: Action) -> float:
        if entry["do"] == "throw":
            thrown = self.turns.value_of_throwing(
                state.points, column(self.game, state), self._mode(state, state.player)
            )
            return self.worth(state, state.player) - self._turn(state) + thrown
        return self.worth(self.game.apply(state, entry)[0], state.player)

    def _turn(self, state: TenThousandState) -> float:
        """The worth of the running turn, with h of its end."""
        mode = self._mode(state, state.player)
        if not state.waiting:
            return self.turns.value(state.points, column(self.game, state), mode)
        after = (self.game.apply(state, entry)[0] for entry in self.game.legal(state))
        return max(self.turns.value(each.points, column(self.game, each), mode) for each in after)

    def _mode(self, state: TenThousandState, player: int) -> int:
        mode = mode_of(self.game, state.banked[player], state.busts[player])
        return self.turns.ends.modes.index(mode)

    @classmethod
    def seconds(cls, game: TenThousand) -> float:
        return 0.5

    @classmethod
    def solve(cls, game: TenThousand, progress: Progress | None = None) -> TurnSolution:
        return cls(game, solve_turns(game))

    def save(self, path: Path) -> None:
        turns = self.turns
        arrays = {"relative": turns.relative, "worth": turns.worth, "slope": turns.slope, "level": turns.level}
        modes = [[mode.banked, mode.busts] for mode in turns.ends.modes]
        write_table(path, self.game, {"mean": turns.mean, "exact": turns.exact, "modes": modes}, arrays)

    @classmethod
    def load(cls, path: Path, game: TenThousand) -> TurnSolution:
        header, arrays = read_table(path, game)
        turns = Turns(throw_arrays_of(game), ends_of(game), mean=header["mean"], exact=header["exact"], **arrays)
        return cls(game, turns)


def to_record(entry: Action) -> dict[str, Any]:
    """An entry of `legal` as an action of a record; a throw has its count of dice."""
    return {name: entry[name] for name in ("do", "dice", "count") if name in entry}


SOLUTION = TurnSolution
