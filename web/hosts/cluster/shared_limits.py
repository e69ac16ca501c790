"""Counts what visitors do in the database, over all servers that share it."""

import time
from collections.abc import Mapping, Sequence

from sqlalchemy import ColumnElement, Connection, Integer, cast, delete, func, select
from sqlalchemy.dialects.postgresql import insert

from web.common.problems import Problem
from web.hosts.cluster.shared_schema import moment, tallies
from web.hosts.cluster.shared_store import SharedStore
from web.limits.guesses import HOUR_S, MINUTE_S, GuessCounts, Guesses, guessers
from web.limits.origins import origin_of
from web.limits.quotas import FixedWindow
from web.limits.visitor_limits import STEPS, Limit, Limits, bounds

SWEPT_AFTER_S = 60.0
TOLD_FROM = 10  # steps of a visitor in one span and process; a phone that plays does fewer and costs no query
OF_ONE_STATEMENT = 1000  # visitors


class SharedLimits(Limits):
    """Counts in the database, by its clock. It counts one limit in this process, without a query for each step, and
    exchanges these counts with the other servers now and then.

    So a visitor may exceed that limit by `TOLD_FROM` at each server, and by what he does between two calls of `tell`.
    For many threads.
    """

    def __init__(self, store: SharedStore, added_up: Limit = STEPS) -> None:
        super().__init__()
        self._store = store
        self._limit = added_up  # each of its steps is a write already
        self._ahead_s = time.time() - time.monotonic()  # the database's clock minus this process's, once it is known
        self._told = FixedWindow(added_up.seconds)  # the counts of this process that the database knows
        self._elsewhere = FixedWindow(added_up.seconds)  # and those of other servers
        self._swept_at = time.monotonic()

    def count(self, limit: Limit, address: str, phone: str) -> None:
        if limit.what == self._limit.what:
            super().count(limit, address, phone)
            return
        most = bounds(limit, address, phone)
        if not most:
            return
        with self._store.write() as connection:
            counted, _ = _add_counts(connection, limit.what, limit.seconds, dict.fromkeys(most, 1))
            if any(count > most[who] for who, count in counted.items()):
                raise Problem(limit.refusal, 429)
            if time.monotonic() - self._swept_at > SWEPT_AFTER_S:
                connection.execute(delete(tallies).where(tallies.c.ends_at < func.now()))
                self._swept_at = time.monotonic()

    def _now(self) -> float:
        return super()._now() + self._ahead_s

    def tell(self) -> None:
        """Tells the database who did more than a little here, and reads what they did elsewhere. Raises `Problem`."""
        window, now = self._window(self._limit), self._now()
        counts, told, elsewhere = (each.counts(now) for each in (window, self._told, self._elsewhere))
        span = window.number
        here = {who: count - elsewhere[who] for who, count in list(counts.items())}
        news = {who: count - told[who] for who, count in here.items() if count >= max(TOLD_FROM, told[who] + 1)}
        names = sorted(news)  # sorted, so that two servers never wait for each other
        for some in (names[start : start + OF_ONE_STATEMENT] for start in range(0, len(names), OF_ONE_STATEMENT)):
            with self._store.write() as connection:
                added = {who: news[who] for who in some}
                known, clock = _add_counts(connection, self._limit.what, self._limit.seconds, added, span)
            self._ahead_s = clock - time.monotonic()
            for who in some:
                told[who] += news[who]
                counts[who] += known[who] - told[who] - elsewhere[who]  # a step of the same moment may not be counted
                elsewhere[who] = known[who] - told[who]


class SharedGuesses(Guesses):
    """Counts wrong codes in the database, and wrong keys in each process: nobody hits a key, so only the process's own
    work must stay small."""

    def __init__(self, store: SharedStore) -> None:
        super().__init__()
        self._store = store

    def wrong(self, kind: str, address: str, phone: str = "") -> None:
        if kind == "key":
            super().wrong(kind, address, phone)
            return
        with self._store.write() as connection:
            whose = guessers(origin_of(address), phone)
            _add_counts(connection, f"wrong {kind}", round(MINUTE_S), dict.fromkeys(whose, 1), kept_s=round(HOUR_S))

    def _guess_counts(self, kind: str, whose: Sequence[str]) -> list[GuessCounts]:
        """To the minute."""
        if kind == "key":
            return super()._guess_counts(kind, whose)
        lately = tallies.c.span >= _span(round(MINUTE_S)) - 1
        hour = tallies.c.span >= _span(round(MINUTE_S)) - round(HOUR_S / MINUTE_S)
        columns = (tallies.c.who, func.sum(tallies.c.count).filter(lately), func.sum(tallies.c.count).filter(hour))
        query = select(*columns).where(tallies.c.what == f"wrong {kind}", tallies.c.who.in_(whose))
        with self._store.read() as connection:
            rows = connection.execute(query.group_by(tallies.c.who)).all()
        known: dict[str, GuessCounts] = {row[0]: (row[1] or 0, row[2] or 0) for row in rows}
        return [known.get(who, (0, 0)) for who in whose]


def _span(seconds: int) -> ColumnElement[int]:
    return cast(func.floor(func.extract("epoch", func.now()) / seconds), Integer)


def _add_counts(
    connection: Connection,
    what: str,
    seconds: int,
    counts: Mapping[str, int],
    span: int | None = None,
    kept_s: int | None = None,
) -> tuple[dict[str, int], float]:
    """Adds counts to those of all servers in a span of `seconds`; returns the sums and the database's time.

    `span` None: the present one. `kept_s`: seconds for which they are kept after it, None: `seconds`.
    """
    ends_at = moment(seconds + (kept_s or seconds))
    same = {"what": what, "span": _span(seconds) if span is None else span, "ends_at": ends_at}
    added = insert(tallies).values([{**same, "who": who, "count": count} for who, count in counts.items()])
    added = added.on_conflict_do_update(
        index_elements=["what", "who", "span"], set_={"count": tallies.c.count + added.excluded.count}
    )
    clock = func.extract("epoch", func.now())
    rows = connection.execute(added.returning(tallies.c.who, tallies.c.count, clock)).all()
    return {row[0]: row[1] for row in rows}, float(rows[0][2])
