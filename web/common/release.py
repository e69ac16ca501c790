"""This Rollcall: its version and its day, as the newest heading of CHANGELOG.md has them, and its command."""

import sys

VERSION = "0.4.0"
# What `rollcall update` asks: a forge's address of the newest release, or of a file with its version; "" while the
# project has none.
RELEASES = ""
RELEASED_ON = "2026-11-26"


def own_program() -> list[str]:
    """The command that starts this Rollcall again."""
    # Packed in one folder, the interpreter is the command itself.
    return [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "rollcall"]
