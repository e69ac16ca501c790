"""What finished games say of players: results, head to head, and the rating where the rules have one."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import scorer
from web.session.names import fold


class Table(Protocol):
    """What is to be known of the table of a result."""

    @property
    def id(self) -> int: ...
    @property
    def game(self) -> str: ...
    @property
    def digest(self) -> str | None: ...


class Reached(Protocol):
    """What one player of one finished game reached: `web.statistics.player_games.PlayerGame`."""

    @property
    def table(self) -> Table: ...
    @property
    def name(self) -> str: ...
    @property
    def score(self) -> int: ...
    @property
    def place(self) -> int: ...
    @property
    def imported(self) -> bool: ...


Each = TypeVar("Each", bound=Reached)


@dataclass(frozen=True)
class Opponent:
    """How often a player finished before another one at the same tables, behind him, and level with him."""

    name: str
    ahead: int
    behind: int
    level: int


@dataclass(frozen=True)
class Summary:
    """One player's finished games of one kind. `rating`: None where the rules of the game have none."""

    name: str
    game: str
    played: int
    won: int
    best: int
    mean: float
    rating: float | None


def once(results: Iterable[Each]) -> list[Each]:
    """Each game once: without the tables that were imported with the record of another one here.

    The same game means the same record to the last action, by its digest. Two games that were both played here count
    both, should they ever be alike. A game that was taken over from a Rollcall before there were digests has none.
    """
    results = list(results)
    counted: dict[str | None, set[int]] = {}
    for result in results:
        if not result.imported:
            counted.setdefault(result.table.digest, set()).add(result.table.id)
    for result in results:
        counted.setdefault(result.table.digest, {result.table.id})  # the first of the copies, where all are
    return [
        result for result in results if result.table.digest is None or result.table.id in counted[result.table.digest]
    ]


def summaries(results: Iterable[Reached]) -> list[Summary]:
    """By player, then game; names that differ only in case and spaces are one player, written as last."""
    grouped: dict[tuple[str, str], list[Reached]] = {}
    written: dict[str, str] = {}
    for result in results:
        person = fold(result.name)
        written[person] = result.name
        grouped.setdefault((person, result.table.game), []).append(result)
    return [_summary(written[person], game, grouped[person, game]) for person, game in sorted(grouped)]


def head_to_head(results: Iterable[Reached], name: str, game: str) -> list[Opponent]:
    """The player against each other one in this game, by name; the others are written as last."""
    person = fold(name)
    tables: dict[int, list[Reached]] = {}
    for result in results:
        if result.table.game == game:
            tables.setdefault(result.table.id, []).append(result)
    written: dict[str, str] = {}
    places: dict[str, list[tuple[int, int]]] = {}
    for seats in tables.values():
        mine = [result.place for result in seats if fold(result.name) == person]
        for other in seats:
            if mine and fold(other.name) != person:
                written[fold(other.name)] = other.name
                places.setdefault(fold(other.name), []).append((min(mine), other.place))
    return [_opponent(written[other], places[other]) for other in sorted(places)]


def _opponent(name: str, places: list[tuple[int, int]]) -> Opponent:
    return Opponent(
        name,
        ahead=sum(mine < other for mine, other in places),
        behind=sum(mine > other for mine, other in places),
        level=sum(mine == other for mine, other in places),
    )


def _summary(name: str, game: str, results: list[Reached]) -> Summary:
    played = len(results)
    mean = sum(result.score for result in results) / played
    return Summary(
        name=name,
        game=game,
        played=played,
        won=sum(result.place == 1 for result in results),
        best=max(result.score for result in results),
        mean=mean,
        rating=scorer.rating(game, [(result.score, result.place) for result in results]),
    )
