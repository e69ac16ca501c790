"""The chances of counters: of the next throw, and of the target in this turn."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import gcd

from scorer.actions import FACES, Action
from scorer.advice.chances.counter_throws import (
    ALL,
    TURN,
    Falls,
    all_falls,
    falls_at,
    falls_of,
    rounds_of,
    rounds_that_differ,
)
from scorer.advice.chances.throws import CacheKey
from scorer.counter import CounterGame, CounterState

LONGEST = 120  # steps: for more there is no chance to reach them


def odds(game: CounterGame, state: CounterState, player: int, action: Action) -> dict[str, Fraction]:
    """The chances that the next throw loses the turn alone, `bust`, or all points, `all-lost`; that it counts
    something, `score`; and the best chance to reach the target with this turn, `target`, which is that of the round
    where points win rounds. {} for banking.

    If the highest die counts, also that it is a six, `six`. Where rounds are played for, also that the turn becomes the
    best of the round so far, `lead`, or equal to that, `tie`. Left out are a score that is certain, a loss that is
    impossible, a target of more than 120 steps or beside a limit, and the round of turns that may be lost or whose
    throws are not fixed.
    """
    if action["do"] != "throw":
        return {}
    taken = rounds_of(game, state, player)
    if game.rules.choose_dice:
        state = state._replace(left=action["count"])
    falls = falls_at(game, state.left, taken, state.points)
    chances = {
        "bust": _share(falls, state.left, [fall.lost == TURN for fall in falls]),
        "all-lost": _share(falls, state.left, [fall.lost == ALL for fall in falls]),
        "score": _share(falls, state.left, [fall.added > 0 for fall in falls]),
    }
    certain = {"bust": 0, "all-lost": 0, "score": 1}
    found = {name: chance for name, chance in chances.items() if chance != certain[name]}
    if game.rules.worth[0].points == "max":
        found["six"] = _share(falls, state.left, [fall.added == FACES[-1] for fall in falls])
    best = state.contest.best(state.seats, game.rules.low_wins) if game.rules.counts == "rounds" else []
    if best and _brings_for_sure(game, taken):
        found |= _round_chances(game, state, taken % rounds_that_differ(game), best[0])
    target, had = game.rules.target, state.scores[player]
    if game.rules.counts == "rounds":
        target, had = game.rules.round_target, state.contest.points_of(player)
    needed = target - had - state.points
    if target and not game.rules.limit and needed <= LONGEST * step_of(game) and not may_wait(game):
        cycle = taken % rounds_that_differ(game)
        found["target"] = _reach(CacheKey(game, game.rules), state.left, cycle, max(needed, 0))
    return found


def _brings_for_sure(game: CounterGame, taken: int) -> bool:
    """Whether a turn has a fixed number of throws, none of which can lose it, and all of which decide the round."""
    if game.rules.round_target or not game.rules.throws_are_fixed:
        return False
    return not any(fall.lost for count in dice_thrown(game) for fall in falls_of(game, count, taken))


def _round_chances(game: CounterGame, state: CounterState, taken: int, best: int) -> dict[str, Fraction]:
    """The chances to do better than the best turn of the round so far, that of the player `best`, and as well."""
    wanted = state.contest.points_of(best) - state.points
    brings = _brings(CacheKey(game, game.rules), state.left, taken)
    better = [points < wanted if game.rules.low_wins else points > wanted for points, _ in brings]
    lead = sum((chance for (_, chance), each in zip(brings, better, strict=True) if each), Fraction(0))
    return {"lead": lead, "tie": dict(brings).get(wanted, Fraction(0))}


@lru_cache(512)
def _brings(game_key: CacheKey, left: int, taken: int) -> tuple[tuple[int, Fraction], ...]:
    """What a turn with a fixed number of throws brings, which throws `left` dice now, with the chances."""
    game: CounterGame = game_key.value
    found: dict[int, Fraction] = {}
    for fall in falls_of(game, left, taken):
        chance = Fraction(fall.ways, all_falls(left))
        later = _brings(game_key, fall.left, taken) if fall.left else ((0, Fraction(1)),)
        for points, share in later:
            found[fall.added + points] = found.get(fall.added + points, Fraction(0)) + chance * share
    return tuple(found.items())


def may_wait(game: CounterGame) -> bool:
    """Whether a player who chooses the dice may throw without any change, as often as he likes."""
    return (
        game.rules.choose_dice
        and game.rules.turn == "bank"
        and any(not (fall.added or fall.lost) for count in dice_thrown(game) for fall in falls_of(game, count))
    )


def step_of(game: CounterGame) -> int:
    """All points are multiples of it."""
    turns = range(rounds_that_differ(game))
    throws = [falls_of(game, left, taken) for taken in turns for left in dice_thrown(game)]
    return gcd(*(fall.added for falls in throws for fall in falls)) or 1


def dice_thrown(game: CounterGame) -> tuple[int, ...]:
    """The counts of dice that a turn may throw, the most first."""
    found = list(range(game.dice, 0, -1)) if game.rules.choose_dice else [game.dice]
    for left in found:
        found += sorted({fall.left for fall in falls_of(game, left) if fall.left} - {*found}, reverse=True)
    return tuple(found)


def _share(falls: Falls, left: int, wanted: list[bool]) -> Fraction:
    return Fraction(sum(fall.ways for fall, each in zip(falls, wanted, strict=True) if each), all_falls(left))


@lru_cache(4096)
def _reach(game_key: CacheKey, left: int, taken: int, needed: int) -> Fraction:
    """The best chance that a turn which throws `left` dice now ends with `needed` points more."""
    game: CounterGame = game_key.value
    sure, again = Fraction(0), Fraction(0)
    counts = dice_thrown(game) if game.rules.choose_dice else ()
    for fall in falls_of(game, left, taken):
        chance, more = Fraction(fall.ways, all_falls(left)), max(needed - fall.added, 0)
        following = taken + fall.added if game.rules.progress else taken
        if fall.lost:
            continue
        if not fall.left or (game.rules.turn == "bank" and not more and not fall.again):
            sure += chance * (more == 0)
        elif (fall.left, more) == (left, needed):  # the same again
            again += chance
        else:
            sure += chance * max(_reach(game_key, count, following, more) for count in counts or (fall.left,))
    return sure / (1 - again) if again < 1 else sure
