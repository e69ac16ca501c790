"""The series of games that the same people play one after the other with "play again": how often each has won."""

from dataclasses import dataclass

from web.tables.names import folded
from web.tables.store import Ledger, TableRow

LONGEST = 200  # games that are looked back at


@dataclass(frozen=True)
class Series:
    """`games`: how many are over. `wins`: of each player, in the order of the table; a shared first place counts."""

    games: int
    wins: tuple[int, ...]


def series(store: Ledger, row: TableRow, itself: bool = False) -> Series:
    """The games before this table's, back to where other people played; with `itself` this one too, when it is over."""
    people = [folded(name) for name in row.players]
    wins = dict.fromkeys(people, 0)
    games = 0
    at: TableRow | None = row if itself else store.previous(row)
    for _ in range(LONGEST):
        if at is None or sorted(map(folded, at.players)) != sorted(people):
            break
        won = store.winners(at)
        games += bool(won)
        for name in won:
            wins[folded(name)] += 1
        at = store.previous(at)
    return Series(games, tuple(wins[person] for person in people))
