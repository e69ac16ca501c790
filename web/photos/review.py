"""The photos under review, one at each table, and their files, from the upload until the photo leaves the table."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from msgspec import to_builtins

from web.photos.photo_files import SHOWN_SIDE, PhotoFiles
from web.photos.pictures import jpeg, pixels_of, small_picture
from web.problems.problem import Problem
from web.runner.runner import Runner, Snapshot, TableChange
from web.store.codes import mark_of
from web.store.store import count_pictures, photos_under_review
from web.table import events, proof
from web.table.commands import Asker, ChangePhoto, Discard, Evidence, MarkedDie, Observe, ShowPhoto
from web.table.json_document import RefusalDocument
from web.table.moves import game_of
from web.table.photo_state import Failed, FoundDie, Read, UnderReview, Waiting
from web.table.stored_table import TableRow

if TYPE_CHECKING:
    import vision

logger = logging.getLogger(__name__)

ORIGINAL_QUALITY = 95  # of a picture that a camera of the server took
ABANDONED_AFTER_S = 24 * 3600  # a photo that nobody confirms is discarded then
# Bytes of all photos under review, and of those from one address; beyond them the oldest photo is discarded.
MOST_HELD, MOST_HELD_OF_ADDRESS = 2 << 30, 1 << 30
UNKNOWN = ""  # the address of a photo that waited when the server started


class Review:
    """Puts photos under review and keeps their files. Safe for many threads; phones are told of each change."""

    def __init__(self, runner: Runner, photo_files: PhotoFiles) -> None:
        self._runner, self._photo_files = runner, photo_files
        self._since: dict[str, float] = {}  # when each photo under review began to wait, by the monotonic clock
        self._showing = threading.Lock()  # held while a picture is made to be shown: once for all phones that ask
        for review_id, key in photos_under_review(runner.store).items():
            self._photo_files.hold(review_id, key, UNKNOWN)
        runner.follow(self._follow, events.PhotoUnderReview, events.PhotoRemoved)
        runner.make_picture = self._make_proof
        self._discard_abandoned(self._photo_files.age_s)

    # --- what there is ---------------------------------------------------------------------------------------------

    def photo_of(self, key: str, review_id: str) -> UnderReview | None:
        photo = self._runner.look(key).photo
        return photo if photo is not None and photo.details.id == review_id else None

    def photo(self, review_id: str) -> "vision.Photo":
        """The decoded photo. Raises `vision.PhotoError`, and Problem("no-reading") if its file is gone."""
        import vision

        data = self._photo_files.original(review_id)
        if data is None:
            raise Problem("no-reading", 409)
        return vision.Photo.decode(data)

    def shown_picture(self, key: str, review_id: str) -> bytes | None:
        """The photo under review as a JPEG for phones; None if it is no longer there.

        Phones learn the reading before this picture is made; a phone that asks for it waits. Raises OSError.
        """
        if self.photo_of(key, review_id) is None:
            return None
        made = self._photo_files.shown_picture(review_id) or self._make_shown(key, review_id)
        return made if self.photo_of(key, review_id) is not None else None

    # --- from one to the next --------------------------------------------------------------------------------------

    @contextmanager
    def begin(
        self, key: str, shows: ShowPhoto, before: UnderReview | None, data: IO[bytes] | None, address: str, asker: Asker
    ) -> Iterator[Snapshot]:
        """Puts a waiting photo under review, in the place of `before`; if the block fails, that is back. Yields what
        the table shows then.

        `data`: the upload; None: the server's camera takes the photo. Raises Problem("stale" or "photo-waits"), OSError
        and SentBefore.
        """
        review_id = shows.photo.details.id
        try:
            if data is not None:
                self._photo_files.take_original(review_id, data)
            # The throw may have been logged meanwhile.
            yield self._runner.do(key, shows, asker)
        except BaseException:
            self._runner.do(key, Discard(review_id) if before is None else ChangePhoto(before, review_id))
            self._photo_files.delete(review_id)
            raise
        if before is not None:
            self._photo_files.delete(before.details.id)
        self._photo_files.hold(review_id, key, address)
        self._make_room()

    def show_watched_throw(self, key: str, photo: "vision.Photo", seen: Observe, asker: Asker) -> None:
        """Has the table conclude from dice that the camera watched; they come under review with this photo.

        Raises OSError, and then nothing was concluded."""
        assert seen.picture is not None
        review_id = seen.picture.details.id
        try:
            self.put_original(review_id, photo)
            self._runner.do(key, seen, asker)
        finally:
            if self.photo_of(key, review_id) is None:
                self._photo_files.delete(review_id)

    def put_original(self, review_id: str, photo: "vision.Photo") -> None:
        """Keeps a picture of the server's camera as this photo."""
        self._photo_files.put_original(review_id, jpeg(photo.pixels, quality=ORIGINAL_QUALITY))

    def finish_reading(self, key: str, read: Read, photo: "vision.Photo | None" = None) -> None:
        """Puts what was read in a photo under review; then the photo waits for a person. `photo` None: its picture is
        there, or made when a phone asks for it."""
        if not self._replace(key, read) or photo is None:
            return
        try:
            with self._showing:
                self._put_shown(read.details.id, photo)
        except OSError as error:  # whoever asks for the picture tries again
            logger.warning("a photo could not be made ready to be shown: %s", error)

    def fail(self, key: str, review_id: str, problem: RefusalDocument) -> None:
        """Shows why a photo is not read."""
        if (photo := self.photo_of(key, review_id)) is None:
            self._photo_files.delete(review_id)
        else:
            self._replace(key, Failed(photo.details, problem))

    def forget_abandoned(self) -> None:
        """Discards each photo that has waited unconfirmed for more than a day."""
        # By the monotonic clock: a Raspberry Pi's time of day jumps by weeks when it finds the network.
        self._discard_abandoned(lambda review_id: 0.0)

    def _follow(self, change: TableChange) -> None:
        """Deletes or keeps the files of a photo that left its table. Errors go to the server's log alone."""
        if (before := change.before.photo) is None:
            return
        for each in change.events:
            try:
                if isinstance(each, events.PhotoRemoved):
                    self._keep_corrected(change.state.row, before, each.evidence)
                    self._photo_files.delete(before.details.id)
                elif isinstance(each, events.PhotoUnderReview) and _replaces(each.photo, before):
                    self._photo_files.delete(before.details.id)
            except OSError as error:
                logger.warning("a photo could not be put away: %s", error)

    def _keep_corrected(self, row: TableRow, photo: UnderReview, evidence: Evidence | None) -> None:
        """Keeps a corrected photo with its label, if the table agreed.

        The label has the dice that were `read`, the `dice` that a person confirmed, those that lay `aside`, and how
        many dice of the game were `not_thrown`, since these may be in the picture too. `table` is the same code for
        all photos of a table and does not tell which table it is.
        """
        if not isinstance(photo, Read) or evidence is None or not evidence.dice or not row.keep_corrections:
            return
        read = [*photo.result.dice, *photo.result.aside]
        if sorted(map(_value_and_box, read)) == sorted(map(_value_and_box, [*evidence.dice, *evidence.aside])):
            return
        game = game_of(row)
        label = {
            "width": photo.width,
            "height": photo.height,
            "dice": evidence.dice,
            "aside": evidence.aside,
            "read": read,
            "not_thrown": max(0, game.info.dice - len(evidence.dice)),
            "table": mark_of(row.key),
        }
        self._photo_files.keep(photo.details.id, to_builtins(label))

    # --- files -----------------------------------------------------------------------------------------------------

    def _replace(self, key: str, photo: UnderReview) -> bool:
        """Changes the state of the photo under review. False, and its files are deleted, if it is no longer there."""
        present = self._runner.do(key, ChangePhoto(photo, photo.details.id)).state.photo
        if present is not None and present.details.id == photo.details.id:
            return True
        self._photo_files.delete(photo.details.id)
        return False

    def _discard_abandoned(self, age_s: Callable[[str], float]) -> None:
        """Discards abandoned photos. `age_s`: the seconds that a photo has waited which this process did not know."""
        try:
            now, waiting = time.monotonic(), photos_under_review(self._runner.store)
            self._since = {review_id: self._since.get(review_id, now - age_s(review_id)) for review_id in waiting}
            for review_id, since in self._since.items():
                if now - since > ABANDONED_AFTER_S:
                    self._runner.do(waiting[review_id], Discard(review_id))
        except (Problem, OSError) as error:
            logger.warning("abandoned photos could not be looked for: %s", error)

    def _make_room(self) -> None:
        """Discards the oldest photos of the address with the most bytes, until all fit."""
        before = None
        while (found := self._photo_files.one_too_many(MOST_HELD, MOST_HELD_OF_ADDRESS)) is not None:
            if found == before:  # it could not be deleted
                return
            before = oldest, key = found
            self._runner.do(key, Discard(oldest))
            self._photo_files.delete(oldest)

    def _make_proof(self, key: str, review_id: str) -> bytes | None:
        """The small picture of a photo under review, to be kept as proof. The throw counts whatever goes wrong here:
        errors go to the server's log alone."""
        try:
            if count_pictures(self._runner.store) >= proof.MOST_OF_SERVER or not self._photo_files.has_room():
                return None
            if (small := self._photo_files.small_picture(review_id)) is not None:
                return small
            shown = self._photo_files.shown_picture(review_id)
            return small_picture(self.photo(review_id).pixels if shown is None else pixels_of(shown))
        except Exception as error:
            logger.warning("a throw has no picture: %r", error)
            return None

    def _make_shown(self, key: str, review_id: str) -> bytes | None:
        """Makes the picture for phones from the photo's file, unless it is there or the photo is gone."""
        import vision

        with self._showing:
            if (made := self._photo_files.shown_picture(review_id)) is not None:
                return made
            if not isinstance(self.photo_of(key, review_id), Read):
                return None
            try:
                return self._put_shown(review_id, self.photo(review_id))
            except (Problem, vision.PhotoError) as error:
                logger.warning("a photo cannot be shown: %s", error)
                return None

    def _put_shown(self, review_id: str, photo: "vision.Photo") -> bytes:
        """Makes the picture for phones, and keeps it unless the photo is gone. Hold `_showing`."""
        made = jpeg(photo.view(SHOWN_SIDE), SHOWN_SIDE)
        self._photo_files.put_shown(review_id, made)
        if not self._photo_files.size(review_id):  # it was put away meanwhile, or kept as a correction
            self._photo_files.delete_shown(review_id)
        return made


def _replaces(photo: UnderReview, before: UnderReview) -> bool:
    """Whether the photo before it is gone for good: what a waiting one replaced may still come back."""
    return not isinstance(photo, Waiting) and photo.details.id != before.details.id


def _value_and_box(die: FoundDie | MarkedDie) -> tuple[int, list[int]]:
    return die.value, [round(side) for side in die.box]
