"""What dice are worth in the ten-thousand games, by trying every way to split them into combinations."""

from collections.abc import Callable
from functools import cache
from itertools import combinations

Dice = tuple[int, ...]
# What dice are worth as one combination; None where they are none.
OneCombination = Callable[[Dice], int | None]

STRAIGHT = (1, 2, 3, 4, 5, 6)


def sub_multisets(dice: Dice) -> set[Dice]:
    """Every choice of at least one of the dice, ascending."""
    ordered = sorted(dice)
    return {chosen for count in range(1, len(dice) + 1) for chosen in combinations(ordered, count)}


def leave_out(dice: Dice, taken: Dice) -> Dice:
    rest = list(dice)
    for die in taken:
        rest.remove(die)
    return tuple(rest)


def best_split(dice: Dice, one: OneCombination) -> int | None:
    """The most points that all of the dice bring, split into combinations; None where they cannot be split.

    The first die must belong to some combination: each one that has it is tried, and what remains is split again.
    """
    return _best_split(tuple(sorted(dice)), one)


@cache
def _best_split(dice: Dice, one: OneCombination) -> int | None:
    if not dice:
        return 0
    found = []
    for taken in sub_multisets(dice):
        points = one(taken) if dice[0] in taken else None
        if points is not None:
            others = _best_split(leave_out(dice, taken), one)
            if others is not None:
                found.append(points + others)
    return max(found, default=None)


def scoring_choices(dice: Dice, one: OneCombination) -> dict[Dice, int]:
    """Every choice among the dice that can be split into combinations, with its points."""
    split = {chosen: best_split(chosen, one) for chosen in sub_multisets(dice)}
    return {chosen: points for chosen, points in split.items() if points is not None}


def alike(dice: Dice) -> bool:
    return len(set(dice)) == 1


def counts(dice: Dice) -> list[int]:
    """How many of each face there are, the most first."""
    return sorted((dice.count(face) for face in set(dice)), reverse=True)


def are_three_pairs(dice: Dice) -> bool:
    """X,X,Y,Y,Z,Z where faces may repeat: six dice, each face an even number of times."""
    return len(dice) == 6 and all(count % 2 == 0 for count in counts(dice))


# ---------------------------------------------------------------- docs/rules.md sections 1, 2, 12, 13


def ones_and_fives(dice: Dice) -> int | None:
    """docs/rules.md section 1. Three ones are 1000, other triples 100 times the face (2,2,2 is 200)."""
    worth = []
    if dice == (1,):
        worth.append(100)
    if dice == (5,):
        worth.append(50)
    if len(dice) == 3 and alike(dice):
        worth.append(1000 if dice[0] == 1 else 100 * dice[0])
    if dice == STRAIGHT:
        worth.append(3000)
    if are_three_pairs(dice):
        worth.append(1500)
    return max(worth, default=None)


def ones_and_fives_as_printed(dice: Dice) -> int | None:
    """docs/rules.md section 1 with the option `two_two_two_is_300`: the text's own example, 2,2,2 => 300."""
    return 300 if dice == (2, 2, 2) else ones_and_fives(dice)


def six_dice(dice: Dice) -> int | None:
    """docs/rules.md section 2, where the three pairs are three different faces."""
    worth = _doubling(dice)
    if dice == STRAIGHT:
        worth.append(1500)
    if counts(dice) == [2, 2, 2]:
        worth.append(1000)
    return max(worth, default=None)


def six_dice_pairs_may_repeat(dice: Dice) -> int | None:
    """docs/rules.md section 2 with the option `pairs_may_repeat`."""
    worth = _doubling(dice)
    if dice == STRAIGHT:
        worth.append(1500)
    if are_three_pairs(dice):
        worth.append(1000)
    return max(worth, default=None)


def farkle(dice: Dice) -> int | None:
    """docs/rules.md section 12."""
    worth = []
    if dice == (1,):
        worth.append(100)
    if dice == (5,):
        worth.append(50)
    if len(dice) == 3 and alike(dice):
        worth.append(300 if dice[0] == 1 else 100 * dice[0])
    if len(dice) >= 4 and alike(dice):
        worth.append({4: 1000, 5: 2000, 6: 3000}[len(dice)])
    if dice == STRAIGHT:
        worth.append(1500)
    if counts(dice) in ([2, 2, 2], [4, 2]):
        worth.append(1500)
    if counts(dice) == [3, 3]:
        worth.append(2500)
    return max(worth, default=None)


def zilch(dice: Dice) -> int | None:
    """docs/rules.md section 13, without the 500 for a throw of six dice that scores nothing."""
    worth = _doubling(dice)
    if dice == STRAIGHT:
        worth.append(1500)
    if counts(dice) in ([2, 2, 2], [4, 2], [6]):
        worth.append(1500)
    return max(worth, default=None)


def _doubling(dice: Dice) -> list[int]:
    """Ones, fives, and three to six alike, each die beyond the third doubling: sections 2 and 13 have them alike."""
    worth = []
    if dice == (1,):
        worth.append(100)
    if dice == (5,):
        worth.append(50)
    if len(dice) >= 3 and alike(dice):
        three = 1000 if dice[0] == 1 else 100 * dice[0]
        worth.append({3: three, 4: 2 * three, 5: 4 * three, 6: 8 * three}[len(dice)])
    return worth
