"""From a photo to a reading: the queue, the detector, the server's own camera."""

import contextlib
import logging
import secrets
import threading
from collections.abc import Callable, Sequence
from typing import IO, TYPE_CHECKING, Any, Protocol

from web import heap
from web.photos.photo_files import PhotoFiles
from web.photos.reading_queue import PhotoJob, Queue, ReadingQueue
from web.photos.review import UNKNOWN, Review
from web.photos.samples import Memories
from web.problems import Problem, Refused, disk_problem
from web.session import preview
from web.session.commands import Discard
from web.session.deciding import SentBefore
from web.session.json_document import refusal_document
from web.session.photo_state import CAMERA, PHOTO, STAND, FoundDie, PhotoDetails, Read, ReadingResult, Waiting
from web.sessions import Sessions

if TYPE_CHECKING:
    import vision
from web.store.store import photos_under_review

logger = logging.getLogger(__name__)

LASTING = {"model-missing": "reader-missing", "model-broken": "reader-broken"}  # reasons of vision.ModelError
ABANDONED_CHECK_S = 3600.0  # between two looks for photos that nobody confirms
WARM_UP_SIZE = (48, 64)  # pixels of an empty picture that makes the detector load


class DiceReader(Protocol):
    """What reads the dice in a photo: `vision.Reader`."""

    def read(
        self,
        photo: "vision.Photo",
        dice: int | None = None,
        aside: Sequence[int] = (),
        known: "vision.DiceMemory | None" = None,
    ) -> "vision.Reading": ...

    def prepare(self, width: int, height: int) -> None: ...


class ServerCamera(Protocol):
    """The server's own camera: `vision.Camera`."""

    def next_photo(self) -> "vision.Photo": ...

    def next_frame(self) -> "tuple[float, vision.Photo]":
        """The same with the seconds, of any clock that only goes forward, at which the picture came."""
        ...


class PhotoReader:
    """Photos on their way to a throw. `make_reader` is called once, when the first photo comes or `warm_up` is."""

    def __init__(
        self,
        sessions: Sessions,
        photo_files: PhotoFiles,
        make_reader: Callable[[], DiceReader],
        camera: ServerCamera | None,
        queue: Queue | None = None,
    ) -> None:
        """`queue`: one that other processes read from; None: photos are read in this one."""
        self._sessions = sessions
        self._photo_files = photo_files
        self.review = Review(sessions, photo_files)
        self._make_reader = make_reader
        self._reader: DiceReader | None = None
        self._reader_lock = threading.Lock()
        self._camera = camera
        self._memories = Memories(sessions)
        self._reads_here = queue is None
        self._queue: Queue = ReadingQueue(self._note_place) if queue is None else queue
        self._key_of_table: dict[int, str] = {}
        self._queued: set[str] = set()  # the readings that wait or are being made in this process
        self._enqueuing = threading.Lock()  # held while a reading is put into the queue
        self._unread = list(
            photos_under_review(sessions.store).values()
        )  # tables whose photo an ended server may not have read
        self._resuming = threading.Lock()
        self._closed = threading.Event()
        sessions.abilities["camera"] = camera is not None
        self._caretaker = threading.Thread(target=self._take_care, name="photos-under-review", daemon=True)
        self._caretaker.start()

    def close(self) -> None:
        self._closed.set()
        self._queue.close()
        self._caretaker.join(timeout=5)

    def warm_up(self) -> None:
        """Loads the detector, which takes a second, and makes it ready for the camera's pictures: call it in a thread
        of its own. One that fails is told to all."""
        try:
            import numpy as np

            import vision

            reader = self.reader()
            reader.read(vision.Photo(np.full((*WARM_UP_SIZE, 3), 127, np.uint8)))
            if self._camera is not None:
                with contextlib.suppress(vision.CameraError):  # told when a picture is wanted
                    picture = self._camera.next_photo()
                    reader.prepare(picture.width, picture.height)
        except Exception as error:
            logger.warning("photos cannot be read: %s", error)
            self._cannot_read(_reader_problem(error) or Problem("reader-fails", 503))

    def queue_upload(
        self,
        key: str,
        version: int,
        device: str,
        data: IO[bytes],
        keep: Sequence[int] | None = None,
        address: str = UNKNOWN,
        request: str = "",
        on_stand: bool = False,
    ) -> None:
        """Queues an uploaded photo for the throw that comes now; the table's state tells how it goes on.

        `keep`: the dice that were kept for this throw. They are recorded with the throw, not before. `address`: where
        the photo came from; addresses take turns. `request`: the phone's id of this photo: sent again while it is under
        review, nothing happens. `on_stand`: nobody took it, the phone watches.
        """
        with contextlib.suppress(SentBefore):
            self._queue_up(key, version, device, data, keep, address, request, STAND if on_stand else PHOTO)

    def queue_camera_picture(
        self, key: str, version: int, device: str, keep: Sequence[int] | None = None, address: str = UNKNOWN
    ) -> None:
        """The same with a picture of the server's camera."""
        if self._camera is None:
            raise Problem("no-camera", 404)
        self._queue_up(key, version, device, None, keep, address, source=CAMERA)

    def resume(self, key: str) -> bool:
        """Queues a photo again that waits and that nobody reads. False when the queue is full."""
        photo = self.review.photo_of(key)
        if not isinstance(photo, Waiting) or photo.details.id in self._queued:
            return True
        reading = photo.details.id
        if not self._photo_files.take(reading):
            return True
        if self._photo_files.original(reading) is None:
            self._sessions.do(key, Discard(reading))
            return True
        try:
            self._enqueue(self._sessions.row(key).id, key, reading)
        except Problem:
            return False
        return True

    def _take_care(self) -> None:
        self._resume_unread()
        while not self._closed.wait(ABANDONED_CHECK_S):
            self.review.forget_abandoned()

    def _resume_unread(self) -> None:
        """Reads what an ended server left unread, as far as the queue has room."""
        with self._resuming:
            while self._unread and not self._closed.is_set():
                try:
                    if not self.resume(self._unread[-1]):
                        return
                except (Problem, OSError) as error:
                    logger.warning("a photo that was left unread cannot be read: %s", error)
                self._unread.pop()

    def memory(self, key: str) -> "vision.DiceMemory | None":
        """How the dice of this table look."""
        return self._memories.for_table(key)

    def _queue_up(
        self,
        key: str,
        version: int,
        device: str,
        data: IO[bytes] | None,
        keep: Sequence[int] | None,
        address: str,
        request: str = "",
        source: str = PHOTO,
    ) -> None:
        state = self._sessions.look(key)
        kept = None if keep is None else {"do": "keep", "dice": list(keep)}
        expects, beside = preview.next_throw(state, version, kept)
        taken = PhotoDetails(secrets.token_urlsafe(12), source, device, version, expects, beside, keep, None, request)
        # Before it is under review: whoever looks for readings that nobody makes is to leave this one alone.
        self._queued.add(taken.id)
        try:
            with self.review.begin(key, Waiting(taken), data, address) as before:
                place = self._enqueue(state.row.id, key, taken.id, address)
        except BaseException:
            self._queued.discard(taken.id)
            raise
        if before is not None:
            self._queued.discard(before.details.id)
        if place > 1:
            self._note_place(state.row.id, place)

    def give_up(self, key: str, reading: str, why: str = "queue-full") -> None:
        """Tells a table that its photo is not read: it had to give way in the queue, or for another reason."""
        self._queued.discard(reading)
        try:
            if self.review.is_waiting(key, reading):
                self.review.fail(key, reading, refusal_document(Problem(why, 503)))
        except Problem as problem:
            logger.warning("a photo that is not read could not be told of: %s", problem)

    def _enqueue(self, table_id: int, key: str, reading: str, owner: str = UNKNOWN) -> int:
        """Queues a reading and returns its place; one that is no longer under review takes nobody's."""
        with self._enqueuing:
            if not self.review.is_waiting(key, reading):
                return 1
            self._key_of_table[table_id] = key
            self._queued.add(reading)
            try:
                return self._queue.put(
                    PhotoJob(
                        table_id, lambda: self.run(key, reading), owner, lambda: self.give_up(key, reading), reading
                    )
                )
            except BaseException:
                self._queued.discard(reading)
                raise
            finally:
                if not self._reads_here:
                    self._queued.discard(reading)

    def _note_place(self, table_id: int, place: int) -> None:
        key = self._key_of_table.get(table_id)
        if key is not None:
            self.review.move(key, place)

    def run(self, key: str, reading: str) -> None:
        """Reads one photo, in the queue's thread. Whatever goes wrong is told in the table's state.

        Raises `Problem` where that cannot be reached.
        """
        try:
            waiting = self.review.photo_of(key)
            if not isinstance(waiting, Waiting) or waiting.details.id != reading:
                return
            try:
                photo = self._load_photo(waiting)
                read = self._read_photo(key, waiting, photo)
            except Exception as error:
                self.review.fail(key, reading, refusal_document(_photo_problem(error)))
            else:
                self.review.finish_reading(key, read, photo)
        finally:
            self._queued.discard(reading)
            heap.trim()
            self._resume_unread()

    def _read_photo(self, key: str, waiting: Waiting, photo: "vision.Photo") -> Read:
        taken = waiting.details
        try:
            known = self._memories.for_table(key)
            found = self.reader().read(photo, taken.expects, taken.beside, known)
            return Read(taken, photo.width, photo.height, _reading_result(found))
        except Exception as error:
            # The picture is there all the same: its dice can be marked by hand.
            logger.warning("the detector failed: %r", error)
            lasting = _reader_problem(error)
            if lasting is not None:
                self._cannot_read(lasting)
            return Read(
                taken, photo.width, photo.height, ReadingResult(), refusal_document(lasting or Problem("reader-failed"))
            )

    def _load_photo(self, waiting: Waiting) -> "vision.Photo":
        """The photo that waits to be read; for the server's camera one that it takes now."""
        taken = waiting.details
        if taken.source != CAMERA:
            return self.review.photo(taken.id)
        assert self._camera is not None
        try:
            photo = self._camera.next_photo()
        except Exception as error:
            logger.warning("the camera gave no picture: %s", error)
            raise Problem("camera-failed", 503) from error
        self.review.put_original(taken.id, photo)
        return photo

    def set_readers(self, there: bool) -> None:
        """Tells all phones here whether other processes read photos."""
        problem = None if there else refusal_document(Problem("no-readers", 503))
        self._sessions.abilities.update(reader=there, reader_problem=problem)
        self._sessions.refresh()

    def _cannot_read(self, problem: Problem) -> None:
        self._sessions.abilities.update(reader=False, reader_problem=refusal_document(problem))
        self._sessions.refresh()

    def reader(self) -> DiceReader:
        """The reader, which the first call loads. Raises what `vision.Reader` raises."""
        with self._reader_lock:
            if self._reader is None:
                self._reader = self._make_reader()
            return self._reader


def _reader_problem(error: Exception) -> Problem | None:
    """What is told when no photo can be read until somebody mends the server; None for what is wrong with one photo."""
    reason = getattr(error, "reason", None)
    if reason in LASTING:
        return Problem(LASTING[reason], 503, file=error.params["file"])  # type: ignore[attr-defined]
    return Problem("reader-unloadable", 503) if isinstance(error, ImportError) else None


def _photo_problem(error: Exception) -> Any:
    """What is told where there is nothing to be seen in a photo."""
    if isinstance(error, OSError):
        logger.warning("a photo could not be kept: %s", error)
        return disk_problem(error) or Problem("reader-failed")
    if isinstance(error, Refused):  # what is wrong with the photo is told at the table alone
        return error
    logger.error("reading a photo failed", exc_info=error)
    return Problem("reader-failed")


def _reading_result(reading: "vision.Reading") -> ReadingResult:
    return ReadingResult(
        [found_die(die) for die in reading.dice],
        [found_die(die) for die in reading.aside],
        [refusal_document(ask) for ask in reading.asks],
        reading.sure,
        None if reading.trace is None else reading.trace.to_text(),
    )


def found_die(die: Any) -> FoundDie:
    x0, y0, x1, y1 = (round(float(side), 1) for side in die.box)
    return FoundDie(
        value=die.value,
        confidence=round(float(die.confidence), 3),
        sure=bool(die.sure),
        box=(x0, y0, x1, y1),
        alternatives=list(die.alternatives),
    )
