"""Races whose turns depend on what the target lacks: the fewest turns to it, whatever the other players do.

These are races that only just the target wins, and those in which some dice win at once. T(M) is the mean number of
turns that a player needs who lacks M points. Within a turn with P points and n dice left,

    V(P, n) = min(T(M - P) if it may be banked, sum over throws of P(throw) · the least V(P + gain, n') of its offers),

a throw without an offer leads to T(M), one that wins to 0, and T(M) = 1 + V(0, all dice). If only just the target
wins, no offer may pass it. Iteration finds T from below. Points are counted in steps, of which all are multiples.
"""

from __future__ import annotations

from functools import lru_cache
from math import gcd
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np

from scorer.actions import Action
from scorer.advice.chances.throws import (
    Offers,
    bankable_rows,
    best_chance,
    column,
    dice_of,
    offers_of_throw,
    resting_state,
    throws_in_steps,
)
from scorer.advice.dice import all_throws
from scorer.advice.multisets import Floats, Whole
from scorer.advice.solution import TURNS, Progress, WrongTable
from scorer.advice.solution_files import read_table, write_table
from scorer.advice.ten_thousand.points import TenThousandSolution
from scorer.advice.ten_thousand.throw_arrays import ThrowArrays
from scorer.advice.ten_thousand.turns import Bankable
from scorer.ten_thousand import TenThousand, TenThousandState

CLOSE = 1e-7  # turns: an iteration ends at smaller changes
CACHED = 8  # solved turns


class Lacking(NamedTuple):
    """A race by what players lack. `throws`: without those that win at once. `bankable`: [row of steps, column], of a
    player who has banked, and of one who has not. `safest`: by column, the best chance to bank at all.
    """

    throws: ThrowArrays
    bankable: tuple[Bankable, Bankable]
    goal: int
    exact: bool
    safest: Floats

    def turn(self, lacks: Whole, banked: Bankable, worth: Floats) -> Floats:
        """V for turns of players who lack so many steps, [row, column, player], as minus the turns still needed.
        `banked`: whether each has banked a turn. `worth`: minus T, by the steps that are lacking.
        """
        throws = self.throws
        most = int(throws.gain.max())
        rows = self.goal + 1 if self.exact else self.goal + len(self.bankable[0])
        bust = worth[lacks]
        values = np.full((rows + most + 1, throws.columns, len(lacks)), -np.inf)
        if not self.exact:
            values[rows:] = (1 - self.safest)[:, None] * bust
        for row in range(rows - 1, -1, -1):
            thrown = self.worth_of_throwing(values, row, lacks, bust)
            values[row, : throws.confirm] = thrown
            values[row, throws.confirm] = thrown[throws.start]
            may = [each[min(row, len(each) - 1)][:, None] for each in self.bankable]
            ends = np.where(np.where(banked, may[0], may[1]), worth[np.maximum(lacks - row, 0)], -np.inf)
            np.maximum(values[row], ends, out=values[row])
            if self.exact:  # just the target may be banked, however few points and dice that takes
                values[row][:, lacks == row] = 0.0
                values[row][:, lacks < row] = -np.inf
        return values

    def worth_of_throwing(self, values: Floats, row: int, lacks: Whole, bust: Floats) -> Floats:
        """The worth of a throw of each count of dice, [dice, player], with so many steps in the turn."""
        throws = self.throws
        gain, place = throws.different
        offered = values[np.minimum(row + gain, len(values) - 1), place]
        if self.exact:  # dice that are worth the whole target fill up what is lacking
            offered[gain >= self.goal] = np.where(lacks > row, 0.0, -np.inf)
        best = np.take(offered, throws.ranks[0], axis=0)
        for places in throws.ranks[1:]:
            some = best[: len(places)]
            np.maximum(some, np.take(offered, places, axis=0), out=some)
        best = np.where(np.isneginf(best), bust, best)
        found: Floats = throws.chance @ best + throws.bust[:, None] * bust
        return found


def lacking(game: TenThousand) -> Lacking:
    found: list[dict[Offers, int]] = []
    for count in range(1, game.dice + 1):
        ways: dict[Offers, int] = {}
        for dice, number in all_throws(count):
            after, _ = game.apply(resting_state(game, count - 1, 0), {"do": "throw", "dice": dice})
            if after.winner < 0:  # else it needs no turn more, which adds nothing to a mean
                offers = offers_of_throw(game, dice)
                ways[offers] = ways.get(offers, 0) + number
        found.append(ways)
    step = gcd(game.rules.target, *(gain for ways in found for offers in ways for gain, _ in offers))
    throws = ThrowArrays(throws_in_steps(step, found))
    banked, unbanked = (np.array(bankable_rows(game, step, each)) for each in (True, False))
    safest = np.array(best_chance(throws, banked[-1].tolist()))
    exact = game.rules.end == "exact"
    return Lacking(throws, (banked, unbanked), game.rules.target // step, exact, safest)


class RaceTurns(TenThousandSolution):
    """`needed`: T by the steps that a player lacks, who has banked a turn unless he lacks all."""

    unit: ClassVar[str] = TURNS
    exact = True

    def __init__(self, game: TenThousand, race: Lacking, needed: Floats) -> None:
        self.game, self.race, self.needed = game, race, needed
        self.states = race.goal**2 * race.throws.columns
        self._values = lru_cache(CACHED)(self._solve_turn)
        self.value = self.worth(game.start(1), 0)

    def worth(self, state: TenThousandState, player: int) -> float:
        had = self.turns_had(state, player)
        if state.over and (state.winner == player or self._lacks(state, player) == 0):
            return -float(had)
        if state.over or player != state.player:
            return -had - float(self.needed[self._lacks(state, player)])
        return -had - 1 + self._acting(state)

    def turns_had(self, state: TenThousandState, player: int) -> int:
        """How many turns a player has ended."""
        return (state.turns - player + len(state.scores) - 1) // len(state.scores)

    def _acting(self, state: TenThousandState) -> float:
        if not state.waiting:
            return self._throwing(state) if state.aside is None else self._resting(state)
        return max(self._resting(self.game.apply(state, entry)[0]) for entry in self.game.legal(state))

    def _value(self, state: TenThousandState, entry: Action) -> float:
        before = -self.turns_had(state, state.player) - 1
        if entry["do"] == "throw":
            return before + self._throwing(state)
        after = self.game.apply(state, entry)[0]
        return self.worth(after, state.player) if entry["do"] == "bank" else before + self._resting(after)

    def _resting(self, state: TenThousandState) -> float:
        return float(self._turn(state)[self._row(state), column(self.game, state), 0])

    def _throwing(self, state: TenThousandState) -> float:
        lacks = np.array([self._lacks(state, state.player)])
        thrown = self.race.worth_of_throwing(self._turn(state), self._row(state), lacks, -self.needed[lacks])
        return float(thrown[dice_of(column(self.game, state), self.game.dice) - 1, 0])

    def _row(self, state: TenThousandState) -> int:
        return state.points // self.race.throws.step

    def _turn(self, state: TenThousandState) -> Floats:
        return self._values(self._lacks(state, state.player), state.banked[state.player])

    def _solve_turn(self, lacks: int, banked: bool) -> Floats:
        return self.race.turn(np.array([lacks]), np.array([banked]), -self.needed)

    def _lacks(self, state: TenThousandState, player: int) -> int:
        missing = self.game.rules.target - state.scores[player]
        return min(max(0, -(-missing // self.race.throws.step)), self.race.goal)

    @classmethod
    def seconds(cls, game: TenThousand) -> float:
        return 10.0

    @classmethod
    def solve(cls, game: TenThousand, progress: Progress | None = None) -> RaceTurns:
        race = lacking(game)
        lacks = np.arange(1, race.goal + 1)
        needed = np.zeros(race.goal + 1)
        begun = 1.0
        while True:
            values = race.turn(lacks, lacks < race.goal, -needed)
            thrown = race.worth_of_throwing(values, 0, lacks, -needed[lacks])
            change = float(np.abs(1 - thrown[-1] - needed[1:]).max())
            needed[1:] = 1 - thrown[-1]
            begun = max(begun, change)
            if progress is not None:
                progress(min(1.0, max(0.0, np.log(change / begun) / np.log(CLOSE / begun))))
            if change < CLOSE:
                return cls(game, race, needed)

    def save(self, path: Path) -> None:
        write_table(path, self.game, {"unit": TURNS}, {"needed": self.needed})

    @classmethod
    def load(cls, path: Path, game: TenThousand) -> RaceTurns:
        _, arrays = read_table(path, game)
        race = lacking(game)
        if arrays.get("needed", np.zeros(0)).shape != (race.goal + 1,):
            raise WrongTable(f"{path} is no table of a race to {race.goal} steps")
        return cls(game, race, arrays["needed"])


SOLUTION = RaceTurns
