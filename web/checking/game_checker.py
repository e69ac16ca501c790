"""Games from outside, checked within bounds; what was found is kept by the digest of what was asked.

Files of games come from anybody: by the form, as files, as options of a table, in records. Each is checked here before
anything is made of it, so this is the one wall. The games of a server's own folder are trusted.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from scorer.definitions.definition import DefinitionError
from web.checking import process
from web.checking.process import Answer, LookedAt
from web.common.problems import Problem
from web.common.recent import Recent
from web.limits.quotas import FairQueue

BUSY_AGAIN_S = 5
SLOWER = 4  # Python in a browser, than on a computer
LOOKS_AFTER = 100  # calls of a function, and returns


class Payer(NamedTuple):
    """Who asks. `charge`: takes the processor seconds that an answer cost."""

    origin: str
    charge: Callable[[float], None]


class Answers(Protocol):
    """Answers requests, each as `web.checking.process` says. One thread at a time."""

    def answer(self, line: bytes) -> tuple[Answer, bool]:
        """The answer, and whether the same request would get it again."""
        ...

    def close(self) -> None: ...


class AnswersHere:
    """Answers in this process, where a host can start no other: with a bound of time, and none of memory."""

    def answer(self, line: bytes) -> tuple[Answer, bool]:
        return process.answer(line, _limit_calls), True

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


class GameChecker:
    """Has games checked, one after another. Thread-safe."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._results: Recent[bytes, Answer] = Recent(process.MOST_RESULTS)
        self._turns = _Turns()

    def check(self, text: str, key: str, payer: Payer) -> None:
        """Raises DefinitionError unless short games of all variants can be played within the bounds, and `Problem` if
        too many are being checked."""
        self._ask("check", [text, key], payer)

    def look_at(
        self,
        tables: Mapping[str, Any] | None,
        before: str | None,
        key: str,
        payer: Payer,
        shown: int = -1,
        throw: Sequence[int] = (),
    ) -> LookedAt:
        """`process.look_at` within its bounds. Raises DefinitionError and `Problem` likewise."""
        found: LookedAt = self._ask("look_at", [tables, before, key, shown, list(throw)], payer)
        return found

    def close(self) -> None:
        self._answers.close()

    def _ask(self, question: str, arguments: list[Any], payer: Payer) -> Any:
        line = json.dumps([question, arguments]).encode() + b"\n"
        digest = hashlib.blake2b(line, digest_size=16).digest()
        known = self._results.get(digest)
        if known is None:
            with self._turns.turn(payer.origin):
                known = self._results.get(digest)  # of another phone that asked the same
                if known is None:
                    known, lasting = self._answers.answer(line)
                    payer.charge(known.seconds)
                    if lasting:
                        self._results[digest] = known
        if known.refused is not None:
            reason, params = known.refused
            raise DefinitionError(reason, **params)
        if known.too_costly:
            raise Problem("game-too-costly", 422)
        if known.fault is not None:
            raise RuntimeError(known.fault)
        return known.found


class _Turns:
    """One at a time; origins take turns, and of each only some wait. For many threads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: FairQueue[object] = FairQueue()
        self._of_origin: dict[str, int] = {}
        self._now: object | None = None

    @contextlib.contextmanager
    def turn(self, origin: str) -> Iterator[None]:
        """Waits for a turn. Raises `Problem` if too many wait."""
        mine = object()
        with self._changed:
            of_origin = self._of_origin.get(origin, 0)
            if of_origin >= process.MOST_OF_ORIGIN or sum(self._of_origin.values()) >= process.MOST_WAITING:
                raise Problem("busy", 503, BUSY_AGAIN_S)
            self._of_origin[origin] = of_origin + 1
            self._waiting.put(mine, origin)
            self._next()
            while self._now is not mine:
                self._changed.wait()
        try:
            yield
        finally:
            with self._changed:
                self._of_origin[origin] -= 1
                if not self._of_origin[origin]:
                    del self._of_origin[origin]
                self._now = None
                self._next()

    def _next(self) -> None:
        if self._now is None and self._waiting:
            self._now = self._waiting.take()
            self._changed.notify_all()
