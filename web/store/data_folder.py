"""The door to a data folder: whoever opens one asks here first, and says by this why it cannot be used."""

import os
from pathlib import Path

from web.problems.problem import Problem, disk_problem
from web.store.disk import OURS

OFFERED = "games"  # the folder in a data folder whose games everybody is offered; `rollcall games add` fills it
# What is read of a data folder besides our files in it; all others may be anybody's.
READ = ("tokens.json", OFFERED, f"{OFFERED}/*", "advice")
LEFT_BEHIND = ("rollcall.address", "rollcall-damaged-*")  # replaced or deleted, which the folder alone decides
WRITTEN = "rollcall.*"  # of our files, beside folders
UNUSABLE = {
    "store-full": "the disk is full; make room, then try again",
    "store-failed": "the disk cannot be read or written",
    "store-busy": "another program has the games locked; end that program, then try again",
    "store-damaged": "the game file is damaged or not Rollcall's; put a backup in its place",
}


class UnusableFolderError(Exception):
    """A data folder cannot be used: one sentence with the folder, what is wrong with it, and what to do."""


def default_data() -> Path:
    import platformdirs  # a phone's browser has none

    return Path(platformdirs.user_data_dir("rollcall", appauthor=False))


def check_folder(folder: Path, writes: bool, named_by: str = " with --data") -> None:
    """Raises `UnusableFolderError` unless this user may read the data folder, and with `writes` change it or make it.

    A missing folder is no error without `writes`. `named_by`: how the command is given another folder.
    """
    try:
        reason = _reason(folder, Path(os.path.realpath(folder)), writes)
    except OSError as error:
        reason = why(error)
    if reason is not None:
        raise UnusableFolderError(f"the data folder {folder} cannot be used: {reason}; name another folder{named_by}")


def why(error: Exception) -> str:
    """What is wrong with a data folder, by an error while it was used."""
    cause = disk_problem(error) if isinstance(error, OSError) else error
    if isinstance(cause, Problem) and (cause.reason == "store-full" or not isinstance(error, OSError)):
        return UNUSABLE.get(cause.reason, str(cause))
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _reason(named: Path, folder: Path, writes: bool) -> str | None:
    """Why the folder cannot be used. `folder`: without links."""
    for parent in reversed(folder.parents):
        if not parent.exists():
            break
        if not parent.is_dir():
            return f"{parent} is a file, not a folder"
        if not os.access(parent, os.X_OK):
            return _why_barred(parent, str(parent))
    if not folder.exists():
        if named.is_symlink():
            return f"it is a link to {folder}, which is not there"
        there = next(parent for parent in folder.parents if parent.exists())
        return _why_barred(there, str(there)) if writes and not _may(there, True) else None
    if not folder.is_dir():
        return "it is a file, not a folder"
    left = {path for pattern in LEFT_BEHIND for path in folder.glob(pattern)}
    ours = (path for pattern in OURS for path in folder.glob(pattern) if path not in left)
    needed = [(path, writes and (path.is_dir() or path.match(WRITTEN))) for path in (folder, *ours)]
    needed += [(path, False) for pattern in READ for path in folder.glob(pattern)]
    for path, written in needed:
        if not _may(path, written) and path.exists():  # it may be gone by now
            return _why_barred(path, "it" if path == folder else f"{path.relative_to(folder)} in it")
    return None


def _may(path: Path, writes: bool) -> bool:
    needed = os.R_OK | (os.X_OK if path.is_dir() else 0) | (os.W_OK if writes else 0)
    return os.access(path, needed)


def _why_barred(path: Path, what: str) -> str:
    """What keeps this user from a path, which the sentence calls `what`."""
    if _may(path, False) and hasattr(os, "statvfs") and os.statvfs(path).f_flag & os.ST_RDONLY:
        return f"{what} is on a disk that can only be read"
    owner = _other_owner(path)
    return f"you may not read or change {what}" if owner is None else f"{what} belongs to {owner}"


def _other_owner(path: Path) -> str | None:
    """Who owns it, if that is another user than this process's. Windows does not say so."""
    owner = path.stat().st_uid
    if not hasattr(os, "geteuid") or owner == os.geteuid():
        return None
    try:
        return path.owner()
    except KeyError:  # the number has no name here
        return f"user {owner}"
