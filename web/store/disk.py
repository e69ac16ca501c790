"""What was written is on the disk, and not on its way there."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


def to_disk(path: Path) -> None:
    """Waits until a file, or a folder's list of files, is on the disk."""
    if os.name == "nt" and path.is_dir():
        return  # Windows does that by itself, and lets nobody ask for it
    opened = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


@contextlib.contextmanager
def replace_file(path: Path) -> Iterator[Path]:
    """A new file, its owner's alone, that takes the place of `path` when it is left: it is there whole, or not at all.

    On the disk on return. Raises OSError.
    """
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield part
        to_disk(part)
        os.replace(part, path)
        to_disk(path.parent)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def identity(path: Path) -> tuple[int, ...]:
    """By what a file is known again: its device, number, size, and the time of its last change in nanoseconds. ()
    where there is none."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
