"""Counters whose turns may be banked, with a target: the chance of each of two players to win.

W(i, j) is the chance of the player about to play, with i points against j. It is V(0) of a turn of which banking P is
worth 1 - W(j, i + P), a bust 1 - W(j, i), and the loss of all points 1 - W(j, 0). Iteration finds W. This is the
method of T. Neller and C. Presser, "Optimal Play of the Dice Game Pig", 2004.

Banking the target wins, or gives the other one more turn; L(lead) is his chance to pass a lead then, equal points being
half a win. If the round is played out, only the rounds' second player has that turn. Then W differs by who begins.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import numpy as np

from scorer.advice.counter.banked_turn import (
    BankSolution,
    BankThrow,
    TurnEnds,
    throw_of,
    turn_values,
)
from scorer.advice.multisets import Floats
from scorer.advice.solution import WIN, Progress, WrongTable
from scorer.advice.solution_files import read_table, write_table
from scorer.counter import CounterGame, CounterState

CLOSE = 1e-8  # chances: an iteration ends at smaller changes
SAFE = 1e-3  # of a lead that the other passes with a smaller chance, a player banks at once


class CounterRace(BankSolution):
    """`chance[role, i, j]`: W, with role 0 for the player who begins the rounds, if that matters. `value`: the chance
    of the player who begins.
    """

    unit: ClassVar[str] = WIN
    exact = True

    def __init__(self, game: CounterGame, chance: Floats, last: Floats) -> None:
        super().__init__(game)
        self.chance = chance
        self.last = last
        self.states = chance.size * self.throw.goal
        self.value = self.worth(game.start(2), 0)

    def worth(self, state: CounterState, player: int) -> float:
        if state.over:
            winners = self.game.winners(state, self.game.places(state, self.game.scores(state)))
            return (player in winners) / len(winners)
        own = self.acting(state)
        return own if player == state.player else 1 - own

    def ends(self, state: CounterState) -> TurnEnds:
        player, goal = state.player, self.throw.goal
        own, other = (self.place(state.scores[each]) for each in (player, 1 - player))
        if other >= goal:  # the last turn
            return _ends_of_last_turn(other - own)
        role = player % len(self.chance)
        own = min(own, goal - 1)
        bank = _chance_of_banking(self.chance, self.last, role)[own:, other]
        return TurnEnds(tuple(bank.tolist()), float(bank[0]), float(1 - self.chance[role - 1, other, 0]))

    @classmethod
    def seconds(cls, game: CounterGame) -> float:
        return (throw_of(game).goal / 100) ** 3 * (1 if game.rules.end == "at-once" else 4)

    @classmethod
    def solve(cls, game: CounterGame, progress: Progress | None = None) -> CounterRace:
        throw = throw_of(game)
        last = np.zeros(0) if game.rules.end == "at-once" else last_turns(throw)
        roles = 2 if game.rules.end == "finish-round" else 1
        return cls(game, race_of(throw, last, roles, progress), last)

    def save(self, path: Path) -> None:
        write_table(path, self.game, {"unit": WIN}, {"chance": self.chance.astype(np.float32), "last": self.last})

    @classmethod
    def load(cls, path: Path, game: CounterGame) -> CounterRace:
        _, arrays = read_table(path, game)
        found, goal = arrays.get("chance", np.zeros(0)), throw_of(game).goal
        if found.shape[1:] != (goal, goal) or "last" not in arrays:
            raise WrongTable(f"{path} is no table of a race to {goal} steps")
        return cls(game, found.astype(np.float64), arrays["last"])


def _ends_of_last_turn(lead: int) -> TurnEnds:
    bank = [0.0] * lead + [0.5] * (lead >= 0) + [1.0]
    return TurnEnds(tuple(bank), 0.0, 0.0)


def last_turns(throw: BankThrow) -> Floats:
    """L, by the lead, up to one beyond the goal from which a player banks at once."""
    found: list[float] = []
    while not found or found[max(0, len(found) - 1 - throw.goal)] > SAFE:
        ends = _ends_of_last_turn(len(found))
        found.append(float(turn_values(throw, np.array(ends.bank), 0.0, 0.0).thrown[0]))
    return np.array(found)


def race_of(throw: BankThrow, last: Floats, roles: int, progress: Progress | None = None) -> Floats:
    """W, with `last` of `last_turns` if a turn follows the target; else that is empty."""
    goal = throw.goal
    chance = np.full((roles, goal, goal), 0.5)
    begun = 1.0
    while True:
        change = 0.0
        for role in range(roles):
            banked = _chance_of_banking(chance, last, role)
            after = np.minimum(np.arange(len(banked))[:, None] + np.arange(goal), len(banked) - 1)
            bust, wiped = banked[:goal], 1 - chance[role - 1, :, 0]
            following = turn_values(throw, banked[after], bust, wiped).thrown[0]
            change = max(change, float(np.abs(following - chance[role]).max()))
            chance[role] = following
        begun = max(begun, change)
        if progress is not None:
            progress(min(1.0, max(0.0, np.log(change / begun) / np.log(CLOSE))))
        if change < CLOSE:
            return chance


def _chance_of_banking(chance: Floats, last: Floats, role: int) -> Floats:
    """[total, other's points]: the chance of a player who has banked this total; the last row for all greater ones."""
    goal = chance.shape[1]
    after = 1 - chance[role - 1].T
    if not len(last) or role == 1:
        return np.vstack([after, np.ones(goal)])
    leads = np.arange(goal, len(last))[:, None] - np.arange(goal)
    return np.vstack([after, 1 - last[leads]])


SOLUTION = CounterRace
