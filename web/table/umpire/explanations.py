"""Explains dice at rest after a throw: which were thrown, which lie beside, and what was done before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import scorer
from web.table.umpire.observations import Action, RestingDie

BANK: Action = {"do": "bank"}
TAKE_OVER: Action = {"do": "take-over"}


@dataclass(frozen=True)
class TableScene:
    """Dice at rest, compared with the known dice.

    `dice`, `links`: the dice, and the number of the known die that each is, or None. `stayed`: values of the dice that
    lie where known dice lay; `new`: values of the others. `missing`: values of known dice that lay there at the last
    rest and no longer do. `gone`: what was missing at each rest since the throw. `known`: the values of all known dice.
    `pushed`: some of these have been pushed since.
    """

    dice: tuple[RestingDie, ...]
    links: tuple[int | None, ...]
    stayed: Counter[int]
    new: Counter[int]
    missing: Counter[int]
    gone: tuple[tuple[int, ...], ...]
    known: Counter[int]
    pushed: bool

    @property
    def count(self) -> int:
        return self.new.total()


@dataclass(frozen=True)
class Explanation:
    """What the hands may have done: `actions`, which end with the throw. `thrown`, `aside`: numbers of the dice.
    `firm`: all of it was seen. `likely`: compares explanations, the likelier is higher."""

    actions: tuple[Action, ...]
    thrown: tuple[int, ...]
    aside: tuple[int, ...]
    firm: bool
    likely: tuple[int, ...] = ()
    question: str | None = None


def explanations(position: Position, scene: TableScene) -> list[Explanation]:
    """All legal explanations of a rest with new dice, likelier first; none if no rule allows it."""
    spread = position.spread()
    if spread.choices:
        found = _explain_set_aside(spread, scene)
    elif spread.may_keep:
        found = _explain_keep(spread, scene)
    elif scene.count in spread.others:  # one of them may be hidden
        found = [replace(each, firm=False) for each in _explain_throw(scene.count, spread.aside, scene, ())]
    elif spread.expects:
        found = _explain_throw(spread.expects, spread.aside, scene, ())
    else:
        found = []
    for offer in spread.offers:
        found += _explain_throw(offer["dice_left"], offer["beside"], scene, (TAKE_OVER,))
    banked = _explain_bank(position, spread, scene)
    if banked:
        found = [replace(each, firm=False, question="banked") for each in [*found, *banked]]
    legal = [each for each in found if position.refusal(*each.actions) is None]
    return sorted(legal, key=lambda each: (each.firm, each.likely), reverse=True)


def _explain_throw(
    expects: int, beside: Sequence[int], scene: TableScene, before: tuple[Action, ...]
) -> list[Explanation]:
    """`expects` dice were thrown. Those `beside` lie there, were moved, or were taken off the table."""
    aside = Counter(beside)
    found = []
    for pushed in _pushed_choices(expects, aside, scene):
        whole = scene.stayed + pushed == aside
        # Dice that lay there, do not any more and may be among the new: they were pushed, and others are hidden.
        confused = scene.new & scene.missing & (aside - scene.stayed)
        firm = whole or not (pushed or confused)
        # If the hands have shown nothing yet, a die equal to one that lay there is rather that die than a thrown one.
        shown = bool(scene.stayed or scene.gone)
        found.append(_explanation(before, scene, pushed, firm, (whole, pushed.total() * (-1 if shown else 1))))
    if not found and not aside and scene.new and scene.stayed and scene.count + scene.stayed.total() == expects:
        # A die fell where one with its value had lain; or it still lies there, unless no die has lain there since.
        everything = tuple(range(len(scene.dice)))
        found.append(
            Explanation((*before, _throw_action(scene, everything)), everything, (), firm=_were_all_gone(scene))
        )
    return found


def _were_all_gone(scene: TableScene) -> bool:
    """Whether no die lay there at one of the rests since the throw."""
    return any(Counter(each) == scene.known for each in scene.gone) and not any(die.stayed for die in scene.dice)


def _pushed_choices(expects: int, aside: Counter[int], scene: TableScene) -> Iterator[Counter[int]]:
    """The choices of new dice that were pushed beside, so that `expects` were thrown."""
    count = scene.count - expects
    if count < 0 or scene.stayed - aside:
        return
    free = sorted(((aside - scene.stayed) & scene.new).elements())
    for values in sorted(set(combinations(free, count))):
        yield Counter(values)


def _explain_set_aside(spread: Spread, scene: TableScene) -> list[Explanation]:
    """Each legal set-aside, with the throw after it, that explains the dice."""
    found = []
    for choice in spread.choices:
        action = {"do": "set-aside", "dice": list(choice["dice"])}
        hot = len(choice["dice"]) == len(spread.open)
        beside = () if hot else (*spread.aside, *choice["dice"])
        for each in _explain_throw(choice["dice_left"], beside, scene, (action,)):
            pushed = _newly_beside(scene, each)
            if scene.gone and not scene.pushed and pushed - scene.missing:
                continue  # it was lifted: what stayed was not moved, so this was not either
            whole = scene.stayed + pushed == Counter(beside)
            off = not hot and not pushed and each.firm and _was_taken_off(spread, scene, choice["dice"])
            found.append(replace(each, firm=whole or off, likely=(*each.likely, off, choice["points"])))
    return found


def _was_taken_off(spread: Spread, scene: TableScene, dice: list[int]) -> bool:
    """Whether these dice were seen to be taken away first and none of the throw lies there: then the others were
    thrown.

    Unless the dice taken away may be those thrown, while set-aside dice are hidden.
    """
    every = Counter(spread.open)
    beside = scene.known - every
    legal = {tuple(sorted(choice["dice"])) for choice in spread.choices}
    first = (each for each in _first_taken(every, beside, scene.gone[:1]) if len(each) == scene.count)
    left = {tuple(sorted((every - Counter(each)).elements())) for each in first}
    lies = scene.stayed - beside
    return _first_taken(every, beside, scene.gone) & legal == {tuple(sorted(dice))} and not lies and not left & legal


def _first_taken(every: Counter[int], beside: Counter[int], gone: Sequence[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """Which dice of the throw, `every`, may have been taken away first, ascending. Dice that lay `beside` may have been
    taken away with them."""
    taken = set()
    for each in map(Counter, gone):
        like = sorted((each & beside).elements())
        for count in range(len(like) + 1):
            for those in set(combinations(like, count)):
                taken.add(tuple(sorted(((each - Counter(those)) & every).elements())))
    return taken


def _newly_beside(scene: TableScene, reading: Explanation) -> Counter[int]:
    return Counter(scene.dice[place].value for place in reading.aside if scene.links[place] is None)


def _explain_keep(spread: Spread, scene: TableScene) -> list[Explanation]:
    """Dice were kept and the others thrown again: dice that stay are kept. If all dice are in view, their values are
    certain whichever were kept; kept dice off the table may have been thrown again."""
    every = Counter(spread.open)
    off = every - scene.known if scene.known else Counter[int]()
    found = []
    if len(scene.dice) + off.total() == every.total() and not scene.stayed - every:
        kept = [(scene.stayed, bool(scene.stayed) and not off)]
        if not scene.stayed:  # they may have been pushed: those of the last rest, or any that are equal
            alike = scene.new & (scene.missing if scene.gone else every)
            if 0 < alike.total() < every.total():
                kept.insert(0, (alike, False))
        for values, firm in kept:
            question = None if values or off else "thrown-again"
            found.append(
                replace(_keep_explanation(values + off, scene, values - scene.stayed, firm), question=question)
            )
    if not scene.stayed:
        found += _explain_kept_off_table(every, off, scene)
    return found


def _explain_kept_off_table(every: Counter[int], off: Counter[int], scene: TableScene) -> list[Explanation]:
    """Kept dice were taken off the table before the others were thrown again."""
    parts = {each for each in scene.gone if 0 < len(each) < every.total() and not Counter(each) - every}
    found = []
    for part in sorted(parts):
        kept = Counter(part) + off
        if kept.total() < every.total() and scene.count == every.total() - kept.total():
            found.append(_keep_explanation(kept, scene, Counter(), len(parts) == 1 and not off))
    return found


def _keep_explanation(kept: Counter[int], scene: TableScene, pushed: Counter[int], firm: bool) -> Explanation:
    keep: Action = {"do": "keep", "dice": sorted(kept.elements())}
    return _explanation((keep,), scene, pushed, firm, (kept.total(),))


def _explain_bank(position: Position, spread: Spread, scene: TableScene) -> list[Explanation]:
    """All dice were lifted and a whole throw lies there: the turn may have been banked first."""
    if scene.stayed or scene.count != spread.most:
        return []
    everything = tuple(range(len(scene.dice)))
    found = []
    for before in bank_ways(position, spread):
        after = (*before, _throw_action(scene, everything))
        if position.refusal(*after) is None:
            points = sum(choice["points"] for choice in spread.choices if choice["dice"] == before[0].get("dice"))
            found.append(Explanation(after, everything, (), firm=False, likely=(0, 0, 0, points)))
    return found


def bank_ways(position: Position, spread: Spread) -> list[tuple[Action, ...]]:
    """The ways to bank now, at once or after a set-aside, most points first."""
    if spread.may_bank:
        return [(BANK,)]
    ways: list[tuple[Action, ...]] = []
    for choice in sorted(spread.choices, key=lambda each: -int(each["points"])):
        way: tuple[Action, ...] = ({"do": "set-aside", "dice": list(choice["dice"])}, BANK)
        if position.refusal(*way) is None:
            ways.append(way)
    return ways


def _explanation(
    before: tuple[Action, ...], scene: TableScene, pushed: Counter[int], firm: bool, likely: tuple[int, ...]
) -> Explanation:
    left, thrown, aside = Counter(pushed), [], []
    for place, (die, link) in enumerate(zip(scene.dice, scene.links, strict=True)):
        if link is not None:
            aside.append(place)
        elif left[die.value] > 0:
            left[die.value] -= 1
            aside.append(place)
        else:
            thrown.append(place)
    return Explanation((*before, _throw_action(scene, tuple(thrown))), tuple(thrown), tuple(aside), firm, likely)


def _throw_action(scene: TableScene, places: tuple[int, ...]) -> Action:
    return {"do": "throw", "dice": [scene.dice[place].value for place in places]}


GameState = Any  # of the table's game


@dataclass(frozen=True)
class Spread:
    """`open`: the values of a throw that waits for a choice, else (). `aside`: values set aside or kept before.
    `expects`: how many dice must be thrown now, 0 for none. `most`: dice of a whole throw. `choices`: the legal
    set-asides. `may_keep`: dice may be kept; `may_bank`: the turn may be banked. `offers`: to take over the dice that
    the turn before left. `others`: how many dice may be thrown instead.
    """

    open: tuple[int, ...]
    aside: tuple[int, ...]
    expects: int
    most: int
    choices: tuple[dict[str, Any], ...]
    may_keep: bool
    may_bank: bool
    offers: tuple[dict[str, Any], ...] = ()
    others: tuple[int, ...] = ()

    @property
    def values(self) -> tuple[int, ...]:
        return (*self.open, *self.aside)


@dataclass(frozen=True)
class Position:
    """A game's state and the actions that led to it, also proposed ones."""

    game: scorer.Game[Any]
    state: GameState
    actions: tuple[Action, ...]

    @classmethod
    def from_table(cls, table: scorer.Table, waiting: Sequence[Action] = ()) -> Position:
        return cls(table.game, table.state, tuple(table.actions)).apply_all(*waiting)

    def apply_all(self, *actions: Action) -> Position:
        """The position after these actions. Raises scorer.IllegalAction."""
        state = self.state
        for action in actions:
            state, _ = self.game.apply(state, action)
        return Position(self.game, state, (*self.actions, *actions))

    @property
    def over(self) -> bool:
        over: bool = self.state.over
        return over

    def legal(self) -> list[dict[str, Any]]:
        return [] if self.over else self.game.legal(self.state)

    def refusal(self, *actions: Action) -> scorer.IllegalAction | None:
        """Why these actions are illegal now; None if they are legal."""
        try:
            self.apply_all(*actions)
        except scorer.IllegalAction as refusal:
            return refusal
        return None

    def spread(self) -> Spread:
        turn, legal, most = self.game.turn(self.state), self.legal(), self.game.dice
        choices = tuple(entry for entry in legal if entry["do"] == "set-aside")
        may_keep = any(entry["do"] == "keep" for entry in legal)
        throw = tuple(turn["throw"]) if choices else tuple(turn.get("dice") or ()) if "kept" in turn else ()
        count = most - (len(throw) or turn["expects"])
        return Spread(
            throw,
            self._aside(turn, count) if throw or turn["expects"] else (),
            turn["expects"],
            most,
            choices,
            may_keep,
            any(entry["do"] == "bank" for entry in legal),
            tuple(entry for entry in legal if entry["do"] == "take-over"),
            tuple(entry["count"] for entry in legal if entry["do"] == "throw" and entry["count"] != turn["expects"]),
        )

    def _aside(self, turn: dict[str, Any], count: int) -> tuple[int, ...]:
        """The values of `count` dice that lie beside; () if the table has none."""
        if turn.get("kept"):
            return tuple(turn["kept"])
        if "set_aside" in turn:
            values = [value for group in (turn.get("beside", ()), *turn["set_aside"]) for value in group]
            return tuple(values[len(values) - count :]) if count else ()
        leaving = self.game.leaves_the_turn(self.state)
        return self._left_the_turn(leaving, count) if leaving else ()

    def _left_the_turn(self, leaving: Iterable[int], count: int) -> tuple[int, ...]:
        """The `count` dice of these values in the last throws of the running turn."""
        left: list[int] = []
        for action in reversed(self.actions):
            if len(left) >= count or action["do"] != "throw":
                break
            left += [die for die in action["dice"] if die in leaving]
        return tuple(left[:count])
