"""Photos under review, and those that a table agreed to keep for training.

A photo lies in the data folder only until its throw is confirmed or the photo discarded. Kept ones, with the
values that a person confirmed, lie in `corrections/` beside them and nobody else is shown them.
"""

import contextlib
import io
import json
import logging
import os
import shutil
import threading
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO, Any

from web.photos.metadata import remove_metadata
from web.quotas import Quota

logger = logging.getLogger(__name__)

SHOWN_SIDE = 1600  # the longer side of the picture that a phone is shown, in pixels
KEPT_QUALITY = 95  # of a JPEG that is kept in the place of a HEIC photo, which cannot be taken apart


class PhotoFiles:
    """The photo files of one data folder. `reading` is always the id of a reading, made here by a random source."""

    def __init__(self, folder: Path) -> None:
        self._quota: Quota[str] = Quota()  # what photos under review take on the disk, by addresses and tables' keys
        self._holding = threading.Lock()
        self._photos = folder / "photos"
        self._kept = folder / "corrections"
        self._photos.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(OSError):  # on file systems without permissions
            self._photos.chmod(0o700)

    def put_original(self, reading: str, data: bytes) -> None:
        _write_file(self._original_path(reading), data)

    def take_original(self, reading: str, stream: IO[bytes]) -> None:
        """The same from an upload, without ever holding all of it in memory."""
        with _open_whole(self._original_path(reading)) as file:
            shutil.copyfileobj(stream, file)

    def original(self, reading: str) -> bytes | None:
        return _read_file(self._original_path(reading))

    def take(self, reading: str) -> bool:
        """Whether a photo that waits to be read is to be queued once more: where others read, they may have it."""
        return True

    def put_shown(self, reading: str, data: bytes) -> None:
        _write_file(self._shown_path(reading), data)

    def shown_picture(self, reading: str) -> bytes | None:
        """The JPEG for the phones, or None when the photo is gone."""
        return _read_file(self._shown_path(reading))

    def keep(self, reading: str, label: dict[str, Any]) -> None:
        """Moves the original to the corrections, beside it `label`: what a person says is in the picture.

        What the camera wrote into the file (place, time, device) is left out; which way is up stays.
        """
        original = self._original_path(reading)
        if original.exists():
            self._kept.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(OSError):
                self._kept.chmod(0o700)
            try:
                photo = _without_metadata(original.read_bytes())
            except ValueError as error:  # better none than one that tells where it was taken
                logger.warning("a photo could not be kept: %s", error)
                return
            _write_file(self._kept / f"{reading}.json", json.dumps(label, indent=1).encode())
            _write_file(self._kept / f"{reading}.photo", photo)
            original.unlink()

    def delete(self, reading: str) -> None:
        """Deletes a photo, everywhere but in the corrections. What cannot be deleted now is swept at the next start."""
        self.delete_shown(reading)
        _delete_file(self._original_path(reading))
        with self._holding:
            self._quota.take(reading)

    def delete_shown(self, reading: str) -> None:
        """Deletes the picture that was made of it for the phones."""
        _delete_file(self._shown_path(reading))

    def hold(self, reading: str, key: str, owner: str) -> None:
        """Notes for which table a photo under review is there, and from which address it came ("": not known)."""
        with self._holding:
            self._quota.put(reading, self.size(reading), owner, key)

    def one_too_many(self, most: int, most_of_one: int) -> tuple[str, str] | None:
        """The oldest photo under review, and its table's key, of the address whose photos take most; None while all
        take no more than `most` bytes and those no more than `most_of_one`."""
        with self._holding:
            if not self._quota.size:
                return None
            biggest = self._quota.owned_by(self._quota.biggest())
            if self._quota.size <= most and biggest.size <= most_of_one:
                return None
            oldest = biggest.oldest()
            return oldest, biggest.things[oldest].owners[1]

    def size(self, reading: str) -> int:
        """Bytes of the photo; 0 without a file."""
        try:
            return self._original_path(reading).stat().st_size
        except OSError:
            return 0

    def age_s(self, reading: str) -> float:
        """Seconds since the photo was put here, by the time of day; 0 where that lies ahead, and without a file."""
        try:
            return max(0.0, time.time() - self._original_path(reading).stat().st_mtime)
        except OSError:
            return 0.0

    def sweep(self, under_review: Collection[str]) -> None:
        """Deletes what an ended server left behind: every photo whose id is not under review."""
        for path in self._photos.iterdir():
            if path.name.split(".")[0] not in under_review:
                path.unlink(missing_ok=True)

    def _original_path(self, reading: str) -> Path:
        return self._photos / f"{reading}.photo"

    def _shown_path(self, reading: str) -> Path:
        return self._photos / f"{reading}.jpg"


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


def _write_file(path: Path, data: bytes) -> None:
    with _open_whole(path) as file:
        file.write(data)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


@contextlib.contextmanager
def _open_whole(path: Path) -> Iterator[IO[bytes]]:
    """Writes a file that is either there as a whole or not at all."""
    part = path.with_suffix(path.suffix + ".part")
    try:
        with open(part, "wb", opener=_open_private) as file:
            yield file
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def _without_metadata(photo: bytes) -> bytes:
    """The picture alone. Raises ValueError for what is no photo."""
    from vision import PhotoError
    from vision.photo import Photo, is_heic

    if not is_heic(photo):
        return remove_metadata(photo)
    from PIL import Image

    try:
        pixels = Photo.decode(photo).pixels
    except PhotoError as error:
        raise ValueError(str(error)) from error
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=KEPT_QUALITY)
    return out.getvalue()
