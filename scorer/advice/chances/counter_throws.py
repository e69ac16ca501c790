"""What a throw of a counter brings to the running turn, by the game's own rules."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from scorer.actions import FACES
from scorer.advice.chances.throws import CacheKey
from scorer.advice.dice import all_throws
from scorer.counter import CounterGame, CounterState

TURN, ALL = 1, 2  # what a throw takes away: the turn's points, or all points


class Fall(NamedTuple):
    """One kind of throw. `ways`: in how many ways it falls. `added`: points to the turn. `left`: dice to throw next; 0
    ends the turn. `lost`: 0, TURN or ALL. `again`: whether the dice must be thrown again before banking.
    """

    ways: int
    added: int
    left: int
    lost: int = 0
    again: bool = False


Falls = tuple[Fall, ...]


def falls_of(game: CounterGame, left: int, taken: int = 0) -> Falls:
    """The throws of so many dice, in a turn of a player who has ended so many, or with progress has made so many. A
    limit of the turn is left out: `falls_at`.
    """
    return _falls(CacheKey(game, (game.rules, left, taken % rounds_that_differ(game))), left, taken)


def falls_at(game: CounterGame, left: int, taken: int, points: int) -> Falls:
    """The same, with so many points in the turn, of which a throw must not make more than the limit."""
    falls, limit = falls_of(game, left, taken), game.rules.limit
    over = [0 < limit < points + fall.added for fall in falls]
    return tuple(Fall(fall.ways, 0, 0, TURN) if lost else fall for fall, lost in zip(falls, over, strict=True))


def rounds_of(game: CounterGame, state: CounterState, player: int) -> int:
    """How many rounds a player has played, or numbers he has made, which says what is wanted."""
    if game.rules.progress:
        return state.scores[player] + (state.points if player == state.player else 0)
    return len(state.contest.won) if game.rules.counts == "rounds" else state.taken[player]


def rounds_that_differ(game: CounterGame) -> int:
    """After so many rounds, or numbers, the wanted faces or sums begin again."""
    return len(game.rules.wanted) or 1


def all_falls(left: int) -> int:
    """In how many ways so many dice fall."""
    falls: int = len(FACES) ** left
    return falls


@lru_cache(1024)
def _falls(game_key: CacheKey, left: int, taken: int) -> Falls:
    game: CounterGame = game_key.value
    if game.rules.counts == "rounds" or game.rules.limit:  # its turns are those of the game whose totals count
        game = CounterGame(game.kind, replace(game.rules, counts="totals", limit=0), game.settings)
    # A turn with a point, of a player with two, tells the three ends apart.
    before = CounterState((taken - 1 if game.rules.progress else 2,), (taken,), left, points=1)
    found: dict[tuple[int, int, int, bool], int] = {}
    for dice, ways in all_throws(left):
        after, _ = game.apply(before, {"do": "throw", "dice": dice})
        brought = _outcome(before, after)
        found[brought] = found.get(brought, 0) + ways
    return tuple(Fall(ways, *brought) for brought, ways in found.items())


def _outcome(before: CounterState, after: CounterState) -> tuple[int, int, int, bool]:
    if after.turns == before.turns:
        return after.points - before.points, after.left, 0, after.must_throw
    _, points = after.ended
    if points > 0:
        return points - before.points, 0, 0, False
    return 0, 0, TURN if points == 0 else ALL, False
