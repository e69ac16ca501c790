"""Figures (Drápky): a policy for the whole game.

Every turn gives the same number of throws, and unused ones are saved. So the policy counts throws. It uses M(S), the
mean number of throws for the open figures S if a player may throw on without end:

    X(dice) = min(M(S less one that they show), 1 + min over keeps of the mean of X after the throw),
    M(S) = 1 + the mean of X after a throw of all six dice.

M is a lower bound: in the game a turn ends without throws left, and a player may write only one figure a turn. J
estimates the turns for n open figures and some saved throws: n, or a third of the missing throws if that is more, and
a little more than both if they are close. Choices within a turn are the best for its throws left, if the rest of the
game takes J turns. docs/advice-games.md has measurements.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import exp, log1p
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from scorer.actions import FACES, Action
from scorer.advice.chances.drapky_odds import COUNT, KEYS, Exact, figures_shown
from scorer.advice.dice import Dice, keeps_of
from scorer.advice.multisets import Floats, MultisetArrays, N, Whole
from scorer.advice.solution import TURNS, Choice, Progress, Solution, WrongTable, best_first
from scorer.advice.solution_files import read_table, write_table
from scorer.games.drapky import THROWS, Drapky, DrapkyState

CLOSE = 1e-7  # throws: an iteration ends at smaller changes
TOGETHER = 512  # sets of figures solved at once
CACHED = 32  # solved turns

SIX = MultisetArrays(COUNT)
PLACE, FIRST, ROLLS = SIX.place, SIX.first, SIX.complete
ALL = (1 << len(KEYS)) - 1  # sets of figures are bits of a number


def before_throw(rolled: Floats) -> Floats:
    """The worth of each multiset of kept dice before the others are thrown, given that of complete dice: (924, ...)."""
    worth = np.empty((len(SIX.rows), *rolled.shape[1:]), dtype=rolled.dtype)
    worth[FIRST:] = rolled
    for level in SIX.levels[-2::-1]:
        total = worth[level.more[0]]
        for following in level.more[1:]:
            total = total + worth[following]
        worth[level.rows] = total / len(FACES)
    return worth


def best_keep(worth: npt.NDArray[N]) -> npt.NDArray[N]:
    """The best worth of complete dice after a keep of none to all but one: shape (462, ...)."""
    return SIX.best(worth, may_keep_all=False)


def shown_figures(exact: Exact) -> npt.NDArray[np.bool_]:
    """Which figures complete dice show: shape (462, 14)."""
    return np.array(figures_shown(exact))


def throws_needed(exact: Exact, sets: Iterable[int] = range(ALL + 1), progress: Progress | None = None) -> Floats:
    """M of each set of open figures, as an array by set. `sets` has all subsets of its sets too."""
    needed = np.full(ALL + 1, np.nan)
    needed[0] = 0.0
    layers: dict[int, list[int]] = {}
    for each in sets:
        layers.setdefault(each.bit_count(), []).append(each)
    total, done = sum(map(len, layers.values())), 0
    for size in sorted(layers):
        for first in range(0, len(layers[size]) if size else 0, TOGETHER):
            some = np.array(layers[size][first : first + TOGETHER])
            needed[some] = _solve_sets(exact, some, needed)
            done += len(some)
            if progress is not None:
                progress(done / total)
    return needed


def _solve_sets(exact: Exact, sets: Whole, needed: Floats) -> Floats:
    """M of sets of one size, given M of all smaller sets, by iteration of X."""
    written = -after_writing(exact, sets, needed)
    rolled = np.maximum(written, -200.0)
    start = before_throw(rolled)[0] - 1
    while True:
        rolled = np.maximum(written, best_keep(before_throw(rolled)) - 1)
        following = before_throw(rolled)[0] - 1
        if np.abs(following - start).max() < CLOSE:
            found: Floats = -following
            return found
        start = following


def after_writing(exact: Exact, sets: Whole, needed: Floats) -> Floats:
    """The least M after writing an open figure that complete dice show: shape (462, sets)."""
    found = np.full((len(ROLLS), len(sets)), np.inf)
    for figure in range(len(KEYS)):
        open_ = (sets >> figure & 1).astype(bool)
        rolls = shown_figures(exact)[:, figure]
        left = np.where(open_, needed[sets & ~(1 << figure)], np.inf)
        found[rolls] = np.minimum(found[rolls], left)
    return found


class FiguresSolution(Solution[Drapky]):
    """`worth`: minus the turns that a player has ended and will still need for all figures, estimated by J."""

    unit: ClassVar[str] = TURNS

    def __init__(self, game: Drapky, needed: Floats) -> None:
        self.game = game
        self.needed = needed
        self.exact = False
        self.states = len(needed)
        self._begun = lru_cache(CACHED)(lambda open_: list[Floats]())
        self.value = self.worth(game.start(1), 0)

    def worth(self, state: DrapkyState, player: int) -> float:
        open_ = self._open(state, player)
        done = self.turns_had(state, player)
        if state.over or state.player != player:
            return -done - self.turns(open_, state.saved[player])
        hand = state.hand
        if hand.dice:
            value = float(self._turn(open_, hand.throws_left)[hand.throws_left][PLACE[hand.dice] - FIRST])
        else:
            value = self._value_before_throw(open_, hand.kept or (), hand.throws_left)
            if hand.kept is None:
                value = max(value, -self.turns(open_, hand.throws_left))
        return value - done - 1

    def choices(self, state: DrapkyState, player: int) -> list[Choice]:
        if state.over or state.player != player:
            return []
        found = [choice for entry in self.game.legal(state) for choice in self._choices(state, player, entry)]
        return best_first(found) if len(found) > 1 else []

    def _choices(self, state: DrapkyState, player: int, entry: Action) -> list[Choice]:
        open_, left = self._open(state, player), state.hand.throws_left
        begun = self.turns_had(state, player) + 1
        if entry["do"] == "score":
            rest = open_ & ~(1 << KEYS.index(entry["category"]))
            return [Choice({"do": "score", "category": entry["category"]}, -self.turns(rest, left) - begun)]
        if entry["do"] == "pass":
            return [Choice({"do": "pass"}, -self.turns(open_, left) - begun)]
        if entry["do"] == "throw":
            value = self._value_before_throw(open_, state.hand.kept or (), left)
            return [Choice({"do": "throw", "count": entry["count"]}, value - begun)]
        before = before_throw(self._turn(open_, left)[left - 1])
        return [
            Choice({"do": "keep", "dice": list(dice)}, float(before[PLACE[dice]]) - begun)
            for dice in sorted(keeps_of(state.hand.dice), key=len)
        ]

    def turns_had(self, state: DrapkyState, player: int) -> int:
        """How many turns a player has ended."""
        return (state.turns - player + len(state.saved) - 1) // len(state.saved)

    def turns(self, open_: int, saved: int) -> float:
        """J: estimated turns for the open figures with so many throws saved."""
        figures = open_.bit_count()
        if not figures:
            return 0.0
        wanting = (float(self.needed[open_]) - saved) / THROWS
        return figures + log1p(exp(min(wanting - figures, 50.0)))

    def _value_before_throw(self, open_: int, kept: Dice, throws_left: int) -> float:
        """Minus the turns still needed after this one, before a throw with these dice kept."""
        return float(before_throw(self._turn(open_, throws_left)[throws_left - 1])[PLACE[kept]])

    def _turn(self, open_: int, throws_left: int) -> list[Floats]:
        """Minus the turns still needed after this one, for complete dice, by the throws left: 0, 1, 2..."""
        turn = self._begun(open_)  # the part that is solved already
        for left in range(len(turn), throws_left + 1):
            ended = np.maximum(self._value_after_writing(open_, left), -self.turns(open_, left))
            turn.append(np.maximum(ended, best_keep(before_throw(turn[-1]))) if left else ended)
        return turn

    def _value_after_writing(self, open_: int, left: int) -> Floats:
        """Minus the turns still needed after writing the best figure that complete dice show."""
        found = np.full(len(ROLLS), -np.inf)
        for figure in range(len(KEYS)):
            if open_ >> figure & 1:
                rolls = shown_figures(self.game.rules.exact)[:, figure]
                found[rolls] = np.maximum(found[rolls], -self.turns(open_ & ~(1 << figure), left))
        return found

    def _open(self, state: DrapkyState, player: int) -> int:
        held = state.figures[player]
        return sum(1 << place for place, key in enumerate(KEYS) if key not in held)

    @classmethod
    def solve(cls, game: Drapky, progress: Progress | None = None) -> FiguresSolution:
        """Solves all sets of figures in a minute or two."""
        return cls(game, throws_needed(game.rules.exact, progress=progress))

    def save(self, path: Path) -> None:
        write_table(path, self.game, {}, {"needed": self.needed.astype(np.float32)})

    @classmethod
    def load(cls, path: Path, game: Drapky) -> FiguresSolution:
        _, arrays = read_table(path, game)
        if arrays.get("needed", np.zeros(0)).shape != (ALL + 1,):
            raise WrongTable(f"{path} is no table of figures")
        return cls(game, arrays["needed"].astype(np.float64))


SOLUTION = FiguresSolution
