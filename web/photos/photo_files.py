"""The files of photos under review, and of photos that a table agreed to keep for training.

A photo stays in the data folder until its throw is confirmed or the photo discarded. A kept photo lies in
`corrections/` with the values that a person confirmed; nobody else is shown it.
"""

import contextlib
import io
import json
import logging
import os
import shutil
import time
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import IO, Any, NamedTuple

logger = logging.getLogger(__name__)

KINDS = ORIGINAL, SHOWN, SMALL = "photo", "jpg", "small"  # the endings of a photo's files
SHOWN_SIDE = 1600  # the longer side of the picture that a phone is shown, in pixels
LEAST_FREE = 100 << 20  # bytes of the disk that are left to the games
O_BINARY = getattr(os, "O_BINARY", 0)  # of Windows
KEPT_QUALITY = 95  # of the JPEG that replaces a photo whose metadata cannot be cut out


class HeldPhoto(NamedTuple):
    """What a photo under review takes on the disk, in bytes; the address that sent it, and its table's key."""

    size: int
    address: str
    key: str


class PhotoFiles:
    """The photo files of one data folder. `review_id`: the random id of a photo under review."""

    def __init__(self, folder: Path) -> None:
        self._held: dict[str, HeldPhoto] = {}  # the photos under review, the oldest first
        self._photos = folder / "photos"
        self._kept = folder / "corrections"
        self._photos.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(OSError):  # on file systems without permissions
            self._photos.chmod(0o700)

    def put_original(self, review_id: str, data: bytes) -> None:
        _write_whole(self._path(review_id, ORIGINAL), io.BytesIO(data))

    def take_original(self, review_id: str, stream: IO[bytes]) -> None:
        """Keeps an uploaded photo, without holding all of it in memory."""
        _write_whole(self._path(review_id, ORIGINAL), stream)

    def original(self, review_id: str) -> bytes | None:
        return _read_file(self._path(review_id, ORIGINAL))

    def put_shown(self, review_id: str, data: bytes) -> None:
        _write_whole(self._path(review_id, SHOWN), io.BytesIO(data))

    def shown_picture(self, review_id: str) -> bytes | None:
        """The JPEG for phones; None if the photo is gone."""
        return _read_file(self._path(review_id, SHOWN))

    def put_small(self, review_id: str, data: bytes) -> None:
        _write_whole(self._path(review_id, SMALL), io.BytesIO(data))

    def small_picture(self, review_id: str) -> bytes | None:
        """The small JPEG that is kept as proof of the throw; None if none was made together with the photo's."""
        return _read_file(self._path(review_id, SMALL))

    def keep(self, review_id: str, label: dict[str, Any]) -> None:
        """Moves the original to the corrections, with its `label`: what a person says is in the picture.

        The kept file says which way is up, but no longer place, time and device.
        """
        original = self._path(review_id, ORIGINAL)
        if original.exists():
            self._kept.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(OSError):
                self._kept.chmod(0o700)
            try:
                photo = _without_metadata(original.read_bytes())
            except ValueError as error:  # rather no photo than one that shows where it was taken
                logger.warning("a photo could not be kept: %s", error)
                return
            _write_whole(self._kept / f"{review_id}.json", io.BytesIO(json.dumps(label, indent=1).encode()))
            _write_whole(self._kept / f"{review_id}.photo", io.BytesIO(photo))
            original.unlink()

    def delete_kept(self, tables: Collection[str]) -> None:
        """Deletes the corrected photos of these tables, by the code in their labels. Raises OSError."""
        if not tables or not self._kept.is_dir():
            return
        for label in sorted(self._kept.rglob("*.json")):
            try:
                if json.loads(label.read_bytes())["table"] not in tables:
                    continue
            except (ValueError, LookupError, TypeError):
                continue  # a damaged label names no table
            for path in (label.with_suffix(".photo"), label):
                path.unlink(missing_ok=True)

    def delete(self, review_id: str) -> None:
        """Deletes a photo, except from the corrections. The next start deletes files that could not be deleted."""
        for kind in KINDS:
            _delete_file(self._path(review_id, kind))
        self._held.pop(review_id, None)

    def delete_shown(self, review_id: str) -> None:
        _delete_file(self._path(review_id, SHOWN))

    def hold(self, review_id: str, key: str, address: str) -> None:
        """Notes the table of a photo under review and the address that sent it ("": unknown)."""
        self._held[review_id] = HeldPhoto(self.size(review_id), address, key)

    def one_too_many(self, most: int, most_of_one: int) -> tuple[str, str] | None:
        """The oldest photo, with its table's key, of the address with the most bytes. None while all photos take at
        most `most` bytes and those of that address at most `most_of_one`."""
        held, taken = self._held.copy(), Counter[str]()  # a copy, as others may add photos meanwhile
        for photo in held.values():
            taken[photo.address] += photo.size
        biggest = max(taken, key=taken.__getitem__, default="")
        if sum(taken.values()) <= most and taken[biggest] <= most_of_one:
            return None
        return next((review_id, photo.key) for review_id, photo in held.items() if photo.address == biggest)

    def size(self, review_id: str) -> int:
        """The photo's size in bytes; 0 without a file."""
        try:
            return self._path(review_id, ORIGINAL).stat().st_size
        except OSError:
            return 0

    def has_room(self) -> bool:
        """Whether pictures may take room that a game itself does not need: it must go on where pictures cannot."""
        return shutil.disk_usage(self._photos).free >= LEAST_FREE

    def age_s(self, review_id: str) -> float:
        """Seconds since the photo was kept, by the time of day; 0 without a file or if the clock was set back."""
        try:
            return max(0.0, time.time() - self._path(review_id, ORIGINAL).stat().st_mtime)
        except OSError:
            return 0.0

    def sweep(self, under_review: Collection[str]) -> None:
        """Deletes every photo that is not under review, as an ended server may leave them."""
        for path in self._photos.iterdir():
            if path.name.split(".")[0] not in under_review:
                path.unlink(missing_ok=True)

    def _path(self, review_id: str, kind: str) -> Path:
        return self._photos / f"{review_id}.{kind}"


def _read_file(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _delete_file(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        logger.warning("a photo could not be deleted: %s", error)


def _write_whole(path: Path, stream: IO[bytes]) -> None:
    """Writes a file that appears only when it is complete, and that nobody else may read."""
    part = path.with_suffix(path.suffix + ".part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | O_BINARY, 0o600), "wb") as file:
            shutil.copyfileobj(stream, file)
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def _without_metadata(photo: bytes) -> bytes:
    """The photo without its metadata. Raises ValueError for a file that is no photo."""
    from vision import PhotoError
    from vision.containers import format_of
    from vision.photo import Photo
    from web.photos.metadata import remove_metadata

    if format_of(photo) not in ("HEIF", "AVIF", "TIFF", "BMP"):
        return remove_metadata(photo)
    from PIL import Image

    try:
        pixels = Photo.decode(photo).pixels
    except PhotoError as error:
        raise ValueError(str(error)) from error
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=KEPT_QUALITY)
    return out.getvalue()
