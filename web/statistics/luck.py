"""What luck brought and what mistakes cost at a table, by `scorer.advice.analysis`, once somebody asks for it.

numpy and the solved games are loaded then: starting the server and playing need neither.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from typing import Any, NamedTuple

from cachetools import FIFOCache

import scorer
from scorer.advice import covers
from web.advising.solutions import Solutions, Unsolved

Record = Mapping[str, Any]  # of a game: docs/interfaces.md

MOST_GAMES = 20  # analysed, of some 100 kB each
MOST_STEPS = 4_000  # of a game that is analysed, at some 10 ms each at most; the longest that people play have 2,000
MOST_SUMS = 2_000  # games whose sums alone are kept
SUMS_AT_ONCE_S = 1.5  # of work, then who asked asks again


# What `rollcall analyse --json` prints of a game (docs/interfaces.md), of its `actions` the throws alone, and
# `chosen_from`: the dice on the table before the costliest choice;
# `better_soon`: the chances to win are still being worked out, and until then everything is in points.
# In a ten-thousand game whose unit is points, `mean` and `result` of a player count all his turns.
GameLuck = dict[str, Any]


class Sums(NamedTuple):
    """What luck brought each player of a game and mistakes cost him, by number, in its `unit`."""

    unit: str
    luck: list[float]
    mistakes: list[float]


class SumsSoFar(NamedTuple):
    """The sums of games, None of one that cannot be analysed or was not yet; and whether some are still to come."""

    games: list[Sums | None]
    waiting: bool


class NotAnalysed(Enum):
    """Why a game is not analysed, besides `Unsolved`."""

    BUSY = "another one is being worked out"
    LONG = "the game has too many steps"
    PLAYERS = "players joined, left or changed places"


class LuckAnalyzer:
    """Analyses of games, each worked out once in the thread of who asks, one at a time. For many threads."""

    def __init__(self, solutions: Solutions) -> None:
        self._solutions = solutions
        # Filled under `_work`, and read without it: so entries may go between two looks.
        self._kept: FIFOCache[str, GameLuck] = FIFOCache(MOST_GAMES)
        self._sums: FIFOCache[str, Sums | None] = FIFOCache(MOST_SUMS)
        self._work = threading.Lock()

    def luck_of(self, name: str, record: Callable[[], Record]) -> GameLuck | NotAnalysed | Unsolved:
        """The analysis of a game by its record; `name` says which game it is, and in which state."""
        with suppress(KeyError):
            return self._kept[name]
        # Others do not wait here: that would take all the threads which actions need.
        if not self._work.acquire(blocking=False):
            return NotAnalysed.BUSY
        try:
            found = self._analyse(record())
            if isinstance(found, dict) and not found["better_soon"]:
                self._kept[name] = found
            return found
        finally:
            self._work.release()

    def sums_of(self, games: Sequence[tuple[str, Callable[[], Record]]]) -> SumsSoFar:
        """The sums of many games, each by its name and record as in `luck_of`.

        Works out missing ones for `SUMS_AT_ONCE_S` seconds, at least one.
        """
        missing = [game for game in games if game[0] not in self._sums]
        waiting = bool(missing)
        if missing and self._work.acquire(blocking=False):
            try:
                waiting = self._sum_up(missing)
            finally:
                self._work.release()
        return SumsSoFar([self._sum_of(name) for name, _ in games], waiting)

    def _sum_of(self, name: str) -> Sums | None:
        with suppress(KeyError):
            return self._sums[name]
        return None

    def _sum_up(self, games: Sequence[tuple[str, Callable[[], Record]]]) -> bool:
        """Whether some of the games are still to come. Hold `_work`."""
        until = time.monotonic() + SUMS_AT_ONCE_S
        later = False
        for number, (name, record) in enumerate(games):
            if number and time.monotonic() > until:
                return True
            found: GameLuck | NotAnalysed | Unsolved = Unsolved.FAILED
            with suppress(scorer.Refusal):  # it can no longer be replayed
                found = self._analyse(record())
            if found is Unsolved.SOLVING or (isinstance(found, dict) and found["better_soon"]):
                later = True
            else:
                self._sums[name] = _sums(found) if isinstance(found, dict) else None
        return later

    def _analyse(self, record: Record) -> GameLuck | NotAnalysed | Unsolved:
        if not covers(record["actions"]):
            return NotAnalysed.PLAYERS  # who was not there from the start has no mean of his own
        if len(record["actions"]) > MOST_STEPS:
            return NotAnalysed.LONG
        table = scorer.Table.from_record(record)
        players = len(table.players)
        solution = self._solutions.solution_of(table.game, players)
        if isinstance(solution, Unsolved):
            return solution
        return _document(table, solution, self._solutions.better_soon(table.game, players, solution))


def _sums(found: GameLuck) -> Sums:
    players = found["players"]
    return Sums(found["unit"], [each["luck"] for each in players], [each["mistakes"] for each in players])


def _document(table: scorer.Table, solution: Any, better_soon: bool) -> GameLuck:
    from scorer.advice import analysis

    found = analysis.to_json(table, solution, analysis.analyse(table, solution))
    if found["unit"] == "points" and "bank" in table.game.fields:
        _count_all_turns(table, found, solution.value)
    costly = found["costliest_choice"]
    throws = [action for action in found["actions"] if action["action"]["do"] == "throw"]
    chosen_from = [] if costly is None else _dice_at(table, costly["number"])
    return {**found, "actions": throws, "chosen_from": chosen_from, "better_soon": better_soon}


def _count_all_turns(table: scorer.Table, found: GameLuck, mean: float) -> None:
    """There a worth is what a player has more than the mean of the turns that he has ended: to both sides those are
    added. A finished game's result is then its score."""
    for player, standing in zip(found["players"], table.standing()["players"], strict=True):
        ended = player["score"] - player["result"] if found["over"] else mean * len(standing["turns"])
        player["mean"] += ended
        player["result"] += ended


def _dice_at(table: scorer.Table, number: int) -> list[int]:
    """The dice that could be chosen from before an action, from 1: those of the last throw, and those kept before."""
    record = table.record()
    before = scorer.Table.from_record({**record, "actions": record["actions"][: number - 1]})
    turn = before.standing()["turn"]
    return list(turn.get("dice") or turn["throw"])
