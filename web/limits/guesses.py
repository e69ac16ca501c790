"""Keeps out guessing strangers: counts wrong keys and codes."""

import time
from collections.abc import Sequence

from web.limits.origins import has_any_address, origin_of
from web.limits.quotas import SlidingWindow
from web.problems.problem import Problem

MINUTE_S, HOUR_S = 60.0, 3600.0
# Wrong guesses that one phone has in a minute and in an hour. A code is one of 23^6 and lives for hours: with a hundred
# tables running, GUESSES_OF_ALL a minute need a day on average to hit one.
GUESSES_A_MINUTE = 10
GUESSES_AN_HOUR = 100
# Of all phones behind one address in a minute: after the first number, those that guessed wrong lately are refused;
# after the second, all of them. A phone is known by its cookie, which a guesser may change for each guess.
GUESSES_OF_ADDRESS, MOST_OF_ADDRESS = 60, 200
GUESSES_OF_ALL = 600  # in a minute; then addresses that used up their share of the last hour are refused
SHARE_AN_HOUR = 10
REMEMBERED_ADDRESSES = 2000


GuessCounts = tuple[int, int]  # wrong guesses in the last minute and in the last hour


class Guesses:
    """Counts wrong guesses for an hour, by phone and by address; keys and codes apart.

    A `kind` is "key" or "code": an open page of an old table sends a wrong key again and again, and its phone may type
    in a code all the same. A phone that guesses wrong is refused. Others are refused only if guesses come so fast that
    codes would be hit.
    """

    def __init__(self) -> None:
        most = (GUESSES_AN_HOUR, MOST_OF_ADDRESS, GUESSES_OF_ALL)  # times of each phone, of each address, of all
        self._times = [SlidingWindow[tuple[str, str]](each, REMEMBERED_ADDRESSES) for each in most]

    def check(self, kind: str, address: str, phone: str = "") -> None:
        """Raises `Problem("too-many-guesses")` if this phone guessed too often. `phone`: its cookie, if any."""
        origin = origin_of(address)
        own, here, everybody = self._guess_counts(kind, guessers(origin, phone))
        if (
            own[0] >= GUESSES_A_MINUTE
            or own[1] >= GUESSES_AN_HOUR
            or here[0] >= (GUESSES_OF_ADDRESS if own[1] else MOST_OF_ADDRESS)
            or (everybody[0] >= GUESSES_OF_ALL and (here[1] >= SHARE_AN_HOUR or has_any_address(origin)))
        ):
            raise Problem("too-many-guesses", 429)

    def wrong(self, kind: str, address: str, phone: str = "") -> None:
        now = time.monotonic()
        for times, who in zip(self._times, guessers(origin_of(address), phone), strict=True):
            times.note((kind, who), now)

    def _guess_counts(self, kind: str, whose: Sequence[str]) -> list[GuessCounts]:
        now = time.monotonic()
        return [
            (times.count_since((kind, who), now - MINUTE_S), times.count_since((kind, who), now - HOUR_S))
            for times, who in zip(self._times, whose, strict=True)
        ]


def guessers(origin: str, phone: str) -> tuple[str, str, str]:
    """The names that a guess is counted by: its phone, its address, and everybody."""
    return f"phone {origin} {phone}", f"address {origin}", "everybody"
