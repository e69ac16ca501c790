"""Reads the photos of tables: queues them, runs the detector, and puts the result under review."""

import logging
import secrets
import threading
from collections.abc import Callable
from functools import partial
from typing import IO, TYPE_CHECKING, Any, Protocol

from web.photos.phone_readings import PhoneReadings
from web.photos.photo_files import PhotoFiles
from web.photos.reading_queue import LoneReadings, PhotoJob, Queue, QueuedReadings, ReadingQueue
from web.photos.reading_results import reading_result
from web.photos.review import UNKNOWN, Review
from web.photos.samples import DiceMemories
from web.problems.problem import Problem, Refused, disk_problem
from web.runner.runner import Runner, Snapshot
from web.store.store import photos_under_review, unread_photos
from web.table import showing
from web.table.commands import Asker, Discard, MovePhoto, ShowPhoto
from web.table.deciding import SentBefore
from web.table.json_document import refusal_document
from web.table.photo_state import CAMERA, PHOTO, PhotoDetails, Read, ReadingResult, Waiting
from web.table.requests import SendPhoto
from web.table.state import State
from web.tasks import heap
from web.tasks.background import Later

if TYPE_CHECKING:
    import vision
    from web.photos.browser_eye import Ask

logger = logging.getLogger(__name__)

LASTING = {"model-missing": "reader-missing", "model-broken": "reader-broken"}  # reasons of vision.ModelError
ABANDONED_CHECK_S = 3600.0  # between two searches for photos that nobody confirms
WARM_UP_SIZE = (48, 64)  # pixels of an empty picture that makes the detector load


class LooksIntoPhotos(Protocol):
    """Decodes and reads photos. Its functions are coroutines, as those of a `vision.eye.Eye`."""

    async def photo(self, details: PhotoDetails) -> Any:
        """The photo under review, with its `width` and `height`."""
        ...

    async def look(self, photo: Any, details: PhotoDetails, known: "vision.DiceMemory | None") -> "vision.Reading":
        """The reading of that photo. `known`: the dice memory of its table."""
        ...


class PhotoReader:
    """Reads photos of throws. The first photo, or `warm_up`, calls `make_reader`."""

    def __init__(
        self,
        runner: Runner,
        photo_files: PhotoFiles,
        make_reader: "Callable[[], vision.Reader]",
        camera: "vision.Camera | None",
        later: Later,
        queue: Queue | None = None,
        lone: LoneReadings | None = None,
    ) -> None:
        """`queue`, `lone`: what other processes read from; None: this process reads the photos."""
        self._runner = runner
        self._photo_files = photo_files
        self.review = Review(runner, photo_files)
        self._make_reader = make_reader
        self._reader: vision.Reader | None = None
        self.engine: str | None = None  # what runs the networks; None until `warm_up` has loaded them
        self._reader_lock = threading.Lock()
        self._camera = camera
        self.dice_memories = DiceMemories(runner)
        self._reads_here = queue is None
        self._queue: Queue = ReadingQueue(self._note_place, later) if queue is None else queue
        self.lone: LoneReadings = QueuedReadings(self._queue, self.reader) if lone is None else lone
        self.by_phones = PhoneReadings(self._finish, later)
        self._key_of_table: dict[int, str] = {}
        self._queued: set[str] = set()  # the readings that wait or are being made in this process
        # The tables whose photo an ended server may have left unread.
        self._unread = list(photos_under_review(runner.store).values())
        self._closed = False
        runner.abilities["camera"] = camera is not None
        self._caretaker = later("photos-under-review", self._take_care)
        if self._reads_here:
            runner.note_unread = self._note_unread
        self._caretaker.wake()

    def close(self) -> None:
        self._closed = True
        self.by_phones.close()
        self._queue.close()
        self._caretaker.end()

    def warm_up(self) -> None:
        """Loads the networks. Takes half a second: call it in its own thread. If that fails, all phones are told."""
        try:
            import numpy as np

            import vision

            self.reader().read(vision.Photo(np.full((*WARM_UP_SIZE, 3), 127, np.uint8)))
            self.engine = vision.engine()
        except Exception as error:
            logger.warning("photos cannot be read: %s", error)
            self.tell_problem(_reader_problem(error) or Problem("reader-fails", 503))

    def queue(self, key: str, wanted: SendPhoto, asker: Asker, data: IO[bytes] | None, address: str) -> Snapshot:
        """Queues a photo of the throw that comes now; returns what the table shows then. The dice kept for it are
        recorded with the throw, not before; a photo that is sent again while it is under review changes nothing.

        `data`: the upload; None: the server's camera takes the photo. `address`: whose photo it is; addresses take
        turns.
        """
        shown = self._runner.snapshot(key, asker)
        state = shown.state
        if data is None and self._camera is None:
            raise Problem("no-camera", 404)
        version, keep = wanted.version, wanted.keep
        kept = None if keep is None else {"do": "keep", "dice": list(keep)}
        expects, beside = showing.next_throw(state, version, kept, shown.standing["turn"])
        if showing.count_is_chosen(shown.standing["legal"]):
            expects = 0
        photo_id, source = secrets.token_urlsafe(12), CAMERA if data is None else PHOTO
        name = asker.with_name(state.access).name
        details = PhotoDetails(photo_id, source, name, version, expects, beside, keep, request=wanted.request or "")
        # Noted before the photo is under review, so that `resume` does not queue it a second time.
        self._queued.add(details.id)
        place = 1
        try:
            shows = ShowPhoto(Waiting(details), wanted.replaces)
            with self.review.begin(key, shows, state.photo, data, address, asker) as shown:
                if not (wanted.by_phone and self._reads_here and self._leave_to_phone(key, details, address)):
                    place = self._enqueue(state.row.id, key, details.id, address)
        except BaseException as error:
            self._queued.discard(details.id)
            if isinstance(error, SentBefore):
                return shown
            raise
        if state.photo is not None:
            self._queued.discard(state.photo.details.id)
        return self._runner.do(key, MovePhoto(place)) if place > 1 else shown

    def _leave_to_phone(self, key: str, details: PhotoDetails, address: str) -> bool:
        async def look(ask: "Ask") -> Read:
            from vision.containers import format_of_photo
            from web.photos import remote_eye

            kind = format_of_photo(self._photo_files.original(details.id) or b"")  # nothing more: a phone may rest long
            known = self.dice_memories.for_table(self._runner.look(key))
            return await remote_eye.read(ask, details, kind, known)

        def otherwise() -> None:
            self._queued.discard(details.id)
            if not self.resume(key, address):
                self.give_up(key, details.id)

        return self.by_phones.expect(key, details.id, look, otherwise)

    def _finish(self, key: str, read: Read) -> None:
        self._queued.discard(read.details.id)
        self.review.finish_reading(key, read)

    def resume(self, key: str, address: str = UNKNOWN) -> bool:
        """Queues a waiting photo that nobody reads. False when the queue is full."""
        photo = self._runner.look(key).photo
        if not isinstance(photo, Waiting) or photo.details.id in self._queued:
            return True
        review_id = photo.details.id
        if self._photo_files.original(review_id) is None:
            self._runner.do(key, Discard(review_id))
            return True
        try:
            self._enqueue(self._runner.row(key).id, key, review_id, address)
        except Problem:
            return False
        return True

    def unread(self) -> int:
        """How many photos of all servers wait to be read."""
        return len(self._queued) if self._reads_here else unread_photos(self._runner.store)

    def _note_unread(self, key: str) -> None:
        self._unread.append(key)
        self._caretaker.wake()

    def _take_care(self) -> float:
        self._resume_unread()
        self.review.forget_abandoned()
        return ABANDONED_CHECK_S

    def _resume_unread(self) -> None:
        """Queues the photos that an ended server left unread, as far as the queue has room."""
        while self._unread and not self._closed:
            try:
                key = self._unread.pop()
            except IndexError:  # another thread took the last one
                return
            try:
                if not self.resume(key):
                    self._unread.append(key)
                    return
            except (Problem, OSError) as error:
                logger.warning("a photo that was left unread cannot be read: %s", error)

    def give_up(self, key: str, review_id: str, why: str = "queue-full") -> None:
        """Tells a table why its photo is not read, such as "queue-full"."""
        self._queued.discard(review_id)
        try:
            if isinstance(self.review.photo_of(key, review_id), Waiting):
                self.review.fail(key, review_id, refusal_document(Problem(why, 503)))
        except Problem as problem:
            logger.warning("a photo that is not read could not be told of: %s", problem)

    def _enqueue(self, table_id: int, key: str, review_id: str, address: str = UNKNOWN) -> int:
        """Queues a photo and returns its place. A photo that is no longer under review is not queued."""

        def is_wanted() -> bool:
            return self.review.photo_of(key, review_id) is not None

        self._key_of_table[table_id] = key
        self._queued.add(review_id)
        try:
            run, drop = partial(self.run, key, review_id), partial(self.give_up, key, review_id)
            return self._queue.put(PhotoJob(table_id, run, address, drop, review_id, is_wanted))
        except BaseException:
            self._queued.discard(review_id)
            raise
        finally:
            if not self._reads_here:
                self._queued.discard(review_id)

    def _note_place(self, table_id: int, place: int) -> None:
        key = self._key_of_table.get(table_id)
        if key is not None:
            self._runner.do(key, MovePhoto(place))

    def run(self, key: str, review_id: str) -> None:
        """Reads one photo, in the queue's thread; see `read`."""
        from vision.eye import answer_at_once

        answer_at_once(self.read(key, review_id, self))

    async def read(self, key: str, review_id: str, looks: "LooksIntoPhotos") -> None:
        """Reads one photo. The table's state shows what goes wrong.

        Raises `Problem` if the table cannot be changed.
        """
        try:
            state = self._runner.look(key)
            waiting = state.photo
            if not isinstance(waiting, Waiting) or waiting.details.id != review_id:
                return
            try:
                photo = await looks.photo(waiting.details)
                read = await self._read_photo(state, waiting.details, photo, looks)
            except Exception as error:
                self.review.fail(key, review_id, refusal_document(_photo_problem(error)))
            else:
                self.review.finish_reading(key, read, photo if looks is self else None)
        finally:
            self._queued.discard(review_id)
            heap.trim()
            self._resume_unread()

    async def _read_photo(self, state: State, details: PhotoDetails, photo: Any, looks: LooksIntoPhotos) -> Read:
        try:
            reading = await looks.look(photo, details, self.dice_memories.for_table(state))
            return Read(details, photo.width, photo.height, reading_result(reading))
        except Exception as error:
            # A person can still mark the dice of the photo by hand.
            logger.warning("the detector failed: %r", error)
            lasting = _reader_problem(error)
            if lasting is not None:
                self.tell_problem(lasting)
            passing = error if isinstance(error, Problem) else Problem("reader-failed")
            return Read(details, photo.width, photo.height, ReadingResult(), refusal_document(lasting or passing))

    async def look(
        self, photo: "vision.Photo", details: PhotoDetails, known: "vision.DiceMemory | None"
    ) -> "vision.Reading":
        return self.reader().read(photo, details.expects or None, details.beside, known)

    async def photo(self, details: PhotoDetails) -> "vision.Photo":
        """The photo to read: the uploaded one, or one that the server's camera takes now."""
        if details.source != CAMERA:
            return self.review.photo(details.id)
        assert self._camera is not None
        try:
            photo = self._camera.next_photo()
        except Exception as error:
            logger.warning("the camera gave no picture: %s", error)
            raise Problem("camera-failed", 503) from error
        self.review.put_original(details.id, photo)
        return photo

    def tell_problem(self, problem: Problem | None) -> None:
        """Tells all phones why this server cannot read photos; None: it can."""
        said = None if problem is None else refusal_document(problem)
        self._runner.abilities.update(reader=problem is None, reader_problem=said)
        self._runner.refresh()

    def reader(self) -> "vision.Reader":
        """The reader, which the first call loads. Raises what `vision.Reader` raises."""
        with self._reader_lock:
            if self._reader is None:
                self._reader = self._make_reader()
            return self._reader


def _reader_problem(error: Exception) -> Problem | None:
    """The problem of a server that can read no photo at all; None if only this photo fails."""
    reason = getattr(error, "reason", None)
    if reason in LASTING:
        return Problem(LASTING[reason], 503, file=error.params["file"])  # type: ignore[attr-defined]
    return Problem("reader-unloadable", 503) if isinstance(error, ImportError) else None


def _photo_problem(error: Exception) -> Any:
    """The problem of a photo that cannot be shown."""
    if isinstance(error, OSError):
        logger.warning("a photo could not be kept: %s", error)
        return disk_problem(error) or Problem("reader-failed")
    if isinstance(error, Refused):  # a fault of the photo is no matter for the server's log
        return error
    logger.error("reading a photo failed", exc_info=error)
    return Problem("reader-failed")
