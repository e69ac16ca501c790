"""Score history of a game: the score of each player after each of his turns."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import scorer
from scorer.game import low_total_wins


@dataclass(frozen=True)
class ScoreHistory:
    """One game, by player. `totals`: the score after each finished turn, oldest first.

    `by_hand`: the points that people settled by hand during or after each of these turns; `totals` include them.
    `busts`: how many turns brought nothing, None in games without busts. `shared_throws`: all players use the same
    throws, so nobody has turns of his own. `fell`: how often each value 1..6 fell.
    """

    players: tuple[str, ...]
    totals: tuple[tuple[int, ...], ...]
    by_hand: tuple[tuple[int, ...], ...]
    busts: tuple[int, ...] | None
    shared_throws: bool
    fell: tuple[int, ...]
    low_wins: bool = False
    start: int = 0  # of each player: his lives, if he has any

    @property
    def turns(self) -> int:
        """The most turns that a player has finished."""
        return max(map(len, self.totals))

    def gains(self, player: int) -> list[int]:
        """The points that each finished turn of this player brought, without those settled by hand."""
        totals, by_hand = self.totals[player], self.by_hand[player]
        return [
            after - before - more for before, after, more in zip((self.start, *totals), totals, by_hand, strict=False)
        ]

    def best_turn(self, player: int) -> int | None:
        """The most points that a turn of this player brought; None before his first, with shared throws, where few
        points are good, and where lives count.
        """
        return None if self.shared_throws or self.low_wins or self.start else max(self.gains(player), default=None)

    def figures(self, player: int) -> tuple[int | None, int | None, int, tuple[int, ...]]:
        """`best`, `busts`, `turns` and `fell` of a `PlayerResult`."""
        busts = None if self.busts is None else self.busts[player]
        return self.best_turn(player), busts, len(self.totals[player]), self.fell


def score_history(table: scorer.Table) -> ScoreHistory:
    """The score history of a game, from the steps that it has: nothing is played again."""
    game, standing = table.game, table.standing()
    together, busts = "lines" in standing, None
    if "turns" in standing["players"][0]:
        by_hand, lives = _settlements(table, standing), standing.get("lives", 0)
        totals = [
            [lives + total for total in accumulate(map(sum, zip(player["turns"], more, strict=True)))]
            for player, more in zip(standing["players"], by_hand, strict=True)
        ]
        if "bank" in game.fields and "round_points" not in standing["players"][0]:  # a turn that may be lost
            busts = tuple(sum(points <= 0 for points in player["turns"]) for player in standing["players"])
    elif (rounds := game.totals_by_round(table.state)) is not None:
        totals = rounds
        by_hand = [
            [0] * (len(each) - 1) + [player.get("adjusted_by", 0)] if each else []
            for each, player in zip(totals, standing["players"], strict=True)
        ]
    else:
        totals, by_hand = _track_scores(table, together)
    return ScoreHistory(
        tuple(player["name"] for player in standing["players"]),
        tuple(map(tuple, totals)),
        tuple(map(tuple, by_hand)),
        busts,
        together,
        fell_in(table.actions),
        low_total_wins(game),
        standing.get("lives", 0),
    )


def fell_in(actions: Iterable[Mapping[str, Any]]) -> tuple[int, ...]:
    """How often each value 1..6 fell in a record's throws. Kept dice are in no throw, so they do not count again."""
    counts = Counter(value for action in actions if action["do"] == "throw" for value in action["dice"])
    return tuple(counts[face] for face in range(1, 7))


def _adjusts(action: Mapping[str, Any], *what: str) -> bool:
    """Whether an action is an adjustment of one of these kinds."""
    return action["do"] == "adjust" and action["what"] in what


def _settlements(table: scorer.Table, standing: Mapping[str, Any]) -> list[list[int]]:
    """The points that totals set by hand gave each player, counted in his turn that ended last before."""
    by_hand = [[0] * len(player["turns"]) for player in standing["players"]]
    turns = [0] * len(by_hand)  # that each player has ended
    for step in table.steps:
        if _adjusts(step.action, "total") and (mine := by_hand[who := step.action["player"]]):
            before, after = (table.game.scores(state)[who] for state in (step.before, step.after))
            mine[min(max(0, turns[who] - 1), len(mine) - 1)] += after - before
        for event in step.events:
            if event["event"] == "turn" and "instead_of" not in event:
                turns[event["player"]] += 1
    return by_hand


def _track_scores(table: scorer.Table, together: bool) -> tuple[list[list[int]], list[list[int]]]:
    """The `totals` and `by_hand` of a game whose standing lists no turns: reads its scores whenever a turn ends."""
    game, steps = table.game, table.steps
    watch = _TurnTracker(game, steps[0].before if steps else table.state, together)
    for step in steps:
        watch.thrown = watch.thrown or step.action["do"] == "throw"
        if step.action["do"] == "keep" or (step.action["do"] == "throw" and "pass" not in game.fields):
            continue  # it ends no turn
        watch.look(step.after, step.action)
    return watch.totals, watch.by_hand


class _TurnTracker:
    """Notes the scores whenever a turn ends.

    `thrown`: whether dice were thrown in the running turn. `pending`: points settled by hand before a first turn ended.
    """

    def __init__(self, game: Any, began: Any, together: bool) -> None:
        self._game, self._together = game, together
        self.player, self.thrown = game.turn(began)["player"], False
        self.scores: list[int] = []
        self.totals: list[list[int]] = []
        self.by_hand: list[list[int]] = []
        self.pending: list[int] = []
        self._seat(game.scores(began))

    def _seat(self, scores: Sequence[int]) -> None:
        """Adds lists for each player who has joined."""
        for score in scores[len(self.scores) :]:
            self.scores.append(score)
            self.totals.append([])
            self.by_hand.append([])
            self.pending.append(0)

    def look(self, state: Any, action: Mapping[str, Any]) -> None:
        turn, scores = self._game.turn(state), self._game.scores(state)
        self._seat(scores)
        if _adjusts(action, "player-renamed", "player-added", "player-removed", "turn-skipped", "order", "game"):
            if turn["player"] != self.player:
                self.player, self.thrown = turn["player"], False
            return
        if _adjusts(action, "total", "cell"):
            self._settle(action["player"], scores[action["player"]])
        if state.over or turn["player"] != self.player or (self.thrown and not turn["throw"]):
            if not _adjusts(action, "total", "cell"):
                self._end(scores, list(state.seats.playing(len(scores))))
            self.player, self.thrown = turn["player"], False

    def _settle(self, who: int, score: int) -> None:
        more = score - self.scores[who]
        self.scores[who] = score
        if self.totals[who]:
            self.totals[who][-1] = score
            self.by_hand[who][-1] += more
        else:
            self.pending[who] += more

    def _end(self, scores: Sequence[int], order: Sequence[int]) -> None:
        for who in order if self._together else (self.player,):
            self.scores[who] = scores[who]
            self.totals[who].append(self.scores[who])
            self.by_hand[who].append(self.pending[who])
            self.pending[who] = 0
