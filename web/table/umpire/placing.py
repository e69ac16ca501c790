"""Finds each die again at the next rest by value and place, even if the whole picture shifted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from web.table.umpire.observations import NOWHERE, Box, RestingDie, Spot

NEAR = 0.4  # of a die's side: a die this close to the place of one with its value is that die
NEAR_STAYED = 1.0  # the same for a die that stayed, as the watch says


def link_dice(spots: Sequence[Spot], dice: Sequence[RestingDie]) -> list[int | None]:
    """For each die the number of the spot at which it lies, or None. For an unsure die the place alone counts."""
    shift = _picture_shift(spots, dice)
    pairs = []
    for place, die in enumerate(dice):
        for number, spot in enumerate(spots):
            if die.sure and die.value != spot.value:
                continue
            away = _distance(die.box, spot.box, shift) / _side(die.box)
            if away <= (NEAR_STAYED if die.stayed else NEAR):
                pairs.append((away, place, number))
    found: list[int | None] = [None] * len(dice)
    for _, place, number in sorted(pairs):
        if found[place] is None and number not in found:
            found[place] = number
    return found


def moved_spots(spots: Sequence[Spot], dice: Sequence[RestingDie], links: Sequence[int | None]) -> tuple[Spot, ...]:
    """The spots after a rest without a throw: each die is one of them, at its place or pushed. The other spots are no
    longer in view, unless they were never seen."""
    after = [replace(spot, lying=spot.box == NOWHERE) for spot in spots]
    free = [number for number in range(len(spots)) if number not in links]
    for die, link in zip(dice, links, strict=True):
        number, pushed = link, False
        if number is None:
            same = [each for each in free if spots[each].value == die.value]
            if not same:
                continue
            number, pushed = max(same, key=lambda each: spots[each].lying), True
            free.remove(number)
        spot = spots[number]
        after[number] = replace(spot, box=die.box, lying=True, moved=spot.moved or pushed)
    return tuple(after)


def _picture_shift(spots: Sequence[Spot], dice: Sequence[RestingDie]) -> tuple[float, float]:
    """How far the whole picture moved since the spots were seen: the shift of most dice that stayed."""
    pairs = [
        (_middle(die.box), _middle(spot.box), _side(die.box))
        for die in dice
        if die.stayed
        for spot in spots
        if spot.lying and spot.value == die.value
    ]
    best, most = (0.0, 0.0), _count_agreeing(pairs, (0.0, 0.0))
    for here, there, _ in sorted(pairs, key=lambda pair: abs(pair[0][0] - pair[1][0]) + abs(pair[0][1] - pair[1][1])):
        shift = (here[0] - there[0], here[1] - there[1])
        if (agree := _count_agreeing(pairs, shift)) > most:
            best, most = shift, agree
    return best


def _count_agreeing(
    pairs: Sequence[tuple[tuple[float, float], tuple[float, float], float]], shift: tuple[float, float]
) -> int:
    return sum(
        abs(here[0] - there[0] - shift[0]) + abs(here[1] - there[1] - shift[1]) < NEAR * side
        for here, there, side in pairs
    )


def _distance(one: Box, other: Box, shift: tuple[float, float]) -> float:
    (x0, y0), (x1, y1) = _middle(one), _middle(other)
    return float(((x0 - x1 - shift[0]) ** 2 + (y0 - y1 - shift[1]) ** 2) ** 0.5)


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _side(box: Box) -> float:
    return max(box[2] - box[0], box[3] - box[1])
