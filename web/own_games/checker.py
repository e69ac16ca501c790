"""Games and records from outside, checked within bounds; what was found of a game is kept by the digest of the request.

Files of games come from anybody: by the form, as files, as options of a table, in records. Each is checked here before
anything is made of it, so this is the one wall. The games of a server's own folder are trusted.
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple, ParamSpec, Protocol, TypeVar

from web.limits.quotas import FairQueue
from web.limits.recent import Recent
from web.own_games import process
from web.own_games.process import Answer, Request
from web.problems.problem import Problem

P = ParamSpec("P")
Found = TypeVar("Found")

BUSY_AGAIN_S = 5
SLOWER = 4  # Python in a browser, than on a computer
LOOKS_AFTER = 100  # calls of a function, and returns


class Payer(NamedTuple):
    """Who asks. `charge`: takes the processor seconds that an answer cost. `gone`: whether nobody waits for it."""

    origin: str
    charge: Callable[[float], None]
    gone: Callable[[], bool] = lambda: False


class Answers(Protocol):
    """Answers requests, each as `web.own_games.process` says. One thread at a time."""

    def answer(self, request: Request, gone: Callable[[], bool]) -> Answer: ...

    def close(self) -> None: ...


class AnswersHere:
    """Answers in this process, where a host can start no other: with a bound of time, and none of memory."""

    def answer(self, request: Request, gone: Callable[[], bool]) -> Answer:
        return process.answer(request, _limit_calls)

    def close(self) -> None:
        pass


def _limit_calls(seconds: float) -> None:
    """Raises `OutOfTime` in a call soon after `SLOWER` times so many seconds; 0: never."""
    ends, calls = time.process_time() + SLOWER * seconds, 0

    def look(*_: object) -> None:
        nonlocal calls
        calls += 1
        # To ask for the time in each call would make a check ten times as long.
        if calls % LOOKS_AFTER == 0 and time.process_time() > ends:
            raise process.OutOfTime

    sys.setprofile(look if seconds else None)


class Checker:
    """Has games and records checked, one after another. Thread-safe."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._results: Recent[bytes, Answer] = Recent(process.MOST_RESULTS)
        self._turns = _Turns()

    def ask(self, payer: Payer, question: Callable[P, Found], *arguments: P.args, **_: P.kwargs) -> Found:
        """What a question of `process` finds, by arguments in their places. Raises what that raises, and `Problem`:
        `process.TOO_COSTLY`, or too many wait."""
        request: Request = question, arguments
        digest = hashlib.blake2b(pickle.dumps(request), digest_size=16).digest()
        answer = self._results.get(digest)
        if answer is None:
            with self._turns.turn(payer.origin):
                answer = self._results.get(digest)  # of another phone that asked the same
                if answer is None:
                    answer = self._ask(request, payer)
                    if answer.lasts and question in process.ASKED_AGAIN:
                        self._results[digest] = answer
        if answer.refused is not None:
            kind, about = answer.refused
            refusal = kind(about["reason"], **about["params"])
            vars(refusal).update(about)
            raise refusal
        found: Found = answer.found
        return found

    def close(self) -> None:
        self._answers.close()

    def _ask(self, request: Request, payer: Payer) -> Answer:
        if payer.gone():
            raise Problem("busy", 503, BUSY_AGAIN_S)
        answer = self._answers.answer(request, payer.gone)
        payer.charge(answer.seconds)
        return answer


class _Turns:
    """One at a time; origins take turns, and of each only some wait. For many threads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: FairQueue[object] = FairQueue()
        self._origins: list[str] = []  # of all that wait or have their turn
        self._now: object | None = None

    @contextlib.contextmanager
    def turn(self, origin: str) -> Iterator[None]:
        """Waits for a turn. Raises `Problem` if too many wait."""
        mine = object()
        with self._changed:
            if self._origins.count(origin) >= process.MOST_OF_ORIGIN or len(self._origins) >= process.MOST_WAITING:
                raise Problem("busy", 503, BUSY_AGAIN_S)
            self._origins.append(origin)
            self._waiting.put(mine, origin)
            self._next()
            while self._now is not mine:
                self._changed.wait()
        try:
            yield
        finally:
            with self._changed:
                self._origins.remove(origin)
                self._now = None
                self._next()

    def _next(self) -> None:
        if self._now is None and self._waiting:
            self._now = self._waiting.take()
            self._changed.notify_all()
