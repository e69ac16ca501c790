"""The command that starts this Rollcall again."""

import sys


def own_program() -> list[str]:
    # Packed in one folder, the interpreter is the command itself.
    return [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "rollcall"]
