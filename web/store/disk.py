"""Waits until what was written is on the disk."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


def to_disk(path: Path) -> None:
    """Waits until a file, or a folder's list of files, is on the disk."""
    if os.name == "nt" and path.is_dir():
        return  # Windows does it by itself
    opened = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


@contextlib.contextmanager
def replace_file(path: Path) -> Iterator[Path]:
    """A new file, private to its owner, that replaces `path` when it is left: whole or not at all, and on the disk.

    Raises OSError.
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
    """The device, number, size and time of last change (ns) of a file, to know it again; () if it is missing."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
