"""The course of a game: what each player had after each of his turns."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import scorer
from web.tables.fairness import Fairness, fairness

Json = dict[str, Any]

KEPT_COURSES = 300


@dataclass(frozen=True)
class Course:
    """One game. `totals`: for each player his score after each finished turn, oldest first.

    `busts`: how many turns of each player brought nothing, None in games that know no bust. `together`: all players use
    the same throws (knaster), so that nobody has turns of his own.
    """

    players: tuple[str, ...]
    totals: tuple[tuple[int, ...], ...]
    busts: tuple[int, ...] | None
    together: bool
    fairness: Fairness

    @property
    def turns(self) -> int:
        """How many turns the player who had most has finished."""
        return max(map(len, self.totals))

    def gains(self, player: int) -> list[int]:
        """What each finished turn of this player added."""
        totals = self.totals[player]
        return [after - before for before, after in zip((0, *totals), totals, strict=False)]

    def best_turn(self, player: int) -> int | None:
        """The most points that a turn of this player brought, None before his first and where nobody has his own."""
        return None if self.together else max(self.gains(player), default=None)


class Courses:
    """Courses of games, each worked out once: `name` says which game it is, and in which state. For many threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Course] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, name: str | None, record: Callable[[], Json]) -> Course:
        """The course of a game by its record. `name` None: one that has none is worked out each time."""
        with self._lock:
            kept = self._kept.get(name or "")
        if kept is not None:
            return kept
        found = course(record())
        if name is not None:
            with self._lock:
                self._kept[name] = found
                while len(self._kept) > KEPT_COURSES:
                    self._kept.popitem(last=False)
        return found


def course(record: Mapping[str, Any]) -> Course:
    """Replays a record. Raises what `scorer.Table.from_record` raises."""
    game = scorer.game(record["game"], **record["options"])
    standing = scorer.Table.from_record(record).standing()
    if "turns" in standing["players"][0]:
        totals = [list(accumulate(player["turns"])) for player in standing["players"]]
    else:
        totals = _watched(game, record)
    busts = (
        [sum(points <= 0 for points in player["turns"]) for player in standing["players"]] if _has_busts(game) else None
    )
    return Course(
        tuple(record["players"]),
        tuple(map(tuple, totals)),
        None if busts is None else tuple(busts),
        _plays_together(standing),
        fairness(record["actions"]),
    )


def _has_busts(game: Any) -> bool:
    """A turn that can be banked can be lost."""
    return "bank" in game.fields


def _plays_together(standing: Json) -> bool:
    return "lines" in standing


def _watched(game: Any, record: Mapping[str, Any]) -> list[list[int]]:
    """The totals of a game whose standing does not list its turns: its scores are looked at whenever a turn ends."""
    table = scorer.Table(game, record["players"])
    totals: list[list[int]] = [[] for _ in record["players"]]
    standing = table.standing()
    player, thrown = standing["turn"]["player"], False
    for action in record["actions"]:
        table.do(action)
        thrown = thrown or action["do"] == "throw"
        if action["do"] == "keep" or (action["do"] == "throw" and "pass" not in game.fields):
            continue  # it ends no turn, and to list what is legal then takes time
        standing = table.standing()
        turn = standing["turn"]
        if standing["over"] or turn["player"] != player or (thrown and not turn["throw"]):
            for who in range(len(totals)) if _plays_together(standing) else (player,):
                totals[who].append(standing["players"][who]["score"])
            player, thrown = turn["player"], False
    return totals
