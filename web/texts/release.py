"""This Rollcall: its version, the commit that it was made from, and its command."""

import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

VERSION = "0.5.0.dev0"  # as in pyproject.toml
GIT_FORMAT = "%h %cs"
ARCHIVED = "$Format:%h %cs$"  # `git archive`, from which packages are made, puts the commit here (.gitattributes)
ROOT = Path(__file__).resolve().parents[2]
ANSWERS_WITHIN_S = 5


class Commit(NamedTuple):
    """The short name of a commit, and its day as in 2026-11-28."""

    name: str
    day: str


@cache  # bounded: no argument
def commit() -> Commit | None:
    """The commit that this Rollcall was made from, in a checkout as git says it now; None if nobody knows."""
    name, _, day = (_asked_of_git() if ARCHIVED.startswith("$") else ARCHIVED).strip().partition(" ")
    return Commit(name, day) if day else None


def _asked_of_git() -> str:
    if not (ROOT / ".git").exists():  # git would look in the folders above, which are of another project
        return ""
    import subprocess

    command = ["git", f"--git-dir={ROOT / '.git'}", "log", "-1", f"--format={GIT_FORMAT}"]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=ANSWERS_WITHIN_S).stdout
    except (OSError, subprocess.SubprocessError):
        return ""


def full_version() -> str:
    """The version, and the commit if it is known: "0.5.0.dev0 (b18878ce)"."""
    known = commit()
    return VERSION if known is None else f"{VERSION} ({known.name})"


def own_program() -> list[str]:
    """The command that starts this Rollcall again."""
    # Packed in one folder, the interpreter is the command itself.
    return [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "rollcall"]
