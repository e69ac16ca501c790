"""The process that checks games from outside, as the server has it."""

from __future__ import annotations

import contextlib
import logging
import pickle
import subprocess
import threading
import time

from web.checking import process
from web.checking.game_checker import BUSY_AGAIN_S
from web.checking.process import Answer
from web.common.background import Later
from web.common.problems import Problem
from web.common.release import own_program

logger = logging.getLogger(__name__)

COMMAND = ("games", "check", "-")


class CheckingProcess:
    """Starts the process when it is needed, and ends it when it is idle: `web.checking.game_checker.Answers`."""

    def __init__(self, later: Later, idle_s: float = process.IDLE_S) -> None:
        self._idle_s = idle_s
        self._attending = later("games-checker", self._attend)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._answers = False  # the process, just now
        self._since = 0.0  # since when it does, or does not
        self._closed = False

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

    def answer(self, line: bytes) -> tuple[Answer, bool]:
        with self._lock:
            if self._closed:
                raise Problem("busy", 503, BUSY_AGAIN_S)
            if self._process is None or self._process.poll() is not None:
                self._end()
                # What goes wrong in it stands in the server's own log.
                command = [*own_program(), *COMMAND]
                self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
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
