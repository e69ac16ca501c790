"""Which tables are watched, and by what: one by the server's camera, others by phones on stands."""

import contextlib
import functools
import os
import secrets
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from web.limits.recent import Recent
from web.photos.frame_sources import MOST_FRAME_SIDE, SILENT_S, CameraFrames, FrameSource, StandFrames
from web.photos.photo_reader import PhotoReader
from web.photos.table_watcher import TableWatcher, WatchedTable, region_of
from web.problems.problem import Problem
from web.runner.runner import Runner, TableChange
from web.table import view
from web.table.commands import Asker, StopWatching, WatchTable
from web.table.events import WatchChanged
from web.table.watching import TableWatch
from web.tasks.background import Later

if TYPE_CHECKING:
    import vision

END_WITHIN_S = 10.0
STANDS_OF_A_CORE = 4  # benchmarks/bench_stand.py
REMEMBERED_STANDS = 200


class WatchedTables:
    """The tables that are watched: one with the server's camera, and others with phones on stands.

    Every method is safe to call from several threads.
    """

    def __init__(
        self,
        runner: Runner,
        photo_reader: PhotoReader,
        camera: "vision.Camera | None",
        later: Later,
        stands: bool = True,
    ) -> None:
        """`stands`: whether phones on stands may watch: not where a phone's requests come to several servers."""
        self._runner, self._camera, self._later, self._stands = runner, camera, later, stands
        self._watcher = TableWatcher(runner, photo_reader)
        self._lock = threading.Lock()
        self._tables: dict[str, WatchedTable] = {}
        self._ended_stands: Recent[str, str] = Recent(REMEMBERED_STANDS)  # why they shall not begin anew
        runner.follow(self._follow_table, WatchChanged)

    # --- what phones ask for ---------------------------------------------------------------------------------------

    def start(self, key: str, asker: Asker, by_itself: bool = False, region: Sequence[float] | None = None) -> None:
        """Begins to watch a table with the server's camera, or changes how it is watched.

        `region`: X,Y of the four corners of the part that counts, as fractions of the picture's width and height;
        None: the whole picture. Raises `Problem` if there is no camera, if it watches another table, if the table is
        closed, and for corners that enclose no usable part.
        """
        region_of(region)
        access = self._runner.look(key, asker).access
        access.check_open()
        with self._lock:
            watched = self._running(key)
            if watched is None:
                if self._camera is None:
                    raise Problem("no-camera", 404)
                if any(each.source.stand is None for each in self._all_running()):
                    raise Problem("camera-watches", 409)
                watched = self._add(key, CameraFrames(self._camera))
        corners = None if region is None else tuple(region)
        self._watch(watched, asker, replace(watched.seen, by_itself=by_itself, region=corners, countdown=None))

    def start_stand(self, key: str, stand: str, asker: Asker) -> None:
        """Begins to watch a table by a phone on a stand, or goes on with it. `stand`: an id that the phone chose.

        It takes the place of a stand of the same phone, or of one that is silent. Raises `Problem` if the table is
        watched otherwise, if it is closed, and if too many stands watch.
        """
        if not self._stands:
            raise Problem("stand-elsewhere", 409)
        access = self._runner.look(key, asker).access
        access.check_open()
        with self._lock:
            watched = self._running(key)
            if watched is not None and watched.source.stand == stand:
                return
            if (why := self._ended_stands.get(stand)) is not None:
                raise Problem(why, 409)
            phone = asker.phone or ""
            source = StandFrames(stand, phone, asker.with_name(access).name)
            if watched is None:
                self.check_room()
                watched = self._add(key, source)
            else:
                before = watched.source
                if not isinstance(before, StandFrames):
                    raise Problem("camera-watches-here", 409)
                if before.silent_s < SILENT_S and not (phone and phone == before.phone):
                    raise Problem("stand-watches", 409, device=before.name)
                self._ended_stands[before.stand] = "stand-replaced"
                watched.source = source
                before.close()
        self._watch(watched, asker, replace(watched.seen, stand=source.name))

    def check_room(self, others: int = 0) -> None:
        """Raises `Problem` if one more phone on a stand cannot watch. `others`: phones that are being set up."""
        if not self._stands:
            raise Problem("stand-elsewhere", 409)
        if others + sum(each.source.stand is not None for each in self._all_running()) >= most_stands():
            raise Problem("stands-full", 503)

    def _add(self, key: str, source: FrameSource) -> WatchedTable:
        """A table that is to be watched. Hold `_lock`."""
        self._tables[key] = added = WatchedTable(key, source, TableWatch(secrets.token_urlsafe(8)))
        return added

    def _watch(self, watched: WatchedTable, asker: Asker, how: TableWatch) -> None:
        """Tells the table how it is watched; then its task begins, if none watches yet."""
        try:
            self._runner.do(watched.key, WatchTable(how), asker)
        except BaseException:
            if watched.task is None:  # the table refuses it
                self._forget(watched)
            raise
        with self._lock:
            if watched.task is None:
                watched.seen = how
                watched.task = self._later("watching", functools.partial(self._run, watched))
                watched.task.wake()

    def _run(self, watched: WatchedTable) -> None:
        try:
            self._watcher.run(watched)
        finally:
            self._forget(watched)

    def _forget(self, watched: WatchedTable) -> None:
        watched.ended.set()
        watched.source.close()
        if watched.task is not None:
            watched.task.end()
        with self._lock:
            if self._tables.get(watched.key) is watched:
                del self._tables[watched.key]
        with contextlib.suppress(Problem):  # the table is gone, or shows it no more
            self._runner.do(watched.key, StopWatching(watched.seen.id))

    def stop(self, key: str, asker: Asker) -> None:
        """Ends the watching of this table, if it is watched; its stand does not begin anew by itself."""
        watched = self._running(key)
        self._runner.do(key, StopWatching(), asker)
        if watched is not None:
            watched.ended.set()
            with self._lock:
                if watched.source.stand is not None:
                    self._ended_stands[watched.source.stand] = "stand-stopped"

    def take_frame(self, key: str, stand: str, at: float, data: bytes) -> view.StandAnswer:
        """Watches a frame of a phone on a stand, a JPEG of `at` seconds of the phone's clock; b"": nothing changed.

        Raises `Problem` if this stand does not watch, or not any more, and `vision.PhotoError`.
        """
        watched, source = self._watched_by(key, stand)
        source.note_phone()
        if data:
            source.put(at, decode_frame(data))
        wanted, watch = watched.close_picture, watched.watch
        shown = self._runner.look(key).watched or watched.seen
        return view.StandAnswer(
            more=watch is None or watch.state.value != "resting" or shown.looks != watched.seen.looks,
            picture=wanted.id if wanted is not None and wanted.photo is None else None,
            dice=view.seen_dice(shown.lying),
        )

    def take_picture(self, key: str, stand: str, wanted: str, data: bytes) -> None:
        """Takes the full picture of dice at rest. One that came too late changes nothing."""
        import vision

        watched, source = self._watched_by(key, stand)
        source.note_phone()
        photo, asked = vision.Photo.decode(data), watched.close_picture
        if asked is not None and asked.id == wanted:
            asked.photo = photo
        source.wake()

    def _watched_by(self, key: str, stand: str) -> tuple[WatchedTable, StandFrames]:
        watched = self._running(key)
        if watched is None or watched.source.stand != stand or not isinstance(watched.source, StandFrames):
            raise Problem(self._ended_stands.get(stand) or "not-watched", 409)
        return watched, watched.source

    def picture(self, key: str, after: int) -> tuple[int, bytes] | None:
        """The newest small picture with its number; None if its number is not above `after`."""
        watched = self._running(key)
        if watched is None:
            raise Problem("not-watched", 409)
        return watched.preview.newer_than(after)

    def close(self) -> None:
        running = self._all_running()
        for watched in running:
            watched.ended.set()
            watched.source.close()
        for watched in running:
            if watched.task is not None:
                watched.task.end(END_WITHIN_S)

    def _running(self, key: str) -> WatchedTable | None:
        watched = self._tables.get(key)
        return None if watched is None or watched.ended.is_set() else watched

    def _all_running(self) -> list[WatchedTable]:
        return [each for each in list(self._tables.values()) if not each.ended.is_set()]

    def _follow_table(self, change: TableChange) -> None:
        """Ends the watching that a phone stopped, or with it the table. Takes no lock: it runs under the table's."""
        watched = self._tables.get(change.key)
        if watched is not None and change.before.watched is not None and change.state.watched is None:
            watched.ended.set()


def most_stands() -> int:
    """How many phones on stands this server watches by at once."""
    return STANDS_OF_A_CORE * (os.cpu_count() or 1)


def decode_frame(data: bytes) -> "vision.Photo":
    """A frame of a phone on a stand. Raises `Problem` if it is too large, and `vision.PhotoError`."""
    import vision

    photo = vision.Photo.decode(data)
    if max(photo.width, photo.height) > MOST_FRAME_SIDE:
        raise Problem("bad-frame", 422)
    return photo
