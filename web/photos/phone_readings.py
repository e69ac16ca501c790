"""Photos that phones look into themselves: a phone answers the eye's questions, and the server judges what it saw.

The judging is a coroutine (`vision.eye`) that rests from one answer to the next, so no thread waits for a phone. A
photo whose phone keeps silent, or answers as no eye does, is read like all others.
"""

import functools
import logging
import time
from collections.abc import Callable, Coroutine, Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from web.problems.problem import Problem
from web.table.json_document import Document
from web.table.photo_state import Read
from web.tasks.background import Later

if TYPE_CHECKING:
    from web.photos.browser_eye import Ask

logger = logging.getLogger(__name__)

ANSWER_S = 10.0  # for an answer; the slowest one is the first
MOST = 500  # photos of as many phones

Looks: TypeAlias = Coroutine["_Asked", str | None, Read]


class Question(Document, frozen=True, kw_only=True):
    """What a phone shall look for: `name` and `given`, its arguments as JSON, as `shell/eye/worker.js` takes them. It
    answers with the `number`. No name: the photo is read, or will be by the server."""

    number: int = 0
    name: str = ""
    given: str = ""


@dataclass(frozen=True)
class _Asked:
    name: str
    given: str

    def __await__(self) -> "Generator[_Asked, str, str]":
        return (yield self)


@dataclass
class _Looking:
    """A photo that a phone looks into. `looks` is None until the phone has asked for the first question."""

    key: str
    begin: Callable[[], Looks]
    otherwise: Callable[[], None]
    until: float
    looks: Looks | None = None
    question: Question = field(default_factory=Question)

    def give_up(self) -> None:
        if self.looks is not None:
            self.looks.close()
        self.otherwise()

    def next(self, seen: str | None) -> Question | Read:
        """The next question, once this one is answered, or the reading. Raises what the judging raises."""
        self.looks = self.looks or self.begin()
        try:
            asked = self.looks.send(seen)
        except StopIteration as done:
            read: Read = done.value
            return read
        self.question = Question(number=self.question.number + 1, name=asked.name, given=asked.given)
        return self.question


class PhoneReadings:
    """The photos that phones look into now. Thread-safe: who goes on with one has taken it out first."""

    def __init__(self, done: Callable[[str, Read], None], later: Later) -> None:
        """`done(key, read)` takes what was read in a table's photo."""
        self._done = done
        self._open: dict[str, _Looking] = {}  # by the photo's id
        self._task = later("phones-readings", self._give_up_silent)

    def expect(self, key: str, photo: str, begin: "Callable[[Ask], Looks]", otherwise: Callable[[], None]) -> bool:
        """A phone will look into its photo at the table `key`. False if too many do. `begin` reads it by what that
        phone answers; `otherwise` is called if that fails."""
        if len(self._open) >= MOST:
            return False
        self._open[photo] = _Looking(key, functools.partial(begin, _ask), otherwise, time.monotonic() + ANSWER_S)
        self._task.wake()
        return True

    def answer(self, key: str, photo: str, number: int, seen: str | None) -> Question:
        """The next question for a phone that has `seen` this, as JSON, to the question of this `number`. Number 0 asks
        for the first one; None gives up. The same answer may come twice. Raises `Problem`."""
        looking = self._open.pop(photo, None)
        if looking is None:
            raise Problem("no-reading", 404)
        question = looking.question
        if looking.key != key or number != question.number:
            self._open[photo] = looking
            if looking.key != key or number != question.number - 1:
                raise Problem("no-reading", 404)
            return question
        try:
            if number and seen is None:
                raise Problem("reader-not-loaded", 503)
            found = looking.next(seen)
        except Exception as error:
            logger.info("a phone could not look into its photo: %r", error)
            looking.give_up()
            return Question()
        if isinstance(found, Read):
            self._done(key, found)
            return Question()
        looking.until = time.monotonic() + ANSWER_S
        self._open[photo] = looking
        self._task.wake()
        return found

    def close(self) -> None:
        self._task.end()
        self._open.clear()

    def _give_up_silent(self) -> float | None:
        now = time.monotonic()
        for photo, looking in list(self._open.items()):
            if looking.until <= now and self._open.pop(photo, None) is not None:
                looking.give_up()
        dues = [looking.until for looking in list(self._open.values())]
        return max(0.0, min(dues) - now) if dues else None


async def _ask(name: str, given: str, file: bytes | None) -> tuple[str | None, str]:
    return None, await _Asked(name, given)
