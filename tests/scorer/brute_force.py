"""An independent way to split dice into combinations: over the dice by their places, combinations as predicates."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from tests.scorer.playing import Dice, all_throws

# Points of dice (ascending) that are one combination, None where they are none.
GroupPoints = Callable[[Dice], int | None]


@cache
def best_split(dice: Dice, group_points: GroupPoints) -> int | None:
    """Points of the best way to put every die into a combination; None where there is no way."""
    count = len(dice)
    dice = tuple(sorted(dice))

    @cache
    def best(places: int) -> int | None:
        if not places:
            return 0
        found = []
        lowest = places & -places
        group = places
        while group:
            if group & lowest:
                points = group_points(tuple(dice[place] for place in range(count) if group >> place & 1))
                rest = best(places & ~group)
                if points is not None and rest is not None:
                    found.append(points + rest)
            group = (group - 1) & places
        return max(found, default=None)

    return best((1 << count) - 1)


@cache
def all_choices(dice: Dice, group_points: GroupPoints) -> dict[Dice, int]:
    """Every part of a throw that can be split, with its points, by trying every set of its dice."""
    found = {}
    for places in range(1, 1 << len(dice)):
        part = tuple(die for place, die in enumerate(dice) if places >> place & 1)
        if part not in found:
            points = best_split(part, group_points)
            if points is not None:
                found[part] = points
    return found


def check_choices(game: Any, group_points: GroupPoints, count: int) -> None:
    """Every one of the 6^count throws, as the engine answers it, against brute force."""
    start = game.start(1)._replace(left=count)
    for dice in all_throws(count):
        in_order = tuple(sorted(dice))
        expected = all_choices(in_order, group_points)
        state, events = game.apply(start, {"do": "throw", "dice": dice})
        if not expected:
            assert events[0]["event"] == "bust", dice
        elif dice == in_order:
            listed = game.legal(state)
            assert {tuple(entry["dice"]): entry["points"] for entry in listed} == expected, dice
            assert len(listed) == len(expected), dice
            assert all(entry["dice_left"] == (count - len(entry["dice"]) or 6) for entry in listed), dice
        else:
            assert (state.throw, state.waiting) == (dice, True)


def throws_that_score_nothing(group_points: GroupPoints) -> list[int]:
    """How many of the 6^n throws of n = 1..6 dice have no choice."""
    return [
        sum(not all_choices(tuple(sorted(dice)), group_points) for dice in all_throws(count)) for count in range(1, 7)
    ]
