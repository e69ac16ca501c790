"""The race of a ten-thousand game: chances to win for two players (`duel.py`), and for more.

With more than two, the others are assumed to play for the most points a turn (`turns.py`). That gives the number of
turns that each still needs, and the player to act plays his turn best against it.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np

from scorer.actions import Action
from scorer.advice.chances.throws import column, dice_of, throws_of
from scorer.advice.multisets import Floats, interpolate
from scorer.advice.solution import WIN, Progress, WrongTable
from scorer.advice.solution_files import read_table, write_table
from scorer.advice.ten_thousand.duel import Pairs, Race, StandingKind, bust_change, rules_of, turn_values
from scorer.advice.ten_thousand.points import TenThousandSolution
from scorer.advice.ten_thousand.turns import Turns, mode_of, solve_turns
from scorer.advice.ten_thousand.turns_needed import TurnsNeeded
from scorer.ten_thousand import TenThousand, TenThousandState

CACHED = 8  # solved turns
MOST_STEPS = 400  # of a target: 20,000 points


class SolvedTurn(NamedTuple):
    """A solved turn. `worth[row, column]`, `bank[row]` and `bust`: chances of its player to win."""

    worth: Floats
    bank: Floats
    bust: float


class RaceSolution(TenThousandSolution):
    """The chance to win. `value`: that of the first player in a game of two."""

    unit: ClassVar[str] = WIN

    def __init__(self, game: TenThousand, turns: Turns, race: Race) -> None:
        self.game = game
        self.turns = turns
        self.race = race
        self.turns_needed = TurnsNeeded(turns, race.rules.goal)
        self.exact = not race.rules.bust_cost
        self._turn_from = lru_cache(CACHED)(self._solve_turn)
        self.states = len(race.kinds) * race.size**2
        self.value = self.worth(game.start(2), 0)

    def worth(self, state: TenThousandState, player: int) -> float:
        if len(state.scores) == 1:
            return 1.0
        if state.over:
            winners = self.game.winners(state, self.game.places(state, self.game.scores(state)))
            return (player in winners) / len(winners)
        own = self._acting(state)
        if player == state.player:
            return own
        if len(state.scores) == 2:
            return 1 - own
        totals = [self._total(state, each) for each in range(len(state.scores))]
        shares = self.turns_needed.chances(totals, state.player)
        others = 1 - shares[state.player]
        return (1 - own) * shares[player] / others if others > 0 else (1 - own) / (len(shares) - 1)

    def _value(self, state: TenThousandState, entry: Action) -> float:
        turn = self._turn(state)
        row = min(self._row(state.points), len(turn.bank) - 1)
        if entry["do"] == "throw":
            count = dice_of(column(self.game, state), self.game.dice) - 1
            throws = self.turns.throws
            return float(
                throws.mean_after_throw(turn.worth[:, :, None], row)[count, 0] + throws.bust[count] * turn.bust
            )
        if entry["do"] == "bank":
            return float(turn.bank[row])
        return self._value_at(turn, self.game.apply(state, entry)[0])

    def _acting(self, state: TenThousandState) -> float:
        turn = self._turn(state)
        if not state.waiting:
            return self._value_at(turn, state)
        return max(self._value_at(turn, self.game.apply(state, entry)[0]) for entry in self.game.legal(state))

    def _value_at(self, turn: SolvedTurn, state: TenThousandState) -> float:
        return float(turn.worth[min(self._row(state.points), len(turn.worth) - 1), column(self.game, state)])

    def _row(self, points: int) -> int:
        return points // self.turns.throws.step

    # --- one turn ---

    def _turn(self, state: TenThousandState) -> SolvedTurn:
        """The solved turn, the same for all states of a turn."""
        return self._turn_from(TenThousandState(state.scores, state.banked, state.busts, state.player, last=state.last))

    def _solve_turn(self, state: TenThousandState) -> SolvedTurn:
        pairs, bust = self._pairs_of_two(state) if len(state.scores) == 2 else self._pairs_of_many(state)
        rules = self.race.rules
        mode = rules.modes.index(mode_of(self.game, state.banked[state.player], 0))
        worth = turn_values(rules, rules.bankable[mode], pairs, np.array([bust]))
        return SolvedTurn(worth[:, :, 0], np.append(pairs.bank[:, 0], pairs.full), bust)

    def _pairs_of_two(self, state: TenThousandState) -> tuple[Pairs, float]:
        """The values of the turn's ends, banking and bust, in a game of two."""
        player, other = state.player, 1 - state.player
        if state.last >= 0:
            return self._pairs_of_last_turn(self._steps(state, other) - self._steps(state, player), []), 0.0
        race, rules = self.race, self.race.rules
        modes = [rules.modes.index(mode_of(self.game, banked, 0)) for banked in state.banked]
        kind = StandingKind(player % rules.roles(), modes[player], modes[other])
        own = min(max(self._steps(state, player) - rules.lowest, 0), race.size - 1)
        against = self._total(state, other) - rules.lowest
        most = race.size + (0 if rules.at_once[kind.role] else rules.beyond)
        cap = max(most - own, len(rules.bankable[0]) - 1)
        totals = np.minimum(own + np.arange(cap + 1), most)
        bank = 1 - interpolate(race.chance[race.next_kind(kind, banked=True)], against)[totals]
        mode = self.turns.ends.modes.index(mode_of(self.game, state.banked[player], state.busts[player]))
        fell = own + bust_change(self.turns, mode) / self.turns.throws.step
        bust = 1 - interpolate(interpolate(race.chance[race.next_kind(kind, banked=False)], against)[: race.size], fell)
        return Pairs(bank[:-1, None], bank[-1:], np.array([cap])), float(bust)

    def _pairs_of_many(self, state: TenThousandState) -> tuple[Pairs, float]:
        """The values of the turn's ends, banking and bust, in a game of three or more."""
        player, rules, count = state.player, self.race.rules, len(state.scores)
        followers = self._followers(state)
        own = self._steps(state, player)
        others = [each for each in range(count) if each != player]
        modes = [rules.modes.index(mode_of(self.game, state.banked[each], 0)) for each in followers]
        after = [(self._steps(state, each) - own, mode) for each, mode in zip(followers, modes, strict=True)]
        if state.last >= 0:
            return self._pairs_of_last_turn(max(self._steps(state, each) for each in others) - own, after), 0.0
        later = self.turns_needed.later([self._total(state, each) for each in others])
        needed = max(rules.goal - own, 1)
        reached = self._pairs_of_last_turn(needed - 1, after)
        cap = len(reached.bank)
        bank = reached.bank[:, 0].copy()
        near = min(needed, cap)
        bank[:near] = self.turns_needed.needed[np.clip(own + np.arange(near), 0, rules.goal - 1)] @ later
        mode = self.turns.ends.modes.index(mode_of(self.game, state.banked[player], state.busts[player]))
        bust = self.turns_needed.chances_at(own + bust_change(self.turns, mode) / self.turns.throws.step) @ later
        return reached._replace(bank=bank[:, None]), float(bust)

    def _pairs_of_last_turn(self, lead: int, followers: list[tuple[int, int]]) -> Pairs:
        """The values of banking in a last turn: more than `lead` steps win unless one of the `followers` does better.

        Each follower plays his own last turn for that; he has his lead over the player in steps, and his mode. Equal
        steps are half a win.
        """
        rules = self.race.rules
        cap = max(lead + 1 + (rules.beyond if followers else 0), len(rules.bankable[0]) - 1, 1)
        rows = np.arange(cap + 1)
        bank = np.where(rows > lead, 1.0, np.where(rows == lead, 0.5, 0.0))
        for own_lead, mode in followers:
            chances = self.race.last[mode]
            bank *= 1 - np.where(rows < own_lead, 1.0, chances[np.clip(rows - own_lead, 0, len(chances) - 1)])
        return Pairs(bank[:-1, None], bank[-1:], np.array([cap]))

    def _followers(self, state: TenThousandState) -> list[int]:
        """The players who still have a turn if the player to act banks the target now."""
        after, _ = self.game.settle_turn(state, self.game.rules.target + max(map(abs, state.scores)))
        found = []
        while not after.over:
            found.append(after.player)
            after, _ = self.game.settle_turn(after, 0)
        return found

    def _steps(self, state: TenThousandState, player: int) -> int:
        """A player's points in steps, rounded so that he needs as many steps for the goal as for the target."""
        return self.race.rules.goal + (state.scores[player] - self.game.rules.target) // self.turns.throws.step

    def _total(self, state: TenThousandState, player: int) -> float:
        """A player's steps, including the long-run value of his busts in a row."""
        modes, relative = self.turns.ends.modes, self.turns.relative
        mode = mode_of(self.game, state.banked[player], state.busts[player])
        worth = relative[modes.index(mode)] - relative[modes.index(mode._replace(busts=0))]
        return self._steps(state, player) + float(worth) / self.turns.throws.step

    # --- the whole game ---

    @classmethod
    def solve(cls, game: TenThousand, progress: Progress | None = None) -> RaceSolution:
        """Solves the race of two, in one to four minutes for 10,000 points."""
        turns = solve_turns(game)
        race = Race(rules_of(game, turns))
        race.solve(progress)
        return cls(game, turns, race)

    def save(self, path: Path) -> None:
        chance = self.race.chance[:, :, : self.race.size]
        write_table(path, self.game, {"unit": WIN}, {"chance": chance.astype(np.float32)})

    @classmethod
    def load(cls, path: Path, game: TenThousand) -> RaceSolution:
        _, arrays = read_table(path, game)
        turns = solve_turns(game)
        race = Race(rules_of(game, turns))
        chance = arrays.get("chance")
        if chance is None or chance.shape != race.chance[:, :, : race.size].shape:
            raise WrongTable(f"{path} is no table of a race")
        race.chance[:, :, : race.size] = chance
        return cls(game, turns, race)


def solves(game: TenThousand) -> bool:
    """Whether the race of this game is short enough to be solved."""
    return game.rules.target <= MOST_STEPS * throws_of(game).step


SOLUTION = RaceSolution
