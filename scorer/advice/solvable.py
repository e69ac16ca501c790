"""Which games have odds and best play. It needs no numpy."""

from __future__ import annotations

from itertools import count as count_from
from math import comb, gcd
from typing import Any

from scorer.actions import FACES
from scorer.advice.chances.counter_odds import dice_thrown, may_wait, step_of
from scorer.advice.chances.counter_throws import ALL, falls_of, rounds_that_differ
from scorer.advice.known_rules import is_module, knows, knows_turns, knows_what_lacks
from scorer.counter import CounterGame
from scorer.game import Game
from scorer.jokers import FURTHER_GENERALS_BY_COLUMN, NO_JOKERS
from scorer.sheet import THROWS, SheetGame
from scorer.ten_thousand import TenThousand
from scorer.turns.hand import HandGame

MOST_DICE = 6  # of a race or a sheet
MOST_COLUMNS = 3
MOST_CELLS = 15  # of each of several columns
MOST_WORK = 1_300_000_000  # of a sheet of one column: 15 cells and five dice take about a minute of one core
MOST_COUNTED = 12  # dice of a counter
MOST_STEPS = 500  # of a counter's target
MOST_TOTAL = 20_000  # points of a counter's rounds
MOST_LACKING = 400  # steps of the target of a race that goes by turns
MOST_TURNS = 6_400_000  # work of a race by turns: 6 s of one core, or 40 s if points are taken away
MOST_ROUNDS = 100  # rounds to win of hands, or lives
MOST_LIMIT = 100  # points of a turn in a round that is won
MOST_POINTS_LACKING = 1000  # of hands
MOST_WON = 12  # rounds that are won one by one: of more, there are too many standings
MOST_RACE_STEPS = 200  # of a counter's target between two: solving takes 10 s and 200 MB


def has_odds(game: Game[Any]) -> bool:
    """Whether the odds of a game are known, also if its best play is not."""
    if isinstance(game, CounterGame):
        return knows(game) and game.dice <= MOST_COUNTED
    if isinstance(game, SheetGame):
        return knows(game) and game.dice <= MOST_DICE
    return knows(game) and (not isinstance(game, TenThousand) or game.dice <= MOST_DICE)


def is_solvable(game: Game[Any]) -> bool:
    """Whether there is best play of a game, or the chance to win where nothing can be chosen."""
    if not knows(game):
        return False
    if is_module(game):
        return True
    if isinstance(game, HandGame):
        return _is_solvable_hand(game)
    if isinstance(game, CounterGame):
        return _is_solvable_counter(game)
    if isinstance(game, SheetGame):
        return _is_solvable_sheet(game)
    return not isinstance(game, TenThousand) or _is_solvable_race(game)


def is_short_race(game: CounterGame) -> bool:
    """Whether turns are banked on the way to a target that is near enough for the chance to win between two, or for
    rounds.
    """
    rules = game.rules
    return rules.may_choose and (rules.counts == "rounds" or 0 < rules.target <= MOST_RACE_STEPS * step_of(game))


def _is_solvable_counter(game: CounterGame) -> bool:
    """Not with rounds and a target at once, nor if the lowest total wins with something to choose or a target."""
    rules = game.rules
    if rules.limit:
        return _is_banked_round(game)
    if rules.counts == "rounds":
        few = game.dice <= MOST_COUNTED and 0 < (rules.rounds or 2 * rules.target) <= MOST_WON
        return few and not rules.may_choose and (not rules.round_target or _is_short_round(game))
    if game.dice > MOST_COUNTED or bool(rules.rounds) == bool(rules.target):
        return False
    turns = [falls_of(game, game.dice, taken) for taken in range(rounds_that_differ(game))]
    most = max(fall.added for falls in turns for fall in falls)
    if not most or (rules.low_wins and (rules.target or rules.may_choose)):
        return False
    if rules.end == "one-more-turn" and not rules.may_choose:
        return False
    if any(fall.again and (rules.rounds or not fall.added) for falls in turns for fall in falls):
        return False
    if rules.target:
        if may_wait(game):
            return False
        same = len(set(turns)) == 1 or not rules.may_choose
        return same and rules.target <= MOST_STEPS * step_of(game) and most <= MOST_TOTAL
    if rules.choose_dice:
        return False
    if rules.turn == "bank":  # a turn must be able to end, and its loss to cost the turn alone
        lost = [{fall.lost for fall in falls} for falls in turns]
        return all(each - {0} for each in lost) and not any(ALL in each for each in lost)
    return rules.rounds * most * game.dice <= MOST_TOTAL


def _is_banked_round(game: CounterGame) -> bool:
    """Whether the most points that are banked win a round, and each throw adds some or loses the turn."""
    rules = game.rules
    other = rules.low_wins or rules.round_target or rules.alike_again or rules.wanted
    if rules.counts != "rounds" or not rules.may_choose or other or game.dice > MOST_COUNTED:
        return False
    ends = rules.limit <= MOST_LIMIT and 0 < (rules.rounds or rules.target) <= MOST_ROUNDS
    falls = (fall for count in dice_thrown(game) for fall in falls_of(game, count))
    return ends and not (rules.rounds and rules.target) and all(fall.added or fall.lost for fall in falls)


def _is_short_round(game: CounterGame) -> bool:
    """Whether somebody will have the points that win a round, and soon enough."""
    most = [max(fall.added for fall in falls_of(game, game.dice, taken)) for taken in range(rounds_that_differ(game))]
    return min(most) > 0 and max(most) <= MOST_TOTAL and game.rules.round_target <= MOST_STEPS * step_of(game)


def _is_solvable_hand(game: HandGame) -> bool:
    """Of rounds, a number or a target, and equal ones throw again; of totals, the same, and a target with points that
    only grow.
    """
    rules = game.rules
    worths = {each.worth for each in rules.table.values()}
    if len(worths) == 1:
        return False
    if rules.lives:
        return rules.ties == "throw-again" and rules.lives <= MOST_ROUNDS and not rules.rounds
    if bool(rules.rounds) == bool(rules.target):
        return False
    if rules.counts == "rounds":
        return rules.ties == "throw-again" and max(rules.rounds, rules.target) <= MOST_ROUNDS
    return rules.rounds > 0 or (min(worths) >= 0 and not rules.low_wins and rules.target <= MOST_POINTS_LACKING)


def _is_solvable_sheet(game: SheetGame) -> bool:
    """A sheet of one column that is solved within a minute, or estimated; or the usual one of several columns."""
    rules = game.rules
    if game.dice > MOST_DICE:
        return False
    if is_ordered(game):
        return True
    if rules.factors == (1,) and not rules.difference and game.announced_place is None:
        return is_estimated(game) or not _is_large(game)
    if not 1 < len(rules.factors) <= MOST_COLUMNS or rules.difference:
        return False
    usual = rules.is_free and (game.dice, rules.throws, rules.saved_throws, rules.low_wins) == (5, THROWS, 0, False)
    plain = not any(category.served or category.may_win for category in game.categories) and len(rules.upper_bonus) < 2
    small = len(game.categories) <= MOST_CELLS and not _repeats(game) and not _has_tiers(game)
    return usual and plain and small and game.jokers is FURTHER_GENERALS_BY_COLUMN


def is_estimated(game: SheetGame) -> bool:
    """Whether a sheet of one column is too large to be solved, so that a policy says what it is worth."""
    rules = game.rules
    free = rules.is_free and not rules.zero_only_if_nothing_fits and not rules.low_wins
    return _is_large(game) and free and rules.factors == (1,) and game.jokers is NO_JOKERS


def is_ordered(game: SheetGame) -> bool:
    """Whether a sheet has columns, factors or a difference for which a policy says what they are worth."""
    rules = game.rules
    one = rules.factors == (1,) and not rules.difference and game.announced_place is None
    simple = game.jokers is NO_JOKERS and not (rules.zero_only_if_nothing_fits or rules.low_wins or rules.saved_throws)
    wins = any(category.may_win for category in game.categories)
    return game.dice <= MOST_DICE and simple and not (one or wins or _repeats(game) or _has_tiers(game))


def _is_large(game: SheetGame) -> bool:
    return game.rules.saved_throws > 0 or _repeats(game) or _has_tiers(game) or _work(game) > MOST_WORK


def _has_tiers(game: SheetGame) -> bool:
    return bool(game.rules.tiers) or any(category.tiers for category in game.categories)


def _repeats(game: SheetGame) -> bool:
    return any(category.stands > 1 for category in game.categories)


def _work(game: SheetGame) -> int:
    """Sheets and hands of a column that is solved."""
    rules = game.rules
    sums = 1 + (rules.upper_bonus[-1][0] if rules.upper_bonus else 0)
    return (1 << len(game.categories)) * sums * comb(game.dice + 6, 6)


def _is_solvable_race(game: TenThousand) -> bool:
    """A turn must be able to end: one die that scores whatever it shows could be thrown for ever. And it must be worth
    the same whatever the total is, and whatever was set aside; or the total must decide alone.
    """
    ends = any(not game.choices((face,)) for face in FACES)
    return game.dice <= MOST_DICE and ends and (knows_turns(game.rules) or goes_by_turns(game))


def goes_by_turns(game: TenThousand) -> bool:
    """Whether best play of a race is that with the fewest turns: not all turns are worth the same."""
    return 0 < work_of_turns(game) <= MOST_TURNS


def work_of_turns(game: TenThousand) -> int:
    """What a turn may hold beside its points, by steps of the target, squared; 0 if the fewest turns are not known."""
    rules = game.rules
    confirming = max(line.confirm for line in rules.combination)
    multiplied = rules.hot_dice == "multiply"
    # Points that multiply would matter even beyond the target if others had to follow.
    if knows_turns(rules) or not knows_what_lacks(rules) or (confirming and multiplied):
        return 0
    scored = [(points, len(dice)) for line in rules.table for dice, points in line.dice if points]
    exact = [rules.target] if rules.end == "exact" else []
    step = gcd(rules.nothing_scores, rules.overshoot_to or 0, *exact, *(points for points, _ in scored))
    goal = -(-rules.target // step)
    columns = (rules.dice + 1) * (1 + -(-confirming // step))
    if multiplied:  # each time that all dice have scored, they have brought this at least
        least = min(points / count for points, count in scored) * rules.dice
        columns *= next(times for times in count_from(1) if least * times * (times - 1) / 2 >= rules.target)
    return columns * goal**2 if goal <= MOST_LACKING else 0
