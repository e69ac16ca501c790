"""Score history of a game: the score of each player after each of his turns."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import scorer
from web.common.recent import Recent
from web.statistics.fairness import Fairness, fairness
from web.table.stored_table import Json

MOST_HISTORIES = 300


@dataclass(frozen=True)
class ScoreHistory:
    """One game, by player. `totals`: the score after each finished turn, oldest first.

    `by_hand`: the points that people settled by hand during or after each of these turns; `totals` include them.
    `busts`: how many turns brought nothing, None in games without busts. `shared_throws`: all players use the same
    throws, so nobody has turns of his own.
    """

    players: tuple[str, ...]
    totals: tuple[tuple[int, ...], ...]
    by_hand: tuple[tuple[int, ...], ...]
    busts: tuple[int, ...] | None
    shared_throws: bool
    fairness: Fairness
    low_wins: bool = False  # of a pad

    @property
    def turns(self) -> int:
        """The most turns that a player has finished."""
        return max(map(len, self.totals))

    def gains(self, player: int) -> list[int]:
        """The points that each finished turn of this player brought, without those settled by hand."""
        totals, by_hand = self.totals[player], self.by_hand[player]
        return [after - before - more for before, after, more in zip((0, *totals), totals, by_hand, strict=False)]

    def best_turn(self, player: int) -> int | None:
        """The most points that a turn of this player brought; None before his first, with shared throws, and on a pad
        where few points are good.
        """
        return None if self.shared_throws or self.low_wins else max(self.gains(player), default=None)


_histories: Recent[str, ScoreHistory] = Recent(MOST_HISTORIES)


def cached_history(name: str, record: Callable[[], Json]) -> ScoreHistory:
    """The score history of `record`, computed once for each `name`, which identifies the game and its state.

    Thread-safe.
    """
    found = _histories.get(name)
    if found is None:
        found = _histories[name] = score_history(record())
    return found


def score_history(record: Mapping[str, Any]) -> ScoreHistory:
    """Replays a record. Raises what `scorer.Table.from_record` raises."""
    table = scorer.Table.from_record(record)
    game, standing = table.game, table.standing()
    if "turns" in standing["players"][0]:
        by_hand = _settlements(game, record, standing)
        totals = [
            list(accumulate(map(sum, zip(player["turns"], more, strict=True))))
            for player, more in zip(standing["players"], by_hand, strict=True)
        ]
    elif (rounds := game.totals_by_round(table.state)) is not None:
        totals = rounds
        by_hand = [
            [0] * (len(each) - 1) + [player.get("adjusted_by", 0)] if each else []
            for each, player in zip(totals, standing["players"], strict=True)
        ]
    else:
        totals, by_hand = _track_scores(game, record)
    busts = None
    if "bank" in game.fields and "rounds_won" not in standing:  # a turn that can be banked can be lost
        busts = tuple(sum(points <= 0 for points in player["turns"]) for player in standing["players"])
    return ScoreHistory(
        tuple(player["name"] for player in standing["players"]),
        tuple(map(tuple, totals)),
        tuple(map(tuple, by_hand)),
        busts,
        _plays_together(standing),
        fairness(record["actions"]),
        game.counted_by_players and game.rules.low_wins,
    )


def _plays_together(standing: Json) -> bool:
    return "lines" in standing


def _adjusts(action: Mapping[str, Any], *what: str) -> bool:
    """Whether an action is an adjustment of one of these kinds."""
    return action["do"] == "adjust" and action["what"] in what


def _settlements(game: Any, record: Mapping[str, Any], standing: Json) -> list[list[int]]:
    """The points that totals set by hand gave each player, counted in his turn that ended last before."""
    by_hand = [[0] * len(player["turns"]) for player in standing["players"]]
    if not any(_adjusts(action, "total") for action in record["actions"]):
        return by_hand
    table = scorer.Table(game, record["players"])
    for action in record["actions"]:
        before = table.standing()["players"][action["player"]] if _adjusts(action, "total") else None
        table.do(action)
        if before is not None and (mine := by_hand[action["player"]]):
            turn = min(max(0, len(before["turns"]) - 1), len(mine) - 1)
            mine[turn] += table.standing()["players"][action["player"]]["score"] - before["score"]
    return by_hand


def _track_scores(game: Any, record: Mapping[str, Any]) -> tuple[list[list[int]], list[list[int]]]:
    """The `totals` and `by_hand` of a game whose standing lists no turns: reads its scores whenever a turn ends."""
    table = scorer.Table(game, record["players"])
    watch = _TurnTracker(table.standing())
    for action in record["actions"]:
        table.do(action)
        watch.thrown = watch.thrown or action["do"] == "throw"
        if action["do"] == "keep" or (action["do"] == "throw" and "pass" not in game.fields):
            continue  # it ends no turn, and a standing then takes time
        watch.look(table.standing(), action)
    return watch.totals, watch.by_hand


class _TurnTracker:
    """Notes the scores whenever a turn ends.

    `thrown`: whether dice were thrown in the running turn. `pending`: points settled by hand before a first turn ended.
    """

    def __init__(self, standing: Json) -> None:
        self.player, self.thrown = standing["turn"]["player"], False
        self.scores: list[int] = []
        self.totals: list[list[int]] = []
        self.by_hand: list[list[int]] = []
        self.pending: list[int] = []
        self._seat(standing)

    def _seat(self, standing: Json) -> None:
        """Adds lists for each player who has joined."""
        for player in standing["players"][len(self.scores) :]:
            self.scores.append(player["score"])
            self.totals.append([])
            self.by_hand.append([])
            self.pending.append(0)

    def look(self, standing: Json, action: Mapping[str, Any]) -> None:
        turn = standing["turn"]
        self._seat(standing)
        if _adjusts(action, "player-renamed", "player-added", "player-removed", "turn-skipped", "order", "game"):
            if turn["player"] != self.player:
                self.player, self.thrown = turn["player"], False
            return
        if _adjusts(action, "total", "cell"):
            self._settle(action["player"], standing["players"][action["player"]]["score"])
        if standing["over"] or turn["player"] != self.player or (self.thrown and not turn["throw"]):
            if not _adjusts(action, "total", "cell"):
                self._end(standing)
            self.player, self.thrown = turn["player"], False

    def _settle(self, who: int, score: int) -> None:
        more = score - self.scores[who]
        self.scores[who] = score
        if self.totals[who]:
            self.totals[who][-1] = score
            self.by_hand[who][-1] += more
        else:
            self.pending[who] += more

    def _end(self, standing: Json) -> None:
        for who in standing["order"] if _plays_together(standing) else (self.player,):
            self.scores[who] = standing["players"][who]["score"]
            self.totals[who].append(self.scores[who])
            self.by_hand[who].append(self.pending[who])
            self.pending[who] = 0
