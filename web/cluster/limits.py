"""What visitors may do in a while, counted in the database: over all servers that share it."""

import math
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from sqlalchemy import ColumnElement, Connection, Integer, cast, delete, func, or_, select
from sqlalchemy.dialects.postgresql import insert

from web.cluster.schema import moment, tallies
from web.cluster.store import SharedStore
from web.problems import Problem
from web.server.limits import STEPS, Limit, counted_as
from web.server.security import (
    GUESSES_A_MINUTE,
    GUESSES_AN_HOUR,
    GUESSES_OF_ADDRESS,
    GUESSES_OF_ALL,
    HOUR_S,
    MINUTE_S,
    MOST_OF_ADDRESS,
    SHARE_AN_HOUR,
    Guesses,
    has_any_address,
    origin_of,
)

SWEPT_AFTER_S = 60.0
EVERYBODY = "everybody"
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
        self._span = 0
        self._forget()

    def count(self, limit: Limit, address: str, phone: str) -> None:
        whose = counted_as(address, phone)
        if whose is None:
            return
        with self._lock:
            self._turn_over()
            for who, most in zip(whose, (limit.of_phone, limit.of_address), strict=True):
                if self._here[who] + self._elsewhere[who] >= most:
                    raise Problem(limit.refusal, 429)
            self._here.update(whose)

    def tell(self) -> None:
        """Tells the database of those who did more than a little here, and learns what they did elsewhere."""
        with self._lock:
            self._turn_over()
            span = self._span
            counted = {who: count for who, count in self._here.items() if count >= TOLD_FROM}
            news = {who: count - self._told[who] for who, count in counted.items() if count > self._told[who]}
        for some in _in_parts(sorted(news), OF_ONE_STATEMENT):  # in order: two servers never wait for one another
            known = self._added({who: news[who] for who in some}, span)
            with self._lock:
                if span == self._span:
                    for who in some:
                        self._told[who] += news[who]
                        self._elsewhere[who] = known[who] - self._told[who]

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

    def _turn_over(self) -> None:
        """Begins anew where another span has begun. Hold `_lock`."""
        span = math.floor((time.monotonic() + self._ahead_s) / self._limit.seconds)
        if span != self._span:
            self._span = span
            self._forget()

    def _forget(self) -> None:
        self._here: Counter[str] = Counter()  # what each did here in this span
        self._told: Counter[str] = Counter()  # how much of it the database knows
        self._elsewhere: Counter[str] = Counter()  # and what it knows of the others


def _in_parts(names: Sequence[str], most: int) -> Iterator[Sequence[str]]:
    return (names[start : start + most] for start in range(0, len(names), most))


class SharedGuesses(Guesses):
    """Wrong codes are counted in the database. Wrong keys in each process: nobody hits one, and only its own work is to
    be kept small."""

    def __init__(self, store: SharedStore) -> None:
        super().__init__()
        self._store = store

    def check(self, kind: str, address: str, phone: str = "") -> None:
        if kind == "key":
            super().check(kind, address, phone)
            return
        origin = origin_of(address)
        own, here = f"phone {origin} {phone}", f"address {origin}"
        known = {who: (minute, hour) for who, minute, hour in self._known(kind, (own, here, EVERYBODY))}
        of_own, of_here, of_all = (known.get(who, (0, 0)) for who in (own, here, EVERYBODY))
        if (
            of_own[0] >= GUESSES_A_MINUTE
            or of_own[1] >= GUESSES_AN_HOUR
            or of_here[0] >= (GUESSES_OF_ADDRESS if of_own[1] else MOST_OF_ADDRESS)
            or (of_all[0] >= GUESSES_OF_ALL and (of_here[1] >= SHARE_AN_HOUR or has_any_address(origin)))
        ):
            raise Problem("too-many-guesses", 429)

    def wrong(self, kind: str, address: str, phone: str = "") -> None:
        if kind == "key":
            super().wrong(kind, address, phone)
            return
        origin = origin_of(address)
        with self._store.write() as connection:
            for who in (f"phone {origin} {phone}", f"address {origin}", EVERYBODY):
                _noted(connection, f"wrong {kind}", who, round(MINUTE_S), round(HOUR_S))

    def _known(self, kind: str, whose: tuple[str, ...]) -> list[tuple[str, int, int]]:
        """How often each of these was wrong in the last minute and in the last hour, to the minute."""
        lately = tallies.c.span >= _span(round(MINUTE_S)) - 1
        hour = tallies.c.span >= _span(round(MINUTE_S)) - round(HOUR_S / MINUTE_S)
        columns = (tallies.c.who, func.sum(tallies.c.count).filter(lately), func.sum(tallies.c.count).filter(hour))
        query = select(*columns).where(tallies.c.what == f"wrong {kind}", or_(*(tallies.c.who == who for who in whose)))
        with self._store.read() as connection:
            return [
                (who, minute or 0, hour or 0) for who, minute, hour in connection.execute(query.group_by(tallies.c.who))
            ]


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
