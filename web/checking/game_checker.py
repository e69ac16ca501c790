"""Games from outside, checked in a bounded process; what was found is kept by the digest of what was asked.

Files of games come from anybody: by the form, as files, as options of a table, in records. Each is checked here before
anything is made of it, so this is the one wall. The games of a server's own folder are trusted.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import pickle
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scorer.definitions.definition import DefinitionError
from web.checking import process
from web.checking.process import Answer, LookedAt
from web.common.background import Later
from web.common.own_program import own_program
from web.common.problems import Problem
from web.common.recent import Recent
from web.limits.quotas import FairQueue

logger = logging.getLogger(__name__)

BUSY_AGAIN_S = 5
COMMAND = ("games", "check", "-")


class Payer(NamedTuple):
    """Who asks. `charge`: takes the processor seconds that an answer cost."""

    origin: str
    charge: Callable[[float], None]


def _nobody(_: float) -> None:
    return


TRUSTED = Payer("", _nobody)


class GameChecker:
    """Asks one process, which it starts when it is needed and ends when it is idle. Thread-safe."""

    def __init__(self, later: Later, idle_s: float = process.IDLE_S) -> None:
        self._idle_s = idle_s
        self._attending = later("games-checker", self._attend)
        self._results: Recent[bytes, Answer] = Recent(process.MOST_RESULTS)
        self._lock = threading.Condition()  # of the process and the turns for it
        self._turns = _Turns(self._lock)
        self._process: subprocess.Popen[bytes] | None = None
        self._answers = False  # the process, just now
        self._since = 0.0  # since when it does, or does not
        self._closed = False

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
        with self._lock:
            self._closed = True
            self._end()
        self._attending.end()

    @property
    def pid(self) -> int | None:
        """Of the process, while there is one."""
        child = self._process
        return None if child is None else child.pid

    def _ask(self, question: str, arguments: list[Any], payer: Payer) -> Any:
        line = json.dumps([question, arguments]).encode() + b"\n"
        digest = hashlib.blake2b(line, digest_size=16).digest()
        known = self._results.get(digest)
        if known is None:
            with self._turns.turn(payer.origin):
                known = self._results.get(digest)  # of another phone that asked the same
                if known is None:
                    known, lasting = self._run(line)
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

    def _run(self, line: bytes) -> tuple[Answer, bool]:
        """Has the process answer, and says whether it would answer so again. One thread at a time."""
        with self._lock:
            if self._closed:
                raise Problem("busy", 503, BUSY_AGAIN_S)
            if self._process is None or self._process.poll() is not None:
                self._end()
                self._process = _start()
            child = self._process
            self._answers, self._since = True, time.monotonic()
        self._attending.wake()
        try:
            answer = _exchange(child, line)
            return answer, answer.fault is None
        except (OSError, EOFError):
            took = time.monotonic() - self._since
            child.kill()
            ended = child.wait()  # or the next game would be given to it
            if took < process.WALL_S and not self._closed:
                logger.warning("the process that checks games ended with %s", ended)
            return Answer(min(took, process.PROCESSOR_S), too_costly=True), False
        finally:
            with self._lock:
                self._answers, self._since = False, time.monotonic()
            self._attending.wake()

    def _attend(self) -> float | None:
        """Kills a process that answers for too long, and ends an idle one."""
        with self._lock:
            if self._process is None:
                return None
            left_s = self._since + (process.WALL_S if self._answers else self._idle_s) - time.monotonic()
            if left_s > 0:
                return left_s
            if self._answers:
                self._process.kill()
            else:
                self._end()
            return None

    def _end(self) -> None:
        child, self._process = self._process, None
        if child is not None:
            child.kill()
            child.wait()
            for pipe in (child.stdin, child.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()


def _start() -> subprocess.Popen[bytes]:
    # What goes wrong in it stands in the server's own log.
    return subprocess.Popen([*own_program(), *COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def _exchange(child: subprocess.Popen[bytes], line: bytes) -> Answer:
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(line)
    child.stdin.flush()
    length = child.stdout.read(process.LENGTH)
    if len(length) < process.LENGTH:
        raise EOFError
    said = child.stdout.read(int.from_bytes(length, "big"))
    answer: Answer = pickle.loads(said)  # of our own process
    return answer


class _Turns:
    """One at a time; origins take turns, and of each only some wait. For many threads."""

    def __init__(self, changed: threading.Condition) -> None:
        self._changed = changed
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
