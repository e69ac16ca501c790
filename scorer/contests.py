"""Rounds that are played for: who throws next, and who has won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scorer.seats import Seats
from scorer.tuples import replace_at


class Contest(NamedTuple):
    """The running round. `points`: of each player's turns in it, None before them. `among`: the equal best ones, who
    throw again; () while everybody throws. `won`: who won each round before, -1 for nobody. `thrown`: the points of
    each turn, by player and round.
    """

    points: tuple[int | None, ...] = ()
    thrown: tuple[tuple[tuple[int, ...], ...], ...] = ()
    among: tuple[int, ...] = ()
    won: tuple[int, ...] = ()

    @classmethod
    def first(cls, players: int) -> Contest:
        return cls((None,) * players, ((),) * players)

    def with_player(self) -> Contest:
        return self._replace(points=(*self.points, None), thrown=(*self.thrown, ()))

    def with_turn(self, player: int, points: int) -> Contest:
        rounds = self.thrown[player] + ((),) * (len(self.won) + 1 - len(self.thrown[player]))
        thrown = replace_at(self.thrown, player, (*rounds[:-1], (*rounds[-1], points)))
        return self._replace(points=replace_at(self.points, player, self.points_of(player) + points), thrown=thrown)

    def again(self, among: Sequence[int]) -> Contest:
        """The same round, thrown again by some."""
        return self._replace(points=(None,) * len(self.points), among=tuple(among))

    def next_round(self, winner: int) -> Contest:
        return self.again(())._replace(won=(*self.won, winner))

    def points_of(self, player: int) -> int:
        """What a player has in the running round."""
        return self.points[player] or 0

    def playing(self, seats: Seats) -> list[int]:
        """Who may still win the round, in their order."""
        order = seats.playing(len(self.points))
        return [each for each in order if each not in seats.joining and (not self.among or each in self.among)]

    def waiting(self, seats: Seats, target: int) -> list[int]:
        """Who has yet to throw. `target`: points that win the round; 0: everybody has one turn in it."""
        playing = self.playing(seats)
        if target:
            return [] if any(self.points_of(each) >= target for each in playing) else playing
        return [each for each in playing if self.points[each] is None]

    def best(self, seats: Seats, low_wins: bool) -> list[int]:
        """Whose turn was the best so far."""
        points = {each: self.points_of(each) for each in self.playing(seats) if self.points[each] is not None}
        best = (min if low_wins else max)(points.values(), default=0)
        return [each for each in points if points[each] == best]
