"""The server's camera watches one table: from its frames to what all phones of the table are shown, and may confirm."""

import contextlib
import logging
import secrets
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import scorer
from web.photos.camera_preview import CameraPreview
from web.photos.photo_reader import PhotoReader, ServerCamera
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
from web.session.events import TableClosed
from web.session.json_document import refusal_document
from web.session.moves import LONGEST_REQUEST
from web.session.photo_state import CAMERA_NAME
from web.session.replay import Json
from web.sessions import Sessions, TableChange

if TYPE_CHECKING:
    import vision
    from vision.watch import WatchEvent, WatchState

logger = logging.getLogger(__name__)

BY_ITSELF_S = 3.0  # that a sure throw lies before it is confirmed by itself
TROUBLE_PAUSE_S = 1.0  # before a camera that gives no picture is asked again
IDLE_S = 45 * 60  # without anything happening, after which the watching ends
END_WITHIN_S = 10.0


class FrameWatch(Protocol):
    """What tells events from frames: `vision.Watch`."""

    known: "vision.DiceMemory | None"
    region: "vision.Region | None"
    state: "WatchState"

    @property
    def hand(self) -> bool: ...

    def see(self, photo: "vision.Photo", at: float) -> "list[WatchEvent]": ...

    def read_again(self) -> None: ...


@dataclass(frozen=True)
class Calm:
    """What was told, and could be chosen, of this version of the table before something moved over it or hid it."""

    told: Json
    ways: tuple[tuple[umpire.Action, ...], ...]
    stands: bool
    version: int


@dataclass
class WatchedTable:
    """A table that is watched. `memory`: what the umpire remembers; `ways`: what may be chosen now, the first proposed.

    `reading`: the photo under review that goes with them. `due_at`: when the first of them is done by itself; `held`:
    the conclusion that somebody wants to look at first. `calm`: what is true again if nothing has changed. `boxes`: the
    dice at the last rest: value, place, whether it is sure.
    """

    key: str
    by_itself: bool
    corners: Sequence[float] | None = None
    region: "vision.Region | None" = None
    memory: umpire.UmpireMemory = field(default_factory=umpire.UmpireMemory)
    told: Json = field(default_factory=dict)
    ways: tuple[tuple[umpire.Action, ...], ...] = ()
    watch: FrameWatch | None = None
    reading: str | None = None
    due_at: float | None = None
    held: str | None = None
    calm: Calm | None = None
    version: int = -1
    done: int = -1  # the version to which a conclusion brought the table
    stands: bool = False  # a throw waits for its person
    boxes: list[tuple[int, Any, bool]] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    def view(self) -> view.WatchView:
        """What phones are shown of it."""
        waits = self.due_at is not None
        told = {
            "hand": False,
            **self.told,
            "dice": len(self.boxes),
            "done": self.done,
            "by_itself": self.by_itself,
            "region": self.corners,
            "runs_s": BY_ITSELF_S if waits else None,
        }
        return view.WatchView(**told)


class TableWatcher:
    """Watches at most one table. Every method is safe to call from several threads."""

    def __init__(self, sessions: Sessions, photo_reader: PhotoReader, camera: ServerCamera | None) -> None:
        self._sessions, self._photo_reader, self._camera = sessions, photo_reader, camera
        self._lock = threading.RLock()
        self._watched: WatchedTable | None = None
        self._thread: threading.Thread | None = None
        self._preview = CameraPreview()
        sessions.followers.append(self._follow_table)

    # --- what phones ask for ---------------------------------------------------------------------------------------

    def start(self, key: str, by_itself: bool = False, region: Sequence[float] | None = None) -> None:
        """Begins to watch a table, or only changes how.

        `region`: X,Y of the four corners of what counts, as fractions of the picture's width and height; None: all of
        it. Raises `Problem` without a camera, when it watches another table, at a closed table, and for corners that
        cannot be.
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
            watched = WatchedTable(key, by_itself, region, part, told={"state": "looking"})
            self._tell(watched)  # first: where that is refused nobody watches
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
        """Forgets what was seen and looks anew: ends every state."""
        with self._lock:
            watched = self._watched_table(key)
            self._conclude(watched, umpire.LookAgain(), None)
            if watched.reading is not None:
                self._sessions.do(key, Discard(watched.reading))
                watched.reading = None
            if watched.watch is not None:
                watched.watch.read_again()

    def hold(self, key: str, conclusion: str) -> None:
        """Nothing is confirmed by itself now: somebody wants to look."""
        with self._lock:
            watched = self._watched_table(key)
            if watched.told.get("id") == conclusion:
                watched.due_at, watched.held = None, conclusion
                self._tell(watched)

    def choose(self, key: str, wanted: ChooseWay, name: str) -> bytes:
        """Does all actions of one of the ways that were told with this conclusion. Returns the table's view. `name`: of
        who asks, as the others see it.

        Raises `Problem("stale")` when the hands, or a phone, have gone on.
        """
        with self._lock:
            watched = self._watched_table(key)
            if watched.told.get("id") != wanted.id or wanted.way >= len(watched.ways):
                raise Problem("stale", 409)
            watched.due_at = None
            evidence = None if wanted.way else self._evidence(watched)
            return self._do(watched, wanted, watched.ways[wanted.way], name, evidence)

    def picture(self, key: str, after: int) -> tuple[int, bytes] | None:
        """A small picture with its number, None when there is none newer than `after`."""
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
        """Ends the watching of a table that was closed. It takes no lock: who watches may wait for the table's."""
        watched = self._watched
        closed = any(isinstance(each, TableClosed) and each.closed for each in change.events)
        if closed and watched is not None and watched.key == change.key:
            watched.ended.set()

    # --- the thread that watches -----------------------------------------------------------------------------------

    def _run(self, watched: WatchedTable) -> None:
        from vision.watch import EVERY

        try:
            watched.watch = watch = _new_watch(self._sessions, self._photo_reader, watched.key)
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
            happened = self._step(watched, watch, taken, began)
            happened_at = began if happened else happened_at
            if began - happened_at > IDLE_S:
                self.stop(watched.key)
            watched.ended.wait(max(0.0, began + EVERY - time.monotonic()))

    def _step(self, watched: WatchedTable, watch: FrameWatch, taken: "tuple[float, vision.Photo]", now: float) -> bool:
        """One frame. Returns whether anything happened. What goes wrong is told; the next frame follows."""
        at, photo = taken  # by the camera's clock: a machine that lags must not take a short rest for a long one
        try:
            if watch.region is not watched.region:
                watch.region = watched.region  # in this thread alone: it begins anew with it
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
        """Notices that phones changed the table, or that what moved over it left it as it was, and does what is due by
        itself."""
        from vision.watch import WatchState

        resting = watched.watch is not None and watched.watch.state is WatchState.RESTING
        if self._sessions.look(watched.key).version != watched.version and watched.version >= 0:
            if watched.watch is not None:
                watched.watch.known = self._photo_reader.memory(watched.key)  # a confirmed throw may have taught
            self._conclude(watched, umpire.TableChanged(), None)
        elif watched.calm is not None and resting:
            self._restore_calm(watched, watched.calm)
        elif resting and watched.told["state"] == "looking":
            self._conclude(watched, umpire.TableChanged(), None)  # nothing lies there
        elif watched.due_at is not None and now >= watched.due_at:
            watched.due_at = None
            with contextlib.suppress(Problem):  # somebody was quicker
                self._do(
                    watched,
                    self._change_of_camera(watched.key),
                    watched.ways[0],
                    CAMERA_NAME,
                    self._evidence(watched),
                )
        self._note_hand(watched)

    def _note_hand(self, watched: WatchedTable) -> None:
        """Tells the phones when a hand comes into the picture, and when none is in it while dice roll yet."""
        hand = watched.told["state"] == "moving" and watched.watch is not None and watched.watch.hand
        if hand != watched.told.get("hand", False):
            watched.told = {**watched.told, "hand": hand}
            self._tell(watched)

    def _restore_calm(self, watched: WatchedTable, before: Calm) -> None:
        """Nothing moves any more, and the dice lie as they lay."""
        if before.version not in (-1, self._sessions.look(watched.key).version):
            self._conclude(watched, umpire.TableChanged(), None)  # a phone acted meanwhile
            return
        watched.told, watched.ways, watched.stands, watched.calm = before.told, before.ways, before.stands, None
        self._tell_and_time(watched)

    def _conclude(self, watched: WatchedTable, event: umpire.Observation, seen: "WatchEvent | None") -> None:
        """What the umpire makes of an event goes to all phones."""
        table = self._sessions.look(watched.key).table
        waiting, conclusion = umpire.update_memory(table, watched.memory).waiting, self._ask_umpire(watched, event)
        if conclusion.state == "throw" and waiting:
            # Hands that go on after a sure throw have confirmed it.
            self._do(watched, self._change_of_camera(watched.key), waiting, CAMERA_NAME)
            conclusion = self._ask_umpire(watched, event)
        version = self._sessions.look(watched.key).version
        stands = conclusion.state in ("moving", "blind", "resting") and watched.stands and version == watched.version
        if conclusion.state not in ("moving", "blind"):
            watched.calm = None
        elif watched.calm is None:
            watched.calm = Calm(watched.told, watched.ways, watched.stands, watched.version)
        watched.memory, watched.version = conclusion.memory, version
        if stands:  # a throw waits for its person while hands pass over it
            watched.told = {**watched.told, "state": conclusion.state, "reason": conclusion.reason, "hand": False}
        else:
            watched.ways, watched.stands = offered_ways(conclusion), conclusion.state == "throw"
            watched.told = {**describe_conclusion(conclusion), "id": secrets.token_urlsafe(8)}
        self._note_dice(watched, conclusion, seen)
        self._tell_and_time(watched)

    def _tell_and_time(self, watched: WatchedTable) -> None:
        """Tells the phones what is concluded; where that is sure and the table wants it so, its time runs from now."""
        still = watched.stands and watched.told["state"] in ("throw", "resting") and watched.told["sure"]
        runs = watched.by_itself and still and watched.told["id"] != watched.held
        watched.due_at = time.monotonic() + BY_ITSELF_S if runs else None
        self._tell(watched)

    def _ask_umpire(self, watched: WatchedTable, event: umpire.Observation) -> umpire.Conclusion:
        return umpire.conclude(self._sessions.look(watched.key).table, watched.memory, event)

    def _note_dice(self, watched: WatchedTable, conclusion: umpire.Conclusion, seen: "WatchEvent | None") -> None:
        if seen is not None and seen.reading is not None:
            watched.boxes = [(die.value, die.box, die.sure) for die in seen.reading.dice]
            if conclusion.state == "throw":
                read = photo_of_throw(self._sessions.look(watched.key), conclusion, seen)
                if read is not None and seen.photo is not None:
                    self._photo_reader.review.show_watched_throw(watched.key, seen.photo, read)
                    watched.reading = read.details.id
        elif seen is not None and seen.event == "cleared":
            watched.boxes = []

    def _evidence(self, watched: WatchedTable) -> Evidence | None:
        return evidence_of(self._sessions.look(watched.key).photo, watched.reading)

    def _change_of_camera(self, key: str) -> Change:
        version = self._sessions.look(key).version
        return Change(version=version, request=f"watch-{secrets.token_urlsafe(12)}")

    def _do(
        self,
        watched: WatchedTable,
        change: Change,
        actions: tuple[umpire.Action, ...],
        name: str,
        evidence: Evidence | None = None,
    ) -> bytes:
        """Does actions one after the other, a throw together with the set-aside or keep before it.

        `evidence`: of the last one, as for a photo.
        """
        shown, steps = b"", split_steps(actions)
        for number, (before, action) in enumerate(steps):
            dice = {} if before is None else {before["do"].replace("-", "_"): before["dice"]}
            proof = evidence if number == len(steps) - 1 and action["do"] == "throw" else None
            request = f"{change.request}-{number}"[-LONGEST_REQUEST:] if number else change.request
            version = self._sessions.look(watched.key).version if number else change.version
            act = Act(
                version=version, request=request, plays_for=change.plays_for, action=action, evidence=proof, **dice
            )
            shown = self._sessions.do(watched.key, act, name)
        watched.done = self._sessions.look(watched.key).version
        return shown

    # --- what phones are told --------------------------------------------------------------------------------------

    def _tell(self, watched: WatchedTable) -> None:
        self._sessions.do(watched.key, ShowWatchView(watched.view()))

    def _tell_trouble(self, watched: WatchedTable, problem: Problem) -> None:
        with self._lock:
            told = {"state": "trouble", "problem": refusal_document(problem), "ways": []}
            if not watched.ended.is_set() and watched.told.get("problem") != told["problem"]:
                if watched.calm is None:  # told again as soon as there are pictures and nothing has changed
                    watched.calm = Calm(watched.told, watched.ways, watched.stands, watched.version)
                watched.told, watched.ways, watched.due_at = told, (), None
                self._tell(watched)


def _new_watch(sessions: Sessions, photo_reader: PhotoReader, key: str) -> FrameWatch:
    import vision

    dice = sessions.look(key).table.game.dice
    return vision.Watch(photo_reader.reader(), dice, known=photo_reader.memory(key))  # type: ignore[arg-type]


def _parse_region(corners: Sequence[float] | None) -> "vision.Region | None":
    if corners is None:
        return None
    import vision

    try:
        if not all(0 <= each <= 1 for each in corners):
            raise ValueError("corners are fractions of the picture, 0..1")
        part = vision.Region.from_numbers(corners)
        part.in_picture(1000, 1000)  # which says so if it is too small
        return part
    except ValueError as error:
        raise Problem("bad-region", 422) from error
