"""Hands whose rounds are won, or cost lives: the chance to win the game.

Who throws knows the hand that is to be beaten. So a round is solved from its last player: C(b, n) are the chances to
take the round (to win it, or to lose the life) of whoever holds it with the hand b, and of the n players who are still
to throw. The first of them plays his turn for

    a better hand w: he holds it, C(w, n - 1);  an equal one: both throw again;  a worse one: C(b, n - 1)

Between two, the chance to take a round thrown again is that of a new round; so it is found together with that of a new
round. Then all is exact, since whoever has the better chance in the round has it in the game.

With more players those after the running turn play for the round, equal ones share it, and the rounds to come are
shared alike. The running turn itself is played for the game. Of many hands that may be beaten, some are solved.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from math import comb
from typing import ClassVar

import numpy as np

from scorer.advice.finish_order import RoundEnds, shares_of_highest
from scorer.advice.hand.turn import HandTurns, Worths
from scorer.advice.multisets import Floats
from scorer.advice.on_demand import OnDemandSolution
from scorer.advice.solution import WIN, Choice, best_first
from scorer.tuples import add_at
from scorer.turns.hand import HandGame, HandState

Solved = dict[tuple[int, int, float], Floats]

CLOSE = 1e-12
MOST_ROUNDS = 100  # that a player needs, or lives
STEPS = 4000  # of the integral over the time in which equal players need their rounds
CACHED = 8  # solved turns
COLUMNS = 32  # hands to be beaten that are solved where it is not exact anyway


class HandRounds(OnDemandSolution[HandGame]):
    """`value`: the chance of the first player in a game of so many. A lone player has nothing to choose for: he wins.

    `solved`: C, by the throws that whoever is to come may have, their number, and the chance of the earlier of two
    equal ones.
    """

    unit: ClassVar[str] = WIN
    players: ClassVar[int] = 3
    exact = False

    def __init__(self, game: HandGame, begins: float | None = None, solved: Solved | None = None) -> None:
        super().__init__(game)
        rules = game.rules
        self._lives = rules.lives > 0
        self.turns = HandTurns(game)
        self.states = len(self.turns.worths) * rules.most_throws * len(self.turns.place)
        worths = self.turns.worths
        self._takes = worths[:, None] < worths if rules.low_wins != self._lives else worths[:, None] > worths
        self.solved: Solved = {} if solved is None else solved
        self._turn_from = lru_cache(CACHED)(self._solve_turn)
        self._game_of_two = lru_cache(None)(self._solve_game_of_two)  # bounded: two scores of one game, its rounds
        if begins is not None:
            self.begins = begins
        self.value = self.worth(game.start(self.players), 0)

    def worth(self, state: HandState, player: int) -> float:
        if state.over:
            winners = self.game.winners(state, self.game.places(state, self.game.scores(state)))
            return (player in winners) / len(winners)
        return float(self.turns.worth(state, self._turn(state), state.player)[player])

    def choices(self, state: HandState, player: int) -> list[Choice]:
        if state.over or player != state.player or len(state.scores) == 1:
            return []
        offers = self.turns.offers(state, self._turn(state))
        return best_first([Choice(dict(action), float(entries[player])) for action, entries in offers])

    # --- a round ---

    def following(self, limit: int, left: int, tie: float) -> Floats:
        """C, by the hand that holds the round: of its holder, then of the players to come."""
        if (limit, left, tie) not in self.solved:
            self.solved[limit, left, tie] = self._solve_following(limit, left, tie)
        return self.solved[limit, left, tie]

    def _solve_following(self, limit: int, left: int, tie: float) -> Floats:
        if not left:
            return np.ones((len(self.turns.worths), 1))
        ends = self._turn_ends(self.following(limit, left - 1, tie), tie)
        if left == 1:  # the holder has the rest
            own = self.turns.solve([ends[:, :, 1:]] * limit, 0, self._lives).before[0][0]
            return np.hstack([1 - own, own])
        some = np.unique(np.linspace(0, len(ends) - 1, COLUMNS).round().astype(int))
        found = self.turns.solve([ends[:, some]] * limit, 1, self._lives).before[0][0]
        between = [np.interp(np.arange(len(ends)), some, column) for column in found.T]
        return np.array(between).T

    def _turn_ends(self, later: Floats, tie: float) -> Floats:
        """What a turn that ends with each hand makes of each hand that holds the round: [hand, holder's hand]."""
        number = len(later)
        found = np.zeros((number, number, later.shape[1] + 1))
        same, takes = np.eye(number, dtype=bool), self._takes
        held, own = later[None, :, 0], later[:, None, 0]
        found[:, :, 0] = np.where(takes, 0.0, np.where(same, tie * held, held))
        found[:, :, 1] = np.where(takes, own, np.where(same, (1 - tie) * held, 0.0))
        found[:, :, 2:] = np.where(takes[:, :, None], later[:, None, 1:], later[None, :, 1:])
        return found

    def throws_after(self, state_limit: int) -> list[int]:
        """By the throws of the running turn from 1: how many those after it may throw."""
        rules = self.game.rules
        if state_limit or not rules.first_sets_throws:
            return [state_limit or rules.most_throws] * (state_limit or rules.most_throws)
        return list(range(1, rules.most_throws + 1))

    @cached_property
    def begins(self) -> float:
        """The chance to take a round of whoever begins it, between two."""

        def again(tie: float) -> float:
            ends = [self.following(each, 1, tie)[:, None, :1] for each in self.throws_after(0)]
            solved = self.turns.solve(ends, 0, self._lives)
            return float(solved.before[0][0, 0, 0])

        old, chance = 0.5, again(0.5)
        change = chance - old
        while abs(change) >= CLOSE:
            then = again(chance)
            slope = (then - chance) / change
            old, chance = chance, chance + (then - chance) / (1 - slope)
            change = chance - old
        return chance

    # --- a turn ---

    def _turn(self, state: HandState) -> Worths:
        return self._turn_from(self.turns.turn_start(state))

    def _solve_turn(self, state: HandState) -> Worths:
        """The running turn. Its entries are each player's chance to win the game."""
        contest, seats = state.contest, state.seats
        playing, waiting = contest.playing(seats), contest.waiting(seats)
        at = waiting.index(state.player)
        later = [*waiting[at + 1 :], *waiting[:at]]
        holders = contest.best(seats, self.game.rules.low_wins != self._lives)
        tie = self.begins if len(playing) == 2 else 0.5
        wins = np.array([self._game_if(state, taker) for taker in range(len(state.scores))])
        held = wins[holders].mean(axis=0) if holders else np.zeros(len(state.scores))
        by_chance = np.vstack([held, wins[state.player], wins[later]] if later else [held, wins[state.player]])
        ends = []
        for limit in self.throws_after(state.limit):
            chances = self.following(limit, len(later), tie)
            if holders:
                chances = self._chances_against(chances, contest.points_of(holders[0]), tie)
            else:
                chances = np.hstack([np.zeros((len(chances), 1)), chances])
            ends.append((chances @ by_chance)[:, None, :])
        return self.turns.solve(ends, state.player)

    def _chances_against(self, later: Floats, holds: int, tie: float) -> Floats:
        """By the hand of the running turn, the chances of who held the round, of the player and of those to come.

        A worth that a person gave by hand may be between those of two hands.
        """
        worths = self.turns.worths
        place = min(self.turns.place_of(holds), len(worths) - 1)
        found = self._turn_ends(later, tie)[:, place]
        takes = worths < holds if self.game.rules.low_wins != self._lives else worths > holds
        if worths[place] != holds:
            found[takes] = np.hstack([np.zeros((len(later), 1)), later])[takes]
            found[~takes] = np.insert(later[place], 1, 0.0)
        return found

    # --- the game ---

    def _game_if(self, state: HandState, taker: int) -> Floats:
        """Each player's chance to win the game if this one takes the running round."""
        played = len(state.contest.won) + 1
        if len(state.scores) == 2:
            scores, begins = self._next(state.scores, state.first, taker)
            return np.array(self._game_of_two(self._within_bounds(scores), begins, played))
        scores = add_at(state.scores, taker, -1 if self._lives else 1)
        return self._game_of_many(self._within_bounds(scores), played)

    def _next(self, scores: tuple[int, ...], first: int, taker: int) -> tuple[tuple[int, ...], int]:
        """The scores of two after a round, and who begins the next."""
        begins = {"first": 0, "next": 1 - first, "winner": taker, "loser": 1 - taker}[self.game.rules.begins]
        if self._lives and self.game.rules.begins in ("winner", "loser"):
            begins = 1 - begins
        return add_at(scores, taker, -1 if self._lives else 1), begins

    def _shares_if_decided(self, scores: tuple[int, ...], played: int) -> list[float] | None:
        """Each player's share of the win; None while the game goes on."""
        rules = self.game.rules
        if self._lives:
            over = sum(score > 0 for score in scores) <= 1
        else:
            over = 0 < rules.target <= max(scores) or 0 < rules.rounds <= played
        if not over:
            return None
        best = [score == max(scores) for score in scores]
        return [each / sum(best) for each in best]

    def _solve_game_of_two(self, scores: tuple[int, ...], begins: int, played: int) -> tuple[float, ...]:
        decided = self._shares_if_decided(scores, played)
        if decided is not None:
            return tuple(decided)
        chance = self.begins if begins == 0 else 1 - self.begins
        found = np.zeros(2)
        for taker, share in ((0, chance), (1, 1 - chance)):
            found += share * np.array(self._game_of_two(*self._next(scores, begins, taker), played + 1))
        return tuple(found.tolist())

    def _game_of_many(self, scores: tuple[int, ...], played: int) -> Floats:
        """Each player's chance if the rounds to come are taken by all alike."""
        decided = self._shares_if_decided(scores, played)
        if decided is not None:
            return np.array(decided)
        rules = self.game.rules
        if rules.rounds:
            return _most_of(scores, rules.rounds - played)
        return _order_of(scores if self._lives else tuple(rules.target - score for score in scores), last=self._lives)

    def _within_bounds(self, scores: tuple[int, ...]) -> tuple[int, ...]:
        """The scores, of which a person may have written any; no more rounds are needed than are reckoned with."""
        if self._lives:
            return tuple(min(score, MOST_ROUNDS) for score in scores)
        return tuple(max(score, self.game.rules.target - MOST_ROUNDS) for score in scores)


def _most_of(scores: tuple[int, ...], rounds: int) -> Floats:
    """Each player's chance to have most after so many more rounds, as if they were taken apart; equal ones share."""
    share, hopeless = 1 / len(scores), max(scores) - rounds - 1
    chances = [comb(rounds, won) * share**won * (1 - share) ** (rounds - won) for won in range(rounds + 1)]
    ends = []
    for score in scores:
        reached = np.zeros((1, 2 * rounds + 2))
        least = max(score - hopeless, 0)
        reached[0, least : least + rounds + 1] = chances
        ends.append(RoundEnds(np.zeros(1), reached))
    found = shares_of_highest(ends)
    return np.asarray(found / found.sum())


def _order_of(needed: tuple[int, ...], last: bool) -> Floats:
    """Each player's chance to be the first to take the rounds that he needs, or the last.

    As if each took his rounds at random times, as often as any other.
    """
    most = max(needed)
    times = np.linspace(0.0, most + 12 * most**0.5 + 30, STEPS)
    terms = np.cumprod([np.exp(-times), *(times / place for place in range(1, most + 1))], axis=0)
    density = np.array([terms[each - 1] if each > 0 else np.zeros(STEPS) for each in needed])
    still = np.array([terms[:each].sum(axis=0) for each in needed])
    others = 1 - still if last else still
    found = np.array(
        [(density[player] * np.prod(np.delete(others, player, axis=0), axis=0)).sum() for player in range(len(needed))]
    )
    return np.asarray(found / found.sum())


SOLUTION = HandRounds
