"""The process that checks what comes from outside: one request after another, each with bounds of time and memory.

The server pickles each `Request`, and gets a pickled `Answer`.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import msgspec

from scorer.definitions.building import game_from_text
from scorer.definitions.changed_game import ThrowWorth, throw_worth, try_game
from scorer.definitions.definition import join_tables, read_tables
from scorer.definitions.form_fields import FAMILY_LISTS, CommonItem, common_item
from scorer.definitions.shapes import LocalText
from scorer.definitions.trial import playable_game
from scorer.definitions.trial_turns import TurnWorth
from scorer.refusals import RecordError, Refusal
from scorer.strict_json import parse
from scorer.texts import Text
from web.problems.problem import Problem
from web.table import new_tables
from web.table.commands import Asker, Given, Start

logger = logging.getLogger(__name__)

Request: TypeAlias = tuple[Callable[..., Any], Sequence[Any]]  # a question of this module, and its arguments
TOO_COSTLY = "game-too-costly"  # the reason

# What an answer may cost, and how long the process lives.
PROCESSOR_S = 3.0  # the dearest game that comes along takes a tenth of that, 20,000 steps of a game at most half
WALL_S = 20.0  # likewise by the clock, for systems without that bound, and while other programs have the processors
MEMORY_MB = 256  # of addresses, of the whole process, which takes some 40 of them
IDLE_S = 20.0  # after which the process ends, and its memory returns
NICENESS = 10  # pages come first
MOST_WAITING = 8  # requests at once, of all origins; each holds one of the 16 page places
MOST_OF_ORIGIN = 3  # of these, of one origin
MOST_RESULTS = 64  # results that are kept, of some 20 kB

AGAIN_S = 0.1


class Answer(NamedTuple):
    """What a question found, or the class and the attributes of its refusal. `seconds`: of the processor. `lasts`: the
    same request would get it again."""

    seconds: float
    found: Any = None
    refused: tuple[type[Refusal | Problem], dict[str, Any]] | None = None
    lasts: bool = True


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
    with contextlib.suppress(EOFError, pickle.UnpicklingError):
        while True:
            pickle.dump(answer(pickle.load(requests), _limit), answers)
            answers.flush()


def answer(request: Request, limit: Callable[[float], None]) -> Answer:
    """The answer to a request. `limit`: raises `OutOfTime` after so many seconds; 0: never."""
    question, arguments = request
    found, lasts, began = None, True, time.process_time()
    refused: Refusal | Problem | None = None
    try:
        limit(PROCESSOR_S)
        try:
            found = question(*arguments)
        finally:
            limit(0)
    except (Refusal, Problem) as refusal:
        refused = Problem(TOO_COSTLY) if isinstance(refusal.__cause__, MemoryError) else refusal
        if refused.__cause__ is not None:  # an error of ours, or of the file: who runs the server shall know
            logger.error("a game from outside cannot be played", exc_info=refused.__cause__)
    except (OutOfTime, MemoryError):
        limit(0)
        refused = Problem(TOO_COSTLY)
    except Exception:
        logger.exception("what came from outside could not be checked")
        refused, lasts = Problem("internal", 500), False
    spent = time.process_time() - began
    return Answer(spent, found, None if refused is None else (type(refused), vars(refused)), lasts)


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
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows has no such bound, macOS refuses it
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MB << 20, resource.getrlimit(resource.RLIMIT_AS)[1]))


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
        tables = join_tables(read_tables(before, key))
    tried = try_game(tables, old, shown)
    definition = tried.kind.definition
    name = FAMILY_LISTS.get(definition.file.family, "")
    dice = getattr(definition.rules_with({}), "dice", 0)
    items = join_tables(read_tables(tried.text, key))["rules"].get(name, []) if name else []
    looks = [common_item(definition.file.family, each, dice) for each in items]
    title: LocalText = definition.file.title
    own = throw_worth(tried.kind(), tuple(throw)) if throw else None
    about = tuple(title.texts), tried.throws, tried.left_out, tried.turns
    return LookedAt(tried.text, *about, looks, tried.wordings, own)


def start(record: bytes, asker: Asker, given: Given) -> bytes:
    """The event with which a table begins that goes on from a record, as JSON.

    Raises `scorer.Refusal`, and `Problem` for what is no JSON and for a name with hidden characters.
    """
    try:
        document = parse(record.decode())
    except RecordError:
        raise
    except ValueError:
        raise Problem("record-no-json") from None
    if isinstance(document, dict) and isinstance(document.get("file"), str) and isinstance(document.get("game"), str):
        check(document["file"], document["game"])  # of any other kind it is refused below
    return msgspec.json.encode(new_tables.start(Start(record=document), asker, given))


ASKED_AGAIN = check, look_at  # whose answers are small
