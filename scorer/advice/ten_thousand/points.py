"""Games in which a turn is banked or lost: the odds, and the play that brings the most points a turn.

A turn in such a game is one of very many, and a game has no fixed number of them. So what a state is worth to a player
is what he has more than the mean of best play would have given him: his points, less the mean of a turn for each turn
that he has ended, and, within his turn, what that will bring; to which the mean of one turn is added, so that a new
game is worth what one turn is. `scorer/advice/ten_thousand/race.py` says how likely it is that he wins.
"""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from pathlib import Path
from typing import Any

from scorer.actions import Action
from scorer.advice.solution import Choice, Progress, Solution, best_first, read_table, write_table
from scorer.advice.ten_thousand.reach_probability import reach_probability
from scorer.advice.ten_thousand.throws import chance_of, column, dice_of, throws_of
from scorer.advice.ten_thousand.turns import Turns, ends_of, mode_of, solve_turns
from scorer.ten_thousand import TenThousand, TenThousandState

LONGEST = 20  # steps: for more than these the chance to reach them is not worked out


class TenThousandSolution(Solution[TenThousand]):
    """What the two ways of playing have in common: for the most points a turn, and to win (`race.py`)."""

    def choices(self, state: TenThousandState, player: int) -> list[Choice]:
        entries = [] if state.over or state.player != player else self.game.legal(state)
        if len(entries) == 1 and "count" in entries[0]:
            return []
        return best_first([Choice(to_record(entry), self._value(state, entry)) for entry in entries])

    @abstractmethod
    def _value(self, state: TenThousandState, entry: Action) -> float:
        """What an entry of `legal` is worth to the player who acts."""

    @staticmethod
    def odds(game: TenThousand, state: TenThousandState, player: int, action: Action) -> dict[str, Fraction]:
        """The chances if `action` is done and the dice are thrown on: `bust` and `score` with the next throw, and the
        best chances to come in this turn to where it may be banked, `bank`, and to the target with it, `target`.

        A set-aside after which the turn may be banked has come there: 1. {} for banking. The two best chances are those
        of a player who wants nothing else; they are left out where a turn needs more than 20 steps (of 50 points).
        `action`: an entry of `legal`, or as in a record.
        """
        if action["do"] == "bank" or (state.waiting and action["do"] == "throw"):
            return {}
        after = state if action["do"] == "throw" else game.apply(state, action)[0]
        place = column(after)
        count = dice_of(place)
        throws = throws_of(game)
        bust = chance_of(throws.ways[count - 1].get((), 0), count)
        told = {"bust": bust, "score": 1 - bust}
        banked = state.banked[player]
        least = max(game.minimum, 0 if banked else game.opening)
        for name, needed in (("bank", least), ("target", game.target - state.scores[player])):
            needed = max(needed, least)
            if max(game.minimum, game.opening, needed) <= LONGEST * throws.step:
                told[name] = reach_probability(game, banked, needed, after.points, place, action["do"] == "throw")
        return told


class TurnSolution(TenThousandSolution):
    """The most points a turn. `value`: the mean of a turn in the long run."""

    quick = True  # in less time than a file would take

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
            thrown = self.turns.value_of_throwing(state.points, column(state), self._mode(state, state.player))
            return self.worth(state, state.player) - self._turn(state) + thrown
        return self.worth(self.game.apply(state, entry)[0], state.player)

    def _turn(self, state: TenThousandState) -> float:
        """What the running turn brings, and what it leaves behind."""
        mode = self._mode(state, state.player)
        if not state.waiting:
            return self.turns.value(state.points, column(state), mode)
        after = (self.game.apply(state, entry)[0] for entry in self.game.legal(state))
        return max(self.turns.value(each.points, column(each), mode) for each in after)

    def _mode(self, state: TenThousandState, player: int) -> int:
        mode = mode_of(self.game, state.banked[player], state.busts[player])
        return self.turns.ends.modes.index(mode)

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
        turns = Turns(throws_of(game), ends_of(game), mean=header["mean"], exact=header["exact"], **arrays)
        return cls(game, turns)


def to_record(entry: Action) -> dict[str, Any]:
    """An entry of `legal` as it would stand in a record; of a throw, the count of dice."""
    return {name: entry[name] for name in ("do", "dice", "count") if name in entry}


SOLUTION = TurnSolution
