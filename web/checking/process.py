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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from scorer.definitions.building import game_from_text
from scorer.definitions.changed_game import ThrowWorth, throw_worth, try_game
from scorer.definitions.definition import read_tables
from scorer.definitions.form_fields import FAMILY_LISTS, CommonItem, common_item
from scorer.definitions.shapes import LocalText
from scorer.definitions.trial import playable_game
from scorer.definitions.trial_turns import TurnWorth
from scorer.refusals import Refusal
from scorer.texts import Text

logger = logging.getLogger(__name__)

# What a check may cost, and how long the process lives.
PROCESSOR_S = 3.0  # of one check; the dearest game that comes along takes a tenth of that
WALL_S = 20.0  # likewise by the clock, for systems without that bound, and while other programs have the processors
MEMORY_MB = 256  # of addresses, of the whole process, which takes some 40 of them
IDLE_S = 20.0  # after which the process ends, and its memory returns
NICENESS = 10  # pages come first
MOST_WAITING = 8  # checks at once, of all origins; each holds one of the 16 page places
MOST_OF_ORIGIN = 3  # of these, of one origin
MOST_RESULTS = 64  # results that are kept, of some 20 kB

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


class OutOfTime(BaseException):
    """No `Exception`: code that makes a refusal of any error lets it pass."""


@dataclass(frozen=True)
class LookedAt:
    """A game that a person changes, and what throws are worth in it. `looks`: its combinations or cells as pictures."""

    text: str
    titles: Sequence[tuple[str, str]]  # by language
    throws: Sequence[ThrowWorth]
    left_out: Sequence[Text]
    turns: Sequence[TurnWorth]
    looks: Sequence[CommonItem]
    wordings: Mapping[str, Mapping[str, str]]
    own: ThrowWorth | None


def serve() -> None:
    """Answers requests until their end."""
    _stand_back()
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    for line in requests:
        said = pickle.dumps(answer(line, _limit))
        answers.write(len(said).to_bytes(LENGTH, "big") + said)
        answers.flush()


def answer(line: bytes, limit: Callable[[float], None]) -> Answer:
    """The answer to a request. `limit`: raises `OutOfTime` after so many seconds; 0: never."""
    question, arguments = json.loads(line)
    began = time.process_time()
    try:
        limit(PROCESSOR_S)
        try:
            found = QUESTIONS[question](*arguments)
        finally:
            limit(0)
        return Answer(time.process_time() - began, found)
    except Refusal as refusal:
        spent = time.process_time() - began
        if isinstance(refusal.__cause__, MemoryError):
            return Answer(spent, too_costly=True)
        if refusal.__cause__ is not None:  # an error of ours, or of the file: who runs the server shall know
            logger.error("a game from outside cannot be played", exc_info=refusal.__cause__)
        return Answer(spent, refused=(refusal.reason, refusal.params))
    except (OutOfTime, MemoryError):
        limit(0)
        return Answer(time.process_time() - began, too_costly=True)
    except Exception as error:
        return Answer(time.process_time() - began, fault=repr(error))


def _limit(seconds: float) -> None:
    """Raises `OutOfTime` once the processor has worked for so long, and again soon after; 0: never.

    Again, since Python drops what is raised while it tidies up.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN_S if seconds else 0)


def _raise_out_of_time(*_: object) -> None:
    raise OutOfTime


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


# --- what it is asked -------------------------------------------------------------------------------------------------


def check(text: str, key: str) -> None:
    """Raises DefinitionError unless short games of all variants can be played."""
    playable_game(text, key)


def look_at(
    tables: Mapping[str, Any] | None, before: str | None, key: str, shown: int = -1, throw: Sequence[int] = ()
) -> LookedAt:
    """A changed game. Raises DefinitionError.

    `tables`: None for the game `before` as it is. `before`: the file that it was made from. `throw`: dice whose worth
    is wanted too.
    """
    old = None if before is None else game_from_text(before, key).definition
    if tables is None:
        assert before is not None
        tables = read_tables(before, key)
    tried = try_game(tables, old, shown)
    definition = tried.kind.definition
    name = FAMILY_LISTS.get(definition.file.family, "")
    dice = getattr(definition.rules_with({}), "dice", 0)
    items = read_tables(tried.text, key)["rules"].get(name, []) if name else []
    looks = [common_item(definition.file.family, each, dice) for each in items]
    title: LocalText = definition.file.title
    own = throw_worth(tried.kind(), tuple(throw)) if throw else None
    about = tuple(title.texts), tried.throws, tried.left_out, tried.turns
    return LookedAt(tried.text, *about, looks, tried.wordings, own)


QUESTIONS: dict[str, Callable[..., Any]] = {"check": check, "look_at": look_at}
