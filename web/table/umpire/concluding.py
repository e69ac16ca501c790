"""The umpire itself: from an observation to a proposal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import scorer
from web.table.umpire.explanations import Explanation, Position, Spread, TableScene, bank_ways, explanations
from web.table.umpire.observations import (
    NOWHERE,
    Action,
    Blind,
    Cleared,
    DiceAtRest,
    Moving,
    Observation,
    RestingDie,
    Spot,
    TableChanged,
    UmpireMemory,
)
from web.table.umpire.remembering import link_dice, moved_spots, update_memory

MOST_OFFERED = 20  # ways
MOST_UNANSWERED = 20  # rests


@dataclass(frozen=True)
class UmpireReason:
    """Why the umpire asks or refuses: `reason` is a key of `REASONS`, `params` fill its sentence."""

    reason: str
    params: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return REASONS[self.reason].format(**self.params)


@dataclass(frozen=True)
class Conclusion:
    """What the umpire concludes from an observation. None of it is done yet.

    `state`: "moving" (dice roll or a hand is in the picture), "blind", "looking" (again), "clear" (no dice), "resting"
    (the dice lie as the table has them), "put" (lifted or pushed dice may become a set-aside or a keep), "throw",
    "over". `actions`: the proposed actions, in order; `alternatives`: other legal ways, likelier first. `sure`: the
    actions may be done without asking; only a throw that came to rest is sure. `thrown`, `aside`, `doubtful`: the dice
    in question. `question`: a person must answer it first; `refused`: why no rule allows it. `memory`: for the next
    call.
    """

    state: str
    memory: UmpireMemory
    actions: tuple[Action, ...] = ()
    alternatives: tuple[tuple[Action, ...], ...] = ()
    sure: bool = False
    thrown: tuple[RestingDie, ...] = ()
    aside: tuple[RestingDie, ...] = ()
    doubtful: tuple[RestingDie, ...] = ()
    question: UmpireReason | None = None
    refused: UmpireReason | None = None
    reason: str = ""  # of "blind"


def look_again(table: scorer.Table) -> Conclusion:
    """Somebody asked to look again: everything before the next rest is forgotten."""
    return Conclusion("looking", update_memory(table, UmpireMemory()))


def conclude(table: scorer.Table, memory: UmpireMemory, event: Observation) -> Conclusion:
    """What the hands did, as far as the observation shows. The table is not changed."""
    memory = update_memory(table, memory)
    if table.game.counted_by_players:  # nobody knows the rules of what is played
        return Conclusion("resting", memory)
    if isinstance(event, Moving):
        return Conclusion("moving", replace(memory, fresh=False, entered=False), memory.waiting)
    if isinstance(event, Blind):
        return Conclusion("blind", memory, memory.waiting, reason=event.reason)
    position = Position.from_table(table, memory.waiting)
    if position.over:
        return Conclusion("over", memory, memory.waiting)
    if isinstance(event, Cleared):
        return _conclude_cleared(position, memory)
    if isinstance(event, TableChanged):
        if not memory.rest:
            return _conclude_unchanged(memory)
        event = DiceAtRest(memory.rest, memory.clear)
    return _conclude_rest(position, memory, event)


# --- all dice are gone --------------------------------------------------------------------------------------------


def _conclude_cleared(position: Position, memory: UmpireMemory) -> Conclusion:
    """Lifted dice end no turn: if banking is legal, the umpire asks."""
    spots = tuple(replace(spot, lying=False) for spot in memory.spots)
    unanswered = _asked_rests(memory)
    after = replace(_note_missing(memory, spots), rest=(), clear=True, asked=False, unanswered=unanswered)
    ways = _shown_ways_first(bank_ways(position, position.spread()), memory)
    if not ways or unanswered:
        return Conclusion("clear", after, memory.waiting)
    ways = [(*memory.waiting, *way) for way in ways]
    return Conclusion("clear", after, ways[0], tuple(ways[1:MOST_OFFERED]), question=UmpireReason("banked"))


def _shown_ways_first(ways: list[tuple[Action, ...]], memory: UmpireMemory) -> list[tuple[Action, ...]]:
    """Ways to bank: first the way whose set-aside the hands showed."""
    lay = tuple(sorted(spot.value for spot in memory.spots if spot.lying))
    missing = tuple(sorted(spot.value for spot in memory.spots if not spot.lying))
    return sorted(ways, key=lambda way: tuple(way[0].get("dice", ())) not in (lay, missing))


# --- dice lie still -----------------------------------------------------------------------------------------------


def _conclude_rest(position: Position, memory: UmpireMemory, event: DiceAtRest) -> Conclusion:
    spread = position.spread()
    memory = _with_hidden_dice(_with_known_dice(memory, spread), spread, event.dice)
    unanswered = tuple(each for each in _asked_rests(memory) if not _lie_again(each, event.dice))
    memory = replace(memory, rest=event.dice, clear=event.sure, asked=False, unanswered=unanswered)
    scene = _compare(memory, event)
    if not scene.count:
        return _conclude_lifted(position, spread, memory, scene)
    found = explanations(position, scene)
    only_moved = not scene.new - scene.missing and all(die.sure for die in event.dice)
    if only_moved and ((not found and not memory.fresh) or _lies_as_entered(memory, spread, scene)):
        return _conclude_lifted(position, spread, memory, scene)
    if not found:
        return _conclude_refused(position, spread, memory, scene)
    return _conclude_throw(memory, scene, found, event.sure, only_moved)


def _lies_as_entered(memory: UmpireMemory, spread: Spread, scene: TableScene) -> bool:
    """Whether all new dice are dice of a throw that was entered while the camera did not see it."""
    unseen = [spot.value for spot in memory.spots if spot.box == NOWHERE]
    if len(unseen) == len(memory.spots):
        return bool(spread.open) and scene.new == Counter(spread.values)
    return not scene.new - Counter(unseen)


def _with_known_dice(memory: UmpireMemory, spread: Spread) -> UmpireMemory:
    """Without known dice, as after looking again: the dice that the table has, at no known place."""
    if memory.spots or not spread.values:
        return memory
    return replace(memory, spots=tuple(Spot(value, NOWHERE) for value in spread.values))


def _with_hidden_dice(memory: UmpireMemory, spread: Spread, dice: Sequence[RestingDie]) -> UmpireMemory:
    """If nothing has moved since a throw was entered, all dice that lie there become known: hidden ones belong to the
    throw or lay beside it. Unless a known die is missing, or more dice lie there than the table has."""
    links = link_dice(memory.spots, dice)
    missing = any(spot.box != NOWHERE and number not in links for number, spot in enumerate(memory.spots))
    if not memory.entered or missing or Counter(die.value for die in dice) - Counter(spread.values):
        return memory
    hidden = Counter(spot.value for number, spot in enumerate(memory.spots) if number not in links)
    more = []
    for die, link in zip(dice, links, strict=True):
        if link is None and hidden[die.value] > 0:
            hidden[die.value] -= 1
        elif link is None:
            more.append(Spot(die.value, die.box))
    return replace(memory, spots=(*memory.spots, *more))


def _compare(memory: UmpireMemory, event: DiceAtRest) -> TableScene:
    links = link_dice(memory.spots, event.dice)
    missing = [spot for number, spot in enumerate(memory.spots) if spot.lying and number not in links]
    return TableScene(
        event.dice,
        tuple(links),
        Counter(memory.spots[link].value for link in links if link is not None),
        Counter(die.value for die, link in zip(event.dice, links, strict=True) if link is None),
        Counter(spot.value for spot in missing),
        memory.gone,
        Counter(spot.value for spot in memory.spots),
        any(spot.moved for spot in memory.spots),
    )


def _asked_rests(memory: UmpireMemory) -> tuple[tuple[RestingDie, ...], ...]:
    """The rests that nobody has answered a question about."""
    return (*memory.unanswered, memory.rest)[:MOST_UNANSWERED] if memory.asked else memory.unanswered


def _lie_again(rest: Sequence[RestingDie], dice: Sequence[RestingDie]) -> bool:
    """Whether all dice of this rest lie there again, perhaps with others that were hidden: a question about the rest is
    then one about these dice."""
    before = tuple(Spot(die.value, die.box) for die in rest)
    doubted = tuple(replace(die, sure=False) for die in dice)  # their values may be read better now
    found = link_dice(before, doubted)
    return len(before) == sum(link is not None for link in found)


def _note_missing(memory: UmpireMemory, spots: tuple[Spot, ...]) -> UmpireMemory:
    """The memory with these spots, and with the missing dice noted; none were, if all lie there again as thrown."""
    gone = tuple(sorted(spot.value for spot in spots if not spot.lying))
    if spots and not gone and not any(spot.moved for spot in spots):
        return replace(memory, spots=spots, gone=())
    more = (gone,) if gone and gone not in memory.gone else ()
    return replace(memory, spots=spots, gone=(*memory.gone, *more))


def _conclude_throw(
    memory: UmpireMemory, scene: TableScene, found: list[Explanation], clear: bool, only_moved: bool
) -> Conclusion:
    """A throw came to rest."""
    best = found[0]
    doubtful = tuple(die for die in scene.dice if not die.sure)
    question = _question(memory, found, clear and not doubtful, only_moved)
    actions = [(*memory.waiting, *reading.actions) for reading in found[:MOST_OFFERED]]
    thrown, aside = (tuple(scene.dice[place] for place in places) for places in (best.thrown, best.aside))
    if question is None:
        after = replace(
            memory,
            spots=tuple(Spot(_known_value(memory, scene, place), die.box) for place, die in enumerate(scene.dice)),
            gone=(),
            waiting=actions[0],
            asked=False,
        )
        return Conclusion("throw", after, actions[0], tuple(actions[1:]), True, thrown, aside)
    after = replace(memory, asked=True)
    return Conclusion("throw", after, actions[0], tuple(actions[1:]), False, thrown, aside, doubtful, question)


def _question(memory: UmpireMemory, found: list[Explanation], clear: bool, only_moved: bool) -> UmpireReason | None:
    """Why a person must confirm the likeliest explanation; None if it is certain."""
    best = found[0]
    if not clear:
        return UmpireReason("dice-unsure")
    entered_unseen = (
        not memory.spots and bool(memory.last) and sorted(die.value for die in memory.rest) == [*memory.last]
    )
    if memory.fresh or memory.entered or entered_unseen:
        return UmpireReason("first-look")
    if memory.unanswered:
        return UmpireReason("unanswered")
    if only_moved:
        return UmpireReason("moved-or-thrown")
    if best.question is not None:
        return UmpireReason(best.question)
    if not best.firm or sum(reading.firm for reading in found) > 1:
        return UmpireReason("several-readings")
    return None


def _known_value(memory: UmpireMemory, scene: TableScene, place: int) -> int:
    link = scene.links[place]
    return scene.dice[place].value if link is None else memory.spots[link].value


def _conclude_refused(position: Position, spread: Spread, memory: UmpireMemory, scene: TableScene) -> Conclusion:
    """No rule explains the new dice: they wait for a person."""
    new = tuple(die for die, link in zip(scene.dice, scene.links, strict=True) if link is None)
    doubtful = tuple(die for die in scene.dice if not die.sure) or new
    after = replace(memory, asked=True)
    return Conclusion(
        "throw",
        after,
        memory.waiting,
        thrown=new,
        doubtful=doubtful,
        refused=_reason_of_refusal(position, spread, scene),
    )


def _reason_of_refusal(position: Position, spread: Spread, scene: TableScene) -> UmpireReason:
    still = sorted((scene.stayed - Counter(spread.aside)).elements())
    if spread.choices:
        return _why_not_set_aside(position, spread, scene, still)
    if spread.may_keep:
        return _wrong_count(len(spread.open), len(scene.dice))
    if not spread.expects:
        return UmpireReason("write-first")
    if still:
        return UmpireReason("lies-still", {"dice": _list_values(still)})
    return _wrong_count(spread.expects, scene.count)


def _why_not_set_aside(position: Position, spread: Spread, scene: TableScene, still: list[int]) -> UmpireReason:
    if still and position.refusal({"do": "set-aside", "dice": still}) is not None:
        return UmpireReason("cannot-be-set-aside", {"dice": _list_values(still)})
    return _wrong_count(len(spread.open) - len(still), scene.count)


def _wrong_count(expected: int, got: int) -> UmpireReason:
    return UmpireReason("too-few-dice" if got < expected else "too-many-dice", {"expected": expected, "got": got})


def _list_values(values: Sequence[int]) -> str:
    return ", ".join(map(str, values))


# --- nothing was thrown -------------------------------------------------------------------------------------------


def _conclude_lifted(position: Position, spread: Spread, memory: UmpireMemory, scene: TableScene) -> Conclusion:
    """Dice were lifted or pushed, or all lie as before: proposes what that may become when the others are thrown."""
    after = _note_missing(memory, moved_spots(memory.spots, scene.dice, scene.links))
    lying = Counter(spot.value for spot in after.spots if spot.lying)
    lifted = Counter(spot.value for spot in after.spots if not spot.lying) & Counter(spread.open)
    stay = (Counter(spread.open) - lifted) & lying
    if not spread.open or not lifted or not stay or memory.unanswered:
        return _conclude_unchanged(after)
    there, away = sorted(stay.elements()), sorted(lifted.elements())
    if spread.may_keep:
        keep = {"do": "keep", "dice": there}
        return Conclusion("put", after, (*memory.waiting, keep), aside=scene.dice)
    if not spread.choices:
        return _conclude_unchanged(after)
    return _propose_set_aside(position, after, scene, there, away)


def _propose_set_aside(
    position: Position, memory: UmpireMemory, scene: TableScene, there: list[int], away: list[int]
) -> Conclusion:
    """Some dice of a throw are lifted: proposes to set aside those that stay, or those taken off."""
    ways: list[tuple[Action, ...]] = []
    for dice in (there, away):
        action = {"do": "set-aside", "dice": dice}
        if position.refusal(action) is None:
            ways.append((*memory.waiting, action))
    if ways:
        return Conclusion("put", memory, ways[0], tuple(ways[1:]), aside=scene.dice)
    refused = UmpireReason("cannot-be-set-aside", {"dice": _list_values(there)})
    return Conclusion("put", memory, memory.waiting, doubtful=scene.dice, refused=refused)


def _conclude_unchanged(memory: UmpireMemory) -> Conclusion:
    return Conclusion("resting", memory, memory.waiting)


REASONS: dict[str, str] = {
    "too-few-dice": "{expected} dice are to be thrown; {got} are seen.",
    "too-many-dice": "{expected} dice are to be thrown; {got} new ones are seen.",
    "dice-unsure": "Look at the dice with a question mark.",
    "several-readings": "What was done with the dice can be read in more than one way.",
    "first-look": "These dice were already here. Are they the throw?",
    "moved-or-thrown": "Were these dice thrown, or only moved?",
    "thrown-again": "All dice thrown again?",
    "banked": "Banked?",
    "unanswered": "The dice before were not confirmed. Is this the throw?",
    "write-first": "Before the next throw, write this one on the sheet.",
    "cannot-be-set-aside": "{dice} alone cannot be set aside.",
    "lies-still": "{dice} has not been thrown again.",
}
