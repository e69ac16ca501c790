"""Watches tables: each frame of a camera, or of a phone on a stand, may become a proposal for the table's phones.

What was seen and proposed is in the table's state, which commands alone change (`web.table.watch_decisions`).
"""

import contextlib
import logging
import secrets
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from msgspec import structs

import scorer
from web.photos.frame_sources import LOST_S, FrameSource, StandFrames
from web.photos.photo_reader import PhotoReader
from web.photos.pictures import CameraPreview
from web.photos.reading_results import observation_of, picture_of
from web.problems.problem import Problem, disk_problem
from web.runner.runner import Runner
from web.table import commands, watching
from web.table.deciding import decide
from web.table.events import PhotoUnderReview
from web.table.json_document import refusal_document
from web.table.photo_state import CAMERA_NAME
from web.table.state import State
from web.table.watching import TableWatch
from web.tasks.background import BackgroundTask

if TYPE_CHECKING:
    import vision
    from vision.frames import Frame
    from vision.watch import WatchEvent

logger = logging.getLogger(__name__)

CAMERA = commands.Asker(name=CAMERA_NAME)
TROUBLE_PAUSE_S = 1.0  # before a camera that gives no picture is asked again
IDLE_S = 45 * 60  # without anything happening, after which the watching ends
PICTURE_WITHIN_S = 6.0  # that a stand's full picture of dice at rest is waited for
LEFT_OUT = 1000  # numbers of proposals that phones may know, while the state did not


@dataclass
class ClosePicture:
    """The full picture of dice at rest that a phone on a stand is asked for, until it has come (`photo`) or `until`."""

    id: str
    event: "WatchEvent"
    until: float
    photo: "vision.Photo | None" = None


@dataclass
class WatchedTable:
    """The eye on a table: what belongs to pixels and to its task, which alone changes all but `source` and `ended`.

    `seen`: the watching as the table's state had it last. `watch`: from its first frame on; `frame`: the last one;
    `close_picture`: the one that is waited for; `dice`: those at the last rest. `due`: the number of the countdown that
    runs, and when it ends.
    """

    key: str
    source: FrameSource
    seen: TableWatch
    watch: "vision.Watch | None" = None
    frame: "vision.Photo | None" = None
    close_picture: ClosePicture | None = None
    dice: "Sequence[vision.Die]" = ()
    due: tuple[int, float] | None = None
    preview: CameraPreview = field(default_factory=CameraPreview)
    ended: threading.Event = field(default_factory=threading.Event)
    task: BackgroundTask | None = None


class TableWatcher:
    """Watches tables, each as a task of its own."""

    def __init__(self, runner: Runner, photo_reader: PhotoReader) -> None:
        self._runner, self._photo_reader = runner, photo_reader

    def run(self, watched: WatchedTable) -> None:
        """Watches until `watched.ended`."""
        import vision
        from vision.watch import EVERY

        try:
            dice, known = self._runner.look(watched.key).table.game.dice, self._memory(watched)
            watched.watch = watch = vision.Watch(self._photo_reader.reader(), dice, known=known)
        except Exception as error:
            logger.warning("the camera cannot watch: %r", error)
            self._tell_trouble(watched, Problem("reader-fails", 503))
            while not watched.ended.wait(TROUBLE_PAUSE_S):
                with contextlib.suppress(Problem):  # so that a stand is answered
                    watched.source.next_frame()
                watched.source.finish_frame()
            return
        happened_at = time.monotonic()
        while not watched.ended.is_set():
            began, source = time.monotonic(), watched.source
            try:
                frame = source.next_frame()
            except Problem as problem:
                self._tell_trouble(watched, problem)
                watched.ended.wait(TROUBLE_PAUSE_S)
                self._give_up(watched, source)
                continue
            if watched.ended.is_set():
                return
            try:
                happened = self._step(watched, watch, frame, began)
            finally:
                source.finish_frame()
            happened_at = began if happened else happened_at
            if began - happened_at > IDLE_S and source.stand is None:
                watched.ended.set()
            self._give_up(watched, source)
            if frame is not None:
                watched.ended.wait(max(0.0, began + EVERY - time.monotonic()))

    def _give_up(self, watched: WatchedTable, source: FrameSource) -> None:
        """Ends the watching by a stand that was lost, or whose phone may no longer come."""
        if not isinstance(source, StandFrames) or source is not watched.source:
            return
        if source.silent_s > LOST_S or not self._runner.look(watched.key).access.lets_in(source.phone):
            watched.ended.set()

    def _step(self, watched: WatchedTable, watch: "vision.Watch", frame: "Frame | None", now: float) -> bool:
        """Watches one frame, with its seconds of the source's clock, so that a slow machine does not take a short
        rest for a long one; None: no new one. Returns whether anything happened. Phones are told of an error, and
        watching goes on.
        """
        try:
            events: list[WatchEvent] = []
            if frame is not None:
                at, watched.frame = frame
                region = region_of(watched.seen.region)
                if watch.region != region:
                    watch.region = region  # the watch begins anew
                events = watch.see(watched.frame, at)
            closer = self._look_closer(watched, watch, now)
            if closer is not None:
                self._observe(watched, closer)
            for event in events:
                self._observe_or_ask(watched, event, now)
            self._follow(watched, watch, now)
            if watched.frame is not None and watched.preview.is_due(now):
                watched.preview.make(watched.frame, watched.seen.lying, now)
            return bool(events)
        except (Problem, scorer.Refusal) as problem:
            logger.warning("what the camera saw could not be told: %s", problem)
            if isinstance(problem, Problem) and problem.reason == "table-unknown":
                watched.ended.set()
        except OSError as error:
            logger.warning("what the camera saw could not be kept: %s", error)
            self._tell_trouble(watched, disk_problem(error) or Problem("reader-failed"))
        except Exception:
            logger.exception("watching failed")
            self._tell_trouble(watched, Problem("reader-failed"))
            watched.ended.wait(TROUBLE_PAUSE_S)
        return False

    def _observe_or_ask(self, watched: WatchedTable, event: "WatchEvent", now: float) -> None:
        """Has the table conclude from an event; a stand is first asked for the full picture of new dice."""
        if watched.close_picture is not None:  # the hands were quicker than that picture
            before, watched.close_picture = watched.close_picture.event, None
            self._observe(watched, before)
        known = bool(watched.dice) and all(event.stayed)
        if watched.source.stand is None or event.event != "settled" or known:
            self._observe(watched, event)
        else:
            watched.close_picture = ClosePicture(secrets.token_urlsafe(8), event, now + PICTURE_WITHIN_S)

    def _look_closer(self, watched: WatchedTable, watch: "vision.Watch", now: float) -> "WatchEvent | None":
        """The rest whose full picture has come, as that shows it; or as the frames did if none came."""
        from vision.watch.closer_look import look_closer

        wanted = watched.close_picture
        if wanted is None or (wanted.photo is None and now < wanted.until):
            return None
        watched.close_picture = None
        if wanted.photo is not None:
            try:
                about = (watch.region, self._memory(watched), watched.dice)
                return look_closer(self._photo_reader.reader(), wanted.event, wanted.photo, *about)
            except Exception as error:
                logger.warning("a stand's picture could not be read: %r", error)
        return wanted.event

    def _observe(self, watched: WatchedTable, event: "WatchEvent") -> None:
        """Has the table conclude from an event. Its picture is kept first if it then comes under review."""
        command = commands.Observe(watched.seen.look, observation_of(event), picture_of(event))
        if event.reading is not None or event.event == "cleared":
            watched.dice = () if event.reading is None else event.reading.dice
        happens = decide(self._look(watched), command, CAMERA).events
        alone = structs.replace(command, picture=None)
        if event.photo is None or not any(isinstance(each, PhotoUnderReview) for each in happens):
            self._do(watched, alone)
            return
        try:
            self._photo_reader.review.show_watched_throw(watched.key, event.photo, command, CAMERA)
        except OSError:
            self._do(watched, alone)
            raise

    def _follow(self, watched: WatchedTable, watch: "vision.Watch", now: float) -> None:
        """Notices changes by phones and motion that changed nothing; does what is due by itself."""
        from vision.watch import WatchState

        state = self._look(watched)
        if state.version != watched.seen.proposal.version >= 0:  # a confirmed throw may have given a training sample
            watch.known = self._memory(watched)
        rests = watch.state is WatchState.RESTING and watched.close_picture is None
        command = commands.FollowTable(watched.seen.look, rests, watch.hand)
        if decide(state, command, CAMERA).events:
            self._do(watched, command)
            state = self._look(watched)
        countdown = watched.seen.countdown
        if countdown is None:
            watched.due = None
        elif watched.due is None or watched.due[0] != countdown:
            watched.due = countdown, time.monotonic() + watching.BY_ITSELF_S
        elif now >= watched.due[1]:
            self._do_by_itself(watched, state)

    def _do_by_itself(self, watched: WatchedTable, state: State) -> None:
        proposal = watched.seen.proposal.id
        try:
            request = f"watch-{secrets.token_urlsafe(12)}"
            self._do(watched, commands.ChooseWay(version=state.version, request=request, id=proposal, way=0))
        except (Problem, scorer.Refusal) as problem:  # somebody was quicker, or the disk is full: it waits for a person
            logger.info("a throw was not confirmed by itself: %s", problem)
            self._do(watched, commands.HoldProposal(proposal))

    def _look(self, watched: WatchedTable) -> State:
        """The state of the table, after noting what phones did with the watching."""
        state = self._runner.look(watched.key)
        if state.watched is None and not watched.ended.is_set():
            # The table was loaded anew, which knows nothing that passes: the watching goes on as it was seen last.
            again = replace(watched.seen, number=watched.seen.number + LEFT_OUT)
            self._do(watched, commands.WatchTable(again))
            state = self._runner.look(watched.key)
        if state.watched is not None and state.watched.id == watched.seen.id:
            if watched.watch is not None and state.watched.looks != watched.seen.looks:
                watched.close_picture, watched.dice = None, ()
                watched.watch.read_again()
            watched.seen = state.watched
        return state

    def _do(self, watched: WatchedTable, command: commands.Command) -> None:
        self._runner.do(watched.key, command, CAMERA)

    def _memory(self, watched: WatchedTable) -> "vision.DiceMemory | None":
        return self._photo_reader.dice_memories.for_table(self._runner.look(watched.key))

    def _tell_trouble(self, watched: WatchedTable, problem: Problem) -> None:
        self._do(watched, commands.TellTrouble(watched.seen.id, refusal_document(problem)))


def region_of(corners: Sequence[float] | None) -> "vision.Region | None":
    """The part of the picture that counts. Raises Problem("bad-region") for corners that enclose no usable part."""
    if corners is None:
        return None
    import vision

    try:
        if not all(0 <= each <= 1 for each in corners):
            raise ValueError("corners are fractions of the picture, 0..1")
        part = vision.Region.from_numbers(corners)
        part.in_picture(1000, 1000)  # raises ValueError if it is too small
        return part
    except ValueError as error:
        raise Problem("bad-region", 422) from error
