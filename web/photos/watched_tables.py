"""Which tables are watched, and by what: one by the server's camera, others by phones on stands."""

import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cachetools import FIFOCache

from web.photos.frame_sources import MOST_FRAME_SIDE, SILENT_S, CameraFrames, StandFrames
from web.photos.photo_reader import PhotoReader
from web.photos.table_watcher import TableWatcher, WatchedTable
from web.problems import Problem
from web.session import view
from web.session.commands import Asker, ChooseWay, HoldProposal, ShowWatchView
from web.session.events import TableClosed, TableDeleted
from web.sessions import Sessions, TableChange

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
        self, sessions: Sessions, photo_reader: PhotoReader, camera: "vision.Camera | None", stands: bool = True
    ) -> None:
        """`stands`: whether phones on stands may watch: not where a phone's requests come to several servers."""
        self._sessions, self._camera, self._stands = sessions, camera, stands
        self._watcher = TableWatcher(sessions, photo_reader)
        self._lock = threading.Lock()
        self._tables: dict[str, WatchedTable] = {}
        self._ended_stands: FIFOCache[str, str] = FIFOCache(REMEMBERED_STANDS)  # why they shall not begin anew
        sessions.followers.append(self._follow_table)

    # --- what phones ask for ---------------------------------------------------------------------------------------

    def start(self, key: str, asker: Asker, by_itself: bool = False, region: Sequence[float] | None = None) -> None:
        """Begins to watch a table with the server's camera, or changes how it is watched.

        `region`: X,Y of the four corners of the part that counts, as fractions of the picture's width and height;
        None: the whole picture. Raises `Problem` if there is no camera, if it watches another table, if the table is
        closed, and for corners that enclose no usable part.
        """
        part = _parse_region(region)
        with self._lock:
            self._sessions.look(key, asker).access.check_open()
            running = self._running(key)
            if running is not None:
                with running.lock:
                    running.by_itself, running.due_at = by_itself, None
                    if region != running.corners:
                        running.corners, running.region = region, part
                    self._watcher.tell(running)
                return
            if self._camera is None:
                raise Problem("no-camera", 404)
            if any(each.source.stand is None for each in self._all_running()):
                raise Problem("camera-watches", 409)
            self._begin(WatchedTable(key, CameraFrames(self._camera), by_itself, region, part))

    def start_stand(self, key: str, stand: str, asker: Asker) -> None:
        """Begins to watch a table by a phone on a stand, or goes on with it. `stand`: an id that the phone chose.

        It takes the place of a stand of the same phone, or of one that is silent. Raises `Problem` if the table is
        watched otherwise, if it is closed, and if too many stands watch.
        """
        if not self._stands:
            raise Problem("stand-elsewhere", 409)
        with self._lock:
            self._sessions.look(key, asker).access.check_open()
            running = self._running(key)
            if running is not None and running.source.stand == stand:
                return
            if stand in self._ended_stands:
                raise Problem(self._ended_stands[stand], 409)
            phone = asker.phone or ""
            source = StandFrames(stand, phone, asker.name)
            if running is None:
                self.check_room()
                self._begin(WatchedTable(key, source, by_itself=False))
                return
            before = running.source
            if not isinstance(before, StandFrames):
                raise Problem("camera-watches-here", 409)
            if before.silent_s < SILENT_S and not (phone and phone == before.phone):
                raise Problem("stand-watches", 409, device=before.name)
            self._ended_stands[before.stand] = "stand-replaced"
            with running.lock:
                running.source = source
                before.close()
                self._watcher.tell(running)

    def check_room(self, others: int = 0) -> None:
        """Raises `Problem` if one more phone on a stand cannot watch. `others`: phones that are being set up."""
        if not self._stands:
            raise Problem("stand-elsewhere", 409)
        if others + sum(each.source.stand is not None for each in self._all_running()) >= most_stands():
            raise Problem("stands-full", 503)

    def _begin(self, watched: WatchedTable) -> None:
        self._watcher.tell(watched)  # first: if the table refuses it, nothing is watched
        self._tables[watched.key] = watched
        watched.thread = threading.Thread(target=self._run, args=(watched,), name="watching", daemon=True)
        watched.thread.start()

    def _run(self, watched: WatchedTable) -> None:
        try:
            self._watcher.run(watched)
        finally:
            watched.source.close()
            with self._lock:
                if self._tables.get(watched.key) is watched:
                    del self._tables[watched.key]

    def stop(self, key: str, asker: Asker) -> None:
        """Ends the watching of this table, if it is watched; its stand does not begin anew by itself."""
        self._sessions.look(key, asker).access.check_open()
        with self._lock:
            watched = self._running(key)
            if watched is None:
                return
            with watched.lock:  # whatever its thread tells now comes before
                watched.ended.set()
            if watched.source.stand is not None:
                self._ended_stands[watched.source.stand] = "stand-stopped"
        self._sessions.do(key, ShowWatchView(None))

    def take_frame(self, key: str, stand: str, at: float, data: bytes) -> view.StandAnswer:
        """Watches a frame of a phone on a stand, a JPEG of `at` seconds of the phone's clock; b"": nothing changed.

        Raises `Problem` if this stand does not watch, or not any more, and `vision.PhotoError`.
        """
        watched, source = self._watched_by(key, stand)
        source.note_phone()
        if data:
            source.put(at, decode_frame(data))
        with watched.lock:
            wanted, watch = watched.close_picture, watched.watch
            moves = watch is None or watch.state.value != "resting"
            return view.StandAnswer(
                more=moves,
                picture=wanted.id if wanted is not None and wanted.photo is None else None,
                dice=[view.SeenDie(value=value, box=box, sure=sure) for value, box, sure in watched.lying],
            )

    def take_picture(self, key: str, stand: str, wanted: str, data: bytes) -> None:
        """Takes the full picture of dice at rest. One that came too late changes nothing."""
        import vision

        watched, source = self._watched_by(key, stand)
        source.note_phone()
        photo = vision.Photo.decode(data)
        with watched.lock:
            if watched.close_picture is not None and watched.close_picture.id == wanted:
                watched.close_picture.photo = photo
        source.wake()

    def _watched_by(self, key: str, stand: str) -> tuple[WatchedTable, StandFrames]:
        watched = self._running(key)
        if watched is None or watched.source.stand != stand or not isinstance(watched.source, StandFrames):
            raise Problem(self._ended_stands.get(stand, "not-watched"), 409)
        return watched, watched.source

    def again(self, key: str) -> None:
        self._watcher.again(self._watched_table(key))

    def hold(self, key: str, wanted: HoldProposal, asker: Asker) -> None:
        """As `TableWatcher.hold`."""
        self._watcher.hold(self._watched_table(key), wanted, asker)

    def choose(self, key: str, wanted: ChooseWay, asker: Asker) -> bytes:
        """As `TableWatcher.choose`."""
        return self._watcher.choose(self._watched_table(key), wanted, asker)

    def picture(self, key: str, after: int) -> tuple[int, bytes] | None:
        """The newest small picture with its number; None if its number is not above `after`."""
        return self._watched_table(key).preview.newer_than(after)

    def close(self) -> None:
        running = self._all_running()
        for watched in running:
            watched.ended.set()
            watched.source.close()
        for watched in running:
            if watched.thread is not None:
                watched.thread.join(END_WITHIN_S)

    def _watched_table(self, key: str) -> WatchedTable:
        watched = self._running(key)
        if watched is None:
            raise Problem("not-watched", 409)
        return watched

    def _running(self, key: str) -> WatchedTable | None:
        watched = self._tables.get(key)
        return None if watched is None or watched.ended.is_set() else watched

    def _all_running(self) -> list[WatchedTable]:
        return [each for each in list(self._tables.values()) if not each.ended.is_set()]

    def _follow_table(self, change: TableChange) -> None:
        """Stops watching a closed or deleted table.

        Takes no lock: the watching thread may be waiting for the table's lock.
        """
        watched = self._tables.get(change.key)
        closed = any(
            isinstance(each, TableDeleted) or (isinstance(each, TableClosed) and each.closed) for each in change.events
        )
        if watched is not None and closed:
            watched.ended.set()


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
