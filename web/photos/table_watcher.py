"""Watches tables: each frame of a camera, or of a phone on a stand, may become a proposal for the table's phones."""

import contextlib
import logging
import secrets
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import scorer
from web.photos.camera_preview import CameraPreview
from web.photos.frame_sources import LOST_S, FrameSource, StandFrames
from web.photos.photo_reader import PhotoReader
from web.photos.proposals import (
    describe_conclusion,
    observation_of,
    offered_ways,
    photo_of_throw,
)
from web.problems import Problem, disk_problem
from web.session import umpire, view
from web.session.commands import Act, Asker, ChooseWay, Discard, HoldProposal, ShowWatchView
from web.session.json_document import refusal_document
from web.session.photo_state import CAMERA_NAME
from web.session.proposed import split_steps
from web.session.replay import Json
from web.session.state import State
from web.sessions import Sessions

if TYPE_CHECKING:
    import vision
    from vision.frames import Frame
    from vision.watch import WatchEvent

logger = logging.getLogger(__name__)

BY_ITSELF_S = 3.0  # that a sure throw lies before it is confirmed by itself
TROUBLE_PAUSE_S = 1.0  # before a camera that gives no picture is asked again
IDLE_S = 45 * 60  # without anything happening, after which the watching ends
PICTURE_WITHIN_S = 6.0  # that a stand's full picture of dice at rest is waited for


@dataclass(frozen=True)
class Proposal:
    """What phones are shown of a conclusion about this `version` of the table.

    `shown`: keys of `WatchView`. `ways`: what may be chosen, the proposed way first. `stands`: a throw waits for its
    person.
    """

    shown: Json
    ways: tuple[tuple[umpire.Action, ...], ...] = ()
    stands: bool = False
    version: int = -1


@dataclass
class ClosePicture:
    """The full picture of dice at rest that a phone on a stand is asked for, until it has come (`photo`) or `until`."""

    id: str
    event: "WatchEvent"
    until: float
    photo: "vision.Photo | None" = None


@dataclass
class WatchedTable:
    """A table that is watched. `memory`: what the umpire remembers; `proposal`: what phones are shown now.

    `review_id`: the photo under review that belongs to the proposal. `due_at`: when the first way is done by itself;
    `held`: the id of the proposal that somebody wants to check first. `before_motion`: the proposal to show again if
    the motion changes nothing. `boxes`: value, box and sureness of the dice at the last rest. `done`: the version to
    which a proposal brought the table. `frame`: the last one; `close_picture`: the one that is waited for; `dice`:
    those at the last rest. Hold `lock` to change what phones are shown.
    """

    key: str
    source: FrameSource
    by_itself: bool
    corners: Sequence[float] | None = None
    region: "vision.Region | None" = None
    memory: umpire.UmpireMemory = field(default_factory=umpire.UmpireMemory)
    proposal: Proposal = Proposal({"state": "looking"})
    watch: "vision.Watch | None" = None
    review_id: str | None = None
    due_at: float | None = None
    held: str | None = None
    before_motion: Proposal | None = None
    done: int = -1
    boxes: list[tuple[int, Any, bool]] = field(default_factory=list)
    frame: "vision.Photo | None" = None
    close_picture: ClosePicture | None = None
    dice: "Sequence[vision.Die]" = ()
    preview: CameraPreview = field(default_factory=CameraPreview)
    lock: threading.RLock = field(default_factory=threading.RLock)
    ended: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None

    @property
    def lying(self) -> list[tuple[int, Any, bool]]:
        """Value, box and sureness of the dice that lie there now."""
        return self.boxes if self.shown.get("state") in ("throw", "put", "resting") else []

    @property
    def shown(self) -> Json:
        return self.proposal.shown

    def view(self) -> view.WatchView:
        shown = {
            "hand": False,
            **self.shown,
            "dice": len(self.boxes),
            "done": self.done,
            "by_itself": self.by_itself,
            "region": self.corners,
            "runs_s": None if self.due_at is None else BY_ITSELF_S,
            "stand": self.source.name,
        }
        return view.WatchView(**shown)


class TableWatcher:
    """Watches tables, each in a thread of its own (`run`); what phones ask for meanwhile comes from other threads."""

    def __init__(self, sessions: Sessions, photo_reader: PhotoReader) -> None:
        self._sessions, self._photo_reader = sessions, photo_reader

    # --- what phones ask for ---------------------------------------------------------------------------------------

    def again(self, watched: WatchedTable) -> None:
        """Forgets everything seen and reads the table anew, whatever was proposed."""
        with watched.lock:
            watched.close_picture, watched.dice = None, ()
            self._conclude(watched, umpire.LookAgain(), None)
            if watched.review_id is not None:
                self._sessions.do(watched.key, Discard(watched.review_id))
                watched.review_id = None
            if watched.watch is not None:
                watched.watch.read_again()

    def hold(self, watched: WatchedTable, wanted: HoldProposal, asker: Asker) -> None:
        """Stops the countdown of this proposal: somebody wants to check it."""
        with watched.lock:
            if watched.shown.get("id") == wanted.id:
                watched.due_at, watched.held = None, wanted.id
            self._sessions.do(watched.key, wanted, asker)

    def choose(self, watched: WatchedTable, wanted: ChooseWay, asker: Asker) -> bytes:
        """Does all actions of one way of a proposal; returns the table's view.

        Raises `Problem("stale")` if the hands or a phone have gone on.
        """
        with watched.lock:
            if watched.shown.get("id") == wanted.id:
                watched.due_at = None
            shown = self._sessions.do(watched.key, wanted, asker)
            watched.done = self._state(watched).version
            return shown

    # --- the thread that watches -----------------------------------------------------------------------------------

    def run(self, watched: WatchedTable) -> None:
        """Watches until `watched.ended`."""
        import vision
        from vision.watch import EVERY

        try:
            dice, known = self._state(watched).table.game.dice, self._photo_reader.dice_memories.for_table(watched.key)
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
                self._end(watched)
            self._give_up(watched, source)
            if frame is not None:
                watched.ended.wait(max(0.0, began + EVERY - time.monotonic()))

    def _give_up(self, watched: WatchedTable, source: FrameSource) -> None:
        """Ends the watching by a stand that was lost, or whose phone may no longer come."""
        if not isinstance(source, StandFrames) or source is not watched.source or watched.ended.is_set():
            return
        if source.silent_s > LOST_S or not self._state(watched).access.lets_in(source.phone):
            self._end(watched)

    def _step(self, watched: WatchedTable, watch: "vision.Watch", frame: "Frame | None", now: float) -> bool:
        """Watches one frame, with its seconds of the source's clock, so that a slow machine does not take a short
        rest for a long one; None: no new one. Returns whether anything happened. Phones are told of an error, and
        watching goes on.
        """
        try:
            events: list[WatchEvent] = []
            if frame is not None:
                at, watched.frame = frame
                if watch.region is not watched.region:
                    watch.region = watched.region  # in this thread alone: the watch begins anew
                events = watch.see(watched.frame, at)
            closer = self._look_closer(watched, now)
            with watched.lock:
                if watched.ended.is_set():
                    return True
                if closer is not None:
                    self._conclude_seen(watched, closer)
                for event in events:
                    self._conclude_or_ask(watched, event, now)
                self._follow(watched, now)
            if watched.frame is not None and watched.preview.is_due(now):
                watched.preview.make(watched.frame, watched.lying, now)
            return bool(events)
        except (Problem, scorer.Refusal) as problem:
            logger.warning("what the camera saw could not be told: %s", problem)
            if isinstance(problem, Problem) and problem.reason == "table-unknown":
                self._end(watched)
        except OSError as error:
            logger.warning("what the camera saw could not be kept: %s", error)
            self._tell_trouble(watched, disk_problem(error) or Problem("reader-failed"))
        except Exception:
            logger.exception("watching failed")
            self._tell_trouble(watched, Problem("reader-failed"))
            watched.ended.wait(TROUBLE_PAUSE_S)
        return False

    def _conclude_or_ask(self, watched: WatchedTable, event: "WatchEvent", now: float) -> None:
        """Shows what is concluded from an event; a stand is first asked for the full picture of new dice."""
        if watched.close_picture is not None:  # the hands were quicker than that picture
            before, watched.close_picture = watched.close_picture.event, None
            self._conclude_seen(watched, before)
        known = bool(watched.dice) and all(event.stayed)
        if watched.source.stand is None or event.event != "settled" or known:
            self._conclude_seen(watched, event)
        else:
            watched.close_picture = ClosePicture(secrets.token_urlsafe(8), event, now + PICTURE_WITHIN_S)

    def _look_closer(self, watched: WatchedTable, now: float) -> "WatchEvent | None":
        """The rest whose full picture has come, as that shows it; or as the frames did if none came."""
        from vision.watch.closer_look import look_closer

        wanted = watched.close_picture
        if wanted is None or (wanted.photo is None and now < wanted.until):
            return None
        closer = wanted.event
        if wanted.photo is not None:
            try:
                about = (watched.region, self._photo_reader.dice_memories.for_table(watched.key), watched.dice)
                closer = look_closer(self._photo_reader.reader(), wanted.event, wanted.photo, *about)
            except Exception as error:
                logger.warning("a stand's picture could not be read: %r", error)
        with watched.lock:
            if watched.close_picture is not wanted:  # somebody asked to look again
                return None
            watched.close_picture = None
        return closer

    def _conclude_seen(self, watched: WatchedTable, event: "WatchEvent") -> None:
        self._conclude(watched, observation_of(event), event)
        if event.reading is not None:
            watched.dice = event.reading.dice
        elif event.event == "cleared":
            watched.dice = ()

    def _follow(self, watched: WatchedTable, now: float) -> None:
        """Notices changes by phones and motion that changed nothing; does what is due by itself."""
        from vision.watch import WatchState

        proposal, version = watched.proposal, self._state(watched).version
        rests = watched.watch is not None and watched.watch.state is WatchState.RESTING
        resting = rests and watched.close_picture is None
        if version != proposal.version >= 0:
            if watched.watch is not None:  # a confirmed throw may have given a training sample
                watched.watch.known = self._photo_reader.dice_memories.for_table(watched.key)
            self._conclude(watched, umpire.TableChanged(), None)
        elif resting and watched.before_motion is not None and watched.before_motion.version in (-1, version):
            watched.proposal = replace(watched.before_motion, version=proposal.version)
            watched.before_motion = None
            self._tell_and_time(watched)
        elif resting and (watched.before_motion is not None or proposal.shown["state"] == "looking"):
            self._conclude(watched, umpire.TableChanged(), None)  # a phone acted meanwhile, or nothing lies there
        elif watched.due_at is not None and now >= watched.due_at:
            with contextlib.suppress(Problem):  # somebody was quicker
                about = {"version": version, "request": _new_request(), "id": proposal.shown["id"]}
                self.choose(watched, ChooseWay(**about, way=0), Asker(name=CAMERA_NAME))
        self._note_hand(watched)

    def _note_hand(self, watched: WatchedTable) -> None:
        """Tells the phones whether a hand is in the picture while something moves."""
        hand = watched.shown["state"] == "moving" and watched.watch is not None and watched.watch.hand
        if hand != watched.shown.get("hand", False):
            watched.proposal = replace(watched.proposal, shown={**watched.shown, "hand": hand})
            self.tell(watched)

    def _conclude(self, watched: WatchedTable, event: umpire.Observation, seen: "WatchEvent | None") -> None:
        """Shows all phones what the umpire concludes from an observation."""
        table = self._state(watched).table
        waiting, conclusion = umpire.update_memory(table, watched.memory).waiting, self._ask_umpire(watched, event)
        if conclusion.state == "throw" and waiting:
            # Hands that go on after a sure throw have confirmed it.
            self._do_by_itself(watched, waiting)
            conclusion = self._ask_umpire(watched, event)
        before, version = watched.proposal, self._state(watched).version
        if conclusion.state not in ("moving", "blind"):
            watched.before_motion = None
        elif watched.before_motion is None:
            watched.before_motion = before
        watched.memory = conclusion.memory
        if before.stands and before.version == version and conclusion.state in ("moving", "blind", "resting"):
            # A throw waits for its person while hands pass over it.
            shown = {**before.shown, "state": conclusion.state, "reason": conclusion.reason, "hand": False}
            watched.proposal = replace(before, shown=shown)
        else:
            shown = {**describe_conclusion(conclusion), "id": secrets.token_urlsafe(8)}
            watched.proposal = Proposal(shown, offered_ways(conclusion), conclusion.state == "throw", version)
        self._note_dice(watched, conclusion, seen)
        self._tell_and_time(watched)

    def _tell_and_time(self, watched: WatchedTable) -> None:
        """Tells the phones the proposal. If it is sure and the table wants it so, its countdown begins."""
        shown = watched.shown
        still = watched.proposal.stands and shown["state"] in ("throw", "resting") and shown["sure"]
        runs = watched.by_itself and still and shown["id"] != watched.held
        watched.due_at = time.monotonic() + BY_ITSELF_S if runs else None
        self.tell(watched)

    def _state(self, watched: WatchedTable) -> State:
        return self._sessions.look(watched.key)

    def _ask_umpire(self, watched: WatchedTable, event: umpire.Observation) -> umpire.Conclusion:
        return umpire.conclude(self._state(watched).table, watched.memory, event)

    def _note_dice(self, watched: WatchedTable, conclusion: umpire.Conclusion, seen: "WatchEvent | None") -> None:
        if seen is not None and seen.reading is not None:
            watched.boxes = [(die.value, die.box, die.sure) for die in seen.reading.dice]
            if conclusion.state == "throw":
                read = photo_of_throw(self._state(watched), conclusion, seen)
                if read is not None and seen.photo is not None:
                    self._photo_reader.review.show_watched_throw(watched.key, seen.photo, read)
                    watched.review_id = read.details.id
        elif seen is not None and seen.event == "cleared":
            watched.boxes = []

    def _do_by_itself(self, watched: WatchedTable, actions: tuple[umpire.Action, ...]) -> None:
        """Does these actions in order, each throw together with the set-aside or keep before it."""
        for before, action in split_steps(actions):
            more: Json = {} if before is None else {before["do"].replace("-", "_"): before["dice"]}
            version = self._state(watched).version
            act = Act(version=version, request=_new_request(), action=action, **more)
            self._sessions.do(watched.key, act, Asker(name=CAMERA_NAME))
        watched.done = self._state(watched).version

    def _end(self, watched: WatchedTable) -> None:
        with watched.lock:
            watched.ended.set()
        self._sessions.do(watched.key, ShowWatchView(None))

    # --- what phones are told --------------------------------------------------------------------------------------

    def tell(self, watched: WatchedTable) -> None:
        self._sessions.do(watched.key, ShowWatchView(watched.view()))

    def _tell_trouble(self, watched: WatchedTable, problem: Problem) -> None:
        with watched.lock:
            shown = {"state": "trouble", "problem": refusal_document(problem), "ways": []}
            if not watched.ended.is_set() and watched.shown.get("problem") != shown["problem"]:
                if watched.before_motion is None:  # shown again once there are pictures and nothing has changed
                    watched.before_motion = watched.proposal
                watched.proposal, watched.due_at = replace(watched.proposal, shown=shown, ways=()), None
                self.tell(watched)


def _new_request() -> str:
    return f"watch-{secrets.token_urlsafe(12)}"
