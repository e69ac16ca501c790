"""Whether a game can be won: some throw counts, some turn ends with points, and some play reaches the end.

Only what can never be is refused, however improbable the rest is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import combinations_with_replacement
from math import gcd
from typing import Any

from scorer.actions import FACES, MOST_POINTS
from scorer.categories import points_by
from scorer.combinations import Dice
from scorer.counter import CounterGame
from scorer.definitions.game_file import SheetRules, TenThousandRules
from scorer.definitions.patterns import Pattern
from scorer.game import Game
from scorer.races import shows
from scorer.sheet import SheetGame
from scorer.ten_thousand import TenThousand
from scorer.turns.hand import HandGame

NOTHING_COUNTS, NO_TURN, NO_END = "definition-nothing-counts", "definition-no-turn", "definition-no-end"
MOST_FORCED = 6  # dice, of which all throws are tried


def why_nobody_wins(game: Game[Any]) -> str | None:
    """The reason key why a game that comes from a file cannot be won; None if it can be, as far as is known."""
    if isinstance(game, TenThousand):
        return _why_no_race(game.rules)
    if isinstance(game, SheetGame):
        return None if _sheet_counts(game.rules) else NOTHING_COUNTS
    if isinstance(game, CounterGame):
        return _why_no_counter(game)
    if isinstance(game, HandGame):
        return _why_no_hand(game)
    return None


# --- races -----------------------------------------------------------------------------------------------------------


def _why_no_race(rules: TenThousandRules) -> str | None:
    if rules.winning:
        return None
    scored = {(len(dice), each) for line in rules.table for dice, each in line.dice if not shows(dice, rules.wiped_by)}
    scored |= {(rules.dice, rules.nothing_scores)} if rules.nothing_scores else set()
    if not scored:
        return NOTHING_COUNTS
    most = _most_by_dice(scored, rules.dice)
    banked = _may_bank(rules, scored, most, max(rules.minimum, rules.opening))
    if rules.end == "exact":
        at_once = rules.dice in most or max(most.values()) >= rules.target
        return _why_not_exact(rules, scored, most) if banked or at_once else NO_TURN
    confirmed = rules.nothing_scores or any(not line.confirm for line in rules.table)  # by what is set aside last
    if not (banked and confirmed) or _must_always_throw(rules):
        return NO_TURN
    return None


def _most_by_dice(scored: Collection[tuple[int, int]], dice: int) -> dict[int, int]:
    """The most points by how many of the dice are set aside, until all are."""
    most = {0: 0}
    for used in range(1, dice + 1):
        found = [most[used - count] + points for count, points in scored if used - count in most]
        most |= {used: max(found)} if found else {}
    return most


def _may_bank(rules: TenThousandRules, scored: Collection[tuple[int, int]], most: dict[int, int], needed: int) -> bool:
    """Whether a turn can be banked with so many points. Once all dice have scored, they may do so again and again."""
    every, allowed = rules.dice, rules.bank_with_at_most
    for used, points in most.items():
        few = allowed is None or every - used <= allowed
        if 0 < used < every and few and (points >= needed or every in most):
            return True
    in_parts = any(count < every and every - count in most for count, _ in scored)
    free = in_parts if rules.hot_dice == "must-after-one-throw" else rules.hot_dice != "must"
    return every in most and free


def _must_always_throw(rules: TenThousandRules) -> bool:
    """Whether each throw sets aside all dice by itself, or none, and no turn may end then."""
    again = rules.hot_dice in ("must", "must-after-one-throw")
    if not (rules.forced and again and rules.dice <= MOST_FORCED):
        return False
    throws = combinations_with_replacement(FACES, rules.dice)
    best = (max(rules.combinations.choices(dice), key=_in_order, default=None) for dice in throws)
    return all(choice is None or len(choice.dice) == rules.dice for choice in best)


def _in_order(choice: Any) -> tuple[int, int]:
    return choice.points, len(choice.dice)


def _why_not_exact(rules: TenThousandRules, scored: Collection[tuple[int, int]], most: dict[int, int]) -> str | None:
    if rules.penalty:  # a total below 0 leaves any way open
        return None
    multiplied = rules.hot_dice == "multiply" and rules.dice in most
    if multiplied or max(most.values()) >= rules.target:  # such dice bring just what lacks
        return None
    return None if _makes(rules.target, {points for _, points in scored}, rules.overshoot_to) else NO_END


def _makes(target: int, points: Collection[int], left: int | None) -> bool:
    """Whether the target is a sum of such points, each as often as wanted, from 0 or what is left of passing it."""
    starts = {0, left if left and left < target else 0}
    step = gcd(target, *points, *starts)
    goal, sizes = target // step, sorted(each // step for each in points if each <= target)
    reached, mask = 1, (2 << goal) - 1  # a bit for each total
    for size in sizes:
        if sizes[0] * size <= goal and gcd(sizes[0], size) == 1:  # all totals are sums, from less than this on
            return True
        more = goal + 1 if reached >> size & 1 else size  # a sum of smaller ones brings nothing new
        while more <= goal:
            reached |= reached << more & mask
            more *= 2
    return any(reached >> goal - start // step & 1 for start in starts)


# --- sheets ----------------------------------------------------------------------------------------------------------


def _sheet_counts(rules: SheetRules) -> bool:
    """Whether some cell can hold points, and so many that they matter."""
    holding = [cell for cell in rules.cell if str(cell.points) != "0" and _fitting_sums(cell, rules.dice)]
    if any(cell.wins for cell in holding):
        return True
    if not rules.tiers or rules.joker != "none" or any(cell.tiers or cell.hits for cell in holding):
        return bool(holding or rules.upper)
    most = rules.dice * sum(rules.upper) + max(0, 0, *(points for _, points in rules.upper_bonus))
    throws = list(combinations_with_replacement(FACES, rules.dice))
    for category in rules.categories[len(rules.upper) :]:
        most += category.stands * max(map(partial(category.worth, throw=1), throws))
    totals = [0, *(least for least, _ in rules.tiers if 0 < least <= most * sum(rules.factors))]
    return len({points_by(rules.tiers, total) for total in totals}) > 1


def _fitting_sums(pattern: Pattern, dice: int) -> set[int]:
    """The sums of all throws of so many dice that fit a pattern."""
    shown: list[tuple[Dice, Sequence[int]]] = [((), FACES)]
    if pattern.alike or pattern.run or pattern.groups or pattern.dice:
        alone = pattern.exactly and pattern.alike
        shown = [(each, [face for face in FACES if not alone or face not in each]) for each in pattern.sets()]
    sums = {total for each, faces in shown for total in _sums(each, faces, dice)}
    return {each for each in sums if each == (pattern.sum or each)}


def _sums(shown: Dice, faces: Sequence[int], dice: int) -> set[int]:
    """The sums of so many dice, of which some show this and the others such faces."""
    found = {sum(shown)}
    for _ in range(dice - len(shown)):
        found = {total + face for total in found for face in faces}
    return found


# --- counters --------------------------------------------------------------------------------------------------------


def _why_no_counter(game: CounterGame) -> str | None:
    rules = game.rules
    if not (rules.rounds or rules.target):
        return NO_END
    depends = rules.uses_wanted
    if rules.progress:  # each number must be a sum of the dice
        return None if max(rules.wanted, default=0) <= len(FACES) * rules.dice else NO_END
    in_rounds = rules.wanted[: rules.rounds or None] if depends else rules.wanted[:1]
    wanted: Sequence[int | None] = list(dict.fromkeys(in_rounds)) or [None]
    if not any(points for each in wanted for points in _counted_points(game, each)):
        return NOTHING_COUNTS
    if rules.counts == "rounds":
        fewest = min(each for each in (rules.rounds, rules.target) if each)  # one player may win them all
        played = rules.wanted[:fewest] if depends else wanted
        return None if all(_is_decided(game, each) for each in played) else NO_END
    exact = rules.end == "exact"
    if not (exact and rules.turn == "bank") and not any(_may_end(game, each) for each in wanted):
        return NO_TURN
    if not exact or rules.rounds:
        return None
    brings = _totals if rules.turn == "one-die-less" else _counted_points
    points = {points for each in wanted for points in brings(game, each)} - {0}
    return None if _makes(rules.target, points, rules.overshoot_to) else NO_END


def _counts_of_dice(game: CounterGame) -> Sequence[int]:
    """How many dice a turn may throw."""
    return range(game.dice, 0 if game.rules.may_throw_fewer else game.dice - 1, -1)


def _harmless_throws(game: CounterGame, count: int, faces: Sequence[int] = FACES) -> Iterator[Dice]:
    """The throws of so many dice that take nothing away."""
    rules = game.rules
    for dice in combinations_with_replacement(faces, count):
        if rules.count_of(dice, None) is not None and not shows(dice, rules.wiped_by):
            yield dice


def _counted_points(game: CounterGame, wanted: int | None) -> Iterator[int]:
    """What each throw of a turn counts that takes nothing away."""
    most = game.rules.limit or MOST_POINTS
    for count in _counts_of_dice(game):
        counted = (game.worth(dice, wanted, game.rules.leave) or 0 for dice in _harmless_throws(game, count))
        yield from (points for points in counted if points <= most)


def _totals(game: CounterGame, wanted: int | None) -> set[int]:
    """What a turn of throws that each have a die less can bring."""
    found = {0}
    for count in _counts_of_dice(game):
        thrown = {game.worth(dice, wanted, ()) or 0 for dice in _harmless_throws(game, count)}
        found = {total + points for total in found for points in thrown if total + points <= game.rules.target}
    return found


def _may_end(game: CounterGame, wanted: int | None) -> bool:
    """Whether a turn can end, or be banked, with what it has."""
    rules = game.rules
    if rules.turn == "bank":
        return any(
            len(dice) == 1 or not rules.alike_again or dice[0] != dice[-1]
            for count in _counts_of_dice(game)
            for dice in _harmless_throws(game, count)
        )
    if rules.turn == "while-it-counts":
        return any(not game.worth(dice, wanted, ()) for dice in _harmless_throws(game, game.dice))
    if rules.leave:
        return any(True for count in _counts_of_dice(game) for _ in _harmless_throws(game, count, rules.leave))
    return True


def _is_decided(game: CounterGame, wanted: int | None) -> bool:
    """Whether somebody can win a round that is played for."""
    rules = game.rules
    if rules.round_target or not rules.throws_are_fixed:
        return any(_counted_points(game, wanted)) and (rules.round_target > 0 or _may_end(game, wanted))
    for count in _counts_of_dice(game):
        throws = combinations_with_replacement(FACES, count)
        brought = (game.worth(dice, wanted, ()) or 0 for dice in throws)
        first = next(brought)
        if any(points != first for points in brought):
            return True
    return False


# --- hands -----------------------------------------------------------------------------------------------------------


def _why_no_hand(game: HandGame) -> str | None:
    """Hands that can be had differ, and their totals can reach the target."""
    rules = game.rules
    if not (rules.rounds or rules.target or rules.lives):
        return NO_END
    hands = {each.worth for each in rules.table.values() if each.line >= 0 or not rules.until_worth}
    if not hands:
        return NO_TURN
    if rules.counts == "totals":
        if rules.rounds:
            return None if len(hands) > 1 else NOTHING_COUNTS
        return None if max(hands) > 0 else NOTHING_COUNTS
    return None if len(hands) > 1 else NOTHING_COUNTS
