"""docs/rules.md gives what best play is worth in two of the games. It is worked out here from the rules' own answers,
so that a single wrong score, joker or refusal would show in the decimals. `make soak` runs it: minutes.

What the advice works out for zilch, `advice/ten_thousand/test_points.py` compares with the same figures.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement, compress, product
from math import factorial, prod
from typing import Any

import numpy as np
import pytest

import scorer
from scorer.advice.sheet.one_column import OneColumnSolution
from scorer.jokers import NO_JOKERS, Jokers, Writing
from scorer.sheet import Column, SheetGame, SheetState
from scorer.ten_thousand import TenThousand
from tests.scorer.advice.solved import small

YAHTZEE: Any = scorer.game("yahtzee")

Dice = tuple[int, ...]


@cache
def throws(count: int) -> list[tuple[Dice, float]]:
    """Every multiset of `count` dice with its probability."""
    return [
        (dice, factorial(count) / prod(factorial(dice.count(face)) for face in set(dice)) / 6**count)
        for dice in combinations_with_replacement(range(1, 7), count)
    ]


# --- zilch: points a turn in the long run ----------------------------------------------------------------------------

STEP = 50
HIGHEST = 10_000  # points of a turn at which the player banks anyhow; 20,000 gives 620.8547
MOST_OF_A_THROW = 8_000


def points_a_turn(game: TenThousand) -> float:
    """The long-run mean of a turn under best play: relative value iteration over the zilches in a row so far."""
    minimum, top = game.rules.minimum // STEP, HIGHEST // STEP
    throws_of = [chances_of_choices(game, count) if count else {} for count in range(7)]
    banked = np.arange(top + MOST_OF_A_THROW // STEP + 1.0)[:, None, None] * STEP
    in_a_row = np.zeros(game.busts_to_penalty)  # what a turn is worth beyond the mean, after so many zilches
    while True:
        bust = np.append(in_a_row[1:], in_a_row[0] - game.penalty)
        worth = np.broadcast_to(banked + in_a_row[0], (len(banked), 7, game.busts_to_penalty)).copy()
        for points in range(top - 1, -1, -1):
            for count in range(1, 7):
                on = sum(
                    chance
                    * (np.max([worth[points + more, left] for left, more in choices], axis=0) if choices else bust)
                    for choices, chance in throws_of[count].items()
                )
                worth[points, count] = np.maximum(on, worth[points, count]) if points >= minimum else on
        turn = worth[0, 6]
        change = np.abs(turn - turn[0] - in_a_row).max()
        in_a_row = turn - turn[0]
        if change < 1e-6:
            return float(turn[0])


def chances_of_choices(game: TenThousand, count: int) -> dict[frozenset[tuple[int, int]], float]:
    """The chances of what throws of `count` dice offer: for dice left to throw, the most points (in steps)."""
    chances: dict[frozenset[tuple[int, int]], float] = {}
    for dice, chance in throws(count):
        most: dict[int, int] = {}
        for choice in game.choices(dice):
            left = (count - len(choice.dice)) or 6
            most[left] = max(most.get(left, 0), choice.points // STEP)
        offered = frozenset(most.items())
        chances[offered] = chances.get(offered, 0) + chance
    return chances


def three_different_pairs() -> TenThousand:
    """Zilch if four alike and a pair were no three pairs."""
    game = scorer.game("zilch")
    *others, pairs = game.rules.combination
    return TenThousand(game.kind, replace(game.rules, combination=(*others, replace(pairs, may_repeat=False))), {})


@pytest.mark.slow
@pytest.mark.parametrize(("game", "expected"), [(scorer.game("zilch"), 620.855), (three_different_pairs(), 611.794)])
def test_section_13_points_that_best_play_brings_a_turn(game: TenThousand, expected: float) -> None:
    assert points_a_turn(game) == pytest.approx(expected, abs=0.001)


# --- yahtzee: points of a solitaire game -----------------------------------------------------------------------------

UPPER_CELLS = 6
UPPER_SUMS = np.arange(64)  # 63 stands for 63 and more
MULTISETS = [dice for count in range(6) for dice in combinations_with_replacement(range(1, 7), count)]
FIRST_COMPLETE = len(MULTISETS) - 252
COMPLETE = MULTISETS[FIRST_COMPLETE:]
PLACE = {dice: place for place, dice in enumerate(MULTISETS)}


def points_of_a_game(jokers: Jokers) -> float:
    """The expectation of a lone game under best play, from what `legal` gives for every sheet and throw."""

    game = SheetGame(YAHTZEE.kind, YAHTZEE.rules, {}, jokers)
    keys = [category.key for category in game.categories]
    general = keys.index("general")
    worth_of = np.array([[points for _, points, _ in offers(game, start(game), dice)] for dice in COMPLETE])
    five_alike = [place for place, dice in enumerate(COMPLETE) if dice[0] == dice[-1]]
    # value[filled, whether general holds 50, upper sum]: points still to come.
    value = np.zeros((1 << len(keys), 2, len(UPPER_SUMS)))

    def worth_of_writing(filled: int, holds: int, category: int, points: Any) -> Any:
        """Worth of writing `points` (of one throw or of many), for each upper sum."""
        if category < UPPER_CELLS:
            after = np.minimum(UPPER_SUMS + points, UPPER_SUMS[-1])
            reached = (after == UPPER_SUMS[-1]) & (UPPER_SUMS[-1] > UPPER_SUMS)
            return points + game.upper_bonus * reached + value[filled | 1 << category, holds][after]
        return points + value[filled | 1 << category, holds]

    for filled in range((1 << len(keys)) - 2, -1, -1):
        for holds in (0, 1) if filled >> general & 1 else (0,):
            best = np.full((len(COMPLETE), len(UPPER_SUMS)), -np.inf)
            for category in range(len(keys)):
                if not filled >> category & 1:
                    # Dice that are not five alike score 0 as a general: it holds nothing then.
                    np.maximum(best, worth_of_writing(filled, holds, category, worth_of[:, category, None]), out=best)
            state = with_filled(game, filled, holds)
            for place in five_alike:
                best[place] = -np.inf
                for key, points, bonus in offers(game, state, COMPLETE[place]):
                    then_holds = 1 if key == "general" and points else holds
                    worth = bonus + worth_of_writing(filled, then_holds, keys.index(key), points)
                    np.maximum(best[place], worth, out=best[place])
            value[filled, holds] = before_a_throw(best_keep(best_keep(best)))[0]
    return float(value[0, 0, 0])


def before_a_throw(complete: Any) -> Any:
    """The expectation with each multiset of dice kept: the mean over the next die, one die after the other."""
    expected = np.empty((len(MULTISETS), complete.shape[1]))
    expected[FIRST_COMPLETE:] = complete
    for places, following in one_die_more():
        expected[places] = expected[following].mean(axis=1)
    return expected


def best_keep(complete: Any) -> Any:
    """The best expectation that five dice leave when some of them are thrown again, or none."""
    keeps, begins = keeps_of_complete_dice()
    return np.maximum.reduceat(before_a_throw(complete)[keeps], begins, axis=0)


@cache
def one_die_more() -> list[tuple[Any, Any]]:
    """For four dice down to none: the places of the multisets, and of those with each face added."""
    found = []
    for count in range(4, -1, -1):
        kept = list(combinations_with_replacement(range(1, 7), count))
        following = [[PLACE[tuple(sorted((*dice, face)))] for face in range(1, 7)] for dice in kept]
        found.append((np.array([PLACE[dice] for dice in kept]), np.array(following)))
    return found


@cache
def keeps_of_complete_dice() -> tuple[Any, Any]:
    """The places of what may be kept of five dice, one set of dice after the other, and where each set's begin."""
    keeps: list[int] = []
    begins = []
    for dice in COMPLETE:
        begins.append(len(keeps))
        keeps += sorted({PLACE[tuple(compress(dice, stays))] for stays in product((0, 1), repeat=5)})
    return np.array(keeps), np.array(begins)


def start(game: SheetGame) -> SheetState:
    return game.start(1)


def with_filled(game: SheetGame, filled: int, holds: int) -> SheetState:
    """A sheet with these cells filled, with 0 unless `general` holds 50."""
    cells = tuple(
        (50 if holds and category.key == "general" else 0) if filled >> place & 1 else None
        for place, category in enumerate(game.categories)
    )
    return start(game)._replace(sheets=((Column(cells),),))


def offers(game: SheetGame, state: SheetState, dice: Dice) -> list[tuple[str, int, int]]:
    """Where five dice may be written, with points and bonus."""
    thrown, _ = game.apply(state, {"do": "throw", "dice": dice})
    entries = [entry for entry in game.legal(thrown) if entry["do"] == "score"]
    return [(entry["category"], entry["points"], entry["bonus"]) for entry in entries]


def free_choice(sheet: Any, column: int, category: Any, own: Any, lower_open: bool, general: str) -> Writing:
    """Any cell; as any lower pattern only when the upper cell of the face is filled; the bonus wherever written."""
    filled = sheet[column]
    return Writing(as_joker="general" in filled and own.key in filled, bonus=bool(filled.get("general")))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("jokers", "expected"),
    [(YAHTZEE.jokers, 254.5877), (Jokers(free_choice, ()), 254.5896), (NO_JOKERS, 245.8708)],
    ids=["forced", "free", "none"],
)
def test_section_10_best_play_of_yahtzee(jokers: Jokers, expected: float) -> None:
    assert points_of_a_game(jokers) == pytest.approx(expected, abs=0.0001)
    keys = [category.key for category in YAHTZEE.categories]
    assert OneColumnSolution.solve(small("yahtzee", *keys, jokers=jokers)).value == pytest.approx(expected, abs=5e-5)
