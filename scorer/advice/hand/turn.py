"""One turn of a hand, solved for any worth of what it may end with.

B(t, k) is the worth of throwing when t throws are done and the dice k lie aside, E(t, h) that of ending with a hand h:

    B(t, k) = mean over throws r of max(E(t + 1, k and r), most of B(t + 1, k and what may be set aside of r))

What may be set aside, what is kept by itself and what ends the turn are asked of the game's own rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from scorer.actions import Action
from scorer.advice.dice import Dice, all_throws
from scorer.advice.multisets import Floats, Whole
from scorer.tuples import LinkedList
from scorer.turns.hand import HandGame, HandState, aside_in

NO_LIMIT = 99  # throws: more than any turn has


class Worths(NamedTuple):
    """A solved turn. `ends[t]`: the worth of ending after t + 1 throws, [hand's worth, column, entry]. `before[t]`: of
    throwing after t, [dice aside, column, entry]."""

    ends: Sequence[Floats]
    before: Sequence[Floats]


class RoundTurns(Protocol):
    """The turns of a game whose rounds are played for. `worths`: all that they are compared by, ascending."""

    game: Any
    worths: Whole

    @property
    def states(self) -> int: ...

    def throws_after(self, state: Any) -> list[int]:
        """By the throws of the running turn from 1, of a new round's first turn without a state: how many those after
        it may throw."""

    def solve(self, ends: Sequence[Floats], own: int, low: bool = False) -> Worths:
        """Every choice is the best for the entry `own`, or with `low` the one that makes it least."""

    def turn_start(self, state: Any) -> Any:
        """The beginning of the running turn. Turns and what the last one brought change nothing in it, and are left
        out."""
        return self.game.new_turn(state._replace(turns=0, ended=(-1, 0)), state.player, state.seats)

    def place_of(self, worth: int) -> int:
        return int(np.searchsorted(self.worths, worth))

    def offers(self, state: Any, solved: Worths) -> list[tuple[Action, Floats]]:
        """What the player may choose now, with its entries; [] if he can only throw."""

    def worth(self, state: Any, solved: Worths, own: int) -> Floats:
        """The entries of a running turn under best play."""


class _Fall(NamedTuple):
    """One throw beside some dice aside. `options`: what may lie aside before the next throw, none if the turn ends."""

    aside: int
    worth: int
    ways: float
    lost: bool
    options: list[Dice]


class HandTurns(RoundTurns):
    """`worths`: all that hands are compared by, ascending. `asides`: all dice that may lie aside before a throw."""

    def __init__(self, game: HandGame) -> None:
        self.game = game
        self.worths = np.array(sorted({each.worth for each in game.rules.table.values()} | {0}))
        self._start = game.start(2)
        self.place: dict[Dice, int] = {(): 0}
        falls = self._all_falls()
        self._hand = np.array([fall.worth for fall in falls])
        self._lost = np.array([fall.lost for fall in falls])
        begin = np.searchsorted([fall.aside for fall in falls], np.arange(len(self.place)))
        ways = np.array([fall.ways for fall in falls])
        self._begin: Whole = begin
        self._chance: Floats = ways / np.repeat(np.add.reduceat(ways, begin), np.diff([*begin, len(falls)]))
        self._goes_on = np.array([place for place, fall in enumerate(falls) if fall.options], dtype=np.intp)
        counts = [len(falls[place].options) for place in self._goes_on]
        self._counts: Whole = np.array(counts, dtype=np.intp)
        self._first: Whole = np.cumsum([0, *counts[:-1]]) if counts else np.zeros(0, dtype=np.intp)
        options = [self.place[each] for place in self._goes_on for each in falls[place].options]
        self._options: Whole = np.array(options, dtype=np.intp)

    @property
    def states(self) -> int:
        return len(self.worths) * self.game.rules.most_throws * len(self.place)

    def throws_after(self, state: HandState | None) -> list[int]:
        """By the throws of the running turn from 1: how many those after it may throw."""
        rules, limit = self.game.rules, state.limit if state else 0
        if limit or not rules.first_sets_throws:
            return [limit or rules.most_throws] * (limit or rules.most_throws)
        return list(range(1, rules.most_throws + 1))

    @property
    def work(self) -> int:
        """Choices that are compared for each throw of a turn."""
        return len(self._options)

    def _all_falls(self) -> list[_Fall]:
        found: list[_Fall] = []
        asides: list[Dice] = [()]
        for number, aside in enumerate(asides):  # it grows
            for dice, ways in all_throws(self.game.rules.dice - len(aside)):
                fall = self._fall(number, aside, dice, ways)
                if fall is None:
                    continue
                found.append(fall)
                for option in fall.options:
                    if option not in self.place:
                        self.place[option] = len(asides)
                        asides.append(option)
        return found

    def _fall(self, number: int, aside: Dice, dice: Dice, ways: int) -> _Fall | None:
        """What the rules make of a throw; None if it is thrown again and does not count."""
        game = self.game
        begun = self._start._replace(aside=LinkedList(None, aside) if aside else None, limit=NO_LIMIT)
        after, events = game.do_throw(begun, {"do": "throw", "dice": list(dice)})
        lost = any(event["event"] == "too-low" for event in events)
        hand = game.rules.table[tuple(sorted((*aside, *dice)))]
        if game.rules.until_worth and hand.line < 0:
            return None
        worth = int(np.searchsorted(self.worths, 0 if lost else hand.worth))
        options: list[Dice] = []
        if after.turns == begun.turns:
            options = [tuple(sorted((*aside, *kept))) for kept in game.choices(after)]
            if game.dice_due(after):
                options.append(tuple(sorted(aside_in(after))))
        return _Fall(number, worth, ways, lost, options)

    # --- solving ---

    def solve(self, ends: Sequence[Floats], own: int, low: bool = False) -> Worths:
        """Every choice is the best for the entry `own`, or with `low` the one that makes it least."""
        before: list[Floats] = []
        zero = int(np.searchsorted(self.worths, 0))
        for thrown in reversed(range(len(ends))):
            after = ends[thrown][self._hand]
            after[self._lost] = ends[max(thrown - 1, 0)][zero]
            if before and len(self._options):
                now = after[self._goes_on]
                after[self._goes_on] = self._best(now, before[0], own, -1 if low else 1)
            before.insert(0, np.add.reduceat(after * self._chance[:, None, None], self._begin, axis=0))
        return Worths(ends, before)

    def _best(self, now: Floats, later: Floats, own: int, sign: int) -> Floats:
        """The better of ending and of the best that may be set aside; ending where both are as good."""
        offered = np.take(sign * later[:, :, own], self._options, axis=0)
        most = np.maximum.reduceat(offered, self._first, axis=0)
        if now.shape[2] == 1:
            return np.maximum(now, most[:, :, None]) if sign > 0 else np.minimum(now, -most[:, :, None])
        better = most > sign * now[:, :, own]
        is_most = offered == np.repeat(most, self._counts, axis=0)
        places = np.where(is_most, np.arange(len(offered))[:, None], len(offered))
        chosen = self._options[np.minimum.reduceat(places, self._first, axis=0)]
        return np.where(better[:, :, None], later[chosen, np.arange(later.shape[1])], now)

    # --- a running turn ---

    def offers(self, state: HandState, solved: Worths) -> list[tuple[Action, Floats]]:
        """What the player may choose now, and its worth if the dice that are not set aside are thrown; [] if he can
        only throw."""
        entries = self.game.legal(state)
        if all(each["do"] == "throw" for each in entries):
            return []
        aside = aside_in(state)
        found: list[tuple[Action, Floats]] = []
        for entry in sorted(entries, key=lambda each: each["do"] != "bank"):
            if entry["do"] == "bank":
                hand = self.place_of(self.game.worth_now(state).worth)
                found.append(({"do": "bank"}, solved.ends[state.thrown - 1][hand, 0]))
                continue
            dice = entry["dice"] if entry["do"] == "set-aside" else []
            action: Action = {"do": "set-aside", "dice": dice} if dice else {"do": "throw", "count": entry["count"]}
            found.append((action, solved.before[state.thrown][self.place[tuple(sorted((*aside, *dice)))], 0]))
        return found

    def worth(self, state: HandState, solved: Worths, own: int) -> Floats:
        """The entries of a running turn under best play."""
        offers = self.offers(state, solved)
        if offers:
            return max((each for _, each in offers), key=lambda entries: float(entries[own]))
        thrown: Floats = solved.before[state.thrown][self.place[tuple(sorted(aside_in(state)))], 0]
        return thrown
