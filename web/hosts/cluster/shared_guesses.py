"""Counts wrong codes in the database, over all servers that share it."""

from collections.abc import Sequence

from sqlalchemy import text

from web.hosts.cluster.shared_store import SharedStore
from web.limits.guesses import GuessCounts, Guesses, guessers
from web.limits.origins import origin_of

MINUTE = "floor(extract(epoch FROM now()) / 60)"
NOTE = f"""INSERT INTO guesses (kind, who, minute, count) VALUES (:kind, :who, {MINUTE}, 1)
    ON CONFLICT (kind, who, minute) DO UPDATE SET count = guesses.count + 1"""
COUNT = f"""SELECT who, coalesce(sum(count) FILTER (WHERE minute >= {MINUTE} - 1), 0), sum(count) FROM guesses
    WHERE kind = :kind AND who = ANY(:whose) AND minute >= {MINUTE} - 60 GROUP BY who"""
SWEEP = f"DELETE FROM guesses WHERE minute < {MINUTE} - 60"


class SharedGuesses(Guesses):
    """Counts wrong keys in each process: nobody hits a key, so only the process's own work must stay small."""

    def __init__(self, store: SharedStore) -> None:
        super().__init__()
        self._store = store

    def wrong(self, kind: str, address: str, phone: str = "") -> None:
        if kind == "key":
            super().wrong(kind, address, phone)
            return
        with self._store.write() as connection:
            whose = guessers(origin_of(address), phone)
            connection.execute(text(NOTE), [{"kind": kind, "who": who} for who in whose])

    def _guess_counts(self, kind: str, whose: Sequence[str]) -> list[GuessCounts]:
        """To the minute."""
        if kind == "key":
            return super()._guess_counts(kind, whose)
        with self._store.read() as connection:
            rows = connection.execute(text(COUNT), {"kind": kind, "whose": list(whose)})
            known = {row[0]: (int(row[1]), int(row[2])) for row in rows}
        return [known.get(who, (0, 0)) for who in whose]

    def sweep(self) -> None:
        """Forgets what is older than an hour. Raises `Problem`."""
        with self._store.write() as connection:
            connection.execute(text(SWEEP))
