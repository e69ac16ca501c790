"""Files of a data folder: whole on the disk, and private to their owner."""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

# Rollcall's own files in a data folder; all others are left alone.
OURS = ("rollcall*", "copies", "copies/*", "*.pem", "*.crt", "photos", "photos/*", "corrections", "corrections/*")
OTHERS = 0o077  # permissions of everybody but the owner


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


def make_private(folder: Path) -> None:
    """Removes the permissions of everybody but the owner from the data folder and our files in it."""
    ours = (path for pattern in OURS for path in folder.glob(pattern))
    for path in [folder, *ours]:
        with contextlib.suppress(OSError):  # gone by now, another user's, or a file system without permissions
            mode = path.lstat().st_mode
            if mode & OTHERS and not stat.S_ISLNK(mode):
                path.chmod(mode & 0o777 & ~OTHERS)
