"""Luck and mistakes of a table's players, by `scorer.advice.analysis`.

numpy and the solved games are loaded on the first request: starting the server and playing need neither.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from typing import Any, NamedTuple

import scorer
from scorer.advice import covers
from web.advising.solutions import Solutions, Unsolved
from web.limits.recent import Recent
from web.problems.problem import Problem
from web.tasks.exclusive import Exclusive

Record = Mapping[str, Any]  # of a game: docs/interfaces.md

MOST_GAMES = 20  # analyses in memory, some 100 kB each
MOST_STEPS = 2_000  # of an analysed game, as the longest real games have; a step takes up to 10 ms
MOST_SUMS = 2_000  # games whose sums are in memory
# Of what a throw of the game usually moves (the root of its mean square): more is a lucky throw, a costly choice.
LUCKY, COSTLY = 1.5, 0.5
LEAST_LOSS = 1e-3  # as in `scorer.advice.analysis`, which would load numpy
SUMS_AT_ONCE_S = 1.5  # of work for one request; the page then asks again


# What `rollcall analyse --json` prints of a game (docs/interfaces.md), of its `actions` the throws alone, and
# `chosen_from`: the dice on the table before the costliest choice;
# Each player has counts too: `lucky`, `unlucky` throws, `costly` choices.
# `better_soon`: the chances to win are still being worked out, and until then everything is in points.
# In a ten-thousand game whose unit is points, `mean` and `result` of a player count all his turns.
GameLuck = dict[str, Any]


class Sums(NamedTuple):
    """Luck and mistakes of each player of a game, by player number, in `unit`."""

    unit: str
    luck: list[float]
    mistakes: list[float]


class SumsSoFar(NamedTuple):
    """The sums of each game, and whether some are still to come. None: not analysed yet, or never can be."""

    games: list[Sums | None]
    waiting: bool


class NotAnalysed(Enum):
    """Why a game is not analysed, besides `Unsolved`."""

    BUSY = "another one is being worked out"
    LONG = "the game has too many steps"
    PLAYERS = "players joined, left or changed places"
    PAD = "a score pad does not know what is played"


class LuckAnalyzer:
    """Analyses games, one at a time, in the thread that asks, and keeps the results. Thread-safe."""

    def __init__(self, solutions: Solutions) -> None:
        self._solutions = solutions
        self._kept: Recent[str, GameLuck] = Recent(MOST_GAMES)
        self._sums: Recent[str, Sums | None] = Recent(MOST_SUMS)
        self._work = Exclusive()
        self._closed = False

    def close(self) -> None:
        """Ends the analysis that runs: the end of a server waits for none."""
        self._closed = True

    def _look_up(self) -> None:
        if self._closed:
            raise Problem("busy", 503)

    def luck_of(self, name: str, record: Callable[[], Record]) -> GameLuck | NotAnalysed | Unsolved:
        """The analysis of the game in `record`. `name`: a cache key that identifies the game and its state."""
        if (known := self._kept.get(name)) is not None:
            return known
        with self._work.enter() as is_in:
            if not is_in:
                return NotAnalysed.BUSY
            found = self._analyse(record())
            if isinstance(found, dict) and not found["better_soon"]:
                self._kept[name] = found
            return found

    def sums_of(self, games: Sequence[tuple[str, Callable[[], Record]]]) -> SumsSoFar:
        """The sums of games, each given as `luck_of` takes it. Analyses missing ones for `SUMS_AT_ONCE_S` seconds."""
        missing = [game for game in games if game[0] not in self._sums]
        waiting = bool(missing)
        if missing:
            with self._work.enter() as is_in:
                waiting = not is_in or self._sum_up(missing)
        return SumsSoFar([self._sums.get(name) for name, _ in games], waiting)

    def _sum_up(self, games: Sequence[tuple[str, Callable[[], Record]]]) -> bool:
        """Analyses these games; returns whether some are still to come. Enter `_work` first."""
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
            return NotAnalysed.PLAYERS  # a player who joined late has no mean of his own
        if len(record["actions"]) > MOST_STEPS:
            return NotAnalysed.LONG
        table = scorer.Table.from_record(record)
        if table.game.counted_by_players:
            return NotAnalysed.PAD
        players = len(table.players)
        solution = self._solutions.solution_of(table.game, players)
        if isinstance(solution, Unsolved):
            return solution
        return _document(table, solution, self._solutions.better_soon(table.game, players, solution), self._look_up)


def _sums(found: GameLuck) -> Sums:
    players = found["players"]
    return Sums(found["unit"], [each["luck"] for each in players], [each["mistakes"] for each in players])


def _document(table: scorer.Table, solution: Any, better_soon: bool, look_up: Callable[[], None]) -> GameLuck:
    from scorer.advice import analysis

    found = analysis.to_json(table, solution, analysis.analyse(table, solution, look_up))
    if solution.against_mean:
        _count_all_turns(table, found, solution.value, solution.sign)
    _count(found)
    costly = found["costliest_choice"]
    throws = [action for action in found["actions"] if action["action"]["do"] == "throw"]
    chosen_from = [] if costly is None else _dice_at(table, costly["number"])
    return {**found, "actions": throws, "chosen_from": chosen_from, "better_soon": better_soon}


def _count(found: GameLuck) -> None:
    """Adds to each player how many of his throws and choices stand out from what a throw of this game usually moves."""
    luck = [action["luck"] for action in found["actions"] if "luck" in action]
    usual = math.sqrt(sum(each * each for each in luck) / len(luck)) if luck else 0.0
    for number, player in enumerate(found["players"]):
        own = [action for action in found["actions"] if action["player"] == number]
        thrown = [action.get("luck", 0.0) for action in own]
        player["lucky"] = sum(each > LUCKY * usual for each in thrown)
        player["unlucky"] = sum(each < -LUCKY * usual for each in thrown)
        player["costly"] = sum(action.get("loss", 0.0) > max(COSTLY * usual, LEAST_LOSS) for action in own)


def _count_all_turns(table: scorer.Table, found: GameLuck, mean: float, sign: int) -> None:
    """Adds a player's ended turns to his mean and result, so that the result of a finished game is its score.

    The solution counts a player's points against the mean of his ended turns.
    """
    for player, standing in zip(found["players"], table.standing()["players"], strict=True):
        ended = sign * (player["score"] if found["over"] else mean * len(standing["turns"]))
        ended -= player["result"] if found["over"] else 0
        player["mean"] += ended
        player["result"] += ended


def _dice_at(table: scorer.Table, number: int) -> list[int]:
    """The dice on the table before action `number` (from 1): those of the last throw and those kept before."""
    record = table.record()
    before = scorer.Table.from_record({**record, "actions": record["actions"][: number - 1]})
    turn = before.standing()["turn"]
    return list(turn.get("dice") or turn["throw"])
