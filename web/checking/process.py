"""The process that checks games: one request after another, each with bounds of processor time and memory.

A request is a line of JSON, `[question, arguments]`. An answer is its length in eight bytes and a pickled `Answer`.
"""

from __future__ import annotations

import json
import logging
import os
import pickle
import signal
import sys
import time
from typing import Any, NamedTuple

from scorer.refusals import Refusal
from web.checking.bounds import MEMORY_MB, NICENESS, PROCESSOR_S
from web.checking.questions import QUESTIONS

logger = logging.getLogger(__name__)

LENGTH = 8  # bytes
AGAIN_S = 0.1


class Answer(NamedTuple):
    """`found`: the result. `refused`: the reason and parameters of a refusal. `fault`: what else went wrong.

    None of them: it cost too much. `seconds`: of the processor.
    """

    seconds: float
    found: Any = None
    refused: tuple[str, dict[str, Any]] | None = None
    fault: str | None = None
    too_costly: bool = False


class _OutOfTime(BaseException):
    """No `Exception`: code that makes a refusal of any error lets it pass."""


def serve() -> None:
    """Answers requests until their end."""
    _stand_back()
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    for line in requests:
        said = pickle.dumps(_answer(*json.loads(line)))
        answers.write(len(said).to_bytes(LENGTH, "big") + said)
        answers.flush()


def _answer(question: str, arguments: list[Any]) -> Answer:
    began = time.process_time()
    try:
        _limit(PROCESSOR_S)
        try:
            found = QUESTIONS[question](*arguments)
        finally:
            _limit(0)
        return Answer(time.process_time() - began, found)
    except Refusal as refusal:
        spent = time.process_time() - began
        if isinstance(refusal.__cause__, MemoryError):
            return Answer(spent, too_costly=True)
        if refusal.__cause__ is not None:  # an error of ours, or of the file: who runs the server shall know
            logger.error("a game from outside cannot be played", exc_info=refusal.__cause__)
        return Answer(spent, refused=(refusal.reason, refusal.params))
    except (_OutOfTime, MemoryError):
        _limit(0)
        return Answer(time.process_time() - began, too_costly=True)
    except Exception as error:
        return Answer(time.process_time() - began, fault=repr(error))


def _limit(seconds: float) -> None:
    """Raises `_OutOfTime` once the processor has worked for so long, and again soon after; 0: never.

    Again, since Python drops what is raised while it tidies up.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN_S if seconds else 0)


def _raise_out_of_time(*_: object) -> None:
    raise _OutOfTime


def _stand_back() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends it
    if hasattr(signal, "SIGPROF"):
        signal.signal(signal.SIGPROF, _raise_out_of_time)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    try:
        import resource
    except ImportError:  # Windows
        return
    most = MEMORY_MB << 20
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    except (ValueError, OSError):  # macOS knows the name and refuses it
        return
