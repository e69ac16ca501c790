"""The process that checks what comes from outside, as the server has it."""

from __future__ import annotations

import logging
import pickle
import subprocess
import threading
import time
from collections.abc import Callable

from web.own_games import process
from web.own_games.checker import BUSY_AGAIN_S
from web.own_games.process import Answer, Request
from web.problems.problem import Problem
from web.tasks.background import Later
from web.texts.release import own_program

logger = logging.getLogger(__name__)

COMMAND = ("games", "check", "-")
LOOKS_EVERY_S = 0.25  # whether who asked is still there


class CheckingProcess:
    """Starts the process when it is needed, and ends it when it is idle: `web.own_games.checker.Answers`."""

    def __init__(self, later: Later, idle_s: float = process.IDLE_S) -> None:
        self._idle_s = idle_s
        self._attending = later("checking", self._attend)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._gone: Callable[[], bool] | None = None  # whether who asked has gone, while it answers
        self._since = 0.0  # since when it answers, or does not
        self._closed = False

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._end()
        self._attending.end()

    def answer(self, request: Request, gone: Callable[[], bool]) -> Answer:
        """The answer. The process is killed if it takes too long, or who asked has gone."""
        with self._lock:
            if self._closed:
                raise Problem("busy", 503, BUSY_AGAIN_S)
            self._gone, self._since = gone, time.monotonic()
            if self._process is None or self._process.poll() is not None:
                self._end()
                # What goes wrong in it stands in the server's own log.
                command = [*own_program(), *COMMAND]
                self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            child = self._process
        assert child.stdin is not None
        assert child.stdout is not None
        self._attending.wake()
        try:
            child.stdin.write(pickle.dumps(request))
            child.stdin.flush()
            answer: Answer = pickle.load(child.stdout)  # of our own process
            return answer
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            took = time.monotonic() - self._since
            child.kill()
            ended = child.wait()  # or the next request would be given to it
            if took < process.WALL_S and not self._closed and not gone():
                logger.warning("the process that checks games ended with %s", ended)
            refused = Problem, vars(Problem(process.TOO_COSTLY))
            return Answer(min(took, process.PROCESSOR_S), refused=refused, lasts=False)
        finally:
            with self._lock:
                self._gone, self._since = None, time.monotonic()
            self._attending.wake()

    def _attend(self) -> float | None:
        """Kills a process that answers for too long or to nobody, and ends an idle one."""
        with self._lock:
            child, gone = self._process, self._gone
            if child is None:
                return None
            left_s = self._since + (self._idle_s if gone is None else process.WALL_S) - time.monotonic()
            if gone is None:
                if left_s > 0:
                    return left_s
                self._end()
            elif left_s > 0 and not gone():
                return min(left_s, LOOKS_EVERY_S)
            else:
                child.kill()
            return None

    def _end(self) -> None:
        child, self._process = self._process, None
        if child is not None:
            child.kill()
            child.communicate()  # closes its pipes, and waits for its end
