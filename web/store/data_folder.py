"""The door to a data folder: whoever opens one asks here first, and says by this why it cannot be used."""

import os
import shlex
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
ROOT = 0  # the system's administrator


class UnusableFolderError(Exception):
    """A data folder cannot be used: one sentence with the folder, what is wrong with it, and what to do."""


def default_data() -> Path:
    """This user's own data folder."""
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
        another = f"name another folder{named_by}"
        raise UnusableFolderError(
            f"the data folder {folder} cannot be used: {reason}{', or ' if ';' in reason else '; '}{another}"
        )


def why(error: Exception) -> str:
    """What is wrong with a data folder, by an error while it was used."""
    cause = disk_problem(error) if isinstance(error, OSError) else error
    if isinstance(cause, Problem) and (cause.reason == "store-full" or not isinstance(error, OSError)):
        return UNUSABLE.get(cause.reason, str(cause))
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _reason(named: Path, folder: Path, writes: bool) -> str | None:
    """Why the folder cannot be used, and after a semicolon what mends that. `folder`: without links."""
    for parent in reversed(folder.parents):
        if not parent.exists():
            break
        if not parent.is_dir():
            return f"{parent} is a file, not a folder"
        if not os.access(parent, os.X_OK):
            return f"it lies in {parent}, {_why_not_entered(parent)}"
    if not folder.exists():
        if named.is_symlink():
            return f"it is a link to {folder}, which is not there"
        there = next(parent for parent in folder.parents if parent.exists())
        closed = writes and not _may(there, True)
        return f"it cannot be made in {there}, {_why_not_made(there, folder)}" if closed else None
    if not folder.is_dir():
        return "it is a file, not a folder"
    left = {path for pattern in LEFT_BEHIND for path in folder.glob(pattern)}
    ours = (path for pattern in OURS for path in folder.glob(pattern) if path not in left)
    needed = [(path, writes and (path.is_dir() or path.match(WRITTEN))) for path in (folder, *ours)]
    needed += [(path, False) for pattern in READ for path in folder.glob(pattern)]
    for path, written in needed:
        if not _may(path, written) and path.exists():  # it may be gone by now
            return _why_not_used(path, folder)
    return None


def _may(path: Path, writes: bool) -> bool:
    needed = os.R_OK | (os.X_OK if path.is_dir() else 0) | (os.W_OK if writes else 0)
    return os.access(path, needed)


def _why_not_used(path: Path, folder: Path) -> str:
    what, owner, quoted = "it", _other_owner(path), shlex.quote(str(folder))
    if path != folder:
        what = f"{path.relative_to(folder)} in it"
    if _may(path, False) and _is_read_only(path):
        return "its disk can only be read"
    if owner is None:
        return f"you may not read or change {what}; allow it with `chmod -R u+rwX {quoted}`"
    if owner == _name(ROOT) or path != folder:  # left by who once used sudo
        return f"{what} belongs to {owner}; make it yours with `sudo chown -R {_name(os.geteuid())} {quoted}`"
    return f"{what} belongs to {owner}; {_as(owner)}"


def _why_not_entered(parent: Path) -> str:
    owner = _other_owner(parent)
    return "which you may not enter" if owner is None else f"which belongs to {owner}; {_as(owner)}"


def _why_not_made(parent: Path, folder: Path) -> str:
    owner = _other_owner(parent)
    if _is_read_only(parent):
        return "whose disk can only be read"
    if owner is None:
        return "where you may not write"
    command = f"sudo install -d -m 700 -o {_name(os.geteuid())} {shlex.quote(str(folder))}"
    return f"which belongs to {owner}; make it with `{command}`"


def _as(owner: str) -> str:
    return "run this with `sudo`" if owner == _name(ROOT) else f"run this as that user, with `sudo -u {owner}`"


def _is_read_only(path: Path) -> bool:
    return hasattr(os, "statvfs") and bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def _other_owner(path: Path) -> str | None:
    """Who owns it, if that is another user than this process's. Windows does not say so."""
    owner = path.stat().st_uid
    return _name(owner) if hasattr(os, "geteuid") and owner != os.geteuid() else None


def _name(user: int) -> str:
    """The name of a user of this computer, or the number of one that has none here."""
    import pwd  # Windows has none

    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)
