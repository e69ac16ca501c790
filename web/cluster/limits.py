"""What visitors may do in a while, counted in the database: over all servers that share it."""

import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from sqlalchemy import ColumnElement, Connection, Integer, cast, delete, func, select
from sqlalchemy.dialects.postgresql import insert

from web.cluster.schema import moment, tallies
from web.cluster.store import SharedStore
from web.problems import Problem
from web.quotas import FixedWindow
from web.server.limits import STEPS, Limit, counted_as
from web.server.security import HOUR_S, MINUTE_S, Guessed, Guesses, guessers, origin_of

SWEPT_AFTER_S = 60.0
TOLD_FROM = 10  # of one visitor in one span and process: a phone that plays does fewer, and costs the database nothing
OF_ONE_STATEMENT = 1000  # visitors


class SharedLimits:
    """Counts in the database, in spans of its clock; steps in batches, since each is a write already."""

    def __init__(self, store: SharedStore) -> None:
        self._store = store
        self._steps = Batches(STEPS, store)
        self._swept_at = time.monotonic()

    def count(self, limit: Limit, address: str, phone: str) -> None:
        if limit.what == STEPS.what:
            self._steps.count(limit, address, phone)
            return
        whose = counted_as(address, phone)
        if whose is None:
            return
        with self._store.write() as connection:
            for who, most in zip(whose, (limit.of_phone, limit.of_address), strict=True):
                if _noted(connection, limit.what, who, limit.seconds) > most:
                    raise Problem(limit.refusal, 429)
            if time.monotonic() - self._swept_at > SWEPT_AFTER_S:
                connection.execute(delete(tallies).where(tallies.c.ends_at < func.now()))
                self._swept_at = time.monotonic()

    def tell(self) -> None:
        """Tells the other servers of the steps that were counted here. Raises `Problem`."""
        self._steps.tell()


class Batches:
    """Counts one limit in this process, and adds it up with the other servers now and then: what is counted costs no
    question to the database.

    So a visitor may do a little more than the bound: at each server `TOLD_FROM`, and what he does between two calls of
    `tell`. For many threads.
    """

    def __init__(self, limit: Limit, store: SharedStore) -> None:
        self._limit = limit
        self._store = store
        self._lock = threading.Lock()
        self._ahead_s = time.time() - time.monotonic()  # the database's clock before this process's, once it told
        self._here = FixedWindow(limit.seconds)  # what each did here
        self._told = FixedWindow(limit.seconds)  # how much of it the database knows
        self._elsewhere = FixedWindow(limit.seconds)  # and what it knows of the others

    def count(self, limit: Limit, address: str, phone: str) -> None:
        whose = counted_as(address, phone)
        if whose is None:
            return
        with self._lock:
            here, _, elsewhere = self._counts()
            for who, most in zip(whose, (limit.of_phone, limit.of_address), strict=True):
                if here[who] + elsewhere[who] >= most:
                    raise Problem(limit.refusal, 429)
            here.update(whose)

    def tell(self) -> None:
        """Tells the database of those who did more than a little here, and learns what they did elsewhere."""
        with self._lock:
            here, told, elsewhere = self._counts()
            span = self._here.number
            counted = {who: count for who, count in here.items() if count >= TOLD_FROM}
            news = {who: count - told[who] for who, count in counted.items() if count > told[who]}
        for some in _in_parts(sorted(news), OF_ONE_STATEMENT):  # in order: two servers never wait for one another
            known = self._added({who: news[who] for who in some}, span)
            with self._lock:
                for who in some:
                    told[who] += news[who]
                    elsewhere[who] = known[who] - told[who]

    def _added(self, news: dict[str, int], span: int) -> dict[str, int]:
        """Adds these to what all servers counted in this span, and returns the sums."""
        seconds = self._limit.seconds
        same = {"what": self._limit.what, "span": span, "ends_at": moment(2 * seconds)}
        added = insert(tallies).values([{**same, "who": who, "count": count} for who, count in news.items()])
        added = added.on_conflict_do_update(
            index_elements=["what", "who", "span"], set_={"count": tallies.c.count + added.excluded.count}
        )
        clock = func.extract("epoch", func.now())
        with self._store.write() as connection:
            rows = connection.execute(added.returning(tallies.c.who, tallies.c.count, clock)).all()
        self._ahead_s = float(rows[0][2]) - time.monotonic()
        return {row[0]: row[1] for row in rows}

    def _counts(self) -> list[Counter[str]]:
        """What was counted here, told, and counted elsewhere in this span. Hold `_lock`."""
        now = time.monotonic() + self._ahead_s
        return [window.counts(now) for window in (self._here, self._told, self._elsewhere)]


def _in_parts(names: Sequence[str], most: int) -> Iterator[Sequence[str]]:
    return (names[start : start + most] for start in range(0, len(names), most))


class SharedGuesses(Guesses):
    """Wrong codes are counted in the database. Wrong keys in each process: nobody hits one, and only its own work is to
    be kept small."""

    def __init__(self, store: SharedStore) -> None:
        super().__init__()
        self._store = store

    def wrong(self, kind: str, address: str, phone: str = "") -> None:
        if kind == "key":
            super().wrong(kind, address, phone)
            return
        with self._store.write() as connection:
            for who in guessers(origin_of(address), phone):
                _noted(connection, f"wrong {kind}", who, round(MINUTE_S), round(HOUR_S))

    def _guessed(self, kind: str, whose: Sequence[str]) -> list[Guessed]:
        """To the minute."""
        if kind == "key":
            return super()._guessed(kind, whose)
        lately = tallies.c.span >= _span(round(MINUTE_S)) - 1
        hour = tallies.c.span >= _span(round(MINUTE_S)) - round(HOUR_S / MINUTE_S)
        columns = (tallies.c.who, func.sum(tallies.c.count).filter(lately), func.sum(tallies.c.count).filter(hour))
        query = select(*columns).where(tallies.c.what == f"wrong {kind}", tallies.c.who.in_(whose))
        with self._store.read() as connection:
            rows = connection.execute(query.group_by(tallies.c.who)).all()
        known: dict[str, Guessed] = {row[0]: (row[1] or 0, row[2] or 0) for row in rows}
        return [known.get(who, (0, 0)) for who in whose]


def _span(seconds: int) -> ColumnElement[int]:
    return cast(func.floor(func.extract("epoch", func.now()) / seconds), Integer)


def _noted(connection: Connection, what: str, who: str, seconds: int, kept_s: int | None = None) -> int:
    """Counts once more, and tells how often it was in this span of so many seconds; kept for so long after it."""
    ends_at = moment(seconds + (kept_s or seconds))
    values = {"what": what, "who": who, "span": _span(seconds), "count": 1, "ends_at": ends_at}
    counted = (
        insert(tallies)
        .values(**values)
        .on_conflict_do_update(index_elements=["what", "who", "span"], set_={"count": tallies.c.count + 1})
    )
    return int(connection.execute(counted.returning(tallies.c.count)).scalar_one())
