"""Updates the memory after phones confirmed, undid, corrected or entered actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import scorer
from web.table.umpire.explanations import Position
from web.table.umpire.observations import NOWHERE, Action, Box, RestingDie, Spot, UmpireMemory

MOST_MISREAD = 2  # dice that a person corrected: with more, the dice at rest are not those entered


def update_memory(table: scorer.Table, memory: UmpireMemory) -> UmpireMemory:
    actions = table.actions
    last, throws = memory.last, memory.throws
    if table.version != memory.version or last != _last_throw(actions):
        last, throws = _last_throw(actions), sum(action["do"] == "throw" for action in actions)
    if (table.version, throws, last) == (memory.version, memory.throws, memory.last):
        return memory
    after = replace(memory, version=table.version, throws=throws, last=last, waiting=(), asked=False, unanswered=())
    new = actions[memory.version :]
    if memory.waiting and new and _same(new, memory.waiting[: len(new)]):
        return replace(after, waiting=memory.waiting[len(new) :])
    if throws > memory.throws or (throws == memory.throws and table.version >= memory.version and last != memory.last):
        spots = _place_entered_dice(memory.rest, last, Position.from_table(table).spread().aside)
        return replace(after, spots=spots, gone=(), entered=True)
    if throws < memory.throws or memory.waiting:
        return replace(after, spots=(), gone=(), fresh=True)
    return after


def _last_throw(actions: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
    return next((tuple(sorted(action["dice"])) for action in reversed(actions) if action["do"] == "throw"), ())


def _same(done: Sequence[Action], proposed: Sequence[Action]) -> bool:
    return len(done) == len(proposed) and all(map(_alike, done, proposed))


def _alike(one: Action, other: Action) -> bool:
    if one["do"] != other["do"]:
        return False
    return sorted(one.get("dice", ())) == sorted(other.get("dice", ())) and "what" not in one


def _place_entered_dice(rest: Sequence[RestingDie], thrown: Sequence[int], aside: Sequence[int]) -> tuple[Spot, ...]:
    """The spots of the dice `thrown`, just entered by a phone, among the dice at `rest`; () if these are other dice.

    A misread die gets the entered value, a hidden one lies NOWHERE. Dice `aside` may lie there too.
    """
    wrong = Counter(thrown) - Counter(die.value for die in rest)
    extra = Counter(die.value for die in rest) - Counter((*thrown, *aside))
    if wrong.total() > MOST_MISREAD or not rest:
        return ()
    spots, missing = [], sorted(wrong.elements())
    for die in sorted(rest, key=lambda die: die.sure):  # those that were doubted first
        value = die.value
        if missing and extra[value] > 0 and (not die.sure or extra.total() == len(missing)):
            extra[value] -= 1
            value = missing.pop(0)
        spots.append(Spot(value, die.box))
    return (*spots, *(Spot(value, NOWHERE) for value in missing))


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
