"""Two players of a ten-thousand game: the chance to win from any standing.

W(i, j) is the chance of the player about to play, with i points against j. Within his turn, with P points and n dice
left,

    V(P, n) = max(1 - W(j, i + P) where it may be banked, mean over the throws of their best offer's V(P + gain, n')),

a bust is worth 1 - W(j, i), and W(i, j) = V(0, 6). Banking the target wins, or gives the other player one more turn
(see `last_turns`). Banking leads to a greater sum of both scores, so sums are solved from the greatest down. Only
W(i, j) and W(j, i) depend on each other. They are solved together (see `_settle`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from scorer.advice.chances.throws import best_chance, resting_state
from scorer.advice.multisets import Floats, Whole
from scorer.advice.ten_thousand.throw_arrays import ThrowArrays
from scorer.advice.ten_thousand.turns import Bankable, Mode, Turns, bankable_by_mode
from scorer.ten_thousand import TenThousand

OVER = 4000  # points above the target, or of a lead in the last turn, from which a player banks as soon as he may
CLOSE = 1e-9  # chances that differ by less are the same
NEAR = 1e-5  # an error of a bust's worth that the slopes can correct
FIRST_SLOPE = 0.35  # first guess for the slope of W by a bust's worth: about the chance of a bust


class StandingKind(NamedTuple):
    """What distinguishes standings of equal scores: whether the player to play is the game's first (0) or second (1),
    and both players' modes, as places in `RaceRules.modes`.
    """

    role: int
    own: int
    other: int


class RaceRules(NamedTuple):
    """The rules of a race. Scores are in steps, from `lowest`, which may be below 0, to `goal`, which wins.

    `modes`: the modes of players, first that of one who has banked; `bankable` is by mode. `bust_cost`: the long-run
    cost of a first bust in steps. `at_once`: by role, whether banking the goal ends the game. `beyond`: steps above the
    goal from which a player banks as soon as he may. `safest`: by column, the best chance to bank at all.
    """

    throws: ThrowArrays
    goal: int
    lowest: int
    modes: tuple[Mode, ...]
    bankable: tuple[Bankable, ...]
    bust_cost: float
    at_once: tuple[bool, ...]
    beyond: int
    safest: Floats

    def roles(self) -> int:
        """The number of roles: 1 if it makes no difference who began."""
        return len(self.at_once)


class Pairs(NamedTuple):
    """Turns of many pairs of scores, solved at once. `bank[row, pair]`: the worth of banking `row` steps. From the row
    `caps[pair]` on, which falls with the pairs, points no longer matter and banking is worth `full[pair]`.
    """

    bank: Floats
    full: Floats
    caps: Whole


def rules_of(game: TenThousand, turns: Turns) -> RaceRules:
    """The rules of a game's race. Busts in a row count by their long-run value in points."""
    step = turns.throws.step
    modes = tuple(mode for mode in turns.ends.modes if mode.busts == 0)
    bankable = bankable_by_mode(game, step, modes)
    at_once = tuple(_ends_at_once(game, role) for role in (0, 1))
    return RaceRules(
        turns.throws,
        -(-game.rules.target // step),
        -2 * (game.rules.penalty_points // step),
        modes,
        tuple(bankable[:, :, mode] for mode in range(len(modes))),
        -bust_change(turns, 0) / step,
        at_once[:1] if len(set(at_once)) == 1 else at_once,
        OVER // step,
        np.array(best_chance(turns.throws, bankable[-1, :, 0].tolist())),
    )


def bust_change(turns: Turns, mode: int) -> float:
    """The change of a player's points by a bust, including the value of busts in a row. `mode`: in `Ends.modes`."""
    after = turns.ends.bust[mode]
    in_a_row = turns.relative[after] if turns.ends.modes[after].busts else 0.0
    return float(in_a_row) - turns.ends.cost[mode]


def _ends_at_once(game: TenThousand, role: int) -> bool:
    lone = resting_state(game, 0, game.rules.target + game.rules.minimum + game.rules.opening)
    state = lone._replace(scores=(0, 0), banked=(True, True), busts=(0, 0), player=role, left=game.dice)
    return game.apply(state, {"do": "bank"})[0].over


def turn_values(rules: RaceRules, bankable: Bankable, pairs: Pairs, bust: Floats) -> Floats:
    """V, shape (rows, columns, pairs): rows from 0 to the greatest cap, plus the most that a throw may add."""
    throws = rules.throws
    rows, count = len(pairs.bank), len(bust)
    worth = np.empty((rows + 1 + int(throws.gain.max()), throws.columns, count))
    safest = rules.safest[:, None]
    worth[:] = safest * pairs.full + (1 - safest) * bust
    barred = np.where(bankable, 0.0, -np.inf)[:, :, None]  # quicker than choosing the columns in each row
    active = np.searchsorted(-pairs.caps, -np.arange(rows), side="left")
    for row in range(rows - 1, -1, -1):
        now = active[row]
        thrown = throws.mean_after_throw(worth, row)[:, :now] + throws.bust[:, None] * bust[:now]
        worth[row, : throws.confirm, :now] = thrown
        worth[row, throws.confirm, :now] = thrown[throws.start]
        banked = barred[min(row, len(bankable) - 1)] + pairs.bank[row, :now]
        np.maximum(worth[row, :, :now], banked, out=worth[row, :, :now])
    return worth


def last_turns(rules: RaceRules) -> Floats:
    """L: a player's chance in the last turn to pass a lead of so many steps; a tie is half a win.

    Shape (modes, leads), with leads from 0.
    """
    leads = np.arange(rules.goal + rules.beyond - rules.lowest, -1, -1)
    chances = []
    for bankable in rules.bankable:
        caps = np.maximum(leads + 1, len(bankable) - 1)
        rows = np.arange(caps[0])[:, None]
        bank = np.where(rows > leads, 1.0, np.where(rows == leads, 0.5, 0.0))
        pairs = Pairs(bank, np.ones(len(leads)), caps)
        chances.append(turn_values(rules, bankable, pairs, np.zeros(len(leads)))[0, rules.throws.start, ::-1])
    return np.array(chances)


Standings = tuple[Whole, Whole, Pairs]  # places in `Race.kinds`, places in the sum, the values of banking


class Race:
    """The solver. `chance[kind, i, t]`: the chance of the player about to play, with i steps above the lowest score
    against t. If t is the goal or more, and that has not ended the game, he plays the last turn.
    """

    def __init__(self, rules: RaceRules) -> None:
        self.rules = rules
        self.size = rules.goal - rules.lowest
        modes = range(len(rules.modes))
        self.kinds = [
            StandingKind(role, own, other) for role in range(rules.roles()) for own in modes for other in modes
        ]
        self.last = last_turns(rules)
        self.chance = np.zeros((len(self.kinds), self.size, self.size + rules.beyond + 1))
        self.slopes = np.full((len(self.kinds), self.size), FIRST_SLOPE)
        for place, kind in enumerate(self.kinds):
            if not rules.at_once[1 - kind.role if rules.roles() > 1 else 0]:
                leads = np.arange(self.size, self.size + rules.beyond + 1) - np.arange(self.size)[:, None]
                self.chance[place, :, self.size :] = self.last[kind.own][leads]

    def next_kind(self, kind: StandingKind, banked: bool) -> int:
        """The kind of the standing after this turn, when the other player is to play."""
        mode = 0 if banked else kind.own
        return self.kinds.index(StandingKind((kind.role + 1) % self.rules.roles(), kind.other, mode))

    def pairs(self, kinds: Whole, own: Whole, other: Whole) -> Pairs:
        """The values of banking for players of one mode. `kinds` and scores are by pair; `own` rises. Scores are in
        steps above the lowest.
        """
        at_once = np.array([self.rules.at_once[kind.role] for kind in self.kinds])[kinds]
        after = np.array([self.next_kind(kind, banked=True) for kind in self.kinds])[kinds]
        most = self.size + np.where(at_once, 0, self.rules.beyond)
        needed = len(self.rules.bankable[0]) - 1
        caps = np.maximum(most - own, needed)
        # They must fall, also if the two roles differ. More rows than needed do no harm.
        caps = np.maximum.accumulate(caps[::-1])[::-1]
        totals = np.minimum(own + np.arange(caps.max(initial=0))[:, None], most)
        return Pairs(1 - self.chance[after, other, totals], 1 - self.chance[after, other, most], caps)

    def solve_sum(self, total: int) -> None:
        """Solves all standings whose scores have this sum. Those of greater sums are solved already."""
        first, last = max(0, total - self.size + 1), min(self.size - 1, total)
        own = np.arange(first, last + 1)
        wanted = {mode: self._possible_standings(mode, own, total - own) for mode in range(len(self.rules.modes))}
        wanted = {mode: each for mode, each in wanted.items() if len(each[0])}
        self._settle(own, total - own, wanted)
        self._fill_in(own, total - own, wanted)

    def _possible_standings(self, mode: int, own: Whole, other: Whole) -> Standings:
        """The possible standings of one sum in which the player to play has this mode."""
        found = []
        for place, kind in enumerate(self.kinds):
            if kind.own == mode:
                at = np.flatnonzero(self._may_be(mode, own) & self._may_be(kind.other, other))
                found += [(int(own[each]), place, int(each)) for each in at]
        found.sort()
        places, at = (np.array([each[column] for each in found], dtype=np.int64) for column in (1, 2))
        return places, at, self.pairs(places, own[at], other[at])

    def _may_be(self, mode: int, scores: Whole) -> Bankable:
        """Whether a player of this mode may have these scores: he has none before he has banked."""
        may: Bankable = (scores == -self.rules.lowest) | self.rules.modes[mode].banked
        return may

    def _settle(self, own: Whole, other: Whole, wanted: dict[int, Standings]) -> None:
        """Finds W of all these standings. W is F(1 - W after a bust); F is rising, convex and piecewise linear.

        With the right slope of F, W follows at once. The iteration improves the slopes.
        """
        worth, slopes = self._guess(own, other), self.slopes[:, own]
        bust = self._busts(worth, own, other)
        before: tuple[Floats, Floats] | None = None
        while True:
            for mode, (kinds, at, pairs) in wanted.items():
                values = turn_values(self.rules, self.rules.bankable[mode], pairs, bust[kinds, at])
                worth[kinds, at] = values[0, self.rules.throws.start]
            if before is not None:
                moved = np.abs(bust - before[1]) > CLOSE / 100
                measured = (worth - before[0]) / np.where(moved, bust - before[1], 1.0)
                slopes = np.where(moved, np.clip(measured, 0.0, 0.99), slopes)
            before = worth.copy(), bust
            settled, following = self._straight(worth, slopes, bust, own, other)
            if max(np.abs((following - bust)[kinds, at]).max() for kinds, at, _ in wanted.values()) < NEAR:
                break
            bust = following
        for kinds, at, _ in wanted.values():
            self.chance[kinds, own[at], other[at]] = settled[kinds, at]
        self.slopes[:, own] = slopes

    def _straight(self, worth: Floats, slopes: Floats, bust: Floats, own: Whole, other: Whole) -> tuple[Floats, Floats]:
        """W and the worth of busts if the slopes are right."""
        settled = worth
        while True:
            following = self._busts(settled, own, other)
            found = worth + slopes * (following - bust)
            if np.abs(found - settled).max() < CLOSE / 1000:
                return found, following
            settled = found

    def _busts(self, worth: Floats, own: Whole, other: Whole) -> Floats:
        """The worth of a bust in each standing of one sum, given their W: shape (kinds, standings)."""
        found = np.empty_like(worth)
        more = np.minimum(own + 1, self.size - 1)
        for place, kind in enumerate(self.kinds):
            after = self.next_kind(kind, banked=False)
            found[place] = 1 - worth[after, ::-1]
            if self.rules.bust_cost:
                # The bust lowers his points a little: interpolates between W of these and of one step more.
                found[place] += (
                    self.rules.bust_cost * (self.chance[after, other, more] - worth[after, ::-1]) * (more > own)
                )
        return found

    def _guess(self, own: Whole, other: Whole) -> Floats:
        """A guess of W of these standings, from their neighbours with greater sums."""
        if own[0] + other[0] == 2 * (self.size - 1):
            return np.full((len(self.kinds), len(own)), 0.5)
        more, most = np.minimum(own + 1, self.size - 1), np.minimum(other + 1, self.size - 1)
        beside = self.chance[:, more, other] * (own < self.size - 1) + self.chance[:, own, most] * (
            other < self.size - 1
        )
        beside /= 1.0 * (own < self.size - 1) + (other < self.size - 1)
        return beside

    def _fill_in(self, own: Whole, other: Whole, wanted: dict[int, Standings]) -> None:
        """Fills standings that play cannot reach (a score settled by hand, nothing banked) as if he had banked."""
        for place, kind in enumerate(self.kinds):
            rest = np.ones(len(own), dtype=bool)
            for kinds, at, _ in wanted.values():
                rest[at[kinds == place]] = False
            alike = self.kinds.index(StandingKind(kind.role, 0, 0))
            self.chance[place, own[rest], other[rest]] = self.chance[alike, own[rest], other[rest]]

    def solve(self, progress: Callable[[float], None] | None = None) -> None:
        sums = 2 * self.size - 1
        for done, total in enumerate(range(sums - 1, -1, -1), start=1):
            self.solve_sum(total)
            if progress is not None:
                progress(done / sums)
