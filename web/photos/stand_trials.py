"""Phones that are being set up on their stands: each is told what its own camera sees, and the table nothing."""

import logging
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from web.photos.photo_reader import PhotoReader
from web.photos.watched_tables import WatchedTables, decode_frame
from web.problems.problem import Problem
from web.runner.runner import Runner
from web.table import view
from web.tasks.background import Later
from web.tasks.exclusive import Exclusive

if TYPE_CHECKING:
    from collections.abc import Sequence

    import vision
    from vision.reading import Die

logger = logging.getLogger(__name__)

FORGOTTEN_S = 20.0  # without a word from a phone, after which nothing of it is left; it says something every 5 s
NOTHING_SEEN = view.TrialAnswer(state="waiting", reason="", hand=False, more=True, dice=(), throws=0, thrown=())


@dataclass
class StandTrial:
    """One phone's frames. `rested`: whether the table was seen at rest; `throws`: how often new dice came to rest since
    then; `thrown`: those that did last."""

    watch: "vision.Watch"
    heard_at: float
    reason: str = ""
    rested: bool = False
    throws: int = 0
    thrown: "Sequence[Die]" = ()
    work: Exclusive = field(default_factory=Exclusive)

    def see(self, at: float, photo: "vision.Photo") -> None:
        for event in self.watch.see(photo, at):
            self.reason = event.reason
            dice = event.reading.dice if event.reading is not None else ()
            new = [die for die, stayed in zip(dice, event.stayed, strict=True) if not stayed]
            if new and self.rested:
                self.throws, self.thrown = self.throws + 1, new
        self.rested = self.rested or self.watch.state.value == "resting"

    def tell(self) -> view.TrialAnswer:
        state = self.watch.state.value
        resting = state == "resting"
        return view.TrialAnswer(
            state=state,
            reason=self.reason if state == "blind" else "",
            hand=self.watch.hand,
            more=not resting,
            dice=view.seen_dice(self.watch.resting) if resting else (),
            throws=self.throws,
            thrown=view.seen_dice(self.thrown),
        )


class StandTrials:
    """The phones that are being set up, in memory only. Safe to call from several threads."""

    def __init__(self, runner: Runner, photo_reader: PhotoReader, watched_tables: WatchedTables, later: Later) -> None:
        self._runner, self._photo_reader, self._watched_tables = runner, photo_reader, watched_tables
        self._trials: dict[tuple[str, str], StandTrial] = {}
        self._forgetting = later("stands", self._forget_silent)

    @property
    def count(self) -> int:
        return len(self._trials)

    def take_frame(self, key: str, stand: str, at: float, data: bytes) -> view.TrialAnswer:
        """What is seen in a frame, a JPEG of `at` seconds of the phone's clock; b"": nothing changed.

        `stand`: an id that the phone chose. Raises `Problem`, also if too many phones watch or this one's last frame is
        still looked at, and `vision.PhotoError`.
        """
        photo = decode_frame(data) if data else None
        trial = self._find(key, stand, begin=photo is not None)
        if trial is None:
            return NOTHING_SEEN
        if photo is not None:
            with trial.work.enter() as is_in:
                if not is_in:
                    raise Problem("busy", 503, again_s=1)
                try:
                    trial.see(at, photo)
                except Exception as error:
                    raise _reader_fails(error) from error
        return trial.tell()

    def close(self) -> None:
        self._trials.clear()
        self._forgetting.end()

    def _find(self, key: str, stand: str, begin: bool) -> StandTrial | None:
        """The trial of this phone, which begins with its first frame."""
        trial = self._trials.get((key, stand))
        if trial is None and begin:
            self._watched_tables.check_room(self.count)
            trial = self._trials.setdefault((key, stand), StandTrial(self._new_watch(key), time.monotonic()))
            try:
                self._watched_tables.check_room(self.count - 1)  # others may have begun meanwhile
            except Problem:
                self._trials.pop((key, stand), None)
                raise
            self._forgetting.wake()
        if trial is not None:
            trial.heard_at = time.monotonic()
        return trial

    def _new_watch(self, key: str) -> "vision.Watch":
        import vision

        state = self._runner.look(key)
        known = self._photo_reader.dice_memories.for_table(state)
        try:
            return vision.Watch(self._photo_reader.reader(), state.table.game.dice, known=known)
        except Exception as error:
            raise _reader_fails(error) from error

    def _forget_silent(self) -> float | None:
        for whose, trial in list(self._trials.items()):
            if time.monotonic() - trial.heard_at > FORGOTTEN_S:
                self._trials.pop(whose, None)
        return FORGOTTEN_S / 2 if self._trials else None


def _reader_fails(error: Exception) -> Problem:
    logger.warning("a phone on a stand cannot be set up: %r", error)
    return Problem("reader-fails", 503)
