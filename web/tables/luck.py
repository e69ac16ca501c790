"""What luck brought and what mistakes cost at a table, by `scorer.advice.analysing`, once somebody asks for it.

numpy and the solved games are loaded then: starting the server and playing need neither.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import scorer
from scorer.advice import covers, is_race
from web.tables.solving import Solver

Json = dict[str, Any]

KEPT_GAMES = 20  # analysed, of some 100 kB each
MOST_STEPS = 4_000  # of a game that is analysed, at some 10 ms each at most; the longest that people play have 2,000
KEPT_SOLUTIONS = 2  # of up to 40 MB each


class Without(Enum):
    """Why there is no analysis of a game."""

    BUSY = "another one is being worked out"
    SOLVING = "the game with its house rules is being solved"
    UNSOLVED = "the game with its house rules could not be solved"
    LONG = "the game has too many steps"
    PLAYERS = "players joined, left or changed places"


class Lucks:
    """Analyses of games, each worked out once in the thread of who asks, one at a time. For many threads."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._solver = Solver(data)
        self._kept: OrderedDict[str, Json] = OrderedDict()
        self._solutions: OrderedDict[str, Any] = OrderedDict()
        self._work = threading.Lock()

    def of(self, name: str, record: Callable[[], Json]) -> Json | Without:
        """The analysis of a game by its record; `name` says which game it is, and in which state.

        Returns what `analysing.to_json` gives, of its `actions` the throws alone; of a player in a ten-thousand game
        whose unit is points, `mean` and `result` count all his turns. `chosen_from`: the dice that lay there at the
        costliest choice. `better_soon`: it is in points as long as the chances to win are being worked out.
        """
        kept = self._kept.get(name)
        if kept is not None:
            return kept
        # Others do not wait here: that would take all the threads which actions need.
        if not self._work.acquire(blocking=False):
            return Without.BUSY
        try:
            found = self._analysed(record())
            if not isinstance(found, Without) and not found["better_soon"]:
                self._kept[name] = found
                if len(self._kept) > KEPT_GAMES:
                    self._kept.popitem(last=False)
            return found
        finally:
            self._work.release()

    def close(self) -> None:
        self._solver.close()

    def _analysed(self, record: Mapping[str, Any]) -> Json | Without:
        if not covers(record["actions"]):
            return Without.PLAYERS  # who was not there from the start has no mean of his own
        if len(record["actions"]) > MOST_STEPS:
            return Without.LONG
        table = scorer.Table.from_record(record)
        players = len(table.players)
        solution = self._solution(table.game, players)
        if solution is None:
            return Without.SOLVING if self._solver.ask(table.game) else Without.UNSOLVED
        better = _lacks_race(table.game, players, solution) and self._solver.ask(table.game, players)
        return {**_document(table, solution), "better_soon": better}

    def _solution(self, game: Any, players: int) -> Any:
        from scorer.advice import shelf

        name = shelf.name_of(game, players)
        found = self._solutions.get(name) or shelf.find(game, [shelf.BROUGHT, shelf.folder_in(self._data)], players)
        if found is not None and not _lacks_race(game, players, found):
            self._solutions[name] = found
            self._solutions.move_to_end(name)
            if len(self._solutions) > KEPT_SOLUTIONS:
                self._solutions.popitem(last=False)
        return found


def _lacks_race(game: Any, players: int, solution: Any) -> bool:
    return is_race(game, players) and solution.unit == "points"


def _document(table: scorer.Table, solution: Any) -> Json:
    from scorer.advice import analysing

    found = analysing.to_json(table, solution, analysing.analyse(table, solution))
    if found["unit"] == "points" and "bank" in table.game.fields:
        _count_all_turns(table, found, solution.value)
    costly = found["costliest_choice"]
    if costly is not None:
        found["chosen_from"] = _dice_at(table, costly["number"])
    found["actions"] = [action for action in found["actions"] if action["action"]["do"] == "throw"]
    return found


def _count_all_turns(table: scorer.Table, found: Json, mean: float) -> None:
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
