"""The server's camera watches a table: each frame may become a proposal, which phones are shown and may confirm."""

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
from web.photos.photo_reader import PhotoReader
from web.photos.proposals import (
    describe_conclusion,
    evidence_of,
    observation_of,
    offered_ways,
    photo_of_throw,
    split_steps,
)
from web.problems import Problem, disk_problem
from web.session import umpire, view
from web.session.commands import Act, Change, ChooseWay, Discard, Evidence, ShowWatchView
from web.session.events import TableClosed, TableDeleted
from web.session.json_document import refusal_document
from web.session.moves import LONGEST_REQUEST
from web.session.photo_state import CAMERA_NAME
from web.session.replay import Json
from web.session.state import State
from web.sessions import Sessions, TableChange

if TYPE_CHECKING:
    import vision
    from vision.watch import WatchEvent

logger = logging.getLogger(__name__)

BY_ITSELF_S = 3.0  # that a sure throw lies before it is confirmed by itself
TROUBLE_PAUSE_S = 1.0  # before a camera that gives no picture is asked again
IDLE_S = 45 * 60  # without anything happening, after which the watching ends
END_WITHIN_S = 10.0


@dataclass(frozen=True)
class Proposal:
    """What phones are shown of a conclusion about this `version` of the table.

    `told`: keys of `WatchView`. `ways`: what may be chosen, the proposed way first. `stands`: a throw waits for its
    person.
    """

    told: Json
    ways: tuple[tuple[umpire.Action, ...], ...] = ()
    stands: bool = False
    version: int = -1


@dataclass
class WatchedTable:
    """A table that the camera watches. `memory`: what the umpire remembers; `proposal`: what phones are shown now.

    `reading`: the photo under review that belongs to the proposal. `due_at`: when the first way is done by itself;
    `held`: the id of the proposal that somebody wants to check first. `before_motion`: the proposal to show again if
    the motion changes nothing. `boxes`: value, box and sureness of the dice at the last rest. `done`: the version to
    which a proposal brought the table.
    """

    key: str
    by_itself: bool
    corners: Sequence[float] | None = None
    region: "vision.Region | None" = None
    memory: umpire.UmpireMemory = field(default_factory=umpire.UmpireMemory)
    proposal: Proposal = Proposal({"state": "looking"})
    watch: "vision.Watch | None" = None
    reading: str | None = None
    due_at: float | None = None
    held: str | None = None
    before_motion: Proposal | None = None
    done: int = -1
    boxes: list[tuple[int, Any, bool]] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def told(self) -> Json:
        return self.proposal.told

    def view(self) -> view.WatchView:
        told = {
            "hand": False,
            **self.told,
            "dice": len(self.boxes),
            "done": self.done,
            "by_itself": self.by_itself,
            "region": self.corners,
            "runs_s": None if self.due_at is None else BY_ITSELF_S,
        }
        return view.WatchView(**told)


class TableWatcher:
    """Watches at most one table. Every method is safe to call from several threads."""

    def __init__(self, sessions: Sessions, photo_reader: PhotoReader, camera: "vision.Camera | None") -> None:
        self._sessions, self._photo_reader, self._camera = sessions, photo_reader, camera
        self._lock = threading.RLock()
        self._watched: WatchedTable | None = None
        self._thread: threading.Thread | None = None
        self._preview = CameraPreview()
        sessions.followers.append(self._follow_table)

    # --- what phones ask for ---------------------------------------------------------------------------------------

    def start(self, key: str, by_itself: bool = False, region: Sequence[float] | None = None) -> None:
        """Begins to watch a table, or changes how the camera watches it.

        `region`: X,Y of the four corners of the part that counts, as fractions of the picture's width and height;
        None: the whole picture. Raises `Problem` if there is no camera, if it watches another table, if the table is
        closed, and for corners that enclose no usable part.
        """
        if self._camera is None:
            raise Problem("no-camera", 404)
        part = _parse_region(region)
        with self._lock:
            self._sessions.look(key).access.check_open()
            running = self._running
            if running is not None and running.key != key:
                raise Problem("camera-watches", 409)
            if running is not None:
                running.by_itself, running.due_at = by_itself, None
                if region != running.corners:
                    running.corners, running.region = region, part
                self._tell(running)
                return
            watched = WatchedTable(key, by_itself, region, part)
            self._tell(watched)  # first: if the table refuses it, nothing is watched
            self._watched, self._preview = watched, CameraPreview()
            self._thread = threading.Thread(target=self._run, args=(watched,), name="watching", daemon=True)
            self._thread.start()

    def stop(self, key: str) -> None:
        """Ends the watching of this table, if it is watched."""
        with self._lock:
            watched = self._running
            if watched is None or watched.key != key:
                return
            watched.ended.set()
        self._sessions.do(key, ShowWatchView(None))

    def again(self, key: str) -> None:
        """Forgets everything seen and reads the table anew, whatever was proposed."""
        with self._lock:
            watched = self._watched_table(key)
            self._conclude(watched, umpire.LookAgain(), None)
            if watched.reading is not None:
                self._sessions.do(key, Discard(watched.reading))
                watched.reading = None
            if watched.watch is not None:
                watched.watch.read_again()

    def hold(self, key: str, proposal: str) -> None:
        """Stops the countdown of this proposal: somebody wants to check it."""
        with self._lock:
            watched = self._watched_table(key)
            if watched.told.get("id") == proposal:
                watched.due_at, watched.held = None, proposal
                self._tell(watched)

    def choose(self, key: str, wanted: ChooseWay, name: str) -> bytes:
        """Does all actions of one way of a proposal; returns the table's view. `name`: the asking phone's name.

        Raises `Problem("stale")` if the hands or a phone have gone on.
        """
        with self._lock:
            watched = self._watched_table(key)
            ways = watched.proposal.ways
            if watched.told.get("id") != wanted.id or wanted.way >= len(ways):
                raise Problem("stale", 409)
            watched.due_at = None
            evidence = None if wanted.way else self._evidence(watched)
            return self._do(watched, wanted, ways[wanted.way], name, evidence)

    def picture(self, key: str, after: int) -> tuple[int, bytes] | None:
        """The newest small picture with its number; None if its number is not above `after`."""
        with self._lock:
            self._watched_table(key)
            return self._preview.newer_than(after)

    def close(self) -> None:
        with self._lock:
            watched, thread, self._watched = self._watched, self._thread, None
        if watched is not None and thread is not None:
            watched.ended.set()
            thread.join(END_WITHIN_S)

    def _watched_table(self, key: str) -> WatchedTable:
        watched = self._running
        if watched is None or watched.key != key:
            raise Problem("not-watched", 409)
        return watched

    @property
    def _running(self) -> WatchedTable | None:
        return None if self._watched is None or self._watched.ended.is_set() else self._watched

    def _follow_table(self, change: TableChange) -> None:
        """Stops watching a closed or deleted table.

        Takes no lock: the watching thread may be waiting for the table's lock.
        """
        watched = self._watched
        closed = any(
            isinstance(each, TableDeleted) or (isinstance(each, TableClosed) and each.closed) for each in change.events
        )
        if closed and watched is not None and watched.key == change.key:
            watched.ended.set()

    # --- the thread that watches -----------------------------------------------------------------------------------

    def _run(self, watched: WatchedTable) -> None:
        import vision
        from vision.watch import EVERY

        try:
            dice, known = self._state(watched).table.game.dice, self._photo_reader.memories.for_table(watched.key)
            watched.watch = watch = vision.Watch(self._photo_reader.reader(), dice, known=known)
        except Exception as error:
            logger.warning("the camera cannot watch: %r", error)
            self._tell_trouble(watched, Problem("reader-fails", 503))
            return
        happened_at = time.monotonic()
        while not watched.ended.is_set():
            began = time.monotonic()
            try:
                taken = self._camera.next_frame() if self._camera is not None else None
            except Exception as error:
                logger.warning("the camera gives no picture: %s", error)
                self._tell_trouble(watched, Problem("camera-failed", 503))
                watched.ended.wait(TROUBLE_PAUSE_S)
                continue
            if taken is None or watched.ended.is_set():
                return
            happened = self._step(watched, watch, *taken, began)
            happened_at = began if happened else happened_at
            if began - happened_at > IDLE_S:
                self.stop(watched.key)
            watched.ended.wait(max(0.0, began + EVERY - time.monotonic()))

    def _step(self, watched: WatchedTable, watch: "vision.Watch", at: float, photo: "vision.Photo", now: float) -> bool:
        """Watches one frame; returns whether anything happened. Phones are told of an error, and watching goes on.

        `at`: seconds of the camera's clock, so that a slow machine does not take a short rest for a long one.
        """
        try:
            if watch.region is not watched.region:
                watch.region = watched.region  # in this thread alone: the watch begins anew
            events = watch.see(photo, at)
            with self._lock:
                if watched.ended.is_set():
                    return True
                for event in events:
                    self._conclude(watched, observation_of(event), event)
                self._follow(watched, now)
            if self._preview.is_due(now):
                lie = watched.told.get("state") in ("throw", "put", "resting")
                self._preview.make(photo, watched.boxes if lie else (), now)
            return bool(events)
        except (Problem, scorer.Refusal) as problem:
            logger.warning("what the camera saw could not be told: %s", problem)
            if isinstance(problem, Problem) and problem.reason == "table-unknown":
                self.stop(watched.key)
        except OSError as error:
            logger.warning("what the camera saw could not be kept: %s", error)
            self._tell_trouble(watched, disk_problem(error) or Problem("reader-failed"))
        except Exception:
            logger.exception("watching failed")
            self._tell_trouble(watched, Problem("reader-failed"))
            watched.ended.wait(TROUBLE_PAUSE_S)
        return False

    def _follow(self, watched: WatchedTable, now: float) -> None:
        """Notices changes by phones and motion that changed nothing; does what is due by itself."""
        from vision.watch import WatchState

        proposal, version = watched.proposal, self._state(watched).version
        resting = watched.watch is not None and watched.watch.state is WatchState.RESTING
        if version != proposal.version >= 0:
            if watched.watch is not None:  # a confirmed throw may have given a training sample
                watched.watch.known = self._photo_reader.memories.for_table(watched.key)
            self._conclude(watched, umpire.TableChanged(), None)
        elif resting and watched.before_motion is not None and watched.before_motion.version in (-1, version):
            watched.proposal = replace(watched.before_motion, version=proposal.version)
            watched.before_motion = None
            self._tell_and_time(watched)
        elif resting and (watched.before_motion is not None or proposal.told["state"] == "looking"):
            self._conclude(watched, umpire.TableChanged(), None)  # a phone acted meanwhile, or nothing lies there
        elif watched.due_at is not None and now >= watched.due_at:
            watched.due_at = None
            with contextlib.suppress(Problem):  # somebody was quicker
                self._do_by_itself(watched, proposal.ways[0], self._evidence(watched))
        self._note_hand(watched)

    def _note_hand(self, watched: WatchedTable) -> None:
        """Tells the phones whether a hand is in the picture while something moves."""
        hand = watched.told["state"] == "moving" and watched.watch is not None and watched.watch.hand
        if hand != watched.told.get("hand", False):
            watched.proposal = replace(watched.proposal, told={**watched.told, "hand": hand})
            self._tell(watched)

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
            told = {**before.told, "state": conclusion.state, "reason": conclusion.reason, "hand": False}
            watched.proposal = replace(before, told=told)
        else:
            told = {**describe_conclusion(conclusion), "id": secrets.token_urlsafe(8)}
            watched.proposal = Proposal(told, offered_ways(conclusion), conclusion.state == "throw", version)
        self._note_dice(watched, conclusion, seen)
        self._tell_and_time(watched)

    def _tell_and_time(self, watched: WatchedTable) -> None:
        """Tells the phones the proposal. If it is sure and the table wants it so, its countdown begins."""
        told = watched.told
        still = watched.proposal.stands and told["state"] in ("throw", "resting") and told["sure"]
        runs = watched.by_itself and still and told["id"] != watched.held
        watched.due_at = time.monotonic() + BY_ITSELF_S if runs else None
        self._tell(watched)

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
                    watched.reading = read.details.id
        elif seen is not None and seen.event == "cleared":
            watched.boxes = []

    def _evidence(self, watched: WatchedTable) -> Evidence | None:
        return evidence_of(self._state(watched).photo, watched.reading)

    def _do_by_itself(
        self, watched: WatchedTable, actions: tuple[umpire.Action, ...], evidence: Evidence | None = None
    ) -> None:
        change = Change(version=self._state(watched).version, request=f"watch-{secrets.token_urlsafe(12)}")
        self._do(watched, change, actions, CAMERA_NAME, evidence)

    def _do(
        self,
        watched: WatchedTable,
        change: Change,
        actions: tuple[umpire.Action, ...],
        name: str,
        evidence: Evidence | None = None,
    ) -> bytes:
        """Does these actions in order, each throw together with the set-aside or keep before it; returns the view.

        `evidence`: what is in the photo of the last action, a throw.
        """
        shown, steps = b"", split_steps(actions)
        for number, (before, action) in enumerate(steps):
            more: Json = {} if before is None else {before["do"].replace("-", "_"): before["dice"]}
            if number == len(steps) - 1 and action["do"] == "throw":
                more["evidence"] = evidence
            request = f"{change.request}-{number}"[-LONGEST_REQUEST:] if number else change.request
            version = self._state(watched).version if number else change.version
            act = Act(version=version, request=request, plays_for=change.plays_for, action=action, **more)
            shown = self._sessions.do(watched.key, act, name)
        watched.done = self._state(watched).version
        return shown

    # --- what phones are told --------------------------------------------------------------------------------------

    def _tell(self, watched: WatchedTable) -> None:
        self._sessions.do(watched.key, ShowWatchView(watched.view()))

    def _tell_trouble(self, watched: WatchedTable, problem: Problem) -> None:
        with self._lock:
            told = {"state": "trouble", "problem": refusal_document(problem), "ways": []}
            if not watched.ended.is_set() and watched.told.get("problem") != told["problem"]:
                if watched.before_motion is None:  # shown again once there are pictures and nothing has changed
                    watched.before_motion = watched.proposal
                watched.proposal, watched.due_at = replace(watched.proposal, told=told, ways=()), None
                self._tell(watched)


def _parse_region(corners: Sequence[float] | None) -> "vision.Region | None":
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
