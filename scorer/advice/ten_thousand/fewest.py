"""Races whose turns depend on what the target lacks: the fewest turns to it, whatever the other players do.

These are races whose turns are not worth the same at every total, or whose points may multiply, must be confirmed or
are lost. T(M) is the mean number of turns that a player needs who lacks M points. Within a turn with P points and what
it holds beside them, a column c,

    V(P, c) = min(T(M - P) if it may be banked, sum over throws of P(throw) · the least V(P + gain, c') of its offers),

a throw without an offer leads to T(M), one that takes points away to T of what is lacking then, one that wins to 0, and
T(M) = 1 + V(0, all dice). If only just the target wins, no offer may pass it. Iteration finds T. Points are counted in
steps, of which all are multiples.

Once somebody else has reached the target, a player lacks what he needs to have more, and nothing is worth banking that
brings less: that is a good way to win, not the best one if others still play. So it is if turns may be taken over: T
leaves that out.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np

from scorer.actions import Action
from scorer.advice.multisets import Floats, Whole
from scorer.advice.solution import TURNS, Progress, WrongTable
from scorer.advice.solution_files import read_table, write_table
from scorer.advice.solvable import work_of_turns
from scorer.advice.ten_thousand.points import TenThousandSolution
from scorer.advice.ten_thousand.turn_arrays import Lost, TurnArrays, turn_arrays
from scorer.advice.ten_thousand.turn_columns import column_of
from scorer.races import AT_ONCE, ROUND_THEN_TURN
from scorer.ten_thousand import TenThousand, TenThousandState

CLOSE = 1e-7  # turns: an iteration ends at smaller changes
CACHED = 8  # solved turns
TOGETHER = 20  # players by what they lack, whose turns are solved at once
SECONDS = 0.005  # of one core for the root of the work
STEADY = 0.05  # a change of a factor that is so small, of what it lacks to 1, lets what follows be foreseen


class RacePlayer(NamedTuple):
    """`lacks`: steps to the target. `banked`: whether he has banked a turn. `last`: whether this is his last turn."""

    lacks: int
    banked: bool = True
    last: bool = False


class Changes:
    """The changes of an iteration, which in the end fall by the same factor again and again."""

    def __init__(self) -> None:
        self._greatest = self._factor = 0.0

    def follow(self, found: Floats, change: Floats) -> bool:
        """Whether the iteration must go on after this change. If its factor is known, all that would follow is added to
        `found` at once."""
        greatest = float(np.abs(change).max())
        if greatest < CLOSE:
            return False
        before, self._factor = self._factor, greatest / self._greatest if self._greatest else 0.0
        self._greatest = greatest
        if before and self._factor < 1 and abs(self._factor - before) < STEADY * (1 - self._factor):
            found += change * self._factor / (1 - self._factor)
            self._greatest = self._factor = 0.0
        return True


class RaceTurns(TenThousandSolution):
    """`needed`: T of players who have banked a turn, by the steps that they lack."""

    unit: ClassVar[str] = TURNS

    def __init__(self, game: TenThousand, race: TurnArrays, needed: Floats) -> None:
        self.game, self.race, self.needed = game, race, needed
        self.exact = game.end in AT_ONCE and not game.rules.take_over
        self.states = race.goal**2 * len(race.columns)
        self._values = lru_cache(CACHED)(self._solve_turn)
        self._needed_first = lru_cache(CACHED)(self._solve_first)
        self.value = self.worth(game.start(1), 0)

    def worth(self, state: TenThousandState, player: int) -> float:
        had = self.turns_had(state, player)
        if state.over and player in self.game.winners(state, self.game.places(state, self.game.scores(state))):
            return -float(had)
        if state.over or player != state.player:
            return -had - self._turns_needed(self._player(state, player))
        return -had - 1 + self._acting(state)

    def turns_had(self, state: TenThousandState, player: int) -> int:
        """How many turns a player has ended."""
        return (state.turns - player + len(state.scores) - 1) // len(state.scores)

    def _acting(self, state: TenThousandState) -> float:
        """Minus the turns that the player to act needs after this one."""
        return max(self._worth_after(state, entry) for entry in self.game.legal(state))

    def _value(self, state: TenThousandState, entry: Action) -> float:
        return -self.turns_had(state, state.player) - 1 + self._worth_after(state, entry)

    def _worth_after(self, state: TenThousandState, entry: Action) -> float:
        """The same after one of his choices."""
        if entry["do"] == "throw":
            return self._throwing(state)
        after = self.game.apply(state, entry)[0]
        if after.turns > state.turns:
            return self._worth_of_end(state, after)
        if after.aside is None:  # taken over
            return self._throwing(after)
        values = self._values(self._player(state, state.player))
        return float(values[self._row(after, values), self.race.place(column_of(after)), 0])

    def _worth_of_end(self, before: TenThousandState, after: TenThousandState) -> float:
        """That of a turn which has ended."""
        player, was = before.player, self._player(before, before.player)
        now = self._player(after, player)
        if was.last and now.lacks > 0:  # a last turn that brings too little is worth no more than a bust
            return -self._turns_needed(was) / (2 if now.lacks == 1 else 1)
        return self.worth(after, player) + self.turns_had(before, player) + 1

    def _throwing(self, state: TenThousandState) -> float:
        player = self._player(state, state.player)
        lacks, lost = np.array([player.lacks]), self._worth_of_losses(player)
        values = self._values(player)
        thrown = self.race.worth_of_throwing(values, self._row(state, values), lacks, lost)
        return float(thrown[self.race.place(column_of(state)), 0])

    def _row(self, state: TenThousandState, values: Floats) -> int:
        return min(state.points // self.race.step, len(values) - 1)

    def _player(self, state: TenThousandState, player: int) -> RacePlayer:
        """What a player lacks for the target; or for more than others have, if they have reached it before him."""
        aim, scores, reached = self.game.rules.target, state.scores, state.last
        last = reached >= 0 and self.game.end not in AT_ONCE
        if last and reached != player:
            aim = max(aim, *(score + self.race.step for each, score in enumerate(scores) if each != player))
        lacks = max(0, -(-(aim - scores[player]) // self.race.step))
        no_more = last and (state.extra or self.game.end != ROUND_THEN_TURN)
        return RacePlayer(lacks if no_more else min(lacks, self.race.goal), state.banked[player], no_more)

    # --- what a turn is worth ---

    def _turns_needed(self, player: RacePlayer) -> float:
        lacks = min(player.lacks, self.race.goal)
        return float(self.needed[lacks]) if player.banked or not lacks else self._needed_first(RacePlayer(lacks, False))

    def _worth_of_losses(self, player: RacePlayer) -> Lost:
        """See `TurnArrays.turn`."""
        lacks = self.race.lacking_after_loss(np.array([player.lacks]))
        worth = [-self._turns_needed(player._replace(lacks=int(each[0]))) for each in lacks]
        return np.array(worth[:1]), np.array(worth[1:2]), np.array(worth[2:])

    def _solve_turn(self, player: RacePlayer) -> Floats:
        lost = self._worth_of_losses(player)
        return self.race.turn(np.array([player.lacks]), lost, -self.needed, player.banked, player.last)

    def _solve_first(self, player: RacePlayer) -> float:
        """T of a player who has not banked a turn yet."""
        lacks = self.race.lacking_after_loss(np.array([player.lacks]))
        others = [int(each[0]) for each in lacks if each[0] != player.lacks]
        known = {each: self._turns_needed(player._replace(lacks=each)) for each in others}
        found, changes = self.needed[[player.lacks]], Changes()
        while True:
            worth = [np.array([-known.get(int(each[0]), found[0])]) for each in lacks]
            lost = (worth[0], worth[1], worth[2])
            change = 1 - self._worth_of_turn(self.race, np.array([player.lacks]), lost, -self.needed, False) - found
            found += change
            if not changes.follow(found, change):
                return float(found[0])

    @staticmethod
    def _worth_of_turn(race: TurnArrays, lacks: Whole, lost: Lost, worth: Floats, banked: bool) -> Floats:
        """Minus the turns that are needed after one that begins, by player."""
        values = race.turn(lacks, lost, worth, banked)
        begun: Floats = race.worth_of_throwing(values, 0, lacks, lost)[0]
        return begun

    # --- the whole race ---

    @classmethod
    def seconds(cls, game: TenThousand) -> float:
        return SECONDS * float(work_of_turns(game) ** 0.5)

    @classmethod
    def solve(cls, game: TenThousand, progress: Progress | None = None) -> RaceTurns:
        race = turn_arrays(game)
        needed = np.zeros(race.goal + 1)
        changes = Changes()
        while True:
            before = needed.copy()
            for first in range(1, race.goal + 1, TOGETHER):
                cls._solve_some(race, np.arange(first, min(first + TOGETHER, race.goal + 1)), needed)
                if progress is not None:
                    progress((first / race.goal) ** 2)
            if not race.sets_back or not changes.follow(needed, needed - before):
                return cls(game, race, needed)

    @classmethod
    def _solve_some(cls, race: TurnArrays, lacks: Whole, needed: Floats) -> None:
        """Finds T of players who lack so much, if that of all who lack less is known, and of all who lose points."""
        after = race.lacking_after_loss(lacks)
        found = np.where(needed[lacks], needed[lacks], needed[lacks[0] - 1] + 1)
        changes = Changes()
        while True:
            needed[lacks] = found
            lost = (-needed[after[0]], -needed[after[1]], -needed[after[2]])
            change = 1 - cls._worth_of_turn(race, lacks, lost, -needed, True) - found
            found += change
            if not changes.follow(found, change):
                break
        needed[lacks] = found

    def save(self, path: Path) -> None:
        write_table(path, self.game, {"unit": TURNS}, {"turns": self.needed})

    @classmethod
    def load(cls, path: Path, game: TenThousand) -> RaceTurns:
        _, arrays = read_table(path, game)
        race = turn_arrays(game)
        needed = arrays.get("turns", np.zeros(0))
        if needed.shape != (race.goal + 1,):
            raise WrongTable(f"{path} is no table of a race to {race.goal} steps")
        return cls(game, race, needed)


SOLUTION = RaceTurns
