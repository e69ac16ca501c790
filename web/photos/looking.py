"""From a photo to a reading that waits for a person: the queue, the detector, and what happens to the photo after."""

import contextlib
import hashlib
import logging
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from typing import IO, TYPE_CHECKING, Any, Protocol

import scorer
from web.errors import Problem, Refused, disk_problem
from web.photos.lessons import Memories
from web.photos.pictures import SHOWN_SIDE, Pictures
from web.photos.readings import Job, Queue, ReadingQueue
from web.tables.playing import Playing
from web.tables.store import Json, TableRow
from web.transport import heap
from web.transport.callers import Shares

if TYPE_CHECKING:
    import vision

logger = logging.getLogger(__name__)

JPEG_QUALITY = 85
LASTING = {"model-missing": "reader-missing", "model-broken": "reader-broken"}  # reasons of vision.ModelError
ABANDONED_AFTER_S = 24 * 3600  # a photo that nobody confirms is not kept longer
LOOKED_AFTER_S = 3600.0
# Bytes of all photos under review, and of those from one address, whose oldest is forgotten then.
MOST_HELD, MOST_HELD_OF_ADDRESS = 2 << 30, 1 << 30
UNKNOWN = ""  # where a photo came from that waited when the server was started
WARM_UP_SIZE = (48, 64)  # pixels of an empty picture that makes the detector load


class Reader(Protocol):
    """What reads the dice in a photo: `vision.Reader`."""

    def read(
        self,
        photo: "vision.Photo",
        dice: int | None = None,
        aside: Sequence[int] = (),
        known: "vision.Memory | None" = None,
    ) -> "vision.Reading": ...

    def prepare(self, width: int, height: int) -> None: ...


class Camera(Protocol):
    """The server's own camera: `vision.Camera`."""

    def look(self) -> "vision.Photo": ...

    def frame(self) -> "tuple[float, vision.Photo]":
        """The same with the seconds, of any clock that only goes forward, at which the picture came."""
        ...


class Looking:
    """Photos on their way to a throw. `make_reader` is called once, when the first photo comes or `warm_up` is."""

    def __init__(
        self,
        playing: Playing,
        pictures: Pictures,
        make_reader: Callable[[], Reader],
        camera: Camera | None,
        queue: Queue | None = None,
    ) -> None:
        """`queue`: one that other processes read from; None: photos are read in this one."""
        self._playing = playing
        self._pictures = pictures
        self._make_reader = make_reader
        self._reader: Reader | None = None
        self._reader_lock = threading.Lock()
        self._camera = camera
        self._memories = Memories(playing)
        self._reads_here = queue is None
        self._queue: Queue = ReadingQueue(self._moved) if queue is None else queue
        self._keys: dict[int, str] = {}
        self._queued: set[str] = set()  # the readings that wait or are being made in this process
        self._since: dict[str, float] = {}  # when each photo under review began to wait, by the monotonic clock
        self._held: Shares[str] = Shares()  # what the photos under review take on the disk, by address
        self._held_for: dict[str, tuple[str, str]] = {}  # whose each is, and the key of its table
        self._holding = threading.Lock()
        for reading, key in playing.store.waiting().items():
            self._hold(reading, key, UNKNOWN)
        self._showing = threading.Lock()  # held while a picture is made to be shown, or deleted
        self._closed = threading.Event()
        playing.abilities["camera"] = camera is not None
        self._forget_abandoned(self._pictures.age_s)
        self._watch = threading.Thread(target=self._look_after, name="abandoned-photos", daemon=True)
        self._watch.start()

    def close(self) -> None:
        self._closed.set()
        self._queue.close()
        self._watch.join(timeout=5)

    def warm_up(self) -> None:
        """Loads the detector, which takes a second, and makes it ready for the camera's pictures: call it in a thread
        of its own. One that fails is told to all."""
        try:
            import numpy as np

            import vision

            reader = self._get_reader()
            reader.read(vision.Photo(np.full((*WARM_UP_SIZE, 3), 127, np.uint8)))
            if self._camera is not None:
                with contextlib.suppress(vision.CameraError):  # told when a picture is wanted
                    picture = self._camera.look()
                    reader.prepare(picture.width, picture.height)
        except Exception as error:
            logger.warning("photos cannot be read: %s", error)
            self._cannot_read(_reader_problem(error) or Problem("reader-fails", 503))

    def photo(
        self,
        key: str,
        version: int,
        device: str,
        data: IO[bytes],
        keep: Sequence[int] | None = None,
        address: str = UNKNOWN,
    ) -> None:
        """Queues an uploaded photo for the throw that comes now; the table's state tells how it goes on.

        `keep`: the dice that were kept for this throw. They are recorded with the throw, not before. `address`: where
        the photo came from; addresses take turns.
        """
        self._queue_up(key, version, device, data, keep, address)

    def look(
        self, key: str, version: int, device: str, keep: Sequence[int] | None = None, address: str = UNKNOWN
    ) -> None:
        """The same with a picture of the server's camera."""
        if self._camera is None:
            raise Problem("no-camera", 404)
        self._queue_up(key, version, device, None, keep, address)

    def resume(self, key: str) -> None:
        """Queues a photo again that was waiting when the server ended."""
        pending = self._playing.pending(key)
        row = self._playing.row(key)
        if pending is None or pending["status"] != "waiting" or pending["id"] in self._queued:
            return
        if not self._pictures.take(pending["id"]):
            return
        if self._pictures.original(pending["id"]) is None:
            self.discard(key, pending["id"])
            return
        with contextlib.suppress(Problem):  # the queue is full: the next look tries again
            self._put(row.id, key, pending["id"])

    def discard(self, key: str, reading: str) -> None:
        """Forgets the photo under review and deletes it."""
        if self._playing.set_pending(key, None, replaces=reading):
            self._delete(reading)

    def _look_after(self) -> None:
        while not self._closed.wait(LOOKED_AFTER_S):
            # Not by the time of day: that of a Raspberry Pi jumps by weeks once it finds the network.
            self._forget_abandoned(lambda reading: 0.0)

    def _forget_abandoned(self, age_s: Callable[[str], float]) -> None:
        """Deletes each photo that has waited unconfirmed for more than a day, and its reading.

        `age_s` says for how long a photo has waited that this process has not seen before, in seconds.
        """
        try:
            now, waiting = time.monotonic(), self._playing.store.waiting()
            self._since = {reading: self._since.get(reading, now - age_s(reading)) for reading in waiting}
            for reading, since in self._since.items():
                if now - since > ABANDONED_AFTER_S:
                    self.discard(waiting[reading], reading)
        except (Problem, OSError) as error:
            logger.warning("abandoned photos could not be looked for: %s", error)

    def memory(self, key: str) -> "vision.Memory | None":
        """How the dice of this table look."""
        return self._memories.of(key)

    def reader(self) -> Reader:
        """The reader; loads it when nobody did. Raises what `vision.Reader` raises."""
        return self._get_reader()

    def show_rest(self, key: str, photo: "vision.Photo", pending: Json) -> None:
        """Has a throw that came to rest before the watching camera wait for a person, as a photo would.

        Raises Problem("stale") when the table has moved on.
        """
        before = self._playing.pending(key)
        try:
            self._pictures.put_original(pending["id"], jpeg(photo.pixels, quality=95))
            size = {"status": "read", "source": "watch", "width": photo.width, "height": photo.height}
            self._playing.set_pending(key, {**pending, **size}, version=pending["version"])
        except BaseException:
            self._delete(pending["id"])
            raise
        if before is not None:
            self._queued.discard(before["id"])
            self._delete(before["id"])

    def settle(self, row: TableRow, pending: Json | None, evidence: Json | None) -> None:
        """After the log has moved on: the photo goes, to the corrections if the table agreed and it was corrected.

        The action is done already: what goes wrong with the photo's files is noted in the server's log alone.
        Beside the photo is kept what was `read` in it, which `dice` a person confirmed, which of the dice read lay
        `aside`, by the reader's word or the person's, and were not thrown, and how many of the game's dice were not
        thrown (`not_thrown`), since these may lie in the picture too. `table` is the same for photos of one table and
        says nothing else of it.
        """
        if pending is None:
            return
        try:
            self._settle(row, pending, evidence)
        except OSError as error:
            logger.warning("a photo could not be put away: %s", error)

    def _settle(self, row: TableRow, pending: Json, evidence: Json | None) -> None:
        reading = pending["id"]
        if row.keep_corrections and evidence is not None and evidence["reading"] == reading and evidence.get("dice"):
            confirmed, aside = evidence["dice"], evidence["aside"]
            read = [*pending.get("dice", []), *pending.get("aside", [])]
            if sorted(map(_value_and_box, read)) != sorted(map(_value_and_box, [*confirmed, *aside])):
                game = scorer.game(row.game, **row.options)
                label = {
                    "width": pending["width"],
                    "height": pending["height"],
                    "dice": confirmed,
                    "aside": aside,
                    "read": read,
                    "not_thrown": max(0, game.info.dice - pending["expects"]),
                    "table": hashlib.sha256(row.key.encode()).hexdigest()[:16],
                }
                self._pictures.keep(reading, label)
        self._delete(reading)

    def _queue_up(
        self, key: str, version: int, device: str, data: IO[bytes] | None, keep: Sequence[int] | None, address: str
    ) -> None:
        expects, beside = self._playing.due(key, version, keep)
        row = self._playing.row(key)
        before = self._playing.pending(key)
        reading = secrets.token_urlsafe(12)
        try:
            if data is not None:
                self._pictures.take_original(reading, data)
            # Before anybody is told of it: a phone that looks at the table resumes readings that nobody makes.
            self._queued.add(reading)
            pending = {
                "id": reading,
                "status": "waiting",
                "place": 1,
                "source": "camera" if data is None else "photo",
                "device": device,
                "expects": expects,
                "beside": beside,
                "keep": None if keep is None else list(keep),
                "version": version,
                "dice": [],
                "aside": [],
                "asks": [],
                "sure": False,
                "problem": None,
            }
            self._playing.set_pending(key, pending, version=version)  # the throw may have been told meanwhile
            place = self._put(row.id, key, reading, address)
        except BaseException:
            self._queued.discard(reading)
            self._playing.set_pending(key, before, replaces=reading)  # what was there is still to be looked at
            self._pictures.delete(reading)
            raise
        if before is not None:
            self._queued.discard(before["id"])
            self._delete(before["id"])
        self._hold(reading, key, address)
        self._make_room()
        if place > 1:
            self._moved(row.id, place)

    def _hold(self, reading: str, key: str, owner: str) -> None:
        """Notes what a photo takes on the disk."""
        with self._holding:
            self._held_for[reading] = owner, key
            self._held.put(owner, reading, self._pictures.size(reading))

    def _make_room(self) -> None:
        """Forgets the oldest photos of the address whose photos take most, while they take too much."""
        while True:
            with self._holding:
                if not self._held.total:
                    return
                most = self._held.biggest_owner()
                if self._held.total <= MOST_HELD and self._held.of(most) <= MOST_HELD_OF_ADDRESS:
                    return
                oldest = self._held.oldest_of(most)
                key = self._held_for[oldest][1]
            self._delete(oldest)
            self._playing.set_pending(key, None, replaces=oldest)

    def give_up(self, key: str, reading: str, why: str = "queue-full") -> None:
        """Tells a table that its photo is not read: it had to give way in the queue, or for another reason."""
        self._queued.discard(reading)
        try:
            pending = self._playing.pending(key)
            if pending is not None and pending["id"] == reading and pending["status"] == "waiting":
                told = {"status": "failed", "problem": _told(Problem(why, 503))}
                self._playing.set_pending(key, {**pending, **told}, replaces=reading)
        except Problem as problem:
            logger.warning("a photo that is not read could not be told of: %s", problem)

    def _put(self, table_id: int, key: str, reading: str, owner: str = UNKNOWN) -> int:
        """Queues a reading and returns its place."""
        self._keys[table_id] = key
        self._queued.add(reading)
        try:
            return self._queue.put(
                Job(table_id, lambda: self.run(key, reading), owner, lambda: self.give_up(key, reading), reading)
            )
        except BaseException:
            self._queued.discard(reading)
            raise
        finally:
            if not self._reads_here:
                self._queued.discard(reading)

    def _moved(self, table_id: int, place: int) -> None:
        key = self._keys.get(table_id)
        if key is not None:
            self._playing.tell_place(key, place)

    def run(self, key: str, reading: str) -> None:
        """Reads one photo, in the queue's thread. Whatever goes wrong is told in the table's state.

        Raises `Problem` where that cannot be reached.
        """
        try:
            pending = self._playing.pending(key)
            if pending is None or pending["id"] != reading or pending["status"] != "waiting":
                return
            photo: vision.Photo | None = None
            outcome: Json
            try:
                photo = self._photo(pending)
                outcome = self._read(key, pending, photo)
            except Problem as problem:
                outcome = {"status": "failed", "problem": _told(problem)}
            except OSError as error:
                logger.warning("a photo could not be kept: %s", error)
                outcome = {"status": "failed", "problem": _told(disk_problem(error) or Problem("reader-failed"))}
            except Exception as error:
                known = isinstance(error, Refused)  # what is wrong with the photo is told at the table alone
                if not known:
                    logger.exception("reading a photo failed")
                outcome = {"status": "failed", "problem": _told(error if known else Problem("reader-failed"))}
            if not self._playing.set_pending(key, {**pending, **outcome}, replaces=reading):
                self._delete(reading)
            elif photo is not None:
                try:
                    self._make_shown(key, reading, photo)
                except OSError as error:  # whoever asks for the picture tries again
                    logger.warning("a photo could not be made ready to be shown: %s", error)
        finally:
            self._queued.discard(reading)
            heap.give_back()

    def shown(self, key: str, reading: str) -> bytes | None:
        """The photo under review as a JPEG for the phones; None when it is no longer there.

        What was read is told before there is such a picture: then whoever asks for it waits. Raises OSError.
        """
        made = self._pictures.shown(reading) or self._make_shown(key, reading, None)
        pending = self._playing.pending(key)
        return made if pending is not None and pending["id"] == reading else None

    def _make_shown(self, key: str, reading: str, photo: "vision.Photo | None") -> bytes | None:
        """Makes the picture to be shown, unless another thread did or the photo is gone; `photo` None: of its file."""
        import vision

        with self._showing:
            pending = self._playing.pending(key)
            if pending is None or pending["id"] != reading or pending["status"] != "read":
                return None
            if (made := self._pictures.shown(reading)) is not None:
                return made
            try:
                photo = photo or self._photo(pending)
                made = jpeg(photo.view(SHOWN_SIDE), SHOWN_SIDE)
            except (Problem, vision.PhotoError) as error:
                logger.warning("a photo cannot be shown: %s", error)
                return None
            self._pictures.put_shown(reading, made)
            return made

    def _delete(self, reading: str) -> None:
        with self._showing:
            self._pictures.delete(reading)
        with self._holding:
            owner, _ = self._held_for.pop(reading, (UNKNOWN, ""))
            self._held.take(owner, reading)

    def _read(self, key: str, pending: Json, photo: "vision.Photo") -> Json:
        size = {"status": "read", "width": photo.width, "height": photo.height}
        try:
            known = self._memories.of(key)
            found = self._get_reader().read(photo, pending["expects"], pending.get("beside", ()), known)
            return {**size, **_outcome(found)}
        except Exception as error:
            # The picture is there all the same: its dice can be marked by hand.
            logger.warning("the detector failed: %r", error)
            lasting = _reader_problem(error)
            if lasting is not None:
                self._cannot_read(lasting)
            return {**size, "problem": _told(lasting or Problem("reader-failed"))}

    def _photo(self, pending: Json) -> "vision.Photo":
        """The photo that waits to be read; for the server's camera one that it takes now."""
        import vision

        if pending["source"] != "camera" or pending["status"] == "read":
            data = self._pictures.original(pending["id"])
            if data is None:
                raise Problem("no-reading", 409)
            return vision.Photo.decode(data)
        assert self._camera is not None
        try:
            photo = self._camera.look()
        except Exception as error:
            logger.warning("the camera gave no picture: %s", error)
            raise Problem("camera-failed", 503) from error
        self._pictures.put_original(pending["id"], jpeg(photo.pixels, quality=95))
        return photo

    def set_readers(self, there: bool) -> None:
        """Tells all phones here whether other processes read photos."""
        problem = None if there else _told(Problem("no-readers", 503))
        self._playing.abilities.update(reader=there, reader_problem=problem)
        self._playing.refresh()

    def _cannot_read(self, problem: Problem) -> None:
        self._playing.abilities.update(reader=False, reader_problem=_told(problem))
        self._playing.refresh()

    def _get_reader(self) -> Reader:
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


def _outcome(found: "vision.Reading") -> Json:
    """A reading as the table's state has it; `trace` is for the server alone."""
    return {
        "sure": found.sure,
        "dice": [told_die(die) for die in found.dice],
        "aside": [told_die(die) for die in found.aside],
        "asks": [_told(ask) for ask in found.asks],
        "trace": None if found.trace is None else found.trace.to_text(),
    }


def told_die(die: Any) -> Json:
    return {
        "value": die.value,
        "confidence": round(float(die.confidence), 3),
        "sure": bool(die.sure),
        "box": [round(float(side), 1) for side in die.box],
        "alternatives": list(die.alternatives),
    }


def _value_and_box(die: Json) -> tuple[int, list[int]]:
    return die["value"], [round(float(side)) for side in die["box"]]


def _told(error: Any) -> Json:
    return {"reason": error.reason, "params": error.params, "text": str(error)}


def jpeg(pixels: Any, longest: int | None = None, quality: int = JPEG_QUALITY) -> bytes:
    import io

    from PIL import Image

    image = Image.fromarray(pixels)
    if longest is not None:
        image.thumbnail((longest, longest), Image.Resampling.BILINEAR)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality)
    return out.getvalue()
