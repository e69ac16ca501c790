"""Updates the memory after phones confirmed, undid, corrected or entered actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import scorer
from web.table.umpire.observations import NOWHERE, Action, RestingDie, Spot, UmpireMemory
from web.table.umpire.spreads import Position

MOST_MISREAD = 2  # dice that a person corrected: with more, the dice at rest are not those entered


def update_memory(table: scorer.Table, memory: UmpireMemory) -> UmpireMemory:
    """The memory for the table as it is now."""
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


def empty_memory(table: scorer.Table) -> UmpireMemory:
    """A memory of the table's actions alone."""
    return update_memory(table, UmpireMemory())


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
