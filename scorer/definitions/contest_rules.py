"""How turns make a game, in the same words for every kind of turn: `[contest]` of hands, `[rules]` of the others.

A field's line in a docstring is its description in the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from scorer.actions import MOST_POINTS
from scorer.definitions.patterns import MOST_DICE, Face
from scorer.definitions.shapes import Bounds
from scorer.definitions.value_table import Points

RaceEnd = Literal["at-once", "finish-round", "one-more-turn", "round-then-one-more-turn", "exact"]


@dataclass(frozen=True, kw_only=True)
class TotalRules:
    """A game whose totals decide.

    low_wins: whether the lowest total wins.
    """

    low_wins: bool = False


@dataclass(frozen=True, kw_only=True)
class TargetRules:
    """A game that ends with a total.

    target: the total, or the rounds won, that ends the game; 0: none.
    """

    target: Annotated[int, Bounds(0, MOST_POINTS)] = 0


@dataclass(frozen=True, kw_only=True)
class EndRules:
    """How a total ends the game.

    end: what happens when somebody reaches the target: the game ends; the round is played to its end; every other
        player has one more turn, at once or after the round; "exact": only just the target wins, and what would pass it
        loses the turn.
    """

    end: RaceEnd = "at-once"


@dataclass(frozen=True, kw_only=True)
class TargetRace(TargetRules, EndRules):
    """A race to a total, on which points can be lost.

    end: what happens when somebody reaches the target: the game ends; the round is played to its end; every other
        player has one more turn, at once or after the round; "exact": only just the target wins, and what would pass it
        loses the turn.
    overshoot_to: with an exact end, the total at most that is left to whoever would pass the target; his own if not
        given.
    wiped_by: dice that end the turn when a throw shows them, and take away the total; none if not given.
    """

    end: RaceEnd = "at-once"
    overshoot_to: Points | None = None
    wiped_by: Annotated[tuple[Face, ...], Bounds(0, MOST_DICE)] = ()


@dataclass(frozen=True, kw_only=True)
class RoundRules(TotalRules, TargetRules):
    """A game of rounds. In each of them every player has one turn.

    counts: "totals": points of turns are added up; "rounds": the best turn of a round wins it.
    low_wins: whether the lowest turn and the lowest total are the best.
    rounds: after so many the game ends; 0: none ends it.
    """

    counts: Literal["totals", "rounds"] = "totals"
    rounds: Annotated[int, Bounds(0, 1000)] = 0


def by_team(points: Sequence[int | None], team_of: Callable[[int], int]) -> dict[int, int]:
    """The sum of each team's points, by player; of teams in which somebody has any."""
    sums: dict[int, int] = {}
    for player, each in enumerate(points):
        if each is not None:
            sums[team_of(player)] = sums.get(team_of(player), 0) + each
    return sums


@dataclass(frozen=True, kw_only=True)
class TeamRules:
    """A game that teams may play.

    teams: how many; players join them in turn, and their points are added. 0: everybody plays alone.
    """

    teams: Annotated[int, Bounds(0, 6)] = 0

    def team_of(self, player: int) -> int:
        """The team of a player, from 0; he is one by himself where everybody plays alone."""
        return player % self.teams if self.teams else player

    def of_teams(self, points: Sequence[int]) -> list[int]:
        """The points of each player's team."""
        sums = by_team(points, self.team_of)
        return [sums[self.team_of(player)] for player in range(len(points))]


@dataclass(frozen=True, kw_only=True)
class ContestRounds(RoundRules, EndRules):
    """A game of rounds that a total may end."""

    @property
    def last_left_wins(self) -> bool:
        """Whether who reaches the target is out, in a game of ours."""
        return False


@dataclass(frozen=True, kw_only=True)
class ContestRules(ContestRounds):
    """How turns make a game, round after round. In each round every player has one turn.

    end: what happens when a total reaches the target: the game ends, or the round is played to its end.
    lives: of each player: the worst turn of a round loses one, and the last player with lives wins; 0: none.
    ties: what equal best (or worst) turns of a round do: they throw again, or nobody wins or loses.
    begins: who begins the next round: the first player always, the next in order, or who won or lost the last round.
    """

    end: Literal["at-once", "finish-round"] = "at-once"
    lives: Annotated[int, Bounds(0, 100)] = 0
    ties: Literal["throw-again", "nobody"] = "throw-again"
    begins: Literal["first", "next", "winner", "loser"] = "first"
