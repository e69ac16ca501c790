"""Summaries of players over finished games: results, head to head, and the rating if the rules have one."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import scorer
from web.statistics.player_games import PlayerGame
from web.table.names import fold


@dataclass(frozen=True)
class Opponent:
    """How often a player finished before, behind and level with another one at the same tables."""

    name: str
    ahead: int
    behind: int
    level: int


@dataclass(frozen=True)
class Summary:
    """One player's finished games of one kind. `left_out`: further ones, which people ended early. `best`, `mean`: None
    without games that count. `rating`: None if the rules of the game have none."""

    name: str
    game: str
    played: int
    left_out: int
    won: int
    best: int | None
    mean: float | None
    rating: float | None


def summaries(results: Iterable[PlayerGame], early: bool = False) -> list[Summary]:
    """By player, then by game. Names that differ only in case and spaces are one player, written as last. `early`: also
    counts games that people ended early."""
    grouped: dict[tuple[str, str], list[PlayerGame]] = {}
    written: dict[str, str] = {}
    for result in results:
        person = fold(result.name)
        written[person] = result.name
        grouped.setdefault((person, result.table.game), []).append(result)
    return [_summary(written[person], game, grouped[person, game], early) for person, game in sorted(grouped)]


def head_to_head(results: Iterable[PlayerGame], name: str, game: str) -> list[Opponent]:
    """The player against each other one in this game, by name, written as in the other's last game."""
    person = fold(name)
    tables: defaultdict[int, list[PlayerGame]] = defaultdict(list)
    for result in results:
        if result.table.game == game:
            tables[result.table.id].append(result)
    written: dict[str, str] = {}
    counts: defaultdict[str, Counter[int]] = defaultdict(Counter)  # -1: he finished before the other
    for seats in tables.values():
        mine = min((result.place for result in seats if fold(result.name) == person), default=None)
        for other in seats:
            if mine is not None and (opponent := fold(other.name)) != person:
                written[opponent] = other.name
                counts[opponent][(mine > other.place) - (mine < other.place)] += 1
    return [
        Opponent(written[opponent], ahead=count[-1], behind=count[1], level=count[0])
        for opponent, count in sorted(counts.items())
    ]


def _summary(name: str, game: str, results: list[PlayerGame], early: bool) -> Summary:
    reached = [(result.score, result.place) for result in results if early or not result.early]
    played, left_out = len(reached), len(results) - len(reached)
    won, scores = sum(place == 1 for _, place in reached), [score for score, _ in reached]
    if not played:
        return Summary(name, game, 0, left_out, 0, None, None, None)
    rating = scorer.rating(game, reached)
    return Summary(name, game, played, left_out, won, max(scores), sum(scores) / played, rating)
